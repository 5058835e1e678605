//! What is known of a text whose lines are in different encodings, and the parts of it that are not UTF-8.
//!
//! ```text
//! line: │ ASCII, read as UTF-8 │ from the first byte beyond ASCII on: held back until the line is complete │
//!                              └ well-formed: UTF-8 ─ mostly: its strays ─ otherwise: `Lines` judges it
//! ```
//!
//! A line ends before LF or CR. What it is depends only on its bytes and on the lines before it, so it does not matter
//! how the text is split. Of a line that is too long to be held back, the first part decides.

use std::collections::VecDeque;
use std::ops::Range;

use crate::io::Chunk;
use oxiconv_detect::detection::{Detector, LONGEST_LINE, LineForm, Lines, judge_strays};
use oxiconv_encodings::codec::{Mixed, Preceding, not_letters};
use oxiconv_encodings::encoding::Encoding;

/// Bytes after a place that tell whether an ill-formed subsequence begins before it.
const AHEAD: usize = 4;
/// Bytes of ASCII before the first byte beyond ASCII of a line that its encoding is judged by too.
const BEFORE: usize = 256;

/// The most bytes of a part of a long line.
const LONGEST_PART: usize = 16 * 1024;

/// What is known of the lines of a text.
pub(in super::super) struct LineParts {
    lines: Lines,
    readers: Vec<(&'static Encoding, Mixed)>,
    /// The reader of the present line.
    current: usize,
    /// Whether the present line was reported.
    is_reported: bool,
    /// The ASCII that the present line begins with, as far as it was passed: its last bytes.
    passed: Vec<u8>,
    /// The offset up to which all parts are known.
    settled: u64,
    /// Whether that is inside a long line, and the kind of the line.
    long: Option<LineKind>,
}

/// What a line is read as.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LineKind {
    Utf8,
    /// In the encoding of this reader.
    Other(usize),
}

/// What is next in a text.
enum Next {
    /// So many bytes of UTF-8.
    Utf8(usize),
    /// So many, and more bytes are needed to know what follows.
    Wait(usize),
    /// Bytes up to there, of which these ranges are in another encoding.
    Parts(usize, Vec<Range<usize>>),
}

impl LineParts {
    pub(in super::super) fn new(detector: Detector) -> Self {
        Self {
            lines: Lines::new(detector.expected()),
            readers: Vec::new(),
            current: 0,
            is_reported: false,
            passed: Vec::new(),
            settled: 0,
            long: None,
        }
    }

    /// Returns the reader of the present line.
    pub(in super::super) fn reader(&mut self) -> Option<&mut Mixed> {
        self.readers.get_mut(self.current).map(|(_, reader)| reader)
    }

    /// Returns the encoding of the present line, if the line was not reported before.
    pub(in super::super) fn report(&mut self) -> Option<&'static Encoding> {
        let is_new = !std::mem::replace(&mut self.is_reported, true);
        self.readers.get(self.current).filter(|_| is_new).map(|(encoding, _)| *encoding)
    }

    /// Returns how much of the chunk, which is at offset `base`, may be converted as UTF-8: before `limit`, and before the
    /// first of `parts` after byte `at`. Finds new ones.
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
            // No more than is needed: the rest of a chunk may be long.
            let end = chunk.bytes.len().min(limit + LONGEST_LINE + AHEAD);
            let last = chunk.last && end == chunk.bytes.len();
            let start = base + settled as u64;
            let bytes = &chunk.bytes[settled..end];
            let mark = (start == 0).then(|| mark(bytes, last)).flatten();
            let next = mark.unwrap_or_else(|| self.next(bytes, last));
            match next {
                Next::Utf8(len) => self.settled = start + len as u64,
                Next::Wait(len) => {
                    self.settled = start + len as u64;
                    return limit.min(settled + len);
                }
                Next::Parts(len, ranges) => {
                    self.settled = start + len as u64;
                    let offsets = ranges
                        .into_iter()
                        .map(|range| start + range.start as u64..start + range.end as u64);
                    parts.extend(offsets);
                }
            }
        }
    }

    /// Returns what `bytes` begin with. They begin in the ASCII of a line, or inside a long one.
    fn next(&mut self, bytes: &[u8], last: bool) -> Next {
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
            return Next::Utf8(valid);
        }
        let line = text.rfind(['\n', '\r']).map_or(0, |end| end + 1);
        self.learn(&text[..line]);
        if line > 0 {
            self.passed.clear();
        }
        let ascii = bytes[line..].iter().position(|byte| !byte.is_ascii());
        let start = ascii.map_or(bytes.len(), |ascii| line + ascii);
        self.passed.extend_from_slice(&bytes[line.max(start.saturating_sub(BEFORE))..start]);
        self.passed.drain(..self.passed.len().saturating_sub(BEFORE));
        if ascii.is_none() {
            return Next::Utf8(bytes.len());
        }
        if valid - start >= LONGEST_LINE && (!is_cut || bytes.len() - start >= LONGEST_LINE + AHEAD)
        {
            return self.begin_long_line(text, start);
        }
        if is_cut {
            return Next::Wait(start);
        }
        let most = bytes.len().min(start + LONGEST_LINE + 1);
        let end = bytes[start..most].iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let end =
            end.or((last && bytes.len() - start <= LONGEST_LINE).then_some(bytes.len() - start));
        match end {
            Some(len) => self.line(bytes, start, len, true),
            None if most == bytes.len() && most - start <= LONGEST_LINE => Next::Wait(start),
            None => self.line(bytes, start, LONGEST_LINE, false),
        }
    }

    /// Goes on after the first part of a long line in UTF-8, which begins at byte `start`.
    fn begin_long_line(&mut self, text: &str, start: usize) -> Next {
        let ends = |at: &usize| text.is_char_boundary(*at);
        let end = (start..=start + LONGEST_LINE).rev().find(ends).unwrap_or(start);
        self.lines.learn(&text[start..end]);
        self.long = Some(LineKind::Utf8);
        Next::Utf8(end)
    }

    /// Judges a line that is not UTF-8, from its first byte beyond ASCII on, or its first part if it is not complete.
    fn line(&mut self, bytes: &[u8], start: usize, len: usize, complete: bool) -> Next {
        let line = &bytes[start..start + len];
        self.is_reported = false;
        let form = LineForm::of(line, self.passed.last().copied());
        if let Some(parts) = self.strays(line, form) {
            self.long = (!complete).then_some(LineKind::Utf8);
            let moved = parts.into_iter().map(|part| start + part.start..start + part.end);
            return Next::Parts(start + len, moved.collect());
        }
        let encoding = match form {
            // Few characters tell too little to read the rest as anything new.
            LineForm::Unclear => self.lines.judge_as_before(&self.passed, line),
            _ => self.lines.judge(&self.passed, line),
        };
        let Some(encoding) = encoding else {
            self.long = (!complete).then_some(LineKind::Utf8);
            return Next::Utf8(start + len);
        };
        self.current = self.reader_of(encoding);
        let Some(reader) = self.reader() else { return Next::Utf8(start + len) };
        let (read, parts) = reader.readable(bytes, start..start + len, complete);
        self.long = (!complete).then_some(LineKind::Other(self.current));
        Next::Parts(read, parts)
    }

    /// Returns the parts of a line that is UTF-8 but for some bytes; `None` if it is not.
    fn strays(&mut self, line: &[u8], form: LineForm) -> Option<Vec<Range<usize>>> {
        match form {
            LineForm::Utf8 => return Some(Vec::new()),
            LineForm::WithStrays => {}
            LineForm::Unclear | LineForm::Other => return None,
        }
        let strays = judge_strays(&self.passed, line, true)?;
        self.current = self.reader_of(strays.encoding);
        let usual = strays.known.usual();
        let cuts =
            usual.map(|usual| not_letters(line, 0..line.len(), Preceding::Ascii, true, usual));
        let cuts = cuts.unwrap_or_default();
        Some(self.reader()?.split(line, &strays.known, false, &cuts))
    }

    /// Returns what follows in a line of this kind that is too long to be held back.
    fn rest_of_long_line(&mut self, kind: LineKind, bytes: &[u8], last: bool) -> Next {
        // What is made of a part takes many times its memory.
        let most = &bytes[..bytes.len().min(LONGEST_PART)];
        let last = last && most.len() == bytes.len();
        let end = most.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let len = end.unwrap_or(most.len());
        if end.is_some() {
            self.long = None;
        }
        let LineKind::Other(number) = kind else { return Next::Utf8(len) };
        self.current = number;
        let Some(reader) = self.reader() else { return Next::Utf8(len) };
        let (read, parts) = reader.readable(bytes, 0..len, end.is_some() || last);
        if read == 0 && len > 0 { Next::Wait(0) } else { Next::Parts(read, parts) }
    }

    /// Learns from whole lines of UTF-8.
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

    /// Returns the number of the reader of an encoding.
    fn reader_of(&mut self, encoding: &'static Encoding) -> usize {
        let known = self.readers.iter().position(|(known, _)| *known == encoding);
        known.unwrap_or_else(|| {
            self.readers.push((encoding, encoding.mixed_with_utf8()));
            self.readers.len() - 1
        })
    }
}

/// Returns what a text begins with, if that is a byte order mark or may be one: it belongs to no line.
fn mark(bytes: &[u8], last: bool) -> Option<Next> {
    const MARK: &[u8] = "\u{FEFF}".as_bytes();
    match bytes {
        [] => None,
        _ if bytes.starts_with(MARK) => Some(Next::Utf8(MARK.len())),
        _ => (!last && MARK.starts_with(bytes)).then_some(Next::Wait(0)),
    }
}
