//! windows-1255, windows-1258, TCVN and VNI: sets in which points and tone marks have codes of their own, and compose
//! with the letter before them, as in iconv. So Vietnamese text is decoded to the composed form that is in common use.
//!
//! ```text
//! windows-1258   EA F2      ê, dot below  ─► U+1EC7 ệ
//! VNI            65 E4      e, circumflex and dot below  ─► U+1EC7 ệ
//! windows-1255   F9 CC D1   shin, dagesh, shin dot  ─► U+FB49, with D1 ─► U+FB2C
//! encode         a code of its own, otherwise those of the decomposition, letter first
//! ```
//!
//! The sets have the codes, but no compositions. Those are below, as iconv has them. A letter that may compose is left
//! unread at the end of the input, until the next byte or the end of the text is known.
//!
//! A mark that does not compose is a combining character, except in VNI, where one byte may be two marks: there it is an
//! ill-formed subsequence.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use super::encode_table::EncodeTable;
use super::set::CodedSet;
use super::{DecodeProgress, DecodeStop, Decoded, Decoder, Encoded, Stateless, StatelessCodec};
use crate::unicode::{CodePoint, IllFormed, IllFormedKind};
use oxiconv_kernels::{Codes, Progress, suited};

/// The compositions of each charset.
pub mod compositions {
    use Mark::{Byte, Character};

    /// What composes in a charset, whichever set it uses. Letters and marks that the set lacks are skipped.
    #[derive(Debug)]
    pub struct CharsetCompositions {
        /// Whether a composed letter may compose with a further mark.
        pub(super) again: bool,
        /// Each mark, with the letters that it composes with and the results in turn: letter, composed, letter, …
        pub(super) marks: &'static [(Mark, &'static str)],
        /// Characters that are encoded as another one, to which they are canonically equivalent.
        pub(super) equivalent: &'static [(char, char)],
    }

    impl CharsetCompositions {
        /// Whether a mark without its letter is a character. Only then can a text be in two encodings whose letters are
        /// ASCII in both: else a letter may be in one, and its mark in the other.
        pub(crate) fn marks_are_characters(&self) -> bool {
            self.marks.iter().all(|(mark, _)| matches!(mark, Character(_)))
        }
    }

    /// A mark that composes.
    #[derive(Clone, Copy, Debug)]
    pub enum Mark {
        /// A character of the set.
        Character(char),
        /// A byte that is no character by itself.
        Byte(u8),
    }

    /// Windows code page 1255, Hebrew, with points composed to the letters of Alphabetic Presentation Forms.
    pub static WINDOWS_1255: CharsetCompositions = CharsetCompositions {
        again: true,
        marks: &[
            (Character('\u{5C1}'), "\u{5E9}\u{FB2A}\u{FB49}\u{FB2C}"),
            (Character('\u{5C2}'), "\u{5E9}\u{FB2B}\u{FB49}\u{FB2D}"),
            (Character('\u{5B4}'), "\u{5D9}\u{FB1D}"),
            (Character('\u{5B7}'), "\u{5D0}\u{FB2E}\u{5F2}\u{FB1F}"),
            (Character('\u{5B8}'), "\u{5D0}\u{FB2F}"),
            (Character('\u{5B9}'), "\u{5D5}\u{FB4B}"),
            (
                Character('\u{5BC}'),
                "\u{5D0}\u{FB30}\u{5D1}\u{FB31}\u{5D2}\u{FB32}\u{5D3}\u{FB33}\u{5D4}\u{FB34}\
             \u{5D5}\u{FB35}\u{5D6}\u{FB36}\u{5D8}\u{FB38}\u{5D9}\u{FB39}\u{5DA}\u{FB3A}\
             \u{5DB}\u{FB3B}\u{5DC}\u{FB3C}\u{5DE}\u{FB3E}\u{5E0}\u{FB40}\u{5E1}\u{FB41}\
             \u{5E3}\u{FB43}\u{5E4}\u{FB44}\u{5E6}\u{FB46}\u{5E7}\u{FB47}\u{5E8}\u{FB48}\
             \u{5E9}\u{FB49}\u{5EA}\u{FB4A}\u{FB2A}\u{FB2C}\u{FB2B}\u{FB2D}",
            ),
            (Character('\u{5BF}'), "\u{5D1}\u{FB4C}\u{5DB}\u{FB4D}\u{5E4}\u{FB4E}"),
        ],
        equivalent: &[],
    };

    /// Windows code page 1258, Vietnamese. The equivalents are canonical singletons: the tone marks that Unicode
    /// encodes twice, and GREEK DIALYTIKA TONOS.
    pub static WINDOWS_1258: CharsetCompositions = CharsetCompositions {
        again: false,
        marks: VIETNAMESE,
        equivalent: &[('\u{340}', '\u{300}'), ('\u{341}', '\u{301}'), ('\u{1FEE}', '\u{385}')],
    };

    /// TCVN 5712, Vietnamese.
    pub static TCVN: CharsetCompositions =
        CharsetCompositions { again: false, marks: VIETNAMESE, equivalent: &[] };

    /// VNI for Windows. The byte of a capital letter's mark is 20 less; each is read after either case.
    pub static VNI: CharsetCompositions = CharsetCompositions {
        again: false,
        marks: &[
            (Byte(0xF9), "aáeéoóơớuúưứyý"),
            (Byte(0xD9), "AÁEÉOÓƠỚUÚƯỨYÝaáeéoóơớuúưứyý"),
            (Byte(0xF9), "AÁEÉOÓƠỚUÚƯỨYÝ"),
            (Byte(0xF8), "aàeèoòơờuùưừyỳ"),
            (Byte(0xD8), "AÀEÈOÒƠỜUÙƯỪYỲaàeèoòơờuùưừyỳ"),
            (Byte(0xF8), "AÀEÈOÒƠỜUÙƯỪYỲ"),
            (Byte(0xFB), "aảeẻoỏơởuủưửyỷ"),
            (Byte(0xDB), "AẢEẺOỎƠỞUỦƯỬYỶaảeẻoỏơởuủưửyỷ"),
            (Byte(0xFB), "AẢEẺOỎƠỞUỦƯỬYỶ"),
            (Byte(0xF5), "aãeẽoõơỡuũưữyỹ"),
            (Byte(0xD5), "AÃEẼOÕƠỠUŨƯỮYỸaãeẽoõơỡuũưữyỹ"),
            (Byte(0xF5), "AÃEẼOÕƠỠUŨƯỮYỸ"),
            (Byte(0xEF), "aạeẹoọơợuụưựyỵ"),
            (Byte(0xCF), "AẠEẸOỌƠỢUỤƯỰYỴaạeẹoọơợuụưựyỵ"),
            (Byte(0xEF), "AẠEẸOỌƠỢUỤƯỰYỴ"),
            (Byte(0xE2), "aâeêoô"),
            (Byte(0xC2), "AÂEÊOÔaâeêoô"),
            (Byte(0xE2), "AÂEÊOÔ"),
            (Byte(0xE1), "aấeếoố"),
            (Byte(0xC1), "AẤEẾOỐaấeếoố"),
            (Byte(0xE1), "AẤEẾOỐ"),
            (Byte(0xE0), "aầeềoồ"),
            (Byte(0xC0), "AẦEỀOỒaầeềoồ"),
            (Byte(0xE0), "AẦEỀOỒ"),
            (Byte(0xE5), "aẩeểoổ"),
            (Byte(0xC5), "AẨEỂOỔaẩeểoổ"),
            (Byte(0xE5), "AẨEỂOỔ"),
            (Byte(0xE3), "aẫeễoỗ"),
            (Byte(0xC3), "AẪEỄOỖaẫeễoỗ"),
            (Byte(0xE3), "AẪEỄOỖ"),
            (Byte(0xE4), "aậeệoộ"),
            (Byte(0xC4), "AẬEỆOỘaậeệoộ"),
            (Byte(0xE4), "AẬEỆOỘ"),
            (Byte(0xEA), "aă"),
            (Byte(0xCA), "AĂaă"),
            (Byte(0xEA), "AĂ"),
            (Byte(0xE9), "aắ"),
            (Byte(0xC9), "AẮaắ"),
            (Byte(0xE9), "AẮ"),
            (Byte(0xE8), "aằ"),
            (Byte(0xC8), "AẰaằ"),
            (Byte(0xE8), "AẰ"),
            (Byte(0xFA), "aẳ"),
            (Byte(0xDA), "AẲaẳ"),
            (Byte(0xFA), "AẲ"),
            (Byte(0xFC), "aẵ"),
            (Byte(0xDC), "AẴaẵ"),
            (Byte(0xFC), "AẴ"),
            (Byte(0xEB), "aặ"),
            (Byte(0xCB), "AẶaặ"),
            (Byte(0xEB), "AẶ"),
        ],
        equivalent: &[],
    };

    /// The letters with tone marks, not only Vietnamese ones.
    const VIETNAMESE: &[(Mark, &str)] = &[
        (Character('\u{300}'), "AÀEÈIÌNǸOÒUÙWẀYỲaàeèiìnǹoòuùwẁyỳ¨῭ÂẦÊỀÔỒÜǛâầêềôồüǜĂẰăằƠỜơờƯỪưừ"),
        (
            Character('\u{301}'),
            "AÁCĆEÉGǴIÍKḰLĹMḾNŃOÓPṔRŔSŚUÚWẂYÝZŹaácćeégǵiíkḱlĺmḿnńoópṕrŕsś\
         uúwẃyýzź¨΅ÂẤÅǺÆǼÇḈÊẾÏḮÔỐÕṌØǾÜǗŨṸâấåǻæǽçḉêếïḯôốõṍøǿüǘũṹĂẮăắƠỚơớƯỨưứ",
        ),
        (
            Character('\u{303}'),
            "AÃEẼIĨNÑOÕUŨVṼYỸaãeẽiĩnñoõuũvṽyỹÂẪÊỄÓṌÔỖÖṎÚṸâẫêễóṍôỗöṏúṹĂẴăẵ\
         ƠỠơỡƯỮưữ",
        ),
        (Character('\u{309}'), "AẢEẺIỈOỎUỦYỶaảeẻiỉoỏuủyỷÂẨÊỂÔỔâẩêểôổĂẲăẳƠỞơởƯỬưử"),
        (
            Character('\u{323}'),
            "AẠBḄDḌEẸHḤIỊKḲLḶMṂNṆOỌRṚSṢTṬUỤVṾWẈYỴZẒaạbḅdḍeẹhḥiịkḳlḷmṃnṇoọ\
         rṛsṣtṭuụvṿwẉyỵzẓÂẬÊỆÔỘâậêệôộĂẶăặƠỢơợƯỰưự",
        ),
    ];
}

use compositions::{CharsetCompositions, Mark};

#[derive(Debug)]
struct ComposingTables {
    codes: &'static Codes,
    bytes: &'static EncodeTable,
    again: bool,
    is_mark: [bool; 256],
    /// Letter, byte of the mark, and the letter with it.
    compositions: Vec<(CodePoint, u8, CodePoint)>,
    /// Each character without a code of its own, and the bytes of its decomposition, sorted.
    decompositions: Vec<(CodePoint, Encoded)>,
}

impl ComposingTables {
    fn new(set: CodedSet, given: &CharsetCompositions) -> Self {
        let bytes = set.encoding();
        let byte = |cp: CodePoint| bytes.code(cp).map(|code| code as u8);
        let mut tables = Self {
            codes: set.codes(),
            bytes,
            again: given.again,
            is_mark: [false; 256],
            compositions: Vec::new(),
            decompositions: Vec::new(),
        };
        for &(mark, letters) in given.marks {
            let letters: Vec<u32> = letters.chars().map(u32::from).collect();
            let mark = match mark {
                Mark::Character(mark) => byte(mark.into()),
                Mark::Byte(mark) => Some(mark),
            };
            let Some(mark) = mark else { continue };
            tables.is_mark[usize::from(mark)] = true;
            for &[letter, composed] in letters.as_chunks::<2>().0 {
                // A letter without a code is only decoded as the result of a composition. Unless that may compose
                // again, an entry with such a letter would never be reached.
                let reached = given.again || byte(letter).is_some();
                if reached {
                    tables.compositions.push((letter, mark, composed));
                }
            }
        }
        // The decomposition of a character is the first composition in the list that yields it. If its letter has no
        // code either, it must be a composition itself, and is decomposed further.
        for &(letter, mark, composed) in &tables.compositions {
            if byte(composed).is_none() && find(&tables.decompositions, composed).is_none() {
                let has_own = byte(letter).is_some();
                let inner =
                    tables.compositions.iter().find(|(.., inner)| !has_own && *inner == letter);
                let (first, between) =
                    inner.map_or((letter, None), |(first, m, _)| (*first, Some(*m)));
                let parts = [byte(first), between, Some(mark)];
                let bytes: Vec<u8> = parts.into_iter().flatten().collect();
                tables.decompositions.push((composed, Encoded::new(&bytes)));
                sort(&mut tables.decompositions);
            }
        }
        tables.compositions.sort_unstable();
        for &(from, to) in given.equivalent {
            tables.decompositions.extend(tables.encode(to.into()).map(|one| (from.into(), one)));
        }
        sort(&mut tables.decompositions);
        tables
    }

    fn compose(&self, letter: CodePoint, mark: u8) -> Option<CodePoint> {
        let key = (letter, mark);
        let at = self.compositions.binary_search_by_key(&key, |(l, m, _)| (*l, *m)).ok()?;
        Some(self.compositions[at].2)
    }

    fn composes(&self, letter: CodePoint) -> bool {
        self.compositions.binary_search_by_key(&letter, |(l, ..)| *l).is_ok()
    }

    fn encode(&self, cp: CodePoint) -> Option<Encoded> {
        match self.bytes.code(cp) {
            Some(byte) => Some(Encoded::new(&[byte as u8])),
            None => find(&self.decompositions, cp),
        }
    }

    /// Decodes the character at the start of `input`. Returns its code point and length, and whether it might compose
    /// with a byte after the end of `input`.
    #[inline]
    fn character(&self, input: &[u8]) -> Option<(CodePoint, usize, bool)> {
        let mut cp = CodePoint::from(self.codes.character(input[0])?);
        let mut len = 1;
        while let Some(&next) = input.get(len) {
            let composes = self.is_mark[usize::from(next)];
            let Some(composed) = composes.then(|| self.compose(cp, next)).flatten() else {
                return Some((cp, len, false));
            };
            cp = composed;
            len += 1;
            if !self.again {
                return Some((cp, len, false));
            }
        }
        Some((cp, len, self.composes(cp)))
    }
}

fn sort(decompositions: &mut [(CodePoint, Encoded)]) {
    decompositions.sort_by_key(|(cp, _)| *cp);
}

fn find(sorted: &[(CodePoint, Encoded)], wanted: CodePoint) -> Option<Encoded> {
    let at = sorted.binary_search_by_key(&wanted, |(cp, _)| *cp).ok()?;
    Some(sorted[at].1)
}

static TABLES: LazyLock<Mutex<HashMap<CodedSet, &'static ComposingTables>>> =
    LazyLock::new(Mutex::default);

/// The scheme of a set with compositions. Its encoder is its [`Stateless`], its decoder is [`ComposingDecoder`].
#[derive(Clone, Copy, Debug)]
pub struct Composing(&'static ComposingTables);

impl Composing {
    /// Creates the scheme of `set`. The first call for a set builds its tables, in some microseconds.
    pub fn new(set: CodedSet, compositions: &'static CharsetCompositions) -> Self {
        let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
        Self(tables.entry(set).or_insert_with(|| {
            // Not a growing leak: there is one table per charset.
            Box::leak(Box::new(ComposingTables::new(set, compositions)))
        }))
    }
}

impl StatelessCodec for Composing {
    fn decode_run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        // A kernel looks up the bytes before each mark, except for the last one: that may compose with the mark.
        let tables = self.0;
        let (mut read, mut written) = (0, 0);
        loop {
            let rest = &input[read..];
            let most = rest.len().min(output.len() - written);
            let is_mark = |byte: &u8| tables.is_mark[usize::from(*byte)];
            let plain = rest[..most].iter().position(is_mark).unwrap_or(most);
            let plain = plain.saturating_sub(1);
            let done = (suited(plain).table)(tables.codes, &rest[..plain], &mut output[written..]);
            read += done;
            written += done;
            let one = input.get(read..).filter(|rest| !rest.is_empty());
            let Some((cp, len, false)) = one.and_then(|rest| tables.character(rest)) else { break };
            let Some(slot) = output.get_mut(written) else { break };
            *slot = cp;
            written += 1;
            read += len;
        }
        Progress { read, written }
    }

    fn decode_one(&self, input: &[u8]) -> Decoded {
        match self.0.character(input) {
            Some((_, _, true)) => Decoded::Incomplete,
            Some((cp, len, false)) => Decoded::Character { cp, len },
            None => Decoded::IllFormed(IllFormed::new(1, IllFormedKind::InvalidByte)),
        }
    }

    fn encode_run(&self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        self.0.bytes.encode(input, output, |cp| find(&self.0.decompositions, cp))
    }

    fn encode_one(&self, cp: CodePoint) -> Option<Encoded> {
        self.0.encode(cp)
    }
}

/// The decoder: that of the scheme, except that a letter at the end of the text is a character and not incomplete.
#[derive(Clone, Debug)]
pub struct ComposingDecoder(pub Composing);

impl Decoder for ComposingDecoder {
    fn has_sequences(&self) -> bool {
        false
    }

    fn decode(&mut self, input: &[u8], output: &mut [CodePoint], last: bool) -> DecodeProgress {
        // Never tell the scheme that the input is the last: it would call the letter at its end truncated. All that it
        // can leave unread is one letter with marks, which is a character now that nothing follows.
        let mut done = Stateless(self.0).decode(input, output, false);
        let rest = &input[done.read..];
        if last && done.stop == DecodeStop::InputEmpty && !rest.is_empty() {
            let held_back = (self.0).0.character(rest).zip(output.get_mut(done.written));
            let Some(((cp, len, _), slot)) = held_back else {
                return DecodeProgress { stop: DecodeStop::OutputFull, ..done };
            };
            *slot = cp;
            done.written += 1;
            done.read += len;
        }
        done
    }

    fn fork(&self) -> Box<dyn Decoder> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests;
