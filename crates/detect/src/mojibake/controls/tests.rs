use super::*;

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
