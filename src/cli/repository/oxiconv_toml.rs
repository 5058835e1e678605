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

use anyhow::{anyhow, bail};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use oxiconv_detect::detection::Detector;
use oxiconv_encodings::encoding::Encoding;
use oxiconv_report::{RULES, visible, visible_path};
use oxiconv_transcode::diagnostic::{Kind, Severity};
use oxiconv_transcode::{InputEncoding, MarkMode, Newline};

use super::declaration::{Declared, RuleFile, TOO_WILD};
use super::glob::Glob;
use super::settings::{DeclaredCharset, DeclaredSettings};
use crate::cli::args::DENY;

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
        TomlReader { text, file }.rules()
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

/// A TOML value with its byte range in the file, for the line and column of messages.
type SpannedValue<'a> = Spanned<DeValue<'a>>;

struct TomlReader<'a> {
    text: &'a str,
    file: &'a RuleFile<'a>,
}

impl TomlReader<'_> {
    fn rules(&self) -> anyhow::Result<OwnRules> {
        let table = DeTable::parse(self.text)
            .map_err(|error| self.error(&error.span().unwrap_or_default(), error.message()))?;
        let mut own = OwnRules::default();
        for (key, value) in table.get_ref() {
            match key.get_ref().as_ref() {
                "exclude" => {
                    let words = format!("exclude = {}", self.written(value));
                    let settings = DeclaredSettings {
                        excluded: Some(self.declared(&key.span(), true, words)),
                        ..DeclaredSettings::default()
                    };
                    let files = Some(self.globs(value)?);
                    own.rules.push(OwnRule { files, below: true, settings });
                }
                "rule" => {
                    let DeValue::Array(rules) = value.get_ref() else {
                        bail!(self.error(&key.span(), "a rule begins with [[rule]]"));
                    };
                    for rule in rules.iter() {
                        own.rules.push(self.rule(rule)?);
                    }
                }
                _ => bail!(self.unknown(&key.span(), &["exclude", "rule"])),
            }
        }
        Ok(own)
    }

    fn rule(&self, value: &SpannedValue<'_>) -> anyhow::Result<OwnRule> {
        const KEYS: [&str; 8] =
            ["files", "encoding", "bom", "newline", "final-newline", "deny", "severity", "exclude"];
        let mut settings = DeclaredSettings::default();
        let mut files = None;
        for (key, value) in self.table(value)? {
            let (key, at) = (key.get_ref().as_ref(), key.span());
            let words = format!("{key} = {}", self.written(value));
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
                    let mode = self.one_of(value, &modes)?;
                    settings.marks = Some(self.declared(&at, mode, words));
                }
                "newline" => {
                    let newlines = [
                        ("lf", Some(Newline::LineFeed)),
                        ("crlf", Some(Newline::Both)),
                        ("cr", Some(Newline::CarriageReturn)),
                        ("any", None),
                    ];
                    let newline = self.one_of(value, &newlines)?;
                    settings.newline = Some(self.declared(&at, newline, words));
                }
                "final-newline" => {
                    let required = self.flag(value)?;
                    settings.final_newline = Some(self.declared(&at, required, words));
                }
                "exclude" => {
                    let excluded = self.flag(value)?;
                    settings.excluded = Some(self.declared(&at, excluded, words));
                }
                "deny" => {
                    let kinds = DENY.map(|word| (word.name, word.value));
                    let denied = self.array(value)?.iter().map(|kind| self.one_of(kind, &kinds));
                    let denied = denied.collect::<Result<Vec<_>, _>>()?.concat();
                    settings.denied = Some(self.declared(&at, denied, words));
                }
                "severity" => self.severities(value, &mut settings)?,
                _ => bail!(self.unknown(&at, &KEYS)),
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
        for (id, value) in self.table(value)? {
            let (id, at) = (id.get_ref().as_ref(), id.span());
            let kinds = || RULES.iter().map(|rule| rule.kind).filter(|kind| kind.is_fault());
            let Some(kind) = kinds().find(|kind| kind.id() == id) else {
                bail!(self.unknown(&at, &kinds().map(Kind::id).collect::<Vec<_>>()));
            };
            let level = self.one_of(value, &levels)?;
            let words = format!("severity of {id} = {}", self.written(value));
            settings.severities.insert(kind, self.declared(&at, level, words));
        }
        Ok(())
    }

    fn encoding(&self, value: &SpannedValue<'_>) -> anyhow::Result<InputEncoding> {
        let name = self.string(value)?;
        if name.eq_ignore_ascii_case("auto") {
            return Ok(InputEncoding::Detected(Detector::new()));
        }
        if name.eq_ignore_ascii_case("auto-lines") {
            return Ok(InputEncoding::Lines(Detector::new()));
        }
        let encoding = Encoding::for_name(name);
        encoding
            .map(InputEncoding::Named)
            .map_err(|error| self.error(&value.span(), &error.to_string()))
    }

    fn globs(&self, value: &SpannedValue<'_>) -> anyhow::Result<Vec<Glob>> {
        let glob = |value| {
            let glob = self.string(value)?;
            if glob.len() > MAX_GLOB_LEN {
                bail!(self.error(&value.span(), "the glob is longer than 1024 bytes"));
            }
            if self.file.is_too_wild(glob.as_bytes()) {
                bail!(self.error(&value.span(), TOO_WILD));
            }
            // `vendor/` means the directory, and a glob for a directory has no slash at the end.
            Ok(Glob::new(glob.strip_suffix('/').unwrap_or(glob)))
        };
        self.array(value)?.iter().map(glob).collect()
    }

    /// Looks up a string in a list of known ones.
    fn one_of<T: Clone>(&self, value: &SpannedValue<'_>, known: &[(&str, T)]) -> anyhow::Result<T> {
        let name = self.string(value)?;
        match known.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
            Some((_, value)) => Ok(value.clone()),
            None => {
                let known: Vec<_> = known.iter().map(|(name, _)| *name).collect();
                bail!(self.unknown(&value.span(), &known))
            }
        }
    }

    fn string<'v>(&self, value: &'v SpannedValue<'_>) -> anyhow::Result<&'v str> {
        match value.get_ref() {
            DeValue::String(text) => Ok(text),
            _ => bail!(self.error(&value.span(), "this must be a string")),
        }
    }

    fn flag(&self, value: &SpannedValue<'_>) -> anyhow::Result<bool> {
        match value.get_ref() {
            DeValue::Boolean(flag) => Ok(*flag),
            _ => bail!(self.error(&value.span(), "this must be true or false")),
        }
    }

    fn array<'v, 'i>(&self, value: &'v SpannedValue<'i>) -> anyhow::Result<&'v [SpannedValue<'i>]> {
        match value.get_ref() {
            DeValue::Array(values) => Ok(values),
            _ => bail!(self.error(&value.span(), "this must be a list, such as [\"a\", \"b\"]")),
        }
    }

    fn table<'v, 'i>(&self, value: &'v SpannedValue<'i>) -> anyhow::Result<&'v DeTable<'i>> {
        match value.get_ref() {
            DeValue::Table(table) => Ok(table),
            _ => bail!(self.error(&value.span(), "this must be a table")),
        }
    }

    fn declared<T>(&self, at: &Range<usize>, value: T, words: String) -> Declared<T> {
        let (line, _) = self.place(at);
        Declared { value, by: self.file.declaration(line, &words) }
    }

    /// Returns the source text of a value on one line, for messages.
    fn written(&self, value: &SpannedValue<'_>) -> String {
        let text = self.text.get(value.span()).unwrap_or_default();
        visible(&text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    fn unknown(&self, at: &Range<usize>, known: &[&str]) -> anyhow::Error {
        let found = self.text.get(at.clone()).unwrap_or_default();
        let words = format!("unknown: {} (known: {})", found.trim_matches('"'), known.join(", "));
        self.error(at, &words)
    }

    fn error(&self, at: &Range<usize>, words: &str) -> anyhow::Error {
        let (line, column) = self.place(at);
        let words = visible(&words.lines().collect::<Vec<_>>().join("; "));
        anyhow!("{}:{line}:{column}: {words}", visible_path(&self.file.label))
    }

    /// Returns the line and the column of a byte range, from 1. Columns count characters.
    fn place(&self, at: &Range<usize>) -> (usize, usize) {
        let before = self.text.get(..at.start).unwrap_or(self.text);
        let line = before.rsplit('\n').next().unwrap_or_default();
        (before.matches('\n').count() + 1, line.chars().count() + 1)
    }
}
