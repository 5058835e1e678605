//! Collects all names of a run, and converts each.
//!
//! If the encoding is detected, it is detected once for each directory tree, because a single name is too short. Names
//! in UTF-8 are converted at once; the others wait in `unknown` until all names of their tree are there.

use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use oxiconv_encodings::encoding::Encoding;
use oxiconv_report::counted;
use oxiconv_report::{Subject, visible_path};
use oxiconv_transcode::{Conversion, InputEncoding};

use super::super::config::Config;
use super::super::eight_bit::is_like_utf8;
use super::super::exit_status::ExitStatus;
use super::super::files::Name;
use super::mapping::{NameMapping, NameRefusal, impossible};
use super::name_report::NameReport;
use super::placed_name::{Directories, PlacedName};
use super::rename_plan::ConvertedName;
use super::tree::{detector, judge, readings, unknown};
use oxiconv_os::reason;

/// The names of a run. Only those that change, or cannot be converted, take memory.
pub(super) struct Collection<'a> {
    config: &'a Config,
    /// The conversion from UTF-8, for names that are valid UTF-8, if the encoding is detected.
    utf8: Option<Rc<Conversion>>,
    /// Whether non-ASCII names in UTF-8 stay as they are, because the named encoding would misread them.
    leaves_utf8: bool,
    directories: Directories,
    entries: Vec<ConvertedName>,
    /// Names that are not UTF-8, by the directory tree whose encoding will be detected.
    unknown: BTreeMap<Option<Rc<Path>>, Vec<PlacedName>>,
    links: Vec<PlacedName>,
}

impl<'a> Collection<'a> {
    pub(super) fn new(config: &'a Config) -> anyhow::Result<Self> {
        let asked = &config.conversion;
        let utf8 = match asked.from() {
            InputEncoding::Detected(_) => {
                Some(Rc::new(asked.options().clone().build(Encoding::UTF_8, asked.to())?))
            }
            _ => None,
        };
        let leaves_utf8 = match asked.from() {
            InputEncoding::Named(from) => !config.writing.force && !is_like_utf8(from),
            _ => false,
        };
        Ok(Self {
            config,
            utf8,
            leaves_utf8,
            directories: Directories::default(),
            entries: Vec::new(),
            unknown: BTreeMap::new(),
            links: Vec::new(),
        })
    }

    /// Collects all names on the command line and in its directories.
    pub(super) fn collect(&mut self, report: &mut NameReport<'_>) -> anyhow::Result<()> {
        let config = self.config;
        let mut trouble = Vec::new();
        let mut result = Ok(());
        let take = |name: Name| {
            if result.is_ok() {
                result = self.take(name, report);
            }
        };
        config.files.names(take, |words| trouble.push(words))?;
        result?;
        trouble.iter().try_for_each(|words| report.error(Subject::Run, words))
    }

    /// Takes a name: leaves it as it is, converts it, or puts it with those whose encoding is to be detected.
    ///
    /// A name in UTF-8 is left alone if a legacy encoding was named, because it would be read as something else and
    /// become mojibake. `--force` converts it all the same.
    fn take(&mut self, name: Name, report: &mut NameReport<'_>) -> anyhow::Result<()> {
        let Name { path, is_link, tree } = name;
        let placed = match self.directories.place(&path) {
            Ok(Some(placed)) => placed,
            Ok(None) => return Ok(()),
            Err(error) => {
                let words = format!("{}: {}", visible_path(&path), reason(&error));
                return report.error(Subject::File(&path), &words);
            }
        };
        report.count();
        if is_link {
            self.links.push(placed.clone());
        }
        let name = placed.name.as_encoded_bytes();
        let is_utf8 = str::from_utf8(name).is_ok();
        if is_utf8 && !name.is_ascii() && self.leaves_utf8 {
            return report.left_alone(&path);
        }
        match self.utf8.clone() {
            None => self.add(placed, &self.config.conversion, report),
            Some(utf8) if is_utf8 => self.add(placed, &utf8, report),
            Some(_) => {
                self.unknown.entry(tree).or_default().push(placed);
                Ok(())
            }
        }
    }

    fn add(
        &mut self,
        placed: PlacedName,
        conversion: &Conversion,
        report: &mut NameReport<'_>,
    ) -> anyhow::Result<()> {
        let listed = self.config.findings.listed;
        let mapping = NameMapping::Convert(conversion, listed);
        let new = match mapping.map(placed.name.as_encoded_bytes()) {
            Err(NameRefusal::Denied(words)) => {
                return report.all_refused(Subject::File(&placed.path()), &words, 1);
            }
            Err(NameRefusal::Impossible(reason)) => Err(reason),
            Ok(mapped) => {
                report.exit(ExitStatus::of(&mapped.summary, listed));
                for words in &mapped.findings {
                    report.finding(&placed.path(), words)?;
                }
                if mapped.name == placed.name {
                    return report.unchanged();
                }
                match impossible(mapped.name.as_encoded_bytes()) {
                    Some(reason) => Err(reason),
                    None => Ok(mapped.name),
                }
            }
        };
        self.entries.push(ConvertedName { old: placed, new });
        Ok(())
    }

    /// Detects the encodings that are still unknown, and returns all names that would change or cannot, and all
    /// symbolic links.
    pub(super) fn entries(
        mut self,
        report: &mut NameReport<'_>,
    ) -> anyhow::Result<(Vec<ConvertedName>, Vec<PlacedName>)> {
        let asked = &self.config.conversion;
        for (tree, names) in std::mem::take(&mut self.unknown) {
            let Some(detector) = detector(asked) else { continue };
            let bytes = names.iter().map(|placed| placed.name.as_encoded_bytes());
            let judged = judge(bytes, detector, asked, self.config.writing.force)?;
            let subject = tree.as_deref().map_or(Subject::Run, Subject::File);
            let count = names.len() as u64;
            let Some(conversion) = judged.conversion else {
                let all = counted(count, "name");
                let unknown = unknown(&judged.detection);
                let words = format!("the encoding of {all} is unclear: {unknown}");
                report.all_refused(subject, &words, count)?;
                if let Some(first) = names.first() {
                    readings(&judged.detection, first.name.as_encoded_bytes())
                        .iter()
                        .for_each(|line| report.hint(line));
                }
                continue;
            };
            if self.config.messages.verbose {
                report.note(subject, &format!("names {}", judged.detection.account()))?;
            }
            for placed in names {
                self.add(placed, &conversion, report)?;
            }
        }
        Ok((self.entries, self.links))
    }
}
