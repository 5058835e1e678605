//! Tells the `+` that begins base64 in UTF-7 (RFC 2152) from those of code, telephone numbers and base64 itself, and
//! the `&` of mailbox names (UTF-7-IMAP, RFC 3501) from those of markup and URLs.
//!
//! ```text
//! caf+AOk-    A O k ─► 000000 001110 100100 ─► 00E9, two zero bits left ─► é: a letter of an alphabet, so UTF-7
//! x+foo-bar   f o o ─► 011111 101000 101000 ─► 7E8A, two zero bits left ─► a single ideograph, so chance
//! ```
//!
//! The digits are decoded to code units. All of them must be usual characters of one script, and the base64 must end as
//! an encoder ends it: after the last whole code unit, with fewer than six bits left over, all of them zero. How many
//! characters are enough depends on what would happen by chance: words and the ends of base64 blocks decode to
//! ideographs quite often, but hardly ever to a letter of an alphabet before `-`.
//!
//! A mistake is expensive: from a `+` that is taken for UTF-7 on, no ASCII is passed on, and a whole sample is held
//! back. And source code is full of `+` and `&`.

use super::character_group::{CharacterGroup, Classification, class};
use oxiconv_encodings::unicode::{is_high_surrogate, is_low_surrogate, join_surrogates};

/// The number of bytes examined after the sign. More would not change the answer.
pub(super) const MAX_EXAMINED: usize = 96;

/// What a `+` or `&` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShiftVerdict {
    Base64,
    Sign,
    Unknown,
}

/// The most bits of a letter that may be in base64, and of an ideograph or Hangul syllable. Rarer ones are chance.
const MAX_LETTER_BITS: f32 = 9.0;
const MAX_IDEOGRAPH_BITS: f32 = 11.0;

/// Decides what the `+` or `&` at the start of `bytes` is. `last` says that nothing follows them.
pub(super) fn shift(bytes: &[u8], last: bool) -> ShiftVerdict {
    let is_mailbox = bytes[0] == b'&';
    let digits = if is_mailbox { &MAILBOX_DIGITS } else { &DIGITS };
    if is_sign(&bytes[1..], digits) {
        return ShiftVerdict::Sign;
    }
    let mut run = Base64Tally::default();
    let mut units = DecodedUnits::default();
    let mut after = None;
    for &byte in bytes[1..].iter().take(MAX_EXAMINED) {
        let Some(value) = value(byte, digits) else {
            after = Some(byte);
            break;
        };
        run.add(byte);
        if units.add(value).is_none() {
            return ShiftVerdict::Sign;
        }
    }
    let end = match after {
        Some(b'-') => Base64End::Explicit,
        // In mailbox names, only `-` ends it.
        Some(_) if is_mailbox => return ShiftVerdict::Sign,
        // These enclose base64 in other formats, and the next ones pad it or are never next to it.
        Some(b'\n' | b'\r' | b'"' | b'\'' | b'<' | b')') => Base64End::Implicit { clear: false },
        Some(b'=' | b'~' | b'\\' | 0..=8 | 0x0E..b' ' | 0x7F..) => return ShiftVerdict::Sign,
        Some(_) => Base64End::Implicit { clear: true },
        None if run.len == MAX_EXAMINED => Base64End::Examined,
        None if last => Base64End::Text,
        None => return ShiftVerdict::Unknown,
    };
    if units.are_shift(end, &run) { ShiftVerdict::Base64 } else { ShiftVerdict::Sign }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Base64End {
    /// By `-`.
    Explicit,
    /// By another character. `clear` says that this character does not end base64 in other formats.
    Implicit { clear: bool },
    /// It does not end within [`MAX_EXAMINED`] bytes.
    Examined,
    /// By the end of the text, which may be truncated.
    Text,
}

#[derive(Clone, Copy, Debug, Default)]
struct Base64Tally {
    len: usize,
    lower: usize,
    upper: usize,
}

impl Base64Tally {
    fn add(&mut self, byte: u8) {
        self.len += 1;
        self.lower += usize::from(byte.is_ascii_lowercase());
        self.upper += usize::from(byte.is_ascii_uppercase());
    }

    /// Whether they look like a word: all in capitals, or all in lower case except for one character.
    const fn is_word(self) -> bool {
        self.lower + 1 >= self.len || self.upper == self.len
    }
}

/// The code units that base64 encodes, decoded digit by digit.
///
/// The low `count` bits of `bits` are not a whole unit yet. `high` is a high surrogate that waits for its other half.
/// `ideographs` are ideographs and Hangul syllables, which chance makes far more often. `letters` are the other
/// characters beyond ASCII, except for symbols, emoji of the BMP and rare scripts.
#[derive(Clone, Copy, Debug, Default)]
struct DecodedUnits {
    bits: u32,
    count: u32,
    high: Option<u16>,
    script: Option<CharacterGroup>,
    letters: usize,
    ideographs: usize,
}

impl DecodedUnits {
    /// Adds six bits; `None` if the code units are not text.
    fn add(&mut self, value: u8) -> Option<()> {
        self.bits = self.bits << 6 | u32::from(value);
        self.count += 6;
        if self.count < 16 {
            return Some(());
        }
        self.count -= 16;
        let unit = (self.bits >> self.count) as u16;
        self.bits &= (1 << self.count) - 1;
        let cp = match self.high.take() {
            Some(high) => {
                is_low_surrogate(unit.into()).then_some(())?;
                join_surrogates(high, unit)
            }
            None if is_high_surrogate(unit.into()) => {
                self.high = Some(unit);
                return Some(());
            }
            None => unit.into(),
        };
        has_usual(unit >> 8).then_some(())?;
        let Classification::Of(part, bits) = class(cp) else { return None };
        let ideograph = matches!(part, CharacterGroup::Han | CharacterGroup::Hangul);
        (bits <= if ideograph { MAX_IDEOGRAPH_BITS } else { MAX_LETTER_BITS }).then_some(())?;
        if part.is_script() {
            let script = *self.script.get_or_insert(part);
            (script == part || [script, part].iter().all(|part| part.is_east_asian()))
                .then_some(())?;
        }
        match part {
            CharacterGroup::Han | CharacterGroup::Hangul => self.ideographs += 1,
            CharacterGroup::Symbol | CharacterGroup::Other(_) => {}
            CharacterGroup::Emoji if cp < 0x1_0000 => {}
            _ if cp >= 0x80 => self.letters += 1,
            _ => {}
        }
        Some(())
    }

    /// Whether these units are base64 of UTF-7, given how it ends. In the last two rows, two ideographs or syllables
    /// count as one letter.
    ///
    /// | the base64 | letters that it takes |
    /// |---|---|
    /// | is as long as what is examined | more than 16 of the 36 units, of any kind |
    /// | ends with the text, perhaps in the middle of it | three |
    /// | ends with `-`, and has letters only | one, or two if the digits are a word such as `API` |
    /// | ends with `-`, and has ideographs | two characters, and the digits are no word |
    /// | ends with another character, such as a space | one, and the digits are no word |
    /// | ends as base64 of other formats may, or with the text | two, and the digits are no word |
    ///
    /// All but the first two must be complete besides. An encoder writes no digit that it does not need, so `+AOkA` is
    /// not from one: three digits hold U+00E9, and a fourth adds only zeros.
    fn are_shift(&self, end: Base64End, run: &Base64Tally) -> bool {
        let complete = self.high.is_none() && self.count < 6 && self.bits == 0;
        let Self { letters, ideographs, .. } = *self;
        match end {
            Base64End::Examined => letters + ideographs > 16,
            Base64End::Text if letters > 2 => true,
            _ if !complete => false,
            Base64End::Explicit if ideographs == 0 => letters > 1 || letters == 1 && !run.is_word(),
            Base64End::Explicit => letters + ideographs > 1 && !run.is_word(),
            Base64End::Implicit { clear: true } => letters + ideographs / 2 > 0 && !run.is_word(),
            Base64End::Implicit { clear: false } | Base64End::Text => {
                letters + ideographs / 2 > 1 && !run.is_word()
            }
        }
    }
}

/// Whether any of the 256 characters with this high byte is usual, or a surrogate. A fast path before [`class`].
const fn has_usual(row: u16) -> bool {
    matches!(row, 0..=0x17 | 0x1E..=0x27 | 0x30..=0x31 | 0x4E..=0x9F | 0xAB..=0xDF | 0xFE..=0xFF)
}

/// The value of each base64 digit; [`NOT_A_DIGIT`] for other bytes. Mailbox names have `,` instead of `/`, which
/// separates their levels (RFC 3501, 5.1.3).
type DigitTable = [u8; 256];
static DIGITS: DigitTable = digits(b'/');
static MAILBOX_DIGITS: DigitTable = digits(b',');
const NOT_A_DIGIT: u8 = 0xFF;

const fn digits(last: u8) -> DigitTable {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+";
    let mut digits = [NOT_A_DIGIT; 256];
    let mut value = 0;
    while value < alphabet.len() {
        digits[alphabet[value] as usize] = value as u8;
        value += 1;
    }
    digits[last as usize] = value as u8;
    digits
}

fn value(byte: u8, digits: &DigitTable) -> Option<u8> {
    Some(digits[usize::from(byte)]).filter(|value| *value != NOT_A_DIGIT)
}

/// Whether these bytes after the sign rule out text already: fewer than three digits, or a first code unit that is not
/// usual. A fast path for the signs of source code.
///
/// A code unit takes three digits, which are 18 bits. The values of digits are below 64, and [`NOT_A_DIGIT`] has the
/// top bit, so the top bit of all three together tells whether one is missing. The high byte of the unit is the six
/// bits of the first digit and two of the second.
#[inline]
fn is_sign(after: &[u8], digits: &DigitTable) -> bool {
    match after.first_chunk().map(|bytes: &[u8; 3]| bytes.map(|byte| digits[usize::from(byte)])) {
        Some([first, second, third]) => {
            (first | second | third) & 0x80 != 0
                || !has_usual(u16::from(first) << 2 | u16::from(second) >> 4)
        }
        None => after.iter().any(|byte| value(*byte, digits).is_none()),
    }
}
