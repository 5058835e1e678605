//! UTF-32 to and from code points: 16 at a time where all are scalar values.

use std::arch::x86_64::*;

use super::{
    Progress, load_bytes, load_code_points, no_scalar_values, portable, store_bytes,
    store_code_points, then,
};

/// Code units of a block.
const BLOCK: usize = 16;

/// On the contract of [`crate::kernels`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2")]
pub(super) fn to_code_points<const BIG: bool>(input: &[u8], output: &mut [u32]) -> Progress {
    let kernel = if BIG {
        portable::KERNELS.utf32be_to_code_points
    } else {
        portable::KERNELS.utf32le_to_code_points
    };
    let mut done = Progress { read: 0, written: 0 };
    while input.len() - done.read >= 4 * BLOCK && output.len() - done.written >= BLOCK {
        let values = ordered::<BIG>(load_bytes(&input[done.read..]));
        if no_scalar_values(values) != 0 {
            break;
        }
        store_code_points(&mut output[done.written..], values);
        done.read += 4 * BLOCK;
        done.written += BLOCK;
    }
    then(kernel, &input[done.read..], &mut output[done.written..], &mut done);
    done
}

/// On the contract of [`crate::kernels`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2")]
pub(super) fn from_code_points<const BIG: bool>(input: &[u32], output: &mut [u8]) -> Progress {
    let kernel = if BIG {
        portable::KERNELS.code_points_to_utf32be
    } else {
        portable::KERNELS.code_points_to_utf32le
    };
    let mut done = Progress { read: 0, written: 0 };
    while input.len() - done.read >= BLOCK && output.len() - done.written >= 4 * BLOCK {
        let values = load_code_points(&input[done.read..]);
        if no_scalar_values(values) != 0 {
            break;
        }
        store_bytes(&mut output[done.written..], ordered::<BIG>(values));
        done.read += BLOCK;
        done.written += 4 * BLOCK;
    }
    then(kernel, &input[done.read..], &mut output[done.written..], &mut done);
    done
}

/// Code units from or to the byte order of the text.
#[target_feature(enable = "avx512f,avx512bw")]
fn ordered<const BIG: bool>(units: __m512i) -> __m512i {
    if BIG {
        let reverse = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
        _mm512_shuffle_epi8(units, _mm512_broadcast_i32x4(reverse))
    } else {
        units
    }
}
