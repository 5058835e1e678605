//! Encodings from the user's own tables, which are named by their paths: `-f ./my.ucm`.
//!
//! Only a name with a slash is taken for a path, and only if no encoding has that name. So a file in the current
//! directory never changes what `-f latin1` means, and every table can still be named, as `./NAME`. A table may be
//! compressed with gzip, as those of glibc are.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use flate2::bufread::MultiGzDecoder;

use super::bounded_file::open_finite;
use super::code_pages::{NoCodePages, encoding_name};
use oxiconv_encodings::encoding::{Encoding, TableError, UnknownEncoding};
use oxiconv_os::{has_separator, reason};
use oxiconv_report::{shell_word, visible};

/// The magic number of gzip (RFC 1952, section 2.3.1).
const GZIP: &[u8] = b"\x1F\x8B";

/// Why a name leads to no encoding.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LookupError {
    #[error("{0} (--list PART lists the names that contain PART)")]
    Name(UnknownEncoding),
    /// No encoding has this name, but a file does.
    #[error("{error}{}./{}?", did_you_mean(error), visible(&error.name))]
    File { error: UnknownEncoding },
    /// The name of an EBCDIC encoding is followed by a word that says how lines end, as in z/OS and ICU.
    #[error(
        "unknown encoding '{}'; did you mean {} with --ebcdic-newline lf?",
        visible(name),
        encoding.name()
    )]
    LineEnds { name: String, encoding: &'static Encoding },
    /// A request of recode: two encodings, of which one may be missing.
    #[error("unknown encoding '{}'; did you mean {options}?", visible(name))]
    Request { name: String, options: String },
    /// The name of a code page of Windows, on another system.
    #[error(transparent)]
    CodePage(#[from] NoCodePages),
    /// The file cannot be read, or cannot hold a table.
    #[error("{}: {what}", visible(path))]
    Path { path: String, what: String },
    #[error("{}:{line}: {what}", visible(path))]
    Line { path: String, line: u64, what: String },
}

/// Returns the words before the name of a file, after a message that may have suggested encodings.
fn did_you_mean(error: &UnknownEncoding) -> &'static str {
    if error.nearest.is_empty() { "; did you mean " } else { " Or the file " }
}

impl From<UnknownEncoding> for LookupError {
    fn from(error: UnknownEncoding) -> Self {
        if !has_separator(&error.name) && Path::new(&error.name).is_file() {
            return Self::File { error };
        }
        if let Some(options) = options_of_request(&error.name) {
            return Self::Request { name: error.name, options };
        }
        if let Some((name, _)) = error.name.split_once(['/', ','])
            && let Ok(encoding) = Encoding::for_name(name)
            && encoding.has_ebcdic_newlines()
        {
            return Self::LineEnds { name: error.name, encoding };
        }
        Self::Name(error)
    }
}

/// Returns the options that mean the same as a request of recode: `-f l1 -t u8` for `l1..u8`.
pub(crate) fn options_of_request(words: &str) -> Option<String> {
    let (from, to) = words.split_once("..")?;
    let option = |option, name: &str| match name {
        "" => Some(String::new()),
        name => Encoding::for_name(name)
            .ok()
            .map(|_| format!("{option} {}", shell_word(Path::new(name)))),
    };
    let options = [option("-f", from)?, option("-t", to)?].join(" ");
    Some(options.trim().to_owned()).filter(|options| !options.is_empty())
}

pub(crate) fn for_name_or_path(name: &str) -> Result<&'static Encoding, LookupError> {
    let page = encoding_name(name)?;
    let error = match Encoding::for_name(page.as_deref().unwrap_or(name)) {
        Ok(encoding) => return Ok(encoding),
        Err(error) => error,
    };
    for_path(name).unwrap_or_else(|| Err(error.into()))
}

/// The tables that were read, by their paths. Each is read once, so that it is the same encoding wherever it is named.
static READ: Mutex<Vec<(String, &'static Encoding)>> = Mutex::new(Vec::new());

/// Returns the encoding of the table at a path. `None` if this is not a path: it has no slash, or no such file exists
/// and it does not begin with `/` or `.`, so that it may be a misspelled name such as `ISO8859/1`.
pub(crate) fn for_path(path: &str) -> Option<Result<&'static Encoding, LookupError>> {
    if !has_separator(path) {
        return None;
    }
    let mut tables = READ.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, encoding)) = tables.iter().find(|(known, _)| known == path) {
        return Some(Ok(encoding));
    }
    let wrong =
        |error: io::Error| Err(LookupError::Path { path: path.to_owned(), what: reason(&error) });
    let file = match open(Path::new(path)) {
        Err(error) if is_missing(&error) && !is_surely_a_path(path) => return None,
        Err(error) => return Some(wrong(error)),
        Ok(file) => file,
    };
    Some(match Encoding::from_table(&visible(path), file) {
        Ok(encoding) => {
            tables.push((path.to_owned(), encoding));
            Ok(encoding)
        }
        Err(TableError::Read(error)) => wrong(error),
        Err(TableError::Malformed { line, what, .. }) => {
            Err(LookupError::Line { path: path.to_owned(), line, what })
        }
        Err(error) => wrong(io::Error::other(error)),
    })
}

fn is_surely_a_path(path: &str) -> bool {
    path.starts_with('.') || Path::new(path).is_absolute()
}

fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    let refused = |error: io::Error| match error.kind() {
        ErrorKind::InvalidInput => {
            io::Error::new(error.kind(), format!("{error}, not a charmap or UCM file"))
        }
        _ => error,
    };
    let mut file = BufReader::new(open_finite(path).map_err(refused)?);
    let is_compressed = file.fill_buf()?.starts_with(GZIP);
    Ok(if is_compressed { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) })
}
