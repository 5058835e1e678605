//! The table of forms: for each character what may be written instead, best first, from several sources.

use std::sync::LazyLock;

use oxiconv_encodings::unicode::CodePoint;

/// Generated. A line has a character in hexadecimal, the letter of its source, and its forms, separated by tabs; U+2424
/// stands for a line feed.
const TABLE: &str = include_str!("table.txt");

/// Where the line of each character starts in the table. Lines are parsed only when needed: most conversions ask for no
/// form at all, and the others for few.
static LINES: LazyLock<Vec<(CodePoint, u32)>> = LazyLock::new(|| {
    let mut at = 0;
    let line = |line: &'static str| {
        let start = at;
        at += line.len() as u32;
        Some((CodePoint::from_str_radix(line.split('\t').next()?, 16).ok()?, start))
    };
    TABLE.split_inclusive('\n').filter_map(line).collect()
});

#[derive(Clone, Copy, Debug)]
pub(super) struct FormEntry {
    pub(super) cp: CodePoint,
    source: &'static str,
    forms: &'static str,
}

impl FormEntry {
    fn parse(line: &'static str) -> Option<Self> {
        let mut parts = line.splitn(3, '\t');
        let (_cp, _source) = (parts.next()?, parts.next()?);
        Some(Self {
            cp: CodePoint::from_str_radix(_cp, 16).ok()?,
            source: _source,
            forms: parts.next()?,
        })
    }

    /// Returns its forms as one string, for [`cells`].
    pub(super) fn cells(&self) -> &'static str {
        self.forms
    }

    /// Returns where the forms come from.
    pub(super) fn source(&self) -> &'static str {
        match self.source {
            "y" => "ISO 9, GOST 7.79",
            "g" => "ISO 843",
            "d" => "digit",
            "k" => "compatibility",
            "c" => "Latin-ASCII",
            _ => "reviewed",
        }
    }
}

/// Splits such a string into forms.
pub(super) fn cells(forms: &'static str) -> impl Iterator<Item = &'static str> {
    forms.split('\t').map(|form| if form == "␤" { "\n" } else { form })
}

pub(super) fn entry(cp: CodePoint) -> Option<FormEntry> {
    let at = LINES.binary_search_by_key(&cp, |(cp, _)| *cp).ok()?;
    TABLE[LINES[at].1 as usize..].lines().next().and_then(FormEntry::parse)
}

pub(super) fn entries() -> impl Iterator<Item = FormEntry> {
    TABLE.lines().filter_map(FormEntry::parse)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(cp: char) -> Vec<&'static str> {
        entry(cp.into()).map(|entry| cells(entry.forms).collect()).unwrap_or_default()
    }

    #[test]
    fn every_line_is_an_entry_in_order() {
        let lines = TABLE.lines().count();
        assert_eq!((LINES.len(), lines > 5000), (lines, true));
        assert!(LINES.is_sorted_by(|(one, _), (other, _)| one < other));
        assert!(TABLE.lines().all(|line| FormEntry::parse(line).is_some()));
    }

    #[test]
    fn forms_are_in_the_order_of_preference() {
        assert_eq!(forms('€'), ["EUR"]);
        assert_eq!(forms('ж'), ["ž", "zh"]);
        assert_eq!(forms('\u{2028}'), ["\n"]);
        assert_eq!(forms('\u{200B}'), [""]);
        assert_eq!(forms('½'), [" 1⁄2", " 1/2"]);
        assert!(forms('∉').is_empty() && forms('日').is_empty() && forms('a').is_empty());
    }
}
