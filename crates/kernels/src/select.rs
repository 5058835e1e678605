//! Selects the kernels: the best set that the processor supports, chosen once per process.
//!
//! CPU feature detection is not free. On a virtual machine, `cpuid` traps to the host, and the answers take 45 to 100
//! microseconds altogether: more than the portable set needs for 4 KiB. Many runs of the program convert less. So a
//! process converts its first bytes with the portable set, and detects the features only after that ([`suited`]).

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::contract::{EncodingForm, Kernels, Measured, Progress};
#[cfg(target_arch = "aarch64")]
use super::neon;
use super::portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use super::simd128;
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512, sse41};
use crate::code_point::CodePoint;

/// The kernels that convert from one form to another, or only validate one.
///
/// It names the forms and holds no function pointer, because the set may change between two runs: the first ones are
/// converted by the portable set, before features have been detected.
#[derive(Clone, Copy, Debug)]
pub struct FormPair {
    /// The form to read.
    pub from: EncodingForm,
    /// The form to write, or `None` to validate.
    pub to: Option<EncodingForm>,
}

impl FormPair {
    /// Converts or validates a run.
    #[inline]
    pub fn run(&self, input: &[u8], output: &mut [u8]) -> Progress {
        let set = suited(input.len());
        match self.to {
            Some(to) => (set.convert)(self.from, to)(input, output),
            None => Progress { read: (set.validate)(self.from)(input), written: 0 },
        }
    }

    /// Counts in a run.
    #[inline]
    pub fn measure(&self, run: &[u8]) -> Measured {
        (suited(run.len()).measure)(self.from)(run)
    }
}

/// Returns the sets that this processor supports, best first. The portable one is last.
pub fn available() -> Vec<&'static Kernels> {
    let mut sets = Vec::new();
    #[cfg(target_arch = "x86_64")]
    if avx512::is_supported() {
        sets.push(&avx512::KERNELS);
    }
    #[cfg(target_arch = "x86_64")]
    if avx2::is_supported() {
        sets.push(&avx2::KERNELS);
    }
    #[cfg(target_arch = "x86_64")]
    if sse41::is_supported() {
        sets.push(&sse41::KERNELS);
    }
    #[cfg(target_arch = "aarch64")]
    if neon::is_supported() {
        sets.push(&neon::KERNELS);
    }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    sets.push(&simd128::KERNELS);
    sets.push(&portable::KERNELS);
    sets
}

static ACTIVE: OnceLock<&'static Kernels> = OnceLock::new();

/// Returns the active set: the best one, or the one that the environment variable `OXICONV_KERNELS` names, for tests
/// and comparisons. It is chosen once per process. A name that this processor does not support is ignored.
pub fn active() -> &'static Kernels {
    ACTIVE.get_or_init(|| {
        let sets = available();
        let requested = requested().unwrap_or_default();
        sets.iter().find(|set| set.name == requested).unwrap_or(&sets[0])
    })
}

fn requested() -> Option<String> {
    // The environment belongs to the program, so a library must not depend on it.
    let asks = cfg!(any(test, feature = "environment"));
    asks.then(|| std::env::var("OXICONV_KERNELS").ok()).flatten()
}

/// Returns the set for a run of this many bytes: the active one, or the portable one as long as the process has
/// converted too little for feature detection to pay.
#[inline]
pub fn suited(bytes: usize) -> &'static Kernels {
    match ACTIVE.get() {
        Some(set) => set,
        None => first(bytes),
    }
}

/// Bytes that the portable set converts first. Tests, which have debug assertions, use the best set at once: their
/// texts are short.
const DETECTION_THRESHOLD: usize = if cfg!(debug_assertions) { 0 } else { 4096 };

/// Counts the bytes of the process until the set is chosen. Cold: after that, [`suited`] is a load and a branch.
#[cold]
fn first(bytes: usize) -> &'static Kernels {
    // Relaxed: nothing else depends on the count. If threads add to it at the same time, features are detected a call
    // earlier or later.
    static BEFORE: AtomicUsize = AtomicUsize::new(0);
    let before = BEFORE.fetch_add(bytes, Ordering::Relaxed);
    // A set that the environment names is used from the first byte on.
    if is_worth_detecting(before, bytes, DETECTION_THRESHOLD)
        || before == 0 && requested().is_some()
    {
        active()
    } else {
        &portable::KERNELS
    }
}

/// Whether a run of `bytes`, after this many `before` it, is to wait for feature detection.
const fn is_worth_detecting(before: usize, bytes: usize, worth: usize) -> bool {
    before.saturating_add(bytes) >= worth
}

/// Converts a run to code points. `written` counts code points.
pub fn decode(from: EncodingForm, input: &[u8], output: &mut [CodePoint]) -> Progress {
    let done = FormPair { from, to: Some(EncodingForm::PIVOT) }
        .run(input, bytemuck::cast_slice_mut(output));
    Progress { read: done.read, written: done.written / size_of::<CodePoint>() }
}

/// Converts a run of code points. `read` counts code points.
pub fn encode(to: EncodingForm, input: &[CodePoint], output: &mut [u8]) -> Progress {
    let done = FormPair { from: EncodingForm::PIVOT, to: Some(to) }
        .run(bytemuck::cast_slice(input), output);
    Progress { read: done.read / size_of::<CodePoint>(), written: done.written }
}

#[cfg(test)]
mod tests {
    use super::is_worth_detecting;

    #[test]
    fn a_short_text_does_not_wait_for_the_answer_of_the_processor() {
        assert!(!is_worth_detecting(0, 80, 4096));
        assert!(!is_worth_detecting(4000, 95, 4096));
        assert!(is_worth_detecting(4000, 96, 4096));
        assert!(is_worth_detecting(0, 1 << 20, 4096));
        assert!(is_worth_detecting(usize::MAX, 1, 4096));
    }

    #[test]
    fn tests_run_the_best_kernels_with_short_texts() {
        assert!(is_worth_detecting(0, 0, super::DETECTION_THRESHOLD));
    }
}
