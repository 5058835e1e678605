//! What is kept of one input between two chunks: position, findings, context, and the state of its stages.
//!
//! The offset moves in bytes, when a part of a chunk is consumed. The position moves in lines and characters, as soon
//! as a run is converted. In between, the offset of a byte is that of the chunk plus its index in the chunk.

use super::backoff::Backoff;
use super::context_buffer::ContextBuffer;
use super::conversion::Conversion;
use super::evidence_buffer::EvidenceBuffer;
use super::input_findings::InputFindings;
use super::opening::OrderWatch;
use super::pipeline::Pipeline;
use super::policy::Detail;
use super::position::Position;
use super::records::Records;
use super::row_buffer::RowBuffer;
use super::text_piece::TextPiece;
#[cfg(feature = "detection")]
use oxiconv_detect::detection::Deferral;
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::CodePoint;
#[cfg(feature = "program")]
use oxiconv_encodings::unicode::LINE_FEED;

pub(super) struct TextState {
    /// Offset of the current chunk: the bytes consumed before it.
    pub(super) offset: u64,
    pub(super) position: Position,
    pub(super) findings: InputFindings,
    /// The context of the current place, if a reporter shows it.
    pub(super) context: Option<ContextBuffer>,
    pub(super) rows: RowBuffer,
    /// The text by which the causes of findings are judged, if a reporter does that.
    pub(super) evidence: Option<EvidenceBuffer>,
    /// The detection of its encoding, until that is complete.
    #[cfg(feature = "detection")]
    pub(super) deferral: Option<Deferral>,
    /// Whether it begins with U+FEFF as a character.
    pub(super) begins_with_mark: bool,
    /// The stages that its characters pass through.
    pub(super) pipeline: Pipeline,
    pub(super) records: Option<Records>,
    pub(super) order_watch: Option<OrderWatch>,
    /// Its place in a longer text, if it is a piece of one.
    pub(super) piece: Option<TextPiece>,
    /// The offset from which several threads are worth another try.
    pub(super) threads_from: u64,
    pub(super) threads_backoff: Backoff,
    /// Bytes of output from earlier inputs.
    pub(super) written_before: u64,
}

impl TextState {
    /// Creates the state of an input in `encoding` that has not been read yet, after this many bytes of output.
    pub(super) fn new(
        conversion: &Conversion,
        encoding: &'static Encoding,
        written_before: u64,
    ) -> Self {
        const MEBIBYTE: u64 = 1024 * 1024;
        let detail = conversion.options.detail;
        Self {
            offset: 0,
            position: Position::START,
            findings: InputFindings::new(encoding),
            context: (detail == Detail::Context).then(ContextBuffer::default),
            rows: RowBuffer::default(),
            evidence: (detail == Detail::Evidence).then(EvidenceBuffer::default),
            #[cfg(feature = "detection")]
            deferral: None,
            begins_with_mark: false,
            pipeline: Pipeline::build(conversion, encoding),
            records: Records::of(conversion),
            order_watch: None,
            piece: None,
            threads_from: 0,
            // After a window in which threads did not pay off, 2 MiB pass before the next attempt, then 4, and at most
            // 64.
            threads_backoff: Backoff::new(2 * MEBIBYTE, 64 * MEBIBYTE),
            written_before,
        }
    }

    /// Makes it the text from byte `offset` on of a longer one. A line feed, or a character without lasting effect,
    /// comes before it.
    #[cfg(feature = "program")]
    pub(super) fn begin_at(&mut self, offset: u64) {
        self.offset = offset;
        self.threads_from = offset;
        if let Some(records) = &mut self.records {
            records.begin_at(offset);
        }
        self.pipeline.passed(&[LINE_FEED]);
    }

    pub(super) fn pass(&mut self, run: &[CodePoint]) {
        match self.records {
            None => self.position.pass(run),
            Some(_) => self.position.pass_many(run.len() as u64),
        }
        self.findings.summary.characters += run.len() as u64;
        if let Some(context) = &mut self.context {
            context.pass(run);
        }
    }

    /// Whether more of the text follows, which is converted elsewhere.
    pub(super) fn goes_on(&self) -> bool {
        self.piece.as_ref().is_some_and(TextPiece::goes_on)
    }

    /// Whether its encoding is not known yet.
    pub(super) fn is_deferred(&self) -> bool {
        #[cfg(feature = "detection")]
        let is_deferred = self.deferral.is_some();
        #[cfg(not(feature = "detection"))]
        let is_deferred = false;
        is_deferred
    }

    /// Whether its last line so far has characters and no line feed. A mark alone is no line.
    pub(super) fn lacks_line_feed(&self) -> bool {
        let mark = self.begins_with_mark && self.position.line == Position::START.line;
        self.position.column > Position::START.column + u64::from(mark)
    }

    /// Whether no character of it has been read.
    pub(super) fn is_at_start(&self) -> bool {
        if self.piece.as_ref().is_some_and(|piece| piece.start > 0) {
            return false;
        }
        self.position.line == 1 && self.position.column <= 1
    }
}
