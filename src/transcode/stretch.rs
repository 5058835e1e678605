//! The thread that writes, of the several of [`super::parallel`]: it takes what the pieces of a stretch of text have become,
//! in order.

use std::ops::Range;
use std::thread::Builder;

use super::Error;
use super::parallel::{Desk, Next, PIECE, Pieces, Road, threads};
use super::text::Text;
use super::transcoder::{Flow, Transcoder};
use crate::io::{Chunk, Source};
use crate::unicode::CodePoint;

/// Bytes that are done with after which their memory is given back: each time stops all threads for a moment.
const BEHIND: usize = 2 * 1024 * 1024;

/// So many pieces in a row with next to nothing clean say that the next ones will not be better.
const GIVEN_BACK: usize = 4;

/// Closes a desk in the end, however that comes, so that nobody waits at it for ever.
struct Closing<'d, 't>(&'d Desk<'t>);

impl Drop for Closing<'_, '_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl Transcoder<'_> {
    /// Converts a long stretch of the input by several threads, where that is worth it and may be done, and returns how
    /// many of its bytes are done with.
    pub(super) fn convert_stretch(
        &mut self,
        text: &mut Text<'_>,
        source: &dyn Source,
        pivot: &mut [CodePoint],
    ) -> Result<(usize, Flow), Error> {
        let Some(stretch) = source.stretch() else { return Ok((0, Flow::On)) };
        let encoding = text.encoding;
        let threads = threads(self.conversion, encoding, stretch.bytes.len(), source.threads());
        let observed = self.output.observer.is_some();
        if threads < 2 || observed || !text.backoff.allows(text.offset) {
            return Ok((0, Flow::On));
        }
        let pieces = Pieces::new(encoding.cut, &stretch);
        if pieces.clone().next().is_none() {
            text.backoff.after(false, text.offset);
            return Ok((0, Flow::On));
        }
        let desk = Desk::new(pieces, threads);
        desk.give_back(None, self.lossy(text));
        let road = |text: &Text<'_>| {
            let order = self.conversion.output_order();
            let encoder = self.conversion.to.map(|to| to.new_encoder(order));
            Road::new(text.decoder.fork(), encoder, text.direct, self.output.gives())
        };
        let mut own = road(text);
        let others: Vec<_> = (1..threads).map(|_| road(text)).collect();
        std::thread::scope(|scope| {
            let desk = Closing(&desk);
            for mut road in others {
                let desk = desk.0;
                // Where the system has no thread to give, fewer do the work.
                let _ = Builder::new().spawn_scoped(scope, move || road.work(desk));
            }
            let (mut at, mut released, mut given_back) = (0, 0, 0);
            loop {
                if given_back >= GIVEN_BACK {
                    text.backoff.after(false, text.offset);
                    return Ok((at, Flow::On));
                }
                match desk.0.next() {
                    Next::End => {
                        text.backoff.after(true, text.offset);
                        return Ok((at, Flow::On));
                    }
                    Next::Convert(order) => own.convert_for(desk.0, order),
                    Next::Piece(piece, done) => {
                        at = piece.start;
                        let mut buffer = None;
                        if let Some(clean) = done {
                            buffer = self.output.put_converted(clean.text, &|| stretch.intact())?;
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
                            (at, flow) = self.convert_piece(text, &stretch, rest, pivot)?;
                            if flow != Flow::On || at != piece.end {
                                return Ok((at, flow));
                            }
                        }
                        desk.0.give_back(buffer, self.lossy(text));
                    }
                }
                if at - released >= BEHIND {
                    stretch.part(released, at).release(at - released);
                    released = at;
                }
            }
        })
    }

    /// Converts the rest of a piece of a stretch as one thread does, and returns the place in the stretch that it came to.
    fn convert_piece(
        &mut self,
        text: &mut Text<'_>,
        stretch: &Chunk<'_>,
        piece: Range<usize>,
        pivot: &mut [CodePoint],
    ) -> Result<(usize, Flow), Error> {
        let mut at = piece.start;
        while at < piece.end {
            let part = stretch.part(at, stretch.bytes.len());
            let limit = piece.end.min(at + PIECE) - at;
            let (used, flow) = self.convert(text, &part, limit, pivot)?;
            self.output.settle(&|| stretch.intact())?;
            at += used;
            if flow != Flow::On || used == 0 {
                return Ok((at, flow));
            }
        }
        Ok((at, Flow::On))
    }
}
