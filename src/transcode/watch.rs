//! The careful road: every character of a run is looked at by itself, for what is denied, or to be told of.

use super::Error;
use super::denied::Newline;
use super::policy::Detail;
use super::text::{Fault, Text};
use super::transcoder::{Flow, Run, Transcoder};
use crate::codec::{DecodeStop, Decoded, Decoder, MIN_PIVOT, Value};
use crate::diagnostic::DeniedKind;
use crate::io::Chunk;
use crate::unicode::{BYTE_ORDER_MARK, CodePoint};

const CARRIAGE_RETURN: CodePoint = 0x0D;

/// What stands behind a run.
enum Behind {
    Character(CodePoint),
    /// The end, or what is no character.
    None,
    /// What is still to be read.
    Unknown,
}

impl Transcoder<'_> {
    /// Puts a run, which ends before byte `end` of the chunk, with a word on each character of which there is one.
    pub(super) fn put_watched(
        &mut self,
        text: &mut Text<'_>,
        chunk: &Chunk<'_>,
        run: &mut Run<'_>,
        end: usize,
    ) -> Result<Flow, Error> {
        let each = self.conversion.detail == Detail::Characters;
        let mut done = 0;
        for index in 0..run.code_points.len() {
            let cp = run.code_points[index];
            let fault = self.fault_of(text, chunk, run.code_points, index, end);
            let mark = self.conversion.point_out_marks && cp == BYTE_ORDER_MARK;
            if fault.is_none() && !mark && !each {
                continue;
            }
            if let stop @ Flow::Stop(_) = self.put(text, chunk, run, done..index)? {
                return Ok(stop);
            }
            done = index;
            let Some(range) = run.origin.locate(index) else { continue };
            if let Some(surroundings) = &mut text.surroundings {
                surroundings.behind = run.origin.behind();
            }
            if let Some(fault) = fault {
                text.report(fault, chunk, range.clone())?;
                if self.conversion.stop_at_denied {
                    return Ok(Flow::Stop(range.start));
                }
            } else if mark {
                text.note_mark(chunk, Some(range.clone()))?;
            }
            if each {
                text.tell(cp.into(), chunk, range)?;
            }
        }
        self.put(text, chunk, run, done..run.code_points.len())
    }

    /// What is wrong with the code point at `index` of a run by the policy, if anything is.
    fn fault_of(
        &self,
        text: &mut Text<'_>,
        chunk: &Chunk<'_>,
        run: &[CodePoint],
        index: usize,
        end: usize,
    ) -> Option<Fault> {
        let (cp, value) = (run[index], Value::from(run[index]));
        let stops = self.conversion.stop_at_denied;
        // At the very start it is a byte order mark, whose policy is another one.
        let mark = cp == BYTE_ORDER_MARK && index == 0 && text.is_at_start();
        let why =
            self.conversion.denied.why(value).filter(|kind| !mark || *kind != DeniedKind::Bom);
        if let Some(newlines) = &mut text.newlines {
            let next = (cp == CARRIAGE_RETURN).then(|| {
                run.get(index + 1).copied().or_else(|| match behind(&*text.decoder, chunk, end) {
                    Behind::Character(cp) => Some(cp),
                    Behind::None | Behind::Unknown => None,
                })
            });
            if let Some(newline) = newlines.look(cp, next.flatten()) {
                let value = Newline::value(newline);
                return Some(Fault::denied(DeniedKind::MixedNewlines, value).stopping(stops));
            }
        }
        why.map(|kind| Fault::denied(kind, Some(value)).stopping(stops))
    }

    /// Reports what is denied of the characters as which the ill-formed subsequence at `range` is read.
    pub(super) fn watch_mended(
        &self,
        text: &mut Text<'_>,
        chunk: &Chunk<'_>,
        range: &std::ops::Range<usize>,
        characters: &[CodePoint],
    ) -> Result<Flow, Error> {
        let denied = |cp: &CodePoint| Some((self.conversion.denied.why((*cp).into())?, *cp));
        let Some((kind, cp)) = characters.iter().find_map(denied) else { return Ok(Flow::On) };
        let stops = self.conversion.stop_at_denied;
        let fault = Fault::denied(kind, Some(cp.into())).stopping(stops);
        text.report(fault, chunk, range.clone())?;
        Ok(if stops { Flow::Stop(range.start) } else { Flow::On })
    }

    /// Reports a character that no run can hold where it is denied, and tells of it where that is wanted.
    pub(super) fn watch_large(
        &self,
        text: &mut Text<'_>,
        chunk: &Chunk<'_>,
        range: std::ops::Range<usize>,
        value: Value,
    ) -> Result<Flow, Error> {
        if let Some(kind) = self.conversion.denied.why(value) {
            let stops = self.conversion.stop_at_denied;
            text.report(Fault::denied(kind, Some(value)).stopping(stops), chunk, range.clone())?;
            if stops {
                return Ok(Flow::Stop(range.start));
            }
        }
        if self.conversion.detail == Detail::Characters {
            text.tell(value, chunk, range)?;
        }
        Ok(Flow::On)
    }
}

/// Leaves a carriage return at the end of what was decoded, from byte `at` of the chunk on, for later: whether a line
/// feed follows must be known. `None` where there is no need to.
pub(super) fn hold_return(
    text: &mut Text<'_>,
    chunk: &Chunk<'_>,
    at: usize,
    before: &dyn Decoder,
    pivot: &mut [CodePoint],
    decoded: Decoded,
) -> Option<Decoded> {
    text.newlines?;
    let last = decoded.written.checked_sub(1)?;
    let end = at + decoded.read;
    if pivot[last] != CARRIAGE_RETURN
        || !matches!(decoded.stop, DecodeStop::InputEmpty | DecodeStop::OutputFull)
        || !matches!(behind(&*text.decoder, chunk, end), Behind::Unknown)
    {
        return None;
    }
    text.decoder = before.fork();
    let mut again = text.decoder.decode(&chunk.bytes[at..end], &mut pivot[..last], false);
    again.stop = DecodeStop::InputEmpty;
    Some(again)
}

/// What stands at byte `at` of the chunk, to which `decoder` has come.
fn behind(decoder: &dyn Decoder, chunk: &Chunk<'_>, at: usize) -> Behind {
    let mut room = [0; MIN_PIVOT];
    let decoded = decoder.fork().decode(&chunk.bytes[at..], &mut room, chunk.last);
    match decoded.stop {
        _ if decoded.written > 0 => Behind::Character(room[0]),
        DecodeStop::InputEmpty if !chunk.last => Behind::Unknown,
        _ => Behind::None,
    }
}
