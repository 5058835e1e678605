//! Names of encodings, languages, locales and formats, and command lines of oxiconv and iconv.
#![no_main]

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use oxiconv::cli::untrusted::{arguments, completions, iconv_arguments};
use oxiconv::{Encoding, Language, SubstitutionFormat, TransliterationLocale};
use oxiconv_encodings::encoding::{IconvEncoding, SuffixedName, names, normalize};
use oxiconv_os::Locale;

fuzz_target!(|data: &[u8]| {
    let _ = choose(&mut Unstructured::new(data));
});

fn choose(u: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let kind = u.choose_index(5)?;
    let rest = u.peek_bytes(u.len()).unwrap_or_default();
    match kind {
        0 => name(&String::from_utf8_lossy(rest)),
        1 => other_names(&String::from_utf8_lossy(rest)),
        2 => {
            let _ = arguments(&words(b"oxiconv\0", rest));
        }
        3 => {
            let locale = Locale { charset: "UTF-8".to_owned(), name: "de_DE.UTF-8".to_owned() };
            let _ = iconv_arguments(words(b"", rest), rest.len().is_multiple_of(2), &locale);
        }
        _ => {
            completions(&words(b"", rest));
        }
    }
    Ok(())
}

/// Splits the input into words at NUL. Drops paths, so that no file is opened.
fn words(first: &[u8], rest: &[u8]) -> Vec<OsString> {
    let words = [first, rest].concat();
    let is_path = |word: &&[u8]| word.windows(2).any(|pair| pair[0] == b'/' && pair[1] != b'/');
    let words = words.split(|byte| *byte == 0).filter(|word| !is_path(word) || is_suffixed(word));
    words.map(|word| OsString::from_vec(word.to_vec())).collect()
}

/// Whether a word looks like a name with suffixes, such as `latin1//TRANSLIT`.
fn is_suffixed(word: &[u8]) -> bool {
    let start = word.iter().position(|byte| *byte == b'/').unwrap_or(word.len());
    start > 0
        && !word[..start].starts_with(b".")
        && word[start..]
            .split(|byte| *byte == b'/')
            .all(|part| part.is_ascii() && !part.contains(&b'.'))
}

fn name(name: &str) {
    if let Ok(encoding) = Encoding::for_name(name) {
        // The encoding lists the name, or one that is equal once normalized.
        let is_vendors = name.contains('@');
        // Tables of the archive are also found by unlisted names: 955, cp955 and ibm955 are ibm-955_P110-1997.ucm.
        let normal = normalize(name);
        let page = normal.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let source = encoding.source().to_ascii_lowercase();
        let has = |part: &str| !part.is_empty() && source.contains(&format!("-{part}"));
        let is_page = has(page) || has(&normal);
        assert!(
            is_vendors || is_page || names(encoding).any(|known| normalize(known) == normal),
            "{name:?} is {encoding}"
        );
        assert_eq!(Encoding::for_name(encoding.name()), Ok(encoding), "{name:?}");
        assert_eq!(Encoding::for_name(&name.to_ascii_uppercase()), Ok(encoding), "{name:?}");
        assert_eq!(Encoding::for_name(&name.to_ascii_lowercase()), Ok(encoding), "{name:?}");
    }
    let suffixed = SuffixedName::new(name);
    assert!(name.starts_with(suffixed.name), "{name:?}");
    assert!(name.starts_with(SuffixedName::of_path(name).name), "{name:?}");
    if let Ok(encoding) = IconvEncoding::for_name(suffixed.name) {
        assert_eq!(encoding.read.unmarked(), encoding.written.unmarked(), "{name:?}");
    }
}

fn other_names(name: &str) {
    if let Some(language) = Language::for_tag(name) {
        assert!(language.tag().eq_ignore_ascii_case(name));
    }
    if let Ok(locale) = TransliterationLocale::for_name(name) {
        assert_eq!(TransliterationLocale::of_environment(name), locale);
        assert_eq!(TransliterationLocale::for_name(locale.name()), Ok(locale), "{name:?}");
    }
    let _ = name.parse::<SubstitutionFormat>();
}
