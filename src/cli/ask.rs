//! `--repair=ask`: shows each damaged part of a text on the terminal, and asks whether to repair it.
//!
//! Questions and answers use the controlling terminal of the process, so that standard input and output can carry the
//! text.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::sync::{Mutex, PoisonError};

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
    coloured: bool,
}

struct Dialogue {
    questions: File,
    answers: BufReader<File>,
    to_all: Option<bool>,
}

impl Ask {
    /// Opens the controlling terminal.
    ///
    /// # Errors
    ///
    /// If there is no terminal.
    pub(crate) fn open(coloured: bool) -> anyhow::Result<Self> {
        let open = || {
            let questions = File::options().write(true).open(TERMINAL)?;
            let answers = BufReader::new(File::open(TERMINAL)?);
            io::Result::Ok(Dialogue { questions, answers, to_all: None })
        };
        let dialogue = open().context("--repair=ask requires a terminal")?;
        Ok(Self { dialogue: Mutex::new(dialogue), coloured })
    }

    /// Asks whether to repair a damaged part of a file, unless the user has answered for all that follow.
    ///
    /// # Errors
    ///
    /// If the terminal is closed.
    pub(crate) fn about(&self, file: &FileArg, finding: &Finding<'_>) -> io::Result<bool> {
        let mut dialogue = self.dialogue.lock().unwrap_or_else(PoisonError::into_inner);
        let Dialogue { questions, answers, to_all } = &mut *dialogue;
        if let Some(answer) = to_all {
            return Ok(*answer);
        }
        let place = format!("{}:{}:{}", file.label(), finding.line, finding.column);
        questions.write_all(self.question(&place, finding).as_bytes())?;
        loop {
            questions.write_all(b"Repair it? [y/n/a/q/?] ")?;
            let mut answer = String::new();
            if answers.read_line(&mut answer)? == 0 {
                let closed = "the terminal was closed before the question was answered";
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, closed));
            }
            match answer.trim().chars().next() {
                Some('y') => return Ok(true),
                Some('n') => return Ok(false),
                Some('a') => return Ok(*to_all.insert(true)),
                Some('q') => return Ok(*to_all.insert(false)),
                _ => questions.write_all(HELP.as_bytes())?,
            }
        }
    }

    /// Shows the line before and after the repair.
    fn question(&self, place: &str, finding: &Finding<'_>) -> String {
        let line = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
        let before = line(&finding.context.before);
        let before = last(before.rsplit('\n').next().unwrap_or_default());
        let after = line(&finding.context.after);
        let after = first(after.split('\n').next().unwrap_or_default());
        let damaged = line(&finding.bytes);
        let meant = finding.mojibake().map_or("", |it| &it.meant);
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
