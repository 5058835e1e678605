//! How often an answer by letters is right: a logistic regression over what speaks for it.
//!
//! ```text
//! readings of the same bytes ─► bits that the first is ahead of all others ─┐
//! its text                   ─► bits that a byte costs                     ─┴─► share of such answers that are right
//! ```
//!
//! `benches/calibration --fit` makes the weights from texts of `tune`, and `benches/calibration` counts how often the
//! answers for texts of `held` are right, by their confidence.

/// The weights of the regression: of nothing, of the logarithm of the bits ahead, of the bits behind if the others together
/// are likelier, and of each bit that a byte costs more than text usually does.
const CONSTANT: f64 = 0.142;
const AHEAD: f64 = 1.714;
const BEHIND: f64 = 0.189;
const UNLIKE_TEXT: f64 = -3.998;

/// Bits that a byte of text costs at most in its own charset.
const MAX_BITS_OF_TEXT: f64 = 6.0;
/// The most bits ahead that count.
const MAX_AHEAD: f64 = 400.0;
/// No answer by letters is certain.
const MAX_CONFIDENCE: f64 = 0.99;

/// What an answer is judged by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grounds {
    /// The odds of all readings that differ from the answer, together, to it.
    pub(super) odds: f64,
    /// The bits that a byte of its text costs.
    pub(super) bits: f64,
}

impl Grounds {
    /// Returns the share of such answers that are right.
    pub(super) fn confidence(self) -> f64 {
        let ahead = (-2.0 * libm::log2(self.odds)).min(MAX_AHEAD);
        let sum = CONSTANT
            + AHEAD * libm::log1p(ahead.max(0.0))
            + BEHIND * ahead.min(0.0)
            + UNLIKE_TEXT * (self.bits - MAX_BITS_OF_TEXT).max(0.0);
        (1.0 / (1.0 + libm::exp(-sum))).min(MAX_CONFIDENCE)
    }
}

/// Returns a share in percent. What is below 1 % is 0, and is left out.
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
