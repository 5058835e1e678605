//! The closing line of a run that converts each file by itself, and the closing lines of other runs about files that
//! were skipped or left alone.

use oxiconv_report::{Converted, RunTotals, fix_totals};
use oxiconv_report::{counted, grouped};

use super::config::{Config, DetectedUnit, EachTarget, RunAction};

/// Returns the closing lines of a run with this many inputs. If `says_counts`, a line of counts follows, which includes
/// the files that were skipped.
pub(crate) fn closing(
    config: &Config,
    counts: &RunTotals,
    inputs: usize,
    says_counts: bool,
) -> Vec<String> {
    if let Some(converted) = counts.converted
        && matches!(config.action, RunAction::Fix(_))
    {
        let dry_run = config.writing.dry_run;
        let words = (inputs > 1).then(|| fix_totals(counts, converted, dry_run));
        let next = [(converted.written, STAGE), (counts.refused, DECIDE)];
        let next = next.into_iter().filter(|(files, _)| *files > 0 && !dry_run && is_git_hook());
        return words.into_iter().chain(next.map(|(_, step)| step.to_owned())).collect();
    }
    if let Some(converted) = counts.converted.filter(|_| inputs > 1) {
        return vec![conversions(config, counts, converted)];
    }
    let skipped = [skipped(counts.skipped), excluded(counts.excluded)];
    let skipped = skipped.into_iter().flatten().filter(|_| !says_counts);
    skipped.chain(unknown(config, counts)).chain(left_alone(config, counts.left_alone)).collect()
}

/// What the author of a commit has to do with files that were fixed.
const STAGE: &str = "look at what was fixed (git diff), stage it (git add), and commit again";
/// What there is to do about files that are left.
const DECIDE: &str = "what is left needs your decision: its line says why (to keep a file as it is, exclude it in oxiconv.toml)";

/// Whether a hook runs the program before a commit: one of pre-commit, or of git itself. Whoever commits may never have
/// heard of the program, so it says what to do next.
fn is_git_hook() -> bool {
    ["PRE_COMMIT", "GIT_INDEX_FILE"].iter().any(|name| std::env::var_os(name).is_some())
}

/// Formats the outcomes of all files: `1,012 written, 3 unchanged, 1 failed`.
fn conversions(config: &Config, counts: &RunTotals, converted: Converted) -> String {
    let Converted { written, unchanged, failed, .. } = converted;
    let copied = matches!(config.action, RunAction::Each(EachTarget::Under(_)));
    let (copied, left) = if copied { (counts.left_alone, 0) } else { (0, counts.left_alone) };
    let would = if config.writing.dry_run { "would be " } else { "" };
    let others = [
        (copied, "copied unchanged"),
        (unchanged + left, "unchanged"),
        (counts.refused, "refused"),
        (failed, "failed"),
        (counts.skipped, "skipped as binary"),
    ];
    let mut words = format!("{} {would}written", grouped(written));
    for (count, outcome) in others.into_iter().filter(|(count, _)| *count > 0) {
        words.push_str(&format!(", {} {outcome}", grouped(count)));
    }
    words
}

/// Returns the message about files that are binary or whose encoding is unclear, or that of a line; `None` if there is
/// none, or if it is the only file.
fn unknown(config: &Config, counts: &RunTotals) -> Option<String> {
    let unknown = counts.unknown.filter(|unknown| *unknown > 0 && counts.files > 1)?;
    let files = counted(counts.files, "file");
    let words = match (&config.action, unknown) {
        (RunAction::Detect(DetectedUnit::Line), 1) => "has a line in an unknown encoding",
        (RunAction::Detect(DetectedUnit::Line), _) => "have a line in an unknown encoding",
        (_, 1) => "is binary, or its encoding is unclear",
        _ => "are binary, or their encoding is unclear",
    };
    Some(format!("{} of {files} {words}", grouped(unknown)))
}

fn skipped(files: u64) -> Option<String> {
    let look = if files == 1 { "that looks" } else { "that look" };
    (files > 0).then(|| format!("skipped {} {look} binary", counted(files, "file")))
}

fn excluded(files: u64) -> Option<String> {
    let why = "that the repository excludes (-v says why; --no-config includes them)";
    (files > 0).then(|| format!("skipped {} {why}", counted(files, "file")))
}

fn left_alone(config: &Config, files: u64) -> Option<String> {
    let to = config.conversion.to().filter(|_| files > 0)?.name();
    let files = counted(files, "file");
    let words = match config.action {
        RunAction::Each(EachTarget::Under(_)) => {
            format!("copied {files} unchanged: already valid {to}")
        }
        _ => format!("left {files} unchanged: already valid {to}"),
    };
    Some(words)
}
