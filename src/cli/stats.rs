//! `--stats`: a table of the counts of all files together.

use oxiconv_transcode::diagnostic::Summary;

use super::console::Console;
use super::output_streams::Stream;

pub(crate) fn print(console: &Console, summary: &Summary, files: u64) {
    let mut rows = vec![
        ("files".to_owned(), files),
        ("bytes read".to_owned(), summary.bytes_read),
        ("bytes written".to_owned(), summary.bytes_written),
        ("characters".to_owned(), summary.characters),
        ("line ends".to_owned(), summary.lines),
        ("findings".to_owned(), summary.total()),
    ];
    rows.extend(summary.found.iter().map(|(kind, count)| (format!("  {}", kind.id()), *count)));
    let name_width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let width = rows.iter().map(|(_, count)| count.to_string().len()).max().unwrap_or(0);
    let table: String =
        rows.iter().map(|(name, count)| format!("{name:name_width$}  {count:>width$}\n")).collect();
    // `write` returns no errors of standard error.
    let _ = console.write(Stream::Err, table.as_bytes());
}
