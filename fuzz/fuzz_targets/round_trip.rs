//! Every charset: what is decoded and encoded without a finding is decoded to the same characters again; and the direct
//! paths to and from UTF-8 give what the path through code points gives.
#![no_main]

use arbitrary::Unstructured;
use libfuzzer_sys::{Corpus, fuzz_target};
use oxiconv::{ByteOrder, Conversion, Encoding, MarkMode, OnIllFormed, OnUnmappable, Options};
use oxiconv_fuzz::choices::{coded, encodings};
use oxiconv_fuzz::outcome::{Cut, End, Outcome, from_source, whole};

fuzz_target!(|data: &[u8]| -> Corpus {
    match round_trip(&mut Unstructured::new(data)) {
        Ok(true) => Corpus::Keep,
        _ => Corpus::Reject,
    }
});

fn round_trip(u: &mut Unstructured<'_>) -> arbitrary::Result<bool> {
    let is_coded = *u.choose(&[false, true])?;
    let encoding = *u.choose(if is_coded { coded() } else { encodings() })?;
    let from_text = *u.choose(&[false, true])?;
    let text = u.peek_bytes(u.len()).unwrap_or_default();
    if from_text {
        encode_first(encoding, text)
    } else {
        decode_first(encoding, text)
    }
    Ok(true)
}

fn build(from: &'static Encoding, to: &'static Encoding, options: Options) -> Conversion {
    options.build(from, to).expect("options that go together")
}

/// Options under which U+FEFF at the start is kept if it is a character.
fn strict() -> Options {
    Options::new().marks(MarkMode::Keep)
}

fn lossy() -> Options {
    strict().on_ill_formed(OnIllFormed::Replace).on_unmappable(OnUnmappable::Escape)
}

fn is_clean(outcome: &Outcome) -> bool {
    matches!(outcome.end, End::Done(_)) && outcome.collector.findings.is_empty()
}

/// Returns the encoding that reads what is written in this one without a mark.
fn scheme(encoding: &'static Encoding) -> &'static Encoding {
    encoding.in_order(ByteOrder::Big)
}

/// Encodings in which a text is not read back as it was: those with escapes, which are text too, and one that composes
/// letters and marks.
const CHANGED: [&str; 6] = ["C99", "JAVA", "C-ESCAPES", "XML", "HTML", "UTF8-MAC"];

/// Encodes UTF-8, and decodes what it became.
fn encode_first(encoding: &'static Encoding, text: &[u8]) {
    let encoding = scheme(encoding);
    both_paths(&build(Encoding::UTF_8, encoding, lossy()), text);
    let encoded = both_paths(&build(Encoding::UTF_8, encoding, strict()), text);
    if !is_clean(&encoded) || CHANGED.contains(&encoding.name()) {
        return;
    }
    let decoded = whole(&build(encoding, Encoding::UTF_8, strict()), &encoded.output);
    assert!(
        is_clean(&decoded) && decoded.output == text,
        "{encoding} of {}: {}, and back: {decoded:?}",
        text.escape_ascii(),
        encoded.output.escape_ascii(),
    );
}

/// Decodes bytes; encodes the text and decodes it again.
fn decode_first(encoding: &'static Encoding, bytes: &[u8]) {
    let encoding = scheme(encoding);
    both_paths(&build(encoding, Encoding::UTF_8, lossy()), bytes);
    let decoded = both_paths(&build(encoding, Encoding::UTF_8, strict()), bytes);
    if !is_clean(&decoded) {
        return;
    }
    let encoded = whole(&build(Encoding::UTF_8, encoding, strict()), &decoded.output);
    if !is_clean(&encoded) || CHANGED.contains(&encoding.name()) {
        return;
    }
    let again = whole(&build(encoding, Encoding::UTF_8, strict()), &encoded.output);
    assert!(
        is_clean(&again) && again.output == decoded.output,
        "{encoding} of {}: {}, then {}, then {again:?}",
        bytes.escape_ascii(),
        decoded.output.escape_ascii(),
        encoded.output.escape_ascii(),
    );
}

/// Converts by the fast path, and through code points: a conversion that looks at each character has no other path.
fn both_paths(conversion: &Conversion, text: &[u8]) -> Outcome {
    let fast = whole(conversion, text);
    let each = conversion.options().clone().detail(oxiconv::Detail::Characters);
    let (oxiconv::InputEncoding::Named(from), Some(to)) = (conversion.from(), conversion.to())
    else {
        panic!("named");
    };
    let mut slow = whole(&build(from, to, each), text);
    slow.collector.characters.clear();
    let what = || format!("{conversion:?} of {}", text.escape_ascii());
    assert!(fast.output == slow.output && fast.end == slow.end, "{}\n{fast:?}\n{slow:?}", what());
    assert!(fast.collector.findings == slow.collector.findings, "{}\n{fast:?}\n{slow:?}", what());
    // In pieces that are too short for any fast path.
    let cuts: Vec<_> = (1..text.len()).step_by(7).collect();
    let short = from_source(conversion, &mut Cut::new(text, &cuts, true));
    assert!(fast == short, "{}\n{fast:?}\n{short:?}", what());
    fast
}
