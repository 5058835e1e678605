//! The start of a text: its byte order mark, its byte order, and what happens to the mark in the output.
//!
//! The mark is whatever the encoder of the encoding makes of U+FEFF: EF BB BF in UTF-8, `+/v8-` in UTF-7, FB EE 28 in
//! BOCU-1. So no encoding is named here.
//!
//! All of this is decided from the first bytes and before anything is converted. Each question may need another byte
//! than there is, since a pipe may deliver one at a time, so each function can answer that it does not know yet. It may
//! ask for more only while that can change the answer: a program at the other end of the pipe may wait for our output
//! before it writes on.

use super::context_buffer::READ_AHEAD;
use super::conversion::Conversion;
#[cfg(feature = "detection")]
use super::detected::Detected;
use super::policy::{Detail, InputEncoding, MarkMode, OnForeignMark};
#[cfg(feature = "detection")]
use oxiconv_detect::detection::by_units;
use oxiconv_encodings::codec::ByteOrder;
use oxiconv_encodings::encoding::{
    Encoding, LONGEST_MARK, Mark, Marked, marked_otherwise, may_be_wide_mark,
};
use oxiconv_encodings::unicode::BYTE_ORDER_MARK;

/// The byte order mark at the start of a text, or its absence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LeadingMark {
    /// The byte order in force.
    pub(super) order: ByteOrder,
    /// Length in bytes of an initial U+FEFF; 0 if there is none.
    pub(super) mark_len: usize,
}

impl LeadingMark {
    /// Reads it from `start`, the first bytes of a text; `None` if more bytes are needed to tell.
    ///
    /// It waits only as long as `start` is a proper prefix of a mark. In UTF-16, `FF` waits for FE, and `61` does not
    /// wait. In unmarked encodings both orders are tried, and in UTF-32 `FF FE` waits for `00 00`.
    pub(super) fn of(
        encoding: &Encoding,
        default_order: ByteOrder,
        start: &[u8],
        last: bool,
    ) -> Option<Self> {
        let orders: &[ByteOrder] = match encoding.mark {
            Mark::None => &[],
            Mark::ByteOrder | Mark::OptionalByteOrder => &[ByteOrder::Big, ByteOrder::Little],
            Mark::Signature | Mark::Character => &[ByteOrder::Big],
        };
        for &order in orders {
            let mut room = [0; 2 * oxiconv_encodings::codec::MIN_OUTPUT];
            let mut encoder = encoding.new_encoder(order);
            let len = encoder.encode(&[BYTE_ORDER_MARK], &mut room).written;
            let len = len + encoder.finish(&mut room[len..]);
            let mark = &room[..len];
            if start.starts_with(mark) {
                return Some(Self { order, mark_len: len });
            }
            if !last && mark.starts_with(start) {
                return None;
            }
        }
        Some(Self { order: default_order, mark_len: 0 })
    }
}

/// Whether a text may consist of wide code units: it has a mark, or one of its first two bytes is 00.
#[cfg(feature = "detection")]
fn shows_wide_units(start: &[u8]) -> bool {
    may_be_wide_mark(start) || start.iter().take(2).any(|byte| *byte == 0)
}

/// How an input begins: everything needed to start its conversion.
#[derive(Clone, Debug)]
pub(super) struct Beginning {
    pub(super) encoding: &'static Encoding,
    #[cfg(feature = "detection")]
    pub(super) detected: Option<Detected>,
    pub(super) opening: LeadingMark,
    /// The length in bytes of the mark of another encoding, if the text has one.
    pub(super) other_mark_len: Option<usize>,
}

impl Beginning {
    /// Reads it from `start`, the first bytes of an input; `None` if more bytes are needed.
    pub(super) fn of(conversion: &Conversion, start: &[u8], last: bool) -> Option<Self> {
        #[cfg(feature = "detection")]
        let (encoding, detected) = match conversion.from {
            InputEncoding::Named(encoding) => (encoding, None),
            InputEncoding::Lines(_) if !last && start.len() < 2 => return None,
            // Lines consist of single bytes unless the start says otherwise.
            InputEncoding::Lines(detector) if shows_wide_units(start) => {
                let detected = Detected::of(detector, start, last)?;
                match detected.encoding() {
                    wide if wide.family.is_wide() => (wide, Some(detected)),
                    _ => (Encoding::UTF_8, None),
                }
            }
            InputEncoding::Lines(_) => (Encoding::UTF_8, None),
            InputEncoding::Detected(detector) => {
                let detected = Detected::of(detector, start, last)?;
                (detected.encoding(), Some(detected))
            }
        };
        #[cfg(not(feature = "detection"))]
        let InputEncoding::Named(encoding) = conversion.from;
        let order = conversion.options.reading.byte_order;
        if conversion.options.has_variable_records() {
            // A descriptor word is at the start, so there can be no mark.
            return Some(Self {
                encoding,
                #[cfg(feature = "detection")]
                detected,
                opening: LeadingMark { order, mark_len: 0 },
                other_mark_len: None,
            });
        }
        let opening = LeadingMark::of(encoding, order, start, last)?;
        // From here on, each `None` waits for what a finding about the mark needs. If it is shown in context, that is
        // the text after it.
        if conversion.options.detail == Detail::Context
            && !last
            && start.len() < opening.mark_len.max(LONGEST_MARK) + READ_AHEAD
        {
            return None;
        }
        // If the conversion stops at such a mark, the whole mark is evidence of why.
        if conversion.options.detail == Detail::Evidence
            && !last
            && start.len() < LONGEST_MARK
            && may_be_wide_mark(start)
        {
            return None;
        }
        let marked = match conversion.options.byte_order_marks.on_foreign_mark {
            OnForeignMark::Report => marked_otherwise(encoding, start, last),
            OnForeignMark::Ignore => Marked::No,
        };
        let other_mark_len = match marked {
            Marked::Unknown => return None,
            Marked::No => None,
            Marked::Otherwise { mark_len, .. } => Some(mark_len),
        };
        Some(Self {
            encoding,
            #[cfg(feature = "detection")]
            detected,
            opening,
            other_mark_len,
        })
    }
}

/// Whether U+FEFF at the start of a text in `from` is passed to the output as a character.
///
/// In `Auto`, a mark that told the byte order has done its work and is dropped. One that is a character of the text
/// stays (UTF-16LE, for example: D97). A UTF-8 signature stays if the output has code units of one byte and a mark too,
/// so UTF-8 to UTF-8 changes nothing. It is dropped for UTF-16, whose own mark is written, and for windows-1252, which
/// has none.
pub(super) fn mark_goes_through(conversion: &Conversion, from: &Encoding) -> bool {
    match conversion.options.byte_order_marks.marks {
        MarkMode::Keep => true,
        MarkMode::Strip | MarkMode::Add => false,
        MarkMode::Auto | MarkMode::Forbid | MarkMode::Require => match from.mark {
            Mark::Character => true,
            // A signature is kept only where it says nothing about byte order: in UTF-8 and its relatives.
            Mark::Signature => conversion.to.is_none_or(|to| to.unit == 1 && to.mark != Mark::None),
            Mark::ByteOrder | Mark::OptionalByteOrder | Mark::None => false,
        },
    }
}

/// How an output begins.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OutputStart {
    /// The encoding of the output, if U+FEFF must be added before the first character.
    pub(super) mark_due: Option<&'static Encoding>,
    /// Whether marks at the start of the text are dropped.
    pub(super) strips_marks: bool,
}

impl OutputStart {
    pub(super) fn of(conversion: &Conversion) -> Option<Self> {
        let to = conversion.to?;
        Some(match conversion.options.byte_order_marks.marks {
            MarkMode::Strip => Self { mark_due: None, strips_marks: true },
            MarkMode::Add => Self { mark_due: Some(to), strips_marks: true },
            _ => Self { mark_due: (to.mark == Mark::ByteOrder).then_some(to), strips_marks: false },
        })
    }
}

/// Watches the start of an unmarked UTF-16 or UTF-32 text for signs of the opposite byte order.
///
/// Swapped text is mostly well-formed: `h\0i\0` read as big-endian is U+6800 U+6900. So nothing is reported as
/// ill-formed, and a note at the end is all that a user would see.
#[derive(Clone, Debug)]
pub(super) struct OrderWatch {
    unit: usize,
    order: ByteOrder,
    start: Vec<u8>,
}

impl OrderWatch {
    const MAX_EXAMINED: usize = 1024;

    pub(super) fn new(encoding: &Encoding, order: ByteOrder) -> Self {
        Self { unit: encoding.unit, order, start: Vec::new() }
    }

    /// Takes the next bytes of the text, in pieces of any size.
    pub(super) fn look(&mut self, bytes: &[u8]) {
        let missing = Self::MAX_EXAMINED - self.start.len();
        self.start.extend_from_slice(&bytes[..bytes.len().min(missing)]);
    }

    /// Whether the text is clearly in the opposite byte order.
    pub(super) fn looks_swapped(&self) -> bool {
        let scheme = by_units(&self.start);
        scheme.is_some_and(|scheme| scheme.unit == self.unit && scheme.order != Some(self.order))
    }
}

/// Without detection there is nothing to judge by.
#[cfg(not(feature = "detection"))]
fn by_units(_start: &[u8]) -> Option<&'static Encoding> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opening(name: &str, start: &[u8], last: bool) -> Option<(ByteOrder, usize)> {
        LeadingMark::of(Encoding::for_name(name).unwrap(), ByteOrder::Big, start, last)
            .map(|opening| (opening.order, opening.mark_len))
    }

    #[test]
    fn marks_are_seen_and_awaited_no_longer_than_needed() {
        use ByteOrder::{Big, Little};
        assert_eq!(opening("utf-8", b"\xEF\xBB", false), None);
        assert_eq!(opening("utf-8", b"\xEF\xBB", true), Some((Big, 0)));
        assert_eq!(opening("utf-8", b"\xEF\xBB\xBF", false), Some((Big, 3)));
        assert_eq!(opening("utf-8", b"a", false), Some((Big, 0)));
        assert_eq!(opening("utf-16", b"\xFF", false), None);
        assert_eq!(opening("utf-16", b"\xFF\xFE", false), Some((Little, 2)));
        assert_eq!(opening("utf-16", b"\xFE\xFF", false), Some((Big, 2)));
        assert_eq!(opening("utf-32", b"\xFF\xFE\0\0", false), Some((Little, 4)));
        assert_eq!(opening("utf-32", b"\0\0\xFE\xFF", false), Some((Big, 4)));
        assert_eq!(opening("utf-32", b"\xFF\xFE\0", false), None);
        assert_eq!(opening("utf-16le", b"\xFF\xFE", false).unwrap().1, 2);
        assert_eq!(opening("utf-16be", b"\xFF\xFE", false).unwrap().1, 0);
        assert_eq!(opening("utf-7", b"+/v8", false), None);
        assert_eq!(opening("utf-7", b"+/v8-", false), Some((Big, 5)));
        assert_eq!(opening("utf-7", b"+/v9", false), Some((Big, 0)));
        assert_eq!(opening("scsu", b"\x0E\xFE\xFF", false), Some((Big, 3)));
        assert_eq!(opening("bocu-1", b"\xFB\xEE\x28", false), Some((Big, 3)));
        assert_eq!(opening("us-ascii", b"", false), Some((Big, 0)));
        assert_eq!(opening("utf-16", b"", true), Some((Big, 0)));
    }

    #[cfg(feature = "detection")]
    #[test]
    fn the_other_byte_order_is_noticed_however_the_text_is_cut() {
        for (name, order, bytes, swapped) in [
            ("utf-16", ByteOrder::Big, &b"h\0i\0!\0"[..], true),
            ("utf-16", ByteOrder::Big, b"\0h\0i\0!", false),
            ("utf-16", ByteOrder::Little, b"\0h\0i\0!", true),
            ("utf-16", ByteOrder::Little, b"h\0i\0!\0", false),
            ("utf-32", ByteOrder::Big, b"h\0\0\0i\0\0\0", true),
            ("utf-32", ByteOrder::Big, b"\0\0\0h\0\0\0i", false),
            ("utf-16", ByteOrder::Big, b"\x04\x3C\x04\x38\x04\x40", false),
            ("utf-16", ByteOrder::Big, b"\x3C\x04\x38\x04\x40\x04", true),
            ("utf-16", ByteOrder::Big, b"h\0", false),
            ("utf-16", ByteOrder::Big, b"", false),
        ] {
            let mut whole = OrderWatch::new(Encoding::for_name(name).unwrap(), order);
            let mut pieces = whole.clone();
            whole.look(bytes);
            bytes.iter().for_each(|byte| pieces.look(&[*byte]));
            assert_eq!(whole.looks_swapped(), swapped, "{name} {order:?} {bytes:?}");
            assert_eq!(pieces.looks_swapped(), swapped, "{name} {order:?} {bytes:?} in pieces");
        }
    }
}
