//! Encodings that decode everything that another one decodes, to the same text, and more. Many programs call a vendor's
//! extension by the name of the standard, so a text that is ill-formed in the one is often well-formed in the other.

use super::Encoding;

/// Encodings, and their supersets in the order in which they are tried: the closest first.
const SUPERSETS: [(&str, &[&str]); 16] = [
    ("ISO-2022-JP", &["ISO-2022-JP-MS"]),
    ("ISO-2022-JP-1", &["ISO-2022-JP-MS"]),
    ("EUC-JP", &["EUC-JP-MS"]),
    ("SHIFT_JIS", &["CP932"]),
    ("EUC-CN", &["GBK", "GB18030"]),
    ("GBK", &["GB18030"]),
    ("EUC-KR", &["CP949"]),
    ("BIG5", &["BIG5-HKSCS"]),
    ("TIS-620", &["windows-874"]),
    ("ISO-8859-11", &["windows-874"]),
    ("ISO-8859-1", &["windows-1252"]),
    ("ISO-8859-6", &["windows-1256"]),
    ("ISO-8859-7", &["windows-1253"]),
    ("ISO-8859-8", &["windows-1255"]),
    ("ISO-8859-9", &["windows-1254"]),
    ("ISO-8859-13", &["windows-1257"]),
];

/// Returns the supersets of an encoding, the closest first. Those that the features leave out are skipped.
pub fn supersets(encoding: &Encoding) -> impl Iterator<Item = &'static Encoding> + use<> {
    let row = SUPERSETS.iter().find(|(name, _)| *name == encoding.name());
    let names = row.map_or(&[][..], |(_, names)| names).iter();
    names.filter_map(|name| Encoding::for_name(name).ok())
}
