//! What is written in place of unmappable characters and ill-formed bytes: the notations of ICU's callbacks, with uconv
//! as the oracle, and formats like those of C's printf.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::support::{convert, convert_cut, encoding, skipped, with};
use oxiconv_transcode::diagnostic::Outcome as Became;
use oxiconv_transcode::{
    Conversion, OnIllFormed, OnUnmappable, Options, SubstitutionFormat, SubstitutionFormatError,
};

/// Modes, each with the equivalent ICU callback and with what that writes for U+00E9, U+20AC, U+FFFF, U+1F600 and
/// U+10FFFF:
///
///     printf 'é€\xEF\xBF\xBF😀\xF4\x8F\xBF\xBF' | uconv -f utf-8 -t ascii --to-callback CALLBACK
///
/// The results are those of uconv 72.1. They agree with the descriptions of `UCNV_ESCAPE_…` in ucnv_err.h.
const CHARACTERS: [(OnUnmappable, &str, &str, Became); 6] = [
    (
        OnUnmappable::Xml,
        "escape-xml-hex",
        "&#xE9;&#x20AC;&#xFFFF;&#x1F600;&#x10FFFF;",
        Became::Reference,
    ),
    (
        OnUnmappable::XmlDecimal,
        "escape-xml-dec",
        "&#233;&#8364;&#65535;&#128512;&#1114111;",
        Became::Reference,
    ),
    (
        OnUnmappable::Java,
        "escape-java",
        r"\u00E9\u20AC\uFFFF\uD83D\uDE00\uDBFF\uDFFF",
        Became::Escaped,
    ),
    (OnUnmappable::C, "escape-c", r"\u00E9\u20AC\uFFFF\U0001F600\U0010FFFF", Became::Escaped),
    (
        OnUnmappable::Percent,
        "escape-icu",
        "%U00E9%U20AC%UFFFF%UD83D%UDE00%UDBFF%UDFFF",
        Became::Escaped,
    ),
    (
        OnUnmappable::Unicode,
        "escape-unicode",
        "{U+00E9}{U+20AC}{U+FFFF}{U+1F600}{U+10FFFF}",
        Became::Escaped,
    ),
];

const LACKED: &str = "é€\u{FFFF}😀\u{10FFFF}";

/// Letters with ill-formed UTF-8 between them.
const ILL_FORMED: &[u8] = b"a\xE2\x82b\xFFc\xED\xA0\x80d\xF4\x90\x80\x80e\xC2";

/// Modes for ill-formed bytes, each with the ICU callbacks that write the same:
///
///     printf 'a\xE2\x82b\xFFc\xED\xA0\x80d\xF4\x90\x80\x80e\xC2' | uconv -f utf-8 -t ascii --from-callback CALLBACK
const BYTES: [(OnIllFormed, &[&str], &str, Became); 4] = [
    (
        OnIllFormed::Escape,
        &["escape-c"],
        r"a\xE2\x82b\xFFc\xED\xA0\x80d\xF4\x90\x80\x80e\xC2",
        Became::Escaped,
    ),
    (
        OnIllFormed::Xml,
        &["escape-xml", "escape-xml-hex"],
        "a&#xE2;&#x82;b&#xFF;c&#xED;&#xA0;&#x80;d&#xF4;&#x90;&#x80;&#x80;e&#xC2;",
        Became::Reference,
    ),
    (
        OnIllFormed::XmlDecimal,
        &["escape-xml-dec"],
        "a&#226;&#130;b&#255;c&#237;&#160;&#128;d&#244;&#144;&#128;&#128;e&#194;",
        Became::Reference,
    ),
    (
        OnIllFormed::Percent,
        &["escape", "escape-icu", "escape-java", "escape-unicode"],
        "a%XE2%X82b%XFFc%XED%XA0%X80d%XF4%X90%X80%X80e%XC2",
        Became::Escaped,
    ),
];

fn to(target: &str, on_ill_formed: OnIllFormed, on_unmappable: OnUnmappable) -> Conversion {
    with("UTF-8", target, on_ill_formed, on_unmappable)
}

#[test]
fn characters_are_written_in_the_notation_of_the_mode_and_counted() {
    for (mode, _, written, became) in CHARACTERS {
        let outcome = convert(&to("US-ASCII", OnIllFormed::Stop, mode), LACKED.as_bytes());
        assert_eq!(String::from_utf8_lossy(&outcome.output), written, "{mode:?}");
        assert_eq!(outcome.summary.of_unmappable.iter().collect::<Vec<_>>(), [(became, 5)]);
    }
}

#[test]
fn ill_formed_bytes_are_written_in_the_notation_of_the_mode_and_counted() {
    for (mode, _, written, became) in BYTES {
        let outcome = convert(&to("US-ASCII", mode, OnUnmappable::Stop), ILL_FORMED);
        assert_eq!(String::from_utf8_lossy(&outcome.output), written, "{mode:?}");
        // Ten ill-formed subsequences: E2 82; FF; ED, A0, 80; F4, 90, 80, 80; C2.
        assert_eq!(outcome.summary.of_ill_formed.iter().collect::<Vec<_>>(), [(became, 10)]);
    }
    // NUL and other small values. Like ICU, references have no leading zeros.
    for (mode, written) in [
        (OnIllFormed::Escape, r"\xD8\x00a\x05"),
        (OnIllFormed::Xml, "&#xD8;&#x0;a&#x5;"),
        (OnIllFormed::XmlDecimal, "&#216;&#0;a&#5;"),
        (OnIllFormed::Percent, "%XD8%X00a%X05"),
    ] {
        let outcome =
            convert(&with("UTF-16BE", "UTF-8", mode, OnUnmappable::Stop), b"\xD8\0\0a\x05");
        assert_eq!(String::from_utf8_lossy(&outcome.output), written, "{mode:?}");
    }
}

/// Runs uconv. Returns `None` if it is not installed.
fn uconv(arguments: &[&str], input: &[u8]) -> Option<String> {
    let spawned = Command::new("uconv")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = spawned else {
        skipped("no uconv on this machine");
        return None;
    };
    let mut stdin = child.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(input));
        child.wait_with_output().unwrap()
    });
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn uconv_writes_the_same() {
    // ICU silently drops unmappable characters that have the property Default_Ignorable_Code_Point
    // (DerivedCoreProperties.txt). Here they are unmappable like any other, so they are not compared.
    let ignorable = [
        0xAD..=0xAD,
        0x34F..=0x34F,
        0x61C..=0x61C,
        0x115F..=0x1160,
        0x17B4..=0x17B5,
        0x180B..=0x180F,
        0x200B..=0x200F,
        0x202A..=0x202E,
        0x2060..=0x206F,
        0x3164..=0x3164,
        0xFE00..=0xFE0F,
        0xFEFF..=0xFEFF,
        0xFFA0..=0xFFA0,
        0xFFF0..=0xFFF8,
        0x1_BCA0..=0x1_BCA3,
        0x1_D173..=0x1_D17A,
        0xE_0000..=0xE_0FFF,
    ];
    let kept = (0x80..0x11_0000).filter(|cp| !ignorable.iter().any(|range| range.contains(cp)));
    let sample: String = kept.step_by(0x11).filter_map(char::from_u32).collect();
    for (mode, callback, ..) in CHARACTERS {
        let arguments = ["-f", "utf-8", "-t", "ascii", "--to-callback", callback];
        let Some(theirs) = uconv(&arguments, sample.as_bytes()) else { return };
        let ours = convert(&to("US-ASCII", OnIllFormed::Stop, mode), sample.as_bytes()).output;
        assert!(String::from_utf8(ours).unwrap() == theirs, "{callback}");
    }
    for (mode, callbacks, ..) in BYTES {
        for callback in callbacks {
            let arguments = ["-f", "utf-8", "-t", "ascii", "--from-callback", callback];
            let Some(theirs) = uconv(&arguments, ILL_FORMED) else { return };
            let ours = convert(&to("US-ASCII", mode, OnUnmappable::Stop), ILL_FORMED).output;
            assert_eq!(String::from_utf8(ours).unwrap(), theirs, "{callback}");
        }
    }
}

#[test]
fn a_surrogate_is_one_code_unit_and_a_value_that_a_notation_cannot_hold_is_replaced() {
    let written = |mode, value: u32| {
        let conversion = with("UCS-4BE", "US-ASCII", OnIllFormed::Stop, mode);
        let outcome = convert(&conversion, &value.to_be_bytes());
        let became = outcome.summary.of_unmappable.iter().next();
        (String::from_utf8(outcome.output).unwrap(), became)
    };
    for (mode, surrogate, large) in [
        (OnUnmappable::Xml, "&#xD800;", "&#x7FFFFFFF;"),
        (OnUnmappable::XmlDecimal, "&#55296;", "&#2147483647;"),
        (OnUnmappable::Java, r"\uD800", "?"),
        (OnUnmappable::C, r"\uD800", r"\U7FFFFFFF"),
        (OnUnmappable::Percent, "%UD800", "?"),
        (OnUnmappable::Unicode, "{U+D800}", "{U+7FFFFFFF}"),
    ] {
        assert_eq!(written(mode, 0xD800).0, surrogate, "{mode:?}");
        let (text, became) = written(mode, 0x7FFF_FFFF);
        assert_eq!(text, large, "{mode:?}");
        assert_eq!(became.unwrap().0 == Became::Replaced, large == "?", "{mode:?}");
    }
    // 2^36 - 1, which does not fit into the eight hexadecimal digits of \U.
    let large = b"\xFE\xBF\xBF\xBF\xBF\xBF\xBF";
    for (mode, text) in [
        (OnUnmappable::XmlDecimal, "&#68719476735;"),
        (OnUnmappable::C, "?"),
        (OnUnmappable::Java, "?"),
    ] {
        let conversion = with("UTF-8-7BYTE", "US-ASCII", OnIllFormed::Stop, mode);
        assert_eq!(String::from_utf8(convert(&conversion, large).output).unwrap(), text);
    }
}

#[test]
fn the_notations_are_written_in_the_encoding_of_the_target() {
    let conversion = to("UTF-16LE", OnIllFormed::XmlDecimal, OnUnmappable::Stop);
    assert_eq!(convert(&conversion, b"\xFF").output, b"&\0#\x002\x005\x005\0;\0");
    // In IBM's code page 37, the backslash is E0, A and C are C1 and C3, u is A4, and digits are F0 to F9.
    let conversion = to("IBM037", OnIllFormed::Stop, OnUnmappable::Java);
    assert_eq!(convert(&conversion, "€".as_bytes()).output, b"\xE0\xA4\xF2\xF0\xC1\xC3");
    // The German ISO 646 has letters in place of the braces, so the braces of the notation are replaced themselves.
    let conversion = to("DIN_66003", OnIllFormed::Stop, OnUnmappable::Unicode);
    let outcome = convert(&conversion, "€".as_bytes());
    assert_eq!(outcome.output, b"?U+20AC?");
    assert_eq!(outcome.summary.of_unmappable.of(Became::Replaced), 1);
}

#[test]
fn no_cut_of_the_input_changes_what_is_written() {
    let input = [ILL_FORMED, LACKED.as_bytes(), b"\xE2\x82"].concat();
    let format = |format: &str| format.parse::<SubstitutionFormat>().unwrap();
    let formats = Options::new()
        .on_ill_formed(OnIllFormed::Escape)
        .on_unmappable(OnUnmappable::Escape)
        .ill_formed_format(format("<%02x>"))
        .unmappable_format(format("<U+%04X>"));
    let own = formats.build(encoding("UTF-8"), encoding("US-ASCII")).unwrap();
    let modes = CHARACTERS.iter().zip(BYTES.iter().cycle());
    let conversions =
        modes.map(|(character, byte)| to("US-ASCII", byte.0, character.0)).chain([own]);
    for conversion in conversions {
        let whole = convert(&conversion, &input);
        for first in 0..=input.len() {
            for late in [false, true] {
                assert_eq!(convert_cut(&conversion, &input, &[first], late), whole, "{first}");
            }
        }
    }
}

const VALUES: [u32; 6] = [0, 7, 0xE9, 0x20AC, 0x10_FFFF, 0x7FFF_FFFF];

/// Formats, each with what glibc's printf writes for the [`VALUES`]:
///
///     for (int i = 0; i < 6; i++) printf(format, VALUES[i]);
const PRINTF: [(&str, [&str; 6]); 35] = [
    ("%x", ["0", "7", "e9", "20ac", "10ffff", "7fffffff"]),
    ("%X", ["0", "7", "E9", "20AC", "10FFFF", "7FFFFFFF"]),
    ("%o", ["0", "7", "351", "20254", "4177777", "17777777777"]),
    ("%u", ["0", "7", "233", "8364", "1114111", "2147483647"]),
    ("<U+%04X>", ["<U+0000>", "<U+0007>", "<U+00E9>", "<U+20AC>", "<U+10FFFF>", "<U+7FFFFFFF>"]),
    ("%#x", ["0", "0x7", "0xe9", "0x20ac", "0x10ffff", "0x7fffffff"]),
    ("%#X", ["0", "0X7", "0XE9", "0X20AC", "0X10FFFF", "0X7FFFFFFF"]),
    ("%#o", ["0", "07", "0351", "020254", "04177777", "017777777777"]),
    ("%08x", ["00000000", "00000007", "000000e9", "000020ac", "0010ffff", "7fffffff"]),
    ("%-8x|", ["0       |", "7       |", "e9      |", "20ac    |", "10ffff  |", "7fffffff|"]),
    ("%8x|", ["       0|", "       7|", "      e9|", "    20ac|", "  10ffff|", "7fffffff|"]),
    ("%+u", ["0", "7", "233", "8364", "1114111", "2147483647"]),
    ("% u", ["0", "7", "233", "8364", "1114111", "2147483647"]),
    ("%'u", ["0", "7", "233", "8364", "1114111", "2147483647"]),
    ("%.3u", ["000", "007", "233", "8364", "1114111", "2147483647"]),
    ("%8.3u|", ["     000|", "     007|", "     233|", "    8364|", " 1114111|", "2147483647|"]),
    ("%08.3u|", ["     000|", "     007|", "     233|", "    8364|", " 1114111|", "2147483647|"]),
    ("%-08u|", ["0       |", "7       |", "233     |", "8364    |", "1114111 |", "2147483647|"]),
    ("%#08x", ["00000000", "0x000007", "0x0000e9", "0x0020ac", "0x10ffff", "0x7fffffff"]),
    ("%#8x|", ["       0|", "     0x7|", "    0xe9|", "  0x20ac|", "0x10ffff|", "0x7fffffff|"]),
    ("%-#8x|", ["0       |", "0x7     |", "0xe9    |", "0x20ac  |", "0x10ffff|", "0x7fffffff|"]),
    ("%#.0o", ["0", "07", "0351", "020254", "04177777", "017777777777"]),
    ("%.0u|", ["|", "7|", "233|", "8364|", "1114111|", "2147483647|"]),
    ("%.u|", ["|", "7|", "233|", "8364|", "1114111|", "2147483647|"]),
    ("%#.3x", ["000", "0x007", "0x0e9", "0x20ac", "0x10ffff", "0x7fffffff"]),
    ("%#6.3o|", ["   000|", "   007|", "  0351|", "020254|", "04177777|", "017777777777|"]),
    ("&#%u;", ["&#0;", "&#7;", "&#233;", "&#8364;", "&#1114111;", "&#2147483647;"]),
    ("100%% %x", ["100% 0", "100% 7", "100% e9", "100% 20ac", "100% 10ffff", "100% 7fffffff"]),
    ("%5%|", ["%|", "%|", "%|", "%|", "%|", "%|"]),
    ("%.2%|", ["%|", "%|", "%|", "%|", "%|", "%|"]),
    ("%%", ["%", "%", "%", "%", "%", "%"]),
    ("plain", ["plain", "plain", "plain", "plain", "plain", "plain"]),
    (
        "%#010X",
        ["0000000000", "0X00000007", "0X000000E9", "0X000020AC", "0X0010FFFF", "0X7FFFFFFF"],
    ),
    ("%0-6o|", ["0     |", "7     |", "351   |", "20254 |", "4177777|", "17777777777|"]),
    (
        "%+ #'0-12.6X|",
        [
            "000000      |",
            "0X000007    |",
            "0X0000E9    |",
            "0X0020AC    |",
            "0X10FFFF    |",
            "0X7FFFFFFF  |",
        ],
    ),
];

#[test]
fn formats_write_what_printf_writes() {
    for (format, written) in PRINTF {
        let parsed: SubstitutionFormat = format.parse().unwrap();
        let unmappable =
            Options::new().on_unmappable(OnUnmappable::Escape).unmappable_format(parsed.clone());
        let ill_formed =
            Options::new().on_ill_formed(OnIllFormed::Escape).ill_formed_format(parsed);
        let unmappable = unmappable.build(encoding("UCS-4BE"), encoding("US-ASCII")).unwrap();
        let ill_formed = ill_formed.build(encoding("UTF-16BE"), encoding("UTF-8")).unwrap();
        for (value, written) in VALUES.into_iter().zip(written) {
            // The smallest values are never unmappable, since ASCII has them. As a truncated UTF-16 code unit, they are
            // ill-formed bytes.
            let outcome = match u8::try_from(value) {
                Ok(byte) => convert(&ill_formed, &[byte]),
                Err(_) => convert(&unmappable, &value.to_be_bytes()),
            };
            assert_eq!(String::from_utf8_lossy(&outcome.output), written, "{format} of {value:X}");
        }
        assert_eq!(convert(&unmappable, b"\0\0\0\xE9").output, written[2].as_bytes(), "{format}");
    }
}

#[test]
fn formats_with_anything_else_are_refused() {
    use SubstitutionFormatError as E;
    for (format, error) in [
        ("%", E::Unfinished),
        ("a%", E::Unfinished),
        ("%#08", E::Unfinished),
        ("%4.", E::Unfinished),
        ("%d", E::Conversion('d')),
        ("%i", E::Conversion('i')),
        ("%s", E::Conversion('s')),
        ("%n", E::Conversion('n')),
        ("%c", E::Conversion('c')),
        ("%p", E::Conversion('p')),
        ("%a", E::Conversion('a')),
        ("%1$x", E::Conversion('$')),
        ("%Ix", E::Conversion('I')),
        ("%é", E::Conversion('é')),
        ("%.-3x", E::Conversion('-')),
        ("%5-x", E::Conversion('-')),
        ("%lx", E::Size('l')),
        ("%hhx", E::Size('h')),
        ("%zu", E::Size('z')),
        ("%jx", E::Size('j')),
        ("%l%", E::Size('l')),
        ("%*x", E::Variable),
        ("%.*x", E::Variable),
        ("%#-*u", E::Variable),
        ("%4096x", E::TooWide),
        ("%.4096x", E::TooWide),
        ("%99999999999999999999999x", E::TooWide),
        ("%.99999999999999999999999%", E::TooWide),
        ("%x%x", E::Values),
        ("%x %% %u", E::Values),
    ] {
        assert_eq!(format.parse::<SubstitutionFormat>(), Err(error), "{format}");
    }
    assert_eq!(
        "%d".parse::<SubstitutionFormat>().unwrap_err().to_string(),
        "'d' cannot end a directive (possible: %o, %u, %x, %X and %%)"
    );
}

#[test]
fn the_widest_format_is_written_for_every_fault_in_bounded_memory() {
    let format: SubstitutionFormat = "%4095x".parse().unwrap();
    let options = Options::new()
        .on_ill_formed(OnIllFormed::Escape)
        .ill_formed_format(format.clone())
        .on_unmappable(OnUnmappable::Escape)
        .unmappable_format(format);
    let conversion = options.build(encoding("UTF-8"), encoding("US-ASCII")).unwrap();
    let output = convert(&conversion, "\u{E9}".repeat(1000).as_bytes()).output;
    assert_eq!(output, format!("{:>4095}", "e9").repeat(1000).as_bytes());
    let output = convert(&conversion, &b"\xFF".repeat(1000)).output;
    assert_eq!(output, format!("{:>4095}", "ff").repeat(1000).as_bytes());
}

#[test]
fn a_substitution_that_the_target_lacks_is_refused_before_anything_is_written() {
    let refused = |format: &str, target: &str| {
        let options = Options::new()
            .on_unmappable(OnUnmappable::Escape)
            .unmappable_format(format.parse().unwrap());
        options.build(encoding("UTF-8"), encoding(target)).err().map(|error| error.to_string())
    };
    let error = |character, target| {
        format!("the substitution may contain '{character}', which cannot be written in {target}")
    };
    assert_eq!(refused("\u{20AC}%x", "US-ASCII"), Some(error('€', "US-ASCII")));
    assert_eq!(refused("%x\u{20AC}", "ISO-8859-1"), Some(error('€', "ISO-8859-1")));
    assert_eq!(refused("%x\u{20AC}", "UTF-16"), None);
    assert_eq!(refused("\\u%x", "DIN_66003"), Some(error('\\', "DIN_66003")));
    // UTF-8-HUNK3 holds values of two bits, so it has no digits, letters or blanks.
    assert_eq!(refused("%u", "UTF-8-HUNK3"), Some(error('0', "UTF-8-HUNK3")));
    assert_eq!(refused("", "UTF-8-HUNK3"), None);
    // A format that is not used is not checked.
    let options = Options::new().on_unmappable(OnUnmappable::Xml);
    let options = options.unmappable_format("€".parse().unwrap());
    assert!(options.build(encoding("UTF-8"), encoding("US-ASCII")).is_ok());
}
