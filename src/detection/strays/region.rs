//! A region with stray bytes.

/// A region of a text, and the characters before and after it.
pub(super) struct Region<'t> {
    pub(super) bytes: &'t [u8],
    pub(super) before: char,
    pub(super) after: char,
}
