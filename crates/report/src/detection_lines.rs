//! The encoding of a file or of its lines, for people: `--detect` with the text format.
//!
//! ```text
//! notes.txt: windows-1251, 96 %, no BOM, LF, Russian
//!     evidence: its letter frequencies                 with -v
//!     line endings: 812 LF
//!     runner-up: KOI8-R, 3 %
//!
//! notes.txt:   windows-1251     96 %  no BOM  LF    Russian       on a terminal
//! readme.md:   ASCII only (also valid UTF-8)  CRLF
//! ```

use super::detection_row::{DetectedLine, DetectionRow, LineEndStyle};
use super::output_format::{FormatOptions, Subject};
use super::palette::Palette;
use crate::{counted, grouped};
use oxiconv_detect::detection::{Detection, Evidence, RunnerUp};
use oxiconv_encodings::encoding::Encoding;
use unicode_width::UnicodeWidthStr;

/// What is printed instead of the name of an encoding.
const UNKNOWN: &str = "unknown";
const BINARY: &str = "binary";
const EMPTY: &str = "empty";

/// Returns the line of a file, and its details with `-v`.
pub(super) fn text(
    file: Subject<'_>,
    row: &DetectionRow<'_>,
    options: &FormatOptions,
    palette: Palette,
) -> String {
    let place = palette.place;
    let name_of_file = file.label();
    let gap = options.aligned.map_or(0, |most| most.saturating_sub(name_of_file.width()));
    let label = format!("{place}{name_of_file}:{place:#} {:gap$}", "");
    if options.quiet {
        let label = if options.alone { "" } else { &label };
        return format!("{label}{}\n", name(row));
    }
    let mut text = format!("{label}{}\n", line(row, options.aligned.is_some()));
    if options.verbose {
        details(row).iter().for_each(|detail| text.push_str(&format!("    {detail}\n")));
    }
    text
}

/// Returns the line about a line of a text: `app.log:17: KOI8-R`.
pub(super) fn of_line(
    file: Subject<'_>,
    line: &DetectedLine,
    options: &FormatOptions,
    palette: Palette,
) -> String {
    let name = line.encoding.map_or(UNKNOWN, Encoding::name);
    if options.quiet && options.alone {
        return format!("{name}\n");
    }
    let (place, file) = (palette.place, file.label());
    let fallback = line.fallback.filter(|_| !options.quiet);
    let strays = fallback.map_or_else(String::new, |it| format!(", stray bytes that fit {it}"));
    format!("{place}{file}:{}:{place:#} {name}{strays}\n", line.number)
}

/// Returns the name of the encoding, or what replaces it.
fn name(row: &DetectionRow<'_>) -> &'static str {
    match row.detection {
        None => EMPTY,
        Some(detection) if detection.evidence == Evidence::Binary => BINARY,
        Some(_) if !row.is_known() => UNKNOWN,
        Some(detection) => detection.of_lines().unwrap_or(detection.encoding.name()),
    }
}

/// Returns the fields of a file, separated by commas or in columns. The first one is [`name`].
fn line(row: &DetectionRow<'_>, aligned: bool) -> String {
    let name = name(row);
    let Some(detection) = row.detection.filter(|it| it.evidence != Evidence::Binary) else {
        return name.to_owned();
    };
    let head = if !row.is_known() {
        unclear(detection)
    } else if detection.evidence == Evidence::Ascii {
        "ASCII only (also valid UTF-8)".to_owned()
    } else {
        let mark = if row.has_mark() { "BOM" } else { "no BOM" };
        match aligned {
            true => format!("{name:14}  {:>3} %  {mark:6}", detection.confidence),
            false => format!("{name}, {} %, {mark}", detection.confidence),
        }
    };
    let ends = match row.line_ends.style() {
        LineEndStyle::None => "no line breaks",
        LineEndStyle::One(name) => name,
        LineEndStyle::Mixed => "mixed line endings",
    };
    let mut fields = Vec::new();
    if row.is_known() {
        fields.extend(detection.language.map(|language| language.name().to_owned()));
        fields.extend(detection.family.map(|family| format!("{} language", family.name())));
    }
    fields.extend(detection.others.map(|others| others.to_string()));
    if let Some(offset) = row.first_ill_formed {
        let count = match row.interrupted {
            all if all == row.ill_formed => {
                format!("interrupted by other bytes at {}", counted(all, "place"))
            }
            _ => counted(row.ill_formed, "ill-formed sequence"),
        };
        let first = if row.ill_formed == 1 { "" } else { "the first " };
        fields.push(format!("{count} ({first}at byte {offset})"));
    }
    match aligned {
        true => format!("{head:29}  {ends:4}  {}", fields.join(", ")).trim_end().to_owned(),
        false => {
            let fields: Vec<_> = [head, ends.to_owned()].into_iter().chain(fields).collect();
            fields.join(", ")
        }
    }
}

/// Says that no answer is sure enough, and which ones are likely: `encoding unclear (best guess CP932, 34 %; then
/// EUC-KR, 12 %)`.
fn unclear(detection: &Detection) -> String {
    let first = detection.first();
    let all: Vec<_> = likely(std::iter::once(&first).chain(&detection.runners_up)).collect();
    match &all[..] {
        [] => "encoding unclear".to_owned(),
        [best] => format!("encoding unclear (best guess {best})"),
        [best, others @ ..] => {
            format!("encoding unclear (best guess {best}; then {})", others.join("; "))
        }
    }
}

/// Formats the candidates with at least 1 %.
fn likely<'a>(all: impl IntoIterator<Item = &'a RunnerUp>) -> impl Iterator<Item = String> {
    all.into_iter().filter(|candidate| candidate.confidence > 0).map(RunnerUp::to_string)
}

/// Returns the evidence, the line endings and the runners-up, one per line.
fn details(row: &DetectionRow<'_>) -> Vec<String> {
    let Some(detection) = row.detection else { return Vec::new() };
    let mut details = vec![format!("evidence: {}", detection.evidence.words())];
    let ends = row.line_ends.counts().into_iter().filter(|(_, count)| *count > 0);
    let ends: Vec<_> = ends.map(|(name, count)| format!("{} {name}", grouped(count))).collect();
    if !ends.is_empty() {
        details.push(format!("line endings: {}", ends.join(", ")));
    }
    let options = Some(detection.options()).filter(|it| !it.is_empty());
    details.extend(options.map(|options| format!("read it with: {}", options.join(" "))));
    if row.is_known() {
        let others = likely(&detection.runners_up);
        details.extend(others.map(|other| format!("runner-up: {other}")));
    }
    details
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::LineEnds;
    use oxiconv_detect::detection::Detector;

    fn shown(row: &DetectionRow<'_>, options: &FormatOptions) -> String {
        text(Subject::File(Path::new("f")), row, options, Palette::default())
    }

    #[test]
    fn an_unknown_encoding_is_listed_with_what_is_likely() {
        let mut detection = Detector::new().detect("gr\u{FC}n".as_bytes());
        let second = Detector::new().detect(b"\xFE\xFF\0a");
        detection.confidence = 31;
        detection.runners_up = Detector::new().detect(b"gr\xFCn").runners_up;
        detection.runners_up.truncate(2);
        for (runner_up, confidence) in detection.runners_up.iter_mut().zip([28, 0]) {
            (runner_up.encoding, runner_up.confidence) = (second.encoding, confidence);
        }
        let line_ends = LineEnds { lf: 1_012, ..LineEnds::default() };
        let row = DetectionRow { detection: Some(&detection), line_ends, ..Default::default() };
        let options = FormatOptions::default();
        assert_eq!(
            shown(&row, &options),
            "f: encoding unclear (best guess UTF-8, 31 %; then UTF-16, 28 %), LF\n"
        );
        detection.confidence = 51;
        let row = DetectionRow { detection: Some(&detection), line_ends, ..Default::default() };
        let options = FormatOptions { verbose: true, ..options };
        assert_eq!(
            shown(&row, &options),
            "f: UTF-8, 51 %, no BOM, LF\n    evidence: its well-formed sequences\n    \
             line endings: 1,012 LF\n    runner-up: UTF-16, 28 %\n"
        );
    }

    #[test]
    fn a_terminal_has_columns() {
        let options = FormatOptions { aligned: Some(4), ..FormatOptions::default() };
        let line_ends = LineEnds { lf: 3, ..LineEnds::default() };
        let line = |text: &[u8]| {
            let detection = Detector::new().detect(text);
            let row = DetectionRow { detection: Some(&detection), line_ends, ..Default::default() };
            shown(&row, &options)
        };
        // Καλημέρα: only Greek has these letters.
        let greek = b"\xCA\xE1\xEB\xE7\xEC\xDD\xF1\xE1";
        assert_eq!(line(greek), "f:    windows-1253     99 %  no BOM  LF    Greek\n");
        assert_eq!(line(b"abc"), "f:    ASCII only (also valid UTF-8)  LF\n");
    }
}
