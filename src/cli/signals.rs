//! Signals: an interrupt leaves no half-made file behind, and a closed pipe ends the program as it ends `cat`.

use std::sync::Once;

use signal_hook::consts::{
    SIGALRM, SIGHUP, SIGINT, SIGPIPE, SIGPROF, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM,
    SIGXCPU,
};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use oxiconv::io::{discard_unfinished, ignore_file_size_signal, is_ignored};

/// From here on, a signal that ends the program first removes what it has begun to write. To be called before that.
pub(crate) fn clean_up_when_ended() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Without this an interrupt leaves a temporary file behind: no reason not to convert.
        ignore_file_size_signal();
        let ends = [
            SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM,
            SIGPROF,
        ];
        // What the process was started with ignored stays so: nohup and shells rely on it.
        let heeded = ends.into_iter().filter(|signal| !is_ignored(*signal));
        let Ok(mut signals) = Signals::new(heeded) else { return };
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
