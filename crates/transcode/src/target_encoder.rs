//! The encoder of an output, and the conversion of line ends right before it.

use std::io;

use super::error::Error;
use super::line_end_converter::LineEndConverter;
use oxiconv_encodings::codec::{CodeValue, EncodeProgress, EncodeStop, Encoder};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::CodePoint;

/// The encoder of an output; by default, nothing is written.
#[derive(Default)]
pub(super) struct TargetEncoder {
    encoder: Option<Box<dyn Encoder>>,
    line_ends: Option<LineEndConverter>,
}

impl TargetEncoder {
    /// Creates a target that writes with `encoder`, if any, and converts line ends with `line_ends`, if any.
    pub(super) fn new(
        encoder: Option<Box<dyn Encoder>>,
        line_ends: Option<LineEndConverter>,
    ) -> Self {
        Self { encoder, line_ends }
    }

    /// Returns the state of the encoder, for [`TargetEncoder::restore`]. A line end converter has a state too, but no
    /// caller of this has one.
    #[cfg(feature = "transliteration")]
    pub(super) fn state(&self) -> Option<Box<dyn Encoder>> {
        self.encoder.as_ref().map(|encoder| encoder.fork())
    }

    #[cfg(feature = "transliteration")]
    pub(super) fn restore(&mut self, state: Option<Box<dyn Encoder>>) {
        self.encoder = state;
    }

    pub(super) fn begin(&mut self, encoding: &Encoding) {
        if let Some(line_ends) = &mut self.line_ends {
            line_ends.begin(encoding);
        }
    }

    pub(super) fn writes(&self) -> bool {
        self.encoder.is_some()
    }

    pub(super) fn encoder(&self) -> Option<&dyn Encoder> {
        self.encoder.as_deref()
    }

    pub(super) fn encode(&mut self, run: &[CodePoint], output: &mut [u8]) -> EncodeProgress {
        match (&mut self.encoder, &mut self.line_ends) {
            (Some(encoder), Some(line_ends)) => line_ends.encode(&mut **encoder, run, output),
            (Some(_), None) if run.is_empty() => {
                EncodeProgress { read: 0, written: 0, stop: EncodeStop::InputEmpty }
            }
            (Some(encoder), None) => encoder.encode(run, output),
            (None, _) => {
                EncodeProgress { read: run.len(), written: 0, stop: EncodeStop::InputEmpty }
            }
        }
    }

    /// Encodes a run into `output` after its first `written` bytes, and adds to `written`. Returns the index of the
    /// first code point that the encoding lacks, or `None` if everything was encoded. What does not fit is an error of
    /// kind `WriteZero`.
    pub(super) fn put(
        &mut self,
        run: &[CodePoint],
        output: &mut [u8],
        written: &mut usize,
    ) -> Result<Option<usize>, Error> {
        let encoded = self.encode(run, &mut output[*written..]);
        *written += encoded.written;
        match encoded.stop {
            EncodeStop::InputEmpty => Ok(None),
            EncodeStop::Unmappable => Ok(Some(encoded.read)),
            EncodeStop::OutputFull => Err(Error::Write(io::ErrorKind::WriteZero.into())),
        }
    }

    /// Encodes one value that does not fit a code point; see [`Encoder::encode_large`].
    pub(super) fn encode_large(&mut self, value: CodeValue, output: &mut [u8]) -> Option<usize> {
        let Some(encoder) = &mut self.encoder else { return Some(0) };
        let len = encoder.encode_large(value, output)?;
        if let Some(line_ends) = &mut self.line_ends {
            line_ends.note_large();
        }
        Some(len)
    }

    /// Returns the code points that were written for `run`, which was encoded last.
    pub(super) fn written<'r>(&'r self, run: &'r [CodePoint]) -> &'r [CodePoint] {
        self.line_ends.as_ref().map_or(run, |line_ends| line_ends.written(run))
    }

    /// Returns the line end to add to the text: `None` if it is empty or ends with one.
    pub(super) fn missing_line_end(&self) -> Option<&'static [CodePoint]> {
        self.line_ends.as_ref().and_then(LineEndConverter::missing)
    }

    /// Whether the outputs of two parts of a text, converted separately, concatenate to that of the whole. Not if the
    /// encoder joins characters: か and a mark at the border of two parts have one code together, and two apart.
    pub(super) fn concatenates(&self) -> bool {
        self.encoder.as_ref().is_none_or(|encoder| !encoder.joins())
    }

    /// Returns how many bytes [`TargetEncoder::finish`] would add now.
    pub(super) fn pending_bytes(&self) -> usize {
        self.encoder.as_ref().map_or(0, |encoder| encoder.pending())
    }

    /// Ends the output; see [`Encoder::finish`].
    pub(super) fn finish(&mut self, output: &mut [u8]) -> usize {
        self.encoder.as_mut().map_or(0, |encoder| encoder.finish(output))
    }
}
