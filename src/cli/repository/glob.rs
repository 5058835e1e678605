//! The globs of EditorConfig, which `oxiconv.toml` uses too.
//!
//! ```text
//! *  any characters except /        ?       one character except /     {a,b}   one of these alternatives
//! ** any characters                 [a-z]   one of these, [!a-z] not   {1..9}  a number in this range
//! ```
//!
//! A glob with a slash is relative to the directory of its file; one without matches a name in any directory below.
//!
//! The crate globset, which handles `--include` and `--exclude`, reads 12 of the 28 expressions in the test below
//! differently: ranges of numbers, `**` within a name, braces that group nothing or lack their partner, and characters
//! beyond ASCII.
//!
//! A glob is compiled to the program of a nondeterministic automaton, a list of steps. Alternatives are jumps:
//!
//! ```text
//! a{b,,c}     0 Byte(a)   1 Split[2,4,5]   2 Byte(b)   3 Split[6]   4 Split[6]   5 Byte(c)   6 End
//! ```
//!
//! The matcher keeps a bit for each pair of a step and a position in the path, and visits none twice. So its time is
//! bounded by the product of both lengths. A backtracking matcher would be exponential in globs such as
//! `{a,aa}{a,aa}…b`, and globs come from a repository that may be hostile.

use std::ops::RangeInclusive;

#[derive(Clone, Debug)]
pub(super) struct Glob {
    steps: Vec<GlobStep>,
    /// Whether it must match from the directory of its file on. If not, it may begin at any name in the path.
    anchored: bool,
}

#[derive(Clone, Debug)]
enum GlobStep {
    Byte(u8),
    /// Any character except a slash.
    One,
    /// Any number of characters except slashes.
    Name,
    /// Any number of characters.
    Path,
    Class(Box<GlobClass>),
    Number(Box<RangeInclusive<i64>>),
    /// Continues at each of these steps; with none, nothing matches.
    Split(Box<[usize]>),
    End,
}

/// `[a-z]` or `[!a-z]`. A slash is in no class, negated or not.
#[derive(Clone, Debug)]
struct GlobClass {
    ranges: Vec<RangeInclusive<char>>,
    negated: bool,
}

impl GlobClass {
    fn has(&self, found: Option<char>) -> bool {
        let is_in = |c: char| self.ranges.iter().any(|range| range.contains(&c));
        found != Some('/') && found.is_some_and(is_in) != self.negated
    }
}

impl Glob {
    pub(super) fn new(glob: &str) -> Self {
        let anchored = glob.contains('/');
        let start = if anchored && !glob.starts_with('/') { "/" } else { "" };
        let mut parser = GlobParser { rest: Vec::new(), steps: Vec::new(), braces: false };
        parser.rest = format!("{start}{glob}").chars().rev().collect();
        parser.braces = parser.has_balanced_braces();
        parser.sequence(false);
        parser.steps.push(GlobStep::End);
        parser.steps.shrink_to_fit();
        Self { steps: parser.steps, anchored }
    }

    pub(super) fn none() -> Self {
        Self { steps: vec![GlobStep::Split(Box::default())], anchored: true }
    }

    /// Whether it matches `path`, which is relative to the directory of its file.
    pub(super) fn matches(&self, path: &[u8]) -> bool {
        self.matches_to(path, |next| next.is_none())
    }

    /// Whether it matches `path` or a directory above it, as `vendor` does `vendor/a/b`. For `exclude` in
    /// `oxiconv.toml`.
    pub(super) fn matches_above(&self, path: &[u8]) -> bool {
        self.matches_to(path, |next| matches!(next, None | Some(b'/')))
    }

    /// Whether it matches a prefix of `path` such that `is_end` accepts the byte after it, or `None` at the end.
    ///
    /// `left` is the work list of (step, position) pairs, and `tried` the bit set of all pairs that were ever taken
    /// from it. The order does not matter, so a stack does.
    fn matches_to(&self, path: &[u8], is_end: impl Fn(Option<&u8>) -> bool) -> bool {
        let path = &[b"/", path].concat()[..];
        let width = path.len() + 1;
        let mut tried = vec![0_u64; (self.steps.len() * width).div_ceil(64)];
        let starts = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        let mut left: Vec<_> = match self.anchored {
            true => vec![(0, 0)],
            false => starts.map(|(at, _)| (0, at + 1)).collect(),
        };
        while let Some((step, at)) = left.pop() {
            let (word, bit) = ((step * width + at) / 64, (step * width + at) % 64);
            if tried[word] >> bit & 1 == 1 {
                continue;
            }
            tried[word] |= 1 << bit;
            let next = path.get(at);
            match &self.steps[step] {
                GlobStep::End if is_end(next) => return true,
                GlobStep::End => {}
                GlobStep::Byte(byte) if next == Some(byte) => left.push((step + 1, at + 1)),
                GlobStep::Byte(_) => {}
                GlobStep::Name | GlobStep::Path => {
                    left.push((step + 1, at));
                    let slashes = matches!(self.steps[step], GlobStep::Path);
                    if next.is_some_and(|byte| slashes || *byte != b'/') {
                        left.push((step, at + 1));
                    }
                }
                GlobStep::One => left.extend(
                    character(&path[at..])
                        .filter(|(found, _)| *found != Some('/'))
                        .map(|(_, len)| (step + 1, at + len)),
                ),
                GlobStep::Class(class) => left.extend(
                    character(&path[at..])
                        .filter(|(found, _)| class.has(*found))
                        .map(|(_, len)| (step + 1, at + len)),
                ),
                GlobStep::Number(range) => left.extend(
                    number(&path[at..])
                        .filter(|(value, _)| range.contains(value))
                        .map(|(_, len)| (step + 1, at + len)),
                ),
                GlobStep::Split(steps) => left.extend(steps.iter().map(|step| (*step, at))),
            }
        }
        false
    }
}

/// Returns the first character and its length in bytes. Paths are bytes: one that is not UTF-8 counts as a character
/// that is in no range, so `?` and `[!a]` match it.
fn character(bytes: &[u8]) -> Option<(Option<char>, usize)> {
    let chunk = bytes.utf8_chunks().next()?;
    Some(match chunk.valid().chars().next() {
        Some(c) => (Some(c), c.len_utf8()),
        None => (None, 1),
    })
}

/// Returns the number at the start and its length in bytes. `03` is no number: `{3..12}` does not match it.
fn number(bytes: &[u8]) -> Option<(i64, usize)> {
    let sign = bytes.first().is_some_and(|byte| matches!(byte, b'+' | b'-'));
    let digits = bytes[usize::from(sign)..].iter().take_while(|byte| byte.is_ascii_digit());
    let len = usize::from(sign) + digits.count();
    let text = std::str::from_utf8(&bytes[..len]).ok()?;
    let needless = text.trim_start_matches(['+', '-']).starts_with('0') && text.len() > 1;
    text.parse().ok().filter(|_| !needless).map(|value| (value, len))
}

struct GlobParser {
    /// The rest of the glob in reverse, so that the next character is popped.
    rest: Vec<char>,
    steps: Vec<GlobStep>,
    /// Whether braces group. If they are unbalanced, all of them are literal.
    braces: bool,
}

impl GlobParser {
    /// Parses up to the end or, `in_braces`, up to a comma or a closing brace, which it does not consume.
    fn sequence(&mut self, in_braces: bool) {
        while let Some(c) = self.rest.pop() {
            match c {
                '\\' => {
                    let escaped = self.rest.pop().unwrap_or('\\');
                    self.literal(escaped);
                }
                '*' if self.takes("*") => self.steps.push(GlobStep::Path),
                '*' => self.steps.push(GlobStep::Name),
                '?' => self.steps.push(GlobStep::One),
                '[' => self.class(),
                '{' if self.braces => self.group(),
                ',' | '}' if in_braces => return self.rest.push(c),
                '/' if self.takes("**/") => {
                    // `/**/` is one slash, or two with anything between them: / (** /)?
                    //
                    //     slash   Split[Path, after]   Path   slash   after
                    let split = self.steps.len() + 1;
                    let either = GlobStep::Split([split + 1, split + 3].into());
                    let slash = GlobStep::Byte(b'/');
                    self.steps.extend([slash.clone(), either, GlobStep::Path, slash]);
                }
                c => self.literal(c),
            }
        }
    }

    fn literal(&mut self, c: char) {
        self.steps.extend(c.to_string().bytes().map(GlobStep::Byte));
    }

    /// Consumes `text` if it comes next. All of it is ASCII.
    fn takes(&mut self, text: &str) -> bool {
        let comes = self.rest.iter().rev().take(text.len()).copied().eq(text.chars());
        if comes {
            self.rest.truncate(self.rest.len() - text.len());
        }
        comes
    }

    /// Parses a class after its `[`. Without a closing bracket, or with a slash before it, the `[` is literal.
    ///
    /// Nothing is consumed until the bracket is found: `at` runs ahead, down the reversed rest. A hyphen is literal at
    /// either end (`[-a]`, `[a-]`), and a `]` that comes first would close an empty class, which makes the `[` literal.
    fn class(&mut self) {
        let (mut ranges, mut at) = (Vec::<RangeInclusive<char>>::new(), self.rest.len());
        let negated = matches!(self.rest.last(), Some('!' | '^'));
        at -= usize::from(negated);
        let mut dash = false;
        let closed = loop {
            let Some(index) = at.checked_sub(1) else { break false };
            at = index;
            let c = match self.rest[at] {
                '/' => break false,
                ']' => break !ranges.is_empty(),
                '-' if !ranges.is_empty() && !dash => {
                    dash = true;
                    continue;
                }
                '\\' if at > 0 => {
                    at -= 1;
                    self.rest[at]
                }
                c => c,
            };
            match ranges.pop() {
                Some(range) if dash => ranges.push(*range.start()..=c),
                before => ranges.extend(before.into_iter().chain([c..=c])),
            }
            dash = false;
        };
        if closed {
            if dash {
                ranges.push('-'..='-');
            }
            self.rest.truncate(at);
            self.steps.push(GlobStep::Class(Box::new(GlobClass { ranges, negated })));
        } else {
            self.literal('[');
        }
    }

    /// Parses what follows `{`: a range of numbers, or alternatives. With a single alternative the braces are literal,
    /// as the specification requires.
    ///
    /// Where the alternatives begin, and where the group ends, is known only afterwards. So a placeholder is pushed for
    /// the jump to the alternatives and for the jump after each, and is replaced at the end.
    fn group(&mut self) {
        if let Some(range) = self.range() {
            return self.steps.push(GlobStep::Number(Box::new(range)));
        }
        let split = self.steps.len();
        self.steps.push(GlobStep::Split(Box::default()));
        let (mut starts, mut ends) = (Vec::new(), Vec::new());
        loop {
            starts.push(self.steps.len());
            self.sequence(true);
            match self.rest.pop() {
                Some(',') => {
                    ends.push(self.steps.len());
                    self.steps.push(GlobStep::Split(Box::default()));
                }
                _ if ends.is_empty() => {
                    self.steps[split] = GlobStep::Byte(b'{');
                    return self.steps.push(GlobStep::Byte(b'}'));
                }
                _ => break,
            }
        }
        let after = self.steps.len();
        for end in ends {
            self.steps[end] = GlobStep::Split([after].into());
        }
        self.steps[split] = GlobStep::Split(starts.into());
    }

    /// Consumes `1..9}`, if that comes next. The order of the limits does not matter.
    fn range(&mut self) -> Option<RangeInclusive<i64>> {
        let inside: String = self.rest.iter().rev().take_while(|c| **c != '}').collect();
        let (low, high) = inside.split_once("..")?;
        let (low, high) = (low.parse::<i64>().ok()?, high.parse::<i64>().ok()?);
        self.rest.truncate(self.rest.len() - inside.chars().count() - 1);
        Some(low.min(high)..=low.max(high))
    }

    fn has_balanced_braces(&self) -> bool {
        let (mut open, mut close, mut escaped) = (0, 0, false);
        for c in self.rest.iter().rev() {
            open += usize::from(*c == '{' && !escaped);
            close += usize::from(*c == '}' && !escaped);
            escaped = *c == '\\' && !escaped;
        }
        open == close
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Written by hand from the specification of EditorConfig (0.17.2, glob expressions).
    #[test]
    fn globs_are_those_of_the_specification() {
        for (glob, matching, others) in [
            ("*", &["a", "a.c", "d/a"][..], &[][..]),
            ("*.c", &["a.c", ".c", "d/e/a.c"], &["a.cc", "a.c/b"]),
            ("/*.c", &["a.c"], &["d/a.c"]),
            ("d/*.c", &["d/a.c"], &["a.c", "d/e/a.c", "x/d/a.c"]),
            ("d/**.c", &["d/a.c", "d/e/a.c"], &["a.c"]),
            ("d/**/a.c", &["d/a.c", "d/e/f/a.c"], &["d/xa.c", "a.c"]),
            ("**/a.c", &["a.c", "d/a.c"], &["xa.c"]),
            ("a**d", &["ad", "a/b/d", "x/abcd"], &["bd"]),
            ("?.c", &["a.c", "é.c"], &[".c", "ab.c"]),
            ("[ab].c", &["a.c", "b.c"], &["c.c", "ab.c"]),
            ("[!ab].c", &["c.c"], &["a.c", "b.c"]),
            ("[a-c].c", &["a.c", "b.c"], &["d.c", "-.c"]),
            ("[a-].c", &["a.c", "-.c"], &["b.c"]),
            ("[\\]a].c", &["].c", "a.c"], &["\\.c"]),
            ("[ab.c", &["[ab.c"], &["a.c"]),
            ("d[/]a", &["d[/]a"], &["d/a"]),
            ("*.{c,h}", &["a.c", "a.h"], &["a.{c,h}", "a.ch"]),
            ("a{b,,c}", &["a", "ab", "ac"], &["abc"]),
            ("{a{b,c},d}.x", &["ab.x", "ac.x", "d.x"], &["a.x", "bc.x"]),
            ("{d/*.c,*.h}", &["d/a.c", "a.h"], &["a.c"]),
            ("{single}.c", &["{single}.c"], &["single.c"]),
            ("{}.c", &["{}.c"], &[".c"]),
            ("{a.c", &["{a.c"], &["a.c"]),
            ("a},b", &["a},b"], &["a"]),
            ("{3..12}", &["3", "12"], &["2", "13", "03", "3..12"]),
            ("{-3..3}.c", &["-3.c", "0.c"], &["4.c", "x.c"]),
            ("\\*.c", &["*.c"], &["a.c"]),
            ("a\\{b,c\\}", &["a{b,c}"], &["ab"]),
        ] {
            let parsed = Glob::new(glob);
            for path in matching {
                assert!(parsed.matches(path.as_bytes()), "{glob} matches {path}");
            }
            for path in others {
                assert!(!parsed.matches(path.as_bytes()), "{glob} does not match {path}");
            }
        }
    }

    /// A backtracking matcher would try more than 2^40 ways.
    #[test]
    fn no_glob_takes_long() {
        let path = "a".repeat(200);
        for glob in [
            "{a,aa}".repeat(100) + "b",
            "**a".repeat(300) + "b",
            "b".to_owned() + &"{a,aa}".repeat(100),
        ] {
            assert!(!Glob::new(&glob).matches(path.as_bytes()));
        }
        // The parser recurses for each brace. Globs of more than 1024 bytes are refused before, so this is deep enough.
        assert!(!Glob::new(&("{a,".repeat(300) + &"}".repeat(300))).matches(b"b"));
    }
}
