//! The share of one of several runs that split a job without telling each other anything.
//!
//! ```text
//! all files, end to end   │ a │    b    │c│            d            │ e │
//! borders of the shards   │         1         │         2         │    3   (d is large, and is cut)
//! ```
//!
//! Every run lists all files and adds up their sizes, so all find the same borders. A small file belongs to the run in
//! whose share its first byte lies. `shard_piece.rs` reads a part of a large one, and `Cuts` of the library cuts it.
//!
//! The recipes in `scale/` give each shard a directory of its own. A conversion looks for temporary files that killed
//! runs left next to its output, and so never sees those of another shard.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;

use anyhow::bail;

use super::args::Shard;
use super::config::{Config, RunAction, Sharding};
use super::files::{FileArg, FilePart};
use super::input_list::{InputEntry, InputList};

/// A file of several is cut from this size on, in bytes.
const CUT_THRESHOLD: u64 = 1024 * 1024;

/// Entries of a list of inputs.
pub(crate) type Entries<'i> = Box<dyn Iterator<Item = anyhow::Result<InputEntry>> + Send + 'i>;

/// Returns the inputs of this run: all that `list` returns, or its share of them. `troubles` are those of earlier lists;
/// each that does not come again is reported at the end.
///
/// # Errors
///
/// If they cannot be listed, or cannot be shared: the size of a stream is not known.
pub(crate) fn share<'i>(
    config: &'i Config,
    mut troubles: Troubles,
    list: impl Fn() -> anyhow::Result<InputList<'i>>,
) -> anyhow::Result<Entries<'i>> {
    let all = |troubles| list().map(|inputs| LastList { inputs, own: None, offset: 0, troubles });
    let Some(Sharding { shard, size }) = config.sharding else {
        return Ok(Box::new(all(troubles)?));
    };
    if let Some(size) = size {
        let part = FilePart { borders: shard.borders(size), size };
        let file = FileArg { part: Some(part), ..FileArg::default() };
        return Ok(Box::new(std::iter::once(Ok(InputEntry::File(file)))));
    }
    let named = config.files.all_named();
    let alone = named.as_deref().and_then(|all| if let [file] = all { Some(file) } else { None });
    // A wrong name must not look like an empty share.
    let path = alone.and_then(|file| file.path.as_deref());
    if path.is_some_and(|path| !fs::metadata(path).is_ok_and(|metadata| !metadata.is_dir())) {
        return Ok(Box::new(all(troubles)?));
    }
    let cuts_from = match config.action {
        // Each output is a whole one.
        RunAction::Each(_) => None,
        // Nobody knows where in compressed data a part of the text begins.
        _ if config.files.opening.decompress => None,
        _ if alone.is_some() => Some(0),
        _ => Some(CUT_THRESHOLD),
    };
    config.files.make_lasting()?;
    let mut total = 0;
    for entry in list()? {
        let entry = entry?;
        total += size_of(&entry)?;
        troubles.extend(entry.into_trouble());
    }
    let own = Some(OwnShare { shard, borders: shard.borders(total), cuts_from });
    Ok(Box::new(LastList { inputs: list()?, own, offset: 0, troubles }))
}

/// What kept lists of inputs from being complete, in words.
pub(crate) type Troubles = BTreeSet<String>;

/// The last of several lists of the same inputs: the entries of this run, then the troubles of earlier lists that this
/// one did not have. Their files may be missing in what was decided by those lists, so the run must not look complete.
struct LastList<'i> {
    inputs: InputList<'i>,
    /// `None` if everything belongs to this run.
    own: Option<OwnShare>,
    offset: u64,
    troubles: Troubles,
}

impl LastList<'_> {
    /// Returns an entry, or the part of it that belongs to this run.
    fn own_of(&mut self, entry: InputEntry) -> anyhow::Result<Option<InputEntry>> {
        if let InputEntry::Trouble(words) = &entry {
            // It is reported where it is found, by the run that it belongs to.
            self.troubles.remove(words);
        }
        let Some(own) = &self.own else { return Ok(Some(entry)) };
        let place = self.offset..self.offset + size_of(&entry)?;
        self.offset = place.end;
        Ok(own.part_of(entry, place))
    }
}

impl Iterator for LastList<'_> {
    type Item = anyhow::Result<InputEntry>;

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(entry) = self.inputs.next() {
            if let Some(own) = entry.and_then(|entry| self.own_of(entry)).transpose() {
                return Some(own);
            }
        }
        self.troubles.pop_first().map(|words| Ok(InputEntry::Trouble(words)))
    }
}

/// Returns the length of an entry in bytes. What cannot be read has none, and is reported by the run that it belongs to.
fn size_of(entry: &InputEntry) -> anyhow::Result<u64> {
    let InputEntry::File(file) = entry else { return Ok(0) };
    let Some(path) = &file.path else {
        bail!("standard input can be shared only with --size, which says how long the whole is");
    };
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() && !metadata.is_dir() => {
            bail!("{}: is not a regular file, so it cannot be shared", file.label())
        }
        Ok(metadata) if metadata.is_file() => Ok(metadata.len()),
        Ok(_) | Err(_) => Ok(0),
    }
}

/// What belongs to one run.
#[derive(Clone)]
struct OwnShare {
    shard: Shard,
    /// In bytes of all files, end to end.
    borders: Range<u64>,
    /// Files of at least this many bytes are cut, if any are.
    cuts_from: Option<u64>,
}

impl OwnShare {
    /// Returns an entry that has this place among all, or the part of it that belongs to this run.
    fn part_of(&self, entry: InputEntry, place: Range<u64>) -> Option<InputEntry> {
        let size = place.end - place.start;
        match (entry, self.cuts_from) {
            (InputEntry::File(file), Some(from)) if size >= from.max(1) => {
                let borders = place.start.max(self.borders.start)..place.end.min(self.borders.end);
                if borders.is_empty() {
                    return None;
                }
                let borders = borders.start - place.start..borders.end - place.start;
                let part = (borders != (0..size)).then_some(FilePart { borders, size });
                Some(InputEntry::File(FileArg { part, ..file }))
            }
            (entry, _) => self.has(place.start).then_some(entry),
        }
    }

    /// Whether what begins at this byte belongs to it.
    fn has(&self, start: u64) -> bool {
        let is_last = self.shard.index == self.shard.of;
        self.borders.contains(&start) || is_last && start >= self.borders.end
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn shares(
        sizes: &[u64],
        of: u64,
        cuts_from: Option<u64>,
    ) -> Vec<Vec<(usize, Option<FilePart>)>> {
        let total = sizes.iter().sum();
        let share = |index| {
            let shard = Shard { index, of };
            let own = OwnShare { shard, borders: shard.borders(total), cuts_from };
            let mut offset = 0;
            let parts = sizes.iter().enumerate().filter_map(|(number, size)| {
                let entry = InputEntry::File(FileArg::named(PathBuf::from("x")));
                let place = offset..offset + size;
                offset += size;
                let part = own.part_of(entry, place)?.into_file().unwrap().part;
                Some((number, part))
            });
            parts.collect()
        };
        (1..=of).map(share).collect()
    }

    #[test]
    fn files_are_shared_by_their_bytes() {
        let part = |start, end, size| Some(FilePart { borders: start..end, size });
        // 30 bytes, borders 10 and 20: the second file begins in the first share, the third in the second.
        let small = shares(&[9, 9, 2, 0, 10, 0], 3, None);
        assert_eq!(
            small,
            [vec![(0, None), (1, None)], vec![(2, None)], vec![(3, None), (4, None), (5, None)]]
        );
        let cut = shares(&[9, 19, 2], 3, Some(10));
        assert_eq!(
            cut,
            [
                vec![(0, None), (1, part(0, 1, 19))],
                vec![(1, part(1, 11, 19))],
                vec![(1, part(11, 19, 19)), (2, None)],
            ]
        );
        assert_eq!(shares(&[0, 0], 2, Some(0)), [vec![], vec![(0, None), (1, None)]]);
        assert_eq!(shares(&[5], 1, Some(0)), [vec![(0, None)]], "all of it");
    }

    #[test]
    fn borders_are_those_of_the_documentation() {
        let borders = |index, of, size| Shard { index, of }.borders(size);
        assert_eq!(borders(1, 3, 10), 0..3);
        assert_eq!(borders(2, 3, 10), 3..6);
        assert_eq!(borders(3, 3, 10), 6..10);
        assert_eq!(borders(u64::MAX, u64::MAX, u64::MAX), u64::MAX - 1..u64::MAX);
    }
}
