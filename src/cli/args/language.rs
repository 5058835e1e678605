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

/// Returns the message about an unknown value. `zh` alone is one, and `russian`; both have suggestions. `help` is one
/// too, and has none, so all tags are listed.
fn unknown(value: &str) -> String {
    let meant = |language: &Language| {
        let tag = language.tag().split('-').next().unwrap_or_default();
        tag.eq_ignore_ascii_case(value) || language.name().eq_ignore_ascii_case(value)
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
            ("help", "invalid value 'help' for --language (values: af, "),
            ("xx", "invalid value 'xx' for --language (values: af, "),
        ] {
            let message = language(value).unwrap_err();
            assert!(message.starts_with(error), "{message}");
        }
    }
}
