use super::*;

fn misplaced(three: &str) -> bool {
    let [before, cp, after] = three.chars().collect::<Vec<_>>()[..] else { panic!("{three}") };
    let [before, cp, after] = [before, cp, after].map(|c| WordPart::from(CodePoint::from(c)));
    cp.is_misplaced(before, after)
}

#[test]
fn signs_between_letters_and_letters_of_two_scripts_do_not_belong_there() {
    // "fällt" in IBM850 read as windows-1252 and as windows-1251, "для" by halves, U+00A4 in a Russian word.
    for three in ["f„l", "f„д", "aдb", " дb", "дéл", "д¤л", "中éж", "a中b", "aकb", "l©t", "aµb"]
    {
        assert!(misplaced(three), "{three}");
    }
    for three in [
        "fäl",
        "для",
        " ä ",
        "a b",
        "a|b",
        "t’s",
        "l·l",
        "n×m",
        "a—b",
        "a\u{301}b",
        "中。文",
        "中かな",
        " „a",
        "a“ ",
        "5°C",
        "कि\u{902}",
        "한漢글",
    ] {
        assert!(!misplaced(three), "{three}");
    }
}
