use proptest::prelude::*;

use super::*;

/// Returns the lines that are in both texts, read from either.
fn common<'t>(text: &'t [u8], changed: &[bool]) -> Vec<&'t [u8]> {
    let lines = text.split_inclusive(|byte| *byte == b'\n');
    lines.zip(changed).filter(|(_, changed)| !**changed).map(|(line, _)| line).collect()
}

fn changed(old: &str, new: &str) -> [String; 2] {
    let changes = LineChanges::between(old.as_bytes(), new.as_bytes());
    [changes.removed, changes.added]
        .map(|side| side.iter().map(|changed| if *changed { 'x' } else { '.' }).collect())
}

#[test]
fn with_as_many_lines_each_is_compared_with_the_one_in_its_place() {
    assert_eq!(changed("a\nb\nc\n", "a\nB\nc\n"), [".x.", ".x."]);
    // The line in common is in another place, where no conversion would put it.
    assert_eq!(changed("a\nb\n", "b\nc\n"), ["xx", "xx"]);
    assert_eq!(changed("a", "a\n"), ["x", "x"]);
    assert_eq!(changed("", ""), ["", ""]);
}

#[test]
fn if_lines_are_added_the_others_are_found_again() {
    assert_eq!(changed("a\nb\rc\nd\n", "a\nb\nc\nd\n"), [".x.", ".xx."]);
    assert_eq!(changed("1\r2\na\nb\nc\n3\r4\n", "1\n2\na\nb\nc\n3\n4\n"), ["x...x", "xx...xx"]);
    assert_eq!(changed("", "a\nb\n"), ["", "xx"]);
    assert_eq!(changed("a\n", "a\na\n"), [".", ".x"]);
}

#[test]
fn changes_are_listed_in_order() {
    let changes = LineChanges {
        removed: vec![false, true, true, false, false],
        added: vec![false, true, false, true, false],
    };
    let first = changes.next(0, 0).unwrap();
    assert_eq!(first, LineChange { old: 1..3, new: 1..2 });
    let second = changes.next(first.old.end, first.new.end).unwrap();
    assert_eq!(second, LineChange { old: 4..4, new: 3..4 });
    assert_eq!(changes.next(second.old.end, second.new.end), None);
}

/// With quadratic time, each of these would take minutes.
#[test]
fn many_lines_that_differ_are_no_trouble() {
    let text = |first: char, count: usize| format!("{first}bc\n").repeat(count);
    let all = |count: usize| "x".repeat(count);
    let million = 1_000_000;
    let changes = changed(&text('a', million), &text('x', million));
    assert_eq!(changes, [all(million), all(million)]);
    // Not as many: the most for which lines in common are searched for, then more than that.
    let numbered = |at: usize| (0..MAX_SEARCHED / 2).map(move |line| (line * at) % 65_537);
    let lines = |at| numbered(at).map(|number| format!("{number}\n")).collect::<String>();
    let (old, new) = (lines(1), lines(3) + "\n");
    let changes = LineChanges::between(old.as_bytes(), new.as_bytes());
    assert_eq!(common(old.as_bytes(), &changes.removed), common(new.as_bytes(), &changes.added));
    let changes = changed(&text('a', MAX_SEARCHED), &text('x', MAX_SEARCHED + 1));
    assert_eq!(changes, [all(MAX_SEARCHED), all(MAX_SEARCHED + 1)]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn what_is_not_changed_is_the_same_on_both_sides(
        old in "[abc\n]{0,60}", new in "[abc\n]{0,60}",
    ) {
        let changes = LineChanges::between(old.as_bytes(), new.as_bytes());
        prop_assert_eq!(
            common(old.as_bytes(), &changes.removed),
            common(new.as_bytes(), &changes.added)
        );
        prop_assert_eq!(changes.removed.len(), old.split_inclusive('\n').count());
        prop_assert_eq!(changes.added.len(), new.split_inclusive('\n').count());
    }
}
