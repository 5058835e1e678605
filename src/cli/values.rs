//! The values of options: the words that each takes, and what they mean.

use std::ffi::OsStr;
use std::fmt;
use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::{Deref, Range};
use std::str::FromStr;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};

use oxiconv_detect::detection::Detector;
use oxiconv_detect::mojibake::{Misreading, MisreadingError};
use oxiconv_encodings::codec::{ByteOrder, EbcdicNewline};
use oxiconv_encodings::encoding::{
    Encoding, SuffixedName, Suffixes, UnknownEncoding, asks_for_mark,
};
use oxiconv_report::{FORMATS, FormatChoice};
use oxiconv_transcode::diagnostic::DeniedKind;
use oxiconv_transcode::io::Access;
use oxiconv_transcode::normalization::NormalizationForm;
use oxiconv_transcode::{Fallback, InputEncoding, NewlineMode, OnDenied};

use super::tables::{LookupError, for_name_or_path, for_path};

/// One of these formats, by its name.
pub(super) fn choice(
    choices: &'static [FormatChoice],
) -> impl TypedValueParser<Value = &'static FormatChoice> {
    let value = |choice: &FormatChoice| PossibleValue::new(choice.name).help(choice.help);
    PossibleValuesParser::new(choices.iter().map(value))
        .try_map(|name| choices.iter().find(|choice| choice.name == name).ok_or("no such format"))
}

/// A value of `--format`.
#[derive(Clone, Copy)]
pub(crate) struct Format(pub(super) &'static FormatChoice);

impl Default for Format {
    fn default() -> Self {
        Self(&FORMATS[0])
    }
}

impl Deref for Format {
    type Target = FormatChoice;

    fn deref(&self) -> &FormatChoice {
        self.0
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Reads a number of threads.
pub(super) fn jobs(number: &str) -> Result<NonZeroUsize, String> {
    let at_least_1 = || "--jobs must be at least 1".to_owned();
    NonZeroUsize::new(count("--jobs", number)?).ok_or_else(at_least_1)
}

/// Reads the length of a record.
pub(super) fn record_length(number: &str) -> Result<NonZeroU64, String> {
    let at_least_1 = || "--record-length must be at least 1".to_owned();
    NonZeroU64::new(count("--record-length", number)?).ok_or_else(at_least_1)
}

/// One of the parts that a work is split into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    /// From 1.
    pub(crate) index: u64,
    pub(crate) of: u64,
}

impl Shard {
    /// Returns the part of `size` bytes that is its own, as far as their number tells.
    pub(crate) fn borders(self, size: u64) -> Range<u64> {
        // A product of two numbers of 64 bits, divided by one that is not smaller than the second.
        let border = |k: u64| (u128::from(size) * u128::from(k) / u128::from(self.of)) as u64;
        border(self.index - 1)..border(self.index)
    }

    /// Whether others come before it.
    pub(crate) fn goes_on(self) -> bool {
        self.index > 1
    }
}

/// `K/N`.
impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

/// Reads a shard.
pub(super) fn shard(words: &str) -> Result<Shard, String> {
    let Some((index, of)) = words.split_once('/') else {
        return Err(format!("--shard must be K/N, such as 1/8, not '{words}'"));
    };
    let (index, of): (u64, u64) = (count("--shard", index)?, count("--shard", of)?);
    if index == 0 || index > of {
        return Err(format!("--shard {words}: K must be from 1 to N"));
    }
    Ok(Shard { index, of })
}

/// Reads the size of a text.
pub(super) fn size(number: &str) -> Result<u64, String> {
    count("--size", number)
}

/// Reads the most findings that are printed.
pub(super) fn max_reports(number: &str) -> Result<u64, String> {
    count("--max-reports", number)
}

/// Reads the number that is the value of an option.
fn count<N: FromStr>(option: &str, number: &str) -> Result<N, String> {
    number.parse().map_err(|_| match number.bytes().all(|byte| byte.is_ascii_digit()) {
        true => format!("{option} is too large: {number}"),
        false => format!("{option} must be a number, not '{number}'"),
    })
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Errors {
    /// Stop at the first error
    #[default]
    Strict,
    /// Write U+FFFD or the text of --replacement instead
    Replace,
    /// Like replace, and print every finding
    Report,
    /// Leave it out; the exit status is then 1
    Skip,
    /// Write its bytes or its code point: \xE2\x82, \u{20AC}
    Escape,
    /// Write character references: &#xE2;&#x82; (bytes), &#x20AC;
    Xml,
    /// Write decimal character references: &#226;&#130; (bytes), &#8364;
    XmlDec,
    /// Write ICU's escapes for Java: %XE2%X82 (bytes), \u20AC
    Java,
    /// Write the escapes of C: \xE2\x82 (bytes), \u20AC, \U0001F600
    C,
    /// Write ICU's escapes: %XE2%X82 (bytes), %U20AC
    Percent,
    /// Write ICU's escapes with U+: %XE2%X82 (bytes), {U+20AC}
    Unicode,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Unmappable {
    /// Stop at the first unmappable character
    Strict,
    /// Write the replacement instead
    Replace,
    /// Like replace, and print every finding
    Report,
    /// Leave it out; the exit status is then 1
    Skip,
    /// Write its code point: \u{20AC}
    Escape,
    /// Write similar text that the target has: EUR for €; otherwise the replacement, or nothing with -c
    Translit,
    /// Write a character reference: &#x20AC;
    Xml,
    /// Write a decimal character reference: &#8364;
    XmlDec,
    /// Write UTF-16 code units, as Java does: \u20AC, \uD83D\uDE00
    Java,
    /// Write its code point, as C does: \u20AC, \U0001F600
    C,
    /// Write UTF-16 code units, as ICU does: %U20AC, %UD83D%UDE00
    Percent,
    /// Write its code point as {U+20AC}
    Unicode,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DeclarationMode {
    /// Keep it and say so
    Note,
    /// Name the output encoding in it, except in a mail
    Update,
    /// Keep it
    Keep,
}

/// A value of `--repair`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RepairMode {
    /// Repair all that is surely damaged.
    All,
    /// Show each change and ask, on the terminal.
    Ask,
    /// Undo this misreading.
    Undo(Misreading),
}

/// Why a value of `--repair` is refused.
#[derive(Debug, thiserror::Error)]
pub(super) enum RepairError {
    #[error(
        "write all, ask or FROM..TO: --repair=cp932..ibm437 repairs CP932 that was read as IBM437"
    )]
    Form,
    #[error(transparent)]
    Name(#[from] LookupError),
    #[error(transparent)]
    Pair(#[from] MisreadingError),
}

/// Reads a value of `--repair`.
#[derive(Clone)]
pub(super) struct RepairParser;

impl TypedValueParser for RepairParser {
    type Value = RepairMode;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Self::Value, clap::Error> {
        StringValueParser::new()
            .try_map(|value| match value.as_str() {
                "all" => Ok(RepairMode::All),
                "ask" => Ok(RepairMode::Ask),
                pair => {
                    let (from, to) = pair.split_once("..").ok_or(RepairError::Form)?;
                    let (from, to) = (for_name_or_path(from)?, for_name_or_path(to)?);
                    Ok::<_, RepairError>(RepairMode::Undo(Misreading::new(from, to)?))
                }
            })
            .parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let values = [
            PossibleValue::new("all").help("Repair all that is surely damaged"),
            PossibleValue::new("ask").help("Show each change and ask, on the terminal"),
            PossibleValue::new("FROM..TO").help("Undo that text in FROM was read as TO"),
        ];
        Some(Box::new(values.into_iter()))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Deny {
    /// U+0000
    Nul,
    /// C0 and C1 controls except tab, line feed and carriage return; U+007F
    Control,
    /// Noncharacters: U+FFFE, U+FDD0 and others
    Noncharacter,
    /// Private use: U+E000 to U+F8FF, planes 15 and 16
    PrivateUse,
    /// Code points that have no character assigned
    Unassigned,
    /// Invisible characters with no effect: zero-width spaces, tags, stray variation selectors
    Invisible,
    /// Characters above U+FFFF, which MySQL's utf8mb3 cannot store
    NonBmp,
    /// Controls that reorder text: embeddings, overrides and isolates
    Bidi,
    /// U+FFFD in the input
    Replacement,
    /// U+FEFF after the start of the text
    Bom,
    /// Line ends that differ from the first one
    MixedNewlines,
    /// The first line that ends with CRLF
    Crlf,
    /// The first line that ends with LF and no CR before it
    Lf,
    /// No line end at the end of the text
    NoFinalNewline,
    /// Text that is not in Normalization Form C, such as e and U+0301 for é
    NotNfc,
    /// Damaged text, such as Ã© for é
    Mojibake,
    /// Identifiers that mix Latin letters with lookalikes, such as pаypal with a Cyrillic а
    MixedScript,
    /// Identifiers without Latin letters that look like ASCII, such as ѕсоре in Cyrillic
    Confusable,
    /// Text that deceives or hides: bidi, invisible, control, bom, mixed-script and confusable
    Security,
    /// All of these kinds of characters, from nul to bom, except non-bmp
    All,
}

impl Deny {
    /// Returns the kinds that it stands for.
    pub(crate) fn kinds(self) -> Vec<DeniedKind> {
        let kind = match self {
            Self::Nul => DeniedKind::Nul,
            Self::Control => DeniedKind::Control,
            Self::Noncharacter => DeniedKind::Noncharacter,
            Self::PrivateUse => DeniedKind::PrivateUse,
            Self::Unassigned => DeniedKind::Unassigned,
            Self::Invisible => DeniedKind::Invisible,
            Self::NonBmp => DeniedKind::NonBmp,
            Self::Bidi => DeniedKind::Bidi,
            Self::Replacement => DeniedKind::Replacement,
            Self::Bom => DeniedKind::Bom,
            Self::MixedNewlines => DeniedKind::MixedNewlines,
            Self::Crlf => DeniedKind::Crlf,
            Self::Lf => DeniedKind::Lf,
            Self::NoFinalNewline => DeniedKind::NoFinalNewline,
            Self::NotNfc => DeniedKind::NotNfc,
            Self::Mojibake => DeniedKind::Mojibake,
            Self::MixedScript => DeniedKind::MixedScript,
            Self::Confusable => DeniedKind::Confusable,
            Self::Security => {
                return vec![
                    DeniedKind::Bidi,
                    DeniedKind::Invisible,
                    DeniedKind::Control,
                    DeniedKind::Bom,
                    DeniedKind::MixedScript,
                    DeniedKind::Confusable,
                ];
            }
            Self::All => {
                let kinds = DeniedKind::ALL.into_iter().filter(|kind| kind.is_of_characters());
                // Emoji are no fault; only a database may lack room for them.
                return kinds.filter(|kind| *kind != DeniedKind::NonBmp).collect();
            }
        };
        vec![kind]
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Denied {
    /// Write it unchanged; the exit status is then 1
    Pass,
    /// Stop at the first one
    Strict,
    /// Leave it out
    Skip,
    /// Write the replacement instead
    Replace,
    /// Write its code point: \u{0}
    Escape,
}

impl From<Denied> for OnDenied {
    fn from(denied: Denied) -> Self {
        match denied {
            Denied::Pass => Self::Pass,
            Denied::Strict => Self::Stop,
            Denied::Skip => Self::Skip,
            Denied::Replace => Self::Replace,
            Denied::Escape => Self::Escape,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum NewlineArg {
    /// As in the input
    Keep,
    /// U+000A, as in Unix
    Lf,
    /// U+000D U+000A, as in Windows
    Crlf,
    /// U+000D, as in classic Mac OS
    Cr,
    /// U+0085, as in EBCDIC
    Nel,
}

impl From<NewlineArg> for NewlineMode {
    fn from(newline: NewlineArg) -> Self {
        match newline {
            NewlineArg::Keep => Self::Keep,
            NewlineArg::Lf => Self::LineFeed,
            NewlineArg::Crlf => Self::Both,
            NewlineArg::Cr => Self::CarriageReturn,
            NewlineArg::Nel => Self::NextLine,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Bom {
    /// Follow each encoding's own rule
    Auto,
    /// Keep a mark at the start of the input
    Keep,
    /// Write no mark
    Strip,
    /// Write exactly one mark
    Add,
    /// With --check, report files that begin with a mark
    Forbid,
    /// With --check, report files that do not begin with a mark
    Require,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Endian {
    /// Most significant byte first
    #[default]
    Be,
    /// Least significant byte first
    Le,
}

impl From<Endian> for ByteOrder {
    fn from(endian: Endian) -> Self {
        match endian {
            Endian::Be => Self::Big,
            Endian::Le => Self::Little,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Normalize {
    /// Canonical composition: é is one character
    Nfc,
    /// Canonical decomposition: é is e and U+0301
    Nfd,
    /// Compatibility composition: ﬁ is fi, and é one character
    Nfkc,
    /// Compatibility decomposition: ﬁ is fi, and é two
    Nfkd,
}

impl From<Normalize> for NormalizationForm {
    fn from(form: Normalize) -> Self {
        match form {
            Normalize::Nfc => Self::Nfc,
            Normalize::Nfd => Self::Nfd,
            Normalize::Nfkc => Self::Nfkc,
            Normalize::Nfkd => Self::Nfkd,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LineEnd {
    /// Byte 15 is LF, as in z/OS Unix
    Lf,
    /// Byte 15 is NEL, as in IBM's tables
    Nel,
}

impl From<LineEnd> for EbcdicNewline {
    fn from(end: LineEnd) -> Self {
        match end {
            LineEnd::Lf => Self::LineFeed,
            LineEnd::Nel => Self::NextLine,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// Only on a terminal
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum WhenToMap {
    /// Whichever is faster; currently, never
    #[default]
    Auto,
    /// If the system can map the file
    Always,
    /// Never
    Never,
}

impl From<WhenToMap> for Access {
    fn from(when: WhenToMap) -> Self {
        match when {
            WhenToMap::Auto | WhenToMap::Never => Self::Blocks,
            WhenToMap::Always => Self::Map,
        }
    }
}

/// A file that is made from this definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Generated {
    Man,
    CompleteBash,
    CompleteElvish,
    CompleteFish,
    CompletePowershell,
    CompleteZsh,
}

/// An encoding as named on the command line, with iconv's suffixes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Named<E> {
    pub(crate) encoding: E,
    pub(crate) suffixes: Suffixes,
    /// Whether the name asks for a byte order mark in the output: `utf-8-bom`.
    pub(crate) marked: bool,
}

/// Reads a name of an encoding, or `auto`.
#[derive(Clone)]
pub(super) struct FallbackParser;

/// The same, or `auto-lines`, with suffixes.
#[derive(Clone)]
pub(super) struct FromParser;

/// A name with suffixes.
#[derive(Clone)]
pub(super) struct TargetParser;

impl TypedValueParser for FallbackParser {
    type Value = Fallback;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Self::Value, clap::Error> {
        StringValueParser::new()
            .try_map(|name| match name.eq_ignore_ascii_case("auto") {
                true => Ok(Fallback::Detected),
                false => for_name_or_path(&name).map(Fallback::Named),
            })
            .parse_ref(command, arg, value)
    }
}

impl TypedValueParser for FromParser {
    type Value = Named<InputEncoding>;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Self::Value, clap::Error> {
        StringValueParser::new()
            .try_map(|code| input_encoding(&code))
            .parse_ref(command, arg, value)
    }
}

impl TypedValueParser for TargetParser {
    type Value = Named<&'static Encoding>;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Self::Value, clap::Error> {
        StringValueParser::new()
            .try_map(|code| output_encoding(&code))
            .parse_ref(command, arg, value)
    }
}

/// Reads the value of `--from`.
pub(super) fn input_encoding(code: &str) -> Result<Named<InputEncoding>, NamedError> {
    named(code, |name| match name.eq_ignore_ascii_case("auto") {
        true => Ok(InputEncoding::Detected(Detector::new())),
        false if name.eq_ignore_ascii_case("auto-lines") => {
            Ok(InputEncoding::Lines(Detector::new()))
        }
        false => Encoding::for_name(name).map(InputEncoding::Named),
    })
}

/// Reads the value of `--to`.
pub(super) fn output_encoding(code: &str) -> Result<Named<&'static Encoding>, NamedError> {
    named(code, Encoding::for_name)
}

/// Reads a name with its suffixes. If no encoding has the name, it is the path of a table, which may have suffixes too.
fn named<E: From<&'static Encoding>>(
    code: &str,
    look_up: impl Fn(&str) -> Result<E, UnknownEncoding>,
) -> Result<Named<E>, NamedError> {
    let SuffixedName { name, suffixes, unknown } = SuffixedName::new(code);
    let error = match (look_up(name), unknown) {
        (Ok(encoding), None) => {
            return Ok(Named { encoding, suffixes, marked: asks_for_mark(name) });
        }
        (Ok(_), Some(suffix)) => NamedError::Suffix(suffix.to_owned()),
        (Err(mut error), _) => {
            // Of blanks alone, no name is left to show.
            if error.name.is_empty() {
                error.name = code.to_owned();
            }
            LookupError::from(error).into()
        }
    };
    let SuffixedName { name: path, suffixes, .. } = SuffixedName::of_path(code);
    match for_path(path) {
        Some(encoding) => Ok(Named { encoding: encoding?.into(), suffixes, marked: false }),
        None => Err(error),
    }
}

#[derive(Debug, thiserror::Error)]
pub(super) enum NamedError {
    #[error(transparent)]
    Name(#[from] LookupError),
    #[error("unknown suffix '//{0}' (known: //TRANSLIT, //IGNORE and //NON_IDENTICAL_DISCARD)")]
    Suffix(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_are_read_as_iconv_has_them() {
        let read = |code| named(code, Encoding::for_name);
        let both = read("latin1//TRANSLIT//ignore").unwrap();
        assert_eq!(both.encoding.name(), "ISO-8859-1");
        assert!(both.suffixes.transliterate && both.suffixes.ignore);
        assert_eq!(read("latin1//").unwrap().suffixes, Suffixes::default());
        let error = read("latin1//FOO").unwrap_err().to_string();
        assert!(error.starts_with("unknown suffix '//FOO'"), "{error}");
    }
}
