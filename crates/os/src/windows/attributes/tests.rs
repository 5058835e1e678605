use std::fs;
use std::os::windows::fs::OpenOptionsExt;

use windows_sys::Win32::Foundation::LocalFree;
use windows_sys::Win32::Security::Authorization::{
    ConvertSecurityDescriptorToStringSecurityDescriptorW, SDDL_REVISION_1,
};
use windows_sys::core::w;

use super::super::new_file::{Permissions, create_used, with_access_list};
use super::*;

#[test]
fn attributes_are_kept_and_so_are_streams_where_there_are_any() {
    let dir = tempfile::tempdir().unwrap();
    let (old, new) = (dir.path().join("old"), dir.path().join("new"));
    let hidden = FILE_ATTRIBUTE_HIDDEN | FILE_ATTRIBUTE_SYSTEM;
    drop(File::options().write(true).create_new(true).attributes(hidden).open(&old).unwrap());
    let mut stream = old.clone().into_os_string();
    stream.push(":Zone.Identifier");
    // Wine has no streams: this makes a file of that name.
    fs::write(&stream, "[ZoneTransfer]").unwrap();
    let has_streams = streams(&old).is_ok_and(|names| names.len() == 1);
    let file = create_used(&new, Permissions::PRIVATE).unwrap();
    let mut notes = Vec::new();
    hand_over(&file, &old, &FileStatus::of_path(&old).unwrap(), &mut notes).unwrap();
    assert!(notes.is_empty(), "{notes:?}");
    assert_eq!(file.metadata().unwrap().file_attributes() & hidden, hidden);
    if has_streams {
        let mut stream = new.into_os_string();
        stream.push(":Zone.Identifier");
        assert_eq!(fs::read(stream).unwrap(), b"[ZoneTransfer]");
    }
}

/// The access list in the language of security descriptors.
fn list_of(path: &Path) -> String {
    let security = Security::of(&File::open(path).unwrap()).unwrap();
    let (mut text, mut len) = (ptr::null_mut(), 0);
    // SAFETY: the descriptor is live, and so are both values.
    checked(unsafe {
        ConvertSecurityDescriptorToStringSecurityDescriptorW(
            security.pointer(),
            SDDL_REVISION_1,
            DACL_SECURITY_INFORMATION,
            &mut text,
            &mut len,
        )
    })
    .unwrap();
    // SAFETY: the text has this length.
    let list = String::from_utf16_lossy(unsafe { slice::from_raw_parts(text, len as usize) });
    // SAFETY: the text came from the system, and nobody else frees it.
    unsafe { LocalFree(text.cast()) };
    list
}

#[test]
fn the_access_list_is_kept_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let (old, new) = (dir.path().join("old"), dir.path().join("new"));
    // For the owner and administrators alone, and for everybody to read: neither is what a new file gets.
    for list in [w!("D:P(A;;FA;;;OW)(A;;FA;;;BA)"), w!("D:P(A;;FA;;;WD)"), w!("D:AI(A;;FA;;;WD)")] {
        let _ = (fs::remove_file(&old), fs::remove_file(&new));
        let file = create_used(&old, Permissions::PRIVATE).unwrap();
        // SAFETY: the list ends with a NUL, the handle is open, and the descriptor is live.
        let given = unsafe {
            with_access_list(list, |attributes| {
                let descriptor = attributes.lpSecurityDescriptor;
                let part = DACL_SECURITY_INFORMATION;
                checked(SetKernelObjectSecurity(file.as_raw_handle(), part, descriptor))
            })
        };
        given.unwrap().unwrap();
        drop(file);
        let file = create_used(&new, Permissions::PRIVATE).unwrap();
        let mut notes = Vec::new();
        hand_over(&file, &old, &FileStatus::of_path(&old).unwrap(), &mut notes).unwrap();
        drop(file);
        assert!(notes.is_empty(), "{notes:?}");
        assert_eq!(list_of(&new), list_of(&old));
    }
}
