//! MARC-8 and ANSEL: the charsets of library catalogues and of genealogy, whose marks come before their letter.
//!
//! ```text
//! 21..7E: G0, at first US-ASCII     A1..FE: G1, at first ANSEL     E0..FE of ANSEL: marks, before their letter
//! ESC ( F, ESC , F: G0   ESC ) F, ESC - F: G1   ESC $ 1, ESC $ , 1, ESC $ ) 1, ESC $ - 1: East Asian, three bytes
//! ESC g, ESC b, ESC p: Greek symbols, subscripts, superscripts in G0   ESC s: US-ASCII again
//! ```
//!
//! In Unicode a mark follows its letter. So a letter is decoded together with the marks before it, composed where
//! Unicode has a composite, and the encoder holds a letter back until the next character is not a mark:
//!
//! ```text
//! ANSEL     E2 65             acute, e            E2 F2 65           acute, dot below, e
//! Unicode   E9                é                   1EB9 301           ẹ, acute (in canonical order)
//! ```
//!
//! ANSEL alone, as in GEDCOM, is the same without escape sequences, and with a few more characters.
//!
//! The encoder stays in US-ASCII and ANSEL as long as it can, designates other sets to G0, and returns to US-ASCII
//! before controls and spaces, as MARC requires at the end of each subfield.
//!
//! # Ill-formed subsequences
//!
//! Marks without a letter are one subsequence, up to the control or other byte that is no letter, or to the end. All
//! else is as in ISO 2022: ESC alone if the escape sequence is unknown, a byte without a character, and the bytes of an
//! East Asian code up to the first that cannot continue it.

use super::canonical_compositions as compositions;
use super::set::{
    ANSEL_GEDCOM, CodedSet, EACC, MARC_ANSEL, MARC_ARABIC, MARC_ARABIC_EXTENDED, MARC_CYRILLIC,
    MARC_CYRILLIC_EXTENDED, MARC_GREEK, MARC_GREEK_SYMBOLS, MARC_HEBREW, MARC_SUBSCRIPTS,
    MARC_SUPERSCRIPTS,
};
use super::{
    DecodeProgress, DecodeStop, Decoded, Decoder, EncodeProgress, EncodeStop, Encoder, Multi,
    MultiByte, StatelessCodec,
};
use crate::unicode::{CodePoint, IllFormed, IllFormedKind};

const ESC: u8 = 0x1B;

/// EACC, the codes of three bytes.
const EAST_ASIAN_CODES: Multi = Multi { set: EACC.0, prefixed: EACC.1, low: false };

/// The most marks on one letter. Real text has at most two. Five marks in a row are ill-formed: four of them are the
/// subsequence, and the fifth begins anew.
const MARKS: usize = 4;
/// The most escape sequences between a mark and its letter. Both limits bound the lookahead of the decoder, which would
/// otherwise leave any number of marks unread until it has seen their letter.
const ESCAPES: usize = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Marc8Repertoire {
    Ascii,
    Single(CodedSet),
    EastAsian,
}

/// A set and the final characters of its escape sequences.
struct Marc8Set {
    repertoire: Marc8Repertoire,
    last: &'static [u8],
    /// Whether it is designated by ESC and the final character alone.
    short: bool,
}

const fn single(set: CodedSet, last: &'static [u8]) -> Marc8Set {
    Marc8Set { repertoire: Marc8Repertoire::Single(set), last, short: false }
}

const ASCII: u8 = 0;
const ANSEL: u8 = 1;
const EAST_ASIAN: u8 = 11;

/// The sets, in the order in which the encoder tries them. [`ASCII`], [`ANSEL`] and [`EAST_ASIAN`] are indices.
const SETS: [Marc8Set; 12] = [
    Marc8Set { repertoire: Marc8Repertoire::Ascii, last: b"B", short: false },
    single(MARC_ANSEL, b"!E"),
    single(MARC_CYRILLIC, b"N"),
    single(MARC_CYRILLIC_EXTENDED, b"Q"),
    single(MARC_GREEK, b"S"),
    single(MARC_HEBREW, b"2"),
    single(MARC_ARABIC, b"3"),
    single(MARC_ARABIC_EXTENDED, b"4"),
    Marc8Set { short: true, ..single(MARC_GREEK_SYMBOLS, b"g") },
    Marc8Set { short: true, ..single(MARC_SUBSCRIPTS, b"b") },
    Marc8Set { short: true, ..single(MARC_SUPERSCRIPTS, b"p") },
    Marc8Set { repertoire: Marc8Repertoire::EastAsian, last: b"1", short: false },
];

/// The controls of MARC-8 from 80 on: the marks around a part that is ignored in sorting, and the joiners.
const CONTROLS: [(u8, CodePoint); 4] = [(0x88, 0x98), (0x89, 0x9C), (0x8D, 0x200D), (0x8E, 0x200C)];

/// Whether a character of these sets combines with a letter.
const fn is_mark(cp: CodePoint) -> bool {
    matches!(cp, 0x300..=0x36F | 0x64B..=0x652 | 0xFB1E | 0xFE20..=0xFE23)
        || matches!(cp, 0x5B0..=0x5BD | 0x5BF | 0x5C1 | 0x5C2)
}

/// Whether a character can have marks: not a control.
const fn is_base(cp: CodePoint) -> bool {
    !matches!(cp, 0..0x20 | 0x7F..0xA0 | 0x200C | 0x200D) && !is_mark(cp)
}

/// Returns the Canonical_Combining_Class of a mark, which says where it attaches to its letter.
const fn class(mark: CodePoint) -> u8 {
    match mark {
        0x338 => 1,
        0x327 | 0x328 => 202,
        0x31C | 0x323..=0x326 | 0x32E | 0x332 | 0x333 => 220,
        0x315 => 232,
        0x345 => 240,
        0x300..=0x36F | 0xFE20..=0xFE23 => 230,
        0x5B0..=0x5B9 => (mark - 0x5B0 + 10) as u8,
        0x5BB..=0x5BD => (mark - 0x5BB + 20) as u8,
        0x5BF => 23,
        0x5C1 | 0x5C2 => (mark - 0x5C1 + 24) as u8,
        0xFB1E => 26,
        _ => (mark.saturating_sub(0x64B) + 27) as u8,
    }
}

/// Which of the two encodings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// MARC-8.
    Marc,
    /// ANSEL, as GEDCOM has it.
    Gedcom,
}

impl Variant {
    fn repertoire(self, set: u8) -> Marc8Repertoire {
        match (self, set) {
            (Self::Gedcom, ANSEL) => Marc8Repertoire::Single(ANSEL_GEDCOM),
            _ => SETS[usize::from(set)].repertoire,
        }
    }

    fn sets(self) -> std::ops::Range<u8> {
        match self {
            Self::Marc => 0..SETS.len() as u8,
            Self::Gedcom => 0..ANSEL + 1,
        }
    }

    /// Returns the code of a character in a set, whose bytes have the high bit clear.
    fn code(self, set: u8, cp: CodePoint) -> Option<Marc8Code> {
        match self.repertoire(set) {
            Marc8Repertoire::Ascii => {
                (0x20..0x7F).contains(&cp).then(|| Marc8Code::new(&[cp as u8]))
            }
            Marc8Repertoire::Single(set) => {
                let code = set.encoding().code(cp)?;
                Some(Marc8Code::new(&[code as u8]))
            }
            Marc8Repertoire::EastAsian => {
                Some(Marc8Code::new(MultiByte::new(EAST_ASIAN_CODES).encode_one(cp)?.as_slice()))
            }
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Marc8Code {
    bytes: [u8; 3],
    len: usize,
}

impl Marc8Code {
    fn new(code: &[u8]) -> Self {
        let mut bytes = [0; 3];
        bytes[..code.len()].copy_from_slice(code);
        Self { bytes, len: code.len() }
    }
}

type Elements = [u8; 2];

const INITIAL: Elements = [ASCII, ANSEL];

/// One code or one escape sequence. [`Marc8Step`] combines marks and their letter.
enum Marc8Token {
    Character { cp: CodePoint, len: usize },
    Escape { len: usize, elements: Elements },
    Incomplete,
    IllFormed { len: usize, kind: IllFormedKind },
}

/// The decoder.
#[derive(Clone, Copy, Debug)]
pub struct Marc8 {
    variant: Variant,
    elements: Elements,
}

/// A letter and its marks in canonical order, and the state after them.
struct MarkedLetter {
    cps: [CodePoint; MARKS + 1],
    count: usize,
    len: usize,
    elements: Elements,
}

enum Marc8Step {
    Letter(MarkedLetter),
    Escape { len: usize, elements: Elements },
    Incomplete,
    IllFormed { ill_formed: IllFormed, elements: Elements },
}

impl Marc8 {
    /// Creates the decoder at the start of a text.
    pub const fn new(variant: Variant) -> Self {
        Self { variant, elements: INITIAL }
    }

    /// Reads one code or escape sequence. Controls and the space are the same whatever the sets are, and of 80 to A0
    /// and FF only the four controls of MARC are used. All other bytes are codes: of the set in G0, or with the high
    /// bit of that in G1.
    fn start(&self, elements: Elements, input: &[u8], last: bool) -> Marc8Token {
        let bad = |kind| Marc8Token::IllFormed { len: 1, kind };
        match input[0] {
            ESC if self.variant == Variant::Marc => escape(elements, input, last),
            byte @ (0..=0x20 | 0x7F) => Marc8Token::Character { cp: byte.into(), len: 1 },
            byte @ (0x80..=0xA0 | 0xFF) => {
                let control = CONTROLS.iter().find(|(control, _)| *control == byte);
                match control.filter(|_| self.variant == Variant::Marc) {
                    Some((_, cp)) => Marc8Token::Character { cp: *cp, len: 1 },
                    None => bad(IllFormedKind::InvalidByte),
                }
            }
            byte => {
                let high = byte & 0x80;
                match self.variant.repertoire(elements[usize::from(high >> 7)]) {
                    Marc8Repertoire::Ascii => {
                        Marc8Token::Character { cp: (byte & 0x7F).into(), len: 1 }
                    }
                    Marc8Repertoire::Single(set) => match set.character((byte & 0x7F).into()) {
                        Some(cp) => Marc8Token::Character { cp, len: 1 },
                        None => bad(IllFormedKind::InvalidByte),
                    },
                    Marc8Repertoire::EastAsian => east_asian(input, high, last),
                }
            }
        }
    }

    /// Reads a letter with the marks before it, or an escape sequence.
    ///
    /// An escape sequence may also be between a mark and its letter, if the letter is in another set: E2 1B 28 4E 41 is
    /// an acute, ESC ( N, and а of the Cyrillic set. It is part of the same step, which returns the state after it. As
    /// a step of its own it would separate the marks from their letter, and a decoder keeps no bytes between calls.
    fn found(&self, input: &[u8], last: bool) -> Marc8Step {
        let (mut elements, mut at, mut escapes) = (self.elements, 0, 0);
        let (mut marks, mut count) = ([0; MARKS], 0);
        let bad = |len, kind, elements| Marc8Step::IllFormed {
            ill_formed: IllFormed::new(len, kind),
            elements,
        };
        loop {
            let start = match input.get(at..).filter(|rest| !rest.is_empty()) {
                Some(rest) => self.start(elements, rest, last),
                None if last => return bad(at, IllFormedKind::TruncatedAtEnd, elements),
                None => Marc8Token::Incomplete,
            };
            match start {
                Marc8Token::Incomplete => return Marc8Step::Incomplete,
                Marc8Token::Escape { len, elements } if count == 0 => {
                    return Marc8Step::Escape { len, elements };
                }
                Marc8Token::Escape { len, elements: after } if escapes < ESCAPES => {
                    (elements, escapes) = (after, escapes + 1);
                    at += len;
                }
                Marc8Token::Character { cp, len } if is_mark(cp) && count < MARKS => {
                    marks[count] = cp;
                    count += 1;
                    at += len;
                }
                Marc8Token::Character { cp, len } if count == 0 || is_base(cp) => {
                    return Marc8Step::Letter(MarkedLetter::new(
                        cp,
                        &mut marks[..count],
                        at + len,
                        elements,
                    ));
                }
                Marc8Token::IllFormed { len, kind } if count == 0 => {
                    return bad(len, kind, elements);
                }
                _ => return bad(at, IllFormedKind::Truncated, elements),
            }
        }
    }
}

/// Reads an escape sequence. Each arm below gives its length, and the element and the set that it designates. The
/// designation of ANSEL ends with two characters, `!E`, so its arms come before those for a single one.
fn escape(elements: Elements, input: &[u8], last: bool) -> Marc8Token {
    // East Asian is designated after `$` only.
    let of_final = |byte: u8| {
        let known = SETS.iter().position(|set| !set.short && set.last == [byte]);
        known.filter(|set| *set != usize::from(EAST_ASIAN)).map(|set| set as u8)
    };
    let found = match *input {
        [_, b's', ..] => Some((2, 0, ASCII)),
        [_, byte @ (b'g' | b'b' | b'p'), ..] => {
            SETS.iter().position(|set| set.short && set.last == [byte]).map(|set| (2, 0, set as u8))
        }
        [_, b'$', b'1', ..] => Some((3, 0, EAST_ASIAN)),
        [_, b'$', b',', b'1', ..] => Some((4, 0, EAST_ASIAN)),
        [_, b'$', b')' | b'-', b'1', ..] => Some((4, 1, EAST_ASIAN)),
        [_, b'(' | b',', b'!', b'E', ..] => Some((4, 0, ANSEL)),
        [_, b')' | b'-', b'!', b'E', ..] => Some((4, 1, ANSEL)),
        [_, b'(' | b',', byte, ..] => of_final(byte).map(|set| (3, 0, set)),
        [_, b')' | b'-', byte, ..] => of_final(byte).map(|set| (3, 1, set)),
        _ => None,
    };
    if let Some((len, element, set)) = found {
        let mut after = elements;
        after[element] = set;
        return Marc8Token::Escape { len, elements: after };
    }
    let is_incomplete = matches!(
        *input,
        [_] | [_, b'(' | b',' | b')' | b'-' | b'$']
            | [_, b'(' | b',' | b')' | b'-', b'!']
            | [_, b'$', b',' | b')' | b'-']
    );
    match (is_incomplete, last) {
        (true, false) => Marc8Token::Incomplete,
        (true, true) => {
            Marc8Token::IllFormed { len: input.len(), kind: IllFormedKind::TruncatedAtEnd }
        }
        (false, _) => Marc8Token::IllFormed { len: 1, kind: IllFormedKind::InvalidEscape },
    }
}

/// Reads a code of three bytes, all of which have the same high bit.
fn east_asian(input: &[u8], high: u8, last: bool) -> Marc8Token {
    let belongs = |byte: &u8| byte & 0x80 == high && matches!(byte & 0x7F, 0x21..=0x7E);
    let len = input.iter().take(3).take_while(|byte| belongs(byte)).count();
    let Some(code) = input.first_chunk::<3>().filter(|_| len == 3) else {
        return match (len == input.len(), last) {
            (true, false) => Marc8Token::Incomplete,
            (true, true) => Marc8Token::IllFormed { len, kind: IllFormedKind::TruncatedAtEnd },
            (false, _) => Marc8Token::IllFormed { len, kind: IllFormedKind::Truncated },
        };
    };
    match MultiByte::new(EAST_ASIAN_CODES).decode_one(&code.map(|byte| byte & 0x7F)) {
        Decoded::Character { cp, .. } => Marc8Token::Character { cp, len },
        _ => Marc8Token::IllFormed { len, kind: IllFormedKind::UndefinedSequence },
    }
}

impl MarkedLetter {
    /// Puts the marks after the letter, in canonical order, and composes them with it (Unicode 3.11, D117).
    ///
    /// A mark is blocked from the letter if the last one that did not compose has the same or a higher class (D115).
    /// Then it must stay behind that one, even if a composite exists.
    fn new(base: CodePoint, marks: &mut [CodePoint], len: usize, elements: Elements) -> Self {
        // A stable sort, because marks of the same class keep their order: it says which one is nearer to the letter.
        marks.sort_by_key(|mark| class(*mark));
        let mut letter = Self { cps: [base; MARKS + 1], count: 1, len, elements };
        for mark in marks.iter().copied() {
            let blocked = letter.count > 1 && class(letter.cps[letter.count - 1]) >= class(mark);
            let composed = compositions::compose([letter.cps[0], mark]).filter(|_| !blocked);
            if let Some(composed) = composed {
                letter.cps[0] = composed;
            } else {
                letter.cps[letter.count] = mark;
                letter.count += 1;
            }
        }
        letter
    }
}

impl Decoder for Marc8 {
    fn decode(&mut self, input: &[u8], output: &mut [CodePoint], last: bool) -> DecodeProgress {
        let (mut read, mut written) = (0, 0);
        let stop = loop {
            if read == input.len() {
                break DecodeStop::InputEmpty;
            }
            if written > 0 && written == output.len() {
                break DecodeStop::OutputFull;
            }
            match self.found(&input[read..], last) {
                Marc8Step::Letter(letter) => {
                    let Some(slot) = output.get_mut(written..written + letter.count) else {
                        break DecodeStop::OutputFull;
                    };
                    slot.copy_from_slice(&letter.cps[..letter.count]);
                    written += letter.count;
                    read += letter.len;
                    self.elements = letter.elements;
                }
                Marc8Step::Escape { len, elements } => {
                    read += len;
                    self.elements = elements;
                }
                Marc8Step::Incomplete => break DecodeStop::InputEmpty,
                Marc8Step::IllFormed { ill_formed, elements } => {
                    self.elements = elements;
                    break DecodeStop::IllFormed(ill_formed);
                }
            }
        };
        DecodeProgress { read, written, stop }
    }

    fn fork(&self) -> Box<dyn Decoder> {
        Box::new(*self)
    }
}

/// The encoder: the sets in force, and a letter with its marks that is held back.
#[derive(Clone, Copy, Debug)]
pub struct Marc8Encoder {
    variant: Variant,
    elements: Elements,
    held: [CodePoint; MARKS + 1],
    count: usize,
}

impl Marc8Encoder {
    /// Creates an encoder for the start of a text.
    pub const fn new(variant: Variant) -> Self {
        Self { variant, elements: INITIAL, held: [0; MARKS + 1], count: 0 }
    }

    /// Returns the set in which a character is written: one in force, or else the first that has it. For a space, the
    /// sets in force are skipped, so that it is written in US-ASCII.
    fn set(&self, cp: CodePoint) -> Option<(u8, Marc8Code)> {
        let preferred = self.elements.into_iter().filter(|_| cp != 0x20);
        let mut sets = preferred.chain(self.variant.sets());
        sets.find_map(|set| Some((set, self.variant.code(set, cp)?)))
    }

    fn put(&mut self, cp: CodePoint, bytes: &mut Vec<u8>) {
        let Some((set, code)) = self.set(cp) else { return };
        let right = set == self.elements[1] && set != self.elements[0];
        if !right {
            self.designate(set, bytes);
        }
        let high = if right { 0x80 } else { 0 };
        bytes.extend(code.bytes[..code.len].iter().map(|byte| byte | high));
    }

    fn designate(&mut self, set: u8, bytes: &mut Vec<u8>) {
        let before = std::mem::replace(&mut self.elements[0], set);
        if before == set {
            return;
        }
        let known = &SETS[usize::from(set)];
        bytes.push(ESC);
        match set {
            ASCII if SETS[usize::from(before)].short => bytes.push(b's'),
            EAST_ASIAN => bytes.extend(b"$1"),
            _ if known.short => bytes.extend(known.last),
            _ => {
                bytes.push(b'(');
                bytes.extend(known.last);
            }
        }
    }

    /// Appends the character held back: the marks, and then the letter, which is the order of MARC-8.
    fn settle(&mut self, bytes: &mut Vec<u8>) {
        let held = self.held;
        let Some((letter, marks)) = held[..std::mem::take(&mut self.count)].split_first() else {
            return;
        };
        // Designate the letter's set before the marks. The marks of a script are in the same set, so nothing needs to
        // be designated between a mark and its letter.
        if let Some((set, _)) = self.set(*letter).filter(|(set, _)| *set != self.elements[1]) {
            self.designate(set, bytes);
        }
        for cp in marks.iter().chain([letter]) {
            self.put(*cp, bytes);
        }
    }

    /// Takes in a character, and appends the bytes that are now certain. Returns false and changes nothing if the
    /// character cannot be represented, or is a mark without a letter before it.
    fn write(&mut self, cp: CodePoint, bytes: &mut Vec<u8>) -> bool {
        if is_mark(cp) {
            if self.set(cp).is_none() || !(1..=MARKS).contains(&self.count) {
                return false;
            }
            self.held[self.count] = cp;
            self.count += 1;
            return true;
        }
        if self.variant.sets().any(|set| self.variant.code(set, cp).is_some()) {
            self.settle(bytes);
            self.held[0] = cp;
            self.count = 1;
            return true;
        }
        let control = match cp {
            0x1B if self.variant == Variant::Marc => None,
            0..0x20 | 0x7F => Some(cp as u8),
            _ if self.variant == Variant::Gedcom => None,
            _ => CONTROLS.iter().find(|(_, control)| *control == cp).map(|(byte, _)| *byte),
        };
        if let Some(control) = control {
            self.settle(bytes);
            if control < 0x80 {
                self.designate(ASCII, bytes);
            }
            bytes.push(control);
            return true;
        }
        // A composite without a code is written as its decomposition, the first part of which may be decomposed in
        // turn. If one of the parts has no code either, undo what the others have written.
        let Some(parts) = compositions::parts(cp).filter(|[_, mark]| is_mark(*mark)) else {
            return false;
        };
        let (before, len) = (*self, bytes.len());
        if parts.into_iter().all(|part| self.write(part, bytes)) {
            return true;
        }
        *self = before;
        bytes.truncate(len);
        false
    }

    fn end(mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.settle(&mut bytes);
        self.designate(ASCII, &mut bytes);
        bytes
    }
}

impl Encoder for Marc8Encoder {
    fn encode(&mut self, input: &[CodePoint], output: &mut [u8]) -> EncodeProgress {
        let (mut read, mut written) = (0, 0);
        let mut bytes = Vec::new();
        let stop = loop {
            let Some(&cp) = input.get(read) else { break EncodeStop::InputEmpty };
            let mut after = *self;
            bytes.clear();
            let is_mapped = after.write(cp, &mut bytes);
            if !is_mapped {
                // Whatever the caller writes instead must come after the letter held back, and is not a mark of it.
                after.settle(&mut bytes);
            }
            let Some(slot) = output.get_mut(written..written + bytes.len()) else {
                break EncodeStop::OutputFull;
            };
            slot.copy_from_slice(&bytes);
            written += bytes.len();
            *self = after;
            if !is_mapped {
                break EncodeStop::Unmappable;
            }
            read += 1;
        };
        EncodeProgress { read, written, stop }
    }

    fn joins(&self) -> bool {
        true
    }

    fn pending(&self) -> usize {
        self.end().len()
    }

    fn finish(&mut self, output: &mut [u8]) -> usize {
        let end = self.end();
        output[..end.len()].copy_from_slice(&end);
        *self = Self { elements: [ASCII, self.elements[1]], count: 0, ..*self };
        end.len()
    }

    fn fork(&self) -> Box<dyn Encoder> {
        Box::new(*self)
    }
}

#[cfg(test)]
mod tests;
