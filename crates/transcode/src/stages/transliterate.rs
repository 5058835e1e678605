//! Transliterates letters together with their marks: `u` U+0308 is ü in ISO-8859-1, and `ue` in US-ASCII by the rules
//! of German.
//!
//! What is written for a letter depends on the marks after it, which may be far away in bytes. So a letter is held
//! until the next character that is not its mark, the next bytes that are not text, or the end of the text. If the
//! target has the letter and the mark after it, nothing is held.
//!
//! ```text
//! … U+0075     what follows is unknown, or a mark that the target lacks: held
//!   U+0308     a mark of the held letter: held
//!   x          no mark: the form of U+0075 U+0308 is written, and x passes
//! ```
//!
//! A kernel passes letters without looking at them, so it gives its last one back (`ConversionPath::KernelsButLast`):
//! the mark may be what stopped the kernel.
//!
//! A character that the target lacks is a finding at once, when it is held: its place is known then. Its outcome is
//! known only when the cluster is written. Every finding needs exactly one outcome, or the two counts of the summary
//! disagree, so the functions that write a cluster pass on how many of its characters are lacking. If `Я` U+0301
//! becomes `Ya`, one form is written, and two characters are counted as transliterated.

use std::collections::HashMap;

use super::super::conversion::Conversion;
use super::super::origin::Origin;
use super::super::pipeline_exit::Passed;
use super::super::remedy::{Remedies, Remedy};
use super::super::stage::{ConversionPath, FollowedBy, LaterStages, Stage};
use crate::diagnostic::{Kind, Outcome};
use crate::normalization::is_base;
use crate::transliteration::{composed, extends, may_drop};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::CodePoint;

/// The most characters held. A letter has at most 30 marks (UAX 15, D3), and in real text at most four.
const MAX_HELD: usize = 32;

/// Holds letters and their marks, and writes what stands for them.
pub(in super::super) struct Transliterate {
    target: &'static Encoding,
    lacks: HashMap<CodePoint, bool>,
    /// The held characters, and whether the target lacks each.
    held: Vec<(CodePoint, bool)>,
}

impl Transliterate {
    /// Creates the stage for a conversion that transliterates, unless the target has all marks.
    pub(in super::super) fn stage(conversion: &Conversion) -> Option<Box<dyn Stage>> {
        let target = conversion.to?;
        // Grave accent, solidus, Hebrew point, Hangul vowel, prohibition, musical stem: one of each kind of mark, so a
        // target that has all six has the marks of all of Unicode.
        const MARKS: [CodePoint; 6] = [0x300, 0x338, 0x5B0, 0x1161, 0x20E0, 0x1_D165];
        let lacks_marks = || MARKS.iter().any(|mark| !target.encodes(&[*mark]));
        (conversion.options.substitution.transliterate && lacks_marks()).then(|| {
            Box::new(Self { target, lacks: HashMap::new(), held: Vec::new() }) as Box<dyn Stage>
        })
    }

    fn lacks(&mut self, cp: CodePoint) -> bool {
        /// Real text has fewer different letters with marks.
        const MAX_CACHED: usize = 4096;
        if self.lacks.len() >= MAX_CACHED {
            self.lacks.clear();
        }
        *self.lacks.entry(cp).or_insert_with(|| !self.target.encodes(&[cp]))
    }

    fn extends(&self, cp: CodePoint, remedies: &Remedies) -> bool {
        match *self.held {
            [] => false,
            [(first, lacks)] => {
                // A sign that was held only because a pair was possible has no marks. Had the next character been
                // known, it would have passed, and the result must be the same. U+0300 U+0316, without a letter, once
                // came out in canonical order, but only if the input was cut between the two.
                is_base(first) && extends(cp) || lacks && remedies.is_pair(first, cp)
            }
            _ => self.held.len() < MAX_HELD && extends(cp),
        }
    }

    /// Whether `cp`, which belongs to no held letter, must be held itself because it may go together with what follows
    /// it.
    fn begins(&mut self, cp: CodePoint, next: Option<CodePoint>, remedies: &Remedies) -> bool {
        holds(cp, next) || may_be_pair(cp, next, remedies) && self.lacks(cp)
    }

    /// Writes what stands for the held letter and its marks, if any. One form is looked for that covers all of them;
    /// each character that the target lacks is then counted with its outcome. If the target has every single one, they
    /// are written as they are.
    fn settle_cluster(&mut self, rest: &mut LaterStages<'_>) -> Passed {
        if self.held.is_empty() {
            return Ok(());
        }
        let held = std::mem::take(&mut self.held);
        let cps: Vec<CodePoint> = held.iter().map(|(cp, _)| *cp).collect();
        rest.settle(FollowedBy::Break)?;
        match held.iter().filter(|(_, lacks)| *lacks).count() {
            0 => put_marked(&cps, rest)?,
            lacking => match rest.exit.remedies.form(&cps) {
                Some(form) => stand_for(lacking, &form, rest)?,
                None => self.put_in_parts(&cps, lacking, rest)?,
            },
        }
        self.held = held;
        self.held.clear();
        Ok(())
    }

    /// Writes a letter or sign that has no form together with all its marks: what composes as one character, and the
    /// other marks by themselves. So canonically equivalent texts are written alike: `Я` U+0301 U+0316 and `Я` U+0316
    /// U+0301 give the same.
    ///
    /// The outcomes add up to `lacking`. Of the parts, `apart` marks are lacking and get one outcome each. What remains
    /// belongs to the first part, into which the other lacking characters were composed (`joined`), and shares its
    /// outcome.
    ///
    /// A mark may be dropped only after a letter that says the same without it. If the letter itself was replaced by
    /// `?`, a dropped mark would not be a transliteration but a second loss, so it gets its own remedy.
    fn put_in_parts(
        &mut self,
        cps: &[CodePoint],
        lacking: usize,
        rest: &mut LaterStages<'_>,
    ) -> Passed {
        let remedies = rest.exit.remedies;
        // A single character is not composed or decomposed: it may also come without having been held, and must be
        // written alike.
        let mut parts = if cps.len() == 1 { cps.to_vec() } else { composed(cps) };
        // NFC takes some characters apart, such as U+095E (composition exclusions). If that leaves more characters to
        // replace, each stays as it is.
        if parts.iter().filter(|cp| self.lacks(**cp)).count() > lacking {
            parts = cps.to_vec();
        }
        let Some((&first, marks)) = parts.split_first() else { return Ok(()) };
        let marks: Vec<_> = marks.iter().map(|mark| (*mark, self.lacks(*mark))).collect();
        let apart = marks.iter().filter(|(_, lacks)| *lacks).count();
        let joined = lacking.saturating_sub(apart);
        let mut replaced = false;
        if self.lacks(first) {
            let remedy = remedies.for_unmappable(first.into());
            let outcome = match &remedy {
                Remedy::Write(_, outcome) => *outcome,
                _ => Outcome::Dropped,
            };
            replaced = outcome != Outcome::Transliterated;
            rest.exit.apply(Kind::Unmappable, remedy)?;
            count_unmappable(joined.saturating_sub(1), outcome, rest);
        } else {
            put_marked(&[first], rest)?;
            count_unmappable(joined, Outcome::Transliterated, rest);
        }
        for (mark, lacks) in marks {
            if !lacks {
                put_marked(&[mark], rest)?;
            } else if !replaced && may_drop(first, mark) {
                count_unmappable(1, Outcome::Transliterated, rest);
            } else {
                rest.exit.apply(Kind::Unmappable, remedies.for_unmappable(mark.into()))?;
            }
        }
        Ok(())
    }
}

impl Stage for Transliterate {
    /// A kernel does not know marks, but a target that lacks some has no kernel that passes any.
    fn path(&self) -> ConversionPath {
        ConversionPath::KernelsButLast
    }

    fn joins(&self) -> bool {
        true
    }

    fn holds(&self) -> bool {
        !self.held.is_empty()
    }

    /// Marks are rare, so the scan looks for them and not for letters. A letter is of interest only if a mark follows
    /// that the target lacks, or if it is the last of the run and the next run may begin with a mark.
    ///
    /// A letter that the target lacks is not looked for here. The engine stops at it anyway (`EngineStop::Unmappable`),
    /// and passes it through the stages with what follows it.
    fn first_in(&mut self, run: &[CodePoint], next: Option<CodePoint>) -> Option<usize> {
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
        holds(run[last], next).then_some(last)
    }

    fn keeps(&mut self, _: CodePoint) -> bool {
        false
    }

    /// An unmappable letter is transliterated together with the marks after it, and so may be a pair of the locale,
    /// such as Ukrainian `зг`. Only if neither can follow may its remedy be written within the run.
    fn joins_next(&self, cp: CodePoint, next: Option<CodePoint>, remedies: &Remedies) -> bool {
        holds(cp, next) || may_be_pair(cp, next, remedies)
    }

    /// A character belongs to what is held, or ends it. In the second case it may begin something itself, and otherwise
    /// passes. Whatever is held is reported at once if the target lacks it, while its place is known.
    fn character(
        &mut self,
        cp: CodePoint,
        next: Option<CodePoint>,
        origin: &mut Origin<'_>,
        rest: &mut LaterStages<'_>,
    ) -> Passed {
        let remedies = rest.exit.remedies;
        if !self.extends(cp, remedies) {
            self.settle_cluster(rest)?;
            if !self.begins(cp, next, remedies) {
                return rest.character(cp, next, origin);
            }
        }
        let lacks = self.lacks(cp);
        if lacks {
            rest.exit.report_lacking(cp.into(), origin, false)?;
        }
        self.held.push((cp, lacks));
        Ok(())
    }

    fn settle(&mut self, followed_by: FollowedBy, rest: &mut LaterStages<'_>) -> Passed {
        match followed_by {
            FollowedBy::Character(_) | FollowedBy::Gap => Ok(()),
            FollowedBy::Break | FollowedBy::End => self.settle_cluster(rest),
        }
    }
}

/// Whether `cp` may have marks, if `next` follows it; `None` if that is not known yet.
pub(in super::super) fn holds(cp: CodePoint, next: Option<CodePoint>) -> bool {
    next.is_none_or(extends) && is_base(cp)
}

fn may_be_pair(cp: CodePoint, next: Option<CodePoint>, remedies: &Remedies) -> bool {
    next.is_none_or(|next| remedies.is_pair(cp, next))
}

/// Writes characters of which the target has every single one. The encoder may still refuse one in its present state.
/// Such a character was not reported when it was held, so it is reported here, without its place.
fn put_marked(cps: &[CodePoint], rest: &mut LaterStages<'_>) -> Passed {
    let exit = &mut rest.exit;
    let mut done = 0;
    while let Some(good) = exit.put(&cps[done..])? {
        done += good;
        exit.findings.report_unplaced(exit.reporter, Kind::Unmappable, 1);
        exit.apply(Kind::Unmappable, exit.remedies.for_unmappable(cps[done].into()))?;
        done += 1;
    }
    Ok(())
}

/// Writes the form of a cluster, and counts it as the outcome of all `lacking` characters.
fn stand_for(lacking: usize, form: &[CodePoint], rest: &mut LaterStages<'_>) -> Passed {
    let remedy = Remedy::Write(form.into(), Outcome::Transliterated);
    rest.exit.apply(Kind::Unmappable, remedy)?;
    count_unmappable(lacking - 1, Outcome::Transliterated, rest);
    Ok(())
}

fn count_unmappable(count: usize, outcome: Outcome, rest: &mut LaterStages<'_>) {
    for _ in 0..count {
        rest.exit.findings.count_outcome(Kind::Unmappable, outcome);
    }
}

fn first_mark(run: &[CodePoint]) -> Option<usize> {
    const BLOCK: usize = 64;
    // No mark is below U+0300. Most blocks are, and the maximum has no branch per character.
    let may_have = |block: &[CodePoint]| block.iter().fold(0, |most, cp| most.max(*cp)) >= 0x300;
    let blocks = run.chunks(BLOCK).zip((0..).step_by(BLOCK));
    blocks
        .filter(|(block, _)| may_have(block))
        .find_map(|(block, start)| block.iter().position(|cp| extends(*cp)).map(|at| start + at))
}
