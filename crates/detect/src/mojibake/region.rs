//! A region of text in parts: where it may be damaged, what is between these places, and what it becomes.

use std::ops::Range;

use super::controls::{self, NEL};
use super::damage::Damage;
use super::double_byte::{DoubleByteCharset, Ideographs};
use super::mistake::{Mistake, PartReading};
use super::restorer::{JudgedPart, percent};
use super::sequences::{is_lost, places};
use super::suspect_part::is_near;
use oxiconv_encodings::unicode::CodePoint;

/// If UTF-8 explains all of a region and saves this many bits, no other charset is tried. That would take the readings
/// of every word in every charset.
const EXPLAINED: f32 = 80.0;

/// Returns the parts of a text, from `from` on, that may be damaged: sequences in any charset, joined if only letters
/// and digits are between them.
pub(super) fn clusters(text: &[CodePoint], from: usize) -> Vec<Range<usize>> {
    let mut ranges = places(text, from);
    let ends_lines = controls::ends_lines(text, from);
    let count = ranges.len();
    for set in DoubleByteCharset::all() {
        let found = set.sequences(&text[from..]);
        ranges.extend(found.iter().map(|it| from + it.range.start..from + it.range.end));
    }
    ranges.extend(controls::places(text, from));
    if ranges.len() > count {
        ranges.sort_unstable_by_key(|range| (range.start, range.end));
    }
    let joins = |cp: &CodePoint| is_near(*cp) && !(ends_lines && *cp == NEL);
    let mut clusters: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match clusters.last_mut() {
            Some(last)
                if range.start <= last.end || text[last.end..range.start].iter().all(joins) =>
            {
                last.end = last.end.max(range.end);
            }
            _ => clusters.push(range),
        }
    }
    clusters
}

/// Whether all characters beyond ASCII, from `from` on, are in clusters that are damaged beyond doubt.
pub(super) fn is_all_found(
    text: &[CodePoint],
    from: usize,
    clusters: &[Range<usize>],
    found: &[JudgedPart],
) -> bool {
    let gain: f32 = found.iter().flatten().map(|found| found.1).sum();
    gain >= EXPLAINED
        && found.iter().all(Option::is_some)
        && outside(text, from, clusters).all(|text| text.iter().all(|cp| *cp < 0x80))
}

/// Returns the parts of a text between clusters, from `from` on.
pub(super) fn outside<'t>(
    text: &'t [CodePoint],
    from: usize,
    clusters: &[Range<usize>],
) -> impl Iterator<Item = &'t [CodePoint]> {
    let ends = clusters.iter().map(|cluster| cluster.end);
    let starts = clusters.iter().map(|cluster| cluster.start).chain([text.len()]);
    [from].into_iter().chain(ends).zip(starts).map(|(end, start)| &text[end..start])
}

/// Whether two lowercase words of a line of such words end in the same ideograph, as words of a language do: `r锚 dan
/// barbar ku wijdana mirovhiy锚` is Kurdish, with ê. Then an ideograph at the end of a word is damage.
pub(super) fn repeats_ending(text: &[CodePoint], from: usize, clusters: &[Range<usize>]) -> bool {
    const MIN_LETTERS: usize = 4;
    const MIN_WORDS: usize = 3;
    let is_small = |cp: &CodePoint| (0x61..=0x7A).contains(cp);
    let ending = |cluster: &Range<usize>| {
        let letters = text[..cluster.start].iter().rev().take_while(|cp| is_small(cp)).count();
        let begins = !text[..cluster.start - letters].last().is_some_and(|cp| is_near(*cp));
        let ends = !text.get(cluster.end).is_some_and(|cp| is_near(*cp));
        let [ideograph] = text[cluster.clone()] else { return None };
        (letters > 0 && begins && ends).then_some((ideograph, letters))
    };
    let endings: Vec<_> = clusters.iter().filter_map(ending).collect();
    let is_repeated = |ideograph| endings.iter().filter(|it| it.0 == ideograph).count() > 1;
    let words = || text[from..].split(|cp| *cp <= 0x20);
    let is_plain = |word: &&[CodePoint]| word.len() > 1 && word.iter().all(is_small);
    endings.iter().any(|(ideograph, letters)| *letters >= MIN_LETTERS && is_repeated(*ideograph))
        && words().filter(is_plain).count() >= MIN_WORDS
}

/// Returns where the ideographs of a part are, if it was judged to be UTF-8 read in a charset that has them.
pub(super) fn ideographs(
    text: &[CodePoint],
    cluster: &Range<usize>,
    candidate: &PartReading,
) -> Option<Ideographs> {
    let Some(Mistake::DoubleByte(set)) = candidate.mistakes.first() else { return None };
    Some(Ideographs::of(*set, text, cluster))
}

/// Whether a reading has what is left of a character that lost a byte.
pub(super) fn has_lost_byte(reading: &PartReading) -> bool {
    reading.text.iter().any(|cp| is_lost(*cp))
}

/// Returns a text with the parts that are repaired, and the ranges of all parts in it.
pub(super) fn repaired_line(
    text: &[CodePoint],
    clusters: &[Range<usize>],
    found: &[JudgedPart],
) -> (Vec<CodePoint>, Vec<Range<usize>>) {
    let (mut line, mut ranges, mut at) = (Vec::with_capacity(text.len()), Vec::new(), 0);
    for (cluster, found) in clusters.iter().zip(found) {
        line.extend_from_slice(&text[at..cluster.start]);
        let start = line.len();
        match found {
            Some(found) if !has_lost_byte(&found.0) => line.extend_from_slice(&found.0.text),
            _ => line.extend_from_slice(&text[cluster.clone()]),
        }
        ranges.push(start..line.len());
        at = cluster.end;
    }
    line.extend_from_slice(&text[at..]);
    (line, ranges)
}

/// Returns what is reported of the parts that were found. The region begins at `from`.
pub(super) fn damages(
    text: &[CodePoint],
    from: usize,
    clusters: &[Range<usize>],
    found: &[JudgedPart],
    sureness: &[f32],
) -> Vec<Damage> {
    // Converts indices of characters to byte offsets in the region. The indices come in ascending order, so the
    // state of the closure moves forward and every character is measured once.
    let mut place = (0, 0);
    let mut offset = |number: usize| {
        let passed = &text[from + place.0..from + number];
        let len = |cp: &CodePoint| char::from_u32(*cp).map_or(0, char::len_utf8);
        place = (number, place.1 + passed.iter().map(len).sum::<usize>());
        place.1
    };
    let damages = clusters.iter().zip(found).zip(sureness).filter_map(|(found, sureness)| {
        let (cluster, Some(found)) = found else { return None };
        let (candidate, _) = &**found;
        let before = &text[cluster.clone()];
        let after = &candidate.text;
        let same = |(one, two): &(&CodePoint, &CodePoint)| one == two;
        // A cluster is whole words, but most letters of a word are kept as they are. Only what the reading changes
        // is reported, so the common prefix and suffix are cut off.
        let front = before.iter().zip(after).take_while(same).count();
        let (before, after) = (&before[front..], &after[front..]);
        let back = before.iter().rev().zip(after.iter().rev()).take_while(same).count();
        let range = cluster.start + front - from..cluster.end - back - from;
        let after = &after[..after.len() - back];
        let mut meant = String::with_capacity(3 * after.len());
        meant.extend(after.iter().filter_map(|cp| char::from_u32(*cp)));
        Some(Damage {
            range: offset(range.start)..offset(range.end),
            meant,
            written_in: candidate.mistakes[candidate.mistakes.len() - 1].encodings().0,
            read_as: candidate.mistakes[0].encodings().1,
            times: candidate.layers().max(1) as u32,
            confidence: percent(*sureness),
        })
    });
    damages.collect()
}
