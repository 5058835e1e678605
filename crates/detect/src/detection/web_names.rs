//! Maps encodings of the WHATWG Encoding Standard to those of the registry.

use oxiconv_encodings::encoding::Encoding;

/// Encodings of the web with another name in the registry. GBK is read as its superset GB18030.
const RENAMED: [(&encoding_rs::Encoding, &Encoding); 4] = [
    (encoding_rs::SHIFT_JIS, Encoding::CP932),
    (encoding_rs::EUC_KR, Encoding::CP949),
    (encoding_rs::GBK, Encoding::GB18030),
    (encoding_rs::ISO_8859_8_I, Encoding::ISO_8859_8),
];

/// Returns the encoding of the registry that is closest to one of the web.
pub(super) fn of_the_web(web: &'static encoding_rs::Encoding) -> Option<&'static Encoding> {
    match RENAMED.into_iter().find(|(other, _)| *other == web) {
        Some((_, encoding)) => Some(encoding),
        None => Encoding::for_name(web.name()).ok(),
    }
}

/// Returns the web's name of an encoding, if the registry has another one.
pub(super) fn name_on_the_web(encoding: &'static Encoding) -> Option<&'static str> {
    let mut known = RENAMED.into_iter();
    known.find(|(_, own)| *own == encoding).map(|(web, _)| web.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// GBK is read as its superset, as with `--explain`.
    #[test]
    fn encodings_of_the_web_have_names_here() {
        for (web, expected) in [
            (encoding_rs::SHIFT_JIS, "CP932"),
            (encoding_rs::EUC_KR, "CP949"),
            (encoding_rs::BIG5, "BIG5"),
            (encoding_rs::GBK, "GB18030"),
            (encoding_rs::GB18030, "GB18030"),
            (encoding_rs::ISO_8859_8_I, "ISO-8859-8"),
            (encoding_rs::KOI8_U, "KOI8-U"),
            (encoding_rs::EUC_JP, "EUC-JP"),
        ] {
            assert_eq!(of_the_web(web).map(|encoding| encoding.name()), Some(expected));
        }
    }
}
