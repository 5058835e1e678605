//! The direct path: clean text does not become code points if a kernel converts from the input's form to the output's,
//! or if a charset converts to or from UTF-8 by itself.
//!
//! A decoder or encoder returns its `EncodingForm` if it is exactly one. If both do, a kernel converts, and another
//! counts characters and lines. Charsets without state convert long text to UTF-8, and mostly US-ASCII text from it,
//! with loops of their own (`charset_to_utf8.rs` and `utf8_to_charset.rs` of the codecs). Then the UTF-8 side is
//! counted, whichever it is, because there is a kernel for that.
//!
//! Either stops before anything that is not clean, and leaves it to the decoder and the encoder. So nothing that a
//! conversion finds or writes depends on this path. A property test compares it with the path through code points.

use super::position::{Position, RunCounts};
use oxiconv_encodings::codec::{Decoder, Encoder};
use oxiconv_kernels::{EncodingForm, FormPair, Measured, Progress};

/// Bytes of input for which it is worth making a charset's tables for UTF-8. They are made from the tables for code
/// points when first needed, which a short text would pay for and not use. Lower in tests, whose texts are shorter.
const MIN_CHARSET_INPUT: usize = if cfg!(any(test, fuzzing)) { 20 } else { 4096 };

#[derive(Clone, Copy)]
pub(super) enum DirectPath {
    Kernels(FormPair),
    /// The decoder writes UTF-8; this pair measures it.
    Decoder(FormPair),
    /// The encoder reads UTF-8; this pair measures it.
    Encoder(FormPair),
}

impl DirectPath {
    /// Returns the direct path from `decoder` to `encoder`, or to no output; `None` if they need code points.
    pub(super) fn of(decoder: &dyn Decoder, encoder: Option<&dyn Encoder>) -> Option<Self> {
        let utf8 = FormPair { from: EncodingForm::Utf8, to: None };
        match (decoder.form(), encoder.map(|encoder| (encoder, encoder.form()))) {
            (Some(from), None) => Some(Self::Kernels(FormPair { from, to: None })),
            (Some(from), Some((_, to @ Some(_)))) => Some(Self::Kernels(FormPair { from, to })),
            (Some(EncodingForm::Utf8), Some((encoder, None))) => {
                encoder.reads_utf8().then_some(Self::Encoder(utf8))
            }
            (None, Some((_, Some(EncodingForm::Utf8)))) => {
                decoder.writes_utf8().then_some(Self::Decoder(utf8))
            }
            _ => None,
        }
    }

    pub(super) fn kernels(&self) -> Option<&FormPair> {
        match self {
            Self::Kernels(pair) => Some(pair),
            Self::Decoder(_) | Self::Encoder(_) => None,
        }
    }

    /// Converts a run from the start of `input`, under the contract of [`oxiconv_kernels`]; a charset may stop early.
    /// Returns its counts, and the number of signs of interrupted code units in it.
    pub(super) fn run(
        &self,
        decoder: &dyn Decoder,
        encoder: Option<&dyn Encoder>,
        input: &[u8],
        output: &mut [u8],
    ) -> (Progress, RunCounts, usize) {
        let run = self.convert(decoder, encoder, input, output);
        let (pair, text) = match self {
            Self::Kernels(pair) | Self::Encoder(pair) => (pair, &input[..run.read]),
            Self::Decoder(pair) => (pair, &output[..run.written]),
        };
        let measured = pair.measure(text);
        (run, counts_of(pair, text, measured), measured.signs)
    }

    /// The same without counting.
    pub(super) fn convert(
        &self,
        decoder: &dyn Decoder,
        encoder: Option<&dyn Encoder>,
        input: &[u8],
        output: &mut [u8],
    ) -> Progress {
        match (self, encoder) {
            (Self::Kernels(pair), _) => pair.run(input, output),
            (Self::Decoder(_), _) if input.len() >= MIN_CHARSET_INPUT => {
                decoder.decode_to_utf8(input, output)
            }
            (Self::Encoder(_), Some(encoder)) if input.len() >= MIN_CHARSET_INPUT => {
                encoder.encode_from_utf8(input, output)
            }
            _ => Progress::default(),
        }
    }

    /// Returns an upper bound for the output of this many bytes of input.
    pub(super) fn at_most(&self, bytes: usize) -> usize {
        match self {
            Self::Kernels(pair) => pair.to.map_or(0, |to| pair.from.at_most(bytes, to)),
            Self::Decoder(_) => 4 * bytes,
            Self::Encoder(_) => 8 * bytes,
        }
    }
}

/// Returns the counts of `run`, which is text in the form that `pair` reads.
pub(super) fn counts(pair: &FormPair, run: &[u8]) -> RunCounts {
    counts_of(pair, run, pair.measure(run))
}

/// The same for a run that was measured. The kernel counts characters and line feeds of the run as a whole; the column
/// needs the characters after the last line feed, so those are measured again. Usually that is one line.
fn counts_of(pair: &FormPair, run: &[u8], measured: Measured) -> RunCounts {
    let Measured { characters, line_feeds, .. } = measured;
    let mut moved = Position::START;
    let last_line = if line_feeds == 0 {
        characters
    } else {
        moved.line += line_feeds as u64;
        let start = pair.from.after_last_line_feed(run).unwrap_or(0);
        pair.measure(&run[start..]).characters
    };
    moved.column += last_line as u64;
    RunCounts { characters: characters as u64, moved }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oxiconv_encodings::codec::{ByteOrder, Stateless, Utf8Codec, Utf16Codec};

    fn moved(decoder: &dyn Decoder, runs: &[&[u8]]) -> (u64, u64, u64) {
        let direct = DirectPath::of(decoder, None).unwrap();
        let mut all = RunCounts::default();
        for run in runs {
            all.add(counts(direct.kernels().unwrap(), run));
        }
        (all.moved.line, all.moved.column, all.characters)
    }

    #[test]
    fn positions_move_as_by_code_points() {
        let decoder = Stateless(Utf8Codec);
        assert_eq!(moved(&decoder, &[b""]), (1, 1, 0));
        assert_eq!(moved(&decoder, &["aé".as_bytes(), "€".as_bytes()]), (1, 4, 3));
        assert_eq!(moved(&decoder, &["a\né".as_bytes(), "😀\n\nb".as_bytes()]), (4, 2, 7));
        // U+0A0A and U+0A00 contain the byte of a line feed, but are not one.
        let big: Vec<u8> = "\u{A0A}\n\u{A00}😀".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(moved(&Stateless(Utf16Codec(ByteOrder::Big)), &[&big]), (2, 3, 4));
        let little: Vec<u8> =
            "\u{A0A}\n\u{A00}".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(
            moved(&Stateless(Utf16Codec(ByteOrder::Little)), &[&little, &little]),
            (3, 2, 6)
        );
    }
}
