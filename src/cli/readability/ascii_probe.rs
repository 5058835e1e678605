//! What ASCII is in an encoding, found out by decoding it.

use oxiconv_encodings::codec::{ByteOrder, DecodeStop, MIN_OUTPUT, MIN_PIVOT};
use oxiconv_encodings::encoding::{Encoding, SplitRule};
use oxiconv_encodings::unicode::CodePoint;

use super::decoded_part::DecodedPart;

const FORM_FEED: u8 = 0x0C;
const ESC: u8 = 0x1B;

/// A set of ASCII characters.
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

/// What a byte of ASCII is in an encoding if nothing else is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoneAscii {
    /// Its character of ASCII.
    Itself,
    /// The start of something, such as an escape.
    Start,
    /// Another character.
    Other,
    IllFormed,
}

pub(super) fn lone_ascii(encoding: &Encoding, byte: u8) -> LoneAscii {
    let mut pivot = [0; MIN_PIVOT];
    let mut decode = |last| {
        let decoded = encoding.new_decoder(ByteOrder::Big).decode(&[byte], &mut pivot, last);
        (pivot, decoded)
    };
    let (_, open) = decode(false);
    let (pivot, end) = decode(true);
    match end.stop {
        // A letter may wait for a mark, and a start may stand for itself at the end of the text.
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

/// Returns the characters of ASCII text that an encoding reads as other text: printable characters, line ends, the NUL that pads a
/// file, form feeds that are ill-formed, and the ESC of a terminal's colours. Bytes that begin an escape of the encoding are
/// left out, since text with escapes is ASCII by nature; but no escape begins with a letter or a digit.
pub(super) fn changed(encoding: &Encoding, is_strict: bool) -> AsciiSet {
    if encoding.unit() > 1 {
        return AsciiSet::of(|_| true);
    }
    // What waits for a second byte where letters are others too is no escape.
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
                // A letter of GSM 03.38, which is in more texts than a form feed.
                LoneAscii::Other => byte != FORM_FEED,
                LoneAscii::IllFormed => !is_strict,
            }
    })
}

/// Whether an escape of a terminal is ill-formed in an encoding, whose own escapes are others.
fn has_other_escapes(encoding: &Encoding) -> bool {
    DecodedPart::of(encoding, ByteOrder::Big, &[b"\x1B[31m"]).errors > 0
}

/// Whether each line of a text in an encoding begins as a text does: there is no state that a line end leaves, and no line feed
/// within a character. Where the encoding's row does not say so, the encoder is asked.
pub(super) fn starts_over_at_lines(encoding: &'static Encoding) -> bool {
    // The last ones are U+4E0A and U+0A05.
    const LETTERS: [char; 12] = ['a', 'é', 'ж', 'α', 'א', 'ع', 'ก', '中', 'あ', '한', '上', 'ਅ'];
    if encoding.unit() > 1 || lone_ascii(encoding, b'\n') != LoneAscii::Itself {
        return false;
    }
    let has_no_state = matches!(encoding.split, SplitRule::Units(1) | SplitRule::AfterLow);
    has_no_state
        || LETTERS.iter().all(|letter| {
            let line = [CodePoint::from(*letter), CodePoint::from('\n')];
            let written = |text: &[CodePoint]| {
                let mut room = [0; 8 * MIN_OUTPUT];
                let mut encoder = encoding.new_encoder(ByteOrder::Big);
                let encoded = encoder.encode(text, &mut room);
                room[..encoded.written].to_vec()
            };
            let once = written(&line);
            written(&[line, line].concat()) == once.repeat(2)
                && memchr::memchr_iter(b'\n', &once).count() <= 1
        })
}
