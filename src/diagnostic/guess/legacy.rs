//! Recognizes a text in another encoding as `-f auto` does, by the letters that it has there.

use super::counts::FormCounts;
use super::stray::Stray;
use super::{Cause, Guess, Judge};
use crate::detection::{Detection, Evidence};
use crate::diagnostic::{Repair, counted, grouped};
use crate::encoding::Family;

/// The least confidence, in percent, with which an encoding of single bytes is named: near-twins share it.
const LEAST: u8 = 20;

impl Judge {
    /// Returns the legacy encoding that the text is in, and its table if it is a single-byte encoding.
    pub(super) fn legacy(
        &self,
        counts: &FormCounts,
        detection: Option<&Detection>,
    ) -> Option<(Guess, Option<Stray>)> {
        let (multi, ill_formed, bytes) = (counts.multi, counts.ill_formed, counts.bytes);
        let plain =
            self.encoding.is_some_and(|it| matches!(it.family, Family::Utf8 | Family::Ascii));
        // Bytes that are well-formed by chance, or part of a special sequence, are few compared with the others. A few
        // bytes prove nothing.
        let of_several =
            multi < ill_formed && ill_formed >= 6 && counts.special() + counts.cut < bytes;
        let of_one = plain && bytes > 0 && counts.special() * 20 <= bytes;
        if !of_several && !of_one || self.zeros.are_of_no_text() {
            return None;
        }
        let detection = detection?;
        let is_found = detection.evidence == Evidence::Letters && detection.confidence >= LEAST;
        let encoding = is_found.then_some(detection.encoding)?;
        let table = Stray::new(encoding);
        let stray = if table.is_single() {
            let mut bytes = counts.strays();
            bytes.add(counts.special_set);
            (of_one && counts.have_frequency()).then_some(())?;
            // An encoding that lacks one of them is refuted, however late that one comes.
            Some(Stray::of(Some(table), bytes, |other| other.encoding() == encoding)?)
        } else {
            (of_several && detection.is_enough()).then_some(())?;
            None
        };
        let encoding = stray.as_ref().map_or(encoding, Stray::encoding);
        if self.encoding == Some(encoding) {
            return None;
        }
        let also = if stray.as_ref().is_some_and(|stray| stray.like_latin1) {
            " or ISO-8859-1, which agree on its bytes"
        } else {
            ""
        };
        let guess = Guess {
            cause: Cause::Legacy,
            what: format!("{}{also}", encoding.common_name()),
            evidence: format!(
                "judged by the frequency of its bytes, {} in all{}",
                grouped(self.offset),
                match multi {
                    0 => ", none of them UTF-8 beyond ASCII".to_owned(),
                    _ => format!("; by chance they hold {} of UTF-8", counted(multi, "character")),
                }
            ),
            characters: Vec::new(),
            repair: Some(Repair::from(encoding)),
        };
        Some((guess, stray))
    }
}
