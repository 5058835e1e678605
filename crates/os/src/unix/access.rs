//! Access permissions: the mode of a file, and how to narrow it if the owner or the group cannot be kept. Access
//! control lists are in `access_list.rs`.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

const SET_USER: u32 = 0o4000;
const SET_GROUP: u32 = 0o2000;

/// Whether the new file could be given the owner and the group of the old one.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeptOwnership {
    pub(super) owner: bool,
    pub(super) group: bool,
}

impl KeptOwnership {
    pub(super) fn both(self) -> bool {
        self.owner && self.group
    }

    /// Returns the permissions of the new file for its group and for others, given those of the old one.
    ///
    /// If the owner or the group changes, people move from one class to another. With a lost group, the new group
    /// consists of people who were others before, and the old group is among the others now. Neither may gain anything,
    /// so a class gets only what everyone in it had before:
    ///
    /// ```text
    /// rw-rw-r--   group lost    rw-r--r--    both groups keep the r that they share
    /// rw----r--   group lost    rw-------    the old group had nothing, so others lose their r
    /// ---rwxrwx   owner lost    ---------    the old owner, now among group or others, had nothing
    /// ```
    pub(super) fn rest(self, owner: u32, group: u32, other: u32) -> (u32, u32) {
        let owner = if self.owner { 7 } else { owner };
        if self.group {
            (group & owner, other & owner)
        } else {
            let all = owner & group & other;
            (all, all)
        }
    }

    /// Returns the mode for the new file that gives nobody more than `mode` did on the old one. The set-user-ID bit
    /// goes with the owner and the set-group-ID bit with the group: otherwise the program would run as somebody else.
    pub(super) fn mode(self, mode: u32) -> u32 {
        let (group, other) = self.rest(mode >> 6 & 7, mode >> 3 & 7, mode & 7);
        let mut special = mode & 0o7000;
        if !self.owner {
            special &= !SET_USER;
        }
        if !self.group {
            special &= !SET_GROUP;
        }
        special | mode & 0o700 | group << 3 | other
    }
}

/// Gives the group of a file at most what others have: 664 becomes 644, and 660 becomes 600.
pub(super) fn group_as_others(mode: u32) -> u32 {
    mode & (!0o070 | (mode & 0o007) << 3)
}

/// Returns the group that a new file in `directory` gets: that of this process, or of the directory if it has the
/// set-group-ID bit, and on macOS always (open(2)). If it is unknown, it is one that no file has.
pub(super) fn group_of_new_file(directory: Option<&Path>) -> u32 {
    let directory = directory.and_then(|directory| fs::metadata(directory).ok());
    directory.map_or(u32::MAX, |directory| {
        let is_inherited = cfg!(target_vendor = "apple") || directory.mode() & SET_GROUP != 0;
        if is_inherited { directory.gid() } else { rustix::process::getegid().as_raw() }
    })
}

#[cfg(test)]
mod tests;
