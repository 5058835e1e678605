use super::*;
use crate::mojibake::restorer::tests::repaired;

/// From the table of windows-1252, which has no character at 81, 8D, 8F, 90 and 9D.
#[test]
fn control_codes_have_the_signs_of_their_bytes() {
    assert_eq!([0x80, 0x85, 0x92, 0x9F].map(sign), [0x20AC, 0x2026, 0x2019, 0x178].map(Some));
    assert_eq!([0x7F, 0x81, 0x8D, 0x8F, 0x90, 0x9D, 0xA0, 0x2019].map(sign), [None; 8]);
}

#[test]
fn a_line_end_of_mainframes_is_no_sign() {
    let is_sign_in = |text: &str| {
        let [before, cp, after] = text.chars().map(CodePoint::from).collect::<Vec<_>>()[..] else {
            panic!("{text}")
        };
        is_sign(before, cp, after)
    };
    for sign in ["é\u{85} ", "\u{99}\u{85}\n", "e\u{85} ", "е\u{85}\u{94}", "e\u{9B} "] {
        assert!(is_sign_in(sign), "{sign:?}");
    }
    for none in [
        "e\u{85}e",
        "e\u{85}\n",
        " \u{85} ",
        "\n\u{85}e",
        "\u{85}\u{85}\u{85}",
        "έ\u{85}τ",
        "e\u{9B}3",
    ] {
        assert!(!is_sign_in(none), "{none:?}");
    }
}

/// Signs of windows-1252 explain control codes, unless one of them would be inside a word or another word shows another
/// charset.
#[test]
fn control_codes_are_signs_beside_utf8_and_in_other_charsets() {
    for (damaged, meant) in [
        ("ok â\u{80}\u{9C}senza modifiche\u{94} all'Italicum", "ok “senza modifiche” all'Italicum"),
        ("of â\u{80}\u{98}US pressureâ\u{80}\u{99}\u{85}", "of ‘US pressure’…"),
        (
            "\u{84}Handwerk bringt dich überall hin\u{93}: Von",
            "„Handwerk bringt dich überall hin“: Von",
        ),
        ("Coatl\u{87}n conf\u{92}an en proyecto", "Coatlán confían en proyecto"),
        ("rock\u{92}n\u{92}roll, c\u{92}est Qur\u{92}an", "rock’n’roll, c’est Qur’an"),
        ("\u{93}de la llista\u{85}\u{94} \u{96} 3×", "“de la llista…” – 3×"),
        ("\u{91}© Occidentalis\u{92}", "‘© Occidentalis’"),
        ("A pu\u{9A}èica prizorišèe urèovaní", "A puščica prizorišče určovaní"),
        ("utilis\u{82} comme candidat r\u{82}\u{82}crit", "utilisé comme candidat réécrit"),
    ] {
        assert_eq!(repaired(damaged).0, meant);
    }
    for sound in [
        // Line ends of mainframes, colours of a terminal, and a letter that may be any.
        "one\u{85}two\u{85}three\u{85}",
        "one\u{85}  indented\u{85}    more\u{85}end\u{85}",
        "It’s fine.\u{85}\u{85}title\u{85}=====\u{85} text\u{85}",
        "Καλημέρα κόσμε\u{85}τι κάνεις\u{85}τέλος\u{85}",
        "naïve!\u{85}\u{85}été?\u{85}\u{85}à.\u{85}",
        "it\u{92}s\u{85}don\u{92}t\u{85}",
        "Привет мир\u{85}",
        "\u{9B}31mred\u{9B}0m \u{9B}2J\u{9B}Hello",
        // UTF-8 with letters of no language in the model.
        "áº\u{92}reg tacreá¸\u{8D}t n",
        "apparently intentional \u{81}",
        // `Да` and `Фото` in IBM866.
        "\u{84}\u{A0}",
        "\u{94}®â®",
    ] {
        assert_eq!(repaired(sound), (sound.to_owned(), vec![]));
    }
}
