//! The layer for parts of a UTF-8 text that were damaged before: `Ã©` instead of `é`.
//!
//! ```text
//! convert: ─► sound_to: the next part that is damaged ─► the engine, up to it
//!          ─► convert_damage: a finding, and what was meant
//! ```
//!
//! What is damaged depends only on the text: on the region (`crate::mojibake`), which is in memory as a whole, and on what
//! was learned from the text before it. Text without suspicious characters is passed on at once.

use std::collections::VecDeque;
use std::ops::Range;

use super::conversion::Conversion;
use super::error::Error;
use super::findings::Fault;
use super::policy::OnMojibake;
use super::session::{Flow, Session};
use crate::diagnostic::{DeniedKind, Detail, Kind, Mojibake};
use crate::encoding::Encoding;
use crate::io::Chunk;
use crate::mojibake::{Damage, REGION, Restorer, Suspect, suspect};
use crate::unicode::CodePoint;

/// Bytes that are examined in one go.
const WINDOW: usize = 64 * 1024;

/// What is known of the damage in one input.
pub(super) struct Damages {
    restorer: Restorer,
    /// The offset up to which all damage is known.
    settled: u64,
    /// The damage that is known and not converted yet, with its offsets.
    found: VecDeque<(Range<u64>, Damage)>,
}

impl Damages {
    /// Returns what finds the damage in a text, if that matters to the conversion.
    pub(super) fn of(conversion: &Conversion) -> Option<Self> {
        let options = &conversion.options;
        let matters = options.on_mojibake != OnMojibake::Ignore
            || options.denied.has(DeniedKind::Mojibake)
            || options.detail == Detail::Context;
        let nothing = || Self { restorer: Restorer::default(), settled: 0, found: VecDeque::new() };
        matters.then(nothing)
    }

    /// Examines bytes, which begin at `offset`, as far as that is possible without those after them; `last` says that
    /// there are none.
    fn settle(&mut self, bytes: &[u8], offset: u64, last: bool) {
        let (text, skipped, ends) = match std::str::from_utf8(bytes) {
            Ok(text) => (text, 0, last),
            Err(error) => {
                let valid = &bytes[..error.valid_up_to()];
                let rest = bytes.len() - valid.len();
                let skipped = error.error_len().or(last.then_some(rest));
                let text = std::str::from_utf8(valid).unwrap_or_default();
                (text, skipped.unwrap_or(0), skipped.is_some())
            }
        };
        let settled = self.look(text, offset, ends);
        self.settled = offset + settled as u64;
        if settled == text.len() {
            self.settled += skipped as u64;
        }
    }

    /// Finds the damage in a text, and returns how many bytes of it are settled: all of them if it `ends` here.
    fn look(&mut self, text: &str, offset: u64, ends: bool) -> usize {
        let mut at = 0;
        loop {
            let (clean, is_suspect) = match suspect(self.restorer.last(), &text[at..], ends) {
                Suspect::None(clean) => (clean, false),
                Suspect::At(clean) => (clean, true),
            };
            self.restorer.pass(&text[at..at + clean]);
            at += clean;
            let Some(len) = region(&text[at..], ends).filter(|_| is_suspect) else { return at };
            let start = offset + at as u64;
            for damage in self.restorer.look(&text[at..at + len]) {
                let range = start + damage.range.start as u64..start + damage.range.end as u64;
                self.found.push_back((range, damage));
            }
            at += len;
        }
    }
}

/// Returns the length of the region at the start of `text`, which goes to the end of its line; `None` if that depends on
/// what follows the text.
fn region(text: &str, ends: bool) -> Option<usize> {
    let most = &text.as_bytes()[..text.len().min(REGION)];
    match memchr::memchr(b'\n', most) {
        Some(end) => Some(end),
        None if text.len() <= REGION => ends.then_some(text.len()),
        None => {
            let blank = memchr::memrchr(b' ', most).filter(|at| *at > 0);
            Some(blank.unwrap_or_else(|| text.floor_char_boundary(REGION)))
        }
    }
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
    pub(super) fn next_damage(&mut self, at: usize) -> Option<(Range<usize>, Damage)> {
        let base = self.text.offset;
        let damages = self.text.damages.as_mut()?;
        let is_next = |(range, _): &&(Range<u64>, Damage)| range.start == base + at as u64;
        damages.found.front().filter(is_next)?;
        let (range, damage) = damages.found.pop_front()?;
        Some((at..at + (range.end - range.start) as usize, damage))
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
        if let stop @ Flow::Stop(_) = self.settle_undecided(chunk, None)? {
            return Ok((0, stop));
        }
        // What was meant may belong to the letter before it.
        if !(repairs && self.normalizes())
            && let stop @ Flow::Stop(_) = self.settle_held(chunk)?
        {
            return Ok((0, stop));
        }
        let kind = match denied && !repairs {
            true => Kind::Denied(DeniedKind::Mojibake),
            false => Kind::Mojibake,
        };
        let stops = denied && !repairs && self.conversion.stops_at_denied();
        let fault = Fault::new(kind).meaning(Mojibake::of(damage)).stopping(stops);
        self.report(fault, chunk, range.clone())?;
        if stops {
            return Ok((0, Flow::Stop(range.start)));
        }
        if !repairs || mode == OnMojibake::Ask && !self.accepts(fault, chunk, &range)? {
            return Ok((0, Flow::On));
        }
        let len = range.len();
        let text = String::from_utf8_lossy(&chunk.bytes[range.clone()]);
        let meant: Vec<CodePoint> = damage.meant.chars().map(CodePoint::from).collect();
        if let stop @ Flow::Stop(_) = self.repaired(chunk, range, &meant)? {
            return Ok((0, stop));
        }
        let read: Vec<CodePoint> = text.chars().map(CodePoint::from).collect();
        self.pass(&read);
        self.text.findings.summary.repaired += 1;
        Ok((len, Flow::On))
    }
}
