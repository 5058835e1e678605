use super::*;
use crate::codec::{DecodeProgress, DecodeStop, Decoder, MIN_OUTPUT, Stateless};

#[test]
fn the_bytes_after_a_high_surrogate_say_what_its_form_is() {
    let lone = Decoded::Character { cp: 0xD83D, len: 3 };
    let half = Decoded::IllFormed(IllFormed::new(3, IllFormedKind::Surrogate));
    for (following, expected) in [
        (&b""[..], Decoded::Incomplete),
        (b"\xED", Decoded::Incomplete),
        (b"\xED\xB8", Decoded::Incomplete),
        (b"\xED\xB8\x80", half),
        (b"\xED\xB0\x80", half),
        (b"\xED\xBF\xBF", half),
        (b"\xED\xB8a", lone),
        (b"\xED\xAF", lone),
        (b"\xED\x9F\xBF", lone),
        (b"\xEE", lone),
        (b"a", lone),
    ] {
        let input = [b"\xED\xA0\xBD", following].concat();
        assert_eq!(Wtf8.decode_one(&input), expected, "{input:X?}");
        assert_eq!(GeneralizedUtf8.decode_one(&input), lone, "{input:X?}");
        if expected == Decoded::Incomplete {
            assert_eq!(Wtf8.at_end(&input), lone, "{input:X?}");
        }
    }
    assert_eq!(Wtf8.decode_one(b"\xED\xB8\x80"), Decoded::Character { cp: 0xDE00, len: 3 });
    assert_eq!(Wtf8.decode_one(b"\xED\xA0"), Decoded::Incomplete);
    let cut = IllFormed::new(2, IllFormedKind::TruncatedAtEnd);
    assert_eq!(Wtf8.at_end(b"\xED\xA0"), Decoded::IllFormed(cut));
    let truncated = IllFormed::new(2, IllFormedKind::Truncated);
    assert_eq!(Wtf8.decode_one(b"\xED\xA0\xED"), Decoded::IllFormed(truncated));
}

#[test]
fn a_high_surrogate_at_the_end_of_a_piece_is_not_read_and_at_the_end_of_the_text_is() {
    let (mut decoder, mut pivot) = (Stateless(Wtf8), [0; 8]);
    let mut decode = |last| decoder.decode(b"a\xED\xA0\xBD\xED\xB8", &mut pivot, last);
    assert_eq!(decode(false), DecodeProgress { read: 1, written: 1, stop: DecodeStop::InputEmpty });
    let cut = IllFormed::new(2, IllFormedKind::TruncatedAtEnd);
    assert_eq!(
        decode(true),
        DecodeProgress { read: 4, written: 2, stop: DecodeStop::IllFormed(cut) }
    );
    assert_eq!(pivot[..2], [0x61, 0xD83D]);
}

/// Encodes in calls of these lengths, and finishes.
fn encoded(calls: &[&[CodePoint]]) -> Vec<u8> {
    let (mut encoder, mut bytes) = (Wtf8Encoder::default(), Vec::new());
    let mut room = [0; MIN_OUTPUT];
    for call in calls {
        let done = encoder.encode(call, &mut room);
        assert_eq!((done.read, done.stop), (call.len(), EncodeStop::InputEmpty));
        bytes.extend(&room[..done.written]);
    }
    let pending = encoder.pending();
    let len = encoder.finish(&mut room);
    assert_eq!((pending, encoder.pending(), encoder.finish(&mut [])), (len, 0, 0));
    bytes.extend(&room[..len]);
    bytes
}

#[test]
fn pairs_are_joined_however_they_come() {
    assert_eq!(encoded(&[&[0xD83D, 0xDE00]]), b"\xF0\x9F\x98\x80");
    assert_eq!(encoded(&[&[0xD83D], &[], &[0xDE00]]), b"\xF0\x9F\x98\x80");
    assert_eq!(
        encoded(&[&[0x61, 0xD800, 0xD800], &[0xDC00, 0xDC00]]),
        b"a\xED\xA0\x80\xF0\x90\x80\x80\xED\xB0\x80"
    );
    assert_eq!(encoded(&[&[0xDBFF], &[0xDFFF, 0xDBFF]]), b"\xF4\x8F\xBF\xBF\xED\xAF\xBF");
    assert_eq!(encoded(&[&[0xDBFF], &[0x61]]), b"\xED\xAF\xBFa");
}

#[test]
fn a_half_waits_for_room_and_past_what_is_unmappable() {
    let (mut encoder, mut room) = (Wtf8Encoder::default(), [0; MIN_OUTPUT]);
    let done = |read, written, stop| EncodeProgress { read, written, stop };
    assert_eq!(
        encoder.encode(&[0xD83D, 0xDE00], &mut room[..3]),
        done(1, 0, EncodeStop::OutputFull)
    );
    assert_eq!(encoder.encode(&[0x61], &mut room[..2]), done(0, 0, EncodeStop::OutputFull));
    // The caller leaves out the unmappable value: what comes next meets the half that is held.
    assert_eq!(encoder.encode(&[0x11_0000], &mut room), done(0, 0, EncodeStop::Unmappable));
    assert_eq!(encoder.encode(&[0xDE00], &mut room), done(1, 4, EncodeStop::InputEmpty));
    assert_eq!(&room[..4], b"\xF0\x9F\x98\x80");
}
