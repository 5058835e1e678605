//! The checked configuration of a run over files, made from the arguments.
//!
//! Code that processes files sees this and not `Args`. Arguments that contradict each other have been refused
//! (`combinations`), defaults that depend on the mode are filled in, and options are grouped by what they are about.

use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::OnceLock;

use oxiconv_detect::detection::Detector;
use oxiconv_encodings::encoding::Encoding;
use oxiconv_report::{FormatOptions, OutputFormat, Task};
use oxiconv_transcode::diagnostic::Detail;
use oxiconv_transcode::{Conversion, InputEncoding, OnMojibake, RecordFormat, Threads};

use super::args::{Args, FixMode, MessageArgs, ShardSpec, When};
use super::ask::Ask;
use super::backup_place::BackupPlace;
use super::baseline::BaselineFile;
use super::exit_status::ListedKinds;
use super::file_names::{FileNames, NameEnd};
use super::files::{FileSelection, OpenMode};
use super::if_invalid;
use super::mode::Mode;
use super::output_streams::{Stream, columns};
use super::repository::DeclaringLine;
use super::requested_conversion::{conversion, with_detail};

#[derive(Debug)]
pub(crate) enum RunAction {
    Check,
    Detect(DetectedUnit),
    /// Convert all files, concatenated, to one output.
    Join(JoinTarget),
    /// Convert each file to a file of its own.
    Each(EachTarget),
    /// Make each file right, in place.
    Fix(FixTask),
    Names(NamesTask),
}

/// What `--detect` prints the encodings of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DetectedUnit {
    File,
    Line,
}

impl RunAction {
    /// Returns what a mode that works on files does, with its arguments.
    fn new(args: &Args, mode: Mode) -> Self {
        let output = args.output_file().map(Into::into);
        match mode {
            Mode::InPlace => Self::Each(EachTarget::InPlace(BackupPlace::of(args))),
            Mode::IntoDirectory => {
                Self::Each(EachTarget::Under(args.output.output_dir.clone().unwrap_or_default()))
            }
            Mode::UndoRename => Self::Names(NamesTask::Undo {
                of: args.names.undo_rename.clone().unwrap_or_default(),
                list: output.filter(|_| !args.output.dry_run),
            }),
            Mode::Names if !args.names.rename || args.output.dry_run => {
                Self::Names(NamesTask::Show)
            }
            Mode::Names => Self::Names(NamesTask::Rename(JoinTarget::new(args))),
            Mode::Fix => Self::Fix(FixTask::new(args)),
            Mode::Detect if args.detection.lines => Self::Detect(DetectedUnit::Line),
            Mode::Detect => Self::Detect(DetectedUnit::File),
            Mode::Check | Mode::Explain | Mode::FilesWithFindings => Self::Check,
            Mode::Convert | Mode::ToFile => Self::Join(JoinTarget::new(args)),
            // Modes without files have no configuration: `cli::run` does not get here with them.
            Mode::List | Mode::ListTranslit | Mode::Merge | Mode::Generate => {
                Self::Join(JoinTarget::Stdout)
            }
        }
    }

    pub(crate) fn findings_to(&self) -> Stream {
        match self {
            Self::Check | Self::Detect(_) | Self::Names(_) | Self::Fix(_) => Stream::Out,
            Self::Join(_) | Self::Each(_) => Stream::Err,
        }
    }

    /// Returns the task as formats name it.
    fn task(&self) -> Task {
        match self {
            Self::Check => Task::Check,
            Self::Detect(_) => Task::Detect,
            Self::Join(_) | Self::Each(_) => Task::Convert,
            Self::Names(_) => Task::Names,
            Self::Fix(_) => Task::Fix,
        }
    }
}

#[derive(Debug)]
pub(crate) enum JoinTarget {
    Stdout,
    File(PathBuf),
}

impl JoinTarget {
    pub(crate) fn new(args: &Args) -> Self {
        args.output_file().map_or(Self::Stdout, |file| Self::File(file.to_owned()))
    }
}

/// Where the conversion of each file goes.
#[derive(Debug)]
pub(crate) enum EachTarget {
    /// It replaces the file, and the old file is kept if there is a place for it.
    InPlace(Option<BackupPlace>),
    /// A file of the same path below this directory.
    Under(PathBuf),
}

/// How files are made right.
#[derive(Debug)]
pub(crate) struct FixTask {
    /// How certain the encoding of a file must be, in percent.
    pub(crate) min_confidence: u8,
    pub(crate) asks: bool,
    pub(crate) backup: Option<BackupPlace>,
    pub(crate) detector: Detector,
}

impl FixTask {
    /// From this confidence on, of the answers of the detector at most one in ten is wrong.
    const MIN_CONFIDENCE: u8 = 90;

    fn new(args: &Args) -> Self {
        Self {
            min_confidence: args.repair.min_confidence.unwrap_or(Self::MIN_CONFIDENCE),
            asks: args.repair.fix == Some(FixMode::Ask),
            backup: BackupPlace::of(args),
            detector: args.detector(Detector::new()),
        }
    }
}

/// What to do with the names of files.
#[derive(Debug)]
pub(crate) enum NamesTask {
    /// Print those that would change.
    Show,
    /// Change them.
    Rename(JoinTarget),
    /// Restore those that this list says were changed.
    Undo {
        of: PathBuf,
        /// Where the list of this run is written, if it is requested.
        list: Option<PathBuf>,
    },
}

/// Which options were given on the command line that override what a repository declares.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CommandLineOverrides {
    pub(crate) from: bool,
    pub(crate) bom: bool,
    pub(crate) deny: bool,
}

/// Which shard of the job is done, and how standard input is split.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sharding {
    pub(crate) shard: ShardSpec,
    /// The size of the whole text in bytes, if standard input is a range of it.
    pub(crate) size: Option<u64>,
}

pub(crate) struct FindingsConfig {
    pub(crate) listed: ListedKinds,
    pub(crate) format: Box<dyn OutputFormat>,
    pub(crate) options: FormatOptions,
    pub(crate) limit: Option<u64>,
    /// The baseline to compare findings with, or to write.
    pub(crate) baseline: Option<BaselineFile>,
    /// Whether the run may end with a line of counts.
    pub(crate) counts: bool,
}

/// Which files are written, and how carefully.
pub(crate) struct Writing {
    pub(crate) dry_run: bool,
    /// Show how each file would change.
    pub(crate) diff: bool,
    /// Convert files even if their text contradicts the conversion.
    pub(crate) force: bool,
    /// Leave files alone that are already valid in the target encoding.
    pub(crate) if_invalid: bool,
    /// Decode and compare a result before it replaces anything.
    pub(crate) verify: bool,
    /// Wait until the output is on disk.
    pub(crate) sync: bool,
}

/// What is printed besides findings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MessageConfig {
    /// Print only findings and errors.
    pub(crate) quiet: bool,
    /// Print only errors.
    pub(crate) silent: bool,
    /// Also print what is done with each file.
    pub(crate) verbose: bool,
    /// Also print which files are skipped.
    pub(crate) very_verbose: bool,
    pub(crate) stats: bool,
    pub(crate) progress: When,
    pub(crate) color: When,
}

impl From<&MessageArgs> for MessageConfig {
    fn from(args: &MessageArgs) -> Self {
        Self {
            quiet: args.quiet || args.silent,
            silent: args.silent,
            verbose: args.verbose > 0,
            very_verbose: args.verbose > 1,
            stats: args.stats,
            progress: args.progress,
            color: args.color,
        }
    }
}

/// A configuration without contradictions.
pub(crate) struct Config {
    pub(crate) action: RunAction,
    pub(crate) conversion: Conversion,
    pub(crate) files: FileSelection,
    /// Whether the rules of repositories apply to their files.
    pub(crate) uses_repository: bool,
    pub(crate) overrides: CommandLineOverrides,
    pub(crate) findings: FindingsConfig,
    pub(crate) writing: Writing,
    pub(crate) jobs: Option<NonZeroUsize>,
    /// `None` if this run does the whole job.
    pub(crate) sharding: Option<Sharding>,
    /// The path of the manifest, if there is one.
    pub(crate) resume: Option<PathBuf>,
    pub(crate) messages: MessageConfig,
    /// The lines of `[defaults]` that apply.
    pub(crate) defaults: Vec<DeclaringLine>,
}

impl Config {
    /// Returns the configuration for a mode that works on files. `combinations` must have accepted the arguments for
    /// it.
    ///
    /// # Errors
    ///
    /// If the library rejects the options of the conversion, or if the target encoding or a baseline cannot be used.
    pub(crate) fn new(args: Args, mode: Mode) -> anyhow::Result<Self> {
        let action = RunAction::new(&args, mode);
        let mut messages = MessageConfig::from(&args.messages);
        // A progress bar would overwrite the questions.
        if args.repair.repair == Some(OnMojibake::Ask) || args.repair.fix == Some(FixMode::Ask) {
            messages.progress = When::Never;
        }
        let (conversion, listed) = conversion(&args, mode)?;
        let has_descriptors = conversion.options().reading.records == Some(RecordFormat::Variable);
        if args.output.if_invalid {
            if_invalid::check_target(&conversion)?;
        }
        let options = format_options(&args, &action, messages);
        let format = format(&args, mode, &options);
        // Only a whole text can tell what it probably is. A piece of one cannot, and neither can a file name.
        let is_whole_text = args.work.shard.is_none() && !matches!(action, RunAction::Names(_));
        let detail = if is_whole_text { format.facts().detail } else { Detail::Findings };
        let verify = match mode {
            Mode::InPlace | Mode::Fix => !args.output.no_verify,
            _ => args.output.verify,
        };
        let baseline = BaselineFile::new(
            args.findings.baseline.as_deref(),
            args.findings.write_baseline.as_deref(),
        )?;
        let most_reports = args.findings.max_reports.or(format.facts().most_findings);
        Ok(Self {
            // Rules may be about whole texts, such as whether they end with a line feed. So shards do not apply any.
            uses_repository: (mode.checks() || mode == Mode::Fix)
                && !args.inputs.no_config
                && args.work.shard.is_none(),
            overrides: CommandLineOverrides {
                from: args.encodings.from.is_some()
                    || mode == Mode::Fix && args.encodings.to.is_some(),
                bom: args.marks.bom.is_some(),
                deny: !args.findings.deny.is_empty(),
            },
            action,
            conversion: with_detail(conversion, detail, listed),
            files: FileSelection {
                named: args.files,
                files0_from: args.inputs.files0_from,
                recursive: args.inputs.recursive,
                include: args.inputs.include,
                exclude: args.inputs.exclude,
                hidden: args.inputs.hidden,
                no_ignore: args.inputs.no_ignore,
                output_dir: args.output.output_dir,
                backup_dir: args.output.backup_dir,
                opening: OpenMode {
                    decompress: args.inputs.decompress,
                    has_descriptors,
                    access: args.work.mmap,
                },
                kept_list: OnceLock::new(),
            },
            findings: FindingsConfig {
                listed,
                format,
                options,
                limit: most_reports.filter(|most| *most > 0),
                baseline,
                counts: !matches!(mode, Mode::FilesWithFindings | Mode::Detect | Mode::Fix),
            },
            writing: Writing {
                dry_run: args.output.dry_run || args.output.diff,
                diff: args.output.diff,
                force: args.output.force,
                if_invalid: args.output.if_invalid,
                verify,
                sync: !args.output.no_sync,
            },
            jobs: args.work.jobs,
            sharding: args.work.shard.map(|shard| Sharding { shard, size: args.work.size }),
            resume: args.work.resume,
            messages,
            defaults: Vec::new(),
        })
    }
}

/// The least width of the column for file names with `--fix`.
const FIX_COLUMNS: usize = 24;

/// Returns the width of the column for file names: that of the longest, but at most half a line.
fn name_columns(files: &[PathBuf]) -> usize {
    let names = files.iter().map(|file| file.to_string_lossy().chars().count());
    names.max().unwrap_or(0).min(columns() / 2)
}

fn format(args: &Args, mode: Mode, options: &FormatOptions) -> Box<dyn OutputFormat> {
    if mode == Mode::FilesWithFindings {
        let end = if args.findings.null { NameEnd::Nul } else { NameEnd::Line };
        return Box::new(FileNames { end, terminal: std::io::stdout().is_terminal() });
    }
    (args.findings.explain.unwrap_or(args.findings.format()).new)(options)
}

fn format_options(args: &Args, action: &RunAction, messages: MessageConfig) -> FormatOptions {
    let mut options = FormatOptions::default();
    options.task = action.task();
    options.quiet = messages.quiet;
    options.verbose = messages.verbose;
    options.dry_run = args.output.dry_run || args.output.diff;
    options.alone = args.is_alone();
    options.recursive = args.inputs.recursive;
    options.coloured = action.findings_to().is_coloured(messages.color);
    options.columns = columns();
    options.aligned = match action {
        // Names in directories are not known before they are printed.
        RunAction::Fix(_) => Some(name_columns(&args.files).max(FIX_COLUMNS)),
        _ => std::io::stdout().is_terminal().then(|| name_columns(&args.files)),
    };
    options.from = match args.from() {
        InputEncoding::Named(encoding) if encoding == Encoding::UTF_8 => None,
        InputEncoding::Named(encoding) => Some(encoding.name()),
        InputEncoding::Lines(_) => Some("auto-lines"),
        _ => Some("auto"),
    };
    options.to = args.encodings.to.map(|to| to.encoding.name());
    options.decompress = args.inputs.decompress;
    options.baseline = args.findings.baseline.is_some() || args.findings.write_baseline.is_some();
    options.shard = args.work.shard.map(|shard| (shard.index, shard.of));
    options
}

impl Config {
    /// Opens the terminal for questions about repairs, if the user wants to be asked.
    pub(crate) fn ask(&self) -> anyhow::Result<Option<Ask>> {
        let option = match self.action {
            RunAction::Fix(_) => "--fix=ask",
            _ => "--repair=ask",
        };
        let asks = self.asks() && !self.writing.dry_run;
        asks.then(|| Ask::open(option, Stream::Err.is_coloured(self.messages.color))).transpose()
    }

    /// Describes everything that the result of a file depends on besides the file and the version of the program.
    ///
    /// `--resume` compares hashes of this text. If an option were missing here, a run with another value of it would
    /// reuse results that are out of date. If one too many were here, a run would only do again what is done. Threads
    /// and detail do not change results, so they are set to fixed values.
    pub(crate) fn determinants(&self) -> String {
        let options = self.conversion.options().clone();
        let options = options.threads(Threads::One).detail(Detail::default());
        let (from, to) = (self.conversion.from(), self.conversion.to());
        let others = [self.writing.force, self.uses_repository, self.files.opening.decompress];
        format!("{from:?} {to:?} {options:?} {others:?}")
    }

    /// Whether the user is asked before something is done.
    pub(crate) fn asks(&self) -> bool {
        match &self.action {
            RunAction::Fix(task) => task.asks,
            _ => self.conversion.options().on_mojibake == OnMojibake::Ask,
        }
    }

    pub(crate) fn threads(&self) -> usize {
        // Questions must come one at a time, in the order of the files. Each file that is compared takes memory.
        if self.asks() || self.writing.diff {
            return 1;
        }
        let jobs = self.jobs.or_else(|| std::thread::available_parallelism().ok());
        jobs.map_or(1, NonZeroUsize::get)
    }
}
