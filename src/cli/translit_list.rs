//! `--list-translit`: what is written for each character under transliteration.

use std::borrow::Cow;

use anyhow::{Context, bail};

use oxiconv_os::write_stdout;
use oxiconv_report::visible;
use oxiconv_transcode::transliteration::Forms;
use oxiconv_transcode::{OnUnmappable, Options, WrittenForm, written};

use super::args::Args;

/// Prints a line for each of the characters that the arguments consist of, or for all that have forms: its number,
/// itself, its forms with the best one first, and where they come from. With a target, what is written there.
pub(crate) fn list(args: &Args) -> anyhow::Result<()> {
    let texts: Vec<_> = args.files.iter().map(|text| text.to_string_lossy()).collect();
    let locale = args.substitution.translit_locale.unwrap_or_default();
    let to = args.encodings.to.map(|to| to.encoding);
    let forms = Forms::new(locale);
    let keys = if texts.is_empty() { forms.keys() } else { characters(&texts)? };
    let mut text = String::new();
    for key in keys {
        let (source, all) = forms.listed(&key).unwrap_or_default();
        let written_as = match to {
            None if key.is_ascii() => "itself".to_owned(),
            None if source.is_empty() => "unmappable".to_owned(),
            None => all.iter().map(|form| quoted(form)).collect::<Vec<_>>().join(", "),
            Some(to) => {
                let options =
                    Options::new().on_unmappable(OnUnmappable::Replace).transliterate(true);
                match written(&options.transliteration_locale(locale).build(to, to)?, &key) {
                    WrittenForm::Itself => "itself".to_owned(),
                    WrittenForm::Form(form) => quoted(&form),
                    WrittenForm::Nothing => "unmappable".to_owned(),
                }
            }
        };
        let source = if source.is_empty() { "-" } else { source };
        let numbers: Vec<_> =
            key.chars().map(|char| format!("U+{:04X}", u32::from(char))).collect();
        text += &format!("{}\t{}\t{written_as}\t{source}\n", numbers.join(" "), visible(&key));
    }
    write_stdout(text.as_bytes()).context("(standard output)")
}

fn quoted(form: &str) -> String {
    format!("'{}'", visible(form))
}

/// Returns the characters of texts. `U+20AC` and `U+2190-U+21FF` stand for a character and a range.
fn characters(texts: &[Cow<'_, str>]) -> anyhow::Result<Vec<String>> {
    let mut found = Vec::new();
    for text in texts {
        let Some(numbers) = text.strip_prefix("U+").or_else(|| text.strip_prefix("u+")) else {
            found.extend(text.chars().map(String::from));
            continue;
        };
        let (first, last) = numbers.split_once(['-', '.']).unwrap_or((numbers, numbers));
        let last = last.trim_start_matches(['.', 'U', 'u', '+']);
        let number = |digits| u32::from_str_radix(digits, 16).ok().filter(|cp| *cp <= 0x10_FFFF);
        match (number(first), number(last)) {
            (Some(first), Some(last)) if first <= last => {
                found.extend((first..=last).filter_map(char::from_u32).map(String::from));
            }
            _ => bail!("'{text}' is not a character or a range such as U+2190-U+21FF"),
        }
    }
    Ok(found)
}
