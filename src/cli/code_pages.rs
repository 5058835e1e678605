//! The code pages that a Windows system has set, by the names `ansi`, `oem` and `console`.

use oxiconv_os::CodePage;

/// Each name, and what it means.
const NAMES: [(&str, CodePage); 3] =
    [("ansi", CodePage::Ansi), ("oem", CodePage::Oem), ("console", CodePage::Console)];

/// The error of such a name on a system without code pages.
#[derive(Debug, thiserror::Error)]
#[error("'{0}' is a setting of Windows; name the encoding instead, such as windows-1252 or CP850")]
pub(crate) struct NoCodePages(String);

/// Returns the name of the encoding that a name of a code page stands for here, as Microsoft defines it. `None` if it
/// is no such name.
///
/// # Errors
///
/// If it is one, and this system has no code pages.
pub(crate) fn encoding_name(name: &str) -> Result<Option<String>, NoCodePages> {
    match NAMES.iter().find(|(known, _)| name.eq_ignore_ascii_case(known)) {
        None => Ok(None),
        Some((_, page)) => match page.number() {
            Some(number) => Ok(Some(format!("CP{number}@windows"))),
            None => Err(NoCodePages(name.to_owned())),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_page_is_one_of_this_system_or_an_error() {
        assert_eq!(encoding_name("latin1").unwrap(), None);
        for name in ["ansi", "OEM", "Console"] {
            match encoding_name(name) {
                Ok(page) => assert!(page.unwrap().starts_with("CP")),
                Err(error) => assert!(error.to_string().starts_with(&format!("'{name}' is a"))),
            }
        }
    }

    /// Of every code page that a version of Windows has had for some country.
    #[test]
    fn every_code_page_has_an_encoding() {
        for number in [
            437, 708, 720, 737, 775, 850, 852, 855, 857, 858, 860, 861, 862, 863, 864, 865, 866,
            869, 874, 932, 936, 949, 950, 1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258,
            65001,
        ] {
            let name = format!("CP{number}@windows");
            assert!(oxiconv_encodings::encoding::Encoding::for_name(&name).is_ok(), "{name}");
        }
    }
}
