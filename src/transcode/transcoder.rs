//! The one chunk loop.
//!
//! ```text
//! for each input:   opening ─► loop: flush if the next read may wait ─► fill ─► convert ─► consume
//! convert:          loop: decode a run ─► put it, unmappable ones by their remedy ─► the ill-formed one by its remedy
//! ```

use std::io::Write;
use std::ops::Range;

use super::Error;
use super::context_buffer::READ_AHEAD;
use super::direct::Backoff;
use super::locator::Origin;
use super::opening::{Opening, OrderWatch, mark_goes_through, start_of_output};
use super::output::Output;
use super::parallel::allowed_threads;
use super::policy::{Conversion, Detail, InputEncoding, MarkMode, OnUnmappable};
use super::remedy::{Remedies, Remedy};
use super::text::{Fault, Text};
use super::verify::Observer;
use crate::codec::{DecodeStop, Lossy, MIN_PIVOT, Value};
use crate::diagnostic::{Kind, Outcome, Reporter, Summary};
use crate::encoding::{Mark, Marked, detect, marked_otherwise};
use crate::io::{Chunk, Pipe, Source};
use crate::unicode::{BYTE_ORDER_MARK, CodePoint, IllFormedKind, REPLACEMENT_CHARACTER};

/// Bytes of an input after which it is a long one.
const LONG: u64 = 1024 * 1024;
/// Code points of a run. It and what it comes from and becomes stay in the nearest caches.
const PIVOT: usize = 4096;

/// Converts one input or more to one output. Each input is decoded from a fresh state; the outputs are joined.
pub struct Transcoder<'a> {
    pub(super) conversion: &'a Conversion,
    pub(super) remedies: Remedies<'a>,
    pub(super) output: Output<'a>,
    /// Whether a mark that is still due at the end is written: an input had bytes, if no characters.
    mark_without_text: bool,
    /// Whether kernels may lead past the code points; tests take the other path, to see that nothing depends on it.
    pub(super) direct_path: bool,
}

/// Whether to go on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    On,
    /// Not beyond this byte of the chunk.
    Stop(usize),
}

/// Code points on their way to the output, and where they come from.
pub(super) struct Run<'a> {
    pub(super) code_points: &'a [CodePoint],
    pub(super) origin: Origin<'a>,
}

impl<'a> Run<'a> {
    /// Characters that have gone by: where they stood is known otherwise.
    pub(super) fn of_held(code_points: &'a [CodePoint]) -> Self {
        Self { code_points, origin: Origin::Unknown }
    }

    /// Counts a part of it as dealt with. An ill-formed subsequence, however it is read, is one place of the text.
    fn count(&self, text: &mut Text<'_>, part: Range<usize>) {
        if !matches!(self.origin, Origin::Whole(_)) {
            text.pass(&self.code_points[part]);
        }
    }
}

impl<'a> Transcoder<'a> {
    /// To `sink`, which should have no buffer of its own: it is handed large pieces.
    pub fn new(conversion: &'a Conversion, sink: &'a mut dyn Write) -> Self {
        let encoder = conversion.to.map(|to| to.new_encoder(conversion.output_order()));
        Self {
            conversion,
            remedies: Remedies::new(conversion),
            output: Output::new(encoder, sink, start_of_output(conversion)),
            mark_without_text: false,
            direct_path: true,
        }
    }

    /// The same, where the sink is the pipe that `pipe` is too: long texts are given to it rather than copied into it.
    pub fn splicing_to(mut self, pipe: Option<Pipe>) -> Self {
        self.output.pipe = pipe;
        self
    }

    /// The same, with every character that is written shown to `observer`. Then all go by way of code points, by one
    /// thread.
    pub fn observed_by(mut self, observer: &'a mut dyn Observer) -> Self {
        self.output.observer = Some(observer);
        self
    }

    /// Converts one input to its end, or to the fault that stops it.
    ///
    /// # Errors
    ///
    /// Where the input cannot be read or the output cannot be written. What was converted before is written as far as
    /// that is possible.
    pub fn input(
        &mut self,
        source: &mut dyn Source,
        reporter: &mut dyn Reporter,
    ) -> Result<Summary, Error> {
        let written_before = self.output.written();
        let mut text = self.open(source, reporter)?;
        let all_seen = self.conversion.sees_characters() || self.output.observer.is_some();
        if self.direct_path && !all_seen {
            text.direct = self.output.direct_from(&*text.decoder);
        }
        let mut pivot = vec![0; PIVOT];
        let (mut unread, mut long) = (0, false);
        loop {
            if !long && text.offset >= LONG {
                long = true;
                if allowed_threads(self.conversion) > 1 {
                    source.read_ahead();
                }
            }
            if source.may_block() {
                self.output.flush()?;
                text.reporter.flush().map_err(Error::Report)?;
            }
            let chunk = self.fill(source, unread + 1)?;
            let all = chunk.bytes.len();
            let limit = if text.context_buffer.is_none() || chunk.last { 0 } else { READ_AHEAD };
            let limit = all.saturating_sub(limit);
            let (used, mut flow) = self.convert(&mut text, &chunk, limit, &mut pivot)?;
            self.output.settle(&|| chunk.intact())?;
            let mut done = chunk.last;
            unread = all - used;
            source.consume(used);
            if flow == Flow::On && !done && self.output.is_under_way() {
                let used;
                (used, flow) = self.convert_window(&mut text, source, &mut pivot)?;
                source.consume(used);
                unread = unread.saturating_sub(used);
            }
            let stopped = flow != Flow::On;
            done |= stopped;
            if done {
                // Who reads the text and what is said of it on one terminal sees them in this order.
                self.output.flush()?;
                let mut summary = text.close(stopped);
                summary.bytes_written = self.output.written() - written_before;
                self.mark_without_text |= summary.bytes_read > 0;
                self.mark_without_text &= !summary.stopped;
                return Ok(summary);
            }
        }
    }

    /// Completes the output.
    ///
    /// # Errors
    ///
    /// Where it cannot be written.
    pub fn finish(mut self) -> Result<(), Error> {
        if self.mark_without_text {
            self.output.put_mark()?;
        }
        self.output.finish()
    }

    /// The next chunk. What the last one gave is written before anybody may have to wait.
    fn fill<'s>(
        &mut self,
        source: &'s mut dyn Source,
        at_least: usize,
    ) -> Result<Chunk<'s>, Error> {
        if source.may_block() {
            self.output.flush()?;
        }
        source.fill(at_least).map_err(|error| match self.output.flush() {
            Ok(()) => Error::Read(error),
            Err(error) => error,
        })
    }

    /// Reads as much of the start as it takes to know how to go on.
    fn open<'r>(
        &mut self,
        source: &mut dyn Source,
        reporter: &'r mut dyn Reporter,
    ) -> Result<Text<'r>, Error> {
        let mut at_least = 1;
        loop {
            let chunk = self.fill(source, at_least)?;
            at_least = chunk.bytes.len() + 1;
            let encoding = match self.conversion.from {
                InputEncoding::Named(encoding) => encoding,
                InputEncoding::Detected => match detect(chunk.bytes, chunk.last) {
                    Some(encoding) => encoding,
                    None => continue,
                },
            };
            let order = self.conversion.byte_order;
            let Some(opening) = Opening::of(encoding, order, chunk.bytes, chunk.last) else {
                continue;
            };
            let marked = match self.conversion.finds_other_encodings {
                true => marked_otherwise(encoding, chunk.bytes, chunk.last),
                false => Marked::No,
            };
            if marked == Marked::Unknown {
                continue;
            }
            if self.conversion.from == InputEncoding::Detected {
                reporter.remark(&format!("read as {}", encoding.name));
            }
            let mut text = Text::new(encoding, opening.order, self.conversion, reporter);
            if let Marked::Otherwise { mark_len, .. } = marked {
                text.report(Fault::new(Kind::OtherEncoding), &chunk, 0..mark_len)?;
            }
            let mark = 0..opening.mark_len;
            match (self.conversion.mark, mark.is_empty()) {
                (MarkMode::Forbid, false) => {
                    text.report(Fault::new(Kind::MarkForbidden), &chunk, mark)?;
                }
                (MarkMode::Require, true) => {
                    text.report(Fault::new(Kind::MarkMissing), &chunk, mark)?;
                }
                _ => {}
            }
            if opening.mark_len == 0 {
                if encoding.mark.gives_order() {
                    text.watch = Some(OrderWatch::new(encoding, opening.order));
                }
                return Ok(text);
            }
            let is_text = encoding.mark == Mark::Character;
            let goes_through = mark_goes_through(self.conversion, encoding);
            if goes_through {
                if !is_text {
                    text.position.before_mark();
                }
                return Ok(text);
            }
            if is_text {
                text.pass(&[BYTE_ORDER_MARK]);
            }
            // What follows may be read by it, as in BOCU-1.
            text.decoder.decode(&chunk.bytes[..opening.mark_len], &mut [0; MIN_PIVOT], false);
            if self.conversion.detail == Detail::Characters {
                text.report_character(BYTE_ORDER_MARK.into(), &chunk, 0..opening.mark_len)?;
            }
            let mark_bytes = chunk.bytes[..opening.mark_len].to_vec();
            source.consume(opening.mark_len);
            text.done(&mark_bytes);
            return Ok(text);
        }
    }

    /// Converts what `chunk` has before byte `limit`, and returns how many of its bytes are done with. Bytes from there
    /// on only help to judge those before.
    pub(super) fn convert(
        &mut self,
        text: &mut Text<'_>,
        chunk: &Chunk<'_>,
        limit: usize,
        pivot: &mut [CodePoint],
    ) -> Result<(usize, Flow), Error> {
        let strict = self.conversion.on_unmappable == OnUnmappable::Stop;
        let sees_characters = self.conversion.looks_at_characters();
        let wants_places = sees_characters
            || self.conversion.to.is_some() && (strict || text.reporter.wants_places());
        let mut backoff = Backoff::new(text.direct.is_some(), pivot.len());
        let mut at = 0;
        let mut flow = loop {
            if let Some(direct) = text.direct.filter(|_| self.output.is_under_way()) {
                let rest = &chunk.bytes[at..limit];
                let intact = || chunk.intact();
                let read = if let Some(mut lossy) = self.lossy(text) {
                    let read = self.output.put_direct(rest, &intact, |input, output| {
                        text.decoder.convert_lossy(&direct.0, input, output, &mut lossy)
                    })?;
                    text.pass_lossy(&lossy);
                    read
                } else {
                    let read = self
                        .output
                        .put_direct(rest, &intact, |input, output| direct.run(input, output))?;
                    text.pass_direct(direct.passed(&rest[..read]));
                    read
                };
                at += read;
                backoff.after(read);
            }
            let before = wants_places.then(|| text.decoder.fork());
            let last = chunk.last && limit == chunk.bytes.len();
            let step = &mut pivot[..backoff.step()];
            let mut decoded = text.decoder.decode(&chunk.bytes[at..limit], step, last);
            if decoded.read == 0 && at < limit && limit < chunk.bytes.len() {
                // Cut by the limit: with no room for a character, it is either ill-formed or left for later.
                decoded = text.decoder.decode(&chunk.bytes[at..], &mut [], chunk.last);
                if decoded.stop == DecodeStop::OutputFull {
                    break Flow::On;
                }
            }
            let bytes = at..at + decoded.read;
            let mut run = Run {
                code_points: &pivot[..decoded.written],
                origin: Origin::of_run(before, chunk.bytes, &bytes),
            };
            let put = if sees_characters {
                self.put_watched(text, chunk, &mut run)?
            } else {
                self.put(text, chunk, &mut run, 0..decoded.written)?
            };
            if let Flow::Stop(place) = put {
                at = place;
                break Flow::Stop(place);
            }
            at = bytes.end;
            match decoded.stop {
                DecodeStop::InputEmpty if decoded.read == 0 || at == limit => break Flow::On,
                DecodeStop::InputEmpty => {}
                DecodeStop::OutputFull => {}
                DecodeStop::Large { value, len } => {
                    if let stop @ Flow::Stop(place) =
                        self.large(text, chunk, at..at + len, value)?
                    {
                        at = place;
                        break stop;
                    }
                    at += len;
                    if at > limit {
                        break Flow::On;
                    }
                }
                DecodeStop::IllFormed(_) if self.passes_row(text, chunk, &mut at, limit)? => {}
                DecodeStop::IllFormed(ill_formed) => {
                    let range = at..at + ill_formed.len;
                    if let stop @ Flow::Stop(place) =
                        self.ill_formed(text, chunk, range, ill_formed.kind)?
                    {
                        at = place;
                        break stop;
                    }
                    at += ill_formed.len;
                    if at > limit {
                        break Flow::On;
                    }
                }
            }
        };
        if flow == Flow::On && chunk.last && at == chunk.bytes.len() {
            // What is still held back there, nothing follows.
            (_, flow) = self.settle_return(text, chunk, None)?;
            if let Flow::Stop(place) = flow {
                at = place;
            }
        }
        text.done(&chunk.bytes[..at]);
        Ok((at, flow))
    }

    /// What stands for ill-formed subsequences, where nobody wants to know the place of any.
    pub(super) fn lossy(&self, text: &Text<'_>) -> Option<Lossy> {
        let direct = text.direct.filter(|_| !text.reporter.wants_places())?;
        self.remedies.lossy(direct.0.to)
    }

    /// Puts a part of a run to the output, with a remedy for each unmappable character.
    pub(super) fn put(
        &mut self,
        text: &mut Text<'_>,
        chunk: &Chunk<'_>,
        run: &mut Run<'_>,
        part: Range<usize>,
    ) -> Result<Flow, Error> {
        let Range { start: mut done, end } = part;
        while let Some(good) = self.output.put(&run.code_points[done..end], &|| chunk.intact())? {
            run.count(text, done..done + good);
            done += good;
            let cp = run.code_points[done];
            let place = run.origin.locate(done);
            if let Some(context_buffer) = &mut text.context_buffer {
                context_buffer.decoder_after = run.origin.decoder_after();
                context_buffer.transliteration = self.remedies.nearest(cp.into());
                context_buffer.writes_escapes = self.remedies.writes_escapes();
            }
            if let stop @ Flow::Stop(_) = self.unmappable(text, chunk, cp.into(), place)? {
                return Ok(stop);
            }
            run.count(text, done..done + 1);
            done += 1;
        }
        run.count(text, done..end);
        Ok(Flow::On)
    }

    /// Puts the character of the bytes at `range` of the chunk, whose value no run can hold.
    fn large(
        &mut self,
        text: &mut Text<'_>,
        chunk: &Chunk<'_>,
        range: Range<usize>,
        value: Value,
    ) -> Result<Flow, Error> {
        if let (_, stop @ Flow::Stop(_)) = self.settle_return(text, chunk, None)? {
            return Ok(stop);
        }
        if let stop @ Flow::Stop(_) = self.watch_large(text, chunk, range.clone(), value)? {
            return Ok(stop);
        }
        if !self.output.put_large(value, &|| chunk.intact())?
            && let stop @ Flow::Stop(_) = self.unmappable(text, chunk, value, Some(range))?
        {
            return Ok(stop);
        }
        text.pass_one();
        Ok(Flow::On)
    }

    /// Reports an unmappable character, and applies its remedy.
    fn unmappable(
        &mut self,
        text: &mut Text<'_>,
        chunk: &Chunk<'_>,
        value: Value,
        place: Option<Range<usize>>,
    ) -> Result<Flow, Error> {
        let remedy = self.remedies.for_unmappable(value);
        let start = place.as_ref().map_or(0, |place| place.start);
        self.report_unmappable(text, chunk, value, place, remedy == Remedy::Stop)?;
        if remedy == Remedy::Stop {
            return Ok(Flow::Stop(start));
        }
        self.apply(Kind::Unmappable, remedy, text, chunk)?;
        Ok(Flow::On)
    }

    fn report_unmappable(
        &self,
        text: &mut Text<'_>,
        chunk: &Chunk<'_>,
        value: Value,
        place: Option<Range<usize>>,
        stops: bool,
    ) -> Result<(), Error> {
        match (place, self.conversion.to) {
            (Some(range), Some(target)) => {
                text.report(Fault::unmappable(value, target).stopping(stops), chunk, range)
            }
            _ => {
                text.report_unplaced(Kind::Unmappable, 1);
                Ok(())
            }
        }
    }

    /// Reports the ill-formed subsequence at `range` of the chunk, and applies its remedy.
    fn ill_formed(
        &mut self,
        text: &mut Text<'_>,
        chunk: &Chunk<'_>,
        range: Range<usize>,
        kind: IllFormedKind,
    ) -> Result<Flow, Error> {
        if let (_, stop @ Flow::Stop(_)) = self.settle_return(text, chunk, None)? {
            return Ok(stop);
        }
        let remedy = self.remedies.for_ill_formed(&chunk.bytes[range.clone()]);
        let kind = Kind::IllFormed(kind);
        let fault = Fault::new(kind).stopping(remedy == Remedy::Stop);
        let fault = fault.lacking(self.remedies.lacking(&chunk.bytes[range.clone()]));
        text.report(fault, chunk, range.clone())?;
        match remedy {
            Remedy::Stop => return Ok(Flow::Stop(range.start)),
            Remedy::Repair(characters) => {
                if let stop @ Flow::Stop(_) =
                    self.watch_repaired(text, chunk, &range, &characters)?
                {
                    return Ok(stop);
                }
                // A stop at one of them is a stop at the whole subsequence: nothing of it is written.
                if let Some(cp) = self.remedies.stops_at(&characters) {
                    let start = range.start;
                    self.report_unmappable(text, chunk, cp.into(), Some(range), true)?;
                    return Ok(Flow::Stop(start));
                }
                text.summary.count_outcome(kind, Outcome::ReadByFallback, 1);
                let mut run = Run { code_points: &characters, origin: Origin::Whole(range) };
                if let stop @ Flow::Stop(_) =
                    self.put(text, chunk, &mut run, 0..characters.len())?
                {
                    return Ok(stop);
                }
            }
            remedy => self.apply(kind, remedy, text, chunk)?,
        }
        text.pass_fault();
        Ok(Flow::On)
    }

    /// Writes what stands for a fault that does not stop the conversion, and counts what became of it.
    pub(super) fn apply(
        &mut self,
        kind: Kind,
        remedy: Remedy,
        text: &mut Text<'_>,
        chunk: &Chunk<'_>,
    ) -> Result<(), Error> {
        let Remedy::Write(code_points, meant) = remedy else {
            text.summary.count_outcome(kind, Outcome::Dropped, 1);
            return Ok(());
        };
        let mut done = 0;
        let (mut whole, mut as_meant) = (true, true);
        // What the target lacks of it, or lacks just here, is itself replaced, by U+FFFD if nothing else goes.
        while let Some(good) = self.output.put(&code_points[done..], &|| chunk.intact())? {
            whole &= self.output.put(&self.remedies.replacement, &|| chunk.intact())?.is_none()
                || self.output.put(&[REPLACEMENT_CHARACTER], &|| chunk.intact())?.is_none();
            as_meant = false;
            done += good + 1;
        }
        let outcome = match (whole, as_meant) {
            (false, _) => Outcome::Dropped,
            (true, false) => Outcome::Replaced,
            (true, true) => meant,
        };
        text.summary.count_outcome(kind, outcome, 1);
        Ok(())
    }
}
