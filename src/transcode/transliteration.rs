//! The closest ASCII text for a character that a target cannot represent.

/// Returns that text, if there is one.
#[cfg(feature = "transliteration")]
pub(super) fn nearest(character: char) -> Option<&'static str> {
    deunicode::deunicode_char(character)
}

/// Without the tables, no conversion can ask for a transliteration, and no report suggests one.
#[cfg(not(feature = "transliteration"))]
pub(super) fn nearest(_: char) -> Option<&'static str> {
    None
}
