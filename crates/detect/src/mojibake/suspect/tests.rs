use super::*;

#[test]
fn a_suspect_is_found_at_its_byte() {
    for (text, expected) in [
        ("", Suspect::None(0)),
        ("plain", Suspect::None(5)),
        // The word of the last letter may continue.
        ("été et è", Suspect::None(9)),
        ("a Ã© b", Suspect::Sequence(2)),
        ("été Ã© b", Suspect::Sequence(6)),
        ("a Ã", Suspect::None(2)),
        // F0 in windows-1251 may begin a sequence, and E0 in IBM866, which lowercase letters may precede.
        ("привет, мир", Suspect::None(14)),
        // E0 A5 AA and E0 A4 AE in IBM866. Lowercase letters alone are no sign; those before one belong to it.
        ("а рек ", Suspect::None(10)),
        ("а рдорд╛ ", Suspect::Sequence(3)),
        ("voilÃ la", Suspect::Sequence(4)),
    ] {
        assert_eq!(suspect(&[], text, 0, 0, false, |_| false), expected, "{text}");
    }
    assert_eq!(suspect(&[], "a Ã", 0, 0, true, |_| false), Suspect::None(4));
    let is_foreign = |word: &[CodePoint]| word == ['m', '”', 'g'].map(CodePoint::from);
    assert_eq!(suspect(&[], "été m”g ", 0, 0, false, is_foreign), Suspect::Swapped(7));
    assert_eq!(suspect(&[0x6D], "”g ", 0, 0, false, is_foreign), Suspect::Swapped(0));
}

/// Texts that are dense with what the rules are about, compared with a search that passes over ASCII only.
#[test]
fn no_suspect_is_in_a_word_that_is_passed_over() {
    const PARTS: [&str; 43] = [
        "Ã",
        "©",
        "é",
        "a",
        "Z",
        " ",
        "\n",
        "€",
        "â",
        "™",
        "в",
        "ё",
        "Г",
        "Ћ",
        "р",
        "д",
        "А",
        "ή",
        "ř",
        "√",
        "├",
        "⌐",
        "\u{A0}",
        "\u{85}",
        "\u{FFFD}",
        "浣",
        "犲",
        "眉",
        "か",
        "한",
        "😀",
        "Ïðèâ",
        "1",
        "plain text in ASCII",
        "þ",
        "Ü",
        "ط",
        "ک",
        "เธ",
        "อ",
        "°",
        "黵",
        "偙",
    ];
    let mut random = 0x2545_F491_4F6C_DD1D_u64;
    let mut below = |limit: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 33) as usize % limit
    };
    for _ in 0..20_000 {
        let (kinds, first) = (1 + below(PARTS.len()), below(PARTS.len()));
        let text: String =
            (0..below(50)).map(|_| PARTS[(first + below(kinds)) % PARTS.len()]).collect();
        let before: Vec<_> = PARTS[below(PARTS.len())].chars().map(CodePoint::from).collect();
        let start = text.char_indices().map(|(at, _)| at).nth(below(3)).unwrap_or(0);
        for last in [false, true] {
            let ascii =
                |at: usize| at + encoding_rs::Encoding::ascii_valid_up_to(&text.as_bytes()[at..]);
            let expected = suspect_beyond(&before, &text, start, 0, last, |_| true, ascii);
            let got = suspect(&before, &text, start, 0, last, |_| true);
            assert_eq!(got, expected, "{text:?} after {before:?} from {start}, {last}");
        }
    }
}
