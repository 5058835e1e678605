//! Tells the `+` that begins base64 in UTF-7 (RFC 2152) from those of code, telephone numbers and base64 itself, and
//! the `&` of mailbox names (UTF-7-IMAP, RFC 3501) from those of mark-up and addresses.
//!
//! ```text
//! + I m I D k Q  ─► code units ─► characters, all usual in one script ─► ended as an encoder ends it: enough of them?
//! ```
//!
//! How many are enough depends on what would happen by chance: words and the ends of base64 blocks decode as ideographs
//! quite often, but hardly ever as a letter of an alphabet before `-`.

use super::character_group::{CharacterGroup, Classification, class};
use oxiconv_encodings::unicode::{is_high_surrogate, is_low_surrogate, join_surrogates};

/// Bytes examined after the sign: so many suffice.
pub(super) const MAX_EXAMINED: usize = 96;

/// What a `+` or `&` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shift {
    /// It begins base64 of UTF-7 or UTF-7-IMAP.
    Base64,
    /// It is a sign of its own, or means nothing.
    Sign,
    /// It depends on what follows.
    Unknown,
}

/// Bits of a character that may be in base64 at most, and the same for ideographs and Hangul.
const MAX_LETTER_BITS: f32 = 9.0;
const MAX_IDEOGRAPH_BITS: f32 = 11.0;

/// Says what the `+` or `&` at the start of `bytes` is. `last` says that nothing follows them.
pub(super) fn shift(bytes: &[u8], last: bool) -> Shift {
    let is_mailbox = bytes[0] == b'&';
    let digits = if is_mailbox { &MAILBOX_DIGITS } else { &DIGITS };
    if is_sign(&bytes[1..], digits) {
        return Shift::Sign;
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
            return Shift::Sign;
        }
    }
    let end = match after {
        Some(b'-') => Base64End::Explicit,
        // In mailbox names, nothing else ends it.
        Some(_) if is_mailbox => return Shift::Sign,
        // What encloses base64 in other formats, and what pads it.
        Some(b'\n' | b'\r' | b'"' | b'\'' | b'<' | b')') => Base64End::Implicit { clear: false },
        Some(b'=' | b'~' | b'\\' | 0..=8 | 0x0E..b' ' | 0x7F..) => return Shift::Sign,
        Some(_) => Base64End::Implicit { clear: true },
        None if run.len == MAX_EXAMINED => Base64End::Examined,
        None if last => Base64End::Text,
        None => return Shift::Unknown,
    };
    if units.are_shift(end, &run) { Shift::Base64 } else { Shift::Sign }
}

/// How base64 ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Base64End {
    /// By `-`.
    Explicit,
    /// By another character; `clear` says that this character never ends base64 elsewhere.
    Implicit { clear: bool },
    /// As much was examined as suffices.
    Examined,
    /// By the end of the text, which may be cut.
    Text,
}

/// The characters of base64.
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

    /// Whether it looks like a word.
    const fn is_word(self) -> bool {
        self.lower + 1 >= self.len || self.upper == self.len
    }
}

/// The code units of base64.
#[derive(Clone, Copy, Debug, Default)]
struct DecodedUnits {
    bits: u32,
    count: u32,
    high: Option<u16>,
    script: Option<CharacterGroup>,
    /// Characters of alphabets, and typographic punctuation.
    letters: usize,
    /// Ideographs and Hangul.
    ideographs: usize,
}

impl DecodedUnits {
    /// Adds six bits; `None` if they are no part of a text.
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

/// Whether there are usual characters, or surrogates, among the 256 that begin with this byte: a fast path.
const fn has_usual(row: u16) -> bool {
    matches!(row, 0..=0x17 | 0x1E..=0x27 | 0x30..=0x31 | 0x4E..=0x9F | 0xAB..=0xDF | 0xFE..=0xFF)
}

/// The six bits of each character of base64; [`NOT_A_DIGIT`] for other bytes.
type DigitTable = [u8; 256];
static DIGITS: DigitTable = digits(b'/');
static MAILBOX_DIGITS: DigitTable = digits(b',');
const NOT_A_DIGIT: u8 = 0xFF;

/// Returns the digits of the alphabet that ends with `last`.
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

/// Returns the six bits of a character of base64.
fn value(byte: u8, digits: &DigitTable) -> Option<u8> {
    Some(digits[usize::from(byte)]).filter(|value| *value != NOT_A_DIGIT)
}

/// Whether no text begins with these bytes after the sign: fewer than three characters of base64, or a first code unit that
/// is not usual. A fast path.
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
