//! Encodings that a user brings as a table: a charmap (POSIX.1-2017, XBD 6.4, as in glibc) or a UCM file (ICU).
//!
//! ```text
//! text ─► lines of bounded length ─► header, then mappings ─► codec/table ─► an encoding that lives until the end
//! ```
//!
//! The rules are those of tools/charsets/tables.py, so that a published table gives the same encoding whether it is
//! built into the program or read by it. `ci/tables` compares all of them.
//!
//! The encoding is leaked, because encodings are `&'static` everywhere. A program reads few tables, once each.

mod mapping_line;
mod portable_names;
mod table_reader;

use std::io::{self, Read};

use super::row_text::RowText;
use super::{Encoding, of_structure};
use crate::codec::Structure;
use table_reader::{ParsedTable, TableReader};

/// The most bytes of a table. No published table has as many.
const MAX_TABLE_LEN: u64 = 64 << 20;
/// The most bytes of one line.
const MAX_LINE_LEN: usize = 1 << 12;

/// What is wrong with a table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// A line is not part of a table, or contradicts another one.
    #[error("line {line}: {what}")]
    #[non_exhaustive]
    Malformed {
        /// The number of the line, from 1.
        line: u64,
        /// What is wrong there.
        what: String,
    },
}

impl Encoding {
    /// Makes an encoding of a table: the text of a charmap (POSIX.1-2017, XBD 6.4) or of a UCM file (ICU). `name` is
    /// what it is called in findings; [`Encoding::for_name`] does not find it.
    ///
    /// A code has up to four bytes, and stands for one character or two. If a code, or a character, has several
    /// mappings, the first counts. Best-fit mappings (`|1`) serve transliteration only. A charmap names characters by
    /// their code points (`<U20AC>`, with ranges), by the names of POSIX's portable character set (`<dollar-sign>`), or
    /// in the comment after the code; other names are skipped.
    ///
    /// The encoding exists until the process ends, so its memory is never freed: call this once per table. A table has
    /// at most 64 MiB of text and 524,288 mappings; a full one takes some 20 MB, and twice that while it is read.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is not a table: [`TableError`] has the line.
    ///
    /// ```
    /// # use oxiconv_encodings as oxiconv;
    /// use oxiconv::Encoding;
    ///
    /// let table = "CHARMAP\n<U0041> \\x41\n<U20AC> \\x80\nEND CHARMAP\n";
    /// let encoding = Encoding::from_table("mine", table.as_bytes())?;
    /// assert_eq!((encoding.name(), encoding.structure()), ("mine", Some("one byte")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_table(name: &str, table: impl Read) -> Result<&'static Self, TableError> {
        let ParsedTable { table, name: given, is_ucm } = read(table)?;
        let structure = match (table.has_shifts(), table.is_single()) {
            (true, _) => "bytes and pairs, with shifts",
            (_, true) => "one byte",
            _ => "one byte or more",
        };
        let kind = if is_ucm { "a UCM file" } else { "a charmap" };
        let summary = match given {
            Some(given) => format!("{given}, {kind}"),
            None => kind.to_owned(),
        };
        let [source, year] = [name.to_owned(), String::new()];
        let fields = vec![name.to_owned(), summary, source, year, structure.to_owned()];
        // Encodings are compared by address, and held as `&'static` everywhere, like the rows of the program.
        let structure = Structure::Own(Box::leak(Box::new(table)));
        Ok(Box::leak(Box::new(of_structure(RowText::Own(fields.leak()), structure))))
    }
}

fn read(table: impl Read) -> Result<ParsedTable, TableError> {
    let mut reader = TableReader::default();
    let lines = read_lines(table, |number, line| {
        let malformed = |what| TableError::Malformed { line: number, what };
        reader.line(number, line).map_err(malformed)
    })?;
    reader.finish().map_err(|(line, what)| TableError::Malformed {
        line: if line == 0 { lines.max(1) } else { line },
        what,
    })
}

/// Reads a table without making an encoding of it, so that it can be freed.
///
/// # Errors
///
/// The same as [`Encoding::from_table`].
pub fn read_table(table: impl Read) -> Result<crate::codec::table::OwnTable, TableError> {
    read(table).map(|given| given.table)
}

/// Calls `each` with each line of a text, numbered from 1, and returns the number of lines.
///
/// `BufRead::read_until` would collect a line without limit. Here a line must fit into the buffer, and one that is too
/// long is refused before more is read, as is binary data. So memory is bounded whatever the input.
fn read_lines(
    text: impl Read,
    mut each: impl FnMut(u64, &[u8]) -> Result<(), TableError>,
) -> Result<u64, TableError> {
    let mut text = text.take(MAX_TABLE_LEN + 1);
    let (mut buffer, mut end, mut number) = (vec![0; 16 * MAX_LINE_LEN], 0, 0);
    loop {
        let read = match text.read(&mut buffer[end..]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        end += read;
        let mut start = 0;
        while let Some(len) = memchr::memchr(b'\n', &buffer[start..end]) {
            number += 1;
            each(number, checked(number, &buffer[start..start + len])?)?;
            start += len + 1;
        }
        let rest = &buffer[start..end];
        // The start of the next line: binary data shows early, and a line may be too long already.
        checked(number + 1, rest)?;
        if read == 0 {
            if !rest.is_empty() {
                number += 1;
                each(number, rest)?;
            }
            return Ok(number);
        }
        if text.limit() == 0 {
            let what = format!("the table is longer than {} MiB", MAX_TABLE_LEN >> 20);
            return Err(TableError::Malformed { line: number + 1, what });
        }
        buffer.copy_within(start..end, 0);
        end -= start;
    }
}

/// Returns a line without its carriage return, or refuses it if no table has such a line.
fn checked(number: u64, line: &[u8]) -> Result<&[u8], TableError> {
    let malformed = |what: String| Err(TableError::Malformed { line: number, what });
    if memchr::memchr(0, line).is_some() {
        return malformed("not a charmap or UCM file: found a NUL byte".to_owned());
    }
    if line.len() > MAX_LINE_LEN {
        return malformed(format!("the line is longer than {MAX_LINE_LEN} bytes"));
    }
    Ok(line.strip_suffix(b"\r").unwrap_or(line))
}

#[cfg(test)]
mod tests;
