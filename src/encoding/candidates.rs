//! The charsets that detection considers: those whose row says so.

use super::Encoding;
use super::charsets::{CANDIDATES, row};

/// A charset that a text of unknown encoding may be in.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The charset. Of near-twins there is one: windows-1252, not ISO-8859-1.
    pub encoding: &'static Encoding,
    /// How rare it is: the binary logarithm of how much likelier the most common ones are.
    pub rarity: u32,
    /// What programs it is from.
    pub system: System,
    /// The script or the region that it is for: Central European.
    pub region: &'static str,
    /// The tags of the languages that it is for, with commas between, if they are few.
    pub languages: Option<&'static str>,
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

/// Iterates over them, in the order of the registry.
pub fn candidates() -> impl Iterator<Item = Candidate> {
    CANDIDATES.lines().filter_map(|line| {
        let mut fields = line.splitn(4, ' ');
        let encoding = row(fields.next()?.parse().ok()?)?;
        let rarity = fields.next()?.parse().ok()?;
        let languages = fields.next().filter(|languages| *languages != "-");
        let (region, family) = fields.next()?.split_once('/')?;
        let system = match family {
            "Macintosh" => System::Macintosh,
            "DOS" => System::Dos,
            _ => System::Any,
        };
        Some(Candidate { encoding, rarity, system, region, languages })
    })
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
}
