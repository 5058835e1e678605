//! Bytes that are read but not written, because what follows may compose with them: see [`exact`](super).
//!
//! They are kept as bytes and not as characters, so that the next call can decode them together with what follows.

use super::super::remedy::Remedies;
use oxiconv_encodings::codec::Decoder;

/// The most bytes held. The longest composition takes 12.
pub(super) const MAX_HELD: usize = 24;

#[derive(Clone, Copy, Debug)]
pub(super) struct HeldBytes {
    bytes: [u8; MAX_HELD],
    pub(super) len: usize,
}

impl HeldBytes {
    pub(super) const NOTHING: Self = Self { bytes: [0; MAX_HELD], len: 0 };

    pub(super) fn new(bytes: &[u8]) -> Self {
        let mut held = Self { len: bytes.len(), ..Self::NOTHING };
        held.bytes[..bytes.len()].copy_from_slice(bytes);
        held
    }

    /// Returns what is complete at the start of `tail`, if the target has it and another byte cannot make it
    /// ill-formed.
    pub(super) fn start_of(
        tail: &[u8],
        decoder: &dyn Decoder,
        remedies: &Remedies,
    ) -> Option<Self> {
        let mut characters = [0; 2 * MAX_HELD];
        let decoded = decoder.fork().decode(tail, &mut characters, true);
        let characters = &characters[..decoded.written];
        if characters.is_empty() || remedies.stops_at(characters.iter().copied()).is_some() {
            return None;
        }
        // Decoding again with a zero byte after it shows whether it is safe to hold. Nothing composes with a zero byte,
        // so a decoder that now reads less has found that the next byte can make it ill-formed.
        let mut followed = [0; MAX_HELD + 1];
        followed[..decoded.read].copy_from_slice(&tail[..decoded.read]);
        let followed = &followed[..=decoded.read];
        let again = decoder.fork().decode(followed, &mut [0; 2 * MAX_HELD], false);
        (again.read >= decoded.read).then(|| Self::new(&tail[..decoded.read]))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}
