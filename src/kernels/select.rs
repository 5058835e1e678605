//! Which kernels run: the best set that the processor has, chosen once a process.

use std::sync::OnceLock;

use super::contract::{Convert, EncodingForm, Kernels, Measure, Measured, Progress, Validate};
#[cfg(target_arch = "aarch64")]
use super::neon;
use super::portable;
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};
use crate::unicode::CodePoint;

/// The kernels that lead from one form to another, or only look at one.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// The form that is read.
    pub from: EncodingForm,
    /// The form that is written, or `None`.
    pub to: Option<EncodingForm>,
    validate: Validate,
    convert: Convert,
    measure: Measure,
}

impl Pair {
    /// Those of the set in use.
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

/// The sets that this processor can run, the best first.
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
    #[cfg(target_arch = "aarch64")]
    if neon::is_here() {
        sets.push(&neon::KERNELS);
    }
    sets.push(&portable::KERNELS);
    sets
}

/// The set in use: the best that there is, or the one that the environment variable `OXICONV_KERNELS` names, for tests
/// and comparisons. Chosen once a process; a name that this processor has no set for changes nothing.
pub fn active() -> &'static Kernels {
    static ACTIVE: OnceLock<&'static Kernels> = OnceLock::new();
    ACTIVE.get_or_init(|| {
        let sets = available();
        let wanted = std::env::var("OXICONV_KERNELS").unwrap_or_default();
        sets.iter().find(|set| set.name == wanted).unwrap_or(&sets[0])
    })
}

/// Converts a run to code points by the set in use. `written` counts those.
pub fn decode(from: EncodingForm, input: &[u8], output: &mut [CodePoint]) -> Progress {
    let done =
        (active().convert)(from, EncodingForm::PIVOT)(input, bytemuck::cast_slice_mut(output));
    Progress { read: done.read, written: done.written / size_of::<CodePoint>() }
}

/// Converts a run of code points by the set in use. `read` counts those.
pub fn encode(to: EncodingForm, input: &[CodePoint], output: &mut [u8]) -> Progress {
    let done = (active().convert)(EncodingForm::PIVOT, to)(bytemuck::cast_slice(input), output);
    Progress { read: done.read / size_of::<CodePoint>(), written: done.written }
}
