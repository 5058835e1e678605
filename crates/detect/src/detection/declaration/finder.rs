//! Finds the declarations at the start of a text. It works on characters, so that UTF-16, EBCDIC, and trail bytes that
//! look like ASCII make no difference.

use std::ops::Range;

use super::ascii_view::{AsciiView, reads_ascii};
use super::encoding_declaration::EncodingDeclaration;
use super::{cookie, css, gedcom, html, mail, marc, po, vim, xml};
use oxiconv_encodings::codec::Decoder;

/// Returns the declarations in `head`, the start of a text in a superset of ASCII. The first one decides.
///
/// The header of a mail stands alone, even if it declares nothing. What follows it are the parts of the mail, which may
/// be in other encodings, and a meta element there is about the part that has it.
pub(super) fn all(head: &[u8]) -> Vec<EncodingDeclaration> {
    if let Some(mail) = mail::header(head) {
        return mail.declaration.into_iter().collect();
    }
    let mut found: Vec<EncodingDeclaration> = Vec::new();
    let kinds = xml::find(head)
        .into_iter()
        .chain(css::find(head))
        .chain(html::find(head))
        .chain(po::find(head))
        .chain(gedcom::find(head))
        .chain(marc::find(head))
        .chain(cookie::find(head))
        .chain(vim::find(head));
    for declaration in kinds {
        // Vim's `fileencoding=` is a coding cookie of Python as well.
        if found.iter().all(|known| known.range.start != declaration.range.start) {
            found.push(declaration);
        }
    }
    found
}

/// Returns the declarations in `head`, the start of a text that `decoder` decodes. The first one decides.
pub fn all_in(decoder: Box<dyn Decoder>, head: &[u8]) -> Vec<EncodingDeclaration> {
    // Most texts have none, which shows without decoding them.
    if reads_ascii(decoder.fork()) && all(head).is_empty() {
        return Vec::new();
    }
    let initial = decoder.fork();
    let characters = AsciiView::of(decoder, head);
    let mut found = all(&characters.ascii);
    found.retain_mut(|declaration| {
        let Range { start, end } = declaration.range;
        declaration.range = characters.starts[start]..characters.starts[end];
        // In UTF-7, characters may share bytes, and then the range of a label is more than the label.
        let label = &head[declaration.range.clone()];
        AsciiView::of(initial.fork(), label).ascii == declaration.label.as_bytes()
    });
    found
}
