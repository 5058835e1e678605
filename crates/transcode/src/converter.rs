//! The part of a conversion that depends neither on where input comes from nor on where output goes.
//!
//! `Transcoder` pulls its input from a source; `Incremental`, under the adaptors `Reader` and `Writer`, is given
//! pieces. Both begin an input here, and both get a [`Session`]. The engine with its buffer and the remedies with their
//! tables are made once, and serve every input of the conversion.

use super::buffered_output::{BufferedOutput, OutputState};
use super::conversion::Conversion;
use super::engine::Engine;
use super::error::Error;
use super::line_end_converter::LineEndConverter;
use super::opening::{Beginning, OutputStart};
use super::remedy::Remedies;
use super::segments::Segments;
use super::session::{Session, Suspended};
use super::stage::ConversionPath;
use super::target_encoder::TargetEncoder;
#[cfg(feature = "program")]
use super::text_piece::TextPiece;
use super::text_state::TextState;
use super::text_walk::TextWalk;
use crate::diagnostic::Reporter;
use crate::io::Chunk;
use oxiconv_encodings::codec::ByteOrder;
use oxiconv_encodings::encoding::Encoding;

pub(super) struct Converter {
    pub(super) remedies: Remedies,
    pub(super) engine: Engine,
    /// Whether kernels may bypass code points. Tests turn it off to check that nothing depends on it.
    pub(super) direct_path: bool,
}

impl Converter {
    pub(super) fn new(conversion: &Conversion) -> Self {
        let remedies = Remedies::new(conversion.clone());
        Self { remedies, engine: Engine::new(), direct_path: true }
    }

    pub(super) fn new_output_state(&self) -> OutputState {
        let conversion = &self.remedies.conversion;
        let encoder = conversion.to.map(|to| conversion.new_encoder(to, conversion.output_order()));
        let target = TargetEncoder::new(encoder, LineEndConverter::of(conversion));
        OutputState::new(OutputStart::of(conversion), target)
    }

    /// Returns how the input begins; `None` if more of it is needed to tell. The caller then passes the same bytes
    /// again with more after them, so nothing is consumed yet.
    pub(super) fn beginning(&self, chunk: &Chunk<'_>) -> Option<Beginning> {
        let conversion = &self.remedies.conversion;
        #[cfg(feature = "detection")]
        if Segments::await_more(conversion, chunk) {
            return None;
        }
        Beginning::of(conversion, chunk.bytes, chunk.last)
    }

    /// Begins an input with its first chunk, and returns the number of bytes consumed.
    pub(super) fn begin<'s, 'a>(
        &'s mut self,
        output: &'s mut BufferedOutput<'a>,
        reporter: &'s mut dyn Reporter,
        beginning: Beginning,
        chunk: &Chunk<'_>,
    ) -> Result<(Session<'s, 'a>, usize), Error> {
        let Beginning { encoding, opening, .. } = beginning;
        let mut session = self.begin_text(output, reporter, encoding, opening.order);
        #[cfg(feature = "detection")]
        {
            let TextWalk { conversion, reporter, text, .. } = &mut session.walk;
            let from = text.findings.encoding;
            session.segments.declarations.look_for_labels(conversion, from, chunk, &mut **reporter);
        }
        let read = session.begin(beginning, chunk)?;
        Ok((session, read))
    }

    /// Begins a piece of an input that is not its first.
    #[cfg(feature = "program")]
    pub(super) fn begin_piece<'s, 'a>(
        &'s mut self,
        output: &'s mut BufferedOutput<'a>,
        reporter: &'s mut dyn Reporter,
        piece: &TextPiece,
    ) -> Session<'s, 'a> {
        let encoding = piece.encoding;
        output.go_on();
        let mut session =
            self.begin_text(output, reporter, encoding, encoding.order.unwrap_or_default());
        session.begin_at(piece.start);
        session
    }

    /// Begins an input, before its first byte.
    ///
    /// The kernels are turned off last, when it is known which stages there are and whether an observer sees the
    /// output: a kernel would carry characters past either.
    fn begin_text<'s, 'a>(
        &'s mut self,
        output: &'s mut BufferedOutput<'a>,
        reporter: &'s mut dyn Reporter,
        encoding: &'static Encoding,
        order: ByteOrder,
    ) -> Session<'s, 'a> {
        let conversion = &self.remedies.conversion;
        let target = &mut output.state.target;
        target.begin(encoding);
        self.engine.read_by(conversion.new_decoder(encoding, order), target);
        let encoding = encoding.in_order(order);
        let written = output.written() + output.target().pending_bytes() as u64;
        let text = TextState::new(conversion, encoding, written);
        let direct_path = self.direct_path && text.pipeline.path() < ConversionPath::CodePoints;
        let segments = Segments::of(conversion, encoding);
        let session = self.resume(output, reporter, Suspended { text, segments });
        if !direct_path || session.walk.sees_characters() {
            session.walk.engine.without_kernels();
        }
        session
    }

    pub(super) fn resume<'s, 'a>(
        &'s mut self,
        output: &'s mut BufferedOutput<'a>,
        reporter: &'s mut dyn Reporter,
        input: Suspended,
    ) -> Session<'s, 'a> {
        let Suspended { text, segments } = input;
        let walk = TextWalk::new(&self.remedies, &mut self.engine, output, reporter, text);
        Session { walk, segments }
    }
}
