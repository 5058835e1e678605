//! Access permissions: the mode and the POSIX access control list of a file, and how to narrow them if the owner or the
//! group cannot be kept.
//!
//! The list is the binary value of `system.posix_acl_access`, all little-endian (`linux/posix_acl_xattr.h`):
//!
//! ```text
//! 02 00 00 00 │ 01 00  06 00  FF FF FF FF │ 02 00  07 00  E8 03 00 00 │ …
//! version 2   │ tag    perms  id          │ USER   rwx    user 1000   │
//! ```

const SET_USER: u32 = 0o4000;
const SET_GROUP: u32 = 0o2000;

/// The length of the version and of each entry, in bytes.
const ACL_HEADER: usize = 4;
const ACL_ENTRY: usize = 8;

const USER_OBJ: u16 = 0x01;
const USER: u16 = 0x02;
const GROUP_OBJ: u16 = 0x04;
const GROUP: u16 = 0x08;
const MASK: u16 = 0x10;
const OTHER: u16 = 0x20;

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
    fn rest(self, owner: u32, group: u32, other: u32) -> (u32, u32) {
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

    /// Narrows an access control list in the same way. Returns `false` if it lacks one of the entries that every list
    /// has.
    ///
    /// The entry of the owning group grants only what the mask grants too, so its effective permissions are what the
    /// group had. Entries that name users and groups stay: they are about the same people as before.
    pub(super) fn narrow(self, list: &mut [u8]) -> bool {
        if self.both() {
            return true;
        }
        let of = |list: &[u8], tag| entries(list).find(|(_, found, _)| *found == tag);
        let (Some(owner), Some(group), Some(other)) =
            (of(list, USER_OBJ), of(list, GROUP_OBJ), of(list, OTHER))
        else {
            return false;
        };
        let mask = of(list, MASK).map_or(7, |(_, _, may)| may);
        let (new_group, new_other) = self.rest(owner.2, group.2 & mask, other.2);
        for (at, may) in [(group.0, new_group), (other.0, new_other)] {
            list[at + 2..at + 4].copy_from_slice(&(may as u16).to_le_bytes());
        }
        true
    }
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
mod tests {
    use super::*;

    #[test]
    fn who_loses_owner_or_group_gives_nobody_more() {
        let lost = |owner: bool, group: bool| KeptOwnership { owner: !owner, group: !group };
        for (mode, kept, expected) in [
            (0o664, lost(true, true), 0o644),
            (0o664, lost(false, true), 0o644),
            (0o664, lost(true, false), 0o664),
            (0o660, lost(true, false), 0o660),
            (0o660, lost(false, true), 0o600),
            (0o604, lost(false, true), 0o600),
            (0o077, lost(true, false), 0o000),
            (0o4755, lost(true, false), 0o755),
            (0o6755, lost(false, true), 0o4755),
            (0o6775, lost(false, false), 0o6775),
        ] {
            assert_eq!(kept.mode(mode), expected, "{mode:o} {kept:?}");
        }
    }

    fn list(entries: &[(u16, u16, u32)]) -> Vec<u8> {
        let mut list = 2_u32.to_le_bytes().to_vec();
        for (tag, may, id) in entries {
            list.extend(tag.to_le_bytes());
            list.extend(may.to_le_bytes());
            list.extend(id.to_le_bytes());
        }
        list
    }

    #[test]
    fn a_list_gives_a_new_group_what_the_others_had() {
        let of = |group, other| {
            list(&[(1, 6, !0), (2, 7, 5), (4, group, !0), (16, 6, !0), (32, other, !0)])
        };
        let mut changed = of(7, 4);
        assert!(KeptOwnership { owner: true, group: false }.narrow(&mut changed));
        assert_eq!(changed, of(4, 4));
        let mut same = of(7, 4);
        assert!(KeptOwnership { owner: true, group: true }.narrow(&mut same));
        assert_eq!(same, of(7, 4));
        assert!(!KeptOwnership { owner: true, group: false }.narrow(&mut [2, 0, 0, 0]));
    }

    #[test]
    fn a_new_group_gets_no_more_than_the_mask_let_the_old_one_do() {
        let of = |group, other| list(&[(1, 6, !0), (4, group, !0), (16, 4, !0), (32, other, !0)]);
        let mut changed = of(7, 6);
        assert!(KeptOwnership { owner: true, group: false }.narrow(&mut changed));
        assert_eq!(changed, of(4, 4));
    }

    #[test]
    fn without_its_list_a_file_is_open_to_no_one_whom_the_list_keeps_out() {
        let of = |user, group, named, mask| {
            let (user, group) = ((2, user, 5), (4, group, !0));
            list(&[(1, 6, !0), user, group, (8, named, 6), (16, mask, !0), (32, 7, !0)])
        };
        for (list, mode, expected) in [
            (of(0, 6, 7, 6), 0o664, 0o600),
            (of(5, 7, 7, 7), 0o2775, 0o2755),
            (of(7, 6, 7, 7), 0o4777, 0o4766),
            (of(7, 7, 3, 7), 0o777, 0o733),
            (of(7, 7, 7, 4), 0o747, 0o744),
            (of(7, 7, 7, 7), 0o421, 0o421),
            (list(&[(1, 6, !0), (4, 6, !0), (32, 7, !0)]), 0o677, 0o666),
        ] {
            assert_eq!(mode_without(&list, mode), expected, "{mode:o} {list:?}");
        }
    }
}
