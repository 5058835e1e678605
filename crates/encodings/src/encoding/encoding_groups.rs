//! The encodings by script and family, as `--list` shows them on a terminal.

use super::Encoding;
use super::charsets::{GROUPS, row};

/// Encodings of one family for one script.
pub struct EncodingGroup {
    /// The script or region, such as Cyrillic.
    pub script: &'static str,
    /// What they have in common, such as Windows or EBCDIC.
    pub family: &'static str,
    /// The encodings, in the order of the registry.
    pub encodings: Vec<&'static Encoding>,
}

/// Iterates over all groups. Those of one script are adjacent. The tables of the archive are in no group.
pub fn groups() -> impl Iterator<Item = EncodingGroup> {
    GROUPS.lines().filter_map(|line| {
        let mut fields = line.split('\t');
        let (script, family, numbers) = (fields.next()?, fields.next()?, fields.next()?);
        let encodings = numbers.split(' ').filter_map(|number| row(number.parse().ok()?)).collect();
        Some(EncodingGroup { script, family, encodings })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_but_those_of_the_archive_is_in_one_group() {
        let mut grouped: Vec<_> =
            groups().flat_map(|group| group.encodings).map(Encoding::name).collect();
        let plain = Encoding::all().filter(|encoding| !encoding.is_in_archive());
        let mut all: Vec<_> = plain.map(Encoding::name).collect();
        grouped.sort_unstable();
        all.sort_unstable();
        assert_eq!(grouped, all);
    }

    #[test]
    fn the_groups_of_a_script_follow_each_other() {
        let mut scripts: Vec<_> = groups().map(|group| group.script).collect();
        scripts.dedup();
        let count = scripts.len();
        scripts.sort_unstable();
        scripts.dedup();
        assert_eq!(scripts.len(), count);
    }
}
