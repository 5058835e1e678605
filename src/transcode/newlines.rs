//! How the lines of a text end, and the first one that ends differently.
//!
//! How a line that has a carriage return ends is known when the next character is, which may be far away: bytes that only
//! change the state of an encoding stand for no character. So a carriage return is held back, as what is known of it and
//! not as bytes to be read again, until the next character, fault or the end of the text decides.
//!
//! ```text
//! CR ─► Held ─┬─ LF: the line ends with both
//!             └─ anything else: with CR alone         ─► put, or a finding where the CR stands
//! ```

use super::Error;
use super::context_buffer::OwnedContext;
use super::policy::{Detail, encodes};
use super::remedy::Remedy;
use super::text::{Fault, Text};
use super::transcoder::{Flow, Run, Transcoder};
use crate::codec::Value;
use crate::diagnostic::{DeniedKind, Kind};
use crate::io::Chunk;
use crate::unicode::CodePoint;

pub(super) const CARRIAGE_RETURN: CodePoint = 0x0D;
pub(super) const LINE_FEED: CodePoint = 0x0A;

/// How a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Newline {
    CarriageReturn,
    LineFeed,
    Both,
}

impl Newline {
    /// The code point, if it is one.
    fn value(self) -> Option<Value> {
        match self {
            Self::CarriageReturn => Some(CARRIAGE_RETURN.into()),
            Self::LineFeed => Some(LINE_FEED.into()),
            Self::Both => None,
        }
    }
}

/// A carriage return that nothing follows yet.
#[derive(Debug)]
pub(super) struct Held {
    /// Where it stands in the input, in bytes.
    offset: u64,
    /// Its bytes.
    bytes: Vec<u8>,
    /// What stands around it, if that is to be shown.
    context: Option<OwnedContext>,
}

/// Watches how the lines of one text end, up to the first one that ends differently from those before it.
#[derive(Debug, Default)]
pub(super) struct Newlines {
    first: Option<Newline>,
    held: Option<Held>,
    /// Whether that line was found: then nothing more is looked at.
    found: bool,
}

impl Newlines {
    /// Whether a carriage return is held back.
    pub(super) fn holds(&self) -> bool {
        self.held.is_some()
    }

    /// Whether this line end is the first that differs.
    fn differs(&mut self, newline: Newline) -> bool {
        let differs = *self.first.get_or_insert(newline) != newline;
        self.found |= differs;
        differs
    }
}

/// What a carriage return, or a line feed by itself, is.
pub(super) enum LineEnd {
    /// No matter: line ends are not watched, or not any more.
    Unwatched,
    /// A line end of CR and LF if `both`, and a fault if it is the first that differs.
    Known { both: bool, fault: Option<Fault> },
    /// A carriage return whose line feed may still come.
    Unknown,
}

impl Transcoder<'_> {
    /// What the carriage return or line feed `cp` is, with the character after it if that is known.
    pub(super) fn line_end(
        &self,
        text: &mut Text<'_>,
        cp: CodePoint,
        next: Option<CodePoint>,
    ) -> LineEnd {
        let Some(newlines) = text.newlines.as_mut().filter(|newlines| !newlines.found) else {
            return LineEnd::Unwatched;
        };
        let newline = match (cp, next) {
            (LINE_FEED, _) => Newline::LineFeed,
            (_, None) => return LineEnd::Unknown,
            (_, Some(LINE_FEED)) => Newline::Both,
            (_, Some(_)) => Newline::CarriageReturn,
        };
        let fault = newlines.differs(newline).then(|| self.fault_of_newline(newline));
        LineEnd::Known { both: newline == Newline::Both, fault }
    }

    fn fault_of_newline(&self, newline: Newline) -> Fault {
        Fault::denied(DeniedKind::MixedNewlines, newline.value())
            .stopping(self.conversion.stop_at_denied)
    }

    /// Holds back the carriage return at `index` of a run. All before it must have been put.
    pub(super) fn hold_return(
        &self,
        text: &mut Text<'_>,
        chunk: &Chunk<'_>,
        run: &mut Run<'_>,
        index: usize,
    ) {
        let Some(range) = run.origin.locate(index) else { return };
        let offset = text.offset + range.start as u64;
        let bytes = chunk.bytes[range.clone()].to_vec();
        if let Some(context_buffer) = &mut text.context_buffer {
            context_buffer.decoder_after = run.origin.decoder_after();
        }
        let context = text.context(chunk, &range).map(OwnedContext::of);
        if let Some(newlines) = &mut text.newlines {
            newlines.held = Some(Held { offset, bytes, context });
        }
    }

    /// Puts the carriage return that is held back, if one is, now that the character that follows it is known, or that
    /// none does. Returns whether that character was a line feed and completed the line end.
    pub(super) fn settle_return(
        &mut self,
        text: &mut Text<'_>,
        chunk: &Chunk<'_>,
        next: Option<CodePoint>,
    ) -> Result<(bool, Flow), Error> {
        let Some(newlines) = text.newlines.as_mut().filter(|newlines| newlines.holds()) else {
            return Ok((false, Flow::On));
        };
        let Some(held) = newlines.held.take() else { return Ok((false, Flow::On)) };
        let both = next == Some(LINE_FEED);
        let newline = if both { Newline::Both } else { Newline::CarriageReturn };
        if newlines.differs(newline) {
            let fault = self.fault_of_newline(newline);
            text.report_held(fault, held.offset, &held.bytes, held.context.as_ref())?;
            if self.conversion.stop_at_denied {
                return Ok((both, text.stop_at(held.offset)));
            }
        }
        if self.conversion.detail == Detail::Characters {
            text.report_held_character(CARRIAGE_RETURN.into(), held.offset, &held.bytes)?;
        }
        if let Some(target) = self.conversion.to.filter(|to| !encodes(to, &[CARRIAGE_RETURN])) {
            let value = Value::from(CARRIAGE_RETURN);
            let remedy = self.remedies.for_unmappable(value);
            let stops = remedy == Remedy::Stop;
            let fault = Fault::unmappable(value, target).stopping(stops);
            text.report_held(fault, held.offset, &held.bytes, held.context.as_ref())?;
            if stops {
                return Ok((both, text.stop_at(held.offset)));
            }
            self.apply(Kind::Unmappable, remedy, text, chunk)?;
            text.pass(&[CARRIAGE_RETURN]);
            return Ok((both, Flow::On));
        }
        let flow = self.put(text, chunk, &mut Run::of_held(&[CARRIAGE_RETURN]), 0..1)?;
        Ok((both, flow))
    }
}
