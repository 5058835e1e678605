//! The state of the terminal's line: a message begins on a line of its own.
//!
//! Text and messages share a screen if standard output and standard error are both terminals. If the text ends in the
//! middle of a line, the next message starts with a line feed, on standard error: the text stays as it is.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the text on the terminal ends in the middle of a line.
static INSIDE: AtomicBool = AtomicBool::new(false);

/// Standard output, whose text shares a screen with messages.
pub(crate) struct Screen<W>(pub(crate) W);

impl<W: Write> Write for Screen<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.0.write(bytes)?;
        // A terminal ignores NUL, which UTF-16 and UTF-32 have around line feeds.
        if let Some(last) = bytes[..written].iter().rfind(|byte| **byte != 0) {
            INSIDE.store(*last != b'\n', Ordering::Relaxed);
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Whether text and messages share a screen.
pub(crate) fn is_shared() -> bool {
    io::stdout().is_terminal() && io::stderr().is_terminal()
}

/// Returns what must be written before the next message on standard error.
pub(crate) fn end() -> &'static [u8] {
    if INSIDE.swap(false, Ordering::Relaxed) { b"\n" } else { b"" }
}
