//! The start of a text, up to the sample that its encoding is judged by.

use std::io;

use crate::codec::ByteOrder;
use crate::detection::{Deferral, Detection, Detector, HEAD, SAMPLE};
use crate::encoding::Encoding;
use crate::io::{Chunk, Source};

use super::line_ends::LineEndCounter;

/// The first bytes of the marks of UTF-16 and UTF-32 with the least significant byte first.
const LITTLE_ENDIAN_MARK: [u8; 2] = [0xFF, 0xFE];
/// Bytes of the longest code unit: only a multiple of it is skipped.
const LONGEST_UNIT: usize = 4;

/// What the start of a text says. What was skipped is ASCII, and is consumed.
pub(super) struct Start {
    /// `None` if the text is empty.
    pub(super) detection: Option<Detection>,
    /// The byte order of its mark.
    pub(super) order: ByteOrder,
    /// Bytes skipped.
    pub(super) skipped: u64,
    /// The line ends in them.
    pub(super) line_ends: LineEndCounter,
    deferral: Deferral,
}

impl Start {
    /// Skips ASCII that tells nothing, and judges the text by what follows.
    ///
    /// # Errors
    ///
    /// If the source cannot be read.
    pub(super) fn of(source: &mut dyn Source, detector: Detector) -> io::Result<Self> {
        let mut start = Self {
            detection: None,
            order: ByteOrder::Big,
            skipped: 0,
            line_ends: LineEndCounter::new(Encoding::US_ASCII, ByteOrder::Big),
            deferral: Deferral::new(detector),
        };
        let first = source.fill(LITTLE_ENDIAN_MARK.len())?;
        if first.bytes.starts_with(&LITTLE_ENDIAN_MARK) {
            start.order = ByteOrder::Little;
        }
        if first.bytes.is_empty() {
            return Ok(start);
        }
        loop {
            let signal = start.find_signal(source)?;
            let chunk = source.fill(signal + SAMPLE + 1)?;
            let detection = start.deferral.judge_all(chunk.bytes, signal, chunk.last);
            chunk.intact()?;
            let goes_on =
                |it: &Detection| start.deferral.goes_on(it, chunk.bytes, signal, chunk.last);
            if !detection.as_ref().is_some_and(goes_on) {
                start.detection = detection;
                return Ok(start);
            }
        }
    }

    /// Moves to the first byte that tells something, or to the end, and returns how far ahead it is: what is in the
    /// first bytes of the text, and the bytes that wide units would begin with, are not skipped.
    fn find_signal(&mut self, source: &mut dyn Source) -> io::Result<usize> {
        let mut at_least = HEAD;
        loop {
            let Chunk { bytes, last, .. } = source.fill(at_least)?;
            let (ahead, tells) = self.deferral.ascii(bytes, last);
            let found = tells || last;
            let near = self.skipped + (ahead as u64) < HEAD as u64;
            let skipped = if found && near { 0 } else { ahead - ahead % LONGEST_UNIT };
            self.skip(source, skipped)?;
            if found {
                return Ok(ahead - skipped);
            }
            at_least = ahead - skipped + 2;
        }
    }

    /// Skips ASCII.
    fn skip(&mut self, source: &mut dyn Source, bytes: usize) -> io::Result<()> {
        // They are in memory already.
        let chunk = source.fill(1)?;
        let skipped = &chunk.bytes[..bytes];
        self.line_ends.count(skipped);
        self.deferral.pass(skipped);
        chunk.intact()?;
        source.consume(bytes);
        self.skipped += bytes as u64;
        Ok(())
    }
}
