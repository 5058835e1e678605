//! The names of the portable character set (POSIX.1-2017, XBD, table 6-1), and of control characters (table 6-2).

use crate::unicode::CodePoint;

// The names in the order of ASCII, where names for one character are separated by `|`. A letter is its own name, so
// each list is a stretch between letters.
const CONTROLS: &str = "NUL SOH STX ETX EOT ENQ ACK BEL|alert BS|backspace HT|tab LF|newline VT|vertical-tab FF|form-feed \
    CR|carriage-return SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC IS4|FS IS3|GS IS2|RS IS1|US";
const PUNCTUATION: &str = "space exclamation-mark quotation-mark number-sign dollar-sign percent-sign ampersand apostrophe \
    left-parenthesis right-parenthesis asterisk plus-sign comma hyphen|hyphen-minus period|full-stop slash|solidus";
const DIGITS: &str = "zero one two three four five six seven eight nine";
const AFTER_DIGITS: &str =
    "colon semicolon less-than-sign equals-sign greater-than-sign question-mark commercial-at";
const AFTER_CAPITALS: &str = "left-square-bracket backslash|reverse-solidus right-square-bracket \
    circumflex|circumflex-accent underscore|low-line grave-accent";
const AFTER_SMALL: &str =
    "left-brace|left-curly-bracket vertical-line right-brace|right-curly-bracket tilde DEL";

/// Returns the character for a name of the portable character set.
pub(super) fn portable(name: &str) -> Option<CodePoint> {
    if let [letter] = name.as_bytes()
        && letter.is_ascii_alphabetic()
    {
        return Some(u32::from(*letter));
    }
    let lists = [
        (0, CONTROLS),
        (0x20, PUNCTUATION),
        (0x30, DIGITS),
        (0x3A, AFTER_DIGITS),
        (0x5B, AFTER_CAPITALS),
        (0x7B, AFTER_SMALL),
    ];
    lists.into_iter().find_map(|(first, names)| {
        let at =
            names.split_whitespace().position(|names| names.split('|').any(|one| one == name))?;
        Some(first + at as CodePoint)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_fit_between_the_letters() {
        for (name, cp) in [
            ("NUL", 0),
            ("alert", 7),
            ("US", 0x1F),
            ("space", 0x20),
            ("slash", 0x2F),
            ("zero", 0x30),
            ("nine", 0x39),
            ("colon", 0x3A),
            ("commercial-at", 0x40),
            ("A", 0x41),
            ("left-square-bracket", 0x5B),
            ("grave-accent", 0x60),
            ("z", 0x7A),
            ("left-curly-bracket", 0x7B),
            ("tilde", 0x7E),
            ("DEL", 0x7F),
        ] {
            assert_eq!(portable(name), Some(cp), "{name}");
        }
        assert_eq!((portable("|"), portable("é"), portable("")), (None, None, None));
    }
}
