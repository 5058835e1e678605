//! `--list` on a terminal: common encodings by region, on one screen.

use std::fmt::Write;

use anstyle::Style;

use oxiconv_encodings::encoding::Encoding;
use oxiconv_report::grouped as grouped_number;

use super::grouped::{FURTHER, INDENT, wrapped};
use crate::cli::common_encodings::REGIONS;

pub(super) fn common(columns: usize, coloured: bool) -> String {
    let heading = if coloured { Style::new().bold() } else { Style::new() };
    let width = REGIONS.iter().map(|region| region.name.len()).max().unwrap_or(0);
    let mut list = String::new();
    for region in &REGIONS {
        let _ = write!(list, "{heading}{:width$}{heading:#}{INDENT}", region.name);
        let names = region.encodings().map(|encoding| encoding.name().to_owned());
        list += &wrapped(names, width + INDENT.len(), columns);
    }
    let all = grouped_number(Encoding::all().count() as u64);
    let _ = writeln!(list, "\nAll {all} encodings, by script and family:   oxiconv --list all");
    list + FURTHER.trim_start()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_fits_a_screen() {
        let list = common(80, false);
        assert!(list.lines().count() <= 30, "{list}");
        assert!(list.lines().all(|line| line.len() <= 80), "{list}");
    }
}
