//! The sentence for an invalid record. Its bytes are those of the record descriptor word, or none if the input ends in
//! the text of the record.

use crate::records::MAX_LENGTH;

pub(super) fn sentence(word: &[u8]) -> String {
    let is_of = "of a record descriptor word";
    match *word {
        [] => "the input ends before the end of the record".to_owned(),
        [high, low, segment, last] => match u16::from_be_bytes([high, low]) {
            length @ ..4 => format!(
                "the record has the length {length}; the shortest has 4, with its descriptor word"
            ),
            length if length > MAX_LENGTH => {
                format!(
                    "the record has the length {length}; the longest has {MAX_LENGTH} (is the file RECFM=V or VB?)"
                )
            }
            _ if (1..=3).contains(&segment) && last == 0 => {
                "this is a segment of a spanned record (copy the data set to one with RECFM=VB)"
                    .to_owned()
            }
            _ => format!(
                "the third and fourth byte {is_of} must be zero (is the file RECFM=V or VB?)"
            ),
        },
        _ => format!("the input ends after {} of the 4 bytes {is_of}", word.len()),
    }
}
