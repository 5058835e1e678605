//! What is known about one text: its bytes as the judge saw them, and its findings.
//!
//! How much the judge has seen decides how much may be said:
//!
//! ```text
//! all of the text                          a verdict on the text
//! up to the limit of the format            a verdict, and the hint says that it is about this part
//! up to a stop, and a part after it        the same, unless the text ends with that part
//! up to a stop, and no more is at hand     no verdict: only what is before the stop is evidence (hint_at_stop.rs)
//! ```

use super::finding_format::Conclusion;
use super::finding_group::FindingGroup;
use crate::guess::{Guess, Hint, LineReading, TextJudge, Verdict, undamaged};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_transcode::diagnostic::{Finding, Kind};

#[derive(Default)]
pub(super) struct Examination {
    judge: TextJudge,
    /// The most bytes to judge, and how many were judged.
    max_judged: usize,
    judged: usize,
    /// All findings, those that are faults, and those about bytes rather than characters.
    findings: u64,
    faults: u64,
    of_bytes: u64,
    /// Whether a finding stops the conversion.
    stops: bool,
    /// Its first byte, and the next byte if it is known.
    stop: Option<(u8, Option<u8>)>,
    /// Whether the text ends with the part after the stop that was judged; `None` if no part after it was judged.
    after_stop: Option<bool>,
    /// Whether a line that may have readings was seen.
    has_read: bool,
}

impl Examination {
    pub(super) fn new(max_judged: usize) -> Self {
        Self { max_judged, ..Self::default() }
    }

    pub(super) fn finding(&mut self, finding: &Finding<'_>) {
        self.findings += 1;
        self.faults += u64::from(finding.kind.is_fault());
        self.of_bytes += u64::from(finding.kind.is_of_bytes());
        self.judge.finding(finding);
        self.stops |= finding.stops;
        if let (true, true, [byte, rest @ ..]) =
            (finding.stops, finding.kind.is_of_bytes(), &*finding.bytes)
        {
            self.stop = Some((*byte, rest.first().copied().or(finding.next)));
        }
    }

    /// Counts ill-formed subsequences.
    pub(super) fn ill_formed(&mut self, count: u64) {
        self.findings += count;
        self.faults += count;
        self.of_bytes += count;
    }

    /// Counts findings that are not passed on because of the limit.
    pub(super) fn unplaced(&mut self, kind: Kind, count: u64) {
        if kind.is_of_bytes() {
            self.of_bytes += count;
        }
    }

    /// Judges the next bytes of the text, and returns those that were within the limit.
    pub(super) fn text<'b>(&mut self, bytes: &'b [u8], encoding: &'static Encoding) -> &'b [u8] {
        let bytes = &bytes[..bytes.len().min(self.max_judged - self.judged)];
        self.judged += bytes.len();
        self.judge.look(bytes, encoding);
        bytes
    }

    pub(super) fn skip(&mut self, bytes: u64, characters: u64) {
        self.judge.skip(bytes, characters);
    }

    /// Says that the bytes judged last come after the bytes that stop the conversion. `last` says that the text ends
    /// there.
    pub(super) fn after_stop(&mut self, last: bool) {
        self.after_stop = Some(last);
    }

    pub(super) const fn findings(&self) -> u64 {
        self.findings
    }

    /// Whether certainly all of the text was judged: the limit has not been reached.
    pub(super) const fn is_whole(&self) -> bool {
        self.judged < self.max_judged
    }

    /// Returns the verdict on what was judged so far; `end` says that this is the whole text.
    pub(super) fn verdict(&mut self, end: bool) -> Verdict {
        self.judge.verdict(end)
    }

    /// Returns the verdict at the end, unless no bytes are ill-formed, or nothing after the stop was judged.
    pub(super) fn verdict_on_faults(&mut self) -> Option<Verdict> {
        let is_known = self.stop.is_none() || self.after_stop.is_some();
        (self.of_bytes > 0 && is_known).then(|| self.judge.verdict(self.is_judged_to_the_end()))
    }

    fn is_judged_to_the_end(&self) -> bool {
        self.after_stop.unwrap_or(true) && self.is_whole()
    }

    /// Returns the hint on the text. Without a verdict, only what is before the stop can be evidence.
    pub(super) fn hint(&mut self, verdict: Option<&Verdict>) -> Option<Hint> {
        let Some(verdict) = verdict else {
            let (byte, next) = self.stop?;
            return self.judge.hint_at_stop(byte, next);
        };
        let hint = verdict.hint()?;
        Some(if self.is_judged_to_the_end() { hint } else { hint.of_part(self.judged) })
    }

    /// Returns the plausible readings of the line of a group, if it is the first one that may have any. One line is
    /// enough to compare them, and the text is judged once more for them.
    ///
    /// It has none if its bytes are known to be no letters, such as those of a truncated character.
    pub(super) fn readings(
        &mut self,
        group: &FindingGroup,
        guess: Option<&Guess>,
        verdict: &Verdict,
    ) -> Vec<LineReading> {
        let mojibake = group.finding.mojibake();
        let is_ill_formed = matches!(group.finding.kind, Kind::IllFormed(_));
        let is_read = guess.is_none_or(|guess| guess.cause.is_of_text());
        let may_have_any = mojibake.is_some() || is_ill_formed && is_read;
        if !may_have_any || std::mem::replace(&mut self.has_read, true) {
            return Vec::new();
        }
        match mojibake {
            Some(mojibake) => undamaged(group, mojibake).into_iter().collect(),
            None => {
                let candidates = self.judge.candidates(verdict, self.is_judged_to_the_end());
                candidates.map_or_else(Vec::new, |candidates| candidates.readings(group))
            }
        }
    }

    /// Whether all findings have one cause, so that one of them can stand for all.
    pub(super) fn is_one_cause(&self, verdict: &Verdict) -> bool {
        self.of_bytes > 0 && verdict.whole.is_some() && !verdict.names_bytes()
    }

    /// Returns the conclusion on the text. `is_any_shown` says whether a group was shown.
    ///
    /// In this order: nothing may be reported although the text is ill-formed; a guess about the whole text, or a note;
    /// several causes without a common repair; the hint, unless a finding stopped the conversion; and only for a text
    /// without findings that it is clean.
    pub(super) fn conclusion(&self, verdict: &Verdict, is_any_shown: bool) -> Conclusion {
        let Self { faults, of_bytes, .. } = *self;
        // A baseline or the rules of a repository may leave all findings out. Then there are none to report, but the
        // text is not well-formed either.
        if self.findings == 0 && verdict.is_ill_formed() {
            return Conclusion::LeftOut { bytes: self.judge.text_len() };
        }
        match (&verdict.whole, &verdict.note) {
            (Some(whole), _) if of_bytes > 0 => {
                return Conclusion::Whole { faults, guess: whole.clone() };
            }
            (Some(note), _) | (None, Some(note)) => return Conclusion::Note(note.clone()),
            (None, None) => {}
        }
        if faults > 1 && is_any_shown && verdict.is_of_several() {
            return Conclusion::Several { faults };
        }
        if self.findings > 0 {
            let hint = verdict.hint().filter(|_| of_bytes > 0 && !self.stops);
            return hint.map_or(Conclusion::Nothing, Conclusion::Hint);
        }
        let clean = |encoding| Conclusion::Clean { bytes: self.judge.text_len(), encoding };
        self.judge.encoding().map_or(Conclusion::Nothing, clean)
    }
}
