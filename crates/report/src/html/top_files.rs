//! The files with most findings: all that the page keeps of the files until its end.
//!
//! A format has no state, so what it keeps is bytes: one line per file with the number of findings, whether the page
//! shows any, and the name, which contains no tab or line break. Whenever there are four times as many lines as needed,
//! all but the top are dropped, so memory does not grow with the number of files.

use oxiconv_encodings::take_least;

const MAX_FILES: usize = 20;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct TopFile {
    pub(super) count: u64,
    pub(super) is_shown: bool,
    pub(super) label: String,
}

pub(super) fn line(count: u64, is_shown: bool, label: &str) -> Vec<u8> {
    format!("{count}\t{}\t{label}\n", u8::from(is_shown)).into()
}

/// Adds lines to the kept ones.
pub(super) fn keep(kept: &mut Vec<u8>, more: &[u8]) {
    kept.extend_from_slice(more);
    if kept.iter().filter(|byte| **byte == b'\n').count() > 4 * MAX_FILES {
        let most = lines(kept);
        *kept = most.iter().flat_map(|file| line(file.count, file.is_shown, &file.label)).collect();
    }
}

/// Returns the files with most findings, in descending order. Equal ones stay in the order in which they were kept.
pub(super) fn lines(kept: &[u8]) -> Vec<TopFile> {
    let kept = String::from_utf8_lossy(kept);
    let mut files: Vec<_> = kept.lines().filter_map(parsed).collect();
    take_least(&mut files, MAX_FILES, |file| std::cmp::Reverse(file.count))
}

fn parsed(line: &str) -> Option<TopFile> {
    let mut parts = line.splitn(3, '\t');
    let count = parts.next()?.parse().ok()?;
    let is_shown = parts.next()? == "1";
    Some(TopFile { count, is_shown, label: parts.next()?.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_with_most_findings_are_kept_whatever_their_order() {
        let mut kept = Vec::new();
        let mut longest = 0;
        for count in (0..500).map(|n| n * 7 % 500) {
            keep(&mut kept, &line(count, count % 2 == 0, &format!("file {count}")));
            longest = longest.max(kept.len());
        }
        let expected: Vec<_> = (480..500)
            .rev()
            .map(|count| TopFile {
                count,
                is_shown: count % 2 == 0,
                label: format!("file {count}"),
            })
            .collect();
        assert_eq!(lines(&kept), expected);
        assert!(longest < 5000, "{longest}");
    }

    #[test]
    fn of_equal_ones_the_first_is_first() {
        let kept = [line(1, true, "b"), line(1, true, "a"), line(2, false, "c")].concat();
        let labels: Vec<_> = lines(&kept).into_iter().map(|file| file.label).collect();
        assert_eq!(labels, ["c", "b", "a"]);
    }
}
