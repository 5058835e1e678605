//! `.gitattributes`: lines of a pattern and attributes. The crate reads lines and matches patterns; which line decides is
//! git's rule: the last one of the closest file, and what a macro stands for counts where the macro is named.

use std::collections::HashMap;

use gix_attributes::glob::pattern::Case;
use gix_attributes::glob::wildmatch::Mode;
use gix_attributes::parse::Kind;
use gix_attributes::{StateRef, glob::Pattern};

use crate::encoding::{Encoding, Mark};
use crate::transcode::{MarkMode, Newline};

use super::declaration::{Declaration, Declared, RuleFile};
use super::settings::{Charset, Settings};

/// The attributes that matter here.
const ATTRIBUTES: [&str; 4] = ["text", "eol", "working-tree-encoding", "binary"];

/// The most `**` in a pattern: each multiplies the time that it takes.
const MOST_STARS: usize = 8;

/// The state of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    Set,
    Unset,
    Value(String),
    /// As if no line named it.
    Unspecified,
}

impl State {
    fn new(state: StateRef<'_>) -> Self {
        match state {
            StateRef::Set => Self::Set,
            StateRef::Unset => Self::Unset,
            StateRef::Unspecified => Self::Unspecified,
            StateRef::Value(value) => {
                Self::Value(String::from_utf8_lossy(value.as_bstr()).into_owned())
            }
        }
    }
}

/// An attribute, as a line gives it.
#[derive(Clone, Debug)]
struct Assignment {
    name: String,
    state: State,
    by: Declaration,
}

/// The lines of one file.
#[derive(Debug, Default)]
pub(super) struct Attributes {
    lines: Vec<(Pattern, Vec<Assignment>)>,
    macros: HashMap<String, Vec<Assignment>>,
}

impl Attributes {
    /// Reads the file; `top` is the one at the top of the repository, if this is another. Macros may be defined only
    /// there.
    pub(super) fn read(
        bytes: &[u8],
        at_top: bool,
        top: Option<&Self>,
        file: &mut RuleFile<'_>,
    ) -> Self {
        let mut attributes = Self::default();
        let defined = gix_attributes::parse(bytes).filter_map(|line| match line.ok()?.0 {
            Kind::Macro(name) if at_top => Some((name.as_str().to_owned(), Vec::new())),
            _ => None,
        });
        attributes.macros.extend(defined);
        let matters = |attributes: &Self, name: &str| {
            let has = |attributes: &Self| attributes.macros.contains_key(name);
            ATTRIBUTES.contains(&name) || has(attributes) || top.is_some_and(has)
        };
        for line in gix_attributes::parse(bytes) {
            let (kind, each, number) = match line {
                Ok(line) => line,
                Err(error) => {
                    file.note(None, format!("{error}; ignored"));
                    continue;
                }
            };
            let mut assignments = Vec::new();
            for assignment in each {
                let Ok(assignment) = assignment else {
                    file.note(number, "an attribute has no valid name; ignored".to_owned());
                    continue;
                };
                let name = assignment.name.as_str().to_owned();
                if !matters(&attributes, &name) {
                    continue;
                }
                let by = file.declaration(number, assignment.to_string());
                assignments.push(Assignment { name, state: State::new(assignment.state), by });
            }
            match kind {
                Kind::Pattern(_) if assignments.is_empty() => {}
                Kind::Pattern(pattern)
                    if pattern.text.windows(2).filter(|two| two == b"**").count() > MOST_STARS =>
                {
                    file.note(number, format!("more than {MOST_STARS} times **; ignored"));
                }
                Kind::Pattern(pattern) => attributes.lines.push((pattern, assignments)),
                Kind::Macro(name) if at_top => {
                    attributes.macros.insert(name.as_str().to_owned(), assignments);
                }
                Kind::Macro(_) => {
                    let words = "macros are defined only at the top of a repository; ignored";
                    file.note(number, words.to_owned());
                }
            }
        }
        attributes.note_unknown(file);
        attributes
    }

    /// Notes values that mean nothing.
    fn note_unknown(&self, file: &mut RuleFile<'_>) {
        let of_lines = self.lines.iter().flat_map(|(_, assignments)| assignments);
        for assignment in of_lines.chain(self.macros.values().flatten()) {
            let Assignment { name, state, by } = assignment;
            let known = match (name.as_str(), state) {
                ("eol", State::Value(value)) => newline(value).is_some(),
                ("text", State::Value(value)) => matches!(value.as_str(), "auto" | "input"),
                ("working-tree-encoding", State::Value(value)) => charset(value).is_some(),
                ("working-tree-encoding" | "eol", State::Set) => false,
                _ => true,
            };
            if !known {
                file.note(by.line, format!("{}: unknown value of {name}; ignored", by.words));
            }
        }
    }
}

/// Returns what the files of a repository say of a file. Each of them comes with the path relative to its directory; the
/// closest one is first, and the one at the top last.
pub(super) fn settings(files: &[(&Attributes, &[u8])]) -> Settings {
    let found = Found::of(files);
    let text = |excluded| found.declared("text", excluded);
    let newline = match (found.state("eol"), found.state("text")) {
        (_, Some(State::Unset)) => None,
        (Some(State::Value(value)), _) => newline(value),
        _ => None,
    };
    let charset = match found.state("working-tree-encoding") {
        Some(State::Value(value)) => charset(value),
        _ => None,
    };
    Settings {
        excluded: match found.state("text") {
            Some(State::Unset) => text(true),
            Some(State::Set) => text(false),
            Some(State::Value(value)) if value == "input" => text(false),
            _ => None,
        },
        charset: charset.and_then(|value| found.declared("working-tree-encoding", value)),
        newline: newline.and_then(|value| found.declared("eol", Some(value))),
        ..Settings::default()
    }
}

/// The attributes of one file.
#[derive(Default)]
struct Found(HashMap<String, (State, Declaration)>);

impl Found {
    fn of(files: &[(&Attributes, &[u8])]) -> Self {
        let mut found = Self::default();
        let top = files.last().map(|(top, _)| *top);
        for (attributes, path) in files {
            let name = path.iter().rposition(|byte| *byte == b'/').map(|slash| slash + 1);
            for (pattern, assignments) in attributes.lines.iter().rev() {
                let mode = Mode::NO_MATCH_SLASH_LITERAL;
                let path = (*path).into();
                if pattern.matches_repo_relative_path(path, name, None, Case::Sensitive, mode) {
                    found.fill(assignments, None, top);
                }
            }
        }
        found
    }

    /// Takes what is not known yet of `assignments`, last one first. What a macro stands for is declared in the line
    /// that names the macro.
    fn fill(
        &mut self,
        assignments: &[Assignment],
        named: Option<(&str, &Declaration)>,
        top: Option<&Attributes>,
    ) {
        for Assignment { name, state, by } in assignments.iter().rev() {
            if self.0.contains_key(name) {
                continue;
            }
            let by = match named {
                None => by.clone(),
                Some((name, line)) => {
                    let words = format!("{} ({name})", by.words);
                    Declaration { words, ..line.clone() }
                }
            };
            self.0.insert(name.clone(), (state.clone(), by.clone()));
            if *state != State::Set {
                continue;
            }
            match top.and_then(|top| top.macros.get(name)) {
                Some(meaning) => self.fill(meaning, Some(named.unwrap_or((name, &by))), top),
                None if name == "binary" => {
                    self.0.entry("text".to_owned()).or_insert((State::Unset, by));
                }
                None => {}
            }
        }
    }

    fn state(&self, name: &str) -> Option<&State> {
        self.0.get(name).map(|(state, _)| state)
    }

    fn declared<T>(&self, name: &str, value: T) -> Option<Declared<T>> {
        self.0.get(name).map(|(_, by)| Declared { value, by: by.clone() })
    }
}

fn newline(value: &str) -> Option<Newline> {
    match value.to_ascii_lowercase().as_str() {
        "lf" => Some(Newline::LineFeed),
        "crlf" => Some(Newline::Both),
        _ => None,
    }
}

/// Reads the name of an encoding. As git requires, an encoding that names its byte order has no byte order mark, and one
/// of its relatives that does not has one; `UTF-16LE-BOM` has both.
fn charset(value: &str) -> Option<Charset> {
    let marked = value.to_ascii_uppercase().strip_suffix("-BOM").map(str::to_owned);
    let encoding = Encoding::for_name(marked.as_deref().unwrap_or(value)).ok()?;
    let marks = match encoding.mark {
        _ if marked.is_some() => MarkMode::Require,
        Mark::ByteOrder => MarkMode::Require,
        Mark::Character => MarkMode::Forbid,
        Mark::OptionalByteOrder | Mark::Signature | Mark::None => MarkMode::Auto,
    };
    Some(Charset { encoding: encoding.into(), marks })
}
