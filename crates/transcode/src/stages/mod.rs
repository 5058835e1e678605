//! The stages of the [pipeline](super::pipeline), one file each.

#[cfg(feature = "transliteration")]
mod drop_marks;
mod inspect_characters;
mod line_end_check;
#[cfg(feature = "normalization")]
mod normalize;
#[cfg(feature = "transliteration")]
mod transliterate;
mod trim_records;

#[cfg(feature = "transliteration")]
pub(super) use drop_marks::DropMarks;
pub(super) use inspect_characters::Inspect;
#[cfg(test)]
pub(super) use inspect_characters::LOOKED_AT;
pub(super) use line_end_check::LineEndCheck;
#[cfg(feature = "normalization")]
pub(super) use normalize::Normalize;
#[cfg(feature = "transliteration")]
pub(super) use transliterate::Transliterate;
pub(super) use trim_records::TrimRecords;

#[cfg(test)]
mod tests;
