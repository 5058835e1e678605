//! How the text is divided into pieces must not matter, for any bytes, any pair of encodings and any options. The
//! output, the findings, and the summary or the error are the same as for the text in one piece. The same holds for a
//! text that is converted in shards.
#![no_main]

use arbitrary::Unstructured;
use libfuzzer_sys::{Corpus, fuzz_target};
use oxiconv_fuzz::choices::{Chosen, cuts, input_encoding, options, target};
use oxiconv_fuzz::outcome::{every_way, in_shards};

fuzz_target!(|data: &[u8]| -> Corpus {
    match convert(&mut Unstructured::new(data)) {
        Ok(true) => Corpus::Keep,
        _ => Corpus::Reject,
    }
});

/// Returns whether the options can be combined. If not, nothing is converted and the input is not kept in the corpus.
fn convert(u: &mut Unstructured<'_>) -> arbitrary::Result<bool> {
    let (from, to) = (input_encoding(u)?, target(u)?);
    let Chosen { options, can_be_cut } = options(u)?;
    let (cuts, text) = cuts(u)?;
    let Ok(conversion) = options.build(from, to) else { return Ok(false) };
    let whole = every_way(&conversion, text, &cuts);
    if can_be_cut {
        in_shards(&conversion, text, &cuts, &whole);
    }
    Ok(true)
}
