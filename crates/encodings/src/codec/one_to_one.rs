//! The fast loop of codecs whose plain characters are one unit on either side: UTF-1, UTF-EBCDIC and the escapes.
//!
//! Sixteen units are tested together, with one branch for all of them, so that the compiler can vectorize the test and
//! the conversion. The block that fails and the last few units are converted one by one, up to the first that is not
//! plain.

use oxiconv_kernels::Progress;

const BLOCK: usize = 16;

/// Converts a run with `map`, up to the first unit that is not `plain`, under the contract of [`oxiconv_kernels`].
pub(super) fn plain_run<A: Copy, B>(
    input: &[A],
    output: &mut [B],
    plain: impl Fn(A) -> bool,
    map: impl Fn(A) -> B,
) -> Progress {
    let mut done = 0;
    for (from, to) in input.as_chunks::<BLOCK>().0.iter().zip(output.as_chunks_mut::<BLOCK>().0) {
        if !from.iter().fold(true, |all, unit| all & plain(*unit)) {
            break;
        }
        for (to, from) in to.iter_mut().zip(from) {
            *to = map(*from);
        }
        done += BLOCK;
    }
    let rest = input[done..].iter().zip(&mut output[done..]);
    for (from, to) in rest.take_while(|(from, _)| plain(**from)) {
        *to = map(*from);
        done += 1;
    }
    Progress { read: done, written: done }
}
