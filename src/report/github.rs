//! The github form: workflow commands, which GitHub shows as annotations at their lines.
//!
//! ```text
//! ::error file=notes.txt,line=3,col=14,title=oxiconv truncated::notes.txt:3:14: error[truncated]: E2 82 at byte …
//! ```
//!
//! The message has the whole text form, for the log of a step shows messages without their places, and GitHub makes
//! annotations of the first ten only.

use std::path::{Path, PathBuf};

use super::json::base64;
use super::{FindingFormat, Style, TextFormat, visible, visible_path};
use crate::diagnostic::Finding;

/// The github form for one text.
pub struct GithubFormat {
    path: Option<PathBuf>,
    text: TextFormat,
}

impl GithubFormat {
    /// For the text at `path`, shown as `label`; no path is standard input.
    pub fn new(path: Option<PathBuf>, label: String) -> Self {
        let text = TextFormat::new(label, Style::default()).of_file(path.clone());
        Self { path, text }
    }
}

impl FindingFormat for GithubFormat {
    fn finding(&mut self, finding: &Finding<'_>) -> Vec<u8> {
        let text = self.text.finding(finding);
        let title = format!("oxiconv {}", finding.kind.id());
        let place = Some((finding.line, finding.column));
        github_command(
            finding.kind.is_fault(),
            self.path.as_deref(),
            place,
            &title,
            String::from_utf8_lossy(&text).trim_end(),
        )
    }
}

/// A command with its line end: an error or a notice, at a file, at a line and column of it.
pub fn github_command(
    is_error: bool,
    path: Option<&Path>,
    place: Option<(u64, u64)>,
    title: &str,
    message: &str,
) -> Vec<u8> {
    let mut command = if is_error { "::error " } else { "::notice " }.to_owned();
    let mut message = message.to_owned();
    if let Some(path) = path {
        let (file, whole) = file(path);
        command.push_str(&format!("file={},", property(&file)));
        if !whole {
            message.push_str(&format!(" (path in base64: {})", base64(path)));
        }
    }
    if let Some((line, column)) = place {
        command.push_str(&format!("line={line},col={column},"));
    }
    format!("{command}title={}::{}\n", property(title), data(&message)).into_bytes()
}

/// A path as a command can name it, and whether that is the path itself: GitHub has no way to say bytes that are not
/// UTF-8, and controls other than line ends do not belong in a log.
fn file(path: &Path) -> (String, bool) {
    let can_be_said = |text: &&str| {
        let one_line = text.replace(['\r', '\n'], "");
        visible(&one_line) == one_line
    };
    match path.to_str().filter(can_be_said) {
        Some(text) => (text.strip_prefix("./").unwrap_or(text).to_owned(), true),
        None => (visible_path(path), false),
    }
}

/// The message of a command, as GitHub wants it escaped.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property of a command: the same, and what parts properties.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    fn command(path: &[u8], message: &str) -> String {
        let path = Path::new(OsStr::from_bytes(path));
        String::from_utf8(github_command(true, Some(path), Some((3, 14)), "t", message)).unwrap()
    }

    /// The escapes are those of GitHub's own toolkit for actions: % CR LF in data, and : and , in properties.
    #[test]
    fn what_parts_a_command_is_escaped() {
        assert_eq!(
            command(b"100%:a,b\r\nc", "50%: x, y\r\n::stop"),
            "::error file=100%25%3Aa%2Cb%0D%0Ac,line=3,col=14,title=t::50%25: x, y%0D%0A::stop\n"
        );
        assert_eq!(command("é €".as_bytes(), "é"), "::error file=é €,line=3,col=14,title=t::é\n");
    }

    #[test]
    fn a_path_that_a_command_cannot_name_is_whole_in_base64() {
        // RFC 4648: 63 61 66 E9 is Y2Fm 6Q==, 1B 63 is G2M=.
        assert_eq!(
            command(b"caf\xE9", "m"),
            "::error file=caf\\xE9,line=3,col=14,title=t::m (path in base64: Y2Fm6Q==)\n"
        );
        assert_eq!(
            command(b"\x1Bc", "m"),
            "::error file=\\u{1b}c,line=3,col=14,title=t::m (path in base64: G2M=)\n"
        );
    }
}
