//! The segmenter of encoding declarations: a label such as `<?xml encoding="latin1"?>` is no longer true once the text
//! is in another encoding.
//!
//! ```text
//! noted       the start of the text is copied as it passes ─► at the end: is the declaration still true?
//! rewritten   the start is searched before any of it is converted ─► each label is a segment
//! ```
//!
//! Most conversions only note a false declaration, which needs no lookahead: the text is converted as it arrives. To
//! rewrite one, the first [`HEAD`] bytes must be in memory before the first of them is converted.

use std::collections::VecDeque;
use std::ops::Range;

use super::super::conversion::Conversion;
use super::super::pipeline_exit::Passed;
use super::super::policy::{InputEncoding, OnDeclaration, code_points};
use super::super::segment::{SegmentLookahead, Segmenter, View};
use super::super::stage::FollowedBy;
use super::super::text_walk::TextWalk;
use crate::diagnostic::{Message, Reporter};
use crate::io::Chunk;
use oxiconv_detect::detection::{EncodingDeclaration, HEAD, declarations_in};
use oxiconv_encodings::codec::{ByteOrder, MIN_PIVOT};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::CodePoint;

#[derive(Default)]
pub(in super::super) struct Declarations {
    mode: OnDeclaration,
    /// The start of the text that has been passed, if it is searched at the end.
    head: Vec<u8>,
    /// The labels to rewrite that have not been passed yet, in the order of the text.
    labels: VecDeque<Label>,
    /// A declaration that is no longer true and cannot be rewritten.
    stale: Option<EncodingDeclaration>,
}

/// A label to rewrite.
struct Label {
    /// Where it is in the text, without the quotation marks around it.
    range: Range<u64>,
    new: Vec<CodePoint>,
}

impl Declarations {
    pub(in super::super) fn of(conversion: &Conversion) -> Self {
        let mode = match conversion.to {
            Some(_) => conversion.options.on_declaration,
            None => OnDeclaration::Keep,
        };
        // A line in an encoding of its own is converted as a whole, so a label in it cannot be replaced separately.
        let mode = match (mode, conversion.from) {
            (OnDeclaration::Update, InputEncoding::Lines(_)) => OnDeclaration::Note,
            _ => mode,
        };
        Self { mode, ..Self::default() }
    }

    /// Whether more of the text than `start` is needed before any of it can be converted.
    pub(in super::super) fn await_more(conversion: &Conversion, start: &Chunk<'_>) -> bool {
        let rewrites = Self::of(conversion).mode == OnDeclaration::Update;
        rewrites && !start.last && start.bytes.len() < HEAD
    }

    /// Returns the end of the next label if `offset` is inside of it, and `offset` otherwise.
    pub(in super::super) fn after_label(&self, offset: u64) -> u64 {
        let label = self.labels.front().filter(|label| label.range.start < offset);
        label.map_or(offset, |label| label.range.end.max(offset))
    }

    /// Returns the range of the next label in the chunk of `len` bytes at `offset`, if its start is there.
    fn next_in(&self, offset: u64, len: usize) -> Option<Range<usize>> {
        let Label { range, .. } = self.labels.front()?;
        let start = usize::try_from(range.start.checked_sub(offset)?).ok()?;
        (start < len).then(|| start..start + (range.end - range.start) as usize)
    }
}

/// Returns the declarations in `head` that a conversion to `to` makes false.
fn made_false(
    conversion: &Conversion,
    from: &'static Encoding,
    to: &'static Encoding,
    head: &[u8],
) -> Vec<EncodingDeclaration> {
    let decoder = conversion.new_decoder(from, ByteOrder::Big);
    let mut found = declarations_in(decoder, head);
    found.retain(|declaration| declaration.is_known() && !declaration.names(to));
    found
}

impl Declarations {
    /// Finds the labels to rewrite in `start`, the first chunk of a text in `from`. A label is rewritten only if the
    /// new name can be written: the kind of declaration must have a name for the target encoding, and that encoding
    /// must have the characters of the name. Otherwise the declaration stays, and [`Self::note`] reports the first of
    /// them at the end.
    pub(in super::super) fn look_for_labels(
        &mut self,
        conversion: &Conversion,
        from: &'static Encoding,
        start: &Chunk<'_>,
        reporter: &mut dyn Reporter,
    ) {
        let (OnDeclaration::Update, Some(to)) = (self.mode, conversion.to) else { return };
        let head = &start.bytes[..start.bytes.len().min(HEAD)];
        let mut rewritten = Vec::new();
        for declaration in made_false(conversion, from, to, head) {
            let new = declaration.label_of(to).filter(|new| to.encodes(&code_points(new)));
            match new {
                Some(new) => {
                    let words = format!("{declaration} rewritten as {new}");
                    reporter.message(Message::Remark(words));
                    let Range { start, end } = declaration.range;
                    let range = start as u64..end as u64;
                    rewritten.push(Label { range, new: code_points(&new) });
                }
                None => _ = self.stale.get_or_insert(declaration),
            }
        }
        rewritten.sort_unstable_by_key(|label| label.range.start);
        self.labels = rewritten.into();
    }

    /// Reports a declaration that is no longer true, at the end of a text in `from`.
    pub(in super::super) fn note(
        &mut self,
        conversion: &Conversion,
        from: &'static Encoding,
        reporter: &mut dyn Reporter,
    ) {
        let Some(to) = conversion.to.filter(|to| to.unmarked() != from.unmarked()) else {
            return;
        };
        let head = std::mem::take(&mut self.head);
        let stale = self.stale.take();
        let stale = stale.or_else(|| made_false(conversion, from, to, &head).into_iter().next());
        let Some(stale) = stale else { return };
        let repair = match stale.label_of(to) {
            Some(_) => " (--declaration=update rewrites it)",
            None => "",
        };
        reporter.message(Message::Note(format!("still declares {stale}{repair}")));
    }
}

impl Segmenter for Declarations {
    fn look<'c>(&mut self, view: &View<'_, 'c>, at: usize, limit: usize) -> SegmentLookahead<'c> {
        let len = view.chunk.bytes.len();
        match self.next_in(view.base, len) {
            Some(label) if label.start > at => SegmentLookahead::Clear(limit.min(label.start)),
            Some(label) if label.start < at || label.end > len && view.chunk.last => {
                // The label is not rewritten: a segment before it, or a record, ends inside of it.
                self.labels.pop_front();
                SegmentLookahead::Again
            }
            Some(label) if label.end > len => SegmentLookahead::Wait,
            Some(label) => SegmentLookahead::Segment(label),
            None => SegmentLookahead::Clear(limit),
        }
    }

    /// Writes the new label. The target has all of its characters, or it would not be in the list. The old label is
    /// decoded too, since the decoder must pass it and lines and columns count it.
    fn convert(
        &mut self,
        walk: &mut TextWalk<'_, '_>,
        chunk: &Chunk<'_>,
        range: Range<usize>,
    ) -> Passed<usize> {
        let Some(label) = self.labels.pop_front() else { return Ok(0) };
        walk.settle(FollowedBy::Break)?;
        walk.put(&label.new)?;
        let bytes = &chunk.bytes[range];
        let mut at = 0;
        while at < bytes.len() {
            let mut room = [0; MIN_PIVOT];
            let decoded = walk.engine.decoder_mut().decode(&bytes[at..], &mut room, false);
            if decoded.read == 0 {
                break;
            }
            at += decoded.read;
            walk.pass_unseen(&room[..decoded.written]);
        }
        Ok(bytes.len())
    }

    fn next_known(&self) -> Option<u64> {
        self.labels.front().map(|label| label.range.start)
    }

    fn pass(&mut self, bytes: &[u8], offset: u64) {
        if self.mode == OnDeclaration::Note && offset < HEAD as u64 {
            let room = HEAD - self.head.len();
            self.head.extend_from_slice(&bytes[..bytes.len().min(room)]);
        }
    }

    fn waits(&self) -> bool {
        !self.labels.is_empty()
    }
}
