//! Finds the damage in a text, and what it was.

use std::ops::Range;

use super::sequences::{Sequence, sequences};
use super::tables::{COUNT, Set};
use super::weigh::Scale;
use crate::encoding::Encoding;
use crate::unicode::CodePoint;

/// Bytes of text after which a region ends at the next space, or after as many again at any character.
pub const REGION: usize = 4096;

/// Characters on both sides of damage that it is judged by.
const AROUND: usize = 24;
/// Layers that are removed at most.
const LAYERS: u32 = 6;
/// Bits that damage costs: how much rarer it is than sound text.
const DAMAGED: f32 = 8.0;
/// Bits by which a reading must be cheaper.
const CLEARLY: f32 = 6.0;

/// A damaged part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// The text that was meant.
    pub meant: String,
    /// The encoding that its bytes were in.
    pub written_in: &'static Encoding,
    /// The charset that they were read in by mistake; the last one, if there were several.
    pub read_as: &'static Encoding,
    /// How many times.
    pub times: u32,
    /// How sure this is, in percent.
    pub confidence: u8,
}

/// Finds the damage in one text, region by region.
pub struct Restorer {
    scale: Scale,
    /// What makes damage by a charset likelier: bits of it found so far.
    support: [f32; COUNT],
    /// The characters before the next region.
    before: Vec<CodePoint>,
}

impl Default for Restorer {
    fn default() -> Self {
        Self { scale: Scale::new(), support: [0.0; COUNT], before: Vec::new() }
    }
}

/// A reading of a cluster.
#[derive(Clone, Debug)]
struct Candidate {
    /// What it costs with the words around it, in bits.
    cost: f32,
    text: Vec<CodePoint>,
    /// The charsets, the last mistake first.
    sets: Vec<Set>,
}

impl Restorer {
    /// Learns from text that is sound, before the next region.
    pub fn learn(&mut self, text: &str) {
        let cps: Vec<_> = text.chars().map(CodePoint::from).collect();
        self.scale.learn(&cps);
    }

    /// Learns the text before the next region.
    pub fn pass(&mut self, text: &str) {
        let start = text.char_indices().rev().nth(AROUND).map_or(0, |(at, _)| at);
        self.before.extend(text[start..].chars().map(CodePoint::from));
        let excess = self.before.len().saturating_sub(AROUND);
        self.before.drain(..excess);
    }

    /// Returns the damaged parts of a region.
    pub fn look(&mut self, region: &str) -> Vec<Damage> {
        let mut text = std::mem::take(&mut self.before);
        let own = text.len();
        text.extend(region.chars().map(CodePoint::from));
        let clusters = clusters(&text, own);
        // What is sure first: it makes the same damage likelier in the rest.
        let mut found: Vec<Option<(Candidate, f32)>> = vec![None; clusters.len()];
        for _ in 0..2 {
            for (cluster, found) in clusters.iter().zip(&mut found) {
                if found.is_none() {
                    *found = self.judge(&text, cluster);
                }
            }
        }
        let mut offsets: Vec<usize> = region.char_indices().map(|(at, _)| at).collect();
        offsets.push(region.len());
        let damages = clusters.iter().zip(found).filter_map(|(cluster, found)| {
            let (candidate, gain) = found?;
            let before = &text[cluster.clone()];
            let after = &candidate.text;
            let same = |(one, two): &(&CodePoint, &CodePoint)| one == two;
            let front = before.iter().zip(after).take_while(same).count();
            let (before, after) = (&before[front..], &after[front..]);
            let back = before.iter().rev().zip(after.iter().rev()).take_while(same).count();
            let range = cluster.start + front - own..cluster.end - back - own;
            let after = &after[..after.len() - back];
            Some(Damage {
                range: offsets[range.start]..offsets[range.end],
                meant: after.iter().filter_map(|cp| char::from_u32(*cp)).collect(),
                written_in: Encoding::UTF_8,
                read_as: candidate.sets[0].encoding(),
                times: candidate.sets.len() as u32,
                confidence: confidence(gain),
            })
        });
        let damages: Vec<_> = damages.collect();
        // What follows is judged by what was meant.
        let mut at = 0;
        let mut passed = String::new();
        for damage in &damages {
            passed.push_str(&region[at..damage.range.start]);
            passed.push_str(&damage.meant);
            at = damage.range.end;
        }
        passed.push_str(&region[at..]);
        self.pass(&passed);
        damages
    }

    /// Returns what a cluster of `text` was, with the bits gained, if it is damaged.
    fn judge(&mut self, text: &[CodePoint], cluster: &Range<usize>) -> Option<(Candidate, f32)> {
        let is_blank = |cp: &&CodePoint| **cp > 0x20;
        let left = text[..cluster.start].iter().rev().take(AROUND).take_while(is_blank).count();
        let right = text[cluster.end..].iter().take(AROUND).take_while(is_blank).count();
        let before = &text[cluster.start - left..cluster.start];
        let after = &text[cluster.end..cluster.end + right];
        let own = &text[cluster.clone()];
        let raw = self.scale.cost(&joined(before, own, after));
        let best = self.best(before, own, after, 0)?;
        let gain = raw - best.cost;
        #[cfg(debug_assertions)]
        if std::env::var_os("OX_TRACE").is_some() {
            let show = |cps: &[CodePoint]| -> String { cps.iter().filter_map(|cp| char::from_u32(*cp)).collect() };
            eprintln!("{:?} {raw} -> {:?} {} {:?} gain {gain}", show(&joined(before, own, after)), show(&best.text), best.cost, best.sets);
        }
        if gain < CLEARLY {
            return None;
        }
        for set in &best.sets {
            self.support[usize::from(set.0)] += gain;
        }
        Some((best, gain))
    }

    /// Returns the cheapest reading of damaged text.
    fn best(
        &mut self,
        before: &[CodePoint],
        own: &[CodePoint],
        after: &[CodePoint],
        layers: u32,
    ) -> Option<Candidate> {
        let mut seen: Vec<Vec<CodePoint>> = Vec::new();
        let mut best: Option<Candidate> = None;
        for set in Set::all() {
            let found = sequences(own, set);
            if found.is_empty() {
                continue;
            }
            let text = self.read(before, own, after, &found);
            if seen.contains(&text) {
                continue;
            }
            let penalty = self.penalty(set, layers);
            let cost = self.scale.cost(&joined(before, &text, after)) + penalty;
            let mut candidate = Candidate { cost, text, sets: vec![set] };
            if layers + 1 < LAYERS
                && let Some(deeper) = self.best(before, &candidate.text, after, layers + 1)
                && deeper.cost + penalty < candidate.cost
            {
                candidate.cost = deeper.cost + penalty;
                candidate.sets.extend(deeper.sets);
                seen.push(std::mem::replace(&mut candidate.text, deeper.text));
            } else {
                seen.push(candidate.text.clone());
            }
            if best.as_ref().is_none_or(|best| candidate.cost < best.cost) {
                best = Some(candidate);
            }
        }
        best
    }

    /// Returns what it costs that a text was read in a charset by mistake.
    fn penalty(&self, set: Set, layers: u32) -> f32 {
        let support = self.support[usize::from(set.0)];
        let penalty = if layers == 0 { DAMAGED } else { DAMAGED / 2.0 } + set.rarity();
        penalty - (support / 8.0).min(penalty - 1.0)
    }

    /// Returns the text with these sequences read.
    fn read(
        &mut self,
        before: &[CodePoint],
        own: &[CodePoint],
        after: &[CodePoint],
        found: &[Sequence],
    ) -> Vec<CodePoint> {
        let mut text = Vec::with_capacity(own.len());
        let mut at = 0;
        for (index, sequence) in found.iter().enumerate() {
            text.extend_from_slice(&own[at..sequence.range.start]);
            at = sequence.range.end;
            let mut readings = sequence.readings.iter();
            let Some(mut reading) = readings.next() else { continue };
            if sequence.readings.len() > 1 {
                // The next sequence as usual, and some characters more.
                let mut rest = Vec::new();
                let mut from = at;
                for next in found[index + 1..].iter().take(2) {
                    rest.extend_from_slice(&own[from..next.range.start]);
                    rest.push(next.readings[0].cp);
                    from = next.range.end;
                }
                rest.extend(own[from..].iter().chain(after).take(6));
                let near: Vec<_> = before.iter().chain(&text).copied().collect();
                let near = &near[near.len().saturating_sub(8)..];
                let mut cost = |reading: &super::sequences::Reading| {
                    let space = reading.keeps_space.then_some(0x20);
                    let own: Vec<_> = [reading.cp].into_iter().chain(space).collect();
                    self.scale.cost(&joined(near, &own, &rest))
                };
                let mut least = cost(reading);
                for other in readings {
                    let cost = cost(other);
                    if cost < least {
                        (reading, least) = (other, cost);
                    }
                }
            }
            text.push(reading.cp);
            if reading.keeps_space {
                text.push(0x20);
            }
        }
        text.extend_from_slice(&own[at..]);
        text
    }
}

fn joined(before: &[CodePoint], own: &[CodePoint], after: &[CodePoint]) -> Vec<CodePoint> {
    [before, own, after].concat()
}

fn confidence(gain: f32) -> u8 {
    (100.0 * (1.0 - (-gain / 6.0).exp2())) as u8
}

/// Returns the parts of a text from `from` on that may be damaged: sequences in any charset, joined if they are in one
/// word.
fn clusters(text: &[CodePoint], from: usize) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Set::all()
        .flat_map(|set| sequences(&text[from..], set))
        .map(|sequence| from + sequence.range.start..from + sequence.range.end)
        .collect();
    ranges.sort_unstable_by_key(|range| (range.start, range.end));
    let mut clusters: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match clusters.last_mut() {
            Some(last)
                if range.start <= last.end
                    || text[last.end..range.start].iter().all(|cp| *cp > 0x20) =>
            {
                last.end = last.end.max(range.end);
            }
            _ => clusters.push(range),
        }
    }
    clusters
}
