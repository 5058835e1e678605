//! How a file is read and written to be right: the answer of `--detect`, as a conversion.
//!
//! What detection knows decides everything. It is the judge that the hints of `--check` and `--fallback auto` ask too,
//! and has seen all of the file. A file stays as it is if the answer is not certain enough, or leaves a byte
//! unexplained: a character that was cut off can be reported, but not invented.

use std::path::Path;

use oxiconv_detect::detection::{Detection, Evidence, Others};
use oxiconv_report::{Repair, command, counted, in_place};
use oxiconv_transcode::{Conversion, InputEncoding, Options};

use super::super::config::FixTask;
use super::super::detect::ExaminedFile;
use super::wanted::WantedText;

/// How certain it is that lines are in several encodings, and in which one each of them is, in percent. The confidence
/// of the detector is in a single encoding of the whole text, which is not how it is read. Of 54,514 lines of logs with
/// several encodings, 236 were read wrongly, and of 621 texts in one encoding, one was taken for such a log.
const LINES_CONFIDENCE: u8 = 95;

/// What is to be done with a file that is not right.
pub(super) enum FixPlan {
    /// Nothing, because it is not text.
    Binary,
    /// Nothing, for this reason.
    Leave(String),
    Convert(Box<Conversion>),
}

impl FixPlan {
    pub(super) fn new(
        task: &FixTask,
        examined: &ExaminedFile,
        wanted: &WantedText,
        path: &Path,
    ) -> anyhow::Result<Self> {
        let Some(detection) = &examined.detection else {
            let from = wanted.encoding.into();
            let options = Options::new();
            return Ok(Self::Convert(
                wanted.conversion(options, from, &examined.line_ends)?.into(),
            ));
        };
        if detection.evidence == Evidence::Binary {
            return Ok(Self::Binary);
        }
        if let Some(why) = unexplained(detection, examined) {
            let command = command(&["--explain".to_owned()], 0, Some(path));
            return Ok(Self::Leave(format!("{why} (to see where: {command})")));
        }
        let confidence = match detection.evidence {
            Evidence::Lines => LINES_CONFIDENCE,
            _ => detection.confidence,
        };
        if confidence < task.min_confidence {
            return Ok(Self::Leave(unclear(detection, wanted, path)));
        }
        let from = match detection.evidence {
            Evidence::Lines => InputEncoding::Lines(task.detector),
            _ => detection.read_as().into(),
        };
        // Where bytes were escaped, the repair reads them, and finds the same fallback.
        let fallback = detection.others.filter(|others| others.strays > 0 && others.escaped == 0);
        let fallback = fallback.and_then(|others| others.fallback);
        let mut options = Options::new();
        if let Some(fallback) = fallback.filter(|_| detection.evidence != Evidence::Lines) {
            options = options.fallback(fallback);
        }
        Ok(Self::Convert(wanted.conversion(options, from, &examined.line_ends)?.into()))
    }
}

/// Says which encodings are likely, and how to choose the first one.
fn unclear(detection: &Detection, wanted: &WantedText, path: &Path) -> String {
    let command_with = |mut options: Vec<String>| {
        options.push(in_place());
        command(&options, 0, Some(path))
    };
    if detection.evidence == Evidence::Lines {
        let command = command_with(Repair::of_lines().options());
        return format!("its lines seem to be in several encodings (to convert it: {command})");
    }
    if detection.read_as() == wanted.encoding && detection.options().is_empty() {
        // The text needs no conversion, and only --fix knows what else is wrong with it.
        let least = format!("--min-confidence {}", detection.confidence);
        let command = command(&["--fix".to_owned(), least], 0, Some(path));
        return format!("{} (to fix it: {command})", detection.ranking());
    }
    let options = match detection.options() {
        fallback if !fallback.is_empty() => fallback,
        _ => Repair::from(detection.read_as()).options(),
    };
    let command = command_with(options);
    format!("{} (to convert it: {command})", detection.ranking())
}

/// Returns what the detected encoding does not explain in a file.
fn unexplained(detection: &Detection, examined: &ExaminedFile) -> Option<String> {
    if detection.evidence == Evidence::Lines {
        return None;
    }
    match detection.others {
        Some(Others { cut: cut @ 1.., .. }) => {
            let verb = if cut == 1 { "was" } else { "were" };
            Some(format!("{} {verb} cut off", counted(cut, "character")))
        }
        Some(Others { strays: strays @ 1.., fallback: None, .. }) => {
            let verb = if strays == 1 { "fits" } else { "fit" };
            Some(format!("{} {verb} no encoding for certain", counted(strays, "stray byte")))
        }
        Some(_) => None,
        None => {
            // Bytes between the units of UTF-16 are read by the repair.
            let ill_formed = examined.summary.ill_formed() - examined.summary.interrupted();
            (ill_formed > 0).then(|| counted(ill_formed, "ill-formed sequence"))
        }
    }
}
