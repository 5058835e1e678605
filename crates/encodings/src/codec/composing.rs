//! windows-1255, windows-1258 and TCVN: sets in which points and tone marks have codes of their own, and compose with
//! the letter before them, as in iconv. So Vietnamese text is decoded to the composed form that is in common use.
//!
//! ```text
//! windows-1258   EA F2      ê, dot below  ─► U+1EC7 ệ
//! windows-1255   F9 CC D1   shin, dagesh, shin dot  ─► U+FB49, with D1 ─► U+FB2C
//! encode         a code of its own, otherwise those of the decomposition, letter first
//! ```
//!
//! The sets have the codes, but no compositions. Those are below, as iconv has them. A letter that may compose is left
//! unread at the end of the input, until the next byte or the end of the text is known.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use super::encode_table::EncodeTable;
use super::set::CodedSet;
use super::{DecodeProgress, DecodeStop, Decoded, Decoder, Encoded, Stateless, StatelessCodec};
use crate::unicode::{CodePoint, IllFormed, IllFormedKind};
use oxiconv_kernels::{Codes, Progress, suited};

/// The compositions of each charset.
pub mod compositions {
    /// What composes in a charset, whichever set it uses. Letters and marks that the set lacks are skipped.
    #[derive(Debug)]
    pub struct CharsetCompositions {
        /// Whether a composed letter may compose with a further mark.
        pub(super) again: bool,
        /// Each mark, with the letters that it composes with and the results in turn: letter, composed, letter, …
        pub(super) marks: &'static [(char, &'static str)],
        /// Characters that are encoded as another one, to which they are canonically equivalent.
        pub(super) equivalent: &'static [(char, char)],
    }

    /// Windows code page 1255, Hebrew, with points composed to the letters of Alphabetic Presentation Forms.
    pub static WINDOWS_1255: CharsetCompositions = CharsetCompositions {
        again: true,
        marks: &[
            ('\u{5C1}', "\u{5E9}\u{FB2A}\u{FB49}\u{FB2C}"),
            ('\u{5C2}', "\u{5E9}\u{FB2B}\u{FB49}\u{FB2D}"),
            ('\u{5B4}', "\u{5D9}\u{FB1D}"),
            ('\u{5B7}', "\u{5D0}\u{FB2E}\u{5F2}\u{FB1F}"),
            ('\u{5B8}', "\u{5D0}\u{FB2F}"),
            ('\u{5B9}', "\u{5D5}\u{FB4B}"),
            (
                '\u{5BC}',
                "\u{5D0}\u{FB30}\u{5D1}\u{FB31}\u{5D2}\u{FB32}\u{5D3}\u{FB33}\u{5D4}\u{FB34}\
             \u{5D5}\u{FB35}\u{5D6}\u{FB36}\u{5D8}\u{FB38}\u{5D9}\u{FB39}\u{5DA}\u{FB3A}\
             \u{5DB}\u{FB3B}\u{5DC}\u{FB3C}\u{5DE}\u{FB3E}\u{5E0}\u{FB40}\u{5E1}\u{FB41}\
             \u{5E3}\u{FB43}\u{5E4}\u{FB44}\u{5E6}\u{FB46}\u{5E7}\u{FB47}\u{5E8}\u{FB48}\
             \u{5E9}\u{FB49}\u{5EA}\u{FB4A}\u{FB2A}\u{FB2C}\u{FB2B}\u{FB2D}",
            ),
            ('\u{5BF}', "\u{5D1}\u{FB4C}\u{5DB}\u{FB4D}\u{5E4}\u{FB4E}"),
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

    /// The letters with tone marks, not only Vietnamese ones.
    const VIETNAMESE: &[(char, &str)] = &[
        ('\u{300}', "AÀEÈIÌNǸOÒUÙWẀYỲaàeèiìnǹoòuùwẁyỳ¨῭ÂẦÊỀÔỒÜǛâầêềôồüǜĂẰăằƠỜơờƯỪưừ"),
        (
            '\u{301}',
            "AÁCĆEÉGǴIÍKḰLĹMḾNŃOÓPṔRŔSŚUÚWẂYÝZŹaácćeégǵiíkḱlĺmḿnńoópṕrŕsś\
         uúwẃyýzź¨΅ÂẤÅǺÆǼÇḈÊẾÏḮÔỐÕṌØǾÜǗŨṸâấåǻæǽçḉêếïḯôốõṍøǿüǘũṹĂẮăắƠỚơớƯỨưứ",
        ),
        (
            '\u{303}',
            "AÃEẼIĨNÑOÕUŨVṼYỸaãeẽiĩnñoõuũvṽyỹÂẪÊỄÓṌÔỖÖṎÚṸâẫêễóṍôỗöṏúṹĂẴăẵ\
         ƠỠơỡƯỮưữ",
        ),
        ('\u{309}', "AẢEẺIỈOỎUỦYỶaảeẻiỉoỏuủyỷÂẨÊỂÔỔâẩêểôổĂẲăẳƠỞơởƯỬưử"),
        (
            '\u{323}',
            "AẠBḄDḌEẸHḤIỊKḲLḶMṂNṆOỌRṚSṢTṬUỤVṾWẈYỴZẒaạbḅdḍeẹhḥiịkḳlḷmṃnṇoọ\
         rṛsṣtṭuụvṿwẉyỵzẓÂẬÊỆÔỘâậêệôộĂẶăặƠỢơợƯỰưự",
        ),
    ];
}

use compositions::CharsetCompositions;

#[derive(Debug)]
struct ComposingTables {
    codes: &'static Codes,
    bytes: &'static EncodeTable,
    again: bool,
    is_mark: [bool; 256],
    compositions: Vec<(CodePoint, CodePoint, CodePoint)>,
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
            let Some(mark_byte) = byte(mark.into()) else { continue };
            tables.is_mark[usize::from(mark_byte)] = true;
            for &[letter, composed] in letters.as_chunks::<2>().0 {
                // A letter without a code is only decoded as the result of a composition. Unless that may compose
                // again, an entry with such a letter would never be reached.
                let reached = given.again || byte(letter).is_some();
                if reached {
                    tables.compositions.push((letter, mark.into(), composed));
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
                let parts = [Some(first), between, Some(mark)];
                let bytes: Vec<u8> = parts.into_iter().flatten().filter_map(byte).collect();
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

    fn compose(&self, letter: CodePoint, mark: CodePoint) -> Option<CodePoint> {
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
            let mark =
                self.is_mark[usize::from(next)].then(|| self.codes.character(next)).flatten();
            let Some(composed) = mark.and_then(|mark| self.compose(cp, mark.into())) else {
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
mod tests {
    use super::*;
    use crate::codec::set;

    static WINDOWS_1255: (CodedSet, &CharsetCompositions) =
        (set::WINDOWS_1255, &compositions::WINDOWS_1255);
    static WINDOWS_1258: (CodedSet, &CharsetCompositions) =
        (set::WINDOWS_1258, &compositions::WINDOWS_1258);

    fn decode(
        set: &(CodedSet, &'static CharsetCompositions),
        input: &[u8],
        last: bool,
    ) -> (usize, Vec<CodePoint>) {
        let mut output = [0; 64];
        let done = ComposingDecoder(Composing::new(set.0, set.1)).decode(input, &mut output, last);
        assert_eq!(done.stop, DecodeStop::InputEmpty);
        (done.read, output[..done.written].to_vec())
    }

    #[test]
    fn a_mark_composes_with_the_letter_before_it() {
        // Circumflex and dot below: U+1EC7.
        assert_eq!(
            decode(&WINDOWS_1258, b"Vi\xEA\xF2t.", true).1,
            [0x56, 0x69, 0x1EC7, 0x74, 0x2E]
        );
        assert_eq!(decode(&WINDOWS_1258, b"\xF2.", true).1, [0x323, 0x2E]);
        // Shin, dagesh and shin dot, in both orders.
        assert_eq!(decode(&WINDOWS_1255, b"\xF9\xCC\xD1.", true).1, [0xFB2C, 0x2E]);
        assert_eq!(decode(&WINDOWS_1255, b"\xF9\xD1\xCC.", true).1, [0xFB2C, 0x2E]);
    }

    #[test]
    fn a_letter_waits_for_what_follows_it() {
        assert_eq!(decode(&WINDOWS_1258, b".A", false), (1, vec![0x2E]));
        assert_eq!(decode(&WINDOWS_1258, b".A", true), (2, vec![0x2E, 0x41]));
        assert_eq!(decode(&WINDOWS_1258, b"A\n", false), (2, vec![0x41, 0x0A]));
        assert_eq!(decode(&WINDOWS_1255, b"\xF9\xCC", false), (0, vec![]));
        assert_eq!(decode(&WINDOWS_1255, b"\xF9\xCC", true), (2, vec![0xFB49]));
    }

    #[test]
    fn a_composed_character_is_written_as_letter_and_mark() {
        for (set, cp, bytes) in [
            (&WINDOWS_1258, 0x1EC7, &b"\xEA\xF2"[..]),
            (&WINDOWS_1258, 0xC0, b"\xC0"),
            (&WINDOWS_1258, 0x341, b"\xEC"),
            (&WINDOWS_1258, 0x1FEE, b"\xA8\xEC"),
            (&WINDOWS_1255, 0xFB2C, b"\xF9\xCC\xD1"),
            (&WINDOWS_1255, 0xFB2A, b"\xF9\xD1"),
        ] {
            let one = Composing::new(set.0, set.1).encode_one(cp);
            assert_eq!(one, Some(Encoded::new(bytes)), "{cp:X}");
        }
    }
}
