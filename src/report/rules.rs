//! The rules that findings break, one row per kind. The ids are stable; docs/findings.md lists them.

use crate::diagnostic::{DeniedKind, Kind};
use crate::unicode::IllFormedKind;

/// The explanation of a kind for those who meet it for the first time. Its id is [`Kind::id`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The kind of the findings.
    pub kind: Kind,
    /// The rule in one sentence.
    pub summary: &'static str,
    /// The usual cause, and what to do about it.
    pub help: &'static str,
}

/// Defines the list and the match; the compiler checks that the match covers every kind.
macro_rules! rules {
    ($(($($kind:tt)+) $summary:literal $help:literal)+) => {
        /// All rules. Their order may change.
        pub const RULES: &[Rule] = &[$(rule($($kind)+)),+];

        /// Returns the rule that findings of a kind break.
        pub const fn rule(kind: Kind) -> Rule {
            match kind {
                $($($kind)+ => Rule { kind, summary: $summary, help: $help }),+
            }
        }
    };
}

rules! {
    (Kind::IllFormed(IllFormedKind::Truncated))
    "A multi-byte sequence is complete before the next character begins."
    "Often a byte of windows-1252 or of another single-byte encoding amid UTF-8: oxiconv --fallback windows-1252 \
     repairs that. A text that is wholly in another encoding wants its name: oxiconv -f."

    (Kind::IllFormed(IllFormedKind::TruncatedAtEnd))
    "A text does not end inside a character."
    "The file was cut, in the middle of a character: by a limit of a buffer, a field or a transfer. Look for the rest."

    (Kind::IllFormed(IllFormedKind::Overlong))
    "A character is written in the shortest form that its encoding has for it."
    "Longer forms are forbidden, for they hide characters from those who look for them. C0 80 is U+0000 as Java \
     writes it: oxiconv -f mutf-8 reads it. Elsewhere it may be an attack, or a byte of a single-byte encoding."

    (Kind::IllFormed(IllFormedKind::Surrogate))
    "A surrogate code point is no character."
    "Two of them in UTF-8, of three bytes each, are a character as CESU-8 writes it: oxiconv -f cesu-8 reads it. Single \
     ones come from programs whose strings are UTF-16: oxiconv -f wtf-8 reads them."

    (Kind::IllFormed(IllFormedKind::OutOfRange))
    "No value is past U+10FFFF, or past what the encoding holds."
    "Often bytes of a single-byte encoding, or text in the other byte order: oxiconv --endian le. UTF-8 of before 2003 \
     had longer sequences: oxiconv -f utf-8-rfc2279 reads them."

    (Kind::IllFormed(IllFormedKind::UnexpectedContinuation))
    "A byte that continues a sequence stands after the byte that begins it."
    "Often a byte of windows-1252 amid UTF-8: oxiconv --fallback windows-1252 repairs that. At the start of a file it is \
     the rest of a character that was cut."

    (Kind::IllFormed(IllFormedKind::InvalidByte))
    "A text has no bytes that its encoding never uses, or not there."
    "The text is in another encoding, or has bytes of another one in it. FF FE or FE FF at the start is the byte order \
     mark of UTF-16: oxiconv -f utf-16. oxiconv -f auto guesses."

    (Kind::IllFormed(IllFormedKind::UndefinedSequence))
    "A sequence is one to which the encoding assigns a character."
    "The text may be in a relative of the encoding that has more characters: CP932 for Shift_JIS, GB18030 for GBK, \
     CP949 for EUC-KR."

    (Kind::IllFormed(IllFormedKind::InvalidEscape))
    "An escape is one that the encoding has."
    "The escape is malformed, or one of another language or of a relative of the encoding."

    (Kind::IllFormed(IllFormedKind::UnpairedHighSurrogate))
    "A high surrogate has a low surrogate after it."
    "A string in UTF-16 was cut between the two, or is not UTF-16. oxiconv -f wtf-16le (or wtf-16be) reads it."

    (Kind::IllFormed(IllFormedKind::UnpairedLowSurrogate))
    "A low surrogate has a high surrogate in front of it."
    "A string in UTF-16 was cut between the two, or is in the other byte order: oxiconv --endian. oxiconv -f wtf-16le (or \
     wtf-16be) reads it."

    (Kind::Unmappable)
    "Every character has a place in the target encoding."
    "The character is valid, and the target lacks it. Take a target that has it, or say what to write instead: \
     oxiconv --unmappable."

    (Kind::MarkForbidden)
    "The text does not begin with a byte order mark (--bom forbid)."
    "oxiconv --in-place --bom strip takes it away."

    (Kind::MarkMissing)
    "The text begins with a byte order mark (--bom require)."
    "oxiconv --in-place --bom add puts one there."

    (Kind::OtherEncoding)
    "A text is in the encoding in which it is read."
    "The text begins with the byte order mark of UTF-16 or UTF-32, and is well-formed there. oxiconv -f utf-16 (or \
     utf-32) with --in-place converts it; -f utf-16 alone reads it as what it is."

    (Kind::MarkInside)
    "U+FEFF stands at the start of a text only."
    "Files with byte order marks were joined. Inside a text it is a character that nobody sees."

    (Kind::Denied(DeniedKind::Nul))
    "A text has no U+0000 (--deny nul)."
    "Programs in C end a text there. A text with one after every letter is in UTF-16: oxiconv -f utf-16le."

    (Kind::Denied(DeniedKind::Bidi))
    "A text has no controls that turn its direction (--deny bidi)."
    "With U+202A to U+202E and U+2066 to U+2069 source code can look like another one than it is."

    (Kind::Denied(DeniedKind::Bom))
    "A text has no U+FEFF inside (--deny bom)."
    "Files with byte order marks were joined. Inside a text it is a character that nobody sees."

    (Kind::Denied(DeniedKind::Replacement))
    "A text has no U+FFFD (--deny replacement)."
    "An earlier conversion put it in the place of what it could not read. What was there is to be had only from the \
     text before that."

    (Kind::Denied(DeniedKind::Noncharacter))
    "A text has no noncharacters (--deny noncharacter)."
    "U+FDD0 to U+FDEF and the last two code points of each plane are for use inside programs."

    (Kind::Denied(DeniedKind::PrivateUse))
    "A text has no private-use code points (--deny private-use)."
    "What they mean is a matter of agreement, and often of a font."

    (Kind::Denied(DeniedKind::Control))
    "A text has no control codes but tab, line feed and carriage return (--deny control)."
    "They come from terminals, or are bytes 80 to 9F of windows-1252 that were read as ISO-8859-1: \
     oxiconv -f windows-1252 of the original."

    (Kind::Denied(DeniedKind::Unassigned))
    "A text has only code points to which a character is assigned (--deny unassigned)."
    "The text is newer than the version of Unicode that is known here, or bytes of another encoding were read wrongly."

    (Kind::Denied(DeniedKind::NonBmp))
    "A text has no characters past U+FFFF (--deny non-bmp)."
    "MySQL's utf8mb3 and other old programs have no place for them."

    (Kind::Denied(DeniedKind::MixedNewlines))
    "All lines of a text end in one way (--deny mixed-newlines)."
    "Lines of systems that end them with LF, CR LF or CR were joined. The finding is the first one that differs."
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// An id never changes: programs and suppressions rely on it. Only add to this list.
    #[test]
    fn ids_are_those_that_were_promised() {
        let ids: Vec<_> = RULES.iter().map(|rule| rule.kind.id()).collect();
        for promised in [
            "truncated",
            "truncated-at-end",
            "overlong",
            "surrogate",
            "out-of-range",
            "unexpected-continuation",
            "invalid-byte",
            "undefined-sequence",
            "invalid-escape",
            "unpaired-high-surrogate",
            "unpaired-low-surrogate",
            "unmappable",
            "bom-forbidden",
            "bom-missing",
            "other-encoding",
            "bom-inside",
            "nul",
            "bidi",
            "bom",
            "replacement",
            "noncharacter",
            "private-use",
            "control",
            "unassigned",
            "non-bmp",
            "mixed-newlines",
        ] {
            assert!(ids.contains(&promised), "{promised}");
        }
    }

    /// Advice that does not work is worse than none.
    #[test]
    fn every_encoding_that_the_help_names_is_one() {
        let registry = include_str!("../encoding/registry.rs").to_lowercase();
        for rule in RULES {
            for advice in rule.help.split("-f ").skip(1) {
                let name = advice.split([' ', ':', '.', ',']).next().unwrap_or_default();
                assert!(name == "auto" || registry.contains(&format!("\"{name}\"")), "{name}");
            }
        }
    }

    #[test]
    fn ids_are_words_of_small_letters_and_each_its_own() {
        let mut seen = HashSet::new();
        for rule in RULES {
            let id = rule.kind.id();
            assert!(seen.insert(id), "{id} twice");
            assert!(
                id.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-')),
                "{id}"
            );
        }
    }
}
