//! Doubts about the encoding that the user named, when what it yields is hardly text.
//!
//! A doubt goes through three steps, because detection may be wrong and the user may know more:
//!
//! 1. The reading raises it (`requested.rs`).
//! 2. Detection bears it out: it found an encoding of the kind that would explain the doubt, and is sure enough.
//! 3. The reading in the detected encoding is more plausible by a margin that depends on the doubt. The less evidence
//!    there was in step 1, the larger the margin.
//!
//! `benches/refusals` counts how often this refuses a conversion that is right, and misses one that is wrong.

use oxiconv_detect::detection::{Detection, Evidence};
use oxiconv_detect::language::{TellingPairs, UNIT};

use super::decoded_part::{CLEAR, DecodedPart};

// Mean costs of the pairs of characters that have one beyond ASCII, in sixteenths of a bit ([`TellingPairs`]):
//
//     mean > UNLIKELY               letters of no language: the reading is doubted
//     mean < LIKELY                 text, whatever the other reading costs
//     mean < MAX_LETTER_COST, or    text, if each pair costs at least MARGIN_PER_PAIR less than in the other reading
//            MAX_IDEOGRAPH_COST
//
// One of thousands of ideographs costs more bits than one of some thirty letters, so ideographs have their own limit.

pub(super) const UNLIKELY: u32 = 7 * UNIT;
const LIKELY: u32 = 5 * UNIT + UNIT / 2;
const MAX_LETTER_COST: u32 = 6 * UNIT + UNIT / 2;
const MAX_IDEOGRAPH_COST: u32 = 13 * UNIT;
const MARGIN_PER_PAIR: u32 = 5 * UNIT;

/// The bits by which a reading must be more plausible than one that is only [`Doubt::Unlikely`].
const FAR: u32 = 48;
/// The confidence that contradicts the encoding that was named, in percent.
const CERTAIN: u8 = 95;

/// Why a text may not be what it is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doubt {
    /// Many of its characters have no place in a text.
    Strange,
    /// Some of its letters would be lost.
    Loses,
    /// Its units may be in the other byte order.
    Order,
    /// Its units may be single bytes.
    Width,
    /// Its letters fit no language. There may be a language without a model, which the user knows, so the alternative
    /// must be certain.
    Unlikely,
}

impl Doubt {
    pub(super) fn is_borne_out_by(self, detection: &Detection) -> bool {
        let is_text = !matches!(detection.evidence, Evidence::Ascii | Evidence::Binary);
        // Lines in several encodings are detected only if each is certain. They explain characters with no place in a
        // text, and single bytes read as wide units, but not a wrong byte order or an unknown language.
        if detection.of_lines().is_some() {
            return matches!(self, Self::Strange | Self::Width);
        }
        is_text
            && detection.is_enough()
            && match self {
                Self::Strange => true,
                Self::Order => detection.evidence == Evidence::Units,
                Self::Loses | Self::Width | Self::Unlikely => detection.confidence >= CERTAIN,
            }
    }

    /// Whether `other` is clearly more plausible text than `read`.
    pub(super) fn is_settled(self, read: &DecodedPart, other: &DecodedPart) -> bool {
        let ahead = read.cost().saturating_sub(other.cost());
        match self {
            Self::Strange | Self::Loses | Self::Order => return ahead > CLEAR,
            // Detection is certain, and the bytes have no controls that wide units would have. No margin is needed.
            Self::Width => return ahead > 0,
            Self::Unlikely => {}
        }
        let (unlikely, likely) = (TellingPairs::of(&read.text), TellingPairs::of(&other.text));
        // As EBCDIC, a few bytes become signs beyond ASCII in a text that is otherwise ASCII in the other reading.
        // Pairs with these signs say nothing about the letters, which are most of the text.
        if likely.are_ascii() && 2 * unlikely.count() < read.text.len() {
            return false;
        }
        let most = if likely.are_ideographic() { MAX_IDEOGRAPH_COST } else { MAX_LETTER_COST };
        let mean = likely.mean_cost();
        let far = likely.cost() + MARGIN_PER_PAIR * likely.count() as u32;
        let is_likely = mean < LIKELY || mean < most && unlikely.cost() >= far;
        ahead > FAR && is_likely
    }
}
