//! Users' own tables: charmaps and UCM files. Any table that can be read makes an encoding that keeps the invariants of
//! all encodings.
#![no_main]

use std::sync::atomic::{AtomicU64, Ordering};

use libfuzzer_sys::{Corpus, fuzz_target};
use oxiconv::{Encoding, MarkMode, OnIllFormed, OnUnmappable, Options};
use oxiconv_encodings::encoding::read_table;
use oxiconv_fuzz::outcome::{End, every_way, whole};

/// One in this many tables becomes an encoding. Encodings are never freed, so the fuzzer would run out of memory if all
/// did.
const ONE_IN: u64 = 16;

fuzz_target!(|data: &[u8]| -> Corpus {
    static RUNS: AtomicU64 = AtomicU64::new(0);

    // The input is a table, and after the first NUL a text.
    let cut = data.iter().position(|byte| *byte == 0).unwrap_or(data.len());
    let (table, text) = (&data[..cut], data.get(cut + 1..).unwrap_or_default());
    let Ok(read) = read_table(table) else { return Corpus::Keep };
    drop(read);
    if RUNS.fetch_add(1, Ordering::Relaxed).is_multiple_of(ONE_IN) {
        let encoding = Encoding::from_table("own", table).expect("the table was read above");
        convert(encoding, text);
    }
    Corpus::Keep
});

fn convert(encoding: &'static Encoding, text: &[u8]) {
    let cuts: Vec<_> = (1..text.len()).step_by(3).collect();
    let build = |options: Options, from: &'static Encoding, to: &'static Encoding| {
        options.marks(MarkMode::Keep).build(from, to).expect("the options are compatible")
    };
    let lossy =
        || Options::new().on_ill_formed(OnIllFormed::Escape).on_unmappable(OnUnmappable::Skip);
    let (own, utf8) = (encoding, Encoding::UTF_8);
    every_way(&build(lossy(), own, utf8), text, &cuts);
    every_way(&build(lossy(), utf8, own), text, &cuts);
    let encoded = whole(&build(Options::new(), utf8, own), text);
    if matches!(encoded.end, End::Done(_)) {
        let decoded = whole(&build(Options::new(), own, utf8), &encoded.output);
        // The text may differ, and the conversion may stop: a UCM mapping may be for one direction only (`|1`, `|3`).
        assert!(matches!(decoded.end, End::Done(_) | End::Stopped(_)));
    }
}
