//! Decides whether a declaration is believed.
//!
//! ```text
//! label ─► its meanings, likeliest first ─► the first in which the sample is well-formed ─┬─► believed
//!                                                                                        ├─► refuted by letters
//!                                                                                        └─► or is it UTF-8 after all?
//! ```
//!
//! Well-formedness alone says much for a multi-byte encoding and next to nothing for a single-byte one, in which nearly
//! any bytes are well-formed. So two more questions are asked. A template may declare `latin1` over Russian text: then
//! letters refute it. And a page that was converted to UTF-8 often keeps its old declaration.

use super::ascii_view::{AsciiView, keeps_ascii};
use super::encoding_declaration::{DeclarationKind, EncodingDeclaration};
use super::finder::{all, all_in};
use super::label;
use crate::detection::answer::{Detection, Evidence};
use crate::detection::detection_sample::DetectionSample;
use crate::detection::expected::Expected;
use crate::detection::letters;
use crate::detection::sample_words::SampleWords;
use crate::language;
use oxiconv_encodings::codec::{ByteOrder, DecodeStop, EncodeStop, MIN_OUTPUT};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::CodePoint;

/// The confidence in percent in a declaration that nothing contradicts.
const CONFIDENCE: u8 = 95;
/// With this many multi-byte sequences, a text is not well-formed UTF-8 by chance.
const SEQUENCES_BEYOND_CHANCE: usize = 3;
/// When letters refute a declaration: with so much confidence in percent in another encoding, so many non-ASCII bytes,
/// and if the other reading is so many bits cheaper, in total and per non-ASCII byte. Related charsets, such as
/// ISO-8859-2 and windows-1250, are closer than that. Only the first bytes of the words are compared.
const MIN_CONFIDENCE_TO_REFUTE: u8 = 95;
const MIN_NON_ASCII_TO_REFUTE: usize = 6;
const MIN_LEAD_TO_REFUTE: u32 = 24;
const MIN_LEAD_PER_BYTE: u32 = 3;
const MAX_COMPARED: usize = 1024;
/// `<?xml` in EBCDIC (XML 1.0, F.1).
const EBCDIC_XML: &[u8] = &[0x4C, 0x6F, 0xA7, 0x94, 0x93];

/// Returns the encoding that a text declares, if the sample is well-formed in it.
pub fn judge(sample: &DetectionSample<'_>) -> Option<Detection> {
    let found = if sample.head.starts_with(EBCDIC_XML) {
        // All code pages of EBCDIC share the characters of a declaration.
        let ebcdic = Encoding::for_name("IBM037").ok()?;
        all_in(ebcdic.new_decoder(ByteOrder::Big), sample.head)
    } else {
        all(sample.head)
    };
    // The first one that can be true. If an XML declaration and a meta element disagree, one of them was forgotten in
    // an edit.
    let encoding = found.iter().find_map(|declaration| {
        let meanings = meanings(declaration).into_iter().flatten();
        let mut possible = meanings.filter(|encoding| is_possible(encoding, declaration, sample));
        let first = possible.next()?;
        // Where a standard has a private-use character, such as A3 A0 in GB18030, the web's table may have a real one.
        let mut all = [first].into_iter().chain(possible);
        all.find(|encoding| !has_private_characters(encoding, sample)).or(Some(first))
    })?;
    Some(Detection::new(encoding, CONFIDENCE, Evidence::Declaration))
}

/// Whether well-formed UTF-8 is in the declared encoding after all: `Её` in windows-1251 is one character of UTF-8.
///
/// The alternative is a text that was converted to UTF-8 and kept its old declaration. Then its characters in UTF-8
/// exist in the old encoding too, which chance seldom achieves. The exception are encodings with thousands of
/// characters, in which any character of two bytes may exist by chance.
///
/// ```text
/// bytes    declared       as declared   as UTF-8   is the UTF-8 in the declared charset?
/// C5 B8    windows-1251   Её            Ÿ          no:  believed
/// D0 B4    windows-1251   Рґ            д          yes: an old declaration
/// ```
///
/// Two more conditions keep the rule narrow. Three sequences are beyond chance, so then it is UTF-8 whatever it
/// declares. And a Latin letter within an ASCII word, such as the ü of `Müller`, is UTF-8 even under a label of another
/// script, which lacks it.
pub fn reads_better_than_utf8(sample: &DetectionSample<'_>, declared: &Detection) -> bool {
    let encoding = declared.encoding;
    let sequences = sample.bytes.iter().filter(|byte| **byte >= 0xC0).count();
    if encoding == Encoding::UTF_8 || sequences >= SEQUENCES_BEYOND_CHANCE {
        return false;
    }
    let encodes = |cp: CodePoint| {
        let mut room = [0; MIN_OUTPUT];
        encoding.new_encoder(ByteOrder::Big).encode(&[cp], &mut room).stop == EncodeStop::InputEmpty
    };
    let has_ideographs = encodes(0x4E00);
    let beyond_ascii = |text: Vec<CodePoint>| text.into_iter().filter(|cp| *cp >= 0x80);
    let is_letter = |cp: CodePoint| {
        char::from_u32(cp).is_some_and(|c| c.is_alphabetic() && !matches!(c, 'ª' | 'º'))
    };
    let has = |cp: CodePoint| encodes(cp) && (cp >= 0x800 || !has_ideographs);
    let read = |encoding| decode(encoding, sample.bytes, sample.whole).map(beyond_ascii);
    let may_be_old =
        read(Encoding::UTF_8).is_some_and(|mut text| text.all(has)) || is_of_latin_words(sample);
    let may_be_true = has_ideographs || read(encoding).is_some_and(|mut text| text.all(is_letter));
    may_be_true && !may_be_old
}

/// Whether all non-ASCII characters are Latin letters within ASCII words, such as the ü of `Müller`.
fn is_of_latin_words(sample: &DetectionSample<'_>) -> bool {
    let Ok(text) = std::str::from_utf8(sample.bytes) else { return false };
    let ascii = sample.ascii();
    let before = ascii.last().map_or(' ', |byte| char::from(*byte));
    let letters: Vec<char> = [before].into_iter().chain(text.chars()).chain([' ']).collect();
    letters.windows(3).all(|near| {
        near[1].is_ascii()
            || matches!(near[1], 'À'..='ɏ')
                && (near[0].is_ascii_alphabetic() || near[2].is_ascii_alphabetic())
    })
}

/// Whether letters refute a declaration, such as one from an editor's template: the text is unlikely in the declared
/// encoding, and almost certainly in another one. Multi-byte encodings and those of Unicode are not refuted, because a
/// text is not well-formed in them by chance.
pub fn is_refuted(sample: &DetectionSample<'_>, declared: &Detection, expected: Expected) -> bool {
    let words = SampleWords::of(sample);
    if words.high_bytes < MIN_NON_ASCII_TO_REFUTE
        || !keeps_ascii(declared.encoding)
        || declared.encoding.is_unicode()
    {
        return false;
    }
    let other = letters::judge(sample, expected);
    if other.confidence < MIN_CONFIDENCE_TO_REFUTE || other.encoding == declared.encoding {
        return false;
    }
    let text = &words.non_ascii[..words.non_ascii.len().min(MAX_COMPARED)];
    let high = text.iter().filter(|byte| !byte.is_ascii()).count() as u32;
    let cost = |encoding| decode(encoding, text, false).map(|text| language::cost(&text));
    let (Some(as_declared), Some(as_other)) = (cost(declared.encoding), cost(other.encoding))
    else {
        return false;
    };
    as_declared >= as_other + MIN_LEAD_TO_REFUTE.max(MIN_LEAD_PER_BYTE * high)
}

/// Returns what the label may mean, most likely first. Texts that name a standard are often in a superset of it.
fn meanings(declaration: &EncodingDeclaration) -> [Option<&'static Encoding>; 3] {
    let label = &declaration.label;
    let plain = declaration.plain();
    let table = label::table_of_the_web(label);
    match declaration.kind {
        // A web browser never expects an encoding that is not a superset of ASCII.
        DeclarationKind::Html | DeclarationKind::Css => {
            [label::of_a_page(label), table, plain.filter(|plain| keeps_ascii(plain))]
        }
        // Many programs write `us-ascii` without looking at the text.
        _ if plain == Some(Encoding::US_ASCII) => [plain, None, None],
        DeclarationKind::Mail => [label::of_the_web(label), table, plain],
        DeclarationKind::Gedcom | DeclarationKind::Marc => [plain, None, None],
        // The standard's Shift_JIS turns a backslash into a yen sign; nobody who writes `C:\\` means that.
        _ if plain.is_some_and(|plain| !keeps_ascii(plain)) => {
            let kept = label::of_the_web(label).filter(|web| keeps_ascii(web));
            [kept, plain, table]
        }
        _ => [plain, label::of_the_web(label), table],
    }
}

/// Whether the sample, and the declaration itself, can be in an encoding.
fn is_possible(
    encoding: &'static Encoding,
    declaration: &EncodingDeclaration,
    sample: &DetectionSample<'_>,
) -> bool {
    // The label must read the same in the encoding that it names. That rules out UTF-16 for a text whose declaration
    // was found as ASCII bytes.
    let label = &sample.head[declaration.range.clone()];
    let decoder = encoding.new_decoder(ByteOrder::Big);
    if AsciiView::of(decoder, label).ascii != declaration.label.as_bytes() {
        return false;
    }
    let Some(text) = decode(encoding, sample.bytes, sample.whole) else { return false };
    if sample.bytes.is_ascii() {
        // An ASCII sample reads alike in most encodings. A declaration matters only if the encoding writes other
        // characters in ASCII, as HZ and ISO-2022-JP do.
        return text.iter().any(|cp| *cp >= 0x80);
    }
    let is_control = |cp: &CodePoint| matches!(cp, 0x80..=0x9F);
    encoding.is_unicode()
        // C1 controls do not occur in text, so a text with bytes from 80 to 9F is not in ISO-8859-1. MARC-8 is an
        // exception: it has two of them, which enclose what is skipped in sorting.
        || declaration.kind == DeclarationKind::Marc
        || !keeps_ascii(encoding) || !text.iter().any(is_control)
}

fn has_private_characters(encoding: &'static Encoding, sample: &DetectionSample<'_>) -> bool {
    let is_private = |cp: &CodePoint| matches!(cp, 0xE000..=0xF8FF);
    decode(encoding, sample.bytes, sample.whole).is_some_and(|text| text.iter().any(is_private))
}

/// Decodes `bytes`; `None` if they are ill-formed. `last` says that nothing follows them.
fn decode(encoding: &'static Encoding, bytes: &[u8], last: bool) -> Option<Vec<CodePoint>> {
    let mut decoder = encoding.new_decoder(ByteOrder::Big);
    let (mut text, mut room, mut at) = (Vec::new(), [0; 1024], 0);
    loop {
        let decoded = decoder.decode(&bytes[at..], &mut room, last);
        text.extend_from_slice(&room[..decoded.written]);
        at += decoded.read;
        match decoded.stop {
            DecodeStop::InputEmpty => return Some(text),
            DecodeStop::OutputFull if decoded.read + decoded.written > 0 => {}
            _ => return None,
        }
    }
}
