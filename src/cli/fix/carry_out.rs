//! Carries out the plan for a file: converts it, checks the result, and replaces the file.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::PoisonError;

use oxiconv_encodings::encoding::Encoding;
use oxiconv_os::Identity;
use oxiconv_report::{FixRow, TextBefore};
use oxiconv_transcode::diagnostic::{Finding, Reporter, Summary};
use oxiconv_transcode::io::{Leftover, Source};
use oxiconv_transcode::{Conversion, Error, Observer, Transcoder};

use super::super::batch_file::FileProcessor;
use super::super::commit::clear_leftovers;
use super::super::file_input::{name_error, open};
use super::super::ordered_output::FileOutput;
use super::super::replace::{NamedSink, Replaced, ReplacedFile};
use super::super::result_totals::InputResult;
use super::WrongFile;
use super::plan::FixPlan;
use super::rightness::{check, check_all, denied_in, is_fixed};

/// In a text that was misread in more encodings than this, some damaged parts are probably not what they seem.
const MAX_MISREADINGS: usize = 1;
/// A damaged part for which the repair is less certain than this, in percent, leaves the file. The repair itself demands
/// 90, but a file may have hundreds of parts, and a single wrong one makes it worse.
const SURE_REPAIR: u8 = 95;

const NOT_RIGHT: &str = "the result would not be right either";

impl FileProcessor<'_> {
    /// Does with a file what the plan says, or with `dry_run` finds out what that would be.
    pub(super) fn carry_out<'w>(
        &self,
        wrong: &'w WrongFile<'_>,
        plan: &FixPlan,
        dry_run: bool,
        out: &mut FileOutput<'_>,
    ) -> anyhow::Result<CarriedOut<'w>> {
        let WrongFile { file, policy, checked, wanted, examined, .. } = wrong;
        let was = match (&examined.detection, plan) {
            (_, FixPlan::Binary) => TextBefore::Binary,
            (None, _) => TextBefore::Empty,
            (Some(detection), _) => TextBefore::Detected(detection),
        };
        let mut row = FixRow { was, changes: Vec::new(), left: None, is_proposed: dry_run };
        let conversion = match plan {
            FixPlan::Binary => return Ok(CarriedOut::of(row, &examined.summary)),
            FixPlan::Leave(why) => {
                row.left = Some(why.clone());
                return Ok(CarriedOut::of(row, &examined.summary));
            }
            FixPlan::Convert(conversion) => conversion,
        };
        let before = match wanted.is_in(conversion) && checked.stopped {
            true => &check_all(&mut *open(file)?.source, policy)?,
            false => checked,
        };
        let mut obstacle = Obstacle::default();
        let (done, changed, diff) =
            self.convert_wrong(wrong, conversion, dry_run, &mut obstacle, out)?;
        row.left = obstacle.words;
        if changed && row.left.is_none() {
            row.changes = wanted.changes(conversion, before, &done, &examined.line_ends);
        }
        row.left = row.left.or_else(|| denied_in(policy, &done));
        // A rule may want what no conversion produces: for example, no line feed is added after a CR at the end.
        if !changed && !is_fixed(policy, checked.clone()) {
            row.left.get_or_insert_with(|| NOT_RIGHT.to_owned());
        }
        Ok(CarriedOut { row, done, diff })
    }

    /// Converts a file, and replaces it if that changes a byte. Returns whether it does, and in a dry run how.
    fn convert_wrong(
        &self,
        wrong: &WrongFile<'_>,
        conversion: &Conversion,
        dry_run: bool,
        obstacle: &mut Obstacle,
        out: &mut FileOutput<'_>,
    ) -> anyhow::Result<(Summary, bool, Vec<u8>)> {
        let WrongFile { file, path, version, policy, checked, wanted, .. } = wrong;
        if !dry_run {
            self.clear_directory_of(path, out);
        }
        let (version, index) = (version.clone(), out.index());
        let backup = wrong.task.backup.as_ref().map(|place| place.path(path)).transpose()?;
        let replaced = ReplacedFile { file, path, version, conversion, backup, dry_run, index };
        let convert = |sink: NamedSink<'_>, observer: Option<&mut dyn Observer>| {
            let mut transcoder = Transcoder::new(conversion, sink.writer);
            if let Some(observer) = observer {
                transcoder = transcoder.observed_by(observer);
            }
            let mut done = transcoder
                .input(&mut *open(file)?.source, obstacle)
                .or_else(Error::into_summary)
                .map_err(|error| name_error(error, &file.label(), sink.name))?;
            transcoder.finish().map_err(|error| name_error(error, "", sink.name))?;
            if obstacle.misread_as.len() > MAX_MISREADINGS || obstacle.is_repair_unsure {
                done.stopped = true;
                let words =
                    "the repair of a damaged part is not certain (--repair=ask shows each part)";
                obstacle.words = Some(words.to_owned());
            }
            Ok(InputResult::of(done))
        };
        // What was written must be right by the same check that found it wrong, or a second run would go on with it. A
        // text in a legacy encoding may turn out to be damaged, for example. What looks like an escape sequence is none
        // if the detector says that the text is in the encoding that it should be in, and all of it fits there.
        let fits = wanted.is_in(conversion) && !checked.stopped && checked.repaired == 0;
        let mut is_accepted = true;
        let mut inspect = |result: &mut dyn Source| {
            let (result, is_doubtful) = check(result, policy)
                .map_err(|error| name_error(error, &file.label(), &file.label()))?;
            is_accepted = (fits || !is_doubtful) && is_fixed(policy, result);
            Ok(is_accepted)
        };
        let Replaced { done, changed, new } =
            self.replace(&replaced, convert, Some(&mut inspect))?;
        let mut diff = Vec::new();
        if let Some(new) = new.filter(|_| self.ctx.config.writing.diff || self.ctx.ask.is_some()) {
            let coloured = self.ctx.config.findings.options.coloured;
            replaced.write_diff(new, &done, coloured, &mut diff)?;
        }
        if !is_accepted {
            obstacle.words = Some(NOT_RIGHT.to_owned());
        }
        Ok((done.summary, changed, diff))
    }

    /// Removes temporary files that killed runs have left in the directory of a file, once per directory.
    fn clear_directory_of(&self, path: &Path, out: &mut FileOutput<'_>) {
        let real = fs::canonicalize(path).ok();
        let Some(directory) = real.as_deref().and_then(Path::parent) else { return };
        // The lock is held until the directory is cleared, so that no thread has a temporary file there yet.
        let mut cleared = self.fixes.cleared.lock().unwrap_or_else(PoisonError::into_inner);
        if cleared.insert(directory.to_owned()) {
            let named = self.ctx.config.files.named.iter();
            let named = named.filter(|path| Leftover::is_named_so(path));
            let named: Vec<_> = named.filter_map(|path| Identity::of_path(path)).collect();
            let quiet = self.ctx.config.messages.quiet;
            clear_leftovers(&[directory.to_owned()].into(), &named, quiet, self.ctx.report, out);
        }
    }
}

/// What was done with a file, or would be.
pub(super) struct CarriedOut<'w> {
    pub(super) row: FixRow<'w>,
    pub(super) done: Summary,
    /// How the file would change, if that is of interest.
    pub(super) diff: Vec<u8>,
}

impl<'w> CarriedOut<'w> {
    fn of(row: FixRow<'w>, done: &Summary) -> Self {
        Self { row, done: done.clone(), diff: Vec::new() }
    }
}

/// Why a conversion does not replace its file: the finding that stops it, or what is wrong with the result.
#[derive(Default)]
struct Obstacle {
    words: Option<String>,
    /// The encodings in which parts of the text were misread.
    misread_as: HashSet<&'static str>,
    is_repair_unsure: bool,
}

impl Reporter for Obstacle {
    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        if let Some(mojibake) = finding.mojibake() {
            // What windows-1252 adds to ISO-8859-1 is in some parts of a text only.
            self.is_repair_unsure |= mojibake.confidence < SURE_REPAIR;
            let read_as = mojibake.read_as;
            let read_as =
                if read_as == Encoding::ISO_8859_1 { Encoding::WINDOWS_1252 } else { read_as };
            self.misread_as.insert(read_as.name());
        }
        if finding.stops {
            let Finding { line, column, .. } = finding;
            self.words = Some(format!("line {line}, column {column}: {}", finding.sentence()));
        }
        Ok(())
    }
}
