//! Whether a text is readable as it is, and would no longer be after the conversion that the user asks for.
//!
//! ```text
//!         ┌─ as -f says ─────────────────────────────► the text that would be written
//!         │
//! bytes ──┼─ as UTF-8, if they are well-formed there ─► the text that they plainly are
//!         ├─ as -t writes text, if it writes these ───► the text before an earlier run
//!         └─ as detected, if the first is hardly text ─► the text that it looks like
//! ```
//!
//! Readings are compared in the lines in which they differ, as far as the encodings start over at a line: a text may be
//! plain for long. The text that would be written must be clearly likelier than the first of the others, and not clearly
//! less likely than the other two. If it has no sign of being anything but text, it must be far less likely before detection, which may be
//! wrong, contradicts who named an encoding: `benches/refusals` counts how often that refuses what is right. What an encoding does is found out by decoding and encoding with it, so no encoding is named here.

use crate::codec::{ByteOrder, DecodeStop, EncodeStop, MIN_OUTPUT, MIN_PIVOT};
use crate::detection::{Detection, Detector, Evidence, by_units, is_mostly_utf8};
use crate::diagnostic::Repair;
use crate::encoding::{Encoding, Marked, marked_otherwise, wide_mark};
use crate::language::{self, TellingPairs, UNIT};
use crate::transcode::{Conversion, InputEncoding, OnIllFormed, OnUnmappable};
use crate::unicode::CodePoint;

use super::eight_bit::{is_like_utf8, misreads_utf8};
use super::fallback::Instead;

/// Bytes whose readings are compared.
const PART: usize = 512;
/// Bytes of a line before the first one that matters.
const BEFORE: usize = 64;
/// The bits by which a reading is clearly likelier than another one.
const CLEAR: u32 = 8;
/// The same for each character that the two read differently, beyond ASCII and in it: a brace that is a letter is inside of
/// a word most of the time.
const CLEAR_EACH: u32 = 3;
/// What a pair of characters with one beyond ASCII costs at least on average in text of no language, in sixteenths of a bit.
const UNLIKELY: u32 = 7 * UNIT;
/// What it costs at most in text that is certain,
const LIKELY: u32 = 5 * UNIT + UNIT / 2;
/// and if it costs far less than in the other reading, in letters and in ideographs.
const USUAL_LETTER: u32 = 6 * UNIT + UNIT / 2;
const USUAL_IDEOGRAPH: u32 = 11 * UNIT;
/// How much is far less.
const FAR_EACH: u32 = 5 * UNIT;
/// The bits by which a reading is far likelier than another one.
const FAR: u32 = 48;
/// The confidence in percent that contradicts the encoding that was named.
const CERTAIN: u8 = 95;
/// Of this many characters, one may be a control or the like before the text is doubted.
const FEW: usize = 12;
/// Fewer ill-formed subsequences than this do not show that a text is not UTF-8.
const ENOUGH: usize = 6;

/// What a text is, which is not what it would be read as.
#[derive(Debug)]
pub(crate) enum Readable {
    /// UTF-8, or ASCII, which the encoding of the input reads as other text.
    Utf8 { is_ascii: bool },
    /// UTF-8 but for some bytes.
    NearlyUtf8 { ill_formed: u64, repair: Option<Repair> },
    /// Output of an earlier run.
    Target,
    /// Text with the byte order mark of another encoding.
    Marked(&'static Encoding),
    /// Text in another encoding.
    Other(Repair),
    /// Text whose ill-formed bytes are not those of `--fallback`.
    NotStray(Instead),
    /// Text in `of` with parts in another encoding.
    Parts { of: &'static Encoding, other: &'static Encoding },
}

/// The bytes of a file that are looked at.
#[derive(Debug)]
pub(crate) struct Look<'b> {
    /// The first ones.
    pub(crate) start: &'b [u8],
    /// Whether these are all of the file.
    pub(crate) is_whole: bool,
    /// Those that matter: the lines that they are in, or all from the first one on.
    pub(crate) bytes: &'b [u8],
    /// Whether these are the end of the file.
    pub(crate) is_end: bool,
    /// The last ones of a longer file, from a whole unit on.
    pub(crate) end: &'b [u8],
    /// Whether all of the file is well-formed UTF-8.
    pub(crate) is_utf8: bool,
    /// Whether all of the file is ASCII.
    pub(crate) is_ascii: bool,
}

impl<'b> Look<'b> {
    /// Looks at the start of a file, or all of it.
    pub(crate) fn at_start(bytes: &'b [u8], is_end: bool) -> Self {
        let is_utf8 = match std::str::from_utf8(bytes) {
            Ok(_) => true,
            // A character that the end of the sample cuts.
            Err(error) => !is_end && error.error_len().is_none(),
        };
        let is_ascii = bytes.is_ascii();
        Self { start: bytes, is_whole: is_end, bytes, is_end, end: &[], is_utf8, is_ascii }
    }

    /// Returns the encoding of parts in wide units that it has: four characters of ASCII in a row, with 00 before or after
    /// each.
    fn wide_parts(&self) -> Option<&'static Encoding> {
        const IN_A_ROW: usize = 4;
        let is_text =
            |byte: u8| byte >= 0x20 && byte.is_ascii() || matches!(byte, b'\t' | b'\n' | b'\r');
        let has = |width: usize, at: usize| {
            let is_unit = |unit: &[u8]| {
                is_text(unit[at]) && unit.iter().filter(|byte| **byte == 0).count() == width - 1
            };
            [self.start, self.end].iter().any(|bytes| {
                bytes.windows(IN_A_ROW * width).any(|units| units.chunks_exact(width).all(is_unit))
            })
        };
        if !self.start.contains(&0) && !self.end.contains(&0) {
            return None;
        }
        let wide = [(Encoding::UTF_16, 2), (Encoding::UTF_32, 4)].into_iter();
        wide.into_iter()
            .find(|(_, width)| has(*width, 0) || has(*width, width - 1))
            .map(|(wide, _)| wide)
    }
}

/// What a conversion does to readable text.
pub(crate) struct Readability {
    /// The encoding of the input; `None` if it is detected.
    from: Option<Requested>,
    /// What detects it.
    detector: Detector,
    /// Whether it is detected line by line.
    by_lines: bool,
    to: Option<Written>,
    /// Whether each line can be read and written by itself.
    has_lines: bool,
}

/// The encoding of the input.
struct Requested {
    encoding: &'static Encoding,
    order: ByteOrder,
    /// The ASCII characters that are other characters there.
    changed: AsciiSet,
    is_like_utf8: bool,
    misreads_utf8: bool,
    /// Whether the conversion stops at the first ill-formed subsequence, so that nothing is written.
    is_strict: bool,
    has_fallback: bool,
}

/// The encoding of the output, if it is not UTF-8.
struct Written {
    encoding: &'static Encoding,
    order: ByteOrder,
    /// The ASCII characters that do not stand for themselves there.
    special: AsciiSet,
    /// Whether the encoding of the input is detected, so that it may be wrong.
    is_detected: bool,
    /// Whether the conversion goes on after what is ill-formed, and after what is unmappable.
    allows_ill_formed: bool,
    allows_unmappable: bool,
}

impl Readability {
    pub(crate) fn new(conversion: &Conversion) -> Self {
        let options = conversion.options();
        let is_strict = options.on_ill_formed == OnIllFormed::Stop && options.fallback.is_none();
        let from = match conversion.from() {
            InputEncoding::Named(encoding) => Some(Requested {
                encoding,
                order: options.byte_order,
                changed: changed(encoding, is_strict),
                is_like_utf8: is_like_utf8(encoding),
                misreads_utf8: misreads_utf8(encoding) || !is_strict,
                is_strict,
                has_fallback: options.fallback.is_some(),
            }),
            InputEncoding::Detected(_) | InputEncoding::Lines(_) => None,
        };
        let (detector, by_lines) = match conversion.from() {
            InputEncoding::Named(_) => (Detector::new(), false),
            InputEncoding::Detected(detector) => (detector, false),
            InputEncoding::Lines(detector) => (detector, true),
        };
        let to = conversion.to().filter(|to| *to != Encoding::UTF_8).map(|encoding| Written {
            encoding,
            order: ByteOrder::Little,
            special: AsciiSet::of(|byte| alone(encoding, byte) != Alone::Itself),
            is_detected: from.is_none(),
            allows_ill_formed: !is_strict,
            allows_unmappable: options.on_unmappable != OnUnmappable::Stop,
        });
        let has_lines = from.as_ref().is_none_or(|from| starts_over_at_lines(from.encoding))
            && to.as_ref().is_none_or(|to| starts_over_at_lines(to.encoding));
        Self { from, detector, by_lines, to, has_lines }
    }

    /// Whether a byte may tell that the text is something else.
    pub(crate) fn matters(&self, byte: u8) -> bool {
        self.matters_as_input(byte) || self.to.as_ref().is_some_and(|to| to.special.has(byte))
    }

    fn matters_as_input(&self, byte: u8) -> bool {
        !byte.is_ascii() || self.from.as_ref().is_some_and(|from| from.changed.has(byte))
    }

    /// Whether each line of a text can be judged by itself.
    pub(crate) const fn has_lines(&self) -> bool {
        self.has_lines
    }

    /// Whether a line, in which a byte matters, may tell that the text is something else. For the output's encoding, a
    /// backslash that escapes nothing, such as one in a path, does not.
    pub(crate) fn tells(&self, line: &[u8]) -> bool {
        line.iter().any(|byte| self.matters_as_input(*byte))
            || self.to.as_ref().is_some_and(|to| {
                let from = self.from.as_ref().map_or(Encoding::UTF_8, |from| from.encoding);
                to.differs(line, from, ByteOrder::Big) || !to.is_of(&[line], false)
            })
    }

    /// Whether the last bytes of a file tell something too: in UTF-8, what is wrong there is ill-formed.
    pub(crate) fn asks_for_end(&self) -> bool {
        self.from.as_ref().is_none_or(|from| !(from.is_strict && from.is_like_utf8))
    }

    /// Whether a file that is all ASCII may be something else.
    pub(crate) fn is_about_ascii(&self) -> bool {
        self.from.as_ref().is_some_and(|from| !from.changed.is_empty())
            || self.to.as_ref().is_some_and(|to| !to.special.is_empty())
    }

    /// Whether text in UTF-8 beyond ASCII is other text as what is read, whatever its letters are.
    pub(crate) fn misreads_all_utf8(&self) -> bool {
        self.from.as_ref().is_some_and(|from| from.encoding.unit() == 1 && from.misreads_utf8)
    }

    /// Whether it matters that all of a file is UTF-8.
    pub(crate) fn asks_for_utf8(&self) -> bool {
        self.from.as_ref().is_some_and(|from| !from.is_like_utf8)
    }

    /// Whether the input is said to be UTF-8 or a relative of it.
    pub(crate) fn expects_utf8(&self) -> bool {
        self.from.as_ref().is_some_and(|from| from.is_like_utf8)
    }

    /// Whether a part of a text that is not well-formed as a whole is UTF-8 for the most part, and would be other text. By
    /// chance, legacy text is UTF-8 here and there, but is likelier text as what it is then.
    pub(crate) fn misreads_nearly_utf8(&self, look: &Look<'_>) -> bool {
        self.from.as_ref().is_some_and(|from| {
            let may_be = !look.is_utf8 && !from.is_like_utf8 && !from.has_fallback;
            may_be
                && (from.misreads_utf8 || from.encoding.unit() > 1)
                && is_mostly_utf8(look.bytes)
                && {
                    let part = self.part(look);
                    let plain = Reading::of(Encoding::UTF_8, ByteOrder::Big, &part);
                    plain.cost() < from.read(&part).cost()
                }
        })
    }

    /// Returns what a text is, if the conversion would make it unreadable.
    pub(crate) fn judge(&self, look: &Look<'_>) -> Option<Readable> {
        let as_input = match &self.from {
            Some(from) => from.judge(look, &self.part(look)),
            None => self.judge_detected(look),
        };
        as_input.or_else(|| self.is_written(look).then_some(Readable::Target))
    }

    /// Returns the same for a text whose encoding is detected.
    fn judge_detected(&self, look: &Look<'_>) -> Option<Readable> {
        let Some(scheme) = wide_scheme(look.start) else {
            let other = look.wide_parts().filter(|_| self.by_lines)?;
            return Some(Readable::Parts { of: Encoding::UTF_8, other });
        };
        let order = scheme.order.unwrap_or(ByteOrder::Big);
        if [look.start, look.end].iter().any(|bytes| has_parts_in_utf8(bytes, scheme, order)) {
            return Some(Readable::Parts { of: scheme, other: Encoding::UTF_8 });
        }
        // A line feed is no line end in wide units.
        self.by_lines.then(|| match wide_mark(look.start) {
            Some((_, scheme)) => Readable::Marked(scheme),
            None => Readable::Other(Repair::from(scheme)),
        })
    }

    /// Whether a text is output of an earlier run.
    fn is_written(&self, look: &Look<'_>) -> bool {
        let Some(to) = &self.to else { return false };
        let (from, order) = match &self.from {
            Some(from) => (from.encoding, from.order),
            None if look.is_utf8 => (Encoding::UTF_8, ByteOrder::Big),
            // What is not its output is not looked at any further.
            None if !to.is_of(&self.part(look), look.is_end) => return false,
            None => (self.detector.detect(look.bytes).encoding, ByteOrder::Big),
        };
        // No byte changes where text stays in its encoding.
        from != to.encoding
            && to.has_written(
                &self.part_that_differs(look, to, from, order),
                from,
                order,
                look.is_end,
            )
    }

    /// Returns the part of the bytes whose readings are compared: the lines with bytes that matter.
    fn part<'b>(&self, look: &Look<'b>) -> Vec<&'b [u8]> {
        self.lines_that(look, |_| true)
    }

    /// Returns the part of the bytes in which the output of an earlier run would be another text, or none if something in
    /// them is not such output.
    fn part_that_differs<'b>(
        &self,
        look: &Look<'b>,
        to: &Written,
        from: &'static Encoding,
        order: ByteOrder,
    ) -> Vec<&'b [u8]> {
        let mut is_output = true;
        let part = self.lines_that(look, |line| {
            is_output &= to.is_of(&[line], false);
            is_output && to.differs(line, from, order)
        });
        if is_output { part } else { Vec::new() }
    }

    /// Returns lines with bytes that matter and that `tell` something, as many as are compared. A long line is cut. If lines
    /// mean nothing, they are all from the first byte that matters on.
    fn lines_that<'b>(
        &self,
        look: &Look<'b>,
        mut tells: impl FnMut(&[u8]) -> bool,
    ) -> Vec<&'b [u8]> {
        let is_wide = |encoding: &Encoding| encoding.unit() > 1;
        let wide = self.from.as_ref().is_some_and(|from| is_wide(from.encoding))
            || self.to.as_ref().is_some_and(|to| is_wide(to.encoding));
        let first = |bytes: &[u8]| bytes.iter().position(|byte| self.matters(*byte));
        let bytes = look.bytes;
        if !self.has_lines || first(bytes).is_none() {
            // Wide units are counted from the start.
            let first = if wide { 0 } else { first(bytes).unwrap_or(0) };
            let start = &bytes[first.saturating_sub(BEFORE)..];
            return vec![&start[..start.len().min(PART)]];
        }
        let (mut lines, mut len) = (Vec::new(), 0);
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let Some(first) = first(line) else { continue };
            let line = &line[first.saturating_sub(BEFORE)..];
            let line = &line[..line.len().min(PART)];
            if len + line.len() > PART {
                break;
            }
            if tells(line) {
                lines.push(line);
                len += line.len();
            }
        }
        lines
    }
}

impl Requested {
    fn judge(&self, look: &Look<'_>, part: &[&[u8]]) -> Option<Readable> {
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
            if [look.start, look.end].iter().any(|bytes| has_parts_in_utf8(bytes, of, order)) {
                return Some(Readable::Parts { of, other: Encoding::UTF_8 });
            }
        }
        self.looks_otherwise(look, part).or_else(|| {
            let other = look.wide_parts().filter(|_| !is_wide)?;
            Some(Readable::Parts { of, other })
        })
    }

    /// Whether text in UTF-8 would be other text.
    fn changes(&self, look: &Look<'_>, part: &[&[u8]]) -> bool {
        if self.encoding.unit() > 1 {
            return !look.bytes.is_empty() && !self.is_clearly_likelier(part);
        }
        if !look.is_ascii {
            return self.misreads_utf8 && !self.is_utf8_by_chance(part);
        }
        part.iter().copied().flatten().any(|byte| self.changed.has(*byte))
            && !self.is_clearly_likelier(part)
    }

    /// Whether a part is hardly text as UTF-8, and is clearly likelier as what it would be read as: in EBCDIC's codes of two
    /// bytes, a few letters with shifts around them may be well-formed UTF-8.
    fn is_utf8_by_chance(&self, part: &[&[u8]]) -> bool {
        let plain = Reading::of(Encoding::UTF_8, ByteOrder::Big, part);
        plain.strange() * FEW > plain.text.len() && self.is_clearly_likelier(part)
    }

    /// Whether a part of UTF-8 is clearly likelier text as what it would be read as.
    fn is_clearly_likelier(&self, part: &[&[u8]]) -> bool {
        let (read, plain) = (self.read(part), Reading::of(Encoding::UTF_8, ByteOrder::Big, part));
        let changed =
            part.iter().copied().flatten().filter(|byte| self.changed.has(**byte)).count() as u32;
        let clear = if self.encoding.unit() > 1 { 0 } else { CLEAR + CLEAR_EACH * changed };
        read.cost() + clear < plain.cost()
    }

    /// Returns what a text looks like, if what it would be read as is hardly text.
    fn looks_otherwise(&self, look: &Look<'_>, part: &[&[u8]]) -> Option<Readable> {
        let read = self.read(part);
        let doubt = self.doubt(&read)?;
        let detection = Detector::new().detect(look.bytes);
        // Whether stray bytes are read by the right fallback, the judge of hints says, which sees the whole text.
        let has_ascii = |encoding| alone(encoding, b'a') == Alone::Itself;
        if self.has_fallback && has_ascii(detection.encoding) {
            return None;
        }
        if !doubt.is_borne_out_by(&detection) || detection.encoding == self.encoding {
            return None;
        }
        let other = Reading::of(detection.encoding, ByteOrder::Big, part);
        let repair = || Readable::Other(Repair::from(detection.encoding));
        (other.text != read.text && doubt.is_settled(&read, &other)).then(repair)
    }

    /// Returns why a reading may not be what the text is. What is wrong with UTF-8 is ill-formed.
    fn doubt(&self, read: &Reading) -> Option<Doubt> {
        let is_strange = read.strange() * FEW > read.text.len();
        if self.is_like_utf8 {
            return (is_strange && read.strange() >= ENOUGH).then_some(Doubt::Strange);
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

    fn read(&self, part: &[&[u8]]) -> Reading {
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

/// Why a reading may not be what a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Doubt {
    /// Many of its characters have no place in a text.
    Strange,
    /// Its units may be in the other byte order.
    Order,
    /// Its letters are those of no language. Who names an encoding may know a language that no model does, so what the text is
    /// instead must be certain.
    Unlikely,
}

impl Doubt {
    fn is_borne_out_by(self, detection: &Detection) -> bool {
        let is_text = !matches!(detection.evidence, Evidence::Ascii | Evidence::Binary);
        is_text
            && detection.is_enough()
            && match self {
                Self::Strange => true,
                Self::Order => detection.evidence == Evidence::Units,
                Self::Unlikely => detection.confidence >= CERTAIN,
            }
    }

    /// Whether `other` is clearly likelier text than `read`.
    fn is_settled(self, read: &Reading, other: &Reading) -> bool {
        let ahead = read.cost().saturating_sub(other.cost());
        if self != Self::Unlikely {
            return ahead > CLEAR;
        }
        let (unlikely, likely) = (TellingPairs::of(&read.text), TellingPairs::of(&other.text));
        // A few signs of an EBCDIC in a text that is ASCII otherwise say nothing of its letters.
        if likely.are_ascii() && 2 * unlikely.count() < read.text.len() {
            return false;
        }
        let most = if likely.are_ideographic() { USUAL_IDEOGRAPH } else { USUAL_LETTER };
        let mean = likely.mean_cost();
        let is_likely = mean < LIKELY || mean < most && unlikely.mean_cost() >= mean + FAR_EACH;
        ahead > FAR && is_likely
    }
}

impl Written {
    /// Whether a part of a file, which is read as another text in `from`, is in this encoding already, written by the same
    /// encoder, and clearly likelier text there.
    fn has_written(
        &self,
        part: &[&[u8]],
        from: &'static Encoding,
        order: ByteOrder,
        whole: bool,
    ) -> bool {
        let text = Reading::of(self.encoding, self.order, part);
        let read = Reading::of(from, order, part);
        if text.text == read.text || !self.is_of(part, whole) {
            return false;
        }
        // What would be replaced or escaped is a sign of it: so is a control that this encoding does not have, because it may
        // begin an escape there.
        let errors = if self.allows_ill_formed { read.errors } else { 0 };
        let others = if self.allows_unmappable { self.unmappable(&read.text) } else { Vec::new() };
        let lost = errors + others.iter().filter(|cp| **cp < 0x20).count();
        let is_doubtful = self.is_detected || lost > 0 || !others.is_empty();
        let clear = if is_doubtful { 0 } else { CLEAR };
        text.cost() + clear < read.cost() + CLEAR * lost as u32
    }

    /// Whether a line is another text in this encoding than in `from`.
    fn differs(&self, line: &[u8], from: &'static Encoding, order: ByteOrder) -> bool {
        let part = &[line];
        Reading::of(self.encoding, self.order, part).text != Reading::of(from, order, part).text
    }

    /// Whether a part of a file is what the encoder of this encoding writes.
    fn is_of(&self, part: &[&[u8]], whole: bool) -> bool {
        part.iter().all(|line| {
            let text = Reading::of(self.encoding, self.order, &[line]);
            text.errors == 0 && self.writes(&text.text, line, whole)
        })
    }

    /// Returns the characters of a text that are not in this encoding.
    fn unmappable(&self, text: &[CodePoint]) -> Vec<CodePoint> {
        let mut encoder = self.encoding.new_encoder(self.order);
        let mut is = |cp: &CodePoint| {
            encoder.encode(&[*cp], &mut [0; 2 * MIN_OUTPUT]).stop == EncodeStop::Unmappable
        };
        text.iter().copied().filter(|cp| *cp != Reading::ERROR && is(cp)).collect()
    }

    /// Whether `text` is written as `bytes`, whose end may be cut.
    fn writes(&self, text: &[CodePoint], bytes: &[u8], whole: bool) -> bool {
        let mut encoder = self.encoding.new_encoder(self.order);
        let mut room = vec![0; MIN_OUTPUT * (text.len() + 1)];
        let (mut read, mut written) = (0, 0);
        loop {
            let encoded = encoder.encode(&text[read..], &mut room[written..]);
            read += encoded.read;
            written += encoded.written;
            match encoded.stop {
                EncodeStop::InputEmpty => break,
                EncodeStop::OutputFull if encoded.read > 0 => {}
                EncodeStop::OutputFull | EncodeStop::Unmappable => return false,
            }
        }
        if whole && room.len() - written >= MIN_OUTPUT {
            written += encoder.finish(&mut room[written..]);
        }
        bytes.starts_with(&room[..written]) && bytes.len() - written < MIN_OUTPUT
    }
}

/// What some bytes say in an encoding.
#[derive(Default)]
struct Reading {
    text: Vec<CodePoint>,
    errors: usize,
}

impl Reading {
    /// Stands for what is ill-formed.
    const ERROR: CodePoint = 0xFFFF;

    /// Reads a part of a text, each of whose pieces begins as a text does. Their ends may be cut.
    fn of(encoding: &Encoding, order: ByteOrder, part: &[&[u8]]) -> Self {
        let mut reading = Self::default();
        for piece in part {
            reading.add(encoding, order, piece);
        }
        reading
    }

    fn add(&mut self, encoding: &Encoding, order: ByteOrder, bytes: &[u8]) {
        let mut decoder = encoding.new_decoder(order);
        let mut pivot = [0; 64 * MIN_PIVOT];
        let mut at = 0;
        loop {
            let decoded = decoder.decode(&bytes[at..], &mut pivot, false);
            at += decoded.read;
            self.text.extend_from_slice(&pivot[..decoded.written]);
            at += match decoded.stop {
                DecodeStop::OutputFull => continue,
                DecodeStop::InputEmpty => return,
                DecodeStop::IllFormed(ill_formed) => ill_formed.len,
                DecodeStop::Large { len, .. } => len,
            };
            self.text.push(Self::ERROR);
            self.errors += 1;
        }
    }

    fn cost(&self) -> u32 {
        language::cost(&self.text)
    }

    /// Returns how many of its characters have no place in a text.
    fn strange(&self) -> usize {
        self.text.iter().filter(|cp| **cp == Self::ERROR || language::is_foreign(**cp)).count()
    }
}

/// Returns the scheme of a text in wide units, as detection sees it by a mark or by the units.
fn wide_scheme(start: &[u8]) -> Option<&'static Encoding> {
    wide_mark(start).map(|(_, scheme)| scheme).or_else(|| by_units(start))
}

/// Whether a text in wide units, or the end of one, has parts in UTF-8: bytes without 00 that are clearly likelier text there.
fn has_parts_in_utf8(bytes: &[u8], wide: &Encoding, order: ByteOrder) -> bool {
    /// Shorter parts are units by chance.
    const SHORTEST: usize = 4;
    /// The most parts that are looked at.
    const MOST: usize = 64;

    let unit = wide.unit();
    let is_text = |byte: u8| byte >= 0x20 || matches!(byte, b'\t' | b'\n' | b'\r' | 0x0C | 0x1B);
    let mut at = 0;
    let parts = bytes.split_inclusive(|byte| !is_text(*byte)).filter_map(|part| {
        let start = at;
        at += part.len();
        let len = part.len() - usize::from(part.last().is_some_and(|byte| !is_text(*byte)));
        let first = start.next_multiple_of(unit);
        bytes[..start + len].get(first..).filter(|part| part.len() >= SHORTEST)
    });
    // Units of one script have the same first byte, which may be one of ASCII: 2D in Tifinagh.
    let is_script = |part: &[u8]| {
        let is_same = |at| part.chunks_exact(unit).all(|bytes| bytes[at] == part[at]);
        (0..unit).any(is_same)
    };
    let parts = parts.filter(|part| std::str::from_utf8(part).is_ok() && !is_script(part));
    let mut parts = parts.take(MOST);
    parts.any(|part| {
        let part = &part[..part.len().min(PART)];
        let plain = Reading::of(Encoding::UTF_8, ByteOrder::Big, &[part]);
        plain.cost() + CLEAR < Reading::of(wide, order, &[part]).cost()
    })
}

/// A set of ASCII characters.
#[derive(Clone, Copy, Debug)]
struct AsciiSet(u128);

impl AsciiSet {
    fn of(has: impl Fn(u8) -> bool) -> Self {
        Self((0..0x80).filter(|byte| has(*byte)).fold(0, |set, byte| set | 1 << byte))
    }

    const fn is_empty(self) -> bool {
        self.0 == 0
    }

    const fn has(self, byte: u8) -> bool {
        byte < 0x80 && self.0 >> byte & 1 != 0
    }
}

/// Whether each line of a text in an encoding begins as a text does, as far as the encoder tells: there is no state that a
/// line end leaves, and no line feed within a character.
fn starts_over_at_lines(encoding: &'static Encoding) -> bool {
    const LETTERS: [char; 10] = ['a', 'é', 'ж', 'α', 'א', 'ع', 'ก', '中', 'あ', '한'];
    if encoding.unit() > 1 || alone(encoding, b'\n') != Alone::Itself {
        return false;
    }
    encoding.single_byte
        || LETTERS.iter().all(|letter| {
            let line = [CodePoint::from(*letter), CodePoint::from('\n')];
            let written = |text: &[CodePoint]| {
                let mut room = [0; 8 * MIN_OUTPUT];
                let mut encoder = encoding.new_encoder(ByteOrder::Big);
                let encoded = encoder.encode(text, &mut room);
                room[..encoded.written].to_vec()
            };
            written(&[line, line].concat()) == written(&line).repeat(2)
        })
}

/// What a byte of ASCII is in an encoding if nothing else is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Alone {
    /// Its character of ASCII.
    Itself,
    /// The start of something, such as an escape.
    Start,
    /// Another character.
    Other,
    IllFormed,
}

fn alone(encoding: &Encoding, byte: u8) -> Alone {
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
            Alone::Start
        }
        DecodeStop::InputEmpty if end.written == 1 && pivot[0] == CodePoint::from(byte) => {
            Alone::Itself
        }
        DecodeStop::InputEmpty if end.written == 0 => Alone::Start,
        DecodeStop::IllFormed(_) if open.stop == DecodeStop::InputEmpty => Alone::Start,
        DecodeStop::IllFormed(_) => Alone::IllFormed,
        _ => Alone::Other,
    }
}

/// Returns the printable ASCII characters and line ends that are other text in an encoding. An escape is not one of them:
/// text with escapes is ASCII by nature. But no letter or digit is one.
fn changed(encoding: &Encoding, is_strict: bool) -> AsciiSet {
    if encoding.unit() > 1 {
        return AsciiSet::of(|_| true);
    }
    AsciiSet::of(|byte| {
        let is_of_text = matches!(byte, b'\t' | b'\n' | b'\r' | 0x20..=0x7E);
        is_of_text
            && match alone(encoding, byte) {
                Alone::Itself => false,
                Alone::Start => byte.is_ascii_alphanumeric(),
                Alone::Other => true,
                Alone::IllFormed => !is_strict,
            }
    })
}
