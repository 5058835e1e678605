//! Decides whether text in wide units is ordinary. A repair of its units counts as proved only if ordinary text is the
//! result.
//!
//! Shifted by a byte, nearly any text is a mixture of scripts, rare ideographs and reserved code points. Ordinary text
//! has Latin letters and one other script, usual ideographs, digits and punctuation, and nothing else.
//!
//! That is stricter than comparing costs, on purpose. A long sound text would outweigh a few wrong characters in a sum,
//! but a single strange one shows that something is wrong.

use super::character_group::{CharacterGroup, Classification, class};
use super::wide::{Scheme, characters};
use oxiconv_encodings::unicode::{CodePoint, is_high_surrogate, is_low_surrogate};

/// The most bits of a usual character, and of a usual Latin letter.
const MAX_BITS: f32 = 10.5;
const MAX_LATIN_BITS: f32 = 9.0;
const MARK: CodePoint = 0xFEFF;

/// Text in wide units that has been ordinary so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct OrdinaryText {
    /// Its script other than Latin.
    script: Option<CharacterGroup>,
}

impl OrdinaryText {
    /// Reads on, and returns the byte offset of the first character that is not ordinary. A surrogate pair may be
    /// truncated at either end.
    pub(super) fn strange(&mut self, scheme: Scheme, text: &[u8]) -> Option<usize> {
        let mut at = 0;
        characters(scheme, text)
            .map(|(character, len)| {
                at += len;
                (character, at - len, at)
            })
            .find(|(character, start, end)| match character {
                Ok(cp) => !self.allows(*cp),
                Err(unit) if *start == 0 => !is_low_surrogate(*unit),
                Err(unit) => !(is_high_surrogate(*unit) && text.len() - end < scheme.width()),
            })
            .map(|(_, start, _)| start)
    }

    /// Whether it has a script other than Latin.
    pub(super) const fn has_script(&self) -> bool {
        self.script.is_some()
    }

    /// Whether it may continue with this character. The first script other than Latin becomes that of the text.
    pub(super) fn allows(&mut self, cp: CodePoint) -> bool {
        let Classification::Of(part, bits) = class(cp) else { return false };
        match part {
            CharacterGroup::Blank | CharacterGroup::Digit | CharacterGroup::Punctuation => true,
            // U+0020 becomes U+2000 if it is shifted by a byte. Spaces of a fixed width are rare otherwise.
            CharacterGroup::Typographic => !matches!(cp, 0x2000..=0x200A),
            // The usual punctuation and brackets.
            CharacterGroup::EastAsian => bits <= 6.0,
            CharacterGroup::Symbol => cp == MARK,
            CharacterGroup::Emoji => cp > 0xFFFF,
            CharacterGroup::Latin => bits <= MAX_LATIN_BITS,
            CharacterGroup::Other(_) if cp > 0xFFFF => false,
            script => {
                let first = *self.script.get_or_insert(script);
                let fits = first == script || first.is_east_asian() && script.is_east_asian();
                fits && bits <= MAX_BITS
            }
        }
    }
}
