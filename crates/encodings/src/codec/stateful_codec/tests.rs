use super::*;
use crate::codec::{
    Bocu1, EncodeProgress, EncodeStop, Encoder, MIN_OUTPUT, Scsu, ScsuEncoder, Utf7, Utf7Encoder,
    Utf7Variant,
};

#[test]
fn without_room_only_changes_of_state_are_read() {
    let mut scsu = Stateful::new(Scsu::new());
    let done = scsu.decode(b"\x12\x0F\xE2\x80", &mut [], false);
    assert_eq!(done, DecodeProgress { read: 3, written: 0, stop: DecodeStop::OutputFull });
    let mut room = [0; 2];
    let done = scsu.fork().decode(b"\x80\xFF", &mut room, true);
    assert_eq!((done.read, room), (2, [0x400, 0x47F]));
    // A `+` belongs to the character after it, so the text before it is complete.
    let done = Stateful::new(Utf7::new(Utf7Variant::Mail)).decode(b"+AGE-", &mut [], true);
    assert_eq!(done, DecodeProgress { read: 0, written: 0, stop: DecodeStop::OutputFull });
    let done = Stateful::new(Bocu1::new()).decode(b"\xFF\xFF\x91", &mut [], true);
    assert_eq!(done, DecodeProgress { read: 2, written: 0, stop: DecodeStop::OutputFull });
}

#[test]
fn a_change_of_state_after_the_last_character_that_fits_is_not_read() {
    for (input, read) in [(&b"+AGE-a"[..], 4), (b"a+AGE-", 1)] {
        let done = Stateful::new(Utf7::new(Utf7Variant::Mail)).decode(input, &mut [0], true);
        assert_eq!(done, DecodeProgress { read, written: 1, stop: DecodeStop::OutputFull });
    }
    let done = Stateful::new(Scsu::new()).decode(b"a\x12", &mut [0], true);
    assert_eq!(done, DecodeProgress { read: 1, written: 1, stop: DecodeStop::OutputFull });
}

#[test]
fn what_the_end_may_cut_is_left_unread() {
    for (input, read, written) in [
        (&b"a+"[..], 1, 1),
        (b"+AG", 0, 0),
        // With spare bits that are not zero, the next byte decides whether they continue.
        (b"+AOl", 0, 0),
        (b"+AOk", 4, 1),
        (b"+2D3eA", 0, 0),
        (b"+AOnYPd4", 4, 1),
    ] {
        let done = Stateful::new(Utf7::new(Utf7Variant::Mail)).decode(input, &mut [0; 8], false);
        assert_eq!(done, DecodeProgress { read, written, stop: DecodeStop::InputEmpty });
    }
}

#[test]
fn a_shift_is_written_with_its_character_or_not_at_all() {
    fn check(mut encoder: impl Encoder, input: [CodePoint; 2], bytes: &[u8], first: usize) {
        let mut room = [0; MIN_OUTPUT];
        let done = encoder.encode(&input, &mut room[..bytes.len() - 1]);
        assert_eq!(done, EncodeProgress { read: 1, written: first, stop: EncodeStop::OutputFull });
        let done = encoder.encode(&input[1..], &mut room[first..bytes.len()]);
        assert_eq!(
            done,
            EncodeProgress { read: 1, written: bytes.len() - first, stop: EncodeStop::InputEmpty }
        );
        assert_eq!(&room[..bytes.len()], bytes);
    }
    check(Utf7Encoder::new(Utf7Variant::Mail), [0x61, 0xE9], b"a+AO", 1);
    check(Utf7Encoder::new(Utf7Variant::Mail), [0xE9, 0x61], b"+AOk-a", 3);
    check(ScsuEncoder::new(), [0x61, 0x4E8C], b"a\x0F\x4E\x8C", 1);
    check(Bocu1::new(), [0x41, 0x10_FFFF], b"\x91\xFE\x19\xB4\x54", 1);
}

#[test]
fn the_end_of_utf_7_closes_base64_once() {
    let mut room = [0; MIN_OUTPUT];
    let mut encoder = Utf7Encoder::new(Utf7Variant::Mail);
    let written = encoder.encode(&[0xE9], &mut room).written;
    let end = encoder.finish(&mut room[written..]);
    assert_eq!(&room[..written + end], b"+AOk-");
    assert_eq!(encoder.finish(&mut room), 0);
}

/// A codec without its fast loop.
#[derive(Clone)]
struct StepByStep<W>(W);

impl<W: StatefulCodec> StatefulCodec for StepByStep<W> {
    type Change = W::Change;

    fn step(&self, input: &[u8], last: bool) -> DecodeStep<W::Change> {
        self.0.step(input, last)
    }

    fn apply(&mut self, change: W::Change) {
        self.0.apply(change);
    }
}

impl<W: EncodeState> EncodeState for StepByStep<W> {
    fn write(&mut self, cp: CodePoint, piece: &mut CharBytes) -> bool {
        self.0.write(cp, piece)
    }
}

/// Numbers below a bound, the same in each run (xorshift).
fn numbers() -> impl FnMut(usize) -> usize {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 16) as usize % below
    }
}

/// The number of random texts that each check tries.
const TEXTS: usize = 3000;

/// Checks that each call reads and writes what the steps of `codec` do, in texts of `parts`.
fn check_runs<W: StatefulCodec>(codec: W, parts: &[&[u8]]) {
    let mut below = numbers();
    for _ in 0..TEXTS {
        let text: Vec<u8> =
            (0..below(40)).flat_map(|_| parts[below(parts.len())]).copied().collect();
        let (mut runs, mut steps) =
            (Stateful::new(codec.clone()), Stateful::new(StepByStep(codec.clone())));
        let (mut at, mut end) = (0, 0);
        while at < text.len() {
            end = text.len().min(end + below(30));
            let last = end == text.len();
            let room = if last { 60 } else { below(20) };
            let (mut ours, mut theirs) = ([0; 60], [0; 60]);
            let done = runs.decode(&text[at..end], &mut ours[..room], last);
            let expected = steps.decode(&text[at..end], &mut theirs[..room], last);
            let what = format!("{:X?} with {room} places", &text[at..end]);
            assert_eq!(done, expected, "{what}");
            assert_eq!(ours[..done.written], theirs[..done.written], "{what}");
            at += done.read;
            if let DecodeStop::IllFormed(ill_formed) = done.stop {
                at += ill_formed.len;
            }
            end = end.max(at);
        }
    }
}

/// Checks the same of an encoder, in texts of `characters`.
fn check_encoding_runs<W: EncodeState>(state: W, characters: &[CodePoint]) {
    let mut below = numbers();
    for _ in 0..TEXTS {
        let text: Vec<_> = (0..below(40)).map(|_| characters[below(characters.len())]).collect();
        let (mut runs, mut steps) = (state.clone(), StepByStep(state.clone()));
        let mut at = 0;
        while at < text.len() {
            let room = below(60);
            let (mut ours, mut theirs) = ([0; 60], [0; 60]);
            let done = encode(&mut runs, &text[at..], &mut ours[..room]);
            let expected = encode(&mut steps, &text[at..], &mut theirs[..room]);
            let what = format!("{:X?} with {room} bytes", &text[at..]);
            assert_eq!(done, expected, "{what}");
            assert_eq!(ours[..done.written], theirs[..done.written], "{what}");
            at += done.read + usize::from(done.stop == EncodeStop::Unmappable);
        }
    }
}

#[test]
fn runs_of_utf_7_are_its_steps() {
    // Letters of all lengths in base64, what ends base64, an unpaired surrogate, spare bits that are not zero, and
    // invalid bytes.
    let parts: [&[u8]; 17] = [
        b"+",
        b"&",
        b"-",
        b"A",
        b"BBAEMQ",
        b"BBA",
        b"AGE",
        b"2D3",
        b"2D3cAA",
        b"/",
        b",",
        b" ",
        b"~",
        b"\\",
        b"\n",
        b"\xE9",
        b"+BBAEMQQyBDM-",
    ];
    let characters = [
        0x2B, 0x26, 0x2D, 0x41, 0x2F, 0x20, 0x7E, 0x5C, 0x0A, 0xE9, 0x416, 0xFFFF, 0xD83D, 0x1F600,
        0x39,
    ];
    for form in [Utf7Variant::Mail, Utf7Variant::Mailbox] {
        check_runs(Utf7::new(form), &parts);
        check_encoding_runs(Utf7Encoder::new(form), &characters);
    }
}

#[cfg(feature = "legacy")]
#[test]
fn runs_of_iso_2022_are_its_steps() {
    use crate::codec::iso2022::{self, Iso2022, Iso2022Encoder};
    let parts: [&[u8]; 18] = [
        b"\x1B(B",
        b"\x1B$B",
        b"\x1B(J",
        b"\x1B(I",
        b"\x1B$A",
        b"\x1B$)C",
        b"\x1B$)A",
        b"\x1B.A",
        b"\x1BN!",
        b"\x0E",
        b"\x0F",
        b"a b",
        b"\n",
        b"\x1B",
        b"F|",
        b"$!$\x22$#",
        b"\xC6",
        b"0!0\x22",
    ];
    // Letters of JIS X 0208, 0212 and 0201, GB 2312, KS X 1001, ISO 8859-1 and -7, and of no set.
    let characters = [
        0x0A, 0x20, 0x61, 0x5C, 0x7E, 0xA5, 0xE9, 0x3B1, 0x430, 0x431, 0x3042, 0x65E5, 0x4E02,
        0xFF71, 0x4E2D, 0xD55C, 0x1F600, 0x0E,
    ];
    for version in [
        &iso2022::ISO_2022_JP,
        &iso2022::ISO_2022_JP_1,
        &iso2022::ISO_2022_JP_2,
        &iso2022::ISO_2022_JP_3,
        &iso2022::ISO_2022_JP_EXT,
        &iso2022::ISO_2022_JP_WHATWG,
        &iso2022::ISO_2022_KR,
        &iso2022::ISO_2022_CN,
        &iso2022::ISO_2022_CN_EXT,
        &iso2022::CP50221,
        &iso2022::JIS_8,
        &iso2022::COMPOUND_TEXT,
    ] {
        check_runs(Iso2022::new(version), &parts);
        check_encoding_runs(Iso2022Encoder::new(version), &characters);
    }
}

#[cfg(feature = "legacy")]
#[test]
fn runs_of_hosts_are_their_steps() {
    use crate::codec::dbcs_host::HostDecoder;
    let parts: [&[u8]; 12] = [
        b"\x0E",
        b"\x0F",
        b"\x81",
        b"\x25",
        b"\x40",
        b"\x42\x81\x45\x62",
        b"\x45\x62",
        b"\xFE\xFD",
        b"\xFF",
        b"\x00",
        b"\x81\x82\x83\x84\x85\x86\x87\x88\x89\x91",
        b"\xEC\xB5",
    ];
    for name in ["ibm-930_P120-1999", "ibm-1390_P110-2003"] {
        check_runs(
            HostDecoder::new(crate::encoding::Encoding::for_name(name).unwrap().host().unwrap()),
            &parts,
        );
    }
}
