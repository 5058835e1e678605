//! The languages, and the model of letter pairs of each.
//!
//! ```text
//! " Да" in Russian:   pairs[blank][д]  + the cost of a capital after a blank
//!                   + pairs[д][а]      + the cost of lower case after a capital
//! ```
//!
//! Ideographs and Korean syllables are too many for a square. They share one symbol in it, and each adds a cost of its
//! own (`ideographs.bin`). Letters that the language does not have share another symbol, and add how strange they are
//! (`strange.rs`).
//!
//! So the cost of a character after another one has three parts: `pairs[before][symbol] + own + case`. The first is how
//! likely the *kind* of character is there, the second which one of its kind it is. The letters of the alphabet are
//! kinds of their own, with an `own` of 0. The sum is the logarithm of a product of probabilities, which is what makes
//! costs of different readings comparable: a character that shares its symbol with many others must cost more, or a
//! reading full of such characters would win.
//!
//! ```text
//! languages.txt   ru ⇥ Russian ⇥ Cyrl ⇥ абв…           one row per language, sorted by tag
//! pairs.bin       size² bytes for each row in turn     size = 9 + letters of the alphabet; row-major, [before][after]
//! ideographs.bin  half a byte for each ideograph       only for languages in Han, Kana and Hangul; low half first
//! ```
//!
//! The files have no index. Whoever changes one must make the others anew with `tools/language/generate.py`.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{LazyLock, OnceLock};

use super::fold::{FoldedCharacter, LetterCase};
use super::script::Script;
use super::strange::strangeness;
use oxiconv_encodings::unicode::CodePoint;

/// One row per language, separated by tabs: tag, name, script and alphabet.
static LANGUAGES: &str = include_str!("languages.txt");
/// The costs of all pairs of symbols, one square per language.
static PAIRS: &[u8] = include_bytes!("pairs.bin");
/// Four bits per ideograph or Korean syllable, for each language that has them.
static IDEOGRAPHS: &[u8] = include_bytes!("ideographs.bin");

/// Units per bit: costs are in sixteenths of a bit.
pub const UNIT: u32 = 16;

// The symbols that all languages have, before those of the alphabet. tools/language/generate.py has the same list.
// Blank must be the first one: `Symbol::default()` has index 0, and stands for what is before the first character.
const BLANK: u8 = 0;
const OPENING: u8 = 1;
const CLOSING: u8 = 2;
/// A mark at the end of a sentence or inside it: period, comma, colon.
const SENTENCE: u8 = 3;
const PUNCTUATION: u8 = 4;
const DIGIT: u8 = 5;
const OTHER: u8 = 6;
/// A letter that is not in the alphabet: of another script, such as Latin in Russian, or of another language.
const LETTER: u8 = 7;
/// The cost of each of the 26 Latin letters as `LETTER`, in sixteenths of a bit: 5.25 bits, where log₂ 26 is 4.7. It
/// must be more than chance. Otherwise English would be cheap in any language that prices all its letters as one
/// symbol: in Russian, `LETTER` after `LETTER` costs 0.4 bits, since foreign words have several letters in a row.
const LATIN_LETTER: u16 = 84;
/// The cost of each half-width katakana, mark and punctuation (U+FF61 to U+FF9F) as `IDEOGRAPH`, in bits, one digit
/// each. Counted in the syllables of Japanese text and evened out, since lists, names and headings have other words
/// than prose. Unlike full-width katakana, they spell native words too and are next to ideographs, so they share the
/// symbol of those.
const HALF_WIDTH: &[u8; 63] = b"899887879888876565576555766457857765669866768757777777665678446";
const IDEOGRAPH: u8 = 8;
const FIXED: usize = 9;

/// A language of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Language(u8);

impl Language {
    /// Returns the language with this tag of BCP 47, such as `ru` or `zh-Hant`; case does not matter.
    ///
    /// ```
    /// # use oxiconv_detect as oxiconv;
    /// # use oxiconv::Language;
    /// assert_eq!(Language::for_tag("RU").map(Language::name), Some("Russian"));
    /// assert_eq!(Language::for_tag("zh"), None);
    /// ```
    #[must_use]
    pub fn for_tag(tag: &str) -> Option<Self> {
        Self::all().find(|language| language.tag().eq_ignore_ascii_case(tag))
    }

    /// Returns the language with exactly this tag.
    pub(crate) fn with_tag(tag: &str) -> Option<Self> {
        let at = models().binary_search_by_key(&tag, |model| model.tag).ok()?;
        Some(models()[at].language)
    }

    /// Iterates over all languages, by their tags.
    pub fn all() -> impl Iterator<Item = Self> {
        models().iter().map(Model::language)
    }

    /// Returns its index among all languages.
    pub(crate) const fn number(self) -> usize {
        self.0 as usize
    }

    /// Returns its tag of BCP 47.
    #[must_use]
    pub fn tag(self) -> &'static str {
        self.model().tag
    }

    /// Returns the model of English, the language of code, logs and mark-up.
    pub(crate) fn english() -> &'static Model {
        static ENGLISH: LazyLock<&'static Model> =
            LazyLock::new(|| Language::with_tag("en").expect("English has a model").model());
        *ENGLISH
    }

    /// Returns its name in English.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.model().name
    }

    pub(crate) fn model(self) -> &'static Model {
        &models()[usize::from(self.0)]
    }
}

/// A set of languages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LanguageSet([u64; 4]);

impl LanguageSet {
    pub(crate) const fn new() -> Self {
        Self([0; 4])
    }

    pub(crate) const fn with(mut self, language: Language) -> Self {
        self.0[language.number() / 64] |= 1 << (language.number() % 64);
        self
    }

    pub(crate) const fn contains(&self, language: Language) -> bool {
        self.0[language.number() / 64] >> (language.number() % 64) & 1 == 1
    }

    pub(crate) const fn is_empty(&self) -> bool {
        matches!(self.0, [0, 0, 0, 0])
    }
}

impl FromIterator<Language> for LanguageSet {
    fn from_iter<I: IntoIterator<Item = Language>>(languages: I) -> Self {
        languages.into_iter().fold(Self::new(), Self::with)
    }
}

/// A character as seen by a language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Symbol {
    /// Its row and column in the square.
    index: u8,
    case: LetterCase,
    /// What it costs among all characters of the same index, in sixteenths of a bit.
    own: u16,
}

/// A symbol that is computed when it is first asked for. Several threads may do so, with the same result.
///
/// ```text
/// bits     31..16    15                  9..8    7..0
///          own       whether it is set   case    index
/// ```
#[derive(Debug)]
pub struct LazySymbol(AtomicU32);

impl LazySymbol {
    const SET: u32 = 1 << 15;

    pub(crate) const fn new() -> Self {
        Self(AtomicU32::new(0))
    }

    #[inline]
    pub(crate) fn get(&self, symbol: impl FnOnce() -> Symbol) -> Symbol {
        let bits = self.0.load(Relaxed);
        if bits & Self::SET == 0 {
            return self.set(symbol());
        }
        const CASES: [LetterCase; 4] =
            [LetterCase::None, LetterCase::Lower, LetterCase::Upper, LetterCase::None];
        let case = CASES[(bits >> 8 & 3) as usize];
        Symbol { index: bits as u8, case, own: (bits >> 16) as u16 }
    }

    #[cold]
    fn set(&self, symbol: Symbol) -> Symbol {
        let Symbol { index, case, own } = symbol;
        let bits = u32::from(own) << 16 | Self::SET | (case as u32) << 8 | u32::from(index);
        self.0.store(bits, Relaxed);
        symbol
    }
}

/// The model of a language.
#[derive(Debug)]
pub struct Model {
    tag: &'static str,
    name: &'static str,
    language: Language,
    pub(crate) script: Script,
    /// Its letters and marks in lower case, in the order of their indices.
    alphabet: &'static str,
    /// The symbols of its letters, made when text is first weighed in the language: most texts are weighed in few.
    symbols: OnceLock<Box<Symbols>>,
    size: usize,
    pairs: &'static [u8],
    /// The first character with a cost of its own, and those costs.
    ideographs: Option<(CodePoint, &'static [u8])>,
}

/// The symbols of the letters of an alphabet, and of ASCII.
#[derive(Debug)]
struct Symbols {
    ascii: [Symbol; 128],
    /// The indices of the letters and marks beyond ASCII, sorted by letter.
    others: Vec<(CodePoint, u8)>,
}

/// Returns the models of all languages, sorted by tag.
pub fn models() -> &'static [Model] {
    static MODELS: OnceLock<Vec<Model>> = OnceLock::new();
    MODELS.get_or_init(|| {
        let (mut pairs, mut ideographs) = (PAIRS, IDEOGRAPHS);
        LANGUAGES
            .lines()
            .zip(0..)
            .map(|(row, number)| {
                let model = Model::read(row, Language(number), &mut pairs, &mut ideographs);
                model.unwrap_or_else(|| unreachable!("the files are generated together"))
            })
            .collect()
    })
}

/// Returns the symbol of an ASCII character in a language whose alphabet has no Latin letters.
fn ascii_of_no_language(ascii: usize) -> Symbol {
    let FoldedCharacter { cp, case, .. } = FoldedCharacter::from(ascii as CodePoint);
    let (index, own) = match cp as u8 {
        0..=0x20 => (BLANK, 0),
        b'0'..=b'9' => (DIGIT, 0),
        b'A'..=b'Z' | b'a'..=b'z' => (LETTER, LATIN_LETTER),
        mark => punctuation(mark),
    };
    Symbol { index, case, own }
}

impl Model {
    /// Reads the model of a row, and splits its tables off the front of `pairs` and `ideographs`: they have no index,
    /// so the rows must be read in order. The symbols of the alphabet are not made here. A start reads 109 models, and
    /// most texts are weighed in few of them.
    fn read(
        row: &'static str,
        language: Language,
        pairs: &mut &'static [u8],
        ideographs: &mut &'static [u8],
    ) -> Option<Self> {
        let mut fields = row.split('\t');
        let (tag, name, script) = (fields.next()?, fields.next()?, fields.next()?);
        let alphabet = fields.next()?;
        let size = FIXED + alphabet.chars().count();
        let script = Script::for_code(script);
        let range = match script {
            Script::Han | Script::Kana => Some(0x4E00..0xA000),
            Script::Hangul => Some(0xAC00..0xD7A4),
            _ => None,
        };
        let ideographs = range.and_then(|range| {
            let costs = ideographs.split_off(..(range.len()).div_ceil(2))?;
            Some((range.start, costs))
        });
        Some(Self {
            tag,
            name,
            language,
            script,
            alphabet,
            symbols: OnceLock::new(),
            size,
            pairs: pairs.split_off(..size * size)?,
            ideographs,
        })
    }

    pub(crate) fn language(&self) -> Language {
        self.language
    }

    /// Iterates over the letters and marks of its alphabet beyond ASCII, in lower case.
    pub(crate) fn letters(&self) -> impl Iterator<Item = CodePoint> + '_ {
        self.alphabet.chars().filter(|letter| !letter.is_ascii()).map(CodePoint::from)
    }

    fn symbols(&self) -> &Symbols {
        self.symbols.get_or_init(|| Box::new(Symbols::of(self.alphabet)))
    }

    pub(crate) fn ascii(&self) -> &[Symbol; 128] {
        &self.symbols().ascii
    }

    /// Returns the symbol of a character.
    ///
    /// ASCII is looked up in a table, and ideographs come next: no alphabet has them, so they need no search. Then come
    /// the letters of the alphabet, in lower case, by binary search. Everything else is `LETTER` or `OTHER`, and costs
    /// more the stranger it is.
    pub(crate) fn symbol(&self, character: FoldedCharacter) -> Symbol {
        let FoldedCharacter { cp, folded, case } = character;
        if let Some(symbol) = self.ascii().get(cp as usize) {
            return *symbol;
        }
        if let Some(own) = self.ideograph(cp) {
            return Symbol { index: IDEOGRAPH, case: LetterCase::None, own };
        }
        if let Some(index) = self.letter(folded).or_else(|| self.letter(twin(folded)?)) {
            return Symbol { index, case, own: 0 };
        }
        if let Some(own) = self.half_width(cp) {
            return Symbol { index: IDEOGRAPH, case: LetterCase::None, own };
        }
        let own = strangeness(cp, self.script) * UNIT;
        let is_letter = case != LetterCase::None || Script::of(cp).is_some();
        Symbol { index: if is_letter { LETTER } else { OTHER }, case, own: own as u16 }
    }

    fn letter(&self, folded: CodePoint) -> Option<u8> {
        let others = &self.symbols().others;
        let found = others.binary_search_by_key(&folded, |(letter, _)| *letter);
        found.ok().map(|at| others[at].1)
    }

    /// Returns the cost of a character among all ideographs or syllables, in sixteenths of a bit. The table has whole
    /// bits less 4, so half a byte reaches from 4 to 19.
    fn ideograph(&self, cp: CodePoint) -> Option<u16> {
        let (first, costs) = self.ideographs?;
        let at = cp.checked_sub(first)? as usize;
        let bits = *costs.get(at / 2)? >> (at % 2 * 4) & 15;
        Some((u16::from(bits) + 4) * UNIT as u16)
    }

    /// Returns the cost of half-width katakana as ideographs, if the language has katakana.
    fn half_width(&self, cp: CodePoint) -> Option<u16> {
        const KA: CodePoint = 'カ' as CodePoint;
        let bits = HALF_WIDTH.get(cp.checked_sub(0xFF61)? as usize)? - b'0';
        self.letter(KA).map(|_| (u16::from(bits) * UNIT as u16) + UNIT as u16 / 2)
    }

    /// Returns what a symbol costs at least, whatever is before it, in sixteenths of a bit.
    pub(crate) fn least_cost(&self, symbol: Symbol) -> u32 {
        let column = self.pairs.iter().skip(symbol.index.into()).step_by(self.size);
        u32::from(column.min().copied().unwrap_or_default()) + u32::from(symbol.own)
    }

    /// Returns the cost of `symbol` after `before`, in sixteenths of a bit.
    #[inline]
    pub fn cost(&self, before: Symbol, symbol: Symbol) -> u32 {
        let pair = self.pairs[usize::from(before.index) * self.size + usize::from(symbol.index)];
        u32::from(pair) + u32::from(symbol.own) + symbol.case.cost(before.case)
    }
}

impl Symbols {
    fn of(alphabet: &str) -> Self {
        static ASCII: LazyLock<[Symbol; 128]> =
            LazyLock::new(|| std::array::from_fn(ascii_of_no_language));
        let mut symbols = Self { ascii: *ASCII, others: Vec::new() };
        for (letter, index) in alphabet.chars().zip(FIXED as u8..) {
            match u8::try_from(letter) {
                Ok(ascii @ ..0x80) => {
                    for letter in [ascii, ascii.to_ascii_uppercase()] {
                        let symbol = &mut symbols.ascii[usize::from(letter)];
                        (symbol.index, symbol.own) = (index, 0);
                    }
                }
                _ => symbols.others.push((letter.into(), index)),
            }
        }
        symbols
    }
}

/// Returns the letter that replaces one in charsets without it: Romanian's comma below was written as a cedilla.
const fn twin(letter: CodePoint) -> Option<CodePoint> {
    match letter {
        0x15F => Some(0x219),
        0x163 => Some(0x21B),
        0x219 => Some(0x15F),
        0x21B => Some(0x163),
        _ => None,
    }
}

/// Returns the symbol of an ASCII mark, and its cost within the symbol in sixteenths of a bit. The costs are about
/// those counted in five languages, except that brackets are cheaper, as in notes and markup.
const fn punctuation(mark: u8) -> (u8, u16) {
    let (symbol, bits) = match mark {
        b'.' => (SENTENCE, 1),
        b',' => (SENTENCE, 2),
        b':' => (SENTENCE, 3),
        b'?' => (SENTENCE, 5),
        b'!' | b';' => (SENTENCE, 6),
        b'(' => (OPENING, 1),
        b'[' => (OPENING, 3),
        b'<' => (OPENING, 7),
        b'{' => (OPENING, 10),
        b')' => (CLOSING, 1),
        b'>' => (CLOSING, 4),
        b']' => (CLOSING, 4),
        b'}' => (CLOSING, 10),
        b'-' | b'\'' => (PUNCTUATION, 1),
        b'"' => (PUNCTUATION, 3),
        b'/' => (PUNCTUATION, 4),
        b'_' | b'=' | b'*' | b'|' | b'+' => (PUNCTUATION, 5),
        b'#' | b'%' => (PUNCTUATION, 6),
        b'&' | b'`' | b'\\' => (PUNCTUATION, 7),
        _ => (PUNCTUATION, 9),
    };
    (symbol, bits * UNIT as u16)
}

#[cfg(test)]
mod tests;
