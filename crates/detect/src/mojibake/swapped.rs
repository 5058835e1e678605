//! Text in one charset that was read in another: `Ïðèâåò` is windows-1251 read as windows-1252.
//!
//! The wrong charset is always taken to be windows-1252 (docs/repair.md, Limits). So a word goes back to bytes by one
//! table, and the bytes are read in every charset that has letters for them.
//!
//! In contrast to UTF-8, nothing in the bytes is a proof: any byte is a letter in some charset. So this needs whole
//! lines (`foreign.rs`), and rivals. A charset that is not in the list cannot contradict its relatives. MacCyrillic was
//! not, once, and its texts were repaired as windows-1251 with a wrong letter here and there: of 500 Russian lines, 31
//! came back right, and 428 as another text.

use std::ops::Range;
use std::sync::OnceLock;

use super::tables::{MisreadCharset, entry};
use crate::language::Script;
use oxiconv_encodings::codec::{ByteOrder, DecodeStop};
use oxiconv_encodings::encoding::{CharsetCandidate, Encoding, System, candidates};
use oxiconv_encodings::unicode::{CodePoint, is_control, is_private_use};

/// Charsets that are rarer than this, in bits, are not looked for.
const RAREST: u32 = 2;
/// The same for charsets of DOS and the Macintosh with letters of another script than Latin. They must be looked for,
/// rare as they are: without MacCyrillic as a rival, windows-1251 reads most of its text, with a wrong letter here and
/// there, and nothing contradicts it.
const RAREST_OF_SYSTEM: u32 = 5;

/// A charset that misread text may be in.
#[derive(Clone, Copy, Debug)]
pub(super) struct SwappedCharset {
    pub(super) encoding: &'static Encoding,
    /// How rare it is, in bits.
    pub(super) rarity: f32,
    /// The script of most of its letters beyond ASCII; `None` if letters take several bytes.
    script: Option<Script>,
}

impl SwappedCharset {
    /// Whether hardly any text is in it, so that short text needs more evidence.
    pub(super) fn needs_more(&self) -> bool {
        self.rarity > RAREST as f32
    }

    /// Whether a character is a letter beyond ASCII in the script that the charset is for. Text without any has no
    /// reason to be in it.
    pub(super) fn is_for(&self, cp: CodePoint) -> bool {
        let script = Script::of(cp).filter(|_| cp >= 0x80);
        script.is_some_and(|script| match self.script {
            Some(own) => script == own,
            None => matches!(script, Script::Han | Script::Kana | Script::Hangul),
        })
    }
}

/// Returns the charsets that text read as windows-1252 may be in: those that keep ASCII and are common enough, except
/// those of Western Europe.
pub(super) fn charsets() -> &'static [SwappedCharset] {
    static CHARSETS: OnceLock<Vec<SwappedCharset>> = OnceLock::new();
    CHARSETS.get_or_init(|| {
        let fits = |encoding: &Encoding| {
            encoding.may_be_fallback() && encoding != Encoding::WINDOWS_1252 && encoding.has_ascii()
        };
        let charset = |it: CharsetCandidate| {
            let script = script(it.encoding);
            let is_looked_for = match (script, it.system) {
                (_, System::Any) => it.rarity <= RAREST,
                (Some(Script::Latin) | None, System::Macintosh) => false,
                (Some(Script::Latin) | None, System::Dos) => it.rarity <= RAREST,
                (Some(_), System::Dos | System::Macintosh) => it.rarity <= RAREST_OF_SYSTEM,
            };
            let rarity = it.rarity as f32;
            is_looked_for.then_some(SwappedCharset { encoding: it.encoding, rarity, script })
        };
        candidates()
            .filter(|it| fits(it.encoding) && it.region != "Western European")
            .filter_map(charset)
            .collect()
    })
}

/// Returns the script of most letters that are a single byte beyond ASCII in a charset.
fn script(encoding: &Encoding) -> Option<Script> {
    let letters: Vec<_> = (0x80..=0xFF)
        .filter_map(|byte| read(encoding, &[byte]))
        .filter_map(|text| Script::of(*text.first()?))
        .collect();
    let count = |script: &Script| letters.iter().filter(|other| *other == script).count();
    letters.iter().copied().max_by_key(count)
}

/// Decodes bytes; `None` unless all of them are characters of text.
fn read(encoding: &Encoding, bytes: &[u8]) -> Option<Vec<CodePoint>> {
    let mut text = vec![0; bytes.len() + 8];
    let done = encoding.new_decoder(ByteOrder::Big).decode(bytes, &mut text, true);
    text.truncate(done.written);
    let is_text = |cp: &CodePoint| {
        *cp < 0x80 || !is_control(*cp) && !is_private_use(*cp) && !matches!(cp, 0xFF61..=0xFF9F)
    };
    (done.stop == DecodeStop::InputEmpty && text.iter().all(is_text)).then_some(text)
}

/// Returns the words of a text, from `from` on, that may be in another charset: they have characters beyond ASCII, all
/// of them in windows-1252.
pub(super) fn words(text: &[CodePoint], from: usize) -> Vec<Range<usize>> {
    let is_byte = |cp: &CodePoint| *cp < 0x80 || entry(*cp).byte(MisreadCharset::WESTERN).is_some();
    let mut words = Vec::new();
    let mut at = from;
    while at < text.len() {
        let len = text[at..].iter().take_while(|cp| **cp > 0x20).count();
        let word = at..at + len;
        let is_high = |cp: &CodePoint| *cp >= 0x80;
        if text[word.clone()].iter().any(is_high) && text[word.clone()].iter().all(is_byte) {
            words.push(word);
        }
        at += len.max(1);
    }
    words
}

/// Returns the offset of the first character beyond ASCII that is in windows-1252.
pub fn first_western(text: &str) -> Option<usize> {
    let is_western = |c: char| !c.is_ascii() && is_western(c);
    text.find(is_western)
}

/// Returns where the last part of a text begins that is on one line and all in windows-1252.
pub fn western_end(text: &str) -> usize {
    let other = |c: char| c == '\n' || !is_western(c);
    let last = text.char_indices().rev().find(|(_, c)| other(*c));
    last.map_or(0, |(at, c)| at + c.len_utf8())
}

fn is_western(c: char) -> bool {
    c.is_ascii() || entry(c.into()).byte(MisreadCharset::WESTERN).is_some()
}

/// Returns the bytes of a word in windows-1252.
fn bytes(word: &[CodePoint]) -> Option<Vec<u8>> {
    word.iter()
        .map(|cp| match u8::try_from(*cp).ok().filter(u8::is_ascii) {
            Some(ascii) => Some(ascii),
            None => entry(*cp).byte(MisreadCharset::WESTERN),
        })
        .collect()
}

/// Returns the readings of a word, with the index of the charset.
pub(super) fn readings(word: &[CodePoint]) -> Vec<(usize, Vec<CodePoint>)> {
    let Some(bytes) = bytes(word) else { return Vec::new() };
    let each = charsets().iter().enumerate();
    each.filter_map(|(index, charset)| Some((index, read(charset.encoding, &bytes)?))).collect()
}

/// Whether a word is unusual as windows-1252: four characters beyond ASCII in a row, three of them letters; a sign
/// between letters; or a control code after a letter. `word` begins with the character before the word.
///
/// `sound_words.rs` relies on these rules: a word has no suspect if it has no run of characters beyond ASCII with three
/// letters, and no sign or control code after a letter.
pub(super) fn is_suspect(word: &[CodePoint]) -> bool {
    let in_a_row = |four: &[CodePoint]| {
        four.iter().all(|cp| *cp >= 0x80)
            && four.iter().filter(|cp| is_high_letter(**cp)).count() >= 3
    };
    let is_control_after =
        |near: &[CodePoint]| is_letter(near[0]) && matches!(near[1], 0x80..=0x9F);
    word.windows(4).any(in_a_row)
        || word.windows(2).any(is_control_after)
        || word.windows(3).any(|near| is_letter(near[0]) && is_sign(near[1]) && is_letter(near[2]))
}

/// Whether a character is a letter of windows-1252 beyond ASCII.
pub(super) fn is_high_letter(cp: CodePoint) -> bool {
    matches!(cp, 0xC0..=0xFF | 0x160 | 0x161 | 0x178 | 0x17D | 0x17E)
}

pub(super) fn is_letter(cp: CodePoint) -> bool {
    matches!(cp, 0x41..=0x5A | 0x61..=0x7A) || is_high_letter(cp)
}

/// Whether a character is a control code, or a sign of ISO-8859-1 that never occurs inside a word.
pub(super) fn is_sign(cp: CodePoint) -> bool {
    matches!(cp, 0x80..=0x9F | 0xA1..=0xA9 | 0xAB..=0xAC | 0xAE..=0xB1 | 0xB3 | 0xB5 | 0xB6 | 0xB8 | 0xB9 | 0xBB..=0xBF)
}
