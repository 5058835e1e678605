//! Detects the encoding of the names in one directory tree. They are joined to one text, since a single name is too
//! short.

use oxiconv_detect::detection::{Detection, Detector, Evidence, RunnerUp};
use oxiconv_report::visible;
use oxiconv_transcode::{Conversion, InputEncoding, OnMojibake, OptionsError, decode_lossy};

pub(super) struct TreeEncoding {
    pub(super) detection: Detection,
    /// The conversion of the names; `None` if their encoding cannot be told.
    pub(super) conversion: Option<Conversion>,
}

/// Detects the encoding of names that are not UTF-8, as one text with a name on each line.
pub(super) fn judge<'a>(
    names: impl Iterator<Item = &'a [u8]>,
    detector: Detector,
    asked: &Conversion,
    force: bool,
) -> Result<TreeEncoding, OptionsError> {
    let mut text = Vec::new();
    for name in names {
        text.extend_from_slice(name);
        text.push(b'\n');
    }
    // A name such as `charset=koi8-r` declares nothing.
    let detection = detector.ignore_declarations().detect(&text);
    let encoding = detection.read_as();
    let is_known = (detection.is_enough() || force)
        && detection.evidence != Evidence::Binary
        && encoding.unit() == 1;
    let conversion = is_known.then(|| {
        // --repair undoes text that became UTF-8 by a wrong conversion. These names are not UTF-8.
        let options = asked.options().clone().on_mojibake(OnMojibake::Ignore);
        options.build(encoding, asked.to())
    });
    Ok(TreeEncoding { conversion: conversion.transpose()?, detection })
}

pub(super) fn detector(asked: &Conversion) -> Option<Detector> {
    match asked.from() {
        InputEncoding::Detected(detector) => Some(detector),
        _ => None,
    }
}

/// Returns a line for each candidate, with the name as it would read it: what a user compares who knows the name.
pub(super) fn readings(detection: &Detection, name: &[u8]) -> Vec<String> {
    let all = || std::iter::once(detection.first()).chain(detection.runners_up.iter().copied());
    let width = all().map(|it| it.encoding.name().len()).max().unwrap_or(0);
    let line = |RunnerUp { encoding, confidence, .. }: RunnerUp| {
        let read = visible(&decode_lossy(name, encoding));
        format!("  {:width$}  {confidence:>2} %  {read}", encoding.name())
    };
    let is_text = detection.evidence != Evidence::Binary;
    all().filter(|it| is_text && it.confidence > 0).map(line).collect()
}

/// Describes an encoding that is too uncertain: the candidates, and what to do.
pub(super) fn unknown(detection: &Detection) -> String {
    if detection.evidence == Evidence::Binary {
        return "their bytes do not look like text".to_owned();
    }
    let first = detection.encoding.name();
    format!("{} (name it with -f; --force uses {first})", detection.ranking())
}
