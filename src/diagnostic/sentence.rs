//! The sentence of a finding: which rule is broken, by which byte. Every report format shows the same one.

use super::{Finding, Kind};
use crate::unicode::{CodePoint, IllFormedKind, MAX_CODE_POINT};

impl Finding<'_> {
    /// The bytes in hexadecimal, parted by blanks: `E2 82`.
    pub fn hex(&self) -> String {
        hex(self.bytes)
    }

    /// Says in one sentence, without a full stop, what is wrong.
    pub fn sentence(&self) -> String {
        match self.kind {
            Kind::IllFormed(kind) => self.ill_formed(kind),
            Kind::Unmappable => {
                format!("{} has no place in {}", self.character(), self.encoding)
            }
            Kind::MarkForbidden => "the text begins with a byte order mark".to_owned(),
            Kind::MarkMissing => {
                format!("the {} text does not begin with a byte order mark", self.encoding)
            }
            Kind::MarkInside => {
                "U+FEFF inside the text, where it is no byte order mark but a character".to_owned()
            }
        }
    }

    /// `U+20AC (€)`; without the picture where there is none to see, and only the value where there is no code point.
    fn character(&self) -> String {
        let value = self.value.unwrap_or_default();
        let code_point = u32::try_from(value).ok().filter(|cp| *cp <= MAX_CODE_POINT);
        match (code_point, code_point.and_then(char::from_u32).filter(|c| has_picture(*c))) {
            (_, Some(c)) => format!("U+{value:04X} ({c})"),
            (Some(cp), None) => format!("U+{cp:04X}"),
            (None, None) => format!("the value {value:X}, past U+10FFFF,"),
        }
    }

    fn ill_formed(&self, kind: IllFormedKind) -> String {
        if let Some(sentence) = super::stateful::sentence(self, kind) {
            return sentence;
        }
        let (name, hex) = (self.encoding, self.hex());
        let sequence = self.sequence();
        let next = self.next.map_or_else(String::new, |byte| format!("{byte:02X}"));
        match kind {
            IllFormedKind::Truncated => format!("{sequence} is cut short by {next}"),
            IllFormedKind::TruncatedAtEnd => format!("the input ends inside {sequence}"),
            IllFormedKind::Overlong => match self.bytes {
                [0xC0 | 0xC1] => format!("{hex} can begin only an overlong form"),
                _ => format!("{hex} before {next} begins an overlong form"),
            },
            IllFormedKind::Surrogate => match self.unit() {
                Some(unit) => format!("U+{unit:04X} is a surrogate code point, no character"),
                None => format!("{hex} before {next} begins the form of a surrogate code point"),
            },
            IllFormedKind::OutOfRange => match (self.unit(), self.bytes) {
                (Some(unit), _) => format!("{unit:X} is past U+10FFFF, the last code point"),
                (None, [0xF5..=0xFF]) => format!("{hex} can begin only a value past U+10FFFF"),
                (None, _) => format!("{hex} before {next} begins a value past U+10FFFF"),
            },
            IllFormedKind::UnexpectedContinuation => {
                format!("{hex} continues a sequence, and none is begun here")
            }
            IllFormedKind::InvalidByte => match name {
                "US-ASCII" => format!("{hex} is past 7F, the last code of US-ASCII"),
                "UTF-8" => format!("{hex} never occurs in UTF-8"),
                _ => format!("{name} has no character that begins with {hex}"),
            },
            IllFormedKind::UndefinedSequence => format!("{name} has no character {hex}"),
            IllFormedKind::InvalidEscape => format!("{hex} begins no escape sequence of {name}"),
            IllFormedKind::UnpairedHighSurrogate => match self.next {
                Some(_) => {
                    format!("no low surrogate follows the high surrogate {}", self.unit_hex())
                }
                None => format!("the input ends after the high surrogate {}", self.unit_hex()),
            },
            IllFormedKind::UnpairedLowSurrogate => {
                format!("no high surrogate precedes the low surrogate {}", self.unit_hex())
            }
        }
    }

    /// What the bytes are the start of: `a 3-byte UTF-8 sequence`, `a 16-bit code unit`.
    fn sequence(&self) -> String {
        let name = self.encoding;
        match (self.unit_bits(), name, self.bytes.first()) {
            (Some(bits), ..) => format!("a {bits}-bit code unit"),
            (None, "UTF-8", Some(0xC2..=0xDF)) => "a 2-byte UTF-8 sequence".to_owned(),
            (None, "UTF-8", Some(0xE0..=0xEF)) => "a 3-byte UTF-8 sequence".to_owned(),
            (None, "UTF-8", Some(0xF0..=0xF4)) => "a 4-byte UTF-8 sequence".to_owned(),
            _ => format!("a multi-byte {name} sequence"),
        }
    }

    fn unit_bits(&self) -> Option<u32> {
        [("UTF-16", 16), ("UTF-32", 32)]
            .into_iter()
            .find_map(|(family, bits)| self.encoding.starts_with(family).then_some(bits))
    }

    /// The value of a whole 32-bit code unit that is no scalar value: whichever byte order makes it one.
    fn unit(&self) -> Option<CodePoint> {
        let bytes = <[u8; 4]>::try_from(self.bytes).ok()?;
        (self.unit_bits() == Some(32)).then_some(())?;
        Some(if self.little_endian() {
            u32::from_le_bytes(bytes)
        } else {
            u32::from_be_bytes(bytes)
        })
    }

    /// A surrogate code unit: `D800`.
    fn unit_hex(&self) -> String {
        match *self.bytes {
            [low, high] if self.little_endian() => hex(&[high, low]).replace(' ', ""),
            _ => self.hex().replace(' ', ""),
        }
    }

    fn little_endian(&self) -> bool {
        self.encoding.ends_with("LE")
    }
}

/// Bytes in hexadecimal, parted by blanks.
fn hex(bytes: &[u8]) -> String {
    let pairs: Vec<_> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    pairs.join(" ")
}

/// Whether a character by itself shows as something, and moves nothing on a terminal.
fn has_picture(c: char) -> bool {
    !c.is_control()
        && !c.is_whitespace()
        && !matches!(c,
            '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}'
            | '\u{300}'..='\u{36F}' | '\u{E000}'..='\u{F8FF}' | '\u{E0000}'..='\u{10FFFF}')
}
