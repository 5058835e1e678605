//! Every charset: text that is decoded and encoded without findings decodes to the same characters again. The direct
//! paths to and from UTF-8 give the same result as the path through code points.
#![no_main]

use arbitrary::Unstructured;
use libfuzzer_sys::{Corpus, fuzz_target};
use oxiconv::{ByteOrder, Conversion, Encoding, MarkMode, OnIllFormed, OnUnmappable, Options};
use oxiconv_encodings::encoding::Mark;
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
    options.build(from, to).expect("the options are compatible")
}

/// Returns options that keep U+FEFF at the start if it is a character.
fn strict() -> Options {
    Options::new().marks(MarkMode::Keep)
}

fn lossy() -> Options {
    strict().on_ill_formed(OnIllFormed::Replace).on_unmappable(OnUnmappable::Escape)
}

fn is_clean(outcome: &Outcome) -> bool {
    matches!(outcome.end, End::Done(_)) && outcome.collector.findings.is_empty()
}

/// Returns the encoding that reads what `encoding` writes without a byte order mark.
fn scheme(encoding: &'static Encoding) -> &'static Encoding {
    encoding.in_order(ByteOrder::Big)
}

/// Returns whether an encoding may read back another text than it wrote. Encodings with escapes do, because escapes are
/// text too, and so do those that compose letters and marks. ISCII reads the second of two viramas as U+200C.
fn changes_text(encoding: &Encoding) -> bool {
    ["C99", "JAVA", "C-ESCAPES", "XML", "HTML", "UTF8-MAC", "TSCII"].contains(&encoding.name())
        || encoding.structure().is_some_and(|structure| structure.contains("compos"))
        || encoding.name().starts_with("x-iscii")
        || ["windows-1255", "windows-1258"].contains(&encoding.name())
}

/// Encodes UTF-8 and decodes the result.
fn encode_first(encoding: &'static Encoding, text: &[u8]) {
    let encoding = scheme(encoding);
    both_paths(&build(Encoding::UTF_8, encoding, lossy()), text);
    let encoded = both_paths(&build(Encoding::UTF_8, encoding, strict()), text);
    if is_clean(&encoded) {
        same_again(encoding, text, &encoded.output);
    }
}

/// Decodes bytes, encodes the text, and decodes it again.
fn decode_first(encoding: &'static Encoding, bytes: &[u8]) {
    let encoding = scheme(encoding);
    both_paths(&build(encoding, Encoding::UTF_8, lossy()), bytes);
    let decoded = both_paths(&build(encoding, Encoding::UTF_8, strict()), bytes);
    if !is_clean(&decoded) {
        return;
    }
    let encoded = whole(&build(Encoding::UTF_8, encoding, strict()), &decoded.output);
    if is_clean(&encoded) {
        same_again(encoding, &decoded.output, &encoded.output);
    }
}

/// Checks that `encoded` decodes to `text`, from which it was encoded without findings.
///
/// Published tables have one-way entries, which write a character as the code of another one. Then the text must decode
/// to what its characters decode to one by one.
fn same_again(encoding: &'static Encoding, text: &[u8], encoded: &[u8]) {
    let decoded = whole(&build(encoding, Encoding::UTF_8, strict()), encoded);
    if changes_text(encoding) || is_clean(&decoded) && decoded.output == text {
        return;
    }
    let what = || format!("{encoding} of {}: {}", text.escape_ascii(), encoded.escape_ascii());
    assert!(encoding.mark == Mark::None, "{}, then {decoded:?}", what());
    let alone = |c: char| {
        let encode = build(Encoding::UTF_8, encoding, strict());
        let encoded = whole(&encode, c.encode_utf8(&mut [0; 4]).as_bytes());
        whole(&build(encoding, Encoding::UTF_8, strict()), &encoded.output).output
    };
    let text = std::str::from_utf8(text).expect("encoded text is UTF-8");
    let expected: Vec<u8> = text.chars().flat_map(alone).collect();
    assert!(is_clean(&decoded) && decoded.output == expected, "{}, then {decoded:?}", what());
}

/// Converts on the fast path and through code points, and returns the result. A conversion that reports each character
/// has no fast path.
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
    // These pieces are too short for any fast path.
    let cuts: Vec<_> = (1..text.len()).step_by(7).collect();
    let short = from_source(conversion, &mut Cut::new(text, &cuts, true));
    assert!(fast == short, "{}\n{fast:?}\n{short:?}", what());
    fast
}
