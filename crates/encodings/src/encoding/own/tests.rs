//! Tests of the errors and their lines. tests/tables.rs tests the encodings that come out.

use super::*;

fn error(table: &str) -> String {
    match Encoding::from_table("mine", table.as_bytes()) {
        Ok(encoding) => panic!("{encoding} is made of {table:?}"),
        Err(error) => error.to_string(),
    }
}

/// Returns the error for a line that is line 4 of a charmap, after a mapping.
fn error_of(line: &str) -> String {
    let error = error(&format!("<escape_char> /\nCHARMAP\n<U0041> /x41\n{line}\nEND CHARMAP\n"));
    error.strip_prefix("line 4: ").unwrap_or_else(|| panic!("{error}")).to_owned()
}

#[test]
fn what_is_no_mapping_is_refused_with_its_line() {
    let not_a_code = "is not a code such as /x41";
    for (line, wrong) in [
        ("U0042 /x42", "expected a character such as <U0041>, found U0042"),
        ("<U0042 /x42", "expected a character such as <U0041>, found <U0042"),
        ("<U0042>", "no code after the character"),
        ("<U0042> x42", &format!("x42 {not_a_code}")),
        ("<U0042> /x4", &format!("/x4 {not_a_code}")),
        ("<U0042> /x423", &format!("/x423 {not_a_code}")),
        ("<U0042> /xZZ", &format!("/xZZ {not_a_code}")),
        ("<U0042> /d256", &format!("/d256 {not_a_code}")),
        ("<U0042> /400", &format!("/400 {not_a_code}")),
        ("<U0042> \\x42", &format!("\\x42 {not_a_code}")),
        ("<U0042> /x42/", &format!("/x42/ {not_a_code}")),
        ("<U0042> /x01/x02/x03/x04/x05", "the code 01 02 03 04 05 has 5 bytes (at most 4)"),
        ("<U0042><U0043><U0044> /x42", "the code 42 maps to 3 characters (at most 2)"),
        ("<UD800> /x42", "<UD800> is not a Unicode scalar value"),
        ("<U00110000> /x42", "<U00110000> is not a Unicode scalar value"),
        ("<U0042> /x42 |5", "|5 is not a mapping type (|0 to |4)"),
        ("<U0042>..<U0041> /x42", "the end of the range <U0042>..<U0041> is below its start"),
        (
            "<U0042>..<A!> /x42",
            "<U0042>..<A!> is not a range of characters such as <U0041>..<U005A>",
        ),
        (
            "<U000A>...<U0010> /x42",
            "<U000A>...<U0010> is not a range of characters such as <U0041>..<U005A>",
        ),
        (
            "<U0042>..(0)..<U0044> /x42",
            "<U0042>..(0)..<U0044> is not a range of characters such as <U0041>..<U005A>",
        ),
        ("<U0042>..<U0044> /xFE", "the range needs codes with more bytes"),
        (
            "<UD7FF>..<UE000> /x42/x42",
            "the range contains U+D800, which is not a Unicode scalar value",
        ),
        (
            "<U0000>..<U10FFFF> /x00/x00/x00/x00",
            "the range contains U+D800, which is not a Unicode scalar value",
        ),
        ("<U4E00>..<U9FFF> /x00/x00", "the range needs codes with more bytes"),
        (
            "<U0042> /x41/x42",
            "the code 41 42 begins with the code 41 of line 3, so the two cannot be distinguished",
        ),
    ] {
        // The codes of a long range run out only after those of two bytes.
        let expected = if line.starts_with("<U4E00>") {
            // 5200 codes from 0000 on have two bytes: it is the code 41 that they begin with.
            "the code 41 00 begins with the code 41 of line 3, so the two cannot be distinguished"
        } else {
            wrong
        };
        assert_eq!(error_of(line), expected, "{line}");
    }
}

#[test]
fn what_is_no_table_is_refused_with_its_line() {
    let no_table = "not a charmap or UCM file: found neither <code_set_name> nor CHARMAP";
    for (table, wrong) in [
        ("", "line 1: not a charmap or UCM file: CHARMAP is missing".to_owned()),
        ("\n\n# nothing\n", "line 3: not a charmap or UCM file: CHARMAP is missing".to_owned()),
        ("Dear Sir,\n", format!("line 1: {no_table}")),
        ("{\"a\": 1}", format!("line 1: {no_table}")),
        ("<code_set_name> X\n<html>\nDear Sir\n", format!("line 3: {no_table}")),
        ("CHARMAP\n<U0041> \\x41\n", "line 2: END CHARMAP is missing".to_owned()),
        (
            "<code_set_name> X\n<U0041> \\x41\n",
            "line 2: mapping before CHARMAP".to_owned(),
        ),
        ("CHARMAP\nEND CHARMAP\n", "line 2: the table maps no character".to_owned()),
        ("CHARMAP\n<nobody> \\x41\nEND CHARMAP", "line 3: the table maps no character".to_owned()),
        (
            "<comment_char> %%\n",
            "line 1: <comment_char> must be one punctuation mark, found \"%%\"".to_owned(),
        ),
        (
            "<escape_char>\n",
            "line 1: <escape_char> must be one punctuation mark, found \"\"".to_owned(),
        ),
        (
            "<code_set_name> X\n<icu:base> \"ibm-943\"\n",
            "line 2: the table extends \"ibm-943\", which is not supported".to_owned(),
        ),
        (
            "<uconv_class> \"EBCDIC_STATEFUL\"\nCHARMAP\n<U4E00> \\x0E\\x41 |0\n",
            "line 3: the code 0E 41 is not allowed in an encoding with shifts: a code has one byte, or two in 21..FE"
                .to_owned(),
        ),
        (
            "<uconv_class> \"EBCDIC_STATEFUL\"\nCHARMAP\n<U4E00> \\x41\\x41\\x41 |0\n",
            "line 3: the code 41 41 41 is not allowed in an encoding with shifts: a code has one byte, or two in 21..FE"
                .to_owned(),
        ),
        ("CHARMAP\n<U0041>\0", "line 2: not a charmap or UCM file: found a NUL byte".to_owned()),
        ("\x7FELF\0\0", "line 1: not a charmap or UCM file: found a NUL byte".to_owned()),
    ] {
        assert_eq!(error(table), wrong, "{table:?}");
    }
    let long = format!("CHARMAP\n%{}\n", "x".repeat(5000));
    assert_eq!(error(&long), "line 2: the line is longer than 4096 bytes");
    // Even if it never ends.
    let endless = Encoding::from_table("mine", io::repeat(b'x')).unwrap_err();
    assert_eq!(endless.to_string(), "line 1: the line is longer than 4096 bytes");
}

/// Repeats its bytes endlessly. Their lines are short enough each.
struct Endless(&'static [u8], usize);

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        for byte in &mut *buffer {
            *byte = self.0[self.1 % self.0.len()];
            self.1 += 1;
        }
        Ok(buffer.len())
    }
}

#[test]
fn a_table_that_does_not_end_is_refused() {
    let error = Encoding::from_table("mine", Endless(b"# a comment of many\n", 0)).unwrap_err();
    assert!(error.to_string().ends_with(": the table is longer than 64 MiB"), "{error}");
    let start = b"CHARMAP\n<U0041> /x41\n";
    let lines = start.chain(Endless(b"<U4E00>..<U9FFF> \\x81\\x00\\x00\\x00\n", 0));
    let error = Encoding::from_table("mine", lines).unwrap_err();
    assert_eq!(error.to_string(), "line 2: /x41 is not a code such as \\x41");
    let lines = (&b"CHARMAP\n"[..]).chain(Endless(b"<U4E00>..<U9FFF> \\x81\\x00\\x00\\x00\n", 0));
    let error = Encoding::from_table("mine", lines).unwrap_err();
    assert_eq!(error.to_string(), "line 26: there are more than 524288 mappings");
}

#[test]
fn an_error_of_the_reader_is_passed_on() {
    struct FailingReader;
    impl Read for FailingReader {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }
    let error = Encoding::from_table("mine", FailingReader).unwrap_err();
    assert!(matches!(error, TableError::Read(_)), "{error}");
    assert_eq!(error.to_string(), "the disk is gone");
}

#[test]
fn what_is_known_of_it_is_what_the_table_says() {
    let table = "<code_set_name> \"X-MINE\"\n<uconv_class> \"SBCS\"\nCHARMAP\n<U0041> \\x41 |0\nEND CHARMAP\n";
    let mine = Encoding::from_table("./mine.ucm", table.as_bytes()).unwrap();
    assert_eq!((mine.name(), mine.source()), ("./mine.ucm", "./mine.ucm"));
    assert_eq!(mine.summary(), "X-MINE, a UCM file");
    assert_eq!((mine.structure(), mine.year()), (Some("one byte"), None));
    assert!(mine.is_single_byte() && mine.aliases().next().is_none());
    let again = Encoding::from_table("./mine.ucm", table.as_bytes()).unwrap();
    assert_ne!(mine, again, "each call makes one");
}
