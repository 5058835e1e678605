//! One letter and the characters that may compose with it, in a normalization form.
//!
//! Characters are decomposed as they are read, and each mark is inserted at its place in canonical order. Composition
//! waits for the next starter, or the end, because a later mark may still come before an earlier one. In NFC:
//!
//! ```text
//! push    U+0065                  e, a starter
//! push    U+0301                  class 230
//! push    U+0327                  class 202: inserted before U+0301
//! finish  U+0229 U+0301           e and U+0327 compose; nothing is U+0229 with U+0301, so that stays
//! ```
//!
//! To compose e and U+0301 at once would have given é U+0327. That is canonically equivalent, but it is not NFC.
//!
//! Each character of the result knows the first and last character of the sequence that it was made of, so a finding
//! about it can name its bytes. Reordering makes these ranges overlap: of `e` U+0316 U+0301, the result é comes from
//! the first character and the third, so its range includes the second one too.

use super::class;
use super::normalization_form::NormalizationForm;
use oxiconv_encodings::unicode::CodePoint;
use unicode_normalization::char::compose;

/// The most marks in a row (UAX 15, D3: non-starters in NFKD).
pub(super) const MAX_MARKS: usize = 30;
/// A bound for the characters of a sequence. No letter composes with that many others.
const MAX_CHARACTERS: usize = 64;

/// A character of the normalized sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NormalizedCharacter {
    /// Its code point.
    pub cp: CodePoint,
    class: u8,
    /// The first and the last character of the sequence that it was made of, as indices.
    pub first: usize,
    /// See [`NormalizedCharacter::first`].
    pub last: usize,
}

impl NormalizedCharacter {
    /// A character of the sequence that stays as it is.
    pub fn unchanged(cp: CodePoint, index: usize) -> Self {
        Self { cp, class: class(cp), first: index, last: index }
    }
}

/// How a character relates to the sequence read so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SequenceStep {
    /// It belongs to it.
    Continues,
    /// It begins another sequence.
    Begins,
    /// It belongs to the sequence, but that has too many marks already and must end here.
    TooMany,
}

/// A sequence that is being read.
#[derive(Debug)]
pub struct ComposingSequence {
    form: NormalizationForm,
    /// Decomposed and in canonical order. What is before the last starter is composed too.
    pieces: Vec<NormalizedCharacter>,
    starter: Option<usize>,
    length: usize,
    /// Marks in a row at the end, counted in NFKD. That is how UAX 15 counts them, whatever the form: a text that is
    /// stream-safe must stay so in each of the four forms.
    marks: usize,
}

impl ComposingSequence {
    /// Creates an empty sequence.
    pub fn new(form: NormalizationForm) -> Self {
        Self { form, pieces: Vec::new(), starter: None, length: 0, marks: 0 }
    }

    /// Returns how `cp` relates to the characters read. An empty sequence continues with anything.
    ///
    /// A character belongs to the sequence if its decomposition begins with a mark, or with a starter that composes
    /// with the last one, as a Hangul vowel does with a leading consonant.
    pub fn next(&mut self, cp: CodePoint) -> SequenceStep {
        if self.length == 0 {
            return SequenceStep::Continues;
        }
        let Some(c) = char::from_u32(cp) else { return SequenceStep::Begins };
        let mut first = None;
        self.form.decompose(c, |piece| {
            first.get_or_insert(piece);
        });
        let first = first.unwrap_or(c);
        if class(first.into()) != 0 {
            let room = self.marks + marks_of(c).0 <= MAX_MARKS;
            return if room { SequenceStep::Continues } else { SequenceStep::TooMany };
        }
        if !self.form.composes() || self.length >= MAX_CHARACTERS {
            return SequenceStep::Begins;
        }
        self.compose_marks();
        if self.joined(first.into()).is_some() {
            SequenceStep::Continues
        } else {
            SequenceStep::Begins
        }
    }

    /// Reads the next character. If it consists of marks only, they continue those before it. Otherwise it ends them,
    /// and only the marks at the end of its own decomposition count: the acute of é is the first of the marks after
    /// `e`.
    pub fn push(&mut self, cp: CodePoint) {
        let index = self.length;
        self.length += 1;
        let Some(c) = char::from_u32(cp) else {
            self.marks = 0;
            self.push_piece(NormalizedCharacter { cp, class: 0, first: index, last: index });
            return;
        };
        let (leading, trailing, all) = marks_of(c);
        self.marks = if all { self.marks + leading } else { trailing };
        let form = self.form;
        form.decompose(c, |piece| {
            let cp = CodePoint::from(piece);
            self.push_piece(NormalizedCharacter {
                cp,
                class: class(cp),
                first: index,
                last: index,
            });
        });
    }

    /// Ends the sequence, and returns it in its form.
    pub fn finish(&mut self) -> &[NormalizedCharacter] {
        self.compose_marks();
        &self.pieces
    }

    /// Empties the sequence.
    pub fn clear(&mut self) {
        self.pieces.clear();
        (self.starter, self.length, self.marks) = (None, 0, 0);
    }

    /// Adds one character of a decomposition. A mark goes to its place in canonical order: before all marks after the
    /// last starter that have a higher class, and after those of the same class (D109, the Canonical Ordering
    /// Algorithm, which exchanges two marks only if the first one has a higher class).
    ///
    /// A starter ends the marks before it, so they are composed now. Then it may compose with the starter before it, if
    /// nothing is left between the two, as in Hangul.
    fn push_piece(&mut self, piece: NormalizedCharacter) {
        if piece.class != 0 {
            let start = self.starter.map_or(0, |starter| starter + 1);
            let later = self.pieces[start..].iter().rev();
            let later = later.take_while(|other| other.class > piece.class).count();
            self.pieces.insert(self.pieces.len() - later, piece);
            return;
        }
        self.compose_marks();
        if self.form.composes()
            && let Some((starter, cp)) = self.joined(piece.cp)
        {
            let starter = &mut self.pieces[starter];
            (starter.cp, starter.last) = (cp, piece.last.max(starter.last));
            return;
        }
        self.starter = Some(self.pieces.len());
        self.pieces.push(piece);
    }

    /// Returns the index of the last starter and what it composes to with `cp`, if nothing is between them.
    fn joined(&self, cp: CodePoint) -> Option<(usize, CodePoint)> {
        let starter = self.starter.filter(|starter| starter + 1 == self.pieces.len())?;
        composed(self.pieces[starter].cp, cp).map(|both| (starter, both))
    }

    /// Composes the last starter with the marks after it that are not blocked (D115, D117).
    ///
    /// Marks are in canonical order, so a mark is blocked exactly if the last one that did not compose has its class.
    /// `last_class` is that class; a mark that composes disappears and blocks nothing.
    fn compose_marks(&mut self) {
        let Some(starter) = self.starter.filter(|_| self.form.composes()) else { return };
        let mut at = starter + 1;
        let mut last_class = 0;
        while let Some(mark) = self.pieces.get(at).copied() {
            match composed(self.pieces[starter].cp, mark.cp).filter(|_| last_class < mark.class) {
                Some(both) => {
                    let base = &mut self.pieces[starter];
                    base.cp = both;
                    (base.first, base.last) =
                        (base.first.min(mark.first), base.last.max(mark.last));
                    self.pieces.remove(at);
                }
                None => {
                    last_class = mark.class;
                    at += 1;
                }
            }
        }
    }
}

fn composed(first: CodePoint, second: CodePoint) -> Option<CodePoint> {
    compose(char::from_u32(first)?, char::from_u32(second)?).map(CodePoint::from)
}

/// Returns how many marks the compatibility decomposition of a character begins and ends with, and whether it consists
/// of marks only.
fn marks_of(c: char) -> (usize, usize, bool) {
    let (mut leading, mut trailing, mut all) = (0, 0, true);
    NormalizationForm::Nfkd.decompose(c, |piece| {
        if class(piece.into()) == 0 {
            (all, trailing) = (false, 0);
        } else {
            trailing += 1;
            leading += usize::from(all);
        }
    });
    (leading, trailing, all)
}

pub(super) fn normalized(form: NormalizationForm, text: &[CodePoint]) -> Vec<CodePoint> {
    let mut sequence = ComposingSequence::new(form);
    text.iter().for_each(|cp| sequence.push(*cp));
    sequence.finish().iter().map(|piece| piece.cp).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use NormalizationForm::{Nfc, Nfd, Nfkc, Nfkd};

    /// From the examples of UAX 15, and NormalizationTest.txt.
    #[test]
    fn sequences_are_decomposed_ordered_and_composed() {
        for (text, nfc, nfd, nfkc, nfkd) in [
            ("\u{212B}", "\u{C5}", "A\u{30A}", "\u{C5}", "A\u{30A}"),
            (
                "\u{1E9B}\u{323}",
                "\u{1E9B}\u{323}",
                "\u{17F}\u{323}\u{307}",
                "\u{1E69}",
                "s\u{323}\u{307}",
            ),
            ("\u{FB01}", "\u{FB01}", "\u{FB01}", "fi", "fi"),
            (
                "\u{1100}\u{1161}\u{11A8}",
                "\u{AC01}",
                "\u{1100}\u{1161}\u{11A8}",
                "\u{AC01}",
                "\u{1100}\u{1161}\u{11A8}",
            ),
            ("\u{0958}", "\u{915}\u{93C}", "\u{915}\u{93C}", "\u{915}\u{93C}", "\u{915}\u{93C}"),
            (
                "e\u{301}\u{327}",
                "\u{229}\u{301}",
                "e\u{327}\u{301}",
                "\u{229}\u{301}",
                "e\u{327}\u{301}",
            ),
            (
                "\u{E1}\u{316}",
                "\u{E1}\u{316}",
                "a\u{316}\u{301}",
                "\u{E1}\u{316}",
                "a\u{316}\u{301}",
            ),
            (
                "\u{CC6}\u{CC2}\u{CD5}",
                "\u{CCB}",
                "\u{CC6}\u{CC2}\u{CD5}",
                "\u{CCB}",
                "\u{CC6}\u{CC2}\u{CD5}",
            ),
        ] {
            let code_points = |text: &str| text.chars().map(CodePoint::from).collect::<Vec<_>>();
            for (form, expected) in [(Nfc, nfc), (Nfd, nfd), (Nfkc, nfkc), (Nfkd, nfkd)] {
                assert_eq!(
                    normalized(form, &code_points(text)),
                    code_points(expected),
                    "{form:?} {text}"
                );
            }
        }
    }

    #[test]
    fn a_piece_knows_what_it_was_made_of() {
        let mut sequence = ComposingSequence::new(Nfc);
        [0x65, 0x316, 0x301].into_iter().for_each(|cp| sequence.push(cp));
        let pieces: Vec<_> =
            sequence.finish().iter().map(|piece| (piece.cp, piece.first, piece.last)).collect();
        assert_eq!(pieces, [(0xE9, 0, 2), (0x316, 1, 1)]);
    }

    #[test]
    fn a_sequence_ends_before_what_does_not_belong_to_it() {
        let mut sequence = ComposingSequence::new(Nfc);
        sequence.push(0x1100);
        assert_eq!(sequence.next(0x1161), SequenceStep::Continues);
        assert_eq!(sequence.next(0x61), SequenceStep::Begins);
        assert_eq!(sequence.next(0xD800), SequenceStep::Begins);
        sequence.push(0x1161);
        sequence.push(0x11A8);
        assert_eq!(sequence.next(0x11A8), SequenceStep::Begins);
        sequence.clear();
        for _ in 0..30 {
            assert_eq!(sequence.next(0x301), SequenceStep::Continues);
            sequence.push(0x301);
        }
        assert_eq!(sequence.next(0x301), SequenceStep::TooMany);
        assert_eq!(sequence.next(0x61), SequenceStep::Begins);
    }
}
