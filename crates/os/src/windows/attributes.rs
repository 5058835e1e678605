//! What the new file takes over from the old one: its access list, alternate streams, attributes and time of creation.
//!
//! ```text
//! opened by nobody else ─► streams ─► the old list ─► attributes, time of creation ─► renamed, closed
//! ```
//!
//! Nobody else can open the new file before it has the name of the old one, so the order matters less than on Unix.

use std::ffi::OsString;
use std::fs::{File, FileTimes};
use std::io;
use std::os::windows::ffi::OsStringExt;
use std::os::windows::fs::{FileTimesExt, MetadataExt};
use std::os::windows::io::AsRawHandle;
use std::path::{Path, PathBuf};
use std::ptr;

use windows_sys::Win32::Foundation::{ERROR_HANDLE_EOF, INVALID_HANDLE_VALUE, LocalFree};
use windows_sys::Win32::Security::Authorization::{GetSecurityInfo, SE_FILE_OBJECT};
use windows_sys::Win32::Security::{
    DACL_SECURITY_INFORMATION, EqualSid, GetSecurityDescriptorControl, OWNER_SECURITY_INFORMATION,
    PROTECTED_DACL_SECURITY_INFORMATION, SE_DACL_AUTO_INHERIT_REQ, SE_DACL_AUTO_INHERITED,
    SE_DACL_PROTECTED, SetKernelObjectSecurity, SetSecurityDescriptorControl,
};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_ATTRIBUTE_HIDDEN, FILE_ATTRIBUTE_NORMAL, FILE_ATTRIBUTE_NOT_CONTENT_INDEXED,
    FILE_ATTRIBUTE_SYSTEM, FILE_BASIC_INFO, FileBasicInfo, FindClose, FindFirstStreamW,
    FindNextStreamW, FindStreamInfoStandard, GetFinalPathNameByHandleW, SetFileInformationByHandle,
    WIN32_FIND_STREAM_DATA,
};

use super::wide::{absolute, checked};
use crate::{FileStatus, Unkept};

/// The attributes that users set. Others come from how a file is stored, or say that a backup does not have it yet, as
/// that of the new text does not.
const KEPT: u32 =
    FILE_ATTRIBUTE_HIDDEN | FILE_ATTRIBUTE_NOT_CONTENT_INDEXED | FILE_ATTRIBUTE_SYSTEM;

/// Copies what the file at `old_path` has to `new`. Adds a note for all that is lost.
///
/// # Errors
///
/// If the system cannot open the old file.
pub fn hand_over(
    new: &File,
    old_path: &Path,
    old: &FileStatus,
    notes: &mut Vec<Unkept>,
) -> io::Result<()> {
    let old_file = File::open(old_path)?;
    let mut lost = keep_streams(new, old_path);
    if keep_security(new, &old_file, &mut lost).is_err() {
        lost.push("the access list".into());
    }
    if let Ok(created) = old_file.metadata().and_then(|metadata| metadata.created()) {
        // Nothing depends on it, and a file system may not have this time.
        let _ = new.set_times(FileTimes::new().set_created(created));
    }
    if keep_attributes(new, old).is_err() {
        lost.push("the file attributes".into());
    }
    if !lost.is_empty() {
        notes.push(Unkept::Attributes(lost));
    }
    Ok(())
}

fn keep_attributes(new: &File, old: &FileStatus) -> io::Result<()> {
    let own = new.metadata()?.file_attributes();
    let wanted = old.attributes & KEPT | own & !KEPT;
    if wanted == own {
        return Ok(());
    }
    // A time of 0 stays as it is, and so would attributes of 0.
    let information = FILE_BASIC_INFO {
        FileAttributes: if wanted == 0 { FILE_ATTRIBUTE_NORMAL } else { wanted },
        ..FILE_BASIC_INFO::default()
    };
    // SAFETY: the handle is open, and pointer and size are those of a live value.
    checked(unsafe {
        SetFileInformationByHandle(
            new.as_raw_handle(),
            FileBasicInfo,
            (&raw const information).cast(),
            size_of_val(&information) as u32,
        )
    })
}

/// A security descriptor of the system, and what it says of a file.
struct Security {
    descriptor: *mut std::ffi::c_void,
    owner: *mut std::ffi::c_void,
}

impl Security {
    fn of(file: &File) -> io::Result<Self> {
        let mut found = Self { descriptor: ptr::null_mut(), owner: ptr::null_mut() };
        // SAFETY: the handle is open, and each pointer is null or to a live value.
        let status = unsafe {
            GetSecurityInfo(
                file.as_raw_handle(),
                SE_FILE_OBJECT,
                OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION,
                &mut found.owner,
                ptr::null_mut(),
                ptr::null_mut(),
                ptr::null_mut(),
                &mut found.descriptor,
            )
        };
        match status {
            0 => Ok(found),
            code => Err(io::Error::from_raw_os_error(code as i32)),
        }
    }

    /// Returns the flags of the descriptor.
    fn control(&self) -> u16 {
        let (mut control, mut revision) = (0, 0);
        // SAFETY: the descriptor is live, and so are both values. The call fails for no descriptor of the system.
        unsafe { GetSecurityDescriptorControl(self.descriptor, &mut control, &mut revision) };
        control
    }

    /// Gives a file that part of the descriptor.
    fn give_to(&self, file: &File, part: u32) -> io::Result<()> {
        // SAFETY: the handle is open, and the descriptor is live.
        checked(unsafe { SetKernelObjectSecurity(file.as_raw_handle(), part, self.descriptor) })
    }
}

impl Drop for Security {
    fn drop(&mut self) {
        // SAFETY: the descriptor came from the system, and nobody else frees it.
        unsafe { LocalFree(self.descriptor) };
    }
}

/// Gives the new file the owner and the access list of the old one. Every user may be made the owner of a file that he
/// has created, which belongs to all administrators if he is one. Another user may be so only by a privilege; an owner
/// that cannot be set is `lost`.
///
/// The list is set as it is. `SetSecurityInfo` would replace the entries that were inherited by those that the
/// directory hands down now, which are others if the file was moved to it.
fn keep_security(new: &File, old: &File, lost: &mut Vec<OsString>) -> io::Result<()> {
    let (was, is) = (Security::of(old)?, Security::of(new)?);
    // SAFETY: both owners are live as long as their descriptors.
    let is_same = || unsafe { EqualSid(was.owner, is.owner) } != 0;
    if !was.owner.is_null()
        && !is.owner.is_null()
        && !is_same()
        && was.give_to(new, OWNER_SECURITY_INFORMATION).is_err()
    {
        lost.push("the owner".into());
    }
    let control = was.control();
    if control & SE_DACL_AUTO_INHERITED != 0 {
        // Without this request, the system forgets the flag that later changes of the directory apply to the file.
        // SAFETY: the descriptor is live.
        checked(unsafe {
            SetSecurityDescriptorControl(
                was.descriptor,
                SE_DACL_AUTO_INHERIT_REQ,
                SE_DACL_AUTO_INHERIT_REQ,
            )
        })?;
    }
    let protection = match control & SE_DACL_PROTECTED {
        0 => 0,
        _ => PROTECTED_DACL_SECURITY_INFORMATION,
    };
    was.give_to(new, DACL_SECURITY_INFORMATION | protection)
}

/// Copies the alternate streams, one of which says that the file came from another computer. Returns the names of those
/// that are lost.
fn keep_streams(new: &File, old_path: &Path) -> Vec<OsString> {
    let Ok(names) = streams(old_path) else { return Vec::new() };
    if names.is_empty() {
        return Vec::new();
    }
    let Ok(new_path) = path_of(new) else { return names };
    let of = |path: &Path, name: &OsString| {
        let mut path = path.as_os_str().to_owned();
        path.push(name);
        PathBuf::from(path)
    };
    let copy = |name: &OsString| {
        let mut from = File::open(of(old_path, name))?;
        io::copy(&mut from, &mut File::create(of(&new_path, name))?)
    };
    names.into_iter().filter(|name| copy(name).is_err()).collect()
}

/// Returns the names of the alternate streams of a file: `:Zone.Identifier:$DATA`.
fn streams(path: &Path) -> io::Result<Vec<OsString>> {
    /// The name of the stream that is the file's text.
    const TEXT: &str = "::$DATA";
    let path = absolute(path)?;
    let mut data = WIN32_FIND_STREAM_DATA::default();
    let pointer = (&raw mut data).cast();
    // SAFETY: the path ends with a NUL, and the pointer is to a live value of the type that the level asks for.
    let search = unsafe { FindFirstStreamW(path.as_ptr(), FindStreamInfoStandard, pointer, 0) };
    if search == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    let mut names = Vec::new();
    let end = loop {
        let len = data.cStreamName.iter().position(|unit| *unit == 0);
        let name = OsString::from_wide(&data.cStreamName[..len.unwrap_or_default()]);
        if name != TEXT {
            names.push(name);
        }
        // SAFETY: the search is open, and the pointer is to a live value.
        if unsafe { FindNextStreamW(search, (&raw mut data).cast()) } == 0 {
            break io::Error::last_os_error();
        }
    };
    // SAFETY: the search is open, and nobody else closes it.
    unsafe { FindClose(search) };
    match end.raw_os_error() {
        Some(code) if code as u32 == ERROR_HANDLE_EOF => Ok(names),
        _ => Err(end),
    }
}

/// Returns the path of an open file.
fn path_of(file: &File) -> io::Result<PathBuf> {
    let mut path = vec![0; 1024];
    loop {
        // SAFETY: the handle is open, and pointer and length are those of the buffer.
        let len = unsafe {
            let len = path.len() as u32;
            GetFinalPathNameByHandleW(file.as_raw_handle(), path.as_mut_ptr(), len, 0)
        } as usize;
        match len {
            0 => return Err(io::Error::last_os_error()),
            len if len < path.len() => return Ok(OsString::from_wide(&path[..len]).into()),
            len => path.resize(len + 1, 0),
        }
    }
}

#[cfg(test)]
mod tests;
