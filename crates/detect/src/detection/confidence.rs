//! Converts the evidence for an answer by letters into a confidence, by logistic regression.
//!
//! ```text
//! readings of the same bytes ─► bits that the first is ahead of all others ─┐
//! its text                   ─► bits that a byte costs                     ─┴─► share of such answers that are right
//! ```
//!
//! A lead alone would be misleading: among random bytes, too, some charset is ahead of all others. The second input
//! tells that even the best reading is unlike text.
//!
//! ```text
//! p = 1 / (1 + exp(-sum))
//! sum = CONSTANT + AHEAD · ln(1 + ahead) + BEHIND · behind + UNLIKE_TEXT · (bits per byte above 6)
//!
//! ahead    0 bits     3 bits     10 bits         one bit per byte above 6 divides the odds by 54
//! p        54 %       93 %       99 %
//! ```
//!
//! The lead counts by its logarithm, so the first bits say most. `behind` is negative, and takes part only if the other
//! readings together are likelier than the answer.
//!
//! `benches/calibration --fit` fits the weights to texts of the set `tune`. `benches/calibration` then counts how often
//! the answers for texts of the set `held` are right, by their confidence. The weights should be fitted again after a
//! change of the model or of the costs in `letters.rs`: they translate bits into a frequency, and know nothing of what
//! the bits are made of.

/// The weights of the regression: the intercept; the logarithm of the bits ahead; the bits behind, if the others
/// together are likelier; and each bit that a byte costs more than text usually does.
const CONSTANT: f64 = 0.142;
const AHEAD: f64 = 1.714;
const BEHIND: f64 = 0.189;
const UNLIKE_TEXT: f64 = -3.998;

/// The most bits that a byte of text costs in its own charset.
const MAX_BITS_OF_TEXT: f64 = 6.0;
/// A bound for the lead. If no reading differs from the answer, the odds are 0 and the lead would be infinite.
const MAX_AHEAD: f64 = 400.0;
/// Letters are never certain.
const MAX_CONFIDENCE: f64 = 0.99;

/// The inputs of the regression.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grounds {
    /// The odds of all differing readings together against the answer.
    pub(super) odds: f64,
    /// The bits that a byte of the text costs in the answer.
    pub(super) bits: f64,
}

impl Grounds {
    /// Returns the share of such answers that are right. The odds were taken from half the bits (`Scored::odds`), so
    /// their logarithm is doubled.
    pub(super) fn confidence(self) -> f64 {
        let ahead = (-2.0 * libm::log2(self.odds)).min(MAX_AHEAD);
        let sum = CONSTANT
            + AHEAD * libm::log1p(ahead.max(0.0))
            + BEHIND * ahead.min(0.0)
            + UNLIKE_TEXT * (self.bits - MAX_BITS_OF_TEXT).max(0.0);
        (1.0 / (1.0 + libm::exp(-sum))).min(MAX_CONFIDENCE)
    }
}

/// Converts a share to percent, rounded. Less than half a percent is 0, and is left out.
pub(super) fn percent(share: f64) -> u8 {
    (share * 100.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn confidence_rises_with_what_speaks_for_an_answer() {
        let confidence = |odds, bits| percent(Grounds { odds, bits }.confidence());
        assert!(confidence(0.5, 4.0) < confidence(0.01, 4.0));
        assert_eq!(confidence(0.0, 4.0), 99);
        // Nothing else fits, and it is not like text either.
        assert!(confidence(0.0, 9.0) < 50);
        assert!(confidence(0.01, 8.0) < confidence(0.01, 6.5));
        assert!(confidence(3.0, 4.0) < confidence(1.0, 4.0));
    }
}
