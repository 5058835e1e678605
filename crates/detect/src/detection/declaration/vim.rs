//! Vim's modelines.

use super::bytes::{begins, end_of, is_space, lines};
use super::encoding_declaration::{DeclarationKind, EncodingDeclaration};

/// The number of lines at the start that may be modelines.
const MODELINES: usize = 5;

/// Finds `fileencoding=…` in the modelines of the first lines: `vim: fenc=…`, `vim: set fenc=… :`.
pub(super) fn find(head: &[u8]) -> Vec<EncodingDeclaration> {
    let mut found = Vec::new();
    for line in lines(head).take(MODELINES) {
        let text = &head[..line.end];
        for at in line {
            if (at == 0 || text[at - 1] == b'\n' || is_space(text[at - 1]))
                && let Some(options) = options(text, at)
            {
                found.extend(label(head, text, options));
                break;
            }
        }
    }
    found
}

fn options(text: &[u8], at: usize) -> Option<usize> {
    let word = [&b"vim"[..], b"Vim", b"vi", b"ex"]
        .into_iter()
        .find(|word| text[at..].starts_with(word))?;
    let version = at + word.len();
    let colon = end_of(text, version, |byte| matches!(byte, b'<' | b'=' | b'>' | b'0'..=b'9'));
    (text.get(colon) == Some(&b':')).then_some(colon + 1)
}

fn label(head: &[u8], text: &[u8], mut at: usize) -> Option<EncodingDeclaration> {
    while at < text.len() {
        let start = end_of(text, at, |byte| is_space(byte) || byte == b':');
        let end = end_of(text, start, |byte| !is_space(byte) && byte != b':');
        for name in [&b"fileencoding="[..], b"fenc="] {
            if begins(&text[start..end], name) {
                return EncodingDeclaration::at(
                    head,
                    DeclarationKind::Vim,
                    start + name.len()..end,
                );
            }
        }
        at = end.max(start + 1);
    }
    None
}
