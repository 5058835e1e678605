//! `oxiconv.toml`: files to exclude, and rules for the others. docs/configuration.md describes it.
//!
//! ```toml
//! exclude = ["vendor/**"]
//!
//! [[rule]]
//! files = ["*.csv"]
//! encoding = "windows-1252"
//! severity = { bidi = "warning" }
//! ```

use std::ops::Range;

use anyhow::bail;
use toml::de::DeValue;

use oxiconv_detect::detection::Detector;
use oxiconv_encodings::encoding::Encoding;
use oxiconv_report::RULES;
use oxiconv_transcode::diagnostic::{Kind, Severity};
use oxiconv_transcode::{InputEncoding, MarkMode, Newline};

use super::declaration::{Declared, RuleFile, TOO_WILD};
use super::glob::Glob;
use super::settings::{DeclaredCharset, DeclaredSettings};
use crate::cli::args::DENY;
use crate::cli::toml_reader::{SpannedValue, TomlReader};

pub(crate) const FILE_NAME: &str = "oxiconv.toml";

/// What may be at the top of the file.
pub(crate) const TABLES: [&str; 3] = ["exclude", "rule", DEFAULTS];
/// The table that `defaults` reads.
pub(crate) const DEFAULTS: &str = "defaults";

/// In bytes.
const MAX_GLOB_LEN: usize = 1024;

/// The rules of one file. `exclude = […]` is one of them too.
#[derive(Debug, Default)]
pub(super) struct OwnRules {
    rules: Vec<OwnRule>,
}

/// What one `[[rule]]` declares.
#[derive(Debug)]
struct OwnRule {
    /// `None` applies to all files.
    files: Option<Vec<Glob>>,
    /// Whether a glob that matches a directory applies to all files below it.
    below: bool,
    settings: DeclaredSettings,
}

impl OwnRules {
    /// Reads the file.
    ///
    /// # Errors
    ///
    /// If it is not TOML, or has an unknown key or value. The message has the line and the column.
    pub(super) fn read(text: &str, file: &RuleFile<'_>) -> anyhow::Result<Self> {
        RulesReader { toml: TomlReader::new(text, &file.label), file }.rules()
    }

    /// Returns what it declares for `path`, which is relative to its directory. Later rules win.
    pub(super) fn settings(&self, path: &[u8]) -> DeclaredSettings {
        let applying = self.rules.iter().filter(|rule| rule.applies_to(path));
        applying
            .fold(DeclaredSettings::default(), |before, rule| rule.settings.clone().over(before))
    }
}

impl OwnRule {
    fn applies_to(&self, path: &[u8]) -> bool {
        let Some(files) = &self.files else { return true };
        let matches = if self.below { Glob::matches_above } else { Glob::matches };
        files.iter().any(|glob| matches(glob, path))
    }
}

struct RulesReader<'a> {
    toml: TomlReader<'a>,
    file: &'a RuleFile<'a>,
}

impl RulesReader<'_> {
    fn rules(&self) -> anyhow::Result<OwnRules> {
        let table = self.toml.parse()?;
        let mut own = OwnRules::default();
        for (key, value) in table.get_ref() {
            match key.get_ref().as_ref() {
                "exclude" => {
                    let words = format!("exclude = {}", self.toml.written(value));
                    let settings = DeclaredSettings {
                        excluded: Some(self.declared(&key.span(), true, words)),
                        ..DeclaredSettings::default()
                    };
                    let files = Some(self.globs(value)?);
                    own.rules.push(OwnRule { files, below: true, settings });
                }
                "rule" => {
                    let DeValue::Array(rules) = value.get_ref() else {
                        bail!(self.toml.error(&key.span(), "a rule begins with [[rule]]"));
                    };
                    for rule in rules.iter() {
                        own.rules.push(self.rule(rule)?);
                    }
                }
                // They are about conversions, which read them themselves.
                DEFAULTS => drop(self.toml.table(value)?),
                _ => bail!(self.toml.unknown(&key.span(), &TABLES)),
            }
        }
        Ok(own)
    }

    fn rule(&self, value: &SpannedValue<'_>) -> anyhow::Result<OwnRule> {
        const KEYS: [&str; 8] =
            ["files", "encoding", "bom", "newline", "final-newline", "deny", "severity", "exclude"];
        let mut settings = DeclaredSettings::default();
        let mut files = None;
        for (key, value) in self.toml.table(value)? {
            let (key, at) = (key.get_ref().as_ref(), key.span());
            let words = format!("{key} = {}", self.toml.written(value));
            match key {
                "files" => files = Some(self.globs(value)?),
                "encoding" => {
                    let charset =
                        DeclaredCharset { encoding: self.encoding(value)?, marks: MarkMode::Auto };
                    settings.charset = Some(self.declared(&at, charset, words));
                }
                "bom" => {
                    let modes = [
                        ("forbid", MarkMode::Forbid),
                        ("require", MarkMode::Require),
                        ("any", MarkMode::Auto),
                    ];
                    let mode = self.toml.one_of(value, &modes)?;
                    settings.marks = Some(self.declared(&at, mode, words));
                }
                "newline" => {
                    let newlines = [
                        ("lf", Some(Newline::LineFeed)),
                        ("crlf", Some(Newline::Both)),
                        ("cr", Some(Newline::CarriageReturn)),
                        ("any", None),
                    ];
                    let newline = self.toml.one_of(value, &newlines)?;
                    settings.newline = Some(self.declared(&at, newline, words));
                }
                "final-newline" => {
                    let required = self.toml.flag(value)?;
                    settings.final_newline = Some(self.declared(&at, required, words));
                }
                "exclude" => {
                    let excluded = self.toml.flag(value)?;
                    settings.excluded = Some(self.declared(&at, excluded, words));
                }
                "deny" => {
                    let kinds = DENY.map(|word| (word.name, word.value));
                    let denied =
                        self.toml.array(value)?.iter().map(|kind| self.toml.one_of(kind, &kinds));
                    let denied = denied.collect::<Result<Vec<_>, _>>()?.concat();
                    settings.denied = Some(self.declared(&at, denied, words));
                }
                "severity" => self.severities(value, &mut settings)?,
                _ => bail!(self.toml.unknown(&at, &KEYS)),
            }
        }
        Ok(OwnRule { files, below: false, settings })
    }

    fn severities(
        &self,
        value: &SpannedValue<'_>,
        settings: &mut DeclaredSettings,
    ) -> anyhow::Result<()> {
        let levels = [
            ("error", Some(Severity::Error)),
            ("warning", Some(Severity::Warning)),
            ("note", Some(Severity::Note)),
            ("off", None),
        ];
        for (id, value) in self.toml.table(value)? {
            let (id, at) = (id.get_ref().as_ref(), id.span());
            let kinds = || RULES.iter().map(|rule| rule.kind).filter(|kind| kind.is_fault());
            let Some(kind) = kinds().find(|kind| kind.id() == id) else {
                bail!(self.toml.unknown(&at, &kinds().map(Kind::id).collect::<Vec<_>>()));
            };
            let level = self.toml.one_of(value, &levels)?;
            let words = format!("severity of {id} = {}", self.toml.written(value));
            settings.severities.insert(kind, self.declared(&at, level, words));
        }
        Ok(())
    }

    fn encoding(&self, value: &SpannedValue<'_>) -> anyhow::Result<InputEncoding> {
        let name = self.toml.string(value)?;
        if name.eq_ignore_ascii_case("auto") {
            return Ok(InputEncoding::Detected(Detector::new()));
        }
        if name.eq_ignore_ascii_case("auto-lines") {
            return Ok(InputEncoding::Lines(Detector::new()));
        }
        let encoding = Encoding::for_name(name);
        encoding
            .map(InputEncoding::Named)
            .map_err(|error| self.toml.error(&value.span(), &error.to_string()))
    }

    fn globs(&self, value: &SpannedValue<'_>) -> anyhow::Result<Vec<Glob>> {
        let glob = |value| {
            let glob = self.toml.string(value)?;
            if glob.len() > MAX_GLOB_LEN {
                bail!(self.toml.error(&value.span(), "the glob is longer than 1024 bytes"));
            }
            if self.file.is_too_wild(glob.as_bytes()) {
                bail!(self.toml.error(&value.span(), TOO_WILD));
            }
            // `vendor/` means the directory, and a glob for a directory has no slash at the end.
            Ok(Glob::new(glob.strip_suffix('/').unwrap_or(glob)))
        };
        self.toml.array(value)?.iter().map(glob).collect()
    }

    fn declared<T>(&self, at: &Range<usize>, value: T, words: String) -> Declared<T> {
        Declared { value, by: self.toml.line(at, &words) }
    }
}
