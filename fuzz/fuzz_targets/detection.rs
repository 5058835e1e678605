//! Detection and repair. The result does not depend on how the text arrives, a repair changes exactly what it reports,
//! and sound text is left unchanged.
#![no_main]

use std::sync::OnceLock;

use arbitrary::Unstructured;
use libfuzzer_sys::{Corpus, fuzz_target};
use oxiconv::{Conversion, Detail, Detector, Encoding, Finding, Kind, OnMojibake, Options};
use oxiconv_fuzz::choices::{cuts, detected, options, target};
use oxiconv_fuzz::outcome::{Outcome, every_way, whole};

fuzz_target!(|data: &[u8]| -> Corpus {
    match choose(&mut Unstructured::new(data)) {
        Ok(true) => Corpus::Keep,
        _ => Corpus::Reject,
    }
});

fn choose(u: &mut Unstructured<'_>) -> arbitrary::Result<bool> {
    match u.choose_index(4)? {
        0 => split(u),
        1 => repair(u),
        2 => sound(u),
        _ => detect(u),
    }
}

/// Detects and converts, with any options. The result must be the same however the input is split.
fn split(u: &mut Unstructured<'_>) -> arbitrary::Result<bool> {
    let (to, options) = (target(u)?, options(u)?.options);
    let (from, options) = detected(u, options)?;
    let (cuts, text) = cuts(u)?;
    let Ok(conversion) = options.build(from, to) else { return Ok(false) };
    every_way(&conversion, text, &cuts);
    Ok(true)
}

fn repairing(on_mojibake: OnMojibake) -> Conversion {
    let options = Options::new().on_mojibake(on_mojibake).detail(Detail::Evidence);
    options.build(Encoding::UTF_8, Encoding::UTF_8).expect("options that go together")
}

/// Repairs any text. The findings must account for every change.
fn repair(u: &mut Unstructured<'_>) -> arbitrary::Result<bool> {
    let text = String::from_utf8_lossy(u.peek_bytes(u.len()).unwrap_or_default());
    let outcome = whole(&repairing(OnMojibake::Repair), text.as_bytes());
    assert_eq!(outcome.output, changed(&text, &outcome.collector.findings), "{text:?}");
    Ok(true)
}

/// Applies the repairs that the findings report.
fn changed(text: &str, findings: &[Finding<'_>]) -> Vec<u8> {
    let (mut output, mut at) = (Vec::new(), 0);
    for finding in findings {
        assert_eq!(finding.kind, Kind::Mojibake, "{text:?} {finding:?}");
        let start = finding.offset as usize;
        let mojibake = finding.mojibake().expect("a mojibake finding");
        assert!(*finding.bytes != *mojibake.meant.as_bytes(), "{text:?} {finding:?}");
        output.extend_from_slice(&text.as_bytes()[at..start]);
        output.extend_from_slice(mojibake.meant.as_bytes());
        at = start + finding.bytes.len();
        assert_eq!(text.as_bytes()[start..at], *finding.bytes, "{text:?}");
    }
    output.extend_from_slice(&text.as_bytes()[at..]);
    output
}

/// Joins lines of sound text in many languages, in any order. The repair must not change them.
fn sound(u: &mut Unstructured<'_>) -> arbitrary::Result<bool> {
    let lines = sound_lines();
    let mut text = String::new();
    for _ in 0..32 {
        if u.is_empty() {
            break;
        }
        text.push_str(u.choose(lines)?);
        text.push_str(u.choose(&["\n", "\r\n", "\n\n"])?);
    }
    let Outcome { output, collector, .. } = whole(&repairing(OnMojibake::Repair), text.as_bytes());
    assert!(output == text.as_bytes(), "{text:?} {:?}", collector.findings);
    Ok(true)
}

/// Returns the lines of the sample texts in `tests/data/detection`.
fn sound_lines() -> &'static [String] {
    static LINES: OnceLock<Vec<String>> = OnceLock::new();
    LINES.get_or_init(|| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/detection");
        let mut paths: Vec<_> = std::fs::read_dir(folder)
            .expect("the sample texts")
            .map(|entry| entry.expect("a directory entry").path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
            .collect();
        paths.sort();
        let texts = paths.iter().map(|path| std::fs::read_to_string(path).expect("a text"));
        texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
    })
}

/// Detects the encoding of any bytes. The answer must be consistent and the same every time.
fn detect(u: &mut Unstructured<'_>) -> arbitrary::Result<bool> {
    let text = u.peek_bytes(u.len()).unwrap_or_default();
    let detection = Detector::new().detect(text);
    assert_eq!(Detector::new().detect(text), detection, "{}", text.escape_ascii());
    assert!(detection.confidence <= 100);
    assert!(detection.runners_up.len() <= 4);
    assert!(detection.runners_up.iter().all(|it| it.encoding != detection.encoding));
    assert!(!format!("{detection}").is_empty());
    Ok(true)
}
