//! A run of code points between the decoder and the encoder.

use std::ops::Range;

use super::super::locator::Locator;
use super::super::target_encoder::TargetEncoder;
use super::advance::EngineStop;
use oxiconv_encodings::codec::{Decoder, EncodeStop};
use oxiconv_encodings::unicode::CodePoint;

/// A run, whose code points are in the pivot. While it is held, none of its bytes count as read.
#[derive(Default)]
pub(super) struct CodePointRun {
    pub(super) held: bool,
    /// The code points of the pivot that are not encoded yet.
    pub(super) left: Range<usize>,
    /// The number of bytes that the run was decoded from.
    pub(super) bytes: usize,
    /// The code point after the run, if a stage may ask for it and it is certain.
    pub(super) next: Option<CodePoint>,
    /// The sequence of bytes that the target cannot represent as a whole, if each one is kept whole.
    pub(super) broken: Option<BrokenSequence>,
    pub(super) stop: Option<EngineStop>,
    pub(super) locator: Option<Locator>,
}

/// What is left of a run, given back.
#[cfg(feature = "transliteration")]
pub(super) struct GivenBack {
    /// The decoder, in its state in front of that.
    pub(super) decoder: Box<dyn Decoder>,
    /// The number of bytes before it.
    pub(super) read: usize,
    /// How many code points were encoded of the sequence of bytes that it begins with.
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

    /// Gives back what is left of it, and what stopped it; `None` if it cannot be located.
    #[cfg(feature = "transliteration")]
    pub(super) fn give_back(self, part: &[u8]) -> Option<GivenBack> {
        let (mut locator, part) = (self.locator?, &part[..self.bytes]);
        locator.advance(part, self.left.start);
        // A change of state behind something that was encoded is given back with what follows it, if anything does.
        if self.left.start == 0 || self.left.is_empty() {
            locator.advance_past_shifts(part);
        }
        let divided = self.left.start - locator.index();
        let (decoder, read) = locator.into_decoder();
        Some(GivenBack { decoder, read, divided })
    }
}

/// A sequence of bytes that stands for several code points, of which the target has the first, but not all.
#[derive(Clone, Copy)]
pub(super) struct BrokenSequence {
    /// The index of its first code point.
    pub(super) start: usize,
    /// The first code point that the target lacks.
    pub(super) lacking: CodePoint,
}

impl BrokenSequence {
    /// Looks for the first code point of a run that the target lacks, and returns its sequence if that begins with another.
    /// `locator` begins with the run, and `bytes` are those of the run.
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
