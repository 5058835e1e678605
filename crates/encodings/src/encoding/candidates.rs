//! The charsets that detection considers: those whose row has the flag `detect`, with the languages that each was used
//! for.
//!
//! Both are evidence that the bytes of a text do not contain. A rarity is a prior: it adds so many bits to the cost of
//! a rare charset. A language makes readings impossible that would otherwise fit well by chance, such as Korean in
//! GB18030.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::Encoding;
use super::charsets::{CANDIDATES, row};
use super::encoding_groups::groups;

static USED: &str = include_str!("used.txt");

/// A charset that a text of unknown encoding may be in.
#[derive(Clone, Copy, Debug)]
pub struct CharsetCandidate {
    /// The charset. Only one of several near-identical ones is a candidate: windows-1252, not ISO-8859-1.
    pub encoding: &'static Encoding,
    /// How rare it is, in bits: 6 if the most common charsets are 64 times as likely.
    pub rarity: u32,
    /// The system whose programs write it.
    pub system: System,
    /// The script or region that it is for, such as Central European.
    pub region: &'static str,
}

/// The system whose programs write a charset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    /// The Macintosh before Unicode, whose lines end in CR.
    Macintosh,
    /// MS-DOS and its relatives, whose lines end in CRLF.
    Dos,
    /// Any other, or several.
    Any,
}

/// How an encoding was used for a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usage {
    /// It was made for the language.
    Main,
    /// It contains the letters, and was used where it was at hand.
    Also,
    /// It contains the letters, but other encodings were usual.
    Rarely,
    /// It was not used for the language.
    Never,
}

/// The tags of the languages that an encoding was used for.
#[derive(Clone, Debug, Default)]
pub struct UsedFor {
    main: Vec<&'static str>,
    also: Vec<&'static str>,
    rarely: Vec<&'static str>,
}

impl UsedFor {
    /// Returns the languages of an encoding; `None` if `used.txt` does not list it.
    pub fn of(encoding: &Encoding) -> Option<&'static Self> {
        static TABLE: OnceLock<HashMap<&str, UsedFor>> = OnceLock::new();
        TABLE.get_or_init(|| table(USED)).get(encoding.name())
    }

    /// Iterates over the tags, with how the encoding was used for each language. If a tag occurs more than once, the
    /// first counts. The encoding was never used for languages that do not occur.
    pub fn usages(&self) -> impl DoubleEndedIterator<Item = (&'static str, Usage)> + '_ {
        let main = self.main.iter().map(|tag| (*tag, Usage::Main));
        let also = self.also.iter().map(|tag| (*tag, Usage::Also));
        let rarely = self.rarely.iter().chain(&[ENGLISH]).map(|tag| (*tag, Usage::Rarely));
        main.chain(also).chain(rarely)
    }

    /// Iterates over the tags that the table lists.
    pub fn tags(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.main.iter().chain(&self.also).chain(&self.rarely).copied()
    }

    fn extend(&mut self, other: &Self) {
        self.main.extend(&other.main);
        self.also.extend(&other.also);
        self.rarely.extend(&other.rarely);
    }
}

/// English is written in every encoding, since all contain its letters.
const ENGLISH: &str = "en";

/// Parses `used.txt`. A line `NAME = TAGS` names a group of languages for the lines below; `ENCODING: MAIN; ALSO;
/// RARELY` lists tags and groups.
fn table(text: &'static str) -> HashMap<&'static str, UsedFor> {
    let (mut groups, mut table) = (HashMap::<&str, Vec<&str>>::new(), HashMap::new());
    let expand = |tags: &'static str, groups: &HashMap<&str, Vec<&'static str>>| {
        let tags = tags.split_ascii_whitespace();
        let of = |tag| groups.get(tag).cloned().unwrap_or_else(|| vec![tag]);
        tags.flat_map(of).collect::<Vec<_>>()
    };
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        if let Some((name, tags)) = line.split_once(" = ") {
            let tags = expand(tags, &groups);
            groups.insert(name, tags);
        } else if let Some((name, tags)) = line.split_once(": ") {
            let mut columns = tags.split(';').map(|tags| expand(tags, &groups));
            let mut next = || columns.next().unwrap_or_default();
            table.insert(name, UsedFor { main: next(), also: next(), rarely: next() });
        }
    }
    table
}

/// Iterates over the candidates, in the order of the registry.
pub fn candidates() -> impl Iterator<Item = CharsetCandidate> {
    CANDIDATES.lines().filter_map(|line| {
        let mut fields = line.splitn(3, ' ');
        let encoding = row(fields.next()?.parse().ok()?)?;
        let rarity = fields.next()?.parse().ok()?;
        let (region, family) = fields.next()?.split_once('/')?;
        Some(CharsetCandidate { encoding, rarity, system: System::of(family), region })
    })
}

impl System {
    fn of(family: &str) -> Self {
        match family {
            "Macintosh" => Self::Macintosh,
            "DOS" => Self::Dos,
            _ => Self::Any,
        }
    }
}

impl CharsetCandidate {
    /// The rarity, in bits, of a requested charset that is no candidate by itself.
    const UNLISTED: u32 = 2;

    /// Returns the candidate for an encoding that the user requests, and the languages it was used for. If the table
    /// does not list it, those are the languages of all candidates for its script or region.
    pub fn asked_for(encoding: &'static Encoding) -> (Self, Option<UsedFor>) {
        let group = groups().find(|group| group.encodings.contains(&encoding));
        let (region, family) = group.map_or(("", ""), |group| (group.script, group.family));
        let listed = candidates().find(|candidate| candidate.encoding == encoding);
        let system = System::of(family);
        let unlisted = Self { encoding, rarity: Self::UNLISTED, system, region };
        let used = UsedFor::of(encoding).cloned().or_else(|| {
            let related = candidates().filter(|candidate| candidate.region == region);
            related.filter_map(|it| UsedFor::of(it.encoding)).fold(None, |all, used| {
                let mut all: UsedFor = all.unwrap_or_default();
                all.extend(used);
                Some(all)
            })
        });
        (listed.unwrap_or(unlisted), used)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_names_a_row_and_no_row_comes_twice() {
        let mut names: Vec<_> = candidates().map(|candidate| candidate.encoding.name()).collect();
        assert_eq!(names.len(), CANDIDATES.lines().count());
        assert!(names.contains(&"windows-1251") && names.contains(&"GB18030"));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), CANDIDATES.lines().count());
    }

    #[test]
    fn the_table_of_languages_has_every_candidate_and_known_names_alone() {
        for candidate in candidates() {
            assert!(UsedFor::of(candidate.encoding).is_some(), "{}", candidate.encoding);
        }
        for (name, used) in table(USED) {
            assert_eq!(Encoding::for_name(name).map(Encoding::name), Ok(name));
            assert!(used.tags().next().is_some(), "{name}");
        }
    }

    #[test]
    fn pairs_that_nobody_used_are_never_answers() {
        let usage = |name, tag| {
            let used = UsedFor::of(Encoding::for_name(name).unwrap()).unwrap();
            used.usages().find(|(of, _)| *of == tag).map_or(Usage::Never, |(_, usage)| usage)
        };
        for (name, tag) in [
            ("GB18030", "ko"),
            ("GB18030", "ja"),
            ("JOHAB", "zh-Hans"),
            ("IBM864", "ug"),
            ("VISCII", "ru"),
            ("TCVN5712-1", "cs"),
            ("CP932", "ko"),
        ] {
            assert_eq!(usage(name, tag), Usage::Never, "{name} {tag}");
        }
        assert_eq!(usage("GB18030", "en"), Usage::Rarely);
        assert_eq!(usage("windows-1250", "de"), Usage::Also);
        assert_eq!(usage("windows-1250", "pl"), Usage::Main);
    }
}
