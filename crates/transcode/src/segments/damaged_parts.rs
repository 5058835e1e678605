//! The segmenter of mojibake: parts of a UTF-8 text that an earlier conversion damaged (`Ã©` instead of `é`).
//!
//! ```text
//! look ─► sound_to: where the next damaged part begins ─► the engine converts what comes before
//!      ─► convert: a finding, and under --repair the text that was meant
//! ```
//!
//! Text is examined in two steps, and nearly all of it stops at the first: `suspect` searches for characters that
//! damage produces. From such a character on, a *region* up to the end of the line is judged as a whole
//! (`oxiconv_detect::mojibake`). The judgement depends on the text before it and on the region, which must be in
//! memory, but never on how the text is split into chunks. So offsets are remembered up to which everything is settled.

use std::collections::VecDeque;
use std::ops::Range;

use super::super::conversion::Conversion;
use super::super::pipeline_exit::Passed;
use super::super::policy::OnMojibake;
use super::super::segment::{SegmentLookahead, Segmenter, View};
use super::super::stage::FollowedBy;
use super::super::text_walk::TextWalk;
use crate::diagnostic::{DeniedKind, Detail, Details, Finding, Kind, Mojibake};
use crate::io::Chunk;
use oxiconv_detect::mojibake::{
    Damage, REGION, Restorer, SURE, Suspect, SuspectWords, first_misread, misread_end,
};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::CodePoint;
use oxiconv_kernels::{EncodingForm, FormPair, str_prefix};

/// The most bytes to examine at a time. A chunk may be much longer, and only the text up to the engine's limit has to
/// be settled.
const WINDOW: usize = 64 * 1024;

#[cfg(test)]
thread_local! {
    /// The number of bytes searched, for tests of the cost of an option.
    pub(in super::super) static SEARCHED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

pub(in super::super) struct Damages {
    restorer: Restorer,
    /// The offset up to which all damage has been found.
    settled: u64,
    /// The offset up to which words have been found sound, although they have suspicious characters.
    sound: u64,
    /// The damage that is not converted yet, in order, with its ranges in the text.
    found: VecDeque<(Range<u64>, Damage)>,
}

impl Damages {
    pub(in super::super) fn of(conversion: &Conversion) -> Option<Self> {
        let options = &conversion.options;
        let matters = options.on_mojibake != OnMojibake::Ignore
            || options.denied.has(DeniedKind::Mojibake)
            || options.detail == Detail::Context;
        let restorer = || match options.on_mojibake {
            OnMojibake::Undo(misreading) => Restorer::undoing(misreading),
            _ => Restorer::default(),
        };
        let nothing =
            || Self { restorer: restorer(), settled: 0, sound: 0, found: VecDeque::new() };
        matters.then(nothing)
    }

    /// Examines the first well-formed stretch of `bytes`, which are at `offset`, as far as that is possible without the
    /// bytes after them. There are none if it is the `last` piece.
    /// ```text
    /// 80 91 FE │ text … │ C3 28 …
    /// skipped    `look`   an ill-formed subsequence: the text ends here, whatever follows
    /// ```
    ///
    /// Damage is judged as text, so it cannot reach across bytes that are no text. If the well-formed stretch ends with
    /// `bytes` instead, or with a character that is not complete yet, it may continue, and its end is left unsettled.
    fn settle(&mut self, bytes: &[u8], offset: u64, last: bool) {
        let mut start = 0;
        let (text, skipped, ends) = loop {
            start += bytes[start..].iter().take_while(|byte| begins_nothing(**byte)).count();
            let text = str_prefix(&bytes[start..]);
            let others = &bytes[start + text.len()..];
            let Err(error) = str::from_utf8(others) else { break (text, 0, last) };
            let skipped = error.error_len().or(last.then_some(others.len()));
            match skipped.filter(|_| text.is_empty()) {
                // The next bytes are ill-formed too, and there is no text between them to examine.
                Some(skipped) => start += skipped,
                None => break (text, skipped.unwrap_or(0), skipped.is_some()),
            }
        };
        let offset = offset + start as u64;
        let settled = self.look(text, offset, ends);
        self.settled = offset + settled as u64;
        if settled == text.len() {
            self.settled += skipped as u64;
        }
    }

    /// Finds the damage in `text`, and returns how many bytes of it are settled: all of them if the text `ends` with
    /// it.
    ///
    /// Each round passes sound text and judges the region after it. What the restorer learns from a region applies to
    /// the regions after it, so the order is that of the text, and no region is judged before its end is known.
    fn look(&mut self, text: &str, offset: u64, ends: bool) -> usize {
        let mut at = 0;
        loop {
            let (len, is_suspect) = self.sound(&text[at..], offset + at as u64, ends);
            #[cfg(test)]
            SEARCHED.with(|count| count.set(count.get() + len.max(1)));
            self.restorer.pass(&text[at..at + len]);
            at += len;
            let len = region(&self.restorer, &text[at..], ends);
            let Some(len) = len.filter(|_| is_suspect) else { return at };
            #[cfg(test)]
            SEARCHED.with(|count| count.set(count.get() + len));
            let start = offset + at as u64;
            for damage in self.restorer.look(&text[at..at + len]) {
                let range = start + damage.range.start as u64..start + damage.range.end as u64;
                self.found.push_back((range, damage));
            }
            at += len;
        }
    }

    /// Returns the length of the sound text at the start, and whether a region to judge follows it.
    ///
    /// Where a region begins depends on what is known. If the user has named the misreading, any character beyond ASCII
    /// may be damaged. Usually a region begins at a suspicious character, unless the words around it are sound in any
    /// text. After damage in another charset was found, any letter that may be part of it begins one.
    fn sound(&mut self, text: &str, offset: u64, ends: bool) -> (usize, bool) {
        if self.restorer.suspects_all() {
            let ascii = FormPair { from: EncodingForm::Ascii, to: None };
            let len = ascii.run(text.as_bytes(), &mut []).read;
            return (len, len < text.len());
        }
        let mut at = 0;
        let (len, is_suspect) = loop {
            let sound = self.sound.saturating_sub(offset) as usize;
            match self.restorer.suspect(text, at, sound, ends) {
                Suspect::None(len) => break (len, false),
                Suspect::Swapped(len) => break (len, true),
                Suspect::Sequence(len) => match self.restorer.words(text, len, ends) {
                    SuspectWords::Sound(end) => {
                        self.sound = offset + end as u64;
                        at = len;
                    }
                    SuspectWords::Doubtful => break (len, true),
                    SuspectWords::Cut => break (len, false),
                },
            }
        };
        // Once text in one charset was found to be read as another, whole lines may be damaged, without any character
        // that is suspicious by itself.
        let first = self.restorer.found_foreign().then(|| first_misread(&text[..len])).flatten();
        match first {
            Some(first) => (first, true),
            None if is_suspect || !ends => (held(&text[..len]), is_suspect),
            None => (len, false),
        }
    }
}

/// Whether a byte cannot begin a character of UTF-8. A run of such bytes is skipped at once instead of parsed byte by
/// byte.
fn begins_nothing(byte: u8) -> bool {
    matches!(byte, 0x80..=0xC1 | 0xF5..)
}

/// Returns up to where `text` may be converted if what follows is suspicious, or may be. The words before it in the
/// same line may be in the same charset:
/// ```text
/// è ïðèâåò      и привет in windows-1251, read as windows-1252
/// ```
///
/// The first word is one of Italian too, and only the second shows what both are. Once the engine has converted a word,
/// it cannot be repaired any more. So the end of the line is held back, from its first letter of windows-1252 beyond
/// ASCII on, but no more than [`REGION`] bytes of it, since a line may be of any length.
fn held(text: &str) -> usize {
    let line = misread_end(text);
    let mut start = line;
    loop {
        let Some(first) = first_misread(&text[start..]) else { return text.len() };
        start += first;
        if text.len() - start <= REGION {
            return start;
        }
        start += floor_char_boundary(&text[start..], REGION);
    }
}

/// Returns the length of the region at the start of `text`. It reaches to the end of the line, or to the last space
/// within [`REGION`] bytes, or if there is none, to a place that does not divide a damaged character. `None` if that
/// depends on what follows `text`.
///
/// A space at the start does not count, because the region would then be empty and nothing would ever be settled.
fn region(restorer: &Restorer, text: &str, ends: bool) -> Option<usize> {
    let most = &text.as_bytes()[..text.len().min(REGION)];
    match memchr::memchr(b'\n', most) {
        Some(end) => Some(end),
        None if text.len() <= REGION => ends.then_some(text.len()),
        None => {
            let blank = memchr::memrchr(b' ', most).filter(|at| *at > 0);
            Some(blank.unwrap_or_else(|| restorer.cut(&text[..floor_char_boundary(text, REGION)])))
        }
    }
}

/// Returns the last character boundary in `text` that is not after `at`.
fn floor_char_boundary(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

impl Damages {
    /// Returns how much of the chunk before `limit` the engine may convert: up to the first part after byte `at` that
    /// is damaged, or whose judgement needs more text.
    /// Each round settles some text or finds a part. A round that does neither needs a longer chunk.
    fn sound_to(&mut self, chunk: &Chunk<'_>, base: u64, at: usize, limit: usize) -> usize {
        // The engine has passed these already: they were in parts that are read in another encoding.
        while self.found.front().is_some_and(|(range, _)| range.start < base + at as u64) {
            self.found.pop_front();
        }
        loop {
            if let Some((range, _)) = self.found.front() {
                return limit.min((range.start - base) as usize);
            }
            let settled = (self.settled.saturating_sub(base) as usize).max(at);
            if settled >= limit {
                return limit;
            }
            let end = chunk.bytes.len().min(settled + WINDOW);
            let last = chunk.last && end == chunk.bytes.len();
            self.settle(&chunk.bytes[settled..end], base + settled as u64, last);
            if self.settled == base + settled as u64 && self.found.is_empty() {
                return settled;
            }
        }
    }
}

impl Segmenter for Damages {
    fn look<'c>(&mut self, view: &View<'_, 'c>, at: usize, limit: usize) -> SegmentLookahead<'c> {
        if view.encoding != Encoding::UTF_8 {
            return SegmentLookahead::Clear(limit);
        }
        let sound = self.sound_to(view.chunk, view.base, at, limit);
        match self.found.front() {
            Some((range, _)) if range.start == view.base + at as u64 => {
                let end = (range.end - view.base) as usize;
                if view.has_context(end) {
                    SegmentLookahead::Segment(at..end)
                } else {
                    SegmentLookahead::Wait
                }
            }
            _ => SegmentLookahead::Clear(sound),
        }
    }

    /// A part that overlaps with text in another encoding is not damaged: its bytes are read in that encoding instead.
    fn give_up(&mut self) -> bool {
        self.found.pop_front().is_some()
    }

    fn is_for_one_thread(&self) -> bool {
        true
    }

    /// Reports a damaged part, and writes what was meant if it is to be repaired. Otherwise the engine converts it as
    /// it is: the part is well-formed UTF-8, so 0 bytes are converted here and the engine continues with its first
    /// byte.
    ///
    /// Whatever is written, the position moves by the characters that were read, because lines and columns are those of
    /// the input.
    fn convert(
        &mut self,
        walk: &mut TextWalk<'_, '_>,
        chunk: &Chunk<'_>,
        range: Range<usize>,
    ) -> Passed<usize> {
        let Some((_, damage)) = self.found.pop_front() else { return Ok(0) };
        let options = &walk.conversion.options;
        let (mode, denied) = (options.on_mojibake, options.denied.has(DeniedKind::Mojibake));
        let repairs = mode != OnMojibake::Ignore;
        // An uncertain repair is only made if somebody can be asked whether it is right.
        let without_asking = !matches!(mode, OnMojibake::Ignore | OnMojibake::Ask);
        if without_asking && damage.confidence < SURE {
            walk.text.findings.summary.doubtful += 1;
            return Ok(0);
        }
        let kind = match denied && !repairs {
            true => Kind::Denied(DeniedKind::Mojibake),
            false => Kind::Mojibake,
        };
        let stops = denied && !repairs && walk.conversion.stops_at_denied();
        let details = Details::Mojibake(Mojibake::of(&damage));
        let fault = Finding::new(kind).with(details).stopping(stops);
        // The repaired text may combine with the letter before it, which is still held back.
        walk.settle(if stops { FollowedBy::Break } else { FollowedBy::Gap })?;
        walk.report(fault.clone(), chunk, range.clone())?;
        if !repairs || mode == OnMojibake::Ask && !walk.accepts(fault, chunk, &range)? {
            return Ok(0);
        }
        let len = range.len();
        let text = str::from_utf8(&chunk.bytes[range.clone()]).unwrap_or_default();
        let mut meant = Vec::with_capacity(damage.meant.len());
        meant.extend(damage.meant.chars().map(CodePoint::from));
        walk.repaired(chunk, range, &meant)?;
        let mut read = Vec::with_capacity(len);
        read.extend(text.chars().map(CodePoint::from));
        walk.pass(&read);
        walk.text.findings.summary.repaired += 1;
        Ok(len)
    }
}
