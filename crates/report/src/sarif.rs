//! The sarif format: a document of SARIF 2.1.0 (OASIS) with one run over all files.
//!
//! ```text
//! head (tool, rules) ─► results, one per finding, as they come ─► foot (invocation, notifications, counts)
//! ```
//!
//! Each result and each notification begins with a comma, which is removed from the first one of its list. So the
//! results of several files can be formatted at the same time, and only notifications are kept until the end. Numbers
//! in parentheses are sections of the standard.

use std::io::Write;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use serde::Serialize;
use serde_json::{Value, json};

use super::diagnosis::{Diagnosis, FindingFormat, Guessed, Shows, SuggestedReplacement};
use super::fingerprint::{Fingerprints, NumberedFingerprint};
use super::json_events::{JsonCounts, JsonRepair};
use super::known_finding::{GoneFinding, KnownFinding};
use super::output_format::{
    FormatChoice, FormatFacts, FormatOptions, OutputFormat, Part, Subject, TextReporter,
};
use super::relative_path::without_dot;
use super::rules::RULES;
use super::run_totals::RunTotals;
use super::visible::visible_json;
use crate::counted;
use crate::guess::Hint;
use oxiconv_os::slashed;
use oxiconv_transcode::diagnostic::{Detail, Finding, Severity};

pub(super) const CHOICE: FormatChoice = FormatChoice {
    name: "sarif",
    help: "One SARIF 2.1.0 document",
    new: |options| Box::new(SarifFormat { options: *options }),
};

const SEPARATOR: &[u8] = b",";
/// The URL of the schema that the document follows.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// The characters that are percent-encoded in a URI: all except the unreserved ones (RFC 3986, section 2.3) and the
/// separators of a path.
const ENCODED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

struct SarifFormat {
    options: FormatOptions,
}

impl OutputFormat for SarifFormat {
    fn facts(&self) -> FormatFacts {
        FormatFacts { detail: Detail::Evidence, separator: SEPARATOR, ..FormatFacts::default() }
    }

    fn reporter<'a>(
        &self,
        text: Subject<'_>,
        limit: Option<u64>,
        to: &'a mut dyn Write,
    ) -> Box<dyn TextReporter + 'a> {
        Box::new(Diagnosis::new(to, SarifResults::new(text, self.options), limit))
    }

    fn begin_run(&self) -> Vec<u8> {
        let rules: Vec<_> = RULES
            .iter()
            .map(|rule| {
                json!({
                    "id": rule.kind.id(),
                    "shortDescription": { "text": rule.summary },
                    "fullDescription": { "text": rule.summary },
                    "help": { "text": rule.help },
                    "defaultConfiguration": { "level": rule.kind.severity().name() },
                })
            })
            .collect();
        let driver = json!({
            "name": crate::TOOL,
            "version": env!("CARGO_PKG_VERSION"),
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "rules": rules,
        });
        format!(
            "{{\"$schema\":\"{SCHEMA}\",\"version\":\"2.1.0\",\"runs\":[{{\"tool\":{{\"driver\":{driver}}},\
             \"columnKind\":\"unicodeCodePoints\",\"newlineSequences\":[\"\\n\"],\"results\":["
        )
        .into_bytes()
    }

    fn note(&self, subject: Subject<'_>, message: &str) -> Part {
        notification(Severity::Note, subject, message, None)
    }

    fn hint(&self, file: Subject<'_>, hint: &Hint) -> Part {
        let repair = hint.repair.as_ref().map(|it| JsonRepair::new(it, &self.options, file.path()));
        let properties = json!({
            "cause": hint.cause,
            "guess": hint.guess,
            "evidence": hint.evidence,
            "repair": repair,
        });
        notification(Severity::Note, file, &hint.message(), Some(properties))
    }

    /// Prints a result for each line of the baseline, which says the same as `message`.
    fn gone(&self, file: Subject<'_>, findings: &[GoneFinding], _: &str) -> Part {
        let artifact = artifact(file);
        let results = findings.iter().map(|finding| absent(&artifact, finding));
        Part::Now(results.flat_map(|result| item(&result)).collect())
    }

    fn refused(&self, file: Subject<'_>, message: &str) -> Part {
        notification(Severity::Error, file, message, None)
    }

    fn error(&self, subject: Subject<'_>, message: &str) -> Part {
        notification(Severity::Error, subject, message, None)
    }

    fn end_run(&self, totals: &RunTotals, exit_status: u8, kept: &[u8]) -> Vec<u8> {
        let notifications = kept.strip_prefix(SEPARATOR).unwrap_or(kept);
        let notifications = String::from_utf8_lossy(notifications);
        // The run succeeds if it did its work, whatever it found.
        let success = exit_status < 2;
        let known = self.options.baseline.then_some(totals.known);
        let counts = json!(JsonCounts::new(&totals.summary, totals.withheld, known));
        let foot = format!(
            "\n],\"invocations\":[{{\"executionSuccessful\":{success},\"exitCode\":{exit_status},\
             \"toolExecutionNotifications\":[{notifications}]}}],\"properties\":{counts}}}]}}\n"
        );
        visible_json(foot.into_bytes())
    }
}

/// Formats a message about a file, standard input or the whole run (3.58).
fn notification(
    level: Severity,
    subject: Subject<'_>,
    message: &str,
    properties: Option<Value>,
) -> Part {
    let mut notification =
        json!({ "level": level.name(), "message": { "text": escape_braces(message) } });
    if subject != Subject::Run {
        let place = json!({ "physicalLocation": { "artifactLocation": artifact(subject) } });
        notification["locations"] = json!([place]);
    }
    if let Some(properties) = properties {
        notification["properties"] = properties;
    }
    Part::AtEnd([SEPARATOR, notification.to_string().as_bytes()].concat())
}

fn item(result: &impl Serialize) -> Vec<u8> {
    let mut text = [SEPARATOR, b"\n"].concat();
    // Neither can fail: a result contains nothing that JSON cannot express, and the writer is memory.
    let _ = serde_json::to_writer(&mut text, result);
    visible_json(text)
}

/// Returns the result for equal findings of the baseline that are gone (3.27.24). It has no region, because they have
/// no position any more. Its fingerprint is that of the first one that is gone: those that remain have the lower
/// numbers.
fn absent(artifact: &Value, gone: &GoneFinding) -> Value {
    let GoneFinding { known: KnownFinding { kind, encoding, bytes, .. }, count } = gone;
    let first = gone.known.count.saturating_sub(*count).saturating_add(1);
    let fingerprint = NumberedFingerprint(gone.known.fingerprint, first);
    let known = counted(*count, "known finding");
    let mut result = json!({
        "ruleId": kind,
        "level": Severity::Error.name(),
        "message": { "text": format!("{known} gone: {kind} {bytes}") },
        "locations": [{ "physicalLocation": { "artifactLocation": artifact } }],
        "partialFingerprints": PartialFingerprints { finding: fingerprint },
        "baselineState": BaselineState::Absent,
        "suppressions": [Suppression::default()],
        "properties": { "bytes": bytes, "encoding": encoding, "count": count },
    });
    if let Some(index) = RULES.iter().position(|rule| rule.kind.id() == kind) {
        result["ruleIndex"] = json!(index);
    }
    result
}

struct SarifResults {
    artifact: Value,
    path: Option<PathBuf>,
    options: FormatOptions,
    fingerprints: Fingerprints,
}

impl SarifResults {
    fn new(text: Subject<'_>, options: FormatOptions) -> Self {
        Self {
            options,
            artifact: artifact(text),
            path: text.path().map(Path::to_owned),
            fingerprints: Fingerprints::default(),
        }
    }

    /// Formats a result. `state` is the result of the comparison with a baseline, if there is one.
    fn result(
        &mut self,
        finding: &Finding<'_>,
        state: Option<BaselineState>,
        guessed: Option<&Guessed<'_>>,
    ) -> Vec<u8> {
        let guess = guessed.map(|guessed| guessed.guess);
        let repair = guess.and_then(|guess| guess.repair.as_ref());
        let path = self.path.as_deref();
        item(&SarifResult {
            rule_id: finding.kind.id(),
            rule_index: RULES.iter().position(|rule| rule.kind.id() == finding.kind.id()),
            level: finding.severity().name(),
            message: SarifMessage { text: escape_braces(&finding.sentence()) },
            locations: [SarifLocation {
                physical_location: PhysicalLocation {
                    artifact_location: &self.artifact,
                    region: SarifRegion {
                        start_line: finding.line,
                        start_column: finding.column,
                        end_column: finding.column + u64::from(!finding.bytes.is_empty()),
                        byte_offset: finding.offset,
                        byte_length: finding.bytes.len(),
                    },
                },
            }],
            fixes: guessed.and_then(|guessed| self.fix(finding, guessed)).into_iter().collect(),
            partial_fingerprints: PartialFingerprints { finding: self.fingerprints.next(finding) },
            baseline_state: state,
            suppressions: state.map(|state| match state {
                BaselineState::New => Vec::new(),
                BaselineState::Unchanged | BaselineState::Absent => vec![Suppression::default()],
            }),
            properties: ResultProperties {
                bytes: finding.hex(),
                encoding: finding.encoding.name(),
                declared: finding.declared.as_deref(),
                guess: guess.map(|guess| &*guess.what),
                evidence: guess.map(|guess| &*guess.evidence),
                repair: repair.map(|repair| JsonRepair::new(repair, &self.options, path)),
            },
        })
    }

    /// Returns the fix (3.55) that replaces the bytes of a finding by a text. The region is in bytes, because the file
    /// is not well-formed text, so the content is in bytes, too (3.57.4); the text is for people.
    fn fix(&self, finding: &Finding<'_>, guessed: &Guessed<'_>) -> Option<Value> {
        let SuggestedReplacement { len, text } = guessed.replacement.as_ref()?;
        let description =
            format!("Replace the bytes by what they probably are: {}", guessed.guess.what);
        Some(json!({
            "description": { "text": escape_braces(&description) },
            "artifactChanges": [{
                "artifactLocation": self.artifact,
                "replacements": [{
                    "deletedRegion": { "byteOffset": finding.offset, "byteLength": len },
                    "insertedContent": { "binary": BASE64_STANDARD.encode(text), "text": text },
                }],
            }],
        }))
    }
}

impl FindingFormat for SarifResults {
    /// Waiting for guesses costs nothing here: the document is complete only at the end anyway.
    fn shows(&self) -> Shows {
        Shows::Guesses
    }

    fn finding(&mut self, finding: &Finding<'_>, guessed: Option<&Guessed<'_>>) -> Vec<u8> {
        let state = self.options.baseline.then_some(BaselineState::New);
        self.result(finding, state, guessed)
    }

    fn known(&mut self, finding: &Finding<'_>, guessed: Option<&Guessed<'_>>) -> Vec<u8> {
        self.result(finding, Some(BaselineState::Unchanged), guessed)
    }
}

/// A result (3.27), with the members that are used here.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult<'a> {
    rule_id: &'static str,
    rule_index: Option<usize>,
    level: &'static str,
    message: SarifMessage,
    locations: [SarifLocation<'a>; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<Value>,
    partial_fingerprints: PartialFingerprints,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline_state: Option<BaselineState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suppressions: Option<Vec<Suppression>>,
    properties: ResultProperties<'a>,
}

#[derive(Serialize)]
struct SarifMessage {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifLocation<'a> {
    physical_location: PhysicalLocation<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation<'a> {
    artifact_location: &'a Value,
    region: SarifRegion,
}

/// The region of a finding, in characters and in bytes. In characters, it is the one at which the finding begins, where
/// ill-formed bytes count as one; the end column is the column after it. In bytes, it is all of the finding. A finding
/// without bytes, such as a missing newline, has an empty region.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifRegion {
    start_line: u64,
    start_column: u64,
    end_column: u64,
    byte_offset: u64,
    byte_length: usize,
}

/// The last component of a fingerprint's name is its version (3.27.17).
#[derive(Serialize)]
struct PartialFingerprints {
    #[serde(rename = "oxiconvFinding/v1")]
    finding: NumberedFingerprint,
}

/// The state of a result in comparison with the baseline (3.27.24). Either all results have one, or none.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
enum BaselineState {
    New,
    Unchanged,
    Absent,
}

/// Why a result does not count (3.27.23, 3.35): the baseline lists it. With a baseline, every result has a list of
/// suppressions, which may be empty.
#[derive(Serialize)]
struct Suppression {
    kind: &'static str,
    status: &'static str,
}

impl Default for Suppression {
    fn default() -> Self {
        Self { kind: "external", status: "accepted" }
    }
}

#[derive(Serialize)]
struct ResultProperties<'a> {
    bytes: String,
    encoding: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    declared: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    guess: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repair: Option<JsonRepair>,
}

/// Escapes the text of a message (3.11), in which braces enclose placeholders.
fn escape_braces(message: &str) -> String {
    message.replace('{', "{{").replace('}', "}}")
}

fn artifact(text: Subject<'_>) -> Value {
    match text.path() {
        Some(path) => json!({ "uri": uri(path) }),
        None => json!({ "uri": "stdin:", "description": { "text": "standard input" } }),
    }
}

/// Converts a path to a URI reference (RFC 3986): bytes are percent-encoded, and a relative path stays relative,
/// without `./` at its start.
fn uri(path: &Path) -> String {
    let scheme = if path.is_absolute() { "file://" } else { "" };
    format!("{scheme}{}", percent_encode(&slashed(without_dot(path)), ENCODED))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn a_uri_holds_every_byte_of_a_path() {
        for (path, expected) in [
            (&b"a/b-c_d.e~f"[..], "a/b-c_d.e~f"),
            (b"./a", "a"),
            (b"../a", "../a"),
            (b"/a b", "file:///a%20b"),
            (b"100%:a,b\n\"", "100%25%3Aa%2Cb%0A%22"),
            (b"caf\xE9", "caf%E9"),
            (b"caf\xC3\xA9", "caf%C3%A9"),
            (b"-", "-"),
        ] {
            assert_eq!(uri(Path::new(OsStr::from_bytes(path))), expected);
        }
    }
}
