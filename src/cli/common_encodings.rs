//! The common encodings: of the 1,400 in the registry, those that a user without special needs looks for.
//!
//! `--list` shows them first, and finds them by language and by use. Completion offers them before their variants.

use oxiconv_encodings::encoding::{Encoding, groups};

pub(super) struct EncodingRegion {
    pub(super) name: &'static str,
    /// Languages and other words by which `--list` finds all of them.
    words: &'static str,
    /// The main name of each, and where text in it comes from, by which `--list` finds it.
    encodings: &'static [(&'static str, &'static str)],
}

pub(super) const REGIONS: [EncodingRegion; 16] = [
    EncodingRegion {
        name: "Unicode",
        words: "emoji",
        encodings: &[
            ("UTF-8", "web, Linux, macOS, JSON, XML"),
            ("UTF-16", "Windows, PowerShell, Excel Unicode Text, Java, JavaScript, NTFS"),
            ("UTF-16LE", "Windows, PowerShell, SQL Server"),
            ("UTF-16BE", "Java, Kafka, macOS"),
            ("UTF-32", "wchar_t on Linux"),
            ("UTF-7", "mail"),
            ("CESU-8", "Oracle"),
            ("MUTF-8", "Java class files, Android"),
        ],
    },
    EncodingRegion {
        name: "Western European",
        words: "latin english french german spanish portuguese italian dutch danish norwegian swedish finnish icelandic",
        encodings: &[
            ("US-ASCII", "7 bits"),
            ("windows-1252", "Windows, Excel CSV, web"),
            ("ISO-8859-1", "Unix, HTTP, web"),
            ("ISO-8859-15", "Unix, euro"),
            ("IBM850", "DOS, Windows console"),
            ("IBM437", "DOS, ZIP, American"),
            ("macintosh", "Macintosh"),
        ],
    },
    EncodingRegion {
        name: "Mainframe",
        words: "ibm z/os zos as/400 as400 cobol",
        encodings: &[
            ("IBM037", "EBCDIC: United States, Canada"),
            ("IBM500", "EBCDIC: international"),
            ("IBM1047", "EBCDIC: z/OS Unix"),
            ("IBM1140", "EBCDIC: IBM037 with the euro"),
            ("IBM273", "EBCDIC: German"),
            ("IBM930", "EBCDIC: Japanese, katakana"),
            ("IBM939", "EBCDIC: Japanese, Latin"),
        ],
    },
    EncodingRegion {
        name: "Central European",
        words: "polish czech slovak hungarian romanian croatian slovenian bosnian serbian albanian",
        encodings: &[
            ("windows-1250", "Windows, Excel CSV"),
            ("ISO-8859-2", "Unix, web"),
            ("ISO-8859-16", "Unix, Romanian"),
            ("IBM852", "DOS, Windows console"),
            ("MAC-CENTRALEUROPE", "Macintosh"),
        ],
    },
    EncodingRegion {
        name: "Cyrillic",
        words: "russian ukrainian bulgarian belarusian serbian macedonian kazakh",
        encodings: &[
            ("windows-1251", "Windows, Excel CSV, web"),
            ("KOI8-R", "Unix, mail: Russian"),
            ("KOI8-U", "Unix, mail: Ukrainian"),
            ("IBM866", "DOS, Windows console"),
            ("ISO-8859-5", "Unix"),
            ("MAC-UK", "Macintosh"),
        ],
    },
    EncodingRegion {
        name: "Greek",
        words: "",
        encodings: &[
            ("windows-1253", "Windows, Excel CSV"),
            ("ISO-8859-7", "Unix, web"),
            ("CP737", "DOS"),
        ],
    },
    EncodingRegion {
        name: "Turkish",
        words: "azerbaijani",
        encodings: &[
            ("windows-1254", "Windows, Excel CSV, web"),
            ("ISO-8859-9", "Unix"),
            ("IBM857", "DOS"),
        ],
    },
    EncodingRegion {
        name: "Baltic",
        words: "lithuanian latvian estonian",
        encodings: &[
            ("windows-1257", "Windows, Excel CSV"),
            ("ISO-8859-13", "Unix"),
            ("CP775", "DOS"),
        ],
    },
    EncodingRegion {
        name: "Hebrew",
        words: "yiddish",
        encodings: &[
            ("windows-1255", "Windows, Excel CSV"),
            ("ISO-8859-8", "Unix, web"),
            ("IBM862", "DOS"),
        ],
    },
    EncodingRegion {
        name: "Arabic",
        words: "persian farsi urdu",
        encodings: &[
            ("windows-1256", "Windows, Excel CSV"),
            ("ISO-8859-6", "Unix, web"),
            ("IBM864", "DOS"),
        ],
    },
    EncodingRegion {
        name: "Vietnamese",
        words: "",
        encodings: &[
            ("windows-1258", "Windows"),
            ("TCVN5712-1", "national standard"),
            ("VISCII", "Unix"),
        ],
    },
    EncodingRegion {
        name: "Thai",
        words: "",
        encodings: &[("TIS-620", "Unix, national standard"), ("windows-874", "Windows, Excel CSV")],
    },
    EncodingRegion {
        name: "Japanese",
        words: "",
        encodings: &[
            ("CP932", "Windows, Excel CSV"),
            ("SHIFT_JIS", "JIS X 0208, DOS, Macintosh"),
            ("EUC-JP", "Unix, web"),
            ("ISO-2022-JP", "mail"),
        ],
    },
    EncodingRegion {
        name: "Simplified Chinese",
        words: "chinese mandarin",
        encodings: &[
            ("GB18030", "national standard, web"),
            ("GBK", "Windows, Excel CSV"),
            ("EUC-CN", "Unix, GB 2312"),
        ],
    },
    EncodingRegion {
        name: "Traditional Chinese",
        words: "chinese mandarin cantonese taiwan",
        encodings: &[
            ("BIG5", "Windows, Excel CSV, web"),
            ("BIG5-HKSCS", "Hong Kong"),
            ("EUC-TW", "Unix"),
        ],
    },
    EncodingRegion {
        name: "Korean",
        words: "hangul",
        encodings: &[
            ("CP949", "Windows, Excel CSV, web"),
            ("EUC-KR", "Unix"),
            ("ISO-2022-KR", "mail"),
            ("JOHAB", "DOS"),
        ],
    },
];

impl EncodingRegion {
    pub(super) fn encodings(&self) -> impl Iterator<Item = &'static Encoding> {
        self.encodings.iter().map(|(name, _)| encoding(name))
    }
}

pub(super) fn is_common(encoding: &Encoding) -> bool {
    REGIONS.iter().flat_map(|region| region.encodings).any(|(name, _)| *name == encoding.name())
}

/// Returns the encodings for a script, a region, a language or a use, each once: first those of this list, then those
/// whose summary has the word, then those in a group of the registry that is named by it.
pub(super) fn found_by(word: &str) -> Vec<&'static Encoding> {
    let has = |text: &str| {
        let is_end = |char: char| !char.is_alphanumeric() && char != '/';
        text.split(is_end).any(|part| part.eq_ignore_ascii_case(word))
    };
    let mut found: Vec<&'static Encoding> = Vec::new();
    if word.is_empty() {
        return found;
    }
    for region in &REGIONS {
        let all = has(region.name) || has(region.words);
        let known = region.encodings.iter().filter(|(_, uses)| all || has(uses));
        found.extend(known.map(|(name, _)| encoding(name)));
    }
    let described = Encoding::all().filter(|encoding| has(encoding.summary()));
    let groups = groups().filter(|group| has(group.script) || has(group.family));
    for encoding in described.chain(groups.flat_map(|group| group.encodings)) {
        if !found.contains(&encoding) {
            found.push(encoding);
        }
    }
    found
}

fn encoding(name: &str) -> &'static Encoding {
    Encoding::for_name(name).expect("a name of the registry")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `is_common` compares main names, so an alias in the list would never be found.
    #[test]
    fn each_is_listed_once_by_its_main_name() {
        let mut names: Vec<_> =
            REGIONS.iter().flat_map(|region| region.encodings).map(|(name, _)| *name).collect();
        assert!((55..=75).contains(&names.len()), "{}", names.len());
        for name in &names {
            assert_eq!(Encoding::for_name(name).unwrap().name(), *name);
        }
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn a_language_a_use_and_a_region_are_found() {
        let found = |word| found_by(word).into_iter().map(Encoding::name).collect::<Vec<_>>();
        assert_eq!(found("Russian")[..4], ["windows-1251", "KOI8-R", "KOI8-U", "IBM866"]);
        assert_eq!(found("excel")[..3], ["UTF-16", "windows-1252", "windows-1250"]);
        assert!(found("western").contains(&"ISO-8859-14"));
        assert_eq!(found("z/OS")[..2], ["IBM037", "IBM500"]);
        assert_eq!(found(""), [""; 0]);
        assert_eq!(found("rus"), [""; 0]);
    }
}
