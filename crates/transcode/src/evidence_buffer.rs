//! What a reporter gets of a text to judge the cause of its findings: the start, and everything from shortly before the
//! first finding on.
//!
//! ```text
//! start (64 KiB) │ well-formed, only counted │ near (64 bytes) │ first finding … end, or the bytes that stop it
//! ```
//!
//! This is `Detail::Evidence`, which all formats but `--explain` use. A text without findings costs a copy of its start
//! and nothing else. (`Detail::Context` passes every byte.) For the part that was only counted, the number of
//! characters tells in UTF-8 whether it has any beyond ASCII: with as many characters as bytes, it has none. If a
//! repair would depend on what else is in it, the worst is assumed.

use super::context_buffer::keep_last;
use crate::diagnostic::Reporter;
use crate::io::Chunk;
use oxiconv_encodings::encoding::{Encoding, LONGEST_MARK};

/// Bytes kept from the start of a text.
const MAX_START: usize = 64 * 1024;
/// The most bytes passed from behind the finding that stops a conversion.
pub(super) const AFTER_STOP: usize = 128 * 1024;
/// The most bytes kept from right before the first finding.
const MAX_NEAR: usize = 64;

#[derive(Default)]
pub(super) struct EvidenceBuffer {
    start: Vec<u8>,
    near: Vec<u8>,
    first: Option<FirstFinding>,
    /// Whether bytes are passed on: there was a finding.
    passes: bool,
    /// The number of bytes that stop the conversion.
    stop: Option<usize>,
    /// How many of those, and of what follows them, were passed on.
    shown_of_stop: usize,
}

#[derive(Clone, Copy)]
struct FirstFinding {
    offset: u64,
    /// Characters before it.
    characters: u64,
}

impl EvidenceBuffer {
    /// Records an ill-formed subsequence at `offset`, after this many characters. If it stops the conversion, `stop` is
    /// the number of bytes that show why.
    pub(super) fn found(&mut self, offset: u64, characters: u64, stop: Option<usize>) {
        self.first.get_or_insert(FirstFinding { offset, characters });
        self.stop = stop;
    }

    /// Takes the next bytes of the text, which begin at `offset`. Until there is a finding they are only kept, as far
    /// as needed. The first time after one, everything kept is passed on before them; from then on, all bytes are
    /// passed on as they come.
    pub(super) fn leave(
        &mut self,
        mut bytes: &[u8],
        offset: u64,
        reporter: &mut dyn Reporter,
        encoding: &'static Encoding,
    ) {
        let Some(first) = self.first else { return self.keep(bytes) };
        if !self.passes {
            self.passes = true;
            let before = first.offset.saturating_sub(offset);
            let clean = usize::try_from(before).map_or(bytes.len(), |len| len.min(bytes.len()));
            self.keep(&bytes[..clean]);
            bytes = &bytes[clean..];
            self.pass_kept(first, reporter, encoding);
        }
        reporter.text(bytes, encoding);
    }

    /// Passes on the bytes that stop the conversion, at the start of `rest`. At the start of a text also the rest of
    /// what may be a byte order mark, which explains the fault.
    pub(super) fn stop(
        &mut self,
        rest: &[u8],
        offset: u64,
        reporter: &mut dyn Reporter,
        encoding: &'static Encoding,
    ) {
        let Some(len) = self.stop else { return };
        let len = if offset == 0 { len.max(LONGEST_MARK) } else { len };
        self.shown_of_stop = len.min(rest.len());
        reporter.text(&rest[..self.shown_of_stop], encoding);
    }

    /// Whether something ill-formed stopped the conversion.
    pub(super) const fn is_of_stop(&self) -> bool {
        self.stop.is_some()
    }

    /// Passes on what follows the bytes that stop the conversion, at the start of `rest`.
    pub(super) fn after_stop(
        &self,
        rest: &Chunk<'_>,
        reporter: &mut dyn Reporter,
        encoding: &'static Encoding,
    ) {
        let rest_of_stop = &rest.bytes[self.shown_of_stop.min(rest.bytes.len())..];
        let shown = &rest_of_stop[..rest_of_stop.len().min(AFTER_STOP)];
        let is_end = rest.last && shown.len() == rest_of_stop.len();
        reporter.text_after_stop(shown, encoding, is_end);
    }

    fn keep(&mut self, bytes: &[u8]) {
        let (start, rest) = bytes.split_at(bytes.len().min(MAX_START - self.start.len()));
        self.start.extend_from_slice(start);
        keep_last(&mut self.near, rest, MAX_NEAR);
    }

    /// Passes on what was kept from before the first finding: the start, and the last bytes. What is missing between
    /// them is reported as its length and its number of characters. So both parts are first trimmed to whole
    /// characters; without that, the numbers would not add up.
    fn pass_kept(
        &mut self,
        first: FirstFinding,
        reporter: &mut dyn Reporter,
        encoding: &'static Encoding,
    ) {
        let (mut start, mut near) = (&self.start[..], &self.near[..]);
        if ((start.len() + near.len()) as u64) < first.offset {
            let end = start.iter().rposition(|byte| !continues(byte)).unwrap_or(0);
            start = &start[..end];
            near = &near[near.iter().take_while(|byte| continues(byte)).count()..];
        }
        let skipped = first.offset.saturating_sub((start.len() + near.len()) as u64);
        reporter.text(start, encoding);
        if skipped > 0 {
            let known = [start, near].concat().iter().filter(|byte| !continues(byte)).count();
            reporter.text_skipped(skipped, first.characters.saturating_sub(known as u64));
        }
        reporter.text(near, encoding);
        self.start = Vec::new();
    }
}

/// Whether this is a continuation byte of UTF-8.
const fn continues(byte: &u8) -> bool {
    *byte & 0xC0 == 0x80
}
