//! Encodings, options and cuts, chosen by the first bytes of an input.

use std::num::NonZeroU64;
use std::sync::OnceLock;

use arbitrary::{Result, Unstructured};
use oxiconv::{
    ByteOrder, DeniedKind, Detail, Detector, EbcdicNewline, Encoding, Fallback, InputEncoding,
    Language, MarkMode, Newline, NewlineMode, NormalizationForm, OnDeclaration, OnDenied,
    OnForeignMark, OnIllFormed, OnInnerMark, OnMojibake, OnUncertain, OnUnmappable, Options,
    SubstitutionFormat, TransliterationLocale,
};

pub fn encodings() -> &'static [&'static Encoding] {
    static ALL: OnceLock<Vec<&Encoding>> = OnceLock::new();
    ALL.get_or_init(|| Encoding::all().collect())
}

/// Returns the encodings with code of their own. The others are tables for a few common decoders.
pub fn coded() -> &'static [&'static Encoding] {
    static CODED: OnceLock<Vec<&Encoding>> = OnceLock::new();
    CODED.get_or_init(|| Encoding::all().filter(|it| it.structure().is_none()).collect())
}

/// Chooses an encoding, in two of three cases one with code of its own.
pub fn encoding(u: &mut Unstructured<'_>) -> Result<&'static Encoding> {
    let table = *u.choose(&[false, false, true])?;
    u.choose(if table { encodings() } else { coded() }).copied()
}

/// Chooses by `choose` in one of four cases, and `None` otherwise. Most options keep their defaults that way.
fn seldom<'a, T>(
    u: &mut Unstructured<'a>,
    choose: impl FnOnce(&mut Unstructured<'a>) -> Result<T>,
) -> Result<Option<T>> {
    if u.arbitrary::<u8>()? % 4 == 1 { choose(u).map(Some) } else { Ok(None) }
}

fn detector(u: &mut Unstructured<'_>) -> Result<Detector> {
    static LANGUAGES: OnceLock<Vec<Language>> = OnceLock::new();
    let languages = LANGUAGES.get_or_init(|| Language::all().collect());
    let mut detector = Detector::new();
    if let Some(language) = seldom(u, |u| u.choose(languages).copied())? {
        detector = detector.language(language);
    }
    if *u.choose(&[false, true])? {
        detector = detector.ignore_declarations();
    }
    Ok(detector)
}

/// Chooses the encoding of the input, often UTF-8.
pub fn input_encoding(u: &mut Unstructured<'_>) -> Result<InputEncoding> {
    Ok(if u.choose_index(4)? == 0 { Encoding::UTF_8 } else { encoding(u)? }.into())
}

/// Chooses what is detected: the encoding of the text, of each line or of stray parts in UTF-8, or damaged parts.
pub fn detected(u: &mut Unstructured<'_>, options: Options) -> Result<(InputEncoding, Options)> {
    let utf8 = Encoding::UTF_8.into();
    Ok(match u.choose_index(5)? {
        0 => (InputEncoding::Detected(detector(u)?), options),
        1 => (InputEncoding::Lines(detector(u)?), options),
        2 => (utf8, options.fallback(Fallback::Detected)),
        3 => (utf8, options.on_mojibake(OnMojibake::Repair)),
        _ => (InputEncoding::Detected(detector(u)?), options.on_mojibake(OnMojibake::Ask)),
    })
}

/// Chooses the target. With `None` the input is only checked.
pub fn target(u: &mut Unstructured<'_>) -> Result<Option<&'static Encoding>> {
    Ok(match u.choose_index(8)? {
        0 => Some(Encoding::UTF_8),
        1 => None,
        _ => Some(encoding(u)?),
    })
}

/// Options, and whether they allow the text to be cut into shards.
pub struct Chosen {
    pub options: Options,
    /// Whether every finding depends only on the text near it. Findings that occur once in a text, or need all of it,
    /// make this false.
    pub can_be_cut: bool,
}

/// Chooses all options except for threads and detection. Most keep their defaults most of the time.
pub fn options(u: &mut Unstructured<'_>) -> Result<Chosen> {
    let mut can_be_cut = true;
    use OnIllFormed as I;
    use OnUnmappable as U;
    let mut options = Options::new()
        .on_ill_formed(*u.choose(&[
            I::Stop,
            I::Replace,
            I::Skip,
            I::Escape,
            I::Xml,
            I::XmlDecimal,
            I::Percent,
        ])?)
        .on_unmappable(*u.choose(&[
            U::Stop,
            U::Replace,
            U::Skip,
            U::Escape,
            U::Xml,
            U::XmlDecimal,
            U::Java,
            U::C,
            U::Percent,
            U::Unicode,
        ])?);
    if let Some(marks) = seldom(u, |u| {
        u.choose(&[
            MarkMode::Keep,
            MarkMode::Strip,
            MarkMode::Add,
            MarkMode::Forbid,
            MarkMode::Require,
        ])
        .copied()
    })? {
        options = options.marks(marks);
    }
    if let Some(fallback) = seldom(u, encoding)? {
        options = options.fallback(fallback);
    }
    if let Some(form) = seldom(u, |u| {
        use NormalizationForm::{Nfc, Nfd, Nfkc, Nfkd};
        u.choose(&[Nfc, Nfd, Nfkc, Nfkd]).copied()
    })? {
        options = options.normalize(form);
    }
    if let Some(denied) = seldom(u, |u| u.arbitrary::<u32>())? {
        const { assert!(DeniedKind::ALL.len() <= u32::BITS as usize) };
        let kinds = DeniedKind::ALL.into_iter().enumerate();
        let kinds = kinds.filter(|(at, _)| denied >> at & 1 == 1).map(|(_, kind)| kind);
        let kinds: Vec<_> = kinds.collect();
        can_be_cut &= kinds.iter().all(|kind| kind.is_of_characters());
        options = options.deny(kinds);
        options = options.on_denied(*u.choose(&[
            OnDenied::Pass,
            OnDenied::Stop,
            OnDenied::Skip,
            OnDenied::Replace,
            OnDenied::Escape,
        ])?);
    }
    if let Some(locale) = seldom(u, |u| {
        u.choose(&["C", "de_DE", "da_DK", "ru_RU", "el_GR", "uk_UA", "sr_RS", "tr_TR"]).copied()
    })? {
        let locale = TransliterationLocale::of_environment(locale);
        options = options.transliterate(true).transliteration_locale(locale);
    }
    if let Some(length) = seldom(u, |u| u.int_in_range(1..=255u64))? {
        let length = NonZeroU64::new(length).unwrap_or(NonZeroU64::MIN);
        options = options.record_length(length).trim_records(*u.choose(&[false, true])?);
    }
    rare_options(Chosen { options, can_be_cut }, u)
}

fn rare_options(chosen: Chosen, u: &mut Unstructured<'_>) -> Result<Chosen> {
    let Chosen { mut options, mut can_be_cut } = chosen;
    if let Some((mode, last)) = seldom(u, |u| {
        use NewlineMode::{Both, CarriageReturn, Keep, LineFeed, NextLine};
        let mode = *u.choose(&[LineFeed, Both, CarriageReturn, NextLine, Keep])?;
        Ok((mode, *u.choose(&[false, true])?))
    })? {
        can_be_cut &= mode != NewlineMode::Keep;
        options = options.write_newlines(mode).write_final_newline(last);
    }
    if let Some((newline, last)) = seldom(u, |u| {
        use Newline::{Both, CarriageReturn, LineFeed};
        Ok((*u.choose(&[LineFeed, Both, CarriageReturn])?, *u.choose(&[false, true])?))
    })? {
        can_be_cut = false;
        options = options.newline(newline).final_newline(last);
    }
    if let Some(declaration) =
        seldom(u, |u| u.choose(&[OnDeclaration::Note, OnDeclaration::Update]).copied())?
    {
        can_be_cut &= declaration == OnDeclaration::Note;
        options = options.on_declaration(declaration);
    }
    if let Some(detail) = seldom(u, |u| u.choose(&[Detail::Context, Detail::Characters]).copied())?
    {
        can_be_cut = false;
        options = options.detail(detail);
    }
    if let Some(text) =
        seldom(u, |u| u.choose(&["?", "", "\u{FFFD}", "[…]", "e\u{301}", "\r"]).copied())?
    {
        options = options.replacement(text);
    }
    if let Some(format) =
        seldom(u, |u| u.choose(&["<%02x>", "%%%u", "&#%03o;", "\u{E9}%X"]).copied())?
    {
        let format: SubstitutionFormat = format.parse().expect("a format");
        options = options.ill_formed_format(format.clone()).unmappable_format(format);
    }
    let rest: u8 = u.arbitrary()?;
    let is = |bit: u8| rest >> bit & 1 == 1;
    if is(0) {
        options = options.byte_order(ByteOrder::Little);
    }
    if is(1) {
        options = options.on_inner_mark(OnInnerMark::Note);
    }
    if is(2) {
        // A foreign mark is judged by the text that follows it, which may be shorter in the first piece.
        can_be_cut = false;
        options = options.on_foreign_mark(OnForeignMark::Report);
    }
    if is(3) {
        options = options.on_uncertain(OnUncertain::Guess);
    }
    if is(4) {
        let newline = if is(5) { EbcdicNewline::LineFeed } else { EbcdicNewline::NextLine };
        options = options.ebcdic_newline(newline);
    }
    Ok(Chosen { options, can_be_cut })
}

/// Chooses the cuts of the text, which is the rest of the input: a few in ascending order, or one after every byte.
pub fn cuts<'a>(u: &mut Unstructured<'a>) -> Result<(Vec<usize>, &'a [u8])> {
    let seed: u32 = u.arbitrary()?;
    let text = u.peek_bytes(u.len()).unwrap_or_default();
    Ok((places(seed, text.len()), text))
}

fn places(seed: u32, len: usize) -> Vec<usize> {
    if len < 2 {
        return Vec::new();
    }
    if seed.is_multiple_of(8) {
        return (1..len).collect();
    }
    // From a linear congruential generator, so that a mutation of the seed moves all cuts.
    let mut number = seed;
    let mut cuts: Vec<_> = (0..seed % 7 + 1)
        .map(|_| {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            1 + (number >> 8) as usize % (len - 1)
        })
        .collect();
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}
