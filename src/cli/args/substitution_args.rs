//! Options for text that cannot be converted: ill-formed, unmappable or denied.

use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use oxiconv_transcode::transliteration::TransliterationLocale;
use oxiconv_transcode::{OnDenied, OnIllFormed, OnUnmappable};

use super::value_parsers::{Keyword, keyword, one_of};

#[derive(Debug, Default, Args)]
#[group(skip)]
#[command(next_help_heading = "Convert")]
pub(crate) struct SubstitutionArgs {
    /// What to do with ill-formed or unmappable text: strict, replace, report, skip, escape
    ///
    /// A byte sequence is ill-formed if the input encoding does not allow it. A character is unmappable if the output
    /// encoding does not have it.
    #[arg(short, long, value_name = "MODE", value_parser = one_of(ERRORS), default_value = "strict")]
    pub(crate) errors: OnErrors,

    /// What to do with unmappable characters [default: the same as --errors]
    #[arg(long, value_name = "MODE", value_parser = one_of(UNMAPPABLE))]
    pub(crate) unmappable: Option<Unmappable>,

    /// What to do with characters that --deny lists [default: strict with --errors strict, otherwise pass]
    ///
    /// With skip, replace and escape, the exit status is 0. These three cannot be combined with kinds of --deny that are
    /// about lines or words, such as mixed-newlines, lf and mojibake.
    #[arg(long, value_name = "MODE", value_parser = one_of(DENIED))]
    pub(crate) denied: Option<OnDenied>,

    /// Transliterate by the rules of this locale's language
    ///
    /// LOC is the name of a glibc locale: with de_DE, ü becomes ue. Requires --unmappable translit or //TRANSLIT.
    #[arg(long, value_name = "LOC", value_parser = TransliterationLocale::for_name)]
    pub(crate) translit_locale: Option<TransliterationLocale>,

    /// Leave out what cannot be converted (--errors=skip)
    #[arg(short = 'c')]
    pub(crate) skip: bool,

    /// Text that replaces what cannot be converted [default: U+FFFD, or ? if the output encoding lacks it]
    #[arg(long, value_name = "STR", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) replacement: Option<String>,
}

/// A value of `--errors`: what happens to ill-formed and to unmappable text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OnErrors {
    pub(crate) ill_formed: OnIllFormed,
    pub(crate) unmappable: OnUnmappable,
    /// Whether each is reported although it does not stop the conversion (`--errors report`).
    pub(crate) lists: bool,
}

impl OnErrors {
    pub(crate) const SKIP: Self = Self::new(OnIllFormed::Skip, OnUnmappable::Skip);

    const fn new(ill_formed: OnIllFormed, unmappable: OnUnmappable) -> Self {
        Self { ill_formed, unmappable, lists: false }
    }

    /// Whether the first ill-formed or unmappable text stops the conversion.
    pub(crate) fn is_strict(self) -> bool {
        self.ill_formed == OnIllFormed::Stop
    }
}

const REPLACE: OnErrors = OnErrors::new(OnIllFormed::Replace, OnUnmappable::Replace);

// ICU has one form for ill-formed bytes, %XNN, whatever its form for characters. So java and unicode write bytes like
// percent.
const ERRORS: [Keyword<OnErrors>; 11] = [
    keyword(
        "strict",
        OnErrors::new(OnIllFormed::Stop, OnUnmappable::Stop),
        "Stop at the first error",
    ),
    keyword("replace", REPLACE, "Write U+FFFD or the text of --replacement instead"),
    keyword("report", OnErrors { lists: true, ..REPLACE }, "Like replace, and print every finding"),
    keyword("skip", OnErrors::SKIP, "Leave it out; the exit status is then 1"),
    keyword(
        "escape",
        OnErrors::new(OnIllFormed::Escape, OnUnmappable::Escape),
        r"Write its bytes or its code point: \xE2\x82, \u{20AC}",
    ),
    keyword(
        "xml",
        OnErrors::new(OnIllFormed::Xml, OnUnmappable::Xml),
        "Write character references: &#xE2;&#x82; (bytes), &#x20AC;",
    ),
    keyword(
        "xml-dec",
        OnErrors::new(OnIllFormed::XmlDecimal, OnUnmappable::XmlDecimal),
        "Write decimal character references: &#226;&#130; (bytes), &#8364;",
    ),
    keyword(
        "java",
        OnErrors::new(OnIllFormed::Percent, OnUnmappable::Java),
        r"Write ICU's escapes for Java: %XE2%X82 (bytes), \u20AC",
    ),
    keyword(
        "c",
        OnErrors::new(OnIllFormed::Escape, OnUnmappable::C),
        r"Write the escapes of C: \xE2\x82 (bytes), \u20AC, \U0001F600",
    ),
    keyword(
        "percent",
        OnErrors::new(OnIllFormed::Percent, OnUnmappable::Percent),
        "Write ICU's escapes: %XE2%X82 (bytes), %U20AC",
    ),
    keyword(
        "unicode",
        OnErrors::new(OnIllFormed::Percent, OnUnmappable::Unicode),
        "Write ICU's escapes with U+: %XE2%X82 (bytes), {U+20AC}",
    ),
];

/// A value of `--unmappable`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unmappable {
    On(OnUnmappable),
    /// Replace them and report each.
    Report,
    /// Write similar text instead.
    Translit,
}

const UNMAPPABLE: [Keyword<Unmappable>; 12] = [
    keyword("strict", Unmappable::On(OnUnmappable::Stop), "Stop at the first unmappable character"),
    keyword("replace", Unmappable::On(OnUnmappable::Replace), "Write the replacement instead"),
    keyword("report", Unmappable::Report, "Like replace, and print every finding"),
    keyword("skip", Unmappable::On(OnUnmappable::Skip), "Leave it out; the exit status is then 1"),
    keyword("escape", Unmappable::On(OnUnmappable::Escape), r"Write its code point: \u{20AC}"),
    keyword(
        "translit",
        Unmappable::Translit,
        "Write similar text that the target has: EUR for €. If there is none, the replacement is written, or nothing with -c",
    ),
    keyword("xml", Unmappable::On(OnUnmappable::Xml), "Write a character reference: &#x20AC;"),
    keyword(
        "xml-dec",
        Unmappable::On(OnUnmappable::XmlDecimal),
        "Write a decimal character reference: &#8364;",
    ),
    keyword(
        "java",
        Unmappable::On(OnUnmappable::Java),
        r"Write UTF-16 code units, as Java does: \u20AC, \uD83D\uDE00",
    ),
    keyword(
        "c",
        Unmappable::On(OnUnmappable::C),
        r"Write its code point, as C does: \u20AC, \U0001F600",
    ),
    keyword(
        "percent",
        Unmappable::On(OnUnmappable::Percent),
        "Write UTF-16 code units, as ICU does: %U20AC, %UD83D%UDE00",
    ),
    keyword("unicode", Unmappable::On(OnUnmappable::Unicode), "Write its code point as {U+20AC}"),
];

const DENIED: [Keyword<OnDenied>; 5] = [
    keyword("pass", OnDenied::Pass, "Write it unchanged; the exit status is then 1"),
    keyword("strict", OnDenied::Stop, "Stop at the first one"),
    keyword("skip", OnDenied::Skip, "Leave it out"),
    keyword("replace", OnDenied::Replace, "Write the replacement instead"),
    keyword("escape", OnDenied::Escape, r"Write its code point: \u{0}"),
];
