//! Whether a text is readable as it is, and would no longer be after the requested conversion.
//!
//! ```text
//!         ┌─ as -f says ─────────────────────────────► the text that would be written
//!         │
//! bytes ──┼─ as UTF-8, if they are well-formed there ─► the text that they plainly are          (requested.rs)
//!         ├─ as -t writes text, if it writes these ───► the text before an earlier run          (earlier_output.rs)
//!         └─ as detected, if the first is hardly text ─► the text that it looks like            (doubt.rs)
//! ```
//!
//! The readings are compared by their cost in bits under the language models of `oxiconv_detect`. The text that would
//! be written must be clearly more plausible than the first alternative, because well-formed UTF-8 is hardly ever
//! chance. For the other two the burden of proof is on the alternative: the user named an encoding, and probably knows.
//!
//! If both encodings start over at each line, only the lines in which the readings differ are compared. A log may be
//! plain ASCII for megabytes before the first line that proves anything. From a long file, the caller picks these
//! lines.
//!
//! No encoding is mentioned by name here. What an encoding makes of ASCII is found out by decoding and encoding with it
//! (`ascii_probe.rs`), so a new row in the registry needs no new rule. `tests/public_reports/in_place.rs` tries all of
//! them.

mod ascii_probe;
mod decoded_part;
mod doubt;
mod earlier_output;
mod excerpt;
mod lines_in_utf8;
mod readable;
mod requested;
mod wide_parts;

use oxiconv_detect::detection::{Detector, Evidence, LineDetector, is_mostly_utf8};
use oxiconv_encodings::codec::ByteOrder;
use oxiconv_encodings::encoding::{Encoding, wide_mark};
use oxiconv_report::Repair;
use oxiconv_transcode::{Conversion, InputEncoding};

use ascii_probe::starts_over_at_lines;
use decoded_part::{DecodedPart, PART};
use earlier_output::EarlierOutput;
use requested::Requested;
use wide_parts::{PartsInUtf8, wide_scheme};

pub(crate) use excerpt::Excerpt;
pub(crate) use lines_in_utf8::LinesInUtf8;
pub(crate) use readable::Readable;

/// How much of a line is kept before its first byte that matters, in bytes.
const BEFORE: usize = 64;

/// The two encodings of a conversion, with what each makes of text that is readable already.
pub(crate) struct Readability {
    /// `None` if the encoding of the input is detected.
    from: Option<Requested>,
    detector: Detector,
    /// Whether the encoding is detected line by line (`-f auto-lines`).
    by_lines: bool,
    to: Option<EarlierOutput>,
    /// Whether both encodings start over at each line, so that lines can be judged one by one.
    has_lines: bool,
}

impl Readability {
    pub(crate) fn new(conversion: &Conversion) -> Self {
        let options = conversion.options();
        let from = match conversion.from() {
            InputEncoding::Named(encoding) => Some(Requested::new(encoding, options)),
            _ => None,
        };
        let (detector, by_lines) = match conversion.from() {
            InputEncoding::Detected(detector) => (detector, false),
            InputEncoding::Lines(detector) => (detector, true),
            _ => (Detector::new(), false),
        };
        let to = conversion.to().filter(|to| *to != Encoding::UTF_8);
        let to = to.map(|encoding| EarlierOutput::new(encoding, conversion, from.is_none()));
        let has_lines = from.as_ref().is_none_or(|from| starts_over_at_lines(from.encoding))
            && to.as_ref().is_none_or(|to| starts_over_at_lines(to.encoding));
        Self { from, detector, by_lines, to, has_lines }
    }

    /// Whether a byte may be evidence that the text is something else. Bytes that do not matter are plain in every
    /// reading, so a search can skip them.
    pub(crate) fn matters(&self, byte: u8) -> bool {
        self.matters_as_input(byte) || self.to.as_ref().is_some_and(|to| to.special.has(byte))
    }

    /// Like [`Self::matters`], for the encoding of the input alone.
    pub(crate) fn matters_as_input(&self, byte: u8) -> bool {
        !byte.is_ascii() || self.from.as_ref().is_some_and(|from| from.changed.has(byte))
    }

    pub(crate) const fn has_lines(&self) -> bool {
        self.has_lines
    }

    /// Whether a line that contains a byte that matters is evidence at all.
    ///
    /// Any byte that matters as input is. For the output encoding, the byte alone is not enough: with `-t java`, a
    /// backslash is special, but the one in `C:\dir` escapes nothing and reads the same either way.
    pub(crate) fn tells(&self, line: &[u8]) -> bool {
        line.iter().any(|byte| self.matters_as_input(*byte))
            || self.to.as_ref().is_some_and(|to| {
                let from = self.from.as_ref().map_or(Encoding::UTF_8, |from| from.encoding);
                to.differs(line, from, ByteOrder::Big) || !to.is_of(&[line])
            })
    }

    /// Whether the end of a long file must be examined too. For strict UTF-8 it need not: anything else at the end is
    /// ill-formed, and stops the conversion.
    pub(crate) fn asks_for_end(&self) -> bool {
        self.from.as_ref().is_none_or(|from| !(from.is_strict && from.is_like_utf8))
    }

    /// Whether a file that is all ASCII may read differently in one of the encodings.
    pub(crate) fn is_about_ascii(&self) -> bool {
        self.from.as_ref().is_some_and(|from| !from.changed.is_empty())
            || self.to.as_ref().is_some_and(|to| !to.special.is_empty())
    }

    /// Whether any non-ASCII text in UTF-8 would be misread, whatever its letters are.
    pub(crate) fn misreads_all_utf8(&self) -> bool {
        self.from.as_ref().is_some_and(|from| from.encoding.unit() == 1 && from.misreads_utf8)
    }

    /// Whether the judgement depends on whether the whole file is well-formed UTF-8.
    pub(crate) fn asks_for_utf8(&self) -> bool {
        self.from.as_ref().is_some_and(|from| !from.is_like_utf8)
    }

    /// Whether the user named UTF-8, or an encoding that accepts all of it.
    pub(crate) fn expects_utf8(&self) -> bool {
        self.from.as_ref().is_some_and(|from| from.is_like_utf8)
    }

    /// Whether a text that is not well-formed as a whole is UTF-8 for the most part, and would be misread.
    ///
    /// Legacy text contains well-formed UTF-8 by chance here and there. So the share of UTF-8 is not enough: the part
    /// must also be more plausible text as UTF-8.
    pub(crate) fn misreads_nearly_utf8(&self, excerpt: &Excerpt<'_>) -> bool {
        self.from.as_ref().is_some_and(|from| {
            let may_be = !excerpt.is_utf8 && !from.is_like_utf8 && !from.has_fallback;
            may_be
                && (from.misreads_utf8 || from.encoding.unit() > 1)
                && is_mostly_utf8(excerpt.bytes)
                && {
                    let part = self.part(excerpt);
                    let plain = DecodedPart::of(Encoding::UTF_8, ByteOrder::Big, &part);
                    plain.cost() < from.read(&part).cost()
                }
        })
    }

    /// Whether lines in UTF-8 would be misread. `-f auto-lines` and `--fallback` read them as UTF-8 anyway.
    pub(crate) fn misreads_lines(&self) -> bool {
        match &self.from {
            Some(from) => !from.is_like_utf8 && from.encoding.unit() == 1 && !from.has_fallback,
            None => !self.by_lines,
        }
    }

    /// Returns the encoding that all lines of a file are read in. `start` is the file from its first non-ASCII byte on.
    ///
    /// Returns `None` if the encoding is detected, unless letters or a declaration tell it with enough confidence and
    /// it has no wide units.
    pub(crate) fn encoding_of_lines(&self, start: &[u8]) -> Option<&'static Encoding> {
        match &self.from {
            Some(from) => Some(from.encoding),
            None => {
                let detection = self.detector.detect(start);
                let is_read = detection.is_enough() && detection.encoding.unit() == 1;
                let is_other =
                    matches!(detection.evidence, Evidence::Letters | Evidence::Declaration);
                (is_read && is_other).then_some(detection.encoding)
            }
        }
    }

    /// Whether a text that is not well-formed UTF-8 is mostly ASCII, and this ASCII would be misread.
    pub(crate) fn misreads_ascii(&self, excerpt: &Excerpt<'_>) -> bool {
        self.from.as_ref().is_some_and(|from| !excerpt.is_utf8 && from.misreads_ascii(excerpt))
    }

    /// Returns what a text really is, if the conversion would make it unreadable.
    pub(crate) fn judge(&self, excerpt: &Excerpt<'_>) -> Option<Readable> {
        let as_input = match &self.from {
            Some(from) => from.judge(excerpt, &self.part(excerpt)),
            None => self.judge_detected(excerpt),
        };
        match as_input {
            // The output of an earlier run looks like another encoding too, namely like the target. "Converted already"
            // is the better message, so it replaces that finding, but none of the more specific ones.
            None | Some(Readable::Other(_)) if self.is_written(excerpt) => Some(Readable::Target),
            as_input => as_input,
        }
    }

    /// Returns a search for parts in UTF-8 in a text that begins with `start`, if the text would be read in wide units.
    pub(crate) fn parts_in_utf8(&self, start: &[u8]) -> Option<PartsInUtf8> {
        let Some(from) = &self.from else {
            let wide = wide_scheme(start)?;
            let order = wide.order.unwrap_or(ByteOrder::Big);
            return Some(PartsInUtf8::new(wide, order));
        };
        from.parts_in_utf8(start)
    }

    /// The same if the encoding of the input is detected. Then only texts are left to find that detection cannot
    /// handle: a mix of wide units and bytes, and under `-f auto-lines` any text without lines of bytes.
    fn judge_detected(&self, excerpt: &Excerpt<'_>) -> Option<Readable> {
        let Some(scheme) = wide_scheme(excerpt.start) else {
            let other = excerpt.wide_parts().filter(|_| self.by_lines);
            return match other {
                Some(other) => Some(Readable::Parts { of: Encoding::UTF_8, other }),
                None => self.in_ebcdic(excerpt).map(|of| Readable::Other(Repair::from(of))),
            };
        };
        let order = scheme.order.unwrap_or(ByteOrder::Big);
        if excerpt.has_parts_in_utf8(scheme, order) {
            return Some(Readable::Parts { of: scheme, other: Encoding::UTF_8 });
        }
        // In wide units a byte 0A is no line end (U+0A05, U+4E0A), so lines cannot be detected one by one.
        self.by_lines.then(|| match wide_mark(excerpt.start) {
            Some((_, scheme)) => Readable::Marked(scheme),
            None => Readable::Other(Repair::from(scheme)),
        })
    }

    /// Returns the EBCDIC of a text that would be detected line by line. Line by line, EBCDIC is never considered, so
    /// such a text would be read as something else; a line of it once became Korean.
    fn in_ebcdic(&self, excerpt: &Excerpt<'_>) -> Option<&'static Encoding> {
        /// In percent.
        const CERTAIN: u8 = 90;
        if !self.by_lines || excerpt.is_utf8 {
            return None;
        }
        let detection = self.detector.ebcdic(excerpt.bytes)?;
        (detection.confidence >= CERTAIN).then_some(detection.encoding)
    }

    /// Whether a text is the output of an earlier run.
    fn is_written(&self, excerpt: &Excerpt<'_>) -> bool {
        let Some(to) = &self.to else { return false };
        let (from, order) = match &self.from {
            Some(from) => (from.encoding, from.order),
            None if excerpt.is_utf8 => (Encoding::UTF_8, ByteOrder::Big),
            // The cheap test first: the target's encoder could not have written this, so detection need not run.
            None if !to.is_of(&self.part(excerpt)) => return false,
            None => {
                let detection = self.detector.detect(excerpt.bytes);
                // A run writes one encoding, so lines in several are no output of one.
                if detection.of_lines().is_some() {
                    return false;
                }
                (detection.encoding, ByteOrder::Big)
            }
        };
        // From an encoding into itself no byte changes, unless lines are detected one by one: one of them may be taken
        // for another encoding.
        if from == to.encoding {
            return self.by_lines && self.reads_a_line_otherwise(excerpt, to);
        }
        to.has_written(&self.part_that_differs(excerpt, to, from, order), from, order)
    }

    /// Whether detection of single lines would misread one, although the text as a whole is in the output encoding.
    fn reads_a_line_otherwise(&self, excerpt: &Excerpt<'_>, to: &EarlierOutput) -> bool {
        let mut lines = LineDetector::default();
        self.part(excerpt).into_iter().any(|line| {
            let Some(start) = line.iter().position(|byte| !byte.is_ascii()) else { return false };
            let (before, rest) = line.split_at(start);
            let encoding = match std::str::from_utf8(rest) {
                Ok(_) => Some(Encoding::UTF_8),
                Err(_) => lines.judge(before, rest),
            };
            encoding.is_some_and(|encoding| to.differs(line, encoding, ByteOrder::Big))
        })
    }

    /// Returns the lines whose readings are compared: those with bytes that matter.
    fn part<'b>(&self, excerpt: &Excerpt<'b>) -> Vec<&'b [u8]> {
        let is_wide = self.from.as_ref().is_some_and(|from| from.encoding.unit() > 1);
        let is_input = self.from.is_some();
        let matters =
            |byte| if is_input { self.matters_as_input(byte) } else { self.matters(byte) };
        self.lines_that(excerpt, is_wide, matters, |_| true)
    }

    /// Returns the lines in which output of an earlier run would be misread. Returns nothing if any line that was
    /// examined cannot be such output: one line that the encoder would not write refutes the whole.
    fn part_that_differs<'b>(
        &self,
        excerpt: &Excerpt<'b>,
        to: &EarlierOutput,
        from: &'static Encoding,
        order: ByteOrder,
    ) -> Vec<&'b [u8]> {
        let mut is_output = true;
        let is_wide = from.unit() > 1 || to.encoding.unit() > 1;
        let part = self.lines_that(
            excerpt,
            is_wide,
            |byte| self.matters(byte),
            |line| {
                is_output &= to.is_of(&[line]);
                is_output && to.differs(line, from, order)
            },
        );
        if is_output { part } else { Vec::new() }
    }

    /// Collects up to [`PART`] bytes of lines that contain a byte that `matters` and that `tells` accepts. Each is
    /// truncated to [`PART`] bytes, and starts at most [`BEFORE`] bytes before its first byte that matters.
    ///
    /// If an encoding does not start over at lines, there is only one piece, from the first byte that matters on. If
    /// `counts_units`, it begins at the start of the text instead, since code units are aligned to that.
    fn lines_that<'b>(
        &self,
        excerpt: &Excerpt<'b>,
        counts_units: bool,
        matters: impl Fn(u8) -> bool,
        mut tells: impl FnMut(&[u8]) -> bool,
    ) -> Vec<&'b [u8]> {
        let first = |bytes: &[u8]| bytes.iter().position(|byte| matters(*byte));
        let bytes = excerpt.bytes;
        if !self.has_lines || first(bytes).is_none() {
            let first = if counts_units { 0 } else { first(bytes).unwrap_or(0) };
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

#[cfg(test)]
mod tests {
    use super::requested::DETECTED;
    use super::*;
    use oxiconv_transcode::Options;

    fn judged(text: &str, written: &str, named: &str) -> (Option<Readable>, usize) {
        let encoding = |name| Encoding::for_name(name).unwrap();
        let text = text.repeat(40);
        let bytes = crate::encode(&text, encoding(written)).unwrap();
        let conversion = Options::new().build(encoding(named), Encoding::UTF_8).unwrap();
        let readability = Readability::new(&conversion);
        DETECTED.set(0);
        (readability.judge(&Excerpt::at_start(&bytes, true)), DETECTED.get())
    }

    /// Detecting an encoding takes longer than converting a megabyte.
    #[test]
    fn what_is_text_as_it_is_named_is_not_detected() {
        for (name, text) in [
            ("KOI8-R", "Привет, мир. Как дела сегодня?\n"),
            ("windows-1252", "Die Größe der Häuser überraschte die Gäste, die später ankamen.\n"),
            ("Shift_JIS", "これは日本語の文章です。\n"),
            ("Big5", "這是一段中文的文字。\n"),
            ("GB18030", "这是一段中文的文字。\n"),
            ("EUC-KR", "이 도시는 한국의 남쪽에 있으며 많은 사람이 살고 있다.\n"),
            ("IBM1047", "Die Größe der Häuser überraschte die Gäste, die später ankamen.\n"),
        ] {
            let (readable, judged) = judged(text, name, name);
            assert!(readable.is_none() && judged == 0, "{name}: {judged}");
        }
        let (_, judged) = judged("Привет, мир. Как дела сегодня?\n", "windows-1251", "KOI8-R");
        assert_eq!(judged, 1, "another text is");
    }
}
