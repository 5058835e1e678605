//! `-l`: the names of all encodings in the form of glibc.

use std::collections::BTreeSet;

use oxiconv_encodings::encoding::{Encoding, SPELLINGS};

/// Returns the names in capitals, each with the two slashes that a full name has in glibc. A slash within a name counts
/// as one of them: `UTF-8//`, but `ISO-10646/UCS4/`. `-f` and `-t` accept this form.
fn names() -> BTreeSet<String> {
    let names = Encoding::all().flat_map(|encoding| {
        std::iter::once(encoding.name()).chain(encoding.aliases()).map(str::to_ascii_uppercase)
    });
    let names = names.chain(SPELLINGS.lines().map(str::to_owned));
    names.map(|name| if name.contains('/') { name + "/" } else { name + "//" }).collect()
}

pub(super) fn lines() -> String {
    names().into_iter().map(|name| name + "\n").collect()
}

pub(super) fn paragraph(columns: usize) -> String {
    let names: Vec<_> = names().iter().map(|name| name.trim_end_matches('/').to_owned()).collect();
    let options = textwrap::Options::new(columns)
        .initial_indent("  ")
        .subsequent_indent("  ")
        .break_words(false)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .word_separator(textwrap::WordSeparator::AsciiSpace);
    format!(
        "Any of these names can be given to -f and to -t; one encoding may have several.\n\n{}\n",
        textwrap::fill(&names.join(", "), options)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use oxiconv_encodings::encoding::SuffixedName;

    #[test]
    fn every_line_is_a_name() {
        for line in lines().lines() {
            let name = SuffixedName::new(line).name;
            assert!(line.ends_with('/'), "{line}");
            assert!(Encoding::for_name(name).is_ok(), "{line}");
        }
    }

    #[test]
    fn names_have_the_form_of_glibc() {
        let lines = lines();
        for name in ["LATIN1//", "UTF-8//", "UTF8//", "ISO8859-1//", "ISO-10646/UCS4/", "CP1252//"]
        {
            assert!(lines.lines().any(|line| line == name), "{name}");
        }
        assert!(paragraph(80).lines().all(|line| line.len() <= 80));
        assert!(paragraph(80).contains(" LATIN1,"));
    }
}
