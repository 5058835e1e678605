//! The progress bar on standard error, for long work.

use std::io::{self, IsTerminal};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::io::{Chunk, Source};

use super::values::When;

/// Work that is done within this time shows no bar.
const PATIENCE: Duration = Duration::from_millis(800);

/// A progress bar that counts bytes.
pub(crate) struct Bar {
    bar: ProgressBar,
    began: Instant,
    hidden: Mutex<bool>,
    at_once: bool,
}

impl Bar {
    /// Creates a bar up to `bytes`, if one should be shown. `text_on_terminal` says that the text itself goes to the
    /// terminal, where a bar would be in its way.
    pub(crate) fn new(when: When, bytes: Option<u64>, text_on_terminal: bool) -> Option<Self> {
        let wanted = match when {
            When::Always => true,
            When::Never => false,
            When::Auto => io::stderr().is_terminal() && !text_on_terminal,
        };
        if !wanted {
            return None;
        }
        let bar = ProgressBar::with_draw_target(bytes, ProgressDrawTarget::hidden());
        let template = match bytes {
            Some(_) => "{wide_bar} {percent}% {bytes}/{total_bytes} {binary_bytes_per_sec} {eta}",
            None => "{spinner} {bytes} {binary_bytes_per_sec} {elapsed}",
        };
        // The template is a literal above, and valid.
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        let at_once = when == When::Always;
        Some(Self { bar, began: Instant::now(), hidden: Mutex::new(true), at_once })
    }

    fn advance(&self, bytes: u64) {
        let mut hidden = self.hidden.lock().unwrap_or_else(PoisonError::into_inner);
        if *hidden && (self.at_once || self.began.elapsed() > PATIENCE) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
            *hidden = false;
        }
        drop(hidden);
        self.bar.inc(bytes);
    }

    pub(crate) fn suspend<T>(&self, work: impl FnOnce() -> T) -> T {
        self.bar.suspend(work)
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A source that reports to a bar what is read from it.
pub(crate) struct Watched<'a> {
    pub(crate) source: Box<dyn Source>,
    pub(crate) bar: Option<&'a Bar>,
}

impl Source for Watched<'_> {
    fn fill(&mut self, at_least: usize) -> io::Result<Chunk<'_>> {
        self.source.fill(at_least)
    }

    fn consume(&mut self, bytes: usize) {
        self.source.consume(bytes);
        if let Some(bar) = self.bar {
            bar.advance(bytes as u64);
        }
    }

    fn window(&self) -> Option<Chunk<'_>> {
        self.source.window()
    }

    fn may_block(&self) -> bool {
        self.source.may_block()
    }

    fn read_ahead(&mut self) {
        self.source.read_ahead();
    }

    fn threads(&self) -> usize {
        self.source.threads()
    }
}
