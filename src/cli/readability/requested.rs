//! The encoding that the user names for the input, and what a text plainly is instead.
//!
//! The checks go from certain to uncertain, and from cheap to expensive. The first one that finds something decides:
//!
//! 1. a byte order mark of another encoding
//! 2. a text that is well-formed UTF-8 and not clearly more plausible in the named encoding
//! 3. parts in UTF-8 within wide units
//! 4. what detection says, asked only if the reading in the named encoding raises a [`Doubt`]
//! 5. wide units within text in bytes
//!
//! Strict UTF-8 needs none after the second: anything else is ill-formed there, and stops the conversion before a file
//! is replaced.

use oxiconv_detect::detection::{Detector, Evidence};
use oxiconv_detect::language::TellingPairs;
use oxiconv_encodings::codec::ByteOrder;
use oxiconv_encodings::encoding::{Encoding, Marked, marked_otherwise, wide_mark};
use oxiconv_report::Repair;
use oxiconv_transcode::{OnIllFormed, OnMojibake, Options};

use super::super::eight_bit::{is_like_utf8, misreads_utf8};
use super::super::fallback::MIN_LETTERS;
use super::ascii_probe::{AsciiSet, changed};
use super::decoded_part::{CLEAR, DecodedPart, PART};
use super::doubt::{Doubt, UNLIKELY};
use super::excerpt::Excerpt;
use super::readable::Readable;
use super::wide_parts::PartsInUtf8;

/// The blank in all code pages of EBCDIC.
const EBCDIC_BLANK: u8 = 0x40;
/// The bits added to [`CLEAR`] for each ASCII byte that the two readings read differently. In a national 7-bit set, `{`
/// is a letter, and inside a word most of the time. So every such byte raises the margin.
const CLEAR_EACH: u32 = 3;
/// A text is doubted if more than one in this many characters has no place in a text.
const FEW: usize = 12;
/// A text is mostly ASCII if at most one in this many bytes is not.
const MOSTLY: usize = 10;
/// UTF-8 is doubted as [`Doubt::Strange`] only if at least this many characters have no place in a text. From
/// [`MIN_LETTERS`] on, it is [`Doubt::Loses`].
const MIN_STRANGE: usize = 6;

#[cfg(test)]
thread_local! {
    /// Counts detections, which are expensive: a test checks that text in the named encoding needs none.
    pub(super) static DETECTED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// The named encoding of the input, with the properties that the checks need, each computed once per run.
pub(super) struct Requested {
    pub(super) encoding: &'static Encoding,
    pub(super) order: ByteOrder,
    /// The ASCII bytes that mean something else there.
    pub(super) changed: AsciiSet,
    pub(super) is_like_utf8: bool,
    pub(super) misreads_utf8: bool,
    /// Whether the conversion stops at the first ill-formed subsequence, before anything is replaced.
    pub(super) is_strict: bool,
    pub(super) has_fallback: bool,
    /// Whether the conversion itself repairs parts in UTF-8 (`--repair`).
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

    pub(super) fn judge(&self, excerpt: &Excerpt<'_>, part: &[&[u8]]) -> Option<Readable> {
        let is_wide = self.encoding.unit() > 1;
        let marked = marked_otherwise(self.encoding, excerpt.start, excerpt.is_whole);
        if let Marked::Otherwise { scheme, .. } = marked {
            return Some(Readable::Marked(scheme));
        }
        if excerpt.is_utf8 && !self.is_like_utf8 && self.changes(excerpt, part) {
            return Some(Readable::Utf8 { is_ascii: excerpt.is_ascii });
        }
        if self.is_strict && self.is_like_utf8 || excerpt.is_ascii && !is_wide {
            return None;
        }
        let of = self.encoding;
        if is_wide {
            let order = self.order_of(excerpt.start);
            if !self.repairs && excerpt.has_parts_in_utf8(of, order) {
                return Some(Readable::Parts { of, other: Encoding::UTF_8 });
            }
        }
        self.looks_otherwise(excerpt, part).or_else(|| {
            let other = excerpt.wide_parts().filter(|_| !is_wide)?;
            Some(Readable::Parts { of, other })
        })
    }

    /// Returns a search for parts in UTF-8 in a text that begins with `start`, if they would be read as wide units.
    pub(super) fn parts_in_utf8(&self, start: &[u8]) -> Option<PartsInUtf8> {
        let is_wide = self.encoding.unit() > 1 && !self.repairs;
        is_wide.then(|| PartsInUtf8::new(self.encoding, self.order_of(start)))
    }

    /// Whether a text that is not UTF-8 is so clearly ASCII that it is no text in this encoding, whatever its few other
    /// bytes are. Detection is not asked: it may be unsure of a single legacy letter, but the ASCII around it is
    /// certain.
    ///
    /// The blank of EBCDIC is `@` in ASCII. It says nothing of either, since most of a record may be blanks.
    pub(super) fn misreads_ascii(&self, excerpt: &Excerpt<'_>) -> bool {
        let is_text = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | 0x20..=0x7E);
        let is_ebcdic = self.encoding.unit() == 1 && !self.encoding.has_ascii();
        let tells = |byte: &u8| !is_ebcdic || *byte != EBCDIC_BLANK;
        let telling: Vec<u8> = excerpt.bytes.iter().copied().filter(tells).collect();
        let ascii: Vec<u8> = telling.iter().copied().filter(is_text).collect();
        if telling.len() - ascii.len() > telling.len() / MOSTLY {
            return false;
        }
        if self.encoding.unit() > 1 {
            return excerpt.is_in_bytes();
        }
        let part = &[&ascii[..ascii.len().min(PART)]];
        self.changed.has(b'e') && !self.is_clearly_more_plausible(part)
    }

    /// Whether well-formed UTF-8 would be misread.
    fn changes(&self, excerpt: &Excerpt<'_>, part: &[&[u8]]) -> bool {
        if self.encoding.unit() > 1 {
            let is_likelier = !excerpt.is_in_bytes() && self.is_clearly_more_plausible(part);
            return !excerpt.bytes.is_empty() && !is_likelier;
        }
        if !excerpt.is_ascii {
            let is_misread = self.misreads_utf8 || self.reads_otherwise(part);
            return is_misread && !self.is_utf8_by_chance(part);
        }
        part.iter().copied().flatten().any(|byte| self.changed.has(*byte))
            && !self.is_clearly_more_plausible(part)
    }

    /// Whether a part in UTF-8 is well-formed in this encoding too, as other text. That happens even in encodings that
    /// reject nearly all UTF-8, if the part has only a few words.
    fn reads_otherwise(&self, part: &[&[u8]]) -> bool {
        let (read, plain) =
            (self.read(part), DecodedPart::of(Encoding::UTF_8, ByteOrder::Big, part));
        read.errors == 0 && read.text != plain.text
    }

    /// Whether a part is well-formed UTF-8 only by chance: hardly text as UTF-8, and clearly more plausible in this
    /// encoding. In double-byte EBCDIC, a few letters between SO and SI may be well-formed UTF-8.
    fn is_utf8_by_chance(&self, part: &[&[u8]]) -> bool {
        let plain = DecodedPart::of(Encoding::UTF_8, ByteOrder::Big, part);
        plain.strange() * FEW > plain.text.len() && self.is_clearly_more_plausible(part)
    }

    /// Whether a part in UTF-8 is clearly more plausible text in this encoding.
    ///
    /// Cost alone would not do: a long ill-formed run is a single error and costs little. As UTF-32, almost any text is
    /// one such run, and so was cheaper than any reading as text. Therefore ill-formed bytes are counted. In single
    /// bytes, one in [`FEW`] is allowed. In wide units none is, because one missing byte makes everything after it
    /// ill-formed.
    fn is_clearly_more_plausible(&self, part: &[&[u8]]) -> bool {
        let (read, plain) =
            (self.read(part), DecodedPart::of(Encoding::UTF_8, ByteOrder::Big, part));
        let is_wide = self.encoding.unit() > 1;
        let bytes = || part.iter().copied().flatten();
        let ill_formed = if is_wide { 0 } else { bytes().count() / FEW };
        if read.ill_formed > ill_formed || read.text.is_empty() {
            return false;
        }
        // A control costs so much in a reading that it needs no margin.
        let is_changed = |byte: &&u8| self.changed.has(**byte) && !byte.is_ascii_control();
        let changed = bytes().filter(is_changed).count() as u32;
        let clear = if is_wide { 0 } else { CLEAR + CLEAR_EACH * changed };
        read.cost() + clear < plain.cost()
    }

    /// Returns what detection says a text is, if it is hardly text in this encoding.
    fn looks_otherwise(&self, excerpt: &Excerpt<'_>, part: &[&[u8]]) -> Option<Readable> {
        let read = self.read(part);
        // Fast path: most texts are in the encoding that was named, and detection takes longer than converting a
        // megabyte.
        let doubt = self.doubt(&read)?;
        #[cfg(test)]
        DETECTED.set(DETECTED.get() + 1);
        let detection = Detector::new().detect(excerpt.bytes);
        let doubt = match doubt {
            Doubt::Order if excerpt.is_in_bytes() && detection.evidence != Evidence::Units => {
                Doubt::Width
            }
            doubt => doubt,
        };
        // With --fallback, ill-formed bytes are expected. Whether they are read in the right encoding is decided in
        // `fallback.rs`, which sees the whole text.
        if self.has_fallback && detection.encoding.has_ascii() {
            return None;
        }
        if !doubt.is_borne_out_by(&detection) || detection.encoding == self.encoding {
            return None;
        }
        let other = DecodedPart::of(detection.encoding, ByteOrder::Big, part);
        let repair = || {
            Readable::Other(match detection.of_lines() {
                Some(_) => Repair::of_lines(),
                None => Repair::from(detection.encoding),
            })
        };
        (other.text != read.text && doubt.is_settled(&read, &other)).then(repair)
    }

    /// Returns why a text may not be in this encoding, by its reading alone.
    ///
    /// In UTF-8, only characters with no place in a text (most of them ill-formed subsequences) raise a doubt, and
    /// unlikely letters do not: chance does not make well-formed text of anything else.
    ///
    /// Wide units always do. Any two bytes are a unit, and the reading of the other byte order may be as plausible.
    fn doubt(&self, read: &DecodedPart) -> Option<Doubt> {
        let is_strange = read.strange() * FEW > read.text.len();
        if self.is_like_utf8 {
            return match read.strange() {
                MIN_STRANGE.. if is_strange => Some(Doubt::Strange),
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

    /// Returns the byte order of a text that begins with `start`: that of its mark, or else the one of --endian.
    fn order_of(&self, start: &[u8]) -> ByteOrder {
        let mark = wide_mark(start).filter(|_| self.encoding.mark.gives_order());
        mark.and_then(|(_, scheme)| scheme.order).unwrap_or(self.order)
    }

    pub(super) fn read(&self, part: &[&[u8]]) -> DecodedPart {
        let [first, ..] = part else { return DecodedPart::default() };
        let mark = wide_mark(first).filter(|_| self.encoding.mark.gives_order());
        let mark = mark.map_or(0, |(mark, _)| mark.len());
        let order = self.order_of(first);
        if mark == 0 {
            DecodedPart::of(self.encoding, order, part)
        } else {
            DecodedPart::of(self.encoding, order, &[&first[mark..]])
        }
    }
}

/// Whether a conversion stops at the first ill-formed subsequence, so that nothing is written.
pub(super) fn stops_at_ill_formed(options: &Options) -> bool {
    options.substitution.on_ill_formed == OnIllFormed::Stop
        && options.substitution.fallback.is_none()
}
