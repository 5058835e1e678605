//! Guesses a text in a superset of the encoding that it is read in: many programs call a vendor's extension by the name
//! of the standard, such as CP932 by that of Shift_JIS.
//!
//! ```text
//! read in Shift_JIS     83 41 87 40     ア, and 87 40 is ill-formed
//! read in CP932         83 41 87 40     ア①: 87 40 is the vendor's own
//! ```
//!
//! All supersets decode the text as it comes, and each is dropped at its first error, so the guess is made only if the
//! superset decodes everything that was seen. The encoding itself decodes the text too: unless it fails, the text is
//! what it is said to be, and a superset has nothing to add.

use super::{Cause, Guess};
use crate::Repair;
use oxiconv_encodings::codec::{ByteOrder, DecodeStop, Decoder, MIN_PIVOT};
use oxiconv_encodings::encoding::{Encoding, supersets};

/// The supersets that have decoded the text so far.
#[derive(Default)]
pub(super) struct Supersets {
    begun: bool,
    readers: Vec<SupersetDecoder>,
    /// The encoding itself, until its first error.
    own: Option<SupersetDecoder>,
}

struct SupersetDecoder {
    encoding: &'static Encoding,
    decoder: Box<dyn Decoder>,
    /// The start of a character whose end has not been seen yet.
    rest: Vec<u8>,
}

impl Supersets {
    /// Decodes more of a text that is in `encoding`.
    pub(super) fn look(&mut self, bytes: &[u8], encoding: &'static Encoding) {
        if !std::mem::replace(&mut self.begun, true) {
            self.readers.extend(supersets(encoding).map(SupersetDecoder::new));
            self.own = Some(SupersetDecoder::new(encoding));
        }
        self.readers.retain_mut(|reader| reader.reads(bytes));
        // Without a superset left, it does not matter what the encoding itself makes of the rest.
        if !self.readers.is_empty() {
            self.own = self.own.take().and_then(|mut own| own.reads(bytes).then_some(own));
        }
    }

    /// Moves past a part of the text that is not examined, between two characters.
    pub(super) fn skip(&mut self) {
        for reader in self.readers.iter_mut().chain(&mut self.own) {
            *reader = SupersetDecoder::new(reader.encoding);
        }
    }

    /// Guesses the superset for a text that `encoding` cannot decode. `end` says that all of the text was read.
    pub(super) fn guess(&self, encoding: &Encoding, end: bool) -> Option<Guess> {
        let superset = self.readers.first().filter(|_| self.own.is_none())?.encoding;
        let (name, wider) = (encoding.name(), superset.name());
        let all = if end { "the whole text" } else { "everything read so far" };
        Some(Guess {
            cause: Cause::Legacy,
            what: wider.to_owned(),
            evidence: format!("{wider} extends {name}, and {all} is valid {wider}"),
            characters: Vec::new(),
            repair: Some(Repair::from(superset)),
        })
    }
}

impl SupersetDecoder {
    fn new(encoding: &'static Encoding) -> Self {
        Self { encoding, decoder: encoding.new_decoder(ByteOrder::Big), rest: Vec::new() }
    }

    /// Whether it decodes more of the text. An incomplete character at the end is not an error: where a conversion
    /// stops, the rest is never seen.
    fn reads(&mut self, bytes: &[u8]) -> bool {
        self.rest.extend_from_slice(bytes);
        let mut pivot = [0; 4 * MIN_PIVOT];
        let mut at = 0;
        loop {
            let decoded = self.decoder.decode(&self.rest[at..], &mut pivot, false);
            at += decoded.read;
            match decoded.stop {
                DecodeStop::OutputFull => {}
                DecodeStop::InputEmpty => break,
                DecodeStop::IllFormed(_) | DecodeStop::Large { .. } => return false,
            }
        }
        self.rest.drain(..at);
        true
    }
}
