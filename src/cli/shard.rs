//! `--shard K/N`: which inputs, or which parts of them, belong to one of several runs that do not communicate.
//!
//! ```text
//! all files, end to end   │ a │    b    │c│            d            │ e │
//! borders of the shards   │         1         │         2         │    3   (d is large, and is cut)
//! ```
//!
//! Every run lists all files and adds up their sizes, so all of them compute the same borders. A small file belongs to
//! the shard that holds its first byte: in the picture, `b` is in shard 1 as a whole. A large file is cut at the first
//! safe place after the border (`shard_piece.rs`, and `Cuts` in the library).
//!
//! The recipes in `scale/` give each shard an output directory of its own. A run looks for temporary files that killed
//! runs have left next to its output, and so never meets those of another shard.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;

use anyhow::bail;

use super::args::ShardSpec;
use super::config::{Config, RunAction, Sharding};
use super::files::{FileArg, FilePart};
use super::input_list::{InputEntry, InputList};

/// Of several files, those of at least this many bytes are cut. A single file is cut whatever its size.
const CUT_THRESHOLD: u64 = 1024 * 1024;

pub(crate) type RunInputs<'i> = Box<dyn Iterator<Item = anyhow::Result<InputEntry>> + Send + 'i>;

/// Returns the inputs of this run: those that `list` returns, or the shard's part of them. Errors of earlier listings
/// in `search_errors` that do not occur again are appended at the end.
///
/// # Errors
///
/// If the inputs cannot be listed, or not be split because one of them has no known size.
pub(crate) fn share<'i>(
    config: &'i Config,
    mut search_errors: SearchErrors,
    list: impl Fn() -> anyhow::Result<InputList<'i>>,
) -> anyhow::Result<RunInputs<'i>> {
    let all = |search_errors| {
        list().map(|inputs| LastList { inputs, own: None, offset: 0, search_errors })
    };
    let Some(Sharding { shard, size }) = config.sharding else {
        return Ok(Box::new(all(search_errors)?));
    };
    if let Some(size) = size {
        let part = FilePart { borders: shard.borders(size), size };
        let file = FileArg { part: Some(part), ..FileArg::default() };
        return Ok(Box::new(std::iter::once(Ok(InputEntry::File(file)))));
    }
    let named = config.files.all_named();
    let alone = named.as_deref().and_then(|all| if let [file] = all { Some(file) } else { None });
    // In a list of several, a file that cannot be read counts zero bytes, so only one run reports it. A single name
    // that is wrong must be an error of every run: no shard may look empty and complete.
    let path = alone.and_then(|file| file.path.as_deref());
    if path.is_some_and(|path| !fs::metadata(path).is_ok_and(|metadata| !metadata.is_dir())) {
        return Ok(Box::new(all(search_errors)?));
    }
    let cuts_from = match config.action {
        // Each file has one output, which one run must write.
        RunAction::Each(_) | RunAction::Fix(_) => None,
        // Compressed data can only be decompressed from the start.
        _ if config.files.opening.decompress => None,
        _ if alone.is_some() => Some(0),
        _ => Some(CUT_THRESHOLD),
    };
    // The borders follow from the total size, so the inputs are listed once to add up their sizes, and once more to
    // hand them out.
    config.files.make_rereadable()?;
    let mut total = 0;
    for entry in list()? {
        let entry = entry?;
        total += size_of(&entry)?;
        search_errors.extend(entry.into_error());
    }
    let own = Some(OwnShare { shard, borders: shard.borders(total), cuts_from });
    Ok(Box::new(LastList { inputs: list()?, own, offset: 0, search_errors }))
}

/// Messages about what could not be listed.
pub(crate) type SearchErrors = BTreeSet<String>;

/// The last of several listings of the same inputs: the entries of this run, then what went wrong only in earlier
/// listings.
///
/// A directory that could not be read for a moment is missing from the sums and plans of an earlier listing, even if
/// this one reads it. The run must not look complete then, so the error is reported although it did not come back.
struct LastList<'i> {
    inputs: InputList<'i>,
    /// `None` if everything belongs to this run.
    own: Option<OwnShare>,
    /// Bytes of all files before the next one.
    offset: u64,
    /// Errors of earlier listings that have not come up in this one yet.
    search_errors: SearchErrors,
}

impl LastList<'_> {
    /// Returns the entry, or the part of it that belongs to this run, if any does.
    fn own_of(&mut self, entry: InputEntry) -> anyhow::Result<Option<InputEntry>> {
        if let InputEntry::Error(words) = &entry {
            // It came back, and is reported where it is found, by the run to which that place belongs.
            self.search_errors.remove(words);
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
        self.search_errors.pop_first().map(|words| Ok(InputEntry::Error(words)))
    }
}

/// Returns the size of an entry in bytes. What cannot be read counts zero bytes, so it has a place among the files, and
/// exactly one run reports it.
fn size_of(entry: &InputEntry) -> anyhow::Result<u64> {
    let InputEntry::File(file) = entry else { return Ok(0) };
    let Some(path) = &file.path else {
        bail!(
            "standard input can be split into shards only with --size, the size of the whole text"
        );
    };
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() && !metadata.is_dir() => {
            bail!("{}: not a regular file, so it cannot be split into shards", file.label())
        }
        Ok(metadata) if metadata.is_file() => Ok(metadata.len()),
        Ok(_) | Err(_) => Ok(0),
    }
}

#[derive(Clone)]
struct OwnShare {
    shard: ShardSpec,
    /// Offsets into all files, laid end to end.
    borders: Range<u64>,
    /// Files of at least this many bytes are cut; `None` if none is.
    cuts_from: Option<u64>,
}

impl OwnShare {
    /// Returns the entry at `place` among all files, or the part of it that belongs to this run, if any does.
    ///
    /// A file that is cut belongs to every shard whose borders overlap it, each with the overlap. Any other entry
    /// belongs to the one shard that holds its first byte, including an empty file, which has nothing to overlap with,
    /// and an error.
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

    /// Whether a file that begins at this offset belongs to the run. Empty files at the very end begin where the last
    /// shard ends, and belong to it.
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
            let shard = ShardSpec { index, of };
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
        let borders = |index, of, size| ShardSpec { index, of }.borders(size);
        assert_eq!(borders(1, 3, 10), 0..3);
        assert_eq!(borders(2, 3, 10), 3..6);
        assert_eq!(borders(3, 3, 10), 6..10);
        assert_eq!(borders(u64::MAX, u64::MAX, u64::MAX), u64::MAX - 1..u64::MAX);
    }
}
