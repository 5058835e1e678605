//! Selects the kernels: the best set that the processor supports, chosen once per process.

use std::sync::OnceLock;

use super::contract::{Convert, EncodingForm, Kernels, Measure, Measured, Progress, Validate};
#[cfg(target_arch = "aarch64")]
use super::neon;
use super::portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use super::simd128;
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512, sse41};
use crate::unicode::CodePoint;

/// The kernels that convert from one form to another, or only validate one.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// The form to read.
    pub from: EncodingForm,
    /// The form to write, or `None` to validate.
    pub to: Option<EncodingForm>,
    validate: Validate,
    convert: Convert,
    measure: Measure,
}

impl Pair {
    /// Returns the kernels of the active set.
    pub fn new(from: EncodingForm, to: Option<EncodingForm>) -> Self {
        let set = active();
        Self {
            from,
            to,
            validate: (set.validate)(from),
            convert: (set.convert)(from, to.unwrap_or(from)),
            measure: (set.measure)(from),
        }
    }

    /// Converts or validates a run.
    #[inline]
    pub fn run(&self, input: &[u8], output: &mut [u8]) -> Progress {
        match self.to {
            Some(_) => (self.convert)(input, output),
            None => Progress { read: (self.validate)(input), written: 0 },
        }
    }

    /// Counts in a run.
    #[inline]
    pub fn measure(&self, run: &[u8]) -> Measured {
        (self.measure)(run)
    }
}

/// Returns the sets that this processor supports, best first.
pub fn available() -> Vec<&'static Kernels> {
    let mut sets = Vec::new();
    #[cfg(target_arch = "x86_64")]
    if avx512::is_here() {
        sets.push(&avx512::KERNELS);
    }
    #[cfg(target_arch = "x86_64")]
    if avx2::is_here() {
        sets.push(&avx2::KERNELS);
    }
    #[cfg(target_arch = "x86_64")]
    if sse41::is_here() {
        sets.push(&sse41::KERNELS);
    }
    #[cfg(target_arch = "aarch64")]
    if neon::is_here() {
        sets.push(&neon::KERNELS);
    }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    sets.push(&simd128::KERNELS);
    sets.push(&portable::KERNELS);
    sets
}

/// Returns the active set: the best one, or the one named by the environment variable `OXICONV_KERNELS`, for tests and
/// comparisons. It is chosen once per process; a name that this processor does not support is ignored.
pub fn active() -> &'static Kernels {
    static ACTIVE: OnceLock<&'static Kernels> = OnceLock::new();
    ACTIVE.get_or_init(|| {
        let sets = available();
        // A library does not depend on the environment of whoever uses it.
        let asks = cfg!(any(test, feature = "cli", feature = "internals"));
        let wanted =
            asks.then(|| std::env::var("OXICONV_KERNELS").ok()).flatten().unwrap_or_default();
        sets.iter().find(|set| set.name == wanted).unwrap_or(&sets[0])
    })
}

/// Converts a run to code points with the active set. `written` counts code points.
pub fn decode(from: EncodingForm, input: &[u8], output: &mut [CodePoint]) -> Progress {
    let done =
        (active().convert)(from, EncodingForm::PIVOT)(input, bytemuck::cast_slice_mut(output));
    Progress { read: done.read, written: done.written / size_of::<CodePoint>() }
}

/// Converts a run of code points with the active set. `read` counts code points.
pub fn encode(to: EncodingForm, input: &[CodePoint], output: &mut [u8]) -> Progress {
    let done = (active().convert)(EncodingForm::PIVOT, to)(bytemuck::cast_slice(input), output);
    Progress { read: done.read / size_of::<CodePoint>(), written: done.written }
}
