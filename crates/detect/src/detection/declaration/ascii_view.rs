//! The characters of a text whose encoding is known, as far as they are ASCII, and their places.

use oxiconv_encodings::codec::{ByteOrder, DecodeStop, Decoder, MIN_PIVOT};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::CodePoint;

/// Stands for every character that is not ASCII.
pub(super) const NON_ASCII: u8 = 0xFF;

/// Whether ASCII is ASCII in an encoding.
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

/// The characters of a text.
pub(super) struct AsciiView {
    /// One byte each: itself if it is ASCII.
    pub(super) ascii: Vec<u8>,
    /// The offset of each, and the end of the last one.
    pub(super) starts: Vec<usize>,
}

impl AsciiView {
    /// Decodes `bytes`. What is ill-formed is [`NON_ASCII`].
    pub(super) fn of(mut decoder: Box<dyn Decoder>, bytes: &[u8]) -> Self {
        let (mut ascii, mut starts, mut at) = (Vec::with_capacity(bytes.len()), Vec::new(), 0);
        let mut room = [0; MIN_PIVOT];
        'text: while at < bytes.len() {
            // One character at a time, or as few as one sequence stands for.
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
