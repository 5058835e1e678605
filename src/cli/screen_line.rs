//! Makes messages begin on a line of their own where text and messages share a screen, which they do if standard output
//! and standard error are both terminals.
//!
//! If the text so far does not end with a line feed, the next message begins with one. It is written to standard error,
//! because the text must not be changed.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the text on the screen ends in the middle of a line.
static INSIDE: AtomicBool = AtomicBool::new(false);

/// A writer to standard output that notes where the text ends.
pub(crate) struct Screen<W>(pub(crate) W);

impl<W: Write> Write for Screen<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.0.write(bytes)?;
        // A terminal ignores NUL. In UTF-16LE, the line feed is the last byte but one.
        if let Some(last) = bytes[..written].iter().rfind(|byte| **byte != 0) {
            INSIDE.store(*last != b'\n', Ordering::Relaxed);
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

pub(crate) fn is_shared() -> bool {
    io::stdout().is_terminal() && io::stderr().is_terminal()
}

/// Returns the line feed to write before the next message, if one is needed. The text then counts as ended.
pub(crate) fn end() -> &'static [u8] {
    if INSIDE.swap(false, Ordering::Relaxed) { b"\n" } else { b"" }
}
