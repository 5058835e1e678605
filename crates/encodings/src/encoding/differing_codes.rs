//! How many codes two encodings read differently.

use std::collections::BTreeMap;

use super::Encoding;
use crate::codec::{ByteOrder, DecodeStop, Decoder, MIN_PIVOT};
use crate::unicode::CodePoint;

/// Bytes of the longest codes that are compared.
const LONGEST: usize = 4;
/// No charset that is a table has more sequences that are the start of a longer one.
const MOST_STARTS: usize = 0x1_0000;

/// Returns the number of codes that the two read differently: as other characters, or only one of them. `None` if one of
/// them cannot be listed code by code, because it has a state or too many codes.
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
                One::Character(cps) => {
                    codes.insert(code, cps);
                }
                One::Start if code.len() < LONGEST => starts.push(code),
                One::Start | One::IllFormed => {}
            }
        }
        if starts.len() > MOST_STARTS {
            return None;
        }
    }
    Some(codes)
}

/// What some bytes are.
enum One {
    Character(Vec<CodePoint>),
    /// The start of a longer code.
    Start,
    IllFormed,
}

/// Decodes one code; `None` if the bytes are read and change the state.
fn character(mut decoder: Box<dyn Decoder>, code: &[u8]) -> Option<One> {
    let mut output = [0; MIN_PIVOT];
    let done = decoder.decode(code, &mut output, false);
    match (done.read, done.written, done.stop) {
        (0, 0, DecodeStop::InputEmpty) => {
            // It may be a letter that waits for a mark to compose with.
            let end = decoder.decode(code, &mut output, true);
            Some(match end.stop {
                DecodeStop::InputEmpty => One::Character(output[..end.written].to_vec()),
                _ => One::Start,
            })
        }
        (_, 0, DecodeStop::InputEmpty) => None,
        (read, written, DecodeStop::InputEmpty) if read == code.len() => {
            Some(One::Character(output[..written].to_vec()))
        }
        _ => Some(One::IllFormed),
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
