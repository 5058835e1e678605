//! Where a text in UTF-16 or UTF-32 is interrupted: by text in units of one byte, as `>>` of a shell appends it, or by
//! a byte too many or too few, as programs leave it that change line ends byte by byte.
//!
//! ```text
//! bytes ─► no sign (`interruption_signs.rs` of the kernels)     most text; a kernel looks for them as it counts
//!      └─► a sign. Judged in this order:
//!           a line end that was changed ─ a line in single bytes ─ text that is shifted
//! ```
//!
//! Only what is certain is an interruption: ideographs are made of the same bytes, and sound text has no findings. So a
//! line in single bytes is found by CR LF, by a long row of bytes of ASCII before its line feed, or at the end of the
//! text.
//!
//! What is found depends only on the text, from [`WideUnits::LOOK`] bytes before the sign, or the last interruption, to
//! as many after it, so no split of the text changes it. Units that may belong to a line in single bytes are held back,
//! and nothing after a line end.
//!
//! `narrow.rs` has what is said of text in single bytes, `proof.rs` what repairs ask besides, and `search.rs` goes
//! through a text that is not converted.

mod narrow;
mod proof;
mod search;

use super::ordinary::OrdinaryText;
use super::wide::{Scheme, cost};
use oxiconv_encodings::codec::ByteOrder;
use oxiconv_encodings::encoding::{Encoding, Family};
use oxiconv_encodings::unicode::{
    CARRIAGE_RETURN, CodePoint, LINE_FEED, MAX_CODE_POINT, REPLACEMENT_CHARACTER,
    is_high_surrogate, is_low_surrogate,
};
use oxiconv_kernels::{EncodingForm, FormPair, Measured};

pub use narrow::NextNarrow;
pub use search::InterruptionSearch;

/// Bytes of a line of single bytes that are one place; of a longer line, these are.
const LONGEST_PLACE: usize = 4 * 1024;
/// Bytes that are searched for signs if they have some.
const SEARCHED: usize = 4 * 1024;
/// Bytes after a sign that are read in both ways.
const AFTER: usize = 64;
/// The bits by which another reading must be cheaper, and the same for each byte.
const CLEAR: f32 = 4.0;
const CLEAR_PER_BYTE: f32 = 0.4;

/// What interrupts a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interruption {
    /// Text in units of one byte begins.
    Narrow {
        /// Whether the text proves that it begins here.
        is_proved: bool,
    },
    /// Bytes that are no whole unit, after which the text continues, or a character that is strange after some.
    Stray(Stray),
}

/// Bytes that are no whole unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stray {
    /// Length in bytes.
    pub len: usize,
    /// What they stand for.
    pub meant: Meant,
    /// Whether the text around them proves it.
    pub is_proved: bool,
}

/// What bytes that are no whole unit stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meant {
    /// The text does not say.
    Unknown,
    /// They do not belong to the text.
    Nothing,
    /// They are what is left of this character.
    Character(CodePoint),
}

impl Stray {
    const fn meaning(len: usize, meant: Meant) -> Self {
        Self { len, meant, is_proved: false }
    }
}

/// Whether a text is shifted from its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShiftedStart {
    /// It begins with a whole unit.
    No,
    /// More bytes are needed.
    Unknown,
    /// It is in the other byte order, which looks the same.
    Swapped,
    /// These are what is left of a unit.
    Yes(Stray),
}

/// What follows in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextInterruption {
    /// None before byte `clean`. What the rest is depends on what follows it, but signs before byte `judged` are none.
    None {
        /// Length of what is sound, in bytes.
        clean: usize,
        /// Length of what was searched, in bytes.
        judged: usize,
    },
    /// One, at this byte.
    At(usize, Interruption),
}

/// The units of a text.
#[derive(Clone, Copy, Debug)]
pub struct WideUnits {
    scheme: Scheme,
    form: EncodingForm,
    order: ByteOrder,
    width: usize,
}

impl WideUnits {
    /// Bytes before a sign that may belong to it, and bytes after it that it is judged by.
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

    /// Measures text in these units, as the engine does.
    pub fn measure(self, text: &[u8]) -> Measured {
        FormPair { from: self.form, to: None }.measure(self.whole_units(text))
    }

    /// Returns what interrupts `text` next. Signs before byte `judged` are no interruption; `is_quiet` says that there are none
    /// after it, and `last` that nothing follows. The text begins with the units, or [`Self::LOOK`] bytes before `judged`.
    pub fn next(self, text: &[u8], judged: usize, last: bool, is_quiet: bool) -> NextInterruption {
        let whole = text.len() - text.len() % self.width;
        let to = if is_quiet { judged } else { whole };
        let blocks = (judged..to).step_by(SEARCHED).map(|start| start..to.min(start + SEARCHED));
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
        // What was appended may be short.
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

    /// Whether byte `at` is between the two units of a surrogate pair, which is a character and not interrupted.
    fn is_within_pair(self, text: &[u8], at: usize) -> bool {
        self.width == 2
            && self.form.unit_before(text, at).is_some_and(is_high_surrogate)
            && self.form.unit_at(text, at).is_some_and(is_low_surrogate)
    }

    /// Returns the start of what may belong to a sign at byte `at` or after it.
    fn held_from(self, text: &[u8], at: usize) -> usize {
        let start = self.start_of(text, at, may_be_appended);
        let before = at.checked_sub(self.width).filter(|_| start == at);
        let is_held = |unit: &[u8]| is_context(self.form.value(unit)) || unit.ends_with(b"\r");
        before.filter(|before| is_held(&text[*before..at])).unwrap_or(start)
    }

    /// Returns where the units before `at` begin that are `of_line`; at most [`WideUnits::LOOK`] bytes before it.
    fn start_of(self, bytes: &[u8], at: usize, of_line: fn(&[u8]) -> bool) -> usize {
        let lowest = at.saturating_sub(Self::LOOK);
        let mut start = at;
        while start >= lowest + self.width && of_line(&bytes[start - self.width..start]) {
            start -= self.width;
        }
        start
    }

    /// Judges a sign, and returns where the text is interrupted and by what.
    fn judge(self, bytes: &[u8], sign: usize) -> Option<(usize, Interruption)> {
        self.line_end(bytes, sign)
            .or_else(|| self.inserted(bytes, sign))
            .or_else(|| {
                let in_unit = bytes[sign..].iter().position(|byte| *byte == b'\n')?;
                self.narrow(bytes, sign, sign + in_unit + 1)
            })
            .or_else(|| self.shift(bytes, sign))
    }

    /// Returns the bytes that are no whole unit, at a line end that a program changed which knows only single bytes: it
    /// put 0D before 0A, or took 0D away.
    fn line_end(self, bytes: &[u8], sign: usize) -> Option<(usize, Interruption)> {
        let rest = &bytes[sign..];
        let zeros = self.width - 1;
        let are_zero = |from: usize, count: usize| {
            rest.get(from..from + count).is_some_and(|bytes| bytes.iter().all(|byte| *byte == 0))
        };
        let before = self.form.unit_before(bytes, sign);
        // After text that is shifted, another cause is likelier.
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
                // The zeros of the carriage return and those of the line feed.
                let start = sign.checked_sub(self.width)?;
                let is_lost = before == Some(0)
                    && are_zero(0, self.width - 2)
                    && rest.get(self.width - 2) == Some(&b'\n');
                (is_lost && is_sound(start)).then_some((start, zeros, carriage_return))?
            }
        };
        // Up to the next line end, which may be changed too.
        let from = (at + len).min(bytes.len());
        let most = bytes.len().min(sign + AFTER);
        let next = (from + self.width..most).find(|at| bytes[*at] == b'\n');
        let end = next.map_or(most, |next| next.saturating_sub(self.width)).max(from + self.width);
        let text = self.whole_units(&bytes[from..end.min(bytes.len())]);
        let is_likelier = || cost(self.scheme, text) < cost(self.scheme, &bytes[at..most]);
        let stray = Interruption::Stray(Stray::meaning(len, meant));
        (text.is_empty() || is_likelier()).then_some((at, stray))
    }

    /// Returns where the same program put 0D before the byte 0A of another character, up to the next such place.
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
        let most = &text[..text.len().min(AFTER)];
        let end = memchr::memmem::find(most, b"\r\n").unwrap_or(most.len());
        let text = [&without, self.whole_units(&most[..end])].concat();
        let text = if len == 1 { &text[self.width..] } else { &text };
        let present = self.whole_units(&bytes[start..bytes.len().min(start + text.len())]);
        let is_ordinary = |text| OrdinaryText::default().strange(self.scheme, text).is_none();
        let margin = CLEAR + CLEAR_PER_BYTE * text.len() as f32;
        (text.len() >= 2 * self.width
            && is_ordinary(text)
            && !is_ordinary(present)
            && cost(self.scheme, text) + margin < cost(self.scheme, present))
        .then(|| {
            let meant = if len == 1 { Meant::Nothing } else { Meant::Character(meant) };
            (start, Interruption::Stray(Stray::meaning(len, meant)))
        })
    }

    /// Returns the bytes up to a line feed that is shifted, if the text around it clearly is: a byte was inserted or lost
    /// before it, nobody knows which.
    fn shift(self, bytes: &[u8], sign: usize) -> Option<(usize, Interruption)> {
        if !self.form.is_shifted_line_feed(bytes, sign, false) {
            return None;
        }
        // Only such a unit is held back.
        let is_context = |value| value >= 0x800 && is_context(value);
        let is_shifted = self.form.unit_before(bytes, sign).is_some_and(is_context);
        let before = sign.checked_sub(self.width).filter(|_| is_shifted)?;
        let len = match self.order {
            ByteOrder::Little => 2 * self.width - 1,
            ByteOrder::Big => 1,
        };
        let high = bytes.len().min(sign + AFTER);
        let present = self.whole_units(&bytes[before..high]);
        let aligned = self.whole_units(&bytes[before + len % self.width..high]);
        let margin = CLEAR + CLEAR_PER_BYTE * aligned.len() as f32;
        (aligned.len() >= 4 * self.width
            && cost(self.scheme, aligned) + margin < cost(self.scheme, present))
        .then_some((before, Interruption::Stray(Stray::meaning(len, Meant::Unknown))))
    }

    /// Whether a text, of which `bytes` are the start, lacks bytes there, so that all its units are shifted. Only a text that
    /// looks like it is held back for this: up to its first line end, or `AFTER` bytes.
    pub fn shifted_start(self, bytes: &[u8], is_marked: bool, last: bool) -> ShiftedStart {
        let Some(first) = self.form.unit_at(bytes, 0) else {
            return if last { ShiftedStart::No } else { ShiftedStart::Unknown };
        };
        let is_in_place = match self.width {
            2 => {
                !(0x800..0xD800).contains(&first) && first < 0xE000
                    || first == REPLACEMENT_CHARACTER
            }
            _ => first <= MAX_CODE_POINT,
        };
        // A frame of lines is no text in any order. Lines that were changed may begin with one that is empty.
        let is_symbol = self.width == 2 && (0x2190..0x2800).contains(&first);
        if is_in_place || is_symbol || bytes.starts_with(b"\r\n") {
            return ShiftedStart::No;
        }
        let mut units = (0..bytes.len()).step_by(self.width);
        let line_end = units.find(|at| self.form.unit_at(bytes, *at) == Some(LINE_FEED));
        let end = line_end.unwrap_or(bytes.len()).min(AFTER);
        if end < AFTER && line_end.is_none() && !last {
            return ShiftedStart::Unknown;
        }
        let present = self.whole_units(&bytes[..end]);
        let is_shifted = |lost: &usize| {
            let shifted = self.whole_units(&bytes[*lost..end]);
            let margin = CLEAR + CLEAR_PER_BYTE * shifted.len() as f32;
            shifted.len() >= 4 * self.width
                && self.is_ordinary(None, shifted)
                && cost(self.scheme, shifted) + margin < cost(self.scheme, present)
        };
        let is_of_mark = !is_marked && matches!(bytes[0], 0xFE | 0xFF);
        let is_swapped =
            || OrdinaryText::default().strange(self.scheme.swapped(), present).is_none();
        if self.is_ordinary(None, present) {
            return ShiftedStart::No;
        }
        if !is_marked && !is_of_mark && is_swapped() {
            return ShiftedStart::Swapped;
        }
        match (1..self.width).find(is_shifted) {
            // Of a mark, nothing is lost.
            Some(len @ 1) if is_of_mark => ShiftedStart::Yes(Stray::meaning(len, Meant::Nothing)),
            Some(len) => {
                let lost = Meant::Character(REPLACEMENT_CHARACTER);
                ShiftedStart::Yes(Stray::meaning(len, lost))
            }
            None => ShiftedStart::No,
        }
    }

    /// Whether the units up to a strange line feed are ordinary text, after the unit `before`; at most [`AFTER`] bytes of them.
    fn is_ordinary(self, before: Option<u32>, text: &[u8]) -> bool {
        let text = &text[..text.len().min(AFTER)];
        let text = self.whole_units(&text[..self.first_strange_line_feed(text)]);
        let mut ordinary = OrdinaryText::default();
        before.is_none_or(|before| ordinary.allows(before))
            && ordinary.strange(self.scheme, text).is_none()
    }

    /// Returns the length of the text up to a unit with a byte 0A that is no line feed, or what may be left of a line end
    /// before it.
    fn first_strange_line_feed(self, text: &[u8]) -> usize {
        let at = memchr::memchr_iter(b'\n', text)
            .map(|at| at - at % self.width)
            .find(|at| self.form.unit_at(text, *at) != Some(LINE_FEED));
        match at {
            Some(at) if self.form.unit_before(text, at) == Some(0) => at - self.width,
            at => at.unwrap_or(text.len()),
        }
    }

    /// Returns the first byte of `text` at which it is not ordinary any more, after bytes that are lost or too many, and what
    /// that shows.
    pub fn strange(
        self,
        ordinary: &mut OrdinaryText,
        text: &[u8],
    ) -> Option<(usize, Interruption)> {
        let stray = Interruption::Stray(Stray::meaning(self.width, Meant::Unknown));
        ordinary.strange(self.scheme, text).map(|at| (at, stray))
    }

    fn whole_units(self, text: &[u8]) -> &[u8] {
        &text[..text.len() - text.len() % self.width]
    }
}

/// Whether a unit may belong to what is after it: no alphabet, or a carriage return or what is left of one. A character of
/// two units is whole.
const fn is_context(value: u32) -> bool {
    matches!(value, 0 | CARRIAGE_RETURN | 0x800..0xD800 | 0xE000..)
}

/// Whether all bytes of a unit may be text in single bytes. Those of a byte order mark are none.
fn may_be_bytes(unit: &[u8]) -> bool {
    !is_mark(unit) && !unit.iter().any(|byte| is_control(*byte))
}

const fn is_mark(unit: &[u8]) -> bool {
    matches!(unit, [0xFF, 0xFE] | [0xFE, 0xFF])
}

/// The same at the end of a text, where 1A may stand.
fn may_be_appended(unit: &[u8]) -> bool {
    !is_mark(unit) && !unit.iter().any(|byte| is_control(*byte) && *byte != 0x1A)
}

/// Whether a byte is a control that no text in single bytes has.
const fn is_control(byte: u8) -> bool {
    matches!(byte, 0..=8 | 0x0B | 0x0E..=0x1A | 0x1C..=0x1F | 0x7F)
}
