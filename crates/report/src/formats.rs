//! All output formats, one line each. The values of `--format` and `--explain` come from this list, and the tests below
//! hold for every format. CONTRIBUTING.md has the steps to add one.

use super::output_format::{FormatChoice, FormatOptions, OutputFormat};

/// The values of `--format`, default first.
pub const FORMATS: &[FormatChoice] = &[
    super::text::CHOICE,
    super::json::CHOICE,
    super::sarif::CHOICE,
    super::github::CHOICE,
    super::gitlab::CHOICE,
    super::junit::CHOICE,
    super::html::CHOICE,
];

/// The value of `--format` that `--json` is short for.
pub const JSON: &FormatChoice = &super::json::CHOICE;

/// The values of `--explain`, default first: pictures for people instead of a format.
pub const PICTURES: &[FormatChoice] = &[super::explain::CHOICE, super::explain_all::CHOICE];

/// Creates the output format of this name in [`FORMATS`] or [`PICTURES`].
///
/// `html` and the formats in [`PICTURES`] need more than findings: see
/// [`FormatFacts::detail`](crate::FormatFacts::detail).
pub fn format(name: &str, options: &FormatOptions) -> Option<Box<dyn OutputFormat>> {
    let choice = FORMATS.iter().chain(PICTURES).find(|choice| choice.name == name)?;
    Some((choice.new)(options))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::path::Path;

    use super::*;
    use crate::{FormatOptions, OutputFormat, Part, RunTotals, Subject};

    fn formats() -> impl Iterator<Item = (&'static str, Box<dyn OutputFormat>)> {
        let choices = FORMATS.iter().chain(PICTURES);
        choices.map(|choice| (choice.name, (choice.new)(&FormatOptions::default())))
    }

    #[test]
    fn each_format_has_a_name_of_its_own_and_says_what_it_is() {
        let names: HashSet<_> = FORMATS.iter().chain(PICTURES).map(|choice| choice.name).collect();
        assert_eq!(names.len(), FORMATS.len() + PICTURES.len());
        assert!(FORMATS.iter().chain(PICTURES).all(|choice| !choice.help.is_empty()));
        // `--explain` replaces the default format.
        let default = (FORMATS[0].new)(&FormatOptions::default());
        assert!(default.facts().is_for_people);
    }

    /// A program would otherwise miss what people read on standard error.
    #[test]
    fn a_format_for_machines_has_every_message_and_one_for_people_has_none() {
        let totals = RunTotals::default();
        for (name, format) in formats() {
            let file = Subject::File(Path::new("file"));
            for part in [
                format.note(file, "a message"),
                format.refused(file, "a message"),
                format.error(file, "a message"),
                format.error(Subject::Run, "a message"),
            ] {
                let document = match part {
                    Part::Now(bytes) => bytes,
                    Part::AtEnd(bytes) => format.end_run(&totals, 2, &bytes),
                };
                let document = String::from_utf8(document).unwrap();
                assert_eq!(document.contains("a message"), !format.facts().is_for_people, "{name}");
            }
        }
    }

    /// Files are processed in parallel: whichever has the first finding, the document is the same.
    #[test]
    fn every_finding_begins_with_the_separator() {
        use oxiconv_encodings::encoding::Encoding;
        use oxiconv_transcode::diagnostic::{Finding, Kind};
        let mut finding = Finding::of_character(Kind::Unmappable, Some(0xFF));
        (finding.bytes, finding.encoding) = (b"\xFF".into(), Encoding::US_ASCII);
        for (name, format) in formats().filter(|(_, format)| !format.facts().is_for_people) {
            let mut printed = Vec::new();
            let mut reporter = format.reporter(Subject::StandardInput, None, &mut printed);
            reporter.finding(&finding).unwrap();
            assert_eq!(reporter.close().unwrap().shown, 1, "{name}");
            assert!(printed.len() > format.facts().separator.len(), "{name}");
            assert!(printed.starts_with(format.facts().separator), "{name}");
        }
    }
}
