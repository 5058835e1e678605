//! Doubts about the encoding that was named: what is read is hardly text.
//!
//! Detection may be wrong, and the user may know more. So text without a sign of being anything but text must be far
//! less likely before detection contradicts: `benches/refusals` counts how often that refuses what is right.

use oxiconv_detect::detection::{Detection, Evidence};
use oxiconv_detect::language::{TellingPairs, UNIT};

use super::decoded_part::{CLEAR, DecodedPart};

/// What a pair of characters with one beyond ASCII costs at least on average in text of no language, in sixteenths of a bit.
pub(super) const UNLIKELY: u32 = 7 * UNIT;
/// What it costs at most in text that is certain,
const LIKELY: u32 = 5 * UNIT + UNIT / 2;
/// and if it costs far less than in the other reading, in letters and in ideographs.
const USUAL_LETTER: u32 = 6 * UNIT + UNIT / 2;
const USUAL_IDEOGRAPH: u32 = 13 * UNIT;
/// How much is far less.
const FAR_EACH: u32 = 5 * UNIT;
/// The bits by which a reading is far likelier than another one.
const FAR: u32 = 48;
/// The confidence in percent that contradicts the encoding that was named.
const CERTAIN: u8 = 95;

/// Why a reading may not be what a text is.
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
    /// Its letters are those of no language. Who names an encoding may know a language that no model does, so what the text is
    /// instead must be certain.
    Unlikely,
}

impl Doubt {
    pub(super) fn is_borne_out_by(self, detection: &Detection) -> bool {
        let is_text = !matches!(detection.evidence, Evidence::Ascii | Evidence::Binary);
        // That lines are in several encodings is as good as certain.
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

    /// Whether `other` is clearly likelier text than `read`.
    pub(super) fn is_settled(self, read: &DecodedPart, other: &DecodedPart) -> bool {
        let ahead = read.cost().saturating_sub(other.cost());
        match self {
            Self::Strange | Self::Loses | Self::Order => return ahead > CLEAR,
            // Letters without a control, of which detection is certain, are hardly units as it is.
            Self::Width => return ahead > 0,
            Self::Unlikely => {}
        }
        let (unlikely, likely) = (TellingPairs::of(&read.text), TellingPairs::of(&other.text));
        // A few signs of an EBCDIC in a text that is ASCII otherwise say nothing of its letters.
        if likely.are_ascii() && 2 * unlikely.count() < read.text.len() {
            return false;
        }
        let most = if likely.are_ideographic() { USUAL_IDEOGRAPH } else { USUAL_LETTER };
        let mean = likely.mean_cost();
        let far = likely.cost() + FAR_EACH * likely.count() as u32;
        let is_likely = mean < LIKELY || mean < most && unlikely.cost() >= far;
        ahead > FAR && is_likely
    }
}
