//! Text in one charset that was read in another: `Ïðèâåò` is windows-1251 read as windows-1252.
//!
//! In contrast to UTF-8, nothing in the bytes is a proof: any byte is a letter in some charset. So this needs whole
//! lines (`foreign.rs`), and rivals. A charset that is not in the list cannot contradict its relatives. MacCyrillic was
//! not, once, and its texts were repaired as windows-1251 with a wrong letter here and there: of 500 Russian lines, 31
//! came back right, and 428 as another text.
//!
//! Text of any charset is shown as windows-1252 somewhere, so all common charsets are looked for there. Of the other
//! pairs only those are listed that people report: what the consoles of Windows, archives of DOS, the Macintosh and
//! Russian programs show. All pairs of 17 charsets would be some three hundred, and each would be a rival of the right
//! one.

use std::ops::Range;
use std::sync::OnceLock;

use super::controls::{self, NEL};
use super::double_byte::{self, DoubleByteCharset};
use super::ideographs::is_wide;
use super::tables::{COUNT, MisreadCharset, entry};
use crate::language::Script;
use oxiconv_encodings::codec::{ByteOrder, DecodeStop};
use oxiconv_encodings::encoding::{CharsetCandidate, Encoding, System, candidates};
use oxiconv_encodings::unicode::{CodePoint, is_control, is_private_use};

/// Charsets, and the charsets that text was in which is read as them. Some are listed because they would otherwise be
/// taken for a relative: Turkish and Polish text of Windows looks like windows-1252.
const REPORTED: [(&str, &[&str]); 9] = [
    // German and French of DOS and the Macintosh: `m”glich`, `fŸr`.
    ("windows-1252", &["IBM437", "IBM850", "IBM857", "macintosh"]),
    // The Macintosh shows text of Windows: `f¸r`.
    ("macintosh", &["windows-1252", "windows-1250", "windows-1254"]),
    // Russian Windows shows other text of Windows, of DOS and of Unix: `dйjа`, `Їа®Ја ¬¬ `, `оПХБЕР`.
    (
        "windows-1251",
        &["windows-1252", "windows-1250", "windows-1254", "IBM866", "KOI8-R", "KOI8-U"],
    ),
    ("KOI8-R", &["windows-1251", "MAC-UK"]),
    // The Russian console shows text of Windows: `яЁштхЄ`.
    ("IBM866", &["windows-1251", "MAC-UK"]),
    // Western consoles, and programs for ZIP archives: `fⁿr`, `Åα¿óÑΓ`, `âtâ@âCâï`.
    ("IBM437", &SHOWN_BY_DOS),
    ("IBM850", &SHOWN_BY_DOS),
    // Greek Windows: `Thιβtre`.
    ("windows-1253", &["windows-1252", "windows-1250", "windows-1254"]),
    // Chinese Windows: `f黵`, `偙傟偼`, `いゅ`.
    ("GB18030", &["windows-1252", "windows-1250", "windows-1254", "CP932", "BIG5-HKSCS"]),
];
const SHOWN_BY_DOS: [&str; 14] = [
    "windows-1252",
    "windows-1250",
    "windows-1254",
    "windows-1251",
    "windows-1253",
    "windows-1255",
    "windows-1256",
    "IBM866",
    "MAC-UK",
    "CP932",
    "EUC-JP",
    "GB18030",
    "CP949",
    "BIG5-HKSCS",
];

/// A charset that text is read in by mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WrongCharset {
    Single(MisreadCharset),
    Gb,
}

impl WrongCharset {
    fn named(name: &str) -> Option<Self> {
        let single = || MisreadCharset::named(name).map(Self::Single);
        if name == DoubleByteCharset::GB18030.encoding().name() { Some(Self::Gb) } else { single() }
    }

    pub(super) fn encoding(self) -> &'static Encoding {
        match self {
            Self::Single(set) => set.encoding(),
            Self::Gb => DoubleByteCharset::GB18030.encoding(),
        }
    }

    /// How much rarer the mistake is than the most common one, in bits.
    pub(super) fn rarity(self) -> f32 {
        match self {
            Self::Single(set) => set.rarity(),
            Self::Gb => double_byte::RARITY,
        }
    }

    /// Its bit in a set of charsets.
    fn bit(self) -> u32 {
        match self {
            Self::Single(set) => 1 << set.0,
            Self::Gb => 1 << COUNT,
        }
    }

    /// Returns the bytes of a word.
    fn bytes(self, word: &[CodePoint]) -> Option<Vec<u8>> {
        let mut bytes = Vec::with_capacity(2 * word.len());
        for cp in word {
            match (u8::try_from(*cp).ok().filter(u8::is_ascii), self) {
                (Some(ascii), _) => bytes.push(ascii),
                (None, Self::Single(set)) => bytes.push(entry(*cp).byte(set)?),
                (None, Self::Gb) => match DoubleByteCharset::GB18030.code(*cp) {
                    0 => return None,
                    code => bytes.extend(code.to_be_bytes()),
                },
            }
        }
        Some(bytes)
    }
}

/// Charsets that are rarer than this, in bits, are not looked for in windows-1252.
const RAREST: u32 = 2;
/// The same for charsets of DOS and the Macintosh with letters of another script than Latin. They must be looked for,
/// rare as they are: without MacCyrillic as a rival, windows-1251 reads most of its text, with a wrong letter here and
/// there, and nothing contradicts it.
const RAREST_OF_SYSTEM: u32 = 5;

/// A charset that text was in, and the one that it was read in.
#[derive(Clone, Copy, Debug)]
pub(super) struct SwappedPair {
    pub(super) written_in: &'static Encoding,
    pub(super) read_as: WrongCharset,
    /// How rare the first one is, in bits.
    pub(super) rarity: f32,
    /// The script of most of its letters beyond ASCII; `None` if letters take several bytes.
    script: Option<Script>,
}

impl SwappedPair {
    /// Whether hardly any text is in it, so that short text needs more evidence.
    pub(super) fn needs_more(&self) -> bool {
        self.rarity > RAREST as f32
    }

    /// Whether letters are single bytes in the charset that the text was in.
    pub(super) fn has_script(&self) -> bool {
        self.script.is_some()
    }

    /// Whether the charset that the text was in is for Latin letters.
    pub(super) fn is_latin(&self) -> bool {
        self.script == Some(Script::Latin)
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

/// Returns the pairs that are looked for: what text read as windows-1252 may be in, which is all charsets that keep
/// ASCII and are common enough, except those of Western Europe; and [`REPORTED`].
pub(super) fn pairs() -> &'static [SwappedPair] {
    static PAIRS: OnceLock<Vec<SwappedPair>> = OnceLock::new();
    PAIRS.get_or_init(|| {
        let pair = |it: CharsetCandidate, read_as| SwappedPair {
            written_in: it.encoding,
            read_as,
            rarity: it.rarity as f32,
            script: script(it.encoding),
        };
        let of_any = candidates()
            .filter(|it| it.encoding.may_be_fallback() && it.encoding.has_ascii())
            .filter(|it| it.region != "Western European" && is_common(it))
            .map(|it| pair(it, WrongCharset::Single(MisreadCharset::WESTERN)));
        let reported = REPORTED.iter().flat_map(|(read_as, written_in)| {
            let read_as = WrongCharset::named(read_as);
            let is_named = |it: &CharsetCandidate| written_in.contains(&it.encoding.name());
            candidates().filter(is_named).filter_map(move |it| Some(pair(it, read_as?)))
        });
        of_any.chain(reported).collect()
    })
}

/// Whether a charset is common enough that text in it is looked for in windows-1252.
fn is_common(charset: &CharsetCandidate) -> bool {
    match charset.system {
        System::Any => charset.rarity <= RAREST,
        system => match script(charset.encoding) {
            Some(Script::Latin) | None => system == System::Dos && charset.rarity <= RAREST,
            Some(_) => charset.rarity <= RAREST_OF_SYSTEM,
        },
    }
}

/// Returns the script of most letters that are a single byte beyond ASCII in a charset.
fn script(encoding: &Encoding) -> Option<Script> {
    let letters = (0x80..=0xFF)
        .filter_map(|byte| read(encoding, &[byte]))
        .filter_map(|text| Script::of(*text.first()?));
    let mut counts: Vec<(Script, usize)> = Vec::new();
    for script in letters {
        match counts.iter_mut().find(|(other, _)| *other == script) {
            Some((_, count)) => *count += 1,
            None => counts.push((script, 1)),
        }
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(script, _)| script)
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
/// of them in one charset.
pub(super) fn words(text: &[CodePoint], from: usize) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut at = from;
    let ends_lines = controls::ends_lines(text, from);
    let is_of_word = |cp: &&CodePoint| **cp > 0x20 && !(ends_lines && **cp == NEL);
    while at < text.len() {
        let len = text[at..].iter().take_while(is_of_word).count();
        let word = at..at + len;
        if text[word.clone()].iter().any(|cp| *cp >= 0x80) && common(&text[word.clone()]) != 0 {
            words.push(word);
        }
        at += len.max(1);
    }
    words
}

/// Returns the charsets that have all characters of a word, as a bit set. GB18030 counts only if one of them is wide:
/// it has the letters of Greek and Cyrillic, too, but no text of these is in it.
pub(super) fn common(word: &[CodePoint]) -> u32 {
    let high = || word.iter().copied().filter(|cp| *cp >= 0x80);
    let single = high().fold(u32::MAX, |sets, cp| sets & entry(cp).sets);
    let is_gb = high().any(is_wide) && high().all(|cp| DoubleByteCharset::GB18030.code(cp) != 0);
    single | if is_gb { WrongCharset::Gb.bit() } else { 0 }
}

/// Returns the offset of the first character beyond ASCII that may be text in another charset.
pub fn first_misread(text: &str) -> Option<usize> {
    let is_misread = |c: char| !c.is_ascii() && may_be_misread(c);
    text.find(is_misread)
}

/// Returns where the last part of a text begins that is on one line and may all be in another charset.
pub fn misread_end(text: &str) -> usize {
    let other = |c: char| c == '\n' || !may_be_misread(c);
    let last = text.char_indices().rev().find(|(_, c)| other(*c));
    last.map_or(0, |(at, c)| at + c.len_utf8())
}

/// GB18030 is not asked, since its table takes time to make: it has most signs, and all that is wide.
fn may_be_misread(c: char) -> bool {
    c.is_ascii() || matches!(c, '\u{2000}'..='\u{FEFF}') || entry(c.into()).sets != 0
}

/// Returns the readings of a word, with the index of the pair.
pub(super) fn readings(word: &[CodePoint]) -> Vec<(usize, Vec<CodePoint>)> {
    let common = common(word);
    let reading = |(index, pair): (usize, &SwappedPair)| {
        let is_whole = common & pair.read_as.bit() != 0;
        let bytes = is_whole.then(|| pair.read_as.bytes(word)).flatten()?;
        Some((index, read(pair.written_in, &bytes)?))
    };
    pairs().iter().enumerate().filter_map(reading).collect()
}

#[cfg(test)]
mod tests;
