//! The labels of declarations that a conversion makes false: see `declarations.rs`.

use std::ops::Range;

use super::conversion::Conversion;
use super::declarations::Label;
use super::error::Error;
use super::policy::{OnDeclaration, code_points};
use super::session::{Flow, Session};
use crate::codec::{ByteOrder, MIN_PIVOT};
use crate::detection::{Declaration, HEAD, declarations_in};
use crate::diagnostic::Message;
use crate::encoding::Encoding;
use crate::io::Chunk;

/// Returns the declarations that a conversion to `to` makes false.
fn made_false(
    conversion: &Conversion,
    from: &'static Encoding,
    to: &'static Encoding,
    head: &[u8],
) -> Vec<Declaration> {
    let decoder = conversion.new_decoder(from, ByteOrder::Big);
    let mut found = declarations_in(decoder, head);
    found.retain(|declaration| declaration.is_known() && !declaration.names(to));
    found
}

impl Session<'_, '_> {
    /// Looks for labels to rewrite in `start`, the first chunk of the text.
    pub(super) fn look_for_labels(&mut self, start: &Chunk<'_>) {
        let (OnDeclaration::Update, Some(to)) = (self.text.declarations.mode, self.conversion.to)
        else {
            return;
        };
        let head = &start.bytes[..start.bytes.len().min(HEAD)];
        let from = self.text.findings.encoding;
        let mut rewritten = Vec::new();
        for declaration in made_false(self.conversion, from, to, head) {
            let new = declaration.label_of(to).filter(|new| to.encodes(&code_points(new)));
            match new {
                Some(new) => {
                    let words = format!("{declaration} rewritten as {new}");
                    self.reporter.message(Message::Remark(words));
                    let Range { start, end } = declaration.range;
                    let range = start as u64..end as u64;
                    rewritten.push(Label { range, new: code_points(&new) });
                }
                None => _ = self.text.declarations.stale.get_or_insert(declaration),
            }
        }
        rewritten.sort_unstable_by_key(|label| label.range.start);
        self.text.declarations.labels = rewritten.into();
    }

    /// Returns the place in `chunk` of the next label to rewrite, if its start is there.
    pub(super) fn next_label(&self, chunk: &Chunk<'_>) -> Option<Range<usize>> {
        self.text.declarations.next_in(self.text.offset, chunk.bytes.len())
    }

    /// Writes the new label instead of the one that `chunk` begins with, and moves past it.
    pub(super) fn rewrite_label(&mut self, chunk: &Chunk<'_>, len: usize) -> Result<Flow, Error> {
        let Some(label) = self.text.declarations.labels.pop_front() else { return Ok(Flow::On) };
        if let stop @ Flow::Stop(_) = self.settle_all()? {
            return Ok(stop);
        }
        self.put(&label.new)?;
        let bytes = &chunk.bytes[..len];
        let mut at = 0;
        while at < len {
            let mut room = [0; MIN_PIVOT];
            let decoded = self.engine.decoder_mut().decode(&bytes[at..], &mut room, false);
            if decoded.read == 0 {
                break;
            }
            at += decoded.read;
            self.pass(&room[..decoded.written]);
        }
        self.consume(bytes);
        self.prepared = false;
        Ok(Flow::On)
    }

    /// Notes a declaration that is no longer true.
    pub(super) fn note_declaration(&mut self) {
        let from = self.text.findings.encoding;
        let Some(to) = self.conversion.to.filter(|to| to.unmarked() != from.unmarked()) else {
            return;
        };
        let declarations = &mut self.text.declarations;
        let head = std::mem::take(&mut declarations.head);
        let stale = declarations
            .stale
            .take()
            .or_else(|| made_false(self.conversion, from, to, &head).into_iter().next());
        let Some(stale) = stale else { return };
        let repair = match stale.label_of(to) {
            Some(_) => " (--declaration=update rewrites it)",
            None => "",
        };
        self.reporter.message(Message::Note(format!("still declares {stale}{repair}")));
    }
}
