//! Which identifiers of a text look like others: `pаypal` with a Cyrillic а, `ѕсоре` without a Latin letter.
//!
//! An identifier is what UAX 31 says, in parts: a run of letters, marks and digits, without the low lines between them.
//! Every word of prose is one too, and UTS 39 alone would report many of them ("Highly Restrictive", 5.2: `Москва2`,
//! `Δx`). So the rule is stricter: only an identifier of which *every* letter is Latin or looks like ASCII can be taken
//! for another.
//!
//! ```text
//! pаypal   Latin letters, and others that look like ASCII   ─► mixed-script
//! ｉf      letters of ASCII, and some in another style      ─► confusable
//! ѕсоре    letters of one script, all look like ASCII       ─► confusable, if the text has Latin letters, and neither the
//!                                                              text before it nor LOOKAHEAD characters after it use the
//!                                                              script for a letter that looks like none of ASCII
//! файл     a letter that looks like none of ASCII           ─► nothing: the text uses the script
//! αs       Greek small letters before or after a few Latin  ─► nothing: a symbol of a formula
//! с, А4    a single letter                                  ─► nothing
//! ```
//!
//! Text is read ahead of the engine, by a decoder of its own, because a conversion stops in front of such an
//! identifier.

use std::collections::VecDeque;
use std::ops::Range;

use super::super::conversion::Conversion;
use super::super::denied::Denied;
use super::super::locator::Locator;
use crate::diagnostic::DeniedKind;
use crate::io::Chunk;
use oxiconv_encodings::codec::{DecodeStop, Decoder, MIN_PIVOT};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::{
    CodePoint, IdentifierClass, IdentifierClasses, ScriptSet, continues_identifier, is_greek_symbol,
};
use oxiconv_kernels::{EncodingForm, FormPair};

/// Bytes that are examined before the engine gets them, so that they are still in the cache then.
const WINDOW: usize = 64 * 1024;
/// Code points that are decoded in one go.
const RUN: usize = if cfg!(fuzzing) { 16 } else { 2048 };
/// ASCII of at least this many bytes is not decoded.
const ASCII: usize = 256;
/// The most characters of an identifier: longer ones are not judged. Fewer than `ASCII`.
const MOST: usize = 128;
/// The most letters that a symbol of a formula has before or after it, if any of them is small.
const SUBSCRIPT: usize = 3;
/// How many characters after an identifier tell whether the text uses its script.
const LOOKAHEAD: u64 = 1024;
/// Bytes that are read for these at most, whatever the encoding.
const MOST_BYTES: u64 = 64 * 1024;

/// An identifier that looks like another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Deceptive {
    pub(in super::super) kind: DeniedKind,
    /// Where its first letter is that is not Latin, in bytes of the text.
    pub(in super::super) range: Range<u64>,
    pub(in super::super) letter: CodePoint,
    pub(in super::super) identifier: String,
}

/// What is known of the identifiers in one input.
pub(in super::super) struct Identifiers {
    /// The decoder, in its state at `decoded`, and what it decodes; `None` before a text, a record or a change of encoding.
    decoder: Option<(Box<dyn Decoder>, &'static Encoding)>,
    /// The offset up to which the text is decoded.
    decoded: u64,
    /// Whether the text, or the record, ends there.
    ended: bool,
    run: Vec<CodePoint>,
    scanner: Scanner,
}

impl Identifiers {
    /// Returns what finds the identifiers of a text, if they matter to the conversion.
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

    /// Gets ready to read on from `offset`, in `encoding`, where `decoder` begins if the text does.
    pub(in super::super) fn begin(
        &mut self,
        offset: u64,
        encoding: &'static Encoding,
        decoder: &dyn Decoder,
    ) {
        if offset > self.decoded {
            // What is before was read in another encoding.
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

    /// Reads on in `chunk`, which begins at `offset`, until an identifier is found or all is known of the [`WINDOW`] bytes
    /// after byte `at`, or up to byte `limit`; returns how far that is.
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

    /// Reads on in `chunk`, which begins at `offset`, past byte `end`: what is before it is converted otherwise, and the same
    /// is known after it as if it were not.
    pub(in super::super) fn pass_to(&mut self, chunk: &Chunk<'_>, offset: u64, end: usize) {
        while self.decoded < offset + end as u64 {
            let rest = &chunk.bytes[(self.decoded - offset) as usize..];
            let window = &rest[..rest.len().min(WINDOW)];
            if !self.look(window, chunk.last && window.len() == rest.len()) {
                return;
            }
        }
    }

    /// Returns the identifier of which a letter is to be reported at `offset`.
    pub(in super::super) fn next_at(&self, offset: u64) -> Option<&Deceptive> {
        self.first_decided().filter(|deceptive| deceptive.range.start == offset)
    }

    /// Returns the next identifier to report, if nothing before it is undecided.
    pub(in super::super) fn first_decided(&self) -> Option<&Deceptive> {
        let first = self.scanner.candidates.front()?;
        first.waits.is_none().then_some(&first.deceptive)
    }

    /// Takes it.
    pub(in super::super) fn take(&mut self) -> Option<Deceptive> {
        self.scanner.candidates.pop_front().map(|candidate| candidate.deceptive)
    }

    /// Examines the start of `bytes`, and returns whether that went on.
    fn look(&mut self, bytes: &[u8], last: bool) -> bool {
        let Some((decoder, encoding)) = &mut self.decoder else { return false };
        let is_utf8 = *encoding == Encoding::UTF_8;
        let skipped = if is_utf8 { self.scanner.skip_ascii(bytes) } else { 0 };
        if skipped > 0 {
            self.decoded += skipped as u64;
            return true;
        }
        let places = match is_utf8 {
            true => Places::Utf8 { index: 0, at: 0 },
            false => Places::Located(Locator::new(decoder.fork())),
        };
        self.run.resize(RUN.max(MIN_PIVOT), 0);
        let progress = decoder.decode(bytes, &mut self.run, last);
        let (read, run) = (progress.read, &self.run[..progress.written]);
        let mut places = InRun { places, bytes: &bytes[..read], run, base: self.decoded };
        self.scanner.scan(&mut places);
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

/// Where the code points of a run are in its bytes.
struct InRun<'a> {
    places: Places,
    bytes: &'a [u8],
    run: &'a [CodePoint],
    /// The offset of the bytes.
    base: u64,
}

enum Places {
    /// By the lengths of the code points, as far as code point `index`, at byte `at`.
    Utf8 {
        index: usize,
        at: usize,
    },
    Located(Locator),
}

impl InRun<'_> {
    /// Returns where the `wanted`th code point is, which must not decrease between calls.
    fn range(&mut self, wanted: usize) -> Range<u64> {
        let len = |cp: &CodePoint| char::from_u32(*cp).map_or(3, char::len_utf8);
        let range = match &mut self.places {
            Places::Utf8 { index, at } => {
                *at += self.run[*index..wanted].iter().map(len).sum::<usize>();
                *index = wanted;
                *at..*at + len(&self.run[wanted])
            }
            Places::Located(locator) => locator.locate(self.bytes, wanted),
        };
        self.base + range.start as u64..self.base + range.end as u64
    }
}

/// An identifier that looks like another, or may.
#[derive(Debug)]
struct Candidate {
    deceptive: Deceptive,
    /// What it still depends on.
    waits: Option<Waits>,
}

/// An identifier is not reported if the text uses these scripts.
#[derive(Debug)]
struct Waits {
    scripts: u64,
    /// The number of characters, and of bytes, after which nothing more is awaited.
    until: u64,
    until_byte: u64,
}

/// Finds identifiers in code points.
struct Scanner {
    denied: Denied,
    now: Now,
    /// The start of the present identifier, if it is in an earlier run.
    before: String,
    /// How many characters were passed.
    passed: u64,
    /// How many were passed before the first letter of ASCII.
    first_latin: Option<u64>,
    /// The scripts that were used for letters that look like none of ASCII: a bit for each.
    used: u64,
    /// In the order of the text.
    candidates: VecDeque<Candidate>,
}

/// What is before the next character.
#[derive(Debug)]
enum Now {
    /// Nothing of an identifier.
    Between,
    /// A backslash, which makes the next letter of ASCII one of an escape: `"\\nСахар"`.
    Escape,
    /// A percent sign, and digits and signs after it, which do so for the letter of a format: `"%.1fс"`.
    Format,
    /// An identifier that may look like another.
    Letters(Letters),
    /// An identifier that does not.
    Sound,
    /// This character, which is either no part of an identifier or makes one sound. Which is only asked where it matters.
    Unsure(CodePoint),
}

impl Now {
    /// Returns what is before the character after `cp`, which is no part of an identifier.
    fn after(cp: CodePoint) -> Self {
        match u8::try_from(cp) {
            Ok(b'\\') => Self::Escape,
            Ok(b'%') => Self::Format,
            _ => Self::Between,
        }
    }
}

/// Whether `cp` may be between the percent sign of a format, as of C and Python, and its letter: flags, width, length.
fn is_of_format(cp: CodePoint) -> bool {
    u8::try_from(cp).is_ok_and(|byte| b"0123456789.-+#*lhzjtqL".contains(&byte))
}

/// The letters of an identifier, all of which are Latin or look like ASCII.
#[derive(Debug, Default)]
struct Letters {
    /// Where it begins in the run, unless in an earlier one.
    start: usize,
    len: usize,
    /// How many are letters of ASCII, how many of these are I, and how many are small.
    ascii: usize,
    palochkas: usize,
    small_ascii: usize,
    styled: bool,
    lookalikes: usize,
    /// The scripts of these: a bit for each.
    scripts: u64,
    /// Whether any of these is a small letter.
    small: bool,
    /// How many are symbols of formulas, and how many of these are γ.
    symbols: usize,
    gammas: usize,
    /// Whether the last letters are such symbols after letters of ASCII, and whether letters of ASCII followed such.
    after_ascii: bool,
    inside: bool,
    /// The first letter that is not plain Latin.
    first: Option<First>,
}

/// A letter, in the present run or an earlier one.
#[derive(Debug)]
struct First {
    letter: CodePoint,
    place: Place,
}

#[derive(Debug)]
enum Place {
    InRun(usize),
    Known(Range<u64>),
}

impl Letters {
    /// Adds a character; `false` if the identifier looks like no other then.
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
            self.first = Some(First { letter: cp, place: Place::InRun(index) });
        }
        self.len += 1;
        self.len <= MOST
    }

    /// Returns how the identifier deceives, if it does, or may.
    fn kind(&self) -> Option<DeniedKind> {
        // As in αs, νmax and PPARγ, but not in αdmin. Kabyle writes γ for ɣ, in words.
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
    fn new(denied: Denied) -> Self {
        Self {
            denied,
            now: Now::Between,
            before: String::new(),
            passed: 0,
            first_latin: None,
            used: 0,
            candidates: VecDeque::new(),
        }
    }

    /// Returns where the first identifier is that looks like another or may, and whether it does.
    fn first_open(&self) -> (Option<u64>, bool) {
        if let Some(first) = self.candidates.front() {
            return (Some(first.deceptive.range.start), first.waits.is_none());
        }
        match &self.now {
            Now::Letters(Letters {
                first: Some(First { place: Place::Known(range), .. }), ..
            }) => (Some(range.start), false),
            _ => (None, false),
        }
    }

    /// Forgets what is before `offset`: it was read in another encoding.
    fn forget_before(&mut self, offset: u64) {
        if let Now::Letters(Letters {
            first: Some(First { place: Place::Known(range), .. }), ..
        }) = &self.now
            && range.start < offset
        {
            self.now = Now::Sound;
        }
        while self.candidates.front().is_some_and(|first| first.deceptive.range.start < offset) {
            self.candidates.pop_front();
        }
    }

    /// Moves past ASCII at the start of `bytes`, except for the end of it, which may begin an identifier. Returns its length.
    fn skip_ascii(&mut self, bytes: &[u8]) -> usize {
        let is_open = matches!(self.now, Now::Letters(Letters { first: Some(_), .. }));
        if is_open || !self.candidates.is_empty() {
            return 0;
        }
        let ascii = FormPair { from: EncodingForm::Ascii, to: None };
        let skipped = ascii.run(bytes, &mut []).read.saturating_sub(ASCII);
        if skipped > 0 {
            self.now = Now::Between;
            self.before.clear();
            if self.first_latin.is_none() {
                let first = bytes[..skipped].iter().position(u8::is_ascii_alphabetic);
                self.first_latin = first.map(|first| self.passed + first as u64);
            }
            self.passed += skipped as u64;
        }
        skipped
    }

    /// Examines the next run.
    fn scan(&mut self, places: &mut InRun<'_>) {
        let run = places.run;
        let parts = IdentifierClasses::all();
        let (mut start, mut scripts) = (0, ScriptSet::default());
        for (index, &cp) in run.iter().enumerate() {
            scripts |= parts.scripts_of(cp);
            if cp > u32::from(b' ') {
                continue;
            }
            // The first word may begin in an earlier run.
            if start > 0 && self.are_plain(scripts) {
                self.now = Now::Between;
            } else {
                self.scan_characters(start..index + 1, parts, places);
            }
            (start, scripts) = (index + 1, ScriptSet::default());
        }
        self.scan_characters(start..run.len(), parts, places);
        self.passed += run.len() as u64;
        if let Now::Letters(letters) = &mut self.now {
            self.before.extend(run[letters.start..].iter().filter_map(|cp| char::from_u32(*cp)));
            letters.start = 0;
            if let Some(First { place, .. }) = &mut letters.first
                && let Place::InRun(index) = *place
            {
                *place = Place::Known(places.range(index));
            }
        }
    }

    /// Whether words in letters of these scripts need no closer look: all are Latin, or of one script that the text is known
    /// to use, or look like none of ASCII.
    fn are_plain(&self, scripts: ScriptSet) -> bool {
        let of_lookalikes = scripts.of_lookalikes();
        match (scripts.has_latin(), scripts.has_others()) {
            (_, true) => false,
            (true, _) => of_lookalikes == 0 && self.first_latin.is_some(),
            (false, _) => of_lookalikes.count_ones() <= 1 && of_lookalikes & !self.used == 0,
        }
    }

    /// Examines the characters of the run in `range`.
    fn scan_characters(
        &mut self,
        range: Range<usize>,
        parts: &IdentifierClasses,
        places: &mut InRun<'_>,
    ) {
        for index in range {
            let cp = places.run[index];
            let part = parts.of(cp);
            if let Now::Unsure(before) = self.now
                && part != IdentifierClass::Other
            {
                self.now = match continues_identifier(before) {
                    true => Now::Sound,
                    false => Now::Between,
                };
            }
            match (&mut self.now, part) {
                (Now::Letters(_), IdentifierClass::None) => {
                    self.end_identifier(index, places);
                    self.now = Now::after(cp);
                }
                (Now::Letters(_), IdentifierClass::Other) if !continues_identifier(cp) => {
                    self.end_identifier(index, places);
                }
                (Now::Letters(letters), part) => {
                    if !letters.add(cp, part, index) {
                        self.now = Now::Sound;
                    }
                }
                (Now::Format, IdentifierClass::None) if is_of_format(cp) => {}
                (_, IdentifierClass::None) => self.now = Now::after(cp),
                (_, IdentifierClass::Other) => self.now = Now::Unsure(cp),
                (Now::Format, IdentifierClass::Common | IdentifierClass::Latin)
                    if is_of_format(cp) => {}
                (Now::Escape | Now::Format, IdentifierClass::Latin) if cp < 0x80 => {
                    self.now = Now::Between
                }
                (Now::Between | Now::Escape | Now::Format, part) => {
                    self.before.clear();
                    let mut letters = Letters { start: index, ..Letters::default() };
                    self.now = match letters.add(cp, part, index) {
                        true => Now::Letters(letters),
                        false => Now::Sound,
                    };
                }
                (Now::Sound | Now::Unsure(_), _) => {}
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

    /// Ends the present identifier in front of code point `end` of the run.
    fn end_identifier(&mut self, end: usize, places: &mut InRun<'_>) {
        let Now::Letters(letters) = std::mem::replace(&mut self.now, Now::Between) else { return };
        let (Some(kind), Some(first)) = (letters.kind(), letters.first) else { return };
        if !self.denied.has(kind) {
            return;
        }
        let waits =
            (kind == DeniedKind::Confusable && letters.scripts > 0).then_some(letters.scripts);
        if waits.is_some_and(|scripts| self.used & scripts != 0) {
            return;
        }
        let mut identifier = std::mem::take(&mut self.before);
        let rest = places.run[letters.start..end].iter();
        identifier.extend(rest.filter_map(|cp| char::from_u32(*cp)));
        let range = match first.place {
            Place::InRun(index) => places.range(index),
            Place::Known(range) => range,
        };
        let waits = waits.map(|scripts| Waits {
            scripts,
            until: self.passed + end as u64 + LOOKAHEAD,
            until_byte: range.start + MOST_BYTES,
        });
        let deceptive = Deceptive { kind, range, letter: first.letter, identifier };
        self.candidates.push_back(Candidate { deceptive, waits });
    }

    /// Ends the present identifier after the run: something follows that is no character.
    fn separate(&mut self) {
        let nothing = Places::Utf8 { index: 0, at: 0 };
        self.end_identifier(0, &mut InRun { places: nothing, bytes: &[], run: &[], base: 0 });
        self.now = Now::Between;
    }

    /// Notes that character `at` is one that the script with this index has for itself.
    fn uses(&mut self, script: u8, at: u64) {
        let script = 1 << script;
        if self.used & script != 0 {
            return;
        }
        self.used |= script;
        let uses = |waits: &Waits| waits.scripts & script != 0 && at < waits.until;
        self.candidates.retain(|candidate| !candidate.waits.as_ref().is_some_and(uses));
    }

    /// Decides about identifiers after which enough was passed, up to byte `decoded` of the text.
    fn decide(&mut self, decoded: u64) {
        let passed = self.passed;
        self.decide_if(|waits| passed >= waits.until || decoded >= waits.until_byte);
        if let Now::Letters(Letters {
            first: Some(First { place: Place::Known(range), .. }), ..
        }) = &self.now
            && decoded >= range.start + MOST_BYTES
        {
            self.now = Now::Sound;
        }
    }

    /// Decides about all: the text ends.
    fn end(&mut self) {
        self.separate();
        self.decide_if(|_| true);
    }

    fn decide_if(&mut self, is_enough: impl Fn(&Waits) -> bool) {
        let first_latin = self.first_latin.unwrap_or(u64::MAX);
        self.candidates.retain_mut(|candidate| {
            let Some(waits) = candidate.waits.take_if(|waits| is_enough(waits)) else {
                return true;
            };
            first_latin < waits.until
        });
    }
}
