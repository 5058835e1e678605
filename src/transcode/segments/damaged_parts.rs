//! The layer for parts of a UTF-8 text that were damaged before.
//!
//! ```text
//! convert: ─► sound_to: the next part that is damaged ─► the engine, up to it
//!          ─► convert_damage: a finding, and what was meant
//! ```

use std::ops::Range;

use super::super::exit::Passed;
use super::super::policy::OnMojibake;
use super::super::segment::{Ahead, Segmenter, View};
use super::super::stage::Before;
use super::super::walk::Walk;
use super::damage::{Damages, WINDOW};
use crate::diagnostic::{DeniedKind, Details, Finding, Kind, Mojibake};
use crate::encoding::Encoding;
use crate::io::Chunk;
use crate::mojibake::SURE;
use crate::unicode::CodePoint;

impl Damages {
    /// Returns how much of the chunk before `limit` the engine may convert: up to the first part after byte `at` that is
    /// damaged, or that may be.
    fn sound_to(&mut self, chunk: &Chunk<'_>, base: u64, at: usize, limit: usize) -> usize {
        // Those before are in parts that were read in another encoding.
        while self.found.front().is_some_and(|(range, _)| range.start < base + at as u64) {
            self.found.pop_front();
        }
        loop {
            if let Some((range, _)) = self.found.front() {
                return limit.min((range.start - base) as usize);
            }
            let settled = (self.settled.saturating_sub(base) as usize).max(at);
            if settled >= limit {
                return limit;
            }
            let end = chunk.bytes.len().min(settled + WINDOW);
            let last = chunk.last && end == chunk.bytes.len();
            self.settle(&chunk.bytes[settled..end], base + settled as u64, last);
            if self.settled == base + settled as u64 && self.found.is_empty() {
                return settled;
            }
        }
    }
}

impl Segmenter for Damages {
    fn look<'c>(&mut self, view: &View<'_, 'c>, at: usize, limit: usize) -> Ahead<'c> {
        if view.encoding != Encoding::UTF_8 {
            return Ahead::Clear(limit);
        }
        let sound = self.sound_to(view.chunk, view.base, at, limit);
        match self.found.front() {
            Some((range, _)) if range.start == view.base + at as u64 => {
                let end = (range.end - view.base) as usize;
                if view.has_context(end) { Ahead::Segment(at..end) } else { Ahead::Wait }
            }
            _ => Ahead::Clear(sound),
        }
    }

    /// It overlaps a part in another encoding, as which it is read.
    fn give_up(&mut self) {
        self.found.pop_front();
    }

    fn is_for_one_thread(&self) -> bool {
        true
    }

    /// Reports a damaged part, and writes what was meant if it is to be repaired.
    fn convert(
        &mut self,
        walk: &mut Walk<'_, '_>,
        chunk: &Chunk<'_>,
        range: Range<usize>,
    ) -> Passed<usize> {
        let Some((_, damage)) = self.found.pop_front() else { return Ok(0) };
        let options = &walk.conversion.options;
        let (mode, denied) = (options.on_mojibake, options.denied.has(DeniedKind::Mojibake));
        let repairs = mode != OnMojibake::Ignore;
        // What is not sure stays, unless somebody is there to say that it is right.
        let without_asking = !matches!(mode, OnMojibake::Ignore | OnMojibake::Ask);
        if without_asking && damage.confidence < SURE {
            walk.text.findings.summary.doubtful += 1;
            return Ok(0);
        }
        let kind = match denied && !repairs {
            true => Kind::Denied(DeniedKind::Mojibake),
            false => Kind::Mojibake,
        };
        let stops = denied && !repairs && walk.conversion.stops_at_denied();
        let details = Details::Mojibake(Mojibake::of(&damage));
        let fault = Finding::new(kind).with(details).stopping(stops);
        // What was meant may belong to the letter before it.
        walk.settle(if stops { Before::Break } else { Before::Gap })?;
        walk.report(fault.clone(), chunk, range.clone())?;
        if !repairs || mode == OnMojibake::Ask && !walk.accepts(fault, chunk, &range)? {
            return Ok(0);
        }
        let len = range.len();
        let text = str::from_utf8(&chunk.bytes[range.clone()]).unwrap_or_default();
        let mut meant = Vec::with_capacity(damage.meant.len());
        meant.extend(damage.meant.chars().map(CodePoint::from));
        walk.repaired(chunk, range, &meant)?;
        let mut read = Vec::with_capacity(len);
        read.extend(text.chars().map(CodePoint::from));
        walk.pass(&read);
        walk.text.findings.summary.repaired += 1;
        Ok(len)
    }
}
