//! The progress bar on standard error, for long work.

use std::fmt;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use oxiconv_report::counted;
use oxiconv_transcode::io::{Chunk, Source, Window};

use super::args::When;
use super::files::{FileArg, FileSelection};

/// A run that takes no longer than this shows no bar.
const SHOW_AFTER: Duration = Duration::from_millis(800);

/// The columns of a file's name, as in the templates.
const NAME_WIDTH: usize = 20;

/// A progress bar of one line that counts bytes, and files if there may be several.
pub(crate) struct Bar {
    bar: ProgressBar,
    files: Arc<AtomicU64>,
    began: Instant,
    hidden: Mutex<bool>,
    /// Show it without waiting for [`SHOW_AFTER`].
    at_once: bool,
}

/// What is known about the size of the job before it begins.
pub(crate) struct WorkSize {
    /// The bytes of all inputs. `None` if not all are found yet, or one has no known size.
    pub(crate) bytes: Option<u64>,
    pub(crate) counts_files: bool,
}

impl WorkSize {
    /// Returns the size of inputs that are converted to one output.
    pub(crate) fn of_all(files: &FileSelection, inputs: &[FileArg]) -> Self {
        Self { bytes: files.size_of_all(inputs), counts_files: false }
    }

    /// Every field has a fixed width, so that nothing moves while its number grows. The bar takes the rest of the line.
    fn template(&self) -> &'static str {
        match (self.bytes, self.counts_files) {
            (Some(_), false) => {
                "{msg:20!} {percent:>3}% {wide_bar} {bytes:>10} {binary_bytes_per_sec:>13} ETA {eta:>3}"
            }
            (None, false) => "{msg:20!} {bytes:>10} {binary_bytes_per_sec:>13} {elapsed:>4}",
            (Some(_), true) => {
                "{msg:20!} {percent:>3}% {wide_bar} {files:>12} {bytes:>10} {binary_bytes_per_sec:>13} ETA {eta:>3}"
            }
            (None, true) => {
                "{msg:20!} {files:>12} {bytes:>10} {binary_bytes_per_sec:>13} {elapsed:>4}"
            }
        }
    }
}

impl Bar {
    /// Creates a bar, if one may be shown. Only then is `extent` called, because it looks up the sizes of all files.
    /// With `text_on_terminal`, the text itself is written to the terminal, where a bar would be in its way.
    pub(crate) fn new(
        when: When,
        extent: impl FnOnce() -> WorkSize,
        text_on_terminal: bool,
    ) -> Option<Self> {
        let wanted = match when {
            When::Always => true,
            When::Never => false,
            When::Auto => io::stderr().is_terminal() && !text_on_terminal,
        };
        if !wanted {
            return None;
        }
        let extent = extent();
        let bar = ProgressBar::with_draw_target(extent.bytes, ProgressDrawTarget::hidden());
        let files = Arc::new(AtomicU64::new(0));
        // The templates are literals above, and valid.
        if let Ok(style) = ProgressStyle::with_template(extent.template()) {
            let files = Arc::clone(&files);
            let count = move |_: &ProgressState, to: &mut dyn fmt::Write| {
                let _ = to.write_str(&counted(files.load(Ordering::Relaxed), "file"));
            };
            bar.set_style(style.with_key("files", count));
        }
        let at_once = when == When::Always;
        Some(Self { bar, files, began: Instant::now(), hidden: Mutex::new(true), at_once })
    }

    /// Shows the name of a file that begins. If several are processed at a time, it is that of the last one. A long
    /// path is cut at its start, because its end tells more.
    pub(crate) fn begin_file(&self, file: &FileArg) {
        let label = file.label();
        let start = label.chars().count().saturating_sub(NAME_WIDTH);
        self.bar.set_message(match start {
            0 => label,
            start => format!("…{}", label.chars().skip(start + 1).collect::<String>()),
        });
    }

    pub(crate) fn count_file(&self) {
        self.files.fetch_add(1, Ordering::Relaxed);
        // An empty file advances no byte, but may be the one after which the bar is due.
        self.advance(0);
    }

    fn advance(&self, bytes: u64) {
        let mut hidden = self.hidden.lock().unwrap_or_else(PoisonError::into_inner);
        if *hidden && (self.at_once || self.began.elapsed() > SHOW_AFTER) {
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

/// A source that reports to a progress bar how many bytes are consumed.
pub(crate) struct MeteredSource<'a> {
    pub(crate) source: Box<dyn Source>,
    pub(crate) bar: Option<&'a Bar>,
}

impl Source for MeteredSource<'_> {
    fn fill(&mut self, at_least: usize) -> io::Result<Chunk<'_>> {
        self.source.fill(at_least)
    }

    fn consume(&mut self, bytes: usize) {
        self.source.consume(bytes);
        if let Some(bar) = self.bar {
            bar.advance(bytes as u64);
        }
    }

    fn window(&self) -> Option<Box<dyn Window + '_>> {
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
