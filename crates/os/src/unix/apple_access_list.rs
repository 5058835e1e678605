//! Access control lists of macOS, in place of `access_list.rs`.
//!
//! ```text
//! user:anna deny read            an entry grants or denies rights to a user or a group, whatever its kind
//! group:staff inherited allow    … and comes from the directory, if that has entries for new files
//! ```
//!
//! They differ from POSIX lists in three ways:
//!
//! * They are no extended attribute, so C functions read and set them (`acl(3)`).
//! * They come before the mode, which is no mask: an inherited entry opens a file of mode 0600. So it must go before
//!   anything is written.
//! * They name no owner, owning group or others, so a list says the same on a file of another owner or group.
//!
//! `fcopyfile` with COPYFILE_ACL would not keep a list exactly: it leaves out the inherited entries of the old file and
//! keeps those that the new one has inherited (Apple's `copyfile.c`).

use std::ffi::{CString, c_char, c_int, c_void};
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::NonNull;

use super::access::KeptOwnership;
use crate::Unkept;

/// `acl_type_t` in `sys/acl.h`, the only type there is.
const ACL_TYPE_EXTENDED: c_int = 0x100;
/// `filesec_property_t` in `sys/fcntl.h`, and the value that removes a list.
const FILESEC_ACL: c_int = 5;
const FILESEC_REMOVE_ACL: *const c_void = std::ptr::without_provenance(1);

// The libc crate does not have these functions of libSystem. Their types are those of `sys/acl.h`, `sys/fcntl.h` and
// `sys/stat.h`, where `acl_t` and `filesec_t` are pointers to incomplete types.
unsafe extern "C" {
    fn acl_get_file(path: *const c_char, kind: c_int) -> *mut c_void;
    fn acl_get_fd(file: c_int) -> *mut c_void;
    fn acl_set_fd(file: c_int, list: *mut c_void) -> c_int;
    fn acl_free(list: *mut c_void) -> c_int;
    fn filesec_init() -> *mut c_void;
    fn filesec_free(security: *mut c_void);
    fn filesec_set_property(security: *mut c_void, property: c_int, to: *const c_void) -> c_int;
    fn fchmodx_np(file: c_int, security: *mut c_void) -> c_int;
}

/// A copy of the list of a file.
#[derive(Debug)]
struct AccessList(NonNull<c_void>);

impl AccessList {
    fn of_path(path: &Path) -> io::Result<Option<Self>> {
        let path = CString::new(path.as_os_str().as_bytes())?;
        // SAFETY: the path is a C string, and nobody else has the list that is returned.
        Self::checked(unsafe { acl_get_file(path.as_ptr(), ACL_TYPE_EXTENDED) })
    }

    fn of_file(file: &File) -> io::Result<Option<Self>> {
        // SAFETY: the descriptor is open, and nobody else has the list that is returned.
        Self::checked(unsafe { acl_get_fd(file.as_raw_fd()) })
    }

    /// Takes what a function has returned: null with ENOENT means that there is no list.
    fn checked(list: *mut c_void) -> io::Result<Option<Self>> {
        let Some(list) = NonNull::new(list) else {
            let error = io::Error::last_os_error();
            return match error.raw_os_error() {
                Some(libc::ENOENT | libc::ENOTSUP | libc::EOPNOTSUPP) => Ok(None),
                _ => Err(error),
            };
        };
        Ok(Some(Self(list)))
    }

    fn set_on(&self, file: &File) -> io::Result<()> {
        // SAFETY: the descriptor is open, and the list came from the system.
        match unsafe { acl_set_fd(file.as_raw_fd(), self.0.as_ptr()) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

impl Drop for AccessList {
    fn drop(&mut self) {
        // SAFETY: the list came from the system, and this is its only owner.
        unsafe { acl_free(self.0.as_ptr()) };
    }
}

/// Whether the file at `path` has an access control list. One that cannot be read counts.
pub(super) fn has_list(path: &Path) -> bool {
    !matches!(AccessList::of_path(path), Ok(None))
}

/// Returns the mode for a new file whose model has a list. Whoever the list keeps out may be in the group or among the
/// others, so both get nothing.
pub(super) fn mode_like_listed(mode: u32) -> u32 {
    mode & 0o700
}

/// Removes the access control list that the directory has given the file, as `chmod -N` does.
pub(super) fn remove_list(new: &File) -> io::Result<()> {
    if AccessList::of_file(new)?.is_none() {
        return Ok(());
    }
    // SAFETY: the first returns null or an object that this function owns and frees once; the others take that object,
    // the value that stands for no list, and an open descriptor.
    unsafe {
        let security = filesec_init();
        if security.is_null() {
            return Err(io::Error::last_os_error());
        }
        let is_removed = filesec_set_property(security, FILESEC_ACL, FILESEC_REMOVE_ACL) == 0
            && fchmodx_np(new.as_raw_fd(), security) == 0;
        let error = io::Error::last_os_error();
        filesec_free(security);
        if is_removed { Ok(()) } else { Err(error) }
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
    let Some(list) = AccessList::of_path(old_path)? else { return Ok(kept.mode(old_mode)) };
    if list.set_on(new).is_ok() {
        return Ok(kept.mode(old_mode));
    }
    notes.push(Unkept::Attributes(vec!["the access list".into()]));
    Ok(kept.mode(old_mode & 0o7700))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    const BOTH: KeptOwnership = KeptOwnership { owner: true, group: true };

    /// Runs `chmod` with these arguments, and then returns the entries that `ls -le` shows for the path.
    fn after_chmod(arguments: &[&str], path: &Path) -> Vec<String> {
        assert!(Command::new("/bin/chmod").args(arguments).arg(path).status().unwrap().success());
        entries(path)
    }

    fn entries(path: &Path) -> Vec<String> {
        let listed = Command::new("/bin/ls").arg("-led").arg(path).output().unwrap();
        let text = String::from_utf8(listed.stdout).unwrap();
        text.lines().skip(1).map(|line| line.trim().to_owned()).collect()
    }

    #[test]
    fn a_list_is_kept_exactly_and_what_was_inherited_goes() {
        let dir = tempfile::tempdir().unwrap();
        let old = dir.path().join("old");
        std::fs::write(&old, "text").unwrap();
        let expected = after_chmod(&["+a", "everyone deny writeextattr"], &old);
        assert_eq!(expected.len(), 1, "{expected:?}");
        after_chmod(&["+a", "everyone allow read,file_inherit"], dir.path());
        let new_path = dir.path().join("new");
        let new = File::create(&new_path).unwrap();
        assert_eq!(entries(&new_path).len(), 1);
        assert!(has_list(&new_path));
        remove_list(&new).unwrap();
        assert!(entries(&new_path).is_empty() && !has_list(&new_path));
        remove_list(&new).unwrap();
        let mut notes = Vec::new();
        assert_eq!(keep_list(&new, &old, BOTH, 0o4755, &mut notes).unwrap(), 0o4755);
        assert_eq!(entries(&new_path), expected);
        assert!(notes.is_empty());
    }

    /// Those that a list of the directory gave the old file too.
    #[test]
    fn inherited_entries_are_kept() {
        let dir = tempfile::tempdir().unwrap();
        after_chmod(&["+a", "everyone allow read,file_inherit"], dir.path());
        let old = dir.path().join("old");
        std::fs::write(&old, "text").unwrap();
        after_chmod(&["-N"], dir.path());
        let new_path = dir.path().join("new");
        let new = File::create(&new_path).unwrap();
        keep_list(&new, &old, BOTH, 0o644, &mut Vec::new()).unwrap();
        assert_eq!(entries(&new_path), entries(&old));
        assert_eq!(entries(&new_path).len(), 1);
    }

    #[test]
    fn a_file_without_a_list_is_no_error() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("f");
        let file = File::create(&path).unwrap();
        assert!(!has_list(&path));
        remove_list(&file).unwrap();
        let kept = KeptOwnership { owner: true, group: false };
        assert_eq!(keep_list(&file, &path, kept, 0o664, &mut Vec::new()).unwrap(), 0o644);
        assert!(AccessList::of_path(&dir.path().join("missing")).unwrap().is_none());
        assert_eq!(mode_like_listed(0o664), 0o600);
    }
}
