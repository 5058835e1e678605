//! Conversion of bytes to Rust strings, validated by a kernel, which is faster than the standard library. The
//! conversions in memory (`in_memory.rs` of `transcode`) find out with it whether a text is UTF-8 already, and return
//! strings.

use super::contract::EncodingForm;
use super::select::FormPair;

/// Returns the length of the well-formed UTF-8 (D92) at the start of `bytes`, up to its last whole character. These
/// bytes are a [`str`].
fn str_len(bytes: &[u8]) -> usize {
    FormPair { from: EncodingForm::Utf8, to: None }.run(bytes, &mut []).read
}

/// Returns the start of `bytes` that is well-formed UTF-8, up to its last whole character.
pub fn str_prefix(bytes: &[u8]) -> &str {
    let prefix = &bytes[..str_len(bytes)];
    // SAFETY: the kernel has found these bytes well-formed, and nobody can change them while they are borrowed.
    unsafe { str::from_utf8_unchecked(prefix) }
}

/// Returns `bytes` as a string, if they are well-formed UTF-8.
pub fn as_str(bytes: &[u8]) -> Option<&str> {
    Some(str_prefix(bytes)).filter(|prefix| prefix.len() == bytes.len())
}

/// Converts `bytes` to a string, if they are well-formed UTF-8.
pub fn into_string(bytes: Vec<u8>) -> Option<String> {
    let is_str = str_len(&bytes) == bytes.len();
    // SAFETY: the kernel has found all of the bytes well-formed; they are owned.
    is_str.then(|| unsafe { String::from_utf8_unchecked(bytes) })
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
                    let whole = str::from_utf8(&bytes);
                    let valid = whole.map_or_else(|error| error.valid_up_to(), str::len);
                    assert_eq!(str_prefix(&bytes).as_bytes(), &bytes[..valid]);
                    assert_eq!(as_str(&bytes), whole.ok());
                    assert_eq!(into_string(bytes.clone()), String::from_utf8(bytes).ok());
                }
            }
        }
        for bytes in [&b"\xC0\x80"[..], b"\xED\xA0\x80", b"\xF4\x90\x80\x80", b"a\x80", b"\xFF"] {
            assert_eq!(as_str(bytes), None);
        }
    }
}
