//! Reads the values of an `oxiconv.toml`, with messages that name its line and column.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use anyhow::{anyhow, bail};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use oxiconv_report::{visible, visible_path};

use super::repository::DeclaringLine;

/// A TOML value with its byte range in the file, for the line and column of messages.
pub(super) type SpannedValue<'a> = Spanned<DeValue<'a>>;

pub(super) struct TomlReader<'a> {
    text: &'a str,
    /// The path of the file, for messages.
    label: &'a Arc<Path>,
}

impl<'a> TomlReader<'a> {
    pub(super) fn new(text: &'a str, label: &'a Arc<Path>) -> Self {
        Self { text, label }
    }

    pub(super) fn parse(&self) -> anyhow::Result<Spanned<DeTable<'a>>> {
        DeTable::parse(self.text)
            .map_err(|error| self.error(&error.span().unwrap_or_default(), error.message()))
    }

    /// Looks up a string in a list of known ones.
    pub(super) fn one_of<T: Clone>(
        &self,
        value: &SpannedValue<'_>,
        known: &[(&str, T)],
    ) -> anyhow::Result<T> {
        let name = self.string(value)?;
        match known.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
            Some((_, value)) => Ok(value.clone()),
            None => {
                let known: Vec<_> = known.iter().map(|(name, _)| *name).collect();
                bail!(self.unknown(&value.span(), &known))
            }
        }
    }

    pub(super) fn string<'v>(&self, value: &'v SpannedValue<'_>) -> anyhow::Result<&'v str> {
        match value.get_ref() {
            DeValue::String(text) => Ok(text),
            _ => bail!(self.error(&value.span(), "this must be a string")),
        }
    }

    pub(super) fn flag(&self, value: &SpannedValue<'_>) -> anyhow::Result<bool> {
        match value.get_ref() {
            DeValue::Boolean(flag) => Ok(*flag),
            _ => bail!(self.error(&value.span(), "this must be true or false")),
        }
    }

    pub(super) fn array<'v, 'i>(
        &self,
        value: &'v SpannedValue<'i>,
    ) -> anyhow::Result<&'v [SpannedValue<'i>]> {
        match value.get_ref() {
            DeValue::Array(values) => Ok(values),
            _ => bail!(self.error(&value.span(), "this must be a list, such as [\"a\", \"b\"]")),
        }
    }

    pub(super) fn table<'v, 'i>(
        &self,
        value: &'v SpannedValue<'i>,
    ) -> anyhow::Result<&'v DeTable<'i>> {
        match value.get_ref() {
            DeValue::Table(table) => Ok(table),
            _ => bail!(self.error(&value.span(), "this must be a table")),
        }
    }

    /// Returns the source text of a value on one line, for messages.
    pub(super) fn written(&self, value: &SpannedValue<'_>) -> String {
        let text = self.text.get(value.span()).unwrap_or_default();
        visible(&text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Returns the line that declares something, described by `words`.
    pub(super) fn line(&self, at: &Range<usize>, words: &str) -> DeclaringLine {
        let (line, _) = self.place(at);
        DeclaringLine { file: Arc::clone(self.label), line, words: visible(words) }
    }

    pub(super) fn unknown(&self, at: &Range<usize>, known: &[&str]) -> anyhow::Error {
        let found = self.text.get(at.clone()).unwrap_or_default();
        let words = format!("unknown: {} (known: {})", found.trim_matches('"'), known.join(", "));
        self.error(at, &words)
    }

    pub(super) fn error(&self, at: &Range<usize>, words: &str) -> anyhow::Error {
        let (line, column) = self.place(at);
        let words = visible(&words.lines().collect::<Vec<_>>().join("; "));
        anyhow!("{}:{line}:{column}: {words}", visible_path(self.label))
    }

    /// Returns the line and the column of a byte range, from 1. Columns count characters.
    fn place(&self, at: &Range<usize>) -> (usize, usize) {
        let before = self.text.get(..at.start).unwrap_or(self.text);
        let line = before.rsplit('\n').next().unwrap_or_default();
        (before.matches('\n').count() + 1, line.chars().count() + 1)
    }
}
