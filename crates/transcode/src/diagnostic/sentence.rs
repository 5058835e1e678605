//! The sentence that describes a finding, the same in all output formats.
//!
//! The kinds of findings are few, and encodings share them. So the words depend on the encoding: what is a continuation
//! byte in UTF-8 is a continuation unit in UTF-8-HUNK9, and FF never occurs in UTF-8, but is not assigned in a charset.
//! Each kind has one function or one arm below, which goes from the special encodings to the general case.
//! `stateful_sentence.rs` is asked first, because for UTF-7, SCSU and BOCU-1 the general sentences would be wrong.
//!
//! A sentence names the bytes and what follows them, so that it can be understood without the file. It has no full
//! stop, because a format may add a place, a declaration, or how the line is read instead.

use super::denied_kind::DeniedKind;
use super::details::Details;
use super::finding::Finding;
use super::kind::{Kind, MARK_INSIDE};
use super::mojibake::quoted;
use super::sequence_length::{length, unit_bits};
use oxiconv_encodings::codec::ByteOrder;
#[cfg(feature = "legacy")]
use oxiconv_encodings::codec::{CodeValue, MIN_PIVOT};
use oxiconv_encodings::encoding::{Encoding, Family, FirstUnit};
use oxiconv_encodings::unicode::{
    CodePoint, IllFormedKind, MAX_CODE_POINT, is_private_use, is_unprintable, lookalike,
    script_of_lookalikes,
};

/// The sentence for a missing line end at the end of a text, whether a declaration requires it or a policy denies that.
const NO_FINAL_NEWLINE: &str = "the last line does not end with a newline";

impl Finding<'_> {
    /// Formats the bytes in hexadecimal, separated by spaces: `E2 82`.
    #[must_use]
    pub fn hex(&self) -> String {
        hex(&self.bytes)
    }

    /// Describes the fault in one sentence without a full stop, including the declaration that it contradicts.
    #[must_use]
    pub fn sentence(&self) -> String {
        match (&self.declared, self.read_as()) {
            (Some(declared), _) => {
                let fault = self.fault();
                // One "but" is enough for a sentence.
                match fault.contains(", but ") {
                    true => format!("{fault} ({declared})"),
                    false => format!("{fault}, but {declared}"),
                }
            }
            (None, Some(encoding)) => {
                format!("{}; the line is read as {}", self.fault(), encoding.name())
            }
            (None, None) => self.fault(),
        }
    }

    /// Describes the fault itself, without the declaration or the reading of its line.
    ///
    /// Even ASCII can be unmappable, in an encoding whose escapes are for other characters only. If a text contains the
    /// six characters `\u20AC`, C99 cannot write them: they would be read back as €, and there is no escape for the
    /// backslash.
    fn fault(&self) -> String {
        match self.kind {
            Kind::IllFormed(kind) => match &self.details {
                Details::Escaped(meant) => {
                    format!("surrogates that Python's surrogateescape wrote for {}", quoted(meant))
                }
                Details::Lacking { fallback, byte } => format!(
                    "{}, and byte {byte:02X} is not assigned in {}",
                    self.ill_formed(kind),
                    fallback.name()
                ),
                _ => self.ill_formed(kind),
            },
            Kind::InvalidRecord => super::record_sentence::sentence(&self.bytes),
            Kind::Unmappable
                if self.encoding.family == (Family::Escapes { of_ascii: false })
                    && self.value.is_some_and(|v| v < 0x80) =>
            {
                let (character, name) = (self.character(), self.encoding.name());
                format!(
                    "{character} would turn plain text into an escape that {name} does not allow"
                )
            }
            Kind::Unmappable => format!(
                "{} cannot be represented in {}{}",
                self.character(),
                self.encoding.name(),
                self.way_out()
            ),
            Kind::MarkForbidden => "the text begins with a byte order mark".to_owned(),
            Kind::MarkMissing => {
                format!("the {} text does not begin with a byte order mark", self.encoding.name())
            }
            Kind::OtherEncoding => match (self.marked_as(), self.other_encoding().name()) {
                (Some(_), name) => format!("the text looks like {name} with a byte order mark"),
                (None, name) if self.bytes.is_empty() => format!("the text is valid {name}"),
                (None, name) if self.offset == 0 => format!("the text is {name}"),
                (None, name) => {
                    format!("from here on, the text is {name}, which was appended to it")
                }
            },
            Kind::WrongNewline => format!("line ends with {}", self.newline()),
            Kind::MissingFinalNewline => NO_FINAL_NEWLINE.to_owned(),
            Kind::MarkInside => MARK_INSIDE.to_owned(),
            Kind::Mojibake => mojibake(self),
            Kind::Denied(kind) => denied(kind, self),
        }
    }

    /// Says what an unmappable character probably is, if it is unlikely to belong to the text.
    fn way_out(&self) -> String {
        match (self.value, &*self.bytes) {
            (Some(0xFEFF), _) => {
                "; it is the byte order mark of a file that was joined to another (--deny bom --denied skip removes it)"
                    .to_owned()
            }
            // A C1 control code of ISO-8859-1. Text has none, but windows-1252 has letters and quotation marks there.
            #[cfg(feature = "legacy")]
            (Some(value @ 0x80..=0x9F), [byte]) if value == CodeValue::from(*byte) => {
                let mut read = [0; MIN_PIVOT];
                let mut decoder = Encoding::WINDOWS_1252.new_decoder(ByteOrder::Big);
                let done = decoder.decode(&[*byte], &mut read, true).written;
                let character = char::from_u32(read[0]).filter(|_| done == 1);
                character.map_or_else(String::new, |character| {
                    format!("; in windows-1252 {byte:02X} is {character} (try -f windows-1252)")
                })
            }
            _ => String::new(),
        }
    }

    /// Returns the encoding that the text as a whole is in, or from here on: that of the mark or of the units; without
    /// any, UTF-8.
    #[doc(hidden)]
    pub fn other_encoding(&self) -> &'static Encoding {
        let units = || match &*self.bytes {
            [0, ..] => Encoding::UTF_16BE,
            [_, 0, ..] => Encoding::UTF_16LE,
            _ => Encoding::UTF_8,
        };
        self.marked_as().unwrap_or_else(units)
    }

    /// Returns the encoding scheme whose byte order mark the bytes are. The mark of UTF-32LE (FF FE 00 00) begins with
    /// that of UTF-16LE, so two bytes mean the latter only if there are no more.
    fn marked_as(&self) -> Option<&'static Encoding> {
        match &*self.bytes {
            [0xFF, 0xFE] => Some(Encoding::UTF_16LE),
            [0xFE, 0xFF] => Some(Encoding::UTF_16BE),
            [0xFF, 0xFE, ..] => Some(Encoding::UTF_32LE),
            [0, 0, 0xFE, 0xFF] => Some(Encoding::UTF_32BE),
            _ => None,
        }
    }

    /// Names the line end that the finding is about.
    fn newline(&self) -> &'static str {
        match self.value {
            Some(0x0A) => "LF",
            Some(_) => "CR",
            None => "CRLF",
        }
    }

    /// Formats a character: `U+20AC (€)`; without the character if it is not visible, and only the value if it is not a
    /// code point.
    pub(super) fn character(&self) -> String {
        let value = self.value.unwrap_or_default();
        let code_point = u32::try_from(value).ok().filter(|cp| *cp <= MAX_CODE_POINT);
        match (code_point, code_point.and_then(char::from_u32).filter(|c| has_picture(*c))) {
            (_, Some(c)) => format!("U+{value:04X} ({c})"),
            (Some(cp), None) => format!("U+{cp:04X}"),
            (None, None) => format!("the value {value:X}, above U+10FFFF,"),
        }
    }

    fn ill_formed(&self, kind: IllFormedKind) -> String {
        if let Some(sentence) = super::stateful_sentence::sentence(self, kind) {
            return sentence;
        }
        let (name, family, hex) = (self.encoding.name(), self.encoding.family, self.hex());
        let sequence = self.sequence();
        let next = self.next_unit();
        match kind {
            IllFormedKind::Truncated => self.truncated(),
            IllFormedKind::TruncatedAtEnd => format!("the input ends inside {sequence}"),
            IllFormedKind::Overlong => match self.next {
                None => format!("{hex} never occurs in {name}; it would begin an overlong form"),
                Some(_) => format!("{hex} followed by {next} begins an overlong form"),
            },
            IllFormedKind::Surrogate => self.surrogate(),
            IllFormedKind::OutOfRange => self.out_of_range(),
            IllFormedKind::UnexpectedContinuation => {
                let unit = if unit_bits(family).is_some() { "unit" } else { "byte" };
                format!("{hex} is a continuation {unit} without a lead {unit}")
            }
            IllFormedKind::InvalidByte => self.invalid_byte(),
            IllFormedKind::UndefinedSequence => self.unassigned(),
            IllFormedKind::InvalidEscape => match (self.escape(), self.next) {
                (Some(escape), Some(_)) => {
                    format!("{escape} followed by {next} does not begin an escape in {name}")
                }
                (Some(escape), None) => format!("{escape} is not an escape in {name}"),
                (None, _) => format!("{hex} does not begin an escape sequence in {name}"),
            },
            IllFormedKind::UnpairedHighSurrogate => match self.next {
                Some(_) => {
                    format!("no low surrogate follows high surrogate {}", self.unit_hex())
                }
                None => format!("the input ends after high surrogate {}", self.unit_hex()),
            },
            IllFormedKind::UnpairedLowSurrogate => {
                format!("no high surrogate precedes low surrogate {}", self.unit_hex())
            }
            IllFormedKind::OtherUnits => {
                format!("from here on, the text consists of single bytes, not {name} code units")
            }
            IllFormedKind::Misaligned => self.misaligned(),
            // The enum is non-exhaustive for users, but a test checks that all of its kinds have an arm above.
            _ => format!("{sequence} is ill-formed in {name}"),
        }
    }

    /// Names the byte that makes the sequence ill-formed, or the unit that it begins; empty if there is none.
    fn next_unit(&self) -> String {
        match (self.next, unit_bits(self.encoding.family)) {
            (None, _) => String::new(),
            (Some(byte), Some(9)) => format!("a code unit that begins with {byte:02X}"),
            (Some(byte), _) => format!("{byte:02X}"),
        }
    }

    /// Names the byte that truncates a sequence: `61 ('a')`.
    fn interruption(&self) -> String {
        let next = self.next_unit();
        match self.next {
            _ if unit_bits(self.encoding.family) == Some(9) => next,
            Some(byte) if byte.is_ascii() && self.reads_ascii() => match byte {
                b'\t' => format!("{next} (tab)"),
                b'\n' => format!("{next} (line feed)"),
                b'\r' => format!("{next} (carriage return)"),
                b' ' => format!("{next} (space)"),
                b'!'..=b'~' => format!("{next} ('{}')", char::from(byte)),
                _ => next,
            },
            _ => next,
        }
    }

    /// Whether the ASCII bytes are ASCII characters in the encoding.
    fn reads_ascii(&self) -> bool {
        #[cfg(feature = "legacy")]
        let reads = self.encoding.has_ascii();
        #[cfg(not(feature = "legacy"))]
        let reads = !self.encoding.family.is_wide();
        reads
    }

    fn truncated(&self) -> String {
        let begun = match self.escape() {
            Some(escape) => escape.to_owned(),
            None => self.hex(),
        };
        format!("{begun} begins {}, but {} follows", self.sequence(), self.interruption())
    }

    /// Says that the encoding assigns no character to the bytes.
    fn unassigned(&self) -> String {
        let bytes = if self.bytes.len() == 1 { "byte " } else { "" };
        format!("{bytes}{} is not assigned in {}", self.hex(), self.encoding.name())
    }

    /// Describes a surrogate, which each encoding shows in another way:
    ///
    /// ```text
    /// UTF-32, UCS-2   a whole code unit
    /// escapes         a whole escape
    /// WTF-8           two sequences for a pair; one of them alone is well-formed
    /// CESU-8          half of a pair: three bytes for a high surrogate, or the start of a low one
    /// others          the first byte, and the next one if that shows what the sequence would be
    /// ```
    fn surrogate(&self) -> String {
        let (name, family, hex) = (self.encoding.name(), self.encoding.family, self.hex());
        let next = self.next_unit();
        match (self.unit(), self.escape(), self.next) {
            (Some(unit), ..) => {
                format!("U+{unit:04X} is a surrogate code point, not a character")
            }
            (_, Some(escape), _) => format!("{escape} stands for a surrogate, not a character"),
            _ if family == Family::Wtf8 => format!(
                "{hex} and the low surrogate after it form a surrogate pair; {name} requires one 4-byte sequence"
            ),
            _ if family == Family::Cesu8 && self.bytes.len() == 3 => {
                format!("no low surrogate follows high surrogate {hex}")
            }
            _ if family == Family::Cesu8 => {
                format!(
                    "{hex} followed by {next} begins a low surrogate, but no high surrogate precedes it"
                )
            }
            (.., Some(_)) => format!("{hex} followed by {next} begins a surrogate code point"),
            _ => format!("{hex} never occurs in {name}; it would begin a surrogate code point"),
        }
    }

    fn out_of_range(&self) -> String {
        let (name, hex) = (self.encoding.name(), self.hex());
        match (self.unit(), self.escape(), self.next) {
            (Some(unit), ..) if self.encoding.family.is_ucs() => {
                format!("{unit:X} is above 7FFFFFFF, the highest value of {name}")
            }
            (Some(unit), ..) => format!("{unit:X} is above U+10FFFF, the highest code point"),
            (_, Some(escape), _) => format!("{escape} stands for a value above U+10FFFF"),
            (.., None) => {
                format!("{hex} never occurs in {name}; it would begin a value above U+10FFFF")
            }
            (.., Some(_)) => {
                format!("{hex} followed by {} begins a value above U+10FFFF", self.next_unit())
            }
        }
    }

    fn invalid_byte(&self) -> String {
        let (name, family, hex) = (self.encoding.name(), self.encoding.family, self.hex());
        match family {
            Family::Ascii => format!("{hex} is above 7F, the highest byte of {name}"),
            _ if unit_bits(family).is_some() => format!("{hex} is not a code unit of {name}"),
            Family::Cesu8 | Family::Mutf8 if matches!(*self.bytes, [0xF0..=0xF4]) => {
                format!("{hex} begins a 4-byte sequence; {name} uses two 3-byte sequences instead")
            }
            Family::Mutf8 if *self.bytes == [0] => {
                format!("00 never occurs in {name}, which writes U+0000 as C0 80")
            }
            _ if matches!(family.first_unit(), Some(FirstUnit::Ones { .. })) => {
                format!("{hex} never occurs in {name}")
            }
            _ if self.encoding.single_byte => self.unassigned(),
            _ => format!("no character of {name} begins with {hex}"),
        }
    }

    const fn is_at_start(&self) -> bool {
        self.line == 1 && self.column == 1
    }

    /// Says where the bytes between two code units probably come from. The search reports exactly the bytes that are
    /// too many, or those that are left of a unit, so the bytes themselves tell what happened:
    ///
    /// ```text
    ///          a 0D before each 0A                      each 0D removed
    /// UTF-16LE   0A 00 → 0D 0A 00    reported: 0D       0D 00 0A 00 → 00 0A 00    reported: 00
    /// UTF-16BE   00 0A → 00 0D 0A    reported: all      00 0D 00 0A → 00 00 0A    reported: 00
    /// ```
    ///
    /// In UTF-32, a lost 0D leaves three zeros. At the start of a text, any other bytes are what is left of its first
    /// unit.
    fn misaligned(&self) -> String {
        let name = self.encoding.name();
        match &*self.bytes {
            [0x0D] | [.., 0x0D, 0x0A] => format!(
                "0D was inserted before the byte 0A, as if {name} were single-byte text; everything after it is shifted"
            ),
            _ if self.is_at_start() => {
                format!(
                    "part of the first code unit of {name} is missing; everything after it is shifted"
                )
            }
            [0] | [0, 0, 0] => {
                format!(
                    "the 0D of a line break in {name} is missing; everything after it is shifted"
                )
            }
            _ => format!(
                "a byte was inserted or lost before this point, so the code units of {name} are shifted"
            ),
        }
    }

    /// Names the sequence that the bytes begin: `a 3-byte character`, `a 16-bit code unit`. A finding may have only the
    /// first of its bytes, so the length is that which the first byte announces. In CESU-8, a three-byte sequence for a
    /// high surrogate announces a second one, so the character has six bytes.
    fn sequence(&self) -> String {
        let (name, family) = (self.encoding.name(), self.encoding.family);
        match (self.wide_unit(), family, &*self.bytes) {
            _ if self.escape().is_some() => return format!("an escape of {name}"),
            _ if unit_bits(family) == Some(9) && self.bytes.len() == 1 => {
                return format!("a two-byte code unit of {name}");
            }
            (Some(2), _, [_, _, _]) => return "a surrogate pair".to_owned(),
            (Some(len), ..) => return format!("a {}-bit code unit", 8 * len),
            (None, Family::Cesu8, [0xED, 0xA0..=0xAF, _, ..]) => {
                return format!("a 6-byte {name} character");
            }
            _ => {}
        }
        // UTF-8 need not be named.
        let of = if family == Family::Utf8 { String::new() } else { format!(" {name}") };
        match length(family, &self.bytes) {
            // An eight, an eleven.
            Some(length) if length.starts_with('8') || length.starts_with("11") => {
                format!("an {length}{of} character")
            }
            Some(length) => format!("a {length}{of} character"),
            None => format!("a multi-byte {name} character"),
        }
    }

    /// Returns the number of bytes per code unit, if the units have 16 or 32 bits.
    fn wide_unit(&self) -> Option<usize> {
        self.encoding.family.is_wide().then_some(self.encoding.unit)
    }

    /// Returns the value of a whole code unit that is invalid in UTF-32, UCS-4 or UCS-2, in the byte order that makes
    /// it so. Two bytes are padded with zeros to four, on the side of the high-order bytes.
    fn unit(&self) -> Option<CodePoint> {
        let bytes = match (self.wide_unit()?, &*self.bytes) {
            (4, &[a, b, c, d]) => [a, b, c, d],
            (2, &[a, b]) if self.little_endian() => [a, b, 0, 0],
            (2, &[a, b]) => [0, 0, a, b],
            _ => return None,
        };
        Some(if self.little_endian() {
            u32::from_le_bytes(bytes)
        } else {
            u32::from_be_bytes(bytes)
        })
    }

    /// Returns the escape that the bytes are, or begin: `\uD800`.
    fn escape(&self) -> Option<&str> {
        let escapes = matches!(self.encoding.family, Family::Escapes { .. });
        std::str::from_utf8(&self.bytes)
            .ok()
            .filter(|text| escapes && text.starts_with(['\\', '&']))
    }

    /// Formats a surrogate code unit: `D800`, or `\uD800`.
    fn unit_hex(&self) -> String {
        if let Some(escape) = self.escape() {
            return escape.to_owned();
        }
        match *self.bytes {
            [low, high] if self.little_endian() => hex(&[high, low]).replace(' ', ""),
            _ => self.hex().replace(' ', ""),
        }
    }

    fn little_endian(&self) -> bool {
        self.encoding.order == Some(ByteOrder::Little)
    }
}

/// Formats bytes in hexadecimal, separated by spaces.
pub fn hex(bytes: &[u8]) -> String {
    let pairs: Vec<_> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    pairs.join(" ")
}

/// Whether a character is visible on its own and harmless on a terminal.
pub fn has_picture(c: char) -> bool {
    let combines = matches!(c, '\u{300}'..='\u{36F}');
    !is_unprintable(c.into()) && !c.is_whitespace() && !is_private_use(c.into()) && !combines
}

/// Describes damaged text: `"Ã©" was "é": UTF-8 read as windows-1252, 99 %`.
fn mojibake(finding: &Finding<'_>) -> String {
    let text = String::from_utf8_lossy(&finding.bytes);
    match finding.mojibake() {
        Some(mojibake) => format!("{} was {}", quoted(&text), mojibake.words()),
        None => format!("{} is damaged text", quoted(&text)),
    }
}

/// Describes a deceptive identifier, and the letter of it that the finding is about.
fn identifier(finding: &Finding<'_>, kind: DeniedKind) -> String {
    let letter = finding.value.and_then(|value| CodePoint::try_from(value).ok());
    let looks_like = letter.and_then(lookalike).unwrap_or_default();
    let script = letter.and_then(script_of_lookalikes);
    let text = finding.identifier().unwrap_or_default();
    let (quoted_text, ascii) = (quoted(text), quoted(&skeleton(text)));
    let what = match (kind, script) {
        (DeniedKind::MixedScript, _) => format!("mixes {}, and looks like {ascii}", scripts(text)),
        (_, Some(script)) => format!("is all {script}, but looks like {ascii}"),
        (_, None) => format!("has letters in several styles, and looks like {ascii}"),
    };
    let letter = finding.character();
    let script = script.map_or_else(String::new, |script| format!(", {script},"));
    format!("identifier {quoted_text} {what}: {letter}{script} is not \"{looks_like}\"")
}

/// Returns what an identifier looks like in ASCII: its skeleton (UTS 39, 4), as far as it has letters that look like
/// ASCII.
pub fn skeleton(identifier: &str) -> String {
    identifier.chars().map(|c| lookalike(c.into()).unwrap_or(c)).collect()
}

/// Lists the scripts of an identifier, in the order of its letters: `Latin and Cyrillic`.
fn scripts(identifier: &str) -> String {
    let mut scripts = Vec::new();
    for c in identifier.chars().filter(|c| c.is_alphabetic()) {
        let script = script_of_lookalikes(c.into()).unwrap_or("Latin");
        if !scripts.contains(&script) {
            scripts.push(script);
        }
    }
    scripts.join(" and ")
}

/// Describes denied text.
fn denied(kind: DeniedKind, finding: &Finding<'_>) -> String {
    let character = finding.character();
    match kind {
        DeniedKind::Nul => format!("{character} is the NUL character"),
        DeniedKind::Bidi => format!("{character} changes the direction of the text around it"),
        DeniedKind::Bom => MARK_INSIDE.to_owned(),
        DeniedKind::Replacement => {
            format!("{character} stands for bytes that an earlier conversion could not read")
        }
        DeniedKind::Noncharacter => {
            format!("{character} is a noncharacter, not meant for interchange")
        }
        DeniedKind::PrivateUse => format!("{character} is a private-use code point"),
        // Only where there are no lines, as in the name of a file.
        DeniedKind::Control if matches!(finding.value, Some(0x09 | 0x0A | 0x0D)) => {
            format!("{character} is a control code")
        }
        DeniedKind::Control => {
            format!("{character} is a control code other than tab, line feed or carriage return")
        }
        DeniedKind::Unassigned => format!("{character} is an unassigned code point"),
        DeniedKind::Invisible => format!("{character} is invisible and has no effect here"),
        DeniedKind::NonBmp => format!("{character} is above U+FFFF, outside the BMP"),
        DeniedKind::Crlf | DeniedKind::Lf => format!("line ends with {}", finding.newline()),
        DeniedKind::NoFinalNewline => NO_FINAL_NEWLINE.to_owned(),
        #[cfg(feature = "normalization")]
        DeniedKind::NotNfc => {
            format!("the sequence that begins with {character} is not in Normalization Form C")
        }
        DeniedKind::MixedNewlines => {
            let newline = finding.newline();
            match finding.details {
                Details::FirstLineEnd(first) => {
                    format!("line ends with {newline}, but line 1 ends with {first}")
                }
                _ => format!("line ends with {newline}, but line 1 does not"),
            }
        }
        DeniedKind::Mojibake => mojibake(finding),
        DeniedKind::MixedScript | DeniedKind::Confusable => identifier(finding, kind),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_sentence_of_its_own() {
        for kind in IllFormedKind::ALL {
            let mut finding = Finding::new(Kind::IllFormed(kind));
            (finding.bytes, finding.encoding) = (b"\xD8\x00".into(), Encoding::UTF_16BE);
            let sentence = finding.to_string();
            assert!(!sentence.contains("is ill-formed in"), "{}: {sentence}", kind.id());
        }
    }
}
