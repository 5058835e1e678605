use super::*;
use crate::codec::{Decoded, MIN_PIVOT};
use oxiconv_kernels::Progress;

/// A toy encoding, in which Y is A with U+0304 and Z is A with U+030C.
#[derive(Clone)]
struct Toy;

impl StatelessCodec for Toy {
    fn decode_run(&self, _: &[u8], _: &mut [CodePoint]) -> Progress {
        Progress::default()
    }

    fn decode_one(&self, input: &[u8]) -> Decoded {
        match input[0] {
            b'Y' => Decoded::Sequence { cps: [0x41, 0x304], len: 1 },
            b'Z' => Decoded::Sequence { cps: [0x41, 0x30C], len: 1 },
            byte => Decoded::Character { cp: byte.into(), len: 1 },
        }
    }

    fn encode_run(&self, _: &[CodePoint], _: &mut [u8]) -> Progress {
        Progress::default()
    }

    fn encode_one(&self, cp: CodePoint) -> Option<Encoded> {
        (0x41..0x59).contains(&cp).then(|| Encoded::new(&[cp as u8]))
    }

    fn sequences(&self) -> Vec<([CodePoint; 2], Encoded)> {
        vec![([0x41, 0x30C], Encoded::new(b"Z")), ([0x41, 0x304], Encoded::new(b"Y"))]
    }
}

fn encoder() -> Joining<Stateless<Toy>> {
    Joining::new(Stateless(Toy))
}

#[test]
fn a_sequence_is_one_code_wherever_the_text_is_cut() {
    let text = [0x41, 0x30C, 0x42, 0x41, 0x41, 0x304, 0x41, 0x42, 0x41];
    for first in 0..=text.len() {
        for second in first..=text.len() {
            let (mut encoder, mut bytes) = (encoder(), Vec::<u8>::new());
            for part in [&text[..first], &text[first..second], &text[second..]] {
                let mut room = [0; MIN_OUTPUT];
                let done = encoder.encode(part, &mut room);
                assert_eq!((done.read, done.stop), (part.len(), EncodeStop::InputEmpty));
                bytes.extend(&room[..done.written]);
            }
            let (pending, mut room) = (encoder.pending(), [0; MIN_OUTPUT]);
            let len = encoder.finish(&mut room);
            assert_eq!((len, encoder.pending(), encoder.finish(&mut [])), (pending, 0, 0));
            bytes.extend(&room[..len]);
            assert_eq!(bytes, b"ZBAYABA", "{first} {second}");
        }
    }
    assert!(encoder().joins());
}

#[test]
fn no_sequence_begins_with_a_code_point_that_has_no_code() {
    /// The toy, with a sequence that begins with a code point it lacks.
    #[derive(Clone)]
    struct Lacking;

    impl StatelessCodec for Lacking {
        fn decode_run(&self, _: &[u8], _: &mut [CodePoint]) -> Progress {
            Progress::default()
        }

        fn decode_one(&self, input: &[u8]) -> Decoded {
            Toy.decode_one(input)
        }

        fn encode_run(&self, _: &[CodePoint], _: &mut [u8]) -> Progress {
            Progress::default()
        }

        fn encode_one(&self, cp: CodePoint) -> Option<Encoded> {
            Toy.encode_one(cp).filter(|_| cp != 0x41)
        }

        fn sequences(&self) -> Vec<([CodePoint; 2], Encoded)> {
            Toy.sequences()
        }
    }

    let (mut encoder, mut room) = (Joining::new(Stateless(Lacking)), [0; MIN_OUTPUT]);
    let unmappable = |read, written| EncodeProgress { read, written, stop: EncodeStop::Unmappable };
    assert_eq!(encoder.encode(&[0x42, 0x41], &mut room), unmappable(1, 1));
    assert_eq!(encoder.encode(&[0x41, 0x30C], &mut room), unmappable(0, 0));
    assert_eq!((encoder.pending(), encoder.joins()), (0, false));
}

#[test]
fn what_is_held_back_is_written_before_what_is_unmappable() {
    let (mut encoder, mut room) = (encoder(), [0; MIN_OUTPUT]);
    let done = |read, written, stop| EncodeProgress { read, written, stop };
    let text = [0x41, 0x30A, 0x30C];
    assert_eq!(encoder.encode(&text, &mut room), done(1, 1, EncodeStop::Unmappable));
    assert_eq!(encoder.encode(&text[2..], &mut room), done(0, 0, EncodeStop::Unmappable));
    assert_eq!(encoder.encode(&[0x42, 0x41], &mut room[..1]), done(2, 1, EncodeStop::InputEmpty));
    assert_eq!(encoder.encode(&[0x42], &mut []), done(0, 0, EncodeStop::OutputFull));
    assert_eq!(encoder.encode(&[0x30C], &mut []), done(0, 0, EncodeStop::OutputFull));
    assert_eq!(encoder.encode(&[0x30C], &mut room), done(1, 1, EncodeStop::InputEmpty));
    assert_eq!((room[0], encoder.pending()), (b'Z', 0));
}

#[test]
fn a_decoder_gives_both_code_points_or_none() {
    use crate::codec::{DecodeProgress, DecodeStop, Decoder};
    let done = |read, written, stop| DecodeProgress { read, written, stop };
    let (mut decoder, mut room) = (Stateless(Toy), [0; MIN_PIVOT]);
    assert_eq!(decoder.decode(b"BZ", &mut room[..2], true), done(1, 1, DecodeStop::OutputFull));
    assert_eq!(decoder.decode(b"Z", &mut room[..1], true), done(0, 0, DecodeStop::OutputFull));
    assert_eq!(decoder.decode(b"ZY", &mut room, true), done(2, 4, DecodeStop::InputEmpty));
    assert_eq!(room[..4], [0x41, 0x30C, 0x41, 0x304]);
}
