//! The charsets that are tried, with what is needed of each.

use std::sync::OnceLock;

use crate::codec::{ByteOrder, DecodeStop};
use crate::encoding::{Candidate, Encoding, System, candidates};
use crate::unicode::CodePoint;

/// Stands for what is no character.
pub(super) const NONE: CodePoint = 0xFFFF;

/// A charset that may be the one of a text.
pub(super) struct Charset {
    pub(super) encoding: &'static Encoding,
    /// How rare it is, in bits.
    pub(super) rarity: u32,
    pub(super) system: System,
    /// Whether ASCII is ASCII in it; if not, it is one of EBCDIC's.
    pub(super) has_ascii: bool,
    /// The character of each byte, if each is one.
    pub(super) table: Option<Vec<CodePoint>>,
}

/// Returns all of them.
pub(super) fn charsets() -> &'static [Charset] {
    static CHARSETS: OnceLock<Vec<Charset>> = OnceLock::new();
    CHARSETS.get_or_init(|| candidates().map(Charset::of).collect())
}

impl Charset {
    fn of(Candidate { encoding, rarity, system }: Candidate) -> Self {
        let sample = b"Aa 0\n";
        let (read, _) = decode(encoding, sample, false);
        let has_ascii = read.into_iter().eq(sample.iter().map(|byte| CodePoint::from(*byte)));
        let bytes: Vec<u8> = (0..=u8::MAX).collect();
        let table = encoding.is_single_byte().then(|| decode(encoding, &bytes, true).0);
        Self {
            encoding,
            rarity,
            system,
            has_ascii,
            table: table.filter(|table| table.len() == bytes.len()),
        }
    }
}

/// Decodes a text: its characters, with [`NONE`] for what is ill-formed, and how often something is or is no character
/// of text. `whole` says that a sequence that the end cuts is ill-formed.
pub(super) fn decode(encoding: &Encoding, text: &[u8], whole: bool) -> (Vec<CodePoint>, usize) {
    let mut decoder = encoding.new_decoder(ByteOrder::Big);
    let (mut characters, mut pivot) = (Vec::with_capacity(text.len()), [0; 1024]);
    let (mut at, mut errors) = (0, 0);
    loop {
        let decoded = decoder.decode(&text[at..], &mut pivot, whole);
        at += decoded.read;
        let new = &pivot[..decoded.written];
        errors += new.iter().filter(|cp| is_error(**cp)).count();
        characters.extend_from_slice(new);
        at += match decoded.stop {
            DecodeStop::OutputFull => continue,
            DecodeStop::InputEmpty => return (characters, errors),
            DecodeStop::IllFormed(ill_formed) => ill_formed.len,
            DecodeStop::Large { len, .. } => len,
        };
        errors += 1;
        characters.push(NONE);
    }
}

/// Whether a character is none of text: controls but those of line ends and the like, private use, and what is undefined.
pub(super) fn is_error(cp: CodePoint) -> bool {
    matches!(cp, 0..=8 | 0x0E..=0x19 | 0x1C..=0x1F | 0x80..=0x84 | 0x86..=0x9F | 0xE000..=0xF8FF | NONE)
}
