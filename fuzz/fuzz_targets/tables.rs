//! Tables of a user's own: charmaps and UCM files. What is read is an encoding that keeps the promises of all encodings.
#![no_main]

use std::sync::atomic::{AtomicU64, Ordering};

use libfuzzer_sys::{Corpus, fuzz_target};
use oxiconv::{Encoding, MarkMode, OnIllFormed, OnUnmappable, Options};
use oxiconv_encodings::encoding::read_table;
use oxiconv_fuzz::outcome::{End, every_way, whole};

/// An encoding is never freed, so only one in this many tables becomes one.
const ONE_IN: u64 = 16;

fuzz_target!(|data: &[u8]| -> Corpus {
    static RUNS: AtomicU64 = AtomicU64::new(0);

    // The bytes after the table, if there are any, are text in it.
    let cut = data.iter().position(|byte| *byte == 0).unwrap_or(data.len());
    let (table, text) = (&data[..cut], data.get(cut + 1..).unwrap_or_default());
    let Ok(read) = read_table(table) else { return Corpus::Keep };
    drop(read);
    if RUNS.fetch_add(1, Ordering::Relaxed).is_multiple_of(ONE_IN) {
        let encoding = Encoding::from_table("own", table).expect("it was read before");
        convert(encoding, text);
    }
    Corpus::Keep
});

fn convert(encoding: &'static Encoding, text: &[u8]) {
    let cuts: Vec<_> = (1..text.len()).step_by(3).collect();
    let build = |options: Options, from: &'static Encoding, to: &'static Encoding| {
        options.marks(MarkMode::Keep).build(from, to).expect("options that go together")
    };
    let lossy =
        || Options::new().on_ill_formed(OnIllFormed::Escape).on_unmappable(OnUnmappable::Skip);
    let (own, utf8) = (encoding, Encoding::UTF_8);
    every_way(&build(lossy(), own, utf8), text, &cuts);
    every_way(&build(lossy(), utf8, own), text, &cuts);
    // What is encoded without a finding is decoded to the same text.
    let encoded = whole(&build(Options::new(), utf8, own), text);
    if matches!(encoded.end, End::Done(_)) {
        let decoded = whole(&build(Options::new(), own, utf8), &encoded.output);
        // A code may be for encoding alone (`|1`, `|3`), so it may decode to something else, but never to nothing.
        assert!(matches!(decoded.end, End::Done(_) | End::Stopped(_)));
    }
}
