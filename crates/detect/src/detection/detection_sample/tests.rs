use super::*;

fn signal(text: &[u8]) -> Option<usize> {
    match first_signal(text, true) {
        FirstSignal::At(at) => Some(at),
        FirstSignal::None { passed } => {
            assert_eq!(passed, text.len());
            None
        }
    }
}

#[test]
fn bytes_beyond_ascii_and_escapes_of_character_sets_tell_something() {
    for (text, expected) in [
        (&b"abc\x80"[..], Some(3)),
        (b"abc\xFF", Some(3)),
        (b"a\0", Some(1)),
        (b"ab\x1B$B", Some(2)),
        (b"\x1B(J", Some(0)),
        (b"\x1B$)C", Some(0)),
        (b"a~{VP~}", Some(1)),
        (b"caf+AOk-", Some(3)),
        (b"+BB8EQAQ4BDIENQRC- x", Some(0)),
        (b"+ZeVnLIqe: x", Some(0)),
        (b"is +BD8EQAQ4BDIENQR", Some(3)),
        (b"INBOX.&BB8EQAQ+BDUEOgRC-", Some(6)),
        (b"a &ZeVnLIqe- x", Some(2)),
        (b"\x1B-L", Some(0)),
        (b"", None),
        (b"a\x01\x0C\x7F\r\n\t", None),
        // Terminals: colours, ASCII and line drawing.
        (b"\x1B[31mred\x1B[0m\x1B(B\x1B)0", None),
        (b"\x1B", None),
        (b"a~b~~ ~", None),
        (b"g~{motion} ~{} ~{char}x", None),
    ] {
        assert_eq!(signal(text), expected, "{}", text.escape_ascii());
    }
}

#[test]
fn plus_signs_tell_nothing() {
    for text in [
        "C++",
        "a+b=c",
        "+49 30 1234567",
        "+493012345678",
        "+++ b/src/main.rs",
        "x+foo-bar",
        "i+length)",
        "https://a.example/?q=one+two+three&r=+",
        "text+API-first",
        "max(x+INNERHTML-1)",
        "1+1",
        "+",
        "++++++++",
        "+-",
        "Tom & Jerry &- &amp; &nbsp;&copy; a&&b",
        "?user=a&first-name=b&x-y=c",
        "+AAA-",
        "+2AA-",
        "dGhpcyBpcyBhIHRlc3Q+IG9mIGJhc2U2NCBibG9ja3M+\nIGFuZCBt+w==\n",
    ] {
        assert_eq!(signal(text.as_bytes()), None, "{text}");
    }
}

/// Wherever a text is split, the signal is where it is in the whole, and little is held back.
#[test]
fn the_signal_does_not_depend_on_the_pieces() {
    let long = format!("{}{}", "a + b ++ ".repeat(40), "+BB8EQAQ4BDIENQRC");
    let unended = format!("x = y + +{}", "BB8EQAQ4BDIENQRC".repeat(20));
    let texts: [&[u8]; 6] = [
        b"one two ~~ ~ three ~{VP~}",
        b"some \x1B[1m bold \x1B$B$3\x1B(B",
        b"caf+AOk-; +API- +APw-",
        b"+++++++++ab",
        long.as_bytes(),
        unended.as_bytes(),
    ];
    for text in texts {
        let whole = first_signal(text, true);
        for split in 0..text.len() {
            match first_signal(&text[..split], false) {
                FirstSignal::At(at) => assert_eq!(FirstSignal::At(at), whole, "{split}"),
                FirstSignal::None { passed } => {
                    assert!(split - passed <= base64::MAX_EXAMINED + 1, "{split} {passed}");
                    let rest = match first_signal(&text[passed..], true) {
                        FirstSignal::At(at) => FirstSignal::At(passed + at),
                        FirstSignal::None { passed: more } => {
                            FirstSignal::None { passed: passed + more }
                        }
                    };
                    assert_eq!(rest, whole, "{split}");
                }
            }
        }
    }
}
