//! What a text says of its own encoding, when it becomes text in another one.
//!
//! ```text
//! noted       the first bytes are copied as they pass ─► at the end of the text: is the declaration still true?
//! rewritten   the first bytes are searched before any is converted ─► the chunk loop stops at each label
//! ```

use std::collections::VecDeque;
use std::ops::Range;

use super::conversion::Conversion;
use super::error::Error;
use super::policy::{OnDeclaration, code_points, encodes};
use super::session::Session;
use crate::codec::{ByteOrder, MIN_PIVOT};
use crate::detection::{Declaration, HEAD, declarations_in};
use crate::encoding::Encoding;
use crate::io::Chunk;
use crate::unicode::CodePoint;

/// The declarations of one input.
#[derive(Default)]
pub(super) struct Declarations {
    mode: OnDeclaration,
    /// The start of the text, as far as it has passed, if it is searched at the end.
    head: Vec<u8>,
    /// The labels to rewrite, in order.
    labels: VecDeque<Label>,
    /// A declaration that is no longer true, and stays.
    stale: Option<Declaration>,
}

/// A label that another one replaces.
struct Label {
    /// Its bytes in the text.
    range: Range<u64>,
    new: Vec<CodePoint>,
}

impl Declarations {
    pub(super) fn of(conversion: &Conversion) -> Self {
        let mode = match conversion.to {
            Some(_) => conversion.options.on_declaration,
            None => OnDeclaration::Keep,
        };
        Self { mode, ..Self::default() }
    }

    /// Whether more of the text is needed than `start` before it can be converted.
    pub(super) fn await_more(conversion: &Conversion, start: &Chunk<'_>) -> bool {
        let rewrites = Self::of(conversion).mode == OnDeclaration::Update;
        rewrites && !start.last && start.bytes.len() < HEAD
    }

    /// Copies the start of the text as it passes. `offset` is that of `bytes`.
    pub(super) fn pass(&mut self, bytes: &[u8], offset: u64) {
        if self.mode == OnDeclaration::Note && offset < HEAD as u64 {
            let room = HEAD - self.head.len();
            self.head.extend_from_slice(&bytes[..bytes.len().min(room)]);
        }
    }

    /// Whether a label is still to be rewritten.
    pub(super) fn are_due(&self) -> bool {
        !self.labels.is_empty()
    }

    /// Returns the place in a chunk of this length at `offset` of the next label to rewrite, if its start is there.
    fn next_in(&self, offset: u64, len: usize) -> Option<Range<usize>> {
        let Label { range, .. } = self.labels.front()?;
        let start = usize::try_from(range.start.checked_sub(offset)?).ok()?;
        (start < len).then(|| start..start + (range.end - range.start) as usize)
    }
}

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
            let new = declaration.label_of(to).filter(|new| encodes(to, &code_points(new)));
            match new {
                Some(new) => {
                    self.reporter.remark(&format!("{declaration} rewritten as {new}"));
                    let Range { start, end } = declaration.range;
                    let range = start as u64..end as u64;
                    rewritten.push(Label { range, new: code_points(&new) });
                }
                None => _ = self.text.declarations.stale.get_or_insert(declaration),
            }
        }
        rewritten.sort_by_key(|label| label.range.start);
        self.text.declarations.labels = rewritten.into();
    }

    /// Returns the place in `chunk` of the next label to rewrite, if its start is there.
    pub(super) fn next_label(&self, chunk: &Chunk<'_>) -> Option<Range<usize>> {
        self.text.declarations.next_in(self.text.offset, chunk.bytes.len())
    }

    /// Writes the new label instead of the one that `chunk` begins with, and moves past it.
    pub(super) fn rewrite_label(&mut self, chunk: &Chunk<'_>, len: usize) -> Result<(), Error> {
        let Some(label) = self.text.declarations.labels.pop_front() else { return Ok(()) };
        self.settle_cluster(chunk)?;
        self.put(&label.new, chunk)?;
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
        Ok(())
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
        self.reporter.note(&format!("still declares {stale}{repair}"));
    }
}
