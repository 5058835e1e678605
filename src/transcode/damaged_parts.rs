//! The layer for parts of a UTF-8 text that were damaged before.
//!
//! ```text
//! convert: ─► sound_to: the next part that is damaged ─► the engine, up to it
//!          ─► convert_damage: a finding, and what was meant
//! ```

use std::ops::Range;

use super::damage::WINDOW;
use super::error::Error;
use super::policy::OnMojibake;
use super::session::{Flow, Session};
use crate::diagnostic::{DeniedKind, Details, Finding, Kind, Mojibake};
use crate::encoding::Encoding;
use crate::io::Chunk;
use crate::mojibake::{Damage, SURE};
use crate::unicode::CodePoint;

/// What is known of a damaged part.
pub(super) enum NextDamage {
    /// Nothing is damaged here.
    None,
    /// It overlaps a part in another encoding, as which it is read.
    Overlaps,
    /// Whether it does is not known before more of the text is.
    Unknown,
    /// It is here.
    At(Range<usize>, Damage),
}

impl Session<'_, '_> {
    /// Returns how much of the chunk before `limit` the engine may convert: up to the first part after byte `at` that is
    /// damaged, or that may be.
    pub(super) fn sound_to(&mut self, chunk: &Chunk<'_>, at: usize, limit: usize) -> usize {
        let base = self.text.offset;
        let Some(damages) = &mut self.text.damages else { return limit };
        if self.text.findings.encoding != Encoding::UTF_8 {
            return limit;
        }
        // Those before are in parts that were read in another encoding.
        while damages.found.front().is_some_and(|(range, _)| range.start < base + at as u64) {
            damages.found.pop_front();
        }
        loop {
            if let Some((range, _)) = damages.found.front() {
                return limit.min((range.start - base) as usize);
            }
            let settled = (damages.settled.saturating_sub(base) as usize).max(at);
            if settled >= limit {
                return limit;
            }
            let end = chunk.bytes.len().min(settled + WINDOW);
            let last = chunk.last && end == chunk.bytes.len();
            damages.settle(&chunk.bytes[settled..end], base + settled as u64, last);
            if damages.settled == base + settled as u64 && damages.found.is_empty() {
                return settled;
            }
        }
    }

    /// Takes the damaged part at byte `at` of the chunk, if there is one.
    pub(super) fn next_damage(&mut self, chunk: &Chunk<'_>, at: usize) -> NextDamage {
        let base = self.text.offset;
        let is_next = |(range, _): &&(Range<u64>, Damage)| range.start == base + at as u64;
        let found = self.text.damages.as_mut().map(|damages| &mut damages.found);
        let Some(found) = found.filter(|found| found.front().filter(is_next).is_some()) else {
            return NextDamage::None;
        };
        let Some((range, damage)) = found.pop_front() else { return NextDamage::None };
        let end = at + (range.end - range.start) as usize;
        if self.clean_to(chunk, at, end) == end && self.has_context(chunk, end) {
            return NextDamage::At(at..end, damage);
        }
        let part = self.text.mixture.as_ref().and_then(|mixture| mixture.parts.front());
        if part.is_some_and(|part| part.start < range.end) {
            return NextDamage::Overlaps;
        }
        if let Some(damages) = &mut self.text.damages {
            damages.found.push_front((range, damage));
        }
        NextDamage::Unknown
    }

    /// Reports a damaged part of the chunk, and writes what was meant if it is to be repaired. Returns how many bytes are
    /// converted: all of it, or none.
    pub(super) fn convert_damage(
        &mut self,
        chunk: &Chunk<'_>,
        range: Range<usize>,
        damage: &Damage,
    ) -> Result<(usize, Flow), Error> {
        let options = &self.conversion.options;
        let (mode, denied) = (options.on_mojibake, options.denied.has(DeniedKind::Mojibake));
        let repairs = mode != OnMojibake::Ignore;
        // What is not sure stays, unless somebody is there to say that it is right.
        let without_asking = !matches!(mode, OnMojibake::Ignore | OnMojibake::Ask);
        if without_asking && damage.confidence < SURE {
            self.text.findings.summary.doubtful += 1;
            return Ok((0, Flow::On));
        }
        if let stop @ Flow::Stop(_) = self.settle_undecided(None)? {
            return Ok((0, stop));
        }
        // What was meant may belong to the letter before it.
        if !(repairs && self.normalizes())
            && let stop @ Flow::Stop(_) = self.settle_held()?
        {
            return Ok((0, stop));
        }
        let kind = match denied && !repairs {
            true => Kind::Denied(DeniedKind::Mojibake),
            false => Kind::Mojibake,
        };
        let stops = denied && !repairs && self.conversion.stops_at_denied();
        let details = Details::Mojibake(Mojibake::of(damage));
        let fault = Finding::new(kind).with(details).stopping(stops);
        self.report(fault.clone(), chunk, range.clone())?;
        if stops {
            return Ok((0, Flow::Stop(range.start)));
        }
        if !repairs || mode == OnMojibake::Ask && !self.accepts(fault, chunk, &range)? {
            return Ok((0, Flow::On));
        }
        let len = range.len();
        let text = str::from_utf8(&chunk.bytes[range.clone()]).unwrap_or_default();
        let mut meant = Vec::with_capacity(damage.meant.len());
        meant.extend(damage.meant.chars().map(CodePoint::from));
        if let stop @ Flow::Stop(_) = self.repaired(chunk, range, &meant)? {
            return Ok((0, stop));
        }
        let mut read = Vec::with_capacity(len);
        read.extend(text.chars().map(CodePoint::from));
        self.pass(&read);
        self.text.findings.summary.repaired += 1;
        Ok((len, Flow::On))
    }
}
