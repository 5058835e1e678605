//! Where a character in the pipeline comes from. Its place is computed only on request: to report it, or to hold the
//! character while its chunk may go away. The run is then decoded again, once, up to the character. To note the place
//! of every character while decoding would cost more, because hardly any is ever requested.
//!
//! ```text
//! in the chunk   the engine's next code point, or given bytes    ─► resolve: locate, line, column, context
//! held           characters with a copy of their place           ─► resolve: from the first to the last of them
//! ```
//!
//! A held character may outlive its chunk, and its bytes with it. So a stage that holds one asks for a copy of its
//! place ([`Origin::resolve_owned`]) at once, if that may be reported later. A character that was composed of several
//! has the place of all of them: é from `e` U+0301 begins where `e` does, and its bytes are 65 CC 81.

use std::borrow::Cow;
use std::ops::Range;

use super::context_buffer::ContextBuffer;
use super::position::Position;
use crate::diagnostic::{Context, Reporter};
use crate::io::Chunk;
use oxiconv_encodings::codec::Decoder;
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::CodePoint;

/// A character that a stage holds, as a value and not as bytes to read again: its treatment depends on what follows,
/// which may be far away. Bytes that only change the state of an encoding are no character.
#[derive(Debug)]
pub(super) struct HeldCharacter {
    pub(super) cp: CodePoint,
    /// Its place, if that may have to be reported.
    pub(super) place: Option<OwnedPlace>,
}

/// A copy of a place, which outlives its chunk.
#[derive(Clone, Debug)]
pub(super) struct OwnedPlace {
    /// Its offset in the input, in bytes.
    offset: u64,
    position: Position,
    /// Characters before it.
    characters: u64,
    bytes: Vec<u8>,
    /// Its context, if that is to be shown.
    context: Option<Context<'static>>,
}

#[cfg(feature = "transliteration")]
impl OwnedPlace {
    /// A stand-in where no place is ever requested.
    pub(super) const NOWHERE: Self = Self {
        offset: 0,
        position: Position::START,
        characters: 0,
        bytes: Vec::new(),
        context: None,
    };
}

/// Where a character comes from, or several that were read from the same bytes.
pub(super) enum Origin<'o> {
    InChunk(ChunkOrigin<'o>),
    /// Characters that were held; never empty.
    Held(&'o [HeldCharacter]),
}

/// Bytes of the current chunk: those of the engine's next code point, or others.
pub(super) struct ChunkOrigin<'h> {
    pub(super) chunk: Chunk<'h>,
    pub(super) engine: &'h mut dyn Locate,
    pub(super) context: Option<&'h mut ContextBuffer>,
    pub(super) offset: u64,
    pub(super) position: Position,
    /// Characters before it.
    pub(super) characters: u64,
    /// Whether no character comes before it in the text.
    pub(super) starts_text: bool,
    pub(super) bytes: OriginBytes,
}

pub(super) trait Locate {
    /// Returns its bytes in `part`, the bytes that the run begins with, if it can be located.
    fn locate(&mut self, part: &[u8]) -> Option<Range<usize>>;

    /// Returns a decoder in the state after the code point located last.
    fn decoder_after(&self, part: &[u8]) -> Option<Box<dyn Decoder>>;

    /// Returns the decoder. Its state is the one after all bytes read, including those of a held run.
    fn decoder(&self) -> &dyn Decoder;
}

pub(super) enum OriginBytes {
    /// Those of the engine's next code point; its run begins at this byte.
    Next(usize),
    /// These. The decoder is in the state after them; with `None`, the engine's decoder is.
    At(Range<usize>, Option<Box<dyn Decoder>>),
}

pub(super) struct ResolvedPlace<'s> {
    pub(super) offset: u64,
    pub(super) position: Position,
    /// Characters before it.
    pub(super) characters: u64,
    pub(super) bytes: Cow<'s, [u8]>,
    /// Its context, if that is to be shown.
    pub(super) context: Option<Context<'s>>,
}

impl Origin<'_> {
    pub(super) fn resolve(&mut self) -> Option<ResolvedPlace<'_>> {
        match self {
            Self::InChunk(origin) => origin.resolve(),
            Self::Held(held) => joined(held),
        }
    }

    pub(super) fn resolve_owned(&mut self) -> Option<OwnedPlace> {
        let ResolvedPlace { offset, position, characters, bytes, context } = self.resolve()?;
        let context = context.map(Context::into_owned);
        Some(OwnedPlace { offset, position, characters, bytes: bytes.into_owned(), context })
    }

    /// Passes the text before the bytes to a reporter that shows findings in context. What it makes of a finding
    /// depends on the text before it, not on how that was cut into chunks. Only the text of the current chunk is
    /// available here; the text before was passed earlier.
    pub(super) fn show_text_before(
        &mut self,
        reporter: &mut dyn Reporter,
        encoding: &'static Encoding,
    ) {
        let Self::InChunk(origin) = self else { return };
        let Some(start) = origin.locate().map(|range| range.start) else { return };
        if let Some(context) = &mut origin.context {
            context.show_text_before(start, origin.chunk.bytes, origin.offset, reporter, encoding);
        }
    }

    pub(super) fn position(&self) -> Option<Position> {
        match self {
            Self::InChunk(origin) => Some(origin.position),
            Self::Held(held) => held.first()?.place.as_ref().map(|place| place.position),
        }
    }

    pub(super) fn offset(&mut self) -> Option<u64> {
        match self {
            Self::InChunk(origin) => {
                origin.locate().map(|range| origin.offset + range.start as u64)
            }
            Self::Held(held) => held.first()?.place.as_ref().map(|place| place.offset),
        }
    }

    /// Whether no character comes before it in the text.
    pub(super) fn starts_text(&self) -> bool {
        matches!(self, Self::InChunk(origin) if origin.starts_text)
    }
}

impl ChunkOrigin<'_> {
    /// Returns the range in the chunk. A code point is located once; then the result is kept.
    fn locate(&mut self) -> Option<Range<usize>> {
        if let OriginBytes::Next(at) = self.bytes {
            let part = &self.chunk.bytes[at..];
            let range = self.engine.locate(part)?;
            // The engine's decoder is past this code point, so the context needs one in the state after it.
            let after = self.context.as_ref().and_then(|_| self.engine.decoder_after(part));
            self.bytes = OriginBytes::At(at + range.start..at + range.end, after);
        }
        match &self.bytes {
            OriginBytes::At(range, _) => Some(range.clone()),
            OriginBytes::Next(_) => None,
        }
    }

    fn resolve(&mut self) -> Option<ResolvedPlace<'_>> {
        let range = self.locate()?;
        let context = match (&mut self.context, &self.bytes) {
            (Some(context), OriginBytes::At(_, after)) => {
                let decoder = after.as_ref().map_or(self.engine.decoder(), |after| &**after);
                Some(context.gather(decoder.fork(), &self.chunk, &range))
            }
            _ => None,
        };
        Some(ResolvedPlace {
            offset: self.offset + range.start as u64,
            position: self.position,
            characters: self.characters,
            bytes: self.chunk.bytes[range].into(),
            context,
        })
    }
}

/// Returns the common place of held characters, from the first to the last. It begins where the first one does, with
/// the text before that as its context, and the context after it is that of the last one.
fn joined(held: &[HeldCharacter]) -> Option<ResolvedPlace<'_>> {
    let first = held.first()?.place.as_ref()?;
    let last = held.last()?.place.as_ref()?;
    let context = match (&first.context, &last.context) {
        (Some(before), Some(after)) => Some(Context {
            before: before.borrowed().before,
            line_before: before.borrowed().line_before,
            ..after.borrowed()
        }),
        _ => None,
    };
    let OwnedPlace { offset, position, characters, .. } = *first;
    Some(ResolvedPlace { offset, position, characters, bytes: bytes_of(held), context })
}

/// Returns the bytes of held characters, in order. Several characters may come from the same bytes (88 62 of BIG5-HKSCS
/// is U+00CA U+0304); those count once.
fn bytes_of(held: &[HeldCharacter]) -> Cow<'_, [u8]> {
    if let [HeldCharacter { place: Some(place), .. }] = held {
        return Cow::Borrowed(&place.bytes);
    }
    let (mut bytes, mut offset) = (Vec::new(), None);
    for place in held.iter().filter_map(|held| held.place.as_ref()) {
        if offset != Some(place.offset) {
            bytes.extend_from_slice(&place.bytes);
        }
        offset = Some(place.offset);
    }
    bytes.into()
}
