//! Whether some parts of a region were misread several times, and others fewer times.

use super::mistake::PartReading;
use super::restorer::JudgedPart;
use oxiconv_encodings::unicode::{CodePoint, is_alphabetic};

/// One side of a contradiction wins with this many times the evidence of the other.
const DECISIVE_RATIO: f32 = 4.0;

/// A contradiction between parts of one region. Some of its UTF-8 was misread several times, and other parts fewer
/// times, although they have letters that the last misreading would have damaged as well. Text is damaged as a whole,
/// so one side is a coincidence: the one with less evidence.
pub(super) struct LayerConflict {
    most: usize,
    /// Bits saved by the parts with most layers, and by the others.
    deep: f32,
    flat: f32,
}

impl LayerConflict {
    /// Adds up the evidence of both sides. Parts with fewer layers count only if they have letters beyond ASCII, which
    /// one more misreading would have damaged as well.
    pub(super) fn of(found: &[JudgedPart]) -> Self {
        let mut layers = Self { most: most_layers(found), deep: 0.0, flat: 0.0 };
        for (candidate, gain) in found.iter().flatten().map(|found| &**found) {
            if candidate.layers() == layers.most {
                layers.deep += gain;
            } else if has_letters_beyond_ascii(candidate) {
                layers.flat += gain;
            }
        }
        layers
    }

    /// Whether a reading contradicts others that are not much weaker.
    pub(super) fn contradict(&self, candidate: &PartReading) -> bool {
        if candidate.layers() == self.most {
            self.deep < DECISIVE_RATIO * self.flat
        } else {
            has_letters_beyond_ascii(candidate) && self.flat < DECISIVE_RATIO * self.deep
        }
    }
}

pub(super) fn most_layers(found: &[JudgedPart]) -> usize {
    found.iter().flatten().map(|found| found.0.layers()).max().unwrap_or(0)
}

fn has_letters_beyond_ascii(candidate: &PartReading) -> bool {
    candidate.text.iter().any(|cp| is_letter_beyond_ascii(*cp))
}

fn is_letter_beyond_ascii(cp: CodePoint) -> bool {
    cp >= 0x80 && is_alphabetic(cp)
}
