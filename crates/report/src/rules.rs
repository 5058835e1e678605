//! The rules that findings break, one row per kind. The ids are stable; docs/kinds.md lists them.

use oxiconv_encodings::unicode::IllFormedKind;
use oxiconv_transcode::diagnostic::{DeniedKind, Kind};

/// A rule, explained to somebody who sees a finding of this kind for the first time. Its id is [`Kind::id`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// The kind of the findings.
    pub kind: Kind,
    /// The fault in a few words, as a title.
    pub summary: &'static str,
    /// The rule that is broken, what usually causes that, and how to repair it.
    pub help: &'static str,
}

/// Stamps out the list and the match from the same rows.
macro_rules! rules {
    ($(($($kind:tt)+) $summary:literal $help:literal)+) => {
        /// All rules. Their order may change.
        pub const RULES: &[Rule] = &[$(rule($($kind)+)),+];

        /// Returns the rule that findings of a kind break.
        pub const fn rule(kind: Kind) -> Rule {
            match kind {
                $($($kind)+ => Rule { kind, summary: $summary, help: $help },)+
                // The same rule; without `--deny`, its findings are notes.
                Kind::Mojibake => rule(Kind::Denied(DeniedKind::Mojibake)),
                // Unreachable: a test checks that every kind has a row.
                _ => Rule { kind, summary: "", help: "" },
            }
        }
    };
}

rules! {
    (Kind::IllFormed(IllFormedKind::Truncated))
    "Incomplete multi-byte sequence."
    "A multi-byte sequence must be complete before the next character begins. The byte is often windows-1252 or \
     another single-byte encoding within UTF-8: oxiconv --fallback windows-1252 repairs that. If the whole text is \
     in another encoding, name it: oxiconv -f."

    (Kind::IllFormed(IllFormedKind::TruncatedAtEnd))
    "Incomplete character at the end."
    "A text must end with a complete character. The file was truncated, perhaps at the limit of a buffer, a field or a \
     transfer. Look for the rest of it."

    (Kind::IllFormed(IllFormedKind::Overlong))
    "Overlong form of a character."
    "A character must be written in its shortest form. Longer forms are forbidden because they hide characters from \
     programs that look for them. C0 80 is how Java writes U+0000: oxiconv -f mutf-8 reads it. Elsewhere it may be \
     an attack, or text in a single-byte encoding."

    (Kind::IllFormed(IllFormedKind::Surrogate))
    "Surrogate code point."
    "A surrogate code point is not a character. Two surrogates of three bytes each are one character in \
     CESU-8: oxiconv -f cesu-8 reads them. Unpaired surrogates come from programs whose strings are UTF-16: oxiconv -f \
     wtf-8 reads them."

    (Kind::IllFormed(IllFormedKind::OutOfRange))
    "Value above the highest code point."
    "A value must not be above U+10FFFF, or above the highest value of the encoding. The bytes are often in a single-byte \
     encoding, or in the other byte order: oxiconv --endian le. UTF-8 before 2003 had longer sequences: oxiconv -f \
     utf-8-rfc2279 reads them."

    (Kind::IllFormed(IllFormedKind::UnexpectedContinuation))
    "Continuation byte without a lead byte."
    "A continuation byte must follow a lead byte. The byte is often windows-1252 within UTF-8: oxiconv --fallback \
     windows-1252 repairs that. At the start of a file it is the rest of a character that was cut off."

    (Kind::IllFormed(IllFormedKind::InvalidByte))
    "Byte that is not allowed here."
    "Some bytes never occur in an encoding, or never in this place. The text is in another encoding, or contains \
     bytes of another one. FF FE or FE FF at the start is the byte order mark of UTF-16: oxiconv -f utf-16. oxiconv \
     -f auto guesses."

    (Kind::IllFormed(IllFormedKind::UndefinedSequence))
    "Unassigned byte sequence."
    "The encoding must assign a character to each sequence. The text may be in a related encoding that has more \
     characters: CP932 for Shift_JIS, GB18030 for GBK, CP949 for EUC-KR."

    (Kind::IllFormed(IllFormedKind::InvalidEscape))
    "Invalid escape."
    "An escape must be one that the encoding defines. This one is malformed, or belongs to another language or a \
     related encoding."

    (Kind::IllFormed(IllFormedKind::UnpairedHighSurrogate))
    "Unpaired high surrogate."
    "A high surrogate must be followed by a low one. A UTF-16 string was cut between the two, or the text is not UTF-16. \
     oxiconv -f wtf-16le (or wtf-16be) reads it."

    (Kind::IllFormed(IllFormedKind::UnpairedLowSurrogate))
    "Unpaired low surrogate."
    "A low surrogate must follow a high surrogate. A UTF-16 string was cut between the two, or is in the other byte \
     order: oxiconv --endian. oxiconv -f wtf-16le (or wtf-16be) reads it."

    (Kind::IllFormed(IllFormedKind::OtherUnits))
    "Single-byte text within UTF-16 or UTF-32."
    "A text must be in one encoding. Text in ASCII, UTF-8 or a code page was appended to a file in UTF-16, as some \
     shells do for >>, or was put before it. Read as UTF-16, it is well-formed but means other characters: oxiconv \
     --repair reads each part as it was meant."

    (Kind::IllFormed(IllFormedKind::Misaligned))
    "Extra or missing byte between code units."
    "The code units of UTF-16 take two bytes each, those of UTF-32 four. A program converted line breaks byte by byte, or a \
     byte was lost, so everything that follows is read as other characters: oxiconv --repair reads it as it was meant."

    (Kind::InvalidRecord)
    "Invalid record length."
    "With --record-format rdw, each record must begin with a record descriptor word: its length in bytes, from 4 to \
     32767, and two bytes of zeros. The file has records of another format, or was transferred without these words: \
     transfer it in binary mode with SITE RDW. If the last record is too short, the transfer was incomplete."

    (Kind::Unmappable)
    "Character missing from the target encoding."
    "The target encoding must have every character of the text. The character itself is valid. Choose a target that \
     has it, or say what to write instead: oxiconv --unmappable."

    (Kind::MarkForbidden)
    "Unwanted byte order mark."
    "A text must not begin with a byte order mark (--bom forbid). oxiconv --in-place --bom strip removes it."

    (Kind::MarkMissing)
    "Missing byte order mark."
    "A text must begin with a byte order mark (--bom require). oxiconv --in-place --bom add adds one."

    (Kind::OtherEncoding)
    "Text in another encoding."
    "A text must be in the encoding in which it is read. This one begins with the byte order mark of UTF-16 or \
     UTF-32, and is well-formed in it: oxiconv -f utf-16 (or utf-32) with --in-place converts it; -f utf-16 alone \
     reads it. Or it is valid UTF-8 with non-ASCII characters, and the repository declares a single-byte encoding: \
     convert it with oxiconv -f utf-8 -t and that encoding, or correct the declaration."

    (Kind::WrongNewline)
    "Line ending other than the declared one."
    "Every line must end as .editorconfig (end_of_line), .gitattributes (eol) or oxiconv.toml (newline) says. The \
     finding is the first line that ends differently. Change the line endings of the file, or the declaration; git add \
     --renormalize applies a changed .gitattributes."

    (Kind::MissingFinalNewline)
    "No newline at the end of the text."
    "A text must end with a newline (insert_final_newline in .editorconfig, final-newline in oxiconv.toml). oxiconv \
     --final-newline adds one."

    (Kind::MarkInside)
    "U+FEFF inside the text."
    "U+FEFF is a byte order mark only at the start of a text. Elsewhere it is an invisible character, often because \
     files with byte order marks were joined."

    (Kind::Denied(DeniedKind::Nul))
    "NUL character in text."
    "A text must not contain U+0000 (--deny nul). C programs end a text there. If there is one after every letter, \
     the text is in UTF-16: oxiconv -f utf-16le."

    (Kind::Denied(DeniedKind::Bidi))
    "Bidirectional control character in text."
    "A text must not contain controls that change its direction (--deny bidi). U+202A to U+202E and U+2066 to U+2069 \
     can make source code look different from what it is."

    (Kind::Denied(DeniedKind::Bom))
    "U+FEFF inside the text."
    "A text must not contain U+FEFF after its start (--deny bom). It is an invisible character there, often because \
     files with byte order marks were joined."

    (Kind::Denied(DeniedKind::Replacement))
    "Replacement character in text."
    "A text must not contain U+FFFD (--deny replacement). An earlier conversion wrote it in place of what it could not read. \
     Only the text before that conversion still has the original bytes."

    (Kind::Denied(DeniedKind::Noncharacter))
    "Noncharacter in text."
    "A text must not contain noncharacters (--deny noncharacter). U+FDD0 to U+FDEF and the last two code points of \
     each plane are meant for use inside programs."

    (Kind::Denied(DeniedKind::PrivateUse))
    "Private-use code point in text."
    "A text must not contain private-use code points (--deny private-use). Their meaning is a matter of agreement, \
     and often depends on the font."

    (Kind::Denied(DeniedKind::Control))
    "Control code in text."
    "A text must not contain control codes other than tab, line feed and carriage return (--deny control). They come \
     from terminals, or are bytes 80 to 9F of windows-1252 that were read as ISO-8859-1: convert the original with \
     oxiconv -f windows-1252."

    (Kind::Denied(DeniedKind::Unassigned))
    "Unassigned code point in text."
    "A text must contain only code points with an assigned character (--deny unassigned). The text needs a newer \
     version of Unicode than this program knows, or bytes of another encoding were misread."

    (Kind::Denied(DeniedKind::Invisible))
    "Invisible character in text."
    "A text must not contain characters that are invisible and have no effect (--deny invisible): zero-width spaces, \
     tags, stray variation selectors. They come from web pages and word processors, or hide text. oxiconv --deny \
     invisible --denied skip removes them."

    (Kind::Denied(DeniedKind::NonBmp))
    "Character above U+FFFF."
    "A text must not contain characters above U+FFFF (--deny non-bmp). MySQL's utf8mb3 and other old programs cannot \
     store them."

    (Kind::Denied(DeniedKind::MixedNewlines))
    "Mixed line endings."
    "All lines of a text must end the same way (--deny mixed-newlines). Texts with different line endings were probably \
     joined. The finding is the first line that differs. oxiconv --newline lf changes them all."

    (Kind::Denied(DeniedKind::Crlf))
    "CRLF line ending."
    "No line of a text may end with CRLF (--deny crlf). The finding is the first line that does. oxiconv --newline lf \
     changes them all."

    (Kind::Denied(DeniedKind::Lf))
    "LF line ending."
    "No line of a text may end with LF alone (--deny lf). The finding is the first line that does. oxiconv --newline \
     crlf changes them all."

    (Kind::Denied(DeniedKind::NoFinalNewline))
    "No newline after the last line."
    "A text must end with a newline, unless it is empty (--deny no-final-newline). oxiconv --final-newline adds one."

    (Kind::Denied(DeniedKind::NotNfc))
    "Text not in Normalization Form C."
    "A text must be in Normalization Form C (--deny not-nfc), in which a letter and its marks are one character if there is \
     one. Programs that compare bytes do not find é if it is written as e and U+0301, as in file names on macOS: \
     oxiconv --normalize nfc."

    (Kind::Denied(DeniedKind::Mojibake))
    "Text damaged by a wrong conversion."
    "A text must not contain traces of a wrong conversion, such as Ã© for é (--deny mojibake). Its bytes were read in \
     the wrong encoding and encoded again. oxiconv --repair reads it back."

    (Kind::Denied(DeniedKind::MixedScript))
    "Identifier that mixes scripts with lookalike letters."
    "An identifier must not mix ASCII letters with letters of other scripts that look like ASCII (--deny mixed-script; \
     UTS 39), such as pаypal with U+0430. By mistake or by design, it looks like a word that it is not. Write it in the letters \
     of one script."

    (Kind::Denied(DeniedKind::Confusable))
    "Identifier that looks like ASCII but is not."
    "An identifier must not consist of letters of another script that all look like ASCII (--deny confusable; UTS 39), \
     unless the text uses that script for other words too, nor mix ASCII letters with full-width or mathematical ones. \
     Write it in ASCII."
}

#[cfg(test)]
mod tests {
    use super::*;
    use oxiconv_encodings::encoding::Encoding;
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
            "invalid-record",
            "unmappable",
            "bom-forbidden",
            "bom-missing",
            "other-encoding",
            "wrong-newline",
            "missing-final-newline",
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
            "invisible",
            "crlf",
            "lf",
            "no-final-newline",
            "not-nfc",
            "mojibake",
            "mixed-script",
            "confusable",
        ] {
            assert!(ids.contains(&promised), "{promised}");
        }
    }

    #[test]
    fn every_kind_has_a_rule() {
        for kind in Kind::all() {
            assert_ne!(rule(kind).summary, "", "{}", kind.id());
        }
    }

    /// Advice that does not work is worse than none.
    #[test]
    fn every_encoding_that_the_help_names_is_one() {
        for rule in RULES {
            for advice in rule.help.split("-f ").skip(1) {
                let name = advice.split([' ', ':', '.', ',']).next().unwrap_or_default();
                assert!(name == "auto" || Encoding::for_name(name).is_ok(), "{name}");
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
