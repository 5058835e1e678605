//! The conversion of one input: its segments, and the walk over its text.
//!
//! A session borrows the engine, the output and the reporter. A `Transcoder` has all three until the end of an input,
//! so it keeps one session for all chunks. `Incremental` must give the sink and the reporter back to its caller after
//! each piece. It takes the session apart ([`Session::suspend`]) and puts it together again for the next piece. What is
//! kept in between is the [`TextState`] and the [`Segments`], which own what they have.

use super::error::{Error, Stopped};
use super::input_findings::InputFindings;
use super::segments::Segments;
use super::text_state::TextState;
use super::text_walk::TextWalk;
use crate::diagnostic::{Kind, Message, Outcome, Summary};
#[cfg(feature = "detection")]
use oxiconv_detect::detection::Detection;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    Continue,
    /// A fault stops the conversion.
    Stop,
}

/// What is kept of an input while nothing is borrowed.
pub(super) struct Suspended {
    pub(super) text: TextState,
    pub(super) segments: Segments,
}

pub(super) struct Session<'s, 'a> {
    pub(super) walk: TextWalk<'s, 'a>,
    pub(super) segments: Segments,
}

impl Session<'_, '_> {
    /// Releases everything borrowed until more of the input is there.
    pub(super) fn suspend(self) -> Suspended {
        Suspended { text: self.walk.text, segments: self.segments }
    }

    /// Makes it the text from byte `offset` on of a longer one. A line feed, or a character without lasting effect,
    /// comes before it (`cuts.rs`), so stages and segmenters start as they would after a line feed.
    #[cfg(feature = "program")]
    pub(super) fn begin_at(&mut self, offset: u64) {
        self.walk.text.begin_at(offset);
        #[cfg(feature = "detection")]
        self.segments.begin_at(offset);
    }

    pub(super) fn flush(&mut self) -> Result<(), Error> {
        self.walk.output.flush()?;
        self.walk.reporter.flush().map_err(Error::Report)
    }

    /// Moves past `bytes`, which this thread has consumed. The context of findings is kept here and not in
    /// [`Session::pass_bytes`], because a conversion that shows context has only this thread.
    pub(super) fn consume(&mut self, bytes: &[u8]) {
        self.walk.show_text_before(bytes.len(), bytes);
        self.pass_bytes(bytes);
        if let Some(context) = &mut self.walk.text.context {
            context.leave(bytes);
        }
    }

    /// Moves past `bytes`, which this thread or another has converted.
    pub(super) fn pass_bytes(&mut self, bytes: &[u8]) {
        let TextWalk { reporter, text, .. } = &mut self.walk;
        if let Some(evidence) = &mut text.evidence {
            evidence.leave(bytes, text.offset, &mut **reporter, text.findings.encoding);
        }
        if let Some(watch) = &mut text.order_watch {
            watch.look(bytes);
        }
        self.segments.pass(bytes, text.offset);
        #[cfg(feature = "detection")]
        if let Some(deferral) = &mut text.deferral {
            deferral.pass(bytes);
        }
        text.offset += bytes.len() as u64;
    }

    /// Ends the input and returns what it held.
    ///
    /// # Errors
    ///
    /// [`Error::Stopped`] if a fault stopped it; another error if the rest cannot be written.
    pub(super) fn close(mut self, stopped: bool) -> Result<Summary, Error> {
        // If text and reports go to the same terminal, they must appear in this order.
        self.walk.output.flush()?;
        self.walk.output.end_input(self.walk.text.offset, stopped);
        // An encoder may hold back bytes until it knows what follows. They count for this input all the same, and are
        // taken off again at the start of the next one (`written_before`), so the counts of joined inputs add up to the
        // output.
        let written = self.walk.output.written() + self.walk.output.target().pending_bytes() as u64;
        #[cfg(feature = "detection")]
        if !stopped {
            let TextWalk { conversion, reporter, text, .. } = &mut self.walk;
            self.segments.declarations.note(conversion, text.findings.encoding, &mut **reporter);
        }
        let mut summary = std::mem::take(&mut self.walk.text.findings.summary);
        summary.bytes_read = self.walk.text.offset;
        if let Some(piece) = &self.walk.text.piece {
            summary.bytes_read -= piece.start;
            summary.extent = Some(piece.extent(self.walk.text.offset, self.walk.text.position));
        }
        let InputFindings { encoding, stopped_at, .. } = self.walk.text.findings;
        let reporter = self.walk.reporter;
        // Text in the opposite byte order is mostly well-formed, so it may have no finding at all. This note is then
        // the only sign that the result is nonsense.
        if self.walk.text.order_watch.as_ref().is_some_and(|watch| watch.looks_swapped()) {
            let name = encoding.name();
            reporter.message(Message::Note(format!(
                "read as {name}, but nearly every code unit looks byte-swapped, and \
                 there is no byte order mark (see --endian)"
            )));
        }
        if let Some(records) = &self.walk.text.records
            && encoding.has_ebcdic_newlines()
            && !stopped
            && let Some(words) = records.packed_decimals.warning()
        {
            reporter.message(Message::Warning(words));
        }
        for (kind, count) in self.walk.text.rows.counts() {
            summary.count_many(Kind::IllFormed(kind), count);
        }
        // Whether the fallback of a text that stops early has been detected depends on where it stops, and so on the
        // cuts of the input. It is named only if it was used, which does not.
        let used = summary.of_ill_formed.of(Outcome::ReadByFallback) > 0;
        let mixture = self.segments.mixture.filter(|_| used);
        summary.fallback = mixture.and_then(|mixture| mixture.encoding());
        #[cfg(feature = "detection")]
        if self.walk.text.deferral.is_some() && !stopped {
            summary.detected = Some(Box::new(Detection::nothing()));
        }
        summary.stopped = stopped;
        summary.bytes_written = written - self.walk.text.written_before;
        summary.lines = self.walk.text.position.line - 1;
        match stopped_at.filter(|_| stopped) {
            Some(finding) => Err(Box::new(Stopped { finding: *finding, summary }).into()),
            None => Ok(summary),
        }
    }
}
