//! The nearest text in ASCII to a character that a target lacks.

/// That text, if there is any.
#[cfg(feature = "transliteration")]
pub(super) fn nearest(character: char) -> Option<&'static str> {
    deunicode::deunicode_char(character)
}

/// Without the tables of it, no conversion can ask for one, and no report names one.
#[cfg(not(feature = "transliteration"))]
pub(super) fn nearest(_: char) -> Option<&'static str> {
    None
}
