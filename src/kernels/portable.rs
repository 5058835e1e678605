//! The portable kernels: the reference for every other set, and the fallback. Safe code, eight units at a time where
//! all eight are of the common kind, one by one where not. They stop at nothing but what they cannot convert.

use super::{Kernels, Progress};
use crate::unicode::{is_scalar_value, is_surrogate};

/// The set.
pub const KERNELS: Kernels = Kernels {
    name: "portable",
    ascii_to_code_points,
    latin1_to_code_points,
    utf8_to_code_points,
    utf16le_to_code_points: utf16_to_code_points::<false>,
    utf16be_to_code_points: utf16_to_code_points::<true>,
    utf32le_to_code_points: utf32_to_code_points::<false>,
    utf32be_to_code_points: utf32_to_code_points::<true>,
    code_points_to_ascii: code_points_to_bytes::<0x7F>,
    code_points_to_latin1: code_points_to_bytes::<0xFF>,
    code_points_to_utf8,
    code_points_to_utf16le: code_points_to_utf16::<false>,
    code_points_to_utf16be: code_points_to_utf16::<true>,
    code_points_to_utf32le: code_points_to_utf32::<false>,
    code_points_to_utf32be: code_points_to_utf32::<true>,
};

/// Units handled together. Non-ASCII text is taken one by one for as long before the next try.
const BLOCK: usize = 16;

const fn is_ascii(block: &[u8; BLOCK]) -> bool {
    u128::from_ne_bytes(*block) & 0x8080_8080_8080_8080_8080_8080_8080_8080 == 0
}

fn widen(from: &[u8; BLOCK], to: &mut [u32; BLOCK]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = u32::from(*from);
    }
}

fn ascii_to_code_points(input: &[u8], output: &mut [u32]) -> Progress {
    let (mut read, mut blocks) = (0, output.chunks_exact_mut(BLOCK));
    for (from, to) in input.as_chunks().0.iter().zip(&mut blocks) {
        if !is_ascii(from) {
            break;
        }
        widen(from, to.try_into().expect("chunks_exact gives whole blocks"));
        read += BLOCK;
    }
    while read < input.len() && read < output.len() && input[read] < 0x80 {
        output[read] = input[read].into();
        read += 1;
    }
    Progress { read, written: read }
}

fn latin1_to_code_points(input: &[u8], output: &mut [u32]) -> Progress {
    let read = input.len().min(output.len());
    for (to, from) in output.iter_mut().zip(input) {
        *to = u32::from(*from);
    }
    Progress { read, written: read }
}

fn code_points_to_bytes<const MAX: u32>(input: &[u32], output: &mut [u8]) -> Progress {
    let mut read = 0;
    for (from, to) in input.as_chunks::<BLOCK>().0.iter().zip(output.as_chunks_mut::<BLOCK>().0) {
        if from.iter().fold(0, |all, cp| all | cp) > MAX {
            break;
        }
        for (to, from) in to.iter_mut().zip(from) {
            *to = *from as u8;
        }
        read += BLOCK;
    }
    while read < input.len() && read < output.len() && input[read] <= MAX {
        output[read] = input[read] as u8;
        read += 1;
    }
    Progress { read, written: read }
}

fn utf8_to_code_points(input: &[u8], output: &mut [u32]) -> Progress {
    let (mut read, mut written) = (0, 0);
    loop {
        while let Some(from) = input[read..].first_chunk()
            && let Some(to) = output[written..].first_chunk_mut()
            && is_ascii(from)
        {
            widen(from, to);
            read += BLOCK;
            written += BLOCK;
        }
        for _ in 0..BLOCK {
            let Some(place) = output.get_mut(written) else { return Progress { read, written } };
            let Some((cp, len)) = utf8_sequence(&input[read..]) else {
                return Progress { read, written };
            };
            *place = cp;
            written += 1;
            read += len;
        }
    }
}

/// The well-formed sequence at the start of `input` (Table 3-7), if there is a whole one.
#[inline(always)]
fn utf8_sequence(input: &[u8]) -> Option<(u32, usize)> {
    let tail = |byte: u8| (byte & 0xC0 == 0x80).then_some(u32::from(byte & 0x3F));
    match *input {
        [a @ 0..=0x7F, ..] => Some((a.into(), 1)),
        [a @ 0xC2..=0xDF, b, ..] => Some((u32::from(a & 0x1F) << 6 | tail(b)?, 2)),
        [a @ 0xE0..=0xEF, b, c, ..] => {
            let cp = u32::from(a & 0x0F) << 12 | tail(b)? << 6 | tail(c)?;
            (cp >= 0x800 && !is_surrogate(cp)).then_some((cp, 3))
        }
        [a @ 0xF0..=0xF4, b, c, d, ..] => {
            let cp = u32::from(a & 0x07) << 18 | tail(b)? << 12 | tail(c)? << 6 | tail(d)?;
            (0x1_0000..=0x10_FFFF).contains(&cp).then_some((cp, 4))
        }
        _ => None,
    }
}

fn code_points_to_utf8(input: &[u32], output: &mut [u8]) -> Progress {
    let (mut read, mut written) = (0, 0);
    loop {
        while let Some(from) = input[read..].first_chunk::<BLOCK>()
            && let Some(to) = output[written..].first_chunk_mut::<BLOCK>()
            && from.iter().fold(0, |all, cp| all | cp) < 0x80
        {
            for (to, from) in to.iter_mut().zip(from) {
                *to = *from as u8;
            }
            read += BLOCK;
            written += BLOCK;
        }
        for _ in 0..BLOCK {
            let Some(&cp) = input.get(read) else { return Progress { read, written } };
            let Some(len) = put_utf8(cp, &mut output[written..]) else {
                return Progress { read, written };
            };
            read += 1;
            written += len;
        }
    }
}

/// Writes `cp` (Table 3-6) at the start of `output` and returns its length, unless it is no scalar value or has no room.
#[inline(always)]
fn put_utf8(cp: u32, output: &mut [u8]) -> Option<usize> {
    let tail = |shift: u32| (cp >> shift & 0x3F) as u8 | 0x80;
    match cp {
        0..0x80 => *output.first_chunk_mut()? = [cp as u8],
        0x80..0x800 => *output.first_chunk_mut()? = [(cp >> 6) as u8 | 0xC0, tail(0)],
        0x800..0x1_0000 => {
            if is_surrogate(cp) {
                return None;
            }
            *output.first_chunk_mut()? = [(cp >> 12) as u8 | 0xE0, tail(6), tail(0)];
        }
        0x1_0000..0x11_0000 => {
            *output.first_chunk_mut()? = [(cp >> 18) as u8 | 0xF0, tail(12), tail(6), tail(0)];
        }
        _ => return None,
    }
    Some(1 + usize::from(cp >= 0x80) + usize::from(cp >= 0x800) + usize::from(cp >= 0x1_0000))
}

fn unit16<const BIG: bool>(bytes: [u8; 2]) -> u16 {
    if BIG { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) }
}

fn bytes16<const BIG: bool>(unit: u16) -> [u8; 2] {
    if BIG { unit.to_be_bytes() } else { unit.to_le_bytes() }
}

fn utf16_to_code_points<const BIG: bool>(input: &[u8], output: &mut [u32]) -> Progress {
    let (units, _) = input.as_chunks::<2>();
    let (mut read, mut written) = (0, 0);
    'run: loop {
        while let Some(from) = units[read..].first_chunk::<BLOCK>()
            && let Some(to) = output[written..].first_chunk_mut::<BLOCK>()
        {
            let mut surrogates = false;
            for (to, from) in to.iter_mut().zip(from) {
                *to = u32::from(unit16::<BIG>(*from));
                surrogates |= is_surrogate(*to);
            }
            if surrogates {
                break;
            }
            read += BLOCK;
            written += BLOCK;
        }
        for _ in 0..BLOCK {
            let Some((cp, len)) = utf16_sequence::<BIG>(&units[read..]) else { break 'run };
            let Some(place) = output.get_mut(written) else { break 'run };
            *place = cp;
            written += 1;
            read += len;
        }
    }
    Progress { read: 2 * read, written }
}

/// The well-formed sequence at the start of `units` (D91), if there is a whole one, and its length in units.
fn utf16_sequence<const BIG: bool>(units: &[[u8; 2]]) -> Option<(u32, usize)> {
    match unit16::<BIG>(*units.first()?) {
        0xDC00..=0xDFFF => None,
        high @ 0xD800..=0xDBFF => match unit16::<BIG>(*units.get(1)?) {
            low @ 0xDC00..=0xDFFF => {
                Some((0x1_0000 + (u32::from(high & 0x3FF) << 10 | u32::from(low & 0x3FF)), 2))
            }
            _ => None,
        },
        unit => Some((unit.into(), 1)),
    }
}

fn code_points_to_utf16<const BIG: bool>(input: &[u32], output: &mut [u8]) -> Progress {
    let (units, _) = output.as_chunks_mut::<2>();
    let (mut read, mut written) = (0, 0);
    'run: loop {
        while let Some(from) = input[read..].first_chunk::<BLOCK>()
            && let Some(to) = units[written..].first_chunk_mut::<BLOCK>()
        {
            let mut other = false;
            for (to, from) in to.iter_mut().zip(from) {
                other |= *from > 0xFFFF || is_surrogate(*from);
                *to = bytes16::<BIG>(*from as u16);
            }
            if other {
                break;
            }
            read += BLOCK;
            written += BLOCK;
        }
        for _ in 0..BLOCK {
            let Some(&cp) = input.get(read) else { break 'run };
            if !is_scalar_value(cp) {
                break 'run;
            }
            if cp < 0x1_0000 {
                let Some(place) = units.get_mut(written) else { break 'run };
                *place = bytes16::<BIG>(cp as u16);
                written += 1;
            } else {
                let Some(place) = units.get_mut(written..written + 2) else { break 'run };
                let above = cp - 0x1_0000;
                place[0] = bytes16::<BIG>(0xD800 | (above >> 10) as u16);
                place[1] = bytes16::<BIG>(0xDC00 | (above & 0x3FF) as u16);
                written += 2;
            }
            read += 1;
        }
    }
    Progress { read, written: 2 * written }
}

fn utf32_to_code_points<const BIG: bool>(input: &[u8], output: &mut [u32]) -> Progress {
    let unit =
        |bytes: [u8; 4]| if BIG { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) };
    let (units, _) = input.as_chunks::<4>();
    let mut done = 0;
    for (from, to) in units.as_chunks::<BLOCK>().0.iter().zip(output.as_chunks_mut::<BLOCK>().0) {
        let mut other = false;
        for (to, from) in to.iter_mut().zip(from) {
            *to = unit(*from);
            other |= !is_scalar_value(*to);
        }
        if other {
            break;
        }
        done += BLOCK;
    }
    for (to, from) in output[done..].iter_mut().zip(&units[done..]) {
        *to = unit(*from);
        if !is_scalar_value(*to) {
            break;
        }
        done += 1;
    }
    Progress { read: 4 * done, written: done }
}

fn code_points_to_utf32<const BIG: bool>(input: &[u32], output: &mut [u8]) -> Progress {
    let (units, _) = output.as_chunks_mut::<4>();
    let mut done = 0;
    for (to, &cp) in units.iter_mut().zip(input) {
        if !is_scalar_value(cp) {
            break;
        }
        *to = if BIG { cp.to_be_bytes() } else { cp.to_le_bytes() };
        done += 1;
    }
    Progress { read: done, written: 4 * done }
}
