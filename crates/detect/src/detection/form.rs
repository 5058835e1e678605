//! What a text is as far as UTF-8 is concerned. `--detect`, `-f auto`, the hints, `--explain` and `--fallback auto` ask
//! this before any of them looks at letters of charsets: at those of the text as a whole (`letters.rs`), or at those of
//! the bytes between UTF-8 (`strays/`).
//!
//! ```text
//! M<C3 A4>rz gro<DF>       runs of bytes beyond ASCII: C3 A4 is a letter, DF is not
//!    6 bits    1 bit       a run that is UTF-8 is worth the bits that chance would have to guess; one that is not
//!                          takes a bit away: each word of a mixture may be either
//! ```
//!
//! | what the bits and the sequences say | [`Form`] | the command |
//! |---|---|---|
//! | all is well-formed | `WellFormed` | `-f utf-8` |
//! | UTF-8 by no chance, with stray bytes or characters cut off | `WithOthers` | `--fallback X`, `-c` |
//! | surrogate pairs of three bytes each, C0 80 | `Relative` | `-f cesu-8`, `-f mutf-8` |
//! | lines that are UTF-8, and more that are not | `Lines` | `-f auto-lines` |
//! | UTF-8 occurs by chance, or not at all | `Other` | what `letters.rs` says; with words in UTF-8, or lines in two charsets, `-f auto-lines` |
//!
//! Legacy text holds UTF-8 by chance beside other bytes, and mostly characters that no text has: ещё in KOI8-R is C5 DD
//! A3, and DD A3 is U+0763. So a run counts only if all its letters are usual and of one script, and of all scripts
//! only the one with the most bits counts. The table of bits was tuned on the languages of `tests/data/detection`.

use std::collections::BTreeMap;

use super::answer::Others;
use super::strays::are_letters_too;
use super::usual::{is_usual_ideograph, is_usual_syllable};
use crate::language::Script;
use oxiconv_encodings::codec::{
    Decoded, Preceding, StatelessCodec, Truncation, UsualBytes, Utf8Codec, WideSequence,
};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::CodePoint;

/// Bits by which UTF-8 must be ahead of chance.
const LEAST: u32 = 4;
/// Bits that words in UTF-8 have by chance at most, in a text in another encoding whose letters are of the same script; one
/// more for each thousand runs.
const MOST_BY_CHANCE: u32 = 5;
/// Bits of a surrogate pair and of C0 80, which hardly any other encoding has by chance.
const OF_PAIR: u32 = 20;
const OF_JAVA_NUL: u32 = 6;
/// Bits of adjacent characters of one script that no text in another encoding has by chance.
const NO_CHANCE: u32 = 40;
/// More bits of a letter beyond ASCII in a word of ASCII.
const IN_WORD: u32 = 2;

/// What a text is, as far as UTF-8 is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// UTF-8.
    WellFormed,
    /// UTF-8 with stray bytes or with characters that were cut off.
    WithOthers,
    /// CESU-8 or MUTF-8.
    Relative(&'static Encoding),
    /// Its lines are in several encodings, and UTF-8 is one of them.
    Lines,
    /// Another encoding, in which UTF-8 occurs by chance.
    Other,
}

/// Counts of what a text has beyond ASCII.
#[derive(Clone, Debug, Default)]
pub(crate) struct Census {
    /// The byte before the text.
    after: Option<u8>,
    /// Characters of more than one byte, and of four.
    pub(crate) characters: u64,
    four: u64,
    /// Characters that were cut off.
    pub(crate) cut: u64,
    /// Other ill-formed bytes.
    pub(crate) strays: u64,
    pairs: u64,
    java_nuls: u64,
    /// Overlong forms of ASCII, which are used to get past checks.
    overlong: u64,
    /// Surrogates without their other half, and longer forms than that.
    unpaired: u64,
    /// Runs with stray bytes.
    stray_runs: u32,
    /// What its runs in UTF-8 are worth, in bits: those with letters by script, and those without.
    letters: BTreeMap<Script, u32>,
    signs: u32,
    /// The same of runs with letters and without stray bytes.
    words: BTreeMap<Script, u32>,
    lines: LineCounts,
}

/// How many lines are in UTF-8, are not, and are both.
#[derive(Clone, Copy, Debug, Default)]
struct LineCounts {
    utf8: u64,
    others: u64,
    both: u64,
    /// What the present line has.
    has_utf8: bool,
    has_others: bool,
}

impl Census {
    /// Examines a text from some byte on, which comes `after` another one. `last` says that it ends with these; if not,
    /// a character that they end in does not count. `usual` are the bytes of its well-formed characters.
    pub(crate) fn of(text: &[u8], after: Option<u8>, last: bool, usual: &UsualBytes) -> Self {
        let mut census = Self { after, ..Self::default() };
        let mut at = 0;
        while at < text.len() {
            let ascii = text[at..].iter().take_while(|byte| byte.is_ascii());
            let end = at + ascii.count();
            if text[at..end].iter().any(|byte| matches!(byte, b'\n' | b'\r')) {
                census.lines.end_line();
            }
            let len = text[end..].iter().take_while(|byte| !byte.is_ascii()).count();
            if len > 0 {
                census.look_at_run(text, end, len, last, usual);
            }
            at = end + len;
        }
        census.lines.end_line();
        census
    }

    /// The same, of a text of which no more is known.
    pub(crate) fn alone(text: &[u8], after: Option<u8>, last: bool) -> Self {
        let mut usual = UsualBytes::default();
        text.utf8_chunks().for_each(|chunk| usual.look(chunk.valid().as_bytes()));
        Self::of(text, after, last, &usual)
    }

    /// Returns what the text is.
    pub(crate) fn form(&self) -> Form {
        let Self { characters, cut, strays, lines, .. } = *self;
        let others = self.overlong + self.unpaired;
        match self.lead() {
            _ if strays + cut + self.pairs + self.java_nuls + others == 0 => Form::WellFormed,
            // Two bytes may be a letter, but hardly where no letter is anything else.
            None if self.overlong > 0 && strays + cut + characters == 0 => Form::WithOthers,
            None => Form::Other,
            Some(_) if self.pairs + self.java_nuls > 0 && self.four + others == 0 => {
                let java = self.java_nuls > 0;
                Form::Relative(if java { Encoding::MUTF_8 } else { Encoding::CESU_8 })
            }
            Some(_) if strays > characters && lines.both == 0 && lines.utf8 > 0 => Form::Lines,
            Some(_) => Form::WithOthers,
        }
    }

    /// Whether a text in another encoding, whose letters are of its own scripts, has words in UTF-8 in them. By chance they
    /// would be of any script.
    pub(crate) fn has_words_of(&self, is_own: impl Fn(Script) -> bool) -> bool {
        let bits = self.words.iter().filter(|(script, _)| is_own(**script));
        let bits: u32 = bits.map(|(_, bits)| *bits).sum();
        // Of 1,346 texts in 45 charsets, six with 4,000 runs or more have 2 to 12 such bits, and all others none.
        bits > MOST_BY_CHANCE + self.stray_runs / 1000
    }

    /// Whether there are enough lines that are not UTF-8 for two encodings.
    pub(crate) fn may_be_of_lines(&self) -> bool {
        // By chance, lines of East Asian text are both.
        self.lines.others + self.lines.both >= 4
    }

    /// Returns the bits by which UTF-8 is ahead of chance; `None` if they are too few.
    fn lead(&self) -> Option<u32> {
        let special = |count: u64, bits| bits * u32::try_from(count).unwrap_or(u32::MAX).min(1000);
        let bits = self.letters.values().max().unwrap_or(&0)
            + self.signs
            + special(self.pairs, OF_PAIR)
            + special(self.java_nuls, OF_JAVA_NUL);
        bits.checked_sub(self.stray_runs + LEAST)
    }

    /// Returns what the text has that is not UTF-8, if it has any; `fallback` is the encoding that reads it.
    pub(super) fn others(&self, fallback: Option<&'static Encoding>) -> Option<Others> {
        let others = match are_letters_too(self.cut, self.strays) {
            true => Others { strays: self.strays + self.cut, fallback, cut: 0 },
            false => Others { strays: self.strays, fallback, cut: self.cut },
        };
        Some(others).filter(Others::any)
    }

    /// The most confidence, in percent, that a text is UTF-8 which is not well-formed.
    pub(super) const MOST_CONFIDENT: u8 = 98;

    /// Returns how sure it is that the text is UTF-8, in percent.
    pub(crate) fn confidence(&self) -> u8 {
        let lead = self.lead().unwrap_or(0).min(64) as f32;
        let most = if self.strays > self.characters { 75 } else { Self::MOST_CONFIDENT };
        (100.0 - 40.0 * libm::exp2f(-lead / 4.0)).min(most.into()) as u8
    }

    /// Whether most of what is beyond ASCII is UTF-8, and by no chance, whatever else the text is said to be.
    fn is_mostly_utf8(&self) -> bool {
        /// Bits by which it must be ahead of chance.
        const CERTAIN: u32 = 12;
        self.characters > self.strays + self.cut && self.lead().is_some_and(|lead| lead >= CERTAIN)
    }

    /// Examines the `len` bytes beyond ASCII at byte `start`.
    fn look_at_run(
        &mut self,
        text: &[u8],
        start: usize,
        len: usize,
        last: bool,
        usual: &UsualBytes,
    ) {
        let end = start + len;
        let mut run = Run { len, ..Run::default() };
        let previous = start.checked_sub(1).map_or(self.after, |at| Some(text[at]));
        run.is_in_word = previous.is_some_and(|byte| byte.is_ascii_alphabetic())
            || text.get(end).is_some_and(u8::is_ascii_alphabetic);
        let mut before = Preceding::of_byte(previous);
        let mut at = start;
        while at < end {
            let rest = &text[at..end];
            if let Decoded::Character { cp, len } = Utf8Codec.decode_one(rest) {
                run.look(cp, len);
                self.four += u64::from(len == 4);
                before = Preceding::Character(len as u8);
                at += len;
                continue;
            }
            if let Some(len) = self.special(before, rest, usual) {
                before = Preceding::Character(len as u8);
                self.lines.has_utf8 = true;
                at += len;
                continue;
            }
            let is_cut = |(cut, _): &(Truncation, usize)| usual.explain(*cut);
            if let Some((_, len)) = Truncation::at(before, &text[at..], last).filter(is_cut) {
                self.cut += 1;
                before = Preceding::Character(len as u8);
                at += len;
                continue;
            }
            let error = std::str::from_utf8(rest).err().and_then(|error| error.error_len());
            if error.is_none() && end == text.len() && !last {
                break;
            }
            run.strays += 1;
            run.stretch = 0;
            before = Preceding::IllFormed;
            at += 1;
        }
        self.add(&run);
    }

    /// Counts a surrogate pair, C0 80 or another sequence of RFC 2279 at the start of `bytes`, which come after `before`,
    /// and returns its length.
    fn special(&mut self, before: Preceding, bytes: &[u8], usual: &UsualBytes) -> Option<usize> {
        let form = usual.longer_form(before, bytes)?;
        match form {
            WideSequence::Pair(_) => self.pairs += 1,
            WideSequence::JavaNul => self.java_nuls += 1,
            WideSequence::Overlong { value: 0..0x80, .. } => self.overlong += 1,
            _ => self.unpaired += 1,
        }
        Some(form.len())
    }

    fn add(&mut self, run: &Run) {
        self.characters += run.characters;
        self.strays += run.strays;
        self.stray_runs = self.stray_runs.saturating_add(u32::from(run.strays > 0));
        self.lines.has_utf8 |= run.characters > 0;
        self.lines.has_others |= run.strays > 0;
        let bits = run.worth();
        if let Some(script) = run.script.filter(|_| run.strays == 0) {
            *self.words.entry(script).or_default() += bits;
        }
        let all = match run.script {
            Some(script) => self.letters.entry(script).or_default(),
            None => &mut self.signs,
        };
        *all = all.saturating_add(bits);
    }
}

/// Whether most of what a part of a text has beyond ASCII is plainly UTF-8.
pub fn is_mostly_utf8(part: &[u8]) -> bool {
    Census::alone(part, None, false).is_mostly_utf8()
}

impl LineCounts {
    fn end_line(&mut self) {
        match (std::mem::take(&mut self.has_utf8), std::mem::take(&mut self.has_others)) {
            (true, true) => self.both += 1,
            (true, false) => self.utf8 += 1,
            (false, true) => self.others += 1,
            (false, false) => {}
        }
    }
}

/// Adjacent bytes beyond ASCII.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    len: usize,
    characters: u64,
    /// Bytes of its characters.
    well_formed: usize,
    strays: u64,
    /// Whether it is next to a letter of ASCII.
    is_in_word: bool,
    script: Option<Script>,
    /// Whether it has letters of several scripts, or characters that no text has.
    is_odd: bool,
    bits: u32,
    /// The bits of the usual characters of one script up to here, and the most of such a stretch.
    stretch: u32,
    longest: u32,
}

impl Run {
    fn look(&mut self, cp: CodePoint, len: usize) {
        self.characters += 1;
        self.well_formed += len;
        let Some(bits) = worth(cp) else {
            self.is_odd = true;
            self.stretch = 0;
            return;
        };
        self.bits += bits;
        self.stretch += bits;
        let script = match Script::of(cp) {
            // Japanese is both.
            Some(Script::Kana) => Some(Script::Han),
            other => other,
        };
        if let Some(script) = script {
            if self.script.is_some_and(|known| known != script) {
                self.is_odd = true;
                self.stretch = bits;
            }
            self.script = Some(script);
        }
        self.longest = self.longest.max(self.stretch);
    }

    /// Returns what it is worth, in bits.
    fn worth(&self) -> u32 {
        let is_latin = self.script == Some(Script::Latin);
        match (self.characters, self.strays) {
            // So many usual characters are no chance, whatever is next to them: a sentence of Japanese has no other border.
            _ if self.longest >= NO_CHANCE => self.longest,
            _ if self.is_odd => 0,
            // é in a word: no other encoding has the two next to letters of ASCII.
            (1, 0) if is_latin && self.is_in_word => self.bits + IN_WORD,
            // One letter of two bytes that is a word may be two letters of another encoding.
            (1, 0) if self.well_formed == 2 && !self.is_in_word => self.bits / 2,
            (1, 0) if self.well_formed == 2 && !is_latin => self.bits / 2,
            (_, 0) => self.bits,
            // Beside stray bytes they are often chance.
            (1, _) if !is_latin => 0,
            _ if 3 * self.well_formed >= 2 * self.len => self.bits / 2,
            _ => 0,
        }
    }
}

/// Returns how many bits chance would have to guess for a character that texts have; `None` for any other one.
fn worth(cp: CodePoint) -> Option<u32> {
    Some(match cp {
        // All of them: in text that was encoded twice, ä is Ã¤.
        0xA0..=0xBF | 0xD7 => 3,
        0xC0..=0x17F | 0x218..=0x21B => 6,
        0x18F | 0x192 | 0x1A0 | 0x1A1 | 0x1AF | 0x1B0 | 0x259 => 4,
        0x386..=0x3CE | 0x401..=0x45F | 0x490..=0x493 | 0x49A..=0x4A3 | 0x4B0..=0x4B3 => 5,
        0x4D8..=0x4D9 | 0x4E8..=0x4E9 | 0x4AE..=0x4AF | 0x4BA..=0x4BB => 4,
        0x531..=0x587 | 0x5D0..=0x5EA => 5,
        0x60C | 0x61B | 0x61F | 0x621..=0x652 | 0x660..=0x669 | 0x67E | 0x686 | 0x698 | 0x6A9 => 5,
        0x6AF | 0x6BE | 0x6C1 | 0x6CC | 0x6D2 | 0x6F0..=0x6F9 => 5,
        0x900..=0x1CFF => 8,
        0x1E00..=0x1FFF => 8,
        0x200B..=0x200F | 0x2010..=0x2027 | 0x202F | 0x2030 | 0x2032 | 0x2033 | 0x2039 | 0x203A => {
            10
        }
        0x20AC | 0x2116 | 0x2122 | 0x2190..=0x2193 | 0x2212 | 0x2500..=0x25FF | 0x2600..=0x27BF => {
            8
        }
        0x3000..=0x3011 | 0x3041..=0x30FF | 0xFF01..=0xFF5E => 8,
        0x4E00..=0x9FFF if is_usual_ideograph(cp) => 8,
        0xAC00..=0xD7A3 if is_usual_syllable(cp) => 8,
        0x4E00..=0x9FFF | 0xAC00..=0xD7A3 => 4,
        0xFE0F | 0xFEFF => 8,
        0x1F000..=0x1FAFF | 0x2_0000..=0x2_FFFF => 14,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn well_formed_sequences_tell() {
        for (text, expected) in [
            (&b"M\xC3\xA4rz f\xC3\xBCr gro\xDF\n"[..], Form::WithOthers),
            (b"xxx\xE2\x80\x99xxx\nchar '\xE2' (in\nMilo\xC5\xA1_Forman\n", Form::WithOthers),
            (b"Gr\xC3\xBC\xC3\x9Fe aus K\xC3\xB6ln und M\xC3\n", Form::WithOthers),
            (b"na\xEFve caf\xE9\nna\xEFve caf\xE9\nd\xC3\xA9j\xC3\xA0\n", Form::Lines),
            (b"x \xED\xA0\xBD\xED\xB9\x88 y", Form::Relative(Encoding::CESU_8)),
            (b"a\xC0\x80b\xC3\xA9", Form::Relative(Encoding::MUTF_8)),
            (b"Gr\xC3\xBC\xC3\x9Fe", Form::WellFormed),
            (b"caf\xE9 \xE9t\xE9", Form::Other),
            // ещё всё in KOI8-R, 联通 in GBK.
            (b"\xC5\xDD\xA3 \xD7\xD3\xA3", Form::Other),
            (b"\xC1\xAA\xCD\xA8", Form::Other),
        ] {
            assert_eq!(Census::alone(text, None, true).form(), expected, "{}", text.escape_ascii());
        }
    }
}
