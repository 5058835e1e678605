//! Text that an earlier run wrote in the encoding of the output, so that a second run would convert it twice.
//!
//! ```text
//! oxiconv -f latin1 -t utf-16le -i a    "é" becomes E9 00
//! oxiconv -f latin1 -t utf-16le -i a    again: E9 and 00 are two characters of Latin-1, and become E9 00 00 00
//! ```
//!
//! A text is such output if three things hold: it decodes without error in the target encoding, encoding the result
//! gives the same bytes, and the result is more plausible text than the reading that was asked for.

use oxiconv_encodings::codec::{ByteOrder, EncodeStop, MIN_OUTPUT};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::CodePoint;
use oxiconv_transcode::{Conversion, OnUnmappable};

use super::ascii_probe::{AsciiSet, LoneAscii, lone_ascii};
use super::decoded_part::{CLEAR, DecodedPart};
use super::requested::stops_at_ill_formed;

/// The encoding of the output, if it is not UTF-8.
pub(super) struct EarlierOutput {
    pub(super) encoding: &'static Encoding,
    pub(super) order: ByteOrder,
    /// The ASCII bytes that do not mean themselves there.
    pub(super) special: AsciiSet,
    /// Whether the encoding of the input is detected. The detection may be wrong, so less evidence contradicts it.
    pub(super) is_detected: bool,
    /// Whether the conversion continues after ill-formed, and after unmappable text.
    pub(super) allows_ill_formed: bool,
    pub(super) allows_unmappable: bool,
}

impl EarlierOutput {
    /// Describes the output of `conversion` in `encoding`.
    pub(super) fn new(
        encoding: &'static Encoding,
        conversion: &Conversion,
        is_detected: bool,
    ) -> Self {
        let options = conversion.options();
        Self {
            encoding,
            order: conversion.output_order(),
            special: AsciiSet::of(|byte| lone_ascii(encoding, byte) != LoneAscii::Itself),
            is_detected,
            allows_ill_formed: !stops_at_ill_formed(options),
            allows_unmappable: options.substitution.on_unmappable != OnUnmappable::Stop,
        }
    }

    /// Whether a part of a file that would be read in `from` is in this encoding already.
    pub(super) fn has_written(
        &self,
        part: &[&[u8]],
        from: &'static Encoding,
        order: ByteOrder,
    ) -> bool {
        let text = DecodedPart::of(self.encoding, self.order, part);
        let read = DecodedPart::of(from, order, part);
        if text.text == read.text || !self.is_of(part) {
            return false;
        }
        // Characters that this run would replace, drop or escape are a sign that the text is in the target already, and
        // each outweighs a clear difference in cost. Three kinds count:
        //
        // * ill-formed subsequences, if the conversion continues after them;
        // * controls that the target lacks: there, the byte may begin an escape that the first run wrote;
        // * characters with no place in a text, as far as they are more than in the target's reading.
        let errors = if self.allows_ill_formed { read.errors } else { 0 };
        let others = if self.allows_unmappable { self.unmappable(&read.text) } else { Vec::new() };
        let controls = others.iter().filter(|cp| **cp < 0x20).count();
        let strange = read.strange().saturating_sub(text.strange());
        let lost = (errors + controls).max(strange);
        let is_doubtful = self.is_detected || lost > 0 || !others.is_empty();
        let clear = if is_doubtful { 0 } else { CLEAR };
        text.cost() + clear < read.cost() + CLEAR * lost as u32
    }

    /// Whether a line is a different text in this encoding than in `from`.
    pub(super) fn differs(&self, line: &[u8], from: &'static Encoding, order: ByteOrder) -> bool {
        let part = &[line];
        DecodedPart::of(self.encoding, self.order, part).text
            != DecodedPart::of(from, order, part).text
    }

    /// Whether this encoding's encoder could have written the lines of a part.
    pub(super) fn is_of(&self, part: &[&[u8]]) -> bool {
        part.iter().all(|line| {
            let text = DecodedPart::of(self.encoding, self.order, &[line]);
            text.errors == 0 && self.writes(&text.text, line)
        })
    }

    /// Returns the characters of a text that this encoding lacks.
    fn unmappable(&self, text: &[CodePoint]) -> Vec<CodePoint> {
        let mut encoder = self.encoding.new_encoder(self.order);
        let mut is = |cp: &CodePoint| {
            encoder.encode(&[*cp], &mut [0; 2 * MIN_OUTPUT]).stop == EncodeStop::Unmappable
        };
        text.iter().copied().filter(|cp| *cp != DecodedPart::ERROR && is(cp)).collect()
    }

    /// Whether `text` is encoded as `bytes`, except for the last few bytes: a character may be truncated there, or a
    /// shift sequence that the encoder writes only when the text is finished.
    fn writes(&self, text: &[CodePoint], bytes: &[u8]) -> bool {
        let mut encoder = self.encoding.new_encoder(self.order);
        let mut buffer = vec![0; MIN_OUTPUT * (text.len() + 1)];
        let (mut read, mut written) = (0, 0);
        loop {
            let encoded = encoder.encode(&text[read..], &mut buffer[written..]);
            read += encoded.read;
            written += encoded.written;
            match encoded.stop {
                EncodeStop::InputEmpty => break,
                EncodeStop::OutputFull if encoded.read > 0 => {}
                EncodeStop::OutputFull | EncodeStop::Unmappable => return false,
            }
        }
        bytes.starts_with(&buffer[..written]) && bytes.len() - written < MIN_OUTPUT
    }
}
