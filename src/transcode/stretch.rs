//! The thread that writes, of the several of [`super::parallel`]: it hands out pieces of a stretch of text, and takes them
//! back in order.

use std::collections::VecDeque;
use std::ops::Range;
use std::thread::Builder;

use super::Error;
use super::parallel::{AHEAD, PIECE, Pieces, Road, threads, worker};
use super::text::Text;
use super::transcoder::{Flow, Transcoder};
use crate::io::{Chunk, Source};
use crate::unicode::CodePoint;

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
        let threads = threads(self.conversion, encoding, stretch.bytes.len());
        if threads < 2 {
            return Ok((0, Flow::On));
        }
        let (workers, errands): (Vec<_>, Vec<_>) = (0..threads).map(|_| worker()).unzip();
        std::thread::scope(|scope| {
            // Dropped at the end of this block, which tells the threads to end, before they are waited for.
            let all_workers = workers;
            for errand in errands {
                let decoder = text.decoder.fork();
                let order = self.conversion.output_order();
                let encoder = self.conversion.to.map(|to| to.new_encoder(order));
                let road = Road::new(decoder, encoder, text.direct);
                // Where the system has no thread to give, the errand is dropped, and its pieces come back undone.
                let _ = Builder::new().spawn_scoped(scope, move || errand.run(road));
            }
            let mut given = Pieces::new(encoding.cut, &stretch);
            let mut under_way = VecDeque::new();
            let mut buffers = Vec::new();
            let mut workers = all_workers.iter().cycle();
            let mut givers = workers.clone();
            let mut at = 0;
            loop {
                while under_way.len() < threads * AHEAD
                    && let (Some(piece), Some(giver)) = (given.next(), givers.next())
                {
                    let buffer = buffers.pop().unwrap_or_default();
                    giver.give(&stretch.bytes[piece.clone()], self.lossy(text), buffer);
                    under_way.push_back(piece);
                }
                let (Some(piece), Some(worker)) = (under_way.pop_front(), workers.next()) else {
                    return Ok((at, Flow::On));
                };
                if let Some(clean) = worker.take() {
                    self.output.put_encoded(clean.output(), &|| stretch.intact())?;
                    text.offset += piece.len() as u64;
                    text.pass_direct(clean.passed);
                    if let Some(lossy) = &clean.lossy {
                        text.pass_lossy(lossy);
                    }
                    buffers.push(clean.into_buffer());
                    at = piece.end;
                } else {
                    let flow;
                    (at, flow) = self.convert_piece(text, &stretch, piece.clone(), pivot)?;
                    if flow != Flow::On || at != piece.end {
                        return Ok((at, flow));
                    }
                }
                stretch.part(piece.start, piece.end).release(piece.len());
            }
        })
    }

    /// Converts one piece of a stretch as one thread does, and returns the place in the stretch that it came to.
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
            stretch.part(at, at + used).release(used);
            at += used;
            if flow != Flow::On || used == 0 {
                return Ok((at, flow));
            }
        }
        Ok((at, Flow::On))
    }
}
