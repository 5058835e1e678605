//! The arguments, checked and made into what the work needs.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::bail;
use clap::ValueEnum;

use crate::diagnostic::DeniedKind;
use crate::encoding::{Encoding, Mark};
use crate::transcode::{
    Conversion, Detail, InputEncoding, MarkMode, OnDenied, OnForeignMark, OnIllFormed, OnInnerMark,
    OnUnmappable, Options, Threads,
};

use super::args::{Args, Bom, Errors, Explained, Format, Target, Unmappable, When};
use super::eight_bit::is_well_formed;
use super::exit::Listed;
use super::files::Selection;
use super::if_invalid;

/// Findings of a file that a person cares to read, if nothing else was said.
const MOST_REPORTS: u64 = 20;

/// What is to be done.
#[derive(Debug)]
pub(crate) enum Action {
    /// Print the encodings.
    List,
    /// Look at each file, write nothing.
    Check,
    /// Convert all files, joined, to one place.
    Join(JoinTarget),
    /// Convert each file to a file of its own.
    Each(Destination),
}

/// Where the joined output goes.
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
    /// Where the file is; with a suffix, the old one is kept under it.
    InPlace(Option<OsString>),
    /// Under this directory.
    Under(PathBuf),
}

/// A configuration without contradictions.
#[derive(Debug)]
pub(crate) struct Config {
    pub(crate) action: Action,
    pub(crate) conversion: Conversion,
    pub(crate) files: Selection,
    /// Which faults are printed although the conversion goes on.
    pub(crate) listed: Listed,
    /// What is shown in pictures.
    pub(crate) explain: Option<Explained>,
    pub(crate) format: Format,
    /// Findings printed a file.
    pub(crate) limit: Option<u64>,
    pub(crate) dry_run: bool,
    /// Whether nothing is refused for what is known of a text.
    pub(crate) force: bool,
    /// Whether files that are valid in the target already are left alone.
    pub(crate) if_invalid: bool,
    /// Whether a result is compared with what was to be written before it replaces anything.
    pub(crate) verify: bool,
    /// Whether to wait until what is written is on the disk.
    pub(crate) sync: bool,
    pub(crate) jobs: Option<NonZeroUsize>,
    pub(crate) quiet: bool,
    pub(crate) silent: bool,
    pub(crate) verbose: bool,
    pub(crate) stats: bool,
    pub(crate) progress: When,
    pub(crate) color: When,
}

impl Config {
    pub(crate) fn new(args: Args) -> anyhow::Result<Self> {
        let action = action(&args)?;
        let check = matches!(action, Action::Check);
        if check && args.to.is_some_and(|to| to.transliterate || to.ignore) {
            bail!(
                "//TRANSLIT and //IGNORE say how to write text, which --check and --explain do not"
            );
        }
        let (conversion, listed) = conversion(&args, &action)?;
        let files = Selection {
            named: args.files,
            more_from: args.files0_from,
            recursive: args.recursive,
            include: args.include,
            exclude: args.exclude,
            not_under: args.output_dir,
        };
        if args.recursive && matches!(action, Action::Join(_)) {
            bail!("--recursive goes with --check, --in-place or --output-dir");
        }
        if args.dry_run && !matches!(action, Action::Each(_)) {
            bail!("--dry-run goes with --in-place or --output-dir");
        }
        for (given, option) in [(args.force, "--force"), (args.if_invalid, "--if-invalid")] {
            if given && !matches!(action, Action::Each(_)) {
                bail!("{option} goes with --in-place or --output-dir");
            }
        }
        let verify = match action {
            Action::Each(Destination::InPlace(_)) => !args.no_verify,
            Action::Each(Destination::Under(_)) => args.verify,
            _ if args.verify => bail!("--verify goes with --in-place or --output-dir"),
            _ => false,
        };
        if args.if_invalid {
            if_invalid::check_target(&conversion)?;
        }
        if matches!(action, Action::List) && matches!(args.format, Format::Sarif | Format::Github) {
            bail!("--list goes with --format text or --format json");
        }
        if args.explain.is_some() && args.format != Format::Text {
            bail!(
                "--explain makes pictures for people, and --format {} is for machines",
                word(args.format)
            );
        }
        let most_reports = args.max_reports.unwrap_or(match args.format {
            Format::Text | Format::Github => MOST_REPORTS,
            Format::Json | Format::Sarif => 0,
        });
        Ok(Self {
            action,
            conversion,
            files,
            listed,
            explain: args.explain,
            format: args.format,
            limit: (most_reports > 0).then_some(most_reports),
            dry_run: args.dry_run,
            force: args.force,
            if_invalid: args.if_invalid,
            verify,
            sync: !args.no_sync,
            jobs: args.jobs,
            quiet: args.quiet || args.silent,
            silent: args.silent,
            verbose: args.verbose,
            stats: args.stats,
            progress: args.progress,
            color: args.color,
        })
    }
}

/// The word of an option's value.
fn word(value: impl ValueEnum) -> String {
    value.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

fn action(args: &Args) -> anyhow::Result<Action> {
    if let Some(suffix) = &args.in_place {
        if suffix.to_string_lossy().contains('/') {
            bail!("the suffix of --in-place must not contain a slash");
        }
        let suffix = (!suffix.is_empty()).then(|| suffix.clone());
        return Ok(Action::Each(Destination::InPlace(suffix)));
    }
    Ok(match (&args.output, &args.output_dir) {
        _ if args.list => Action::List,
        _ if args.check || args.explain.is_some() => Action::Check,
        (_, Some(dir)) => Action::Each(Destination::Under(dir.clone())),
        (Some(file), _) if file.as_os_str() != "-" => Action::Join(JoinTarget::File(file.clone())),
        _ => Action::Join(JoinTarget::Stdout),
    })
}

fn conversion(args: &Args, action: &Action) -> anyhow::Result<(Conversion, Listed)> {
    let check = matches!(action, Action::Check);
    let to = match args.to {
        Some(target) => Some(target.encoding),
        None if check => None,
        None => Some(Encoding::UTF_8),
    };
    let errors = match args.to {
        _ if args.skip => Errors::Skip,
        Some(Target { ignore: true, .. }) if args.errors == Errors::Strict => Errors::Skip,
        _ => args.errors,
    };
    let unmappable = unmappable(args, errors);
    let on_ill_formed = match errors {
        _ if check => OnIllFormed::Replace,
        Errors::Strict => OnIllFormed::Stop,
        Errors::Replace | Errors::Report => OnIllFormed::Replace,
        Errors::Skip => OnIllFormed::Skip,
        Errors::Escape => OnIllFormed::Escape,
    };
    let on_unmappable = match unmappable {
        _ if check => OnUnmappable::Replace,
        Unmappable::Strict => OnUnmappable::Stop,
        Unmappable::Replace | Unmappable::Report => OnUnmappable::Replace,
        Unmappable::Skip => OnUnmappable::Skip,
        Unmappable::Escape => OnUnmappable::Escape,
        Unmappable::Xml => OnUnmappable::Xml,
        // What has no transliteration goes the way of all else that cannot be converted.
        Unmappable::Translit if errors == Errors::Skip || args.to.is_some_and(|to| to.ignore) => {
            OnUnmappable::TransliterateOrSkip
        }
        Unmappable::Translit => OnUnmappable::Transliterate,
    };
    let mut options = Options::new()
        .on_ill_formed(on_ill_formed)
        .on_unmappable(on_unmappable)
        .marks(mark(args, check)?)
        .byte_order(args.endian.into())
        .threads(threads(args, action))
        .deny(args.deny.iter().copied().map(DeniedKind::from))
        .detail(match args.explain {
            None => Detail::Findings,
            Some(Explained::Findings) => Detail::Context,
            Some(Explained::All) => Detail::Characters,
        });
    if let Some(replacement) = &args.replacement {
        options = options.replacement(replacement);
    }
    if let Some(fallback) = args.fallback {
        options = options.fallback(fallback);
    }
    if check && args.verbose {
        options = options.on_inner_mark(OnInnerMark::Note);
    }
    // Pictures come with what the text as a whole is. Only if its mark is well-formed, it would be no finding there.
    let mark_is_text = || match args.from {
        InputEncoding::Named(from) => is_well_formed(from, b"\xFF\xFE"),
        InputEncoding::Detected => false,
    };
    if check && (args.explain.is_none() || mark_is_text()) {
        options = options.on_foreign_mark(OnForeignMark::Report);
    }
    if !check && errors == Errors::Strict {
        options = options.on_denied(OnDenied::Stop);
    }
    let listed = Listed {
        ill_formed: check || errors == Errors::Report,
        unmappable: check || unmappable == Unmappable::Report,
    };
    Ok((options.build(args.from, to)?, listed))
}

/// How many threads may work on one file: several files at a time keep them busy.
fn threads(args: &Args, action: &Action) -> Threads {
    let named_alone = args.files.len() == 1 && args.files0_from.is_none() && !args.recursive;
    match (action, args.jobs) {
        (Action::Check | Action::List | Action::Each(_), _) if !named_alone => Threads::One,
        (_, Some(jobs)) => Threads::AtMost(jobs),
        (_, None) => Threads::All,
    }
}

/// The mode for unmappable characters: what was said of them, else what was said of all.
fn unmappable(args: &Args, errors: Errors) -> Unmappable {
    match (args.unmappable, args.to) {
        (Some(mode), _) => mode,
        (None, Some(Target { transliterate: true, .. })) => Unmappable::Translit,
        (None, _) => match errors {
            Errors::Strict => Unmappable::Strict,
            Errors::Replace => Unmappable::Replace,
            Errors::Report => Unmappable::Report,
            Errors::Skip => Unmappable::Skip,
            Errors::Escape => Unmappable::Escape,
        },
    }
}

fn mark(args: &Args, check: bool) -> anyhow::Result<MarkMode> {
    if matches!(args.bom, Bom::Forbid | Bom::Require) && !check {
        bail!("--bom forbid and --bom require go with --check");
    }
    if matches!(args.bom, Bom::Keep | Bom::Strip | Bom::Add) && check {
        bail!("--bom keep, strip and add write text, which --check does not");
    }
    if let (Bom::Require, InputEncoding::Named(from)) = (args.bom, args.from)
        && from.mark == Mark::None
    {
        bail!("{} has no byte order mark to require", from.name);
    }
    Ok(match args.bom {
        Bom::Auto => MarkMode::Auto,
        Bom::Keep => MarkMode::Keep,
        Bom::Strip => MarkMode::Strip,
        Bom::Add => MarkMode::Add,
        Bom::Forbid => MarkMode::Forbid,
        Bom::Require => MarkMode::Require,
    })
}
