//! The charsets that are tried, with what is needed of each.

use std::sync::OnceLock;

use crate::codec::{ByteOrder, DecodeStop};
use crate::encoding::{Candidate, Encoding, System, candidates};
use crate::language::{Character, Language, Script};
use crate::unicode::CodePoint;

/// Stands for what is no character.
pub(super) const NONE: CodePoint = 0xFFFF;

/// A charset that may be the one of a text.
pub(super) struct Charset {
    pub(super) encoding: &'static Encoding,
    /// How rare it is, in bits.
    pub(super) rarity: u32,
    pub(super) system: System,
    /// The script or the region that it is for.
    pub(super) region: &'static str,
    /// The languages that it is for, if they are few.
    languages: Option<&'static str>,
    /// Whether ASCII is ASCII in it; if not, it is one of EBCDIC's.
    pub(super) has_ascii: bool,
    /// Whether it was made for languages in the Latin script: most of its letters beyond ASCII are of it.
    pub(super) is_latin: bool,
    /// The character of each byte, if each is one.
    pub(super) table: Option<Vec<Character>>,
}

/// Returns all of them.
pub(super) fn charsets() -> &'static [Charset] {
    static CHARSETS: OnceLock<Vec<Charset>> = OnceLock::new();
    CHARSETS.get_or_init(|| candidates().map(Charset::of).collect())
}

impl Charset {
    fn of(Candidate { encoding, rarity, system, region, languages }: Candidate) -> Self {
        let sample = b"Aa 0\n";
        let read = decode(encoding, sample, usize::MAX).unwrap_or_default();
        let has_ascii = read.0.into_iter().eq(sample.iter().map(|byte| CodePoint::from(*byte)));
        let bytes: Vec<u8> = (0..=u8::MAX).collect();
        let table = decode(encoding, &bytes, usize::MAX).filter(|_| encoding.is_single_byte());
        let table = table.map(|(table, _)| table.into_iter().map(Character::from).collect());
        let is_latin = table.as_ref().is_some_and(|table: &Vec<Character>| {
            let letters = table.iter().filter(|character| character.cp >= 0x80);
            let (latin, others): (Vec<_>, Vec<_>) = letters
                .filter_map(|character| Script::of(character.cp))
                .partition(|script| *script == Script::Latin);
            latin.len() > others.len()
        });
        Self { encoding, rarity, system, region, languages, has_ascii, is_latin, table }
    }
}

impl Charset {
    /// Whether it is for other languages than this one.
    pub(super) fn is_for_others(&self, language: Language) -> bool {
        self.languages.is_some_and(|tags| !tags.split(',').any(|tag| tag == language.tag()))
    }
}

/// Decodes a text, whose last character may be cut: its characters, with [`NONE`] for what is ill-formed, and how often
/// something is or is no character of text; `None` if that is more often than `allowed`.
pub(super) fn decode(
    encoding: &Encoding,
    text: &[u8],
    allowed: usize,
) -> Option<(Vec<CodePoint>, usize)> {
    let mut decoder = encoding.new_decoder(ByteOrder::Big);
    let (mut characters, mut pivot) = (Vec::with_capacity(text.len()), [0; 1024]);
    let (mut at, mut errors) = (0, 0);
    while errors <= allowed {
        let decoded = decoder.decode(&text[at..], &mut pivot, false);
        at += decoded.read;
        let new = &pivot[..decoded.written];
        errors += new.iter().filter(|cp| is_error(**cp)).count();
        characters.extend_from_slice(new);
        at += match decoded.stop {
            DecodeStop::OutputFull => continue,
            DecodeStop::InputEmpty => break,
            DecodeStop::IllFormed(ill_formed) => ill_formed.len,
            DecodeStop::Large { len, .. } => len,
        };
        errors += 1;
        characters.push(NONE);
    }
    (errors <= allowed).then_some((characters, errors))
}

/// Whether a character never occurs in text: controls but those of line ends and the like, private use, and what is undefined.
pub(super) fn is_error(cp: CodePoint) -> bool {
    matches!(cp, 0..=8 | 0x0E..=0x19 | 0x1C..=0x1F | 0x80..=0x84 | 0x86..=0x9F | 0xE000..=0xF8FF | NONE)
}
