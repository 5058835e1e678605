//! UTF-8 in which some characters are in another encoding: decides which bytes are in which.
//!
//! Looking only at the ill-formed bytes is not enough, because bytes of the other encoding may be well-formed UTF-8 by
//! chance. So a stretch of text around ill-formed subsequences, a *region*, is segmented as a whole:
//!
//! ```text
//! ещё in KOI8-R   C5 │ DD A3       UTF-8: ill-formed, U+0763 (Arabic)      KOI8-R: е щ ё
//! “да             93 │ D0 B4 D0 B0 UTF-8: ill-formed, д а                  windows-1252: “ Ð ´ Ð °
//! ```
//!
//! In the first line all three bytes are KOI8-R, in the second only one is windows-1252. [`Mixed::split`] finds the
//! segmentation with the lowest total cost, by dynamic programming over the bytes of the region (the Viterbi algorithm
//! with two states). Characters that the text has elsewhere and letters of the scripts of the other encoding are cheap,
//! letters of any other script are expensive, and each switch between the encodings has a price.
//!
//! A region extends from the first to the last ill-formed subsequence of a line, widened to whole words. Words are
//! separated by bytes below 30, which no encoding uses within a multi-byte character. A well-formed word of characters
//! that the text may have stays UTF-8.

use std::ops::Range;
use std::sync::Arc;

use super::text_repertoire::{
    EvidenceClass, SURE_LETTERS, ScriptGroup, Scripts, TextRepertoire, beyond_ascii,
    letters_of_one_script,
};
use super::{Decoded, Decoder, MIN_PIVOT, StatelessCodec, Utf8Codec};
use crate::unicode::{CodePoint, IllFormed, IllFormedKind};
use oxiconv_kernels::str_prefix;

/// The most bytes of a region. A source provides at least three times as many at once.
pub const REGION: usize = if cfg!(fuzzing) { 64 } else { 4096 };
/// The most bytes that a region is widened to the left of its first ill-formed subsequence.
const MAX_LOOKBACK: usize = REGION / 4;
/// The longest character of the other encoding, in bytes.
const MAX_CHARACTER_LEN: usize = 4;

// The costs of a segmentation, ordered by how unexpected the characters are in text. ASCII costs 1. They are weighed
// against each other like this:
//
// * é in a French text (SEEN, 2) stays UTF-8. As Ã and © of windows-1252, it would cost a letter and a sign (3 + 8),
//   two switches (5 + 2) and INSTEAD (3).
// * U+0763 after a byte that must be KOI8-R becomes two Russian letters (3 + 3). As UTF-8, it would cost the switch
//   back and a foreign letter (2 + 12).
// * A byte that only the other encoding can read (UNREAD, 60) always pays for a switch there and back.

/// A character that the text has elsewhere.
const SEEN: u32 = 2;
const LETTER: u32 = 3;
const PUNCTUATION: u32 = 4;
const SIGN: u32 = 8;
/// A letter of a script that neither the text nor the other encoding has; more if it is three bytes of UTF-8.
const FOREIGN: u32 = 12;
const FOREIGN_OF_THREE: u32 = 18;
const STRANGE: u32 = 25;
/// Switching to the other encoding, and back.
const BEGIN: u32 = 5;
const END: u32 = 2;
/// Reading as something else what would be a plausible character of UTF-8.
const INSTEAD: u32 = 3;
/// An upper-case letter right after a lower-case one.
const WRONG_CASE: u32 = 6;
/// A byte that neither encoding can read. It exceeds all other costs, so that such a byte is the last resort.
const UNREAD: u32 = 60;

/// The same for a word that the other encoding does not read as letters alone: `日本` is æ—¥æœ¬ in windows-1252.
const LETTERS_OF_A_WORD: usize = 2;

/// What the bytes of an encoding are by themselves. It takes 256 calls of the decoder to find out, so it is kept by
/// whoever reads many texts in the encoding.
#[derive(Clone, Debug)]
pub struct BytesAlone {
    each: Arc<[ByteAlone; 256]>,
    scripts: Scripts,
}

/// A byte by itself.
#[derive(Clone, Copy, Debug)]
enum ByteAlone {
    Character(CodePoint),
    /// A letter that may compose with a mark after it, as in windows-1258.
    Letter(CodePoint),
    /// Several code points, as in TSCII.
    Several,
    /// The first byte of a longer character, or ill-formed.
    None,
}

/// Reads UTF-8 with parts in another encoding, which must be a superset of ASCII and stateless.
pub struct Mixed {
    bytes: BytesAlone,
    /// The decoder, if the encoding has characters of several bytes.
    several: Option<Box<dyn Decoder>>,
}

/// The units of a part in the other encoding. They share one list of characters, so that a unit needs no allocation.
#[derive(Clone, Debug, Default)]
pub struct MixedUnits {
    characters: Vec<CodePoint>,
    /// What is ill-formed in UTF-8, each with its offset in the part.
    ill_formed: Vec<(usize, IllFormed)>,
    /// The end of each unit: its offset in the part, and its indices in `characters` and `ill_formed`.
    ends: Vec<[usize; 3]>,
}

/// Bytes of a part whose start and end are character boundaries both in UTF-8 and in the other encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MixedUnit<'u> {
    /// Its bytes, in the part.
    pub range: Range<usize>,
    /// Its characters.
    pub characters: &'u [CodePoint],
    /// What is ill-formed in UTF-8, each with its offset in the part. May be empty.
    pub ill_formed: &'u [(usize, IllFormed)],
}

impl MixedUnits {
    /// Returns the characters of all units.
    pub fn characters(&self) -> &[CodePoint] {
        &self.characters
    }

    /// Iterates over the units.
    pub fn iter(&self) -> impl Iterator<Item = MixedUnit<'_>> {
        let starts = std::iter::once(&[0; 3]).chain(&self.ends);
        starts.zip(&self.ends).map(|(start, end)| MixedUnit {
            range: start[0]..end[0],
            characters: &self.characters[start[1]..end[1]],
            ill_formed: &self.ill_formed[start[2]..end[2]],
        })
    }
}

/// Where the next region is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextRegion {
    /// There is none before this offset. Whether the bytes from there on begin one depends on more input.
    None(usize),
    /// At these offsets.
    At(Range<usize>),
    /// It begins at this offset, and its end depends on more input.
    From(usize),
}

impl BytesAlone {
    /// Finds out what the bytes of an encoding are. `single` as for [`Mixed::new`].
    pub fn of(decoder: &mut dyn Decoder, single: bool) -> Self {
        let mut each = [ByteAlone::None; 256];
        let mut counts = [0; ScriptGroup::COUNT];
        for (byte, meaning) in (0..=u8::MAX).zip(each.iter_mut()) {
            let mut pivot = [0; MIN_PIVOT];
            let decoded = decoder.decode(&[byte], &mut pivot, true);
            *meaning = match decoded.written {
                0 => ByteAlone::None,
                1 if decoder.decode(&[byte], &mut [0; MIN_PIVOT], false).read == 0 => {
                    ByteAlone::Letter(pivot[0])
                }
                1 => ByteAlone::Character(pivot[0]),
                _ => ByteAlone::Several,
            };
            if let ByteAlone::Character(cp) | ByteAlone::Letter(cp) = *meaning
                && !byte.is_ascii()
                && let EvidenceClass::Letter(script) = EvidenceClass::of(cp)
            {
                counts[script as usize] += 1;
            }
        }
        let all: u32 = counts.iter().sum();
        // The scripts of the encoding are those with at least a quarter of its single-byte letters: windows-1253 has
        // `ƒ`, and is for Greek. A multi-byte encoding without single-byte letters is an East Asian one.
        let mut scripts = counts.map(|count| count * 4 >= all.max(1));
        scripts[ScriptGroup::EastAsian as usize] |= !single && all == 0;
        Self { each: Arc::new(each), scripts }
    }
}

impl Mixed {
    /// Creates the reader of a mixture with the encoding of `decoder`. `single` says that each byte is a character in
    /// it, whatever its context.
    pub fn new(bytes: BytesAlone, decoder: Box<dyn Decoder>, single: bool) -> Self {
        Self { bytes, several: (!single).then_some(decoder) }
    }

    /// Decodes the character at the start of `bytes` in the other encoding. Returns its length in bytes and the number
    /// of code points.
    fn one(
        &mut self,
        bytes: &[u8],
        characters: &mut [CodePoint; MIN_PIVOT],
    ) -> Option<(usize, usize)> {
        let shortest = match self.bytes.each[usize::from(bytes[0])] {
            ByteAlone::Character(cp) => {
                characters[0] = cp;
                return Some((1, 1));
            }
            ByteAlone::Letter(cp) => {
                let len = self.composed(bytes, characters).unwrap_or(1);
                if len == 1 {
                    characters[0] = cp;
                }
                return Some((len, 1));
            }
            ByteAlone::Several => 1,
            ByteAlone::None => 2,
        };
        let decoder = self.several.as_mut()?;
        (shortest..=bytes.len().min(MAX_CHARACTER_LEN)).find_map(|len| {
            let decoded = decoder.decode(&bytes[..len], characters, true);
            (decoded.read == len && decoded.written > 0).then_some((len, decoded.written))
        })
    }

    /// Decodes the letter at the start of `bytes` with the marks after it that compose with it. Returns their length.
    fn composed(&mut self, bytes: &[u8], characters: &mut [CodePoint; MIN_PIVOT]) -> Option<usize> {
        let decoder = self.several.as_mut()?;
        let mut composed = None;
        for len in 2..=bytes.len().min(MAX_CHARACTER_LEN) {
            let mut pivot = [0; MIN_PIVOT];
            let decoded = decoder.decode(&bytes[..len], &mut pivot, true);
            if (decoded.read, decoded.written) != (len, 1) {
                break;
            }
            (*characters, composed) = (pivot, Some(len));
        }
        composed
    }

    /// Whether a character that `bytes` begin with may compose with what follows them.
    #[cfg(feature = "legacy")]
    fn may_continue(&mut self, bytes: &[u8]) -> bool {
        matches!(self.bytes.each[usize::from(bytes[0])], ByteAlone::Letter(_))
            && self.length(bytes) == Some(bytes.len())
    }

    /// Returns the length of the character at the start of `bytes` in the other encoding, if there is one.
    #[cfg(feature = "legacy")]
    pub fn length(&mut self, bytes: &[u8]) -> Option<usize> {
        self.one(bytes, &mut [0; MIN_PIVOT]).map(|(len, _)| len)
    }

    /// Returns the stretches in `range` of `bytes` that the other encoding can decode, and the offset up to which they
    /// are known. A possible start of a character at the end of the range is left undecided unless the range is
    /// `complete`.
    #[cfg(feature = "legacy")]
    pub fn readable(
        &mut self,
        bytes: &[u8],
        range: Range<usize>,
        complete: bool,
    ) -> (usize, Vec<Range<usize>>) {
        let mut parts: Vec<Range<usize>> = Vec::new();
        let mut at = range.start;
        while at < range.end {
            let rest = &bytes[at..range.end];
            if !complete && rest.len() < MAX_CHARACTER_LEN && self.may_continue(rest) {
                break;
            }
            match self.length(rest) {
                Some(len) => {
                    match parts.last_mut().filter(|part| part.end == at) {
                        Some(part) => part.end += len,
                        None => parts.push(at..at + len),
                    }
                    at += len;
                }
                None if !complete && range.end - at < MAX_CHARACTER_LEN => break,
                None => at += 1,
            }
        }
        (at, parts)
    }

    /// Returns the same for the next bytes beyond ASCII, up to the first byte below 30. `last` says that the text ends
    /// with `bytes`.
    #[cfg(feature = "legacy")]
    pub fn next_readable(&mut self, bytes: &[u8], last: bool) -> (usize, Vec<Range<usize>>) {
        let start = bytes.iter().take_while(|byte| byte.is_ascii()).count();
        let most = &bytes[start..bytes.len().min(start + REGION)];
        let low = most.iter().position(|byte| is_low(*byte));
        let ends = low.is_some() || last && start + most.len() == bytes.len();
        if !ends && most.len() < REGION {
            return (start, Vec::new());
        }
        self.readable(bytes, start..start + low.unwrap_or(most.len()), ends)
    }

    fn is_single(&self) -> bool {
        self.several.is_none()
    }

    /// Returns the cost of a character, read as UTF-8 if `in_utf8`, and else in the other encoding.
    ///
    /// A letter of a script that the text has is evidence only for UTF-8. The other encoding is known by its own
    /// scripts, so a letter of another one is FOREIGN there, whatever the text has.
    fn cost(&self, cp: CodePoint, known: &TextRepertoire, in_utf8: bool) -> u32 {
        let is_seen = known.has(cp);
        match EvidenceClass::of(cp) {
            EvidenceClass::Letter(script) => {
                let is_own = self.bytes.scripts[script as usize];
                let is_common = is_own || in_utf8 && known.has_script(script);
                match (is_common, is_seen) {
                    (true, true) if in_utf8 => SEEN,
                    (true, true) => LETTER,
                    // Most of the thousands of ideographs are rare, so one that the text does not have elsewhere is
                    // weak evidence.
                    (true, false) if script == ScriptGroup::EastAsian => SIGN,
                    (true, false) => LETTER,
                    (false, true) if in_utf8 => SIGN,
                    (false, _) if in_utf8 && cp >= 0x800 => FOREIGN_OF_THREE,
                    (false, _) => FOREIGN,
                }
            }
            _ if is_seen && in_utf8 => LETTER,
            EvidenceClass::Punctuation => PUNCTUATION,
            EvidenceClass::Sign => SIGN,
            EvidenceClass::Strange => STRANGE,
        }
    }

    /// Whether a character of UTF-8 is unsuspicious in the text.
    fn is_plain(&self, cp: CodePoint, known: &TextRepertoire) -> bool {
        match EvidenceClass::of(cp) {
            EvidenceClass::Letter(script) => {
                self.bytes.scripts[script as usize] || known.has_script(script)
            }
            EvidenceClass::Punctuation | EvidenceClass::Sign => true,
            EvidenceClass::Strange => false,
        }
    }

    /// Returns the parts of a region that are in the other encoding, without ASCII characters. `known` are the
    /// characters of the text. `within` says that the region begins inside such a part. `cuts` are truncated
    /// characters, which are in no other encoding.
    ///
    /// `lattice[at][state]` is the cheapest way to read the bytes before `at`, such that the next byte is read as UTF-8
    /// (state 0) or in the other encoding (state 1). A character leads only to later places, so the nodes of a place
    /// are final once the loop reaches it. For C5 DD A3, ещё in KOI8-R, it is:
    ///
    /// ```text
    /// at         0           1          2          3
    /// UTF-8      0          10 ───────DD A3──────► 22      10: END after 8, as C5 is ill-formed (60); U+0763: FOREIGN
    ///            │ BEGIN     ▲ END
    /// KOI8-R     5 ───C5───► 8 ──DD──► 11 ──A3───► 14      е, щ, ё: LETTER
    /// ```
    ///
    /// Walking back from the cheaper of the two ends, here 14, gives the parts from last to first.
    pub fn split(
        &mut self,
        region: &[u8],
        known: &TextRepertoire,
        within: bool,
        cuts: &[Range<usize>],
    ) -> Vec<Range<usize>> {
        /// The cheapest way to a place and state: its cost, and the place and state before the last step.
        #[derive(Clone, Copy)]
        struct PathNode {
            cost: u32,
            from: usize,
            was_other: bool,
            /// Whether the last character is a lower-case letter.
            is_lower: bool,
        }
        const NONE: PathNode =
            PathNode { cost: u32::MAX, from: 0, was_other: false, is_lower: false };
        let mut lattice = vec![[NONE; 2]; region.len() + 1];
        let start = PathNode { cost: 0, from: usize::MAX, ..NONE };
        lattice[0][usize::from(within)] = start;
        let (bounds, is_single) = (bounds(region), self.is_single());
        let mut stays = self.plain_words(region, known, within);
        cuts.iter().for_each(|cut| stays[cut.clone()].fill(true));
        let mut characters = [0; MIN_PIVOT];
        for at in 0..region.len() {
            // Switch at the same place. Both prices are positive, so at most one of the two conditions holds, and the
            // nodes cannot refer to each other.
            //
            // A part in a single-byte encoding may end only at a boundary of UTF-8. It has boundaries of its own
            // everywhere, so it could end within a character of UTF-8 otherwise.
            let [utf8, other] = lattice[at];
            let may_end = bounds[at] || !is_single;
            if may_end && other.cost != u32::MAX && other.cost + END < utf8.cost {
                lattice[at][0] =
                    PathNode { cost: other.cost + END, from: at, was_other: true, ..other };
            }
            if utf8.cost != u32::MAX && utf8.cost + BEGIN < other.cost {
                lattice[at][1] =
                    PathNode { cost: utf8.cost + BEGIN, from: at, was_other: false, ..utf8 };
            }
            let [utf8, other] = lattice[at];
            let mut reach = |len: usize, state: usize, cost: u32, last: Option<CodePoint>| {
                let last = last.and_then(char::from_u32);
                let rises = lattice[at][state].is_lower && last.is_some_and(char::is_uppercase);
                let cost = lattice[at][state].cost + cost + if rises { WRONG_CASE } else { 0 };
                let is_lower = last.is_some_and(char::is_lowercase);
                let node = &mut lattice[at + len][state];
                if cost < node.cost {
                    *node = PathNode { cost, from: at, was_other: state == 1, is_lower };
                }
            };
            if utf8.cost != u32::MAX {
                let (len, cost, cp) = match Utf8Codec.decode_one(&region[at..]) {
                    Decoded::Character { cp, len } if cp < 0x80 => (len, 1, Some(cp)),
                    Decoded::Character { cp, len } => (len, self.cost(cp, known, true), Some(cp)),
                    Decoded::IllFormed(IllFormed { len, .. }) => (len, UNREAD * len as u32, None),
                    _ => (region.len() - at, UNREAD * (region.len() - at) as u32, None),
                };
                reach(len, 0, cost, cp);
            }
            if other.cost == u32::MAX || stays[at] {
                continue;
            }
            let instead = match Utf8Codec.decode_one(&region[at..]) {
                Decoded::Character { cp, .. }
                    if cp >= 0x80 && bounds[at] && self.cost(cp, known, true) < SIGN =>
                {
                    INSTEAD
                }
                _ => 0,
            };
            let one = self.one(&region[at..], &mut characters);
            if region[at].is_ascii() && one.is_none_or(|(len, _)| len == 1) {
                reach(1, 1, 1, Some(region[at].into()));
            } else if let Some((len, count)) = one
                && !stays[at..at + len].contains(&true)
            {
                let costs = characters[..count].iter().map(|cp| self.cost(*cp, known, false));
                let cost = costs.sum::<u32>();
                reach(len, 1, cost + instead, Some(characters[count - 1]));
            }
        }
        let [utf8, other] = lattice[region.len()];
        let mut parts = Vec::new();
        let (mut at, mut is_other) = (region.len(), other.cost < utf8.cost);
        let mut end = is_other.then_some(at);
        loop {
            let node = lattice[at][usize::from(is_other)];
            if node.from == usize::MAX {
                if let Some(end) = end {
                    parts.push(at..end);
                }
                break;
            }
            // ASCII is the same in both encodings: it is left out, and separates two parts.
            let is_ascii =
                is_other && node.was_other && at == node.from + 1 && region[node.from].is_ascii();
            if node.was_other != is_other || is_ascii {
                if let Some(end) = end.take() {
                    parts.push(at..end);
                }
                end = node.was_other.then_some(node.from);
            }
            (at, is_other) = (node.from, node.was_other);
        }
        parts.retain(|part| !part.is_empty());
        parts.reverse();
        parts
    }

    /// Whether a word that is well-formed UTF-8 is no word of the other encoding.
    ///
    /// The letters from U+1E00 on get a case of their own: a Vietnamese word has one or two of them, between ASCII
    /// letters.
    fn is_plain_word(&mut self, text: &str, known: &TextRepertoire, sure: &Scripts) -> bool {
        if beyond_ascii(text).all(|cp| self.is_plain(cp, known)) {
            return true;
        }
        let letters = letters_of_one_script(text);
        if letters.is_some_and(|(_, letters)| letters >= SURE_LETTERS) {
            return true;
        }
        let is_latin = text.bytes().any(|byte| byte.is_ascii_alphabetic());
        let is_of_latin = |cp: CodePoint| is_latin && (0x1E00..0x1F00).contains(&cp);
        let may_be = letters
            .is_some_and(|(script, letters)| letters >= LETTERS_OF_A_WORD || sure[script as usize]);
        let is_word =
            may_be || beyond_ascii(text).all(|cp| is_of_latin(cp) || self.is_plain(cp, known));
        is_word && !self.reads_as_letters(text.as_bytes())
    }

    /// Whether the other encoding reads all non-ASCII bytes of a word as letters of its scripts. Four Latin letters in
    /// a row do not count as such, because no language has that many without an ASCII letter among them.
    fn reads_as_letters(&mut self, word: &[u8]) -> bool {
        const MAX_LATIN_RUN: usize = 3;
        let mut characters = [0; MIN_PIVOT];
        let mut runs = word.split(u8::is_ascii).filter(|run| !run.is_empty());
        runs.all(|mut run| {
            let may_be_latin = run.len() <= MAX_LATIN_RUN;
            while !run.is_empty() {
                let Some((len, count)) = self.one(run, &mut characters) else { return false };
                let is_letter = |cp: &CodePoint| match EvidenceClass::of(*cp) {
                    EvidenceClass::Letter(script) => {
                        let is_latin =
                            matches!(script, ScriptGroup::Latin | ScriptGroup::RareLatin);
                        self.bytes.scripts[script as usize] && (may_be_latin || !is_latin)
                    }
                    _ => false,
                };
                if !characters[..count].iter().all(is_letter) {
                    return false;
                }
                run = &run[len..];
            }
            true
        })
    }

    /// Returns, for each byte of a region, whether it is in a word that stays UTF-8: well-formed, and of unsuspicious
    /// characters or clearly no word of the other encoding. The first word of a region that begins inside a part does
    /// not count, because its start may be before the region.
    ///
    /// A long word vouches for the short ones of its script: мир in UTF-8 says that и is.
    fn plain_words(&mut self, region: &[u8], known: &TextRepertoire, within: bool) -> Vec<bool> {
        let mut stays = vec![false; region.len()];
        let mut sure = [false; ScriptGroup::COUNT];
        let mut words = Vec::new();
        let mut at = 0;
        for word in region.split_inclusive(|byte| is_low(*byte)) {
            let text = std::str::from_utf8(word).ok().filter(|_| at > 0 || !within);
            if let Some(text) = text.filter(|text| !text.is_ascii()) {
                if let Some((script, SURE_LETTERS..)) = letters_of_one_script(text) {
                    sure[script as usize] = true;
                }
                words.push((at, text));
            }
            at += word.len();
        }
        for (at, text) in words {
            if self.is_plain_word(text, known, &sure) {
                stays[at..at + text.len() - 1].fill(true);
            }
        }
        stays
    }

    /// Decodes the part in the other encoding that is the first `len` of `bytes`, in units.
    ///
    /// A report pairs the bytes that are ill-formed in UTF-8 with the characters read instead, and the two readings
    /// need not have the same boundaries. So both advance, the one behind first, and a unit ends where they meet:
    ///
    /// ```text
    /// UTF-8    C5 │ DD A3
    /// KOI8-R   C5 │ DD │ A3
    /// units    ╰е╯ ╰щ ё──╯
    /// ```
    pub fn units(&mut self, bytes: &[u8], len: usize) -> MixedUnits {
        let part = &bytes[..len];
        let mut units = MixedUnits {
            characters: Vec::with_capacity(len),
            ill_formed: Vec::with_capacity(len),
            ends: Vec::with_capacity(len),
        };
        let (mut other, mut utf8) = (0, 0);
        let mut characters = [0; MIN_PIVOT];
        while other < len || utf8 < len {
            if other <= utf8 {
                let Some((read, count)) = self.one(&part[other..], &mut characters) else { break };
                units.characters.extend_from_slice(&characters[..count]);
                other += read;
            } else {
                utf8 += match Utf8Codec.decode_one(&bytes[utf8..]) {
                    Decoded::Character { len: read, .. } if utf8 + read <= len => read,
                    Decoded::IllFormed(ill_formed) => {
                        let ill_formed = truncate(ill_formed, len - utf8);
                        units.ill_formed.push((utf8, ill_formed));
                        ill_formed.len
                    }
                    Decoded::Incomplete if bytes.len() == len => {
                        let rest = len - utf8;
                        let kind = IllFormedKind::TruncatedAtEnd;
                        units.ill_formed.push((utf8, IllFormed::new(rest, kind)));
                        rest
                    }
                    // A character of UTF-8 that continues after the part.
                    _ => {
                        let rest = len - utf8;
                        let kind = IllFormedKind::Truncated;
                        units.ill_formed.push((utf8, IllFormed::new(rest, kind)));
                        rest
                    }
                };
            }
            if other == utf8 {
                units.ends.push([other, units.characters.len(), units.ill_formed.len()]);
            }
        }
        // Characters after the last common boundary belong to no unit.
        let [_, characters, _] = units.ends.last().copied().unwrap_or_default();
        units.characters.truncate(characters);
        units
    }
}

fn truncate(ill_formed: IllFormed, left: usize) -> IllFormed {
    IllFormed::new(ill_formed.len.min(left), ill_formed.kind)
}

/// Returns, for each byte, whether a character or an ill-formed subsequence of UTF-8 begins there.
fn bounds(region: &[u8]) -> Vec<bool> {
    let mut bounds = vec![false; region.len()];
    let mut at = 0;
    while at < region.len() {
        bounds[at] = true;
        at += match Utf8Codec.decode_one(&region[at..]) {
            Decoded::Character { len, .. } => len,
            Decoded::IllFormed(ill_formed) => ill_formed.len,
            _ => region.len() - at,
        };
    }
    bounds
}

/// Returns the next region of a text. `last` says that the text ends with `bytes`; `within`, that they begin inside a
/// part in the other encoding.
///
/// The region begins with the word of the first ill-formed subsequence, and ends with the word of the last one on the
/// same line, but after [`REGION`] bytes at most:
///
/// ```text
/// a b<E4>c d <F6>e f⏎
///    ╰───────────╯       without the b, since leading ASCII is left out
/// ```
pub fn next_region(bytes: &[u8], last: bool, within: bool) -> NextRegion {
    let valid = str_prefix(bytes).len();
    let complete = match std::str::from_utf8(&bytes[valid..]) {
        Ok(_) => true,
        // Without `error_len`, the end of `bytes` truncates a character, which is no fault if more bytes follow.
        Err(error) => error.error_len().is_none() && !last,
    };
    // Within a part, the region begins at once: well-formed bytes may belong to the part by chance.
    let ill_formed = if within { 0 } else { valid };
    if !within && complete {
        return NextRegion::None(if last { bytes.len() } else { unsettled(bytes, valid) });
    }
    let start = start_of_region(bytes, ill_formed);
    let most = &bytes[ill_formed..bytes.len().min(start + REGION)];
    let line = match most.iter().position(|byte| *byte < 0x20) {
        Some(end) => &most[..end],
        None if last || start + REGION <= bytes.len() => most,
        None => return NextRegion::From(start),
    };
    let mut at = 0;
    let mut last_word = 0;
    for chunk in line.utf8_chunks() {
        at += chunk.valid().len() + chunk.invalid().len();
        if !chunk.invalid().is_empty() {
            last_word = at;
        }
    }
    let rest = &line[last_word..];
    let end = last_word + rest.iter().position(|byte| is_low(*byte)).unwrap_or(rest.len());
    NextRegion::At(start..ill_formed + end)
}

/// Returns the start of the region with the ill-formed subsequence at byte `at`.
fn start_of_region(bytes: &[u8], at: usize) -> usize {
    let from = at.saturating_sub(MAX_LOOKBACK);
    let start = match bytes[from..at].iter().rposition(|byte| is_low(*byte)) {
        Some(low) => from + low + 1,
        None => from,
    };
    // The start may be `MAX_LOOKBACK` bytes before, inside a character: skip its rest. Leading ASCII is the same in
    // both encodings.
    let continues =
        bytes[start..at].iter().take(3).take_while(|byte| **byte & 0xC0 == 0x80).count();
    let ascii = bytes[start + continues..at].iter().take_while(|byte| byte.is_ascii()).count();
    start + continues + ascii
}

/// Returns the first byte that could belong to a region that begins after `bytes`, of which `valid` are well-formed.
fn unsettled(bytes: &[u8], valid: usize) -> usize {
    start_of_region(bytes, valid)
}

/// Whether a byte is a character by itself in every superset of ASCII, and never part of a longer one. GB18030 has the
/// lowest other bytes: the digits 30 to 39.
const fn is_low(byte: u8) -> bool {
    byte < 0x30
}
