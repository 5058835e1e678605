//! The answer for a text with bytes that Python's `surrogateescape` has escaped (`codec/surrogate_escape.rs`).
//!
//! The text is judged with these bytes restored, because then it is what Python has read, and the usual evidence says
//! what its bytes are: parts of characters, strays among UTF-8, or letters of a charset. But the file itself is in none
//! of these charsets. It is UTF-8 in which the bytes are escaped, so that is the answer, and the charset is the
//! fallback for the bytes.

use super::answer::{Detection, Evidence, Others};
use super::recovery::SURE;
use super::strays::may_be_among_utf8;
use super::utf8_census::Census;
use oxiconv_encodings::encoding::Encoding;

/// Returns the answer for a text in which this many bytes were `escaped`, by the answer for the text with them
/// restored. `None` if that is no text in bytes, so that they were not escaped either.
pub(super) fn of_escaped(restored: Detection, escaped: u64) -> Option<Detection> {
    let is_utf8 = restored.encoding == Encoding::UTF_8;
    let mut language = restored.language;
    let (confidence, others) = match (restored.evidence, restored.others) {
        (Evidence::WellFormed, _) | (Evidence::MostlyWellFormed, None) if is_utf8 => {
            (Census::MAX_CONFIDENCE, Others { strays: 0, fallback: None, cut: 0, escaped })
        }
        (Evidence::MostlyWellFormed, Some(others)) if is_utf8 => {
            (restored.confidence, Others { escaped, ..others })
        }
        (Evidence::Letters | Evidence::Declaration | Evidence::Lines, _) => {
            let is_sure = restored.evidence != Evidence::Lines
                && restored.confidence >= SURE
                && may_be_among_utf8(restored.encoding);
            let fallback = is_sure.then_some(restored.encoding);
            language = language.filter(|_| is_sure);
            let confidence = if is_sure { restored.confidence } else { Census::MAX_CONFIDENCE };
            (confidence, Others { strays: escaped, fallback, cut: 0, escaped })
        }
        _ => return None,
    };
    Some(Detection {
        language,
        unclear: restored.unclear.filter(|_| language.is_some()),
        others: Some(others),
        ..Detection::new(Encoding::UTF_8, confidence, Evidence::MostlyWellFormed)
    })
}

#[cfg(test)]
mod tests;
