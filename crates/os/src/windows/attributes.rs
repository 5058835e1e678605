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
use std::{ptr, slice};

use windows_sys::Win32::Foundation::{ERROR_HANDLE_EOF, INVALID_HANDLE_VALUE};
use windows_sys::Win32::Security::{
    DACL_SECURITY_INFORMATION, EqualSid, GetKernelObjectSecurity, GetSecurityDescriptorControl,
    GetSecurityDescriptorDacl, GetSecurityDescriptorOwner, OWNER_SECURITY_INFORMATION,
    PROTECTED_DACL_SECURITY_INFORMATION, PSECURITY_DESCRIPTOR, PSID, SE_DACL_AUTO_INHERIT_REQ,
    SE_DACL_AUTO_INHERITED, SE_DACL_PROTECTED, SetKernelObjectSecurity,
    SetSecurityDescriptorControl,
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

/// The owner and the access list of a file, as the file system has them: `GetSecurityInfo` would say of entries which
/// are inherited by comparing them with those of the directory.
struct Security {
    /// Aligned as the system wants it.
    descriptor: Vec<u64>,
}

impl Security {
    fn of(file: &File) -> io::Result<Self> {
        const PARTS: u32 = OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION;
        let handle = file.as_raw_handle();
        let mut len = 0;
        // SAFETY: the handle is open, the length says that there is no room, and the last pointer is to a live value.
        unsafe { GetKernelObjectSecurity(handle, PARTS, ptr::null_mut(), 0, &mut len) };
        let mut descriptor = vec![0; len.div_ceil(8) as usize];
        let room = descriptor.as_mut_ptr().cast();
        // SAFETY: the handle is open, the buffer has this length at least, and the last pointer is to a live value.
        checked(unsafe { GetKernelObjectSecurity(handle, PARTS, room, len, &mut len) })?;
        Ok(Self { descriptor })
    }

    fn pointer(&self) -> PSECURITY_DESCRIPTOR {
        self.descriptor.as_ptr().cast_mut().cast()
    }

    /// Returns the owner, if there is one: a pointer into the descriptor.
    fn owner(&self) -> Option<PSID> {
        let (mut owner, mut is_default) = (ptr::null_mut(), 0);
        // SAFETY: the descriptor is live, and so are both values.
        unsafe { GetSecurityDescriptorOwner(self.pointer(), &mut owner, &mut is_default) };
        (!owner.is_null()).then_some(owner)
    }

    /// Returns the bytes of the access list. Without one, everybody has access.
    fn list(&self) -> Option<&[u8]> {
        let (mut list, mut is_present, mut is_default) = (ptr::null_mut(), 0, 0);
        // SAFETY: the descriptor is live, and so are the three values.
        unsafe {
            GetSecurityDescriptorDacl(self.pointer(), &mut is_present, &mut list, &mut is_default)
        };
        // SAFETY: a list that is not null is in the descriptor, with the length that it says.
        (is_present != 0 && !list.is_null())
            .then(|| unsafe { slice::from_raw_parts(list.cast(), (*list).AclSize.into()) })
    }

    /// Returns the flags of the descriptor.
    fn control(&self) -> u16 {
        let (mut control, mut revision) = (0, 0);
        // SAFETY: the descriptor is live, and so are both values. The call fails for no descriptor of the system.
        unsafe { GetSecurityDescriptorControl(self.pointer(), &mut control, &mut revision) };
        control
    }

    /// Gives a file that part of the descriptor.
    fn give_to(&self, file: &File, part: u32) -> io::Result<()> {
        // SAFETY: the handle is open, and the descriptor is live.
        checked(unsafe { SetKernelObjectSecurity(file.as_raw_handle(), part, self.pointer()) })
    }
}

/// Gives the new file the owner and the access list of the old one. Every user may be made the owner of a file that he
/// has created, which belongs to all administrators if he is one. Another user may be so only by a privilege; an owner
/// that cannot be set is `lost`.
///
/// The list is set as it is. `SetSecurityInfo` would replace the entries that were inherited by those that the
/// directory hands down now, which are others if the file was moved to it.
fn keep_security(new: &File, old: &File, lost: &mut Vec<OsString>) -> io::Result<()> {
    let (mut was, is) = (Security::of(old)?, Security::of(new)?);
    if let (Some(old_owner), Some(owner)) = (was.owner(), is.owner())
        // SAFETY: both are in live descriptors.
        && unsafe { EqualSid(old_owner, owner) } == 0
        && was.give_to(new, OWNER_SECURITY_INFORMATION).is_err()
    {
        lost.push("the owner".into());
    }
    let control = was.control();
    // A share may let nobody set a list, and most files have the one that their directory hands down.
    if (control ^ is.control()) & (SE_DACL_PROTECTED | SE_DACL_AUTO_INHERITED) == 0
        && was.list() == is.list()
    {
        return Ok(());
    }
    if control & SE_DACL_AUTO_INHERITED != 0 {
        // Without this request, the system forgets the flag that later changes of the directory apply to the file.
        let request = SE_DACL_AUTO_INHERIT_REQ;
        let pointer = was.descriptor.as_mut_ptr().cast();
        // SAFETY: the descriptor is live, and nobody else has it.
        checked(unsafe { SetSecurityDescriptorControl(pointer, request, request) })?;
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
