//! What the system says of a file.

use std::ffi::c_void;
use std::fs::File;
use std::io;
use std::mem;
use std::os::windows::fs::OpenOptionsExt;
use std::os::windows::io::AsRawHandle;
use std::path::Path;

use windows_sys::Win32::Storage::FileSystem::{
    BY_HANDLE_FILE_INFORMATION, FILE_ATTRIBUTE_OFFLINE, FILE_ATTRIBUTE_RECALL_ON_DATA_ACCESS,
    FILE_ATTRIBUTE_RECALL_ON_OPEN, FILE_ATTRIBUTE_REPARSE_POINT, FILE_ATTRIBUTE_TAG_INFO,
    FILE_BASIC_INFO, FILE_FLAG_BACKUP_SEMANTICS, FILE_FLAG_OPEN_REPARSE_POINT, FILE_ID_INFO,
    FILE_INFO_BY_HANDLE_CLASS, FILE_READ_ATTRIBUTES, FILE_STANDARD_INFO, FILE_TYPE_CHAR,
    FILE_TYPE_DISK, FILE_TYPE_PIPE, FileAttributeTagInfo, FileBasicInfo, FileIdInfo,
    FileStandardInfo, GetFileInformationByHandle, GetFileInformationByHandleEx, GetFileType,
};

use super::wide::checked;
use crate::FileKind;

/// The bit of a reparse tag that says that the file stands for another one (`IsReparseTagNameSurrogate`): a symbolic
/// link, a junction. A file that is stored elsewhere, such as in the cloud, is a regular file.
const NAME_SURROGATE: u32 = 0x2000_0000;

/// What the system says of a file, asked once.
#[derive(Debug)]
pub struct FileStatus {
    kind: FileKind,
    len: u64,
    links: u64,
    identity: Identity,
    modified: i64,
    changed: i64,
    pub(super) attributes: u32,
}

/// The identity of a file, which all of its paths share: hard links, symbolic links, and names that differ only in
/// case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Identity {
    volume: u64,
    file: u128,
}

impl Identity {
    /// Returns a name of the file that no other file has at the same time.
    pub(super) fn name(self) -> String {
        format!("{:x}-{:x}", self.volume, self.file)
    }
}

impl FileStatus {
    /// Asks for the file at `path`, to which symbolic links and junctions lead.
    ///
    /// # Errors
    ///
    /// If there is none, or the system does not say.
    pub fn of_path(path: &Path) -> io::Result<Self> {
        Self::of_file(&open(path, 0)?)
    }

    /// Asks for what has the name `path`, which may be a symbolic link or a junction itself.
    ///
    /// # Errors
    ///
    /// If there is nothing, or the system does not say.
    pub fn of_name(path: &Path) -> io::Result<Self> {
        Self::of_file(&open(path, FILE_FLAG_OPEN_REPARSE_POINT)?)
    }

    /// Asks for an open file.
    ///
    /// # Errors
    ///
    /// If the system does not say.
    pub fn of_file(file: &File) -> io::Result<Self> {
        // SAFETY: the handle is open.
        let kind = match unsafe { GetFileType(file.as_raw_handle()) } {
            FILE_TYPE_DISK => return Self::of_disk(file),
            FILE_TYPE_PIPE => FileKind::Pipe,
            FILE_TYPE_CHAR => FileKind::Device,
            _ => {
                let error = io::Error::last_os_error();
                if error.raw_os_error() != Some(0) {
                    return Err(error);
                }
                FileKind::Device
            }
        };
        Ok(Self {
            kind,
            len: 0,
            links: 1,
            identity: Identity::default(),
            modified: 0,
            changed: 0,
            attributes: 0,
        })
    }

    fn of_disk(file: &File) -> io::Result<Self> {
        let basic: FILE_BASIC_INFO = information(file, FileBasicInfo)?;
        let standard: FILE_STANDARD_INFO = information(file, FileStandardInfo)?;
        let is_link = || {
            information::<FILE_ATTRIBUTE_TAG_INFO>(file, FileAttributeTagInfo)
                .is_ok_and(|info| info.ReparseTag & NAME_SURROGATE != 0)
        };
        let kind = if basic.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT != 0 && is_link() {
            FileKind::Link
        } else if standard.Directory {
            FileKind::Directory
        } else {
            FileKind::Regular
        };
        Ok(Self {
            kind,
            len: standard.EndOfFile.try_into().unwrap_or_default(),
            links: standard.NumberOfLinks.into(),
            identity: identity(file)?,
            modified: basic.LastWriteTime,
            changed: basic.ChangeTime,
            attributes: basic.FileAttributes,
        })
    }

    /// Returns its kind.
    pub fn kind(&self) -> FileKind {
        self.kind
    }

    /// Whether it is a regular file.
    pub fn is_regular(&self) -> bool {
        self.kind == FileKind::Regular
    }

    /// Returns its length in bytes, which means something for a regular file only.
    #[allow(clippy::len_without_is_empty, reason = "as on other systems, where 0 may mean nothing")]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns the number of its names.
    pub fn links(&self) -> u64 {
        self.links
    }

    /// Returns its identity, if it is a regular file.
    pub fn identity(&self) -> Option<Identity> {
        self.is_regular().then_some(self.identity)
    }

    /// Whether both are of one file, of whatever kind.
    pub fn is_same_file(&self, other: &Self) -> bool {
        self.identity == other.identity && self.kind == other.kind
    }

    /// Whether it is the null device, which is mounted over a file to hide it. Windows has no such mounts.
    pub fn is_null_device(&self) -> bool {
        false
    }

    /// Whether its text is yet to be fetched, as that of a file in OneDrive may be. Reading it then changes the file.
    fn is_elsewhere(&self) -> bool {
        const FETCHED: u32 = FILE_ATTRIBUTE_OFFLINE
            | FILE_ATTRIBUTE_RECALL_ON_DATA_ACCESS
            | FILE_ATTRIBUTE_RECALL_ON_OPEN;
        self.attributes & FETCHED != 0
    }

    /// Returns its version.
    pub fn version(&self) -> FileVersion {
        FileVersion {
            file: self.identity,
            len: self.len,
            modified: self.modified,
            changed: (self.links == 1 && !self.is_elsewhere()).then_some(self.changed),
        }
    }
}

/// Opens a file only to ask about it, which no other program can forbid.
fn open(path: &Path, flags: u32) -> io::Result<File> {
    // Without the first flag, a directory cannot be opened.
    let flags = FILE_FLAG_BACKUP_SEMANTICS | flags;
    File::options().access_mode(FILE_READ_ATTRIBUTES).custom_flags(flags).open(path)
}

/// Asks for one kind of information about an open file.
fn information<T: Copy>(file: &File, class: FILE_INFO_BY_HANDLE_CLASS) -> io::Result<T> {
    // SAFETY: the structures are C structs of integers, for which all zeros is a valid value.
    let mut information: T = unsafe { mem::zeroed() };
    let pointer: *mut c_void = (&raw mut information).cast();
    let size = mem::size_of::<T>() as u32;
    // SAFETY: the handle is open, and pointer and size are those of a live value.
    checked(unsafe { GetFileInformationByHandleEx(file.as_raw_handle(), class, pointer, size) })?;
    Ok(information)
}

/// ReFS identifies files by 128 bits, and file systems that have no such call by 64.
fn identity(file: &File) -> io::Result<Identity> {
    if let Ok(id) = information::<FILE_ID_INFO>(file, FileIdInfo) {
        let file = u128::from_le_bytes(id.FileId.Identifier);
        return Ok(Identity { volume: id.VolumeSerialNumber, file });
    }
    // SAFETY: it is a C struct of integers, for which all zeros is a valid value.
    let mut information: BY_HANDLE_FILE_INFORMATION = unsafe { mem::zeroed() };
    // SAFETY: the handle is open, and the pointer is to a live value.
    checked(unsafe { GetFileInformationByHandle(file.as_raw_handle(), &mut information) })?;
    let index = u64::from(information.nFileIndexHigh) << 32 | u64::from(information.nFileIndexLow);
    Ok(Identity { volume: information.dwVolumeSerialNumber.into(), file: index.into() })
}

/// The version of a file: which file it is, its size and its times, which NTFS counts in steps of 100 ns. It differs
/// after any write, and for any other file.
#[derive(Clone, Debug)]
pub struct FileVersion {
    file: Identity,
    len: u64,
    modified: i64,
    /// The time of the last change of any kind, which also reveals changed attributes, and writes after which the time
    /// of modification was set back. `None` for a file with several names, because removing one of them changes it, and
    /// for one that reading changes.
    changed: Option<i64>,
}

impl FileVersion {
    /// Whether a file that had the version `before` is unchanged in this one. The time of change counts only if the
    /// file had a single name both times: this run may have replaced another of its names, which changes nothing.
    pub fn is_still(&self, before: &Self) -> bool {
        let changed = self.changed.zip(before.changed);
        (self.file, self.len, self.modified) == (before.file, before.len, before.modified)
            && changed.is_none_or(|(now, before)| now == before)
    }
}
