//! The end of the pipeline: it encodes a character, or what stands for one that the target lacks, and it reports what
//! the stages find.

use super::error::Error;
use super::findings::Findings;
use super::origin::{Origin, Seen};
use super::remedy::{Remedies, Remedy};
use crate::diagnostic::{Character, Details, Finding, Kind, Outcome, Reporter};
use oxiconv_encodings::codec::CodeValue;
use oxiconv_encodings::unicode::{CodePoint, REPLACEMENT_CHARACTER};

/// Why a conversion does not go on.
#[derive(Debug)]
pub(super) enum Halt {
    /// A fault stops it: nothing from this offset of the input on is converted.
    Stop(u64),
    Error(Error),
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

/// The result of what may end a conversion.
pub(super) type Passed<T = ()> = Result<T, Halt>;

/// Takes code points that are to be written.
pub(super) trait Put {
    /// Encodes `run` up to the first code point that the target lacks. Returns its index, or `None` if everything was encoded.
    fn put(&mut self, run: &[CodePoint]) -> Result<Option<usize>, Error>;
}

/// A denied character among those that bytes are read as, which is not passed on.
pub(super) struct Removed<'r> {
    /// Its index.
    pub(super) at: usize,
    pub(super) kind: Kind,
    pub(super) remedy: Remedy<'r>,
}

/// Where characters leave the pipeline, and findings.
pub(super) struct Exit<'e> {
    pub(super) remedies: &'e Remedies,
    pub(super) findings: &'e mut Findings,
    pub(super) reporter: &'e mut dyn Reporter,
    pub(super) output: &'e mut dyn Put,
    /// Whether findings are shown in their text, with what the target has instead of what it lacks.
    pub(super) explains: bool,
    /// The next character, if the encoder has just refused it.
    pub(super) refused: Option<CodePoint>,
}

impl<'e> Exit<'e> {
    /// An exit to `output`, for findings that are not shown in their text.
    pub(super) fn new(
        remedies: &'e Remedies,
        findings: &'e mut Findings,
        reporter: &'e mut dyn Reporter,
        output: &'e mut dyn Put,
    ) -> Self {
        Self { remedies, findings, reporter, output, explains: false, refused: None }
    }
}

impl Exit<'_> {
    /// Returns the same, for a shorter time.
    pub(super) fn reborrow(&mut self) -> Exit<'_> {
        Exit {
            remedies: self.remedies,
            findings: self.findings,
            reporter: self.reporter,
            output: self.output,
            explains: self.explains,
            refused: self.refused,
        }
    }

    /// Reports a fault at this place, and halts the conversion if it stops it.
    pub(super) fn report(&mut self, fault: Finding<'_>, origin: &mut Origin<'_>) -> Passed {
        if fault.stops || self.reporter.wants_places() {
            origin.show_text_before(self.reporter, self.findings.encoding);
            if let Some(seen) = origin.seen() {
                return self.report_seen(fault, seen);
            }
        }
        debug_assert!(!fault.stops, "what may stop the conversion is held back with its place");
        self.findings.report_unplaced(self.reporter, fault.kind, 1);
        Ok(())
    }

    fn report_seen(&mut self, fault: Finding<'_>, seen: Seen<'_>) -> Passed {
        let Seen { offset, position, characters, bytes, context } = seen;
        let stops = fault.stops;
        let finding = self.findings.placed(fault, offset, position, bytes);
        let context = context.unwrap_or_default();
        self.findings.report(self.reporter, &Finding { context, ..finding })?;
        if stops {
            // What was held back behind it was counted when it was read.
            self.findings.summary.characters = characters;
            return Err(Halt::Stop(offset));
        }
        Ok(())
    }

    /// Shows the reporter a character.
    pub(super) fn show(&mut self, value: CodeValue, origin: &mut Origin<'_>) -> Result<(), Error> {
        let Some(Seen { offset, bytes, .. }) = origin.seen() else { return Ok(()) };
        let character = Character { value, bytes: &bytes, offset };
        self.reporter.character(&character).map_err(Error::Report)
    }

    /// Encodes a run, up to the first code point that the target lacks, and returns its index.
    pub(super) fn put(&mut self, run: &[CodePoint]) -> Result<Option<usize>, Error> {
        self.output.put(run)
    }

    /// Encodes a character, or what stands for it.
    pub(super) fn character(&mut self, cp: CodePoint, origin: &mut Origin<'_>) -> Passed {
        if self.refused == Some(cp) || self.put(&[cp])?.is_some() {
            return self.unmappable(cp.into(), origin);
        }
        Ok(())
    }

    /// Encodes the characters that bytes are read as, except for those that are removed. A stop at one of them is a stop at
    /// all of them: nothing is written.
    pub(super) fn group(
        &mut self,
        characters: &[CodePoint],
        removed: Vec<Removed<'_>>,
        origin: &mut Origin<'_>,
    ) -> Passed {
        let kept = |(at, cp)| (!removed.iter().any(|it| it.at == at)).then_some(cp);
        let kept = characters.iter().copied().enumerate().filter_map(kept);
        if let Some(cp) = self.remedies.stops_at(kept) {
            return self.report_lacking(cp.into(), origin, true);
        }
        let mut done = 0;
        for Removed { at, kind, remedy } in removed {
            self.run(&characters[done..at], origin)?;
            self.apply(kind, remedy)?;
            done = at + 1;
        }
        self.run(&characters[done..], origin)
    }

    /// Encodes characters of one place, or what stands for them.
    pub(super) fn run(&mut self, characters: &[CodePoint], origin: &mut Origin<'_>) -> Passed {
        let mut rest = characters;
        while let Some(at) = self.put(rest)? {
            self.unmappable(rest[at].into(), origin)?;
            rest = &rest[at + 1..];
        }
        Ok(())
    }

    /// Reports a character that the target lacks, and applies its remedy.
    pub(super) fn unmappable(&mut self, value: CodeValue, origin: &mut Origin<'_>) -> Passed {
        let remedy = self.remedies.for_unmappable(value);
        self.report_lacking(value, origin, remedy == Remedy::Stop)?;
        Ok(self.apply(Kind::Unmappable, remedy)?)
    }

    /// Reports a character that the target lacks; if findings are shown in their text, with what the target has instead.
    pub(super) fn report_lacking(
        &mut self,
        value: CodeValue,
        origin: &mut Origin<'_>,
        stops: bool,
    ) -> Passed {
        if stops || self.reporter.wants_places() {
            return self.report_lacking_at(value, origin, stops);
        }
        self.findings.report_unplaced(self.reporter, Kind::Unmappable, 1);
        Ok(())
    }

    fn report_lacking_at(
        &mut self,
        value: CodeValue,
        origin: &mut Origin<'_>,
        stops: bool,
    ) -> Passed {
        let Some(encoding) = self.remedies.conversion.to else { return Ok(()) };
        let details = match self.explains {
            true => self.remedies.offers(value),
            false => Details::None,
        };
        let fault = Finding::of_character(Kind::Unmappable, Some(value)).with(details);
        self.report(Finding { encoding, ..fault }.stopping(stops), origin)
    }

    /// Writes what stands for a fault that does not stop the conversion, and counts the outcome.
    pub(super) fn apply(&mut self, kind: Kind, remedy: Remedy<'_>) -> Result<(), Error> {
        let outcome = self.write(remedy)?;
        self.findings.count_outcome(kind, outcome);
        Ok(())
    }

    /// The same, without counting: the fault goes on.
    pub(super) fn write(&mut self, remedy: Remedy<'_>) -> Result<Outcome, Error> {
        write(remedy, self.remedies, self.output)
    }
}

/// Writes what stands for a fault that does not stop the conversion, and returns what became of it.
pub(super) fn write(
    remedy: Remedy<'_>,
    remedies: &Remedies,
    output: &mut dyn Put,
) -> Result<Outcome, Error> {
    let Remedy::Write(code_points, meant) = remedy else { return Ok(Outcome::Dropped) };
    let mut done = 0;
    let (mut whole, mut as_meant) = (true, true);
    // What the target lacks, or cannot write here, is itself replaced, by U+FFFD in the worst case.
    while let Some(good) = output.put(&code_points[done..])? {
        whole &= output.put(remedies.replacement())?.is_none()
            || output.put(&[REPLACEMENT_CHARACTER])?.is_none();
        as_meant = false;
        done += good + 1;
    }
    Ok(match (whole, as_meant) {
        (false, _) => Outcome::Dropped,
        (true, false) => Outcome::Replaced,
        (true, true) => meant,
    })
}
