//! `--fix=ask`: shows what would be done with each file, and asks.

use std::io;

use oxiconv_encodings::encoding::Encoding;
use oxiconv_report::{FixOutcome, TextBefore, visible};
use oxiconv_transcode::Options;

use super::super::ask::{Ask, Dialogue};
use super::super::batch_file::FileProcessor;
use super::super::ordered_output::FileOutput;
use super::super::user_tables::for_name_or_path;
use super::WrongFile;
use super::carry_out::CarriedOut;
use super::plan::FixPlan;

const HELP: &str = "\
y  do it
n  leave the file as it is
a  do it with this file and all that follow
q  leave this file and all that follow
d  show the change
e  read the file in another encoding
";

/// The same for a file whose encoding is not certain.
const HELP_IF_UNCLEAR: &str = "\
n  leave the file as it is
q  leave this file and all that follow
e  name its encoding
";

enum FixAnswer {
    Yes,
    No,
    /// The text is in this encoding.
    ReadAs(&'static Encoding),
}

impl FileProcessor<'_> {
    /// Carries out the plan for a file if the user agrees, or one with another encoding.
    pub(super) fn carry_out_if_agreed<'w>(
        &self,
        wrong: &'w WrongFile<'_>,
        mut plan: FixPlan,
        ask: &Ask,
        out: &mut FileOutput<'_>,
    ) -> anyhow::Result<CarriedOut<'w>> {
        let mut named = None;
        loop {
            let mut tried = self.carry_out(wrong, &plan, true, out)?;
            let row = &mut tried.row;
            row.was = named.unwrap_or(row.was);
            let can_be_done = match row.outcome() {
                FixOutcome::Right | FixOutcome::Binary => return Ok(tried),
                FixOutcome::Fixed | FixOutcome::PartlyFixed => true,
                FixOutcome::Left => false,
            };
            let shown = self.ctx.report.fix_line(wrong.file, row);
            let diff = String::from_utf8_lossy(&tried.diff);
            match answer(&mut ask.dialogue(), &shown, &diff, can_be_done)? {
                FixAnswer::Yes => {
                    let mut done = self.carry_out(wrong, &plan, false, out)?;
                    done.row.was = named.unwrap_or(done.row.was);
                    return Ok(done);
                }
                FixAnswer::No => {
                    row.changes.clear();
                    row.left.get_or_insert_with(|| "as you chose".to_owned());
                    return Ok(tried);
                }
                FixAnswer::ReadAs(encoding) => {
                    let line_ends = &wrong.examined.line_ends;
                    let options = Options::new();
                    let conversion =
                        wrong.wanted.conversion(options, encoding.into(), line_ends)?;
                    plan = FixPlan::Convert(conversion.into());
                    named = Some(TextBefore::Named(encoding));
                }
            }
        }
    }
}

/// Shows the row of a file, and asks what to do with it, unless the user has answered for all that follow.
fn answer(
    dialogue: &mut Dialogue,
    row: &str,
    diff: &str,
    can_be_done: bool,
) -> io::Result<FixAnswer> {
    match dialogue.to_all {
        Some(true) if can_be_done => return Ok(FixAnswer::Yes),
        Some(_) => return Ok(FixAnswer::No),
        None => {}
    }
    dialogue.show(row)?;
    let (question, help) = match can_be_done {
        true => ("Do it? [y/n/a/q/d/e/?] ", HELP),
        false => ("Which encoding is it? [n/q/e/?] ", HELP_IF_UNCLEAR),
    };
    loop {
        match dialogue.ask(question)?.chars().next() {
            Some('y') if can_be_done => return Ok(FixAnswer::Yes),
            Some('a') if can_be_done => {
                dialogue.to_all = Some(true);
                return Ok(FixAnswer::Yes);
            }
            Some('n') => return Ok(FixAnswer::No),
            Some('q') => {
                dialogue.to_all = Some(false);
                return Ok(FixAnswer::No);
            }
            Some('d') if can_be_done => dialogue.show(diff)?,
            Some('e') => match for_name_or_path(&dialogue.ask("Its encoding: ")?) {
                Ok(encoding) => return Ok(FixAnswer::ReadAs(encoding)),
                Err(error) => dialogue.show(&format!("{}\n", visible(&error.to_string())))?,
            },
            _ => dialogue.show(help)?,
        }
    }
}
