//! What is written for faults: characters that the target lacks, ill-formed subsequences, and denied characters.
//!
//! ```text
//! ill-formed     the fallback defines all of its bytes? ─► Repair    otherwise the policy: stop, skip, escape, replace
//! unmappable     a transliteration? ─► Write                         otherwise the policy
//! denied         the policy alone
//! ```
//!
//! A remedy depends on the fault alone and not on the text around it. Two things are therefore left to the callers:
//! whether the encoder can write the remedy in its present state (`pipeline_exit::write`), and which marks belong to a
//! letter (`stages/transliterate.rs`).

use std::borrow::Cow;
#[cfg(feature = "transliteration")]
use std::collections::HashMap;
use std::sync::OnceLock;
#[cfg(feature = "transliteration")]
use std::sync::{Mutex, PoisonError};

use super::conversion::Conversion;
use super::followed_by::FollowedBy;
use super::policy::{Fallback, OnDenied, OnIllFormed, OnUnmappable, code_points};
use super::substitution_format::{ByteEscape, CharacterEscape};
use crate::diagnostic::{Details, Outcome};
#[cfg(feature = "transliteration")]
use crate::transliteration::Forms;
use oxiconv_encodings::codec::{ByteOrder, CodeValue, EncodeStop, Lossy, MIN_OUTPUT, MIN_PIVOT};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::CodePoint;
use oxiconv_kernels::EncodingForm;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Remedy<'a> {
    /// The conversion stops before it.
    Stop,
    /// It is left out.
    LeaveOut,
    /// This is written for it, and the outcome is counted.
    Write(Cow<'a, [CodePoint]>, Outcome),
    /// It is read as these characters, which are treated like any others and may be unmappable themselves.
    Repair(Vec<CodePoint>),
}

impl Remedy<'_> {
    /// Returns what a stage that holds characters must know about it.
    pub(super) fn comes_after(&self) -> FollowedBy {
        match self {
            Self::LeaveOut | Self::Repair(_) => FollowedBy::Gap,
            Self::Stop | Self::Write(..) => FollowedBy::Break,
        }
    }
}

/// A cache of transliterations. Finding one takes a binary search, decompositions, and an attempt to encode each
/// spelling; text in another script asks for the same characters again and again.
///
/// A single character has a slot by its number, so nothing is hashed. Two characters whose numbers differ by a multiple
/// of 4096 evict each other, which a script of a few hundred characters in one block does not notice.
#[cfg(feature = "transliteration")]
#[derive(Default)]
struct FormCache {
    /// The last one found for each index, with its character: a direct-mapped cache.
    of_one: Vec<Option<(CodePoint, TransliteratedForm)>>,
    of_several: HashMap<Vec<CodePoint>, TransliteratedForm>,
}

/// What is written for a character or a cluster; `None` if nothing says the same.
#[cfg(feature = "transliteration")]
type TransliteratedForm = Option<Vec<CodePoint>>;

#[cfg(feature = "transliteration")]
impl FormCache {
    /// Real text has fewer different characters to transliterate.
    const CAPACITY: usize = 4096;

    /// Returns the form of `cluster`, which `search` finds.
    fn of(
        &mut self,
        cluster: &[CodePoint],
        search: impl FnOnce() -> TransliteratedForm,
    ) -> TransliteratedForm {
        if let [cp] = *cluster {
            self.of_one.resize(Self::CAPACITY, None);
            let slot = &mut self.of_one[cp as usize % Self::CAPACITY];
            return match slot {
                Some((known, form)) if *known == cp => form.clone(),
                _ => slot.insert((cp, search())).1.clone(),
            };
        }
        if let Some(form) = self.of_several.get(cluster) {
            return form.clone();
        }
        if self.of_several.len() >= Self::CAPACITY {
            self.of_several.clear();
        }
        self.of_several.entry(cluster.to_vec()).or_insert(search()).clone()
    }
}

pub(super) struct Remedies {
    pub(super) conversion: Conversion,
    /// The replacement, made when first needed: to find out whether the target has U+FFFD may build its tables.
    replacement: OnceLock<Vec<CodePoint>>,
    fallback: Option<Vec<Option<CodePoint>>>,
    byte_escape: Option<ByteEscape>,
    character_escape: Option<CharacterEscape>,
    denied_escape: Option<CharacterEscape>,
    #[cfg(feature = "transliteration")]
    forms: Forms,
    #[cfg(feature = "transliteration")]
    found: Mutex<FormCache>,
}

impl Remedies {
    pub(super) fn new(conversion: Conversion) -> Self {
        let named = conversion.options.substitution.fallback.and_then(Fallback::named);
        let fallback = named.map(table);
        let options = &conversion.options;
        let byte_escape = ByteEscape::of(
            options.substitution.on_ill_formed,
            options.substitution.ill_formed_format.as_ref(),
        );
        let character_escape = CharacterEscape::of(
            options.substitution.on_unmappable,
            options.substitution.unmappable_format.as_ref(),
        );
        let denied_escape = (options.substitution.on_denied == OnDenied::Escape)
            .then(|| {
                CharacterEscape::of(
                    OnUnmappable::Escape,
                    options.substitution.unmappable_format.as_ref(),
                )
            })
            .flatten();
        Self {
            #[cfg(feature = "transliteration")]
            forms: Forms::new(conversion.options.substitution.locale),
            #[cfg(feature = "transliteration")]
            found: Mutex::default(),
            conversion,
            replacement: OnceLock::new(),
            fallback,
            byte_escape,
            character_escape,
            denied_escape,
        }
    }

    pub(super) fn replacement(&self) -> &[CodePoint] {
        self.replacement.get_or_init(|| self.conversion.replacement())
    }

    /// Returns what happens to an ill-formed subsequence. A fallback applies only if it defines all of its bytes; which
    /// one it lacks is in the finding ([`Remedies::lacking`]).
    pub(super) fn for_ill_formed(&self, bytes: &[u8]) -> Remedy<'_> {
        if let Some(Ok(repaired)) = self.repaired(bytes) {
            return Remedy::Repair(repaired);
        }
        match (self.conversion.options.substitution.on_ill_formed, &self.byte_escape) {
            (OnIllFormed::Stop, _) => Remedy::Stop,
            (OnIllFormed::Skip, _) => Remedy::LeaveOut,
            (_, Some(escape)) => self.write(escape.text(bytes), escape.outcome),
            (_, None) => self.replace(),
        }
    }

    /// Returns what kernels may write for ill-formed subsequences if nobody wants their places: one character that can
    /// always be written, or nothing. `None` if they must be handled one by one. That is the case if a character
    /// between them could stop the conversion, since a kernel does not look at those.
    pub(super) fn lossy(&self, to: Option<EncodingForm>) -> Option<Lossy> {
        let lacks_some = to.is_some_and(|to| !to.is_unicode());
        if self.conversion.options.substitution.fallback.is_some()
            || lacks_some && self.conversion.stops_at_unmappable()
        {
            return None;
        }
        match self.conversion.options.substitution.on_ill_formed {
            OnIllFormed::Skip => Some(Lossy::new(None, to)),
            // The target has it: `Options::build` checks one that was given, and the default is chosen by the target.
            OnIllFormed::Replace => match self.replacement() {
                [replacement] => Some(Lossy::new(Some(*replacement), to)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the characters of the bytes in the fallback encoding, or the first byte that it does not define.
    fn repaired(&self, bytes: &[u8]) -> Option<Result<Vec<CodePoint>, u8>> {
        let fallback = self.fallback.as_ref()?;
        Some(bytes.iter().map(|byte| fallback[usize::from(*byte)].ok_or(*byte)).collect())
    }

    /// Returns which byte the fallback encoding does not define, for the finding.
    pub(super) fn lacking(&self, bytes: &[u8]) -> Details<'static> {
        let byte = self.repaired(bytes).and_then(Result::err);
        match (byte, self.conversion.options.substitution.fallback.and_then(Fallback::named)) {
            (Some(byte), Some(fallback)) => Details::Lacking { fallback, byte },
            _ => Details::None,
        }
    }

    /// Returns what happens to a character that the target lacks. With transliteration, the policy `Stop` means to
    /// replace, as glibc's `//TRANSLIT` does.
    pub(super) fn for_unmappable(&self, value: CodeValue) -> Remedy<'_> {
        #[cfg(feature = "transliteration")]
        if self.conversion.options.substitution.transliterate
            && let Some(text) = self.transliterated(value)
        {
            return self.write(text.into(), Outcome::Transliterated);
        }
        match self.conversion.options.substitution.on_unmappable {
            OnUnmappable::Stop if self.conversion.stops_at_unmappable() => Remedy::Stop,
            OnUnmappable::Skip => Remedy::LeaveOut,
            _ => self.escaped(value, self.character_escape.as_ref()),
        }
    }

    /// Returns what happens to a denied character; `None` if it is passed on.
    pub(super) fn for_denied(&self, value: CodeValue) -> Option<Remedy<'_>> {
        match self.conversion.options.substitution.on_denied {
            OnDenied::Pass => None,
            OnDenied::Stop => Some(Remedy::Stop),
            OnDenied::Skip => Some(Remedy::LeaveOut),
            OnDenied::Replace | OnDenied::Escape => {
                Some(self.escaped(value, self.denied_escape.as_ref()))
            }
        }
    }

    /// Returns the value in a notation, or the replacement if the notation has no form of it.
    fn escaped(&self, value: CodeValue, escape: Option<&CharacterEscape>) -> Remedy<'_> {
        let escaped = escape.and_then(|escape| self.notation(value, escape));
        escaped.unwrap_or_else(|| self.replace())
    }

    fn notation(&self, value: CodeValue, escape: &CharacterEscape) -> Option<Remedy<'_>> {
        let text = code_points(&escape.text(value)?);
        Some(self.write(text.into(), escape.outcome))
    }

    fn replace(&self) -> Remedy<'_> {
        match self.replacement() {
            [] => Remedy::LeaveOut,
            replacement => Remedy::Write(replacement.into(), Outcome::Replaced),
        }
    }

    /// Writes `text`, and counts `outcome`. If the target lacks both something of `text` and every replacement, nothing
    /// is written. An empty `text` lacks nothing, so it is not left out but written: the transliteration of U+200B says
    /// the same as the character, by saying nothing.
    fn write<'t>(&self, text: Cow<'t, [CodePoint]>, outcome: Outcome) -> Remedy<'t> {
        let lacks = |target: &Encoding| !target.encodes(&text);
        if self.replacement().is_empty() && self.conversion.to.is_some_and(lacks) {
            return Remedy::LeaveOut;
        }
        Remedy::Write(text, outcome)
    }

    /// Returns the first of `characters` at which the conversion would stop.
    pub(super) fn stops_at(
        &self,
        mut characters: impl Iterator<Item = CodePoint>,
    ) -> Option<CodePoint> {
        let target = self.conversion.to?;
        self.conversion.stops_at_unmappable().then_some(())?;
        let mut encoder = target.new_encoder(ByteOrder::Little);
        let mut room = [0; MIN_OUTPUT];
        // A shortcut for UTF-8, which has every scalar value: most repairs are to it, word by word.
        let is_known = |cp| target == Encoding::UTF_8 && char::from_u32(cp).is_some();
        characters.find(|cp| {
            !is_known(*cp) && encoder.encode(&[*cp], &mut room).stop == EncodeStop::Unmappable
        })
    }

    /// Whether the target has all of these characters.
    pub(super) fn has_all(&self, characters: &[CodePoint]) -> bool {
        self.conversion.to.is_none_or(|target| target.encodes(characters))
    }

    /// Returns what the target offers for a character that it lacks.
    pub(super) fn offers(&self, value: CodeValue) -> Details<'static> {
        let escapes = code_points("\\u{0123456789ABCDEF}&#x;");
        Details::Unmappable {
            transliteration: self.nearest(value).map(Cow::Owned),
            writes_escapes: self.conversion.to.is_some_and(|target| target.encodes(&escapes)),
        }
    }

    /// Returns the transliteration that the target can represent, if it is worth showing.
    #[cfg(feature = "transliteration")]
    fn nearest(&self, value: CodeValue) -> Option<String> {
        let text: Option<String> =
            self.transliterated(value)?.into_iter().map(char::from_u32).collect();
        text.filter(|text| !text.trim().is_empty())
    }

    /// Without the tables, no conversion can transliterate, and findings suggest a best fit only.
    #[cfg(not(feature = "transliteration"))]
    fn nearest(&self, value: CodeValue) -> Option<String> {
        let fit = self.conversion.to?.best_fit(CodePoint::try_from(value).ok()?)?;
        char::from_u32(fit).map(String::from)
    }

    #[cfg(feature = "transliteration")]
    fn transliterated(&self, value: CodeValue) -> Option<Vec<CodePoint>> {
        self.form(&[CodePoint::try_from(value).ok()?])
    }

    /// Returns the transliteration of a character that the target lacks, or of a letter and its marks; `None` if
    /// nothing says the same.
    #[cfg(feature = "transliteration")]
    pub(super) fn form(&self, cluster: &[CodePoint]) -> Option<Vec<CodePoint>> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.of(cluster, || self.search_form(cluster))
    }

    #[cfg(feature = "transliteration")]
    fn search_form(&self, cluster: &[CodePoint]) -> Option<Vec<CodePoint>> {
        let target = self.conversion.to?;
        if let [cp] = *cluster
            && let Some(fit) = target.best_fit(cp)
        {
            return Some(vec![fit]);
        }
        self.forms.find(cluster, &|text| target.encodes(text))
    }

    /// Whether the locale has a rule for two characters together.
    #[cfg(feature = "transliteration")]
    pub(super) fn is_pair(&self, first: CodePoint, second: CodePoint) -> bool {
        self.forms.is_pair(first, second)
    }
}

/// Returns the character of each byte in a fallback encoding; `None` for a byte that it does not define, or that is not
/// a character by itself.
fn table(encoding: &Encoding) -> Vec<Option<CodePoint>> {
    let mut decoder = encoding.new_decoder(ByteOrder::Big);
    (0..=u8::MAX)
        .map(|byte| {
            let mut pivot = [0; MIN_PIVOT];
            let decoded = decoder.decode(&[byte], &mut pivot, true);
            (decoded.written == 1).then_some(pivot[0])
        })
        .collect()
}
