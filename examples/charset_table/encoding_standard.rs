//! The encodings of the Encoding Standard, from the crate `encoding_rs`.

use encoding_rs::{DecoderResult, EncoderResult, Encoding};

use crate::{Codec, Decoded};

/// Returns the encoding with a label.
pub fn find(label: &str) -> Result<Box<dyn Codec>, String> {
    let encoding = Encoding::for_label(label.as_bytes()).ok_or_else(String::new)?;
    Ok(Box::new(encoding))
}

impl Codec for &'static Encoding {
    fn name(&self) -> &str {
        Encoding::name(self)
    }

    fn decode(&self, bytes: &[u8]) -> Decoded {
        let mut decoder = self.new_decoder_without_bom_handling();
        let mut text = String::with_capacity(4 * bytes.len() + 16);
        let (result, _) = decoder.decode_to_string_without_replacement(bytes, &mut text, false);
        if result != DecoderResult::InputEmpty {
            return Decoded::Nothing;
        }
        let (end, _) = decoder.decode_to_string_without_replacement(b"", &mut text, true);
        match end {
            DecoderResult::InputEmpty if text.is_empty() => Decoded::Nothing,
            DecoderResult::InputEmpty => Decoded::Text(text),
            DecoderResult::Malformed(..) | DecoderResult::OutputFull => Decoded::Incomplete,
        }
    }

    fn encode(&self, text: &str) -> Option<Vec<u8>> {
        let mut bytes = Vec::with_capacity(4 * text.len() + 16);
        let mut encoder = self.new_encoder();
        let (result, _) =
            encoder.encode_from_utf8_to_vec_without_replacement(text, &mut bytes, true);
        (result == EncoderResult::InputEmpty).then_some(bytes)
    }
}
