//! The encoding that the user names for the input, and what a text plainly is instead.

use oxiconv_detect::detection::{Detector, Evidence};
use oxiconv_detect::language::TellingPairs;
use oxiconv_encodings::codec::ByteOrder;
use oxiconv_encodings::encoding::{Encoding, Marked, marked_otherwise, wide_mark};
use oxiconv_report::Repair;
use oxiconv_transcode::{OnIllFormed, OnMojibake, Options};

use super::super::eight_bit::{is_like_utf8, misreads_utf8};
use super::super::fallback::MIN_LETTERS;
use super::ascii::{AsciiSet, changed};
use super::doubt::{Doubt, UNLIKELY};
use super::look::Look;
use super::readable::Readable;
use super::reading::{CLEAR, PART, Reading};
use super::wide_parts::PartsInUtf8;

/// The same for each character that the two read differently, beyond ASCII and in it: a brace that is a letter is inside of
/// a word most of the time.
const CLEAR_EACH: u32 = 3;
/// Of this many characters, one may be a control or the like before the text is doubted.
const FEW: usize = 12;
/// Of this many bytes, one may be beyond ASCII in a text that is ASCII otherwise.
const MOSTLY: usize = 10;
/// Fewer ill-formed subsequences than this do not show that a text is not UTF-8.
const ENOUGH: usize = 6;

#[cfg(test)]
thread_local! {
    /// How often the encoding of a text was detected.
    pub(super) static DETECTED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// The encoding of the input.
pub(super) struct Requested {
    pub(super) encoding: &'static Encoding,
    pub(super) order: ByteOrder,
    /// The ASCII characters that are other characters there.
    pub(super) changed: AsciiSet,
    pub(super) is_like_utf8: bool,
    pub(super) misreads_utf8: bool,
    /// Whether the conversion stops at the first ill-formed subsequence, so that nothing is written.
    pub(super) is_strict: bool,
    pub(super) has_fallback: bool,
    /// Whether parts in UTF-8 are read as such.
    repairs: bool,
}

impl Requested {
    pub(super) fn new(encoding: &'static Encoding, options: &Options) -> Self {
        let is_strict = stops_at_ill_formed(options);
        Self {
            encoding,
            order: options.reading.byte_order,
            changed: changed(encoding, is_strict),
            is_like_utf8: is_like_utf8(encoding),
            misreads_utf8: misreads_utf8(encoding) || !is_strict,
            is_strict,
            has_fallback: options.substitution.fallback.is_some(),
            repairs: options.on_mojibake != OnMojibake::Ignore,
        }
    }

    pub(super) fn judge(&self, look: &Look<'_>, part: &[&[u8]]) -> Option<Readable> {
        let is_wide = self.encoding.unit() > 1;
        let marked = marked_otherwise(self.encoding, look.start, look.is_whole);
        if let Marked::Otherwise { scheme, .. } = marked {
            return Some(Readable::Marked(scheme));
        }
        if look.is_utf8 && !self.is_like_utf8 && self.changes(look, part) {
            return Some(Readable::Utf8 { is_ascii: look.is_ascii });
        }
        if self.is_strict && self.is_like_utf8 || look.is_ascii && !is_wide {
            return None;
        }
        let of = self.encoding;
        if is_wide {
            let order = self.order_of(look.start);
            if !self.repairs && look.has_parts_in_utf8(of, order) {
                return Some(Readable::Parts { of, other: Encoding::UTF_8 });
            }
        }
        self.looks_otherwise(look, part).or_else(|| {
            let other = look.wide_parts().filter(|_| !is_wide)?;
            Some(Readable::Parts { of, other })
        })
    }

    /// Returns the search for parts in UTF-8 in a text that begins with `start`, if they would be read as wide units.
    pub(super) fn parts_in_utf8(&self, start: &[u8]) -> Option<PartsInUtf8> {
        let is_wide = self.encoding.unit() > 1 && !self.repairs;
        is_wide.then(|| PartsInUtf8::new(self.encoding, self.order_of(start)))
    }

    /// Whether a text that is not UTF-8 has so much ASCII, and so clearly, that it is no text in this encoding, whatever its
    /// other bytes are.
    pub(super) fn misreads_ascii(&self, look: &Look<'_>) -> bool {
        let is_text = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | 0x20..=0x7E);
        let ascii: Vec<u8> = look.bytes.iter().copied().filter(is_text).collect();
        if look.bytes.len() - ascii.len() > look.bytes.len() / MOSTLY {
            return false;
        }
        if self.encoding.unit() > 1 {
            return look.is_in_bytes();
        }
        let part = &[&ascii[..ascii.len().min(PART)]];
        self.changed.has(b'e') && !self.is_clearly_likelier(part)
    }

    /// Whether text in UTF-8 would be other text.
    fn changes(&self, look: &Look<'_>, part: &[&[u8]]) -> bool {
        if self.encoding.unit() > 1 {
            let is_likelier = !look.is_in_bytes() && self.is_clearly_likelier(part);
            return !look.bytes.is_empty() && !is_likelier;
        }
        if !look.is_ascii {
            let is_misread = self.misreads_utf8 || self.reads_otherwise(part);
            return is_misread && !self.is_utf8_by_chance(part);
        }
        part.iter().copied().flatten().any(|byte| self.changed.has(*byte))
            && !self.is_clearly_likelier(part)
    }

    /// Whether a part of UTF-8 is well-formed as other text, as few words are in an encoding that takes hardly any UTF-8.
    fn reads_otherwise(&self, part: &[&[u8]]) -> bool {
        let (read, plain) = (self.read(part), Reading::of(Encoding::UTF_8, ByteOrder::Big, part));
        read.errors == 0 && read.text != plain.text
    }

    /// Whether a part is hardly text as UTF-8, and is clearly likelier as what it would be read as: in EBCDIC's codes of two
    /// bytes, a few letters with shifts around them may be well-formed UTF-8.
    fn is_utf8_by_chance(&self, part: &[&[u8]]) -> bool {
        let plain = Reading::of(Encoding::UTF_8, ByteOrder::Big, part);
        plain.strange() * FEW > plain.text.len() && self.is_clearly_likelier(part)
    }

    /// Whether a part of UTF-8 is clearly likelier text as what it would be read as. What is ill-formed there costs little,
    /// however long it is, but is no text: a part must not have much of it, and wide units none, because all that follows a
    /// missing byte is ill-formed.
    fn is_clearly_likelier(&self, part: &[&[u8]]) -> bool {
        let (read, plain) = (self.read(part), Reading::of(Encoding::UTF_8, ByteOrder::Big, part));
        let is_wide = self.encoding.unit() > 1;
        let bytes = || part.iter().copied().flatten();
        let ill_formed = if is_wide { 0 } else { bytes().count() / FEW };
        if read.ill_formed > ill_formed || read.text.is_empty() {
            return false;
        }
        // A control is clear by itself.
        let is_changed = |byte: &&u8| self.changed.has(**byte) && !byte.is_ascii_control();
        let changed = bytes().filter(is_changed).count() as u32;
        let clear = if is_wide { 0 } else { CLEAR + CLEAR_EACH * changed };
        read.cost() + clear < plain.cost()
    }

    /// Returns what a text looks like, if what it would be read as is hardly text.
    fn looks_otherwise(&self, look: &Look<'_>, part: &[&[u8]]) -> Option<Readable> {
        let read = self.read(part);
        // Most texts are in the encoding that is named, and detection takes longer than to convert a megabyte.
        let doubt = self.doubt(&read)?;
        #[cfg(test)]
        DETECTED.set(DETECTED.get() + 1);
        let detection = Detector::new().detect(look.bytes);
        let doubt = match doubt {
            Doubt::Order if look.is_in_bytes() && detection.evidence != Evidence::Units => {
                Doubt::Width
            }
            doubt => doubt,
        };
        // Whether stray bytes are read by the right fallback, the judge of hints says, which sees the whole text.
        if self.has_fallback && detection.encoding.has_ascii() {
            return None;
        }
        if !doubt.is_borne_out_by(&detection) || detection.encoding == self.encoding {
            return None;
        }
        let other = Reading::of(detection.encoding, ByteOrder::Big, part);
        let repair = || {
            Readable::Other(match detection.of_lines() {
                Some(_) => Repair::of_lines(),
                None => Repair::from(detection.encoding),
            })
        };
        (other.text != read.text && doubt.is_settled(&read, &other)).then(repair)
    }

    /// Returns why a reading may not be what the text is. What is wrong with UTF-8 is ill-formed.
    fn doubt(&self, read: &Reading) -> Option<Doubt> {
        let is_strange = read.strange() * FEW > read.text.len();
        if self.is_like_utf8 {
            return match read.strange() {
                ENOUGH.. if is_strange => Some(Doubt::Strange),
                MIN_LETTERS.. => Some(Doubt::Loses),
                _ => None,
            };
        }
        if is_strange {
            return Some(Doubt::Strange);
        }
        if self.encoding.unit() > 1 {
            return Some(Doubt::Order);
        }
        let pairs = TellingPairs::of(&read.text);
        (!pairs.cost_at_most(UNLIKELY)).then_some(Doubt::Unlikely)
    }

    /// Returns the byte order of a text that begins with `start`.
    fn order_of(&self, start: &[u8]) -> ByteOrder {
        let mark = wide_mark(start).filter(|_| self.encoding.mark.gives_order());
        mark.and_then(|(_, scheme)| scheme.order).unwrap_or(self.order)
    }

    pub(super) fn read(&self, part: &[&[u8]]) -> Reading {
        let [first, ..] = part else { return Reading::default() };
        let mark = wide_mark(first).filter(|_| self.encoding.mark.gives_order());
        let mark = mark.map_or(0, |(mark, _)| mark.len());
        let order = self.order_of(first);
        if mark == 0 {
            Reading::of(self.encoding, order, part)
        } else {
            Reading::of(self.encoding, order, &[&first[mark..]])
        }
    }
}

/// Whether a conversion stops at the first ill-formed subsequence, so that nothing is written.
pub(super) fn stops_at_ill_formed(options: &Options) -> bool {
    options.substitution.on_ill_formed == OnIllFormed::Stop
        && options.substitution.fallback.is_none()
}
