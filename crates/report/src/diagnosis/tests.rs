use super::*;
use crate::guess::{Guess, LineReading};
use oxiconv_encodings::unicode::IllFormedKind;

struct Offsets(Shows);

fn line(place: String, guess: Option<&Guess>) -> Vec<u8> {
    let cause = guess.map(|guess| format!(" {}", guess.cause.id())).unwrap_or_default();
    format!("{place}{cause}\n").into()
}

impl FindingFormat for Offsets {
    fn shows(&self) -> Shows {
        self.0
    }

    fn finding(&mut self, finding: &Finding<'_>, guessed: Option<&Guessed<'_>>) -> Vec<u8> {
        line(finding.offset.to_string(), guessed.map(|guessed| guessed.guess))
    }

    fn known(&mut self, finding: &Finding<'_>, guessed: Option<&Guessed<'_>>) -> Vec<u8> {
        line(format!("({})", finding.offset), guessed.map(|guessed| guessed.guess))
    }

    fn group(&mut self, group: &FindingGroup, guess: Option<&Guess>, _: &[LineReading]) -> Vec<u8> {
        let more = group.more.map(|more| format!(" and {} more", more.groups));
        let (offset, more) = (group.finding.offset, more.unwrap_or_default());
        line(format!("{offset}+{}{more}", group.adjacent.findings), guess)
    }

    fn conclusion(&mut self, conclusion: &Conclusion) -> Vec<u8> {
        match conclusion {
            Conclusion::Hint(hint) => format!("the hint: {}\n", hint.cause).into(),
            _ => Vec::new(),
        }
    }
}

/// Two smileys in CESU-8: each is a surrogate pair of six bytes, none of which is well-formed UTF-8.
const TEXT: &[u8] = b"a\xED\xA0\xBD\xED\xB8\x80 b\xED\xA0\xBD\xED\xB8\x80\n";

fn finding(offset: usize) -> Finding<'static> {
    let mut finding = Finding::new(Kind::IllFormed(IllFormedKind::InvalidByte));
    finding.offset = offset as u64;
    finding.bytes = TEXT[offset..=offset].into();
    finding.context.after = TEXT[offset + 1..].into();
    finding
}

/// Returns the output for the text, whose byte at `known` is in the baseline, and what remains to be reported.
fn printed(shows: Shows, limit: Option<u64>, known: usize) -> (String, Remainder) {
    let mut out = Vec::new();
    let mut diagnosis = Box::new(Diagnosis::new(&mut out, Offsets(shows), limit));
    for offset in (0..TEXT.len()).filter(|offset| TEXT[*offset] >= 0x80) {
        match offset == known {
            true => diagnosis.known(&finding(offset)).unwrap(),
            false => diagnosis.finding(&finding(offset)).unwrap(),
        }
    }
    diagnosis.text(TEXT, Encoding::UTF_8);
    let remainder = diagnosis.close().unwrap();
    (String::from_utf8(out).unwrap(), remainder)
}

#[test]
fn the_limit_withholds_and_counts_but_never_the_one_that_stops() {
    let mut out = Vec::new();
    let format = Offsets(Shows::Findings);
    let mut diagnosis = Box::new(Diagnosis::new(&mut out, format, Some(2)));
    for offset in 1..6 {
        diagnosis.finding(&finding(offset)).unwrap();
    }
    assert!(!diagnosis.wants_places());
    let mut last = finding(6);
    last.stops = true;
    diagnosis.finding(&last).unwrap();
    let remainder = diagnosis.close().unwrap();
    assert_eq!((remainder.shown, remainder.withheld), (3, 3));
    assert_eq!(out, b"1\n2\n6\n");
}

#[test]
fn findings_that_wait_have_the_guess_of_their_group_and_known_ones_are_not_counted() {
    let (text, remainder) = printed(Shows::Guesses, Some(7), 2);
    assert_eq!(
        text,
        "1 cesu-8\n(2) cesu-8\n3 cesu-8\n4 cesu-8\n5 cesu-8\n6 cesu-8\n9 cesu-8\n10 cesu-8\n"
    );
    assert_eq!((remainder.shown, remainder.withheld), (7, 4));
    assert_eq!(remainder.hint.unwrap().cause, "cesu-8");
    // Findings that are printed at once come without a guess.
    let (text, remainder) = printed(Shows::Findings, Some(2), 2);
    assert_eq!(text, "1\n(2)\n3\n");
    assert_eq!(remainder.hint.unwrap().cause, "cesu-8");
}

#[test]
fn adjacent_findings_are_one_group_equal_groups_are_one_and_the_conclusion_has_the_hint() {
    let (text, remainder) = printed(Shows::Groups, Some(1), usize::MAX);
    assert_eq!(text, "1+6 and 1 more cesu-8\nthe hint: cesu-8\n");
    assert_eq!((remainder.shown, remainder.withheld, remainder.hint), (12, 0, None));
}
