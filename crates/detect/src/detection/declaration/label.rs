//! Maps labels of declarations to encodings and back.
//!
//! A label means different things to different readers: `latin1` is windows-1252 in HTML and ISO-8859-1 in XML, and
//! GEDCOM has words of its own. So there is a function per kind of reader.

use crate::detection::web_names;
use oxiconv_encodings::encoding::Encoding;

/// Returns the encoding with this name in the registry.
pub(super) fn plain(label: &str) -> Option<&'static Encoding> {
    // A name with a vendor's suffix, or the path of a table, is not a label.
    (!label.contains(['@', '/'])).then(|| Encoding::for_name(label).ok()).flatten()
}

/// Returns the encoding that the Encoding Standard means by a label: for many names of ISO and national standards, a
/// superset.
pub(super) fn of_the_web(label: &str) -> Option<&'static Encoding> {
    web_names::of_the_web(encoding_rs::Encoding::for_label(label.as_bytes())?)
}

/// Returns the encoding that the bytes of an HTML document or a style sheet with this label are in. A label in which
/// the declaration could not have been read is not meant literally: UTF-16 means UTF-8 (HTML, 13.2.3.2, step 14 of the
/// processing of a meta element; CSS Syntax 3, 3.2).
pub(super) fn of_a_page(label: &str) -> Option<&'static Encoding> {
    let web = encoding_rs::Encoding::for_label(label.as_bytes())?;
    if web == encoding_rs::UTF_16BE || web == encoding_rs::UTF_16LE {
        return Some(Encoding::UTF_8);
    }
    if web == encoding_rs::X_USER_DEFINED {
        return Some(Encoding::WINDOWS_1252);
    }
    web_names::of_the_web(web)
}

/// Returns the Encoding Standard's table for a multi-byte label. It has extensions that the table with the plain name
/// may lack.
pub(super) fn table_of_the_web(label: &str) -> Option<&'static Encoding> {
    let web = encoding_rs::Encoding::for_label(label.as_bytes())?;
    let table = Encoding::for_name(&format!("{}@whatwg", web.name())).ok()?;
    (!table.is_single_byte()).then_some(table)
}

/// Encodings with another name at IANA than in the registry.
const IANA: [(&Encoding, &str); 1] = [(Encoding::CP932, "Windows-31J")];

/// Returns the label that names an encoding for a web browser if `web`, and otherwise for a reader that knows IANA's
/// names.
pub(super) fn name_of(encoding: &'static Encoding, web: bool) -> &'static str {
    let mut names = std::iter::once(encoding.name()).chain(encoding.aliases());
    let on_the_web = names.find_map(|name| {
        let found = encoding_rs::Encoding::for_label(name.as_bytes())?;
        (web_names::of_the_web(found) == Some(encoding)).then(|| found.name())
    });
    let on_the_web = on_the_web.or_else(|| web_names::name_on_the_web(encoding));
    let registered = IANA.iter().find(|(known, _)| *known == encoding).map(|(_, name)| *name);
    // Other programs know a vendor's table by its plain name.
    let own = encoding.name().split_once('@').map_or(encoding.name(), |(name, _)| name);
    on_the_web.filter(|_| web).or(registered).unwrap_or(own)
}

/// The values of GEDCOM's `CHAR`. `ANSI` is what Windows programs write without a standard; the ones after it come from
/// programs for DOS and the Macintosh.
const GEDCOM: [(&str, &str); 9] = [
    ("ANSEL", "ANSEL"),
    ("UNICODE", "UTF-16"),
    ("UTF-8", "UTF-8"),
    ("ASCII", "US-ASCII"),
    ("ANSI", "windows-1252"),
    ("IBMPC", "IBM437"),
    ("IBM", "IBM437"),
    ("MSDOS", "IBM850"),
    ("MACINTOSH", "macintosh"),
];

/// Returns the encoding that a label in the header of a GEDCOM file means. Some programs write the name of a code page,
/// which GEDCOM does not define.
pub(super) fn of_gedcom(label: &str) -> Option<&'static Encoding> {
    let word = GEDCOM.iter().find(|(word, _)| word.eq_ignore_ascii_case(label));
    Encoding::for_name(word.map_or(label, |(_, name)| name)).ok()
}

/// Returns GEDCOM's value for an encoding, if there is one.
pub(super) fn name_in_gedcom(encoding: &'static Encoding) -> Option<&'static str> {
    let has = |name: &str| Encoding::for_name(name).is_ok_and(|known| known == encoding.unmarked());
    GEDCOM.iter().find(|(_, name)| has(name)).map(|(word, _)| *word)
}

/// Returns the encoding that the character coding scheme of a MARC 21 record means.
pub(super) fn of_marc(label: &str) -> Option<&'static Encoding> {
    match label {
        "a" => Some(Encoding::UTF_8),
        " " => Encoding::for_name("MARC-8").ok(),
        _ => None,
    }
}
