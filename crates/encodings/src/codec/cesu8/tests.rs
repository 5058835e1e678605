use super::*;
use IllFormedKind::{InvalidByte, Overlong, Surrogate, Truncated, UnexpectedContinuation};

const fn is(cp: CodePoint, len: usize) -> Decoded {
    Decoded::Character { cp, len }
}

const fn bad(len: usize, kind: IllFormedKind) -> Decoded {
    Decoded::IllFormed(IllFormed::new(len, kind))
}

#[test]
fn what_stands_first() {
    // Bytes, and their meaning in CESU-8 and in MUTF-8.
    for (input, cesu, mutf) in [
        (&b"\0"[..], is(0, 1), bad(1, InvalidByte)),
        (b"\xC0\x80", bad(1, Overlong), is(0, 2)),
        (b"\xC0", bad(1, Overlong), Decoded::Incomplete),
        (b"\xC0\x81", bad(1, Overlong), bad(1, Overlong)),
        (b"\xC0a", bad(1, Overlong), bad(1, Truncated)),
        (b"\xC1\xBF", bad(1, Overlong), bad(1, Overlong)),
        (b"\xC2\x80", is(0x80, 2), is(0x80, 2)),
        (b"\xE0\x80\x80", bad(1, Overlong), bad(1, Overlong)),
        (b"\xE0\xA0\x80", is(0x800, 3), is(0x800, 3)),
        (b"\xEF\xBF\xBF", is(0xFFFF, 3), is(0xFFFF, 3)),
        (b"\xED\x9F\xBF", is(0xD7FF, 3), is(0xD7FF, 3)),
        (b"\x80", bad(1, UnexpectedContinuation), bad(1, UnexpectedContinuation)),
        (b"\xF0\x9F\x98\x80", bad(1, InvalidByte), bad(1, InvalidByte)),
        (b"\xF5", bad(1, InvalidByte), bad(1, InvalidByte)),
        (b"\xFF", bad(1, InvalidByte), bad(1, InvalidByte)),
        // Pairs: the first one, that of U+10400 (UTR 26), the last one.
        (b"\xED\xA0\x80\xED\xB0\x80", is(0x1_0000, 6), is(0x1_0000, 6)),
        (b"\xED\xA0\x81\xED\xB0\x80", is(0x1_0400, 6), is(0x1_0400, 6)),
        (b"\xED\xAF\xBF\xED\xBF\xBF", is(0x10_FFFF, 6), is(0x10_FFFF, 6)),
        // Prefixes of a pair.
        (b"\xED", Decoded::Incomplete, Decoded::Incomplete),
        (b"\xED\xA0", Decoded::Incomplete, Decoded::Incomplete),
        (b"\xED\xA0\x80", Decoded::Incomplete, Decoded::Incomplete),
        (b"\xED\xA0\x80\xED", Decoded::Incomplete, Decoded::Incomplete),
        (b"\xED\xA0\x80\xED\xB0", Decoded::Incomplete, Decoded::Incomplete),
        // Broken pairs.
        (b"\xEDa", bad(1, Truncated), bad(1, Truncated)),
        (b"\xED\xA0a", bad(2, Truncated), bad(2, Truncated)),
        (b"\xED\xA0\x80a", bad(3, Surrogate), is(0xD800, 3)),
        (b"\xED\xA0\x80\xEDa", bad(4, Truncated), is(0xD800, 3)),
        (b"\xED\xA0\x80\xED\x9F", bad(3, Surrogate), is(0xD800, 3)),
        (b"\xED\xA0\x80\xED\xA0", bad(3, Surrogate), is(0xD800, 3)),
        (b"\xED\xA0\x80\xED\xB0a", bad(5, Truncated), is(0xD800, 3)),
        (b"\xED\xB0", bad(1, Surrogate), Decoded::Incomplete),
        (b"\xED\xB0\x80", bad(1, Surrogate), is(0xDC00, 3)),
        (b"\xED\xB0a", bad(1, Surrogate), bad(2, Truncated)),
    ] {
        assert_eq!(Cesu8.decode_one(input), cesu, "{input:X?}");
        assert_eq!(Mutf8.decode_one(input), mutf, "{input:X?}");
    }
}

#[test]
fn what_the_end_makes_of_a_start() {
    let cut = |len| bad(len, IllFormedKind::TruncatedAtEnd);
    for (input, cesu, mutf) in [
        (&b"\xED\xA0"[..], cut(2), cut(2)),
        (b"\xED\xA0\x80", cut(3), is(0xD800, 3)),
        (b"\xED\xA0\x80\xED", cut(4), is(0xD800, 3)),
        (b"\xED\xA0\x80\xED\xB0", cut(5), is(0xD800, 3)),
    ] {
        assert_eq!((Cesu8.at_end(input), Mutf8.at_end(input)), (cesu, mutf), "{input:X?}");
    }
    assert_eq!(Mutf8.at_end(b"\xC0"), cut(1));
}

#[test]
fn a_run_and_its_characters_one_by_one_are_the_same() {
    let text: Vec<_> = "a\0zß€😀中\0\u{10FFFF}".chars().cycle().take(5000).map(u32::from).collect();
    let ascii = vec![0x61; 5000];
    fn check(scheme: impl StatelessCodec, text: &[CodePoint]) {
        let (mut bytes, mut back) = (vec![0; 6 * text.len()], vec![0; text.len()]);
        let run = scheme.encode_run(text, &mut bytes);
        let singly: Vec<u8> = text
            .iter()
            .flat_map(|cp| scheme.encode_one(*cp).unwrap().as_slice().to_vec())
            .collect();
        assert!(run.read == text.len() && bytes[..run.written] == singly);
        let run = scheme.decode_run(&singly, &mut back);
        assert!((run.read, run.written) == (singly.len(), text.len()) && back == text);
        // A character that does not fit is not started.
        for room in 0..12 {
            let run = scheme.encode_run(text, &mut bytes[..room]);
            assert!(run.written <= room && bytes[..run.written] == singly[..run.written]);
            assert_eq!(scheme.decode_run(&singly, &mut back[..room]).written, room);
        }
    }
    for text in [text, ascii] {
        check(Cesu8, &text);
        check(Mutf8, &text);
    }
    for cp in [0xD800, 0xDFFF] {
        assert_eq!(Cesu8.encode_one(cp), None);
        assert!(Mutf8.encode_one(cp).is_some());
    }
    assert_eq!((Cesu8.encode_one(0x11_0000), Mutf8.encode_one(0x11_0000)), (None, None));
}
