//! Parses a command line like glibc's `getopt_long`, with the same messages. clap differs in what it accepts as an
//! abbreviation, in cases such as `-f=latin1`, and in all messages.
//!
//! Options may follow operands, long ones may be abbreviated, and a value may be part of the word (`-flatin1`,
//! `--to-code=utf-8`) or the next one. With POSIXLY_CORRECT in the environment, the first operand ends the options.

use std::ffi::OsString;

use oxiconv_os::name_of_bytes;
use oxiconv_report::visible;

#[derive(Clone, Copy, Debug)]
pub(super) struct Opt<I> {
    pub(super) id: I,
    pub(super) short: Option<u8>,
    pub(super) long: Option<&'static str>,
    pub(super) takes_value: bool,
    /// Whether it loses to other options that match the same abbreviation, instead of making it ambiguous.
    pub(super) yields: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum GetoptItem<I> {
    Option(I, Option<OsString>),
    Operand(OsString),
}

/// Iterates over the options and operands in order. An error is getopt's message.
pub(super) struct GetoptItems<'a, I> {
    options: &'a [Opt<I>],
    words: std::vec::IntoIter<OsString>,
    /// The rest of a word of short options, such as `l` after `c` of `-cl`.
    cluster: Vec<u8>,
    /// Whether the first operand ends the options (POSIXLY_CORRECT).
    in_order: bool,
    ended: bool,
}

impl<'a, I: Copy + PartialEq> GetoptItems<'a, I> {
    pub(super) fn new(options: &'a [Opt<I>], words: Vec<OsString>, in_order: bool) -> Self {
        Self { options, words: words.into_iter(), cluster: Vec::new(), in_order, ended: false }
    }

    fn short(&mut self) -> Result<GetoptItem<I>, String> {
        let letter = self.cluster.remove(0);
        let Some(option) = self.options.iter().find(|option| option.short == Some(letter)) else {
            return Err(format!("invalid option -- '{}'", shown(&[letter])));
        };
        if !option.takes_value {
            return Ok(GetoptItem::Option(option.id, None));
        }
        let value = match std::mem::take(&mut self.cluster) {
            rest if rest.is_empty() => self.words.next(),
            rest => name_of_bytes(rest),
        };
        match value {
            Some(value) => Ok(GetoptItem::Option(option.id, Some(value))),
            None => Err(format!("option requires an argument -- '{}'", shown(&[letter]))),
        }
    }

    /// Reads a long option. `word` is what follows the two hyphens.
    fn long(&mut self, word: &[u8]) -> Result<GetoptItem<I>, String> {
        let equals = word.iter().position(|byte| *byte == b'=');
        let name = &word[..equals.unwrap_or(word.len())];
        // What follows an ASCII character of a name is always a name.
        let given = equals.and_then(|at| name_of_bytes(word[at + 1..].to_vec()));
        let option = self.named(name, word)?;
        let long = option.long.unwrap_or_default();
        match (option.takes_value, given) {
            (false, Some(_)) => Err(format!("option '--{long}' doesn't allow an argument")),
            (false, None) => Ok(GetoptItem::Option(option.id, None)),
            (true, given) => match given.or_else(|| self.words.next()) {
                Some(value) => Ok(GetoptItem::Option(option.id, Some(value))),
                None => Err(format!("option '--{long}' requires an argument")),
            },
        }
    }

    /// Finds an option by its long name or an abbreviation. As in getopt, an exact match wins over longer names.
    fn named(&self, name: &[u8], word: &[u8]) -> Result<&'a Opt<I>, String> {
        let long = |option: &Opt<I>| option.long.map(str::as_bytes);
        if let Some(option) = self.options.iter().find(|option| long(option) == Some(name)) {
            return Ok(option);
        }
        let starts = |option: &&Opt<I>| long(option).is_some_and(|long| long.starts_with(name));
        let (last, first): (Vec<_>, Vec<_>) =
            self.options.iter().filter(starts).partition(|option| option.yields);
        match if first.is_empty() { last } else { first }.as_slice() {
            [] => Err(format!("unrecognized option '--{}'", shown(word))),
            [option] => Ok(*option),
            several => {
                let names = several.iter().filter_map(|option| option.long);
                let names: String = names.map(|name| format!(" '--{name}'")).collect();
                Err(format!("option '--{}' is ambiguous; possibilities:{names}", shown(word)))
            }
        }
    }
}

impl<I: Copy + PartialEq> Iterator for GetoptItems<'_, I> {
    type Item = Result<GetoptItem<I>, String>;

    fn next(&mut self) -> Option<Self::Item> {
        if !self.cluster.is_empty() {
            return Some(self.short());
        }
        let word = self.words.next()?;
        let bytes = word.as_encoded_bytes();
        if self.ended {
            return Some(Ok(GetoptItem::Operand(word)));
        }
        if bytes == b"--" {
            self.ended = true;
            return self.next();
        }
        if let Some(long) = bytes.strip_prefix(b"--") {
            return Some(self.long(long));
        }
        match bytes.strip_prefix(b"-") {
            Some(cluster) if !cluster.is_empty() => {
                self.cluster = cluster.to_vec();
                Some(self.short())
            }
            _ => {
                self.ended = self.in_order;
                Some(Ok(GetoptItem::Operand(word)))
            }
        }
    }
}

/// Returns bytes of the command line for a message, with control characters escaped.
fn shown(bytes: &[u8]) -> String {
    visible(&String::from_utf8_lossy(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: [Opt<char>; 6] = [
        Opt {
            id: 'f',
            short: Some(b'f'),
            long: Some("from-code"),
            takes_value: true,
            yields: false,
        },
        Opt { id: 'c', short: Some(b'c'), long: None, takes_value: false, yields: false },
        Opt { id: 'l', short: Some(b'l'), long: Some("list"), takes_value: false, yields: false },
        Opt { id: 'v', short: None, long: Some("verbose"), takes_value: false, yields: false },
        Opt {
            id: 'V',
            short: Some(b'V'),
            long: Some("version"),
            takes_value: false,
            yields: false,
        },
        Opt { id: 'u', short: None, long: Some("variant"), takes_value: true, yields: true },
    ];

    /// Reads a command line: options as `f=value` or `c`, operands in brackets, and the message at the end.
    fn read(line: &str, in_order: bool) -> String {
        let words = line.split_whitespace().map(OsString::from).collect();
        let items = GetoptItems::new(&OPTIONS, words, in_order).map(|item| match item {
            Ok(GetoptItem::Option(id, None)) => id.to_string(),
            Ok(GetoptItem::Option(id, Some(value))) => format!("{id}={}", value.to_string_lossy()),
            Ok(GetoptItem::Operand(operand)) => format!("[{}]", operand.to_string_lossy()),
            Err(message) => message,
        });
        items.collect::<Vec<_>>().join(" ")
    }

    /// The messages are those of glibc 2.36.
    #[test]
    fn words_are_read_as_getopt_reads_them() {
        for (line, items) in [
            ("-f latin1 a", "f=latin1 [a]"),
            ("-flatin1 -cl", "f=latin1 c l"),
            ("-cf latin1", "c f=latin1"),
            ("-f=latin1", "f==latin1"),
            ("a -c b", "[a] c [b]"),
            ("- -c -- -c --list", "[-] c [-c] [--list]"),
            ("--from-code=x --from-code y --from-code=", "f=x f=y f="),
            ("--fr x --l --li", "f=x l l"),
            ("--verb", "v"),
            ("--va=1", "u=1"),
            ("--v", "option '--v' is ambiguous; possibilities: '--verbose' '--version'"),
            ("--v=1", "option '--v=1' is ambiguous; possibilities: '--verbose' '--version'"),
            ("-f", "option requires an argument -- 'f'"),
            ("--from-code", "option '--from-code' requires an argument"),
            ("-cq", "c invalid option -- 'q'"),
            ("--foo=1", "unrecognized option '--foo=1'"),
            ("--li=1", "option '--list' doesn't allow an argument"),
        ] {
            assert_eq!(read(line, false), items, "{line}");
        }
        assert_eq!(read("-c a -c", true), "c [a] [-c]");
    }
}
