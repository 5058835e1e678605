//! Fields of records that are numbers and no text: packed decimals, COBOL's COMP-3. In most pages of EBCDIC each byte
//! is a character, so they are converted without a finding, and nobody can read them afterwards.
//!
//! ```text
//! C8 C5 D3 D3 D6 40 40 40 │ 00 12 34 5C      two digits a byte, and the sign in the last half (IBM z/Architecture
//!  H  E  L  L  O          │    +12345        Principles of Operation, chapter 8): C +, D -, F without a sign
//! ```
//!
//! Letters and blanks consist of such halves too: `fred(` is 86 99 85 84 4D. So a field must begin with a byte below
//! 40, where EBCDIC has no letters, and two of its bytes must be what text does not contain. A number that begins with
//! larger digits is found by its last bytes, or in another record. Only what ends at the same column in two records is
//! reported, or in the only record. The signs A, B and E, which no compiler writes, are not expected.

use std::fmt::Write;

/// The most bytes of a packed decimal.
const MAX_FIELD: usize = 16;
/// The most columns at which fields are counted. Records with more hold no text.
const MAX_COLUMNS: usize = 64;
/// The most fields that a message lists.
const MAX_LISTED: usize = 4;
/// Controls that text in EBCDIC may contain, one bit each: NUL, HT, VT, FF, CR, SO, SI, NEL, BS, the four separators,
/// LF, ESC, BEL, and SUB, which stands for a character that could not be converted.
const TEXT_CONTROLS: u64 = bits(&[
    0x00, 0x05, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x15, 0x16, 0x1C, 0x1D, 0x1E, 0x1F, 0x25, 0x27, 0x2F,
    0x3F,
]);

const fn bits(bytes: &[u8]) -> u64 {
    let (mut bits, mut at) = (0, 0);
    while at < bytes.len() {
        bits |= 1 << bytes[at];
        at += 1;
    }
    bits
}

/// The fields that end at one column.
#[derive(Debug)]
struct PackedField {
    /// The columns of its first and last byte, from 0. A number with more digits may begin earlier.
    first: u64,
    last: u64,
    /// How many records have one, and the number and the bytes of the first.
    count: u64,
    record: u64,
    bytes: Vec<u8>,
}

/// Looks for packed decimals in the records of an input, in constant memory.
#[derive(Debug, Default)]
pub(super) struct PackedDecimalWatch {
    /// The number of the current record, from 0.
    record: u64,
    /// The column of the next byte, from 0.
    column: u64,
    /// The last bytes, if they may be the start of a field.
    digits: Vec<u8>,
    /// In the order of their columns.
    fields: Vec<PackedField>,
}

impl PackedDecimalWatch {
    /// Looks at the next bytes of the current record.
    pub(super) fn look(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while !rest.is_empty() {
            let text = if self.digits.is_empty() { text_before_start(rest) } else { 0 };
            self.column += text as u64;
            rest = &rest[text..];
            if let Some((byte, after)) = rest.split_first() {
                self.add(*byte);
                self.column += 1;
                rest = after;
            }
        }
    }

    /// Begins the next record.
    pub(super) fn end_record(&mut self) {
        self.record += 1;
        self.column = 0;
        self.digits.clear();
    }

    fn add(&mut self, byte: u8) {
        match (byte >> 4, byte & 0xF) {
            (0..=9, 0..=9) => {
                self.digits.push(byte);
                if self.digits.len() == MAX_FIELD {
                    let next = self.digits.iter().skip(1).position(|byte| is_start(*byte));
                    self.digits.drain(..next.map_or(MAX_FIELD, |next| next + 1));
                }
            }
            (0..=9, 0xC | 0xD | 0xF) if !self.digits.is_empty() => {
                self.digits.push(byte);
                let strange = |byte: &u8| *byte < 0x40 && TEXT_CONTROLS >> *byte & 1 == 0;
                let strangers = self.digits.iter().filter(|byte| strange(byte)).count();
                let zeros = self.digits.iter().filter(|byte| **byte == 0).count();
                if strangers > 0 && strangers + zeros > 1 {
                    self.count_field();
                }
                self.digits.clear();
            }
            _ => self.digits.clear(),
        }
    }

    /// Counts a field that ends with the current byte.
    fn count_field(&mut self) {
        let (record, last) = (self.record, self.column);
        let first = (last + 1).saturating_sub(self.digits.len() as u64);
        match self.fields.binary_search_by_key(&last, |field| field.last) {
            Ok(at) => {
                let field = &mut self.fields[at];
                field.first = field.first.min(first);
                field.count += 1;
            }
            Err(at) if self.fields.len() < MAX_COLUMNS => {
                let bytes = self.digits.clone();
                self.fields.insert(at, PackedField { first, last, count: 1, record, bytes });
            }
            Err(_) => {}
        }
    }

    /// Says which fields of the records are packed decimals, if there are any.
    pub(super) fn warning(&self) -> Option<String> {
        let records = self.record + u64::from(self.column > 0);
        let is_likely = |field: &&PackedField| field.count > 1 || records == 1;
        let fields: Vec<_> = self.fields.iter().filter(is_likely).collect();
        let most = fields.iter().rev().max_by_key(|field| field.count)?;
        let PackedField { record, count, bytes, .. } = most;
        let hex: Vec<_> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
        let mut words = format!(
            "record {}, {} look like a packed decimal ({})",
            record + 1,
            columns(most),
            hex.join(" ")
        );
        if *count > 1 {
            let s = if *count > 2 { "s" } else { "" };
            let _ = write!(words, ", as in {} more record{s}", count - 1);
        }
        let others: Vec<_> = fields.iter().filter(|field| field.last != most.last).collect();
        for (index, field) in others.iter().take(MAX_LISTED).enumerate() {
            words.push_str(if index == 0 { "; so do " } else { ", " });
            words.push_str(&columns(field));
        }
        if others.len() > MAX_LISTED {
            let _ = write!(words, " and {} more fields", others.len() - MAX_LISTED);
        }
        words.push_str(": converting such a field as text destroys it");
        Some(words)
    }
}

fn columns(field: &PackedField) -> String {
    format!("columns {} to {}", field.first + 1, field.last + 1)
}

/// Returns how many bytes precede the first that a field may begin with. Nearly all text is skipped block by block,
/// with a comparison that the compiler vectorizes.
fn text_before_start(bytes: &[u8]) -> usize {
    const BLOCK: usize = 16;
    let is_text =
        |block: &&[u8]| block.iter().fold(true, |is_text, byte| is_text & (*byte >= 0x40));
    let skipped = BLOCK * bytes.chunks_exact(BLOCK).take_while(is_text).count();
    let start = bytes[skipped..].iter().position(|byte| is_start(*byte));
    start.map_or(bytes.len(), |start| skipped + start)
}

/// Whether a field may begin with a byte.
const fn is_start(byte: u8) -> bool {
    byte < 0x40 && byte & 0xF < 0xA
}
