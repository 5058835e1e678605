//! Letters and their marks, where a character is transliterated: `u` and U+0308 are ü in ISO-8859-1.
//!
//! What is written for a letter depends on the marks after it, which may be far away in bytes. So under transliteration
//! a letter is held back, as a value and not as bytes to read again, until the next character that is not its mark, the
//! next fault, or the end of the text. Where the target has the letter and the mark after it, nothing is held back.
//!
//! ```text
//! engine:   … u ̈ …          ─► does the target lack the mark, or is the end of the run unknown? stop before the letter
//! session:  hold u ─► hold ̈  ─► the next is no mark ─► write what stands for both
//! ```
//!
//! A character that the target lacks is reported where it stands, and counts as what became of the whole.

use super::conversion::Conversion;
use crate::encoding::Encoding;
use crate::normalization::is_base;
use crate::transliteration::extends;
use crate::unicode::CodePoint;
use std::collections::HashMap;

/// The most characters held back. Text has at most 30 marks on a letter (UAX 15, D3), and real text four.
const MOST: usize = 32;

/// A letter and its marks, held back.
#[derive(Debug, Default)]
pub(super) struct Cluster {
    /// Each, and whether the target lacks it.
    pub(super) characters: Vec<(CodePoint, bool)>,
}

impl Cluster {
    /// Whether nothing is held back.
    pub(super) fn is_empty(&self) -> bool {
        self.characters.is_empty()
    }

    /// Whether there is room for another mark.
    pub(super) fn has_room(&self) -> bool {
        (1..MOST).contains(&self.characters.len())
    }
}

/// Finds the letters that must be held back.
#[derive(Clone)]
pub(super) struct Clusters {
    target: &'static Encoding,
    /// Whether it lacks the letters and marks seen last.
    lacks: HashMap<CodePoint, bool>,
}

impl Clusters {
    /// Creates it for a conversion that transliterates; `None` if the target has all marks.
    pub(super) fn of(conversion: &Conversion) -> Option<Self> {
        let target = conversion.to?;
        // Grave accent, solidus, Hebrew point, Hangul vowel, prohibition, musical stem.
        const MARKS: [CodePoint; 6] = [0x300, 0x338, 0x5B0, 0x1161, 0x20E0, 0x1_D165];
        let lacks_marks = || MARKS.iter().any(|mark| !target.encodes(&[*mark]));
        (conversion.options.transliterate && lacks_marks())
            .then(|| Self { target, lacks: HashMap::new() })
    }

    /// Whether the target lacks `cp`.
    pub(super) fn lacks(&mut self, cp: CodePoint) -> bool {
        /// Real text has fewer different letters with marks.
        const MOST: usize = 4096;
        if self.lacks.len() >= MOST {
            self.lacks.clear();
        }
        *self.lacks.entry(cp).or_insert_with(|| !self.target.encodes(&[cp]))
    }

    /// Whether `cp` must be held back if `next` follows it; a `next` of `None` is not known yet.
    pub(super) fn holds(cp: CodePoint, next: Option<CodePoint>) -> bool {
        next.is_none_or(extends) && is_base(cp)
    }

    /// Whether `cp` is a mark.
    pub(super) fn extends(cp: CodePoint) -> bool {
        extends(cp)
    }

    /// Returns the index of the first letter in `run` that must be held back. `next` is the character after the run, if
    /// it is known.
    pub(super) fn first_in(&mut self, run: &[CodePoint], next: Option<CodePoint>) -> Option<usize> {
        let mut end = 0;
        while let Some(at) = first_mark(&run[end..]) {
            let mark = end + at;
            end = mark + run[mark..].iter().take_while(|cp| extends(**cp)).count();
            let base = mark.checked_sub(1).filter(|base| is_base(run[*base]));
            if base.is_some() && run[mark..end].iter().any(|cp| self.lacks(*cp)) {
                return base;
            }
        }
        let marks = run.iter().rev().take_while(|cp| extends(**cp)).count();
        let last = run.len().checked_sub(marks + 1)?;
        Self::holds(run[last], next).then_some(last)
    }
}

/// Returns the index of the first mark.
fn first_mark(run: &[CodePoint]) -> Option<usize> {
    const BLOCK: usize = 64;
    // No branch for each character of a block without any: no mark is below this.
    let may_have = |block: &[CodePoint]| block.iter().fold(0, |most, cp| most.max(*cp)) >= 0x300;
    let blocks = run.chunks(BLOCK).zip((0..).step_by(BLOCK));
    blocks
        .filter(|(block, _)| may_have(block))
        .find_map(|(block, start)| block.iter().position(|cp| extends(*cp)).map(|at| start + at))
}
