//! A view of a text in a known encoding in which each character is one byte: itself if it is ASCII, and a placeholder
//! otherwise. The scanners for declarations work on this, whatever the encoding is.
//!
//! ```text
//! 3C 00 3F 00 16 04   UTF-16LE   ascii: "<?\xFF"   starts: 0 2 4 6
//! ```

use oxiconv_encodings::codec::{ByteOrder, DecodeStop, Decoder, MIN_PIVOT};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::CodePoint;

/// The placeholder for every character that is not ASCII.
pub(super) const NON_ASCII: u8 = 0xFF;

/// Whether an encoding is a superset of printable ASCII.
pub(super) fn keeps_ascii(encoding: &'static Encoding) -> bool {
    reads_ascii(encoding.new_decoder(ByteOrder::Big))
}

pub(super) fn reads_ascii(mut decoder: Box<dyn Decoder>) -> bool {
    let printable: Vec<u8> = (b' '..=b'~').collect();
    let mut room = [0; 2 * MIN_PIVOT + 128];
    let decoded = decoder.decode(&printable, &mut room, false);
    decoded.read == printable.len()
        && room[..decoded.written].iter().copied().eq(printable.into_iter().map(CodePoint::from))
}

pub(super) struct AsciiView {
    /// One byte per character.
    pub(super) ascii: Vec<u8>,
    /// The offset of each character in the text, and the end of the last one.
    pub(super) starts: Vec<usize>,
}

impl AsciiView {
    /// Decodes `bytes`. Ill-formed subsequences become [`NON_ASCII`].
    pub(super) fn of(mut decoder: Box<dyn Decoder>, bytes: &[u8]) -> Self {
        let (mut ascii, mut starts, mut at) = (Vec::with_capacity(bytes.len()), Vec::new(), 0);
        let mut room = [0; MIN_PIVOT];
        'text: while at < bytes.len() {
            // Decode into room for a single character, so that its offset is known. A sequence that stands for several
            // characters needs more.
            let mut width = 1;
            let decoded = loop {
                let decoded = decoder.decode(&bytes[at..], &mut room[..width], false);
                if decoded.read > 0 || decoded.stop != DecodeStop::OutputFull {
                    break decoded;
                }
                width += 1;
                if width > MIN_PIVOT {
                    break 'text;
                }
            };
            for cp in &room[..decoded.written] {
                starts.push(at);
                ascii.push(u8::try_from(*cp).ok().filter(u8::is_ascii).unwrap_or(NON_ASCII));
            }
            at += decoded.read;
            let len = match decoded.stop {
                _ if decoded.read > 0 => continue,
                DecodeStop::IllFormed(ill_formed) => ill_formed.len,
                DecodeStop::Large { len, .. } => len,
                DecodeStop::InputEmpty | DecodeStop::OutputFull => break,
            };
            starts.push(at);
            ascii.push(NON_ASCII);
            at += len;
        }
        starts.push(at);
        Self { ascii, starts }
    }
}
