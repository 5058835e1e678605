//! Characters of UTF-8 that lie across the codes of another charset, up to the end of both.

use oxiconv_encodings::unicode::{CodePoint, REPLACEMENT_CHARACTER};

use super::super::sequences::{Lost, MisreadSequence, SequenceReading, SequenceText, is_plausible};
use super::codes::{DoubleByteCodes, LOST_LEADS};
use super::{MIDDLE_DOT, MIDDLE_DOT_CODE};

pub(super) struct Stretch {
    /// The characters that have ended. The range of each begins after the code in which the one before it ended.
    pub(super) found: Vec<MisreadSequence>,
    /// Where the range of the next character begins.
    start: usize,
    /// The bits of what the next character may be so far.
    partial: Vec<CodePoint>,
    /// How many bytes it still lacks.
    pub(super) missing: usize,
    /// The least character that takes so many bytes.
    least: CodePoint,
    lost: Lost,
    /// Whether the last code was a mark.
    pub(super) follows_mark: bool,
}

impl Stretch {
    /// Begins at an index.
    pub(super) fn at(start: usize) -> Self {
        let (found, partial, lost) = (Vec::new(), Vec::new(), Lost::Nothing);
        Self { found, start, partial, missing: 0, least: 0, lost, follows_mark: false }
    }

    /// Adds a byte of the code at an index; `None` if it is ill-formed there.
    pub(super) fn add(&mut self, at: usize, byte: u8) -> Option<()> {
        let begins = self.missing == 0;
        step(&mut self.missing, byte).then_some(())?;
        if !begins {
            self.append(&[byte]);
            return if self.missing == 0 { self.end(at) } else { Some(()) };
        }
        if byte < 0x80 {
            // The second byte of the code.
            let last = self.found.last_mut()?;
            let readings = std::iter::once(&mut last.reading).chain(&mut last.others);
            readings.for_each(|reading| reading.text.push(byte.into()));
        }
        self.begin(&[byte], self.missing);
        Some(())
    }

    /// Adds what the mark at an index may stand for, if `next` is the byte after it; `None` if it cannot be there. A
    /// continuation byte after the mark says that a character begins in the mark, or goes on after it.
    pub(super) fn add_lost(
        &mut self,
        codes: &DoubleByteCodes,
        at: usize,
        mark: CodePoint,
        next: u8,
    ) -> Option<()> {
        let goes_on = is_continuation(next);
        self.lost = Lost::Code;
        match self.missing {
            0 if goes_on => {
                self.begin(&[0xEF], 2);
                self.append(&codes.forms);
                (self.missing, self.lost) = (1, Lost::Code);
                return Some(());
            }
            1 if goes_on => {
                self.append(&codes.ends);
                self.end(at)?;
                self.begin(&LOST_LEADS, 2);
                self.lost = Lost::Code;
                return Some(());
            }
            // `、E` before the rest of a word is the character itself.
            1 if mark == MIDDLE_DOT && next.is_ascii_lowercase() => {
                return MIDDLE_DOT_CODE.iter().try_for_each(|byte| self.add(at, *byte));
            }
            1 => self.append(&codes.alone),
            2 if goes_on => {
                self.append(&codes.invalid);
                self.missing = 1;
                return Some(());
            }
            2 if self.partial == [0x3] && !self.follows_mark && !codes.kana.is_empty() => {
                self.partial.clone_from(&codes.kana);
            }
            // Two bytes of a kanji may be those of hundreds.
            2 => self.partial = vec![REPLACEMENT_CHARACTER],
            _ => return None,
        }
        self.end(at)
    }

    /// Begins a character with one of these bytes, which lacks `missing` more.
    fn begin(&mut self, leads: &[u8], missing: usize) {
        let bits = |byte: &u8| CodePoint::from(byte & [0x7F, 0x1F, 0x0F, 0x07][missing]);
        self.partial.clear();
        self.partial.extend(leads.iter().map(bits));
        self.least = [0, 0x80, 0x800, 0x1_0000][missing];
        (self.missing, self.lost) = (missing, Lost::Nothing);
    }

    /// Adds each of these continuation bytes to each of what the character may be so far.
    fn append(&mut self, bytes: &[u8]) {
        for cp in std::mem::take(&mut self.partial) {
            self.partial.extend(bytes.iter().map(|byte| cp << 6 | CodePoint::from(byte & 0x3F)));
        }
    }

    /// Ends a character in the code at an index; `None` if it is none that text may have.
    fn end(&mut self, at: usize) -> Option<()> {
        // Of the signs, only punctuation is guessed.
        let is_guess = self.partial.len() > 1;
        let may_be = |cp: &&CodePoint| {
            **cp >= self.least
                && char::from_u32(**cp).is_some()
                && is_plausible(**cp)
                && !(is_guess && matches!(**cp, 0x2040..0x3000))
        };
        let reading =
            |cp: &CodePoint| SequenceReading { text: SequenceText::One(*cp), keeps_space: false };
        let mut readings = self.partial.iter().filter(may_be).map(reading);
        self.found.push(MisreadSequence {
            range: self.start..at + 1,
            reading: readings.next()?,
            others: readings.collect(),
            lost: self.lost,
        });
        (self.start, self.missing, self.lost) = (at + 1, 0, Lost::Nothing);
        Some(())
    }
}

/// Counts a byte of UTF-8: `missing` is how many bytes the character still lacks. Returns whether the byte may be there.
pub(super) fn step(missing: &mut usize, byte: u8) -> bool {
    *missing = match (*missing, byte) {
        (0, 0..0x80) => 0,
        (0, 0xC2..=0xDF) => 1,
        (0, 0xE0..=0xEF) => 2,
        (0, 0xF0..=0xF4) => 3,
        (1.., 0x80..=0xBF) => *missing - 1,
        _ => return false,
    };
    true
}

pub(super) fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}
