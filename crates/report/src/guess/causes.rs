//! Why a text that is otherwise UTF-8 has ill-formed bytes, and what repairs all of them.
//!
//! One command must repair everything, so `repair` matches on the whole set of causes. Alone, most causes have an
//! encoding that decodes them (CESU-8, MUTF-8, WTF-8). Combinations have one only where a single encoding contains all
//! of them; the rest are `Several`, and no command is suggested.

use super::form_counts::FormCounts;
use super::stray::StrayEncoding;
use super::{Cause, Hint};
use crate::Substitute::{Escape, Nothing, Replacement};
use crate::{Repair, counted, grouped};
use oxiconv_encodings::encoding::Encoding;

/// The set of causes of ill-formed bytes in a text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Causes {
    /// Single bytes of another encoding.
    bytes: bool,
    /// Truncated characters.
    cut: bool,
    /// Surrogate pairs, and unpaired surrogates.
    pairs: bool,
    surrogates: bool,
    /// C0 80.
    java: bool,
    overlong: bool,
    /// Values above U+10FFFF.
    long: bool,
}

impl Causes {
    /// Returns the causes that the counts show.
    ///
    /// Truncated characters are counted apart from single bytes, but in some texts they are nothing else. The counts
    /// say when (`cut_is_bytes`, `end_is_bytes`), and they then belong to `bytes` and not to `cut`. An end at the
    /// border of a buffer is a truncated character in any case.
    pub(super) fn of(counts: &FormCounts) -> Self {
        if counts.all_bytes {
            return Self { bytes: true, ..Self::default() };
        }
        let cut_is_bytes = counts.cut_is_bytes();
        let end_is_bytes = counts.cut.at_end.is_some_and(|has| counts.end_is_bytes(has));
        Self {
            bytes: counts.single.count > 0 || counts.cut.count > 0 && cut_is_bytes || end_is_bytes,
            cut: counts.cut.by_buffer > 0
                || counts.cut.count > 0 && !cut_is_bytes
                || counts.cut.at_end.is_some() && !end_is_bytes,
            pairs: counts.wide.pairs > 0,
            surrogates: counts.wide.surrogates > 0,
            java: counts.wide.java_nuls > 0,
            overlong: counts.wide.overlong > 0,
            long: counts.wide.long > 0,
        }
    }

    pub(super) fn are_several(self) -> bool {
        let Self { bytes, cut, pairs, surrogates, java, overlong, long } = self;
        [bytes, cut, pairs, surrogates, java, overlong, long].into_iter().filter(|it| *it).count()
            > 1
    }

    /// Returns what repairs the whole text, if one command does.
    ///
    /// ```text
    /// surrogate pairs, C0 80, stray bytes     -f cesu-8 or -f mutf-8, with a fallback for the bytes
    /// surrogate pairs, four-byte sequences    -f generalized-utf-8 -t wtf-8
    /// unpaired surrogates                     -f wtf-8, and U+FFFD where the target has none
    /// values above U+10FFFF                   -f utf-8-rfc2279, and escapes
    /// truncated characters                    -c drops them
    /// ```
    ///
    /// CESU-8 and MUTF-8 have no four-byte sequences, so they cannot decode a text that has some (`four`), and MUTF-8
    /// has no byte 00.
    pub(super) fn repair(
        self,
        counts: &FormCounts,
        stray: Option<StrayEncoding>,
        nuls: bool,
    ) -> Option<Repair> {
        let Self { bytes, cut, pairs, surrogates, java, overlong, long } = self;
        let four = counts.four > 0;
        let fallback =
            || stray.filter(|stray| stray.may_be_fallback()).map(|stray| stray.encoding());
        let replaced = "each unpaired surrogate becomes U+FFFD";
        match (bytes, cut, pairs, surrogates, java, overlong, long) {
            (true, false, false, false, false, false, false) => {
                Some(Repair::default().fallback(fallback()?))
            }
            (bytes, false, pairs, false, java, false, false) if !four && (!java || !nuls) => {
                let from = if java { Encoding::MUTF_8 } else { Encoding::CESU_8 };
                match (pairs || java, bytes) {
                    (false, _) => None,
                    (true, false) => Some(Repair::from(from)),
                    // Reading a relative of UTF-8 requires a fallback with one byte per character.
                    (true, true) => {
                        let fallback = fallback().filter(|fallback| fallback.single_byte)?;
                        Some(Repair::from(from).fallback(fallback))
                    }
                }
            }
            (false, false, true, false, false, false, false) => {
                Some(Repair::from(Encoding::GENERALIZED_UTF_8).to(Encoding::WTF_8))
            }
            (false, false, false, true, false, false, false) => {
                Some(Repair::from(Encoding::WTF_8).on_unmappable(Replacement).losing(replaced))
            }
            (false, false, true, true, _, false, false)
            | (false, false, false, true, true, false, false)
                if !four && !nuls =>
            {
                Some(Repair::from(Encoding::MUTF_8).on_unmappable(Replacement).losing(replaced))
            }
            (false, false, false, false, false, false, true) => {
                Some(Repair::from(Encoding::UTF_8_RFC2279).on_unmappable(Escape).losing(
                    "no character has such a value, so it is written as \\u{...}",
                ))
            }
            (false, true, false, false, false, false, false) => {
                Some(Repair::default().on_ill_formed(Nothing).losing(
                    "incomplete characters are dropped, so the exit status is 1",
                ))
            }
            // A named fallback would decode truncated characters as letters, too. With `--fallback auto`, the detector
            // knows which bytes were cut off.
            (true, true, false, false, false, false, false) => {
                fallback()?;
                Some(Repair::of_strays().on_ill_formed(Nothing).losing(
                    "incomplete characters are dropped, so the exit status is 1",
                ))
            }
            (false, false, false, false, false, true, false) => {
                Some(Repair::default().on_ill_formed(Replacement).losing(
                    "overlong forms can get past security checks, so they are never decoded: each byte becomes U+FFFD",
                ))
            }
            _ => None,
        }
    }

    /// Returns the hint on a text with these causes; `None` if one of them is unknown.
    ///
    /// With several causes and one repair, the most specific cause names the hint. C0 80 occurs only in MUTF-8, which
    /// has surrogate pairs as well. So it comes before the pairs, and these before unpaired surrogates. Single bytes,
    /// which a fallback reads besides, come last.
    pub(super) fn hint(
        self,
        counts: &FormCounts,
        stray: Option<StrayEncoding>,
        repair: Option<Repair>,
    ) -> Option<Hint> {
        let Self { bytes, cut, pairs, surrogates, java, overlong, long } = self;
        let stray = stray.filter(|_| bytes);
        if bytes && stray.is_none() {
            return None;
        }
        let clauses = self.clauses(counts, stray);
        let cause = match (bytes, cut, pairs, surrogates, java, overlong, long) {
            _ if repair.is_none() && self.are_several() => Cause::Several,
            (.., true, _, _) => Cause::JavaNul,
            (_, _, true, ..) => Cause::Cesu8,
            (_, _, _, true, ..) => Cause::UnpairedSurrogate,
            (.., true) => Cause::LongForm,
            (_, _, _, _, _, true, _) => Cause::Overlong,
            (_, true, ..) => Cause::Cut,
            (true, ..) => Cause::SingleByte,
            _ => return None,
        };
        // The encoding that decodes all of them, if it has a name that users know.
        let relative = repair.as_ref().and_then(|repair| repair.from);
        let relative = relative.filter(|from| *from != Encoding::GENERALIZED_UTF_8);
        let utf8 = Encoding::UTF_8.name();
        let rest = counts.rest();
        let (guess, evidence) = match (cause, relative, stray) {
            (Cause::Several, ..) => {
                (String::new(), format!("no single command repairs all of it: {clauses}"))
            }
            (_, Some(relative), _) => (relative.name().to_owned(), format!("it has {clauses}")),
            (Cause::SingleByte, None, Some(stray)) => {
                let name = stray.encoding().name();
                let fit = match counts.ill_formed {
                    1 => format!("the stray byte fits {name}"),
                    2 => format!("both stray bytes fit {name}"),
                    count => format!("all {} stray bytes fit {name}", grouped(count)),
                };
                (stray.as_part(), format!("{fit}, and the rest is {rest}"))
            }
            _ => (format!("{utf8} with {clauses}"), format!("{clauses}, and the rest is {rest}")),
        };
        Some(Hint { cause: cause.id(), guess, evidence, repair, whole: relative.is_some() })
    }

    /// Lists what is ill-formed: `2 surrogate pairs and 1 overlong form`.
    fn clauses(self, counts: &FormCounts, stray: Option<StrayEncoding>) -> String {
        let cut = counts.cut.count + counts.cut.by_buffer + u64::from(counts.cut.at_end.is_some());
        let bytes = stray.map(|stray| format!("bytes of {}", stray.encoding().name()));
        let clauses: Vec<_> = [
            (self.pairs, counts.wide.pairs, "surrogate pair"),
            (self.surrogates, counts.wide.surrogates, "unpaired surrogate"),
            (self.java, counts.wide.java_nuls, "C0 80 sequence"),
            (self.overlong, counts.wide.overlong, "overlong form"),
            (self.long, counts.wide.long, "RFC 2279 sequence"),
            (self.cut, cut, "incomplete character"),
        ]
        .into_iter()
        .filter(|(is, ..)| *is)
        .map(|(_, count, what)| counted(count, what))
        .chain(bytes)
        .collect();
        match &clauses[..] {
            [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
            _ => clauses.concat(),
        }
    }
}
