//! Findings that are held back until it is known what they probably are, which depends on the whole text: those of
//! sarif, and of json in a check. Their number is limited.
//!
//! A finding is made before the bytes after it are read, but a guess needs these (`GuessPlace::after`). So the text is
//! passed to `look` as well, which fills in the lookahead of the last findings.

use std::io;
use std::ops::Range;

use super::finding_format::{Guessed, SuggestedReplacement};
use super::finding_group::{AdjacentFindings, FindingPosition, place};
use crate::guess::{Cause, Guess, GuessPlace, Verdict};
use oxiconv_transcode::diagnostic::{Finding, Kind};

/// Bytes after a finding that may belong to the same sequence.
const LOOKAHEAD: usize = GuessPlace::LONGEST;

/// The most findings to hold back. A text with more gets no guesses for single findings.
const MAX_HELD_FINDINGS: usize = 4096;

#[derive(Debug)]
struct HeldFinding {
    finding: Finding<'static>,
    is_known: bool,
    /// The bytes after it that have been read, at most [`LOOKAHEAD`].
    after: Vec<u8>,
}

/// The findings of one text that are held back.
#[derive(Debug, Default)]
pub(super) struct HeldFindings {
    findings: Vec<HeldFinding>,
    /// How many of them have all of their lookahead.
    complete: usize,
    /// The offset of the next byte of text.
    seen: u64,
}

impl HeldFindings {
    pub(super) fn is_full(&self) -> bool {
        self.findings.len() >= MAX_HELD_FINDINGS
    }

    pub(super) fn push(&mut self, finding: &Finding<'_>, is_known: bool) {
        let finding = finding.detached();
        self.findings.push(HeldFinding { finding, is_known, after: Vec::new() });
    }

    /// Fills in lookahead from the next bytes of the text. The findings in these bytes have been pushed before.
    ///
    /// The next byte that a finding lacks is at `wanted`, and the first of `bytes` is at `seen`. Findings come in
    /// order, so those whose lookahead is complete are at the start of the list, and are not looked at again.
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

    /// Passes on each finding, with whether the baseline lists it and what it probably is. `all` says whether the whole
    /// text was judged.
    ///
    /// The verdict guesses groups and not findings: of the six findings in a surrogate pair, the first one alone means
    /// nothing. So adjacent findings with one cause are collected, guessed once, and then passed on one by one with the
    /// guess of their group. The suggested text for a group of single bytes is split among them; that of a surrogate
    /// pair belongs to its first byte.
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
            // A finding that was not judged, or whose lookahead was not, has no guess.
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

/// Returns the text for the characters that begin at `range` of a group of `len` bytes; `None` if no character begins
/// there, or if the bytes are not meant as characters.
fn replacement(guess: &Guess, range: Range<usize>, len: usize) -> Option<SuggestedReplacement> {
    let (characters, len) = match guess.cause {
        Cause::SingleByte => (guess.characters.get(range.clone())?, range.len()),
        Cause::Cesu8 if range.start == 0 => (&guess.characters[..], len),
        _ => return None,
    };
    // If no command repairs this, replacing the bytes would not either.
    guess.repair.as_ref()?;
    let text: Option<String> = characters.iter().map(|cp| char::from_u32(*cp)).collect();
    Some(SuggestedReplacement { len, text: text? })
}
