//! Messages for people about one file that was read.

use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::IllFormedKind;
use oxiconv_report::{counted, grouped};
use oxiconv_transcode::diagnostic::{Kind, Outcome, Summary};
use oxiconv_transcode::{Conversion, Fallback, InputEncoding, OnDenied, OnMojibake};

use super::config::{Config, RunAction};

/// Returns a line about what happened to faults that did not stop the conversion, or with --dry-run would happen;
/// `None` if there were none.
pub(crate) fn outcomes(config: &Config, summary: &Summary) -> Option<String> {
    if matches!(config.action, RunAction::Check) {
        return None;
    }
    let Summary { of_ill_formed, of_unmappable, of_denied, .. } = summary;
    let be = |count| match (config.writing.dry_run, count) {
        (true, _) => "would be",
        (false, 1) => "was",
        (false, _) => "were",
    };
    // Begins a sentence about a number of things: `1 line was`, `2 lines would be`.
    let were = |count, what| format!("{} {}", counted(count, what), be(count));
    let mut parts: Vec<_> = [
        (of_ill_formed, "invalid byte sequence"),
        (of_unmappable, "unmappable character"),
        (of_denied, "denied character"),
    ]
    .into_iter()
    .flat_map(|(outcomes, what)| {
        outcomes.iter().map(move |(outcome, count)| (outcome, count, what))
    })
    .filter(|(outcome, ..)| *outcome != Outcome::ReadByFallback || summary.lines_read_as.is_empty())
    .map(|(outcome, count, what)| {
        format!("{} {}", were(count, what), became(outcome, summary.fallback))
    })
    .collect();
    parts.extend(
        summary.lines_read_as.iter().map(|(encoding, count)| {
            format!("{} read as {}", were(*count, "line"), encoding.name())
        }),
    );
    if summary.repaired > 0 {
        parts.push(format!("{} repaired", were(summary.repaired, "damaged part")));
    }
    if summary.doubtful > 0 {
        let left = match config.conversion.options().on_mojibake {
            OnMojibake::Undo(misreading) => {
                let (from, to) = (misreading.written_in().name(), misreading.read_as().name());
                let word = if summary.doubtful == 1 { "is not" } else { "are not" };
                format!(
                    "{} that {word} {from} read as {to} {} left unchanged",
                    counted(summary.doubtful, "word"),
                    be(summary.doubtful)
                )
            }
            _ => format!(
                "{} left unchanged (--repair=ask shows each)",
                were(summary.doubtful, "doubtful part")
            ),
        };
        parts.push(left);
    }
    if summary.denied() > 0 && config.conversion.options().substitution.on_denied == OnDenied::Pass
    {
        parts.push(format!("{} written unchanged", were(summary.denied(), "denied character")));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// The kinds of bytes that another encoding may explain. Surrogates and overlong forms are faults of UTF-8 itself.
const STRAY: [IllFormedKind; 4] = [
    IllFormedKind::InvalidByte,
    IllFormedKind::UnexpectedContinuation,
    IllFormedKind::Truncated,
    IllFormedKind::TruncatedAtEnd,
];

/// Returns what to do if `--fallback auto` has found no encoding for the bytes that are not UTF-8.
pub(crate) fn unclear_fallback(config: &Config, summary: &Summary) -> Option<&'static str> {
    let substitution = &config.conversion.options().substitution;
    let is_unclear =
        substitution.fallback == Some(Fallback::Detected) && summary.fallback.is_none();
    let are_stray = STRAY.iter().any(|kind| summary.found.contains_key(&Kind::IllFormed(*kind)));
    (is_unclear && are_stray).then_some(
        "no encoding is clear for the bytes that are not UTF-8 (name it with --fallback, or detect it for each line with \
         -f auto-lines)",
    )
}

fn became(outcome: Outcome, fallback: Option<&'static Encoding>) -> String {
    let words = match outcome {
        Outcome::ReadByFallback => {
            let name = fallback.map_or("the fallback", Encoding::name);
            return format!("read as {name}");
        }
        Outcome::Replaced => "replaced",
        Outcome::Escaped => "escaped",
        Outcome::Reference => "written as character references",
        Outcome::Transliterated => "transliterated",
        _ => "left out",
    };
    words.to_owned()
}

/// Returns a line about what was read, and what was written or found. `known` is the number of further findings, which
/// the baseline lists.
pub(crate) fn what_was_done(
    config: &Config,
    conversion: &Conversion,
    summary: &Summary,
    known: u64,
) -> String {
    let from = match (conversion.from(), &summary.detected) {
        (InputEncoding::Named(encoding), _) => encoding.name().to_owned(),
        (InputEncoding::Lines(_), _) => "each line".to_owned(),
        (_, Some(detection)) => {
            format!("{} (detected, {} %)", detection.encoding.name(), detection.confidence)
        }
        // It stopped before anything was known.
        (_, None) => "undetected encoding".to_owned(),
    };
    match conversion.to() {
        Some(to) if !matches!(config.action, RunAction::Check) => format!(
            "{from} to {}: {} read, {} written",
            to.name(),
            counted(summary.bytes_read, "byte"),
            grouped(summary.bytes_written)
        ),
        _ => format!(
            "{from}: {}, {}, {}{}",
            counted(summary.bytes_read, "byte"),
            counted(summary.characters, "character"),
            counted(summary.total(), "finding"),
            and_known(known)
        ),
    }
}

/// Returns the detected encoding of a text that was converted: `windows-1251 (99 %) → UTF-8`.
pub(crate) fn what_was_detected(
    config: &Config,
    conversion: &Conversion,
    summary: &Summary,
) -> Option<String> {
    let is_detected =
        !matches!(conversion.from(), InputEncoding::Named(_) | InputEncoding::Lines(_));
    let detection = summary.detected.as_ref().filter(|_| is_detected && !summary.stopped)?;
    let to = conversion.to().filter(|_| !matches!(config.action, RunAction::Check))?;
    let (name, confidence) = (detection.encoding.name(), detection.confidence);
    Some(format!("{name} ({confidence} %) → {}", to.name()))
}

fn and_known(count: u64) -> String {
    if count > 0 { format!(", {} known", grouped(count)) } else { String::new() }
}
