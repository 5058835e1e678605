//! Converts all inputs, concatenated, to standard output or to one file.
//!
//! One transcoder converts all of them, so that they become one text: a byte order mark is added only at its start. A
//! file is replaced only if every input was read to its end. On standard output, an input that cannot be read is
//! missing, and the exit status says so.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use anyhow::{Context, bail};

use oxiconv_os::{BlockingFile, FileVersion, Identity, stdout_file};
use oxiconv_report::visible_path;
use oxiconv_transcode::Transcoder;
use oxiconv_transcode::io::{
    FileReplacement, LastWords, Leftover, Pipe, place_of, written_through,
};

use super::args::When;
use super::commit::{clear_leftovers, complete_alone};
use super::config::{Config, JoinTarget};
use super::console::{Console, chain};
use super::exit_status::{ExitStatus, is_closed_pipe};
use super::file_input::{is_of_output, name_error, undetected};
use super::file_policy::FilePolicy;
use super::files::FileArg;
use super::input_list::{InputEntry, InputList};
use super::manifest::Manifest;
use super::ordered_output::OrderedOutput;
use super::own_output::{refuse_output, refuse_own_output};
use super::progress::{Bar, WorkSize};
use super::refusal::Refusals;
use super::result_totals::{InputResult, Totals};
use super::run_context::RunContext;
use super::run_report::RunReport;
use super::screen_line::{self, Screen};
use super::shard::{SearchErrors, share};
use super::shard_piece::{PartInput, open_part};
use super::signals;

const STDOUT: &str = "(standard output)";

/// Converts all inputs to `target`, or what the manifest says is still to do.
///
/// All inputs are listed before anything is read. An output that is also an input can be refused only then, and the
/// line that an interrupt prints and the progress bar need to know all of them as well.
pub(crate) fn join(config: &Config, target: &JoinTarget) -> anyhow::Result<ExitStatus> {
    let mut inputs = Vec::new();
    for entry in share(config, SearchErrors::new(), || InputList::new(&config.files, Vec::new()))? {
        match entry? {
            InputEntry::File(file) => inputs.push(file),
            InputEntry::Error(words) => bail!(words),
        }
    }
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
    signals::clean_up_when_ended(config, inputs.len(), inputs.first());
    let report = RunReport::new(config);
    let when = if report.owns_stderr() { When::Never } else { config.messages.progress };
    let console =
        Console::new(Bar::new(when, || WorkSize::of_all(&config.files, &inputs), on_terminal));
    let order = report.ordered_output(&console);
    report.begin(&console)?;
    let ask = config.ask()?;
    let ctx = RunContext { config, report, bar: console.bar(), baseline: None, ask: ask.as_ref() };
    if config.messages.verbose {
        let mut out = order.next_output();
        report.defaults(&mut out);
        if config.messages.very_verbose {
            report.machine(&mut out, Some(inputs.len()), config.threads());
        }
        out.close();
    }
    let manifest = Manifest::of(config)?;
    let mut work = Join { ctx, order, totals: Totals::default(), whole: true, done: Vec::new() };
    let joined = match &manifest {
        Some(manifest) => work.resume(&inputs, target, manifest),
        None => work.join(&inputs, target),
    };
    if let Err(error) = joined {
        if report.is_for_people() || is_closed_pipe(&error) {
            return Err(error);
        }
        let mut out = work.order.next_output();
        report.error(&mut out, None, &chain(&error));
        out.close();
        work.totals.add_error();
    }
    let Join { order, totals, .. } = work;
    report.stats(&console, &totals.counts, inputs.len() as u64);
    report.end(&console, &order, &totals, inputs.len());
    Ok(totals.exit)
}

struct Join<'a> {
    ctx: RunContext<'a>,
    order: OrderedOutput<'a>,
    totals: Totals,
    whole: bool,
    /// The results of the inputs, kept for the manifest only.
    done: Vec<InputResult>,
}

impl Join<'_> {
    /// Converts the inputs, unless the manifest says that this is done. All inputs together are one task, because they
    /// have one output.
    fn resume(
        &mut self,
        inputs: &[FileArg],
        target: &JoinTarget,
        manifest: &Manifest,
    ) -> anyhow::Result<()> {
        let to = match target {
            JoinTarget::File(path) => Some(&**path),
            JoinTarget::Stdout => None,
        };
        let task = manifest.task(inputs, to, "");
        if let Some(all) = task.as_ref().and_then(|task| manifest.done(task)) {
            for (file, done) in inputs.iter().zip(&all) {
                let mut out = self.order.next_output();
                self.ctx.report_done(file, done, &mut out);
                out.close();
                self.totals.add(done);
            }
            return Ok(());
        }
        self.join(inputs, target)?;
        if let Some(task) = task.filter(|_| self.whole) {
            manifest.add(task, &self.done);
        }
        manifest.take_error().map_or(Ok(()), Err)
    }

    fn join(&mut self, inputs: &[FileArg], target: &JoinTarget) -> anyhow::Result<()> {
        match target {
            JoinTarget::Stdout => {
                let stdout = stdout_file().context(STDOUT)?;
                if screen_line::is_shared() {
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
                // `oxiconv -o a a b` is allowed. The version of `a` is taken before anything is read, so that the
                // output replaces what was converted, or nothing if another program has changed it since.
                let target = Identity::of_path(path);
                let is_input =
                    |file: &FileArg| file.path.as_deref().and_then(Identity::of_path) == target;
                let read = target.is_some() && inputs.iter().any(is_input);
                if read && self.ctx.config.files.opening.decompress {
                    bail!(
                        "{label}: is also an input, which --decompress reads but does not replace (write to another file)"
                    );
                }
                let version = read.then(|| FileVersion::of_path(path)).flatten();
                let mut file =
                    FileReplacement::new(path).with_context(|| format!("{label}: cannot write"))?;
                file.only_over(version);
                if read && self.refuses_own_output(inputs, is_input)? {
                    return Ok(());
                }
                self.join_into(inputs, &mut file, None, &label)?;
                if self.whole {
                    let RunContext { config, report, .. } = self.ctx;
                    complete_alone(file, path, config, report, &self.order).context(label)?;
                } else if !self.ctx.config.messages.silent {
                    let mut out = self.order.next_output();
                    let file = FileArg::output(path);
                    self.ctx.report.note(&mut out, &file, "not written");
                    out.close();
                }
                Ok(())
            }
        }
    }

    /// Refuses an output that would replace one of its inputs, if converting that input in place would be refused too.
    /// Returns whether it was.
    fn refuses_own_output(
        &mut self,
        inputs: &[FileArg],
        is_output: impl Fn(&FileArg) -> bool,
    ) -> anyhow::Result<bool> {
        let RunContext { config, report, .. } = self.ctx;
        let refusals = Refusals::new(config);
        let Some(file) = inputs.iter().find(|file| is_output(file)) else { return Ok(false) };
        let Some(path) = &file.path else { return Ok(false) };
        let Some(words) = refusals.of_own_output(file, path)? else { return Ok(false) };
        if !config.messages.silent {
            let mut out = self.order.next_output();
            report.refused(&mut out, file, &words);
            out.close();
        }
        self.totals.add_refused();
        self.whole = false;
        Ok(true)
    }

    /// Removes temporary files that killed runs have left next to the output.
    fn clear_leftovers(&self, path: &Path, inputs: &[FileArg]) {
        let Some(place) = place_of(path).ok() else { return };
        let directories = place.parent().map(Path::to_owned).into_iter().collect();
        let paths = inputs.iter().filter_map(|input| input.path.as_deref());
        let named = paths.filter(|path| Leftover::is_named_so(path));
        let named: Vec<_> = named.filter_map(Identity::of_path).collect();
        let mut out = self.order.next_output();
        clear_leftovers(
            &directories,
            &named,
            self.ctx.config.messages.quiet,
            self.ctx.report,
            &mut out,
        );
        out.close();
    }

    fn join_into(
        &mut self,
        inputs: &[FileArg],
        sink: &mut dyn Write,
        pipe: Option<Pipe>,
        sink_name: &str,
    ) -> anyhow::Result<()> {
        let RunContext { config, report, .. } = self.ctx;
        let mut transcoder = Transcoder::new(&config.conversion, sink).splicing_to(pipe);
        if config.sharding.is_some_and(|sharding| sharding.shard.has_predecessor()) {
            transcoder.go_on();
        }
        let refusals = Refusals::new(config);
        for file in inputs {
            let mut out = self.order.next_output();
            let result = open_part(file, &config.conversion).and_then(|mut input| {
                if let Some(words) = note_on(file, &mut input, &refusals) {
                    report.note(&mut out, file, &words);
                }
                self.ctx
                    .run(&mut transcoder, file, &FilePolicy::plain(config), input, &mut out)
                    .map_err(|error| name_error(error, &file.label(), sink_name))
            });
            let output_error = match result {
                Ok(done) => {
                    self.totals.add(&done);
                    if config.resume.is_some() {
                        self.done.push(done);
                    }
                    None
                }
                // Without an output, there is no reason to read the other inputs.
                Err(error) if is_closed_pipe(&error) || is_of_output(&error) => Some(error),
                Err(error) => {
                    if let Some(words) = undetected(&error) {
                        if !config.messages.silent {
                            report.refused(&mut out, file, &words);
                        }
                        self.totals.add_refused();
                    } else {
                        report.error(&mut out, Some(file), &chain(&error));
                        self.totals.add_error();
                    }
                    self.whole = false;
                    None
                }
            };
            out.close();
            if let Some(error) = output_error {
                return Err(error);
            }
            if self.totals.counts.summary.stopped {
                self.whole = false;
                break;
            }
        }
        transcoder.finish().map_err(|error| name_error(error, "", sink_name))
    }
}

/// Returns a note on an input whose conversion would be refused in place, judged by its first bytes.
///
/// There is none on a pipe. How many bytes are in it at this moment is chance, so the note would come and go between
/// runs, and waiting for more would delay the output.
fn note_on(
    file: &FileArg,
    PartInput { input, piece }: &mut PartInput,
    refusals: &Refusals<'_>,
) -> Option<String> {
    if piece.is_some() || input.source.may_block() {
        return None;
    }
    // An error is reported when the input is read.
    let chunk = input.source.fill(1).ok()?;
    refusals.note_on_start(file, chunk.bytes, chunk.last)
}
