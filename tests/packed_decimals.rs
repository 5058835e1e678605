//! Records with packed decimals (COMP-3), which a conversion to text destroys.
//!
//! The fields are written by hand from IBM's z/Architecture Principles of Operation, chapter 8: two digits a byte, and
//! the sign in the last half, C, D or F.

use crate::support::{With, convert, encoding, every_cut, strict};
use oxiconv_transcode::{Conversion, Options};

fn fixed(from: &str, bytes: u64) -> Conversion {
    strict(from, "UTF-8").with(|it| it.record_length(bytes.try_into().unwrap()))
}

/// Returns what is said of records of this length.
fn words(conversion: &Conversion, input: &[u8]) -> Vec<String> {
    let words = every_cut(conversion, input).words;
    words.into_iter().filter(|words| words.starts_with("warning")).collect()
}

const DESTROYS: &str = "converting such a field as text destroys it";

/// `01 NAME PIC X(10). 01 AMOUNT PIC S9(7)V99 COMP-3.`
#[test]
fn records_of_a_cobol_program_are_found() {
    let smith = *b"\xE2\xD4\xC9\xE3\xC8\x40\x40\x40\x40\x40";
    let brown = *b"\x82\x99\x96\xA6\x95\x40\x40\x40\x40\x40";
    let record = |name: [u8; 10], amount: [u8; 5]| [&name[..], &amount].concat();
    let small = record(smith, [0x00, 0x01, 0x23, 0x45, 0x6C]);
    let negative = record(brown, [0x00, 0x00, 0x12, 0x34, 0x5D]);
    // The only byte below 40 is near the end, and the sign is no control.
    let large = record(smith, [0x98, 0x76, 0x54, 0x30, 0x1C]);
    let one = format!(
        "warning: record 1, columns 11 to 15 look like a packed decimal (00 01 23 45 6C): {DESTROYS}"
    );
    assert_eq!(words(&fixed("IBM037", 15), &small), [one]);
    let two = format!(
        "warning: record 2, columns 11 to 15 look like a packed decimal (00 01 23 45 6C), as in 1 more record: \
         {DESTROYS}"
    );
    let three = [&large[..], &small, &large, &negative].concat();
    assert_eq!(words(&fixed("IBM037", 15), &three), std::slice::from_ref(&two));
    let variable = strict("IBM1047", "UTF-8").with(Options::variable_records);
    let described: Vec<u8> =
        three.chunks(15).flat_map(|record| [b"\0\x13\0\0", record].concat()).collect();
    assert_eq!(words(&variable, &described), [two]);
    // At other columns in each record, it is no field.
    let shifted = [&small[..], &[0x40], &small, &[0x40; 3], &small].concat();
    assert_eq!(words(&fixed("IBM037", 15), &shifted), [""; 0]);
    // Other encodings are not EBCDIC, where 01 and 23 mean other things.
    assert_eq!(words(&fixed("ISO-8859-1", 15), &three), [""; 0]);
}

#[test]
fn several_fields_are_listed() {
    // 12, 345 without a sign, and a name between them.
    let record = b"\x01\x2C\xC1\xC2\x00\x34\x5F";
    let expected = format!(
        "warning: record 1, columns 1 to 2 look like a packed decimal (01 2C), as in 1 more record; so do columns 5 to \
         7: {DESTROYS}"
    );
    let two = [record.as_slice(), b"\x01\x3C\xC1\xC2\x03\x33\x4F"].concat();
    assert_eq!(words(&fixed("IBM037", 7), &two), [expected]);
}

/// What text may contain: controls, fields filled with NUL, letters and signs whose halves are digits, two-byte
/// characters between 0E and 0F, and codes for a printer at the start of each record.
#[test]
fn text_is_no_packed_decimal() {
    for record in [
        // fred(, with a tab, a line end and a form feed before it
        &b"\x86\x99\x85\x84\x4D\x05\x86\x99\x85\x84\x4D\x15\x86\x4D\x0C\x85\x84\x4D"[..],
        // (NUL) <NUL> and a number in zoned decimal
        b"\x4D\x00\x00\x00\x4C\x00\x00\x5D\x40\x5C\xF1\xF2\xC3",
        // two-byte characters whose second byte would be a sign, and the shift 0F after them
        b"\x0E\x45\x66\x45\x6C\x43\x4D\x45\x66\x0F\x40\x5D",
        // a printer's code: single spacing after printing, and a frame of asterisks
        b"\x09\x5C\x5C\x5C\x40\x5C\x09\x40\x40\x5C",
        // separators
        b"\xC1\x1C\xC2\x1D\x00\x1E\x40\x1F\x00\x1C",
        // half a byte that is no digit, and no sign, and the signs that no compiler writes
        b"\x1A\x2C\x12\x3E\x12\x3A\x12\x3B\x2B\x3C",
    ] {
        for count in [1, 5] {
            let conversion = fixed("IBM037", record.len() as u64);
            assert_eq!(words(&conversion, &record.repeat(count)), [""; 0], "{record:02X?}");
        }
    }
}

/// A field has at most 16 bytes. What precedes it may be zeros, or digits by chance.
#[test]
fn the_longest_field() {
    let number = [&[0x12; 15][..], &[0x3C]].concat();
    let expected = |columns: &str| {
        let hex = "12 ".repeat(15);
        [format!("warning: record 1, {columns} look like a packed decimal ({hex}3C): {DESTROYS}")]
    };
    assert_eq!(words(&fixed("IBM037", 16), &number), expected("columns 1 to 16"));
    let after_others = [&[0x12, 0x11, 0x40, 0x40][..], &number].concat();
    assert_eq!(words(&fixed("IBM037", 20), &after_others), expected("columns 5 to 20"));
}

/// Below 40, EBCDIC has no letters in any page. Otherwise such a letter might be taken for digits.
#[cfg(feature = "legacy")]
#[test]
fn the_bytes_that_fields_begin_with_are_controls_in_every_page() {
    let mut pages = 0;
    for page in oxiconv::Encoding::all().filter(|it| it.has_ebcdic_newlines()) {
        let conversion = crate::support::replacing(page.name(), "UTF-8");
        for byte in (0..0x40).filter(|byte| !matches!(byte, 0x0E | 0x0F)) {
            let output = convert(&conversion, &[byte]).output;
            let text = String::from_utf8(output).unwrap();
            assert!(
                text.chars().all(|c| c.is_control() || c == '\u{FFFD}'),
                "{} {byte:02X}: {text:?}",
                page.name()
            );
        }
        pages += 1;
    }
    assert!(pages > 50, "{pages}");
    assert!(!encoding("UTF-8").has_ebcdic_newlines());
}

#[cfg(feature = "cli")]
#[test]
fn files_with_packed_decimals_are_not_replaced_without_consent() {
    let dir = crate::common::Dir::new();
    let records = b"\xC1\xC2\x12\x34\x5C\xC3\x40\x00\x12\x3C".repeat(40);
    dir.write("f", &records);
    let args = ["-f", "IBM037", "--record-length", "5"];
    let what = "record 1, columns 3 to 5 look like a packed decimal (12 34 5C), as in 79 more records: converting such \
                a field as text destroys it";
    let refused = format!(
        "oxiconv: f: not converted: it has fields that are no text: {what} (--force converts it anyway)\n"
    );
    for options in [&["-i", "f"][..], &["-i", "--dry-run", "f"], &["-o", "f", "f"]] {
        let (status, out, err) = dir.run(&[&args, options].concat());
        assert_eq!((status, &*out), (1, ""), "{options:?}");
        assert!(err.starts_with(&refused), "{err}");
        assert!(dir.read("f") == records, "{options:?}");
    }
    // Where the file stays, a note is enough.
    let note = format!("oxiconv: f: {what}\n");
    for (options, lines) in [(&["--check", "f"][..], 0), (&["-O", "out", "f"], 0), (&["f"], 80)] {
        let (status, out, err) = dir.run(&[&args, options].concat());
        assert_eq!((status, &*err, out.lines().count()), (0, &*note, lines), "{options:?}");
    }
    let (status, out, err) = dir.run(&[&args[..], &["-q", "--check", "f"]].concat());
    assert_eq!((status, &*out, &*err), (0, "", ""));
    let json = dir.run(&[&args[..], &["--check", "--format", "json", "f"]].concat()).1;
    assert!(json.contains(&format!(r#""message":"{what}""#)), "{json}");
    let (status, _, err) = dir.run(&[&args[..], &["-i", "--force", "f"]].concat());
    assert_eq!((status, &*err), (0, &*note));
    assert!(dir.read("f") != records);
}
