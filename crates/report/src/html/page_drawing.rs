//! Draws pictures as HTML.

use std::fmt::Write;

use crate::cell_class::CellClass;
use crate::diagnosis::FindingPosition;
use crate::hex::{HexRow, MarkedBytes, shown};
use crate::marked_line::{LineCell, MarkedLine};
use crate::markup::escaped;
use crate::picture::{Draw, Picture, PictureReading, PictureRow, RowContent, Statement};

/// Bytes per row: as many as fit on a narrow screen.
const BYTES_PER_ROW: usize = 8;
/// The most columns of a line, which wraps on narrower screens.
const MAX_COLUMNS: usize = 100;
/// The most bytes in the heading of a finding.
const MAX_HEAD_BYTES: usize = 16;

/// Draws the pictures of one text as a section.
pub(super) struct PageDrawing {
    /// The start of the section, until it has been printed. A text without pictures gets no section.
    start: Option<String>,
}

impl PageDrawing {
    /// Creates the drawing of a text whose section begins with `start`.
    pub(super) fn new(start: String) -> Self {
        Self { start: Some(start) }
    }

    /// Puts the start of the section before its first part.
    fn part(&mut self, part: &str) -> String {
        self.start.take().unwrap_or_default() + part
    }
}

impl Draw for PageDrawing {
    fn picture(&mut self, picture: &Picture<'_>) -> String {
        let kind = escaped(picture.kind.id());
        let severity = picture.severity.name();
        let FindingPosition { line, column, .. } = picture.at;
        let mut text = format!(
            "<article class=\"finding\" data-kind=\"{kind}\" aria-label=\"{kind}, line {line}, column {column}\">\n\
             <h4><span class=\"kind {severity}\">{kind}</span> ({severity}), line {line}, column {column}: \
             <span class=\"at\">{}</span></h4>\n<dl>\n",
            escaped(&picture.bytes_and_offset(MAX_HEAD_BYTES)),
        );
        text.push_str(&row("text", &line_of(&picture.line)));
        if !picture.bytes.marked.is_empty() {
            text.push_str(&row("bytes", &format!("<pre>{}</pre>", hex(&picture.bytes))));
        }
        text.extend(picture.rows.iter().map(content));
        text.push_str("</dl>\n</article>\n");
        self.part(&text)
    }

    fn statement(&mut self, statement: &Statement) -> String {
        let rows: String = statement.rows.iter().map(content).collect();
        let rows = if rows.is_empty() { rows } else { format!("<dl>\n{rows}</dl>\n") };
        let words = escaped(&statement.words);
        self.part(&format!("<div class=\"statement\"><p>{words}</p>\n{rows}</div>\n"))
    }

    fn hint(&mut self, hint: &Statement) -> String {
        self.statement(hint)
    }

    fn end(&mut self) -> String {
        let is_open = self.start.is_none();
        if is_open { "</section>\n".to_owned() } else { String::new() }
    }
}

fn row(label: &str, markup: &str) -> String {
    format!("<dt>{label}</dt><dd>{markup}</dd>\n")
}

fn content(of: &PictureRow<'_>) -> String {
    let markup = match &of.content {
        RowContent::Words(words) => escaped(words),
        RowContent::Line(line) => line_of(line),
        RowContent::Command(words, loss) => {
            let loss = loss.map(|loss| format!(" ({})", escaped(loss)));
            let words = escaped(&words.join(" "));
            format!("<code class=\"command\">{words}</code>{}", loss.unwrap_or_default())
        }
        RowContent::Readings(readings) => {
            let readings = readings.iter().map(|PictureReading { names, confidence, line }| {
                format!("{}, {confidence} %: {}", escaped(names), line_of(line))
            });
            readings.collect::<Vec<_>>().join("<br>")
        }
    };
    row(of.label, &markup)
}

fn line_of(line: &MarkedLine<'_>) -> String {
    let line = line.fitted(MAX_COLUMNS);
    let mut run = SpanWriter::default();
    let cells = |run: &mut SpanWriter, cells: &[LineCell]| {
        for cell in cells {
            run.push(cell.class, &escaped(&cell.text));
        }
    };
    cells(&mut run, &line.before);
    run.push(CellClass::Found, &escaped(&line.marked));
    cells(&mut run, &line.after);
    format!("<code class=\"line\">{}</code>", run.end())
}

fn hex(bytes: &MarkedBytes<'_>) -> String {
    let digits = bytes.digits();
    let mut rows = Vec::new();
    for row in bytes.rows(BYTES_PER_ROW) {
        let HexRow::Bytes { start, cells } = row else {
            rows.push("...".to_owned());
            continue;
        };
        let mut hex = SpanWriter::default();
        let mut text = SpanWriter::default();
        for (index, cell) in cells.into_iter().enumerate() {
            let blank = if index > 0 { " " } else { "" };
            match cell {
                Some((byte, class)) => {
                    hex.push_between(class, blank, &format!("{byte:02x}"));
                    text.push(class, &escaped(&String::from(shown(byte))));
                }
                None => {
                    hex.push(CellClass::Printing, &format!("{blank}  "));
                    text.push(CellClass::Printing, " ");
                }
            }
        }
        let (hex, text) = (hex.end(), text.end());
        rows.push(format!("<i>{start:0digits$x}</i>  {hex} <i>|</i>{text}<i>|</i>"));
    }
    rows.join("\n")
}

/// Builds markup in which adjacent cells of one class share an element, to keep pages small.
#[derive(Default)]
struct SpanWriter {
    markup: String,
    class: Option<CellClass>,
}

impl SpanWriter {
    fn push(&mut self, class: CellClass, text: &str) {
        self.push_between(class, "", text);
    }

    /// Adds escaped text, after a blank that is inside the element if the class is the same as before, and outside
    /// otherwise.
    fn push_between(&mut self, class: CellClass, blank: &str, text: &str) {
        if text.is_empty() {
            return;
        }
        if self.class == Some(class) {
            self.markup.push_str(blank);
        } else {
            self.close();
            self.class = Some(class);
            // A write to a string cannot fail.
            let _ = write!(self.markup, "{blank}{}", element(class).0);
        }
        self.markup.push_str(text);
    }

    fn close(&mut self) {
        if let Some(class) = self.class.take() {
            self.markup.push_str(element(class).1);
        }
    }

    fn end(mut self) -> String {
        self.close();
        self.markup
    }
}

/// Returns the tags of a class. The most frequent class has none.
const fn element(class: CellClass) -> (&'static str, &'static str) {
    match class {
        CellClass::Printing => ("", ""),
        CellClass::Blank => ("<span class=\"b\">", "</span>"),
        CellClass::Zero => ("<span class=\"z\">", "</span>"),
        CellClass::Control => ("<span class=\"c\">", "</span>"),
        CellClass::High => ("<span class=\"h\">", "</span>"),
        CellClass::Omitted => ("<span class=\"o\">", "</span>"),
        CellClass::Found => ("<mark>", "</mark>"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_of_one_class_share_an_element() {
        let bytes = MarkedBytes { before: b"a<b ", marked: b"\xE9\xE8", after: b"\0", offset: 4 };
        assert_eq!(
            hex(&bytes),
            "<i>0000</i>  61 3c 62 <span class=\"b\">20</span> <mark>e9 e8</mark> \
             <span class=\"z\">00</span>    \
             <i>|</i>a&lt;b<span class=\"b\"> </span><mark>..</mark><span class=\"z\">.</span> <i>|</i>"
        );
    }

    #[test]
    fn text_is_never_markup() {
        let cps = |text: &str| text.chars().map(u32::from).collect::<Vec<_>>();
        let (before, after) = (cps("<i>"), cps("&\u{202E}"));
        let of = MarkedLine {
            before: &before,
            more_before: false,
            marked: "<E9>".to_owned(),
            after: &after,
            more_after: true,
        };
        assert_eq!(
            line_of(&of),
            "<code class=\"line\">&lt;i&gt;<mark>&lt;E9&gt;</mark>&amp;\
             <span class=\"c\">\\u{202e}</span><span class=\"o\">...</span></code>"
        );
    }
}
