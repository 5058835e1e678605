//! Looks for text in other encodings that is well-formed UTF-8 in disguise, while a file is checked.
//!
//! * UTF-16 and UTF-32 of ASCII, and of a few other scripts: every byte is below 80, but many are zero.
//! * ISO-2022-JP, HZ, UTF-7 and others: all bytes are ASCII, and escape sequences or shifts say what they mean.
//!
//! What is found is only a reason to ask the detector, so it may be wrong, as for a file with a stray ESC.

use oxiconv_detect::detection::{Deferral, Detector};

/// A zero byte is looked for in the first bytes only: in UTF-16, one comes soon.
const EXAMINED_BYTES: usize = 8 * 1024;

pub(super) struct DisguiseSearch {
    /// What knows the escape sequences, as long as all bytes are ASCII.
    deferral: Option<Deferral>,
    consumed: usize,
    has_found: bool,
}

impl DisguiseSearch {
    pub(super) fn new() -> Self {
        let deferral = Some(Deferral::new(Detector::new()));
        Self { deferral, consumed: 0, has_found: false }
    }

    pub(super) const fn has_found(&self) -> bool {
        self.has_found
    }

    /// Looks at the next bytes of a file.
    pub(super) fn look(&mut self, bytes: &[u8]) {
        let start = EXAMINED_BYTES.saturating_sub(self.consumed).min(bytes.len());
        self.has_found |= memchr::memchr(0, &bytes[..start]).is_some();
        self.consumed += bytes.len();
        let Some(deferral) = &self.deferral else { return };
        // The first signal is a byte beyond ASCII, or an escape sequence. One that is split between two chunks is not
        // seen, but it is not the only one of its text.
        if let (at, true) = deferral.ascii(bytes, true) {
            self.has_found |= bytes.get(at).is_some_and(u8::is_ascii);
            self.deferral = None;
        }
    }
}
