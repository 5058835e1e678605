//! Bytes that Python could not decode, as its error handler `surrogateescape` keeps them in a string (PEP 383): each
//! byte from 80 to FF is a low surrogate, U+DC80 to U+DCFF. A string with such surrogates has no form in UTF-8.
//! Programs that write it nevertheless, with `surrogatepass` or by hand, make three bytes of each of them:
//!
//! ```text
//! 61 FC 62    not UTF-8        61 U+DCFC 62    in memory        61 ED B3 BC 62    in the file
//! ```
//!
//! So the byte can be restored. Everything else in such a file is well-formed, because Python has decoded it, and that
//! tells such a file from others: text in windows-1251 has ED B3 BF too, the end of "Японії", but other bytes beyond
//! ASCII as well; and CESU-8 and WTF-8 have surrogates of other values.

/// Returns the byte for which the three bytes at the start of `bytes` stand, if they are U+DC80 to U+DCFF. Python
/// escapes no byte below 80.
pub const fn escaped_byte(bytes: &[u8]) -> Option<u8> {
    match bytes {
        [0xED, 0xB2, last @ 0x80..=0xBF, ..] => Some(*last),
        [0xED, 0xB3, last @ 0x80..=0xBF, ..] => Some(*last | 0x40),
        _ => None,
    }
}

/// Whether a text has such a sequence.
pub fn has_escaped_bytes(text: &[u8]) -> bool {
    memchr::memchr_iter(0xED, text).any(|at| escaped_byte(&text[at..]).is_some())
}

/// A text with its bytes restored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestoredText {
    /// The text, with one byte in place of three.
    pub bytes: Vec<u8>,
    /// The indices in `bytes` of those that were restored, in order.
    pub restored: Vec<usize>,
}

impl RestoredText {
    /// The length of an escaped byte.
    pub const ESCAPED: usize = 3;

    /// Restores the bytes of a text. `None` if it has none, or if anything else in it is ill-formed. `last` says that
    /// the text ends here; otherwise its end may be the start of a sequence, and stays as it is.
    pub fn of(text: &[u8], last: bool) -> Option<Self> {
        if !has_escaped_bytes(text) {
            return None;
        }
        let (mut bytes, mut restored) = (Vec::with_capacity(text.len()), Vec::new());
        let mut rest = text;
        loop {
            let error = std::str::from_utf8(rest).err();
            let valid = error.map_or(rest.len(), |error| error.valid_up_to());
            bytes.extend_from_slice(&rest[..valid]);
            rest = &rest[valid..];
            if let Some(byte) = escaped_byte(rest) {
                restored.push(bytes.len());
                bytes.push(byte);
                rest = &rest[Self::ESCAPED..];
                continue;
            }
            let is_start = matches!(rest, [] | [0xED] | [0xED, 0xB2 | 0xB3])
                || error.is_some_and(|error| error.error_len().is_none());
            if !(rest.is_empty() || is_start && !last) {
                return None;
            }
            bytes.extend_from_slice(rest);
            return Some(Self { bytes, restored });
        }
    }

    /// Returns the offset in the text, as it was, of the byte at `index`, or of the end.
    pub fn origin(&self, index: usize) -> usize {
        index + self.restored_before(index) * (Self::ESCAPED - 1)
    }

    /// Returns how many of the bytes before `index` were restored.
    pub fn restored_before(&self, index: usize) -> usize {
        self.restored.partition_point(|restored| *restored < index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The edges are PEP 383's: U+DC80 is the byte 80, and U+DCFF the byte FF.
    #[test]
    fn a_low_surrogate_from_dc80_on_is_a_byte() {
        for (bytes, expected) in [
            (&b"\xED\xB2\x80"[..], Some(0x80)),
            (b"\xED\xB2\xBF", Some(0xBF)),
            (b"\xED\xB3\x80", Some(0xC0)),
            (b"\xED\xB3\xBF!", Some(0xFF)),
            (b"\xED\xB1\xBF", None),
            (b"\xED\xB4\x80", None),
            (b"\xED\xB2", None),
            (b"\xED\xB2\x41", None),
            (b"\xEE\xB2\x80", None),
            (b"", None),
        ] {
            assert_eq!(escaped_byte(bytes), expected, "{bytes:X?}");
        }
    }

    #[test]
    fn bytes_are_restored_only_where_all_else_is_well_formed() {
        let of = |text: &[u8], last| RestoredText::of(text, last).map(|it| (it.bytes, it.restored));
        // é, of which each byte was escaped, and then FC.
        let text = b"caf\xED\xB3\x83\xED\xB2\xA9 \xC3\xA9 \xED\xB3\xBC";
        assert_eq!(of(text, true), Some((b"caf\xC3\xA9 \xC3\xA9 \xFC".to_vec(), vec![3, 4, 9])));
        for other in [
            &b"caf\xC3\xA9"[..],
            b"\xED\xB3\xBC \xE9",
            // A surrogate pair, other surrogates, and "Японії" in windows-1251.
            b"\xED\xA0\xBD\xED\xB2\x80",
            b"\xED\xB3\xBC \xED\xB1\xBF",
            b"\xED\xB3\xBC \xED\xA0\x80",
            b"\xDF\xEF\xEE\xED\xB3\xBF",
        ] {
            assert_eq!(of(other, true), None, "{other:X?}");
        }
        // The end of a piece may be the start of anything.
        for (end, is_cut) in
            [(&b"\xED"[..], true), (b"\xED\xB2", true), (b"\xE2\x82", true), (b"\xE9 ", false)]
        {
            let text = [b"\xED\xB3\xBC", end].concat();
            let expected = is_cut.then(|| ([b"\xFC", end].concat(), vec![0]));
            assert_eq!((of(&text, false), of(&text, true)), (expected, None), "{end:X?}");
        }
    }

    #[test]
    fn what_was_restored_knows_where_it_was() {
        let restored = RestoredText::of(b"a\xED\xB3\xBCb\xED\xB2\x80", true).unwrap();
        assert_eq!(restored.bytes, b"a\xFCb\x80");
        assert_eq!((0..=4).map(|at| restored.origin(at)).collect::<Vec<_>>(), [0, 1, 4, 5, 8]);
    }
}
