//! All inputs, joined, to standard output or to one file.

use std::io::{self, IsTerminal, Write};

use anyhow::{Context, bail};

use oxiconv::diagnostic::Summary;
use oxiconv::io::{Identity, Replacement, stdout_file};
use oxiconv::report::visible_path;
use oxiconv::transcode::Transcoder;

use super::config::{Config, JoinTarget};
use super::exit::{Exit, is_closed_pipe};
use super::files::{FileArg, size_of_all};
use super::job;
use super::messages::{Console, Order, chain};
use super::progress::Bar;
use super::{signals, stats};

const STDOUT: &str = "(standard output)";

pub(crate) fn join(config: &Config, target: &JoinTarget) -> anyhow::Result<Exit> {
    let inputs = config.files.inputs(|_| {})?;
    match target {
        JoinTarget::Stdout => {
            refuse_own_output(&inputs)?;
            let mut stdout = stdout_file().context(STDOUT)?;
            let on_terminal = io::stdout().is_terminal();
            Ok(join_into(config, &inputs, &mut stdout, STDOUT, on_terminal)?.exit)
        }
        JoinTarget::File(path) => {
            let label = visible_path(path);
            signals::clean_up_when_ended();
            let mut file =
                Replacement::new(path).with_context(|| format!("{label}: cannot write"))?;
            let joined = join_into(config, &inputs, &mut file, &label, false)?;
            if joined.whole {
                file.complete(None).with_context(|| format!("{label}: cannot write"))?;
            } else if !config.silent {
                Console::plain().error(&format!("{label}: not written"));
            }
            Ok(joined.exit)
        }
    }
}

struct Joined {
    exit: Exit,
    /// Whether every input went through to its end.
    whole: bool,
}

fn join_into(
    config: &Config,
    inputs: &[FileArg],
    sink: &mut dyn Write,
    sink_name: &str,
    text_on_terminal: bool,
) -> anyhow::Result<Joined> {
    let bar = Bar::new(config.progress, size_of_all(inputs), text_on_terminal);
    let console = Console::new(config.color, bar);
    let order = Order::new(&console);
    let mut transcoder = Transcoder::new(&config.conversion, sink);
    let mut joined = Joined { exit: Exit::Clean, whole: true };
    let mut total = Summary::default();
    for (index, file) in inputs.iter().enumerate() {
        let mut slot = order.slot(index);
        let opened = job::open(file);
        let result = match opened {
            Ok(input) => job::run(config, &mut transcoder, file, input, &mut slot, console.bar())
                .map_err(|error| job::name_error(error, &file.label(), sink_name)),
            Err(error) => Err(error),
        };
        match result {
            Ok(summary) => {
                total.add(&summary);
                joined.exit = joined.exit.max(Exit::of(&summary, config.listed));
            }
            // Nobody reads on, or nothing can be written: no use in the other files.
            Err(error) if is_closed_pipe(&error) || job::is_of_output(&error) => return Err(error),
            Err(error) => {
                slot.error(&chain(&error));
                joined = Joined { exit: Exit::Trouble, whole: false };
            }
        }
        slot.close();
        if total.stopped {
            joined.whole = false;
            break;
        }
    }
    transcoder.finish().map_err(|error| job::name_error(error, "", sink_name))?;
    if config.stats {
        stats::print(&console, &total, inputs.len());
    }
    Ok(joined)
}

/// Refuses a standard output that is also an input: it would grow for ever, or be gone before it is read.
pub(crate) fn refuse_own_output(inputs: &[FileArg]) -> anyhow::Result<()> {
    let Some(output) = Identity::of_stdout() else { return Ok(()) };
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
