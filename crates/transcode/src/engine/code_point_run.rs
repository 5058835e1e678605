//! A run of code points between the decoder and the encoder. The code points are in the pivot of the engine; this is
//! what else is known of them: how far they are encoded, which bytes they came from, and what the decoder stopped at.

use std::ops::Range;

use super::super::locator::Locator;
use super::super::target_encoder::TargetEncoder;
use super::advance::EngineStop;
use oxiconv_encodings::codec::{Decoder, EncodeStop};
use oxiconv_encodings::unicode::CodePoint;

/// A run; its code points are in the pivot. While it is held, none of its bytes count as read.
///
/// `stop` is reported only after the last code point, together with the bytes. Of `61 C3 A9 FF` to US-ASCII, the caller
/// first hears of the unmappable é, and of the ill-formed FF when é is dealt with: stops come in the order of the text.
#[derive(Default)]
pub(super) struct CodePointRun {
    pub(super) held: bool,
    /// The range of the pivot that is not encoded yet.
    pub(super) left: Range<usize>,
    pub(super) bytes: usize,
    /// The code point after the run, if it is certain and a stage may ask for it.
    pub(super) next: Option<CodePoint>,
    /// The first sequence that the target cannot represent as a whole, if sequences are kept whole.
    pub(super) broken: Option<BrokenSequence>,
    pub(super) stop: Option<EngineStop>,
    pub(super) locator: Option<Locator>,
}

/// What a run that is given back leaves: everything before the next sequence is read, and the decoder is there.
#[cfg(feature = "transliteration")]
pub(super) struct GivenBack {
    /// The decoder, in its state before the rest.
    pub(super) decoder: Box<dyn Decoder>,
    pub(super) read: usize,
    /// How many code points of the first sequence of the rest are already encoded.
    pub(super) divided: usize,
}

impl CodePointRun {
    /// Returns the bytes of the next code point in `part`, the bytes that the run begins with.
    pub(super) fn locate(&mut self, part: &[u8]) -> Option<Range<usize>> {
        Some(self.locator.as_mut()?.locate(&part[..self.bytes], self.left.start))
    }

    /// Returns a decoder in the state after the code point located last.
    pub(super) fn decoder_after(&self, part: &[u8]) -> Option<Box<dyn Decoder>> {
        Some(self.locator.as_ref()?.decoder_after(&part[..self.bytes]))
    }

    /// Gives back the rest of the run and what stopped it; `None` without a locator.
    #[cfg(feature = "transliteration")]
    pub(super) fn give_back(self, part: &[u8]) -> Option<GivenBack> {
        let (mut locator, part) = (self.locator?, &part[..self.bytes]);
        locator.advance(part, self.left.start);
        // A shift sequence between an encoded character and the next one is given back together with the latter. If
        // nothing was encoded before it or nothing follows it, it is read: of `1B 24 29 43 0E 30 21` in ISO-2022-KR, a
        // call without room for the letter reads the first five bytes.
        if self.left.start == 0 || self.left.is_empty() {
            locator.advance_past_shifts(part);
        }
        let divided = self.left.start - locator.index();
        let (decoder, read) = locator.into_decoder();
        Some(GivenBack { decoder, read, divided })
    }
}

/// A sequence of bytes for several code points, of which the target has the first but not all.
#[derive(Clone, Copy)]
pub(super) struct BrokenSequence {
    pub(super) start: usize,
    /// The first code point that the target lacks.
    pub(super) lacking: CodePoint,
}

impl BrokenSequence {
    /// Finds the first code point of a run that the target lacks, and returns its sequence if it is not the first of
    /// that. `locator` is at the start of the run, whose bytes are `bytes`.
    ///
    /// This encodes the run into a scratch buffer with a fork of the encoder. It is called only for charsets that have
    /// such sequences; the others pay nothing. Nothing after that code point has to be looked at, because the
    /// conversion stops there: only a conversion that stops at what the target lacks keeps sequences whole.
    pub(super) fn find(
        target: &TargetEncoder,
        mut locator: Locator,
        bytes: &[u8],
        run: &[CodePoint],
    ) -> Option<Self> {
        let mut encoder = target.encoder()?.fork();
        let (mut room, mut at) = ([0; 1024], 0);
        while at < run.len() {
            let encoded = encoder.encode(&run[at..], &mut room);
            at += encoded.read;
            if encoded.stop == EncodeStop::Unmappable {
                locator.locate(bytes, at);
                let start = locator.index();
                return (start < at).then_some(Self { start, lacking: run[at] });
            }
        }
        None
    }
}
