//! `.gitattributes`: lines of a pattern and attributes.
//!
//! ```text
//! [attr]page  text eol=lf         a macro, only at the top of the repository
//! *.html      page                text is set and eol is lf, both declared by this line
//! old.html    -text               the last line wins: not text
//! ```
//!
//! The crate gix-attributes parses lines and matches patterns. Which line decides is implemented here, by git's rule:
//! the last matching line of the closest file, and an attribute from a macro counts as if the line that names the macro
//! set it.
//!
//! The crate's `Search` implements the rule too. But it is a stack of the files of one directory and those above it,
//! which a walk changes as it goes, whereas here threads share each parsed file. It also skips invalid lines silently.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use gix_attributes::glob::pattern::{Case, Mode as PatternMode};
use gix_attributes::glob::wildmatch::Mode;
use gix_attributes::glob::{Pattern, wildmatch};
use gix_attributes::parse::Kind;

use oxiconv_encodings::encoding::{Encoding, Mark};
use oxiconv_report::visible;
use oxiconv_transcode::{MarkMode, Newline};

use super::declaration::{Declared, DeclaringLine, RuleFile, TOO_WILD};
use super::settings::{DeclaredCharset, DeclaredSettings};

/// The attributes that matter here.
const ATTRIBUTES: [&str; 4] = ["text", "eol", "working-tree-encoding", "binary"];

const MODE: Mode = Mode::NO_MATCH_SLASH_LITERAL;

/// The state of an attribute, as in gitattributes(5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AttributeState<'a> {
    Set,
    Unset,
    Value(&'a str),
    /// `!text`: as if no line named it.
    Unspecified,
}

/// Splits `eol=lf`, `text`, `-text` and `!text`.
fn name_and_state(words: &str) -> (&str, AttributeState<'_>) {
    if let Some(name) = words.strip_prefix('-') {
        (name, AttributeState::Unset)
    } else if let Some(name) = words.strip_prefix('!') {
        (name, AttributeState::Unspecified)
    } else if let Some((name, value)) = words.split_once('=') {
        (name, AttributeState::Value(value))
    } else {
        (words, AttributeState::Set)
    }
}

#[derive(Clone, Copy, Debug)]
struct Assignment {
    line: u32,
    /// An index into [`Attributes::words`].
    words: u32,
}

/// The assignments of one line, as indices into [`Attributes::assignments`].
type AssignmentRange = Range<u32>;

/// The lines of one file, in few bytes of memory per byte of the file: assignments of all lines are in one vector, and
/// the words of equal ones are stored once. A hostile file has many short lines.
#[derive(Debug)]
pub(super) struct Attributes {
    label: Arc<Path>,
    words: Vec<Box<str>>,
    assignments: Vec<Assignment>,
    lines: Vec<(Pattern, AssignmentRange)>,
    macros: HashMap<Box<str>, AssignmentRange>,
}

impl Attributes {
    /// Reads the file. Macros may be defined only at the top of the repository: `at_top` says whether this is the file
    /// there, and `top` is that file otherwise.
    ///
    /// The names of all macros are collected first, because a line may use a macro that is defined below it, and
    /// assignments of unknown names are not kept.
    pub(super) fn read(
        bytes: &[u8],
        at_top: bool,
        top: Option<&Self>,
        file: &mut RuleFile<'_>,
    ) -> Self {
        let mut attributes = Self {
            label: Arc::clone(&file.label),
            words: Vec::new(),
            assignments: Vec::new(),
            lines: Vec::new(),
            macros: HashMap::new(),
        };
        let defined = gix_attributes::parse(bytes).filter_map(|line| match line.ok()?.0 {
            Kind::Macro(name) if at_top => Some((name.as_str().into(), 0..0)),
            _ => None,
        });
        attributes.macros.extend(defined);
        let mut known = HashMap::new();
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        // Parsed line by line, because the crate's errors do not say in which line they are.
        for (line, number) in bytes.split(|byte| *byte == b'\n').zip(1..) {
            match gix_attributes::parse(line).next() {
                None => {}
                Some(Ok((kind, each, _))) => {
                    let each = each.map(|it| it.map(|it| it.to_string()).map_err(|_| ()));
                    match attributes.add_assignments(each, number, top, &mut known) {
                        Ok(part) => attributes.add_line(kind, part, number, at_top, file),
                        Err(()) => {
                            let words = "invalid attribute name; the line is ignored";
                            file.note(number as usize, words);
                        }
                    }
                }
                Some(Err(_)) => {
                    let is_macro = line.trim_ascii_start().starts_with(b"[attr]");
                    let words = match is_macro {
                        true => "invalid macro name; ignored",
                        false => "negative patterns have no effect; ignored",
                    };
                    file.note(number as usize, words);
                }
            }
        }
        attributes.words.shrink_to_fit();
        attributes.assignments.shrink_to_fit();
        attributes.lines.shrink_to_fit();
        attributes.note_unknown(file);
        attributes
    }

    /// Adds those assignments of a line that matter. As in git, one attribute with an invalid name makes the line
    /// invalid.
    fn add_assignments(
        &mut self,
        each: impl Iterator<Item = Result<String, ()>>,
        line: u32,
        top: Option<&Self>,
        known: &mut HashMap<Box<str>, u32>,
    ) -> Result<AssignmentRange, ()> {
        let start = self.assignments.len();
        for words in each {
            let Ok(words) = words else {
                self.assignments.truncate(start);
                return Err(());
            };
            let name = name_and_state(&words).0;
            let has = |attributes: &Self| attributes.macros.contains_key(name);
            if !ATTRIBUTES.contains(&name) && !has(self) && !top.is_some_and(has) {
                continue;
            }
            let words = words.into_boxed_str();
            let words = *known.entry(words).or_insert_with_key(|words| {
                self.words.push(words.clone());
                index(self.words.len() - 1)
            });
            self.assignments.push(Assignment { line, words });
        }
        Ok(index(start)..index(self.assignments.len()))
    }

    fn add_line(
        &mut self,
        kind: Kind,
        part: AssignmentRange,
        number: u32,
        at_top: bool,
        file: &mut RuleFile<'_>,
    ) {
        match kind {
            Kind::Pattern(_) if part.is_empty() => {}
            Kind::Pattern(pattern) if file.is_too_wild(&pattern.text) => {
                file.note(number as usize, &format!("{TOO_WILD}; ignored"));
            }
            Kind::Pattern(pattern) => self.lines.push((pattern, part)),
            Kind::Macro(name) if at_top => {
                self.macros.insert(name.as_str().into(), part);
            }
            Kind::Macro(_) => {
                let words = "macros are defined only at the top of a repository; ignored";
                file.note(number as usize, words);
            }
        }
    }

    fn words(&self, assignment: Assignment) -> &str {
        &self.words[assignment.words as usize]
    }

    fn part(&self, part: &AssignmentRange) -> &[Assignment] {
        &self.assignments[part.start as usize..part.end as usize]
    }

    /// Notes values that have no meaning.
    fn note_unknown(&self, file: &mut RuleFile<'_>) {
        for assignment in &self.assignments {
            let words = self.words(*assignment);
            let (name, state) = name_and_state(words);
            let known = match (name, state) {
                ("eol", AttributeState::Value(value)) => newline(value).is_some(),
                ("text", AttributeState::Value(value)) => matches!(value, "auto" | "input"),
                ("working-tree-encoding", AttributeState::Value(value)) => charset(value).is_some(),
                ("working-tree-encoding" | "eol", AttributeState::Set) => false,
                _ => true,
            };
            if !known {
                let words = format!("{words}: unknown value of {name}; ignored");
                file.note(assignment.line as usize, &words);
            }
        }
    }
}

/// Files of rules are limited to far fewer bytes than 2^32.
fn index(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Returns what the files of a repository declare for one file. Each comes with the path relative to its own directory,
/// the closest first and the one at the top last.
///
/// What git's attributes mean for a check of the working tree:
///
/// * `text` says that git normalizes line ends in the repository, and so only that the file is text. `-text` says that
///   it is not.
/// * `eol` says how lines end in the working tree, unless `-text` is set.
/// * `text=auto` leaves it to the contents whether the file is text. With `eol`, they are looked at here too
///   (`may_be_binary`), and if they look binary, nothing is declared.
pub(super) fn settings(files: &[(&Attributes, Cow<'_, [u8]>)]) -> DeclaredSettings {
    let found = ResolvedAttributes::of(files);
    let text = |excluded| found.declared("text", excluded);
    let newline = match (found.state("eol"), found.state("text")) {
        (_, Some(AttributeState::Unset)) => None,
        (Some(AttributeState::Value(value)), _) => newline(value),
        _ => None,
    };
    let is_auto = found.state("text") == Some(AttributeState::Value("auto"));
    let charset = match found.state("working-tree-encoding") {
        Some(AttributeState::Value(value)) => charset(value),
        _ => None,
    };
    DeclaredSettings {
        excluded: match found.state("text") {
            Some(AttributeState::Unset) => text(true),
            Some(AttributeState::Set) => text(false),
            Some(AttributeState::Value("input")) => text(false),
            _ => None,
        },
        may_be_binary: is_auto && newline.is_some(),
        charset: charset.and_then(|value| found.declared("working-tree-encoding", value)),
        newline: newline.and_then(|value| found.declared("eol", Some(value))),
        ..DeclaredSettings::default()
    }
}

struct ResolvedAttribute<'a> {
    state: AttributeState<'a>,
    by: AttributeSource<'a>,
}

/// The line that set an attribute, for messages: `.gitattributes:2 says eol=lf (page)`.
#[derive(Clone, Copy)]
struct AttributeSource<'a> {
    attributes: &'a Attributes,
    line: u32,
    words: &'a str,
    /// The macro on that line, if the attribute comes from it.
    through: Option<&'a str>,
}

impl AttributeSource<'_> {
    fn declaration(&self) -> DeclaringLine {
        let words = match self.through {
            None => visible(self.words),
            Some(name) => visible(&format!("{} ({name})", self.words)),
        };
        DeclaringLine { file: Arc::clone(&self.attributes.label), line: self.line as usize, words }
    }
}

/// All attributes of one file, the first to be set being final.
#[derive(Default)]
struct ResolvedAttributes<'a>(HashMap<&'a str, ResolvedAttribute<'a>>);

impl<'a> ResolvedAttributes<'a> {
    fn of(files: &[(&'a Attributes, Cow<'_, [u8]>)]) -> Self {
        let mut found = Self::default();
        let top = files.last().map(|(top, _)| *top);
        for (attributes, path) in files {
            for (pattern, part) in attributes.lines.iter().rev() {
                if matches(pattern, path) {
                    found.fill(attributes, attributes.part(part), top);
                }
            }
        }
        found
    }

    /// Sets the attributes in `assignments` that are not set yet, the last one first, and expands macros.
    ///
    /// Files are visited from the closest to the top and lines from the last to the first, so the first to set an
    /// attribute wins. Within a line it is the same, except that a macro is expanded at its own place: its assignments
    /// come after those to its right, and before those to its left. Macros may name macros to any depth, so the stack
    /// is explicit. A macro that names itself ends the expansion, because its name is set before it is expanded.
    fn fill(
        &mut self,
        attributes: &'a Attributes,
        assignments: &'a [Assignment],
        top: Option<&'a Attributes>,
    ) {
        let mut left = vec![(attributes, assignments, None::<AttributeSource<'a>>)];
        while let Some((attributes, assignments, named)) = left.pop() {
            let Some((last, before)) = assignments.split_last() else { continue };
            if !before.is_empty() {
                left.push((attributes, before, named));
            }
            let words = attributes.words(*last);
            let (name, state) = name_and_state(words);
            if self.0.contains_key(name) {
                continue;
            }
            let by = match named {
                None => AttributeSource { attributes, line: last.line, words, through: None },
                Some(named) => {
                    AttributeSource { words, through: Some(name_and_state(named.words).0), ..named }
                }
            };
            self.0.insert(name, ResolvedAttribute { state, by });
            if state != AttributeState::Set {
                continue;
            }
            match top.and_then(|top| Some((top, top.macros.get(name)?))) {
                // The message names the macro that the line itself has, so the outermost one is kept.
                Some((top, meaning)) => left.push((top, top.part(meaning), named.or(Some(by)))),
                None if name == "binary" => {
                    self.0
                        .entry("text")
                        .or_insert(ResolvedAttribute { state: AttributeState::Unset, by });
                }
                None => {}
            }
        }
    }

    fn state(&self, name: &str) -> Option<AttributeState<'a>> {
        self.0.get(name).map(|found| found.state)
    }

    fn declared<T>(&self, name: &str, value: T) -> Option<Declared<T>> {
        self.0.get(name).map(|found| Declared { value, by: found.by.declaration() })
    }
}

/// Whether a pattern matches a path relative to its directory.
fn matches(pattern: &Pattern, path: &[u8]) -> bool {
    let several = pattern.text.windows(2).filter(|two| two == b"**").count() > 1;
    if several && pattern.text.contains(&b'/') {
        return !pattern.mode.contains(PatternMode::MUST_BE_DIR)
            && names_match(&pattern.text, path);
    }
    let name = path.iter().rposition(|byte| *byte == b'/').map(|slash| slash + 1);
    pattern.matches_repo_relative_path(path.into(), name, None, Case::Sensitive, MODE)
}

/// Matches a pattern with several `**` component by component. The crate tries all ways to distribute a path over the
/// `**`, which takes time exponential in their number.
///
/// `reached[n]` says whether the pattern so far matches exactly the first `n` components of the path, so each component
/// of the pattern is one pass over that array:
///
/// ```text
/// a/**/b/c on a/b/b/c     reached after a    -x---
///                         after **           -xxxx
///                         after b            --xx-
///                         after c            ----x
/// ```
fn names_match(pattern: &[u8], path: &[u8]) -> bool {
    let names: Vec<_> = path.split(|byte| *byte == b'/').collect();
    let mut reached = vec![false; names.len() + 1];
    reached[0] = true;
    let mut parts = pattern.split(|byte| *byte == b'/').peekable();
    while let Some(part) = parts.next() {
        let is_last = parts.peek().is_none();
        let Some(first) = reached.iter().position(|reached| *reached) else { return false };
        if part.len() > 1 && part.iter().all(|byte| *byte == b'*') {
            if is_last {
                return first < names.len();
            }
            reached[first..].fill(true);
            continue;
        }
        let from = if is_last { names.len() - 1 } else { first };
        for at in (0..names.len()).rev() {
            reached[at + 1] =
                at >= from && reached[at] && wildmatch(part.into(), names[at].into(), MODE);
        }
        reached[0] = false;
    }
    reached[names.len()]
}

fn newline(value: &str) -> Option<Newline> {
    match value {
        "lf" => Some(Newline::LineFeed),
        "crlf" => Some(Newline::Both),
        _ => None,
    }
}

/// Looks up the value of `working-tree-encoding`. As in git, the name settles the byte order mark: `UTF-16` and
/// `UTF-32` require one, `UTF-16LE` and its like forbid it, and `UTF-16LE-BOM` requires it again.
fn charset(value: &str) -> Option<DeclaredCharset> {
    let marked = value.to_ascii_uppercase().strip_suffix("-BOM").map(str::to_owned);
    let encoding = Encoding::for_name(marked.as_deref().unwrap_or(value)).ok()?;
    let marks = match encoding.mark {
        _ if marked.is_some() => MarkMode::Require,
        Mark::ByteOrder => MarkMode::Require,
        Mark::Character => MarkMode::Forbid,
        Mark::OptionalByteOrder | Mark::Signature | Mark::None => MarkMode::Auto,
    };
    Some(DeclaredCharset { encoding: encoding.into(), marks })
}
