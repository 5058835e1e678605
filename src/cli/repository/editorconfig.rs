//! `.editorconfig`: sections with a glob, and pairs of key and value (specification 0.17.2).
//!
//! The crates for this format stop at the first invalid line, and match globs in exponential time. Parsing takes only a
//! few lines, so it is done here, and [`Glob`] matches.

use oxiconv_encodings::encoding::Encoding;
use oxiconv_transcode::{MarkMode, Newline};

use super::declaration::{Declared, RuleFile, TOO_WILD};
use super::glob::Glob;
use super::settings::{DeclaredCharset, DeclaredSettings};

/// Limits in bytes. The specification allows 4096 characters for a pair and 1024 for the name of a section.
const MAX_LINE_LEN: usize = 4096;
const MAX_GLOB_LEN: usize = 1024;

const CHARSETS: [(&str, &Encoding, MarkMode); 5] = [
    ("latin1", Encoding::ISO_8859_1, MarkMode::Auto),
    ("utf-8", Encoding::UTF_8, MarkMode::Forbid),
    ("utf-8-bom", Encoding::UTF_8, MarkMode::Require),
    ("utf-16le", Encoding::UTF_16LE, MarkMode::Auto),
    ("utf-16be", Encoding::UTF_16BE, MarkMode::Auto),
];

const NEWLINES: [(&str, Newline); 3] =
    [("lf", Newline::LineFeed), ("crlf", Newline::Both), ("cr", Newline::CarriageReturn)];

/// The sections of one file that have pairs that matter here.
#[derive(Debug, Default)]
pub(super) struct EditorConfig {
    /// `root = true`: files in the directories above have no effect.
    pub(super) root: bool,
    sections: Vec<(Glob, Vec<EditorConfigPair>)>,
}

/// A pair. `None` is `unset` or an unknown value, which both remove what weaker files declare.
#[derive(Debug)]
enum EditorConfigPair {
    Charset(Option<Declared<DeclaredCharset>>),
    Newline(Option<Declared<Option<Newline>>>),
    FinalNewline(Option<Declared<bool>>),
}

impl EditorConfig {
    pub(super) fn read(bytes: &[u8], file: &mut RuleFile<'_>) -> Self {
        let mut config = Self::default();
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        for (line, number) in bytes.split(|byte| *byte == b'\n').zip(1..) {
            let Some(text) = std::str::from_utf8(line).ok().filter(|_| line.len() <= MAX_LINE_LEN)
            else {
                file.note(number, "the line is not UTF-8, or too long; ignored");
                continue;
            };
            config.read_line(text.trim(), number, file);
        }
        config.sections.retain(|(_, pairs)| !pairs.is_empty());
        config
    }

    fn read_line(&mut self, line: &str, number: usize, file: &mut RuleFile<'_>) {
        if line.is_empty() || line.starts_with(['#', ';']) {
            return;
        }
        if line.starts_with('[') {
            let name = line.rfind(']').map(|end| &line[1..end]);
            let glob = match name {
                Some(name) if !name.is_empty() && name.len() <= MAX_GLOB_LEN => {
                    if file.is_too_wild(name.as_bytes()) {
                        file.note(number, &format!("{TOO_WILD}; the section is ignored"));
                        Glob::none()
                    } else {
                        Glob::new(name)
                    }
                }
                _ => {
                    file.note(number, "not a section; its lines are ignored");
                    // The pairs that follow need a section of their own, or they would join the previous one.
                    Glob::none()
                }
            };
            return self.sections.push((glob, Vec::new()));
        }
        let Some((key, value)) = line.split_once(['=', ':']) else {
            return file.note(number, "neither a section nor key = value; ignored");
        };
        let (key, value) = (key.trim().to_lowercase(), plain(value));
        match self.sections.last_mut() {
            None => self.root |= key == "root" && value == "true",
            Some((_, pairs)) => pairs.extend(pair(&key, &value, number, file)),
        }
    }

    /// Overrides `settings`, which come from the files above, with what this file says about `path`, relative to its
    /// directory. Later sections win.
    pub(super) fn apply(&self, path: &[u8], settings: &mut DeclaredSettings) {
        let applying = self.sections.iter().filter(|(glob, _)| glob.matches(path));
        for pair in applying.flat_map(|(_, pairs)| pairs) {
            match pair {
                EditorConfigPair::Charset(charset) => settings.charset.clone_from(charset),
                EditorConfigPair::Newline(newline) => settings.newline.clone_from(newline),
                EditorConfigPair::FinalNewline(required) => {
                    settings.final_newline.clone_from(required)
                }
            }
        }
    }
}

/// Returns a value in lower case, without quotes and without a comment. A `;` or `#` begins a comment only after a
/// blank.
fn plain(value: &str) -> String {
    let comment = value.find([';', '#']).filter(|at| value[..*at].ends_with([' ', '\t']));
    let value = value[..comment.unwrap_or(value.len())].trim();
    let quoted = ['"', '\'']
        .into_iter()
        .find_map(|quote| value.strip_prefix(quote).and_then(|value| value.strip_suffix(quote)));
    quoted.unwrap_or(value).trim().to_lowercase()
}

/// Parses a pair; `None` if its key does not matter here.
fn pair(key: &str, value: &str, line: usize, file: &mut RuleFile<'_>) -> Option<EditorConfigPair> {
    if !matches!(key, "charset" | "end_of_line" | "insert_final_newline") {
        return None;
    }
    let by = file.declaration(line, &format!("{key} = {value}"));
    let unset = matches!(value, "" | "unset");
    let mut unknown = |known: &[&str]| {
        if !unset {
            let known = known.join(", ");
            file.note(
                line,
                &format!("unknown value of {key}: '{value}' (known: {known}); ignored"),
            );
        }
    };
    Some(match key {
        "charset" => {
            let known = CHARSETS.iter().find(|(name, ..)| *name == value);
            if known.is_none() {
                unknown(&CHARSETS.map(|(name, ..)| name));
            }
            EditorConfigPair::Charset(known.map(|(_, encoding, marks)| Declared {
                value: DeclaredCharset { encoding: (*encoding).into(), marks: *marks },
                by,
            }))
        }
        "end_of_line" => {
            let known = NEWLINES.iter().find(|(name, _)| *name == value);
            if known.is_none() {
                unknown(&NEWLINES.map(|(name, _)| name));
            }
            EditorConfigPair::Newline(
                known.map(|(_, newline)| Declared { value: Some(*newline), by }),
            )
        }
        "insert_final_newline" => {
            let known = value.parse::<bool>().ok();
            if known.is_none() {
                unknown(&["true", "false"]);
            }
            EditorConfigPair::FinalNewline(known.map(|value| Declared { value, by }))
        }
        _ => return None,
    })
}
