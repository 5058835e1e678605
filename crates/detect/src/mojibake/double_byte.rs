//! UTF-8 that was read in a charset of two bytes a character: in GB18030, `caf茅` was `café` and `浣犲ソ` was `你好`; in
//! CP932, `縺ゅ＞` was `あい`.
//!
//! Such a charset takes two bytes at a time, so its characters and those of UTF-8 begin and end at different places. A
//! sequence lasts until one of each ends at the same place:
//!
//! ```text
//! UTF-8     E4 BD A0 | E5 A5 BD    你 好      E3 81 82 | E3 81 84    あ い       C3 A9    é
//! GB18030   E4 BD | A0 E5 | A5 BD  浣 犲 ソ
//! CP932                                       E3 81 | 82 E3 | 81 84  縺 ゅ ＞    C3 | A9  ﾃ ｩ
//! ```
//!
//! The second byte of the last code may be ASCII, which is then the next character. A code that the charset does not
//! define became one mark: U+FFFD, a question mark or, in CP932 on Windows, `・`. The bytes around a mark say how many
//! bytes it stands for, and the characters next to it say which ones (`lost_bytes.rs`):
//!
//! ```text
//! UTF-8     E3 81 84 | E3 81 A6    い て
//! CP932     E3 81 | 84 E3 | 81 A6  縺 ・ ※    83 E3 to 87 E3 are not defined: ぃ, い, ぅ, う or ぇ
//! ```
//!
//! One ideograph of two UTF-8 bytes proves little: in GB18030, one in twelve is such a pair by chance, and sound text
//! has ideographs next to Latin words (`Nyan猫`). Where it is decides: see [`Ideographs`].

mod codes;
mod stretch;

use std::ops::Range;
use std::sync::OnceLock;

use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::{CodePoint, REPLACEMENT_CHARACTER};

use self::codes::{DoubleByteCodes, TablePart};
use self::stretch::{Stretch, is_continuation, step};
use super::ideographs::{is_east_asian, is_ideograph};
use super::sequences::MisreadSequence;
use super::sound_words::FIRST_IDEOGRAPH;
use super::tables::QUESTION_MARK;

/// The charsets. CP936 of Windows has the euro sign in one byte, and characters for private use where later editions of
/// GB18030 have others.
const CHARSETS: [(&Encoding, &[TablePart]); COUNT] = [
    (Encoding::GB18030, &[("CP936@windows", 0x80..=0x80), ("CP936@windows", 0xA1..=0xA9)]),
    (Encoding::CP932, &[]),
];
pub(super) const COUNT: usize = 2;
/// How much rarer the mistake is than the most common one, in bits.
pub(super) const RARITY: f32 = 4.0;
/// The most codes of a stretch.
const MAX_LEN: usize = 64;
/// What Windows writes for codes that CP932 does not define, and the code of the character itself.
const MIDDLE_DOT: CodePoint = 0x30FB;
const MIDDLE_DOT_CODE: [u8; 2] = [0x81, 0x45];

/// A charset of [`CHARSETS`], by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DoubleByteCharset(u8);

impl DoubleByteCharset {
    pub(super) const GB18030: Self = Self(0);
    const CP932: Self = Self(1);

    pub(super) fn all() -> impl Iterator<Item = Self> {
        (0..COUNT as u8).map(Self)
    }

    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }

    fn codes(self) -> &'static DoubleByteCodes {
        static CODES: [OnceLock<DoubleByteCodes>; COUNT] = [const { OnceLock::new() }; COUNT];
        CODES[self.index()].get_or_init(|| {
            let (encoding, others) = CHARSETS[self.index()];
            DoubleByteCodes::new(encoding, others)
        })
    }

    pub(super) fn encoding(self) -> &'static Encoding {
        CHARSETS[self.index()].0
    }

    /// Returns the code of a character beyond ASCII, of two bytes or, below 100 hexadecimal, one; 0 if it has none.
    #[inline]
    pub(super) fn code(self, cp: CodePoint) -> u16 {
        self.codes().of(cp)
    }

    /// Whether a character is left over if no sequence has it. Text that was read as GB18030 may have others than
    /// ideographs beside it.
    pub(super) fn has(self, cp: CodePoint) -> bool {
        if self == Self::GB18030 { is_ideograph(cp) } else { self.code(cp) != 0 }
    }

    /// Returns the first byte of a character, which may be one of ASCII; 0 if it has no code or may be a
    /// question mark, and a continuation byte for another mark.
    fn first_byte(self, cp: CodePoint) -> u8 {
        match (cp, self.code(cp).to_be_bytes()) {
            (QUESTION_MARK, _) => 0,
            _ if self.is_mark(cp) => 0x80,
            (0..0x80, _) => cp as u8,
            (_, [0, byte] | [byte, _]) => byte,
        }
    }

    /// Whether a mark stands for bytes that the charset does not define.
    fn is_mark(self, cp: CodePoint) -> bool {
        matches!(cp, REPLACEMENT_CHARACTER | QUESTION_MARK)
            || self == Self::CP932 && cp == MIDDLE_DOT
    }

    /// Returns the code of a character where a character of UTF-8 lacks `missing` bytes; 0 if none fits. A few characters
    /// have several codes; then it is one after which a character goes on if `next` is a continuation byte, if possible.
    fn code_before(self, cp: CodePoint, missing: usize, next: u8) -> u16 {
        let all = || [self.code(cp)].into_iter().chain(self.codes().others(cp));
        let after = |code: u16| well_formed(missing, code);
        let goes_on =
            |code: &u16| after(*code).is_some_and(|missing| (missing > 0) == is_continuation(next));
        let may_be = || all().find(|code| after(*code).is_some());
        all().find(goes_on).or_else(may_be).unwrap_or(0)
    }

    /// Whether the bytes of a character and the next one may begin a sequence of UTF-8.
    ///
    /// ```text
    /// C3 A9            é    the character is a whole sequence, and so is the next one, if it is an ideograph
    /// E4 BD │ A0 E5    你   the third byte begins the next character, whose other byte (E5) begins a sequence or is ASCII
    /// F0 9F │ 98 80    😀   all four bytes of two characters
    /// ```
    ///
    /// `suspect` asks this of the first ideograph of each row in sound text, so it looks at no more than two characters,
    /// and `sequence` reads the rest.
    pub(super) fn may_begin(self, cp: CodePoint, next: CodePoint) -> bool {
        let goes_on = |missing: usize| {
            let fits = |code: u16| well_formed(missing, code).is_some();
            fits(self.code(next)) || self.codes().others(next).any(fits)
        };
        match self.missing_after(cp) {
            Some(0) => !is_ideograph(next) || is_two_bytes(self.code(next)),
            Some(missing) => self.is_mark(next) || goes_on(missing),
            None => false,
        }
    }

    /// Returns how many bytes a character of UTF-8 lacks that begins with this code; `None` if none does.
    fn missing_after(self, cp: CodePoint) -> Option<usize> {
        let code = self.code(cp);
        let missing = well_formed(0, code).filter(|_| code & 0xFF >= 0x80)?;
        (missing > 0 || is_two_bytes(code)).then_some(missing)
    }

    /// Returns the runs of a text whose bytes are UTF-8. A mark begins none: sound text has dots before words, and
    /// replacement characters. It goes on with one.
    pub(super) fn sequences(self, text: &[CodePoint]) -> Vec<MisreadSequence> {
        let mut found: Vec<MisreadSequence> = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let follows = found.last().is_some_and(|found| found.range.end == at);
            let may_begin = match text.get(at + 1) {
                _ if text[at] < 0x80 => false,
                _ if self.is_mark(text[at]) => follows,
                next => {
                    (follows || at == 0 || !is_ideograph(text[at - 1]))
                        && self.may_begin(text[at], next.copied().unwrap_or(0))
                }
            };
            match may_begin.then(|| self.stretch(text, at)).flatten() {
                Some(stretch) => {
                    found.extend(stretch);
                    at = found.last().map_or(at, |last| last.range.end);
                }
                None => at += 1,
            }
        }
        // Sound Chinese: the first ideographs of a row are pairs of UTF-8 by chance, and the next one is not.
        let goes_on = |end: usize| text.get(end).is_some_and(|cp| is_ideograph(*cp));
        let mut is_row = false;
        for index in (0..found.len()).rev() {
            let Range { start, end } = found[index].range;
            let next = found.get(index + 1).map(|next| next.range.start);
            is_row = if next == Some(end) { is_row } else { goes_on(end) };
            if is_row && is_two_bytes(self.code(text[start])) {
                found.remove(index);
            } else {
                is_row = false;
            }
        }
        found
    }

    /// Reads characters of UTF-8 from an index of a text on, until one of them and a code end at the same place.
    fn stretch(self, text: &[CodePoint], at: usize) -> Option<Vec<MisreadSequence>> {
        let next = |at: usize| text.get(at + 1).copied().unwrap_or(0);
        let mut stretch = Stretch::at(at);
        for (at, cp) in text.iter().enumerate().skip(at).take(MAX_LEN) {
            let next = self.first_byte(next(at));
            if self.is_mark(*cp) {
                stretch.add_lost(self.codes(), at, *cp, next)?;
            } else if *cp < 0x80 {
                stretch.add(at, *cp as u8)?;
            } else {
                match self.code_before(*cp, stretch.missing, next).to_be_bytes() {
                    [0, 0] => return None,
                    [0, byte] => stretch.add(at, byte)?,
                    code => code.iter().try_for_each(|byte| stretch.add(at, *byte))?,
                }
            }
            stretch.follows_mark = self.is_mark(*cp);
            if stretch.missing == 0 {
                return Some(stretch.found);
            }
        }
        None
    }
}

/// Whether two characters, the first from [`FIRST_IDEOGRAPH`] on, may begin a sequence in one of the charsets: see
/// [`DoubleByteCharset::may_begin`].
#[inline]
pub(super) fn may_begin(cp: CodePoint, next: CodePoint) -> bool {
    static BEGIN: OnceLock<Vec<u8>> = OnceLock::new();
    // The charsets in which a character may begin one, whatever is next, as bit sets: nearly all text stops here.
    let begin = BEGIN.get_or_init(|| {
        let may_begin = |cp, set: DoubleByteCharset| set.missing_after(cp).is_some();
        let sets = |cp| {
            let sets = DoubleByteCharset::all().filter(|set| may_begin(cp, *set));
            sets.fold(0, |sets, set| sets | 1 << set.index())
        };
        (FIRST_IDEOGRAPH..0x1_0000).map(sets).collect()
    });
    let place = cp.wrapping_sub(FIRST_IDEOGRAPH) as usize;
    let sets = begin.get(place).copied().unwrap_or(0);
    sets != 0
        && DoubleByteCharset::all()
            .any(|set| sets >> set.index() & 1 == 1 && set.may_begin(cp, next))
}

/// Returns how many bytes a character of UTF-8 lacks after a code, if it lacked `missing` before; `None` if the code is
/// ill-formed there, or 0.
fn well_formed(mut missing: usize, code: u16) -> Option<usize> {
    let [lead, trail] = code.to_be_bytes();
    let fits = (lead == 0 || step(&mut missing, lead)) && step(&mut missing, trail);
    (fits && code != 0).then_some(missing)
}

/// Whether a code is one character of UTF-8 in two bytes. It is for one ideograph of GB18030 in twelve.
fn is_two_bytes(code: u16) -> bool {
    matches!(code.to_be_bytes(), [0xC2..=0xDF, 0x80..=0xBF])
}

/// Where the ideographs are for which a part was taken for damage; the first of these that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ideographs {
    /// Several in a row whose bytes are all UTF-8, of which one character at least is whole: `浣犲ソ`.
    InARow,
    /// One inside a word of Latin letters or at its start, where no language has any: `M眉ller`, `脺bung`.
    InWord,
    /// One by itself, after a Latin word or next to a sign, or one of which only a part is left. Sound Chinese and
    /// Japanese have these: `Nyan猫` and `%d枚`, although the bytes of 猫 and 枚 are è and ö.
    Alone,
}

impl Ideographs {
    pub(super) fn of(charset: DoubleByteCharset, text: &[CodePoint], part: &Range<usize>) -> Self {
        let own = &text[part.clone()];
        let found = charset.sequences(own);
        let whole = || found.iter().filter(|found| !found.is_cut());
        let is_letter = |at: usize| text.get(at).is_some_and(|cp| is_ascii_letter(*cp));
        // A long one is no chance, unless it is alone: next to it must be another one or a Latin letter.
        let is_long = |found: &MisreadSequence| found.reading.text.characters()[0] >= 0x800;
        let is_beside = found.len() > 1
            || is_letter(part.start.wrapping_sub(1))
            || is_letter(part.end)
            || own.iter().any(|cp| is_ascii_letter(*cp))
            || found.iter().any(|found| found.reading.text.characters().len() > 1);
        // In sound words, letters of half width are two pairs in a row more often than ideographs are.
        let in_a_row = if charset == DoubleByteCharset::GB18030 { 2 } else { 3 };
        let are_next = |found: &[MisreadSequence]| {
            found.windows(2).all(|pair| pair[0].range.end == pair[1].range.start)
                && found.iter().all(|found| !found.is_cut())
        };
        let is_left = |at: &usize| !found.iter().any(|found| found.range.contains(at));
        let is_sound = |at: usize| is_east_asian(own[at]);
        if (0..own.len()).filter(is_left).any(is_sound) {
            Self::Alone
        } else if is_beside && whole().any(is_long) || found.windows(in_a_row).any(are_next) {
            Self::InARow
        } else if whole().any(|found| is_in_word(text, part.start, found)) {
            Self::InWord
        } else {
            Self::Alone
        }
    }
}

/// Whether a word of ASCII letters continues after a sequence, in a part that begins at `start`. `Tom猫Jerry` is two
/// words.
fn is_in_word(text: &[CodePoint], start: usize, found: &MisreadSequence) -> bool {
    let letter = |cp: Option<&CodePoint>| cp.copied().filter(|cp| is_ascii_letter(*cp));
    let is_upper = |cp: Option<CodePoint>| cp.is_some_and(|cp| cp < 0x60);
    let before = start + found.range.start;
    let before = letter(before.checked_sub(1).and_then(|at| text.get(at)));
    let after = letter(text.get(start + found.range.end));
    // The last code may have had a letter, too.
    let own = letter(found.reading.text.characters().get(1));
    let own = own.filter(|_| before.is_some() || after.is_some());
    let after = own.or(after);
    after.is_some_and(|after| after > 0x60) || is_upper(before) && is_upper(after)
}

fn is_ascii_letter(cp: CodePoint) -> bool {
    u8::try_from(cp).is_ok_and(|byte| byte.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests;
