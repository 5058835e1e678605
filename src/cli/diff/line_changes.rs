//! Which lines of two texts differ.
//!
//! A conversion keeps the order of lines. So if both texts have the same number of lines, each line was made of the one
//! in the same place, however many of them changed, and comparing them takes linear time and hardly any memory. The
//! numbers differ if line ends change, such as the CR of an old Mac. Then the lines that both texts have in common are
//! searched for.

use std::ops::Range;

use gix_imara_diff::{Algorithm, Diff, Token};

use crate::cli::digests::{DigestCollector, Digester};

/// The most lines in which common ones are searched for, of both texts together, without those at the start and the end
/// that are the same. Each takes some tens of bytes. If there are more, all of them count as changed.
const MAX_SEARCHED: usize = 1 << 19;

/// For each line of two texts, whether it is only in that one. All other lines are in both, in the same order.
pub(super) struct LineChanges {
    pub(super) removed: Vec<bool>,
    pub(super) added: Vec<bool>,
}

/// Lines of the old text in place of which the new one has others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LineChange {
    pub(super) old: Range<usize>,
    pub(super) new: Range<usize>,
}

/// Takes the first line of a text, with its line feed if it has one.
// These two are called from many places, and each copy would make the program larger.
#[inline(never)]
pub(super) fn take_line<'t>(text: &mut &'t [u8]) -> &'t [u8] {
    let end = memchr::memchr(b'\n', text).map_or(text.len(), |at| at + 1);
    let (line, rest) = text.split_at(end);
    *text = rest;
    line
}

#[inline(never)]
fn count_lines(mut text: &[u8]) -> usize {
    let mut count = 0;
    while !take_line(&mut text).is_empty() {
        count += 1;
    }
    count
}

/// Returns the last lines of two texts that are the same, as far as that is seen without searching for line starts: the
/// first of them may be left out.
fn common_end<'t>(old: &'t [u8], new: &[u8]) -> &'t [u8] {
    let same = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    let mut end = &old[old.len() - same..];
    take_line(&mut end);
    end
}

impl LineChanges {
    pub(super) fn between(mut old: &[u8], mut new: &[u8]) -> Self {
        let [old_lines, new_lines] = [old, new].map(count_lines);
        let mut changes = Self { removed: vec![false; old_lines], added: vec![false; new_lines] };
        let mut before = 0;
        while before < old_lines.min(new_lines) {
            let (mut old_rest, mut new_rest) = (old, new);
            if take_line(&mut old_rest) != take_line(&mut new_rest) {
                break;
            }
            (old, new, before) = (old_rest, new_rest, before + 1);
        }
        let end = common_end(old, new);
        let after = count_lines(end);
        let removed = &mut changes.removed[before..old_lines - after];
        let added = &mut changes.added[before..new_lines - after];
        let [mut old, mut new] = [old, new].map(|text| &text[..text.len() - end.len()]);
        if removed.len() == added.len() {
            for (removed, added) in removed.iter_mut().zip(added) {
                *removed = take_line(&mut old) != take_line(&mut new);
                *added = *removed;
            }
        } else if removed.len() + added.len() > MAX_SEARCHED {
            removed.fill(true);
            added.fill(true);
        } else {
            search(old, new, removed, added);
        }
        changes
    }

    /// Returns the first change from these lines on, which must be the same or be changed.
    pub(super) fn next(&self, mut old: usize, mut new: usize) -> Option<LineChange> {
        while self.removed.get(old) == Some(&false) && self.added.get(new) == Some(&false) {
            (old, new) = (old + 1, new + 1);
        }
        let end = |changed: &[bool], start: usize| {
            start + changed[start..].iter().take_while(|changed| **changed).count()
        };
        let change =
            LineChange { old: old..end(&self.removed, old), new: new..end(&self.added, new) };
        (!change.old.is_empty() || !change.new.is_empty()).then_some(change)
    }
}

/// Searches for lines that two texts have in common, in the same order.
fn search(old: &[u8], new: &[u8], removed: &mut [bool], added: &mut [bool]) {
    let digester = Digester::default();
    let take_digest = |text: &mut _| digester.digest(take_line(text));
    let mut digests = DigestCollector::default();
    for mut text in [old, new] {
        while !text.is_empty() {
            digests.push(take_digest(&mut text));
        }
    }
    let digests = digests.into_sorted();
    let mut tokens = [Vec::new(), Vec::new()];
    for (mut text, tokens) in [old, new].into_iter().zip(&mut tokens) {
        while !text.is_empty() {
            tokens.push(Token::from(digests.place(take_digest(&mut text)) as u32));
        }
    }
    let mut diff = Diff::default();
    // The limits on the cost of a search are those of git, so this takes no quadratic time either.
    diff.compute_with(Algorithm::Myers, &tokens[0], &tokens[1], digests.len() as u32);
    for (at, removed) in (0..).zip(removed) {
        *removed = diff.is_removed(at);
    }
    for (at, added) in (0..).zip(added) {
        *added = diff.is_added(at);
    }
}

#[cfg(test)]
mod tests;
