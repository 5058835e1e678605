//! Recognizes a text in another encoding as `-f auto` does, by its letters.

use super::form_counts::FormCounts;
use super::stray::StrayEncoding;
use super::{Cause, Guess, TextJudge};
use crate::{Repair, counted};
use oxiconv_detect::detection::{Detection, Evidence, Recovery};

impl TextJudge {
    /// Returns the legacy encoding of the text, with its table if it is a single-byte encoding.
    pub(super) fn legacy(
        &self,
        counts: &FormCounts,
        answer: Option<&(Detection, Recovery)>,
    ) -> Option<(Guess, Option<StrayEncoding>)> {
        let (detection, Recovery::Whole(encoding)) = answer? else { return None };
        let (encoding, multi) = (*encoding, counts.multi);
        let table = StrayEncoding::new(encoding);
        let stray = if table.is_single() {
            // A few letters amid ASCII could be stray bytes as well: then they get the hint for stray bytes.
            let is_plain = !counts.have_frequency() && multi + counts.wide.count() == 0;
            (!is_plain || detection.evidence == Evidence::Declaration).then_some(())?;
            let mut bytes = counts.strays();
            bytes.add(counts.wide.values);
            // An encoding that lacks one of the bytes is refuted, however late that byte comes.
            Some(StrayEncoding::of(Some(table), bytes, |_| true)?)
        } else {
            None
        };
        let also = if stray.as_ref().is_some_and(|stray| stray.like_latin1) {
            " or ISO-8859-1, which agree on these bytes"
        } else {
            ""
        };
        let guess = Guess {
            cause: Cause::Legacy,
            what: format!("{}{also}", encoding.common_name()),
            evidence: match detection.evidence {
                Evidence::Declaration => "the text declares it".to_owned(),
                _ => format!(
                    "judged by byte frequencies over {}{}",
                    counted(self.offset, "byte"),
                    match multi {
                        0 => ", with no multi-byte UTF-8".to_owned(),
                        _ => format!(
                            ", with {} by chance",
                            counted(multi, "multi-byte UTF-8 character")
                        ),
                    }
                ),
            },
            characters: Vec::new(),
            repair: Some(Repair::from(encoding)),
        };
        Some((guess, stray))
    }
}
