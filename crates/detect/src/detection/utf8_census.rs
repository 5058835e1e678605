//! Counts the non-ASCII sequences of a text, and decides whether it is UTF-8, nearly, or only by chance.
//!
//! `--detect`, `-f auto`, the hints, `--explain` and `--fallback auto` all ask this before any of them looks at letters
//! of charsets: those of the text as a whole (`letters.rs`), or of the bytes between UTF-8 (`strays/`).
//!
//! ```text
//! M<C3 A4>rz gro<DF>       runs of non-ASCII bytes: C3 A4 is a letter, DF is not
//!    6 bits    1 bit       a well-formed run is worth the bits that chance would have to guess; an ill-formed one
//!                          takes a bit away, because each word of a mixture may be either
//! ```
//!
//! | what the bits and the sequences say | [`Utf8Verdict`] | the command |
//! |---|---|---|
//! | all is well-formed | `WellFormed` | `-f utf-8` |
//! | UTF-8 beyond chance, with stray bytes or truncated characters | `WithOthers` | `--fallback X`, `-c` |
//! | surrogate pairs of three bytes each, C0 80 | `Relative` | `-f cesu-8`, `-f mutf-8` |
//! | lines that are UTF-8, and more that are not | `Lines` | `-f auto-lines` |
//! | UTF-8 occurs by chance, or not at all | `Other` | what `letters.rs` says; with words in UTF-8, or lines in two
//! charsets, `-f auto-lines` |
//!
//! Legacy text contains UTF-8 by chance, next to other bytes, and mostly characters that no text has: ещё in KOI8-R is
//! C5 DD A3, and DD A3 is U+0763. So a run counts only if all its letters are usual and of one script, and of all
//! scripts only the one with the most bits counts. The table of bits was tuned on the languages of
//! `tests/data/detection`.
//!
//! By its shape alone, a character is worth little: about one in nine pairs of non-ASCII bytes is a character of two
//! bytes (3 bits), and about one in 34 triples is one of three (5 bits). The rest of what the table gives is for being
//! a character that text has.

use std::collections::BTreeMap;

use super::answer::Others;
use super::strays::are_letters_too;
use super::usual_characters::{is_usual_ideograph, is_usual_syllable};
use crate::language::Script;
use oxiconv_encodings::codec::{
    Decoded, Preceding, StatelessCodec, Truncation, UsualBytes, Utf8Codec, WideSequence,
};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::CodePoint;

/// The bits that UTF-8 must have at least, beyond one for each run with stray bytes.
const MIN_LEAD: u32 = 4;
/// Words in UTF-8 may have this many bits by chance, in text in another encoding whose letters are of the same script,
/// and one more per thousand runs.
const MAX_BITS_BY_CHANCE: u32 = 5;
/// The bits of sequences that chance hardly produces: a surrogate pair and C0 80, which hardly any other encoding
/// contains.
const BITS_OF_PAIR: u32 = 20;
const BITS_OF_JAVA_NUL: u32 = 6;
/// Adjacent characters of one script are beyond chance from this many bits on, whatever is next to them.
const BITS_BEYOND_CHANCE: u32 = 40;
/// What a Latin letter within an ASCII word has on top of its own bits.
const BITS_IN_WORD: u32 = 2;

/// What a text is with respect to UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Utf8Verdict {
    /// UTF-8.
    WellFormed,
    /// UTF-8 with stray bytes or truncated characters.
    WithOthers,
    /// CESU-8 or MUTF-8.
    Relative(&'static Encoding),
    /// Its lines are in several encodings, and UTF-8 is one of them.
    Lines,
    /// Another encoding, in which UTF-8 occurs by chance.
    Other,
}

/// Counts of the non-ASCII sequences of a text, by kind.
///
/// What is well-formed: `characters`, of which `four` have four bytes. What is ill-formed but not another encoding:
/// `cut`, which are truncated characters; surrogate `pairs` and `java_nuls` (C0 80), which relatives of UTF-8 have;
/// `overlong` forms of ASCII, which are used to evade checks; and `unpaired`, which are lone surrogates and all other
/// sequences of RFC 2279. What remains are `strays`.
///
/// The bits of well-formed runs are in `letters`, by script, and in `signs` for runs without letters. `words` has those
/// of `letters` whose runs have no stray bytes. `after` is the byte before the text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Census {
    after: Option<u8>,
    pub(crate) characters: u64,
    four: u64,
    pub(crate) cut: u64,
    pub(crate) strays: u64,
    pairs: u64,
    java_nuls: u64,
    overlong: u64,
    unpaired: u64,
    stray_runs: u32,
    letters: BTreeMap<Script, u32>,
    signs: u32,
    words: BTreeMap<Script, u32>,
    lines: LineCounts,
}

/// The number of lines that have UTF-8, other bytes, or both, and what the current line has so far.
#[derive(Clone, Copy, Debug, Default)]
struct LineCounts {
    utf8: u64,
    others: u64,
    both: u64,
    has_utf8: bool,
    has_others: bool,
}

impl Census {
    /// Examines the part of a text that follows the byte `after`. `last` says that the text ends with it; otherwise an
    /// incomplete character at the end is not counted. `usual` are the bytes of its well-formed characters.
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

    pub(crate) fn alone(text: &[u8], after: Option<u8>, last: bool) -> Self {
        let mut usual = UsualBytes::default();
        text.utf8_chunks().for_each(|chunk| usual.look(chunk.valid().as_bytes()));
        Self::of(text, after, last, &usual)
    }

    /// Returns what the counts say.
    ///
    /// The order of the cases matters. A text without anything ill-formed is UTF-8 even if it has a single letter,
    /// because there is nothing that another encoding would explain better. Otherwise UTF-8 must be ahead of chance.
    /// Then it is a relative of UTF-8 if it has what only relatives have, and nothing that they do not have: CESU-8 and
    /// MUTF-8 write a character of four bytes as a pair. Lines that are each in one encoding are told from UTF-8 with
    /// stray bytes by most characters being stray, and no line having both.
    pub(crate) fn verdict(&self) -> Utf8Verdict {
        let Self { characters, cut, strays, lines, .. } = *self;
        let others = self.overlong + self.unpaired;
        match self.lead() {
            _ if strays + cut + self.pairs + self.java_nuls + others == 0 => {
                Utf8Verdict::WellFormed
            }
            // C0 AF and the like may be two letters of another encoding, but hardly if nothing else in the text is a
            // letter.
            None if self.overlong > 0 && strays + cut + characters == 0 => Utf8Verdict::WithOthers,
            None => Utf8Verdict::Other,
            Some(_) if self.pairs + self.java_nuls > 0 && self.four + others == 0 => {
                let java = self.java_nuls > 0;
                Utf8Verdict::Relative(if java { Encoding::MUTF_8 } else { Encoding::CESU_8 })
            }
            Some(_) if strays > characters && lines.both == 0 && lines.utf8 > 0 => {
                Utf8Verdict::Lines
            }
            Some(_) => Utf8Verdict::WithOthers,
        }
    }

    /// Whether a text in another encoding contains words in UTF-8. Their letters are of the scripts of the text then;
    /// sequences that are well-formed by chance would be of any script.
    pub(crate) fn has_words_of(&self, is_own: impl Fn(Script) -> bool) -> bool {
        let bits = self.words.iter().filter(|(script, _)| is_own(**script));
        let bits: u32 = bits.map(|(_, bits)| *bits).sum();
        // Of 1,346 texts in 45 charsets, six with 4,000 runs or more have 2 to 12 such bits, and all others have none.
        bits > MAX_BITS_BY_CHANCE + self.stray_runs / 1000
    }

    /// Whether enough lines are not UTF-8 for two encodings. Lines with both count too, because lines of East Asian
    /// text contain UTF-8 by chance.
    pub(crate) fn may_be_of_lines(&self) -> bool {
        self.lines.others + self.lines.both >= 4
    }

    /// Returns the bits by which UTF-8 is ahead of chance beyond [`MIN_LEAD`]; `None` if it is not. Only the script
    /// with the most bits counts, since chance scatters over many. Each run with stray bytes takes a bit away. What
    /// counts many bits each is counted a thousand times at most, so that the product fits.
    fn lead(&self) -> Option<u32> {
        let special = |count: u64, bits| bits * u32::try_from(count).unwrap_or(u32::MAX).min(1000);
        let bits = self.letters.values().max().unwrap_or(&0)
            + self.signs
            + special(self.pairs, BITS_OF_PAIR)
            + special(self.java_nuls, BITS_OF_JAVA_NUL);
        bits.checked_sub(self.stray_runs + MIN_LEAD)
    }

    /// Whether no more of the text is UTF-8 than not, and nothing is a sequence that only relatives of UTF-8 have.
    pub(crate) fn may_be_chance(&self) -> bool {
        let special = self.pairs + self.java_nuls + self.overlong + self.unpaired;
        special == 0 && (1..=self.strays + self.cut).contains(&self.characters)
    }

    /// Returns what the text has that is not UTF-8, if anything; `fallback` is the encoding that reads it.
    pub(super) fn others(&self, fallback: Option<&'static Encoding>) -> Option<Others> {
        let others = match are_letters_too(self.cut, self.strays) {
            true => Others { strays: self.strays + self.cut, fallback, cut: 0, escaped: 0 },
            false => Others { strays: self.strays, fallback, cut: self.cut, escaped: 0 },
        };
        Some(others).filter(Others::any)
    }

    /// The most confidence in percent that an ill-formed text is UTF-8.
    pub(super) const MAX_CONFIDENCE: u8 = 98;

    /// Returns the confidence in percent that the text is UTF-8. It rises from 60, and halves its distance to 100 with
    /// every four bits of the lead. If there are more stray bytes than characters, most of the text is not UTF-8, and
    /// it stays at 75 or below.
    pub(crate) fn confidence(&self) -> u8 {
        let lead = self.lead().unwrap_or(0).min(64) as f32;
        let most = if self.strays > self.characters { 75 } else { Self::MAX_CONFIDENCE };
        (100.0 - 40.0 * libm::exp2f(-lead / 4.0)).min(most.into()) as u8
    }

    /// Whether most of the non-ASCII part is UTF-8 beyond chance, whatever the text is declared to be.
    fn is_mostly_utf8(&self) -> bool {
        const CERTAIN: u32 = 12;
        self.characters > self.strays + self.cut && self.lead().is_some_and(|lead| lead >= CERTAIN)
    }

    /// Examines a run of `len` non-ASCII bytes at byte `start`.
    ///
    /// The order of the cases matters. A sequence that is well-formed in UTF-8, or in a relative of it, comes first.
    /// Then a truncated character is recognized, but only if its bytes occur in well-formed characters of the text
    /// (`usual`), because any lead byte before something else has that shape: the C9 of `CAF<C9>` in windows-1252 is no
    /// half of a character. An incomplete character at the end of a part of a text is none of these, and ends the run.
    /// What remains is a stray byte, and the next attempt begins one byte later.
    fn look_at_run(
        &mut self,
        text: &[u8],
        start: usize,
        len: usize,
        last: bool,
        usual: &UsualBytes,
    ) {
        let end = start + len;
        let mut run = NonAsciiRun { len, ..NonAsciiRun::default() };
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

    /// Counts a surrogate pair, C0 80 or another sequence of RFC 2279 at the start of `bytes`, and returns its length.
    /// `before` is what precedes it.
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

    fn add(&mut self, run: &NonAsciiRun) {
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

/// Whether most of the non-ASCII part of a text is UTF-8 beyond chance.
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

/// Adjacent non-ASCII bytes: a word, or the non-ASCII part of one.
///
/// `well_formed` is the number of bytes in its characters. It `is_odd` if it has letters of several scripts, or
/// characters that text does not have. `bits` are those of all usual characters; `longest` are those of the best
/// stretch of one script, and `stretch` those of the current one.
#[derive(Clone, Copy, Debug, Default)]
struct NonAsciiRun {
    len: usize,
    characters: u64,
    well_formed: usize,
    strays: u64,
    is_in_word: bool,
    script: Option<Script>,
    is_odd: bool,
    bits: u32,
    stretch: u32,
    longest: u32,
}

impl NonAsciiRun {
    /// Adds a character of UTF-8. A stretch continues through signs, which have no script, and ends at a character that
    /// text does not have, at a letter of another script, or at a stray byte.
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
            // Japanese mixes kana and ideographs, so they count as one script.
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

    /// Returns the bits that the run is worth.
    ///
    /// A run of one two-byte letter is the hard case, because it may be two letters of another encoding. Within an
    /// ASCII word it counts in full and more: the ü of `grün` would be `grÃ¼n` in windows-1252, which is no word. By
    /// itself, or in another script, it counts half: Её in windows-1251 is C5 B8, the same bytes as Ÿ in UTF-8.
    ///
    /// Next to stray bytes, well-formed characters are often chance. So they count half at most, and only if they are
    /// two thirds of the run.
    fn worth(&self) -> u32 {
        let is_latin = self.script == Some(Script::Latin);
        match (self.characters, self.strays) {
            // So many usual characters are not chance, whatever surrounds them: in Japanese, a whole sentence is one
            // run, and may end in a stray byte. This must come first, because such a run may be odd as well.
            _ if self.longest >= BITS_BEYOND_CHANCE => self.longest,
            _ if self.is_odd => 0,
            (1, 0) if is_latin && self.is_in_word => self.bits + BITS_IN_WORD,
            (1, 0) if self.well_formed == 2 && !self.is_in_word => self.bits / 2,
            (1, 0) if self.well_formed == 2 && !is_latin => self.bits / 2,
            (_, 0) => self.bits,
            (1, _) if !is_latin => 0,
            _ if 3 * self.well_formed >= 2 * self.len => self.bits / 2,
            _ => 0,
        }
    }
}

/// Returns the bits that chance would have to guess for a character; `None` if text does not have it.
fn worth(cp: CodePoint) -> Option<u32> {
    Some(match cp {
        // All of Latin-1: in text that was encoded twice, ä is Ã¤.
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
            (&b"M\xC3\xA4rz f\xC3\xBCr gro\xDF\n"[..], Utf8Verdict::WithOthers),
            (
                b"xxx\xE2\x80\x99xxx\nchar '\xE2' (in\nMilo\xC5\xA1_Forman\n",
                Utf8Verdict::WithOthers,
            ),
            (b"Gr\xC3\xBC\xC3\x9Fe aus K\xC3\xB6ln und M\xC3\n", Utf8Verdict::WithOthers),
            (b"na\xEFve caf\xE9\nna\xEFve caf\xE9\nd\xC3\xA9j\xC3\xA0\n", Utf8Verdict::Lines),
            (b"x \xED\xA0\xBD\xED\xB9\x88 y", Utf8Verdict::Relative(Encoding::CESU_8)),
            (b"a\xC0\x80b\xC3\xA9", Utf8Verdict::Relative(Encoding::MUTF_8)),
            (b"Gr\xC3\xBC\xC3\x9Fe", Utf8Verdict::WellFormed),
            (b"caf\xE9 \xE9t\xE9", Utf8Verdict::Other),
            // ещё всё in KOI8-R, 联通 in GBK.
            (b"\xC5\xDD\xA3 \xD7\xD3\xA3", Utf8Verdict::Other),
            (b"\xC1\xAA\xCD\xA8", Utf8Verdict::Other),
        ] {
            assert_eq!(
                Census::alone(text, None, true).verdict(),
                expected,
                "{}",
                text.escape_ascii()
            );
        }
    }
}
