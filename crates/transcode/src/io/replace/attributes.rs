//! What the new file takes over from the old one: owner, group, mode, access control list, extended attributes.
//!
//! ```text
//! mode 0600 ─► inherited list removed ─► owner, group ─► other attributes ─► the old list, or the old mode
//! ```
//!
//! At no moment may the new file be more accessible to anybody than the old one, which dictates this order. A list that
//! the directory passes on to new files would take effect with the first mode that sets its mask, so it is removed
//! first. And permissions for a group are set only once the file belongs to that group.

use std::ffi::OsStr;
use std::fs::{File, Metadata, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::Path;

use rustix::fs::{XattrFlags, fgetxattr, fremovexattr, fsetxattr, getxattr, listxattr};
use rustix::io::Errno;

use super::access::{KeptOwnership, mode_without};
use super::note::Note;

const POSIX_ACL: &str = "system.posix_acl_access";

/// The error for a missing attribute.
#[cfg(any(target_vendor = "apple", target_os = "freebsd", target_os = "netbsd"))]
const NO_ATTRIBUTE: Errno = Errno::NOATTR;
#[cfg(not(any(target_vendor = "apple", target_os = "freebsd", target_os = "netbsd")))]
const NO_ATTRIBUTE: Errno = Errno::NODATA;

/// Whether the file at `path` has an access control list.
pub(super) fn has_list(path: &Path) -> bool {
    value(|buffer| getxattr(path, POSIX_ACL, buffer)).is_ok_and(|list| list.is_some())
}

/// Attributes that depend on the content and would be wrong, or unsafe, on another one.
const CONTENT_ATTRIBUTES: [&[u8]; 3] = [b"security.capability", b"security.ima", b"security.evm"];

/// Access control lists of other kinds, which are copied like any other attribute.
const OTHER_ACLS: [&[u8]; 2] = [b"system.nfs4_acl", b"system.richacl"];

/// Copies the attributes of the file at `old_path` to `new`, whose mode is 0600. Adds a note for each that is lost.
pub(super) fn hand_over(
    new: &File,
    old_path: &Path,
    old: &Metadata,
    notes: &mut Vec<Note>,
) -> io::Result<()> {
    remove_list(new)?;
    let kept = give_away(new, old)?;
    keep_attributes(new, old_path, notes)?;
    let old_mode = old.permissions().mode() & 0o7777;
    let mode = keep_list(new, old_path, kept, old_mode, notes)?;
    // If there is a list, the group bits of this mode are its mask, which is set already.
    new.set_permissions(Permissions::from_mode(mode))?;
    if !kept.both() {
        let is = new.metadata()?;
        notes.push(Note::Owner {
            old: (old.uid(), old.gid(), old_mode),
            new: (is.uid(), is.gid(), mode),
        });
    }
    Ok(())
}

/// Removes the access control list that the directory has given the file.
fn remove_list(new: &File) -> io::Result<()> {
    match fremovexattr(new, POSIX_ACL) {
        Ok(()) | Err(NO_ATTRIBUTE | Errno::NOTSUP | Errno::NOSYS) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Sets the owner and the group of the old file, or at least the group, as far as the system allows. The owner of a
/// file may set any group that they belong to.
fn give_away(new: &File, old: &Metadata) -> io::Result<KeptOwnership> {
    let (owner, group) = (Some(old.uid()), Some(old.gid()));
    // A file system may ignore the call without an error, so only the result counts.
    let _ = fchown(new, owner, group).or_else(|_| fchown(new, None, group));
    let is = new.metadata()?;
    Ok(KeptOwnership { owner: is.uid() == old.uid(), group: is.gid() == old.gid() })
}

/// Sets the access control list of the old file, if it has one, and returns the mode that the new file must get.
fn keep_list(
    new: &File,
    old_path: &Path,
    kept: KeptOwnership,
    old_mode: u32,
    notes: &mut Vec<Note>,
) -> io::Result<u32> {
    let Some(mut list) = value(|buffer| getxattr(old_path, POSIX_ACL, buffer))? else {
        return Ok(kept.mode(old_mode));
    };
    // The group bits of a mode are the mask if there is a list. They come with the list, so only the special bits are
    // added.
    let special = kept.mode(old_mode) & 0o7000;
    if kept.narrow(&mut list) && fsetxattr(new, POSIX_ACL, &list, XattrFlags::empty()).is_ok() {
        return Ok(special | new.metadata()?.permissions().mode() & 0o777);
    }
    notes.push(Note::Attributes(vec!["the access list".into()]));
    Ok(kept.mode(mode_without(&list, old_mode)))
}

/// Copies the extended attributes, except for access control lists.
fn keep_attributes(new: &File, old_path: &Path, notes: &mut Vec<Note>) -> io::Result<()> {
    let Some(names) = value(|buffer| listxattr(old_path, buffer))? else { return Ok(()) };
    let mut lost = Vec::new();
    for name in names.split(|byte| *byte == 0).filter(|name| is_kept(name)) {
        let text = OsStr::from_bytes(name);
        let old = match value(|buffer| getxattr(old_path, text, buffer)) {
            Ok(Some(old)) => old,
            Ok(None) => continue,
            Err(_) => {
                lost.push(text.to_owned());
                continue;
            }
        };
        if fsetxattr(new, text, &old, XattrFlags::empty()).is_err()
            // It is not lost if the system has set the same value itself, such as an SELinux label.
            && value(|buffer| fgetxattr(new, text, buffer)).ok().flatten() != Some(old)
        {
            lost.push(text.to_owned());
        }
    }
    if !lost.is_empty() {
        notes.push(Note::Attributes(lost));
    }
    Ok(())
}

fn is_kept(name: &[u8]) -> bool {
    !name.is_empty()
        && !CONTENT_ATTRIBUTES.contains(&name)
        && (!name.starts_with(b"system.") || OTHER_ACLS.contains(&name))
}

/// Reads an attribute, or the list of their names, with `get`, which fills a buffer. Returns `None` if there is none,
/// or the file system does not support any.
fn value(get: impl Fn(&mut [u8]) -> rustix::io::Result<usize>) -> io::Result<Option<Vec<u8>>> {
    let mut buffer = vec![0; 256];
    loop {
        match get(&mut buffer) {
            Ok(len) => {
                buffer.truncate(len);
                return Ok(Some(buffer));
            }
            Err(NO_ATTRIBUTE | Errno::NOTSUP | Errno::NOSYS) => return Ok(None),
            // Linux limits values and lists to 64 KiB.
            Err(Errno::RANGE) if buffer.len() < 1 << 20 => buffer.resize(buffer.len() * 8, 0),
            Err(error) => return Err(error.into()),
        }
    }
}
