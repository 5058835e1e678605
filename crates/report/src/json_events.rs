//! The events of the json format, as serde writes them. Their schema is docs/findings.schema.json.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Serialize, Serializer};

use super::command::{command, options};
use super::detection_row::{DetectionRow, LineEndStyle, LineEnds};
use super::fix_row::{FixChange, FixRow, TextBefore};
use super::json_path::JsonPath;
use super::output_format::{FilePiece, FormatOptions, Part, Subject, Task};
use super::run_totals::Converted;
use super::visible::visible_json;
use crate::Repair;
use crate::guess::Guess;
use oxiconv_detect::detection::{Detection, Evidence, Others, RunnerUp};
use oxiconv_detect::language::{Language, LanguageFamily};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_transcode::diagnostic::{Details, Finding, Mojibake, Summary, skeleton};

/// The version of the events. It changes when existing readers would break; new events, members and kinds do not count.
const VERSION: u32 = 2;

#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(super) enum JsonEvent<'a> {
    /// The first event.
    Start {
        version: u32,
        tool: &'static str,
        tool_version: &'static str,
        /// The task: `check`, `convert`, `detect`, `list`, `names` or `fix`.
        task: &'static str,
        /// Which shard of the work this is, if it is split.
        #[serde(skip_serializing_if = "Option::is_none")]
        shard: Option<JsonShard>,
    },
    Begin {
        path: JsonPath<'a>,
    },
    Finding(JsonFinding<'a>),
    /// What a file with findings probably is.
    Hint {
        path: JsonPath<'a>,
        cause: &'static str,
        /// What the text, or what is ill-formed in it, probably is.
        guess: Option<&'a str>,
        evidence: &'a str,
        repair: Option<JsonRepair>,
        /// The same as a sentence for people.
        message: &'a str,
    },
    Note {
        path: JsonPath<'a>,
        message: &'a str,
    },
    /// A file was read to its end, or to the finding that stopped its conversion.
    End {
        path: JsonPath<'a>,
        stopped: bool,
        /// Which piece of the file was read, if not all of it.
        #[serde(skip_serializing_if = "Option::is_none")]
        part: Option<JsonPart>,
        /// The detected encoding, if none was named.
        #[serde(flatten, skip_serializing_if = "Option::is_none")]
        detection: Option<JsonDetection>,
        #[serde(flatten)]
        counts: JsonCounts,
    },
    /// A file was skipped because it looks binary, or because its repository excludes it.
    #[serde(rename = "passed-over")]
    Skipped {
        path: JsonPath<'a>,
    },
    /// A file was not converted because its text looks like another encoding.
    Refused {
        path: JsonPath<'a>,
        message: &'a str,
    },
    /// A name was changed, or would be.
    Rename {
        path: JsonPath<'a>,
        /// The new name, without a directory.
        name: JsonPath<'a>,
        /// The absolute path of the directory of the name; only if it was changed.
        #[serde(skip_serializing_if = "Option::is_none")]
        directory: Option<JsonPath<'a>>,
    },
    /// A file could not be read or written, or the run could not continue.
    Error {
        /// Null for standard input, and for an error that is not about one file.
        path: JsonPath<'a>,
        message: &'a str,
    },
    Summary {
        /// Files read, including standard input.
        files: u64,
        files_with_findings: u64,
        passed_over: u64,
        /// Files that were not converted because their text looks like another encoding.
        refused: u64,
        /// Files that were left alone because they are valid in the target encoding already.
        left_alone: u64,
        errors: u64,
        /// Files whose encoding is unknown; only if that was the question.
        #[serde(skip_serializing_if = "Option::is_none")]
        unknown: Option<u64>,
        /// Findings of the baseline that are gone; only if there is a baseline.
        #[serde(skip_serializing_if = "Option::is_none")]
        gone: Option<u64>,
        /// Outcomes of files that are converted one by one; only if they are.
        #[serde(flatten)]
        converted: Option<Converted>,
        #[serde(flatten)]
        counts: JsonCounts,
        exit_status: u8,
    },
    Detection(JsonDetectionRow<'a>),
    /// The encoding of a line.
    Line {
        path: JsonPath<'a>,
        line: u64,
        known: bool,
        encoding: Option<&'a str>,
        /// The encoding of its stray bytes.
        #[serde(skip_serializing_if = "Option::is_none")]
        fallback: Option<&'a str>,
    },
    Fix(JsonFix<'a>),
    /// An encoding, from the list of encodings.
    Encoding {
        name: &'a str,
        aliases: &'a [&'a str],
        summary: &'a str,
        source: &'a str,
        year: Option<&'a str>,
        /// How its codes make up a text.
        structure: Option<&'a str>,
        vendors: &'a [&'a str],
        /// Length of the code unit in bytes.
        unit: usize,
        /// The width of its values in bits, if it is limited by that.
        bits: Option<u32>,
    },
}

impl JsonEvent<'_> {
    pub(super) fn start(task: Task, shard: Option<(u64, u64)>) -> Self {
        Self::Start {
            version: VERSION,
            tool: crate::TOOL,
            tool_version: env!("CARGO_PKG_VERSION"),
            task: task.name(),
            shard: shard.map(|(index, of)| JsonShard { index, of }),
        }
    }

    pub(super) fn part(&self) -> Part {
        Part::Now(self.line())
    }

    pub(super) fn line(&self) -> Vec<u8> {
        // Serialization cannot fail: maps have string keys, and the only floats are between 0 and 1.
        let mut line = serde_json::to_vec(self).unwrap_or_default();
        line.push(b'\n');
        visible_json(line)
    }
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct JsonShard {
    index: u64,
    of: u64,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct JsonPart {
    /// Its range in the file, and the length of the file.
    start: u64,
    end: u64,
    size: u64,
    /// The number of its line ends, and the column after it, counted from column 1 at its start.
    lines: u64,
    column: u64,
}

impl JsonPart {
    pub(super) fn new(piece: &FilePiece) -> Self {
        let FilePiece { range, size, lines, column } = piece;
        Self { start: range.start, end: range.end, size: *size, lines: *lines, column: *column }
    }
}

/// The members of [`JsonEvent::Finding`].
#[derive(Clone, Debug, Serialize)]
pub(super) struct JsonFinding<'a> {
    path: JsonPath<'a>,
    kind: &'static str,
    level: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<&'static str>,
    #[serde(flatten)]
    place: JsonPlace,
    bytes: String,
    encoding: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    stops: bool,
    #[serde(flatten)]
    details: JsonDetails<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    declared: Option<&'a str>,
    /// The encoding in which its line is read instead; only with `-f auto-lines`.
    #[serde(skip_serializing_if = "Option::is_none")]
    read_as: Option<&'static str>,
    message: String,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    guess: Option<JsonGuess<'a>>,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct JsonPlace {
    line: u64,
    column: u64,
    offset: u64,
    length: usize,
    /// How many equal findings follow each other without a gap, including this one; only if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
}

/// Members that only some kinds of findings have.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum JsonDetails<'a> {
    Mojibake(JsonMojibake<'a>),
    /// An identifier, and what it looks like.
    Identifier {
        identifier: &'a str,
        skeleton: String,
    },
    None {},
}

impl<'a> JsonDetails<'a> {
    fn new(finding: &'a Finding<'_>) -> Self {
        match &finding.details {
            Details::Mojibake(mojibake) => Self::Mojibake(mojibake.into()),
            Details::Identifier(identifier) => {
                Self::Identifier { identifier, skeleton: skeleton(identifier) }
            }
            _ => Self::None {},
        }
    }
}

/// What a damaged part of a text meant.
#[derive(Clone, Debug, Serialize)]
struct JsonMojibake<'a> {
    meant: &'a str,
    written_in: &'static str,
    read_as: &'static str,
    times: u32,
    confidence: Hundredths,
}

impl<'a> From<&'a Mojibake<'_>> for JsonMojibake<'a> {
    fn from(it: &'a Mojibake<'_>) -> Self {
        Self {
            meant: &it.meant,
            written_in: it.written_in.name(),
            read_as: it.read_as.name(),
            times: it.times,
            confidence: Hundredths(it.confidence),
        }
    }
}

/// The detected encoding of a text.
#[derive(Clone, Debug, Serialize)]
pub(super) struct JsonDetection {
    detected: &'static str,
    confidence: Hundredths,
    evidence: &'static str,
    runners_up: Vec<JsonRunnerUp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    others: Option<JsonOthers>,
}

#[derive(Clone, Debug, Serialize)]
struct JsonRunnerUp {
    encoding: &'static str,
    confidence: Hundredths,
}

impl JsonRunnerUp {
    fn new(other: &RunnerUp) -> Self {
        Self { encoding: other.encoding.name(), confidence: Hundredths(other.confidence) }
    }
}

/// What is ill-formed in a text that was detected as UTF-8.
#[derive(Clone, Debug, Serialize)]
struct JsonOthers {
    strays: u64,
    fallback: Option<&'static str>,
    cut: u64,
    /// Bytes that Python has escaped, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    escaped: Option<u64>,
}

impl JsonOthers {
    fn new(others: Others) -> Self {
        let Others { strays, fallback, cut, escaped, .. } = others;
        let escaped = (escaped > 0).then_some(escaped);
        Self { strays, fallback: fallback.map(Encoding::name), cut, escaped }
    }
}

/// A percentage, written as a fraction of 1.
#[derive(Clone, Copy, Debug)]
struct Hundredths(u8);

impl Serialize for Hundredths {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(f64::from(self.0) / 100.0)
    }
}

impl JsonDetection {
    pub(super) fn new(detection: &Detection) -> Self {
        Self {
            detected: detection.encoding.name(),
            confidence: Hundredths(detection.confidence),
            evidence: detection.evidence.id(),
            runners_up: detection.runners_up.iter().map(JsonRunnerUp::new).collect(),
            others: detection.others.map(JsonOthers::new),
        }
    }
}

#[derive(Clone, Debug, Serialize)]
struct JsonGuess<'a> {
    cause: &'static str,
    guess: &'a str,
    evidence: &'a str,
    repair: Option<JsonRepair>,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct JsonRepair {
    options: Vec<String>,
    skip: u64,
    command: String,
    loss: Option<&'static str>,
}

impl JsonRepair {
    /// Creates the members of a repair of the file at `path`; `None` is standard input.
    pub(super) fn new(repair: &Repair, asked: &FormatOptions, path: Option<&Path>) -> Self {
        let options = options(repair, asked.asked());
        let command = command(&options, repair.skip, path);
        Self { options, skip: repair.skip, command, loss: repair.loss }
    }
}

impl<'a> JsonFinding<'a> {
    /// Makes it represent this many equal findings.
    pub(super) fn repeated(self, count: u64) -> Self {
        let place = JsonPlace { count: Some(count).filter(|count| *count > 1), ..self.place };
        Self { place, ..self }
    }

    pub(super) fn guessed(self, guess: &'a Guess, repair: Option<JsonRepair>) -> Self {
        let Guess { cause, what, evidence, .. } = guess;
        Self { guess: Some(JsonGuess { cause: cause.id(), guess: what, evidence, repair }), ..self }
    }

    /// Creates the members of a finding in the text at `path`; `None` is standard input.
    /// `baseline` is the result of the comparison with a baseline, if there is one.
    pub(super) fn new(
        path: Option<&'a Path>,
        finding: &'a Finding<'_>,
        baseline: Option<&'static str>,
    ) -> Self {
        Self {
            path: JsonPath(path),
            kind: finding.kind.id(),
            level: finding.severity().name(),
            baseline,
            place: JsonPlace {
                line: finding.line,
                column: finding.column,
                offset: finding.offset,
                length: finding.bytes.len(),
                count: None,
            },
            bytes: finding.hex().replace(' ', ""),
            encoding: finding.encoding.name(),
            value: finding.value.map(|value| format!("{value:04X}")),
            stops: finding.stops,
            details: JsonDetails::new(finding),
            declared: finding.declared.as_deref(),
            read_as: finding.read_as().map(|encoding| encoding.name()),
            message: finding.sentence(),
            guess: None,
        }
    }
}

/// The members of [`JsonEvent::Fix`]: a file, and what was done with it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct JsonFix<'a> {
    path: JsonPath<'a>,
    /// `right`, `fixed`, `partly-fixed`, `left` or `binary`.
    outcome: &'static str,
    /// Whether nothing was written yet.
    proposed: bool,
    /// What the bytes of the file say, unless it was found to be right without that.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    detection: Option<JsonDetection>,
    changes: Vec<JsonFixChange>,
    /// What is left to a person.
    left: Option<&'a str>,
    /// The same as a sentence for people.
    message: String,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct JsonFixChange {
    change: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<&'static str>,
}

impl From<&FixChange> for JsonFixChange {
    fn from(change: &FixChange) -> Self {
        let encoding = change.encoding().map(Encoding::name);
        Self { change: change.id(), count: change.count(), encoding }
    }
}

impl<'a> JsonFix<'a> {
    pub(super) fn new(file: Subject<'a>, row: &'a FixRow<'_>) -> Self {
        let detection = match row.was {
            TextBefore::Detected(detection) => Some(JsonDetection::new(detection)),
            _ => None,
        };
        Self {
            path: file.into(),
            outcome: row.outcome().id(),
            proposed: row.is_proposed,
            detection,
            changes: row.changes.iter().map(JsonFixChange::from).collect(),
            left: row.left.as_deref(),
            message: row.done(),
        }
    }
}

/// The members of [`JsonEvent::Detection`].
#[derive(Clone, Debug, Serialize)]
pub(super) struct JsonDetectionRow<'a> {
    path: JsonPath<'a>,
    known: bool,
    encoding: Option<&'static str>,
    confidence: Hundredths,
    evidence: Option<&'static str>,
    mark: bool,
    newline: String,
    line_ends: JsonLineEnds,
    language: Option<&'static str>,
    runners_up: Vec<JsonRunnerUp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    others: Option<JsonOthers>,
    bytes: u64,
    ill_formed: u64,
    first_ill_formed: Option<u64>,
}

#[derive(Clone, Debug, Serialize)]
struct JsonLineEnds {
    lf: u64,
    crlf: u64,
    cr: u64,
    nel: u64,
}

impl<'a> JsonDetectionRow<'a> {
    pub(super) fn new(file: Subject<'a>, row: &DetectionRow<'_>) -> Self {
        let LineEnds { lf, crlf, cr, nel } = row.line_ends;
        let text = row.detection.filter(|detection| detection.evidence != Evidence::Binary);
        let runners_up = text.map_or(&[][..], |text| &text.runners_up);
        Self {
            path: file.into(),
            known: row.is_known(),
            encoding: text.map(|text| text.of_lines().unwrap_or(text.encoding.name())),
            confidence: Hundredths(row.detection.map_or(100, |detection| detection.confidence)),
            evidence: row.detection.map(|detection| detection.evidence.id()),
            mark: row.has_mark(),
            newline: match row.line_ends.style() {
                LineEndStyle::None => "none".to_owned(),
                LineEndStyle::One(name) => name.to_ascii_lowercase(),
                LineEndStyle::Mixed => "mixed".to_owned(),
            },
            line_ends: JsonLineEnds { lf, crlf, cr, nel },
            language: text.and_then(language_tag),
            runners_up: runners_up.iter().map(JsonRunnerUp::new).collect(),
            others: text.and_then(|text| text.others).map(JsonOthers::new),
            bytes: row.bytes,
            ill_formed: row.ill_formed,
            first_ill_formed: row.first_ill_formed,
        }
    }
}

/// Returns the tag of the language, or of its family.
fn language_tag(detection: &Detection) -> Option<&'static str> {
    detection.language.map(Language::tag).or(detection.family.map(LanguageFamily::tag))
}

/// Counts over one text or several.
#[derive(Clone, Debug, Serialize)]
pub(super) struct JsonCounts {
    bytes: u64,
    bytes_written: u64,
    characters: u64,
    line_ends: u64,
    findings: u64,
    by_kind: BTreeMap<&'static str, u64>,
    withheld: u64,
    /// How many lines were read in each encoding of their own; only if there are any.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    lines_read_as: BTreeMap<&'static str, u64>,
    /// Findings that the baseline lists, which are not in `findings`; only if there is a baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<u64>,
}

impl JsonCounts {
    /// Creates the counts of `summary`. Of its findings, `withheld` were not printed because of the limit. The baseline
    /// lists `known` more, if there is one.
    pub(super) fn new(summary: &Summary, withheld: u64, known: Option<u64>) -> Self {
        Self {
            bytes: summary.bytes_read,
            bytes_written: summary.bytes_written,
            characters: summary.characters,
            line_ends: summary.lines,
            findings: summary.total(),
            by_kind: summary.found.iter().map(|(kind, count)| (kind.id(), *count)).collect(),
            withheld,
            lines_read_as: summary
                .lines_read_as
                .iter()
                .map(|(encoding, count)| (encoding.name(), *count))
                .collect(),
            known,
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn a_path_that_is_not_utf8_is_given_in_base64() {
        // RFC 4648: 63 61 66 E9 is Y2Fm 6Q==.
        let path = Path::new(OsStr::from_bytes(b"caf\xE9"));
        let event = JsonEvent::Begin { path: JsonPath(Some(path)) };
        assert_eq!(event.line(), b"{\"type\":\"begin\",\"path\":{\"bytes\":\"Y2Fm6Q==\"}}\n");
        let event = JsonEvent::Begin { path: JsonPath(None) };
        assert_eq!(event.line(), b"{\"type\":\"begin\",\"path\":null}\n");
    }
}
