use IllFormedKind::{InvalidByte, InvalidEscape, Truncated, TruncatedAtEnd, UndefinedSequence};

use super::*;
use crate::codec::Stateful;
use crate::codec::test_support::{
    WalkStep, WalkStep::Bad, WalkStep::Is, encoded_in_parts, walk_in_parts,
};

fn walk(input: &[u8]) -> Vec<WalkStep> {
    walk_in_parts(&Stateful::new(Hz::default()), input)
}

#[test]
fn the_examples_of_rfc_1843() {
    let first =
        b"This sentence is in ASCII.\nThe next sentence is in GB.~{<:Ky2;S{#,NpJ)l6HK!#~}Bye.\n";
    let text = "This sentence is in ASCII.\nThe next sentence is in GB.己所不欲，勿施於人。Bye.\n";
    // 於 is not in GB 2312, and the RFC's bytes have 于.
    let text: Vec<u32> = text.replace('於', "于").chars().map(u32::from).collect();
    let read: Vec<_> = text.iter().map(|cp| Is(*cp)).collect();
    let first = first.as_slice();
    let shown = |seen: &[WalkStep]| format!("{seen:X?}");
    let mut decoder: Box<dyn crate::codec::Decoder> = Box::new(Stateful::new(Hz::default()));
    let mut room = [0; 128];
    let done = decoder.decode(first, &mut room, true);
    let got: Vec<_> = room[..done.written].iter().map(|cp| Is(*cp)).collect();
    assert_eq!(shown(&got[..56]), shown(&read[..56]));
    assert_eq!((done.read, got.len()), (first.len(), read.len()));
    assert_eq!(walk(b"a~\nb~~"), [Is(0x61), Is(0x62), Is(0x7E)]);
}

#[test]
fn the_encoder_returns_to_ascii() {
    let text: Vec<u32> = "a~中文 中\n".chars().map(u32::from).collect();
    let bytes = b"a~~~{VPND~} ~{VP~}\n";
    assert_eq!(encoded_in_parts(&HzEncoder::default(), &text), bytes);
    assert_eq!(encoded_in_parts(&HzEncoder::default(), &[0x4E2D]), b"~{VP~}");
    assert_eq!(walk(bytes), text.into_iter().map(Is).collect::<Vec<_>>());
}

#[test]
fn an_ill_formed_subsequence_leaves_what_follows_it() {
    for (input, expected) in [
        (&b"~a"[..], &[Bad(1, InvalidEscape), Is(0x61)][..]),
        (b"~", &[Bad(1, TruncatedAtEnd)]),
        (b"~{V\n~", &[Bad(1, Truncated), Is(0x0A), Bad(1, TruncatedAtEnd)]),
        (b"~{VP\na", &[Is(0x4E2D), Is(0x0A), Is(0x61)]),
        (b"~{V", &[Bad(1, TruncatedAtEnd)]),
        (b"~{}~VP", &[Bad(2, UndefinedSequence), Is(0x4E2D)]),
        (b"~{~~VP", &[Bad(1, InvalidEscape), Bad(1, InvalidEscape), Is(0x4E2D)]),
        (
            b"~{V\xD0 \x80a",
            &[
                Bad(1, Truncated),
                Bad(1, InvalidByte),
                Is(0x20),
                Bad(1, InvalidByte),
                Bad(1, TruncatedAtEnd),
            ],
        ),
    ] {
        assert_eq!(walk(input), expected, "{input:X?}");
    }
}
