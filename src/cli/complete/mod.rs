//! Completion of command lines. A shell's completion script (`completions/`) calls `oxiconv --complete WORD...` with
//! the words after the program's name, the last of them incomplete. The answer has one line per candidate:
//!
//! ```text
//! WORD <tab> DESCRIPTION          a word that may replace the last one
//! ::files <tab> TYPED             the shell completes a path after TYPED
//! ::directories <tab> TYPED       the same for a directory
//! ```
//!
//! Options and their values come from the clap definition, and names of encodings from the registry, so the scripts
//! never change. clap_complete was no alternative: its generated scripts know no names of encodings, and its engine for
//! dynamic candidates is unstable.

mod candidate;
mod encoding_names;

use std::any::TypeId;
use std::ffi::OsString;
use std::path::MAIN_SEPARATOR;

use clap::{Arg, Command, CommandFactory, ValueHint};

use self::candidate::{CompletionCandidate, begins};
use super::args::Args;
use super::args::Named;
use oxiconv_detect::language::Language;
use oxiconv_encodings::encoding::Encoding;
use oxiconv_transcode::{Fallback, InputEncoding};

pub(crate) const REQUEST: &str = "--complete";

/// Returns the candidates for the last of `words`, one per line.
pub(crate) fn answer(words: &[OsString]) -> String {
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    let Some((last, before)) = words.split_last() else { return String::new() };
    let command = Args::command();
    let line = TypedLine::read(&command, before.iter().map(AsRef::as_ref));
    let candidates = line.candidates(last);
    candidates
        .iter()
        .map(|CompletionCandidate { word, description }| format!("{word}\t{description}\n"))
        .collect()
}

/// What the words before the last one imply for it.
///
/// clap cannot be asked, because an incomplete command line is an error to it. So its rules are followed here: what
/// takes a value, where a cluster of short options ends, and what `--` does.
struct TypedLine<'a> {
    command: &'a Command,
    /// The option of which the last word is the value.
    value_of: Option<&'a Arg>,
    /// Whether the last word may be an option. After `--` it may not.
    options: bool,
    /// Whether the arguments are encodings, as with `--list`.
    encodings: bool,
}

impl<'a> TypedLine<'a> {
    fn read<'w>(command: &'a Command, words: impl Iterator<Item = &'w str>) -> Self {
        let mut line = Self { command, value_of: None, options: true, encodings: false };
        for word in words {
            if line.value_of.take().is_some() || !line.options {
                continue;
            }
            if word == "--" {
                line.options = false;
            } else if let Some(name) = word.strip_prefix("--") {
                line.given(line.long(name));
            } else if let Some(letters) = word.strip_prefix('-') {
                match line.valued(letters) {
                    Some((arg, "")) => line.value_of = Some(arg),
                    Some(_) => {}
                    None => letters.chars().for_each(|letter| line.given(line.short(letter))),
                }
            }
        }
        line
    }

    /// Notes an option without an attached value: the next word may be its value.
    fn given(&mut self, arg: Option<&'a Arg>) {
        let Some(arg) = arg else { return };
        self.value_of = Some(arg).filter(|arg| takes_next_word(arg));
        self.encodings |= arg.get_long() == Some("list");
    }

    fn long(&self, name: &str) -> Option<&'a Arg> {
        let has_name = |arg: &&Arg| {
            arg.get_long() == Some(name)
                || arg.get_all_aliases().is_some_and(|aliases| aliases.contains(&name))
        };
        self.command.get_arguments().find(has_name)
    }

    fn short(&self, letter: char) -> Option<&'a Arg> {
        self.command.get_arguments().find(|arg| arg.get_short() == Some(letter))
    }

    /// Finds the option with a value in a cluster of short options, and the rest of the cluster, which is that value:
    /// `f` and `latin1` in `-cflatin1`. As in clap, `=` may precede the value.
    fn valued<'l>(&self, letters: &'l str) -> Option<(&'a Arg, &'l str)> {
        letters.char_indices().find_map(|(at, letter)| {
            let arg = self.short(letter).filter(|arg| takes_next_word(arg))?;
            let rest = &letters[at + letter.len_utf8()..];
            Some((arg, rest.strip_prefix('=').unwrap_or(rest)))
        })
    }

    fn candidates(&self, last: &str) -> Vec<CompletionCandidate> {
        if let Some(arg) = self.value_of {
            return values(arg, "", last);
        }
        if let Some(long) = last.strip_prefix("--").filter(|_| self.options) {
            return match long.split_once('=') {
                Some((name, value)) => match self.long(name) {
                    Some(arg) => values(arg, &last[..last.len() - value.len()], value),
                    None => Vec::new(),
                },
                None => self.long_options(long),
            };
        }
        match last.strip_prefix('-').filter(|_| self.options) {
            Some("") => self.long_options(""),
            Some(letters) => match self.valued(letters) {
                Some((arg, value)) => values(arg, &last[..last.len() - value.len()], value),
                None => Vec::new(),
            },
            None if self.encodings => encoding_names::names(last),
            None => vec![CompletionCandidate::new("::files", "")],
        }
    }

    fn long_options(&self, typed: &str) -> Vec<CompletionCandidate> {
        let shown = self.command.get_arguments().filter(|arg| !arg.is_hide_set());
        shown
            .filter_map(|arg| {
                let long = arg.get_long().filter(|long| long.starts_with(typed))?;
                let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
                Some(CompletionCandidate::new(format!("--{long}"), help))
            })
            .collect()
    }
}

/// Whether the word after an option is its value.
fn takes_next_word(arg: &Arg) -> bool {
    arg.get_action().takes_values() && !arg.is_require_equals_set() && !arg.is_positional()
}

/// Returns the candidates for the value of an option. `start` is what precedes the value in the same word, such as
/// `--from=`; shells replace whole words, so each candidate begins with it.
///
/// Of a list with commas, only the last word is completed. The words before it are kept in front of each candidate, and
/// are not offered again. If one of them is unknown, there are no candidates, because nothing could make the list
/// valid.
fn values(arg: &Arg, start: &str, typed: &str) -> Vec<CompletionCandidate> {
    let known = arg.get_possible_values();
    if !known.is_empty() {
        let (list, typed) = match (arg.get_value_delimiter(), typed.rfind(',')) {
            (Some(','), Some(comma)) => typed.split_at(comma + 1),
            _ => ("", typed),
        };
        let given = list.split_terminator(',');
        if !given.clone().all(|value| known.iter().any(|known| known.matches(value, false))) {
            return Vec::new();
        }
        return known
            .iter()
            .filter(|value| {
                !value.is_hide_set() && given.clone().all(|given| given != value.get_name())
            })
            .filter(|value| begins(value.get_name(), typed))
            .map(|value| {
                let help = value.get_help().map(ToString::to_string).unwrap_or_default();
                CompletionCandidate::new(format!("{start}{list}{}", value.get_name()), help)
            })
            .collect();
    }
    let kind = arg.get_value_parser().type_id();
    let is_input = kind == TypeId::of::<Named<InputEncoding>>();
    let is_output = kind == TypeId::of::<Named<&'static Encoding>>();
    let is_fallback = kind == TypeId::of::<Fallback>();
    if is_input || is_output || is_fallback {
        if typed.starts_with(['.', '/', '~', MAIN_SEPARATOR]) {
            return vec![CompletionCandidate::new("::files", start)];
        }
        let auto = [
            CompletionCandidate::new("auto", "detect the encoding"),
            CompletionCandidate::new("auto-lines", "detect the encoding of each line"),
        ];
        let known = if is_output { 0 } else { 1 + usize::from(is_input) };
        let auto = auto.into_iter().take(known).filter(|auto| begins(&auto.word, typed));
        let names = match typed.split_once("//") {
            Some((name, suffix)) if is_input || is_output => encoding_names::suffixes(name, suffix),
            _ => encoding_names::names(typed),
        };
        return auto
            .chain(names)
            .map(|name| CompletionCandidate { word: format!("{start}{}", name.word), ..name })
            .collect();
    }
    if kind == TypeId::of::<Language>() {
        return Language::all()
            .filter(|language| begins(language.tag(), typed))
            .map(|language| {
                CompletionCandidate::new(format!("{start}{}", language.tag()), language.name())
            })
            .collect();
    }
    match arg.get_value_hint() {
        ValueHint::DirPath => vec![CompletionCandidate::new("::directories", start)],
        ValueHint::AnyPath | ValueHint::FilePath => {
            vec![CompletionCandidate::new("::files", start)]
        }
        _ => Vec::new(),
    }
}
