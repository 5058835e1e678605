//! Recognizes data that is not text, by NUL and other control characters.
//!
//! NUL also pads text: to the size of a block at the end of a file, and to the size of a field in records. So a run of
//! NULs counts as one control. A run at the end counts as none, together with the 1A that ended files in CP/M.

use super::answer::{Detection, Evidence};
use super::detection_sample::{DetectionSample, HEAD};
use oxiconv_encodings::encoding::Encoding;

/// One byte in this many may be a control: in general, since some old charsets have letters there, and EBCDIC its line
/// ends; in ASCII, which reads the same whatever it is, and where lists of names may be separated by NUL; and if NUL is
/// the only control, because data has others too.
const ONE_IN: usize = 32;
const ONE_IN_ASCII: usize = 8;
const ONE_IN_PADDED: usize = 4;

/// Bytes that are added to the length of the text, so that a few controls in a short one are forgiven.
const GRACE: usize = 64;
/// The longest padding at the end of a text that is shorter than its padding.
const MAX_PADDING: usize = 64 * 1024;

/// Returns the answer for data that is not text. ASCII whose only control is NUL is always text, if it is anything but
/// NUL: it may be records with short fields.
///
/// The first 4 KiB of the sample are counted. A sample begins at the first NUL, if nothing else is a signal before it,
/// so the ASCII at the start of a file with data after it does not hide the data.
pub fn judge(sample: &DetectionSample<'_>) -> Option<Detection> {
    let text = without_padding(sample);
    let start = &text[..text.len().min(HEAD)];
    let controls = start.iter().filter(|byte| **byte != 0 && is_control(**byte)).count();
    let runs = start.chunk_by(|one, next| (*one == 0) == (*next == 0));
    let runs = runs.filter(|run| run[0] == 0).count();
    let written = start.iter().filter(|byte| **byte != 0).count();
    let has_many = |one_in| (controls + runs) * one_in > written + runs + GRACE;
    let is_padding = written == 0 && sample.offset == 0 && !sample.bytes.is_empty();
    let is_binary = is_padding
        || match (start.is_ascii(), controls) {
            (true, 0) => false,
            (false, 0) => has_many(ONE_IN_PADDED),
            (true, _) => has_many(ONE_IN_ASCII),
            (false, _) => has_many(ONE_IN),
        };
    is_binary.then(|| Detection::new(Encoding::US_ASCII, 0, Evidence::Binary))
}

/// Returns the bytes of a sample without the padding at its end, unless that is longer than both a block and the text.
fn without_padding<'t>(sample: &DetectionSample<'t>) -> &'t [u8] {
    let bytes = sample.bytes;
    let is_text = |byte: &u8| !matches!(byte, 0 | 0x1A);
    let len = bytes.iter().rposition(is_text).map_or(0, |at| at + 1);
    let before = usize::try_from(sample.offset).unwrap_or(usize::MAX).saturating_add(len);
    let is_padding = sample.whole && bytes.len() - len <= before.max(MAX_PADDING);
    if is_padding { &bytes[..len] } else { bytes }
}

/// Whether a byte is a control that text has neither in ASCII nor in EBCDIC. EBCDIC has 05 as a tab, 15 and 25 as line
/// ends, and 0E and 0F as shifts.
const fn is_control(byte: u8) -> bool {
    matches!(byte, 0..=4 | 6..=8 | 0x0B | 0x10..=0x14 | 0x16..=0x19 | 0x1C..=0x1F)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_binary(bytes: &[u8]) -> bool {
        judge(&DetectionSample::of(bytes, true)).is_some()
    }

    #[test]
    fn text_that_nul_pads_is_text() {
        assert!(!is_binary(
            b"some text\r\n\x1A\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
        ));
        let padded = |text: &[u8], size: usize| [text, &vec![0; size - text.len()]].concat();
        for text in [&b"a"[..], b"caf\xE9 cr\xE8me", b"\x83e\x83X\x83g"] {
            assert!(!is_binary(&padded(text, 512)), "{text:?}");
            assert!(!is_binary(&padded(text, 4096)), "{text:?}");
            assert!(!is_binary(&padded(text, 24).repeat(100)), "{text:?}");
        }
        assert!(!is_binary(&padded(b"Smith", 20).repeat(400)));
    }

    #[test]
    fn data_is_no_text() {
        let small: Vec<u8> =
            (0..2000u32).map(|value| value % 90).flat_map(u32::to_le_bytes).collect();
        for data in [
            &[0; 100][..],
            &small,
            b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3E\0\x01\0\0\0".repeat(9).as_slice(),
        ] {
            assert!(is_binary(data));
        }
        assert!(!is_binary(b""));
    }
}
