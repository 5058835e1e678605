use super::*;

/// The table of docs/repair.md has the pairs of [`REPORTED`]. A published crate has no such page.
#[test]
fn the_page_lists_all_pairs() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/repair.md");
    let Ok(page) = std::fs::read_to_string(page) else { return };
    let (_, table) = page.split_once("| read as | written in |\n|---|---|\n").unwrap();
    let range: Vec<_> = (1250..=1256).map(|number| format!("windows-{number}")).collect();
    let names = |cell: &str| -> Vec<String> {
        let cell = cell
            .replace("windows-1250 to 1256", &range.join(", "))
            .replace("windows-1250, 1252 and 1254", "windows-1250, windows-1252, windows-1254")
            .replace("Mac Roman", "macintosh");
        let names = cell.split(", ").filter(|name| *name != "any common encoding");
        names.map(|name| name.trim().to_owned()).collect()
    };
    let mut listed = Vec::new();
    for row in table.lines().take_while(|line| line.starts_with('|')) {
        let cells: Vec<_> = row.trim_matches('|').split('|').map(str::trim).collect();
        for read_as in names(cells[0]) {
            // windows-1252 stands for it.
            if read_as != "ISO-8859-1" {
                let written_in = names(cells[1]);
                listed.extend(written_in.into_iter().map(|name| (read_as.clone(), name)));
            }
        }
    }
    let mut reported: Vec<(String, String)> = REPORTED
        .iter()
        .flat_map(|(read_as, all)| all.iter().map(|name| ((*read_as).into(), (*name).into())))
        .collect();
    listed.sort();
    reported.sort();
    assert_eq!(listed, reported);
}

/// A name that is no candidate would be left out without a word.
#[test]
fn every_reported_name_is_a_charset_that_is_looked_for() {
    let count: usize = REPORTED.iter().map(|(_, written_in)| written_in.len()).sum();
    let reported = pairs().len() - pairs().iter().filter(|pair| is_of_any(pair)).count();
    assert_eq!(reported, count);
}

/// Whether a pair is one of those for all common charsets, and not of [`REPORTED`].
fn is_of_any(pair: &SwappedPair) -> bool {
    let western = WrongCharset::Single(MisreadCharset::WESTERN);
    let (_, reported) = REPORTED[0];
    pair.read_as == western && !reported.contains(&pair.written_in.name())
}
