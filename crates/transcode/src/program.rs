//! Settings of a transcoder that only the program needs, and what else it asks of a conversion.

use super::conversion::Conversion;
use super::error::Error;
use super::observer::Observer;
use super::options::{Options, ReadingOptions};
use super::policy::{OnIllFormed, OnUnmappable};
use super::remedy::Remedies;
use super::text_piece::TextPiece;
use super::transcoder::Transcoder;
use crate::diagnostic::{Reporter, Silent, Summary};
use crate::io::{Pipe, Source};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::CodePoint;

/// What transliteration writes for a character, or for two that have a rule together.
pub enum WrittenForm {
    /// The target has it.
    Itself,
    /// This is written for it.
    Form(String),
    /// It is unmappable.
    Nothing,
}

/// Returns what a conversion that transliterates writes for `text`.
pub fn written(conversion: &Conversion, text: &str) -> WrittenForm {
    let cps: Vec<_> = text.chars().map(CodePoint::from).collect();
    if conversion.to.is_none_or(|to| to.encodes(&cps)) {
        return WrittenForm::Itself;
    }
    let form = Remedies::new(conversion.clone()).form(&cps);
    form.map_or(WrittenForm::Nothing, |form| {
        WrittenForm::Form(form.into_iter().filter_map(char::from_u32).collect())
    })
}

impl Conversion {
    /// Returns the text of an input in `encoding` as it is before anything is changed, in UTF-8. Ill-formed
    /// subsequences are escaped. A byte order mark that is no part of the text is left out.
    ///
    /// # Errors
    ///
    /// None is known: nothing stops this conversion.
    pub fn text_of_input(
        &self,
        bytes: &[u8],
        encoding: &'static Encoding,
    ) -> Result<Vec<u8>, Error> {
        let reading = ReadingOptions { trim_records: false, ..self.options.reading.clone() };
        escaped_text(bytes, encoding, reading)
    }

    /// Returns the text of an output in `encoding`, in the same way.
    ///
    /// # Errors
    ///
    /// None is known: nothing stops this conversion.
    pub fn text_of_output(
        &self,
        bytes: &[u8],
        encoding: &'static Encoding,
    ) -> Result<Vec<u8>, Error> {
        let reading = ReadingOptions {
            byte_order: self.output_order(),
            ebcdic_newline: self.options.reading.ebcdic_newline,
            ..ReadingOptions::default()
        };
        escaped_text(bytes, encoding, reading)
    }
}

fn escaped_text(
    mut bytes: &[u8],
    encoding: &'static Encoding,
    reading: ReadingOptions,
) -> Result<Vec<u8>, Error> {
    let mut options = Options { reading, ..Options::new() };
    options.substitution.on_ill_formed = OnIllFormed::Escape;
    options.substitution.on_unmappable = OnUnmappable::Escape;
    // Nothing of it would have to be checked: UTF-8 has the characters of escapes.
    let conversion = Conversion { from: encoding.into(), to: Some(Encoding::UTF_8), options };
    let mut text = Vec::new();
    let mut transcoder = Transcoder::new(&conversion, &mut text);
    transcoder.input(&mut bytes, &mut Silent)?;
    transcoder.finish()?;
    Ok(text)
}

impl<'a> Transcoder<'a> {
    /// Splices long texts to `pipe` instead of copying them, if the sink is that pipe.
    pub fn splicing_to(mut self, pipe: Option<Pipe>) -> Self {
        self.output.state.pipe = pipe;
        self
    }

    /// Passes every character written to `observer`. All text is then converted through code points, in one thread.
    pub fn observed_by(mut self, observer: &'a mut dyn Observer) -> Self {
        self.output.observer = Some(observer);
        self
    }

    /// Continues an output that began elsewhere: no byte order mark is added to it or dropped from its start.
    pub fn go_on(&mut self) {
        self.output.go_on();
    }

    /// Converts one piece of an input; `source` provides that piece alone. The offsets of findings are those of the
    /// whole; lines and columns count from the start of the piece.
    ///
    /// # Errors
    ///
    /// As for [`Transcoder::input`].
    pub fn piece(
        &mut self,
        source: &mut dyn Source,
        reporter: &mut dyn Reporter,
        piece: &TextPiece,
    ) -> Result<Summary, Error> {
        let mut session = match piece.start {
            0 => self.open(source, reporter)?,
            _ => self.converter.begin_piece(&mut self.output, reporter, piece),
        };
        session.walk.text.piece = Some(piece.clone());
        session.convert_all(source)
    }
}
