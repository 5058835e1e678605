//! Creating files and directories, and keeping others away from them while they are in use.

use std::fs::File;
use std::io;
use std::os::windows::fs::OpenOptionsExt;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::path::Path;
use std::ptr;

use windows_sys::Win32::Foundation::{
    ERROR_SHARING_VIOLATION, GENERIC_READ, GENERIC_WRITE, HANDLE, LocalFree, WAIT_ABANDONED,
    WAIT_OBJECT_0,
};
use windows_sys::Win32::Security::Authorization::{
    ConvertStringSecurityDescriptorToSecurityDescriptorW, SDDL_REVISION_1,
};
use windows_sys::Win32::Security::SECURITY_ATTRIBUTES;
use windows_sys::Win32::Storage::FileSystem::{
    CreateDirectoryW, DELETE, FILE_DISPOSITION_INFO, FILE_SHARE_DELETE, FileDispositionInfo,
    SYNCHRONIZE, SetFileInformationByHandle, WRITE_DAC, WRITE_OWNER,
};
use windows_sys::Win32::System::Threading::{
    CreateMutexExW, MUTEX_MODIFY_STATE, ReleaseMutex, WaitForSingleObject,
};
use windows_sys::core::{PCWSTR, w};

use super::wide::{absolute, checked};
use crate::{FileStatus, Identity, UsedFile};

/// The most permissions that a new file gets, which on Windows are those that its directory hands down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permissions;

impl Permissions {
    /// Those that the process gives to any new file.
    pub const USUAL: Self = Self;
    /// While it is open, nobody else may read or write it.
    pub const PRIVATE: Self = Self;

    /// Returns those of a new file beside others, whatever those of the file at `model` are.
    ///
    /// # Errors
    ///
    /// If the system cannot examine `model`.
    pub fn like(model: &Path, _: Option<&Path>) -> io::Result<Self> {
        FileStatus::of_path(model).map(|_| Self)
    }
}

/// Creates an empty file to read and write, which no other process can open meanwhile. So [`take_unused`] knows that it
/// is in use, whatever ends this process, and nobody reads the new text before it has the permissions of the old file.
/// Others may delete it, as this process does when it ends.
///
/// On a share whose users may change files but no permissions, the file cannot be given those of another.
///
/// # Errors
///
/// If the system cannot create it, or with [`io::ErrorKind::AlreadyExists`].
pub fn create_used(path: &Path, _: Permissions) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true).create_new(true).share_mode(FILE_SHARE_DELETE);
    let mut create =
        |more| options.access_mode(GENERIC_READ | GENERIC_WRITE | DELETE | more).open(path);
    match create(WRITE_DAC | WRITE_OWNER) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => create(0),
        done => done,
    }
}

/// Does nothing: creating a file and keeping others away is one step.
///
/// # Errors
///
/// Never.
pub fn mark_used(_: &File) -> io::Result<bool> {
    Ok(true)
}

/// Does nothing: nobody else can open the file.
///
/// # Errors
///
/// Never.
pub fn make_private(_: &File) -> io::Result<()> {
    Ok(())
}

/// Opens a file that an earlier run may have left, and says whether a run uses it.
pub fn take_unused(path: &Path) -> UsedFile {
    if !FileStatus::of_name(path).is_ok_and(|status| status.is_regular()) {
        return UsedFile::Missing;
    }
    let mut options = File::options();
    options.access_mode(GENERIC_READ | DELETE).share_mode(FILE_SHARE_DELETE);
    match options.open(path) {
        Ok(file) => UsedFile::Unused(file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => UsedFile::Missing,
        Err(error) if error.raw_os_error() == Some(ERROR_SHARING_VIOLATION as i32) => {
            UsedFile::Used
        }
        Err(_) => UsedFile::Unknown,
    }
}

/// Removes a file that [`create_used`] has created, and that may have been renamed: then its new name stays.
pub fn remove_used(file: &File, path: &Path) {
    let (opened, named) = (FileStatus::of_file(file), FileStatus::of_name(path));
    if !matches!((opened, named), (Ok(opened), Ok(named)) if opened.is_same_file(&named)) {
        return;
    }
    let remove = FILE_DISPOSITION_INFO { DeleteFile: true };
    // SAFETY: the handle is open, and pointer and size are those of a live value.
    unsafe {
        SetFileInformationByHandle(
            file.as_raw_handle(),
            FileDispositionInfo,
            (&raw const remove).cast(),
            size_of_val(&remove) as u32,
        )
    };
}

/// Creates an empty file that takes a name until it is replaced.
///
/// # Errors
///
/// If the system cannot create it, or with [`io::ErrorKind::AlreadyExists`].
pub fn create_placeholder(path: &Path) -> io::Result<File> {
    File::options().write(true).create_new(true).open(path)
}

/// Creates a directory that nobody but this user, administrators and the system can enter.
///
/// # Errors
///
/// If the system cannot create it, or with [`io::ErrorKind::AlreadyExists`].
pub fn create_private_directory(path: &Path) -> io::Result<()> {
    // Protected (P), so that nothing is inherited; all rights (FA) for the owner (OW), the system (SY) and
    // administrators (BA), which files (OI) and directories (CI) in it inherit.
    let list = w!("D:P(A;OICI;FA;;;OW)(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)");
    let path = absolute(path)?;
    // SAFETY: the list and the path end with a NUL, and the attributes are live.
    let create = |attributes: &_| checked(unsafe { CreateDirectoryW(path.as_ptr(), attributes) });
    // SAFETY: the list ends with a NUL.
    unsafe { with_access_list(list, create) }?
}

/// Calls `create` with an access list, which is given in the language of security descriptors.
///
/// # Safety
///
/// The list must end with a NUL.
pub(super) unsafe fn with_access_list<T>(
    list: PCWSTR,
    create: impl FnOnce(&SECURITY_ATTRIBUTES) -> T,
) -> io::Result<T> {
    let mut descriptor = ptr::null_mut();
    // SAFETY: the list ends with a NUL, and the pointer is to a live value; the size is not asked for.
    checked(unsafe {
        ConvertStringSecurityDescriptorToSecurityDescriptorW(
            list,
            SDDL_REVISION_1,
            &mut descriptor,
            ptr::null_mut(),
        )
    })?;
    let attributes = SECURITY_ATTRIBUTES {
        nLength: size_of::<SECURITY_ATTRIBUTES>() as u32,
        lpSecurityDescriptor: descriptor,
        bInheritHandle: 0,
    };
    let created = create(&attributes);
    // SAFETY: the descriptor came from the system, and nobody else frees it.
    unsafe { LocalFree(descriptor) };
    Ok(created)
}

/// A file that this run replaces and other runs on this computer leave alone meanwhile, whoever started them.
///
/// It is not the file that is locked, since locks keep away everybody on Windows, and an open file may not be replaced
/// on every file system. It is a mutex that is named by the file. The thread that has it must release it, so a hold
/// cannot be sent to another one: a raw handle is not `Send`.
#[derive(Debug)]
pub struct Hold {
    mutex: HANDLE,
    _closed_last: OwnedHandle,
}

impl Hold {
    /// Holds the file at `path` against other runs, if it is a regular one. After a second it is held all the same.
    pub fn of(path: &Path) -> Option<Self> {
        let name = format!("Global\\oxiconv-{}", Identity::of_path(path)?.name());
        let name: Vec<u16> = name.encode_utf16().chain([0]).collect();
        // Everybody (WD) may wait for it and release it, and nothing else.
        const RIGHTS: u32 = SYNCHRONIZE | MUTEX_MODIFY_STATE;
        let list = w!("D:(A;;0x100001;;;WD)");
        let create = |attributes: &_| {
            // SAFETY: the attributes are live, and the name ends with a NUL.
            unsafe { CreateMutexExW(attributes, name.as_ptr(), 0, RIGHTS) }
        };
        // SAFETY: the list ends with a NUL.
        let mutex = unsafe { with_access_list(list, create) }.ok()?;
        if mutex.is_null() {
            return None;
        }
        // SAFETY: the handle is open, and nobody else has it.
        let owned = unsafe { OwnedHandle::from_raw_handle(mutex) };
        // SAFETY: the handle is open.
        match unsafe { WaitForSingleObject(mutex, 1000) } {
            // A run that ended while it held the file has released it.
            WAIT_OBJECT_0 | WAIT_ABANDONED => Some(Self { mutex, _closed_last: owned }),
            _ => None,
        }
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        // SAFETY: the handle is open until the field after it is dropped, and this thread has the mutex.
        unsafe { ReleaseMutex(self.mutex) };
    }
}

#[cfg(test)]
mod tests;
