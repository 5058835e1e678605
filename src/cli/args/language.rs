//! Parses the values of `--language`: language tags, or names of locales such as `de_AT.UTF-8`.

use oxiconv_detect::language::Language;
use oxiconv_report::visible;

/// The script in which each region writes Chinese. The models are by script.
const CHINESE: [(&str, &str); 5] = [
    ("zh-CN", "zh-Hans"),
    ("zh-SG", "zh-Hans"),
    ("zh-TW", "zh-Hant"),
    ("zh-HK", "zh-Hant"),
    ("zh-MO", "zh-Hant"),
];

/// Looks up a language tag by RFC 4647, section 3.4 (lookup): subtags are dropped from the end until a language is
/// found, so `pt-BR` finds `pt`.
pub(super) fn language(value: &str) -> Result<Language, String> {
    let locale = value.split(['.', '@']).next().unwrap_or(value);
    let tag = locale.replace('_', "-");
    let of_region = CHINESE.into_iter().find(|(region, _)| region.eq_ignore_ascii_case(&tag));
    let tag = of_region.map_or(&*tag, |(_, tag)| tag);
    let shorter = std::iter::successors(Some(tag), |tag| tag.rsplit_once('-').map(|(tag, _)| tag));
    shorter.into_iter().find_map(Language::for_tag).ok_or_else(|| unknown(value))
}

/// What is written for a language, and is no tag of it: codes of countries, the tag of both forms of Norwegian, and
/// names.
const MISTAKEN: [(&str, &str); 14] = [
    ("cn", "zh-Hans"),
    ("cz", "cs"),
    ("dk", "da"),
    ("farsi", "fa"),
    ("gr", "el"),
    ("il", "he"),
    ("jp", "ja"),
    ("kr", "ko"),
    ("no", "nb"),
    ("no", "nn"),
    ("slovene", "sl"),
    ("tw", "zh-Hant"),
    ("ua", "uk"),
    ("vn", "vi"),
];

/// Whether a value is a name of a language, or a part of one: `Chinese` of `Chinese, simplified`, `Sorbian` of `Lower
/// Sorbian`.
fn names(value: &str, language: &str) -> bool {
    let name = language.split([',', '(']).next().unwrap_or_default().trim();
    let first_and_last = [name.split(' ').next(), name.rsplit(' ').next(), Some(name)];
    first_and_last.into_iter().flatten().any(|part| part.eq_ignore_ascii_case(value))
}

/// Returns the message about an unknown value. `zh` alone is one, and `russian`; both have suggestions. `help` is one
/// too, and has none, so all tags are listed.
fn unknown(value: &str) -> String {
    let meant = |language: &Language| {
        let tag = language.tag();
        let primary = tag.split('-').next().unwrap_or_default();
        let mut mistaken = MISTAKEN.into_iter().filter(|(_, meant)| *meant == tag);
        primary.eq_ignore_ascii_case(value)
            || names(value, language.name())
            || mistaken.any(|(mistaken, _)| mistaken.eq_ignore_ascii_case(value))
    };
    let meant: Vec<_> = Language::all().filter(meant).map(Language::tag).collect();
    let all: Vec<_> = Language::all().map(Language::tag).collect();
    let hint = match meant.is_empty() {
        true => format!(" (values: {})", all.join(", ")),
        false => format!("; did you mean {}? (--language help lists all)", meant.join(" or ")),
    };
    format!("invalid value '{}' for --language{hint}", visible(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistaken_names_lead_to_languages_and_are_none_themselves() {
        for (mistaken, tag) in MISTAKEN {
            assert!(Language::for_tag(tag).is_some(), "{tag}");
            assert!(language(mistaken).is_err(), "{mistaken}");
        }
    }

    #[test]
    fn tags_and_locales_name_languages() {
        for (value, tag) in [
            ("ru", "ru"),
            ("CS", "cs"),
            ("pt-BR", "pt"),
            ("de_AT.UTF-8@euro", "de"),
            ("zh-TW", "zh-Hant"),
            ("zh_CN.GBK", "zh-Hans"),
            ("zh-Hant-HK", "zh-Hant"),
            ("sr-latn-RS", "sr-Latn"),
        ] {
            assert_eq!(language(value).map(Language::tag), Ok(tag), "{value}");
        }
        for (value, error) in [
            (
                "zh",
                "invalid value 'zh' for --language; did you mean zh-Hans or zh-Hant? (--language help lists all)",
            ),
            (
                "russian",
                "invalid value 'russian' for --language; did you mean ru? (--language help lists all)",
            ),
            (
                "Chinese",
                "invalid value 'Chinese' for --language; did you mean zh-Hans or zh-Hant? (--language help lists all)",
            ),
            (
                "norwegian",
                "invalid value 'norwegian' for --language; did you mean nb or nn? (--language help lists all)",
            ),
            ("no", "invalid value 'no' for --language; did you mean nb or nn? "),
            ("sorbian", "invalid value 'sorbian' for --language; did you mean dsb or hsb? "),
            ("JP", "invalid value 'JP' for --language; did you mean ja? "),
            ("latin", "invalid value 'latin' for --language (values: af, "),
            ("help", "invalid value 'help' for --language (values: af, "),
            ("xx", "invalid value 'xx' for --language (values: af, "),
        ] {
            let message = language(value).unwrap_err();
            assert!(message.starts_with(error), "{message}");
        }
    }
}
