//! Texts whose lines are in different encodings (`-f auto-lines`): which bytes of them are not UTF-8.
//!
//! ```text
//! line: │ ASCII: converted at once │ from the first byte beyond ASCII on: held back until the line is complete │
//!                                  └─ well-formed: UTF-8 ─ otherwise: `LineDetector::read`
//! ```
//!
//! A line ends before LF or CR. What it is read as depends on its bytes and on the lines before it, never on those
//! after, so the result does not depend on how the text is split. A line may be too long to be held back. Then its
//! first [`LONGEST_LINE`] bytes decide, and the rest is read in the same way as it arrives (`long`).

use std::collections::VecDeque;
use std::ops::Range;

use crate::io::Chunk;
use oxiconv_detect::detection::{Detector, LINE_CONTEXT, LONGEST_LINE, LineDetector, LineVerdict};
use oxiconv_encodings::codec::{Mixed, Preceding, not_letters};
use oxiconv_encodings::encoding::Encoding;

/// The number of bytes after a place that tell whether it is inside of a sequence, and if so, whether that is
/// well-formed. No sequence of UTF-8 is longer.
const LOOKAHEAD: usize = 4;
/// The most bytes of a long line to read at a time. What is made of them takes many times their memory.
const MAX_PART: usize = 16 * 1024;

pub(in super::super) struct LineParts {
    lines: LineDetector,
    readers: Vec<(&'static Encoding, Mixed)>,
    current: usize,
    is_reported: bool,
    /// The last bytes of the ASCII that the current line begins with, as far as it was passed.
    passed: Vec<u8>,
    /// The offset up to which all lines have been judged.
    settled: u64,
    /// If that is inside a long line: what the line is read as.
    long: Option<LineKind>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LineKind {
    Utf8,
    /// In the encoding of the reader with this index.
    Other(usize),
}

/// What a text begins with.
enum LineStep {
    /// This many bytes of UTF-8.
    Utf8(usize),
    /// The same, and more bytes are needed to judge what follows.
    Wait(usize),
    /// This many bytes, of which these ranges are in another encoding.
    Parts(usize, Vec<Range<usize>>),
}

impl LineParts {
    pub(in super::super) fn new(detector: Detector) -> Self {
        Self {
            lines: LineDetector::new(detector.expected()),
            readers: Vec::new(),
            current: 0,
            is_reported: false,
            passed: Vec::new(),
            settled: 0,
            long: None,
        }
    }

    pub(in super::super) fn reader(&mut self) -> Option<&mut Mixed> {
        self.readers.get_mut(self.current).map(|(_, reader)| reader)
    }

    /// Returns the encoding of the current line if the line has not been reported, and marks it as reported.
    pub(in super::super) fn report(&mut self) -> Option<&'static Encoding> {
        let is_new = !std::mem::replace(&mut self.is_reported, true);
        self.readers.get(self.current).filter(|_| is_new).map(|(encoding, _)| *encoding)
    }

    /// Returns how much of the chunk, which is at the offset `base`, may be converted as UTF-8: before `limit`, and
    /// before the first of `parts` after byte `at`. Adds the parts that it finds.
    pub(in super::super) fn clean_to(
        &mut self,
        chunk: &Chunk<'_>,
        base: u64,
        at: usize,
        limit: usize,
        parts: &mut VecDeque<Range<u64>>,
    ) -> usize {
        loop {
            if let Some(part) = parts.front() {
                return limit.min((part.start - base) as usize);
            }
            let settled = self.settled.saturating_sub(base).max(at as u64) as usize;
            if settled >= limit {
                return limit;
            }
            // Only as much as one line may need, since the rest of the chunk may be long.
            let end = chunk.bytes.len().min(limit + LONGEST_LINE + LOOKAHEAD);
            let last = chunk.last && end == chunk.bytes.len();
            let start = base + settled as u64;
            let bytes = &chunk.bytes[settled..end];
            let mark = (start == 0).then(|| mark(bytes, last)).flatten();
            let next = mark.unwrap_or_else(|| self.next(bytes, last));
            match next {
                LineStep::Utf8(len) => self.settled = start + len as u64,
                LineStep::Wait(len) => {
                    self.settled = start + len as u64;
                    return limit.min(settled + len);
                }
                LineStep::Parts(len, ranges) => {
                    self.settled = start + len as u64;
                    let offsets = ranges
                        .into_iter()
                        .map(|range| start + range.start as u64..start + range.end as u64);
                    parts.extend(offsets);
                }
            }
        }
    }

    /// Returns what `bytes` begin with. They start in the ASCII at the start of a line, or inside a long line.
    /// ```text
    /// 0                      line       start        valid
    /// ├ lines of UTF-8 … ⏎   ├ ASCII …  ├ C3 A9 …    ├ E9 20 …     the end of `bytes`, or of the text
    ///   learned from           passed     held back    ill-formed, or only incomplete (`is_cut`)
    /// ```
    ///
    /// Whole lines of UTF-8 are passed at once, and so is the ASCII of the next one: it is the same in every encoding
    /// that a line may be in. Its end is kept (`passed`), since the words around the first byte beyond ASCII are
    /// evidence. If everything is well-formed and the text ends, nothing has to be judged. Otherwise there are six
    /// cases, in this order:
    ///
    /// 1. The line has no byte beyond ASCII so far. It is passed.
    /// 2. It is well-formed for as long as it may be held back. It is UTF-8, and its rest is read as UTF-8 too.
    /// 3. It is well-formed so far, but `bytes` end inside of it. More bytes are needed.
    /// 4. It is ill-formed and complete. It is judged.
    /// 5. It is ill-formed and incomplete, but may be held back. More bytes are needed.
    /// 6. It is ill-formed and too long to be held back. Its first [`LONGEST_LINE`] bytes are judged.
    fn next(&mut self, bytes: &[u8], last: bool) -> LineStep {
        if let Some(kind) = self.long {
            return self.rest_of_long_line(kind, bytes, last);
        }
        let (valid, is_cut) = match std::str::from_utf8(bytes) {
            Ok(text) => (text.len(), !last),
            Err(error) => (error.valid_up_to(), error.error_len().is_none() && !last),
        };
        let text = std::str::from_utf8(&bytes[..valid]).unwrap_or_default();
        if valid == bytes.len() && last {
            self.learn(text);
            return LineStep::Utf8(valid);
        }
        let line = text.rfind(['\n', '\r']).map_or(0, |end| end + 1);
        self.learn(&text[..line]);
        if line > 0 {
            self.passed.clear();
        }
        let ascii = bytes[line..].iter().position(|byte| !byte.is_ascii());
        let start = ascii.map_or(bytes.len(), |ascii| line + ascii);
        self.passed.extend_from_slice(&bytes[line.max(start.saturating_sub(LINE_CONTEXT))..start]);
        self.passed.drain(..self.passed.len().saturating_sub(LINE_CONTEXT));
        if ascii.is_none() {
            return LineStep::Utf8(bytes.len());
        }
        // The line is well-formed for as long as it may be held back, and ends neither before nor inside of a sequence.
        if valid - start >= LONGEST_LINE
            && (!is_cut || bytes.len() - start >= LONGEST_LINE + LOOKAHEAD)
        {
            return self.begin_long_line(text, start);
        }
        // It is well-formed so far, and what comes before its end decides.
        if is_cut {
            return LineStep::Wait(start);
        }
        let most = bytes.len().min(start + LONGEST_LINE + 1);
        let end = bytes[start..most].iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let end =
            end.or((last && bytes.len() - start <= LONGEST_LINE).then_some(bytes.len() - start));
        match end {
            Some(len) => self.line(bytes, start, len, true),
            None if most == bytes.len() && most - start <= LONGEST_LINE => LineStep::Wait(start),
            None => self.line(bytes, start, LONGEST_LINE, false),
        }
    }

    /// Begins a long line in UTF-8. Its first byte beyond ASCII is at `start`. The part that decides about the line is
    /// settled up to a character boundary, and always the same part, so that [`LineDetector`] learns the same for every
    /// chunk.
    fn begin_long_line(&mut self, text: &str, start: usize) -> LineStep {
        let ends = |at: &usize| text.is_char_boundary(*at);
        let end = (start..=start + LONGEST_LINE).rev().find(ends).unwrap_or(start);
        self.lines.learn(&text[start..end]);
        self.long = Some(LineKind::Utf8);
        LineStep::Utf8(end)
    }

    /// Reads a line that is not well-formed UTF-8, given from its first byte beyond ASCII on, and as far as it may be
    /// held back. If it is not `complete`, the rest is read in the same way.
    ///
    /// A line that is UTF-8 except for stray bytes keeps its well-formed characters, and only the strays are read in
    /// another encoding. Any other line is in one encoding as a whole. If no encoding is found, the line passes as
    /// UTF-8, and the engine reports what is ill-formed.
    fn line(&mut self, bytes: &[u8], start: usize, len: usize, complete: bool) -> LineStep {
        let line = &bytes[start..start + len];
        self.is_reported = false;
        let (mut kind, mut read, mut parts) = (LineKind::Utf8, start + len, Vec::new());
        match self.lines.read(&self.passed, line) {
            LineVerdict::Utf8 | LineVerdict::Unknown => {}
            LineVerdict::WithStrays(encoding, known) => {
                let usual = known.usual();
                let cuts = usual
                    .map(|usual| not_letters(line, 0..line.len(), Preceding::Ascii, true, usual));
                let reader = self.use_reader(encoding);
                let strays = reader.split(line, &known, false, &cuts.unwrap_or_default());
                parts = strays.into_iter().map(|it| start + it.start..start + it.end).collect();
            }
            LineVerdict::Whole(encoding) => {
                let reader = self.use_reader(encoding);
                (read, parts) = reader.readable(bytes, start..start + len, complete);
                kind = LineKind::Other(self.current);
            }
        }
        self.long = (!complete).then_some(kind);
        LineStep::Parts(read, parts)
    }

    /// Returns what follows in a long line of this kind, [`MAX_PART`] bytes of it at most. A character that is
    /// truncated at their end is left for the next call; if nothing else is there, more bytes are needed.
    fn rest_of_long_line(&mut self, kind: LineKind, bytes: &[u8], last: bool) -> LineStep {
        let most = &bytes[..bytes.len().min(MAX_PART)];
        let last = last && most.len() == bytes.len();
        let end = most.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let len = end.unwrap_or(most.len());
        if end.is_some() {
            self.long = None;
        }
        let LineKind::Other(number) = kind else { return LineStep::Utf8(len) };
        self.current = number;
        let Some(reader) = self.reader() else { return LineStep::Utf8(len) };
        let (read, parts) = reader.readable(bytes, 0..len, end.is_some() || last);
        if read == 0 && len > 0 { LineStep::Wait(0) } else { LineStep::Parts(read, parts) }
    }

    /// Learns the languages of the text from whole lines of UTF-8.
    fn learn(&mut self, text: &str) {
        if !self.lines.learns() || text.is_ascii() {
            return;
        }
        for line in text.split(['\n', '\r']) {
            if let Some(start) = line.bytes().position(|byte| !byte.is_ascii()) {
                self.lines.learn(&line[start..]);
            }
        }
    }

    /// Makes the reader of an encoding the current one, and returns it.
    fn use_reader(&mut self, encoding: &'static Encoding) -> &mut Mixed {
        let known = self.readers.iter().position(|(known, _)| *known == encoding);
        self.current = known.unwrap_or_else(|| {
            self.readers.push((encoding, encoding.mixed_with_utf8()));
            self.readers.len() - 1
        });
        &mut self.readers[self.current].1
    }
}

/// Returns what a text begins with if that is a byte order mark, or may be one. The mark is not a part of the first
/// line.
fn mark(bytes: &[u8], last: bool) -> Option<LineStep> {
    const MARK: &[u8] = "\u{FEFF}".as_bytes();
    match bytes {
        [] => None,
        _ if bytes.starts_with(MARK) => Some(LineStep::Utf8(MARK.len())),
        _ => (!last && MARK.starts_with(bytes)).then_some(LineStep::Wait(0)),
    }
}
