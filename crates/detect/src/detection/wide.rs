//! Recognizes UTF-16 and UTF-32 without a byte order mark, for `-f auto`, the hints, and the note on the byte order.
//!
//! Each scheme is a hypothesis. Its cost is the number of bits that the start of the text would take if it were text in
//! that scheme; the alternative is text in units of one byte. The cheapest hypothesis wins, if it wins clearly:
//!
//! ```text
//! units ─► characters ─► group (a script, blanks, digits …)   bits by the share that the group has had so far
//!              │             └─► character in that group      bits by how usual it is there
//!              └─ ill-formed, or never in text                a fixed penalty
//!
//! 1F 04 40 04 38 04   UTF-16LE  При      one script: after the first letter, its share is large, so the rest is cheap
//!                     UTF-16BE  ἄ䀄㠄    Greek, a rare ideograph, another one: three groups, unusual characters
//! ```
//!
//! Text in one script is cheap, because the script soon has a large share. Text read in a wrong scheme is scattered
//! over scripts, rare ideographs, controls and reserved code points. Nothing depends on zero bytes, so Russian in
//! UTF-16 is recognized as well as English.
//!
//! A scheme must beat three rivals: the other schemes, text in bytes ([`cost_of_bytes`]), and data that is not text,
//! which costs [`BITS_OF_DATA_BYTE`] per byte. Nearly any two bytes are some character of UTF-16, so it proves nothing
//! that a text can be read, and the lead must grow with the length of what was examined.

use super::answer::{Detection, Evidence};
use super::character_group::{CharacterGroup, Classification, class};
use super::detection_sample::{DetectionSample, HEAD};
use oxiconv_encodings::codec::ByteOrder;
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::CodePoint;

const EXAMINED: usize = HEAD;
const ESCAPE: u8 = 0x1B;
/// The bits of what does not fit: a character that text does not have, one more script apart from Latin and the first
/// one, and a byte of data that is not text.
const FOREIGN_CHARACTER: f32 = 22.0;
const OTHER_SCRIPT: f32 = 8.0;
/// The bits by which a scheme must be cheaper than any other hypothesis, and the additional bits per byte examined.
const MIN_LEAD: f32 = 2.0;
const MIN_LEAD_PER_BYTE: f32 = 0.5;
const BITS_OF_DATA_BYTE: f32 = 7.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scheme {
    Utf16(ByteOrder),
    Utf32(ByteOrder),
}

impl Scheme {
    pub(super) const fn swapped(self) -> Self {
        match self {
            Utf16(Little) => Utf16(Big),
            Utf16(Big) => Utf16(Little),
            Utf32(Little) => Utf32(Big),
            Utf32(Big) => Utf32(Little),
        }
    }

    pub(super) const fn width(self) -> usize {
        match self {
            Utf16(_) => 2,
            Utf32(_) => 4,
        }
    }
}

use ByteOrder::{Big, Little};
use Scheme::{Utf16, Utf32};

const SCHEMES: [(Scheme, &Encoding); 4] = [
    (Utf16(Little), Encoding::UTF_16LE),
    (Utf16(Big), Encoding::UTF_16BE),
    (Utf32(Little), Encoding::UTF_32LE),
    (Utf32(Big), Encoding::UTF_32BE),
];

/// Returns the answer for a text in wide units, by its head alone.
pub fn judge(sample: &DetectionSample<'_>) -> Option<Detection> {
    // A text that begins with a line of ASCII is not in wide units, and its start was possibly passed on already.
    let ascii = sample.head.len().min(sample.offset.try_into().unwrap_or(usize::MAX));
    if begins_as_ascii(&sample.head[..ascii]) {
        return None;
    }
    let (scheme, lead) = clearest(sample.head)?;
    Some(Detection::new(scheme, confidence(lead), Evidence::Units))
}

/// Whether a text, whose first bytes are `ascii`, can be passed on as ASCII before more of it is known.
///
/// Passing on bytes decides that ASCII is ASCII, which cannot be taken back. Some texts in UTF-16 or EBCDIC begin with
/// bytes that look like ASCII: `N\n` is U+4E0A (上) in UTF-16BE, and `\nN` is the same in UTF-16LE. So nothing is passed
/// on before the first line feed after the first two bytes, with only printable characters, tabs and line ends before
/// it; failing that, not before 4 KiB. If the line is cheaper as UTF-16LE, the byte after the line feed is awaited too:
/// if it is NUL, the line feed is `0A 00`.
pub(super) fn begins_as_ascii(ascii: &[u8]) -> bool {
    let is_text = |byte: &u8| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r');
    let text = &ascii[..ascii.iter().take(HEAD).take_while(|byte| is_text(byte)).count()];
    let line_feed = text.iter().skip(2).position(|byte| *byte == b'\n').map(|at| at + 2);
    ascii.len() >= HEAD
        || line_feed.is_some_and(|at| {
            let line = &text[..at];
            let is_wide = || at % 2 == 0 && cost(Utf16(Little), line) < cost_of_bytes(line);
            ascii.len() > at + 1 || !is_wide()
        })
}

/// Returns the encoding of a text in wide units that begins with `start`, of which 4 KiB are examined.
pub fn by_units(start: &[u8]) -> Option<&'static Encoding> {
    clearest(start).map(|(scheme, _)| scheme)
}

/// Returns the encoding of a text that begins with `start`, and its lead over all other hypotheses in bits.
fn clearest(start: &[u8]) -> Option<(&'static Encoding, f32)> {
    let start = &start[..start.len().min(EXAMINED)];
    clearest_as_is(start).or_else(|| {
        // A program that puts 0D before each byte 0A shifts every other line by a byte, so the text reads in no scheme.
        // Without the 0D, it does. The number of zeros keeps this from being tried on any text with CRLF.
        let zeros = start.iter().filter(|byte| **byte == 0).count();
        let changed = zeros * 4 >= start.len() && memchr::memmem::find(start, b"\r\n").is_some();
        changed.then(|| clearest_as_is(&without_inserted(start))).flatten()
    })
}

fn without_inserted(text: &[u8]) -> Vec<u8> {
    let next = text.iter().skip(1).chain(&[0]);
    let kept = text.iter().zip(next).filter(|pair| *pair != (&b'\r', &b'\n'));
    kept.map(|(byte, _)| *byte).collect()
}

fn clearest_as_is(start: &[u8]) -> Option<(&'static Encoding, f32)> {
    if start.len() < 4 || is_in_bytes(start) || is_of_short_lines(start) {
        return None;
    }
    // Most texts and binary files are ruled out by a few units: a large negative lead is final. A positive lead is not,
    // since data may begin with text, so the whole start is examined before anything is accepted.
    let mut lead = None;
    for len in [64, 512, EXAMINED] {
        let examined = &start[..start.len().min(len)];
        lead = leading(examined);
        if examined.len() == start.len() || lead.is_none_or(|(_, lead)| lead < -80.0) {
            break;
        }
    }
    lead.filter(|(_, lead)| *lead >= MIN_LEAD + MIN_LEAD_PER_BYTE * start.len() as f32)
}

/// Returns the cheapest scheme of `text` and its lead in bits, which may be negative; `None` if it is not text in any.
/// The lead is over the next scheme as well, because a text may read in two byte orders.
fn leading(text: &[u8]) -> Option<(&'static Encoding, f32)> {
    let (mut best, mut second) = ((f32::INFINITY, Encoding::UTF_8), f32::INFINITY);
    for (scheme, encoding) in SCHEMES {
        let cost = cost(scheme, text);
        if cost < best.0 {
            (best, second) = ((cost, encoding), best.0);
        } else {
            second = second.min(cost);
        }
    }
    let (best, encoding) = best;
    let other = cost_of_bytes(text).min(BITS_OF_DATA_BYTE * text.len() as f32);
    best.is_finite().then(|| (encoding, (other - best).min(second - best)))
}

/// Whether a text is well-formed UTF-8 without controls that text never has. Then it is not in wide units: those have
/// NULs in their spaces and line ends, or bytes that are ill-formed in UTF-8. 0E and 0F are shifts of ISO 2022, but
/// only after an escape sequence.
///
/// Short ASCII is safe by this rule: in UTF-16LE, `Bush hid the facts` and `this app can break` are nine ideographs
/// each.
fn is_in_bytes(text: &[u8]) -> bool {
    let is = match std::str::from_utf8(text) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    let shifts = text.contains(&ESCAPE);
    let is_control = |byte: &u8| match *byte {
        b'\t' | b'\n' | 0x0C | b'\r' | ESCAPE => false,
        0x0E | 0x0F => !shifts,
        byte => byte < b' ' || byte == 0x7F,
    };
    // In wide units, the high bytes of some Indic scripts are tabs and line ends: U+0915 (क), U+0A15 (ਕ), U+0D15 (ക).
    // So a text that consists of them for a third is not taken for UTF-8.
    let line_ends = || text.iter().filter(|byte| matches!(byte, b'\t'..=b'\r')).count();
    is && !text.iter().any(is_control) && line_ends() * 3 < text.len()
}

/// Whether nearly every unit of two bytes contains a line end, as in a column of single letters.
///
/// As the high byte of a unit, 0A is Gurmukhi or Gujarati. So `A0 0A A1 0A` may be "а" and "б" in IBM866, each on a
/// line of its own, or U+0AA0 and U+0AA1. Text in those scripts has spaces or line ends of its own, whose other byte is
/// NUL, unless it is a single word.
fn is_of_short_lines(text: &[u8]) -> bool {
    let units = text.as_chunks::<2>().0;
    let after = |number: usize| text.get(2 * number + 2);
    let ends_line = |(number, unit): &(usize, &[u8; 2])| {
        unit.contains(&b'\n') || unit[1] == b'\r' && after(*number) == Some(&b'\n')
    };
    let ends = units.iter().enumerate().filter(ends_line).count();
    ends * 4 >= units.len() * 3 && !text.contains(&0)
}

/// Returns the confidence in percent for a lead in bits.
fn confidence(lead: f32) -> u8 {
    (100.0 / (1.0 + libm::exp2f(-lead / 5.0))).clamp(50.0, 99.0) as u8
}

/// Adds up the bits of a text by an adaptive model: a character costs the share that its group has had so far, starting
/// from [`CharacterGroup::prior`], and its own frequency within the group.
///
/// For Cyrillic, whose prior is 0.25 of 4 characters, the group costs log2(4 / 0.25) = 4 bits for the first letter,
/// log2(5 / 1.25) = 2 for the second, and half a bit for the tenth. Then each letter costs little more than its own 5.3
/// bits. The same bytes in a wrong scheme begin a new group with nearly every character.
struct Counter {
    seen: [f32; CharacterGroup::COUNT],
    all: f32,
    bits: f32,
    foreign: f32,
    script: Option<CharacterGroup>,
}

impl Counter {
    fn new() -> Self {
        Self { seen: [0.0; CharacterGroup::COUNT], all: 4.0, bits: 0.0, foreign: 0.0, script: None }
    }

    /// Adds a character, or `None` for a unit that is not one. A script that is new to the text costs [`OTHER_SCRIPT`]
    /// once, unless it is the first one or goes with it: text in a wrong scheme has a new one every few characters.
    fn add(&mut self, cp: Option<CodePoint>) {
        let Some(Classification::Of(part, bits)) = cp.map(class) else {
            self.foreign += 1.0;
            return;
        };
        let seen = &mut self.seen[part.number()];
        self.bits += bits + libm::log2f(self.all / (*seen + part.prior()));
        if part.is_script() && *seen == 0.0 {
            let script = *self.script.get_or_insert(part);
            let fits = script == part || script.is_east_asian() && part.is_east_asian();
            self.bits += if fits { 0.0 } else { OTHER_SCRIPT };
        }
        *seen += 1.0;
        self.all += 1.0;
    }
}

impl Counter {
    /// Whether it is text: at most a tenth is not, and a long one has spaces, digits, punctuation or symbols between
    /// its letters. Data may have characters of a single script for a while, but nothing that separates words.
    fn is_of_text(&self) -> bool {
        let between: f32 = self.seen[..=CharacterGroup::Emoji.number()].iter().sum();
        self.foreign * 10.0 <= self.all && (self.all < 200.0 || between * 200.0 >= self.all)
    }
}

/// Iterates over the characters of the whole units of a text, with their lengths in bytes. A unit that is not a
/// character is an error.
pub(super) fn characters(
    scheme: Scheme,
    text: &[u8],
) -> impl Iterator<Item = (Result<CodePoint, CodePoint>, usize)> {
    let (pairs, quads) = match scheme {
        Utf16(_) => (text, &[][..]),
        Utf32(_) => (&[][..], text),
    };
    let (Utf16(order) | Utf32(order)) = scheme;
    let units = pairs.as_chunks().0.iter().map(move |unit| match order {
        Big => u16::from_be_bytes(*unit),
        Little => u16::from_le_bytes(*unit),
    });
    let of_pairs = char::decode_utf16(units).map(|character| match character {
        Ok(character) => (Ok(character.into()), 2 * character.len_utf16()),
        Err(unpaired) => (Err(unpaired.unpaired_surrogate().into()), 2),
    });
    let of_quads = quads.as_chunks().0.iter().map(move |unit| {
        let cp = match order {
            Big => u32::from_be_bytes(*unit),
            Little => u32::from_le_bytes(*unit),
        };
        (char::from_u32(cp).map(CodePoint::from).ok_or(cp), 4)
    });
    of_pairs.chain(of_quads)
}

/// Returns the bits that a text takes in a scheme, infinite if it is not text there. A truncated surrogate pair at its
/// end is ignored.
pub fn cost(scheme: Scheme, text: &[u8]) -> f32 {
    let mut counter = Counter::new();
    let mut characters = characters(scheme, text).peekable();
    while let Some((character, _)) = characters.next() {
        let is_cut = || matches!((scheme, character), (Utf16(_), Err(..0xDC00)));
        if characters.peek().is_some() || !is_cut() {
            counter.add(character.ok());
        }
    }
    let rest = text.len() % scheme.width();
    if !counter.is_of_text() {
        return f32::INFINITY;
    }
    counter.bits + FOREIGN_CHARACTER * counter.foreign + 6.0 * rest as f32
}

/// The bits of controls in units of one byte: of NUL and the like, and of line ends, tabs and escapes.
const BITS_OF_CONTROL: f32 = 11.0;
const BITS_OF_LINE_END: f32 = 5.0;

/// Returns the bits that a text takes in units of one byte, in UTF-8 or any charset that has ASCII.
///
/// It is the same model with classes of bytes: letters, digits, punctuation, and three groups of non-ASCII bytes. What
/// is a letter among the latter depends on a charset that is not known, so a byte has no frequency of its own there.
/// The first byte of a group costs 5 bits, and a byte gets cheaper each time that it occurs.
pub(super) fn cost_of_bytes(text: &[u8]) -> f32 {
    let mut seen = [0.0; 9];
    let mut high = [0.0; 128];
    let mut all = 4.0;
    let mut bits = 0.0;
    for &byte in text {
        let (part, prior, own) = match byte {
            b'a'..=b'z' => (0, 1.0, 4.2),
            b'A'..=b'Z' => (1, 0.5, 4.7),
            b'0'..=b'9' => (2, 0.3, 3.3),
            b' ' => (3, 0.5, 0.0),
            b'!'..=b'~' => (5, 0.4, 4.5),
            0x80..=0x9F => (6, 0.3, 5.0),
            0xA0..=0xBF => (7, 0.3, 5.0),
            0xC0..=0xFF => (8, 0.4, 5.0),
            _ => {
                bits += if matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | ESCAPE) {
                    BITS_OF_LINE_END
                } else {
                    BITS_OF_CONTROL
                };
                continue;
            }
        };
        let class: &mut f32 = &mut seen[part];
        let share = (*class + prior) / all;
        *class += 1.0;
        let own = match byte {
            0x80.. => {
                let same: &mut f32 = &mut high[usize::from(byte - 0x80)];
                let own = (*class - 1.0 + 2.0) / (*same + 2.0 / 32.0);
                *same += 1.0;
                libm::log2f(own)
            }
            _ => own,
        };
        bits += own - libm::log2f(share);
        all += 1.0;
    }
    bits
}

#[cfg(test)]
mod tests;
