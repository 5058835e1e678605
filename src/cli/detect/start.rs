//! The start of a text, up to the sample that its encoding is judged by.

use std::io;

use crate::codec::ByteOrder;
use crate::detection::{Detection, Detector, Evidence, HEAD, SAMPLE, Sample, Signal, first_signal};
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
    pub(super) passed: u64,
    /// The line ends in them.
    pub(super) line_ends: LineEndCounter,
}

impl Start {
    /// Skips ASCII that tells nothing, and judges the text by what follows.
    ///
    /// # Errors
    ///
    /// If the source cannot be read.
    pub(super) fn of(source: &mut dyn Source, detector: &Detector) -> io::Result<Self> {
        let ascii = LineEndCounter::new(Encoding::US_ASCII, ByteOrder::Big);
        let mut start =
            Self { detection: None, order: ByteOrder::Big, passed: 0, line_ends: ascii };
        let chunk = source.fill(HEAD)?;
        chunk.intact()?;
        let head = chunk.bytes[..chunk.bytes.len().min(HEAD)].to_vec();
        if head.is_empty() {
            return Ok(start);
        }
        if head.starts_with(&LITTLE_ENDIAN_MARK) {
            start.order = ByteOrder::Little;
        }
        loop {
            let ahead = start.find_signal(source)?;
            let chunk = source.fill(ahead + SAMPLE)?;
            let rest = &chunk.bytes[ahead..];
            let bytes = &rest[..rest.len().min(SAMPLE)];
            let whole = chunk.last && bytes.len() == rest.len();
            let sample = Sample { head: &head, offset: start.passed + ahead as u64, bytes, whole };
            let detection = detector.judge(&sample);
            chunk.intact()?;
            // A sample with nothing but escape sequences of a terminal is ASCII too.
            let tells =
                whole || detection.as_ref().is_some_and(|it| it.evidence != Evidence::Ascii);
            if tells {
                start.detection = detection;
                return Ok(start);
            }
            let more = ahead + bytes.len();
            start.pass(source, more - more % LONGEST_UNIT)?;
        }
    }

    /// Moves to the first byte that tells something, or to the end, and returns how far ahead it is: what is in the
    /// head, and the bytes that wide units would begin with, are not skipped.
    fn find_signal(&mut self, source: &mut dyn Source) -> io::Result<usize> {
        let mut at_least = HEAD;
        loop {
            let Chunk { bytes, last, .. } = source.fill(at_least)?;
            let (ahead, found) = match first_signal(bytes, last) {
                Signal::At(at) => (at, true),
                Signal::None { passed } => (passed, last),
            };
            let passes = !found || self.passed + ahead as u64 >= HEAD as u64;
            let passed = if passes { ahead - ahead % LONGEST_UNIT } else { 0 };
            self.pass(source, passed)?;
            if found {
                return Ok(ahead - passed);
            }
            at_least = ahead - passed + 2;
        }
    }

    /// Skips ASCII.
    fn pass(&mut self, source: &mut dyn Source, bytes: usize) -> io::Result<()> {
        // They are in memory already.
        let chunk = source.fill(1)?;
        self.line_ends.count(&chunk.bytes[..bytes]);
        chunk.intact()?;
        source.consume(bytes);
        self.passed += bytes as u64;
        Ok(())
    }
}
