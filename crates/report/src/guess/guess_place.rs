//! Guesses what a single ill-formed place in UTF-8 or UTF-16 probably is, given the verdict on the whole text.

use super::stray::StrayEncoding;
use super::text_judge::replaced;
use super::{BUFFER, Cause, Guess, Verdict};
use oxiconv_encodings::codec::{LONGEST_FORM, WideSequence};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::{CodePoint, IllFormedKind, MAX_CODE_POINT, name};
use oxiconv_transcode::diagnostic::sentence::has_picture;

/// An ill-formed place: its bytes, and what is known about them.
#[derive(Clone, Copy, Debug)]
pub struct GuessPlace<'a> {
    /// Why they are ill-formed.
    pub kind: IllFormedKind,
    /// The encoding that they are read in.
    pub encoding: &'static Encoding,
    /// Their offset.
    pub offset: u64,
    /// The bytes of one ill-formed subsequence, or of several adjacent ones.
    pub bytes: &'a [u8],
    /// Lookahead: the bytes after them, as many as the longest sequence has, or up to the end of the text.
    pub after: &'a [u8],
}

impl GuessPlace<'_> {
    /// The most bytes of one sequence.
    pub const LONGEST: usize = LONGEST_FORM;

    /// Returns the length of the sequence that begins with the finding, and whether it consists of single bytes.
    ///
    /// A decoder of UTF-8 reports E2 82 as one finding but the six bytes of a surrogate pair as six. The first of them
    /// has the length of all, so that the others can be grouped with it.
    pub fn shape(&self) -> (usize, bool) {
        if self.encoding != Encoding::UTF_8 {
            return (self.bytes.len(), false);
        }
        let form = self.form();
        (form.len(), matches!(form, WideSequence::Byte | WideSequence::Cut { .. }))
    }

    /// Returns the shape of the sequence that begins with the finding, which may be longer than the finding: it reaches
    /// into the lookahead.
    fn form(&self) -> WideSequence {
        // The common case needs no buffer: a byte that cannot begin a sequence, or is not continued.
        if let ([byte], [next, ..]) = (self.bytes, self.after)
            && (*byte < 0xC0 || next & 0xC0 != 0x80 || *byte >= 0xFE)
        {
            return WideSequence::Byte;
        }
        let mut start = [0; LONGEST_FORM];
        let bytes = self.bytes.iter().chain(self.after).copied();
        let len = start.iter_mut().zip(bytes).map(|(place, byte)| *place = byte).count();
        WideSequence::at(&start[..len])
    }
}

impl Verdict {
    /// Guesses what is at `place`; `None` if nothing is known.
    ///
    /// A place is never judged by its bytes alone. The verdict says whether the whole text is something else, in which
    /// case no place has a guess of its own unless each byte can be named; which shapes were settled as truncated
    /// characters; and which encoding all stray bytes fit.
    pub fn guess(&self, place: &GuessPlace<'_>) -> Option<Guess> {
        if place.encoding != Encoding::UTF_8 {
            return self.guess_elsewhere(place);
        }
        if self.whole.is_some() && !self.names_bytes() {
            return None;
        }
        // If the whole text is in a single-byte encoding, every ill-formed byte is a character.
        let all_bytes = self.names_bytes() || self.counts.all_bytes;
        let form = if all_bytes { WideSequence::Byte } else { place.form() };
        let bytes = [place.bytes, place.after].concat();
        let cut = self.counts.cut_at(&bytes).filter(|_| !all_bytes && form == WideSequence::Byte);
        if let Some(has) = cut {
            return Some(self.guess_field(place, bytes[0], has));
        }
        match form {
            WideSequence::Cut { has, of, at_end } if !self.is_stray(place, has, at_end) => {
                Some(self.guess_cut(place.offset + has as u64, has, of, at_end))
            }
            form => self.guess_form(form).or_else(|| self.guess_stray(place)),
        }
    }

    fn new_guess(
        &self,
        cause: Cause,
        what: String,
        evidence: impl Into<String>,
        characters: &[CodePoint],
    ) -> Guess {
        let (evidence, characters) = (evidence.into(), characters.to_vec());
        Guess { cause, what, evidence, characters, repair: self.repair.clone() }
    }

    /// Guesses a field that was cut to a number of bytes: `has` bytes of a character that begins with `first` are left.
    fn guess_field(&self, place: &GuessPlace<'_>, first: u8, has: usize) -> Guess {
        if first >= 0xC0 {
            let what = format!("the first {} of a multi-byte character", byte_count(has));
            let evidence =
                "the rest is missing, as if a field had been cut to a fixed number of bytes";
            return self.new_guess(Cause::Cut, what, evidence, &[]);
        }
        let evidence = match place.offset {
            0 => "the text begins with it",
            _ => "a line or a field begins with it",
        };
        let what = "the end of a character whose start is missing".to_owned();
        self.new_guess(Cause::CutBefore, what, evidence, &[])
    }

    /// Guesses a truncated character: `has` of its `of` bytes are left, and end before offset `end`.
    fn guess_cut(&self, end: u64, has: usize, of: usize, at_end: bool) -> Guess {
        let what = format!("the first {} of a {of}-byte character", byte_count(has));
        let evidence = match (at_end, end.is_multiple_of(BUFFER)) {
            (true, _) => "the text ends there".to_owned(),
            (_, true) => format!(
                "it ends at byte {end}, where a {}-byte buffer ends",
                1_u64 << end.trailing_zeros()
            ),
            _ => "the rest is missing, as if a field had been cut to a fixed number of bytes"
                .to_owned(),
        };
        self.new_guess(Cause::Cut, what, evidence, &[])
    }

    /// Guesses a sequence that is well-formed in a relative of UTF-8.
    fn guess_form(&self, form: WideSequence) -> Option<Guess> {
        let (cause, what, evidence, character) = match form {
            WideSequence::Pair(cp) => (
                Cause::Cesu8,
                format!("{} in CESU-8", described(cp)),
                "two 3-byte surrogates that form a pair".to_owned(),
                Some(cp),
            ),
            WideSequence::Surrogate(cp) if self.escaped.is_some() => {
                return self.escaped?.guess(cp, self.repair.clone());
            }
            WideSequence::Surrogate(cp) => (
                Cause::UnpairedSurrogate,
                format!("the unpaired surrogate U+{cp:04X} in WTF-8"),
                "Windows file names and JavaScript strings may contain them".to_owned(),
                Some(cp),
            ),
            WideSequence::JavaNul => (
                Cause::JavaNul,
                "U+0000 in MUTF-8, Java's modified UTF-8".to_owned(),
                "nothing else writes C0 80".to_owned(),
                Some(0),
            ),
            WideSequence::Overlong { value, len } => (
                Cause::Overlong,
                format!("{} in an overlong form", described(value)),
                format!("{len} bytes where {} would be enough", shortest(value)),
                Some(value),
            ),
            WideSequence::Long { value, len } => (
                Cause::LongForm,
                format!("the value {value:X} in the {len}-byte form of RFC 2279"),
                "the highest code point is 10FFFF".to_owned(),
                None,
            ),
            WideSequence::Cut { .. } | WideSequence::Byte => return None,
        };
        Some(self.new_guess(cause, what, evidence, character.as_slice()))
    }

    /// Guesses characters of the encoding that all stray bytes of the text fit.
    fn guess_stray(&self, place: &GuessPlace<'_>) -> Option<Guess> {
        let stray = self.stray.as_ref()?;
        let characters = stray.read(place.bytes);
        let what = match &characters[..] {
            [] => format!("part of a text in {}", stray_name(stray)),
            characters => format!("{} in {}", list(characters), stray_name(stray)),
        };
        let evidence = match (self.counts.multi, &self.whole) {
            (0, _) => "the text has no multi-byte UTF-8",
            (_, Some(_)) => "all stray bytes fit it",
            (_, None) => "the rest is valid UTF-8, and all stray bytes fit it",
        };
        Some(self.new_guess(Cause::SingleByte, what, evidence, &characters))
    }

    /// Whether what looks like the start of a character is rather a single byte.
    ///
    /// At the end of the text, the counts know (`end_is_bytes`). Elsewhere, the end of a buffer explains a truncated
    /// character. Without that, it is a single byte if more ill-formed bytes follow, which makes it part of a run of
    /// them, or if the text has other single bytes and no UTF-8.
    fn is_stray(&self, place: &GuessPlace<'_>, has: usize, at_end: bool) -> bool {
        let by_buffer = (place.offset + has as u64).is_multiple_of(BUFFER);
        match at_end {
            true => self.counts.end_is_bytes(has),
            false => !by_buffer && (place.bytes.len() > has || self.counts.cut_is_bytes()),
        }
    }

    fn guess_elsewhere(&self, place: &GuessPlace<'_>) -> Option<Guess> {
        let (cause, what, evidence) = match place.kind {
            _ if self.whole.is_some() => return None,
            IllFormedKind::TruncatedAtEnd => {
                (Cause::Cut, "a character whose end is missing", "the text ends there")
            }
            IllFormedKind::UnpairedHighSurrogate | IllFormedKind::UnpairedLowSurrogate => (
                Cause::UnpairedSurrogate,
                "an unpaired surrogate, as in WTF-16",
                "Windows file names and JavaScript strings may contain them",
            ),
            _ => return None,
        };
        let (what, evidence) = (what.to_owned(), evidence.to_owned());
        Some(Guess { cause, what, evidence, characters: Vec::new(), repair: Some(replaced()) })
    }
}

/// Formats one character with its name, or several as a quoted string.
fn list(characters: &[CodePoint]) -> String {
    match characters {
        [only] => described(*only),
        several => {
            let text: String = several.iter().map(|cp| shown(*cp)).collect();
            format!("\"{text}\"")
        }
    }
}

pub(super) fn shown(cp: CodePoint) -> String {
    match char::from_u32(cp).filter(|c| has_picture(*c)) {
        Some(c) => c.to_string(),
        None => format!("\\u{{{cp:X}}}"),
    }
}

/// Describes a character: `U+00E9 (é) LATIN SMALL LETTER E WITH ACUTE`.
fn described(cp: CodePoint) -> String {
    let picture = char::from_u32(cp).filter(|c| has_picture(*c));
    let picture = picture.map_or_else(String::new, |c| format!(" ({c})"));
    if cp <= MAX_CODE_POINT {
        format!("U+{cp:04X}{picture} {}", name(cp))
    } else {
        format!("the value {cp:X}")
    }
}

fn stray_name(stray: &StrayEncoding) -> String {
    let also = if stray.like_latin1 {
        format!(" or {}", Encoding::ISO_8859_1.name())
    } else {
        String::new()
    };
    format!("{}{also}", stray.encoding().name())
}

/// Returns the length of the shortest sequence for a value.
fn shortest(value: u32) -> usize {
    char::from_u32(value).map_or(4, char::len_utf8)
}

fn byte_count(count: usize) -> String {
    if count == 1 { "byte".to_owned() } else { format!("{count} bytes") }
}
