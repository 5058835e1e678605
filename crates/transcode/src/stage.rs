//! A stage of the pipeline: it takes one character after the other, and passes it on, holds it, or puts something else
//! in its place.
//!
//! ```text
//!            ┌─ first_in: which is the next character that this stage must see? What comes before it passes in bulk.
//! run ───────┤
//!            └─ character ─► (held, until the next one is known) ─► rest.character ─► … ─► PipelineExit
//! ```
//!
//! What a stage holds is a value, not bytes to read again: a carriage return that may end its line differently from the
//! others, an invisible character whose effect depends on the next one, a letter whose marks may follow any number of
//! bytes later. Bytes that were left unread instead would have to stay in memory until the matter is decided, and that
//! can take long: any number of escape sequences, which are no characters, may stand between a carriage return and its
//! line feed.
//!
//! Normalization to NFC as an example, with the run `x e U+0301 y` and a blank known to follow:
//!
//! ```text
//! first_in(run)                1: `x` passes in bulk, and passed(`x`) tells the stage
//! character(e, U+0301)         held
//! character(U+0301, y)         held: it belongs to `e`
//! character(y, U+0020)         rest.character(é), then rest.character(y): nothing can change `y` any more
//! ```
//!
//! If the run ended after U+0301, the stage would still hold `e` U+0301 when the next chunk arrives. If the text ended
//! there, `settle(FollowedBy::End)` would pass on é.
//!
//! A stage knows neither the engine nor another stage. To add one, write its file, and its line in
//! [`Pipeline::build`](super::pipeline::Pipeline::build). Its tests need nothing but the stage (`stages/tests.rs`).

pub(super) use super::followed_by::FollowedBy;
use super::origin::Origin;
use super::pipeline_exit::{Passed, PipelineExit, RemovedCharacter};
use super::remedy::Remedies;
use oxiconv_encodings::unicode::CodePoint;

/// How a text that passes a stage may be converted. The variants are in order, from what asks the least to what asks
/// the most, and a pipeline takes the greatest one of its stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ConversionPath {
    /// By kernels: the stage sees no character.
    Kernels,
    /// By kernels, except for a last letter that may have to be held. The kernel stops before the first mark that the
    /// target lacks, but the letter before that mark is already written then, so it is taken back.
    KernelsButLast,
    CodePoints,
}

pub(super) struct TextEnd {
    /// Whether its last line has characters and no line feed.
    pub(super) lacks_line_feed: bool,
}

pub(super) trait Stage: Send {
    fn path(&self) -> ConversionPath {
        ConversionPath::CodePoints
    }

    /// Whether the treatment of a character may depend on the next one, so that a text cannot be split between them.
    fn joins(&self) -> bool {
        false
    }

    fn holds(&self) -> bool {
        false
    }

    /// Returns the index of the first character of `run` that it must see; what comes before it passes in bulk. `next`
    /// is the character after the run; `None` if it is not known yet, or if something else follows. Called only while
    /// the stage holds nothing.
    fn first_in(&mut self, run: &[CodePoint], next: Option<CodePoint>) -> Option<usize>;

    /// Whether a character that it must see certainly passes unchanged. If not, an earlier character may be followed by
    /// something else than this one; see [`Pipeline::first_in`](super::pipeline::Pipeline::first_in).
    fn keeps(&mut self, cp: CodePoint) -> bool;

    /// Whether the remedy for `cp`, an unmappable character that this stage need not see otherwise, may depend on the
    /// character after it.
    fn joins_next(&self, _cp: CodePoint, _next: Option<CodePoint>, _remedies: &Remedies) -> bool {
        false
    }

    /// Takes the next character. `next` is the one after it; `None` if it is not known yet, or if something else
    /// follows.
    fn character(
        &mut self,
        cp: CodePoint,
        next: Option<CodePoint>,
        origin: &mut Origin<'_>,
        rest: &mut LaterStages<'_>,
    ) -> Passed;

    /// Holds as many characters from the start of `run` as it would hold anywhere, and returns their number. Called
    /// only if it is the only stage. It saves a call per character for stages that may hold any number of them.
    fn hold(&mut self, _run: &[CodePoint]) -> usize {
        0
    }

    /// Takes the characters that the bytes of one place are read as, except for those that are removed. By default each
    /// is passed by itself, and the remedy of a removed one is written at its place among them. To what is held, a
    /// removed character is a gap if nothing is written for it, and a break otherwise; the next character is never
    /// known in front of one.
    ///
    /// A stage overrides this if it must decide about all of them before it passes on the first.
    fn group(
        &mut self,
        characters: &[CodePoint],
        removed: Vec<RemovedCharacter<'_>>,
        origin: &mut Origin<'_>,
        rest: &mut LaterStages<'_>,
    ) -> Passed {
        let mut removed = removed.into_iter().peekable();
        for (at, cp) in characters.iter().enumerate() {
            match removed.next_if(|it| it.at == at) {
                None => {
                    let next = characters.get(at + 1).filter(|_| removed.peek().is_none());
                    self.character(*cp, next.copied(), origin, rest)?;
                }
                Some(RemovedCharacter { kind, remedy, .. }) => {
                    let before = remedy.comes_after();
                    self.settle(before, rest)?;
                    rest.settle(before)?;
                    rest.exit.apply(kind, remedy)?;
                }
            }
        }
        Ok(())
    }

    /// Takes note of characters that passed in bulk.
    fn passed(&mut self, _: &[CodePoint]) {}

    /// Passes on what it holds, as far as that does not depend on what follows. The stages after this one are settled
    /// afterwards: what this one passes on reaches them first, and may have to be settled with the rest.
    fn settle(&mut self, _: FollowedBy, _: &mut LaterStages<'_>) -> Passed {
        Ok(())
    }

    /// Takes note of the end of the text. Nothing is held then.
    fn end(&mut self, _: &TextEnd, _: &mut Origin<'_>, _: &mut LaterStages<'_>) -> Passed {
        Ok(())
    }
}

/// The stages after the current one, and the exit.
pub(super) struct LaterStages<'r> {
    pub(super) stages: &'r mut [Box<dyn Stage>],
    pub(super) exit: PipelineExit<'r>,
}

impl LaterStages<'_> {
    pub(super) fn character(
        &mut self,
        cp: CodePoint,
        next: Option<CodePoint>,
        origin: &mut Origin<'_>,
    ) -> Passed {
        match self.stages.split_first_mut() {
            Some((stage, stages)) => stage.character(
                cp,
                next,
                origin,
                &mut LaterStages { stages, exit: self.exit.reborrow() },
            ),
            None => self.exit.character(cp, origin),
        }
    }

    /// Passes on the characters that the bytes of one place are read as, except for those that are removed.
    pub(super) fn group(
        &mut self,
        characters: &[CodePoint],
        removed: Vec<RemovedCharacter<'_>>,
        origin: &mut Origin<'_>,
    ) -> Passed {
        match self.stages.split_first_mut() {
            Some((stage, stages)) => {
                let mut rest = LaterStages { stages, exit: self.exit.reborrow() };
                stage.group(characters, removed, origin, &mut rest)
            }
            None => self.exit.group(characters, removed, origin),
        }
    }

    pub(super) fn settle(&mut self, followed_by: FollowedBy) -> Passed {
        self.each(|stage, rest| stage.settle(followed_by, rest))
    }

    /// Calls `visit` with each of these stages and those after it.
    pub(super) fn each(
        &mut self,
        mut visit: impl FnMut(&mut dyn Stage, &mut LaterStages<'_>) -> Passed,
    ) -> Passed {
        for at in 0..self.stages.len() {
            if let Some((stage, stages)) = self.stages[at..].split_first_mut() {
                visit(&mut **stage, &mut LaterStages { stages, exit: self.exit.reborrow() })?;
            }
        }
        Ok(())
    }
}
