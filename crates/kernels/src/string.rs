//! Conversion of bytes to Rust strings, validated by a kernel, which is faster than the standard library. The
//! conversions in memory (`in_memory.rs` of `transcode`) find out with it whether a text is UTF-8 already, and return
//! strings.

use super::contract::EncodingForm;
use super::select::FormPair;

/// Whether all of `bytes` is well-formed UTF-8 (D92), as a [`str`] must be.
fn is_str(bytes: &[u8]) -> bool {
    // The kernel reads only up to the last whole character.
    FormPair { from: EncodingForm::Utf8, to: None }.run(bytes, &mut []).read == bytes.len()
}

/// Returns `bytes` as a string, if they are well-formed UTF-8.
pub fn as_str(bytes: &[u8]) -> Option<&str> {
    // SAFETY: the kernel has found all of the bytes well-formed, and nobody can change them while they are borrowed.
    is_str(bytes).then(|| unsafe { str::from_utf8_unchecked(bytes) })
}

/// Converts `bytes` to a string, if they are well-formed UTF-8.
pub fn into_string(bytes: Vec<u8>) -> Option<String> {
    // SAFETY: as above; the bytes are owned.
    is_str(&bytes).then(|| unsafe { String::from_utf8_unchecked(bytes) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compared with the standard library at every length up to the block size of kernels and beyond.
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
