//! Detects the encoding of the names in one directory tree. They are joined to one text, since a single name is too
//! short.

use oxiconv_detect::detection::{Detection, Detector, Evidence};
use oxiconv_transcode::{Conversion, InputEncoding, OnMojibake, OptionsError};

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

/// Describes an encoding that is too uncertain: the candidates, and what to do.
pub(super) fn unknown(detection: &Detection) -> String {
    if detection.evidence == Evidence::Binary {
        return "their bytes do not look like text".to_owned();
    }
    let first = detection.encoding.name();
    format!("{} (name it with -f; --force uses {first})", detection.ranking())
}
