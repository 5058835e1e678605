//! Legacy text for tests, encoded by the registry's own encoders.

use oxiconv_encodings::codec::{ByteOrder, EncodeStop};
use oxiconv_encodings::encoding::Encoding;

/// Encodes a text. Panics if the encoding lacks a character of it.
pub(super) fn encode(text: &str, encoding: &Encoding) -> Vec<u8> {
    let cps: Vec<_> = text.chars().map(u32::from).collect();
    let mut room = vec![0; text.len() * 4 + 64];
    let mut encoder = encoding.new_encoder(ByteOrder::Big);
    let done = encoder.encode(&cps, &mut room);
    assert_eq!(done.stop, EncodeStop::InputEmpty, "{encoding} lacks a character of {text}");
    let end = done.written + encoder.finish(&mut room[done.written..]);
    room.truncate(end);
    room
}
