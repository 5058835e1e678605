//! The end of the pipeline. It encodes a character, or applies the remedy for one that the target lacks, and it reports
//! what the stages find.
//!
//! A stage gets the exit together with the later stages ([`LaterStages`](super::stage::LaterStages)), and uses it
//! directly for what the later stages must not see: a replacement, an escape, or the blanks of a record. It settles
//! them first, so that what they hold is written before that.
//!
//! Two halves do not know each other. The sink ([`CodePointSink`]) is the buffered output of a conversion, or the
//! buffer of a caller of iconv(3). The place of a character comes from an [`Origin`], which finds it only if somebody
//! asks. So a stage reports in the same way whether places are wanted or not.

use super::error::Error;
use super::input_findings::InputFindings;
use super::origin::{Origin, ResolvedPlace};
use super::remedy::{Remedies, Remedy};
use crate::diagnostic::{Character, Details, Finding, Kind, Outcome, Reporter};
use oxiconv_encodings::codec::CodeValue;
use oxiconv_encodings::unicode::{CodePoint, REPLACEMENT_CHARACTER};

/// Why a character does not pass. Both variants end the conversion, and `?` carries them from any stage to the chunk
/// loop. A stop is a result, with a finding and a summary. An error is something else that failed, such as a write.
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

pub(super) type Passed<T = ()> = Result<T, Halt>;

pub(super) trait CodePointSink {
    /// Encodes `run`, up to the first code point that the target lacks. Returns the index of that, or `None` if
    /// everything was encoded.
    fn put(&mut self, run: &[CodePoint]) -> Result<Option<usize>, Error>;
}

/// A denied character, among those that the bytes of one place are read as, that is not passed on.
pub(super) struct RemovedCharacter<'r> {
    pub(super) at: usize,
    pub(super) kind: Kind,
    pub(super) remedy: Remedy<'r>,
}

pub(super) struct PipelineExit<'e> {
    pub(super) remedies: &'e Remedies,
    pub(super) findings: &'e mut InputFindings,
    pub(super) reporter: &'e mut dyn Reporter,
    pub(super) output: &'e mut dyn CodePointSink,
    /// Whether findings are shown in context, with what the target offers for a character that it lacks.
    pub(super) explains: bool,
    /// The next character, if the encoder has just refused it: it need not be tried again. The pipeline may pass on
    /// another character first, such as a held letter, so this is compared and not only checked.
    pub(super) refused: Option<CodePoint>,
}

impl<'e> PipelineExit<'e> {
    pub(super) fn new(
        remedies: &'e Remedies,
        findings: &'e mut InputFindings,
        reporter: &'e mut dyn Reporter,
        output: &'e mut dyn CodePointSink,
    ) -> Self {
        Self { remedies, findings, reporter, output, explains: false, refused: None }
    }
}

impl PipelineExit<'_> {
    pub(super) fn reborrow(&mut self) -> PipelineExit<'_> {
        PipelineExit {
            remedies: self.remedies,
            findings: self.findings,
            reporter: self.reporter,
            output: self.output,
            explains: self.explains,
            refused: self.refused,
        }
    }

    /// Reports a fault at this place; returns a halt if it stops the conversion.
    ///
    /// Without a place it is only counted. That is the case if nobody wants places any more (the limit of findings is
    /// reached), and it is what makes bad text cheap: its place is never computed, and its bytes are not copied.
    pub(super) fn report(&mut self, fault: Finding<'_>, origin: &mut Origin<'_>) -> Passed {
        if fault.stops || self.reporter.wants_places() {
            origin.show_text_before(self.reporter, self.findings.encoding);
            if let Some(seen) = origin.resolve() {
                return self.report_seen(fault, seen);
            }
        }
        debug_assert!(!fault.stops, "what may stop the conversion is held back with its place");
        self.findings.report_unplaced(self.reporter, fault.kind, 1);
        Ok(())
    }

    fn report_seen(&mut self, fault: Finding<'_>, seen: ResolvedPlace<'_>) -> Passed {
        let ResolvedPlace { offset, position, characters, bytes, context } = seen;
        let stops = fault.stops;
        let finding = self.findings.placed(fault, offset, position, bytes);
        let context = context.unwrap_or_default();
        self.findings.report(self.reporter, &Finding { context, ..finding })?;
        if stops {
            // Characters held after it were counted when they were read. They come after the stop, so the count returns
            // to its place.
            self.findings.summary.characters = characters;
            return Err(Halt::Stop(offset));
        }
        Ok(())
    }

    pub(super) fn show(&mut self, value: CodeValue, origin: &mut Origin<'_>) -> Result<(), Error> {
        let Some(ResolvedPlace { offset, bytes, .. }) = origin.resolve() else { return Ok(()) };
        let character = Character { value, bytes: &bytes, offset };
        self.reporter.character(&character).map_err(Error::Report)
    }

    pub(super) fn put(&mut self, run: &[CodePoint]) -> Result<Option<usize>, Error> {
        self.output.put(run)
    }

    pub(super) fn character(&mut self, cp: CodePoint, origin: &mut Origin<'_>) -> Passed {
        if self.refused == Some(cp) || self.put(&[cp])?.is_some() {
            return self.unmappable(cp.into(), origin);
        }
        Ok(())
    }

    /// Encodes the characters that the bytes of one place are read as, except for those that are removed: ill-formed
    /// bytes read in a fallback encoding, for instance, or repaired mojibake. If one of the characters stops the
    /// conversion, nothing of the place is written, because the finding names its first byte.
    ///
    /// So all of them are tried before the first is written. `removed` is in ascending order of `at`.
    pub(super) fn group(
        &mut self,
        characters: &[CodePoint],
        removed: Vec<RemovedCharacter<'_>>,
        origin: &mut Origin<'_>,
    ) -> Passed {
        let kept = |(at, cp)| (!removed.iter().any(|it| it.at == at)).then_some(cp);
        let kept = characters.iter().copied().enumerate().filter_map(kept);
        if let Some(cp) = self.remedies.stops_at(kept) {
            return self.report_lacking(cp.into(), origin, true);
        }
        let mut done = 0;
        for RemovedCharacter { at, kind, remedy } in removed {
            self.run(&characters[done..at], origin)?;
            self.apply(kind, remedy)?;
            done = at + 1;
        }
        self.run(&characters[done..], origin)
    }

    pub(super) fn run(&mut self, characters: &[CodePoint], origin: &mut Origin<'_>) -> Passed {
        let mut rest = characters;
        while let Some(at) = self.put(rest)? {
            self.unmappable(rest[at].into(), origin)?;
            rest = &rest[at + 1..];
        }
        Ok(())
    }

    /// Reports a character that the target lacks, and writes what its remedy says. The report comes first: if it stops
    /// the conversion, nothing may be written for the character.
    pub(super) fn unmappable(&mut self, value: CodeValue, origin: &mut Origin<'_>) -> Passed {
        let remedy = self.remedies.for_unmappable(value);
        self.report_lacking(value, origin, remedy == Remedy::Stop)?;
        Ok(self.apply(Kind::Unmappable, remedy)?)
    }

    /// Reports an unmappable character; if findings are shown in context, with what the target offers instead.
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

    /// Applies the remedy of a fault that does not stop the conversion, and counts the outcome.
    pub(super) fn apply(&mut self, kind: Kind, remedy: Remedy<'_>) -> Result<(), Error> {
        let outcome = self.write(remedy)?;
        self.findings.count_outcome(kind, outcome);
        Ok(())
    }

    /// The same without counting.
    pub(super) fn write(&mut self, remedy: Remedy<'_>) -> Result<Outcome, Error> {
        write(remedy, self.remedies, self.output)
    }
}

/// Applies the remedy of a fault that does not stop the conversion, and returns the outcome.
///
/// The target may lack a code point of the remedy itself, or be unable to write it in its present state, as C99 cannot
/// write a digit that would make the text before it look like an escape. Then the replacement is written for that one,
/// and U+FFFD if it cannot be written either. The outcome says what happened: as meant if all of it was written,
/// replaced if a replacement had to stand in somewhere, and dropped if even that was impossible, since then something
/// is missing in the output without a trace.
pub(super) fn write(
    remedy: Remedy<'_>,
    remedies: &Remedies,
    output: &mut dyn CodePointSink,
) -> Result<Outcome, Error> {
    let Remedy::Write(code_points, meant) = remedy else { return Ok(Outcome::Dropped) };
    let mut done = 0;
    let (mut whole, mut as_meant) = (true, true);
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
