use super::*;

#[test]
fn every_name_leads_to_its_encoding() {
    for encoding in all() {
        for name in names(encoding) {
            assert!(name.bytes().all(|byte| byte.is_ascii_graphic()), "{name}");
            assert_eq!(Encoding::for_name(name), Ok(encoding), "{name}");
            assert_eq!(Encoding::for_name(&name.to_uppercase()), Ok(encoding), "{name}");
        }
    }
}

#[test]
fn the_index_is_sorted_by_what_the_lookup_compares() {
    for names in NAMES {
        let keys: Vec<_> = names.lines().map(|line| line.rsplit_once(' ').unwrap().0).collect();
        assert!(keys.windows(2).all(|pair| pair[0].as_bytes() < pair[1].as_bytes()));
        for key in keys {
            assert!(entry(key).is_some(), "{key}");
        }
    }
}

/// "955", "cp955" and "ibm955" are the table ibm-955_P110-1997.ucm, and "ibm" is not one of IBM's.
#[test]
fn every_key_is_a_listed_name_or_in_that_of_a_table() {
    let lines = NAMES.iter().flat_map(|names| names.lines());
    for key in lines.map(|line| line.rsplit_once(' ').unwrap().0) {
        let encoding = entry(key).unwrap();
        let page = key.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        // A row of the archive has the name of its table.
        let source = format!("{} {}", encoding.name(), encoding.source()).to_ascii_lowercase();
        let has = |part: &str| !part.is_empty() && source.contains(&format!("-{part}"));
        let is_in_source = has(page) || has(key);
        let is_listed = || names(encoding).any(|name| normalize(name) == key);
        let is_exact = key.starts_with('=') || key.contains('@');
        assert!(is_exact || is_in_source || is_listed(), "{key} is {}", encoding.name());
    }
    assert!(VENDORS.iter().all(|vendor| *vendor == "java" || entry(vendor).is_none()));
}

#[test]
fn lookup_ignores_case_hyphens_underscores_and_blanks() {
    for name in ["UTF-16LE", "utf16le", "Utf_16_Le", " utf 16-LE ", "UTF--16LE"] {
        assert_eq!(Encoding::for_name(name).unwrap().name(), "UTF-16LE", "{name}");
    }
    assert_eq!(Encoding::for_name("latin1").unwrap().name(), "ISO-8859-1");
    assert_eq!(Encoding::for_name("l1").unwrap().name(), "ISO-8859-1");
}

#[test]
fn what_stands_between_digits_is_part_of_the_name() {
    assert_eq!(normalize("ISO-IR-9-2"), "isoir9-2");
    assert_eq!(normalize("ISO_IR_92"), "isoir92");
    assert_eq!(normalize(" ISO_8859 1 "), "iso8859-1");
}

#[test]
fn an_unknown_name_gets_the_nearest_ones() {
    let error = Encoding::for_name("utf9").unwrap_err();
    assert_eq!(error.nearest[0].name, "UTF-8");
    assert!(
        error.to_string().starts_with("unknown encoding 'utf9'; did you mean UTF-8"),
        "{error}"
    );
    assert_eq!(
        Encoding::for_name("zzzzzzzzzz").unwrap_err().to_string(),
        "unknown encoding 'zzzzzzzzzz'"
    );
    assert_eq!(Encoding::for_name("").unwrap_err().to_string(), "unknown encoding ''");
}

#[test]
#[cfg(feature = "legacy")]
fn the_alias_that_is_close_is_shown_with_what_it_is() {
    let error = Encoding::for_name("wndows1252").unwrap_err();
    assert_eq!(error.nearest[0].to_string(), "windows-1252");
    let error = Encoding::for_name("latinn1").unwrap_err().to_string();
    assert!(error.contains("latin1 (ISO-8859-1)"), "{error}");
}

#[test]
#[cfg(feature = "legacy")]
fn the_name_of_a_family_is_no_encoding() {
    for name in ["EBCDIC", "ebcdic", "Ebcdic"] {
        let error = Encoding::for_name(name).unwrap_err();
        let nearest = ["IBM037", "IBM500", "IBM1047", "IBM273", "IBM1140"];
        assert!(error.nearest.iter().map(|one| one.encoding.name()).eq(nearest), "{error}");
        let start = format!("'{name}' is ambiguous: choose IBM037 (");
        assert!(error.to_string().starts_with(&start), "{error}");
    }
    assert_eq!(Encoding::for_name("EBCDIC@recode").unwrap().name(), "EBCDIC@recode");
    assert!(Encoding::for_name("EBCDIC-US").is_ok());
}

#[test]
fn the_code_page_number_of_a_form_of_unicode_is_not_offered_for_another_number() {
    // They are nearly CP1200 and ibm-13497.
    for name in ["CP12007", "IBM-10477"] {
        assert_eq!(Encoding::for_name(name).unwrap_err().nearest, [], "{name}");
    }
}

#[test]
#[cfg(feature = "legacy")]
fn a_number_with_its_digits_in_another_order_is_offered() {
    for (wanted, meant) in [
        ("windows-1525", "windows-1252"),
        ("windows-1525", "windows-1255"),
        ("cp1521", "windows-1251"),
        ("iso-8895-1", "ISO-8859-1"),
        ("iso-8859-51", "ISO-8859-15"),
        ("cp886", "IBM866"),
    ] {
        let nearest = Encoding::for_name(wanted).unwrap_err().nearest;
        assert!(nearest.iter().any(|it| it.encoding.name() == meant), "{wanted}: {nearest:?}");
    }
    // As long, and nearly the same, but with another digit.
    let nearest = Encoding::for_name("cp8599").unwrap_err().nearest;
    assert!(nearest.iter().all(|it| it.encoding.is_unicode()), "{nearest:?}");
}

#[test]
fn without_such_a_vendor_the_plain_name_is_offered() {
    let error = Encoding::for_name("UTF-16LE@nobody").unwrap_err().to_string();
    assert_eq!(error, "unknown encoding 'UTF-16LE@nobody'; did you mean UTF-16LE?");
    assert_eq!(Encoding::for_name("UTF-16LE@icu"), Ok(Encoding::UTF_16LE));
}

#[test]
fn a_charset_with_another_number_is_not_offered() {
    let error = Encoding::for_name("CP99437").unwrap_err();
    assert!(error.nearest.iter().all(|nearest| nearest.encoding.is_unicode()), "{error}");
}
