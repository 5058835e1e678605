//! The part of a conversion that does not depend on where input comes from or output goes.

use super::conversion::Conversion;
use super::declarations::Declarations;
use super::engine::Engine;
use super::error::Error;
use super::line_ends::LineEnds;
use super::normalizing::classes_of;
use super::opening::{Beginning, Start};
use super::output::{Gathered, Output};
#[cfg(feature = "cli")]
use super::piece::Piece;
use super::remedy::Remedies;
use super::session::Session;
use super::text::Text;
use crate::codec::ByteOrder;
use crate::diagnostic::Reporter;
use crate::encoding::Encoding;
use crate::io::Chunk;

/// An engine, and the remedies for what stops it.
pub(super) struct Converter {
    pub(super) remedies: Remedies,
    pub(super) engine: Engine,
    /// Whether kernels may bypass the code points; tests turn it off to check that nothing depends on it.
    pub(super) direct_path: bool,
}

impl Converter {
    pub(super) fn new(conversion: &Conversion) -> Self {
        let encoder = conversion.to.map(|to| conversion.new_encoder(to, conversion.output_order()));
        let remedies = Remedies::new(conversion.clone());
        let mut engine = Engine::new(encoder);
        engine.hold_clusters(remedies.clusters());
        engine.change_line_ends(LineEnds::of(conversion));
        if conversion.removes_denied() {
            engine.may_remove(conversion.options.denied);
        }
        engine.hold_sequences(classes_of(conversion), conversion.joins_over_faults());
        engine.hold_blanks(conversion.trims_records());
        Self { remedies, engine, direct_path: true }
    }

    /// Creates the state of an empty output.
    pub(super) fn gathered(&self) -> Gathered {
        Gathered::new(Start::of(&self.remedies.conversion))
    }

    /// Returns how the input begins; `None` if more of it is needed.
    pub(super) fn beginning(&self, chunk: &Chunk<'_>) -> Option<Beginning> {
        let conversion = &self.remedies.conversion;
        if Declarations::await_more(conversion, chunk) {
            return None;
        }
        Beginning::of(conversion, chunk.bytes, chunk.last)
    }

    /// Begins an input with its first chunk, and returns the number of bytes consumed.
    pub(super) fn begin<'s, 'a>(
        &'s mut self,
        output: &'s mut Output<'a>,
        reporter: &'s mut dyn Reporter,
        beginning: Beginning,
        chunk: &Chunk<'_>,
    ) -> Result<(Session<'s, 'a>, usize), Error> {
        let Beginning { encoding, opening, .. } = beginning;
        let mut session = self.begin_text(output, reporter, encoding, opening.order);
        session.look_for_labels(chunk);
        let read = session.begin(beginning, chunk)?;
        Ok((session, read))
    }

    /// Begins a piece of an input that is not its first.
    #[cfg(feature = "cli")]
    pub(super) fn begin_piece<'s, 'a>(
        &'s mut self,
        output: &'s mut Output<'a>,
        reporter: &'s mut dyn Reporter,
        piece: &Piece,
    ) -> Session<'s, 'a> {
        let encoding = piece.encoding;
        output.go_on();
        let mut session =
            self.begin_text(output, reporter, encoding, encoding.order.unwrap_or_default());
        session.text.begin_at(piece.start);
        session
    }

    /// Begins an input, before its first byte.
    fn begin_text<'s, 'a>(
        &'s mut self,
        output: &'s mut Output<'a>,
        reporter: &'s mut dyn Reporter,
        encoding: &'static Encoding,
        order: ByteOrder,
    ) -> Session<'s, 'a> {
        let decoder = self.remedies.conversion.new_decoder(encoding, order);
        self.engine.read_by(decoder);
        if let Some(line_ends) = self.engine.line_ends() {
            line_ends.begin(encoding);
        }
        let encoding = encoding.in_order(order);
        let written = output.written() + self.engine.pending_bytes() as u64;
        let text = Text::new(&self.remedies.conversion, encoding, written);
        let direct_path = self.direct_path;
        let session = self.resume(output, reporter, text);
        if !direct_path || session.sees_characters() {
            session.engine.without_kernels();
        }
        session
    }

    /// Resumes an input.
    pub(super) fn resume<'s, 'a>(
        &'s mut self,
        output: &'s mut Output<'a>,
        reporter: &'s mut dyn Reporter,
        text: Text,
    ) -> Session<'s, 'a> {
        Session::new(&self.remedies, &mut self.engine, output, reporter, text)
    }

    /// Completes the output.
    pub(super) fn finish(&mut self, output: &mut Output<'_>) -> Result<(), Error> {
        output.finish(&mut self.engine)
    }
}
