//! Bytes as the strings of Rust, validated by the kernel instead of a second time by the standard library.

use super::contract::EncodingForm;
use super::select::Pair;

/// Whether all of `bytes` is well-formed UTF-8 (D92), which is what a [`str`] must be.
fn is_str(bytes: &[u8]) -> bool {
    // `validate` sees no further than the last whole character.
    Pair::new(EncodingForm::Utf8, None).run(bytes, &mut []).read == bytes.len()
}

/// The string of `bytes`, if they are well-formed UTF-8.
pub fn as_str(bytes: &[u8]) -> Option<&str> {
    // SAFETY: the kernel has just found all of the bytes well-formed, and nobody can change them while they are borrowed.
    is_str(bytes).then(|| unsafe { str::from_utf8_unchecked(bytes) })
}

/// The string that `bytes` are, if they are well-formed UTF-8.
pub fn into_string(bytes: Vec<u8>) -> Option<String> {
    // SAFETY: as above; the bytes are owned.
    is_str(&bytes).then(|| unsafe { String::from_utf8_unchecked(bytes) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The standard library is the judge, at every end of what a kernel takes at a time and after it.
    #[test]
    fn a_string_is_what_the_standard_library_takes_for_one() {
        for len in 0..200 {
            for tail in ["", "é", "€", "😀"].map(str::as_bytes) {
                for cut in 0..=tail.len() {
                    let bytes = [&vec![b'a'; len], &tail[..cut]].concat();
                    assert_eq!(as_str(&bytes), str::from_utf8(&bytes).ok());
                    assert_eq!(into_string(bytes.clone()), String::from_utf8(bytes).ok());
                }
            }
        }
        for bytes in [&b"\xC0\x80"[..], b"\xED\xA0\x80", b"\xF4\x90\x80\x80", b"a\x80", b"\xFF"] {
            assert_eq!(as_str(bytes), None);
        }
    }
}
