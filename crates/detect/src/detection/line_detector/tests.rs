use super::super::trial_reading::WEIGHED;
use super::*;

fn judged(lines: &mut LineDetector, line: &[u8]) -> Option<&'static str> {
    lines.judge(b"", line).map(Encoding::name)
}

/// "нет" is ED E5 F2 in windows-1251 and CE C5 D4 in KOI8-R. Either is letters in the other one too.
#[test]
fn a_short_line_goes_with_those_before_it() {
    let mut lines = LineDetector::default();
    let long = b"\xD3\xCF\xC5\xC4\xC9\xCE\xC5\xCE\xC9\xC5 \xDA\xC1\xCB\xD2\xD9\xD4\xCF";
    assert_eq!(judged(&mut lines, long), Some("KOI8-R"));
    assert_eq!(judged(&mut lines, b"\xCE\xC5\xD4"), Some("KOI8-R"));
    assert_eq!(judged(&mut lines, b"\xC4\xC1"), Some("KOI8-R"));
    // A long line in another encoding is clear enough.
    let other = b"\xEE\xF8\xE8\xE1\xEA\xE0: \xF4\xE0\xE9\xEB \xED\xE5 \xED\xE0\xE9\xE4\xE5\xED";
    assert_eq!(judged(&mut lines, other), Some("windows-1251"));
    assert_eq!(judged(&mut lines, b"\xED\xE5\xF2"), Some("windows-1251"));
    assert_eq!(judged(&mut lines, b"\xCE\xC5\xD4"), Some("KOI8-R"));
}

/// `8.3 °C` is read in the encoding of earlier lines, or else in windows-1252. F8 43 and B0 43 are syllables in
/// code pages of Korea.
#[test]
fn signs_are_those_of_the_lines_before_or_of_windows_1252() {
    let mut lines = LineDetector::default();
    assert_eq!(judged(&mut lines, b"8.3 \xB0C"), Some("windows-1252"));
    let text = b"\x92\xA5\xAC\xAF\xA5\xE0\xA0\xE2\xE3\xE0\xA0 \xA2\xAE\xA4\xEB";
    assert_eq!(judged(&mut lines, text), Some("IBM866"));
    assert_eq!(judged(&mut lines, b"8.3 \xF8C"), Some("IBM866"));
    assert_eq!(judged(&mut lines, b"8.3 \xB0C"), Some("windows-1252"));
}

/// A log repeats itself, and its writers stay with their encodings.
#[test]
fn most_lines_of_a_log_are_judged_at_once() {
    let russian: [&[u8]; 3] = [
        b"\xCD\xE5 \xF3\xE4\xE0\xEB\xEE\xF1\xFC \xEE\xF2\xEA\xF0\xFB\xF2\xFC \xF4\xE0\xE9\xEB",
        b"\xC7\xE0\xEF\xF0\xEE\xF1 \xE2\xFB\xEF\xEE\xEB\xED\xE5\xED",
        b"\xEF\xEE\xEB\xFC\xE7\xEE\xE2\xE0\xF2\xE5\xEB\xFC \xE2\xEE\xF8\xE5\xEB",
    ];
    let french: [&[u8]; 2] = [b"\xE9chec de la requ\xEAte", b"\xE0 \xE9t\xE9 cr\xE9\xE9"];
    let mut lines = LineDetector::default();
    for _ in 0..100 {
        for line in russian {
            assert_eq!(judged(&mut lines, line), Some("windows-1251"));
        }
        for line in french {
            assert_eq!(judged(&mut lines, line), Some("windows-1252"));
        }
    }
    assert!(lines.close_trials <= 5 * 5, "{} of 500", lines.close_trials);
    // A new line of the same writer, with unknown words: "которые могут быть на этом месте после того".
    let before = lines.close_trials;
    let words = b"\xEA\xEE\xF2\xEE\xF0\xFB\xE5 \xEC\xEE\xE3\xF3\xF2 \xE1\xFB\xF2\xFC \
        \xED\xE0 \xFD\xF2\xEE\xEC \xEC\xE5\xF1\xF2\xE5 \xEF\xEE\xF1\xEB\xE5 \xF2\xEE\xE3\xEE";
    assert_eq!(judged(&mut lines, words), Some("windows-1251"));
    assert_eq!(lines.close_trials, before);
}

/// In a log with two writers, few of the lines that are unlike all earlier ones are tried, and those are priced in
/// each charset only until it is too expensive.
#[test]
fn a_line_is_priced_only_as_far_as_that_tells() {
    // "не", "ни", "но", "да", "что", "как", "или", "все", "при", "для", "без" and "над".
    let russian =
        b"\xED\xE5 \xED\xE8 \xED\xEE \xE4\xE0 \xF7\xF2\xEE \xEA\xE0\xEA \xE8\xEB\xE8 \xE2\xF1\xE5 \
        \xEF\xF0\xE8 \xE4\xEB\xFF \xE1\xE5\xE7 \xED\xE0\xE4";
    let russian: Vec<&[u8]> = russian.split(|byte| *byte == b' ').collect();
    let french: [&[u8]; 4] = [b"\xE9t\xE9", b"d\xE9j\xE0", b"apr\xE8s", b"o\xF9"];
    let mut lines = LineDetector::default();
    let before = WEIGHED.get();
    for (number, first) in russian.iter().enumerate() {
        for last in &russian {
            let line = [first, &b" "[..], last, b"\xFB\xE9"].concat();
            assert_eq!(judged(&mut lines, &line), Some("windows-1251"));
        }
        let word = french[number % french.len()];
        let line = [word, b" ", word, word].concat();
        assert_eq!(judged(&mut lines, &line), Some("windows-1252"));
    }
    let (weighed, tried) = (WEIGHED.get() - before, lines.close_trials);
    assert!((10..40).contains(&tried), "{tried} of 156 lines");
    assert!(weighed / tried as u64 <= 600, "{weighed} pairs in {tried} lines");
}

#[test]
fn lines_in_utf8_tell_the_language() {
    // E1 is į in windows-1257 and á in windows-1252.
    let line = b"pavasar\xE1";
    let mut lines = LineDetector::default();
    lines.learn(&"ąžuolas ir šermukšnis, kurie gražiai žydėjo vėlyvą pavasarį ".repeat(5));
    assert_eq!(judged(&mut lines, line), Some("windows-1257"));
    let mut lines = LineDetector::default();
    lines.learn(&"el camión está aquí, y mañana estará también en España ".repeat(5));
    assert_eq!(judged(&mut lines, line), Some("windows-1252"));
}

#[test]
fn what_is_remembered_is_bounded() {
    let mut lines = LineDetector::default();
    let mut state = 1u32;
    for _ in 0..300 {
        let line: Vec<u8> = (0..12)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 24) as u8 | 0x80
            })
            .collect();
        lines.judge(b"", &line);
        lines.learn(&"é".repeat(1000));
    }
    assert!(lines.seen.len() <= MAX_SEEN && lines.rivals.len() <= 2 * MAX_SEEN);
    assert!(lines.rivals.iter().all(|rival| rival.models.len() <= MAX_LANGUAGES));
    assert!(lines.learned <= 2 * MAX_LEARNED && !lines.learns());
}
