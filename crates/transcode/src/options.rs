//! The options of a conversion, and the combinations that are refused.

use std::num::NonZeroU64;

use super::denied_set::DeniedSet;
use super::policy::{
    Detail, Fallback, MarkMode, Newline, NewlineMode, OnDenied, OnForeignMark, OnIllFormed,
    OnInnerMark, OnUnmappable, Threads,
};
#[cfg(feature = "detection")]
use super::policy::{OnDeclaration, OnMojibake, OnUncertain};
use super::records::RecordFormat;
use super::substitution_format::SubstitutionFormat;
use crate::diagnostic::DeniedKind;
#[cfg(feature = "normalization")]
use crate::normalization::NormalizationForm;
#[cfg(feature = "transliteration")]
use crate::transliteration::TransliterationLocale;
use oxiconv_encodings::codec::{ByteOrder, EbcdicNewline};
use oxiconv_encodings::encoding::Encoding;

/// Options that cannot be combined in a conversion.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionsError {
    /// The replacement has a character that the target lacks.
    #[error("the replacement '{replacement}' cannot be written in {target}")]
    Replacement {
        /// The replacement.
        replacement: String,
        /// The name of the target.
        target: &'static str,
    },
    /// A format for escapes can make text that the target lacks.
    #[error("the substitution may contain '{character}', which cannot be written in {target}")]
    Substitution {
        /// A character of that text.
        character: char,
        /// The name of the target.
        target: &'static str,
    },
    /// This encoding cannot be a fallback: its characters are not single bytes, and it has no ASCII, or has state.
    #[error(
        "the fallback must be a stateless encoding that includes ASCII, such as windows-1252, but {0} is not one"
    )]
    Fallback(&'static str),
    /// This fallback is for input in UTF-8 only: it is detected, or it has multi-byte characters.
    #[error("the fallback {0} requires input in UTF-8, but the input is in {1}")]
    FallbackOfUtf8(&'static str, &'static str),
    /// Only characters can be left out, replaced or escaped.
    #[error("{0} is not a kind of character, so it cannot be left out, replaced or escaped")]
    NotCharacters(&'static str),
    /// The target lacks the line end to be written.
    #[error("{target} has no line ending {newline}")]
    Newline {
        /// The name of the line end.
        newline: &'static str,
        /// The name of the target.
        target: &'static str,
    },
    /// Damaged text can be repaired only in UTF-8, UTF-16 and UTF-32.
    #[cfg(feature = "detection")]
    #[error(
        "damaged text can be repaired only in UTF-8, UTF-16 and UTF-32, but the input is in {0}"
    )]
    RepairOfUtf8(&'static str),
    /// Records cannot have a detected fallback, because detection looks at the text of several records.
    #[error("records cannot be combined with a detected fallback (name its encoding)")]
    FallbackOfRecords,
    /// Record descriptor words are no text, from which an encoding could be detected.
    #[cfg(feature = "detection")]
    #[error("records of variable length cannot be combined with a detected encoding (name it)")]
    DetectedRecords,
    /// If each line has an encoding of its own, nothing is left for a fallback.
    #[cfg(feature = "detection")]
    #[error("lines that are not UTF-8 are read in detected encodings, so a fallback has no effect")]
    FallbackOfLines,
    /// Records have no lines whose encodings could be detected.
    #[cfg(feature = "detection")]
    #[error("records cannot be combined with an encoding that is detected for each line (name it)")]
    LinesOfRecords,
    /// A mark was requested for an encoding that has none.
    #[error("cannot add a byte order mark: {0} has none")]
    NoMark(&'static str),
}

/// The options of a conversion. By default it is strict: it stops before the first fault.
///
/// ```
/// # use oxiconv_transcode as oxiconv;
/// use oxiconv::{Encoding, MarkMode, OnIllFormed, Options};
///
/// let options = Options::new().on_ill_formed(OnIllFormed::Replace).marks(MarkMode::Strip);
/// let conversion = options.build(Encoding::UTF_8, Encoding::UTF_16LE)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "options do nothing until a conversion is built of them"]
pub struct Options {
    #[doc(hidden)]
    pub substitution: Substitution,
    #[doc(hidden)]
    pub byte_order_marks: ByteOrderMarks,
    #[doc(hidden)]
    pub reading: ReadingOptions,
    pub(crate) line_ends: LineEndOptions,
    #[cfg(feature = "detection")]
    pub(crate) on_declaration: OnDeclaration,
    pub(crate) denied: DeniedSet,
    #[cfg(feature = "normalization")]
    pub(crate) form: Option<NormalizationForm>,
    #[doc(hidden)]
    pub detail: Detail,
    #[doc(hidden)]
    pub threads: Threads,
    #[cfg(feature = "detection")]
    #[doc(hidden)]
    pub on_mojibake: OnMojibake,
}

/// What is written for what cannot be converted, or must not be.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    pub on_ill_formed: OnIllFormed,
    pub on_unmappable: OnUnmappable,
    #[cfg(feature = "transliteration")]
    pub(crate) transliterate: bool,
    #[cfg(feature = "transliteration")]
    pub(crate) locale: TransliterationLocale,
    pub(crate) replacement: Option<String>,
    pub(crate) ill_formed_format: Option<SubstitutionFormat>,
    pub(crate) unmappable_format: Option<SubstitutionFormat>,
    pub fallback: Option<Fallback>,
    pub on_denied: OnDenied,
}

/// What happens to byte order marks.
#[derive(Clone, Debug, Default)]
pub struct ByteOrderMarks {
    pub marks: MarkMode,
    pub(crate) on_inner_mark: OnInnerMark,
    pub(crate) on_foreign_mark: OnForeignMark,
}

/// How the input is read.
#[derive(Clone, Debug, Default)]
pub struct ReadingOptions {
    pub byte_order: ByteOrder,
    pub(crate) ebcdic_newline: Option<EbcdicNewline>,
    pub records: Option<RecordFormat>,
    pub(crate) trim_records: bool,
    pub(crate) known_encoding: Option<&'static Encoding>,
    #[cfg(feature = "detection")]
    pub(crate) on_uncertain: OnUncertain,
    #[cfg(feature = "detection")]
    pub(crate) keeps_units: bool,
}

/// How lines end: in the input, and in the output.
#[derive(Clone, Debug, Default)]
pub struct LineEndOptions {
    pub(crate) newline: Option<Newline>,
    pub(crate) final_newline: bool,
    pub(crate) write_newlines: NewlineMode,
    pub(crate) write_final_newline: bool,
}

impl Options {
    /// Creates the default options, which are strict.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets what happens to an ill-formed subsequence. The default is [`OnIllFormed::Stop`].
    pub fn on_ill_formed(mut self, on_ill_formed: OnIllFormed) -> Self {
        self.substitution.on_ill_formed = on_ill_formed;
        self
    }

    /// Sets what happens to a character that the target lacks. The default is [`OnUnmappable::Stop`].
    pub fn on_unmappable(mut self, on_unmappable: OnUnmappable) -> Self {
        self.substitution.on_unmappable = on_unmappable;
        self
    }

    /// Sets whether a character that the target lacks is replaced by text that says the same and that the target can
    /// represent, such as `EUR` for €. A letter keeps the marks that the target has, and is written once the next
    /// character is known. If there is no such text, [`on_unmappable`](Self::on_unmappable) applies, except that a
    /// transliteration never stops: instead of [`OnUnmappable::Stop`], the character is replaced.
    #[cfg(feature = "transliteration")]
    pub fn transliterate(mut self, transliterate: bool) -> Self {
        self.substitution.transliterate = transliterate;
        self
    }

    /// Sets the locale whose rules transliteration follows. The default has no rules of its own.
    #[cfg(feature = "transliteration")]
    pub fn transliteration_locale(mut self, locale: TransliterationLocale) -> Self {
        self.substitution.locale = locale;
        self
    }

    /// Whether characters are transliterated.
    pub(crate) fn transliterates(&self) -> bool {
        #[cfg(feature = "transliteration")]
        let transliterates = self.substitution.transliterate;
        #[cfg(not(feature = "transliteration"))]
        let transliterates = false;
        transliterates
    }

    /// Sets the replacement for ill-formed subsequences and unmappable characters. The default is U+FFFD, or `?` if the
    /// target lacks that.
    pub fn replacement(mut self, replacement: impl Into<String>) -> Self {
        self.substitution.replacement = Some(replacement.into());
        self
    }

    /// Sets how [`OnIllFormed::Escape`] writes each byte. The default is `\x%02X`.
    pub fn ill_formed_format(mut self, format: SubstitutionFormat) -> Self {
        self.substitution.ill_formed_format = Some(format);
        self
    }

    /// Sets how [`OnUnmappable::Escape`] and [`OnDenied::Escape`] write a code point. The default is `\u{%X}`.
    pub fn unmappable_format(mut self, format: SubstitutionFormat) -> Self {
        self.substitution.unmappable_format = Some(format);
        self
    }

    /// Sets an encoding in which ill-formed subsequences are read instead, if it defines all their bytes. In UTF-8,
    /// adjacent bytes that are well-formed only by chance are read in it too, and it may have multi-byte characters.
    pub fn fallback(mut self, fallback: impl Into<Fallback>) -> Self {
        self.substitution.fallback = Some(fallback.into());
        self
    }

    /// Sets what happens to byte order marks. The default is [`MarkMode::Auto`].
    pub fn marks(mut self, marks: MarkMode) -> Self {
        self.byte_order_marks.marks = marks;
        self
    }

    /// Sets the byte order of an input that needs one and has no mark. The default is big-endian, as in the standard
    /// (D98, D101).
    pub fn byte_order(mut self, byte_order: ByteOrder) -> Self {
        self.reading.byte_order = byte_order;
        self
    }

    /// Sets which line end byte 15 is in EBCDIC, in the input and in the output; byte 25 is the other one. The default
    /// is that of the encoding's table, mostly [`EbcdicNewline::NextLine`].
    pub fn ebcdic_newline(mut self, newline: EbcdicNewline) -> Self {
        self.reading.ebcdic_newline = Some(newline);
        self
    }

    /// Sets how U+FEFF inside the text is treated.
    pub fn on_inner_mark(mut self, on_inner_mark: OnInnerMark) -> Self {
        self.byte_order_marks.on_inner_mark = on_inner_mark;
        self
    }

    /// Sets how the mark of another encoding at the start is treated.
    pub fn on_foreign_mark(mut self, on_foreign_mark: OnForeignMark) -> Self {
        self.byte_order_marks.on_foreign_mark = on_foreign_mark;
        self
    }

    /// Sets what happens to a declaration of the encoding in the text that the conversion makes wrong. The default is
    /// [`OnDeclaration::Keep`].
    #[cfg(feature = "detection")]
    pub fn on_declaration(self, on_declaration: OnDeclaration) -> Self {
        Self { on_declaration, ..self }
    }

    /// Sets which well-formed characters are faults. The default is none.
    pub fn deny(self, kinds: impl IntoIterator<Item = DeniedKind>) -> Self {
        Self { denied: kinds.into_iter().collect(), ..self }
    }

    /// Treats tab, line feed and carriage return as controls like any other, because the text has no lines: it is the
    /// name of a file. For [`deny`](Self::deny), which is called first.
    #[doc(hidden)]
    pub fn without_lines(self) -> Self {
        Self { denied: self.denied.without_lines(), ..self }
    }

    /// Sets what happens to denied characters. The default is [`OnDenied::Pass`].
    pub fn on_denied(mut self, on_denied: OnDenied) -> Self {
        self.substitution.on_denied = on_denied;
        self
    }

    /// Sets the normalization form of the output (UAX 15). By default each character stays as it is. A letter is
    /// written once the next character is known. After each 30 marks in a row, U+034F is inserted, as in the
    /// stream-safe text format, if the target has it. Surrogate code points and values above U+10FFFF do not change.
    #[cfg(feature = "normalization")]
    pub fn normalize(self, form: NormalizationForm) -> Self {
        Self { form: Some(form), ..self }
    }

    /// Sets that the input consists of records of this many bytes, as mainframe files do. Each is decoded from the
    /// initial state, and a line feed is written after it, also after a shorter last one. The line number of a finding
    /// is the number of its record.
    pub fn record_length(mut self, bytes: NonZeroU64) -> Self {
        self.reading.records = Some(RecordFormat::Fixed(bytes));
        self
    }

    /// Sets that the input consists of records of variable length, as in mainframe files with RECFM=V or VB: each begins
    /// with a record descriptor word, four bytes that are no text (IBM, z/OS DFSMS Using Data Sets). The first two are
    /// its length in bytes, from 4 to 32,767 and including the word, big-endian; the others are zero. A word that says
    /// something else stops the conversion, and so does a truncated last record
    /// ([`Kind::InvalidRecord`](crate::diagnostic::Kind::InvalidRecord)). Otherwise the records are read as with
    /// [`record_length`](Self::record_length), but no byte order mark is expected, and the encoding must be named.
    pub fn variable_records(mut self) -> Self {
        self.reading.records = Some(RecordFormat::Variable);
        self
    }

    /// Whether the records begin with their lengths.
    pub(crate) fn has_variable_records(&self) -> bool {
        self.reading.records == Some(RecordFormat::Variable)
    }

    /// Sets whether the blanks (U+0020) at the end of each record are left out.
    pub fn trim_records(mut self, trims: bool) -> Self {
        self.reading.trim_records = trims;
        self
    }

    /// Sets how every line must end; the first one that ends differently is a finding. By default any line end is
    /// right.
    pub fn newline(mut self, newline: Newline) -> Self {
        self.line_ends.newline = Some(newline);
        self
    }

    /// Sets whether the last line must have a line end: U+000A, or U+000D if all lines must end with that. An empty
    /// text needs none.
    pub fn final_newline(mut self, required: bool) -> Self {
        self.line_ends.final_newline = required;
        self
    }

    /// Sets how the lines of the output end. The default is [`NewlineMode::Keep`].
    pub fn write_newlines(mut self, mode: NewlineMode) -> Self {
        self.line_ends.write_newlines = mode;
        self
    }

    /// Sets whether a line end is added to a text that does not end with one, unless it is empty: the one that all
    /// lines get, or else the first one of the text, or else U+000A.
    pub fn write_final_newline(mut self, added: bool) -> Self {
        self.line_ends.write_final_newline = added;
        self
    }

    /// Reports at the start of the text that all of it is in this encoding.
    #[doc(hidden)]
    pub fn known_encoding(mut self, encoding: &'static Encoding) -> Self {
        self.reading.known_encoding = Some(encoding);
        self
    }

    /// Sets how much is reported. The default is [`Detail::Findings`].
    pub fn detail(self, detail: Detail) -> Self {
        Self { detail, ..self }
    }

    /// Sets what happens to a text whose encoding is to be detected but remains unclear. The default is
    /// [`OnUncertain::Stop`].
    #[cfg(feature = "detection")]
    pub fn on_uncertain(mut self, on_uncertain: OnUncertain) -> Self {
        self.reading.on_uncertain = on_uncertain;
        self
    }

    /// Sets what happens to text in UTF-8 that was damaged before. The default is [`OnMojibake::Ignore`]. A line with
    /// something that may be damaged is written once all of it, or 4 KiB, have been read.
    #[cfg(feature = "detection")]
    pub fn on_mojibake(self, on_mojibake: OnMojibake) -> Self {
        Self { on_mojibake, ..self }
    }

    /// Sets whether UTF-16 and UTF-32 are read exactly as they are. By default, single-byte text inside them and bytes
    /// between their code units are reported as ill-formed ([`IllFormedKind::OtherUnits`],
    /// [`IllFormedKind::Misaligned`]), because they would be read as other characters than were meant.
    ///
    /// [`IllFormedKind::OtherUnits`]: oxiconv_encodings::IllFormedKind::OtherUnits
    /// [`IllFormedKind::Misaligned`]: oxiconv_encodings::IllFormedKind::Misaligned
    #[cfg(feature = "detection")]
    pub fn keep_units(mut self, keeps_units: bool) -> Self {
        self.reading.keeps_units = keeps_units;
        self
    }

    /// Sets how many threads may work on one input. The default is [`Threads::One`].
    pub fn threads(self, threads: Threads) -> Self {
        Self { threads, ..self }
    }
}
