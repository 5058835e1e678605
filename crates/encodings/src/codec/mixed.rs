//! UTF-8 in which some characters are in another encoding: which bytes are which.
//!
//! Bytes of the other encoding may be well-formed UTF-8 by chance, next to others that are not. So a stretch of text
//! with an ill-formed subsequence in it, a *region*, is read as a whole:
//!
//! ```text
//! ещё in KOI8-R   C5 │ DD A3       UTF-8: ill-formed, U+0763 (Arabic)      KOI8-R: е щ ё
//! “да             93 │ D0 B4 D0 B0 UTF-8: ill-formed, д а                  windows-1252: “ Ð ´ Ð °
//! ```
//!
//! Of all ways to read it, the cheapest is taken: characters that the text has, and letters of the scripts of the other
//! encoding, cost little, letters of any other script much, and so does each change from one to the other. A region
//! goes from the first to the last ill-formed subsequence of a line. Its words are separated by characters below
//! U+0030, which no encoding has in a character of several bytes; a well-formed word of known characters stays as it
//! is.

use std::ops::Range;

#[cfg(feature = "legacy")]
use super::UsualBytes;
use super::{Decoded, Decoder, MIN_PIVOT, StatelessCodec, Utf8Codec};
use crate::unicode::{CodePoint, IllFormed, IllFormedKind, is_control, is_private_use};

/// The most bytes of a region. A source shows at least three times as many at once.
pub const REGION: usize = if cfg!(fuzzing) { 64 } else { 4096 };
/// The most bytes of a region before its first ill-formed subsequence.
const BACK: usize = REGION / 4;
/// The longest sequence of the other encoding, in bytes.
const LONGEST: usize = 4;

/// The characters that a text has beyond ASCII, as far as they are in the Basic Multilingual Plane.
#[derive(Clone, Debug, Default)]
pub struct TextRepertoire {
    counts: [u32; ScriptGroup::COUNT],
    #[cfg(feature = "legacy")]
    usual: UsualBytes,
    /// Whether all that is ill-formed are letters of the other encoding.
    #[cfg(feature = "legacy")]
    all_are_letters: bool,
    /// A bit for each code point, once there is any.
    characters: Vec<u64>,
}

/// A script, or several that are used together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScriptGroup {
    Latin,
    Greek,
    Cyrillic,
    /// Letters of languages that few encodings are for.
    RareCyrillic,
    RareLatin,
    Armenian,
    Hebrew,
    Arabic,
    Thai,
    Georgian,
    /// Ideographs, kana and Korean.
    EastAsian,
    /// Any other, which is not told apart.
    Other,
}

/// What a character is worth as evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EvidenceClass {
    Letter(ScriptGroup),
    /// Punctuation that texts in any script have.
    Punctuation,
    Sign,
    /// What text hardly ever has: controls beyond ASCII, private use.
    Strange,
}

impl ScriptGroup {
    const COUNT: usize = Self::Other as usize + 1;
}

impl EvidenceClass {
    fn of(cp: CodePoint) -> Self {
        Self::Letter(match cp {
            0xA0 | 0xAB | 0xBB | 0x2010..=0x201F | 0x2026 | 0x3001..=0x3011 | 0xFF01..=0xFF1F => {
                return Self::Punctuation;
            }
            0xC0..=0xD6 | 0xD8..=0xF6 | 0xF8..=0x17F | 0x218..=0x21B => ScriptGroup::Latin,
            0x180..=0x24F | 0x1E00..=0x1EFF => ScriptGroup::RareLatin,
            0x370..=0x3FF | 0x1F00..=0x1FFF => ScriptGroup::Greek,
            0x400..=0x45F | 0x490..=0x491 => ScriptGroup::Cyrillic,
            0x460..=0x52F => ScriptGroup::RareCyrillic,
            0x531..=0x58F => ScriptGroup::Armenian,
            0x591..=0x5F4 => ScriptGroup::Hebrew,
            0x600..=0x6FF | 0xFB50..=0xFDFF | 0xFE70..=0xFEFC => ScriptGroup::Arabic,
            0xE01..=0xE5B => ScriptGroup::Thai,
            0x10A0..=0x10FF => ScriptGroup::Georgian,
            0x3041..=0x30FF | 0x4E00..=0x9FFF | 0xAC00..=0xD7A3 | 0xF900..=0xFAFF => {
                ScriptGroup::EastAsian
            }
            // Half-width kana too: every second byte of text in another encoding could be one.
            0xA1..=0xBF
            | 0xD7
            | 0xF7
            | 0x2000..=0x20CF
            | 0x2100..=0x22FF
            | 0x2500..=0x267F
            | 0x3000..=0x33FF
            | 0xFF00..=0xFFEF => {
                return Self::Sign;
            }
            _ if is_control(cp) || is_private_use(cp) || cp >= 0xFFF0 => return Self::Strange,
            _ => ScriptGroup::Other,
        })
    }
}

impl TextRepertoire {
    /// A script with fewer letters than one in this many is not one of the text.
    const RARE: u32 = 50;

    /// Examines well-formed text.
    pub fn look(&mut self, text: &str) {
        for c in text.chars().filter(|c| !c.is_ascii()) {
            let cp = CodePoint::from(c);
            if let EvidenceClass::Letter(script) = EvidenceClass::of(cp) {
                self.counts[script as usize] = self.counts[script as usize].saturating_add(1);
            }
            if cp <= 0xFFFF {
                self.characters.resize(0x1_0000 / 64, 0);
                self.characters[cp as usize / 64] |= 1 << (cp % 64);
            }
        }
    }

    /// Learns which bytes characters begin and end with, from all that is well-formed in a text.
    #[cfg(feature = "legacy")]
    pub fn look_at_bytes(&mut self, text: &[u8]) {
        text.utf8_chunks().for_each(|chunk| self.usual.look(chunk.valid().as_bytes()));
    }

    /// Takes all that is ill-formed for letters from now on.
    #[cfg(feature = "legacy")]
    pub fn take_all_for_letters(&mut self) {
        self.all_are_letters = true;
    }

    /// Returns the bytes that characters begin and end with, by which those that were cut off differ from letters; `None`
    /// if all that is ill-formed are letters.
    #[cfg(feature = "legacy")]
    pub fn usual(&self) -> Option<&UsualBytes> {
        (!self.all_are_letters).then_some(&self.usual)
    }

    /// Whether ideographs, kana or Korean syllables are among its letters.
    #[cfg(feature = "legacy")]
    pub fn has_east_asian(&self) -> bool {
        self.has_script(ScriptGroup::EastAsian)
    }

    /// Whether it has a character.
    pub fn has(&self, cp: CodePoint) -> bool {
        self.characters.get(cp as usize / 64).is_some_and(|bits| bits >> (cp % 64) & 1 == 1)
    }

    fn has_script(&self, script: ScriptGroup) -> bool {
        let all: u64 = self.counts.iter().map(|count| u64::from(*count)).sum();
        let count = u64::from(self.counts[script as usize]);
        script != ScriptGroup::Other && count > 0 && count * u64::from(Self::RARE) >= all
    }
}

/// Costs: what is expected of text is cheap.
const SEEN: u32 = 2;
const LETTER: u32 = 3;
const PUNCTUATION: u32 = 4;
const SIGN: u32 = 8;
/// A letter of a script that neither the text nor the other encoding has; of three bytes it is less likely by chance.
const FOREIGN: u32 = 12;
const FOREIGN_OF_THREE: u32 = 18;
const STRANGE: u32 = 25;
/// To begin and to end a part in the other encoding.
const BEGIN: u32 = 5;
const END: u32 = 2;
/// To read a character of UTF-8, one that the text may have, as others.
const INSTEAD: u32 = 3;
/// An upper-case letter after a lower-case one.
const WRONG_CASE: u32 = 6;
/// A byte that neither can read.
const UNREAD: u32 = 60;

/// How the bytes of the other encoding are read.
enum Other {
    /// The character of each byte, if it has one.
    Single(Box<[Option<CodePoint>; 256]>),
    Several(Box<dyn Decoder>),
}

/// UTF-8 with parts in another encoding, which must have ASCII, and no state between two characters.
pub struct Mixed {
    other: Other,
    /// The scripts of the other encoding.
    scripts: [bool; ScriptGroup::COUNT],
}

/// A part of a text in the other encoding: its units, in one list of characters.
#[derive(Clone, Debug, Default)]
pub struct MixedUnits {
    characters: Vec<CodePoint>,
    /// What is ill-formed in UTF-8, by the offset in the part.
    ill_formed: Vec<(usize, IllFormed)>,
    /// For each unit where it ends: in the part, among the characters and in what is ill-formed.
    ends: Vec<[usize; 3]>,
}

/// Bytes of a part that are read as these characters: both readings have a border before and after them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MixedUnit<'u> {
    /// Its bytes, in the part.
    pub range: Range<usize>,
    /// Its characters.
    pub characters: &'u [CodePoint],
    /// What is ill-formed in UTF-8, by the offset in the part. There may be nothing.
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
    /// Nowhere before this byte; what follows depends on what comes after the bytes.
    None(usize),
    /// There.
    At(Range<usize>),
    /// It begins there, and more bytes are needed to know where it ends.
    From(usize),
}

impl Mixed {
    /// Creates the reader of a mixture with the encoding of `decoder`; `single` says that each byte is a character there,
    /// whatever its context.
    pub fn new(mut decoder: Box<dyn Decoder>, single: bool) -> Self {
        let mut table = Box::new([None; 256]);
        for (byte, character) in (0..=u8::MAX).zip(table.iter_mut()) {
            let mut pivot = [0; MIN_PIVOT];
            let decoded = decoder.decode(&[byte], &mut pivot, true);
            *character = (decoded.written == 1).then_some(pivot[0]);
        }
        let mut counts = [0; ScriptGroup::COUNT];
        for cp in table[0x80..].iter().flatten() {
            if let EvidenceClass::Letter(script) = EvidenceClass::of(*cp) {
                counts[script as usize] += 1;
            }
        }
        let all: u32 = counts.iter().sum();
        let mut scripts = counts.map(|count| count * 4 >= all.max(1));
        // If no letter is one byte, all are several.
        scripts[ScriptGroup::EastAsian as usize] |= !single && all == 0;
        let other = if single { Other::Single(table) } else { Other::Several(decoder) };
        Self { other, scripts }
    }

    /// Returns the character at the start of `bytes` in the other encoding, and its length.
    fn one(
        &mut self,
        bytes: &[u8],
        characters: &mut [CodePoint; MIN_PIVOT],
    ) -> Option<(usize, usize)> {
        match &mut self.other {
            Other::Single(table) => {
                characters[0] = table[usize::from(bytes[0])]?;
                Some((1, 1))
            }
            Other::Several(decoder) => (1..=bytes.len().min(LONGEST)).find_map(|len| {
                let decoded = decoder.decode(&bytes[..len], characters, true);
                (decoded.read == len && decoded.written > 0).then_some((len, decoded.written))
            }),
        }
    }

    /// Returns the length of the character at the start of `bytes` in the other encoding, if there is one.
    #[cfg(feature = "legacy")]
    pub fn length(&mut self, bytes: &[u8]) -> Option<usize> {
        self.one(bytes, &mut [0; MIN_PIVOT]).map(|(len, _)| len)
    }

    /// Returns the parts in `range` of `bytes` that the other encoding reads, and where they end: what may be the start of a
    /// character is not read unless the range is `complete`.
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
            match self.length(&bytes[at..range.end]) {
                Some(len) => {
                    match parts.last_mut().filter(|part| part.end == at) {
                        Some(part) => part.end += len,
                        None => parts.push(at..at + len),
                    }
                    at += len;
                }
                None if !complete && range.end - at < LONGEST => break,
                None => at += 1,
            }
        }
        (at, parts)
    }

    /// Returns the same of the next bytes beyond ASCII, and of what follows them up to a byte that is a character in every
    /// encoding. `last` says that the text ends with `bytes`.
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
        matches!(self.other, Other::Single(_))
    }

    /// Returns the cost of a character; `in_utf8` says that it is one of UTF-8.
    fn cost(&self, cp: CodePoint, known: &TextRepertoire, in_utf8: bool) -> u32 {
        let is_seen = known.has(cp);
        match EvidenceClass::of(cp) {
            EvidenceClass::Letter(script) => {
                let is_own = self.scripts[script as usize];
                let is_common = is_own || in_utf8 && known.has_script(script);
                match (is_common, is_seen) {
                    (true, true) if in_utf8 => SEEN,
                    (true, true) => LETTER,
                    // There are so many that most are rare.
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

    /// Whether a character of UTF-8 is one that the text may have.
    fn is_plain(&self, cp: CodePoint, known: &TextRepertoire) -> bool {
        match EvidenceClass::of(cp) {
            EvidenceClass::Letter(script) => {
                self.scripts[script as usize] || known.has_script(script)
            }
            EvidenceClass::Punctuation | EvidenceClass::Sign => true,
            EvidenceClass::Strange => false,
        }
    }

    /// Returns the parts of a region that are in the other encoding. `known` are the characters of the text; `within`
    /// says that the region begins in such a part; `cuts` are characters that were cut off, which are in no other encoding.
    pub fn split(
        &mut self,
        region: &[u8],
        known: &TextRepertoire,
        within: bool,
        cuts: &[Range<usize>],
    ) -> Vec<Range<usize>> {
        /// The cheapest way to a place: what it costs, and the place and the state that it comes from.
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
        // ways[place][state]: in UTF-8, in the other encoding.
        let mut ways = vec![[NONE; 2]; region.len() + 1];
        let start = PathNode { cost: 0, from: usize::MAX, ..NONE };
        ways[0][usize::from(within)] = start;
        let (bounds, is_single) = (bounds(region), self.is_single());
        let mut stays = self.plain_words(region, known, within);
        cuts.iter().for_each(|cut| stays[cut.clone()].fill(true));
        let mut characters = [0; MIN_PIVOT];
        for at in 0..region.len() {
            // At the same place, from one state into the other.
            let [utf8, other] = ways[at];
            let may_end = bounds[at] || !is_single;
            if may_end && other.cost != u32::MAX && other.cost + END < utf8.cost {
                ways[at][0] =
                    PathNode { cost: other.cost + END, from: at, was_other: true, ..other };
            }
            if utf8.cost != u32::MAX && utf8.cost + BEGIN < other.cost {
                ways[at][1] =
                    PathNode { cost: utf8.cost + BEGIN, from: at, was_other: false, ..utf8 };
            }
            let [utf8, other] = ways[at];
            let mut reach = |len: usize, state: usize, cost: u32, last: Option<CodePoint>| {
                let last = last.and_then(char::from_u32);
                let rises = ways[at][state].is_lower && last.is_some_and(char::is_uppercase);
                let cost = ways[at][state].cost + cost + if rises { WRONG_CASE } else { 0 };
                let is_lower = last.is_some_and(char::is_lowercase);
                let way = &mut ways[at + len][state];
                if cost < way.cost {
                    *way = PathNode { cost, from: at, was_other: state == 1, is_lower };
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
            if region[at].is_ascii() {
                reach(1, 1, 1, Some(region[at].into()));
            } else if let Some((len, count)) = self.one(&region[at..], &mut characters)
                && !stays[at..at + len].contains(&true)
            {
                let costs = characters[..count].iter().map(|cp| self.cost(*cp, known, false));
                let cost = costs.sum::<u32>();
                reach(len, 1, cost + instead, Some(characters[count - 1]));
            }
        }
        let [utf8, other] = ways[region.len()];
        let mut parts = Vec::new();
        let (mut at, mut is_other) = (region.len(), other.cost < utf8.cost);
        let mut end = is_other.then_some(at);
        loop {
            let way = ways[at][usize::from(is_other)];
            if way.from == usize::MAX {
                if let Some(end) = end {
                    parts.push(at..end);
                }
                break;
            }
            let is_ascii =
                is_other && way.was_other && at == way.from + 1 && region[way.from].is_ascii();
            if way.was_other != is_other || is_ascii {
                if let Some(end) = end.take() {
                    parts.push(at..end);
                }
                end = way.was_other.then_some(way.from);
            }
            (at, is_other) = (way.from, way.was_other);
        }
        parts.retain(|part| !part.is_empty());
        parts.reverse();
        parts
    }

    /// Returns for each byte of a region whether it is in a word that stays as it is: well-formed, and of characters that
    /// the text may have.
    fn plain_words(&self, region: &[u8], known: &TextRepertoire, within: bool) -> Vec<bool> {
        let mut stays = vec![false; region.len()];
        let mut at = 0;
        for word in region.split_inclusive(|byte| is_low(*byte)) {
            let text = std::str::from_utf8(word).ok().filter(|_| at > 0 || !within);
            let is_plain = |text: &str| {
                let mut others = text.chars().filter(|c| !c.is_ascii());
                others.all(|c| self.is_plain(c.into(), known))
            };
            if text.is_some_and(|text| !text.is_ascii() && is_plain(text)) {
                stays[at..at + word.len() - 1].fill(true);
            }
            at += word.len();
        }
        stays
    }

    /// Returns the characters of a part that is in the other encoding, at the start of `bytes` and of this length. What
    /// shares no bytes is a unit by itself.
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
                        let ill_formed = cut(ill_formed, len - utf8);
                        units.ill_formed.push((utf8, ill_formed));
                        ill_formed.len
                    }
                    Decoded::Incomplete if bytes.len() == len => {
                        let rest = len - utf8;
                        let kind = IllFormedKind::TruncatedAtEnd;
                        units.ill_formed.push((utf8, IllFormed::new(rest, kind)));
                        rest
                    }
                    // A character of UTF-8 that goes on after the part.
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
        // What is behind the last border belongs to no unit.
        let [_, characters, _] = units.ends.last().copied().unwrap_or_default();
        units.characters.truncate(characters);
        units
    }
}

/// Cuts an ill-formed subsequence to what is left of a part.
fn cut(ill_formed: IllFormed, left: usize) -> IllFormed {
    IllFormed::new(ill_formed.len.min(left), ill_formed.kind)
}

/// Returns for each byte whether a character or an ill-formed subsequence of UTF-8 begins there.
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

/// Returns the next region of a text. `last` says that it ends with `bytes`; `within`, that it begins in a part that is
/// in the other encoding.
pub fn next_region(bytes: &[u8], last: bool, within: bool) -> NextRegion {
    let (valid, complete) = match std::str::from_utf8(bytes) {
        Ok(text) => (text.len(), true),
        Err(error) => (error.valid_up_to(), error.error_len().is_none() && !last),
    };
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
    let from = at.saturating_sub(BACK);
    let start = match bytes[from..at].iter().rposition(|byte| is_low(*byte)) {
        Some(low) => from + low + 1,
        None => from,
    };
    // A character of UTF-8 is not cut.
    let continues =
        bytes[start..at].iter().take(3).take_while(|byte| **byte & 0xC0 == 0x80).count();
    // ASCII says nothing.
    let ascii = bytes[start + continues..at].iter().take_while(|byte| byte.is_ascii()).count();
    start + continues + ascii
}

/// Returns the first byte that could belong to a region which goes on after `bytes`; `valid` of them are well-formed.
fn unsettled(bytes: &[u8], valid: usize) -> usize {
    start_of_region(bytes, valid)
}

/// Whether a byte is a character by itself in every encoding with ASCII.
const fn is_low(byte: u8) -> bool {
    byte < 0x30
}
