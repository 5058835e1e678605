//! The inputs of the benchmarks: words repeated to length, with the mix of character widths typical of each script.

use oxiconv_kernels::EncodingForm::{self, *};

/// Name and words of each input. Only the widths of the characters matter, not what the words mean.
pub const TEXTS: &[(&str, &str)] = &[
    (
        "english",
        "The quick brown fox jumps over the lazy dog and reads a long — but not too long — book.\n",
    ),
    ("french", "Là-bas, où l’été s’étire, une élève rêve d’œuvres et de forêts près du château.\n"),
    ("russian", "Съешь же ещё этих мягких французских булок, да выпей чаю.\n"),
    ("arabic", "نص حكيم له سر قاطع وذو شأن عظيم مكتوب على ثوب أخضر\n"),
    ("hindi", "ऋषियों को सताने वाले दुष्ट राक्षसों के राजा रावण का नाश\n"),
    ("chinese", "天地玄黄，宇宙洪荒。日月盈昃，辰宿列张。寒来暑往，秋收冬藏。\n"),
    ("emoji", "😀😃😄😁😆😅😂🤣🥲😊😇🙂🙃😉😌😍\n"),
];

/// Encodes a text; `None` if the form cannot represent all of it.
pub fn encode(form: EncodingForm, text: &str) -> Option<Vec<u8>> {
    Some(match form {
        Utf8 => text.into(),
        Utf16Le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        Utf16Be => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        Utf32Le => text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect(),
        Utf32Be => text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect(),
        Latin1 => text.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect::<Option<_>>()?,
        Ascii => text.is_ascii().then(|| text.into())?,
    })
}
