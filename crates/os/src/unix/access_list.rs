//! POSIX access control lists, which Linux keeps in an extended attribute. macOS has others (`apple_access_list.rs`).
//!
//! The list is the binary value of `system.posix_acl_access`, all little-endian (`linux/posix_acl_xattr.h`):
//!
//! ```text
//! 02 00 00 00 │ 01 00  06 00  FF FF FF FF │ 02 00  07 00  E8 03 00 00 │ …
//! version 2   │ tag    perms  id          │ USER   rwx    user 1000   │
//! ```

use std::fs::File;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rustix::fs::{XattrFlags, fremovexattr, fsetxattr, getxattr};
use rustix::io::Errno;

use super::access::KeptOwnership;
/// The mode for a new file whose model has a list: its group bits are the mask, and say nothing about the group.
pub(super) use super::access::group_as_others as mode_like_listed;
use super::attributes::{NO_ATTRIBUTE, value};
use crate::Unkept;

const POSIX_ACL: &str = "system.posix_acl_access";

/// The length of the version and of each entry, in bytes.
const ACL_HEADER: usize = 4;
const ACL_ENTRY: usize = 8;

const USER_OBJ: u16 = 0x01;
const USER: u16 = 0x02;
const GROUP_OBJ: u16 = 0x04;
const GROUP: u16 = 0x08;
const MASK: u16 = 0x10;
const OTHER: u16 = 0x20;

/// Whether the file at `path` has an access control list.
pub(super) fn has_list(path: &Path) -> bool {
    value(|buffer| getxattr(path, POSIX_ACL, buffer)).is_ok_and(|list| list.is_some())
}

/// Removes the access control list that the directory has given the file.
pub(super) fn remove_list(new: &File) -> io::Result<()> {
    match fremovexattr(new, POSIX_ACL) {
        Ok(()) | Err(NO_ATTRIBUTE | Errno::NOTSUP | Errno::NOSYS) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Sets the access control list of the old file, if it has one, and returns the mode that the new file must get.
pub(super) fn keep_list(
    new: &File,
    old_path: &Path,
    kept: KeptOwnership,
    old_mode: u32,
    notes: &mut Vec<Unkept>,
) -> io::Result<u32> {
    let Some(mut list) = value(|buffer| getxattr(old_path, POSIX_ACL, buffer))? else {
        return Ok(kept.mode(old_mode));
    };
    // The group bits of a mode are the mask if there is a list. They come with the list, so only the special bits are
    // added.
    let special = kept.mode(old_mode) & 0o7000;
    if narrow(kept, &mut list) && fsetxattr(new, POSIX_ACL, &list, XattrFlags::empty()).is_ok() {
        return Ok(special | new.metadata()?.permissions().mode() & 0o777);
    }
    notes.push(Unkept::Attributes(vec!["the access list".into()]));
    Ok(kept.mode(mode_without(&list, old_mode)))
}

/// Narrows a list so that it gives nobody more than it did on the old file, as [`KeptOwnership::mode`] does with a
/// mode. Returns `false` if it lacks one of the entries that every list has.
///
/// The entry of the owning group grants only what the mask grants too, so its effective permissions are what the group
/// had. Entries that name users and groups stay: they are about the same people as before.
fn narrow(kept: KeptOwnership, list: &mut [u8]) -> bool {
    if kept.both() {
        return true;
    }
    let of = |list: &[u8], tag| entries(list).find(|(_, found, _)| *found == tag);
    let (Some(owner), Some(group), Some(other)) =
        (of(list, USER_OBJ), of(list, GROUP_OBJ), of(list, OTHER))
    else {
        return false;
    };
    let mask = of(list, MASK).map_or(7, |(_, _, may)| may);
    let (new_group, new_other) = kept.rest(owner.2, group.2 & mask, other.2);
    for (at, may) in [(group.0, new_group), (other.0, new_other)] {
        list[at + 2..at + 4].copy_from_slice(&(may as u16).to_le_bytes());
    }
    true
}

/// Iterates over the entries of a list: their offset, tag and permissions.
fn entries(list: &[u8]) -> impl Iterator<Item = (usize, u16, u32)> {
    let starts = (ACL_HEADER..).step_by(ACL_ENTRY).take_while(|at| at + ACL_ENTRY <= list.len());
    starts.map(|at| {
        let tag = u16::from_le_bytes([list[at], list[at + 1]]);
        (at, tag, u32::from(u16::from_le_bytes([list[at + 2], list[at + 3]])))
    })
}

/// Returns the mode for a file whose access control list cannot be kept.
///
/// Without the list, the people that it names fall back into group or others. So both classes get at most what every
/// entry of the list grants, within the mask.
pub(super) fn mode_without(list: &[u8], mode: u32) -> u32 {
    let mask = entries(list).find(|(_, tag, _)| *tag == MASK).map_or(7, |(_, _, may)| may);
    let least = entries(list)
        .filter(|(_, tag, _)| matches!(*tag, USER | GROUP_OBJ | GROUP))
        .fold(mask, |least, (_, _, may)| least & may);
    mode & 0o7700 | (mode >> 3 & 7 & least) << 3 | mode & 7 & least
}

#[cfg(test)]
mod tests;
