//! The careful path: every character of a run is looked at by itself, for what is denied, or to be told of.

use super::Error;
use super::newlines::{CARRIAGE_RETURN, LINE_FEED, LineEnd};
use super::policy::Detail;
use super::text::{Fault, Text};
use super::transcoder::{Flow, Run, Transcoder};
use crate::codec::Value;
use crate::diagnostic::DeniedKind;
use crate::io::Chunk;
use crate::unicode::{BYTE_ORDER_MARK, CodePoint};

impl Transcoder<'_> {
    /// Puts a run, with a finding for each character that is denied.
    pub(super) fn put_watched(
        &mut self,
        text: &mut Text<'_>,
        chunk: &Chunk<'_>,
        run: &mut Run<'_>,
    ) -> Result<Flow, Error> {
        let each = self.conversion.detail == Detail::Characters;
        let mut done = 0;
        // The line feed that completes a line end, and is none by itself.
        let mut second_half = None;
        if let Some(first) = run.code_points.first() {
            let (completes, flow) = self.settle_return(text, chunk, Some(*first))?;
            if flow != Flow::On {
                return Ok(flow);
            }
            second_half = completes.then_some(0);
        }
        for index in 0..run.code_points.len() {
            let cp = run.code_points[index];
            let mut fault = None;
            if matches!(cp, CARRIAGE_RETURN | LINE_FEED) && second_half != Some(index) {
                let next = run.code_points.get(index + 1).copied();
                match self.line_end(text, cp, next) {
                    LineEnd::Unknown => {
                        if let stop @ Flow::Stop(_) = self.put(text, chunk, run, done..index)? {
                            return Ok(stop);
                        }
                        self.hold_return(text, chunk, run, index);
                        done = index + 1;
                        continue;
                    }
                    LineEnd::Known { both, fault: found } => {
                        second_half = both.then_some(index + 1);
                        fault = found;
                    }
                    LineEnd::Unwatched => {}
                }
            }
            let fault = fault.or_else(|| self.fault_of(text, cp, index));
            let mark = self.conversion.point_out_marks && cp == BYTE_ORDER_MARK;
            if fault.is_none() && !mark && !each {
                continue;
            }
            if let stop @ Flow::Stop(_) = self.put(text, chunk, run, done..index)? {
                return Ok(stop);
            }
            done = index;
            let Some(range) = run.origin.locate(index) else { continue };
            if let Some(context_buffer) = &mut text.context_buffer {
                context_buffer.decoder_after = run.origin.decoder_after();
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
                text.report_character(cp.into(), chunk, range)?;
            }
        }
        self.put(text, chunk, run, done..run.code_points.len())
    }

    /// What is wrong with the code point at `index` of a run by the policy, if anything is.
    fn fault_of(&self, text: &Text<'_>, cp: CodePoint, index: usize) -> Option<Fault> {
        // At the very start it is a byte order mark, whose policy is another one.
        let mark = cp == BYTE_ORDER_MARK && index == 0 && text.is_at_start();
        let why = self.conversion.denied.why(cp.into());
        let kind = why.filter(|kind| !mark || *kind != DeniedKind::Bom)?;
        Some(Fault::denied(kind, Some(cp.into())).stopping(self.conversion.stop_at_denied))
    }

    /// Reports what is denied of the characters as which the ill-formed subsequence at `range` is read.
    pub(super) fn watch_repaired(
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
            text.report_character(value, chunk, range)?;
        }
        Ok(Flow::On)
    }
}
