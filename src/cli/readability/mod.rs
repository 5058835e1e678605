//! Whether a text is readable as it is, and would no longer be after the conversion that the user requests.
//!
//! ```text
//!         ┌─ as -f says ─────────────────────────────► the text that would be written
//!         │
//! bytes ──┼─ as UTF-8, if they are well-formed there ─► the text that they plainly are          (requested.rs)
//!         ├─ as -t writes text, if it writes these ───► the text before an earlier run          (written.rs)
//!         └─ as detected, if the first is hardly text ─► the text that it looks like            (doubt.rs)
//! ```
//!
//! Readings are compared in the lines in which they differ, as far as the encodings start over at a line: a text may be
//! plain for long. The text that would be written must be clearly likelier than the first of the others, and not
//! clearly less likely than the other two. What an encoding does is found out by decoding and encoding with it
//! (`ascii.rs`), so no encoding is named here. Of a long file, `file_sample.rs` chooses what is compared;
//! `tests/public_reports/in_place.rs` tries every encoding.

mod ascii;
mod doubt;
mod lines;
mod look;
mod readable;
mod reading;
mod requested;
mod wide_parts;
mod written;

use oxiconv_detect::detection::{Detector, Evidence, Lines, is_mostly_utf8};
use oxiconv_encodings::codec::ByteOrder;
use oxiconv_encodings::encoding::{Encoding, wide_mark};
use oxiconv_report::Repair;
use oxiconv_transcode::{Conversion, InputEncoding};

use ascii::starts_over_at_lines;
use reading::{PART, Reading};
use requested::Requested;
use wide_parts::{PartsInUtf8, wide_scheme};
use written::Written;

pub(crate) use lines::LinesInUtf8;
pub(crate) use look::Look;
pub(crate) use readable::Readable;

/// Bytes of a line before the first one that matters.
const BEFORE: usize = 64;

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
        let to = to.map(|encoding| Written::new(encoding, conversion, from.is_none()));
        let has_lines = from.as_ref().is_none_or(|from| starts_over_at_lines(from.encoding))
            && to.as_ref().is_none_or(|to| starts_over_at_lines(to.encoding));
        Self { from, detector, by_lines, to, has_lines }
    }

    /// Whether a byte may tell that the text is something else.
    pub(crate) fn matters(&self, byte: u8) -> bool {
        self.matters_as_input(byte) || self.to.as_ref().is_some_and(|to| to.special.has(byte))
    }

    /// The same of what the input is.
    pub(crate) fn matters_as_input(&self, byte: u8) -> bool {
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
                to.differs(line, from, ByteOrder::Big) || !to.is_of(&[line])
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

    /// Whether lines in UTF-8 would be read as other text. `-f auto-lines` and `--fallback` read them as they are.
    pub(crate) fn misreads_lines(&self) -> bool {
        match &self.from {
            Some(from) => !from.is_like_utf8 && from.encoding.unit() == 1 && !from.has_fallback,
            None => !self.by_lines,
        }
    }

    /// Returns the encoding that all lines of a file are read as, which `start` begins: the file from its first byte beyond
    /// ASCII on. `None` if it is detected and is not one of bytes, or not known well enough to be used.
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

    /// Whether a text that is not well-formed UTF-8 is ASCII for the most part, which would be other text.
    pub(crate) fn misreads_ascii(&self, look: &Look<'_>) -> bool {
        self.from.as_ref().is_some_and(|from| !look.is_utf8 && from.misreads_ascii(look))
    }

    /// Returns what a text is, if the conversion would make it unreadable.
    pub(crate) fn judge(&self, look: &Look<'_>) -> Option<Readable> {
        let as_input = match &self.from {
            Some(from) => from.judge(look, &self.part(look)),
            None => self.judge_detected(look),
        };
        match as_input {
            // Output of an earlier run looks like another encoding too.
            None | Some(Readable::Other(_)) if self.is_written(look) => Some(Readable::Target),
            as_input => as_input,
        }
    }

    /// Returns the search for parts in UTF-8 in a text that begins with `start`, if they would be read as wide units.
    pub(crate) fn parts_in_utf8(&self, start: &[u8]) -> Option<PartsInUtf8> {
        let Some(from) = &self.from else {
            let wide = wide_scheme(start)?;
            let order = wide.order.unwrap_or(ByteOrder::Big);
            return Some(PartsInUtf8::new(wide, order));
        };
        from.parts_in_utf8(start)
    }

    /// Returns the same for a text whose encoding is detected.
    fn judge_detected(&self, look: &Look<'_>) -> Option<Readable> {
        let Some(scheme) = wide_scheme(look.start) else {
            let other = look.wide_parts().filter(|_| self.by_lines);
            return match other {
                Some(other) => Some(Readable::Parts { of: Encoding::UTF_8, other }),
                None => self.in_ebcdic(look).map(|of| Readable::Other(Repair::from(of))),
            };
        };
        let order = scheme.order.unwrap_or(ByteOrder::Big);
        if look.has_parts_in_utf8(scheme, order) {
            return Some(Readable::Parts { of: scheme, other: Encoding::UTF_8 });
        }
        // A line feed is no line end in wide units.
        self.by_lines.then(|| match wide_mark(look.start) {
            Some((_, scheme)) => Readable::Marked(scheme),
            None => Readable::Other(Repair::from(scheme)),
        })
    }

    /// Returns the encoding of a text whose lines would be read by themselves, if it is one in which ASCII is not ASCII. Lines
    /// are in no such encoding.
    fn in_ebcdic(&self, look: &Look<'_>) -> Option<&'static Encoding> {
        /// The least confidence, in percent.
        const CERTAIN: u8 = 90;
        if !self.by_lines || look.is_utf8 {
            return None;
        }
        let detection = self.detector.ebcdic(look.bytes)?;
        (detection.confidence >= CERTAIN).then_some(detection.encoding)
    }

    /// Whether a text is output of an earlier run.
    fn is_written(&self, look: &Look<'_>) -> bool {
        let Some(to) = &self.to else { return false };
        let (from, order) = match &self.from {
            Some(from) => (from.encoding, from.order),
            None if look.is_utf8 => (Encoding::UTF_8, ByteOrder::Big),
            // What is not its output is not looked at any further.
            None if !to.is_of(&self.part(look)) => return false,
            None => {
                let detection = self.detector.detect(look.bytes);
                // Output is in one encoding.
                if detection.of_lines().is_some() {
                    return false;
                }
                (detection.encoding, ByteOrder::Big)
            }
        };
        // No byte changes where text stays in its encoding.
        if from == to.encoding {
            return self.by_lines && self.reads_a_line_otherwise(look, to);
        }
        to.has_written(&self.part_that_differs(look, to, from, order), from, order)
    }

    /// Whether a line by itself is another text than in the encoding of the output, which the whole is in.
    fn reads_a_line_otherwise(&self, look: &Look<'_>, to: &Written) -> bool {
        let mut lines = Lines::default();
        self.part(look).into_iter().any(|line| {
            let Some(start) = line.iter().position(|byte| !byte.is_ascii()) else { return false };
            let (before, rest) = line.split_at(start);
            let encoding = match std::str::from_utf8(rest) {
                Ok(_) => Some(Encoding::UTF_8),
                Err(_) => lines.judge(before, rest),
            };
            encoding.is_some_and(|encoding| to.differs(line, encoding, ByteOrder::Big))
        })
    }

    /// Returns the part of the bytes whose readings are compared: the lines with bytes that matter.
    fn part<'b>(&self, look: &Look<'b>) -> Vec<&'b [u8]> {
        let is_wide = self.from.as_ref().is_some_and(|from| from.encoding.unit() > 1);
        let is_input = self.from.is_some();
        let matters =
            |byte| if is_input { self.matters_as_input(byte) } else { self.matters(byte) };
        self.lines_that(look, is_wide, matters, |_| true)
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
        let is_wide = from.unit() > 1 || to.encoding.unit() > 1;
        let part = self.lines_that(
            look,
            is_wide,
            |byte| self.matters(byte),
            |line| {
                is_output &= to.is_of(&[line]);
                is_output && to.differs(line, from, order)
            },
        );
        if is_output { part } else { Vec::new() }
    }

    /// Returns lines with bytes that `matter` and that `tell` something, as many as are compared. A long line is cut. If lines
    /// mean nothing, they are all from the first byte that matters on, or from the start if wide units are counted from there.
    fn lines_that<'b>(
        &self,
        look: &Look<'b>,
        counts_units: bool,
        matters: impl Fn(u8) -> bool,
        mut tells: impl FnMut(&[u8]) -> bool,
    ) -> Vec<&'b [u8]> {
        let first = |bytes: &[u8]| bytes.iter().position(|byte| matters(*byte));
        let bytes = look.bytes;
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
        (readability.judge(&Look::at_start(&bytes, true)), DETECTED.get())
    }

    /// To detect an encoding takes longer than to convert a megabyte.
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
