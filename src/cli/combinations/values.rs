//! Rules about the values of options, with each other and with the mode.

use anyhow::{bail, ensure};

use oxiconv_encodings::encoding::{Encoding, Mark, Suffixes};
use oxiconv_os::has_separator;
use oxiconv_report::{FormatFacts, FormatOptions};
use oxiconv_transcode::diagnostic::DeniedKind;
use oxiconv_transcode::{
    InputEncoding, MarkMode, OnDeclaration, OnDenied, OnMojibake, OnUnmappable,
};

use super::super::args::{Args, RecordDelimiter, SECURITY, Unmappable};
use super::super::mode::Mode;
use super::shown;

/// Fails with the first message whose condition is true.
fn refuse(messages: &[(bool, &'static str)]) -> anyhow::Result<()> {
    match messages.iter().find(|(is_wrong, _)| *is_wrong) {
        Some((_, message)) => bail!(*message),
        None => Ok(()),
    }
}

pub(super) fn check(args: &Args, mode: Mode) -> anyhow::Result<()> {
    for rules in [texts, records, detection, names, shards, formats, marks, encodings] {
        rules(args, mode)?;
    }
    Ok(())
}

fn texts(args: &Args, mode: Mode) -> anyhow::Result<()> {
    let suffixes = args.suffixes();
    let translit = args.substitution.unmappable == Some(Unmappable::Translit);
    let changes_denied = matches!(
        args.substitution.denied,
        Some(OnDenied::Skip | OnDenied::Replace | OnDenied::Escape)
    );
    let suffix = args.output.in_place.as_deref().unwrap_or_default();
    let names_nothing = args.files.is_empty() && args.inputs.files0_from.is_none();
    let is_named = |name| args.files.iter().any(|file| file.as_os_str() == name);
    let reads_stdin = names_nothing && !args.inputs.recursive || is_named("-");
    refuse(&[
        (
            mode == Mode::Fix
                && (is_named("-") || args.files.is_empty() && args.inputs.files0_from.is_none()),
            "--fix requires a PATH (--fix . fixes the files of this directory and below)",
        ),
        (
            mode.checks() && suffixes != Suffixes::default(),
            "//TRANSLIT and //IGNORE cannot be combined with --check or --explain, which write no text",
        ),
        (
            mode == Mode::Fix && suffixes != Suffixes::default(),
            "//TRANSLIT and //IGNORE cannot be combined with --fix, which loses no character",
        ),
        (
            suffixes.transliterate
                && args.substitution.unmappable == Some(Unmappable::On(OnUnmappable::Stop)),
            "--unmappable strict cannot be combined with //TRANSLIT, which never stops (--unmappable report lists what is \
             replaced)",
        ),
        (
            args.substitution.translit_locale.is_some()
                && mode != Mode::ListTranslit
                && !suffixes.transliterate
                && !translit,
            "--translit-locale requires --unmappable translit, or -t ENC//TRANSLIT",
        ),
        (
            changes_denied && args.findings.deny.contains(&SECURITY),
            "--deny security requires --denied pass or strict, since it includes identifiers, which can only be reported (to \
             change characters: --deny bidi,invisible,control,bom)",
        ),
        (
            mode.checks() && args.lines.normalize.is_some() && args.encodings.to.is_none(),
            "--normalize cannot be combined with --check, which writes no text (--deny not-nfc reports text that is not in \
             NFC)",
        ),
        (
            args.output.diff && reads_stdin,
            "--diff requires files: standard input is not converted in place (name a FILE, or use -r)",
        ),
        (
            args.inputs.decompress && mode == Mode::InPlace,
            "--decompress cannot be combined with --in-place: compressed files would become plain text under the same names \
             (use --output-dir)",
        ),
        (
            has_separator(&suffix.to_string_lossy()),
            "the suffix of --in-place must not contain a slash",
        ),
        (
            !suffix.is_empty() && args.output.backup_dir.is_some(),
            "--backup-dir cannot be combined with a suffix of --in-place",
        ),
        (
            args.output.force
                && !matches!(args.from(), InputEncoding::Detected(_))
                && !(mode.writes_each() || matches!(mode, Mode::ToFile | Mode::Names)),
            "--force requires --in-place, --output-dir or --output, or --from auto",
        ),
    ])
}

fn records(args: &Args, _: Mode) -> anyhow::Result<()> {
    let has_words = args.lines.record_format == Some(RecordDelimiter::DescriptorWord);
    let has_length = args.lines.record_length.is_some();
    refuse(&[
        (
            has_words && has_length,
            "--record-length cannot be combined with --record-format rdw, whose records begin with their lengths",
        ),
        (
            args.lines.record_format.is_some() && !has_words && !has_length,
            "--record-format fixed requires --record-length",
        ),
        (
            args.lines.trim_records && !has_words && !has_length,
            "--trim-records requires --record-length or --record-format rdw",
        ),
    ])
}

fn detection(args: &Args, mode: Mode) -> anyhow::Result<()> {
    let lines = matches!(args.from(), InputEncoding::Lines(_));
    let updates = args.marks.declaration == Some(OnDeclaration::Update);
    for (given, option) in [
        (mode == Mode::Detect && !args.detection.lines, "--detect"),
        (mode == Mode::Explain, "--explain"),
        (args.repair.fallback.is_some(), "--fallback"),
        (args.detection.ignore_declaration, "--ignore-declaration"),
        (updates, "--declaration update"),
    ] {
        let hint = match option {
            "--detect" => " (--detect --lines prints the encoding of each line)",
            _ => "",
        };
        ensure!(!(lines && given), "{option} cannot be combined with -f auto-lines{hint}");
    }
    let InputEncoding::Named(from) = args.from() else { return Ok(()) };
    ensure!(
        mode != Mode::Detect,
        "--detect cannot be combined with -f {from} (to check that it is {from}: --check -f {from})"
    );
    for option in ["language", "candidates", "ignore_declaration"] {
        let modes = match option {
            "ignore_declaration" => "--detect or -f auto",
            _ => "--detect, -f auto or -f auto-lines",
        };
        let is_wrong = args.given.has(option) && mode != Mode::Fix;
        ensure!(!is_wrong, "{} requires {modes}", shown(option));
    }
    Ok(())
}

fn names(args: &Args, mode: Mode) -> anyhow::Result<()> {
    if mode == Mode::UndoRename {
        return refuse(&[
            (!args.files.is_empty(), "--undo-rename takes no FILE: its list names the files"),
            (
                args.output.no_sync && (args.output_file().is_none() || args.output.dry_run),
                "--undo-rename takes --no-sync only with -o, for the list of changed names",
            ),
        ]);
    }
    if mode != Mode::Names {
        return Ok(());
    }
    let nothing = args.files.is_empty() && args.inputs.files0_from.is_none();
    refuse(&[
        (nothing && !args.inputs.recursive, "--names requires a FILE, or -r"),
        (
            args.output.output.is_some() && !args.names.rename,
            "--names takes --output only with --rename, for the list of changed names",
        ),
        (
            args.output.no_sync && !args.names.rename,
            "--names takes --no-sync only with --rename, for the list of changed names",
        ),
        (
            matches!(args.from(), InputEncoding::Lines(_)),
            "--names cannot be combined with -f auto-lines: names have no lines (-f auto detects the encoding of names)",
        ),
        (
            args.repair.repair == Some(OnMojibake::Ask),
            "--names cannot be combined with --repair=ask: it already shows each change",
        ),
    ])?;
    let from = match args.from() {
        InputEncoding::Named(from) => Some(from),
        _ => None,
    };
    let to = args.encodings.to.map(|to| to.encoding);
    if let Some(wide) = [from, to].into_iter().flatten().find(|encoding| encoding.unit() > 1) {
        bail!("--names requires encodings whose code units are bytes, unlike {}", wide.name());
    }
    Ok(())
}

fn shards(args: &Args, mode: Mode) -> anyhow::Result<()> {
    if args.work.shard.is_none() {
        return Ok(());
    }
    let of_text = args.findings.denied().find(|kind| kind.is_of_text());
    let has_size = args.work.size.is_some();
    let is_stream = args.files.iter().all(|path| path.as_os_str() == "-") && args.files.len() <= 1;
    refuse(&[
        (
            !matches!(args.from(), InputEncoding::Named(_)),
            "--shard cannot be combined with -f auto, which examines the whole text",
        ),
        (
            args.repair.fallback.is_some(),
            "--shard cannot be combined with --fallback, which examines the first 64 KiB of the whole text",
        ),
        (
            of_text == Some(DeniedKind::Confusable),
            "--shard cannot be combined with --deny confusable, which examines the whole text (the rest of --deny security \
             is bidi,invisible,control,bom,mixed-script)",
        ),
        (
            args.lines.final_newline && args.lines.newline.is_none(),
            "--shard requires --newline with --final-newline: without it, line 1 of the text decides how lines end",
        ),
        (
            args.marks.declaration == Some(OnDeclaration::Update),
            "--shard cannot be combined with --declaration update",
        ),
        (
            has_size && (!is_stream || args.inputs.files0_from.is_some() || args.inputs.recursive),
            "--size is for standard input; the size of a file is known",
        ),
        (has_size && args.inputs.decompress, "--size cannot be combined with -z"),
        (
            has_size && mode == Mode::IntoDirectory,
            "standard input cannot be converted into a directory (use -o)",
        ),
    ])?;
    match of_text {
        Some(kind) => bail!(
            "--shard cannot be combined with --deny {}, which is reported once per text",
            kind.id()
        ),
        None => Ok(()),
    }
}

fn formats(args: &Args, mode: Mode) -> anyhow::Result<()> {
    let option = args.findings.format_option();
    let format = (args.findings.format().new)(&FormatOptions::default());
    let FormatFacts { is_for_people, has_pieces, has_fixes, .. } = format.facts();
    let fits = match mode {
        Mode::Detect | Mode::List | Mode::Names | Mode::UndoRename => format.rows().is_some(),
        Mode::Merge => has_pieces,
        Mode::Fix => has_fixes,
        Mode::Explain | Mode::FilesWithFindings | Mode::ListTranslit => is_for_people,
        _ => true,
    };
    let only = match mode {
        Mode::Merge => ", only with json",
        Mode::Fix => ", only with text, json, github and html",
        Mode::Detect | Mode::List | Mode::Names | Mode::UndoRename => ", only with text and json",
        _ => "",
    };
    ensure!(
        fits || mode != Mode::Explain,
        "--explain cannot be combined with {option} (to report findings: --check {option})"
    );
    if let Some(choosing) = mode.chosen_by(args).filter(|_| !fits) {
        bail!("{} cannot be combined with {option}{only}", shown(choosing));
    }
    ensure!(
        !args.output.diff || is_for_people,
        "--diff cannot be combined with {option}, only with text"
    );
    ensure!(
        args.work.shard.is_none() || has_pieces,
        "--shard cannot be combined with {option}, only with text and json"
    );
    Ok(())
}

fn encodings(args: &Args, mode: Mode) -> anyhow::Result<()> {
    let InputEncoding::Named(from) = args.from() else { return Ok(()) };
    let to = args.to(mode);
    let has_newlines = || [Some(from), to].into_iter().flatten().any(Encoding::has_ebcdic_newlines);
    if args.encodings.ebcdic_newline.is_some() && !has_newlines() {
        let names = to.map_or_else(|| from.to_string(), |to| format!("{from}, {to}"));
        bail!("--ebcdic-newline requires an EBCDIC encoding (given: {names})");
    }
    if args.marks.bom == Some(MarkMode::Require) && from.mark == Mark::None {
        bail!("--bom require: {} has no byte order mark", from.name());
    }
    Ok(())
}

fn marks(args: &Args, mode: Mode) -> anyhow::Result<()> {
    let bom = args.marks.bom;
    refuse(&[
        (bom == Some(MarkMode::Forbid) && !mode.checks(), "--bom forbid requires --check"),
        (bom == Some(MarkMode::Require) && !mode.checks(), "--bom require requires --check"),
        (
            matches!(bom, Some(MarkMode::Keep | MarkMode::Strip | MarkMode::Add)) && mode.checks(),
            "--bom keep, strip and add cannot be combined with --check, which writes no text",
        ),
    ])
}
