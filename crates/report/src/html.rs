//! The html format: one self-contained page with a summary, and each finding as a picture.
//!
//! ```text
//! head, filter ─► for each file with findings: a section of pictures ─► summary: counts by kind and by file
//! ```
//!
//! The page is written as findings are made, so the summary comes last in the document. The stylesheet shows it first,
//! and the script moves it there. Without the script, everything but the filter works. Only the names of the files with
//! most findings are kept until the end (`html/top_files.rs`).
//!
//! No text can become code of the page. All of it is escaped, and the Content Security Policy in the head allows
//! nothing but the stylesheet (`html/page.css`) and the script (`html/page.js`) with the hashes below. After a change
//! of either, `tests/html.rs` prints the new hash.

mod page_drawing;
mod top_files;

use std::io::Write;
use std::path::MAIN_SEPARATOR;

use super::diagnosis::Diagnosis;
use super::fingerprint::hash;
use super::fix_row::FixRow;
use super::markup::escaped;
use super::output_format::{
    FormatChoice, FormatFacts, FormatOptions, OutputFormat, Part, Remainder, Subject, TextReporter,
};
use super::picture::Pictures;
use super::rules::{Rule, rule};
use super::run_totals::RunTotals;
use crate::{counted, grouped};
use oxiconv_transcode::diagnostic::{Detail, Summary};
use page_drawing::PageDrawing;

pub(super) const CHOICE: FormatChoice = FormatChoice {
    name: "html",
    help: "One page for a browser, with a picture of each finding",
    new: |options| Box::new(HtmlFormat { options: *options }),
};

/// The most pictures of one file. Nobody reads more, and browsers stay fast.
const MAX_PICTURES: u64 = 1000;

const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");
/// The hashes that the policy allows (Content Security Policy Level 3, hash-source).
const STYLE_HASH: &str = "sha256-wznCQGyymMelT6fDEYwxpRIPj1xWYMcipUU0V0cD22k=";
const SCRIPT_HASH: &str = "sha256-umJ/hadShVQU7eetc9FX0/9ICjfuEVI7KRX4voPqBAY=";

struct HtmlFormat {
    options: FormatOptions,
}

impl OutputFormat for HtmlFormat {
    fn facts(&self) -> FormatFacts {
        FormatFacts {
            has_fixes: true,
            detail: Detail::Context,
            most_findings: Some(MAX_PICTURES),
            ..FormatFacts::default()
        }
    }

    fn reporter<'a>(
        &self,
        text: Subject<'_>,
        limit: Option<u64>,
        to: &'a mut dyn Write,
    ) -> Box<dyn TextReporter + 'a> {
        let drawing = PageDrawing::new(section(text));
        let pictures = Pictures::new(text, self.options.asked(), drawing);
        Box::new(Diagnosis::new(to, pictures, limit))
    }

    fn begin_run(&self) -> Vec<u8> {
        let version = env!("CARGO_PKG_VERSION");
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
             style-src '{STYLE_HASH}'; script-src '{SCRIPT_HASH}'; base-uri 'none'; form-action 'none'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>Encoding findings - oxiconv</title>\n\
             <style>{STYLE}</style>\n<script>{SCRIPT}</script>\n</head>\n<body>\n\
             <a class=\"skip\" href=\"#findings\">Skip to the findings</a>\n\
             <header>\n<h1>Encoding findings</h1>\n<p>oxiconv {version}, {task}</p>\n</header>\n<main>\n\
             {FILTER}<section id=\"findings\" aria-labelledby=\"findings-title\" tabindex=\"-1\">\n\
             <h2 id=\"findings-title\">Findings</h2>\n{LEGEND}",
            task = self.options.task.name(),
        )
        .into()
    }

    fn note(&self, subject: Subject<'_>, message: &str) -> Part {
        about_file("note", subject, message)
    }

    fn refused(&self, file: Subject<'_>, message: &str) -> Part {
        about_file("refused", file, message)
    }

    fn fixed(&self, file: Subject<'_>, row: &FixRow<'_>) -> Part {
        about_file(row.outcome().id(), file, &row.words())
    }

    fn error(&self, subject: Subject<'_>, message: &str) -> Part {
        about_file("error", subject, message)
    }

    /// Keeps the file for the table of files with most findings.
    fn end_file(&self, file: Subject<'_>, summary: &Summary, remainder: &Remainder) -> Part {
        match summary.total() {
            0 => Part::default(),
            total => Part::AtEnd(top_files::line(total, remainder.shown > 0, &file.label())),
        }
    }

    fn keep(&self, kept: &mut Vec<u8>, part: &[u8]) {
        top_files::keep(kept, part);
    }

    fn end_run(&self, totals: &RunTotals, _: u8, kept: &[u8]) -> Vec<u8> {
        let words = escaped(&totals.words());
        let kinds =
            if totals.summary.total() > 0 { by_kind(&totals.summary) } else { String::new() };
        let files = by_file(kept, totals.files_with_findings);
        let total = counted(totals.summary.total(), "finding");
        format!(
            "</section>\n<section id=\"summary\" aria-labelledby=\"summary-title\">\n\
             <h2 id=\"summary-title\">{total}</h2>\n<p>{words}</p>\n{kinds}{files}</section>\n\
             </main>\n</body>\n</html>\n"
        )
        .into()
    }
}

/// The filter, hidden until the script shows it.
const FILTER: &str = "\
<form id=\"filter\" role=\"search\" aria-label=\"Filter the findings\" hidden>
<label>Kind <select name=\"kind\"><option value=\"\">all</option></select></label>
<label>Path contains <input name=\"path\" type=\"search\" autocomplete=\"off\" spellcheck=\"false\"></label>
<button type=\"reset\">Show all</button>
<output aria-live=\"polite\"></output>
</form>
";

/// The legend of the colours. No information depends on colour alone.
const LEGEND: &str = "\
<ul class=\"legend\" aria-label=\"Colours\">
<li><mark>reported</mark></li><li>ASCII</li><li><span class=\"b\">blank, line break</span></li>
<li><span class=\"z\">zero</span></li><li><span class=\"c\">control</span></li>
<li><span class=\"h\">non-ASCII</span></li>
</ul>
";

/// Formats the start of a file's section.
fn section(file: Subject<'_>) -> String {
    let label = file.label();
    let path = escaped(&label);
    format!(
        "<section class=\"file\" id=\"{}\" data-path=\"{path}\">\n<h3><bdi>{path}</bdi></h3>\n",
        anchor(&label)
    )
}

/// Returns the id of a file's section, which is the same on every system.
fn anchor(label: &str) -> String {
    format!("file-{:016x}", hash(label.replace(MAIN_SEPARATOR, "/").as_bytes()))
}

/// Formats a message about a file, standard input or the whole run.
fn about_file(class: &str, subject: Subject<'_>, message: &str) -> Part {
    let path = escaped(&subject.label());
    let message = escaped(message);
    let part = format!(
        "<p class=\"message {class}\" data-path=\"{path}\"><b>{class}</b> <bdi>{path}</bdi>: {message}</p>\n"
    );
    Part::Now(part.into())
}

/// Formats the table of kinds, most frequent first.
fn by_kind(summary: &Summary) -> String {
    let mut found: Vec<_> = summary.found.iter().map(|(kind, count)| (*kind, *count)).collect();
    found.sort_unstable_by_key(|(kind, count)| (std::cmp::Reverse(*count), kind.id()));
    let most = found.first().map_or(0, |(_, count)| *count);
    let rows = found.iter().map(|(kind, count)| {
        let id = escaped(kind.id());
        let head = format!(
            "<a href=\"#kind={id}\">{id}</a><br><small>{}</small>",
            escaped(explanation(rule(*kind)))
        );
        row(&head, *count, most)
    });
    table("Findings by kind", "Kind", rows.collect())
}

/// Returns the first sentence of a rule's help: what must hold.
fn explanation(rule: Rule) -> &'static str {
    match rule.help.find(". ") {
        Some(end) => &rule.help[..=end],
        None => rule.help,
    }
}

/// Formats the table of the files with most findings.
fn by_file(kept: &[u8], files: u64) -> String {
    let most = top_files::lines(kept);
    let Some(first) = most.first() else { return String::new() };
    let rows = most.iter().map(|file| {
        let path = escaped(&file.label);
        let head = match file.is_shown {
            true => format!("<a href=\"#{}\"><bdi>{path}</bdi></a>", anchor(&file.label)),
            false => format!("<bdi>{path}</bdi>"),
        };
        row(&head, file.count, first.count)
    });
    let rows: String = rows.collect();
    let others = files.saturating_sub(most.len() as u64);
    let more = match others {
        0 => String::new(),
        others => format!("<p>{} more with fewer findings.</p>\n", counted(others, "file")),
    };
    table("Findings by file", "File", rows) + &more
}

fn table(caption: &str, what: &str, rows: String) -> String {
    format!(
        "<table>\n<caption>{caption}</caption>\n<thead><tr><th scope=\"col\">{what}</th>\
         <th scope=\"col\" colspan=\"2\">Findings</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n"
    )
}

/// Formats a row with a bar whose length is `count` in relation to `most`.
fn row(head: &str, count: u64, most: u64) -> String {
    let shown = grouped(count);
    let tenths = (u128::from(count) * 1000 / u128::from(most.max(1))).max(1);
    format!(
        "<tr><th scope=\"row\">{head}</th><td class=\"number\">{shown}</td><td class=\"bar\">\
         <svg width=\"100%\" height=\"12\" aria-hidden=\"true\" focusable=\"false\">\
         <rect width=\"{}.{}%\" height=\"12\"/></svg></td></tr>\n",
        tenths / 10,
        tenths % 10,
    )
}
