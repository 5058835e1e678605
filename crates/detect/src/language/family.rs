//! The families of the languages, as far as ISO 639-5 has tags for them.

use super::Language;

static FAMILIES: &str = include_str!("families.txt");

/// A family of languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LanguageFamily {
    tag: &'static str,
    name: &'static str,
}

impl LanguageFamily {
    /// Returns the smallest family that all of the languages are in.
    pub(crate) fn of(languages: &[Language]) -> Option<Self> {
        let has_all = |members: &str| languages.iter().all(|one| has(members, one.tag()));
        rows().find(|(.., members)| has_all(members)).map(|(tag, name, _)| Self { tag, name })
    }

    /// Returns its tag of ISO 639-5 and BCP 47, such as `gmq`.
    #[must_use]
    pub fn tag(self) -> &'static str {
        self.tag
    }

    /// Returns its name in English.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.name
    }
}

/// Iterates over tag, name and members of the families; those within another one come before it.
fn rows() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let lines = FAMILIES.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| {
        let (tag, rest) = line.split_once('\t')?;
        let (name, members) = rest.split_once('\t')?;
        Some((tag, name, members))
    })
}

/// Whether a language is one of the members, or in a family that is.
fn has(members: &str, language: &str) -> bool {
    let within = |member| rows().any(|(tag, _, members)| tag == member && has(members, language));
    members.split(' ').any(|member| member == language || within(member))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn family(tags: &str) -> Option<&'static str> {
        let languages: Vec<_> =
            tags.split(' ').map(|tag| Language::for_tag(tag).unwrap()).collect();
        LanguageFamily::of(&languages).map(LanguageFamily::tag)
    }

    #[test]
    fn the_smallest_family_of_languages_is_found() {
        assert_eq!(family("nb da"), Some("gmq"));
        assert_eq!(family("nb de"), Some("gem"));
        assert_eq!(family("ru rue uk"), Some("zle"));
        assert_eq!(family("ru cs"), Some("sla"));
        assert_eq!(family("hr"), Some("zls"));
        assert_eq!(family("eu fi"), None);
    }

    #[test]
    fn each_member_is_a_language_or_a_family_before_it() {
        let mut known: Vec<&str> = Vec::new();
        for line in FAMILIES.lines().filter(|line| !line.starts_with('#')) {
            let fields: Vec<_> = line.split('\t').collect();
            let [tag, name, members] = fields[..] else { panic!("{line}") };
            assert!(!name.is_empty() && Language::for_tag(tag).is_none(), "{line}");
            for member in members.split(' ') {
                assert!(Language::for_tag(member).is_some() || known.contains(&member), "{member}");
            }
            known.push(tag);
        }
    }
}
