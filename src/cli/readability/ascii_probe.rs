//! What ASCII means in an encoding, found out by decoding each byte, and whether the encoding starts over at lines.
//!
//! ```text
//! byte   windows-1252   GSM 03.38   UTF-7   IBM037
//! 65 e   itself         itself      itself  other (Á)
//! 40 @   itself         other (¡)   itself  other (space)
//! 2B +   itself         itself      start   other (a control)
//! ```
//!
//! Everything else in this folder works with sets of ASCII bytes that change their meaning, so it holds for any
//! encoding.

use oxiconv_encodings::codec::{ByteOrder, DecodeStop, MIN_OUTPUT, MIN_PIVOT};
use oxiconv_encodings::encoding::{Encoding, SplitRule};
use oxiconv_encodings::unicode::CodePoint;

use super::decoded_part::DecodedPart;

const FORM_FEED: u8 = 0x0C;
const ESC: u8 = 0x1B;

/// A set of ASCII characters, one bit each.
#[derive(Clone, Copy, Debug)]
pub(super) struct AsciiSet(u128);

impl AsciiSet {
    pub(super) fn of(has: impl Fn(u8) -> bool) -> Self {
        Self((0..0x80).filter(|byte| has(*byte)).fold(0, |set, byte| set | 1 << byte))
    }

    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) const fn has(self, byte: u8) -> bool {
        byte < 0x80 && self.0 >> byte & 1 != 0
    }
}

/// What an ASCII byte means in an encoding when it is the whole input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoneAscii {
    /// The character that it is in ASCII.
    Itself,
    /// The first byte of a longer sequence, such as an escape.
    Start,
    /// A different character.
    Other,
    IllFormed,
}

pub(super) fn lone_ascii(encoding: &Encoding, byte: u8) -> LoneAscii {
    let mut pivot = [0; MIN_PIVOT];
    let mut decode = |last| {
        let decoded = encoding.new_decoder(ByteOrder::Big).decode(&[byte], &mut pivot, last);
        (pivot, decoded)
    };
    // Decoded twice: once as if more input followed, once as if the text ended here. A byte that yields nothing while
    // more may follow is the start of a sequence, even if at the end of the text it yields its own character. Letters
    // are an exception: in encodings with combining marks, `e` is held back only until it is known that no mark
    // follows.
    let (_, open) = decode(false);
    let (pivot, end) = decode(true);
    match end.stop {
        DecodeStop::InputEmpty if open.written == 0 && !byte.is_ascii_alphanumeric() => {
            LoneAscii::Start
        }
        DecodeStop::InputEmpty if end.written == 1 && pivot[0] == CodePoint::from(byte) => {
            LoneAscii::Itself
        }
        DecodeStop::InputEmpty if end.written == 0 => LoneAscii::Start,
        DecodeStop::IllFormed(_) if open.stop == DecodeStop::InputEmpty => LoneAscii::Start,
        DecodeStop::IllFormed(_) => LoneAscii::IllFormed,
        _ => LoneAscii::Other,
    }
}

/// Returns the ASCII bytes of ordinary text that an encoding reads as something else.
///
/// Ordinary text has printable characters, line ends, form feeds, the NULs that pad a file, and the ESC of terminal
/// colours. A byte that begins an escape of the encoding is left out: text with escapes, such as ISO-2022-JP or UTF-7,
/// is ASCII by design, so finding the byte proves nothing. Letters and digits begin no escape; if one is a start, the
/// encoding reads ASCII as double-byte characters.
pub(super) fn changed(encoding: &Encoding, is_strict: bool) -> AsciiSet {
    if encoding.unit() > 1 {
        return AsciiSet::of(|_| true);
    }
    // In an encoding that keeps the letters of ASCII, a start is an escape. Elsewhere (EBCDIC) it is one more byte that
    // means something else.
    let has_letters = lone_ascii(encoding, b'e') == LoneAscii::Itself;
    AsciiSet::of(|byte| {
        if byte == ESC {
            return !is_strict && has_other_escapes(encoding);
        }
        let is_of_text = matches!(byte, 0 | b'\t' | b'\n' | FORM_FEED | b'\r' | 0x20..=0x7E);
        is_of_text
            && match lone_ascii(encoding, byte) {
                LoneAscii::Itself => false,
                LoneAscii::Start => !has_letters || byte.is_ascii_alphanumeric(),
                // In GSM 03.38, byte 0C is ø. Texts with that letter are more common than ASCII with form feeds, and
                // Danish was refused when this byte counted.
                LoneAscii::Other => byte != FORM_FEED,
                LoneAscii::IllFormed => !is_strict,
            }
    })
}

/// Whether the escape sequence of a terminal colour is ill-formed in an encoding, because ESC begins other sequences
/// there.
fn has_other_escapes(encoding: &Encoding) -> bool {
    DecodedPart::of(encoding, ByteOrder::Big, &[b"\x1B[31m"]).errors > 0
}

/// Whether a line of a text in an encoding can be decoded by itself: a line end resets all state, and no character
/// contains a byte 0A.
///
/// For encodings whose registry row does not settle it, the encoder does. A letter and a line feed are encoded once and
/// twice in a row: if the second line comes out the same as the first, nothing was carried over, and if one line has
/// only one byte 0A, the letter has none.
pub(super) fn starts_over_at_lines(encoding: &'static Encoding) -> bool {
    // A letter of each major script. The last two are U+4E0A and U+0A05: LMBCS embeds units of UTF-16, in which these
    // have a byte 0A.
    const LETTERS: [char; 12] = ['a', 'é', 'ж', 'α', 'א', 'ع', 'ก', '中', 'あ', '한', '上', 'ਅ'];
    if encoding.unit() > 1 || lone_ascii(encoding, b'\n') != LoneAscii::Itself {
        return false;
    }
    let has_no_state = matches!(encoding.split, SplitRule::Units(1) | SplitRule::AfterLow);
    has_no_state
        || LETTERS.iter().all(|letter| {
            let line = [CodePoint::from(*letter), CodePoint::from('\n')];
            let written = |text: &[CodePoint]| {
                let mut buffer = [0; 8 * MIN_OUTPUT];
                let mut encoder = encoding.new_encoder(ByteOrder::Big);
                let encoded = encoder.encode(text, &mut buffer);
                buffer[..encoded.written].to_vec()
            };
            let once = written(&line);
            written(&[line, line].concat()) == once.repeat(2)
                && memchr::memchr_iter(b'\n', &once).count() <= 1
        })
}
