use super::*;
use oxiconv_encodings::encoding::Encoding;

fn units(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// Returns the offsets of the interruptions of a text that arrives in pieces of this size, and the incomplete bytes
/// at its end.
fn found(text: &[u8], piece: usize) -> (Vec<u64>, usize) {
    let units = WideUnits::of(Encoding::UTF_16LE).unwrap();
    let mut search = InterruptionSearch::new(units, 2);
    let mut found = Vec::new();
    for piece in text.chunks(piece) {
        search.look(piece, false, |at, _, _| found.push(at));
    }
    search.look(b"", true, |at, _, _| found.push(at));
    (found, search.incomplete())
}

#[test]
fn no_split_of_a_text_changes_what_is_found() {
    let lines = units(&"Þáttarar fyrir alla\r\n".repeat(40));
    let mark = &b"\xFF\xFE"[..];
    let narrow = &b"text in single bytes\r\n"[..];
    let [one, two] = [lines.len() + 2, 2 * lines.len() + narrow.len() + 2].map(|at| at as u64);
    // A line end that was converted byte by byte.
    let changed = units("ok\n");
    let changed = [&changed[..4], b"\r\n\0"].concat();
    for (parts, expected) in [
        (vec![mark, &lines], (vec![], 0)),
        (vec![mark, &lines, narrow], (vec![one], 0)),
        (vec![mark, &lines, narrow, &lines, narrow], (vec![one, two], 0)),
        (vec![mark, &changed, &lines], (vec![6], 0)),
        (vec![mark, &lines, b"a"], (vec![], 1)),
        (vec![mark], (vec![], 0)),
    ] {
        let text = parts.concat();
        for piece in [1, 2, 7, 64, 1000, text.len()] {
            assert_eq!(found(&text, piece), expected, "{piece} {}", text.escape_ascii());
        }
    }
}
