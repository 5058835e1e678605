//! Findings that are held back until it is known what they probably are, which depends on the whole text: those of
//! sarif, and of json in a check. Their number is limited.

use std::io;
use std::ops::Range;

use super::finding_format::{Guessed, SuggestedReplacement};
use super::finding_group::{AdjacentFindings, FindingPosition, place};
use crate::guess::{Cause, Guess, GuessPlace, Verdict};
use oxiconv_transcode::diagnostic::{Finding, Kind};

/// Bytes after a finding that may belong to the same sequence.
const LOOKAHEAD: usize = GuessPlace::LONGEST;

/// The most findings of a text to hold back. If there are more, none of them has a guess of its own.
const MAX_HELD_FINDINGS: usize = 4096;

#[derive(Debug)]
struct HeldFinding {
    finding: Finding<'static>,
    /// Whether the baseline lists it.
    is_known: bool,
    /// The bytes after it.
    after: Vec<u8>,
}

/// The findings of one text.
#[derive(Debug, Default)]
pub(super) struct HeldFindings {
    findings: Vec<HeldFinding>,
    /// How many have all the bytes after them.
    complete: usize,
    /// Bytes of the text that were seen.
    seen: u64,
}

impl HeldFindings {
    /// Whether no more may be held back.
    pub(super) fn is_full(&self) -> bool {
        self.findings.len() >= MAX_HELD_FINDINGS
    }

    pub(super) fn push(&mut self, finding: &Finding<'_>, is_known: bool) {
        let finding = finding.detached();
        self.findings.push(HeldFinding { finding, is_known, after: Vec::new() });
    }

    /// Examines the next bytes of the text, which come after the findings in them.
    pub(super) fn look(&mut self, bytes: &[u8]) {
        for HeldFinding { finding, after, .. } in &mut self.findings[self.complete..] {
            let wanted = finding.offset + (finding.bytes.len() + after.len()) as u64;
            let Some(skip) = wanted.checked_sub(self.seen) else { continue };
            let rest = usize::try_from(skip).ok().and_then(|skip| bytes.get(skip..));
            let missing = LOOKAHEAD - after.len();
            after.extend(rest.unwrap_or_default().iter().take(missing));
        }
        let open = &self.findings[self.complete..];
        self.complete += open.iter().take_while(|held| held.after.len() == LOOKAHEAD).count();
        self.seen += bytes.len() as u64;
    }

    /// Moves past bytes before the first finding.
    pub(super) fn skip(&mut self, bytes: u64) {
        self.seen += bytes;
    }

    /// Passes on the findings, with whether the baseline lists each, and what it probably is by the verdict on the text,
    /// of which not `all` may have been judged.
    pub(super) fn pass(
        self,
        verdict: Option<&Verdict>,
        all: bool,
        mut to: impl FnMut(&Finding<'_>, bool, Option<&Guessed<'_>>) -> io::Result<()>,
    ) -> io::Result<()> {
        let seen = self.seen;
        let mut findings = self.findings.into_iter().peekable();
        while let Some(mut first) = findings.next() {
            let (mut bytes, mut after) =
                (first.finding.bytes.to_vec(), std::mem::take(&mut first.after));
            // What was not judged has no guess.
            let end = first.finding.offset + (first.finding.bytes.len() + LOOKAHEAD) as u64;
            let verdict = verdict.filter(|_| all || end <= seen);
            let part = verdict.and_then(|_| place(&first.finding, &bytes, &after));
            let at = FindingPosition::of(&first.finding);
            let mut part = part.map(|place| AdjacentFindings::new(&place, at));
            let mut group = vec![first];
            while let Some(part) = &mut part
                && let Some(mut next) = findings.next_if(|next| {
                    let place = place(&next.finding, &next.finding.bytes, &next.after);
                    place.is_some_and(|place| part.takes(&place))
                })
            {
                part.take(next.finding.bytes.len());
                bytes.extend_from_slice(&next.finding.bytes);
                after = std::mem::take(&mut next.after);
                group.push(next);
            }
            let first = &group[0].finding;
            let guess = verdict.and_then(|verdict| match place(first, &bytes, &after) {
                Some(place) => verdict.guess(&place),
                None => verdict.whole.clone().filter(|_| first.kind == Kind::OtherEncoding),
            });
            let mut start = 0;
            for HeldFinding { finding, is_known, .. } in &group {
                let range = start..start + finding.bytes.len();
                start = range.end;
                let guessed = guess.as_ref().map(|guess| Guessed {
                    guess,
                    replacement: replacement(guess, range, bytes.len()),
                });
                to(finding, *is_known, guessed.as_ref())?;
            }
        }
        Ok(())
    }
}

/// Returns the text for the characters that begin at `range` of a group of `len` bytes; `None` if none begins there, or they
/// are not meant as such.
fn replacement(guess: &Guess, range: Range<usize>, len: usize) -> Option<SuggestedReplacement> {
    let (characters, len) = match guess.cause {
        Cause::SingleByte => (guess.characters.get(range.clone())?, range.len()),
        Cause::Cesu8 if range.start == 0 => (&guess.characters[..], len),
        _ => return None,
    };
    // Repairs that the command line lacks are not plain replacements either.
    guess.repair.as_ref()?;
    let text: Option<String> = characters.iter().map(|cp| char::from_u32(*cp)).collect();
    Some(SuggestedReplacement { len, text: text? })
}
