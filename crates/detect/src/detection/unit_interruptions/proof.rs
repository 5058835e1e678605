//! Decides whether the text proves an interruption, so that it can be repaired and not only reported.
//!
//! A wrong finding costs a look at the file, but a wrong repair loses text. So a repair asks for more: the text on both
//! sides of the interruption must be ordinary (`ordinary.rs`), and there must be no other place where the interruption
//! could begin, nor another character that it could be left of.

use super::{Interruption, MAX_PLACE, Meant, MisalignedBytes, WideUnits, may_be_bytes};
use crate::detection::ordinary::OrdinaryText;
use oxiconv_encodings::unicode::LINE_FEED;

impl WideUnits {
    /// Decides whether the text proves `what`: `before` are up to [`Self::LOOK`] bytes since the last interruption, and
    /// `rest` is the text from this one on. Returns the finding with the verdict, and the state of the text around it,
    /// with which the engine continues.
    pub fn prove(
        self,
        what: Interruption,
        before: &[u8],
        rest: &[u8],
    ) -> (Interruption, OrdinaryText) {
        let mut text = OrdinaryText::default();
        let is_sound = text.strange(self.scheme, before).is_none();
        match what {
            Interruption::Narrow { .. } => {
                let is_proved = is_sound && self.proves_start(before, rest, text);
                (Interruption::Narrow { is_proved }, text)
            }
            Interruption::Stray(stray) => {
                let rest = &rest[stray.len.min(rest.len())..rest.len().min(Self::LOOK)];
                let rest = self.whole_units(&rest[..self.first_strange_line_feed(rest)]);
                let is_proved = is_sound
                    && stray.meant != Meant::Unknown
                    && text.strange(self.scheme, rest).is_none();
                (Interruption::Stray(MisalignedBytes { is_proved, ..stray }), text)
            }
        }
    }

    /// Whether a single-byte part cannot begin anywhere else than between `before`, whose text is `text`, and `rest`:
    /// the unit before it cannot belong to the part, and the first unit of it cannot belong to the text.
    fn proves_start(self, before: &[u8], rest: &[u8], mut text: OrdinaryText) -> bool {
        let most = &rest[..rest.len().min(MAX_PLACE)];
        let line = &most[..memchr::memchr(b'\n', most).map_or(most.len(), |at| at + 1)];
        let unit = &before[before.len().saturating_sub(self.width)..];
        let may_begin_before = may_be_bytes(unit)
            && !unit.is_empty()
            && std::str::from_utf8(&[unit, line].concat()).is_ok();
        // A unit of `rest` continues the text only if that needs no new script. A line hardly begins with a single
        // ideograph whose two bytes happen to be ASCII letters, so there the second unit must continue it too.
        let begins_line =
            self.form.unit_before(before, before.len()).is_none_or(|it| it == LINE_FEED);
        let has_script = text.has_script();
        let mut goes_on = |unit: &[u8]| {
            unit.len() == self.width
                && text.strange(self.scheme, unit).is_none()
                && text.has_script() == has_script
        };
        let mut units = rest.chunks(self.width);
        let (first, second) = (units.next().unwrap_or_default(), units.next().unwrap_or_default());
        let is_word = || begins_line && first.iter().all(u8::is_ascii_alphanumeric);
        let may_begin_after = goes_on(first) && (!is_word() || goes_on(second));
        std::str::from_utf8(line).is_ok() && !may_begin_before && !may_begin_after
    }
}
