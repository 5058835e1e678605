//! Questions on the terminal: `--repair=ask` shows each damaged part of a text and asks whether to repair it, and
//! `--fix=ask` (`fix/question.rs`) shows each file.
//!
//! Questions and answers use the controlling terminal of the process, so that standard input and output can carry the
//! text.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::Context;

use oxiconv_report::visible;
use oxiconv_transcode::diagnostic::Finding;

use super::files::FileArg;

const TERMINAL: &str = "/dev/tty";

const HELP: &str = "\
y  repair it
n  leave it as it is
a  repair it and all that follow
q  leave it and all that follow as they are
";

pub(crate) struct Ask {
    dialogue: Mutex<Dialogue>,
    pub(crate) coloured: bool,
}

pub(crate) struct Dialogue {
    questions: File,
    answers: BufReader<File>,
    /// The answer to all questions that follow.
    pub(crate) to_all: Option<bool>,
}

impl Dialogue {
    pub(crate) fn show(&mut self, text: &str) -> io::Result<()> {
        self.questions.write_all(text.as_bytes())
    }

    /// Asks a question, and returns the line that answers it.
    ///
    /// # Errors
    ///
    /// If the terminal is closed. All that follows is then left as it is, without another question.
    pub(crate) fn ask(&mut self, question: &str) -> io::Result<String> {
        self.show(question)?;
        let mut answer = String::new();
        if self.answers.read_line(&mut answer)? == 0 {
            self.to_all = Some(false);
            let closed = "the terminal was closed before the question was answered";
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, closed));
        }
        Ok(answer.trim().to_owned())
    }
}

impl Ask {
    /// Opens the controlling terminal for the questions of `option`.
    ///
    /// # Errors
    ///
    /// If there is no terminal.
    pub(crate) fn open(option: &str, coloured: bool) -> anyhow::Result<Self> {
        let open = || {
            let questions = File::options().write(true).open(TERMINAL)?;
            let answers = BufReader::new(File::open(TERMINAL)?);
            io::Result::Ok(Dialogue { questions, answers, to_all: None })
        };
        let dialogue = open().with_context(|| format!("{option} requires a terminal"))?;
        Ok(Self { dialogue: Mutex::new(dialogue), coloured })
    }

    /// Asks whether to repair a damaged part of a file, unless the user has answered for all that follow.
    ///
    /// # Errors
    ///
    /// If the terminal is closed.
    pub(crate) fn about(&self, file: &FileArg, finding: &Finding<'_>) -> io::Result<bool> {
        let mut dialogue = self.dialogue();
        if let Some(answer) = dialogue.to_all {
            return Ok(answer);
        }
        let place = format!("{}:{}:{}", file.label(), finding.line, finding.column);
        dialogue.show(&self.question(&place, finding))?;
        loop {
            match dialogue.ask("Repair it? [y/n/a/q/?] ")?.chars().next() {
                Some('y') => return Ok(true),
                Some('n') => return Ok(false),
                Some('a') => return Ok(*dialogue.to_all.insert(true)),
                Some('q') => return Ok(*dialogue.to_all.insert(false)),
                _ => dialogue.show(HELP)?,
            }
        }
    }

    pub(crate) fn dialogue(&self) -> MutexGuard<'_, Dialogue> {
        self.dialogue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows the line before and after the repair.
    fn question(&self, place: &str, finding: &Finding<'_>) -> String {
        let line = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
        let before = line(&finding.context.before);
        let before = last(before.rsplit('\n').next().unwrap_or_default());
        let after = line(&finding.context.after);
        let after = first(after.split('\n').next().unwrap_or_default());
        let damaged = line(&finding.bytes);
        let meant = finding.meant().unwrap_or_default();
        let (red, green, plain) =
            if self.coloured { ("\x1B[31m", "\x1B[32m", "\x1B[0m") } else { ("", "", "") };
        let mut words = format!("{place}: {}\n", visible(&finding.sentence()));
        for (sign, colour, text) in [('-', red, &*damaged), ('+', green, meant)] {
            let (before, text, after) = (visible(before), visible(text), visible(after));
            words.push_str(&format!("{sign} {before}{colour}{text}{plain}{after}\n"));
        }
        words
    }
}

/// The most characters shown before and after the damaged part.
const AROUND: usize = 32;

fn first(text: &str) -> &str {
    text.char_indices().nth(AROUND).map_or(text, |(end, _)| &text[..end])
}

fn last(text: &str) -> &str {
    text.char_indices().rev().nth(AROUND - 1).map_or(text, |(start, _)| &text[start..])
}
