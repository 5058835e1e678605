//! Identifiers that look like others: `pаypal` with a Cyrillic а, `ѕсоре` without a single Latin letter.
//! What counts as an identifier is a run of letters, marks and digits (UAX 31). A low line is not part of it: it
//! separates the words of an identifier, and each word is judged by itself. Every word of prose is an identifier in
//! this sense, so the rules must not report ordinary text. UTS 39 alone would ("Highly Restrictive", 5.2: `Москва2`,
//! `Δx`). Hence the stricter rule here: only an identifier of which *every* letter is Latin or looks like ASCII can be
//! taken for another one.
//!
//! ```text
//! pаypal   Latin letters, and others that look like ASCII   ─► mixed-script
//! ｉf      letters of ASCII, and some in another style      ─► confusable
//! ѕсоре    letters of one script, all look like ASCII       ─► confusable, unless the text uses the script (see below)
//! файл     a letter that looks like none of ASCII           ─► nothing: the text uses the script
//! αs       Greek small letters before or after a few Latin  ─► nothing: a symbol of a formula
//! с, А4    a single letter                                  ─► nothing
//! ```
//!
//! A text *uses* a script if it has a letter of it that looks like none of ASCII, anywhere before the identifier or in
//! the [`LOOKAHEAD`] characters after it: an ordinary word such as оса is then just a word. And only in a text with
//! Latin letters can it be taken for a Latin one.
//!
//! A conversion stops in front of such an identifier, so they must be known before the engine gets there. The text is
//! decoded a second time for that, ahead of the engine. ASCII and words in a single script, which is nearly everything,
//! are skipped without a look at single characters.

use std::collections::VecDeque;
use std::ops::Range;

use super::super::conversion::Conversion;
use super::super::denied_set::DeniedSet;
use super::super::locator::Locator;
use crate::diagnostic::DeniedKind;
use crate::io::Chunk;
use oxiconv_encodings::codec::{DecodeStop, Decoder, MIN_PIVOT};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::{
    CodePoint, IdentifierClass, IdentifierClasses, ScriptSet, continues_identifier, is_greek_symbol,
};
use oxiconv_kernels::{EncodingForm, FormPair};

/// The number of bytes to examine before the engine gets them. They are still in the cache then.
const WINDOW: usize = 64 * 1024;
/// The number of code points to decode at a time.
const RUN_SIZE: usize = if cfg!(fuzzing) { 16 } else { 2048 };
/// A run of ASCII that is longer than this is skipped without decoding, up to this many bytes before its end.
const MIN_ASCII_RUN: usize = 256;
/// Longer identifiers are not judged. This is less than [`MIN_ASCII_RUN`], so none begins in ASCII that is skipped and
/// ends behind it.
const MAX_LENGTH: usize = 128;
/// The most ASCII letters that a Greek symbol of a formula may have next to it, unless they are all capitals: νmax has
/// three.
const SUBSCRIPT: usize = 3;
/// The number of characters after an identifier in which the text may show that it uses its script.
const LOOKAHEAD: u64 = 1024;
/// The most bytes that are read for them, whatever the encoding. Until an identifier is decided, the engine waits in
/// front of it, and a source holds a limited number of bytes ([`MAX_FILL`](crate::io::MAX_FILL)). In an encoding with
/// shift sequences, 1024 characters may take any number of them.
const LOOKAHEAD_BYTES: u64 = 64 * 1024;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Deceptive {
    pub(in super::super) kind: DeniedKind,
    /// The range of its first letter that is not Latin, in bytes of the text.
    pub(in super::super) range: Range<u64>,
    pub(in super::super) letter: CodePoint,
    pub(in super::super) identifier: String,
}

/// The search for deceptive identifiers in one input. It decodes the text ahead of the engine.
pub(in super::super) struct Identifiers {
    /// The decoder, in its state at `decoded`, and its encoding. `None` at the start of a text or a record, and after a
    /// change of encoding.
    decoder: Option<(Box<dyn Decoder>, &'static Encoding)>,
    /// The offset up to which the text is decoded.
    decoded: u64,
    /// Whether the text or the record ends at `decoded`.
    ended: bool,
    run: Vec<CodePoint>,
    scanner: Scanner,
}

impl Identifiers {
    /// Creates the search, if identifiers matter to the conversion.
    pub(in super::super) fn of(conversion: &Conversion) -> Option<Self> {
        let denied = conversion.options.denied;
        denied.is_of_identifiers().then(|| Self {
            decoder: None,
            decoded: 0,
            ended: false,
            run: Vec::new(),
            scanner: Scanner::new(denied),
        })
    }

    /// Prepares to continue at `offset` in `encoding`. `decoder` is the engine's, which is at `offset`, and is forked
    /// where this search has none that continues.
    pub(in super::super) fn begin(
        &mut self,
        offset: u64,
        encoding: &'static Encoding,
        decoder: &dyn Decoder,
    ) {
        if offset > self.decoded {
            // The engine has passed text in another encoding, which ends any identifier.
            self.scanner.separate();
            self.decoded = offset;
            self.ended = false;
        }
        let is_known = self.decoder.as_ref().is_some_and(|(_, known)| *known == encoding);
        if !is_known && (offset == self.decoded || self.decoder.is_some()) {
            self.decoder = Some((decoder.fork(), encoding));
        }
        self.scanner.forget_before(offset);
    }

    /// Decodes more of `chunk`, which is at `offset`, until an identifier to report is found or the [`WINDOW`] bytes
    /// after byte `at`, or those before `limit`, are settled. Returns up to where nothing is to be reported.
    /// Settled is what comes before the first identifier that is found, undecided, or not at its end yet. To decide it,
    /// the text is decoded far beyond `limit` if necessary.
    pub(in super::super) fn settle(
        &mut self,
        chunk: &Chunk<'_>,
        offset: u64,
        at: usize,
        limit: usize,
    ) -> usize {
        let Chunk { bytes, last, .. } = *chunk;
        let index = |place: u64| (place - offset) as usize;
        let limit = limit.min(at + WINDOW);
        loop {
            let (open, is_found) = self.scanner.first_open();
            let known = index(open.unwrap_or(self.decoded).min(self.decoded)).min(limit);
            let all = offset + bytes.len() as u64;
            if is_found || known == limit || self.decoded >= all && (self.ended || !last) {
                return known;
            }
            let start = index(self.decoded);
            let end = bytes.len().min(start + WINDOW);
            if !self.look(&bytes[start..end], last && end == bytes.len()) {
                return known;
            }
        }
    }

    /// Decodes `chunk`, which is at `offset`, up to byte `end`, although the bytes before it are a segment that
    /// somebody else converts. So the search knows as much of the text after it as if there were no such segment.
    pub(in super::super) fn pass_to(&mut self, chunk: &Chunk<'_>, offset: u64, end: usize) {
        while self.decoded < offset + end as u64 {
            let rest = &chunk.bytes[(self.decoded - offset) as usize..];
            let window = &rest[..rest.len().min(WINDOW)];
            if !self.look(window, chunk.last && window.len() == rest.len()) {
                return;
            }
        }
    }

    pub(in super::super) fn next_at(&self, offset: u64) -> Option<&Deceptive> {
        self.first_decided().filter(|deceptive| deceptive.range.start == offset)
    }

    /// Returns the next identifier to report, unless an earlier one is still undecided.
    pub(in super::super) fn first_decided(&self) -> Option<&Deceptive> {
        let first = self.scanner.candidates.front()?;
        first.pending.is_none().then_some(&first.deceptive)
    }

    pub(in super::super) fn take(&mut self) -> Option<Deceptive> {
        self.scanner.candidates.pop_front().map(|candidate| candidate.deceptive)
    }

    /// Decodes and examines the start of `bytes`: a run of ASCII to skip, or as many characters as a run holds. Returns
    /// whether that made progress.
    ///
    /// The place of a character matters only if it begins a finding, so places are looked up on demand. In UTF-8 they
    /// follow from the characters. In other encodings a decoder that was forked before the run finds them.
    ///
    /// An ill-formed subsequence separates identifiers, because nobody knows what was there.
    fn look(&mut self, bytes: &[u8], last: bool) -> bool {
        let Some((decoder, encoding)) = &mut self.decoder else { return false };
        let is_utf8 = *encoding == Encoding::UTF_8;
        let skipped = if is_utf8 { self.scanner.skip_ascii(bytes) } else { 0 };
        if skipped > 0 {
            self.decoded += skipped as u64;
            return true;
        }
        let positions = match is_utf8 {
            true => RunPositions::Utf8 { index: 0, at: 0 },
            false => RunPositions::Located(Locator::new(decoder.fork())),
        };
        self.run.resize(RUN_SIZE.max(MIN_PIVOT), 0);
        let progress = decoder.decode(bytes, &mut self.run, last);
        let (read, code_points) = (progress.read, &self.run[..progress.written]);
        let mut decoded =
            DecodedRun { positions, bytes: &bytes[..read], code_points, base: self.decoded };
        self.scanner.scan(&mut decoded);
        let skipped = match progress.stop {
            DecodeStop::IllFormed(ill_formed) => ill_formed.len,
            DecodeStop::Large { len, .. } => len,
            DecodeStop::InputEmpty | DecodeStop::OutputFull => 0,
        };
        if skipped > 0 {
            self.scanner.separate();
        }
        self.decoded += (read + skipped) as u64;
        self.scanner.decide(self.decoded);
        self.ended = last && read + skipped == bytes.len();
        if self.ended {
            self.scanner.end();
            self.decoder = None;
        }
        self.ended || read + skipped > 0
    }
}

/// A decoded run, and its bytes, in which the positions of its code points are looked up on demand.
struct DecodedRun<'a> {
    positions: RunPositions,
    bytes: &'a [u8],
    code_points: &'a [CodePoint],
    base: u64,
}

enum RunPositions {
    /// In UTF-8: by the lengths of the code points. Code point `index` is at byte `at`.
    Utf8 {
        index: usize,
        at: usize,
    },
    Located(Locator),
}

impl DecodedRun<'_> {
    /// Returns the range of the code point with the index `wanted`, which must not decrease between calls.
    fn range(&mut self, wanted: usize) -> Range<u64> {
        let len = |cp: &CodePoint| char::from_u32(*cp).map_or(3, char::len_utf8);
        let range = match &mut self.positions {
            RunPositions::Utf8 { index, at } => {
                *at += self.code_points[*index..wanted].iter().map(len).sum::<usize>();
                *index = wanted;
                *at..*at + len(&self.code_points[wanted])
            }
            RunPositions::Located(locator) => locator.locate(self.bytes, wanted),
        };
        self.base + range.start as u64..self.base + range.end as u64
    }
}

/// An identifier that looks like another, or may do so. Whether a word such as оса is deceptive depends on the rest of
/// the text, so it is held as a candidate until a letter of its script that looks like none of ASCII acquits it, or
/// until none has come for long enough.
#[derive(Debug)]
struct IdentifierCandidate {
    deceptive: Deceptive,
    /// What must not follow for it to be reported; `None` if that is decided.
    pending: Option<PendingScripts>,
}

/// The scripts that acquit an identifier if the text uses one of them soon enough.
#[derive(Debug)]
struct PendingScripts {
    scripts: u64,
    /// The text is searched up to this number of characters, or this offset in bytes.
    until: u64,
    until_byte: u64,
}

/// Finds deceptive identifiers in code points, run by run.
struct Scanner {
    denied: DeniedSet,
    state: ScanState,
    /// The start of the current identifier, as far as it was in earlier runs.
    before: String,
    passed: u64,
    /// The position of the first ASCII letter, in characters.
    first_latin: Option<u64>,
    /// The scripts that the text uses, one bit per script.
    used: u64,
    /// The identifiers found, in the order of the text.
    candidates: VecDeque<IdentifierCandidate>,
}

/// What comes before the next character. An identifier does not begin with the letter of an escape or a format, which
/// would otherwise be an ASCII letter in front of a Cyrillic word:
///
/// ```text
/// \ n Сахар     Escape, Between, Letters
/// %.1 f с       Format, Between, Letters
/// ```
#[derive(Debug)]
enum ScanState {
    /// No part of an identifier.
    Between,
    /// A backslash. A letter of ASCII after it belongs to the escape, not to an identifier: `"\nСахар"`.
    Escape,
    /// A percent sign, with flags and digits after it. A letter after that belongs to the format: `"%.1fс"`.
    Format,
    /// An identifier that may be deceptive.
    Letters(IdentifierLetters),
    /// An identifier that is not deceptive. Its other letters do not matter.
    Sound,
    /// A character that either ends an identifier or makes it sound. Which one takes a table lookup, so it is only done
    /// if a letter follows that needs to know.
    Unsure(CodePoint),
}

impl ScanState {
    fn after(cp: CodePoint) -> Self {
        match u8::try_from(cp) {
            Ok(b'\\') => Self::Escape,
            Ok(b'%') => Self::Format,
            _ => Self::Between,
        }
    }
}

/// Whether `cp` may be between the percent sign and the letter of a format of C or Python: flags, width, length.
fn is_of_format(cp: CodePoint) -> bool {
    u8::try_from(cp).is_ok_and(|byte| b"0123456789.-+#*lhzjtqL".contains(&byte))
}

/// The letters of an identifier, all of which so far are Latin or look like ASCII. They are only counted, not kept: the
/// verdict ([`Self::kind`]) needs no more than the counts and the first foreign letter.
#[derive(Debug, Default)]
struct IdentifierLetters {
    /// The index of its first letter in the run; 0 if it begins in an earlier one.
    start: usize,
    len: usize,
    /// How many letters are ASCII, and how many of those are `I` and small.
    ascii: usize,
    palochkas: usize,
    small_ascii: usize,
    styled: bool,
    lookalikes: usize,
    /// The scripts of the lookalikes, one bit per script.
    scripts: u64,
    /// Whether a lookalike is a small letter.
    small: bool,
    /// How many are Greek symbols of formulas, and how many of those are γ.
    symbols: usize,
    gammas: usize,
    /// Whether the last letter is such a symbol after letters of ASCII, and whether ASCII has followed one: the symbol
    /// is inside of a word then.
    after_ascii: bool,
    inside: bool,
    /// The first letter that is not plain Latin, where the finding is.
    first: Option<FirstForeignLetter>,
}

#[derive(Debug)]
struct FirstForeignLetter {
    letter: CodePoint,
    place: LetterPosition,
}

#[derive(Debug)]
enum LetterPosition {
    InRun(usize),
    Known(Range<u64>),
}

impl IdentifierLetters {
    /// Adds a character. Returns `false` if the identifier is certainly not deceptive.
    fn add(&mut self, cp: CodePoint, part: IdentifierClass, index: usize) -> bool {
        match part {
            IdentifierClass::Common => {}
            IdentifierClass::Latin if cp < 0x80 => {
                self.ascii += 1;
                self.palochkas += usize::from(cp == u32::from(b'I'));
                self.small_ascii += usize::from(cp >= u32::from(b'a'));
                self.inside |= self.after_ascii;
            }
            IdentifierClass::Latin => {}
            IdentifierClass::Styled => self.styled = true,
            IdentifierClass::Lookalike(script) => {
                self.lookalikes += 1;
                self.scripts |= 1 << script;
                let is_symbol = is_greek_symbol(cp);
                self.symbols += usize::from(is_symbol);
                self.small |= char::from_u32(cp).is_some_and(char::is_lowercase);
                let is_gamma = cp == u32::from('γ');
                self.gammas += usize::from(is_gamma);
                self.after_ascii = self.ascii > 0 && is_symbol && !is_gamma;
            }
            IdentifierClass::None | IdentifierClass::Other | IdentifierClass::Own(_) => {
                return false;
            }
        }
        if matches!(part, IdentifierClass::Styled | IdentifierClass::Lookalike(_))
            && self.first.is_none()
        {
            self.first =
                Some(FirstForeignLetter { letter: cp, place: LetterPosition::InRun(index) });
        }
        self.len += 1;
        self.len <= MAX_LENGTH
    }

    /// Returns how the identifier may deceive, if it may.
    ///
    /// ```text
    /// ASCII   lookalikes
    /// some    none, but styled letters    ｉf        confusable
    /// some    some                        pаypal    mixed-script, unless they are symbols of a formula or palochkas
    /// none    of several scripts                    mixed-script
    /// none    one                         с         nothing
    /// none    several, of one script      ѕсоре     confusable, if the text does not use the script
    /// ```
    fn kind(&self) -> Option<DeniedKind> {
        // αs, νmax and PPARγ are symbols of formulas; αdmin is not. Kabyle writes γ for ɣ, inside words.
        let is_formula = self.ascii <= SUBSCRIPT || self.small_ascii == 0;
        let are_symbols = self.symbols == self.lookalikes
            && !self.inside
            && (is_formula || self.gammas == self.symbols);
        // Languages of the Caucasus write I for the Cyrillic palochka, which keyboards lack.
        let has_palochka = self.palochkas == self.ascii && self.small && !self.styled;
        match (self.ascii > 0, self.lookalikes) {
            (_, 0) => (self.ascii > 0 && self.styled).then_some(DeniedKind::Confusable),
            (true, _) => (!(are_symbols || has_palochka)).then_some(DeniedKind::MixedScript),
            (false, _) if self.styled || self.scripts.count_ones() > 1 => {
                Some(DeniedKind::MixedScript)
            }
            (false, 1) => None,
            (false, _) => Some(DeniedKind::Confusable),
        }
    }
}

impl Scanner {
    fn new(denied: DeniedSet) -> Self {
        Self {
            denied,
            state: ScanState::Between,
            before: String::new(),
            passed: 0,
            first_latin: None,
            used: 0,
            candidates: VecDeque::new(),
        }
    }

    /// Returns the offset of the first identifier that is or may be deceptive, and whether that is decided.
    fn first_open(&self) -> (Option<u64>, bool) {
        if let Some(first) = self.candidates.front() {
            return (Some(first.deceptive.range.start), first.pending.is_none());
        }
        match &self.state {
            ScanState::Letters(IdentifierLetters {
                first: Some(FirstForeignLetter { place: LetterPosition::Known(range), .. }),
                ..
            }) => (Some(range.start), false),
            _ => (None, false),
        }
    }

    /// Forgets identifiers that begin before `offset`: they were read in another encoding.
    fn forget_before(&mut self, offset: u64) {
        if let ScanState::Letters(IdentifierLetters {
            first: Some(FirstForeignLetter { place: LetterPosition::Known(range), .. }),
            ..
        }) = &self.state
            && range.start < offset
        {
            self.state = ScanState::Sound;
        }
        while self.candidates.front().is_some_and(|first| first.deceptive.range.start < offset) {
            self.candidates.pop_front();
        }
    }

    /// Skips ASCII at the start of `bytes`, by the kernel that validates it, and returns its length. The last
    /// [`MIN_ASCII_RUN`] bytes stay, because an identifier may begin in them and end with another letter.
    fn skip_ascii(&mut self, bytes: &[u8]) -> usize {
        let is_open =
            matches!(self.state, ScanState::Letters(IdentifierLetters { first: Some(_), .. }));
        if is_open || !self.candidates.is_empty() {
            return 0;
        }
        let ascii = FormPair { from: EncodingForm::Ascii, to: None };
        let skipped = ascii.run(bytes, &mut []).read.saturating_sub(MIN_ASCII_RUN);
        if skipped > 0 {
            self.state = ScanState::Between;
            self.before.clear();
            if self.first_latin.is_none() {
                let first = bytes[..skipped].iter().position(u8::is_ascii_alphabetic);
                self.first_latin = first.map(|first| self.passed + first as u64);
            }
            self.passed += skipped as u64;
        }
        skipped
    }

    /// Examines the next run, word by word.
    /// Words are separated by anything up to a space. For each, the scripts of its letters are combined first, and if
    /// they alone rule out deception, which holds for nearly all words of prose, its characters are not looked at one
    /// by one.
    ///
    /// An identifier may continue in the next run. Its text and the place of its first foreign letter are then taken
    /// out of this run, whose code points and bytes are gone by then.
    fn scan(&mut self, decoded: &mut DecodedRun<'_>) {
        let code_points = decoded.code_points;
        let parts = IdentifierClasses::all();
        let (mut start, mut scripts) = (0, ScriptSet::default());
        for (index, &cp) in code_points.iter().enumerate() {
            scripts |= parts.scripts_of(cp);
            if cp > u32::from(b' ') {
                continue;
            }
            // Not for the first word, which may have begun in an earlier run.
            if start > 0 && self.are_plain(scripts) {
                self.state = ScanState::Between;
            } else {
                self.scan_characters(start..index + 1, parts, decoded);
            }
            (start, scripts) = (index + 1, ScriptSet::default());
        }
        self.scan_characters(start..code_points.len(), parts, decoded);
        self.passed += code_points.len() as u64;
        if let ScanState::Letters(letters) = &mut self.state {
            self.before
                .extend(code_points[letters.start..].iter().filter_map(|cp| char::from_u32(*cp)));
            letters.start = 0;
            if let Some(FirstForeignLetter { place, .. }) = &mut letters.first
                && let LetterPosition::InRun(index) = *place
            {
                *place = LetterPosition::Known(decoded.range(index));
            }
        }
    }

    /// Whether words with letters of these scripts need no closer look: all are Latin, or all are of one script that
    /// the text is known to use, or none looks like ASCII. Before the first Latin letter, words are looked at in any
    /// case, to find it.
    fn are_plain(&self, scripts: ScriptSet) -> bool {
        let of_lookalikes = scripts.of_lookalikes();
        match (scripts.has_latin(), scripts.has_others()) {
            (_, true) => false,
            (true, _) => of_lookalikes == 0 && self.first_latin.is_some(),
            (false, _) => of_lookalikes.count_ones() <= 1 && of_lookalikes & !self.used == 0,
        }
    }

    /// Examines the characters of the run in `range`, one by one. What a character does depends on the state before it
    /// and on its class:
    ///
    /// ```text
    /// state              None: space, …         Other                   any other class
    /// Letters            the identifier ends    a letter: Sound;        added, or Sound if it rules deception out
    ///                                           otherwise it ends
    /// Between            Between                Unsure                  an identifier begins
    /// Escape             Between                Unsure                  a letter of ASCII is skipped: Between
    /// Format             stays if `is_of_format`, otherwise as after an escape
    /// Sound              Between                Unsure                  Sound
    /// Unsure             Between                Unsure                  first decided: Sound, or as in Between
    /// ```
    ///
    /// Where the table says Between after a separator, a backslash leads to Escape and a percent sign to Format. The
    /// match has the arms in an order that makes the special cases come before the rules that they are exceptions from.
    ///
    /// Independently of the state, a letter that looks like none of ASCII proves that the text uses its script, and the
    /// first Latin letter is noted.
    fn scan_characters(
        &mut self,
        range: Range<usize>,
        parts: &IdentifierClasses,
        decoded: &mut DecodedRun<'_>,
    ) {
        for index in range {
            let cp = decoded.code_points[index];
            let part = parts.of(cp);
            if let ScanState::Unsure(before) = self.state
                && part != IdentifierClass::Other
            {
                self.state = match continues_identifier(before) {
                    true => ScanState::Sound,
                    false => ScanState::Between,
                };
            }
            match (&mut self.state, part) {
                (ScanState::Letters(_), IdentifierClass::None) => {
                    self.end_identifier(index, decoded);
                    self.state = ScanState::after(cp);
                }
                (ScanState::Letters(_), IdentifierClass::Other) if !continues_identifier(cp) => {
                    self.end_identifier(index, decoded);
                }
                (ScanState::Letters(letters), part) => {
                    if !letters.add(cp, part, index) {
                        self.state = ScanState::Sound;
                    }
                }
                (ScanState::Format, IdentifierClass::None) if is_of_format(cp) => {}
                (_, IdentifierClass::None) => self.state = ScanState::after(cp),
                (_, IdentifierClass::Other) => self.state = ScanState::Unsure(cp),
                (ScanState::Format, IdentifierClass::Common | IdentifierClass::Latin)
                    if is_of_format(cp) => {}
                (ScanState::Escape | ScanState::Format, IdentifierClass::Latin) if cp < 0x80 => {
                    self.state = ScanState::Between
                }
                (ScanState::Between | ScanState::Escape | ScanState::Format, part) => {
                    self.before.clear();
                    let mut letters =
                        IdentifierLetters { start: index, ..IdentifierLetters::default() };
                    self.state = match letters.add(cp, part, index) {
                        true => ScanState::Letters(letters),
                        false => ScanState::Sound,
                    };
                }
                (ScanState::Sound | ScanState::Unsure(_), _) => {}
            }
            match part {
                IdentifierClass::Own(script) => self.uses(script, self.passed + index as u64),
                IdentifierClass::Latin if cp < 0x80 && self.first_latin.is_none() => {
                    self.first_latin = Some(self.passed + index as u64);
                }
                _ => {}
            }
        }
    }

    /// Ends the current identifier before code point `end` of the run. If it is deceptive, it becomes a candidate; if
    /// that still depends on the text after it, with the scripts to wait for.
    ///
    /// A mixture of scripts or of styles within one identifier is deceptive whatever the rest of the text is. Only a
    /// word in a single script may be an ordinary one, so only that depends on the text: it is dropped if the text has
    /// used the script before, and otherwise waits.
    fn end_identifier(&mut self, end: usize, decoded: &mut DecodedRun<'_>) {
        let ScanState::Letters(letters) = std::mem::replace(&mut self.state, ScanState::Between)
        else {
            return;
        };
        let (Some(kind), Some(first)) = (letters.kind(), letters.first) else { return };
        if !self.denied.has(kind) {
            return;
        }
        let pending =
            (kind == DeniedKind::Confusable && letters.scripts > 0).then_some(letters.scripts);
        if pending.is_some_and(|scripts| self.used & scripts != 0) {
            return;
        }
        let mut identifier = std::mem::take(&mut self.before);
        let rest = decoded.code_points[letters.start..end].iter();
        identifier.extend(rest.filter_map(|cp| char::from_u32(*cp)));
        let range = match first.place {
            LetterPosition::InRun(index) => decoded.range(index),
            LetterPosition::Known(range) => range,
        };
        let pending = pending.map(|scripts| PendingScripts {
            scripts,
            until: self.passed + end as u64 + LOOKAHEAD,
            until_byte: range.start + LOOKAHEAD_BYTES,
        });
        let deceptive = Deceptive { kind, range, letter: first.letter, identifier };
        self.candidates.push_back(IdentifierCandidate { deceptive, pending });
    }

    /// Ends the current identifier after the run, because something follows that is no character.
    fn separate(&mut self) {
        let nothing = RunPositions::Utf8 { index: 0, at: 0 };
        self.end_identifier(
            0,
            &mut DecodedRun { positions: nothing, bytes: &[], code_points: &[], base: 0 },
        );
        self.state = ScanState::Between;
    }

    /// Records that character `at` is a letter that only this script has, which acquits the candidates that wait for
    /// it.
    fn uses(&mut self, script: u8, at: u64) {
        let script = 1 << script;
        if self.used & script != 0 {
            return;
        }
        self.used |= script;
        let uses = |pending: &PendingScripts| pending.scripts & script != 0 && at < pending.until;
        self.candidates.retain(|candidate| !candidate.pending.as_ref().is_some_and(uses));
    }

    /// Decides about the identifiers after which enough text was seen, up to byte `decoded`. An identifier that has not
    /// ended yet after so many bytes, because of shift sequences between its letters, is given up. The engine could not
    /// pass its first letter until it ends.
    fn decide(&mut self, decoded: u64) {
        let passed = self.passed;
        self.decide_if(|pending| passed >= pending.until || decoded >= pending.until_byte);
        if let ScanState::Letters(IdentifierLetters {
            first: Some(FirstForeignLetter { place: LetterPosition::Known(range), .. }),
            ..
        }) = &self.state
            && decoded >= range.start + LOOKAHEAD_BYTES
        {
            self.state = ScanState::Sound;
        }
    }

    /// Decides about all identifiers at the end of the text.
    fn end(&mut self) {
        self.separate();
        self.decide_if(|_| true);
    }

    fn decide_if(&mut self, is_enough: impl Fn(&PendingScripts) -> bool) {
        let first_latin = self.first_latin.unwrap_or(u64::MAX);
        self.candidates.retain_mut(|candidate| {
            let Some(pending) = candidate.pending.take_if(|pending| is_enough(pending)) else {
                return true;
            };
            // In a text without Latin letters, nobody takes it for a Latin identifier.
            first_latin < pending.until
        });
    }
}
