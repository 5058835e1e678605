//! Fast path for the most common command lines of scripts, such as `-f latin1 -t utf-8 FILE` and `--check FILE`.
//!
//! Defining all options for clap takes 15 % of a short conversion, which would then start later than iconv's. Lines
//! with only a few options are parsed here instead. Any other line, and anything that might be an error, is left to
//! clap, so there is one source of messages. A property test checks that what is parsed here means the same to clap.

use std::ffi::OsString;

use super::args::{Args, input_encoding, output_encoding};

/// Returns what clap would return for a command line, or `None` if clap must parse it.
pub(crate) fn parse(words: &[OsString]) -> Option<Args> {
    let mut args = Args::default();
    let mut words = words.iter().skip(1).map(|word| word.to_str().filter(|word| !word.is_empty()));
    while let Some(word) = words.next() {
        match word? {
            "-c" => args.substitution.skip = first(&mut args, "skip")?,
            "-q" | "--quiet" => args.messages.quiet = first(&mut args, "quiet")?,
            "--check" => args.findings.check = first(&mut args, "check")?,
            "--no-config" => args.inputs.no_config = first(&mut args, "no_config")?,
            word if word == "-" || !word.starts_with('-') => args.files.push(word.into()),
            // An option with a value: `--from=latin1`, `--from latin1`, `-f latin1` or `-flatin1`. A value that is
            // empty or begins with `-` or `=` is where clap has rules of its own, such as `-f=latin1`.
            word => {
                let (option, value) = match word.split_once('=') {
                    Some((option, value)) if word.starts_with("--") => (option, value),
                    _ if word.len() == 2 || word.starts_with("--") => (word, words.next()??),
                    _ => word.split_at_checked(2)?,
                };
                if value.is_empty() || value.starts_with(['-', '=']) {
                    return None;
                }
                match option {
                    "-f" | "--from" | "--from-code" => {
                        first(&mut args, "from")?;
                        args.encodings.from = Some(input_encoding(value).ok()?);
                    }
                    "-t" | "--to" | "--to-code" => {
                        first(&mut args, "to")?;
                        args.encodings.to = Some(output_encoding(value).ok()?);
                    }
                    "-o" | "--output" => {
                        first(&mut args, "output")?;
                        args.output.output = Some(value.into());
                    }
                    _ => return None,
                }
            }
        }
    }
    if !args.files.is_empty() {
        // To clap, the positional arguments are an argument like others, and `given` lists them.
        first(&mut args, "files")?;
    }
    Some(args)
}

/// Notes that an option is given, and returns `true` as its value. `None` if it was given before, which clap reports.
fn first(args: &mut Args, option: &str) -> Option<bool> {
    args.given.add(option).then_some(true)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use proptest::prelude::*;

    use super::super::args;
    use super::*;

    fn words(line: &[&str]) -> Vec<OsString> {
        std::iter::once("oxiconv").chain(line.iter().copied()).map(OsString::from).collect()
    }

    fn by_clap(words: &[OsString]) -> Option<String> {
        args::read(&mut Args::command(), words).ok().map(|args| format!("{args:?}"))
    }

    #[test]
    fn what_scripts_have_most_is_plain() {
        for line in [
            "",
            "file",
            "-f latin1",
            "-f latin1 -t utf-8 file",
            "-flatin1 -tutf-8//TRANSLIT file other",
            "--from=latin1 --to utf-8 --output=new file",
            "--from-code=auto --to-code=utf-16le -c -o new -",
            "-q --check -f auto-lines -t ascii file",
            "--no-config -f latin1 file",
        ] {
            let words = words(&line.split_whitespace().collect::<Vec<_>>());
            let plain = parse(&words).map(|args| format!("{args:?}"));
            assert!(plain.is_some(), "{line}");
            assert_eq!(plain, by_clap(&words), "{line}");
        }
    }

    #[test]
    fn other_lines_are_left_to_clap() {
        for line in [
            "-x",
            "--",
            "-- -f",
            "-v",
            "-cq",
            "-c -c",
            "-f",
            "-f -t",
            "-f=latin1",
            "-f nonsense",
            "--from=",
            "--chec",
            "--checked",
            "-f latin1 -f latin1",
            "--help",
            "-e skip",
            "--quiet=yes",
            "-i",
        ] {
            assert!(
                parse(&words(&line.split_whitespace().collect::<Vec<_>>())).is_none(),
                "{line}"
            );
        }
        assert!(parse(&words(&["-f", ""])).is_none());
        assert!(parse(&words(&[""])).is_none());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]

        #[test]
        fn what_is_plain_means_the_same_to_clap(
            line in prop::collection::vec(prop::sample::select(&[
                "-f", "-t", "-o", "--from", "--to-code", "--output", "-c", "-q", "--quiet", "--check", "latin1", "utf-8",
                "UTF-16LE//TRANSLIT", "auto", "file", "other", "-", "", "--", "-flatin1", "-f=latin1", "-f-", "-f=",
                "-tutf-8//IGNORE", "-onew", "--from=cp1252", "--to=", "--to==", "--output=-c", "--output=a=b", "-cq", "-é",
                "--from-code=auto-lines", "nonsense", "--no-config",
            ][..]), 0..6),
        ) {
            let words = words(&line);
            if let Some(plain) = parse(&words) {
                prop_assert_eq!(Some(format!("{plain:?}")), by_clap(&words));
            }
        }
    }
}
