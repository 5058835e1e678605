//! Text that is cut for shards. In every encoding that allows it, the output and the findings of the pieces, each
//! converted separately, add up to those of the whole, wherever the cuts are.

use std::sync::{Arc, OnceLock};

use crate::sample;
use crate::support::{Collector, Cut, Found, Random, convert, encoding};
use oxiconv_encodings::encoding::{Encoding, SplitRule};
use oxiconv_transcode::{
    Conversion, Cuts, HEAD, MARGIN, OnIllFormed, OnUnmappable, Options, TextPiece, Transcoder,
};

/// Converts `text` in `of` pieces of about the same length, and joins the results. Returns `None` if there is no place
/// for a cut near a border.
fn in_pieces(conversion: &Conversion, text: &[u8], of: usize) -> Option<(Vec<u8>, Vec<Found>)> {
    let size = text.len() as u64;
    let cuts = Cuts::new(conversion, Some(&text[..text.len().min(HEAD)])).unwrap();
    let cut = |k: usize| {
        let border = text.len() * k / of;
        match border {
            0 => Some(0),
            border if border == text.len() => Some(size),
            border => cuts.cut(border as u64, &text[border..text.len().min(border + MARGIN)], size),
        }
    };
    let (mut joined, mut found) = (Vec::new(), Vec::new());
    let (mut line, mut column) = (0, 0);
    for k in 0..of {
        let (start, end) = (cut(k)?, cut(k + 1)?);
        let (mut output, mut collector) = (Vec::new(), Collector::default());
        let mut transcoder = Transcoder::new(conversion, &mut output);
        if k > 0 {
            transcoder.go_on();
        }
        let known = Arc::new(OnceLock::from(end));
        let piece = TextPiece { encoding: cuts.encoding(), start, end: known, size };
        let mut source = Cut::new(&text[start as usize..end as usize], &[], false);
        let summary = transcoder.piece(&mut source, &mut collector, &piece).unwrap();
        transcoder.finish().unwrap();
        assert_eq!(summary.bytes_read, end - start);
        joined.extend(output);
        found.extend(collector.found.into_iter().map(|found| Found {
            line: found.line + line,
            column: found.column + if found.line == 1 { column } else { 0 },
            ..found
        }));
        let extent = summary.extent.as_ref().unwrap();
        assert_eq!((extent.range.clone(), extent.size), (start..end, size));
        line += extent.lines;
        column = extent.column - 1 + if extent.lines == 0 { column } else { 0 };
    }
    Some((joined, found))
}

fn lenient(from: &'static Encoding, to: &'static Encoding) -> Conversion {
    Options::new()
        .on_ill_formed(OnIllFormed::Escape)
        .on_unmappable(OnUnmappable::Replace)
        .build(from, to)
        .unwrap()
}

/// Returns random text with lines of `line` characters on average, and up to three random bytes in it.
fn text(of: &'static Encoding, random: &mut Random, line: usize) -> Vec<u8> {
    const MOST: [u32; 4] = [0x7F, 0x17F, 0xFFFF, 0x10_FFFF];
    let most = random.pick(&MOST);
    let mut characters = String::new();
    for _ in 0..200 {
        characters.push(random.scalar(most));
        if random.below(line) == 0 {
            characters.push_str(random.pick(&["\n", "\r\n", "\n\n"]));
        }
    }
    let conversion =
        Options::new().on_unmappable(OnUnmappable::Skip).build(encoding("UTF-8"), of).unwrap();
    let mut bytes = convert(&conversion, characters.as_bytes()).output;
    for _ in 0..random.below(4) {
        if !bytes.is_empty() {
            let at = random.below(bytes.len());
            bytes[at] = random.number() as u8;
        }
    }
    bytes
}

fn is_cut(encoding: &'static Encoding) -> bool {
    let conversion = lenient(encoding, encoding);
    Cuts::new(&conversion, Some(b"")).is_ok()
}

#[test]
fn the_pieces_of_a_text_in_any_encoding_make_the_whole() {
    let utf8 = encoding("UTF-8");
    let (mut compared, mut encodings) = (0, 0);
    for (number, of) in sample::every(4, Encoding::all().filter(|it| is_cut(it)).enumerate()) {
        let mut random = Random(number as u64 + 1);
        encodings += 1;
        for line in [20, 1_000_000] {
            let text = text(of, &mut random, line);
            // From the encoding to UTF-8, and the result back.
            for (conversion, text) in [
                (lenient(of, utf8), &text),
                (lenient(utf8, of), &convert(&lenient(of, utf8), &text).output),
            ] {
                let whole = convert(&conversion, text);
                for pieces in [2, 5] {
                    let Some((joined, found)) = in_pieces(&conversion, text, pieces) else {
                        continue;
                    };
                    let what = || format!("{of} in {pieces} pieces: {}", text.escape_ascii());
                    assert_eq!(joined, whole.output, "{}", what());
                    assert_eq!(found, whole.found, "{}", what());
                    compared += 1;
                }
            }
        }
    }
    assert!(encodings > 125 && compared > 6 * encodings, "{compared} of {encodings}");
}

#[test]
fn what_can_be_cut_is_what_the_registry_says() {
    for of in Encoding::all() {
        let schemes = ["UTF-16BE", "UTF-32BE", "UCS-2BE", "UCS-4BE"].map(encoding);
        let scheme = schemes.into_iter().find(|it| it.unmarked() == of).unwrap_or(of);
        assert_eq!(is_cut(of), scheme.split != SplitRule::Never, "{of}");
    }
    for (name, expected) in [
        ("UTF-8", true),
        ("UTF-16", true),
        ("CP932", true),
        ("GB18030", true),
        ("IBM1047", true),
        ("CESU-8", true),
        ("UTF-7", true),
        ("HZ", true),
        ("ISO-2022-JP", false),
        ("SCSU", false),
        ("IBM930", false),
        // UTF-7-IMAP writes line feeds in base64.
        ("UTF-7-IMAP", false),
    ] {
        assert_eq!(is_cut(encoding(name)), expected, "{name}");
    }
}
