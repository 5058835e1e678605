//! Cuts a text into pieces that are converted separately, by other processes or machines.
//!
//! ```text
//! text   |······ piece ······|▒▒▒ margin ▒▒▒|······ piece ······|
//!                            b   ^ the cut      b: the border, from the size of the text alone
//! ```
//!
//! Runs that share a job do not talk to each other. The cut is the first safe place in the margin of 64 KiB after the
//! border, judged by the bytes of the margin alone. So both neighbours find the same one, and read nothing else of each
//! other.
//!
//! A line feed is preferred: nothing that a conversion holds continues after one, so the rest of the text is converted
//! from the initial state, and only lines and columns have to be corrected later. Without a line feed, the cut is after
//! a complete character, if nothing in the conversion depends on adjacent characters. The `SplitRule` of the encoding
//! says what is possible; `AfterLine` is for encodings that return to their initial state at every line feed, which
//! threads do not split. `tests/line_cuts.rs` compares the pieces of a text with the whole in every encoding.

use memchr::memmem;

use super::conversion::Conversion;
use super::converter::Converter;
use super::opening::LeadingMark;
use super::pipeline::Pipeline;
use super::policy::InputEncoding;
use super::records::RecordFormat;
use super::split::next_split;
use oxiconv_encodings::codec::{ByteOrder, MIN_OUTPUT};
use oxiconv_encodings::encoding::{Encoding, SplitRule};
use oxiconv_encodings::unicode::LINE_FEED;

/// How far after a border the cut may be, in bytes.
pub const MARGIN: usize = 64 * 1024;
/// How many bytes at the start of a text tell its byte order.
pub const HEAD: usize = 4;
/// No cut is nearer to the start of a text, in bytes: it must not come right after a byte order mark.
const MIN_CUT: u64 = 8;

/// The places where the text of one conversion can be cut.
#[derive(Debug)]
pub struct Cuts {
    /// The encoding, in the byte order of the text.
    encoding: &'static Encoding,
    line_feed: Vec<u8>,
    rule: CutRule,
}

/// What makes a place safe to cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CutRule {
    /// After a line feed, or else where this rule allows it.
    Characters(SplitRule),
    /// After a line feed.
    Lines,
    /// Between two records of this many bytes.
    Records(u64),
}

/// Why a text cannot be cut, whatever it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Uncut {
    /// The encoding is not named.
    #[error("its encoding must be named, not detected")]
    Unnamed,
    /// What is read in the fallback encoding depends on the start of the text.
    #[error("where the fallback applies depends on the start of the text")]
    Fallback,
    /// The encoding of the input or the output has a state that continues from line to line.
    #[error(
        "{0} is stateful, and its state carries over from line to line (convert the whole text in one run)"
    )]
    State(&'static str),
    /// The byte order depends on the first bytes, which are not known.
    #[error(
        "the byte order of {unmarked} depends on the first bytes of the text (name {big} or {little})"
    )]
    ByteOrder {
        /// The encoding.
        unmarked: &'static str,
        /// The same, big-endian.
        big: &'static str,
        /// The same, little-endian.
        little: &'static str,
    },
    /// Records begin after a byte order mark, which borders cannot take into account.
    #[error("its records begin after a byte order mark")]
    MarkedRecords,
    /// Where a record begins depends on the lengths of all records before it.
    #[error("where a record begins depends on the lengths of all records before it")]
    VariableRecords,
    /// A record is longer than a margin.
    #[error("a record is longer than {MARGIN} bytes")]
    LongRecords,
}

impl Cuts {
    /// Returns where a text can be cut whose first bytes are `head`: at least [`HEAD`] bytes, or all. `None` if they
    /// are not known.
    ///
    /// # Errors
    ///
    /// If it cannot be cut.
    pub fn new(conversion: &Conversion, head: Option<&[u8]>) -> Result<Self, Uncut> {
        let InputEncoding::Named(named) = conversion.from else { return Err(Uncut::Unnamed) };
        if conversion.options.substitution.fallback.is_some() {
            return Err(Uncut::Fallback);
        }
        if head.is_none() && named.mark.gives_order() {
            let [big, little] =
                [ByteOrder::Big, ByteOrder::Little].map(|order| named.in_order(order).name());
            return Err(Uncut::ByteOrder { unmarked: named.name(), big, little });
        }
        let opening = LeadingMark::of(
            named,
            conversion.options.reading.byte_order,
            head.unwrap_or(&[]),
            true,
        )
        .unwrap_or_default();
        let encoding = named.in_order(opening.order);
        let to = conversion.to.map(|to| to.in_order(conversion.output_order()));
        // The state of such an encoding ends at U+000A, which the output does not contain if it gets another line end.
        let line_end = conversion.options.line_ends.write_newlines.written();
        let writes_others = line_end.is_some_and(|(_, end)| end.last() != Some(&LINE_FEED));
        let goes_on = |it: &&Encoding| match it.split {
            SplitRule::Never => true,
            SplitRule::AfterLine => writes_others && to == Some(*it),
            _ => false,
        };
        if let Some(whole) = [Some(encoding), to].into_iter().flatten().find(goes_on) {
            return Err(Uncut::State(whole.name()));
        }
        let rule = match conversion.options.reading.records {
            Some(RecordFormat::Variable) => return Err(Uncut::VariableRecords),
            Some(_) if opening.mark_len > 0 => return Err(Uncut::MarkedRecords),
            Some(RecordFormat::Fixed(length)) if length.get() > MARGIN as u64 => {
                return Err(Uncut::LongRecords);
            }
            Some(RecordFormat::Fixed(length)) => CutRule::Records(length.get()),
            None if can_cut_in_lines(conversion, encoding, to) => {
                CutRule::Characters(encoding.split)
            }
            None => CutRule::Lines,
        };
        Ok(Self { encoding, line_feed: line_feed(conversion, encoding), rule })
    }

    /// Returns the encoding of the text, in its byte order.
    pub fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// Returns the cut for the border at byte `border` of a text of `size` bytes. `margin` is the text from the border
    /// on: [`MARGIN`] bytes, or up to its end. `None` if it has no safe place.
    ///
    /// In `ab\n\nc\n`, the borders 0, 1 and 2 have the cut 3, and the border 3 has the cut 4: the cut comes after the
    /// first line feed at or after the border. The end of the text is a cut as well.
    pub fn cut(&self, border: u64, margin: &[u8], size: u64) -> Option<u64> {
        let unit = self.encoding.unit as u64;
        // Code units and records are counted from the start of the text, so the search begins at the next multiple.
        let past = |border: u64, unit: u64| (border.next_multiple_of(unit) - border) as usize;
        let to_end = border + margin.len() as u64 >= size;
        let found = match self.rule {
            CutRule::Records(length) => Some(past(border, length)),
            CutRule::Lines => self.after_line_feed(margin, past(border, unit)),
            CutRule::Characters(rule) => {
                self.after_line_feed(margin, past(border, unit)).or_else(|| {
                    let from =
                        past(border.max(MIN_CUT), unit) + MIN_CUT.saturating_sub(border) as usize;
                    after_character(rule, margin, from)
                })
            }
        };
        let found = found.filter(|found| *found <= margin.len());
        found.or(to_end.then_some(margin.len())).map(|found| border + found as u64)
    }

    /// Returns the place after the first line feed at or after byte `from`, which is the start of a code unit.
    fn after_line_feed(&self, margin: &[u8], from: usize) -> Option<usize> {
        let (unit, line_feed) = (self.encoding.unit, &self.line_feed);
        let text = margin.get(from..)?;
        // No two matches overlap, so none is skipped: no encoding's line feed begins with the bytes that it ends with.
        let at = memmem::find_iter(text, line_feed).find(|at| at % unit == 0)?;
        Some(from + at + line_feed.len())
    }
}

/// Whether converting a text in `encoding` to `to` gives the same if it is cut between two characters of a line.
///
/// It does not if something is remembered from one character to the next: by the decoder or the encoder, by a stage
/// that joins letters and marks, by one that looks at characters in their context, or by the search for identifiers.
fn can_cut_in_lines(
    conversion: &Conversion,
    encoding: &'static Encoding,
    to: Option<&'static Encoding>,
) -> bool {
    let state = Converter::new(conversion).new_output_state();
    encoding.split.is_for_threads()
        && to.is_none_or(|to| to.split.is_for_threads())
        && state.target.concatenates()
        && !Pipeline::build(conversion, encoding).joins()
        && !conversion.sees_characters()
        && !conversion.options.denied.is_of_identifiers()
}

fn line_feed(conversion: &Conversion, encoding: &'static Encoding) -> Vec<u8> {
    let mut encoder = conversion.new_encoder(encoding, encoding.order.unwrap_or_default());
    let mut room = [0; 2 * MIN_OUTPUT];
    let written = encoder.encode(&[LINE_FEED], &mut room).written;
    room[..written].to_vec()
}

/// Returns the first place after byte `from`, the start of a code unit, that is after a complete character whatever
/// comes before or after.
fn after_character(rule: SplitRule, margin: &[u8], from: usize) -> Option<usize> {
    let text = margin.get(from..)?;
    let found = match rule {
        SplitRule::Never | SplitRule::AfterLine => None,
        SplitRule::Units(unit) => (unit <= text.len()).then_some(unit),
        // Complete means well-formed on its own, which no ill-formed sequence around it can change. Anything else is
        // skipped: two runs that see different bytes before it might read it differently.
        SplitRule::Utf8 => (0..text.len()).find_map(|at| {
            let rest = &text[at..];
            let len = [1, 2, 3, 4].into_iter().find(|len| {
                rest.get(..*len).is_some_and(|character| std::str::from_utf8(character).is_ok())
            })?;
            Some(at + len)
        }),
        // After a code unit that is no high surrogate (D800 to DBFF): a low one ends its pair, and any other unit is a
        // character. A high one may belong to the unit after it.
        SplitRule::Utf16(high) => {
            let whole = text.chunks_exact(2).position(|unit| unit[high] & 0xFC != 0xD8)?;
            Some(2 * (whole + 1))
        }
        SplitRule::AfterLow => {
            let is_low = |found: &usize| found.checked_sub(1).is_some_and(|at| text[at] < 0x30);
            next_split(rule, text, 0).filter(is_low)
        }
    };
    found.map(|found| from + found)
}

#[cfg(test)]
mod tests;
