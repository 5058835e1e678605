//! How one file is read: as the command line says, or where it says nothing, as the repository of the file declares.
//!
//! A policy is a conversion and, for each kind of finding, the severity and the declaration that chose it.
//! `run_context.rs` adds these to the finding, so formats know nothing of rules. `tests/repository.rs` tests each value
//! of each key.

use std::borrow::Cow;

use oxiconv_encodings::encoding::{Encoding, Mark};
use oxiconv_encodings::unicode::IllFormedKind;
use oxiconv_transcode::diagnostic::{Detail, Kind, Severity, Summary};
use oxiconv_transcode::{
    Conversion, InputEncoding, MarkMode, OnDenied, OnIllFormed, OnMojibake, OnUnmappable,
};

use super::config::Config;
use super::eight_bit::is_eight_bit;
use super::files::FileArg;
use super::refusal::Refusals;
use super::repository::{Declared, DeclaredSettings};
use super::whole_file::{any_chunk, is_regular};

#[derive(Clone)]
pub(crate) struct FilePolicy<'a> {
    pub(crate) conversion: Cow<'a, Conversion>,
    pub(crate) settings: DeclaredSettings,
}

impl<'a> FilePolicy<'a> {
    /// Returns the policy for files for which nothing is declared.
    pub(crate) fn plain(config: &'a Config) -> Self {
        let conversion = Cow::Borrowed(&config.conversion);
        Self { conversion, settings: DeclaredSettings::default() }
    }

    /// Returns the policy for a file with these declarations.
    ///
    /// # Errors
    ///
    /// If the library rejects the options that they amount to.
    pub(crate) fn new(config: &'a Config, declared: DeclaredSettings) -> anyhow::Result<Self> {
        let settings = in_force(config, declared);
        if settings == DeclaredSettings::default() {
            return Ok(Self::plain(config));
        }
        let charset = settings.charset.as_ref().map(|charset| charset.value);
        let from = charset.map_or(config.conversion.from(), |charset| charset.encoding);
        let mut options = config.conversion.options().clone();
        let marks = settings.marks.as_ref().map(|marks| marks.value);
        if let Some(marks) = marks.or(charset.map(|charset| charset.marks)) {
            options = options.marks(marks);
        }
        let is_wanted = |kind| severity(&settings, kind).is_some();
        if let Some(newline) = settings.newline.as_ref().and_then(|newline| newline.value)
            && is_wanted(Kind::WrongNewline)
        {
            options = options.newline(newline);
        }
        if let Some(Declared { value, .. }) = settings.final_newline {
            options = options.final_newline(value && is_wanted(Kind::MissingFinalNewline));
        }
        if let Some(denied) = &settings.denied {
            options = options.deny(denied.value.iter().copied());
        }
        if !settings.severities.is_empty() {
            // `--files-with-findings` stops at the first finding. With declared severities, that may be only a note in
            // this file, or no finding at all, so the file is read on.
            options = options
                .on_ill_formed(OnIllFormed::Replace)
                .on_unmappable(OnUnmappable::Replace)
                .on_denied(OnDenied::Pass);
        }
        if matches!(from, InputEncoding::Named(from) if !OnMojibake::is_found_in(from)) {
            options = options.on_mojibake(OnMojibake::Ignore);
        }
        let is_in_pictures = options.detail == Detail::Context;
        let mut conversion = options.build(from, config.conversion.to())?;
        if matches!(from, InputEncoding::Lines(_)) && !is_in_pictures {
            // Each line is detected by itself, so evidence about the whole text has nothing to add.
            conversion = conversion.with_detail(Detail::Findings);
        }
        Ok(Self { conversion: Cow::Owned(conversion), settings })
    }

    /// Looks through a file that is declared to be in an encoding in which nearly every text is well-formed: if it is
    /// UTF-8, that becomes a finding, the only one about its encoding. An empty file needs no byte order mark, as in
    /// git.
    pub(crate) fn look_for_utf8(&mut self, config: &Config, file: &FileArg) -> anyhow::Result<()> {
        if self.conversion.options().byte_order_marks.marks == MarkMode::Require
            && self.settings != DeclaredSettings::default()
            && is_empty(file)
        {
            let options = self.conversion.options().clone().marks(MarkMode::Auto);
            let conversion = options.build(self.conversion.from(), self.conversion.to())?;
            self.conversion = Cow::Owned(conversion);
        }
        match self.settings.charset.as_ref().map(|charset| charset.value.encoding) {
            Some(InputEncoding::Named(declared)) => self.look_for_utf8_not(declared, config, file),
            _ => Ok(()),
        }
    }

    /// Does the same for a file that should be in `declared`, whatever says so.
    pub(crate) fn look_for_utf8_not(
        &mut self,
        declared: &Encoding,
        config: &Config,
        file: &FileArg,
    ) -> anyhow::Result<()> {
        if declared.unit() == 1 && !is_eight_bit(declared)
            || self.severity(Kind::OtherEncoding).is_none()
            || !file.path.as_deref().is_some_and(is_regular)
            || !Refusals::of(config, &self.conversion).is_utf8(file)?
        {
            return Ok(());
        }
        // Read as UTF-8, the file has this one finding. In the declared encoding, every ill-formed byte would be
        // another one with the same cause.
        let options = self.conversion.options().clone().known_encoding(Encoding::UTF_8);
        self.conversion = Cow::Owned(options.build(Encoding::UTF_8, self.conversion.to())?);
        Ok(())
    }

    /// Returns the severity of a kind; `None` if it is not a finding in this file.
    pub(crate) fn severity(&self, kind: Kind) -> Option<Severity> {
        severity(&self.settings, kind)
    }

    /// Returns the severity of ill-formed text; `None` if its kinds differ in severity, or the first is not a finding.
    pub(crate) fn severity_of_ill_formed(&self) -> Option<Severity> {
        let mut all =
            IllFormedKind::ALL.into_iter().map(|kind| self.severity(Kind::IllFormed(kind)));
        let first = all.next()??;
        all.all(|severity| severity == Some(first)).then_some(first)
    }

    /// Removes the kinds from a summary that are declared not to be findings in this file.
    pub(crate) fn leave_out(&self, summary: &mut Summary) {
        summary.found.retain(|kind, _| self.severity(*kind).is_some());
    }

    /// Returns the summary of the findings that make a check fail.
    pub(crate) fn errors_of<'s>(&self, summary: &'s Summary) -> Cow<'s, Summary> {
        if self.settings.severities.is_empty() {
            return Cow::Borrowed(summary);
        }
        let mut errors = summary.clone();
        errors.found.retain(|kind, _| self.severity(*kind) == Some(Severity::Error));
        Cow::Owned(errors)
    }

    /// Lists the declarations, if there are any: `.editorconfig:4 says charset = utf-8, …`.
    pub(crate) fn words(&self) -> Option<String> {
        let declarations = self.settings.declarations();
        let words: Vec<_> = declarations.iter().map(ToString::to_string).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }
}

/// Whether the text of a regular file is empty. A compressed file of an empty text is not empty itself.
fn is_empty(file: &FileArg) -> bool {
    file.path.as_deref().is_some_and(is_regular)
        && !any_chunk(file, &mut |chunk| !chunk.is_empty()).unwrap_or(true)
}

fn severity(settings: &DeclaredSettings, kind: Kind) -> Option<Severity> {
    settings.severities.get(&kind).map_or(Some(kind.severity()), |severity| severity.value)
}

/// Drops declarations that the command line overrides, and those about byte order marks if the encoding has none.
fn in_force(config: &Config, mut settings: DeclaredSettings) -> DeclaredSettings {
    let overrides = config.overrides;
    if overrides.from {
        settings.charset = None;
    }
    if overrides.deny {
        settings.denied = None;
    }
    if overrides.bom {
        settings.marks = None;
        if let Some(charset) = &mut settings.charset {
            charset.value.marks = config.conversion.options().byte_order_marks.marks;
        }
    }
    let from = settings.charset.as_ref().map_or(config.conversion.from(), |it| it.value.encoding);
    if matches!(from, InputEncoding::Named(encoding) if encoding.mark == Mark::None) {
        settings.marks = None;
    }
    settings
}
