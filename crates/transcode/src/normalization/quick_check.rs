//! Finds the characters of a run that normalization may change, and that must be held with what they belong to.
//!
//! A run stays as it is if every character has the answer Yes in the quick check of the form, and if its marks are in
//! canonical order (UAX 15, section 9). For NFC:
//!
//! ```text
//! U+00E9                  é: Yes, so it passes
//! U+0065 U+0301           Maybe: U+0301 composes with a letter, so both are held
//! U+0E01 U+0E38 U+0E48    marks of the classes 103 and 107: in order, so they pass
//! U+0E01 U+0E48 U+0E38    out of order: held
//! ```
//!
//! The check of UAX 15 judges a whole text, which is in memory from its start to its end. Here a run may begin or end
//! within a sequence, so two more questions must be answered about a character than the standard has: whether it
//! belongs to what comes before it (`EXTENDS`), and whether what comes after it may change it (`BASE`). A letter at the
//! end of a run is held because of the second one, although its own answer is Yes.
//!
//! The answers are derived from decompositions and compositions, in pages of 256 characters. A page is made when its
//! first character occurs; text uses few. With two forms (`--deny not-nfc` and `--normalize nfd`), an entry combines
//! the answers for both, so one scan does.

use super::composing_sequence::{MAX_MARKS, normalized};
use super::normalization_form::NormalizationForm;
use super::{class, composes, is_base};
use oxiconv_encodings::unicode::{CodePoint, is_scalar_value};
use unicode_normalization::char::is_combining_mark;

/// May change, alone or after another character. This and the next two are the flags of an entry; its low byte is the
/// combining class. U+0301 has the entry `CHANGES | EXTENDS | 230` for NFC, and `e` has `BASE`.
const CHANGES: u16 = 0x100;
/// Belongs to what comes before it.
const EXTENDS: u16 = 0x200;
/// Marks after it may change it.
const BASE: u16 = 0x400;
const CLASS: u16 = 0xFF;

const PAGE: usize = 256;

/// From this many marks in a row, a sequence is held even if it is in order, and so counted exactly. The limit of
/// [`MAX_MARKS`] counts marks in NFKD, so it includes those that the decomposition of the letter before them ends with;
/// ten is room for these.
const MANY: usize = MAX_MARKS - 10;

/// The quick check for one form or several.
#[derive(Clone)]
pub struct QuickCheck {
    forms: Vec<NormalizationForm>,
    /// All characters below this stay as they are, and none of them extends another. A block of such characters passes
    /// with one comparison.
    low: CodePoint,
    pages: Vec<Option<Box<[u16; PAGE]>>>,
}

impl QuickCheck {
    /// Creates the check for these forms.
    pub fn new(forms: Vec<NormalizationForm>) -> Self {
        // The first character of each form that changes or extends another: U+0300 COMBINING GRAVE ACCENT, U+00C0 À,
        // and U+00A0 NO-BREAK SPACE, which is a blank in NFKC and NFKD.
        let low = |form: &NormalizationForm| match form {
            NormalizationForm::Nfc => 0x300,
            NormalizationForm::Nfd => 0xC0,
            NormalizationForm::Nfkc | NormalizationForm::Nfkd => 0xA0,
        };
        let low = forms.iter().map(low).min().unwrap_or(0);
        Self { forms, low, pages: Vec::new() }
    }

    /// Whether `cp` may change, or belongs to what comes before it.
    pub fn changes(&mut self, cp: CodePoint) -> bool {
        self.look_up(cp) & (CHANGES | EXTENDS) != 0
    }

    /// Whether `cp` must be held if `next` follows it; `None` if that is not known yet.
    pub fn holds(&mut self, cp: CodePoint, next: Option<CodePoint>) -> bool {
        self.changes(cp)
            || self.look_up(cp) & BASE != 0
                && next.is_none_or(|next| self.look_up(next) & EXTENDS != 0)
    }

    /// Returns the index of the first character of `run` that must be held. `next` is the character after the run, if
    /// known.
    ///
    /// That is the start of the first sequence that may change. If there is none, the last sequence of the run is held
    /// if the next run may continue it.
    ///
    /// The loop knows only the class of the mark before (`last_class`) and the number of marks in a row. A mark of a
    /// lower class than the one before it is out of order. Marks of the same class are not: they keep their order. A
    /// character that neither changes nor extends another starts both anew.
    pub fn first_in(&mut self, run: &[CodePoint], next: Option<CodePoint>) -> Option<usize> {
        const BLOCK: usize = 64;
        let (mut last_class, mut marks) = (0, 0);
        let mut at = 0;
        while at < run.len() {
            let block = &run[at..run.len().min(at + BLOCK)];
            // ASCII and the like: one comparison for the block. The maximum has no branch per character, so the
            // compiler can vectorize it.
            if block.iter().fold(0, |most, cp| most.max(*cp)) < self.low {
                (last_class, marks) = (0, 0);
                at += block.len();
                continue;
            }
            for (index, cp) in (at..).zip(block) {
                let entry = self.look_up(*cp);
                if entry & (CHANGES | EXTENDS) == 0 {
                    (last_class, marks) = (0, 0);
                    continue;
                }
                let class = entry & CLASS;
                marks += 1;
                if entry & CHANGES != 0 || class < last_class || marks >= MANY {
                    return Some(self.start_of(run, index));
                }
                last_class = class;
            }
            at += block.len();
        }
        let extends = next.is_none_or(|next| self.look_up(next) & EXTENDS != 0);
        let start = self.start_of(run, run.len());
        (extends && start < run.len()).then_some(start)
    }

    /// Returns where the sequence begins that the character at `index` may belong to; `index` if it belongs to none.
    ///
    /// It goes back over everything that extends what is before it, and then includes one letter. For `index ==
    /// run.len()` there is no character yet: the result is where the last sequence of the run begins, which the next
    /// run may continue.
    fn start_of(&mut self, run: &[CodePoint], index: usize) -> usize {
        let own = run.get(index).map(|cp| self.look_up(*cp));
        if own.is_some_and(|own| own & EXTENDS == 0) {
            return index;
        }
        let before = run[..index].iter().rev();
        let start = index - before.take_while(|cp| self.look_up(**cp) & EXTENDS != 0).count();
        match start.checked_sub(1) {
            Some(base) if self.look_up(run[base]) & BASE != 0 => base,
            _ => start,
        }
    }

    fn look_up(&mut self, cp: CodePoint) -> u16 {
        let (page, index) = (cp as usize / PAGE, cp as usize % PAGE);
        if let Some(Some(page)) = self.pages.get(page) {
            return page[index];
        }
        self.make_page(cp)
    }

    /// A code point that is no scalar value never gets a page. Its entry is always 0: it has no decomposition and ends
    /// a sequence.
    #[cold]
    fn make_page(&mut self, cp: CodePoint) -> u16 {
        if !is_scalar_value(cp) {
            return 0;
        }
        let (page, index) = (cp as usize / PAGE, cp as usize % PAGE);
        let mut entries = Box::new([0; PAGE]);
        for (cp, entry) in ((page * PAGE) as CodePoint..).zip(entries.iter_mut()) {
            *entry = self.forms.iter().fold(0, |all, form| all | entry_of(cp, *form));
        }
        let entry = entries[index];
        if self.pages.len() <= page {
            self.pages.resize(page + 1, None);
        }
        self.pages[page] = Some(entries);
        entry
    }
}

/// Derives the entry of a character for one form.
///
/// * It may change if its own normal form differs, or if it composes with a character before it
///   (NFC_Quick_Check=Maybe).
/// * It extends what comes before it if its decomposition begins with a mark, or with a character that composes with
///   one before it, such as a Hangul vowel.
/// * Without a combining class of its own, it is a base if marks may change it: a letter or a sign that composes with a
///   mark, a combining mark of class 0, a character that decomposes, a sign that composes with another one of itself
///   (such as U+1611E), or one that ends in a mark in NFKD, because that mark counts for the limit of 30.
fn entry_of(cp: CodePoint, form: NormalizationForm) -> u16 {
    let Some(c) = char::from_u32(cp) else { return 0 };
    let (mut first, mut ends_in_mark, mut pieces) = (None, false, 0);
    form.decompose(c, |piece| {
        first.get_or_insert(piece);
    });
    NormalizationForm::Nfkd.decompose(c, |piece| {
        ends_in_mark = class(piece.into()) != 0;
    });
    NormalizationForm::Nfd.decompose(c, |_| pieces += 1);
    let first = first.unwrap_or(c);
    let keeps = normalized(form, &[cp]) == [cp] && !(form.composes() && is_second(c));
    let extends = class(first.into()) != 0 || form.composes() && is_second(first);
    let base = ends_in_mark
        || form.composes()
            && (is_base(cp) || is_combining_mark(c) || pieces > 1 || composes(cp, c));
    let mut entry = u16::from(class(cp));
    if !keeps {
        entry |= CHANGES;
    }
    if extends {
        entry |= EXTENDS;
    }
    if base && class(cp) == 0 {
        entry |= BASE;
    }
    entry
}

/// The characters that compose with one before them: NFC_Quick_Check=Maybe in DerivedNormalizationProps.txt. A test
/// compares them with the crate's version of Unicode.
const SECONDS: [(CodePoint, CodePoint); 49] = [
    (0x0300, 0x0304),
    (0x0306, 0x030C),
    (0x030F, 0x030F),
    (0x0311, 0x0311),
    (0x0313, 0x0314),
    (0x031B, 0x031B),
    (0x0323, 0x0328),
    (0x032D, 0x032E),
    (0x0330, 0x0331),
    (0x0338, 0x0338),
    (0x0342, 0x0342),
    (0x0345, 0x0345),
    (0x0653, 0x0655),
    (0x093C, 0x093C),
    (0x09BE, 0x09BE),
    (0x09D7, 0x09D7),
    (0x0B3E, 0x0B3E),
    (0x0B56, 0x0B57),
    (0x0BBE, 0x0BBE),
    (0x0BD7, 0x0BD7),
    (0x0C56, 0x0C56),
    (0x0CC2, 0x0CC2),
    (0x0CD5, 0x0CD6),
    (0x0D3E, 0x0D3E),
    (0x0D57, 0x0D57),
    (0x0DCA, 0x0DCA),
    (0x0DCF, 0x0DCF),
    (0x0DDF, 0x0DDF),
    (0x102E, 0x102E),
    (0x1161, 0x1175),
    (0x11A8, 0x11C2),
    (0x1B35, 0x1B35),
    (0x3099, 0x309A),
    (0x110BA, 0x110BA),
    (0x11127, 0x11127),
    (0x1133E, 0x1133E),
    (0x11357, 0x11357),
    (0x113B8, 0x113B8),
    (0x113BB, 0x113BB),
    (0x113C2, 0x113C2),
    (0x113C5, 0x113C5),
    (0x113C7, 0x113C9),
    (0x114B0, 0x114B0),
    (0x114BA, 0x114BA),
    (0x114BD, 0x114BD),
    (0x115AF, 0x115AF),
    (0x11930, 0x11930),
    (0x1611E, 0x16129),
    (0x16D67, 0x16D68),
];

fn is_second(c: char) -> bool {
    let cp = CodePoint::from(c);
    let at = SECONDS.partition_point(|(_, last)| *last < cp);
    SECONDS.get(at).is_some_and(|(first, _)| *first <= cp)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_normalization::char::compose;
    use unicode_normalization::{IsNormalized, is_nfc_quick, is_nfkc_quick};

    fn scalar_values() -> impl Iterator<Item = char> {
        ('\0'..='\u{323AF}').chain('\u{E0000}'..='\u{E01EF}')
    }

    /// For every pair that composes: the second must be held, and so must the first if the second may follow.
    #[test]
    fn what_composes_is_held_together() {
        let mut pairs = 0;
        let mut classes = QuickCheck::new(vec![NormalizationForm::Nfc]);
        for c in scalar_values() {
            let mut pieces = Vec::new();
            NormalizationForm::Nfd.decompose(c, |piece| pieces.push(piece));
            let Some((first, rest)) = pieces.split_first() else { continue };
            let mut whole = *first;
            for next in rest {
                let Some(both) = compose(whole, *next) else { break };
                let run = [whole.into(), (*next).into()];
                assert_eq!(classes.first_in(&run, Some(0x20)), Some(0), "{run:X?}");
                assert!(classes.holds(run[0], Some(run[1])), "{run:X?}");
                assert!(classes.holds(run[0], None), "{run:X?}");
                (whole, pairs) = (both, pairs + 1);
            }
        }
        assert!(pairs > 12_000, "{pairs}");
    }

    /// A character alone that is not held back stays as it is.
    #[test]
    fn what_is_not_held_does_not_change() {
        for form in [
            NormalizationForm::Nfc,
            NormalizationForm::Nfd,
            NormalizationForm::Nfkc,
            NormalizationForm::Nfkd,
        ] {
            let mut classes = QuickCheck::new(vec![form]);
            for cp in scalar_values().map(CodePoint::from) {
                let held = classes.first_in(&[cp], Some(0x20)).is_some();
                assert!(held || normalized(form, &[cp]) == [cp], "{form:?} {cp:X}");
            }
        }
    }

    /// The table is that of the crate's version of Unicode.
    #[test]
    fn seconds_are_those_with_maybe_in_the_quick_check() {
        for c in '\0'..=char::MAX {
            let one = || std::iter::once(c);
            assert_eq!(is_nfc_quick(one()) == IsNormalized::Maybe, is_second(c), "{c:?}");
            assert_eq!(is_nfkc_quick(one()) == IsNormalized::Maybe, is_second(c), "{c:?}");
        }
    }

    #[test]
    fn marks_in_order_are_not_held_back() {
        let mut classes = QuickCheck::new(vec![NormalizationForm::Nfc]);
        let thai: Vec<CodePoint> = "กี่ที่ไม่".chars().map(CodePoint::from).collect();
        assert_eq!(classes.first_in(&thai, Some(0x20)), None);
        assert_eq!(classes.first_in(&[0x61, 0x316, 0x301], Some(0x20)), Some(0));
        assert_eq!(classes.first_in(&[0x20, 0x0E01, 0x0E48, 0x0E38], Some(0x20)), Some(1));
        // A surrogate and a value past 10FFFF end a sequence.
        assert_eq!(classes.first_in(&[0x65, 0xD800, 0x11_0000], Some(0x301)), None);
    }
}
