//! The hint on a text from a pipe whose conversion stopped. More of the text may come late or never, so no more is
//! read, and only what is before the fault can be evidence.
//!
//! Checked in this order: wide units, UTF-8 that is read as something else, a character that was cut off, and last a
//! stray byte, which needs support from the text before it.

use super::guess_place::shown;
use super::stray::{ByteSet, StrayEncoding};
use super::{Cause, Guess, Hint, TextJudge};
use crate::Substitute::Nothing;
use crate::{Repair, counted};
use oxiconv_detect::detection::Recovery;
use oxiconv_encodings::codec::{Preceding, Truncation};
use oxiconv_encodings::encoding::Encoding;

impl TextJudge {
    /// Returns the hint on a text that was examined up to the bytes that stopped its conversion. `byte` is the first of
    /// them, and `next` the one after it, if it is known.
    pub fn hint_at_stop(&mut self, byte: u8, next: Option<u8>) -> Option<Hint> {
        self.look_at_block(true);
        let wide = || self.interrupted().or_else(|| self.wide());
        if let Some(whole) = self.utf8_as_wide().or_else(wide) {
            return Some(Hint::of_whole(&whole));
        }
        if !self.is_utf8() {
            let whole = self.utf8_so_far().or_else(|| self.superset(false));
            return whole.as_ref().map(Hint::of_whole);
        }
        let counts = self.counts.settled();
        // The judge keeps no text, so what is directly before the byte is unknown. Each possibility is tried: ASCII, or
        // a character of two or three bytes.
        let around = [byte, next.unwrap_or(b'\n')];
        let before = [Preceding::Ascii, Preceding::Character(2), Preceding::Character(3)];
        let cuts =
            before.into_iter().filter_map(|before| Truncation::at(before, &around, next.is_none()));
        if cuts.into_iter().any(|(cut, _)| counts.usual.explain(cut)) {
            return Some(Hint {
                cause: Cause::Cut.id(),
                guess: String::new(),
                evidence: format!("{byte:02X} begins a character that was cut off"),
                repair: Some(Repair::default().on_ill_formed(Nothing)),
                whole: false,
            });
        }
        let mut bytes = ByteSet::default();
        bytes.insert(&[byte]);
        let allowed = |stray: &StrayEncoding| self.neighbours.allow(stray, bytes, &self.counts);
        // If nothing is sure, windows-1252 is tried: it is what stray bytes are most often.
        let judged = match self.strays.judge(true) {
            Some((_, Recovery::Among(strays))) if strays.is_sure => strays.encoding,
            _ => Encoding::WINDOWS_1252,
        };
        let judged = Some(StrayEncoding::new(judged)).filter(StrayEncoding::is_single);
        let stray = StrayEncoding::of(judged, bytes, allowed).filter(|stray| {
            // Several such bytes may be one character of any multi-byte encoding. So may a single one in ASCII text,
            // unless it continues a word.
            let is_alone = next.is_none_or(|next| next.is_ascii());
            // C0 and C1 begin overlong forms, and C0 80 is Java's U+0000.
            is_alone
                && !self.zeros.are_of_no_text()
                && byte & 0xFE != 0xC0
                && (self.counts.multi > 0 || self.neighbours.continues_word(stray, byte, next))
        });
        let Some(stray) = stray else {
            return (self.counts.multi == 0).then(|| Hint {
                cause: Cause::Unread.id(),
                guess: String::new(),
                evidence:
                    "the rest was not read (--explain reads it and says what the text probably is)"
                        .to_owned(),
                repair: None,
                whole: false,
            });
        };
        let (name, character) = (stray.encoding().name(), shown(stray.character(byte)));
        Some(Hint {
            cause: Cause::SingleByte.id(),
            guess: stray.as_part(),
            evidence: format!(
                "{byte:02X} is {character} in {name}, and the text before it is {}",
                self.counts.rest()
            ),
            repair: Some(Repair::default().fallback(stray.encoding())),
            whole: false,
        })
    }

    /// Guesses UTF-8 for the start of a text that is read in wide units.
    fn utf8_as_wide(&self) -> Option<Guess> {
        let is_wide = self.encoding.is_some_and(|encoding| encoding.family.is_wide());
        let whole = self.utf8().filter(|_| is_wide)?;
        let evidence = "everything read so far is well-formed UTF-8 with no zero byte".to_owned();
        Some(Guess { evidence, ..whole })
    }

    /// Guesses UTF-8 for the start of a text that is read in an encoding without wide units.
    fn utf8_so_far(&self) -> Option<Guess> {
        let counts = &self.counts;
        let cut = u64::from(counts.cut.at_end.is_some());
        let is_wide = self.encoding.is_none_or(|encoding| encoding.family.is_wide());
        (!is_wide && !self.is_utf8() && counts.multi > 0 && counts.ill_formed <= cut).then(|| {
            Guess {
                cause: Cause::Utf8,
                what: Encoding::UTF_8.name().to_owned(),
                evidence: format!(
                    "everything read so far is well-formed UTF-8 with {}",
                    counted(counts.multi, "multi-byte character")
                ),
                characters: Vec::new(),
                repair: Some(Repair::from(Encoding::UTF_8)),
            }
        })
    }
}
