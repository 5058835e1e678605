//! Parses one line of mappings of a charmap or a UCM file.
//!
//! ```text
//! <U0041>                 /x41        LATIN CAPITAL LETTER A        charmap
//! <U4E00>..<U4E0F>        /xd2/xbb    <CJK>                         a range: codes count up with the characters
//! %IRREVERSIBLE%<U2015>   /xa1/xaa                                  only for reading
//! <A!>                    /xc0        <U00C0> LATIN …               a mnemonic, and the code point after the code
//! <U304B><U309A>          \x82\xF5    |0                            UCM: two characters, and a direction
//! ```

use super::portable_names::portable;
use crate::codec::table::Direction;
use crate::unicode::CodePoint;

/// A mapping, or a range of mappings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MappingLine {
    /// The characters of the first code.
    pub(super) characters: Vec<CodePoint>,
    /// The characters of the further codes of a range: one for each code.
    pub(super) more: RangeSteps,
    pub(super) code: Vec<u8>,
    /// `None` if the line counts neither for reading nor for writing: `|2`.
    pub(super) direction: Option<Direction>,
    /// Whether the line itself gives the direction, as in UCM files.
    pub(super) is_directed: bool,
}

/// The characters after the first one of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RangeSteps {
    None,
    /// Up to `last`, each greater by `step`.
    By {
        last: CodePoint,
        step: CodePoint,
    },
    /// Up to `last`, counting names in decimal, so that `<U0009>...<U0010>` are two characters.
    Decimal {
        last: CodePoint,
    },
}

impl RangeSteps {
    /// Returns the character after `cp`; `None` if it is the last one.
    pub(super) fn after(self, cp: CodePoint) -> Option<CodePoint> {
        match self {
            Self::None => None,
            Self::By { last, step } => (last - cp >= step).then(|| cp + step),
            Self::Decimal { last } => (cp < last).then(|| {
                let mut next = cp;
                // Binary-coded decimal: trailing nines become zeros, and the digit before them is incremented. After
                // 0199 comes 0200.
                let mut place = 0;
                while next >> place & 0xF == 9 {
                    next &= !(0xF << place);
                    place += 4;
                }
                next + (1 << place)
            }),
        }
    }
}

/// Parses a line of the section CHARMAP that is neither empty nor a comment. `None` if the code point of its name is
/// unknown.
pub(super) fn mapping(
    line: &str,
    escape: char,
    is_ucm: bool,
) -> Result<Option<MappingLine>, String> {
    let (only_read, line) = match line.strip_prefix("%IRREVERSIBLE%") {
        Some(line) => (true, line),
        None => (false, line),
    };
    let Some(end) = end_of_names(line, escape) else {
        let word = line.split_whitespace().next().unwrap_or_default();
        return Err(format!("expected a character such as <U0041>, found {word}"));
    };
    let (names, rest) = line.split_at(end);
    let rest = rest.trim_start();
    let (bytes, after) = rest.split_once([' ', '\t']).unwrap_or((rest, ""));
    // In UCM files, the blank between the code and its direction may be missing.
    let (bytes, after) = match bytes.split_once('|') {
        Some((bytes, _)) => (bytes, rest[bytes.len()..].trim()),
        None => (bytes, after.trim()),
    };
    let code = code(bytes, escape)?;
    let direction = match after.strip_prefix('|') {
        Some(digit) => direction(digit, is_ucm)?,
        None if only_read => Some(Direction::Read),
        None => Some(Direction::Both),
    };
    let (first, more) = range(names)?;
    let mut characters = code_points(first)?;
    if characters.is_empty() && matches!(more, RangeSteps::None) {
        // Older charmaps have mnemonics, and the code point after the code. Otherwise it may be a name of POSIX.
        characters = match after.strip_prefix('|') {
            None => code_points(after.split_whitespace().next().unwrap_or_default())?,
            Some(_) => Vec::new(),
        };
        if let Some(cp) = portable(first.trim_matches(['<', '>'])).filter(|_| characters.is_empty())
        {
            characters.push(cp);
        }
        if characters.is_empty() {
            return Ok(None);
        }
    }
    Ok(Some(MappingLine { characters, more, code, direction, is_directed: after.starts_with('|') }))
}

/// Returns where the names at the start of a line end: `<U0041>`, `<U0041>+<U0301>`, `<U0041>..<U005A>`. A `>` that is
/// part of a name follows the escape character.
fn end_of_names(line: &str, escape: char) -> Option<usize> {
    let mut end = 0;
    while line[end..].starts_with('<') {
        let mut escaped = false;
        let closes = |c: char| {
            let was_escaped = escaped;
            escaped = !was_escaped && c == escape;
            c == '>' && !was_escaped
        };
        end += 1 + line[end..].find(closes)?;
        let rest = &line[end..];
        let between = rest.find('<').map_or("", |at| &rest[..at]);
        if between == "+" || between.starts_with("..") && !between.contains(char::is_whitespace) {
            end += between.len();
        }
    }
    (end > 0).then_some(end)
}

/// Splits the names of a range, and returns the first one. `..` is the range of hexadecimal numbers, `...` and `....`
/// are of decimal ones, and `..(2)..` has a step.
fn range(names: &str) -> Result<(&str, RangeSteps), String> {
    let Some((first, rest)) = names.split_once(">..") else { return Ok((names, RangeSteps::None)) };
    let first = &names[..=first.len()];
    // Only dots after a `>` make a range: a mnemonic may consist of dots, as in <...>.
    let (dots, last) = rest.split_once('<').ok_or_else(|| format!("{names} is not a range"))?;
    let last = format!("<{last}");
    let bad = || format!("{names} is not a range of characters such as <U0041>..<U005A>");
    let single = |name: &str| match *code_points(name)? {
        [cp] => Ok(cp),
        _ => Err(bad()),
    };
    let (from, to) = (single(first)?, single(&last)?);
    if from > to {
        return Err(format!("the end of the range {names} is below its start"));
    }
    let is_decimal = |name: &str| {
        name.trim_start_matches("<U").trim_end_matches('>').bytes().all(|b| b.is_ascii_digit())
    };
    let more = match dots {
        "" => RangeSteps::By { last: to, step: 1 },
        "." | ".." if is_decimal(first) && is_decimal(&last) => RangeSteps::Decimal { last: to },
        "." | ".." => return Err(bad()),
        _ => {
            let step =
                dots.strip_prefix('(').and_then(|dots| dots.strip_suffix(")..")).ok_or_else(bad)?;
            let step =
                step.parse().ok().filter(|step| (1..=0x10_FFFF).contains(step)).ok_or_else(bad)?;
            RangeSteps::By { last: to, step }
        }
    };
    Ok((first, more))
}

/// Returns the code points of names such as `<U0041>`, or none if the names have another form.
pub(super) fn code_points(names: &str) -> Result<Vec<CodePoint>, String> {
    let mut found = Vec::new();
    let mut rest = names;
    while let Some(after) = rest.strip_prefix("<U") {
        let Some((digits, after)) = after.split_once('>') else { return Ok(Vec::new()) };
        let is_number = (4..=8).contains(&digits.len())
            && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        if !is_number {
            return Ok(Vec::new());
        }
        let cp = u32::from_str_radix(digits, 16).ok().filter(|cp| char::from_u32(*cp).is_some());
        found.push(cp.ok_or_else(|| format!("<U{digits}> is not a Unicode scalar value"))?);
        rest = after.strip_prefix('+').unwrap_or(after);
    }
    if rest.is_empty() { Ok(found) } else { Ok(Vec::new()) }
}

/// Returns the bytes of a code: hexadecimal (`/x41`), decimal (`/d065`) or octal (`/101`).
fn code(text: &str, escape: char) -> Result<Vec<u8>, String> {
    let bad = || match text {
        "" => "no code after the character".to_owned(),
        _ => format!("{text} is not a code such as {escape}x41"),
    };
    let mut bytes = Vec::new();
    for byte in text.split(escape).skip(1) {
        let byte = byte.strip_suffix('+').unwrap_or(byte);
        let (base, digits) = match byte.split_at_checked(1) {
            Some(("x", digits)) => (16, digits),
            Some(("d", digits)) => (10, digits),
            _ => (8, byte),
        };
        let lengths = if base == 16 { 2..=2 } else { 2..=3 };
        let valid =
            lengths.contains(&digits.len()) && digits.chars().all(|digit| digit.is_digit(base));
        bytes.push(u8::from_str_radix(digits, base).ok().filter(|_| valid).ok_or_else(bad)?);
    }
    if bytes.is_empty() || !text.starts_with(escape) {
        return Err(bad());
    }
    Ok(bytes)
}

/// Returns the direction for the digit after `|`; `None` if it is for neither.
fn direction(digit: &str, is_ucm: bool) -> Result<Option<Direction>, String> {
    let digit =
        if is_ucm { digit.split('#').next().unwrap_or_default().trim() } else { digit.trim() };
    match digit {
        "0" => Ok(Some(Direction::Both)),
        "1" => Ok(Some(Direction::Fit)),
        // It is written as the substitution character, so it is unmappable.
        "2" => Ok(None),
        "3" => Ok(Some(Direction::Read)),
        "4" => Ok(Some(Direction::Written)),
        _ => Err(format!("|{digit} is not a mapping type (|0 to |4)")),
    }
}
