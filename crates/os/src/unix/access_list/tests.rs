use super::*;

const LOST_GROUP: KeptOwnership = KeptOwnership { owner: true, group: false };

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
    let of =
        |group, other| list(&[(1, 6, !0), (2, 7, 5), (4, group, !0), (16, 6, !0), (32, other, !0)]);
    let mut changed = of(7, 4);
    assert!(narrow(LOST_GROUP, &mut changed));
    assert_eq!(changed, of(4, 4));
    let mut same = of(7, 4);
    assert!(narrow(KeptOwnership { owner: true, group: true }, &mut same));
    assert_eq!(same, of(7, 4));
    assert!(!narrow(LOST_GROUP, &mut [2, 0, 0, 0]));
}

#[test]
fn a_new_group_gets_no_more_than_the_mask_let_the_old_one_do() {
    let of = |group, other| list(&[(1, 6, !0), (4, group, !0), (16, 4, !0), (32, other, !0)]);
    let mut changed = of(7, 6);
    assert!(narrow(LOST_GROUP, &mut changed));
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
