//! The loops that stateful encodings share: UTF-7, SCSU, BOCU-1, ISO 2022, HZ, host charsets and others.
//!
//! ```text
//! decode: a run in the current state, if the encoding has a fast loop for it
//!         one step ─► a character or a shift: consume it, change the state
//!                     incomplete ─► stop;   ill-formed ─► change the state, stop
//! ```
//!
//! For example, `a+AOk-b` in UTF-7:
//!
//! ```text
//! bytes    step             state after it
//! a        character a      direct
//! +AOk     character é      base64, with two spare bits
//! -        shift            direct
//! b        character b      direct
//! ```
//!
//! The state is what the bytes so far mean for the next ones: a mode, windows, spare bits, the last character. It never
//! includes unread bytes. Everything that a step consumes belongs to one character, one change of state or one
//! ill-formed subsequence, so offsets are exact and do not depend on where the input is split.

use super::{DecodeProgress, DecodeStop, Decoder};
use crate::unicode::{CodePoint, IllFormed, IllFormedKind};
use oxiconv_kernels::Progress;

/// The result of a step: what is at the start of the input, and the change of state that it causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecodeStep<C> {
    /// A character of `len` bytes.
    Character {
        /// Its code point.
        cp: CodePoint,
        /// Its length in bytes.
        len: usize,
        /// The change of state that it causes.
        change: C,
    },
    /// A character of `len` bytes for which Unicode has a sequence of two code points.
    Sequence {
        /// The code points.
        cps: [CodePoint; 2],
        /// Its length in bytes.
        len: usize,
        /// The change of state that it causes.
        change: C,
    },
    /// `len` bytes that only change the state.
    Shift {
        /// Their length in bytes.
        len: usize,
        /// The change.
        change: C,
    },
    /// The start of something that takes more bytes to decide. Returned only if more may follow.
    Incomplete,
    /// An ill-formed subsequence, and the change of state after it.
    IllFormed(IllFormed, C),
}

impl<C> DecodeStep<C> {
    pub(super) const fn bad(len: usize, kind: IllFormedKind, change: C) -> Self {
        Self::IllFormed(IllFormed::new(len, kind), change)
    }
}

/// An encoding in which the meaning of bytes depends on those before.
///
/// [`Self::step`] only looks, and [`Self::apply`] changes the state. So the loop can drop the result of a step that
/// does not fit into the output, without having to undo anything.
pub trait StatefulCodec: Clone + Send + 'static {
    /// A change of the state.
    type Change;

    /// Decodes or classifies the start of `input`, which is not empty. `last` says that nothing follows `input`; the
    /// result is then not [`DecodeStep::Incomplete`].
    fn step(&self, input: &[u8], last: bool) -> DecodeStep<Self::Change>;

    /// Whether it reads [`DecodeStep::Sequence`]s.
    fn has_sequences(&self) -> bool {
        false
    }

    /// Changes the state.
    fn apply(&mut self, change: Self::Change);

    /// Decodes a run, under the contract of [`oxiconv_kernels`] except that it may stop early, and changes the state as
    /// the steps would. This is only a fast path: any prefix of what the steps read will do, also nothing.
    fn run(&mut self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        let _ = (input, output);
        Progress::default()
    }
}

/// Converts each unit of a run to one unit, as long as they are `plain`, under the contract of [`oxiconv_kernels`].
///
/// The units of a block are tested together, with a single branch. The block that fails the test and the last few units
/// are converted one by one.
#[cfg(feature = "legacy")]
#[inline(always)]
fn one_for_one<A: Copy, B>(
    input: &[A],
    output: &mut [B],
    plain: impl Fn(A) -> bool,
    convert: impl Fn(A) -> B,
) -> Progress {
    const BLOCK: usize = 8;
    let mut done = 0;
    while let Some(from) = input[done..].first_chunk::<BLOCK>()
        && let Some(to) = output[done..].first_chunk_mut::<BLOCK>()
        && from.iter().fold(true, |all, unit| all & plain(*unit))
    {
        *to = from.map(&convert);
        done += BLOCK;
    }
    let rest = input[done..].iter().zip(&mut output[done..]);
    for (unit, slot) in rest.take_while(|(unit, _)| plain(**unit)) {
        *slot = convert(*unit);
        done += 1;
    }
    Progress { read: done, written: done }
}

#[cfg(feature = "legacy")]
#[inline(always)]
pub(super) fn read_plain(
    input: &[u8],
    output: &mut [CodePoint],
    plain: impl Fn(u8) -> bool,
) -> Progress {
    one_for_one(input, output, |byte| byte.is_ascii() & plain(byte), CodePoint::from)
}

/// The decoder of a stateful encoding.
#[derive(Clone, Debug)]
pub struct Stateful<W> {
    codec: W,
    /// The state before the last ill-formed subsequence, in which [`Decoder::judges_by_next`] has to judge it. In the
    /// state after it, the bytes may mean something else, and the answer would depend on whether the caller asks before
    /// or after it has passed more input.
    at_fault: Option<W>,
}

impl<W> Stateful<W> {
    /// Creates a decoder in the state of `codec`.
    pub const fn new(codec: W) -> Self {
        Self { codec, at_fault: None }
    }
}

impl<W: StatefulCodec> Decoder for Stateful<W> {
    fn has_sequences(&self) -> bool {
        self.codec.has_sequences()
    }

    fn decode(&mut self, input: &[u8], output: &mut [CodePoint], last: bool) -> DecodeProgress {
        let (mut read, mut written) = (0, 0);
        let stop = loop {
            let run = self.codec.run(&input[read..], &mut output[written..]);
            read += run.read;
            written += run.written;
            let rest = &input[read..];
            if rest.is_empty() {
                break DecodeStop::InputEmpty;
            }
            if written > 0 && written == output.len() {
                // Leave a shift after the last character that fits unread. A finding shows what a call with room for
                // one character has read as the bytes of that character. Were the shift read too, it would be shown as
                // well, but only where the input is not split before it: one text would have two different findings.
                break DecodeStop::OutputFull;
            }
            match self.codec.step(rest, last) {
                DecodeStep::Character { cp, len, change } => {
                    let Some(slot) = output.get_mut(written) else { break DecodeStop::OutputFull };
                    *slot = cp;
                    written += 1;
                    read += len;
                    self.codec.apply(change);
                }
                DecodeStep::Sequence { cps, len, change } => {
                    let Some(slot) = output.get_mut(written..written + 2) else {
                        break DecodeStop::OutputFull;
                    };
                    slot.copy_from_slice(&cps);
                    written += 2;
                    read += len;
                    self.codec.apply(change);
                }
                DecodeStep::Shift { len, change } => {
                    read += len;
                    self.codec.apply(change);
                }
                DecodeStep::Incomplete => break DecodeStop::InputEmpty,
                DecodeStep::IllFormed(ill_formed, change) => {
                    self.at_fault = Some(self.codec.clone());
                    self.codec.apply(change);
                    break DecodeStop::IllFormed(ill_formed);
                }
            }
        };
        DecodeProgress { read, written, stop }
    }

    fn judges_by_next(&self, bytes: &[u8]) -> bool {
        let codec = self.at_fault.as_ref().unwrap_or(&self.codec);
        !matches!(codec.step(bytes, false), DecodeStep::IllFormed(..))
    }

    fn fork(&self) -> Box<dyn Decoder> {
        Box::new(self.clone())
    }
}

/// The bytes of one code point, assembled in a register as a number, the first byte lowest.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CharBytes {
    word: u128,
    len: usize,
}

impl CharBytes {
    /// No character of these encodings takes more, including the shifts before it.
    const MAX_LEN: usize = size_of::<u128>();

    #[inline(always)]
    pub(super) fn add(&mut self, bytes: &[u8]) {
        debug_assert!(bytes.len() <= size_of::<u64>() && self.len + bytes.len() <= Self::MAX_LEN);
        let word = bytes.iter().rev().fold(0, |word: u64, byte| word << 8 | u64::from(*byte));
        self.word |= u128::from(word) << (8 * self.len);
        self.len += bytes.len();
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Writes the bytes, and returns their number; `None`, writing nothing, if there is no room.
    #[inline]
    pub(super) fn put(&self, output: &mut [u8]) -> Option<usize> {
        let bytes = self.word.to_le_bytes();
        match output.first_chunk_mut() {
            // A copy of constant length is faster than one of `len` bytes. The excess is overwritten later.
            Some(slot) => *slot = bytes,
            None => output.get_mut(..self.len)?.copy_from_slice(&bytes[..self.len]),
        }
        Some(self.len)
    }
}

/// The state of an encoder that writes one code point at a time.
pub(super) trait EncodeState: Clone {
    /// Appends the bytes of `cp`, and changes the state. If the encoding cannot represent it, returns false and changes
    /// nothing.
    fn write(&mut self, cp: CodePoint, piece: &mut CharBytes) -> bool;

    /// Encodes a run, under the contract of [`oxiconv_kernels`] except that it may stop early, and changes the state as
    /// [`Self::write`] would. This is only a fast path.
    fn run(&mut self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        let _ = (input, output);
        Progress::default()
    }
}

#[cfg(feature = "legacy")]
#[inline(always)]
pub(super) fn write_plain(
    input: &[CodePoint],
    output: &mut [u8],
    plain: impl Fn(u8) -> bool,
) -> Progress {
    one_for_one(input, output, |cp| (cp < 0x80) & plain(cp as u8), |cp| cp as u8)
}

/// Encodes a run under the contract of [`super::Encoder::encode`].
pub(super) fn encode<W: EncodeState>(
    state: &mut W,
    input: &[CodePoint],
    output: &mut [u8],
) -> super::EncodeProgress {
    use super::EncodeStop;
    let (mut read, mut written) = (0, 0);
    let stop = loop {
        let run = state.run(&input[read..], &mut output[written..]);
        read += run.read;
        written += run.written;
        let Some(&cp) = input.get(read) else { break EncodeStop::InputEmpty };
        // `write` changes the state before it is known whether the bytes fit. Save the state only if they may not, near
        // the end of the output, and not for every character.
        let before = (output.len() - written < CharBytes::MAX_LEN).then(|| state.clone());
        let mut piece = CharBytes::default();
        if !state.write(cp, &mut piece) {
            break EncodeStop::Unmappable;
        }
        let Some(len) = piece.put(&mut output[written..]) else {
            if let Some(before) = before {
                *state = before;
            }
            break EncodeStop::OutputFull;
        };
        written += len;
        read += 1;
    };
    super::EncodeProgress { read, written, stop }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::{
        Bocu1, EncodeProgress, EncodeStop, Encoder, MIN_OUTPUT, Scsu, ScsuEncoder, Utf7,
        Utf7Encoder, Utf7Variant,
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
            let done =
                Stateful::new(Utf7::new(Utf7Variant::Mail)).decode(input, &mut [0; 8], false);
            assert_eq!(done, DecodeProgress { read, written, stop: DecodeStop::InputEmpty });
        }
    }

    #[test]
    fn a_shift_is_written_with_its_character_or_not_at_all() {
        fn check(mut encoder: impl Encoder, input: [CodePoint; 2], bytes: &[u8], first: usize) {
            let mut room = [0; MIN_OUTPUT];
            let done = encoder.encode(&input, &mut room[..bytes.len() - 1]);
            assert_eq!(
                done,
                EncodeProgress { read: 1, written: first, stop: EncodeStop::OutputFull }
            );
            let done = encoder.encode(&input[1..], &mut room[first..bytes.len()]);
            assert_eq!(
                done,
                EncodeProgress {
                    read: 1,
                    written: bytes.len() - first,
                    stop: EncodeStop::InputEmpty
                }
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
            let text: Vec<_> =
                (0..below(40)).map(|_| characters[below(characters.len())]).collect();
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
            0x2B, 0x26, 0x2D, 0x41, 0x2F, 0x20, 0x7E, 0x5C, 0x0A, 0xE9, 0x416, 0xFFFF, 0xD83D,
            0x1F600, 0x39,
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
                HostDecoder::new(
                    crate::encoding::Encoding::for_name(name).unwrap().host().unwrap(),
                ),
                &parts,
            );
        }
    }
}
