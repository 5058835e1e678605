//! Builds a table from its lines. The header declares characters and states; then come the mappings.
//!
//! ```text
//! <code_set_name> "X-MINE"      header: names, the comment and the escape character, states of a UCM file
//! CHARMAP
//! <U0041> \x41 |0               mappings: see `mapping_line.rs`
//! END CHARMAP
//! ```

use super::mapping_line::{MappingLine, RangeSteps, code_points, mapping};
use crate::codec::table::{Direction, OwnTable, TableBuilder, TableFault};
use crate::unicode::CodePoint;

pub(super) struct ParsedTable {
    pub(super) table: OwnTable,
    /// The name that it gives itself.
    pub(super) name: Option<String>,
    pub(super) is_ucm: bool,
}

/// The part of a table that is being read.
#[derive(Debug, Default, PartialEq, Eq)]
enum TableSection {
    #[default]
    Header,
    Mappings,
    /// After the mappings: the widths of characters, or another section of mappings.
    After,
}

/// The state between two lines, and what has been read.
pub(super) struct TableReader {
    section: TableSection,
    comment: char,
    escape: char,
    name: Option<String>,
    is_ucm: bool,
    states: Vec<String>,
    builder: TableBuilder,
    /// Whether a mapping says that 00 is U+0000.
    has_nul: bool,
    /// Other characters of a charmap with the code 00, and their lines. RFC 1345 gives it to characters that a set
    /// lacks.
    zeros: Vec<(CodePoint, Direction, u64)>,
}

impl Default for TableReader {
    fn default() -> Self {
        Self {
            section: TableSection::Header,
            comment: '#',
            escape: '\\',
            name: None,
            is_ucm: false,
            states: Vec::new(),
            builder: TableBuilder::default(),
            has_nul: false,
            zeros: Vec::new(),
        }
    }
}

impl TableReader {
    /// Reads a line. It may be ill-formed UTF-8, because comments are in any encoding; what counts is ASCII.
    pub(super) fn line(&mut self, number: u64, line: &[u8]) -> Result<(), String> {
        let line = String::from_utf8_lossy(line);
        let line = line.trim_end();
        let is_comment = line.starts_with(self.comment) && !line.starts_with("%IRREVERSIBLE%");
        match self.section {
            _ if line.trim_start().is_empty() || is_comment => Ok(()),
            TableSection::Header | TableSection::After if line.trim() == "CHARMAP" => {
                self.begin();
                self.section = TableSection::Mappings;
                Ok(())
            }
            TableSection::Header => self.header(line.trim_start()),
            TableSection::Mappings if line.trim() == "END CHARMAP" => {
                self.section = TableSection::After;
                Ok(())
            }
            TableSection::Mappings => self.mappings(number, line.trim_start()),
            TableSection::After => Ok(()),
        }
    }

    /// Reads `<key> value`. Keys that say nothing about the mappings are ignored, but `<U0041>` is a mapping that has
    /// come too early, and a table that extends another one cannot be understood alone.
    fn header(&mut self, line: &str) -> Result<(), String> {
        // Before the comment character is declared, files use both.
        if line.starts_with(['#', '%']) {
            return Ok(());
        }
        let Some((key, value)) = line.strip_prefix('<').and_then(|line| line.split_once('>'))
        else {
            return Err(
                "not a charmap or UCM file: found neither <code_set_name> nor CHARMAP".to_owned()
            );
        };
        if !code_points(&format!("<{key}>"))?.is_empty() {
            return Err("mapping before CHARMAP".to_owned());
        }
        let value = match value.split_once('#') {
            Some((value, _)) if self.is_ucm => value,
            _ => value,
        };
        let value = value.trim();
        let character = || {
            let mut characters = value.chars();
            match (characters.next(), characters.next()) {
                (Some(only), None) if only.is_ascii_punctuation() => Ok(only),
                _ => Err(format!("<{key}> must be one punctuation mark, found {value:?}")),
            }
        };
        match key {
            "code_set_name" => self.name = Some(value.trim_matches('"').to_owned()),
            "comment_char" => self.comment = character()?,
            "escape_char" => self.escape = character()?,
            "uconv_class" => {
                self.is_ucm = true;
                self.builder.shifts |= value.trim_matches('"') == "EBCDIC_STATEFUL";
            }
            "icu:state" => {
                self.is_ucm = true;
                self.states.push(value.to_owned());
            }
            "icu:base" => {
                return Err(format!("the table extends {value}, which is not supported"));
            }
            _ => self.is_ucm |= key.starts_with("icu:"),
        }
        Ok(())
    }

    /// Ends the header: its states tell whether there are shifts, or pairs.
    fn begin(&mut self) {
        self.builder.shifts |= self.states.iter().any(|state| is_shift(state));
        if self.builder.pairs.is_none() {
            self.builder.pairs = pairs(&self.states);
        }
    }

    fn mappings(&mut self, number: u64, line: &str) -> Result<(), String> {
        // In a charmap, the comment character begins a comment only at the start of a line.
        let line = match line.split_once('#') {
            Some((line, _)) if self.is_ucm => line.trim_end(),
            _ => line,
        };
        let Some(mapping) = mapping(line, self.escape, self.is_ucm)? else { return Ok(()) };
        let MappingLine { characters, more, mut code, direction, is_directed } = mapping;
        let Some(direction) = direction else { return Ok(()) };
        if code == [0] && more == RangeSteps::None && !is_directed {
            if characters == [0] {
                self.has_nul = true;
            } else if let [only] = *characters {
                // Only the first of them can be read from 00, if that is not U+0000.
                self.zeros.extend(self.zeros.is_empty().then_some((only, direction, number)));
                return Ok(());
            }
        }
        let mut add = |code: &[u8], characters: &[u32]| {
            self.builder
                .add(code, characters, direction, number)
                .map_err(|fault: TableFault| fault.to_string())
        };
        add(&code, &characters)?;
        let mut last = characters[0];
        while let Some(next) = more.after(last) {
            if !increment(&mut code) {
                return Err("the range needs codes with more bytes".to_owned());
            }
            if char::from_u32(next).is_none() {
                return Err(format!(
                    "the range contains U+{next:04X}, which is not a Unicode scalar value"
                ));
            }
            add(&code, &[next])?;
            last = next;
        }
        Ok(())
    }

    /// Returns the table, or what is wrong and in which line. Line 0 stands for the last one.
    pub(super) fn finish(mut self) -> Result<ParsedTable, (u64, String)> {
        match self.section {
            TableSection::Header => {
                return Err((0, "not a charmap or UCM file: CHARMAP is missing".to_owned()));
            }
            TableSection::Mappings => return Err((0, "END CHARMAP is missing".to_owned())),
            TableSection::After => {}
        }
        for (cp, direction, line) in self.zeros.into_iter().filter(|_| !self.has_nul) {
            self.builder
                .add(&[0], &[cp], direction, line)
                .map_err(|fault| (line, fault.to_string()))?;
        }
        let table = self.builder.build().map_err(|(line, fault)| (line, fault.to_string()))?;
        Ok(ParsedTable { table, name: self.name, is_ucm: self.is_ucm })
    }
}

/// Adds 1 to a code. Returns false if it was the last one of its length.
fn increment(code: &mut [u8]) -> bool {
    for byte in code.iter_mut().rev() {
        *byte = byte.wrapping_add(1);
        if *byte != 0 {
            return true;
        }
    }
    false
}

/// Whether byte 0E, SHIFT OUT, leads from this state of a UCM file to another one.
fn is_shift(state: &str) -> bool {
    state.split(',').any(|entry| entry.trim() == "e:1.s")
}

/// An entry of a state: bytes, the state that they lead to, and the action after the point. Without a point, they lead
/// on within a code.
struct StateEntry<'a> {
    bytes: std::ops::RangeInclusive<u8>,
    then: usize,
    action: Option<&'a str>,
}

/// Parses an entry such as `81-9f:1` or `40-7e.i`.
fn entry(text: &str) -> Option<StateEntry<'_>> {
    let (text, action) = match text.trim().split_once('.') {
        Some((text, action)) => (text, Some(action)),
        None => (text.trim(), None),
    };
    let (bytes, then) = text.split_once(':').unwrap_or((text, "0"));
    let (first, last) = bytes.split_once('-').unwrap_or((bytes, bytes));
    let byte = |text| u8::from_str_radix(text, 16).ok();
    let then = usize::from_str_radix(then, 16).ok()?;
    Some(StateEntry { bytes: byte(first)?..=byte(last)?, then, action })
}

/// Returns the bytes that begin a pair, and those that end one, if a UCM file declares its codes to be single bytes and
/// pairs: its first state has bytes that lead to a state from which all lead back.
///
/// ```text
/// <icu:state>  0-7f, 81-9f:1, a0-df, e0-fc:1      lead bytes 81 to 9F and E0 to FC
/// <icu:state>  40-7e, 80-fc                       trail bytes 40 to 7E and 80 to FC
/// ```
fn pairs(states: &[String]) -> Option<[Vec<u8>; 2]> {
    let states: Vec<Vec<StateEntry<'_>>> =
        states.iter().map(|state| state.split(',').filter_map(entry).collect()).collect();
    let (mut leads, mut trails) = (Vec::new(), Vec::new());
    for lead in states.first()?.iter().filter(|entry| entry.action.is_none() && entry.then > 0) {
        let Some(second) =
            states.get(lead.then).filter(|second| second.iter().all(|entry| entry.then == 0))
        else {
            continue;
        };
        leads.extend(lead.bytes.clone());
        let ends = second.iter().filter(|entry| entry.action != Some("i"));
        trails.extend(ends.flat_map(|entry| entry.bytes.clone()));
    }
    (!leads.is_empty()).then_some([leads, trails])
}
