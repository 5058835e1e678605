//! Signals: an interrupt leaves no half-made file behind, and a closed pipe ends the program as it ends `cat`.

use std::sync::Once;

use signal_hook::consts::{SIGHUP, SIGINT, SIGPIPE, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use oxiconv::io::discard_unfinished;

/// From here on, a signal that ends the program first removes what it has begun to write. To be called before that.
pub(crate) fn clean_up_when_ended() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Without this an interrupt leaves a temporary file behind: no reason not to convert.
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
        std::thread::spawn(move || {
            if let Some(signal) = signals.forever().next() {
                discard_unfinished();
                // Does not return for these signals.
                let _ = emulate_default_handler(signal);
            }
        });
    });
}

/// Ends the program by SIGPIPE, which Rust's start-up code had ignored.
pub(crate) fn end_as_by_closed_pipe() {
    discard_unfinished();
    // Does not return: the default of this signal is to end the program.
    let _ = emulate_default_handler(SIGPIPE);
}
