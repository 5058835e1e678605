//! From arguments to a conversion: how the options of the program map to `Options` of the library, and which findings
//! are listed.
//!
//! Several options can say the same. `-e skip`, `-c` and `-t ENCODING//IGNORE` all drop what cannot be converted,
//! `--unmappable` overrides each of them for unmappable characters, and a check reads on whatever they say.

use std::path::Path;
use std::sync::OnceLock;

use oxiconv_detect::detection::Detector;
use oxiconv_encodings::encoding::{Encoding, Suffixes};
use oxiconv_transcode::diagnostic::Detail;
use oxiconv_transcode::{
    Conversion, Fallback, InputEncoding, MarkMode, OnDeclaration, OnDenied, OnForeignMark,
    OnIllFormed, OnInnerMark, OnMojibake, OnUncertain, OnUnmappable, Options, OptionsError,
    Threads,
};

use super::args::{Args, OnErrors, RecordDelimiter, Unmappable};
use super::eight_bit::is_well_formed;
use super::exit_status::ListedKinds;
use super::mode::Mode;

impl Args {
    pub(crate) fn from(&self) -> InputEncoding {
        let from = match self.encodings.from {
            Some(from) => from.encoding,
            None if self.detection.detect => InputEncoding::Detected(Detector::new()),
            // What a file should be. What it is, is detected.
            None if self.repair.fix.is_some() => self.target().into(),
            None => Encoding::UTF_8.into(),
        };
        match from {
            // Damaged text may come from several programs, each with an encoding of its own, so `--repair` detects line
            // by line. A file name is a single line anyway.
            InputEncoding::Detected(detector)
                if self.repair.repair.is_some() && !self.names.names =>
            {
                InputEncoding::Lines(self.detector(detector))
            }
            InputEncoding::Detected(detector) => InputEncoding::Detected(self.detector(detector)),
            InputEncoding::Lines(detector) => InputEncoding::Lines(self.detector(detector)),
            from => from,
        }
    }

    /// Returns the encoding of the output. A check has none unless it is named.
    pub(crate) fn to(&self, mode: Mode) -> Option<&'static Encoding> {
        match self.encodings.to {
            _ if mode == Mode::Fix => None,
            Some(to) => Some(to.encoding),
            None if mode.checks() => None,
            None => Some(Encoding::UTF_8),
        }
    }

    fn target(&self) -> &'static Encoding {
        self.encodings.to.map_or(Encoding::UTF_8, |to| to.encoding)
    }

    /// Applies the options of detection to a detector.
    pub(crate) fn detector(&self, detector: Detector) -> Detector {
        let options = &self.detection;
        let detector = match options.ignore_declaration {
            true => detector.ignore_declarations(),
            false => detector,
        };
        let detector =
            options.language.iter().fold(detector, |detector, tag| detector.language(*tag));
        // The detector borrows the list for the life of the program.
        static CANDIDATES: OnceLock<Vec<&Encoding>> = OnceLock::new();
        match &CANDIDATES.get_or_init(|| options.candidates.clone())[..] {
            [] => detector,
            candidates => detector.candidates(candidates),
        }
    }

    /// Returns the suffixes of both encodings (`//IGNORE`, `//TRANSLIT`), combined.
    pub(crate) fn suffixes(&self) -> Suffixes {
        let from = self.encodings.from.map(|from| from.suffixes).unwrap_or_default();
        self.encodings.to.map_or(from, |to| to.suffixes.and(from))
    }

    /// Returns the file that --output names, if it is not standard output.
    pub(crate) fn output_file(&self) -> Option<&Path> {
        self.output.output.as_deref().filter(|file| file.as_os_str() != "-")
    }

    /// Whether the run has a single input.
    pub(crate) fn is_alone(&self) -> bool {
        self.files.len() <= 1 && self.inputs.files0_from.is_none() && !self.inputs.recursive
    }

    /// Returns what happens to ill-formed and unmappable text, where one option covers both.
    fn on_errors(&self) -> OnErrors {
        let asked = self.substitution.errors;
        match self.substitution.skip || asked.is_strict() && self.suffixes().ignore {
            true => OnErrors::SKIP,
            false => asked,
        }
    }

    /// Returns what happens to unmappable characters: as their own option says, or else as for all errors.
    fn unmappable(&self, errors: OnErrors) -> Unmappable {
        let suffixes = self.suffixes();
        match self.substitution.unmappable {
            Some(mode) => mode,
            None if suffixes.discard => Unmappable::On(OnUnmappable::Skip),
            // `//TRANSLIT` overrides only the default of `--errors`, which stops: transliteration never does.
            None if errors.is_strict() && suffixes.transliterate => Unmappable::Translit,
            None if errors.lists => Unmappable::Report,
            None => Unmappable::On(errors.unmappable),
        }
    }
}

/// Returns the conversion, and which of its findings are listed.
///
/// A check lists everything. A conversion lists what the user asked for with `report`, for all kinds or for unmappable
/// characters alone. Denied characters are part of that only if they are passed on: those that are replaced or dropped
/// are counted with what was done to them. What `--repair` changes is also listed with `-v` and in a dry run.
///
/// # Errors
///
/// If the library rejects a combination of options.
pub(crate) fn conversion(
    args: &Args,
    mode: Mode,
) -> Result<(Conversion, ListedKinds), OptionsError> {
    let check = mode.checks();
    let errors = args.on_errors();
    let unmappable = args.unmappable(errors);
    let lists_unmappable = unmappable == Unmappable::Report;
    let passes = matches!(args.substitution.denied, None | Some(OnDenied::Pass));
    let told = args.messages.verbose > 0 || args.output.dry_run;
    let listed = ListedKinds {
        ill_formed: check || errors.lists,
        unmappable: check || lists_unmappable,
        denied: check || errors.lists && passes,
        mojibake: check || errors.lists || told,
    };
    let options = substitution(Options::new(), args, mode, errors, unmappable);
    let options = marks(text(options, args), args, mode);
    Ok((options.threads(threads(args, mode)).build(args.from(), args.to(mode))?, listed))
}

/// Adds what happens to text that cannot be converted as it is.
fn substitution(
    options: Options,
    args: &Args,
    mode: Mode,
    errors: OnErrors,
    unmappable: Unmappable,
) -> Options {
    // A check reads on after a finding. `--files-with-findings` needs only the first one, except with a baseline, where
    // the first ones may be known and a later one new.
    let is_enough = mode == Mode::FilesWithFindings && args.findings.baseline.is_none();
    let reads_on = mode.checks() && !is_enough;
    let suffixes = args.suffixes();
    let on_unmappable = match unmappable {
        _ if reads_on => OnUnmappable::Replace,
        Unmappable::On(on) => on,
        Unmappable::Report => OnUnmappable::Replace,
        // A character without a transliteration is replaced, or skipped if errors are, but never stops the conversion.
        Unmappable::Translit if errors == OnErrors::SKIP || suffixes.ignore || suffixes.discard => {
            OnUnmappable::Skip
        }
        Unmappable::Translit => OnUnmappable::Replace,
    };
    let passes = reads_on || !errors.is_strict() || mode == Mode::Fix;
    let strict = if passes { OnDenied::Pass } else { OnDenied::Stop };
    let transliterates = suffixes.transliterate || unmappable == Unmappable::Translit;
    let mut options = options
        .on_ill_formed(if reads_on { OnIllFormed::Replace } else { errors.ill_formed })
        .on_unmappable(on_unmappable)
        .transliterate(!mode.checks() && transliterates)
        .deny(args.findings.denied())
        .on_denied(args.substitution.denied.unwrap_or(strict))
        .on_mojibake(match args.repair.fix {
            Some(_) if OnMojibake::is_found_in(args.target()) => OnMojibake::Repair,
            Some(_) => OnMojibake::Ignore,
            None => args.repair.repair.unwrap_or(OnMojibake::Ignore),
        });
    if mode == Mode::Names {
        options = options.without_lines();
    }
    if let Some(replacement) = &args.substitution.replacement {
        options = options.replacement(replacement);
    }
    if let Some(locale) = args.substitution.translit_locale {
        options = options.transliteration_locale(locale);
    }
    if let Some(fallback) = args.repair.fallback {
        options = options.fallback(fallback);
    }
    options
}

/// Adds how text is read and written: byte order, line ends, records, normalization.
fn text(mut options: Options, args: &Args) -> Options {
    options =
        options.byte_order(args.encodings.endian).write_final_newline(args.lines.final_newline);
    if let Some(end) = args.encodings.ebcdic_newline {
        options = options.ebcdic_newline(end);
    }
    if let Some(newline) = args.lines.newline {
        options = options.write_newlines(newline);
    }
    if let Some(form) = args.lines.normalize {
        options = options.normalize(form);
    }
    if let Some(length) = args.lines.record_length {
        options = options.record_length(length);
    } else if args.lines.record_format == Some(RecordDelimiter::DescriptorWord) {
        options = options.variable_records();
    }
    options = options.trim_records(args.lines.trim_records);
    if args.output.force {
        options = options.on_uncertain(OnUncertain::Guess);
    }
    options
}

fn marks(mut options: Options, args: &Args, mode: Mode) -> Options {
    let check = mode.checks();
    let asks_for_mark = !check && args.encodings.to.is_some_and(|to| to.marked);
    options = options.marks(match args.marks.bom {
        None | Some(MarkMode::Auto) if asks_for_mark => MarkMode::Add,
        bom => bom.unwrap_or_default(),
    });
    options = options.on_declaration(match args.marks.declaration {
        _ if !mode.converts() => OnDeclaration::Keep,
        declaration => declaration.unwrap_or(OnDeclaration::Note),
    });
    if check && args.messages.verbose > 0 {
        options = options.on_inner_mark(OnInnerMark::Note);
    }
    // A byte order mark of another encoding is a finding of a check, and so of what `--fix` checks. `--explain` shows anyway what the whole text is,
    // if the mark is ill-formed. Where it is well-formed, as `ÿþ` in Latin-1, nothing else would show it.
    let mark_is_text = || match args.from() {
        InputEncoding::Named(from) => is_well_formed(from, b"\xFF\xFE"),
        _ => false,
    };
    if mode == Mode::Fix || check && (mode != Mode::Explain || mark_is_text()) {
        options = options.on_foreign_mark(OnForeignMark::Report);
    }
    options
}

/// Returns how many threads may work on one file. Runs with a file of their own for each input use one, because they
/// process several files at a time, unless there is only one file.
fn threads(args: &Args, mode: Mode) -> Threads {
    let one_output = matches!(mode, Mode::Convert | Mode::ToFile);
    match args.work.jobs {
        _ if mode == Mode::Names || mode == Mode::UndoRename => Threads::One,
        _ if !one_output && (args.files.is_empty() || !args.is_alone()) => Threads::One,
        Some(jobs) => Threads::AtMost(jobs),
        None => Threads::All,
    }
}

/// Returns the conversion with the detail that the format asks for. Evidence of what the text really is costs time, so
/// it is left out if no hint will be printed.
pub(crate) fn with_detail(
    conversion: Conversion,
    detail: Detail,
    listed: ListedKinds,
) -> Conversion {
    let options = conversion.options();
    let reports = listed.ill_formed || options.substitution.on_ill_formed == OnIllFormed::Stop;
    // A user who names a fallback knows what the stray bytes are. If it is to be detected and cannot be, the hint says
    // why.
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
