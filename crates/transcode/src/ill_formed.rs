//! Iterates over the ill-formed subsequences of a text in memory.

use std::iter::FusedIterator;

use super::direct::DirectPath;
use super::engine::{Engine, EngineInput, EngineStop};
use super::opening::LeadingMark;
use super::pipeline::Pipeline;
use super::position::Position;
use super::target_encoder::TargetEncoder;
use crate::diagnostic::{Finding, Kind};
use oxiconv_encodings::codec::{ByteOrder, MIN_PIVOT};
use oxiconv_encodings::encoding::{Encoding, Mark};
use oxiconv_encodings::unicode::IllFormed;

/// Searches for the next ill-formed subsequence when asked for it.
struct IllFormedIter<'t> {
    text: &'t [u8],
    /// Bytes already examined.
    at: usize,
    position: Position,
    encoding: &'static Encoding,
    engine: Engine,
}

impl<'t> IllFormedIter<'t> {
    fn new(text: &'t [u8], encoding: &'static Encoding) -> Self {
        let whole = LeadingMark::of(encoding, ByteOrder::Big, text, true);
        let LeadingMark { order, mark_len } = whole.unwrap_or_default();
        let mut decoder = encoding.new_decoder(order);
        let mut at = 0;
        if encoding.mark != Mark::Character {
            // A mark is not part of the text, but the decoder must see it: it may change how the rest is decoded, as in
            // BOCU-1.
            decoder.decode(&text[..mark_len], &mut [0; MIN_PIVOT], false);
            at = mark_len;
        }
        let mut engine = Engine::new();
        engine.read_by(decoder, &TargetEncoder::default());
        let encoding = encoding.in_order(order);
        Self { text, at, position: Position::START, encoding, engine }
    }

    fn finding(&self, ill_formed: IllFormed) -> Finding<'t> {
        let end = self.at + ill_formed.len;
        let bytes = &self.text[self.at..end];
        let next = self.text.get(end).copied();
        Finding {
            offset: self.at as u64,
            line: self.position.line,
            column: self.position.column,
            bytes: bytes.into(),
            next: next.filter(|_| self.engine.judges_by_next(bytes)),
            encoding: self.encoding,
            ..Finding::new(Kind::IllFormed(ill_formed.kind))
        }
    }
}

impl<'t> Iterator for IllFormedIter<'t> {
    type Item = Finding<'t>;

    fn next(&mut self) -> Option<Finding<'t>> {
        while self.at < self.text.len() {
            let bytes = &self.text[self.at..];
            let part = EngineInput::all(bytes, true);
            let (mut pipeline, mut target) = (Pipeline::empty(), TargetEncoder::default());
            let advance = self.engine.advance(part, &mut pipeline, &mut target, &mut []);
            self.at += advance.read;
            self.position.pass_all(advance.passed.moved);
            match advance.stop {
                Some(EngineStop::IllFormed(ill_formed)) => {
                    let finding = self.finding(ill_formed);
                    self.at += ill_formed.len;
                    self.position.pass_many(1);
                    return Some(finding);
                }
                Some(EngineStop::Large { len, .. }) => {
                    self.at += len;
                    self.position.pass_many(1);
                }
                // There is no output and no stage, so nothing else stops the engine.
                _ => {}
            }
        }
        None
    }
}

impl FusedIterator for IllFormedIter<'_> {}

/// Returns the ill-formed subsequences of a text, in order: one for each maximal subpart. The iterator is lazy and
/// needs no memory for its findings.
///
/// An unmarked encoding takes its byte order from a mark, and is big-endian without one. Offsets count bytes from the
/// start of `text`, including a mark; columns count characters, without the mark.
///
/// ```
/// # use oxiconv_transcode as oxiconv;
/// use oxiconv::{Encoding, ill_formed};
///
/// let found: Vec<_> = ill_formed(b"a\xFFb\xE2\x82", Encoding::UTF_8)
///     .map(|finding| (finding.kind.id(), finding.offset, finding.bytes.into_owned()))
///     .collect();
/// assert_eq!(found, [("invalid-byte", 1, vec![0xFF]), ("truncated-at-end", 3, vec![0xE2, 0x82])]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[expect(
    clippy::implied_bounds_in_impls,
    reason = "where it is re-exported, only this shows what the items are"
)]
pub fn ill_formed<'t>(
    text: &'t [u8],
    encoding: &'static Encoding,
) -> impl Iterator<Item = Finding<'t>> + FusedIterator + Send + use<'t> {
    IllFormedIter::new(text, encoding)
}

/// Checks that a text is well-formed, at the speed of a kernel if there is one.
///
/// # Errors
///
/// The first ill-formed subsequence, as [`ill_formed`] finds it.
///
/// ```
/// # use oxiconv_transcode as oxiconv;
/// use oxiconv::{Encoding, validate};
///
/// assert!(validate("grün".as_bytes(), Encoding::UTF_8).is_ok());
/// let finding = validate(b"gr\xFCn", Encoding::UTF_8).unwrap_err();
/// assert_eq!((finding.line, finding.column), (1, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[expect(
    clippy::result_large_err,
    reason = "it is returned once a text, and holds nothing on the heap"
)]
pub fn validate<'t>(text: &'t [u8], encoding: &'static Encoding) -> Result<(), Finding<'t>> {
    let mut walk = IllFormedIter::new(text, encoding);
    let rest = &text[walk.at..];
    // Positions are computed only if there is something to report.
    let direct = DirectPath::of(walk.engine.decoder(), None);
    let kernel = direct.as_ref().and_then(DirectPath::kernels);
    if kernel.is_some_and(|kernel| kernel.run(rest, &mut []).read == rest.len()) {
        return Ok(());
    }
    walk.next().map_or(Ok(()), Err)
}
