//! In which form a run is told of: text for people, or one of those for machines.
//!
//! ```text
//! head ─► for each file: begin ─► findings ─► what is left to say ─► end │ error ─► foot
//! ```
//!
//! A form for machines has the stream of the findings for itself: what people would read there becomes a part of it or
//! is left out. Errors are told on standard error too, where that is another stream.

use std::sync::{Mutex, PoisonError};

use crate::diagnostic::Summary;
use crate::report::{
    Counts, Event, FindingFormat, GithubFormat, JsonFormat, JsonPath, Remainder, SarifFormat,
    TextFormat, github_command, sarif_foot, sarif_head, sarif_notification,
};
use serde_json::Value;

use super::args::Format;
use super::config::{Action, Config};
use super::exit::Exit;
use super::files::FileArg;
use super::messages::{Console, FileOutput, Stream};
use super::totals::Totals;

/// The form of a run, and what of it has to wait for the end.
pub(crate) struct OutputFormat {
    format: Format,
    to: Stream,
    quiet: bool,
    verbose: bool,
    task: &'static str,
    /// SARIF's notifications, by the index of their output.
    notifications: Mutex<Vec<(usize, Value)>>,
}

impl OutputFormat {
    pub(crate) fn new(config: &Config) -> Self {
        let check = matches!(config.action, Action::Check);
        Self {
            format: config.format,
            to: if check { Stream::Out } else { Stream::Err },
            quiet: config.quiet,
            verbose: config.verbose,
            task: if check { "check" } else { "convert" },
            notifications: Mutex::default(),
        }
    }

    /// The stream of the findings.
    pub(crate) fn to(&self) -> Stream {
        self.to
    }

    /// Whether it is one for people.
    pub(crate) fn is_text(&self) -> bool {
        self.format == Format::Text
    }

    /// Whether nothing but this form may be written to standard error.
    pub(crate) fn has_stderr(&self) -> bool {
        !self.is_text() && self.to == Stream::Err
    }

    /// Whether findings are a list, parted by commas.
    pub(crate) fn is_list(&self) -> bool {
        self.format == Format::Sarif
    }

    /// The form of the findings of a file.
    pub(crate) fn form(
        &self,
        file: &FileArg,
        file_output: &FileOutput<'_>,
    ) -> Box<dyn FindingFormat> {
        match self.format {
            Format::Text => {
                let form = TextFormat::new(file.label(), file_output.style(self.to));
                Box::new(form.of_file(file.path.clone()))
            }
            Format::Json => Box::new(JsonFormat::new(file.path.clone())),
            Format::Sarif => Box::new(SarifFormat::new(file.path.as_deref())),
            Format::Github => Box::new(GithubFormat::new(file.path.clone(), file.label())),
        }
    }

    /// Begins the run.
    ///
    /// # Errors
    ///
    /// Those of standard output.
    pub(crate) fn head(&self, console: &Console) -> std::io::Result<()> {
        match self.format {
            Format::Text | Format::Github => Ok(()),
            Format::Json => console.write(self.to, &Event::start(self.task).line()),
            Format::Sarif => console.write(self.to, &sarif_head()),
        }
    }

    /// Begins a file, which is open.
    pub(crate) fn begin(&self, file_output: &mut FileOutput<'_>, file: &FileArg) {
        if self.format == Format::Json {
            self.event(file_output, &Event::Begin { path: JsonPath(file.path.as_deref()) });
        }
    }

    /// Says what findings left to say: notes, remarks, and how many were not shown.
    pub(crate) fn rest(
        &self,
        file_output: &mut FileOutput<'_>,
        file: &FileArg,
        remainder: &Remainder,
    ) {
        for (is_note, words) in &remainder.words {
            if if *is_note { !self.quiet } else { self.verbose } {
                self.note(file_output, file, words);
            }
        }
        if remainder.withheld > 0 && !self.quiet {
            let words = format!("{} more not shown; --max-reports 0 shows all", remainder.withheld);
            match self.format {
                // The end of the file has the number.
                Format::Json => {}
                Format::Github => {
                    let label = file.label();
                    let _ = file_output
                        .write(self.to, format!("oxiconv: {label}: {words}\n").as_bytes());
                }
                _ => self.note(file_output, file, &words),
            }
        }
    }

    /// A word on a file that is worth a person's while.
    pub(crate) fn note(&self, file_output: &mut FileOutput<'_>, file: &FileArg, words: &str) {
        let path = file.path.as_deref();
        match self.format {
            Format::Text => file_output.error(&format!("{}: {words}", file.label())),
            Format::Json => {
                self.event(file_output, &Event::Note { path: JsonPath(path), message: words });
            }
            Format::Sarif => self.keep(file_output, sarif_notification(false, Some(path), words)),
            Format::Github => {
                let message = format!("{}: {words}", file.label());
                let _ = file_output
                    .write(self.to, &github_command(false, path, None, "oxiconv", &message));
            }
        }
    }

    /// What only people care for, on standard error.
    pub(crate) fn aside(&self, file_output: &mut FileOutput<'_>, file: &FileArg, words: &str) {
        if self.is_text() {
            file_output.error(&format!("{}: {words}", file.label()));
        }
    }

    /// Ends a file.
    pub(crate) fn end(
        &self,
        file_output: &mut FileOutput<'_>,
        file: &FileArg,
        summary: &Summary,
        withheld: u64,
    ) {
        if self.format == Format::Json {
            self.event(
                file_output,
                &Event::End {
                    path: JsonPath(file.path.as_deref()),
                    stopped: summary.stopped,
                    counts: Counts::new(summary, withheld),
                },
            );
        }
    }

    /// A file that looks binary.
    pub(crate) fn skipped(&self, file_output: &mut FileOutput<'_>, file: &FileArg) {
        if self.format == Format::Json {
            self.event(file_output, &Event::Skipped { path: JsonPath(file.path.as_deref()) });
        }
    }

    /// A file that was not converted, for what is known of its text.
    pub(crate) fn refused(&self, file_output: &mut FileOutput<'_>, file: &FileArg, words: &str) {
        let path = file.path.as_deref();
        match self.format {
            Format::Text => file_output.error(&format!("{}: {words}", file.label())),
            Format::Json => {
                self.event(file_output, &Event::Refused { path: JsonPath(path), message: words });
            }
            Format::Sarif => self.keep(file_output, sarif_notification(true, Some(path), words)),
            Format::Github => {
                let message = format!("{}: {words}", file.label());
                let command = github_command(true, path, None, "oxiconv refused", &message);
                let _ = file_output.write(self.to, &command);
            }
        }
    }

    /// What kept a file, or what no single file is named for, from its end. `words` have the name of the file.
    pub(crate) fn error(
        &self,
        file_output: &mut FileOutput<'_>,
        file: Option<&FileArg>,
        words: &str,
    ) {
        let path = file.and_then(|file| file.path.as_deref());
        if !self.has_stderr() {
            file_output.error(words);
        }
        match self.format {
            Format::Text => {}
            Format::Json => {
                self.event(file_output, &Event::Error { path: JsonPath(path), message: words });
            }
            Format::Sarif => {
                let place = file.map(|file| file.path.as_deref());
                self.keep(file_output, sarif_notification(true, place, words));
            }
            Format::Github => {
                let _ =
                    file_output.write(self.to, &github_command(true, path, None, "oxiconv", words));
            }
        }
    }

    /// Ends the run. `several` says that more than one file was to be looked at.
    pub(crate) fn foot(&self, console: &Console, totals: &Totals, several: bool) {
        let exit = totals.exit;
        let text = match self.format {
            Format::Text => {
                let wanted = self.to == Stream::Out && several && !totals.told_in_full;
                if wanted && !self.quiet {
                    console.error(&totals.words());
                }
                return;
            }
            Format::Json => Event::Summary {
                files: totals.files,
                files_with_findings: totals.faulty,
                passed_over: totals.passed_over,
                refused: totals.refused,
                left_alone: totals.left_alone,
                errors: totals.errors,
                counts: Counts::new(&totals.summary, totals.withheld),
                exit_status: exit.status(),
            }
            .line(),
            Format::Sarif => {
                let mut remainder =
                    self.notifications.lock().unwrap_or_else(PoisonError::into_inner).clone();
                remainder.sort_by_key(|(index, _)| *index);
                let remainder: Vec<_> =
                    remainder.into_iter().map(|(_, notification)| notification).collect();
                let counts = Counts::new(&totals.summary, totals.withheld);
                sarif_foot(&remainder, exit.status(), &counts)
            }
            Format::Github if self.quiet => return,
            Format::Github if exit == Exit::Clean => {
                format!("oxiconv: {}\n", totals.words()).into_bytes()
            }
            Format::Github => {
                let mut words = totals.words();
                if totals.shown + totals.refused + totals.errors > ANNOTATIONS {
                    words.push_str(&format!(
                        "; GitHub shows {ANNOTATIONS} annotations of a step, its log has all"
                    ));
                }
                github_command(false, None, None, "oxiconv", &words)
            }
        };
        // Trouble with standard output has been seen, or nobody is left to tell.
        let _ = console.write(self.to, &text);
    }

    /// Tells of what kept a run from beginning.
    pub(crate) fn only_error(&self, console: &Console, words: &str) {
        let order = super::messages::OrderedOutput::new(console, self);
        if self.head(console).is_err() {
            return console.error(words);
        }
        let mut file_output = order.file_output(0);
        self.error(&mut file_output, None, words);
        file_output.close();
        let mut totals = Totals::default();
        totals.add_error();
        self.foot(console, &totals, false);
    }

    fn event(&self, file_output: &mut FileOutput<'_>, event: &Event<'_>) {
        // Trouble with standard output is seen at the end.
        let _ = file_output.write(self.to, &event.line());
    }

    fn keep(&self, file_output: &FileOutput<'_>, notification: Value) {
        self.notifications
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push((file_output.index(), notification));
    }
}

/// How many annotations of a kind GitHub makes of a step.
const ANNOTATIONS: u64 = 10;
