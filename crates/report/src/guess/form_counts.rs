//! Counts over one text: how much of it is UTF-8, and what the rest is.
//!
//! The rest is classified where it is found, except for one question that only the whole text answers. In
//!
//! ```text
//! Grüße aus M<C3>⏎     Ã in windows-1252, or the start of ü that was cut off?
//! ```
//!
//! the byte is a truncated character if the intact characters of the text begin with C3, too, and a letter of another
//! encoding otherwise. So such places are only counted by their shape (`Truncation`), and `settled` sorts them out at
//! the end. There are few shapes, so memory does not grow with the text.

use std::ops::Range;

use super::BUFFER;
use super::stray::ByteSet;
use oxiconv_encodings::codec::{
    LONGEST_FORM, Preceding, Truncation, UsualBytes, WideSequence, escaped_byte,
};

/// Bytes of UTF-8 to validate at a time.
const VALIDATION_CHUNK: usize = 64;
/// The most distinct shapes of characters that may have been cut off.
const MAX_CUT_SHAPES: usize = 64;

/// Counts of UTF-8 and of ill-formed bytes.
#[derive(Clone, Debug, Default)]
pub(super) struct FormCounts {
    /// Multi-byte characters, and those of four bytes.
    pub(super) multi: u64,
    pub(super) four: u64,
    letters: LetterCounts,
    /// The bytes that multi-byte characters begin and end with.
    pub(super) usual: UsualBytes,
    pub(super) ill_formed: u64,
    pub(super) wide: WideForms,
    pub(super) single: SingleBytes,
    pub(super) cut: CutCharacters,
    last_byte: Option<u8>,
    /// Whether all ill-formed bytes are known to be characters of another encoding, whatever they look like.
    pub(super) all_bytes: bool,
}

/// Letters beyond ASCII, by the lead byte, which decides roughly between scripts:
///
/// ```text
/// C2          U+0080 to U+00BF   controls, signs of Latin-1   not counted
/// C3 to C9    U+00C0 to U+027F   Latin letters                latin
/// CA to CD    U+0280 to U+037F   phonetics, combining marks   not counted
/// CE to E0    U+0380 to U+0FFF   Greek to Tibetan             other
/// E1          U+1000 to U+1FFF   many scripts, Latin too      not counted
/// E2          U+2000 to U+2FFF   punctuation and symbols      not counted
/// E3 to ED    U+3000 to U+D7FF   East Asian, mostly           other
/// ```
#[derive(Clone, Debug, Default)]
struct LetterCounts {
    latin: u64,
    other: u64,
}

/// Sequences of the wider scheme of RFC 2279.
#[derive(Clone, Debug, Default)]
pub(super) struct WideForms {
    pub(super) pairs: u64,
    pub(super) surrogates: u64,
    /// Those of the surrogates that Python writes for bytes.
    pub(super) escaped: u64,
    pub(super) java_nuls: u64,
    pub(super) overlong: u64,
    pub(super) long: u64,
    /// Their bytes, which may be characters of another encoding after all.
    pub(super) values: ByteSet,
}

impl WideForms {
    pub(super) const fn count(&self) -> u64 {
        let Self { pairs, surrogates, java_nuls, overlong, long, .. } = self;
        *pairs + *surrogates + *java_nuls + *overlong + *long
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct SingleBytes {
    pub(super) count: u64,
    values: ByteSet,
    /// The offset after the last one, to recognize adjacent ones.
    end: u64,
}

/// Truncated characters. Where they end or how many bytes they have makes some of them certain at once. The others are
/// kept as `shapes`, until `settled` decides.
#[derive(Clone, Debug, Default)]
pub(super) struct CutCharacters {
    /// Those in the middle of the text, not at the end of a buffer.
    pub(super) count: u64,
    values: ByteSet,
    /// The offset after the last of them, and its bytes.
    last: (u64, [u8; 3]),
    /// Those that end where a buffer may have ended.
    pub(super) by_buffer: u64,
    /// The length of one at the end of the text.
    pub(super) at_end: Option<usize>,
    end_values: ByteSet,
    /// Shapes of places where a character may have been cut off, with counts. Whether they were is decided at the end.
    shapes: Vec<(Truncation, u64)>,
    /// The shapes that were decided to be truncated characters.
    settled: Vec<Truncation>,
}

impl FormCounts {
    /// Counts well-formed text.
    pub(super) fn look_at_text(&mut self, text: &[u8]) {
        let count = |is: fn(u8) -> bool| text.iter().filter(|byte| is(**byte)).count() as u64;
        let multi = count(|byte| byte >= 0xC0);
        self.multi += multi;
        self.usual.look(text);
        self.four += count(|byte| byte >= 0xF0);
        self.letters.latin += count(|byte| matches!(byte, 0xC3..=0xC9));
        self.letters.other += count(|byte| matches!(byte, 0xCE..=0xE0 | 0xE3..=0xED));
    }

    /// Counts well-formed text that was not examined. `continuation` is its number of continuation bytes.
    ///
    /// A character has at most three of those, so a third of the number is the least number of characters of several
    /// bytes. Any of them may have four bytes, which CESU-8 and MUTF-8 do not have. One such character is assumed, so
    /// that no repair reads the text as either of them.
    pub(super) fn skip(&mut self, continuation: u64) {
        if continuation > 0 {
            self.multi += continuation.div_ceil(3);
            self.four += 1;
        }
    }

    /// Whether all ill-formed bytes may be characters of another encoding: few of them look like something else, as эко
    /// in IBM866 does. It is ED AA AE, a surrogate.
    ///
    /// Single bytes must be the rule, at least as many as truncated characters, and eight times as many as surrogates
    /// and the like. A truncated character that the rest of the text explains, or that ends where a buffer does, is
    /// taken for what it is.
    pub(super) fn may_all_be_bytes(&self) -> bool {
        self.have_frequency()
            && self.cut.by_buffer == 0
            && self.cut.count <= self.single.count
            && self.cut.settled.is_empty()
            && self.wide.count() * 8 <= self.single.count
    }

    pub(super) const fn rest(&self) -> &'static str {
        if self.multi > 0 { "valid UTF-8" } else { "plain ASCII" }
    }

    /// Whether there are enough ill-formed bytes, and enough different ones, for their frequencies to tell one
    /// single-byte encoding from another.
    pub(super) fn have_frequency(&self) -> bool {
        self.ill_formed >= 4 && self.values().iter().nth(1).is_some()
    }

    pub(super) const fn has_latin_letters(&self) -> bool {
        self.letters.other <= self.letters.latin
    }

    /// Examines `bytes`, which begin at `offset`, from index `at` on. `end` says that the text ends with them. Calls
    /// `strays` with each run of bytes that may be single.
    ///
    /// At each place, these cases are tried in order. Only the last one needs a decoder.
    ///
    /// 1. A run of ASCII.
    /// 2. A character that may have been cut off. By its bytes alone, a C3 before a line end is single, so case 3 would
    ///    take it, and nothing would be left for `settled` to decide.
    /// 3. A run of single bytes, each recognized by the byte after it. The run stops where case 2 may apply.
    /// 4. A two-byte character.
    /// 5. Everything else: a chunk is validated, and if not even its first sequence is valid, that is classified. A
    ///    chunk may end within a character, with which the next one begins.
    ///
    /// Only the values of single bytes are needed at the end, and not their order. So a run sets a flag per byte, and
    /// the set of values is built once.
    pub(super) fn look_at_rest(
        &mut self,
        bytes: &[u8],
        offset: u64,
        mut at: usize,
        end: bool,
        mut strays: impl FnMut(Range<usize>),
    ) {
        let mut seen = [false; 256];
        while let Some(&byte) = bytes.get(at) {
            if byte < 0x80 {
                at += 1 + bytes[at + 1..].iter().take_while(|byte| byte.is_ascii()).count();
                continue;
            }
            if let Some(len) = self.look_at_cut(bytes, offset, at, end) {
                // Whether it is a letter is decided at the end.
                strays(at..at + len);
                at += len;
                continue;
            }
            if is_alone(bytes, at) {
                let first = at;
                at += self.look_at_form(&bytes[at..], offset + at as u64, end);
                // The rest of a run of single bytes is counted in one go.
                let start = at;
                while is_alone(bytes, at) && !may_be_cut(bytes, at) {
                    seen[usize::from(bytes[at])] = true;
                    at += 1;
                }
                if at > start {
                    let len = (at - start) as u64;
                    self.ill_formed += len;
                    self.single.count += len;
                    self.single.end = offset + at as u64;
                }
                strays(first..at);
                continue;
            }
            if matches!(byte, 0xC2..=0xDF) && at + 1 < bytes.len() {
                // A continuation byte follows, or else `is_alone` would hold.
                self.look_at_text(&bytes[at..at + 2]);
                at += 2;
                continue;
            }
            let some = &bytes[at..bytes.len().min(at + VALIDATION_CHUNK)];
            let len = std::str::from_utf8(some).map_or_else(|error| error.valid_up_to(), str::len);
            if len > 0 {
                self.look_at_text(&some[..len]);
                at += len;
            } else {
                let (first, special) = (at, self.wide.count());
                at += self.look_at_form(&bytes[at..], offset + at as u64, end);
                if self.wide.count() == special {
                    strays(first..at);
                }
            }
        }
        self.last_byte = bytes.last().copied().or(self.last_byte);
        for value in 0x80..=0xFF_u8 {
            if seen[usize::from(value)] {
                self.single.values.insert(&[value]);
            }
        }
    }

    /// Counts the bytes at index `at` by their shape, if a character may have been cut off there, and returns their
    /// length.
    ///
    /// What comes before the bytes decides with them: an intact character, an ASCII byte or an ill-formed one. It may
    /// be in the previous block, of which only the last byte is known. An end at a multiple of [`BUFFER`] is no shape,
    /// because there the reason is known: `look_at_form` counts it. Shapes beyond the limit are left to it as well.
    fn look_at_cut(&mut self, bytes: &[u8], offset: u64, at: usize, end: bool) -> Option<usize> {
        let before = match at.checked_sub(1).map(|at| bytes[at]).or(self.last_byte) {
            Some(0x80..) if self.single.end == offset + at as u64 => Preceding::IllFormed,
            Some(0x80..) => {
                let character = bytes[..at].iter().rev().take_while(|byte| **byte & 0xC0 == 0x80);
                Preceding::Character(character.count() as u8 + 1)
            }
            other => Preceding::of_byte(other),
        };
        let (cut, len) = Truncation::at(before, &bytes[at..], end)?;
        if (offset + (at + len) as u64).is_multiple_of(BUFFER) {
            return None;
        }
        if let Some((_, count)) = self.cut.shapes.iter_mut().find(|(known, _)| *known == cut) {
            *count += 1;
        } else if self.cut.shapes.len() < MAX_CUT_SHAPES {
            self.cut.shapes.push((cut, 1));
        } else {
            return None;
        }
        self.ill_formed += len as u64;
        Some(len)
    }

    /// Decides which characters were cut off, by everything that was examined. The counts themselves stay open, because
    /// more text may follow.
    pub(super) fn settled(&self) -> Self {
        let mut counts = self.clone();
        for (cut, count) in counts.cut.shapes.split_off(0) {
            let (bytes, len) = cut.bytes();
            if counts.usual.explain(cut) {
                counts.cut.count += count;
                counts.cut.values.insert(&bytes[..len]);
                counts.cut.settled.push(cut);
            } else {
                counts.single.count += count * len as u64;
                counts.single.values.insert(&bytes[..len]);
            }
        }
        counts
    }

    /// Returns the length of the truncated character at the start of `bytes`, which are from the text.
    pub(super) fn cut_at(&self, bytes: &[u8]) -> Option<usize> {
        let at = |cut: &Truncation| {
            Truncation::at(cut.before(), bytes, true).filter(|(found, _)| found == cut)
        };
        self.cut.settled.iter().find_map(at).map(|(_, len)| len)
    }

    /// Counts the ill-formed sequence at the start of `bytes`, which begin at `offset`, and returns its length.
    ///
    /// Sequences of the wider scheme are counted by kind. The start of a well-formed sequence is ambiguous, and its
    /// surroundings decide:
    ///
    /// ```text
    /// E2 82 at the end of the text         truncated by the end
    /// E2 82 before a multiple of 512       truncated by a buffer
    /// E9 E2 82                             after a single byte: two more of these
    /// E2 82 41                             a truncated character
    /// E2 82 FF                             E2 82 was counted as one. FF shows that this is a run of single bytes, so
    ///                                      the count is taken back
    /// ```
    ///
    /// Truncated characters have two or three bytes here, of which `last` keeps the first two and the last: all of
    /// them, as the set of values needs no order and takes a byte twice without harm.
    pub(super) fn look_at_form(&mut self, bytes: &[u8], offset: u64, end: bool) -> usize {
        let mut form = WideSequence::at(&bytes[..bytes.len().min(LONGEST_FORM)]);
        if let WideSequence::Cut { has, of, at_end } = form {
            // A sequence that ends with `bytes` is truncated only if the text ends there, too. Elsewhere, a single byte
            // is not taken for the start of a truncated character.
            let at_end = at_end && end && has == bytes.len();
            form = if at_end || has > 1 {
                WideSequence::Cut { has, of, at_end }
            } else {
                WideSequence::Byte
            };
        }
        let len = form.len();
        let counts = self;
        counts.ill_formed += len as u64;
        match form {
            WideSequence::Pair(_) => counts.wide.pairs += 1,
            WideSequence::Surrogate(_) => {
                counts.wide.surrogates += 1;
                counts.wide.escaped += u64::from(escaped_byte(bytes).is_some());
            }
            WideSequence::JavaNul => counts.wide.java_nuls += 1,
            WideSequence::Overlong { .. } => counts.wide.overlong += 1,
            WideSequence::Long { .. } => counts.wide.long += 1,
            WideSequence::Cut { at_end: true, .. } => {
                counts.cut.at_end = Some(len);
                counts.cut.end_values.insert(&bytes[..len]);
            }
            WideSequence::Cut { .. } if (offset + len as u64).is_multiple_of(BUFFER) => {
                counts.cut.by_buffer += 1;
            }
            WideSequence::Cut { .. } if offset == counts.single.end => {
                counts.take_bytes(&bytes[..len], offset)
            }
            WideSequence::Cut { .. } => {
                counts.cut.count += 1;
                counts.cut.values.insert(&bytes[..len]);
                counts.cut.last = (offset + len as u64, [bytes[0], bytes[1], bytes[len - 1]]);
            }
            WideSequence::Byte => {
                let (end, cut) = counts.cut.last;
                if end == offset && counts.cut.count > 0 {
                    counts.cut.count -= 1;
                    counts.single.values.insert(&cut);
                }
                counts.take_bytes(&bytes[..1], offset);
            }
        }
        if !matches!(form, WideSequence::Byte | WideSequence::Cut { .. }) {
            counts.wide.values.insert(&bytes[..len]);
        }
        len
    }

    /// Whether what looks like truncated characters are single bytes: there are other single bytes, and no UTF-8.
    pub(super) const fn cut_is_bytes(&self) -> bool {
        self.all_bytes || self.single.count > 0 && self.multi == 0
    }

    fn take_bytes(&mut self, bytes: &[u8], offset: u64) {
        self.single.count += bytes.len() as u64;
        self.single.values.insert(bytes);
        self.single.end = offset + bytes.len() as u64;
    }

    /// Whether `has` bytes of an incomplete character at the end of the text are single bytes instead.
    ///
    /// One byte is weak evidence of a character: any letter of a single-byte encoding from C2 on looks like it. It is
    /// one only in a text that has UTF-8 and no other single bytes. Two or three bytes that fit each other are strong
    /// evidence. They are single bytes only in a text that has others and no UTF-8 at all.
    pub(super) const fn end_is_bytes(&self, has: usize) -> bool {
        match has {
            _ if self.all_bytes => true,
            1 => self.single.count > 0 || self.multi == 0,
            _ => self.single.count > 0 && self.multi == 0,
        }
    }

    pub(super) fn strays(&self) -> ByteSet {
        let mut bytes = self.single.values;
        if self.cut_is_bytes() {
            bytes.add(self.cut.values);
        }
        if self.cut.at_end.is_some_and(|has| self.end_is_bytes(has)) {
            bytes.add(self.cut.end_values);
        }
        bytes
    }

    /// Returns the values of all ill-formed bytes.
    pub(super) fn values(&self) -> ByteSet {
        let mut all = self.single.values;
        for set in [self.wide.values, self.cut.values, self.cut.end_values] {
            all.add(set);
        }
        all
    }
}

/// Whether the byte at `at` is beyond ASCII and single, whatever comes before it: it is not followed by a continuation
/// byte, or cannot begin a sequence. Never true for the last byte, since nothing is known of what follows it.
#[inline(always)]
fn is_alone(bytes: &[u8], at: usize) -> bool {
    let [byte, next, ..] = bytes[at.min(bytes.len())..] else { return false };
    byte >= 0x80 && (byte < 0xC0 || next & 0xC0 != 0x80 || byte >= 0xFE)
}

/// Whether the byte at `at` may begin a character that was cut off, judged by the bytes next to it.
fn may_be_cut(bytes: &[u8], at: usize) -> bool {
    let before = Preceding::of_byte(at.checked_sub(1).map(|at| bytes[at]));
    Truncation::at(before, &bytes[at..], false).is_some()
}
