//! Finds where text in UTF-16 or UTF-32 is interrupted: by text in units of one byte, as `>>` in a shell appends it, or
//! by a byte too many or too few, which programs leave that convert line ends byte by byte.
//!
//! ```text
//! 61 00 0D 00 0A 00 62 00      a CR LF b in UTF-16LE
//! 61 00 00 0A 00 62 00         each 0D removed: the 00 that is left shifts all that follows
//! 61 00 0D 00 0D 0A 00 62 00   a 0D before each 0A: the same with a byte too many
//! ```
//!
//! Ideographs are made of the same bytes, and sound text must have no findings. So only what is certain counts. Judging
//! every byte would cost too much, so a kernel counts *signs* while it measures the text: bytes 0A in a unit that is
//! not a line feed, in certain surroundings (`interruption_signs.rs` of the kernels). Most text has none. Each sign is
//! then judged in this order:
//!
//! * a line end that was converted byte by byte;
//! * a 0D inserted before another character that has a byte 0A;
//! * a line in single bytes, which is certain by its CR LF, by a long run of ASCII bytes before its line feed, or at
//!   the end of the text;
//! * text that is shifted for an unknown reason.
//!
//! The result depends only on the text from [`WideUnits::LOOK`] bytes before the sign, or from the last interruption,
//! to as many bytes after it. So it is the same however the text is split into chunks. Units that may belong to a line
//! in single bytes are held back until that is known. None are after a line end.
//!
//! There are two levels of certainty. A finding takes a pattern of bytes or a reading that is clearly cheaper, and
//! costs a look at the file if it is wrong. A repair changes the text, so it takes more (`proof.rs`).
//!
//! `narrow.rs` judges text in single bytes, `shifted_start.rs` text that lacks bytes at its start, `proof.rs` decides
//! what is certain enough to repair, and `interruption_search.rs` searches a text that is only examined, not converted.

mod interruption_search;
mod narrow;
mod proof;
mod shifted_start;

use super::ordinary::OrdinaryText;
use super::wide::{Scheme, cost};
use oxiconv_encodings::codec::ByteOrder;
use oxiconv_encodings::encoding::{Encoding, Family};
use oxiconv_encodings::unicode::{
    CARRIAGE_RETURN, CodePoint, LINE_FEED, is_high_surrogate, is_low_surrogate,
};
use oxiconv_kernels::{EncodingForm, FormPair, Measured};

pub use interruption_search::InterruptionSearch;
pub use narrow::NextNarrow;
pub use shifted_start::ShiftedStart;

/// A line in single bytes is one finding. A longer line is divided into findings of this many bytes.
const MAX_PLACE: usize = 4 * 1024;
const SEARCH_BLOCK: usize = 4 * 1024;
/// How two readings are compared: on this many bytes after a sign, and one wins if it is cheaper by so many bits and so
/// many more per byte. The margin keeps a few unusual characters of a sound text from being repaired.
const COMPARED_AFTER: usize = 64;
const MIN_MARGIN: f32 = 4.0;
const MIN_MARGIN_PER_BYTE: f32 = 0.4;
/// The evidence of letters takes so many different units. A few that are repeated show little: the ligature in
/// `\u{FB01}中\u{FB01}中` is no less likely than the letters of two alphabets that a shift makes of it. Of 27,564 sound
/// texts, each of one or two blocks of Unicode in either byte order, 123 were called shifted and 1,152 single-byte text
/// without this and related limits. With them, 1 and 53 are.
const MIN_DIFFERENT_UNITS: usize = 4;

/// What interrupts a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interruption {
    /// Text in units of one byte begins.
    Narrow {
        /// Whether the text proves that it begins here.
        is_proved: bool,
    },
    /// Bytes that are not a whole unit, after which the text continues, or a character that is out of place after such
    /// bytes.
    Stray(MisalignedBytes),
}

/// Bytes by which the text that follows is out of alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MisalignedBytes {
    /// Their number.
    pub len: usize,
    /// What they are left of.
    pub meant: Meant,
    /// Whether the surrounding text proves that.
    pub is_proved: bool,
}

/// What bytes that are not a whole unit used to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meant {
    /// The text does not say.
    Unknown,
    /// Nothing: they were inserted.
    Nothing,
    /// This character, of which they are left.
    Character(CodePoint),
}

impl MisalignedBytes {
    const fn meaning(len: usize, meant: Meant) -> Self {
        Self { len, meant, is_proved: false }
    }
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextInterruption {
    /// No interruption before byte `clean`. What comes after it depends on text that is not there yet; signs before
    /// byte `judged` need not be judged again.
    None {
        /// The length of the sound part, in bytes.
        clean: usize,
        /// The length of what was searched, in bytes.
        judged: usize,
    },
    /// An interruption at this byte.
    At(usize, Interruption),
}

/// The code units of a text in UTF-16 or UTF-32.
#[derive(Clone, Copy, Debug)]
pub struct WideUnits {
    scheme: Scheme,
    form: EncodingForm,
    order: ByteOrder,
    width: usize,
}

impl WideUnits {
    /// The context of a sign: so many bytes before it may belong to the interruption, and so many after it are judged.
    pub const LOOK: usize = 512;

    /// Returns the units of UTF-16 and UTF-32 in a known byte order.
    pub fn of(encoding: &Encoding) -> Option<Self> {
        let order = encoding.order?;
        let (scheme, form) = match (encoding.family, order) {
            (Family::Utf16, ByteOrder::Little) => (Scheme::Utf16(order), EncodingForm::Utf16Le),
            (Family::Utf16, ByteOrder::Big) => (Scheme::Utf16(order), EncodingForm::Utf16Be),
            (Family::Utf32, ByteOrder::Little) => (Scheme::Utf32(order), EncodingForm::Utf32Le),
            (Family::Utf32, ByteOrder::Big) => (Scheme::Utf32(order), EncodingForm::Utf32Be),
            _ => return None,
        };
        Some(Self { scheme, form, order, width: form.unit() })
    }

    /// Returns the bytes of a unit.
    pub const fn width(self) -> usize {
        self.width
    }

    /// Counts the characters, lines and signs of text in these units, as the engine does.
    pub fn measure(self, text: &[u8]) -> Measured {
        FormPair { from: self.form, to: None }.measure(self.whole_units(text))
    }

    /// Returns what interrupts `text` next.
    ///
    /// Signs before byte `judged` are known to be harmless; `is_quiet` says that there are none after it, and `last`
    /// that the text ends here. `text` begins where the units begin, or at least [`Self::LOOK`] bytes before `judged`.
    pub fn next(self, text: &[u8], judged: usize, last: bool, is_quiet: bool) -> NextInterruption {
        // Measuring a block is much faster than searching it, and most blocks have no sign. Blocks are measured without
        // their surroundings, so what depends on those counts as a sign there, and is examined with them below.
        let whole = text.len() - text.len() % self.width;
        let to = if is_quiet { judged } else { whole };
        let blocks =
            (judged..to).step_by(SEARCH_BLOCK).map(|start| start..to.min(start + SEARCH_BLOCK));
        let blocks = blocks.filter(|block| self.measure(&text[block.clone()]).signs > 0);
        let units = blocks.flat_map(|block| {
            let places = memchr::memchr_iter(b'\n', &text[block.clone()]);
            places.map(move |place| block.start + place - place % self.width)
        });
        for sign in units.filter(|at| self.form.is_sign(text, *at, true)) {
            if !last && sign + Self::LOOK > text.len() {
                return NextInterruption::None { clean: self.held_from(text, sign), judged: sign };
            }
            if self.form.is_sign(text, sign, false)
                && let Some((at, interruption)) = self.judge(text, sign)
                && !self.is_within_pair(text, at)
            {
                return NextInterruption::At(at, interruption);
            }
        }
        if !last {
            return NextInterruption::None { clean: self.held_from(text, whole), judged: whole };
        }
        // At the end of a text, less is needed to be certain: what was appended may be one short line without a line
        // feed, or only a line end.
        let cut = text.get(whole..).filter(|cut| !cut.is_empty());
        let line_end = cut.and_then(|_| self.line_end(text, whole));
        let narrow = || self.narrow(text, whole, text.len()).or_else(|| self.appended_ends(text));
        match line_end.or_else(narrow).filter(|(at, _)| !self.is_within_pair(text, *at)) {
            Some((at, interruption)) => NextInterruption::At(at, interruption),
            None => NextInterruption::None { clean: text.len(), judged: text.len() },
        }
    }

    fn encoding(self) -> &'static Encoding {
        match self.scheme {
            Scheme::Utf16(ByteOrder::Little) => Encoding::UTF_16LE,
            Scheme::Utf16(ByteOrder::Big) => Encoding::UTF_16BE,
            Scheme::Utf32(ByteOrder::Little) => Encoding::UTF_32LE,
            Scheme::Utf32(ByteOrder::Big) => Encoding::UTF_32BE,
        }
    }

    /// Whether byte `at` is inside a surrogate pair. That is one character, and nothing interrupts it.
    fn is_within_pair(self, text: &[u8], at: usize) -> bool {
        self.width == 2
            && self.form.unit_before(text, at).is_some_and(is_high_surrogate)
            && self.form.unit_at(text, at).is_some_and(is_low_surrogate)
    }

    /// Returns from where text must be held back, because a sign at byte `at` or after it may claim it. Converted text
    /// cannot be taken back.
    fn held_from(self, text: &[u8], at: usize) -> usize {
        let start = self.start_of(text, at, may_be_appended);
        let before = at.checked_sub(self.width).filter(|_| start == at);
        let is_held = |unit: &[u8]| is_context(self.form.value(unit)) || unit.ends_with(b"\r");
        before.filter(|before| is_held(&text[*before..at])).unwrap_or(start)
    }

    /// Returns the start of the units directly before `at` that satisfy `of_line`; at most [`WideUnits::LOOK`] bytes
    /// before it.
    fn start_of(self, bytes: &[u8], at: usize, of_line: fn(&[u8]) -> bool) -> usize {
        let lowest = at.saturating_sub(Self::LOOK);
        let mut start = at;
        while start >= lowest + self.width && of_line(&bytes[start - self.width..start]) {
            start -= self.width;
        }
        start
    }

    /// Judges a sign. Returns where the interruption begins and what it is.
    ///
    /// The order is from the most specific to the least. A converted line end is an exact pattern of bytes. It must
    /// come before single-byte text, for which the bytes 0D 0A are evidence as well: `0D 0A 00` in UTF-16LE is a line
    /// end with an inserted 0D, and not the end of a line in single bytes. A shift is what remains, and explains
    /// anything.
    fn judge(self, bytes: &[u8], sign: usize) -> Option<(usize, Interruption)> {
        self.line_end(bytes, sign)
            .or_else(|| self.inserted(bytes, sign))
            .or_else(|| {
                let in_unit = bytes[sign..].iter().position(|byte| *byte == b'\n')?;
                self.narrow(bytes, sign, sign + in_unit + 1)
            })
            .or_else(|| self.shift(bytes, sign))
    }

    /// Recognizes a line end that was converted byte by byte: the program put 0D before each 0A, or removed each 0D.
    ///
    /// ```text
    ///       0D before each 0A        each 0D removed
    /// LE    0A 00 → 0D 0A 00         0D 00 0A 00 → 00 0A 00
    /// BE    00 0A → 00 0D 0A         00 0D 00 0A → 00 00 0A
    /// ```
    ///
    /// In UTF-16LE the inserted 0D is one byte too many before a sound line feed. In UTF-16BE it completes the unit
    /// 000D, so the whole line feed is replaced. A removed 0D leaves the zeros of the carriage return, which come
    /// before those of the line feed.
    fn line_end(self, bytes: &[u8], sign: usize) -> Option<(usize, Interruption)> {
        let rest = &bytes[sign..];
        let zeros = self.width - 1;
        let are_zero = |from: usize, count: usize| {
            rest.get(from..from + count).is_some_and(|bytes| bytes.iter().all(|byte| *byte == 0))
        };
        let before = self.form.unit_before(bytes, sign);
        // If the text before is already shifted, the cause is more likely there.
        let is_sound = |start: usize| {
            let before = self.form.unit_before(bytes, start).unwrap_or(LINE_FEED);
            before < 0x800 || self.is_ordinary(Some(before), &bytes[start + zeros..])
        };
        let carriage_return = Meant::Character(CARRIAGE_RETURN);
        let (at, len, meant) = match self.order {
            ByteOrder::Little if rest.starts_with(b"\r\n") && are_zero(2, zeros) => {
                (sign, 1, Meant::Nothing)
            }
            ByteOrder::Little => {
                let is_lost = are_zero(0, zeros)
                    && rest.get(zeros) == Some(&b'\n')
                    && are_zero(self.width, zeros);
                (is_lost && is_sound(sign)).then_some((sign, zeros, carriage_return))?
            }
            ByteOrder::Big if before == Some(CARRIAGE_RETURN) && rest[0] == b'\n' => {
                (sign - self.width, self.width + 1, Meant::Character(LINE_FEED))
            }
            ByteOrder::Big => {
                // The zeros of the carriage return, and then those of the line feed.
                let start = sign.checked_sub(self.width)?;
                let is_lost = before == Some(0)
                    && are_zero(0, self.width - 2)
                    && rest.get(self.width - 2) == Some(&b'\n');
                (is_lost && is_sound(start)).then_some((start, zeros, carriage_return))?
            }
        };
        // The pattern alone is not enough, since the same bytes may be sound characters. The text after it must be
        // cheaper if the bytes are left out. Compare only up to the next line end, which was probably converted too, so
        // that the shift changes there.
        let from = (at + len).min(bytes.len());
        let most = bytes.len().min(sign + COMPARED_AFTER);
        let next = (from + self.width..most).find(|at| bytes[*at] == b'\n');
        let end = next.map_or(most, |next| next.saturating_sub(self.width)).max(from + self.width);
        let text = self.whole_units(&bytes[from..end.min(bytes.len())]);
        let is_likelier = || cost(self.scheme, text) < cost(self.scheme, &bytes[at..most]);
        let stray = Interruption::Stray(MisalignedBytes::meaning(len, meant));
        (text.is_empty() || is_likelier()).then_some((at, stray))
    }

    /// Recognizes a 0D that the same program inserted before the byte 0A of a character that is not a line feed, such
    /// as 0A 04 (Њ) in UTF-16LE.
    ///
    /// The text is compared up to the next 0D 0A, because the shift changes there. The bytes alone prove nothing here:
    /// U+0A0D does not exist, but U+0D0A is a letter of Malayalam. So the text without the 0D must be ordinary, the
    /// text as it is must not be, and the former must be clearly cheaper.
    fn inserted(self, bytes: &[u8], sign: usize) -> Option<(usize, Interruption)> {
        let in_unit = bytes[sign..].iter().position(|byte| *byte == b'\n')?;
        let at = (sign + in_unit).checked_sub(1).filter(|at| bytes[*at] == b'\r')?;
        let start = at - at % self.width;
        let without = [&bytes[start..at], bytes.get(at + 1..start + 1 + self.width)?].concat();
        let meant = self.form.value(&without);
        let (len, text) = match at - start {
            0 => (1, &bytes[at + 1..]),
            _ => (self.width + 1, &bytes[start + 1 + self.width..]),
        };
        let most = &text[..text.len().min(COMPARED_AFTER)];
        let end = memchr::memmem::find(most, b"\r\n").unwrap_or(most.len());
        let text = [&without, self.whole_units(&most[..end])].concat();
        let text = if len == 1 { &text[self.width..] } else { &text };
        let present = self.whole_units(&bytes[start..bytes.len().min(start + text.len())]);
        let is_ordinary = |text| OrdinaryText::default().strange(self.scheme, text).is_none();
        let margin = MIN_MARGIN + MIN_MARGIN_PER_BYTE * text.len() as f32;
        (text.len() >= 2 * self.width
            && is_ordinary(text)
            && !is_ordinary(present)
            && cost(self.scheme, text) + margin < cost(self.scheme, present))
        .then(|| {
            let meant = if len == 1 { Meant::Nothing } else { Meant::Character(meant) };
            (start, Interruption::Stray(MisalignedBytes::meaning(len, meant)))
        })
    }

    /// Recognizes text that is shifted around a line feed, where a byte was inserted or lost at an unknown place before
    /// it. The bytes from the unit before the line feed up to it are reported, because nothing says which of them is
    /// wrong.
    fn shift(self, bytes: &[u8], sign: usize) -> Option<(usize, Interruption)> {
        if !self.form.is_shifted_line_feed(bytes, sign, false) {
            return None;
        }
        // The finding begins at the unit before the sign. Only a unit that is beyond the alphabets was held back by
        // `held_from`, so only it can still be reported. A letter of an alphabet may be converted already, depending on
        // how the text was split.
        let is_context = |value| value >= 0x800 && is_context(value);
        let is_shifted = self.form.unit_before(bytes, sign).is_some_and(is_context);
        let before = sign.checked_sub(self.width).filter(|_| is_shifted)?;
        let len = match self.order {
            ByteOrder::Little => 2 * self.width - 1,
            ByteOrder::Big => 1,
        };
        let high = bytes.len().min(sign + COMPARED_AFTER);
        let present = self.whole_units(&bytes[before..high]);
        let aligned = self.whole_units(&bytes[before + len % self.width..high]);
        let margin = MIN_MARGIN + MIN_MARGIN_PER_BYTE * aligned.len() as f32;
        (aligned.len() >= 4 * self.width
            && cost(self.scheme, aligned) + margin < cost(self.scheme, present))
        .then_some((before, Interruption::Stray(MisalignedBytes::meaning(len, Meant::Unknown))))
    }

    /// Whether the units up to a misplaced line feed are ordinary text after the unit `before`; at most
    /// `COMPARED_AFTER` bytes are examined.
    fn is_ordinary(self, before: Option<u32>, text: &[u8]) -> bool {
        let text = &text[..text.len().min(COMPARED_AFTER)];
        let text = self.whole_units(&text[..self.first_strange_line_feed(text)]);
        let mut ordinary = OrdinaryText::default();
        before.is_none_or(|before| ordinary.allows(before))
            && ordinary.strange(self.scheme, text).is_none()
    }

    /// Returns the length of the text before the first unit with a byte 0A that is not a line feed. A zero unit before
    /// that is excluded too: it may be left of a line end.
    fn first_strange_line_feed(self, text: &[u8]) -> usize {
        let at = memchr::memchr_iter(b'\n', text)
            .map(|at| at - at % self.width)
            .find(|at| self.form.unit_at(text, *at) != Some(LINE_FEED));
        match at {
            Some(at) if self.form.unit_before(text, at) == Some(0) => at - self.width,
            at => at.unwrap_or(text.len()),
        }
    }

    /// Returns the first byte at which `text` is no longer ordinary after an interruption, and the finding for it.
    pub fn strange(
        self,
        ordinary: &mut OrdinaryText,
        text: &[u8],
    ) -> Option<(usize, Interruption)> {
        let stray = Interruption::Stray(MisalignedBytes::meaning(self.width, Meant::Unknown));
        ordinary.strange(self.scheme, text).map(|at| (at, stray))
    }

    fn different_units(self, text: &[u8]) -> usize {
        let mut units: Vec<_> = text.chunks(self.width).collect();
        units.sort_unstable();
        units.dedup();
        units.len()
    }

    fn whole_units(self, text: &[u8]) -> &[u8] {
        &text[..text.len() - text.len() % self.width]
    }
}

/// Whether a unit may belong to what follows: it is beyond the alphabets, so its two bytes may be single-byte text, or
/// it is a carriage return or the zero left of one. A surrogate may not: a character of two units is whole.
const fn is_context(value: u32) -> bool {
    matches!(value, 0 | CARRIAGE_RETURN | 0x800..0xD800 | 0xE000..)
}

/// Whether all bytes of a unit may be single-byte text. Those of a byte order mark may not.
fn may_be_bytes(unit: &[u8]) -> bool {
    !is_mark(unit) && !unit.iter().any(|byte| is_control(*byte))
}

const fn is_mark(unit: &[u8]) -> bool {
    matches!(unit, [0xFF, 0xFE] | [0xFE, 0xFF])
}

/// The same at the end of a text, where CP/M and DOS programs append 1A.
fn may_be_appended(unit: &[u8]) -> bool {
    !is_mark(unit) && !unit.iter().any(|byte| is_control(*byte) && *byte != 0x1A)
}

/// Whether a byte is a control that single-byte text does not contain.
const fn is_control(byte: u8) -> bool {
    matches!(byte, 0..=8 | 0x0B | 0x0E..=0x1A | 0x1C..=0x1F | 0x7F)
}
