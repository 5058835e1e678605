//! An input on its way: where it is being read, and what has been said of it.

use std::ops::Range;

use super::Error;
use super::context_buffer::{ContextBuffer, OwnedContext};
use super::direct::{Direct, RunCounts};
use super::newlines::Newlines;
use super::opening::OrderWatch;
use super::parallel::WindowBackoff;
use super::policy::{Conversion, Detail};
use super::position::Position;
use super::transcoder::Flow;
use crate::codec::{ByteOrder, DecodeStop, Decoder, Lossy, MIN_PIVOT, Value};
use crate::diagnostic::{
    Character, Context, DeniedKind, Finding, Kind, Outcome, Reporter, Summary,
};
use crate::encoding::Encoding;
use crate::io::Chunk;
use crate::unicode::{CodePoint, IllFormedKind, REPLACEMENT_CHARACTER};

/// What is to be reported of a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fault {
    kind: Kind,
    stops: bool,
    /// The value of the character, where there is one.
    value: Option<Value>,
    /// The name of the encoding that has no room for it.
    target: Option<&'static Encoding>,
    /// The fallback encoding that was to read it, and the byte that it lacks.
    lacks: Option<(&'static Encoding, u8)>,
}

impl Fault {
    pub(super) const fn new(kind: Kind) -> Self {
        Self { kind, stops: false, value: None, target: None, lacks: None }
    }

    pub(super) const fn unmappable(value: Value, target: &'static Encoding) -> Self {
        Self { value: Some(value), target: Some(target), ..Self::new(Kind::Unmappable) }
    }

    pub(super) const fn denied(kind: DeniedKind, value: Option<Value>) -> Self {
        Self { value, ..Self::new(Kind::Denied(kind)) }
    }

    /// The same, where a fallback encoding lacks a byte.
    pub(super) const fn lacking(self, lacks: Option<(&'static Encoding, u8)>) -> Self {
        Self { lacks, ..self }
    }

    /// The same, where the conversion stops or does not.
    pub(super) const fn stopping(self, stops: bool) -> Self {
        Self { stops, ..self }
    }
}

pub(super) struct Text<'r> {
    /// The encoding in force: for an unmarked one, that of the byte order.
    pub(super) encoding: &'static Encoding,
    pub(super) decoder: Box<dyn Decoder>,
    /// The way past the decoder, where there is one and nothing in clean text is to be seen.
    pub(super) direct: Option<Direct>,
    /// Bytes done with: those before the present chunk.
    pub(super) offset: u64,
    pub(super) position: Position,
    /// When several threads are worth a try.
    pub(super) backoff: WindowBackoff,
    pub(super) watch: Option<OrderWatch>,
    /// Where line ends that differ are denied.
    pub(super) newlines: Option<Newlines>,
    /// What stands around the present place, where somebody wants to see it.
    pub(super) context_buffer: Option<ContextBuffer>,
    pub(super) summary: Summary,
    pub(super) reporter: &'r mut dyn Reporter,
}

impl<'r> Text<'r> {
    pub(super) fn new(
        encoding: &'static Encoding,
        order: ByteOrder,
        conversion: &Conversion,
        reporter: &'r mut dyn Reporter,
    ) -> Self {
        Self {
            encoding: encoding.in_order(order),
            decoder: encoding.new_decoder(order),
            direct: None,
            offset: 0,
            position: Position::START,
            backoff: WindowBackoff::default(),
            watch: None,
            newlines: conversion.denied.has(DeniedKind::MixedNewlines).then(Newlines::default),
            context_buffer: (conversion.detail == Detail::Context).then(ContextBuffer::default),
            summary: Summary::default(),
            reporter,
        }
    }

    /// Counts characters that have been dealt with.
    pub(super) fn pass(&mut self, run: &[CodePoint]) {
        self.position.pass(run);
        self.summary.characters += run.len() as u64;
        if let Some(context_buffer) = &mut self.context_buffer {
            context_buffer.pass(run);
        }
    }

    /// Counts characters that have been dealt with on the direct path, or by another thread.
    pub(super) fn pass_direct(&mut self, passed: RunCounts) {
        self.position.pass_all(passed.moved);
        self.summary.characters += passed.characters;
    }

    /// Counts one character that no run holds.
    pub(super) fn pass_one(&mut self) {
        self.pass_fault();
        self.summary.characters += 1;
    }

    /// Whether nothing of the text has gone by.
    pub(super) fn is_at_start(&self) -> bool {
        self.position.line == 1 && self.position.column <= 1
    }

    /// Goes past what no run holds.
    pub(super) fn pass_fault(&mut self) {
        self.position.pass_one();
        if let Some(context_buffer) = &mut self.context_buffer {
            context_buffer.pass(&[REPLACEMENT_CHARACTER]);
        }
    }

    /// Reports what stands at `range` of the chunk, here.
    pub(super) fn report(
        &mut self,
        fault: Fault,
        chunk: &Chunk<'_>,
        range: Range<usize>,
    ) -> Result<(), Error> {
        if !fault.stops && !self.reporter.wants_places() {
            self.report_unplaced(fault.kind, 1);
            return Ok(());
        }
        let bytes = &chunk.bytes[range.clone()];
        let next = self
            .judged_by_next(fault.kind, bytes)
            .then(|| chunk.bytes.get(range.end))
            .flatten()
            .copied();
        let offset = self.offset + range.start as u64;
        let mut context_buffer = self.context_buffer.take();
        let context = match &mut context_buffer {
            Some(context_buffer) => context_buffer.gather(&*self.decoder, chunk, &range),
            None => Context::default(),
        };
        let said = self.say(fault, offset, bytes, next, context);
        self.context_buffer = context_buffer;
        said
    }

    /// Hands a finding at the present position to the reporter.
    fn say(
        &mut self,
        fault: Fault,
        offset: u64,
        bytes: &[u8],
        next: Option<u8>,
        context: Context<'_>,
    ) -> Result<(), Error> {
        self.summary.count(fault.kind);
        let finding = Finding {
            kind: fault.kind,
            offset,
            line: self.position.line,
            column: self.position.column.max(1),
            bytes,
            next,
            value: fault.value,
            stops: fault.stops,
            encoding: fault.target.unwrap_or(self.encoding),
            context: Context { lacks: fault.lacks, ..context },
        };
        self.reporter.finding(&finding).map_err(Error::Report)
    }

    /// What stands around the bytes at `range` of the chunk, if that is to be shown.
    pub(super) fn context(
        &mut self,
        chunk: &Chunk<'_>,
        range: &Range<usize>,
    ) -> Option<Context<'_>> {
        let context_buffer = self.context_buffer.as_mut()?;
        Some(context_buffer.gather(&*self.decoder, chunk, range))
    }

    /// Reports what stands here, at byte `offset` of the input, and may have gone by with its chunk.
    pub(super) fn report_held(
        &mut self,
        fault: Fault,
        offset: u64,
        bytes: &[u8],
        context: Option<&OwnedContext>,
    ) -> Result<(), Error> {
        if !fault.stops && !self.reporter.wants_places() {
            self.report_unplaced(fault.kind, 1);
            return Ok(());
        }
        let context = context.map_or_else(Context::default, OwnedContext::borrowed);
        self.say(fault, offset, bytes, None, context)
    }

    /// Where the conversion stops in front of byte `offset` of the input, which may have gone by with its chunk.
    pub(super) fn stop_at(&mut self, offset: u64) -> Flow {
        let place = usize::try_from(offset.saturating_sub(self.offset)).unwrap_or(usize::MAX);
        self.offset = self.offset.min(offset);
        Flow::Stop(place)
    }

    /// Passes on the character of this value at byte `offset` of the input.
    pub(super) fn report_held_character(
        &mut self,
        value: Value,
        offset: u64,
        bytes: &[u8],
    ) -> Result<(), Error> {
        self.reporter.character(&Character { value, bytes, offset }).map_err(Error::Report)
    }

    /// Tells of the character of this value at `range` of the chunk.
    pub(super) fn report_character(
        &mut self,
        value: Value,
        chunk: &Chunk<'_>,
        range: Range<usize>,
    ) -> Result<(), Error> {
        let offset = self.offset + range.start as u64;
        self.report_held_character(value, offset, &chunk.bytes[range])
    }

    /// Whether ill-formed bytes could still have become a character, but for the byte that follows them.
    fn judged_by_next(&self, kind: Kind, bytes: &[u8]) -> bool {
        let alone = |bytes| self.decoder.fork().decode(bytes, &mut [0; MIN_PIVOT], false).stop;
        matches!(kind, Kind::IllFormed(_)) && !matches!(alone(bytes), DecodeStop::IllFormed(_))
    }

    /// Reports as many faults of which nobody wants to know the place.
    pub(super) fn report_unplaced(&mut self, kind: Kind, count: u64) {
        self.summary.count_many(kind, count);
        self.reporter.unplaced(kind, count);
    }

    /// Counts what a decoder has gone past and through. Nobody will ask for a column.
    pub(super) fn pass_lossy(&mut self, lossy: &Lossy) {
        let well_formed = lossy.well_formed();
        self.summary.characters += well_formed.characters as u64;
        self.position.line += well_formed.line_feeds as u64;
        let outcome = if lossy.substitutes() { Outcome::Replaced } else { Outcome::Dropped };
        for (kind, count) in lossy.counts() {
            let kind = Kind::IllFormed(kind);
            self.report_unplaced(kind, count);
            self.summary.count_outcome(kind, outcome, count);
        }
    }

    /// Notes a U+FEFF that stands here, unless it is at the very start.
    pub(super) fn note_mark(
        &mut self,
        chunk: &Chunk<'_>,
        place: Option<Range<usize>>,
    ) -> Result<(), Error> {
        match place {
            Some(range) if self.offset + range.start as u64 > 0 => {
                self.report(Fault::new(Kind::MarkInside), chunk, range)
            }
            _ => Ok(()),
        }
    }

    /// Goes past `bytes`, which are done with.
    pub(super) fn done(&mut self, bytes: &[u8]) {
        self.offset += bytes.len() as u64;
        if let Some(watch) = &mut self.watch {
            watch.look(bytes);
        }
        if let Some(context_buffer) = &mut self.context_buffer {
            context_buffer.leave(bytes);
            self.reporter.text(bytes, self.encoding);
        }
    }

    /// Ends the text and returns what it held.
    pub(super) fn close(mut self, stopped: bool) -> Summary {
        if self.watch.is_some_and(|watch| watch.looks_swapped()) {
            let name = self.encoding.name;
            self.reporter.note(&format!(
                "read as {name}, yet nearly every code unit looks like one of the other byte order; \
                 there is no byte order mark: see --endian"
            ));
        }
        if let Some(context_buffer) = &self.context_buffer {
            for (kind, count) in IllFormedKind::ALL.into_iter().zip(context_buffer.row_counts) {
                if count > 0 {
                    self.summary.count_many(Kind::IllFormed(kind), count);
                }
            }
        }
        self.summary.stopped = stopped;
        self.summary.bytes_read = self.offset;
        self.summary.lines = self.position.line - 1;
        self.summary
    }
}
