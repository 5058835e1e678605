//! The portable kernels, in safe code: the reference for every other set, and the fallback.
//!
//! ```text
//! UnitReader   value of a unit; character at the start of some units ─┐
//!                                                                     ├─► run::<Reader, Writer>: every pair of forms
//! UnitWriter   unit of a value; put a character ──────────────────────┘
//! ```
//!
//! `run` takes sixteen units at a time if all of them are characters of one unit on both sides, as ASCII is in any pair
//! and the BMP is between UTF-16 and UTF-32. That loop has no branch per unit, and the compiler vectorizes it.
//! Otherwise it converts one character after another.

use super::contract::{Codes, Convert, EncodingForm, Kernels, Measure, Progress, Validate};
use super::{automaton, measure};
use crate::code_point::{
    CodePoint, is_high_surrogate, is_low_surrogate, is_surrogate, join_surrogates,
};

/// The set of portable kernels.
pub const KERNELS: Kernels = Kernels {
    name: "portable",
    convert,
    validate,
    measure,
    skip_neutral: super::skip_neutral::skip_neutral,
    table,
};

/// Units handled together. If a block is not one unit per character on both sides, as many characters are converted one
/// by one before the next attempt: text that fails once mostly fails again.
const BLOCK: usize = 16;

/// The end of the codespace.
const END: u32 = 0x11_0000;

/// Reads a form whose units have `N` bytes.
trait UnitReader<const N: usize> {
    /// Units with values below this, except surrogates, are characters by themselves.
    const SINGLE_UNIT_END: u32;

    fn value(unit: [u8; N]) -> u32;

    /// Decodes the character at the start of `units`, and returns its value and its length in units; `None` if it is
    /// ill-formed, or truncated.
    fn character(units: &[[u8; N]]) -> Option<(u32, usize)>;
}

/// Writes a form whose units have `N` bytes.
trait UnitWriter<const N: usize> {
    /// Scalar values below this are written in one unit.
    const SINGLE_UNIT_END: u32;

    fn unit(value: u32) -> [u8; N];

    /// Writes a scalar value at the start of `units`, and returns its length in units; `None` if the form does not have
    /// it, or it does not fit.
    fn put(cp: u32, units: &mut [[u8; N]]) -> Option<usize>;
}

/// The kernel of a pair of forms. Bytes after the last whole unit of either slice are never touched.
///
/// A value below `end` is one unit on both sides, so a block of them is converted unit by unit, without decoding. For
/// UTF-8 to UTF-16 `end` is 80, and between UTF-16 and UTF-32 it is 10000.
fn run<const F: usize, const T: usize, R: UnitReader<F>, W: UnitWriter<T>>(
    input: &[u8],
    output: &mut [u8],
) -> Progress {
    let (input, output) = (input.as_chunks::<F>().0, output.as_chunks_mut::<T>().0);
    let end = R::SINGLE_UNIT_END.min(W::SINGLE_UNIT_END);
    let (mut read, mut written) = (0, 0);
    'run: loop {
        while let Some(from) = input[read..].first_chunk::<BLOCK>()
            && let Some(to) = output[written..].first_chunk_mut::<BLOCK>()
            && all_single_units::<F, R>(from, end)
        {
            for (to, from) in to.iter_mut().zip(from) {
                *to = W::unit(R::value(*from));
            }
            read += BLOCK;
            written += BLOCK;
        }
        for _ in 0..BLOCK {
            // A character counts as read only once it has been written, so one that does not fit is not half consumed.
            let Some((cp, len)) = R::character(&input[read..]) else { break 'run };
            let Some(put) = W::put(cp, &mut output[written..]) else { break 'run };
            read += len;
            written += put;
        }
    }
    Progress { read: F * read, written: T * written }
}

/// Whether all units of a block are below `end`, and none is a surrogate. An `end` of at most 100 is a power of two, so
/// the `or` of all values tells: it is below `end` exactly if each of them is.
///
/// Neither loop stops at the first unit that fails. Stopping would take a branch per unit, and the loop would not be
/// vectorized.
#[inline(always)]
fn all_single_units<const F: usize, R: UnitReader<F>>(block: &[[u8; F]; BLOCK], end: u32) -> bool {
    if end <= 0x100 {
        return block.iter().fold(0, |all, unit| all | R::value(*unit)) < end;
    }
    let other = |value| u32::from(value >= end) | u32::from(is_surrogate(value));
    block.iter().fold(0, |all, unit| all | other(R::value(*unit))) == 0
}

/// One byte per character, up to `MAX`.
struct SingleByteForm<const MAX: u32>;

impl<const MAX: u32> UnitReader<1> for SingleByteForm<MAX> {
    const SINGLE_UNIT_END: u32 = MAX + 1;

    #[inline(always)]
    fn value([byte]: [u8; 1]) -> u32 {
        byte.into()
    }

    #[inline(always)]
    fn character(units: &[[u8; 1]]) -> Option<(u32, usize)> {
        let value = Self::value(*units.first()?);
        (value <= MAX).then_some((value, 1))
    }
}

impl<const MAX: u32> UnitWriter<1> for SingleByteForm<MAX> {
    const SINGLE_UNIT_END: u32 = MAX + 1;

    #[inline(always)]
    fn unit(value: u32) -> [u8; 1] {
        [value as u8]
    }

    #[inline(always)]
    fn put(cp: u32, units: &mut [[u8; 1]]) -> Option<usize> {
        let place = units.first_mut().filter(|_| cp <= MAX)?;
        *place = Self::unit(cp);
        Some(1)
    }
}

struct Utf8Form;

impl UnitReader<1> for Utf8Form {
    const SINGLE_UNIT_END: u32 = 0x80;

    #[inline(always)]
    fn value([byte]: [u8; 1]) -> u32 {
        byte.into()
    }

    /// Table 3-7. Its narrower ranges of the second byte are tested on the value, after all bytes have been read: below
    /// 800 or 10000 the sequence is overlong, and ED A0 to ED BF are the surrogates. The lead bytes exclude the rest.
    #[inline(always)]
    fn character(units: &[[u8; 1]]) -> Option<(u32, usize)> {
        let tail = |byte: u8| (byte & 0xC0 == 0x80).then_some(u32::from(byte & 0x3F));
        match *units.as_flattened() {
            [a @ 0..=0x7F, ..] => Some((a.into(), 1)),
            [a @ 0xC2..=0xDF, b, ..] => Some((u32::from(a & 0x1F) << 6 | tail(b)?, 2)),
            [a @ 0xE0..=0xEF, b, c, ..] => {
                let cp = u32::from(a & 0x0F) << 12 | tail(b)? << 6 | tail(c)?;
                (cp >= 0x800 && !is_surrogate(cp)).then_some((cp, 3))
            }
            [a @ 0xF0..=0xF4, b, c, d, ..] => {
                let cp = u32::from(a & 0x07) << 18 | tail(b)? << 12 | tail(c)? << 6 | tail(d)?;
                (0x1_0000..END).contains(&cp).then_some((cp, 4))
            }
            _ => None,
        }
    }
}

impl UnitWriter<1> for Utf8Form {
    const SINGLE_UNIT_END: u32 = 0x80;

    #[inline(always)]
    fn unit(value: u32) -> [u8; 1] {
        [value as u8]
    }

    /// Table 3-6. The value is a scalar value, since readers return no others.
    #[inline(always)]
    fn put(cp: u32, units: &mut [[u8; 1]]) -> Option<usize> {
        let output = units.as_flattened_mut();
        let tail = |shift: u32| (cp >> shift & 0x3F) as u8 | 0x80;
        match cp {
            0..0x80 => *output.first_chunk_mut()? = [cp as u8],
            0x80..0x800 => *output.first_chunk_mut()? = [(cp >> 6) as u8 | 0xC0, tail(0)],
            0x800..0x1_0000 => {
                *output.first_chunk_mut()? = [(cp >> 12) as u8 | 0xE0, tail(6), tail(0)];
            }
            _ => {
                *output.first_chunk_mut()? = [(cp >> 18) as u8 | 0xF0, tail(12), tail(6), tail(0)];
            }
        }
        Some(1 + usize::from(cp >= 0x80) + usize::from(cp >= 0x800) + usize::from(cp >= 0x1_0000))
    }
}

struct Utf16Form<const BIG: bool>;

impl<const BIG: bool> UnitReader<2> for Utf16Form<BIG> {
    const SINGLE_UNIT_END: u32 = 0x1_0000;

    #[inline(always)]
    fn value(unit: [u8; 2]) -> u32 {
        let value = if BIG { u16::from_be_bytes(unit) } else { u16::from_le_bytes(unit) };
        value.into()
    }

    /// Table 3-5.
    #[inline(always)]
    fn character(units: &[[u8; 2]]) -> Option<(u32, usize)> {
        let first = Self::value(*units.first()?);
        if !is_surrogate(first) {
            return Some((first, 1));
        }
        let second = Self::value(*units.get(1)?);
        (is_high_surrogate(first) && is_low_surrogate(second))
            .then(|| (join_surrogates(first as u16, second as u16), 2))
    }
}

impl<const BIG: bool> UnitWriter<2> for Utf16Form<BIG> {
    const SINGLE_UNIT_END: u32 = 0x1_0000;

    #[inline(always)]
    fn unit(value: u32) -> [u8; 2] {
        if BIG { (value as u16).to_be_bytes() } else { (value as u16).to_le_bytes() }
    }

    /// Table 3-5.
    #[inline(always)]
    fn put(cp: u32, units: &mut [[u8; 2]]) -> Option<usize> {
        if cp < 0x1_0000 {
            *units.first_mut()? = Self::unit(cp);
            return Some(1);
        }
        let above = cp - 0x1_0000;
        *units.first_chunk_mut()? =
            [Self::unit(0xD800 | above >> 10), Self::unit(0xDC00 | above & 0x3FF)];
        Some(2)
    }
}

struct Utf32Form<const BIG: bool>;

impl<const BIG: bool> UnitReader<4> for Utf32Form<BIG> {
    const SINGLE_UNIT_END: u32 = END;

    #[inline(always)]
    fn value(unit: [u8; 4]) -> u32 {
        if BIG { u32::from_be_bytes(unit) } else { u32::from_le_bytes(unit) }
    }

    #[inline(always)]
    fn character(units: &[[u8; 4]]) -> Option<(u32, usize)> {
        let value = Self::value(*units.first()?);
        (value < END && !is_surrogate(value)).then_some((value, 1))
    }
}

impl<const BIG: bool> UnitWriter<4> for Utf32Form<BIG> {
    const SINGLE_UNIT_END: u32 = END;

    #[inline(always)]
    fn unit(value: u32) -> [u8; 4] {
        if BIG { value.to_be_bytes() } else { value.to_le_bytes() }
    }

    #[inline(always)]
    fn put(cp: u32, units: &mut [[u8; 4]]) -> Option<usize> {
        *units.first_mut()? = Self::unit(cp);
        Some(1)
    }
}

/// See [`Kernels::convert`].
pub(super) fn convert(from: EncodingForm, to: EncodingForm) -> Convert {
    fn into<const F: usize, R: UnitReader<F>>(to: EncodingForm) -> Convert {
        match to {
            EncodingForm::Ascii => run::<F, 1, R, SingleByteForm<0x7F>>,
            EncodingForm::Latin1 => run::<F, 1, R, SingleByteForm<0xFF>>,
            EncodingForm::Utf8 => run::<F, 1, R, Utf8Form>,
            EncodingForm::Utf16Le => run::<F, 2, R, Utf16Form<false>>,
            EncodingForm::Utf16Be => run::<F, 2, R, Utf16Form<true>>,
            EncodingForm::Utf32Le => run::<F, 4, R, Utf32Form<false>>,
            EncodingForm::Utf32Be => run::<F, 4, R, Utf32Form<true>>,
        }
    }
    match from {
        EncodingForm::Ascii => into::<1, SingleByteForm<0x7F>>(to),
        EncodingForm::Latin1 => into::<1, SingleByteForm<0xFF>>(to),
        EncodingForm::Utf8 => into::<1, Utf8Form>(to),
        EncodingForm::Utf16Le => into::<2, Utf16Form<false>>(to),
        EncodingForm::Utf16Be => into::<2, Utf16Form<true>>(to),
        EncodingForm::Utf32Le => into::<4, Utf32Form<false>>(to),
        EncodingForm::Utf32Be => into::<4, Utf32Form<true>>(to),
    }
}

/// Continues after the progress of another set with the portable kernel. Returns the sum. It is not inlined, because
/// every kernel of every set ends with it.
#[inline(never)]
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
pub(super) fn finish_portable(
    from: EncodingForm,
    to: EncodingForm,
    done: Progress,
    input: &[u8],
    output: &mut [u8],
) -> Progress {
    let more = convert(from, to)(&input[done.read..], &mut output[done.written..]);
    Progress { read: done.read + more.read, written: done.written + more.written }
}

/// See [`Kernels::validate`].
pub(super) fn validate(form: EncodingForm) -> Validate {
    #[inline(always)]
    fn run<const F: usize, R: UnitReader<F>>(input: &[u8]) -> usize {
        let units = input.as_chunks::<F>().0;
        let mut read = 0;
        'run: loop {
            while let Some(from) = units[read..].first_chunk::<BLOCK>()
                && all_single_units::<F, R>(from, R::SINGLE_UNIT_END)
            {
                read += BLOCK;
            }
            for _ in 0..BLOCK {
                let Some((_, len)) = R::character(&units[read..]) else { break 'run };
                read += len;
            }
        }
        F * read
    }
    fn utf8(input: &[u8]) -> usize {
        // The automaton takes eight bytes at a time, and leaves the last few or those in front of a fault.
        let read = automaton::validate(input);
        read + run::<1, Utf8Form>(&input[read..])
    }
    match form {
        EncodingForm::Ascii => run::<1, SingleByteForm<0x7F>>,
        EncodingForm::Latin1 => <[u8]>::len,
        EncodingForm::Utf8 => utf8,
        EncodingForm::Utf16Le => run::<2, Utf16Form<false>>,
        EncodingForm::Utf16Be => run::<2, Utf16Form<true>>,
        EncodingForm::Utf32Le => run::<4, Utf32Form<false>>,
        EncodingForm::Utf32Be => run::<4, Utf32Form<true>>,
    }
}

/// See [`Kernels::measure`].
fn measure(form: EncodingForm) -> Measure {
    match form {
        EncodingForm::Ascii | EncodingForm::Latin1 => measure::bytes,
        EncodingForm::Utf8 => measure::utf8,
        EncodingForm::Utf16Le => measure::utf16::<false>,
        EncodingForm::Utf16Be => measure::utf16::<true>,
        EncodingForm::Utf32Le => measure::utf32::<false>,
        EncodingForm::Utf32Be => measure::utf32::<true>,
    }
}

/// See [`Kernels::table`]. A block is looked up without a branch per byte, since whether a byte is ASCII is random in
/// most languages. Undefined bytes are written too, as [`Codes::NONE`], and found only at the end of the block; then
/// its bytes are decoded once more, one by one, up to the undefined one. What is written after that is scratch.
pub(super) fn table(codes: &Codes, input: &[u8], output: &mut [CodePoint]) -> usize {
    const BLOCK: usize = 64;
    let mut done = 0;
    loop {
        while let Some(from) = input[done..].first_chunk::<BLOCK>()
            && let Some(to) = output[done..].first_chunk_mut::<BLOCK>()
        {
            let from = *from;
            if codes.is_ascii() && from.is_ascii() {
                *to = from.map(CodePoint::from);
            } else {
                let mut carried = 0;
                for (to, from) in to.iter_mut().zip(from) {
                    *to = codes.characters()[usize::from(from)].into();
                    // Only FFFF + 1 sets bit 16, and no `or` of other sums does.
                    carried |= *to + 1;
                }
                if carried > Codes::NONE.into() {
                    break;
                }
            }
            done += BLOCK;
        }
        let end = input.len().min(output.len());
        if done == end {
            return done;
        }
        // The last few bytes, or a block with an undefined byte.
        for (&from, to) in input[..end].iter().zip(&mut *output).skip(done).take(BLOCK) {
            let Some(cp) = codes.character(from) else { return done };
            *to = cp.into();
            done += 1;
        }
    }
}
