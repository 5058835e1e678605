//! All inputs, joined, to standard output or to one file.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use anyhow::{Context, bail};

use crate::io::{
    BlockingFile, Completion, Identity, LastWords, Pipe, Replacement, Version, place_of,
    stdout_file, written_through,
};
use crate::report::visible_path;
use crate::transcode::Transcoder;

use super::args::When;
use super::config::{Config, JoinTarget};
use super::exit::{Exit, is_closed_pipe};
use super::files::{FileArg, size_of_all};
use super::finish::{clear_leftovers, words};
use super::job;
use super::line::{self, Screen};
use super::messages::{Console, OrderedOutput, chain};
use super::output_format::OutputFormat;
use super::progress::Bar;
use super::totals::Totals;
use super::{signals, stats};

const STDOUT: &str = "(standard output)";

pub(crate) fn join(config: &Config, target: &JoinTarget) -> anyhow::Result<Exit> {
    let inputs = config.files.inputs(|_| {})?;
    let output_format = OutputFormat::new(config);
    let on_terminal = match target {
        JoinTarget::Stdout => {
            refuse_own_output(&inputs)?;
            io::stdout().is_terminal()
        }
        JoinTarget::File(path) => {
            refuse_output(&inputs, written_through(path))?;
            false
        }
    };
    signals::clean_up_when_ended(config, &inputs);
    let when = if output_format.has_stderr() { When::Never } else { config.progress };
    let bar = Bar::new(when, size_of_all(&inputs), on_terminal);
    let console = Console::new(config.color, bar);
    let mut work = Join {
        config,
        output_format: &output_format,
        console: &console,
        order: OrderedOutput::new(&console, &output_format),
        totals: Totals::default(),
        whole: true,
    };
    output_format.head(&console)?;
    if let Err(error) = work.join(&inputs, target) {
        if output_format.is_text() || is_closed_pipe(&error) {
            return Err(error);
        }
        let mut file_output = work.order.next_slot();
        output_format.error(&mut file_output, None, &chain(&error));
        file_output.close();
        work.totals.add_error();
    }
    if config.stats && !output_format.has_stderr() {
        stats::print(&console, &work.totals.summary, inputs.len() as u64);
    }
    output_format.foot(&console, &work.totals, inputs.len() > 1);
    Ok(work.totals.exit)
}

struct Join<'a> {
    config: &'a Config,
    output_format: &'a OutputFormat,
    console: &'a Console,
    order: OrderedOutput<'a>,
    totals: Totals,
    /// Whether every input went through to its end.
    whole: bool,
}

impl Join<'_> {
    fn join(&mut self, inputs: &[FileArg], target: &JoinTarget) -> anyhow::Result<()> {
        match target {
            JoinTarget::Stdout => {
                let stdout = stdout_file().context(STDOUT)?;
                if line::is_shared() {
                    self.join_into(inputs, &mut Screen(BlockingFile(stdout)), None, STDOUT)?;
                    LastWords::count();
                    return Ok(());
                }
                let pipe = Pipe::of(&stdout);
                self.join_into(inputs, &mut BlockingFile(stdout), pipe, STDOUT)?;
                LastWords::count();
                Ok(())
            }
            JoinTarget::File(path) => {
                let label = visible_path(path);
                self.clear_leftovers(path, inputs);
                // An output that is also an input replaces what was read, or nothing.
                let target = Identity::of_path(path);
                let is_input =
                    |file: &FileArg| file.path.as_deref().and_then(Identity::of_path) == target;
                let read = target.is_some() && inputs.iter().any(is_input);
                let version = read.then(|| Version::of_path(path)).flatten();
                let mut file =
                    Replacement::new(path).with_context(|| format!("{label}: cannot write"))?;
                file.only_over(version);
                self.join_into(inputs, &mut file, None, &label)?;
                if self.whole {
                    self.complete(file, path).with_context(|| format!("{label}: cannot write"))?;
                } else if !self.config.silent {
                    let mut file_output = self.order.next_slot();
                    let file = FileArg { path: Some(path.clone()), found: false };
                    self.output_format.note(&mut file_output, &file, "not written");
                    file_output.close();
                }
                Ok(())
            }
        }
    }

    /// Removes what a killed run has left beside the output.
    fn clear_leftovers(&self, path: &Path, inputs: &[FileArg]) {
        let Some(place) = place_of(path).ok() else { return };
        let directories = place.parent().map(Path::to_owned).into_iter().collect();
        let mut file_output = self.order.next_slot();
        clear_leftovers(
            &directories,
            inputs,
            self.config.quiet,
            self.output_format,
            &mut file_output,
        );
        file_output.close();
    }

    /// Puts the output in its place, and says what there is to say of it.
    fn complete(&self, file: Replacement, path: &Path) -> io::Result<()> {
        let completion = Completion::new(self.config.sync);
        for placed in completion.place(vec![file.ready(None)?]) {
            for note in placed?.iter().filter(|_| !self.config.quiet) {
                let mut file_output = self.order.next_slot();
                let file = FileArg { path: Some(path.to_owned()), found: false };
                self.output_format.note(&mut file_output, &file, &words(note));
                file_output.close();
            }
        }
        completion.settle()
    }

    fn join_into(
        &mut self,
        inputs: &[FileArg],
        sink: &mut dyn Write,
        pipe: Option<Pipe>,
        sink_name: &str,
    ) -> anyhow::Result<()> {
        let (config, output_format, console) = (self.config, self.output_format, self.console);
        let mut transcoder = Transcoder::new(&config.conversion, sink).splicing_to(pipe);
        for file in inputs {
            let mut file_output = self.order.next_slot();
            let result = job::open(file).and_then(|input| {
                job::run(
                    config,
                    output_format,
                    &mut transcoder,
                    file,
                    input,
                    &mut file_output,
                    console.bar(),
                )
                .map_err(|error| job::name_error(error, &file.label(), sink_name))
            });
            let trouble = match result {
                Ok(done) => {
                    self.totals.add(&done, config.listed);
                    None
                }
                // Nobody reads on, or nothing can be written: no use in the other files.
                Err(error) if is_closed_pipe(&error) || job::is_of_output(&error) => Some(error),
                Err(error) => {
                    output_format.error(&mut file_output, Some(file), &chain(&error));
                    self.totals.add_error();
                    self.whole = false;
                    None
                }
            };
            file_output.close();
            if let Some(error) = trouble {
                return Err(error);
            }
            if self.totals.summary.stopped {
                self.whole = false;
                break;
            }
        }
        transcoder.finish().map_err(|error| job::name_error(error, "", sink_name))
    }
}

/// Leaves out a standard output that was found among the inputs: nobody meant it when they wrote `-r . >findings`.
pub(crate) fn without_own_output(mut inputs: Vec<FileArg>) -> Vec<FileArg> {
    if let Some(output) = Identity::of_stdout() {
        let is_output = |path: &Path| Identity::of_path(path) == Some(output);
        inputs.retain(|file| !file.found || !file.path.as_deref().is_some_and(is_output));
    }
    inputs
}

/// Refuses a standard output that is also an input: it would grow for ever, or be gone before it is read.
pub(crate) fn refuse_own_output(inputs: &[FileArg]) -> anyhow::Result<()> {
    refuse_output(inputs, Identity::of_stdout())
}

/// The same of any output that is written to, not replaced.
fn refuse_output(inputs: &[FileArg], output: Option<Identity>) -> anyhow::Result<()> {
    let Some(output) = output else { return Ok(()) };
    for file in inputs {
        let identity = match &file.path {
            Some(path) => Identity::of_path(path),
            None => Identity::of_stdin(),
        };
        if identity == Some(output) {
            bail!("{}: is also the output; use -i or -o to convert it in place", file.label());
        }
    }
    Ok(())
}
