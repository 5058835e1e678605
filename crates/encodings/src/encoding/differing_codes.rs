//! How many codes two encodings read differently.
//!
//! The codes of an encoding are enumerated with its decoder alone, so it does not matter how it is implemented. A code
//! that is the start of a longer one is extended by each byte:
//!
//! ```text
//! (empty) ─► 00 … FF ─► 41: a character     81: a start ─► 81 00 … 81 FF     FF: ill-formed
//! ```

use std::collections::BTreeMap;

use super::Encoding;
use crate::codec::{ByteOrder, DecodeStop, Decoder, MIN_PIVOT};
use crate::unicode::CodePoint;

/// Longer codes are not compared.
const MAX_CODE_LEN: usize = 4;
/// No table has more sequences that are the start of a longer code. An encoding that does would take too long.
const MAX_STARTS: usize = 0x1_0000;

/// Returns the number of codes that the two read as different characters, or that only one of them reads. `None` if the
/// codes of one cannot be enumerated, because it has a state or too many codes.
pub fn differing_codes(a: &Encoding, b: &Encoding) -> Option<usize> {
    let (a, b) = (codes(a)?, codes(b)?);
    let only_b = b.keys().filter(|code| !a.contains_key(*code)).count();
    Some(only_b + a.iter().filter(|(code, cps)| b.get(*code) != Some(cps)).count())
}

/// Returns the characters of each code of up to four bytes.
fn codes(encoding: &Encoding) -> Option<BTreeMap<Vec<u8>, Vec<CodePoint>>> {
    let decoder = encoding.new_decoder(ByteOrder::Big);
    let mut codes = BTreeMap::new();
    let mut starts = vec![Vec::new()];
    while let Some(start) = starts.pop() {
        for byte in 0..=u8::MAX {
            let code = [&start[..], &[byte]].concat();
            match character(decoder.fork(), &code)? {
                CodeMeaning::Character(cps) => {
                    codes.insert(code, cps);
                }
                CodeMeaning::Start if code.len() < MAX_CODE_LEN => starts.push(code),
                CodeMeaning::Start | CodeMeaning::IllFormed => {}
            }
        }
        if starts.len() > MAX_STARTS {
            return None;
        }
    }
    Some(codes)
}

enum CodeMeaning {
    Character(Vec<CodePoint>),
    /// The start of a longer code.
    Start,
    IllFormed,
}

/// Decodes one code; `None` if the decoder consumes the bytes without output, which means that they change its state.
fn character(mut decoder: Box<dyn Decoder>, code: &[u8]) -> Option<CodeMeaning> {
    let mut output = [0; MIN_PIVOT];
    let done = decoder.decode(code, &mut output, false);
    match (done.read, done.written, done.stop) {
        (0, 0, DecodeStop::InputEmpty) => {
            // Nothing is read yet. It may be a letter that waits for a combining mark, so ask what it is at the end.
            let end = decoder.decode(code, &mut output, true);
            Some(match end.stop {
                DecodeStop::InputEmpty => CodeMeaning::Character(output[..end.written].to_vec()),
                _ => CodeMeaning::Start,
            })
        }
        (_, 0, DecodeStop::InputEmpty) => None,
        (read, written, DecodeStop::InputEmpty) if read == code.len() => {
            Some(CodeMeaning::Character(output[..written].to_vec()))
        }
        _ => Some(CodeMeaning::IllFormed),
    }
}

#[cfg(test)]
#[cfg(feature = "legacy")]
mod tests {
    use super::*;

    #[test]
    fn codes_that_one_lacks_are_counted_too() {
        assert_eq!(differing_codes(Encoding::US_ASCII, Encoding::ISO_8859_1), Some(128));
        // The euro sign and seven letters.
        assert_eq!(differing_codes(Encoding::ISO_8859_15, Encoding::ISO_8859_1), Some(8));
        assert_eq!(differing_codes(Encoding::ISO_8859_1, Encoding::ISO_8859_1), Some(0));
    }

    #[test]
    fn what_has_a_state_cannot_be_listed() {
        for name in ["ISO-2022-JP", "ISO-2022-KR", "IBM930"] {
            let encoding = Encoding::for_name(name).unwrap();
            assert_eq!(differing_codes(encoding, encoding), None, "{name}");
        }
    }
}
