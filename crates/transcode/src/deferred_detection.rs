//! Input whose encoding is not named: its ASCII is converted at once, and the rest when its encoding is known.
//!
//! ```text
//! chunk: │ ASCII, read as UTF-8 │ sample, held until it is full or the text ends │ …
//!                               └ the decoder of the detected encoding continues here
//! ```
//!
//! Most text begins with ASCII, and much of it has nothing else. So a log whose first é is in its last line streams up
//! to there. `detection::Deferral` says what is ASCII and what the rest is. Positions, counts, held letters and line
//! ends continue across the change of decoders, because no byte of the text is between the two.

use super::context_buffer::READ_AHEAD;
use super::detected::Detected;
use super::error::{Error, Undetected};
use super::policy::OnUncertain;
use super::session::{Flow, Session};
use super::worker::STEP;
use crate::io::Chunk;
use oxiconv_detect::detection::{Deferral, Detection, Evidence};
use oxiconv_encodings::codec::{ByteOrder, MIN_PIVOT};
use oxiconv_encodings::encoding::Encoding;

impl Session<'_, '_> {
    pub(super) fn begin_detected(&mut self, detected: Detected) -> Result<(), Error> {
        match detected {
            Detected::Later(detector) => self.walk.text.deferral = Some(Deferral::new(detector)),
            Detected::Now(detection) => self.accept(detection)?,
        }
        Ok(())
    }

    /// Converts the bytes of `chunk` before `limit`, as [`Session::convert`] does, as far as their encoding is known.
    ///
    /// Each turn looks at a step of 16 KiB, converts the ASCII at its start, and then does one of four things:
    ///
    /// * There is a signal, a byte that may tell the encoding. The text from there on is the sample. If it is too
    ///   short, the rest of the chunk stays unread until it is longer; if the answer is ASCII in spite of the signal,
    ///   this continues; otherwise the decoder changes, and the loop ends, because the text is no longer deferred.
    /// * There is none, and nothing was converted: more of the text must be read.
    /// * There is none, and the text ends.
    /// * There is none, and the next step follows.
    ///
    /// The end of `near` is not the end of the chunk, so `near.last` is only true for the last step of the last chunk.
    pub(super) fn convert_deferred(
        &mut self,
        chunk: &Chunk<'_>,
        limit: usize,
    ) -> Result<(usize, Flow), Error> {
        // If context is shown, the bytes after a finding must be known to be ASCII too.
        let shown = if self.walk.text.context.is_some() { READ_AHEAD } else { 0 };
        let len = chunk.bytes.len();
        let mut at = 0;
        while let Some(deferral) = &self.walk.text.deferral {
            let near = chunk.part(at, len.min(at + STEP));
            let (ascii, tells) = deferral.ascii(near.bytes, near.last);
            let part = near.part(0, ascii);
            let most = if part.last { ascii } else { ascii.saturating_sub(shown) };
            let most = most.min(limit - at);
            let (done, flow) = self.convert_known(&part, most)?;
            at += done;
            if flow != Flow::Continue || done < most || at >= limit {
                return Ok((at, flow));
            }
            if tells {
                let signal = ascii - done;
                let ahead = &chunk.bytes[at..];
                let Some(deferral) = &mut self.walk.text.deferral else { continue };
                let Some(detection) = deferral.judge(ahead, signal, chunk.last) else {
                    return Ok((at, Flow::Continue));
                };
                if deferral.goes_on(&detection, ahead, signal, chunk.last) {
                    continue;
                }
                self.change_to(Box::new(detection))?;
            } else if done == 0 || near.last {
                return Ok((at, Flow::Continue));
            }
        }
        let (done, flow) = self.convert_known(&chunk.part(at, len), limit - at)?;
        Ok((at + done, flow))
    }

    /// Continues in the detected encoding, after ASCII. That part is written already, so an encoding that reads it as
    /// something else comes too late: a text in EBCDIC or UTF-16 is recognized at its start, or not at all.
    ///
    /// Only the decoder changes. The stages, the position and the output stay as they are, and a held run cannot be
    /// lost: everything converted so far was read to its end.
    fn change_to(&mut self, detection: Box<Detection>) -> Result<(), Error> {
        let encoding = detection.read_as();
        if !is_superset_of_ascii(encoding) {
            return Err(self.undetected(*detection));
        }
        self.accept(detection)?;
        self.walk.text.deferral = None;
        self.segments.change_to(self.walk.conversion, encoding);
        let decoder = self.walk.conversion.new_decoder(encoding, ByteOrder::Big);
        self.walk.engine.read_by(decoder, self.walk.output.target());
        self.walk.text.findings.encoding = encoding.in_order(ByteOrder::Big);
        Ok(())
    }

    /// Accepts a detection that is sure enough.
    fn accept(&mut self, detection: Box<Detection>) -> Result<(), Error> {
        let is_sure = detection.is_enough() && detection.evidence != Evidence::Binary;
        if !is_sure && self.walk.conversion.options.reading.on_uncertain == OnUncertain::Stop {
            return Err(self.undetected(*detection));
        }
        self.walk.text.findings.summary.detected = Some(detection);
        Ok(())
    }

    fn undetected(&self, detection: Detection) -> Error {
        Box::new(Undetected { detection, offset: self.walk.text.offset }).into()
    }
}

/// Whether letters, digits and the line feed are where ASCII has them. Then what was read as ASCII so far is right in
/// this encoding too. Other signs may differ: 5C is a backslash up to the first byte beyond ASCII, also in a charset
/// that has a currency sign there.
fn is_superset_of_ascii(encoding: &Encoding) -> bool {
    let invariant = (b'0'..=b'9').chain(b'A'..=b'Z').chain(b'a'..=b'z').chain([b'\n']);
    invariant.into_iter().all(|byte| {
        let mut room = [0; MIN_PIVOT];
        let decoded = encoding.new_decoder(ByteOrder::Big).decode(&[byte], &mut room, true);
        decoded.written == 1 && room[0] == u32::from(byte)
    })
}
