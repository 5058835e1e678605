//! The part of a text that is examined: its first 4 KiB, and 128 KiB from the first signal on.
//!
//! ```text
//! ├─ head: 4 KiB ─┤ … ASCII, skipped … ├ before ┤├─ bytes: 128 KiB from the first signal on ─┤ … not examined …
//! ```
//!
//! A signal is a byte that may reveal the encoding. Kernels find it in blocks of 128 bytes, as fast as memory delivers
//! them, so a long file whose only umlaut is near its end is judged by that umlaut. The head is needed besides, because
//! declarations and the starts of UTF-16 are there. `before` holds the end of the ASCII, because the first signal may
//! be in the middle of a word: `k<F6>nnen` after more than 4 KiB of ASCII was once judged as `<F6>nnen`, and became
//! HP-ROMAN8 with 92 %.
//!
//! The sample must be the same however the text is split into chunks. So every rule here either has a bounded
//! lookahead, or says that it needs more bytes. What may be the `+` of UTF-7 is judged by `base64.rs` from at most 96
//! bytes, and what may be the `~{` of HZ from as many.

use std::borrow::Cow;

use super::base64::{self, ShiftVerdict};

const ESCAPE: u8 = 0x1B;

/// The byte order mark, which is only a signature in UTF-8.
pub(super) const MARK: &str = "\u{FEFF}";
/// The bytes at the start of a text in which a declaration is looked for.
pub const HEAD: usize = 4 * 1024;
/// The bytes examined from the first signal on. A longer text is judged by them, however it is split into chunks.
pub const SAMPLE: usize = 128 * 1024;
/// The ASCII bytes kept before the first signal, after the head. They contain the start of its word.
pub(super) const KEPT_BEFORE: usize = 64;

/// What is examined of a text: its head, the last ASCII before the first signal, and what follows the signal at
/// `offset`.
#[derive(Clone, Copy, Debug)]
pub struct DetectionSample<'t> {
    pub(crate) head: &'t [u8],
    pub(crate) before: &'t [u8],
    pub(crate) offset: u64,
    pub(crate) bytes: &'t [u8],
    /// Whether the text ends with `bytes`.
    pub(crate) whole: bool,
}

impl<'t> DetectionSample<'t> {
    /// Takes the sample of a text that begins with `text`. `last` says that this is all of it.
    pub(crate) fn of(text: &'t [u8], last: bool) -> Self {
        let offset = match first_signal(text, last) {
            FirstSignal::At(at) => at,
            FirstSignal::None { passed } => passed,
        };
        let (passed, rest) = text.split_at(offset);
        let bytes = &rest[..rest.len().min(SAMPLE)];
        Self {
            head: &text[..text.len().min(HEAD)],
            before: last_bytes(passed.get(HEAD..).unwrap_or_default()),
            offset: offset as u64,
            bytes,
            whole: last && bytes.len() == rest.len(),
        }
    }

    /// Returns the ASCII before `bytes`. If some of it is missing, a line feed is between the head and the last bytes.
    ///
    /// ```text
    /// offset < head.len()      the sample begins within the head: the head up to there
    /// offset = head.len()      the head
    /// offset > head.len()      the head, a line feed if more than `before` is in between, and `before`
    /// ```
    ///
    /// The line feed keeps the last word of the head and the first one of `before` from becoming one word.
    pub(super) fn ascii(&self) -> Cow<'t, [u8]> {
        let gap = match self.offset.checked_sub(self.head.len() as u64) {
            None | Some(0) => return Cow::Borrowed(&self.head[..self.offset as usize]),
            Some(between) if between > self.before.len() as u64 => &b"\n"[..],
            Some(_) => b"",
        };
        Cow::Owned([self.head, gap, self.before].concat())
    }
}

pub(super) fn last_bytes(bytes: &[u8]) -> &[u8] {
    &bytes[bytes.len().saturating_sub(KEPT_BEFORE)..]
}

/// Where a text stops being ASCII without any evidence of its encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FirstSignal {
    At(usize),
    /// Not before this byte. Whether it is one depends on what follows, or the text ends here.
    None {
        passed: usize,
    },
}

/// Finds the first byte that is evidence of the encoding: a non-ASCII byte, NUL, an escape sequence that designates a
/// character set, the `~` of `~{` (HZ), or the `+` or `&` of base64 (UTF-7, UTF-7-IMAP). `last` says that nothing
/// follows.
///
/// A kernel skips whole blocks that cannot have a signal. The block where it stops is examined byte by byte, since most
/// stops are the `+` and `&` of ordinary text, and then the kernel continues behind that block. If the bytes after a
/// possible signal are not there yet, the search ends in front of it. The bytes up to there can be passed on, and the
/// next call begins with the sign.
pub(crate) fn first_signal(bytes: &[u8], last: bool) -> FirstSignal {
    let mut start = 0;
    loop {
        start += (oxiconv_kernels::suited(bytes.len() - start).skip_neutral)(&bytes[start..]);
        let block = &bytes[start..bytes.len().min(start + BLOCK)];
        if block.is_empty() {
            return FirstSignal::None { passed: start };
        }
        for (number, group) in block.chunks(GROUP).enumerate() {
            if !group.iter().fold(false, |any, byte| any | may_tell(*byte)) {
                continue;
            }
            let places = (start + number * GROUP..).zip(group);
            for (at, _) in places.filter(|(_, byte)| may_tell(**byte)) {
                match tells(&bytes[at..], last) {
                    Some(true) => return FirstSignal::At(at),
                    None if !last => return FirstSignal::None { passed: at },
                    _ => {}
                }
            }
        }
        start += block.len();
    }
}

const BLOCK: usize = 128;
/// Bytes of a block that are tested together first. Most blocks at which the kernel stops have one sign.
const GROUP: usize = 16;

const fn may_tell(byte: u8) -> bool {
    matches!(byte, 0 | 0x80..|ESCAPE| b'~' | b'+' | b'&')
}

/// Whether the first of these bytes is a signal; `None` if that depends on what follows.
fn tells(bytes: &[u8], last: bool) -> Option<bool> {
    match bytes {
        [0 | 0x80.., ..] => Some(true),
        [b'~', rest @ ..] => begins_pairs(rest, last),
        [ESCAPE, rest @ ..] => designates(rest),
        [0x7F, ..] => Some(false),
        sign => match base64::shift(sign, last) {
            ShiftVerdict::Base64 => Some(true),
            ShiftVerdict::Sign => Some(false),
            ShiftVerdict::Unknown => None,
        },
    }
}

/// Whether these bytes after `~` begin GB 2312 of HZ: pairs of bytes up to `~}`, or many of them; `None` if more bytes
/// are needed.
///
/// The `~{` alone says little, since it occurs in source code and in Vim's documentation (`g~{motion}`). The first byte
/// of a pair is from 21 to 77, so `~}` is never one (RFC 1843), and the first pair that is no code must be exactly
/// `~}`. After `MAX_PAIRS` codes in a row, no end is needed. The limit makes the lookahead as long as that of base64.
fn begins_pairs(bytes: &[u8], last: bool) -> Option<bool> {
    const MAX_PAIRS: usize = 48;
    if *bytes.first()? != b'{' {
        return Some(false);
    }
    let pairs = bytes[1..].as_chunks::<2>().0;
    let is_code = |pair: &&[u8; 2]| matches!(pair, [0x21..=0x77, 0x21..=0x7E]);
    let codes = pairs.iter().take(MAX_PAIRS).take_while(is_code).count();
    match pairs.get(codes) {
        _ if codes == MAX_PAIRS => Some(true),
        Some(end) => Some(codes > 0 && end == b"~}"),
        None if last => Some(codes > 0),
        None => None,
    }
}

/// Whether these bytes after ESC designate a set of ISO 2022 that terminals do not use; `None` if more bytes are
/// needed.
///
/// Logs are full of colours (`ESC [`), ASCII (`ESC ( B`) and line drawing (`ESC ) 0`). If those counted, the sample of
/// such a log would begin at its first colour, and the first letter beyond ASCII might be outside of it.
fn designates(bytes: &[u8]) -> Option<bool> {
    let among = |finals: &[u8]| bytes.get(1).map(|byte| finals.contains(byte));
    match bytes.first()? {
        b'$' | b'&' => Some(true),
        // JIS X 0201; Cyrillic and Greek of MARC-8.
        b'(' => among(b"IJHNS"),
        b')' => among(b"I"),
        // The right halves of ISO 8859-1 and 8859-7, in ISO-2022-JP-2.
        b'.' => among(b"AF"),
        // The right halves of ISO 8859 and TIS 620.
        b'-' => among(b"ABCDFGHLMTb"),
        _ => Some(false),
    }
}

#[cfg(test)]
mod tests;
