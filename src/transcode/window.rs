//! The thread that writes, of the several of [`super::parallel`]: it takes what the pieces of a window of text have become,
//! in order.

use std::ops::Range;
use std::thread::Builder;

use super::Error;
use super::parallel::{Next, PIECE, PieceConverter, Pieces, WorkQueue, threads};
use super::text::Text;
use super::transcoder::{Flow, Transcoder};
use crate::io::{Chunk, Source};
use crate::unicode::CodePoint;

/// Bytes that are done with after which their memory is given back: each time stops all threads for a moment.
const BEHIND: usize = 2 * 1024 * 1024;

/// So many pieces in a row with next to nothing clean say that the next ones will not be better.
const GIVEN_BACK: usize = 4;

/// Closes a queue in the end, however that comes, so that nobody waits at it for ever.
struct CloseOnDrop<'d, 't>(&'d WorkQueue<'t>);

impl Drop for CloseOnDrop<'_, '_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl Transcoder<'_> {
    /// Converts a long window of the input by several threads, where that is worth it and may be done, and returns how
    /// many of its bytes are done with.
    pub(super) fn convert_window(
        &mut self,
        text: &mut Text<'_>,
        source: &dyn Source,
        pivot: &mut [CodePoint],
    ) -> Result<(usize, Flow), Error> {
        let Some(window) = source.window() else { return Ok((0, Flow::On)) };
        let encoding = text.encoding;
        let threads = threads(self.conversion, encoding, window.bytes.len(), source.threads());
        let observed = self.output.observer.is_some();
        if threads < 2 || observed || !text.backoff.allows(text.offset) {
            return Ok((0, Flow::On));
        }
        let pieces = Pieces::new(encoding.split, &window);
        if pieces.clone().next().is_none() {
            text.backoff.after(false, text.offset);
            return Ok((0, Flow::On));
        }
        let queue = WorkQueue::new(pieces, threads);
        queue.give_back(None, self.lossy(text));
        let converter = |text: &Text<'_>| {
            let order = self.conversion.output_order();
            let encoder = self.conversion.to.map(|to| to.new_encoder(order));
            PieceConverter::new(text.decoder.fork(), encoder, text.direct, self.output.splices())
        };
        let mut own = converter(text);
        let others: Vec<_> = (1..threads).map(|_| converter(text)).collect();
        std::thread::scope(|scope| {
            let queue = CloseOnDrop(&queue);
            for mut converter in others {
                let queue = queue.0;
                // Where the system has no thread to give, fewer do the work.
                let _ = Builder::new().spawn_scoped(scope, move || converter.work(queue));
            }
            let (mut at, mut released, mut given_back) = (0, 0, 0);
            loop {
                if given_back >= GIVEN_BACK {
                    text.backoff.after(false, text.offset);
                    return Ok((at, Flow::On));
                }
                match queue.0.next() {
                    Next::End => {
                        text.backoff.after(true, text.offset);
                        return Ok((at, Flow::On));
                    }
                    Next::Convert(job) => own.convert_for(queue.0, job),
                    Next::Piece(piece, done) => {
                        at = piece.start;
                        let mut buffer = None;
                        if let Some(clean) = done {
                            buffer = self.output.put_converted(clean.text, &|| window.intact())?;
                            text.offset += clean.read as u64;
                            text.pass_direct(clean.passed);
                            if let Some(lossy) = &clean.lossy {
                                text.pass_lossy(lossy);
                            }
                            at += clean.read;
                        }
                        let worth_it = at - piece.start >= piece.len() / 8;
                        given_back = if worth_it { 0 } else { given_back + 1 };
                        if at < piece.end {
                            let flow;
                            let rest = at..piece.end;
                            (at, flow) = self.convert_piece(text, &window, rest, pivot)?;
                            if flow != Flow::On || at != piece.end {
                                return Ok((at, flow));
                            }
                        }
                        queue.0.give_back(buffer, self.lossy(text));
                    }
                }
                if at - released >= BEHIND {
                    window.part(released, at).release(at - released);
                    released = at;
                }
            }
        })
    }

    /// Converts the rest of a piece of a window as one thread does, and returns the place in the window that it came to.
    fn convert_piece(
        &mut self,
        text: &mut Text<'_>,
        window: &Chunk<'_>,
        piece: Range<usize>,
        pivot: &mut [CodePoint],
    ) -> Result<(usize, Flow), Error> {
        let mut at = piece.start;
        while at < piece.end {
            let part = window.part(at, window.bytes.len());
            let limit = piece.end.min(at + PIECE) - at;
            let (used, flow) = self.convert(text, &part, limit, pivot)?;
            self.output.settle(&|| window.intact())?;
            at += used;
            if flow != Flow::On || used == 0 {
                return Ok((at, flow));
            }
        }
        Ok((at, Flow::On))
    }
}
