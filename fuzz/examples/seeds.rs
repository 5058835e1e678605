//! Writes the handmade seeds. In `fuzz/`: `cargo run --release --example seeds`.
//!
//! A seed begins with the choices of `src/choices.rs`. If these change, or if encodings are added, the same bytes
//! choose something else, so the seeds must be written again. Seeds found by fuzzing are in the same folders, under the
//! names that libFuzzer gave them.

use std::fs;
use std::path::Path;

use oxiconv::cli::untrusted::completions;
use oxiconv::{DeniedKind, Encoding, OnUnmappable, Options, convert};
use oxiconv_fuzz::choices::{coded, encodings};

/// Characters of every length, line endings, a byte order mark, combining characters, and escapes.
const TEXT: &str = "\u{FEFF}Grüße, привет\r\n中文 かな 한국어\n\u{5D0}\u{5B8} é e\u{301} 😀\u{200D} \\u00e9 &eacute; a\0\n";
/// Ill-formed subsequences of every kind in UTF-8.
const ILL_FORMED: &[u8] =
    b"a\xC0\xAF\xE0\x80\xBF\xF4\x91\x92\x93\xED\xA0\x80\xE2\x82A\x80\r\n\xF0\x9F\x98";

fn main() -> std::io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds");
    let write = |target: &str, name: &str, bytes: &[u8]| {
        let folder = root.join(target);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(name), bytes)
    };
    conversions(&write)?;
    kernels(&write)?;
    detection(&write)?;
    words(&write)?;
    tables(&write)?;
    configuration(&write)?;
    dictionary(&Path::new(env!("CARGO_MANIFEST_DIR")).join("dictionaries/names"))
}

type Write<'a> = &'a dyn Fn(&str, &str, &[u8]) -> std::io::Result<()>;

/// Returns the bytes by which `Unstructured::choose` chooses number `index` of `len`.
fn choice(index: usize, len: usize) -> Vec<u8> {
    let bytes = (usize::BITS - (len - 1).leading_zeros()).div_ceil(8) as usize;
    index.to_be_bytes()[size_of::<usize>() - bytes..].to_vec()
}

/// Returns the bytes by which `choices::encoding` chooses `wanted`.
fn encoding(wanted: &Encoding) -> Vec<u8> {
    match coded().iter().position(|it| *it == wanted) {
        Some(index) => [choice(0, 3), choice(index, coded().len())].concat(),
        None => {
            let index = encodings().iter().position(|it| *it == wanted).expect("a known encoding");
            [choice(2, 3), choice(index, encodings().len())].concat()
        }
    }
}

fn named(name: &str) -> &'static Encoding {
    Encoding::for_name(name).expect("a known encoding")
}

/// Encodes a text, without the characters that the encoding lacks.
fn encoded(text: &str, to: &'static Encoding) -> Vec<u8> {
    let options = Options::new().on_unmappable(OnUnmappable::Skip);
    convert(text.as_bytes(), Encoding::UTF_8, to, &options).expect("nothing stops it").0
}

/// The number of choices in `choices::options`. Zero chooses the default of each.
const OPTIONS: usize = 15;

/// Returns the bytes for `choices::options`: the defaults, except for the choices with these numbers.
fn options(changed: &[(usize, &[u8])]) -> Vec<u8> {
    let of = |at| changed.iter().find(|(place, _)| *place == at).map_or(&[0][..], |(_, it)| it);
    (0..OPTIONS).flat_map(|at| of(at).to_vec()).collect()
}

/// Seeds of `choices::cuts`: a cut after every byte, and a few cuts.
const CUTS: [[u8; 4]; 2] = [[0; 4], [7, 1, 2, 3]];

fn conversions(write: Write<'_>) -> std::io::Result<()> {
    let (from_utf8, to_utf8) = (choice(0, 4), choice(0, 8));
    let from = |it: &Encoding| [choice(1, 4), encoding(it)].concat();
    let to = |it: &Encoding| [choice(2, 8), encoding(it)].concat();
    let replacing: [(usize, &[u8]); 2] = [(0, &[1]), (1, &[1])];
    for it in [
        "UTF-16",
        "UTF-32BE",
        "UCS-2",
        "UTF-7",
        "UTF-7-IMAP",
        "SCSU",
        "BOCU-1",
        "UTF-EBCDIC",
        "CESU-8",
        "WTF-8",
        "WTF-16LE",
        "UTF-8-65BIT",
        "UTF-8-HUNK9",
        "GB18030",
        "ISO-2022-JP",
        "ISO-2022-KR",
        "HZ",
        "TSCII",
        "windows-1252",
        "SHIFT_JIS",
        "EUC-TW",
        "IBM1047",
        "IBM930",
        "BIG5-HKSCS",
        "JOHAB",
        "windows-1258",
        "C99",
        "JAVA",
        "HTML",
        "UTF-8-MAC",
    ] {
        let Ok(it) = Encoding::for_name(it) else { continue };
        let name = it.name().to_lowercase();
        let text = encoded(TEXT, it);
        let decode = [&from(it)[..], &to_utf8, &options(&replacing), &CUTS[0], &text].concat();
        write("convert", &format!("from-{name}"), &decode)?;
        let encode =
            [&from_utf8[..], &to(it), &options(&replacing), &CUTS[1], TEXT.as_bytes()].concat();
        write("convert", &format!("to-{name}"), &encode)?;
        let is_coded = coded().contains(&it);
        let all = if is_coded { coded() } else { encodings() };
        let index = all.iter().position(|other| *other == it).expect("a known encoding");
        let chosen = [choice(is_coded.into(), 2), choice(index, all.len())].concat();
        write(
            "round_trip",
            &format!("from-{name}"),
            &[&chosen[..], &choice(0, 2), &text].concat(),
        )?;
        let long = TEXT.repeat(3);
        let long = [&chosen[..], &choice(1, 2), long.as_bytes()].concat();
        write("round_trip", &format!("to-{name}"), &long)?;
    }
    let denied = u32::MAX >> (32 - DeniedKind::ALL.len());
    let denied = [&[1][..], &denied.to_le_bytes(), &[0]].concat();
    let fallback = [&[1][..], &encoding(named("windows-1252"))].concat();
    let latin1 = to(Encoding::ISO_8859_1);
    for (name, to, changed) in [
        ("strict", &to_utf8, vec![]),
        ("check", &choice(1, 8), vec![(5, &denied[..])]),
        ("replace", &latin1, replacing.to_vec()),
        ("skip", &latin1, vec![(0, &[2][..]), (1, &[2])]),
        ("escape", &latin1, vec![(0, &[3]), (1, &[3])]),
        ("references", &latin1, vec![(0, &[4]), (1, &[4])]),
        ("add-mark", &to(Encoding::UTF_16), vec![(2, &[1, 2])]),
        ("fallback", &to_utf8, vec![(0, &[1]), (3, &fallback)]),
        ("nfc", &to_utf8, vec![(0, &[1]), (4, &[1, 0])]),
        ("nfkd", &to_utf8, vec![(0, &[1]), (4, &[1, 3])]),
        ("transliterate", &to(Encoding::US_ASCII), vec![(0, &[1]), (1, &[1]), (6, &[1, 1])]),
        ("records", &to_utf8, vec![(0, &[1]), (7, &[1, 12, 1])]),
        ("crlf", &to_utf8, vec![(0, &[1]), (8, &[1, 1, 1])]),
        ("newline", &to_utf8, vec![(0, &[1]), (9, &[1, 0, 1])]),
        ("context", &to_utf8, vec![(0, &[1]), (11, &[1, 0])]),
        ("characters", &to_utf8, vec![(0, &[1]), (11, &[1, 1])]),
    ] {
        let text = [TEXT.as_bytes(), ILL_FORMED, TEXT.as_bytes()].concat();
        let seed = [&from_utf8[..], to, &options(&changed), &CUTS[1], &text].concat();
        write("convert", name, &seed)?;
    }
    let declared = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a>\xC3\xA9</a>\n";
    let update: [(usize, &[u8]); 1] = [(10, &[1, 1])];
    let seed = [&from_utf8[..], &latin1, &options(&update), &CUTS[0], declared].concat();
    write("convert", "declaration", &seed)?;
    Ok(())
}

fn kernels(write: Write<'_>) -> std::io::Result<()> {
    let forms = ["US-ASCII", "ISO-8859-1", "UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"];
    for (index, name) in forms.into_iter().enumerate() {
        let text = encoded(&TEXT.repeat(6), named(name));
        for (kind, room, undefined) in [("all", 0_u16, 0x80), ("part", 77, 0x41)] {
            let choices = [&choice(index, 7)[..], &room.to_le_bytes(), &[0, undefined]].concat();
            let file = format!("{}-{kind}", name.to_lowercase());
            write("kernels", &file, &[choices, text.clone()].concat())?;
        }
    }
    let seed = [&choice(2, 7)[..], &[0, 0, 0, 0], &ILL_FORMED.repeat(12)].concat();
    write("kernels", "ill-formed", &seed)
}

fn detection(write: Write<'_>) -> std::io::Result<()> {
    let texts = [
        ("russian", "windows-1251", "Все люди рождаются свободными и равными.\n"),
        ("german", "ISO-8859-1", "Größe und Höhe über der Straße, schön.\n"),
        ("japanese", "SHIFT_JIS", "すべての人間は、生まれながらにして自由。\n"),
        ("wide", "UTF-16LE", "Все люди рождаются\n"),
        ("escapes", "ISO-2022-JP", "すべての人間は\n"),
        ("utf-7", "UTF-7", "Größe und Höhe\n"),
        ("ebcdic", "IBM273", "Größe und Höhe über der Straße\n"),
    ];
    for (name, it, text) in texts {
        let bytes = encoded(text, named(it));
        // The first three of `choices::detected`: the encoding of the text, of each line, and of stray parts.
        for kind in 0..3 {
            let choices = [&choice(0, 4)[..], &choice(0, 8), &options(&[(0, &[1])])].concat();
            let detector: &[u8] = if kind == 2 { &[] } else { &[0, 0] };
            let mixed = [&bytes[..], text.as_bytes(), &bytes].concat();
            let seed = [&choices[..], &choice(kind, 5), detector, &CUTS[1], &mixed].concat();
            write("detection", &format!("{name}-{kind}"), &seed)?;
        }
        write("detection", &format!("{name}-detect"), &[&choice(3, 4)[..], &bytes].concat())?;
    }
    for (name, text) in [
        ("accents", "dÃ©jÃ\u{A0} vu, CafÃ© crÃ¨me â€œxâ€\u{9D}\n"),
        ("cyrillic", "Ð¿Ñ€Ð¸Ð²ÐµÑ‚, Ïðèâåò ìèð\n"),
        ("twice", "dÃƒÂ©jÃƒÂ  vu\n"),
        ("sound", "NESTLÉ®, 4288×…, SELKÄ EDELLÄ\n"),
    ] {
        write("detection", name, &[&choice(1, 4)[..], text.as_bytes()].concat())?;
        let choices = [&choice(0, 4)[..], &choice(0, 8), &options(&[]), &choice(3, 5)].concat();
        let seed = [&choices[..], &CUTS[1], text.as_bytes()].concat();
        write("detection", &format!("{name}-split"), &seed)?;
    }
    write("detection", "lines", &[&choice(2, 4)[..], &[1, 2, 0, 0, 200, 1, 3, 7, 2]].concat())
}

fn words(write: Write<'_>) -> std::io::Result<()> {
    let all: [(&str, usize, &[&str]); 16] = [
        ("plain", 0, &["utf-8"]),
        ("vendor", 0, &["SHIFT_JIS@windows"]),
        ("suffixes", 0, &["ISO-10646/UCS4//TRANSLIT//IGNORE"]),
        ("blanks", 0, &["ISO 8859-1 "]),
        ("language", 1, &["zh-Hant"]),
        ("locale", 1, &["uz_UZ.UTF-8@cyrillic"]),
        ("format", 1, &["<%04x>%%"]),
        ("convert", 2, &["-f", "latin1", "-t", "utf-16//TRANSLIT", "-e", "replace", "a.txt"]),
        ("in-place", 2, &["-i.bak", "--repair=ask", "-r", "--include", "*.csv", "."]),
        (
            "check",
            2,
            &["--check", "--explain", "--deny", "bidi,nul", "--format=json", "--shard", "2/3"],
        ),
        (
            "records",
            2,
            &["--record-length=80", "--trim-records", "--newline=crlf", "-j", "4", "-vv"],
        ),
        ("detect", 2, &["--detect", "--language", "ru", "--max-reports=0", "--color", "never"]),
        ("iconv", 3, &["-c", "-f", "UTF-16", "-t", "ASCII//TRANSLIT", "--verb", "file"]),
        ("libiconv", 3, &["--unicode-subst=<U+%04X>", "--byte-subst", "<%02x>", "-flatin1"]),
        ("complete", 4, &["--from", "lat"]),
        ("complete-value", 4, &["-t", "utf-8", "--errors="]),
    ];
    for (name, kind, words) in all {
        write("names", name, &[&choice(kind, 5)[..], words.join("\0").as_bytes()].concat())?;
    }
    Ok(())
}

fn tables(write: Write<'_>) -> std::io::Result<()> {
    let charmap = "<code_set_name> OWN\n<comment_char> %\n<escape_char> /\n<mb_cur_max> 2\nCHARMAP\n\
        <U0041> /x41 LATIN CAPITAL LETTER A\n<U0061>..<U0065> /x61\n%IRREVERSIBLE%<U20AC> /x80\n\
        <dollar-sign> /x24\n<U0041><U0301> /x81/x41\n<U4E00>..<U4E03> /x90/x40\nEND CHARMAP\nWIDTH\n<U4E00> 2\n";
    let ucm = "<code_set_name> \"own\"\n<mb_cur_max> 2\n<mb_cur_min> 1\n<uconv_class> \"MBCS\"\n<subchar> \\x3F\n\
        <icu:state> 0-80, 81-9f:1, a0-ff\n<icu:state> 40-7e, 80-fc.i\nCHARMAP\n<U0041> \\x41 |0\n<U00C1> \\x41 |1\n\
        <U0300> \\x81\\x40 |0\n<UFF21> \\x81\\x41 |3\n<U20AC> \\x80 |2\n<U0041>+<U0301> \\x81\\x42 |0\nEND CHARMAP\n";
    let shifts = "<code_set_name> \"host\"\n<uconv_class> \"EBCDIC_STATEFUL\"\n<icu:state> 0-ff, e:1.s, f:0.s\n\
        <icu:state> initial, 0-3f:4, e:1.s, f:0.s, 40:3, 41-fe:2, ff:4\n<icu:state> 0-40:1.i, 41-fe:1., ff:1.i\n\
        CHARMAP\n<U0041> \\xC1 |0\n<U4E00> \\x45\\x41 |0\nEND CHARMAP\n";
    for (name, table, text) in [
        ("charmap", charmap, &b"A\x81A\x90\x41\x80\x90"[..]),
        ("ucm", ucm, b"A\x81\x40\x81\x42\x81"),
        ("shifts", shifts, b"\xC1\x0E\x45\x41\x0F\xC1\x0E\x45"),
    ] {
        write("tables", name, &[table.as_bytes(), &[0], text].concat())?;
    }
    Ok(())
}

fn configuration(write: Write<'_>) -> std::io::Result<()> {
    let editorconfig = "root = true\n[*.{txt,csv}]\ncharset = latin1\nend_of_line = crlf # as before\n\
        [src/**/a[!b-c]{1..9}?.txt]\ninsert_final_newline=true\ncharset = unset\n";
    let attributes = "* text=auto eol=lf\n[attr]wide working-tree-encoding=UTF-16LE-BOM -text\n/src/**/*.txt wide\n\
        \"a \\303\\251\" binary\n*.csv !eol working-tree-encoding=windows-1252 diff\n";
    let own = "exclude = [\"vendor/**\"]\n[[rule]]\nfiles = [\"*.csv\", \"src/**\"]\nencoding = \"windows-1252\"\n\
        bom = \"forbid\"\nnewline = \"lf\"\nfinal-newline = true\ndeny = [\"bidi\", \"nul\"]\nseverity = { bidi = \"warning\" }\n";
    let line = "{\"path\":{\"text\":\"a\"},\"kind\":\"invalid-byte\",\"encoding\":\"UTF-8\",\"bytes\":\"FF\",\"count\":3,\
        \"fingerprint\":\"2\"}\n";
    let baseline = format!("{{\"baseline\":\"oxiconv\",\"version\":1}}\n{line}");
    let task = "{\"task\":{\"options\":\"9f\",\"files\":[{\"path\":{\"text\":\"a.csv\"},\"state\":{\"size\":9,\"time\":\"1.2\"},\
        \"part\":[0,9]}],\"to\":null},\"results\":[{\"bytes\":9,\"bytes_written\":9,\"characters\":9,\"lines\":1}],\"output\":null}\n";
    let manifest = format!("{{\"manifest\":\"oxiconv\",\"version\":1}}\n{task}");
    let start = "{\"type\":\"start\",\"version\":1,\"tool\":\"oxiconv\",\"tool_version\":\"0.1.0\",\"task\":\"names\"}\n";
    let rename = "{\"type\":\"rename\",\"path\":{\"bytes\":\"YS9iw6k=\"},\"name\":{\"text\":\"x\"},\"directory\":{\"text\":\"/d/a\"}}\n";
    let refused =
        "{\"type\":\"refused\",\"path\":{\"bytes\":\"YS9iw6k=\"},\"message\":\"exists\"}\n";
    let shard = |index| {
        format!(
            "{{\"type\":\"start\",\"version\":1,\"tool\":\"oxiconv\",\"tool_version\":\"0.1.0\",\"task\":\"check\",\
             \"shard\":{{\"index\":{index},\"of\":2}}}}\n{{\"type\":\"begin\",\"path\":{{\"text\":\"t\"}}}}\n\
             {{\"type\":\"end\",\"path\":{{\"text\":\"t\"}},\"stopped\":false,{COUNTS},\"part\":{{\"start\":{},\"end\":{},\
             \"size\":4,\"lines\":0,\"column\":3}}}}\n{{\"type\":\"summary\",\"files\":1,\"files_with_findings\":0,\
             \"passed_over\":0,\"refused\":0,\"left_alone\":0,\"errors\":0,{COUNTS},\"exit_status\":0}}\n",
            2 * index - 2,
            2 * index
        )
    };
    for (name, kind, text) in [
        ("findings", 6, [shard(2), shard(1)].join("\0").as_str()),
        ("editorconfig", 0, editorconfig),
        ("gitattributes", 1, attributes),
        ("oxiconv-toml", 2, own),
        ("baseline", 3, &baseline),
        ("manifest", 4, &manifest),
        ("changed-names", 5, &[start, rename, refused].concat()),
        ("name-list", 5, "a\0b c\0é"),
    ] {
        write("configuration", name, &[&choice(kind, 8)[..], text.as_bytes()].concat())?;
    }
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/compressed");
    for name in ["text.txt.gz", "text.txt.zst"] {
        let compressed = fs::read(data.join(name))?;
        write("configuration", name, &[&choice(7, 8)[..], &compressed].concat())?;
    }
    Ok(())
}

/// The counts in the report on a shard of two bytes.
const COUNTS: &str = "\"bytes\":2,\"bytes_written\":0,\"characters\":2,\"line_ends\":0,\"findings\":0,\"by_kind\":{},\"withheld\":0";

/// Writes libFuzzer's dictionary: the words of encoding names and command lines.
fn dictionary(path: &Path) -> std::io::Result<()> {
    let options = completions(&["--".into()]);
    let options = options.lines().filter_map(|line| line.split('\t').next());
    let names = coded().iter().map(|it| it.name());
    let words = ["//TRANSLIT", "//IGNORE", "@windows", "@icu", "auto-lines", "=", "\\x00", "%04X"];
    let words = names.chain(options).chain(words).map(|word| format!("\"{word}\"\n"));
    fs::create_dir_all(path.parent().expect("a folder"))?;
    fs::write(path, words.collect::<String>())
}
