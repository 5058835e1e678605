//! Untrusted files other than text to convert: a repository's configuration, baselines, manifests, lists of names,
//! findings to merge, and compressed input.
#![no_main]

use std::io::Read;
use std::path::Path;

use arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use oxiconv::Decompressed;
use oxiconv::cli::untrusted::{
    baseline, changed_names, defaults, manifest, merged, name_list, rules,
};
use oxiconv_fuzz::outcome::{Pieces, pieces};

/// Configuration files, and paths that their rules may match.
const RULES: [&str; 3] = [".editorconfig", ".gitattributes", "oxiconv.toml"];
const PATHS: [&str; 4] = ["a.txt", "src/a.txt", "src/[b]{1,2}/é.csv", "*"];

fuzz_target!(|data: &[u8]| {
    let _ = choose(&mut Unstructured::new(data));
});

fn choose(u: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let kind = u.choose_index(8)?;
    let bytes = u.peek_bytes(u.len()).unwrap_or_default();
    match kind {
        0..3 => {
            for path in PATHS {
                let read = rules(RULES[kind], bytes, Path::new(path));
                assert_eq!(rules(RULES[kind], bytes, Path::new(path)), read, "not repeatable");
            }
            if let (2, Ok(text)) = (kind, std::str::from_utf8(bytes)) {
                let _ = defaults(text);
            }
        }
        3 => {
            if let Ok(written) = baseline(bytes) {
                assert_eq!(
                    baseline(&written).as_ref(),
                    Ok(&written),
                    "a baseline does not round-trip"
                );
            }
        }
        4 => {
            let _ = manifest(bytes);
        }
        5 => {
            let _ = changed_names(bytes);
            let _ = name_list(bytes);
        }
        6 => {
            let documents: Vec<_> = bytes.split(|byte| *byte == 0).collect();
            let _ = merged(&documents);
        }
        _ => decompress(bytes),
    }
    Ok(())
}

/// Compressed data gives the same text or the same error, in whatever pieces it is read. Only the amount of text before
/// an error may differ, because it depends on the decoder's buffers.
fn decompress(data: &[u8]) {
    const MOST: u64 = 1 << 20;
    let read = |cuts: &[usize]| {
        let mut text = Vec::new();
        let decompressed = Decompressed::new(Pieces::new(pieces(data, cuts)));
        let result = decompressed.take(MOST).read_to_end(&mut text);
        (text, result.map_err(|error| error.to_string()))
    };
    let whole = read(&[]);
    let cuts: Vec<_> = (1..data.len()).collect();
    let pieces = read(&cuts);
    let what =
        || format!("{} and {} bytes of {}", whole.0.len(), pieces.0.len(), data.escape_ascii());
    match (&whole.1, &pieces.1) {
        (Err(fault), Err(other)) => {
            assert_eq!(fault, other, "{}", what());
            assert!(whole.0.starts_with(&pieces.0) || pieces.0.starts_with(&whole.0), "{}", what());
        }
        // The text was limited to `MOST`, so the rest of it, and any error there, is unknown.
        _ if whole.0.len() as u64 == MOST || pieces.0.len() as u64 == MOST => {}
        _ => assert!(whole == pieces, "{}", what()),
    }
}
