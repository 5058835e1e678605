//! The charsets that are tried, with precomputed data for each.
//!
//! The registry lists about 120 candidates, one of each group of near-identical charsets. For a single-byte charset,
//! the table from byte to character is made once, with case and lowercase form. A reading in it needs no decoder: its
//! pairs of characters are the pairs of bytes, looked up. Multi-byte charsets have no table, and decode each text.

use std::sync::{Mutex, OnceLock, PoisonError};

use crate::language::{FoldedCharacter, Language, LazySymbol, Model, Script, Symbol};
use oxiconv_encodings::codec::{ByteOrder, DecodeStop};
use oxiconv_encodings::encoding::{CharsetCandidate, Encoding, System, Usage, UsedFor, candidates};
use oxiconv_encodings::unicode::CodePoint;

pub(super) const NONE: CodePoint = 0xFFFF;

/// A charset that a text may be in.
///
/// `rarity` is the cost in bits of choosing it at all. `usage` says how it was used for each language, by the number of
/// the language, and `languages` are those for which it was. A charset without `has_ascii` is a code page of EBCDIC.
/// `is_latin` means that most of its non-ASCII letters are Latin. `table` has the character of each byte of a
/// single-byte charset, and `symbols` those of the model by the number of the language, computed on request.
pub(super) struct TrialCharset {
    pub(super) encoding: &'static Encoding,
    pub(super) rarity: u32,
    pub(super) system: System,
    usage: Vec<Usage>,
    languages: Vec<Language>,
    pub(super) has_ascii: bool,
    pub(super) is_latin: bool,
    pub(super) table: Option<Vec<FoldedCharacter>>,
    symbols: OnceLock<Vec<OnceLock<ByteSymbols>>>,
    least_costs: Vec<OnceLock<u32>>,
}

/// The symbols of the bytes of a single-byte charset in a language.
type ByteSymbols = Box<[LazySymbol; 256]>;

pub(super) fn charsets() -> &'static [TrialCharset] {
    static CHARSETS: OnceLock<Vec<TrialCharset>> = OnceLock::new();
    CHARSETS.get_or_init(|| {
        candidates().map(|it| TrialCharset::of(it, UsedFor::of(it.encoding))).collect()
    })
}

/// Returns the charset of an encoding that was requested by name; `None` if it is an encoding form of Unicode or has
/// escapes or shifts. Those are not recognized by letters.
pub(super) fn charset(encoding: &'static Encoding) -> Option<&'static TrialCharset> {
    static ASKED_FOR: Mutex<Vec<&'static TrialCharset>> = Mutex::new(Vec::new());
    if let Some(charset) = charsets().iter().find(|charset| charset.encoding == encoding) {
        return Some(charset);
    }
    if encoding.is_unicode() || !(encoding.may_be_fallback() || encoding.is_single_byte()) {
        return None;
    }
    let mut known = ASKED_FOR.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(charset) = known.iter().find(|charset| charset.encoding == encoding) {
        return Some(charset);
    }
    let (candidate, used) = CharsetCandidate::asked_for(encoding);
    // References to charsets are `'static`, so that readings can be kept without a lifetime. Each encoding is leaked
    // once, so the total is bounded by the registry.
    let charset: &_ = Box::leak(Box::new(TrialCharset::of(candidate, used.as_ref())));
    known.push(charset);
    Some(charset)
}

impl TrialCharset {
    fn of(candidate: CharsetCandidate, used: Option<&UsedFor>) -> Self {
        let CharsetCandidate { encoding, rarity, system, .. } = candidate;
        let has_ascii = encoding.has_ascii();
        let bytes: Vec<u8> = (0..=u8::MAX).collect();
        let table = || decode(encoding, &bytes, usize::MAX);
        let table = encoding.is_single_byte().then(table).flatten();
        let table = table.map(|(table, _)| table.into_iter().map(FoldedCharacter::from).collect());
        let is_latin = table.as_ref().is_some_and(|table: &Vec<FoldedCharacter>| {
            let letters = table.iter().filter(|character| character.cp >= 0x80);
            let (latin, others): (Vec<_>, Vec<_>) = letters
                .filter_map(|character| Script::of(character.cp))
                .partition(|script| *script == Script::Latin);
            latin.len() > others.len()
        });
        // Nothing is known about an encoding that `used.txt` does not list, and one gets here only if the caller named
        // it. So any language is as good as another. The list is read from the weakest usage to the strongest: the
        // first entry of a language counts, as in `UsedFor::usages`.
        let other = if used.is_some() { Usage::Never } else { Usage::Main };
        let mut usage = vec![other; Language::all().count()];
        for (tag, of) in used.into_iter().flat_map(|used| used.usages().rev()) {
            if let Some(language) = Language::with_tag(tag) {
                usage[language.number()] = of;
            }
        }
        let languages = Language::all().filter(|it| usage[it.number()] != Usage::Never).collect();
        Self {
            encoding,
            rarity,
            system,
            usage,
            languages,
            has_ascii,
            is_latin,
            table,
            symbols: OnceLock::new(),
            least_costs: (0..256).map(|_| OnceLock::new()).collect(),
        }
    }

    /// Whether the last word of a text, which is followed by a space, ends within a character.
    ///
    /// If it does, it has one error less without the space: the decoder then takes the end for incomplete, which is not
    /// an error, and with the space for ill-formed. Only that word needs to be decoded, since a space is never part of
    /// a longer character.
    pub(super) fn is_cut(&self, text: &[u8]) -> bool {
        let Some(text) = text.strip_suffix(b" ").filter(|_| self.table.is_none()) else {
            return false;
        };
        let start = text.iter().rposition(|byte| *byte == b' ').map_or(0, |at| at + 1);
        let word = &text[start..];
        let errors =
            |word: &[u8]| decode(self.encoding, word, usize::MAX).map(|(_, errors)| errors);
        errors(word) < errors(&[word, b" "].concat())
    }

    /// Returns a function from a byte to its symbol in a language; `None` in a multi-byte charset.
    pub(super) fn symbols(&self, model: &Model) -> Option<impl Fn(u8) -> Symbol> {
        let table = self.table.as_ref()?;
        let all = self.symbols.get_or_init(|| self.usage.iter().map(|_| OnceLock::new()).collect());
        let symbols = all[model.language().number()]
            .get_or_init(|| Box::new([const { LazySymbol::new() }; 256]));
        Some(move |byte: u8| {
            symbols[usize::from(byte)].get(|| model.symbol(table[usize::from(byte)]))
        })
    }

    /// Returns what a byte costs at least, after whatever byte and in whatever language, in sixteenths of a bit.
    pub(super) fn least_cost(&self, byte: u8) -> u32 {
        *self.least_costs[usize::from(byte)].get_or_init(|| {
            let of = |model: &'static Model| Some(model.least_cost(self.symbols(model)?(byte)));
            self.models().filter_map(of).min().unwrap_or_default()
        })
    }

    pub(super) fn usage(&self, language: Language) -> Usage {
        self.usage[language.number()]
    }

    pub fn models(&self) -> impl Iterator<Item = &'static Model> + use<'_> {
        self.languages.iter().map(|language| language.model())
    }
}

/// Decodes a text whose end may truncate a character. Returns its characters, with [`NONE`] for what is ill-formed, and
/// the number of errors: ill-formed subsequences and characters that text never has. `None` if that exceeds `allowed`.
///
/// Text in another charset often has errors from the start, so the count is checked after every piece.
pub(super) fn decode(
    encoding: &Encoding,
    text: &[u8],
    allowed: usize,
) -> Option<(Vec<CodePoint>, usize)> {
    let mut decoder = encoding.new_decoder(ByteOrder::Big);
    let (mut characters, mut pivot) = (Vec::with_capacity(text.len()), [0; 128]);
    let (mut at, mut errors) = (0, 0);
    while errors <= allowed {
        let decoded = decoder.decode(&text[at..], &mut pivot, false);
        at += decoded.read;
        let new = &pivot[..decoded.written];
        errors += new.iter().filter(|cp| is_error(**cp)).count();
        characters.extend_from_slice(new);
        at += match decoded.stop {
            DecodeStop::OutputFull => continue,
            DecodeStop::InputEmpty => break,
            DecodeStop::IllFormed(ill_formed) => ill_formed.len,
            DecodeStop::Large { len, .. } => len,
        };
        errors += 1;
        characters.push(NONE);
    }
    (errors <= allowed).then_some((characters, errors))
}

/// Whether a character never occurs in text: controls except for line ends and the like, private-use and undefined
/// ones. Of the controls, 1A (which ended files in CP/M and DOS), 1B (which begins the colours of terminals), 7F and
/// U+0085 (the line end of EBCDIC) are no errors either.
pub(super) fn is_error(cp: CodePoint) -> bool {
    matches!(cp, 0..=8 | 0x0E..=0x19 | 0x1C..=0x1F | 0x80..=0x84 | 0x86..=0x9F | 0xE000..=0xF8FF | NONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_languages_of_each_candidate_have_models() {
        for charset in charsets() {
            for tag in UsedFor::of(charset.encoding).into_iter().flat_map(UsedFor::tags) {
                assert!(Language::for_tag(tag).is_some(), "{}: {tag}", charset.encoding);
            }
        }
    }

    /// A reading is given up by its least cost, so no pair may cost less.
    #[test]
    fn no_pair_costs_less_than_its_second_byte_at_least() {
        for charset in charsets().iter().filter(|charset| charset.table.is_some()).step_by(9) {
            for model in charset.models() {
                let symbol = charset.symbols(model).unwrap();
                for byte in 0x80..=u8::MAX {
                    let costs =
                        (0..=u8::MAX).map(|before| model.cost(symbol(before), symbol(byte)));
                    let least = charset.least_cost(byte);
                    assert!(costs.min() >= Some(least), "{} {byte:02X}: {least}", charset.encoding);
                }
            }
        }
    }
}
