//! The families of the languages, as far as ISO 639-5 has tags for them.

use std::sync::LazyLock;

use super::Language;

static FAMILIES: &str = include_str!("families.txt");

/// A family of languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LanguageFamily(&'static FamilyRow);

#[derive(Debug, PartialEq, Eq)]
struct FamilyRow {
    tag: &'static str,
    name: &'static str,
    languages: Vec<Language>,
}

impl LanguageFamily {
    /// Returns the smallest family that all of the languages are in.
    pub(crate) fn of(languages: &[Language]) -> Option<Self> {
        let has_all =
            |family: &&FamilyRow| languages.iter().all(|one| family.languages.contains(one));
        families().iter().find(has_all).map(Self)
    }

    /// Returns its tag of ISO 639-5 and BCP 47, such as `gmq`.
    #[must_use]
    pub fn tag(self) -> &'static str {
        self.0.tag
    }

    /// Returns its name in English.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name
    }
}

/// Returns the families; those within another one come before it.
fn families() -> &'static [FamilyRow] {
    static TABLE: LazyLock<Vec<FamilyRow>> = LazyLock::new(|| {
        let mut table: Vec<FamilyRow> = Vec::new();
        for line in FAMILIES.lines().filter(|line| !line.starts_with('#')) {
            let mut fields = line.split('\t');
            let (Some(tag), Some(name), Some(members)) =
                (fields.next(), fields.next(), fields.next())
            else {
                continue;
            };
            let mut languages = Vec::new();
            for member in members.split(' ') {
                match table.iter().find(|family| family.tag == member) {
                    Some(family) => languages.extend_from_slice(&family.languages),
                    None => languages.extend(Language::with_tag(member)),
                }
            }
            table.push(FamilyRow { tag, name, languages });
        }
        table
    });
    &TABLE
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
