//! What the new file takes over from the old one: owner, group, mode, access control list, extended attributes.
//!
//! ```text
//! mode 0600 ─► inherited list removed ─► owner, group ─► other attributes ─► the old list, or the old mode ─► flags
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

use rustix::fs::{XattrFlags, fgetxattr, fsetxattr, getxattr, listxattr};
use rustix::io::Errno;

use super::access::KeptOwnership;
use super::access_list::{keep_list, remove_list};
use super::file_flags::keep_flags_and_creation;
use crate::{FileStatus, Unkept};

/// The error for a missing attribute.
#[cfg(any(target_vendor = "apple", target_os = "freebsd", target_os = "netbsd"))]
pub(super) const NO_ATTRIBUTE: Errno = Errno::NOATTR;
#[cfg(not(any(target_vendor = "apple", target_os = "freebsd", target_os = "netbsd")))]
pub(super) const NO_ATTRIBUTE: Errno = Errno::NODATA;

/// Attributes that depend on the content and would be wrong, or unsafe, on another one.
#[cfg(not(target_vendor = "apple"))]
const CONTENT_ATTRIBUTES: [&[u8]; 3] = [b"security.capability", b"security.ima", b"security.evm"];
/// On macOS, the first is the encoding of the old text. The system sets the second on each file, to know which program
/// wrote it, and lets nobody else do so.
#[cfg(target_vendor = "apple")]
const CONTENT_ATTRIBUTES: [&[u8]; 2] = [b"com.apple.TextEncoding", b"com.apple.provenance"];

/// Access control lists of other kinds, which are copied like any other attribute.
const OTHER_ACLS: [&[u8]; 2] = [b"system.nfs4_acl", b"system.richacl"];

/// Copies the attributes of the file at `old_path` to `new`, whose mode is 0600. Adds a note for each that is lost.
///
/// # Errors
///
/// If the system cannot set those on which depends who may open the file.
pub fn hand_over(
    new: &File,
    old_path: &Path,
    old: &FileStatus,
    notes: &mut Vec<Unkept>,
) -> io::Result<()> {
    let old = &old.0;
    remove_list(new)?;
    let kept = give_away(new, old)?;
    keep_attributes(new, old_path, notes)?;
    let old_mode = old.permissions().mode() & 0o7777;
    let mode = keep_list(new, old_path, kept, old_mode, notes)?;
    // If there is a list, the group bits of this mode are its mask, which is set already.
    new.set_permissions(Permissions::from_mode(mode))?;
    keep_flags_and_creation(new, old, notes);
    if !kept.both() {
        let is = new.metadata()?;
        notes.push(Unkept::Owner {
            old: (old.uid(), old.gid(), old_mode),
            new: (is.uid(), is.gid(), mode),
        });
    }
    Ok(())
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

/// Copies the extended attributes, except for access control lists.
fn keep_attributes(new: &File, old_path: &Path, notes: &mut Vec<Unkept>) -> io::Result<()> {
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
        notes.push(Unkept::Attributes(lost));
    }
    Ok(())
}

fn is_kept(name: &[u8]) -> bool {
    let depends_on_content = CONTENT_ATTRIBUTES.contains(&name)
        || cfg!(target_vendor = "apple") && says_that_it_is_not_kept(name);
    !name.is_empty()
        && !depends_on_content
        && (!name.starts_with(b"system.") || OTHER_ACLS.contains(&name))
}

/// Whether the name of an attribute of macOS ends with flags of which one is C, since it depends on the content, or N,
/// since it is never copied (`xattr_name_with_flags(3)`).
fn says_that_it_is_not_kept(name: &[u8]) -> bool {
    let mut parts = name.rsplitn(2, |byte| *byte == b'#');
    let flags = parts.next().unwrap_or_default();
    parts.next().is_some() && flags.iter().any(|flag| matches!(flag, b'C' | b'N'))
}

/// Reads an attribute, or the list of their names, with `get`, which fills a buffer. Returns `None` if there is none,
/// or the file system does not support any.
///
/// Asks for the length first: of a resource fork, a short buffer gets the start, and no error (`hfs_vnop_getxattr`).
#[cfg(target_vendor = "apple")]
pub(super) fn value(
    get: impl Fn(&mut [u8]) -> rustix::io::Result<usize>,
) -> io::Result<Option<Vec<u8>>> {
    loop {
        let read = get(&mut []).and_then(|len| {
            let mut buffer = vec![0; len];
            let read = if len == 0 { 0 } else { get(&mut buffer)? };
            buffer.truncate(read);
            Ok(buffer)
        });
        match read {
            Ok(buffer) => return Ok(Some(buffer)),
            Err(NO_ATTRIBUTE | Errno::NOTSUP | Errno::NOSYS) => return Ok(None),
            // It has become longer meanwhile.
            Err(Errno::RANGE) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Reads an attribute, or the list of their names, with `get`, which fills a buffer. Returns `None` if there is none,
/// or the file system does not support any.
#[cfg(not(target_vendor = "apple"))]
pub(super) fn value(
    get: impl Fn(&mut [u8]) -> rustix::io::Result<usize>,
) -> io::Result<Option<Vec<u8>>> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flags_of_a_name_say_whether_an_attribute_is_kept() {
        for (name, expected) in [
            (&b"com.example.mine"[..], false),
            (b"com.example.mine#PS", false),
            (b"com.example.Checksum#C", true),
            (b"com.example.own#NS", true),
            (b"com.example.C#", false),
            (b"a#C#P", false),
            (b"", false),
        ] {
            assert_eq!(says_that_it_is_not_kept(name), expected, "{}", name.escape_ascii());
        }
    }

    #[cfg(target_vendor = "apple")]
    mod apple {
        use super::*;

        /// Also a long one, and one without bytes.
        #[test]
        fn attributes_and_resource_forks_are_kept_whole() {
            const NAMES: [&str; 4] = [
                "com.apple.ResourceFork",
                "com.example.empty",
                "com.example.short",
                "user.long#PS",
            ];
            let values = [vec![7; 3_000_000], Vec::new(), b"x".to_vec(), vec![1; 100_000]];
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("old");
            let old = File::create(&path).unwrap();
            for (name, bytes) in NAMES.iter().zip(&values) {
                fsetxattr(&old, *name, bytes, XattrFlags::empty()).unwrap();
            }
            for name in ["com.apple.TextEncoding", "com.example.sum#C"] {
                fsetxattr(&old, name, b"macintosh;0", XattrFlags::empty()).unwrap();
            }
            let new = File::create(dir.path().join("new")).unwrap();
            let mut notes = Vec::new();
            hand_over(&new, &path, &FileStatus::of_file(&old).unwrap(), &mut notes).unwrap();
            assert!(notes.is_empty(), "{notes:?}");
            for (name, bytes) in NAMES.iter().zip(&values) {
                let kept = value(|buffer| fgetxattr(&new, *name, buffer)).unwrap();
                assert!(kept.as_ref() == Some(bytes), "{name}");
            }
            for name in ["com.apple.TextEncoding", "com.example.sum#C"] {
                assert_eq!(value(|buffer| fgetxattr(&new, name, buffer)).unwrap(), None, "{name}");
            }
        }
    }
}
