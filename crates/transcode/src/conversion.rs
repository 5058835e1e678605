//! A checked conversion: options that cannot be combined never become one.

use super::options::{Options, OptionsError};
#[cfg(feature = "detection")]
use super::policy::OnMojibake;
use super::policy::{
    Detail, InputEncoding, MarkMode, NewlineMode, OnDenied, OnIllFormed, OnInnerMark, OnUnmappable,
    code_points,
};
use oxiconv_encodings::codec::{ByteOrder, Decoder, Encoder, ExchangedNewlines};
use oxiconv_encodings::encoding::{Encoding, Mark};
use oxiconv_encodings::unicode::{BLANK, CodePoint, REPLACEMENT_CHARACTER};

/// Two encodings and [`Options`] that can be combined. Only [`Options::build`] creates one.
#[derive(Clone, Debug)]
pub struct Conversion {
    pub(super) from: InputEncoding,
    pub(super) to: Option<&'static Encoding>,
    pub(super) options: Options,
}

impl Conversion {
    /// Returns the encoding of the input.
    #[must_use]
    pub fn from(&self) -> InputEncoding {
        self.from
    }

    /// Returns the encoding of the output; `None` if the input is only checked.
    #[must_use]
    pub fn to(&self) -> Option<&'static Encoding> {
        self.to
    }

    /// Returns the options, as a basis for others.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the same conversion with this much detail for the reporter.
    #[doc(hidden)]
    pub fn with_detail(self, detail: Detail) -> Self {
        Self { options: self.options.detail(detail), ..self }
    }

    pub(super) fn stops_at_unmappable(&self) -> bool {
        self.options.substitution.on_unmappable == OnUnmappable::Stop
            && !self.options.transliterates()
    }

    /// Whether blanks at the end of records are left out. If the target lacks blanks, each is a finding instead.
    pub(super) fn trims_records(&self) -> bool {
        self.options.reading.trim_records
            && self.options.reading.records.is_some()
            && self.to.is_none_or(|to| to.encodes(&[BLANK]))
    }

    pub(super) fn stops_at_denied(&self) -> bool {
        self.options.substitution.on_denied == OnDenied::Stop
    }

    pub(super) fn notes_marks(&self) -> bool {
        self.options.byte_order_marks.on_inner_mark == OnInnerMark::Note
    }

    /// Whether every character of the text must be seen. If so, no path that skips characters may be taken.
    pub(super) fn sees_characters(&self) -> bool {
        self.looks_at_characters()
            || self.changes_line_ends()
            || self.options.detail == Detail::Context
    }

    /// Whether every character that the target lacks is left out.
    #[cfg(feature = "transliteration")]
    pub(super) fn leaves_out_unmappable(&self) -> bool {
        self.options.substitution.on_unmappable == OnUnmappable::Skip
            && !self.options.transliterates()
    }

    /// Whether line ends, or the end of the text, may be written differently.
    pub(super) fn changes_line_ends(&self) -> bool {
        let changes = self.options.line_ends.write_newlines != NewlineMode::Keep;
        self.to.is_some() && (changes || self.options.line_ends.write_final_newline)
    }

    pub(super) fn removes_denied(&self) -> bool {
        !matches!(self.options.substitution.on_denied, OnDenied::Pass | OnDenied::Stop)
    }

    /// Whether any character may have to be reported.
    pub(super) fn looks_at_characters(&self) -> bool {
        self.notes_marks()
            || self.options.denied.is_of_characters()
            || self.options.line_ends.newline.is_some()
            || self.options.detail == Detail::Characters
    }

    /// Returns the replacement. Empty if the target lacks even `?`: a charset with code units of three bits or less.
    pub(super) fn replacement(&self) -> Vec<CodePoint> {
        match (&self.options.substitution.replacement, self.to) {
            (Some(replacement), _) => code_points(replacement),
            (None, None) => vec![REPLACEMENT_CHARACTER],
            (None, Some(target)) => [REPLACEMENT_CHARACTER, u32::from('?')]
                .into_iter()
                .find(|cp| target.encodes(&[*cp]))
                .map_or_else(Vec::new, |cp| vec![cp]),
        }
    }

    /// Creates a decoder for the input, or for reading back the output.
    pub(super) fn new_decoder(&self, encoding: &Encoding, order: ByteOrder) -> Box<dyn Decoder> {
        let decoder = encoding.new_decoder(order);
        if self.exchanges_newlines(encoding) {
            Box::new(ExchangedNewlines(decoder))
        } else {
            decoder
        }
    }

    pub(super) fn new_encoder(&self, encoding: &Encoding, order: ByteOrder) -> Box<dyn Encoder> {
        let encoder = encoding.new_encoder(order);
        if self.exchanges_newlines(encoding) {
            Box::new(ExchangedNewlines(encoder))
        } else {
            encoder
        }
    }

    /// Whether the two EBCDIC line ends must change places in the table of an encoding.
    fn exchanges_newlines(&self, encoding: &Encoding) -> bool {
        let wanted = self.options.reading.ebcdic_newline;
        wanted.is_some_and(|wanted| wanted.differs(encoding.new_decoder(ByteOrder::Big)))
    }

    /// Returns the byte order in which the output is written.
    ///
    /// Unmarked UTF-16 and UTF-32 are little-endian after the mark that says so. Without a mark a reader must assume
    /// big-endian (D98, D101), so an output without a mark is big-endian. Unmarked UCS-2 and UCS-4 have no mark of
    /// their own.
    #[doc(hidden)]
    pub fn output_order(&self) -> ByteOrder {
        match (self.options.byte_order_marks.marks, self.to.map(|to| to.mark)) {
            (MarkMode::Strip, _) | (_, Some(Mark::OptionalByteOrder)) => ByteOrder::Big,
            _ => ByteOrder::Little,
        }
    }
}

impl Options {
    /// Builds the conversion between two encodings with these options. With `None` as the target, the input is only
    /// checked.
    ///
    /// # Errors
    ///
    /// If the options cannot be combined; see [`OptionsError`].
    pub fn build(
        self,
        from: impl Into<InputEncoding>,
        to: impl Into<Option<&'static Encoding>>,
    ) -> Result<Conversion, OptionsError> {
        let (from, to) = (from.into(), to.into());
        self.check(to)?;
        self.check_fallback(from)?;
        #[cfg(feature = "detection")]
        self.check_records(from)?;
        #[cfg(feature = "detection")]
        self.check_repair(from)?;
        Ok(Conversion { from, to, options: self })
    }

    #[cfg(feature = "detection")]
    fn check_records(&self, from: InputEncoding) -> Result<(), OptionsError> {
        match from {
            InputEncoding::Lines(_) if self.reading.records.is_some() => {
                Err(OptionsError::LinesOfRecords)
            }
            InputEncoding::Detected(_) if self.has_variable_records() => {
                Err(OptionsError::DetectedRecords)
            }
            _ => Ok(()),
        }
    }

    #[cfg(feature = "detection")]
    fn check_repair(&self, from: InputEncoding) -> Result<(), OptionsError> {
        match from {
            InputEncoding::Named(from)
                if !OnMojibake::is_found_in(from) && self.on_mojibake != OnMojibake::Ignore =>
            {
                Err(OptionsError::RepairOfUtf8(from.name()))
            }
            _ => Ok(()),
        }
    }

    /// Checks the fallback. One whose every byte is a character can read the stray bytes of any input. Any other one
    /// needs to know where its characters begin, and a detected one needs text to judge by. Both read whole parts of a
    /// text, and such parts are looked for in UTF-8 only (`segments/mixture.rs`).
    fn check_fallback(&self, from: InputEncoding) -> Result<(), OptionsError> {
        let Some(fallback) = self.substitution.fallback else { return Ok(()) };
        if self.reading.records.is_some() && fallback.named().is_none() {
            return Err(OptionsError::FallbackOfRecords);
        }
        #[cfg(feature = "detection")]
        if matches!(from, InputEncoding::Lines(_)) {
            return Err(OptionsError::FallbackOfLines);
        }
        if let Some(encoding) = fallback.named() {
            if encoding.single_byte {
                return Ok(());
            }
            if !encoding.may_be_fallback() {
                return Err(OptionsError::Fallback(encoding.name()));
            }
        }
        match from {
            InputEncoding::Named(from) if from != Encoding::UTF_8 => {
                let name = fallback.named().map_or("auto", |encoding| encoding.name());
                Err(OptionsError::FallbackOfUtf8(name, from.name()))
            }
            _ => Ok(()),
        }
    }

    /// Checks the options that have to do with the target. Everything that may be written in place of a fault must be
    /// writable: if the replacement or an escape were unmappable itself, the remedy would need a remedy. Formats are
    /// checked by all characters that they can produce. Without output nothing is written, so nothing more is checked.
    fn check(&self, to: Option<&'static Encoding>) -> Result<(), OptionsError> {
        if matches!(
            self.substitution.on_denied,
            OnDenied::Skip | OnDenied::Replace | OnDenied::Escape
        ) && let Some(kind) = self.denied.kinds().find(|kind| !kind.is_of_characters())
        {
            return Err(OptionsError::NotCharacters(kind.id()));
        }
        let Some(target) = to else { return Ok(()) };
        if let Some(replacement) = &self.substitution.replacement
            && !target.encodes(&code_points(replacement))
        {
            let replacement = replacement.clone();
            return Err(OptionsError::Replacement { replacement, target: target.name() });
        }
        let formats = [
            self.substitution
                .ill_formed_format
                .as_ref()
                .filter(|_| self.substitution.on_ill_formed == OnIllFormed::Escape),
            self.substitution.unmappable_format.as_ref().filter(|_| {
                self.substitution.on_unmappable == OnUnmappable::Escape
                    || self.substitution.on_denied == OnDenied::Escape
            }),
        ];
        for format in formats.into_iter().flatten() {
            let characters = format.characters();
            let lacks = |character: &char| !target.encodes(&[CodePoint::from(*character)]);
            if let Some(character) = characters.chars().find(lacks) {
                return Err(OptionsError::Substitution { character, target: target.name() });
            }
        }
        let added = self.line_ends.write_final_newline.then_some(NewlineMode::LineFeed);
        let newline =
            self.line_ends.write_newlines.written().or(added.and_then(NewlineMode::written));
        if let Some((newline, _)) = newline.filter(|(_, characters)| !target.encodes(characters)) {
            return Err(OptionsError::Newline { newline, target: target.name() });
        }
        if self.byte_order_marks.marks == MarkMode::Add && target.mark == Mark::None {
            return Err(OptionsError::NoMark(target.name()));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_go_together_becomes_no_conversion() {
        let utf8 = Encoding::for_name("UTF-8").unwrap();
        let refused = |options: Options, to: &str| {
            options
                .build(utf8, Encoding::for_name(to).unwrap())
                .map(drop)
                .map_err(|error| error.to_string())
        };
        let euro = || Options::new().replacement("€");
        assert_eq!(refused(euro(), "UTF-16"), Ok(()));
        let error = "the replacement '€' cannot be written in US-ASCII";
        assert_eq!(refused(euro(), "US-ASCII"), Err(error.to_owned()));
        let fallback = |name| Options::new().fallback(Encoding::for_name(name).unwrap());
        assert_eq!(refused(fallback("windows-1252"), "UTF-8"), Ok(()));
        let error = "the fallback must be a stateless encoding that includes ASCII, such as windows-1252, but UTF-16LE is not one";
        assert_eq!(refused(fallback("UTF-16LE"), "UTF-8"), Err(error.to_owned()));
        let add = || Options::new().marks(MarkMode::Add);
        assert_eq!(refused(add(), "UTF-8"), Ok(()));
        let error = "cannot add a byte order mark: windows-1252 has none";
        assert_eq!(refused(add(), "windows-1252"), Err(error.to_owned()));
        // Without output, the target lacks nothing.
        assert!(euro().build(utf8, None).is_ok());
    }
}
