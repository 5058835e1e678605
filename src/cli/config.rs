//! The checked configuration, made from the arguments.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anyhow::bail;
use oxiconv_detect::detection::Detector;
use oxiconv_encodings::encoding::{Encoding, Mark, Suffixes};
use oxiconv_report::{DetectionRow, FormatOptions, OutputFormat, Rename, Subject, Task};
use oxiconv_transcode::diagnostic::{DeniedKind, Detail};
use oxiconv_transcode::{
    Conversion, Fallback, InputEncoding, MarkMode, OnDeclaration, OnDenied, OnForeignMark,
    OnIllFormed, OnInnerMark, OnMojibake, OnUncertain, OnUnmappable, Options, Threads,
};

use super::args::Args;
use super::ask::Ask;
use super::baseline::BaselineFile;
use super::eight_bit::is_well_formed;
use super::exit::Listed;
use super::file_names::{FileNames, NameEnd};
use super::files::{Opening, Selection};
use super::if_invalid;
use super::terminal::{Stream, columns};
use super::values::{
    Bom, DeclarationMode, Denied, Deny, Errors, Named, RepairMode, Shard, Unmappable, When,
};

/// What to do.
#[derive(Debug)]
pub(crate) enum Action {
    /// Print the encodings.
    List(Vec<String>),
    /// Check each file, write nothing.
    Check,
    /// Print the encoding of each file.
    Detect,
    /// Convert all files, concatenated, to one output.
    Join(JoinTarget),
    /// Convert each file to a file of its own.
    Each(Destination),
    /// Convert the names of files.
    Names(NamesTask),
}

impl Action {
    /// Returns the stream for findings.
    pub(crate) fn findings_to(&self) -> Stream {
        match self {
            Self::Check | Self::Detect | Self::Names(_) => Stream::Out,
            Self::List(_) | Self::Join(_) | Self::Each(_) => Stream::Err,
        }
    }

    /// Returns what a format says of it.
    fn task(&self) -> Task {
        match self {
            Self::List(_) => Task::List,
            Self::Check => Task::Check,
            Self::Detect => Task::Detect,
            Self::Join(_) | Self::Each(_) => Task::Convert,
            Self::Names(_) => Task::Names,
        }
    }
}

/// Where the concatenated output goes.
#[derive(Debug)]
pub(crate) enum JoinTarget {
    /// Standard output.
    Stdout,
    /// This file.
    File(PathBuf),
}

/// Where the conversion of each file goes.
#[derive(Debug)]
pub(crate) enum Destination {
    /// To the file itself; with a suffix, the old file is kept under its name and the suffix.
    InPlace(Option<OsString>),
    /// Below this directory.
    Under(PathBuf),
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
        /// The list.
        of: PathBuf,
        /// Where the list of this run goes, if it is wanted.
        list: Option<PathBuf>,
    },
}

/// The options that were given, where a repository could declare something else.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given {
    pub(crate) from: bool,
    pub(crate) bom: bool,
    pub(crate) deny: bool,
}

/// A part of the work, and where it comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sharding {
    pub(crate) shard: Shard,
    /// The length of the whole text in bytes, if a part of it comes through standard input.
    pub(crate) size: Option<u64>,
}

/// A configuration without contradictions.
pub(crate) struct Config {
    pub(crate) action: Action,
    pub(crate) conversion: Conversion,
    pub(crate) files: Selection,
    /// Whether what a repository declares for its files is applied.
    pub(crate) uses_repository: bool,
    pub(crate) given: Given,
    /// Which faults are printed although they do not stop the conversion.
    pub(crate) listed: Listed,
    /// How findings are printed.
    pub(crate) format: Box<dyn OutputFormat>,
    /// The most findings printed per file.
    pub(crate) limit: Option<u64>,
    /// The baseline to compare findings with, or to write.
    pub(crate) baseline: Option<BaselineFile>,
    /// Whether the run reports all its findings, not only the names of files.
    pub(crate) counts: bool,
    pub(crate) dry_run: bool,
    /// Whether files are converted even if their text looks like another encoding.
    pub(crate) force: bool,
    /// Whether files that are valid in the target encoding already are left alone.
    pub(crate) if_invalid: bool,
    /// Whether a result is decoded and compared before it replaces anything.
    pub(crate) verify: bool,
    /// Whether to wait until the output is on disk.
    pub(crate) sync: bool,
    pub(crate) jobs: Option<NonZeroUsize>,
    /// The part of the work that is done, if it is not all.
    pub(crate) sharding: Option<Sharding>,
    /// The manifest of what is done, if there is one.
    pub(crate) resume: Option<PathBuf>,
    pub(crate) quiet: bool,
    pub(crate) silent: bool,
    pub(crate) verbose: bool,
    /// Whether more is printed than what is done with each file.
    pub(crate) very_verbose: bool,
    pub(crate) stats: bool,
    pub(crate) progress: When,
    pub(crate) color: When,
}

impl Config {
    pub(crate) fn new(args: Args) -> anyhow::Result<Self> {
        let action = action(&args)?;
        check_goes_with(&args, &action)?;
        let (conversion, listed) = conversion(&args, &action)?;
        if args.if_invalid {
            if_invalid::check_target(&conversion)?;
        }
        let format = format(&args, &action)?;
        let detail = match action {
            Action::Names(_) => Detail::Findings,
            _ => format.detail(),
        };
        // What a text probably is depends on all of it.
        let detail = if args.shard.is_some() { Detail::Findings } else { detail };
        let conversion = with_detail(conversion, detail, listed);
        let verify = match action {
            Action::Each(Destination::InPlace(_)) => !args.no_verify,
            _ => args.verify,
        };
        let given = Given {
            from: args.from.is_some(),
            bom: args.bom.is_some(),
            deny: !args.deny.is_empty(),
        };
        let baseline = BaselineFile::new(args.baseline.as_deref(), args.write_baseline.as_deref())?;
        if let (Some(file), false) = (&baseline, matches!(action, Action::Check)) {
            bail!("{} requires --check", file.option());
        }
        let most_reports = args.max_reports.or(format.most_findings());
        Ok(Self {
            // What they declare may be about whole texts.
            uses_repository: matches!(action, Action::Check)
                && !args.no_config
                && args.shard.is_none(),
            given,
            action,
            conversion,
            files: Selection {
                named: args.files,
                more_from: args.files0_from,
                recursive: args.recursive,
                include: args.include,
                exclude: args.exclude,
                hidden: args.hidden,
                no_ignore: args.no_ignore,
                not_under: args.output_dir,
                opening: Opening { decompress: args.decompress, access: args.mmap.into() },
                kept_list: OnceLock::new(),
            },
            listed,
            format,
            limit: most_reports.filter(|most| *most > 0),
            baseline,
            counts: !args.files_with_findings && !args.detect,
            dry_run: args.dry_run,
            force: args.force,
            if_invalid: args.if_invalid,
            verify,
            sync: !args.no_sync,
            jobs: args.jobs,
            resume: args.resume,
            sharding: args.shard.map(|shard| Sharding { shard, size: args.size }),
            quiet: args.quiet || args.silent,
            silent: args.silent,
            verbose: args.verbose > 0,
            very_verbose: args.verbose > 1,
            stats: args.stats,
            // A question stays on the screen.
            progress: match args.repair {
                Some(RepairMode::Ask) => When::Never,
                _ => args.progress,
            },
            color: args.color,
        })
    }
}

impl Config {
    /// Returns what asks about repairs, if the user wants to be asked.
    pub(crate) fn ask(&self) -> anyhow::Result<Option<Ask>> {
        let asks = self.asks() && !self.dry_run;
        asks.then(|| Ask::open(Stream::Err.is_coloured(self.color))).transpose()
    }

    /// Returns in words what the result of every file depends on, except the version of the program.
    pub(crate) fn determinants(&self) -> String {
        let options = self.conversion.options().clone();
        let options = options.threads(Threads::One).detail(Detail::default());
        let (from, to) = (self.conversion.from(), self.conversion.to());
        let others = [self.force, self.uses_repository, self.files.opening.decompress];
        format!("{from:?} {to:?} {options:?} {others:?}")
    }

    fn asks(&self) -> bool {
        self.conversion.options().on_mojibake == OnMojibake::Ask
    }

    /// Returns how many threads work at the same time.
    pub(crate) fn threads(&self) -> usize {
        // Questions come one at a time, in the order of the files.
        if self.asks() {
            return 1;
        }
        let jobs = self.jobs.or_else(|| std::thread::available_parallelism().ok());
        jobs.map_or(1, NonZeroUsize::get)
    }
}

const DRY_RUN: &str = "--dry-run";

/// Rejects what makes no sense for names.
fn check_names(args: &Args, task: &NamesTask) -> anyhow::Result<()> {
    let nothing = args.files.is_empty() && args.files0_from.is_none();
    match task {
        NamesTask::Undo { .. } if !args.files.is_empty() => {
            bail!("--undo-rename takes no FILE: its list has the names")
        }
        NamesTask::Undo { list: None, .. } if args.no_sync => {
            bail!("--undo-rename takes --no-sync only with -o, for the list of changed names")
        }
        NamesTask::Undo { .. } => return Ok(()),
        _ if nothing && !args.recursive => bail!("--names requires a FILE, or -r"),
        NamesTask::Show if args.output.is_some() && !args.rename => {
            bail!("--names takes --output only with --rename, for the list of changed names")
        }
        NamesTask::Show if args.no_sync && !args.rename => {
            bail!("--names takes --no-sync only with --rename, for the list of changed names")
        }
        NamesTask::Show | NamesTask::Rename(_) => {}
    }
    let from = match from(args).encoding {
        InputEncoding::Named(from) => Some(from),
        InputEncoding::Lines(_) => {
            bail!("--names has no lines: -f auto detects the encoding of names")
        }
        _ => None,
    };
    for (given, option) in [
        (args.newline.is_some(), "--newline"),
        (args.final_newline, "--final-newline"),
        (args.record_length.is_some(), "--record-length"),
    ] {
        if given {
            bail!("--names has no lines: {option} cannot be combined with it");
        }
    }
    if args.repair == Some(RepairMode::Ask) {
        bail!("--names shows what it would change; --repair=ask cannot be combined with it");
    }
    let to = args.to.map(|to| to.encoding);
    if let Some(wide) = [from, to].into_iter().flatten().find(|encoding| encoding.unit() > 1) {
        bail!("--names requires encodings of single bytes, and {} has longer units", wide.name());
    }
    Ok(())
}

/// Rejects what cannot be done with a part of a text.
fn check_shard(args: &Args, action: &Action) -> anyhow::Result<()> {
    if matches!(action, Action::Names(_) | Action::Detect | Action::List(_)) {
        bail!("--shard is for conversions and for --check");
    }
    if !matches!(from(args).encoding, InputEncoding::Named(_)) {
        bail!("--shard cannot be combined with -f auto: the encoding is judged by the whole text");
    }
    if args.fallback.is_some() {
        bail!(
            "--shard cannot be combined with --fallback: where it reads is judged by the first 64 KiB of the whole text"
        );
    }
    let kinds = args.deny.iter().flat_map(|deny| deny.kinds());
    match kinds.into_iter().find(|kind| kind.is_of_text()) {
        Some(DeniedKind::Confusable) => bail!(
            "--shard cannot be combined with --deny confusable, which is judged by the whole text (--deny security can be \
             written as bidi,invisible,control,bom,mixed-script)"
        ),
        Some(kind) => bail!(
            "--shard cannot be combined with --deny {}, which is found once in the whole text",
            kind.id()
        ),
        None => {}
    }
    if args.final_newline && args.newline.is_none() {
        bail!(
            "--shard takes --final-newline only with --newline: the first line says how lines end"
        );
    }
    if args.declaration == Some(DeclarationMode::Update) {
        bail!("--shard cannot be combined with --declaration update");
    }
    let is_stream = args.files.is_empty() || args.files[..] == [PathBuf::from("-")];
    match args.size {
        Some(_) if !is_stream || args.files0_from.is_some() || args.recursive => {
            bail!("--size is for standard input; the size of a file is known")
        }
        Some(_) if args.decompress => bail!("--size cannot be combined with -z"),
        Some(_) if matches!(action, Action::Each(_)) => {
            bail!("standard input cannot be converted into a directory (use -o)")
        }
        _ => Ok(()),
    }
}

/// Rejects options that have no effect with this action.
fn check_goes_with(args: &Args, action: &Action) -> anyhow::Result<()> {
    let check = matches!(action, Action::Check);
    if check && suffixes(args) != Suffixes::default() {
        bail!(
            "//TRANSLIT and //IGNORE cannot be combined with --check or --explain, which write no text"
        );
    }
    if args.decompress && matches!(action, Action::Each(Destination::InPlace(_))) {
        bail!(
            "--decompress cannot be combined with --in-place: compressed files would become plain text under the same names \
             (use --output-dir)"
        );
    }
    if args.recursive && matches!(action, Action::Join(_)) {
        bail!("--recursive requires --check, --detect, --in-place or --output-dir");
    }
    for (given, option) in [
        (!args.include.is_empty(), "--include"),
        (!args.exclude.is_empty(), "--exclude"),
        (args.hidden, "--hidden"),
        (args.no_ignore, "--no-ignore"),
    ] {
        if given && !args.recursive {
            bail!("{option} requires --recursive");
        }
    }
    if let Action::Names(task) = action {
        check_names(args, task)?;
    } else if args.rename {
        bail!("--rename requires --names");
    }
    if args.resume.is_some() && matches!(action, Action::Join(JoinTarget::Stdout)) {
        bail!("--resume requires -o, -O or --check: what standard output gets is not kept");
    }
    match (args.shard, args.size) {
        (Some(_), _) => check_shard(args, action)?,
        (None, Some(_)) => bail!("--size requires --shard"),
        (None, None) => {}
    }
    let from = from(args).encoding;
    if let (Action::Detect, InputEncoding::Named(from)) = (action, from) {
        bail!("--detect cannot be combined with -f {from}; --check -f {from} checks it");
    }
    for (given, option) in [
        (!args.language.is_empty(), "--language"),
        (!args.candidates.is_empty(), "--candidates"),
        (args.ignore_declaration, "--ignore-declaration"),
    ] {
        if given && matches!(from, InputEncoding::Named(_)) {
            bail!("{option} requires --detect or -f auto");
        }
    }
    if args.trim_records && args.record_length.is_none() {
        bail!("--trim-records requires --record-length");
    }
    if matches!(from, InputEncoding::Lines(_)) {
        for (given, option) in [
            (matches!(action, Action::Detect), "--detect"),
            (args.explain.is_some(), "--explain"),
            (args.fallback.is_some(), "--fallback"),
            (args.ignore_declaration, "--ignore-declaration"),
            (args.declaration == Some(DeclarationMode::Update), "--declaration update"),
        ] {
            if given {
                bail!("{option} cannot be combined with -f auto-lines");
            }
        }
    }
    if args.null && !args.files_with_findings {
        bail!("--null requires --files-with-findings");
    }
    for (given, option) in
        [(args.dry_run, DRY_RUN), (args.if_invalid, "--if-invalid"), (args.verify, "--verify")]
    {
        let fits = match action {
            Action::Each(_) => true,
            Action::Names(_) => option == DRY_RUN,
            _ => false,
        };
        if given && !fits {
            bail!("{option} requires --in-place or --output-dir");
        }
    }
    let detects = matches!(from, InputEncoding::Detected(_));
    let replaces =
        matches!(action, Action::Each(_) | Action::Names(_) | Action::Join(JoinTarget::File(_)));
    if args.force && !detects && !replaces {
        bail!("--force requires --in-place, --output-dir or --output, or --from auto");
    }
    Ok(())
}

/// Returns the format of findings.
fn format(args: &Args, action: &Action) -> anyhow::Result<Box<dyn OutputFormat>> {
    let from = match from(args).encoding {
        InputEncoding::Named(encoding) if encoding == Encoding::UTF_8 => None,
        InputEncoding::Named(encoding) => Some(encoding.name()),
        InputEncoding::Lines(_) => Some("auto-lines"),
        _ => Some("auto"),
    };
    let mut options = FormatOptions::default();
    options.task = action.task();
    options.quiet = args.quiet || args.silent;
    options.verbose = args.verbose > 0;
    options.alone = is_alone(args);
    options.recursive = args.recursive;
    options.coloured = action.findings_to().is_coloured(args.color);
    options.columns = columns();
    options.from = from;
    options.to = args.to.map(|to| to.encoding.name());
    options.decompress = args.decompress;
    options.baseline = args.baseline.is_some() || args.write_baseline.is_some();
    options.shard = args.shard.map(|shard| (shard.index, shard.of));
    let format = (args.format.new)(&options);
    let can_detect = || format.detection(Subject::Run, &DetectionRow::default()).is_some();
    let can_rename = || {
        let path = Path::new("");
        format.rename(&Rename { path, name: path, directory: None }).is_some()
    };
    if args.shard.is_some() && !format.has_pieces() {
        bail!(
            "--shard cannot be combined with --format {}, only with text and json",
            args.format.name
        );
    }
    if matches!(action, Action::Names(_)) && !can_rename() {
        bail!("--names cannot be combined with --format {}, only with json", args.format.name);
    }
    if matches!(action, Action::Detect) && !can_detect() {
        bail!("--detect cannot be combined with --format {}, only with json", args.format.name);
    }
    if args.files_with_findings {
        if !format.is_for_people() {
            bail!("--files-with-findings cannot be combined with --format {}", args.format.name);
        }
        let end = if args.null { NameEnd::Nul } else { NameEnd::Line };
        return Ok(Box::new(FileNames { end, terminal: std::io::stdout().is_terminal() }));
    }
    match args.explain {
        None => Ok(format),
        Some(pictures) if format.is_for_people() => Ok((pictures.new)(&options)),
        Some(_) => bail!("--explain cannot be combined with --format {}", args.format.name),
    }
}

/// Returns the conversion with the detail that the format needs, as far as anything is reported whose cause is unknown.
fn with_detail(conversion: Conversion, detail: Detail, listed: Listed) -> Conversion {
    let options = conversion.options();
    let reports = listed.ill_formed || options.substitution.on_ill_formed == OnIllFormed::Stop;
    // With a fallback that is named, nobody asks for the cause. If none could be detected, a hint says why.
    let is_named = |fallback| matches!(fallback, Fallback::Named(_));
    let detail = match detail {
        Detail::Evidence if !reports || options.substitution.fallback.is_some_and(is_named) => {
            Detail::Findings
        }
        Detail::Evidence if matches!(conversion.from(), InputEncoding::Lines(_)) => {
            Detail::Findings
        }
        detail => detail,
    };
    conversion.with_detail(detail)
}

fn action(args: &Args) -> anyhow::Result<Action> {
    if let Some(suffix) = &args.in_place {
        if suffix.to_string_lossy().contains('/') {
            bail!("the suffix of --in-place must not contain a slash");
        }
        let suffix = (!suffix.is_empty()).then(|| suffix.clone());
        return Ok(Action::Each(Destination::InPlace(suffix)));
    }
    let output = args.output.clone().filter(|file| file.as_os_str() != "-");
    if let Some(of) = args.undo_rename.clone() {
        return Ok(Action::Names(NamesTask::Undo { of, list: output.filter(|_| !args.dry_run) }));
    }
    if args.names {
        let task = match output {
            _ if !args.rename || args.dry_run => NamesTask::Show,
            Some(file) => NamesTask::Rename(JoinTarget::File(file)),
            None => NamesTask::Rename(JoinTarget::Stdout),
        };
        return Ok(Action::Names(task));
    }
    Ok(match (output, &args.output_dir) {
        _ if args.list => Action::List(
            args.files.iter().map(|name| name.to_string_lossy().into_owned()).collect(),
        ),
        _ if args.detect => Action::Detect,
        _ if args.check || args.explain.is_some() || args.files_with_findings => Action::Check,
        (_, Some(dir)) => Action::Each(Destination::Under(dir.clone())),
        (Some(file), _) => Action::Join(JoinTarget::File(file)),
        _ => Action::Join(JoinTarget::Stdout),
    })
}

fn conversion(args: &Args, action: &Action) -> anyhow::Result<(Conversion, Listed)> {
    let check = matches!(action, Action::Check);
    let from = from(args).encoding;
    let to = match args.to {
        Some(to) => Some(to.encoding),
        None if check => None,
        None => Some(Encoding::UTF_8),
    };
    let suffixes = suffixes(args);
    let errors = match args.errors {
        _ if args.skip => Errors::Skip,
        Errors::Strict if suffixes.ignore => Errors::Skip,
        errors => errors,
    };
    let unmappable = unmappable(args, errors);
    // The first finding is enough, unless a later one may be the first that is new.
    let check_all = check && !(args.files_with_findings && args.baseline.is_none());
    let on_ill_formed = match errors {
        _ if check_all => OnIllFormed::Replace,
        Errors::Strict => OnIllFormed::Stop,
        Errors::Replace | Errors::Report => OnIllFormed::Replace,
        Errors::Skip => OnIllFormed::Skip,
        Errors::Escape | Errors::C => OnIllFormed::Escape,
        Errors::Xml => OnIllFormed::Xml,
        Errors::XmlDec => OnIllFormed::XmlDecimal,
        // As ICU, which has no form of Java's for bytes, nor one with U+.
        Errors::Java | Errors::Percent | Errors::Unicode => OnIllFormed::Percent,
    };
    let on_unmappable = match unmappable {
        _ if check_all => OnUnmappable::Replace,
        Unmappable::Strict => OnUnmappable::Stop,
        Unmappable::Replace | Unmappable::Report => OnUnmappable::Replace,
        Unmappable::Skip => OnUnmappable::Skip,
        Unmappable::Escape => OnUnmappable::Escape,
        Unmappable::Xml => OnUnmappable::Xml,
        Unmappable::XmlDec => OnUnmappable::XmlDecimal,
        Unmappable::Java => OnUnmappable::Java,
        Unmappable::C => OnUnmappable::C,
        Unmappable::Percent => OnUnmappable::Percent,
        Unmappable::Unicode => OnUnmappable::Unicode,
        // What has no transliteration is treated like anything else that cannot be converted, but never stops.
        Unmappable::Translit if errors == Errors::Skip || suffixes.ignore || suffixes.discard => {
            OnUnmappable::Skip
        }
        Unmappable::Translit => OnUnmappable::Replace,
    };
    if suffixes.transliterate && args.unmappable == Some(Unmappable::Strict) {
        bail!(
            "--unmappable strict cannot be combined with //TRANSLIT, which never stops (--unmappable report lists what is replaced)"
        );
    }
    let transliterate = !check && (suffixes.transliterate || unmappable == Unmappable::Translit);
    let mut options = Options::new()
        .on_ill_formed(on_ill_formed)
        .on_unmappable(on_unmappable)
        .transliterate(transliterate)
        .marks(mark(args, check)?)
        .byte_order(args.endian.into())
        .on_declaration(on_declaration(args, action)?)
        .deny(args.deny.iter().flat_map(|deny| deny.kinds()))
        .on_denied(on_denied(args, check_all, errors)?)
        .write_final_newline(args.final_newline)
        .threads(threads(args, action));
    if args.force {
        options = options.on_uncertain(OnUncertain::Guess);
    }
    if let Some(replacement) = &args.replacement {
        options = options.replacement(replacement);
    }
    if let Some(locale) = args.translit_locale {
        if !suffixes.transliterate && unmappable != Unmappable::Translit {
            bail!("--translit-locale requires --unmappable translit, or -t ENC//TRANSLIT");
        }
        options = options.transliteration_locale(locale);
    }
    if let Some(end) = args.ebcdic_newline {
        if let InputEncoding::Named(from) = from
            && ![Some(from), to].into_iter().flatten().any(Encoding::has_ebcdic_newlines)
        {
            let names = to.map_or_else(|| from.to_string(), |to| format!("{from}, {to}"));
            bail!("--ebcdic-newline requires an EBCDIC encoding (given: {names})");
        }
        options = options.ebcdic_newline(end.into());
    }
    if let Some(form) = args.normalize {
        if check && to.is_none() {
            bail!(
                "--normalize cannot be combined with --check, which writes no text (--deny not-nfc reports text that is not in NFC)"
            );
        }
        options = options.normalize(form.into());
    }
    if let Some(length) = args.record_length {
        options = options.record_length(length).trim_records(args.trim_records);
    }
    if let Some(fallback) = args.fallback {
        options = options.fallback(fallback);
    }
    options = options.on_mojibake(match args.repair {
        None => OnMojibake::Ignore,
        Some(RepairMode::All) => OnMojibake::Repair,
        Some(RepairMode::Ask) => OnMojibake::Ask,
        Some(RepairMode::Undo(misreading)) => OnMojibake::Undo(misreading),
    });
    if check && args.verbose > 0 {
        options = options.on_inner_mark(OnInnerMark::Note);
    }
    // Pictures already say what the text as a whole is. They would not do so only if the mark is well-formed there.
    let mark_is_text = || match from {
        InputEncoding::Named(from) => is_well_formed(from, b"\xFF\xFE"),
        _ => false,
    };
    if check && (args.explain.is_none() || mark_is_text()) {
        options = options.on_foreign_mark(OnForeignMark::Report);
    }
    if let Some(newline) = args.newline {
        options = options.write_newlines(newline.into());
    }
    let passes = matches!(args.denied, None | Some(Denied::Pass));
    let listed = Listed {
        ill_formed: check || errors == Errors::Report,
        unmappable: check || unmappable == Unmappable::Report,
        denied: check || errors == Errors::Report && passes,
        mojibake: check || errors == Errors::Report || args.verbose > 0 || args.dry_run,
    };
    Ok((options.build(from, to)?, listed))
}

/// Whether one file is named, or none.
fn is_alone(args: &Args) -> bool {
    args.files.len() <= 1 && args.files0_from.is_none() && !args.recursive
}

/// Returns how many threads may work on one file; several files at a time keep all of them busy.
fn threads(args: &Args, action: &Action) -> Threads {
    match (action, args.jobs) {
        (Action::Check | Action::Detect | Action::List(_) | Action::Each(_), _)
            if args.files.is_empty() || !is_alone(args) =>
        {
            Threads::One
        }
        (Action::Names(_), _) => Threads::One,
        (_, Some(jobs)) => Threads::AtMost(jobs),
        (_, None) => Threads::All,
    }
}

/// Returns the mode for unmappable characters: their own option, or else the one for all errors.
fn unmappable(args: &Args, errors: Errors) -> Unmappable {
    let suffixes = suffixes(args);
    match (args.unmappable, errors) {
        (Some(mode), _) => mode,
        (None, _) if suffixes.discard => Unmappable::Skip,
        // A transliteration never stops.
        (None, Errors::Strict) if suffixes.transliterate => Unmappable::Translit,
        (None, Errors::Strict) => Unmappable::Strict,
        (None, Errors::Replace) => Unmappable::Replace,
        (None, Errors::Report) => Unmappable::Report,
        (None, Errors::Skip) => Unmappable::Skip,
        (None, Errors::Escape) => Unmappable::Escape,
        (None, Errors::Xml) => Unmappable::Xml,
        (None, Errors::XmlDec) => Unmappable::XmlDec,
        (None, Errors::Java) => Unmappable::Java,
        (None, Errors::C) => Unmappable::C,
        (None, Errors::Percent) => Unmappable::Percent,
        (None, Errors::Unicode) => Unmappable::Unicode,
    }
}

/// Returns what the suffixes of both encodings ask for.
fn suffixes(args: &Args) -> Suffixes {
    args.to.map_or(from(args).suffixes, |to| to.suffixes.and(from(args).suffixes))
}

/// Returns the encoding of the input.
fn from(args: &Args) -> Named<InputEncoding> {
    let default =
        if args.detect { InputEncoding::Detected(Detector::new()) } else { Encoding::UTF_8.into() };
    let from = args.from.unwrap_or(Named {
        encoding: default,
        suffixes: Suffixes::default(),
        marked: false,
    });
    match from.encoding {
        // Text that is repaired may have come from several programs. A name is one line.
        InputEncoding::Detected(detector) if args.repair.is_some() && !args.names => {
            Named { encoding: InputEncoding::Lines(detector_of(args, detector)), ..from }
        }
        InputEncoding::Detected(detector) => {
            Named { encoding: InputEncoding::Detected(detector_of(args, detector)), ..from }
        }
        InputEncoding::Lines(detector) => {
            Named { encoding: InputEncoding::Lines(detector_of(args, detector)), ..from }
        }
        _ => from,
    }
}

/// Returns a detector with what the options say.
fn detector_of(args: &Args, detector: Detector) -> Detector {
    let detector = if args.ignore_declaration { detector.ignore_declarations() } else { detector };
    let detector = args.language.iter().fold(detector, |detector, tag| detector.language(*tag));
    // A run has one list of them, to its end.
    static CANDIDATES: OnceLock<Vec<&Encoding>> = OnceLock::new();
    match &CANDIDATES.get_or_init(|| args.candidates.clone())[..] {
        [] => detector,
        candidates => detector.candidates(candidates),
    }
}

/// Returns what becomes of denied characters: what their own option says, or else what goes with the mode for errors.
fn on_denied(args: &Args, check_all: bool, errors: Errors) -> anyhow::Result<OnDenied> {
    Ok(match args.denied {
        Some(_) if args.deny.is_empty() => bail!("--denied requires --deny"),
        Some(Denied::Skip | Denied::Replace | Denied::Escape)
            if args.deny.contains(&Deny::Security) =>
        {
            bail!(
                "identifiers are only reported, so --deny security goes with --denied pass or strict (to change \
                 characters: --deny bidi,invisible,control,bom)"
            )
        }
        Some(denied) => denied.into(),
        None if !check_all && errors == Errors::Strict => OnDenied::Stop,
        None => OnDenied::Pass,
    })
}

/// Returns what becomes of a declaration that is no longer true.
fn on_declaration(args: &Args, action: &Action) -> anyhow::Result<OnDeclaration> {
    let writes = matches!(action, Action::Join(_) | Action::Each(_));
    Ok(match args.declaration {
        Some(_) if matches!(action, Action::Check) => {
            bail!("--declaration cannot be combined with --check, which writes no text")
        }
        Some(DeclarationMode::Update) if writes => OnDeclaration::Update,
        Some(DeclarationMode::Note) | None if writes => OnDeclaration::Note,
        _ => OnDeclaration::Keep,
    })
}

fn mark(args: &Args, check: bool) -> anyhow::Result<MarkMode> {
    let bom = args.bom.unwrap_or(Bom::Auto);
    if matches!(bom, Bom::Forbid | Bom::Require) && !check {
        bail!("--bom forbid and --bom require require --check");
    }
    if matches!(bom, Bom::Keep | Bom::Strip | Bom::Add) && check {
        bail!("--bom keep, strip and add cannot be combined with --check, which writes no text");
    }
    if let (Bom::Require, InputEncoding::Named(from)) = (bom, from(args).encoding)
        && from.mark == Mark::None
    {
        bail!("--bom require: {} has no byte order mark", from.name());
    }
    Ok(match bom {
        Bom::Auto if !check && args.to.is_some_and(|to| to.marked) => MarkMode::Add,
        Bom::Auto => MarkMode::Auto,
        Bom::Keep => MarkMode::Keep,
        Bom::Strip => MarkMode::Strip,
        Bom::Add => MarkMode::Add,
        Bom::Forbid => MarkMode::Forbid,
        Bom::Require => MarkMode::Require,
    })
}
