//! Locales that transliterate differently, as in glibc: in German ü is ue, in Danish ö is oe.

use std::fmt;

use oxiconv_encodings::unicode::CodePoint;

/// Generated. A line with `@` names locales that have the rules in the lines after it: one or two characters in
/// hexadecimal, and their forms. The line with `~` names those without rules.
const LOCALES: &str = include_str!("locales.txt");

/// A locale, for the rules by which its language transliterates ([`Options::transliteration_locale`]).
///
/// The rules are those of the locales of glibc. The default has only the rules for all languages.
///
/// ```
/// # use oxiconv_transcode as oxiconv;
/// use oxiconv::TransliterationLocale;
///
/// let german = TransliterationLocale::for_name("de-AT")?;
/// assert_eq!((german.name(), german.has_rules()), ("de_AT", true));
/// assert_eq!(TransliterationLocale::for_name("de")?.name(), "de_DE");
/// let error = TransliterationLocale::for_name("de_XY").unwrap_err();
/// assert!(error.to_string().contains("de_AT, de_BE, de_CH"));
/// # Ok::<(), oxiconv::UnknownLocale>(())
/// ```
///
/// [`Options::transliteration_locale`]: crate::Options::transliteration_locale
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TransliterationLocale {
    name: &'static str,
    rules: &'static str,
}

/// There is no such locale.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown locale '{name}'{}", did_you_mean(nearest))]
#[non_exhaustive]
pub struct UnknownLocale {
    /// The name requested.
    pub name: String,
    /// Names of locales that are similar, the nearest first.
    pub nearest: Vec<&'static str>,
}

fn did_you_mean(nearest: &[&str]) -> String {
    match nearest {
        [] => String::new(),
        nearest => format!(" (did you mean {}?)", nearest.join(", ")),
    }
}

impl TransliterationLocale {
    /// Returns the locale of this name: a language (`de`), with a territory (`de_AT`, `de-AT`), a codeset, which is
    /// ignored (`de_AT.UTF-8`), and a modifier (`uz_UZ@cyrillic`). Case does not matter. `C` and `POSIX` have no rules.
    ///
    /// # Errors
    ///
    /// If glibc has no such locale: [`UnknownLocale`], with the names of similar ones.
    pub fn for_name(name: &str) -> Result<Self, UnknownLocale> {
        Self::find(name)
            .ok_or_else(|| UnknownLocale { name: name.to_owned(), nearest: nearest(name) })
    }

    /// Returns the locale that a value of `LC_ALL`, `LC_CTYPE` or `LANG` names; the one without rules if there is no
    /// such locale.
    #[must_use]
    pub fn of_environment(value: &str) -> Self {
        Self::find(value).unwrap_or_default()
    }

    /// Returns its name, as glibc writes it; empty for the default.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Whether it has rules of its own.
    #[must_use]
    pub fn has_rules(&self) -> bool {
        !self.rules.is_empty()
    }

    /// Finds a locale by its name. Users often write less than the complete name that glibc has, or more, so there are
    /// three attempts, and the first that finds something wins:
    ///
    /// 1. The name as given, so that `de_DE@euro` and `uz_UZ@cyrillic` are found as they are.
    /// 2. The same without its modifier: one such as `@euro` changes no rules unless glibc has a locale with it.
    /// 3. A language alone means the territory of the same name (`de` is `de_DE`), else the first with rules (`sv` is
    ///    `sv_FI`), else the first.
    ///
    /// A name with a territory that glibc does not have is never taken for another territory: the rules may differ.
    fn find(name: &str) -> Option<Self> {
        let wanted = LocaleName::of(name);
        let named = || {
            all().filter(|locale| {
                wanted.language.eq_ignore_ascii_case(LocaleName::of(locale.name).language)
            })
        };
        let exact = named().find(|locale| LocaleName::of(locale.name).is(&wanted));
        let plain = LocaleName { modifier: "", ..wanted };
        exact.or_else(|| named().find(|locale| LocaleName::of(locale.name).is(&plain))).or_else(
            || {
                let own =
                    || named().filter(|locale| LocaleName::of(locale.name).modifier.is_empty());
                let home = |locale: &Self| {
                    let LocaleName { language, territory, .. } = LocaleName::of(locale.name);
                    language.eq_ignore_ascii_case(territory)
                };
                wanted
                    .territory
                    .is_empty()
                    .then(|| {
                        own()
                            .find(home)
                            .or_else(|| own().find(Self::has_rules))
                            .or_else(|| own().next())
                    })
                    .flatten()
            },
        )
    }

    /// Returns its rules: one or two characters, and the forms of each.
    pub(super) fn rules(self) -> impl Iterator<Item = ([CodePoint; 2], &'static str)> {
        self.rules.lines().filter_map(|line| {
            let (characters, forms) = line.split_once('\t')?;
            let mut cps =
                characters.split(' ').map_while(|cp| CodePoint::from_str_radix(cp, 16).ok());
            Some(([cps.next()?, cps.next().unwrap_or(0)], forms))
        })
    }
}

impl fmt::Display for TransliterationLocale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.name.is_empty() { "C" } else { self.name })
    }
}

#[derive(Clone, Copy)]
struct LocaleName<'a> {
    language: &'a str,
    territory: &'a str,
    modifier: &'a str,
}

impl<'a> LocaleName<'a> {
    fn of(name: &'a str) -> Self {
        let (name, modifier) = name.split_once('@').unwrap_or((name, ""));
        let name = name.split('.').next().unwrap_or(name);
        let (language, territory) = name.split_once(['_', '-']).unwrap_or((name, ""));
        Self { language, territory, modifier }
    }

    fn is(&self, other: &LocaleName<'_>) -> bool {
        self.territory.eq_ignore_ascii_case(other.territory)
            && self.modifier.eq_ignore_ascii_case(other.modifier)
    }
}

/// Returns all locales, those with rules first. The list has 11 KB, so it is simply read anew for each search.
fn all() -> impl Iterator<Item = TransliterationLocale> {
    let mut rest = LOCALES;
    let groups = std::iter::from_fn(move || {
        let (head, after) = rest.split_once('\n')?;
        let next = ["\n@", "\n~"].into_iter().filter_map(|next| after.find(next)).min();
        // The group of locales without rules is the last.
        let (rules, next) = after.split_at(next.map_or(after.len(), |next| next + 1));
        rest = next;
        Some((head, rules))
    });
    groups.flat_map(|(head, rules)| {
        head[1..].split('\t').map(move |name| TransliterationLocale { name, rules })
    })
}

/// Returns the names of similar locales: of the same language, or else spelled alike.
fn nearest(wanted: &str) -> Vec<&'static str> {
    const MAX_SUGGESTIONS: usize = 3;
    let language = LocaleName::of(wanted).language;
    let mut same: Vec<_> = all()
        .map(|locale| locale.name)
        .filter(|name| LocaleName::of(name).language.eq_ignore_ascii_case(language))
        .filter(|name| !name.contains('@'))
        .collect();
    same.sort_unstable();
    if same.is_empty() {
        let distance =
            |name: &str| strsim::osa_distance(&name.to_lowercase(), &wanted.to_lowercase());
        for far in 0..=2 {
            let names = all().map(|locale| locale.name);
            let mut near: Vec<_> = names.filter(|name| distance(name) == far).collect();
            near.sort_unstable();
            same.append(&mut near);
        }
    }
    same.truncate(MAX_SUGGESTIONS);
    same
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str) -> Option<(&'static str, usize)> {
        TransliterationLocale::find(name).map(|locale| (locale.name(), locale.rules().count()))
    }

    #[test]
    fn a_locale_is_found_however_it_is_spelled() {
        for name in
            ["de", "DE", "de_DE", "de-de", "de_DE.UTF-8", "de_DE.ISO-8859-15", "de_DE.utf8@nosuch"]
        {
            assert_eq!(found(name), Some(("de_DE", 12)), "{name}");
        }
        assert_eq!(found("de_DE@euro"), Some(("de_DE@euro", 12)));
        assert_eq!(found("da"), Some(("da_DK", 10)));
        assert_eq!(found("nb_NO.UTF-8"), Some(("nb_NO", 10)));
        assert_eq!(found("sv"), Some(("sv_FI", 10)));
        assert_eq!(found("uk"), Some(("uk_UA", 73)));
        assert_eq!(found("en"), Some(("en_AG", 0)));
        assert_eq!(found("en_US"), Some(("en_US", 0)));
        assert_eq!(found("C.UTF-8"), Some(("C", 0)));
        assert_eq!(found("POSIX"), Some(("POSIX", 0)));
        assert_eq!(found("uz_UZ@cyrillic"), Some(("uz_UZ@cyrillic", 74)));
        for name in ["", "xx", "de_XY", "@", "_", "de_DE_AT", "日本"] {
            assert_eq!(found(name), None, "{name}");
        }
    }

    #[test]
    fn the_environment_may_name_anything() {
        assert_eq!(TransliterationLocale::of_environment("de_AT.UTF-8").name(), "de_AT");
        for value in ["", "xx_YY", "/usr/share/locale", "en_US"] {
            assert!(!TransliterationLocale::of_environment(value).has_rules(), "{value}");
        }
    }

    #[test]
    fn an_unknown_locale_gets_the_nearest_ones() {
        let nearest = |name| TransliterationLocale::for_name(name).unwrap_err().nearest;
        assert_eq!(nearest("da_XX"), ["da_DK"]);
        assert!(nearest("dee_DE").contains(&"de_DE"));
        assert_eq!(nearest("klingon"), [""; 0]);
    }

    #[test]
    fn every_rule_can_be_read() {
        let lines = LOCALES.lines().filter(|line| !line.starts_with(['@', '~'])).count();
        let mut texts: Vec<_> =
            all().map(|locale| locale.rules).filter(|rules| !rules.is_empty()).collect();
        texts.dedup();
        let read: usize = texts
            .iter()
            .map(|rules| TransliterationLocale { name: "", rules }.rules().count())
            .sum();
        assert_eq!((read, texts.len() > 10), (lines, true));
    }
}
