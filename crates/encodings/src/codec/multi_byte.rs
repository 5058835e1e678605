//! Charsets with one or two bytes per character, with any lead bytes, and with longer codes after prefixes: Shift_JIS,
//! Big5, EUC with its code sets G1 to G3, Johab, and sets of pairs alone, including EBCDIC ones.
//!
//! ```text
//! first byte ─► a lead of the set ─► the pair         EUC-JP: 8F │ A1..FE A1..FE     EUC-TW: 8E A2 │ A1..FE A1..FE
//!            └► a prefix ─► the pair after it, in a set of its own
//!            └► a character by itself, or nothing
//! ```
//!
//! An ill-formed subsequence is the bytes before the first that cannot continue it, or the whole sequence if it has the
//! right shape but no character. A byte below 80 that is a character by itself is part of one only in first place,
//! as it may begin a character (Unicode 5.22).

use once_cell::race::OnceBox;

use super::encode_table::{EncodeTable, encoded};
use super::pair_runs::one_by_one;
use super::set::{CodedSet, PREFIXES, PairIndex, prefixed};
use super::{Decoded, Encoded, StatelessCodec};
use crate::unicode::{CodePoint, IllFormed, IllFormedKind};
use oxiconv_kernels::Progress;

/// The sets of a charset with one or more bytes per character.
#[derive(Clone, Copy, Debug)]
pub struct Multi {
    /// Codes of one and two bytes.
    pub(crate) set: CodedSet,
    /// The sets of longer codes: the index of the first, and their number.
    pub(crate) prefixed: (u16, u16),
    /// Whether each byte below 30 is a character by itself, and never part of a longer code.
    pub(crate) low: bool,
}

/// The encode tables of charsets with prefixes, by the index of the first prefix.
static ENCODINGS: [OnceBox<EncodeTable>; PREFIXES] = [const { OnceBox::new() }; PREFIXES];

impl Multi {
    /// Returns the encode table. The first call builds it.
    pub(super) fn encoding(self) -> &'static EncodeTable {
        match self.prefixed {
            (_, 0) => self.set.encoding(),
            (first, count) => ENCODINGS[usize::from(first)].get_or_init(|| {
                let sets = [&[(0, self.set)], prefixed(first, count)].concat();
                Box::new(EncodeTable::of_sets(&sets))
            }),
        }
    }
}

/// The codec.
#[derive(Clone, Copy, Debug)]
pub struct MultiByte {
    multi: Multi,
    index: &'static PairIndex,
    prefixed: &'static [(u16, CodedSet)],
}

impl MultiByte {
    /// Creates the codec of a charset.
    pub fn new(multi: Multi) -> Self {
        let (first, count) = multi.prefixed;
        Self { multi, index: multi.set.pair_index(), prefixed: prefixed(first, count) }
    }

    #[inline]
    fn one(&self, input: &[u8]) -> Decoded {
        let lead = input[0];
        if !self.prefixed.is_empty()
            && let Some(decoded) = self.after_prefix(input)
        {
            return decoded;
        }
        if self.index.is_lead[usize::from(lead)] {
            return self.pair(self.multi.set, self.index, input, 0);
        }
        match self.index.character(lead.into()) {
            Some(cp) => Decoded::Character { cp, len: 1 },
            None => Decoded::IllFormed(IllFormed::new(1, IllFormedKind::InvalidByte)),
        }
    }

    #[inline]
    fn some(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        one_by_one(input, output, |input| self.one(input))
    }

    /// Decodes the sequence at the start of `input` if it begins with a prefix. A prefix of two bytes may share its
    /// first byte with pairs, or with other prefixes, as 8E A2 and 8E A3 of EUC-TW do. So only after trying all of them
    /// is it known that none fits.
    fn after_prefix(&self, input: &[u8]) -> Option<Decoded> {
        let lead = input[0];
        let mut begins = false;
        for &(prefix, set) in self.prefixed {
            let len = match prefix.to_be_bytes() {
                [0, only] if only == lead => 1,
                [0, _] => continue,
                [first, second] if first == lead => match input.get(1) {
                    Some(byte) if *byte == second => 2,
                    Some(_) => {
                        begins = true;
                        continue;
                    }
                    None => return Some(Decoded::Incomplete),
                },
                _ => continue,
            };
            return Some(self.pair(set, set.pair_index(), input, len));
        }
        // The first byte of a prefix without the second, such as 8E before a line feed in EUC-TW, and no lead byte of a
        // pair.
        (begins && !self.index.is_lead[usize::from(lead)])
            .then(|| Decoded::IllFormed(IllFormed::new(1, IllFormedKind::Truncated)))
    }

    /// Decodes the pair of `set` after a prefix of `before` bytes.
    #[inline]
    fn pair(&self, set: CodedSet, index: &PairIndex, input: &[u8], before: usize) -> Decoded {
        let Some(&first) = input.get(before) else { return Decoded::Incomplete };
        if !index.is_lead[usize::from(first)] {
            return self.ill_formed(&input[..before], IllFormedKind::Truncated);
        }
        let Some(&second) = input.get(before + 1) else { return Decoded::Incomplete };
        let code = u16::from_be_bytes([first, second]);
        let len = before + 2;
        match index.character(code) {
            Some(cp) => Decoded::Character { cp, len },
            None => match set.sequence(code) {
                Some(cps) => Decoded::Sequence { cps, len },
                None if !index.is_trail[usize::from(second)] => {
                    self.ill_formed(&input[..len - 1], IllFormedKind::Truncated)
                }
                None => self.ill_formed(&input[..len], IllFormedKind::UndefinedSequence),
            },
        }
    }

    fn ill_formed(&self, sequence: &[u8], kind: IllFormedKind) -> Decoded {
        let is_character = |byte: u8| self.index.character(byte.into()).is_some();
        Decoded::IllFormed(IllFormed::new(cut_before_ascii(sequence, is_character), kind))
    }
}

/// Returns the length of a sequence without a character, up to the first byte after the lead byte that is below 80 and
/// a character by itself.
///
/// If a stray lead byte took the byte after it along, a `"` or a `<` would vanish, or become part of a U+FFFD. Text
/// that was checked before the conversion could then have another structure after it.
pub(super) fn cut_before_ascii(sequence: &[u8], is_character: impl Fn(u8) -> bool) -> usize {
    let survives = |byte: &u8| *byte < 0x80 && is_character(*byte);
    sequence.iter().skip(1).position(survives).map_or(sequence.len(), |at| at + 1)
}

impl StatelessCodec for MultiByte {
    fn decode_run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        if self.index.high {
            return self.index.decode(input, output, |input, output| self.some(input, output));
        }
        // The set has lead bytes below 80. The fast loop cannot take it, since it tells pairs by the high bit of the
        // lead byte.
        let (mut read, mut written) = (0, 0);
        while let Some(rest) = input.get(read..).filter(|rest| !rest.is_empty())
            && let Some(slot) = output.get_mut(written)
            && let Decoded::Character { cp, len } = self.one(rest)
        {
            *slot = cp;
            written += 1;
            read += len;
        }
        Progress { read, written }
    }

    fn decode_one(&self, input: &[u8]) -> Decoded {
        self.one(input)
    }

    fn encode_run(&self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        self.multi.encoding().encode(input, output, |_| None)
    }

    fn encode_one(&self, cp: CodePoint) -> Option<Encoded> {
        self.multi.encoding().bytes(cp)
    }

    fn writes_utf8(&self) -> bool {
        self.index.high
    }

    fn decode_to_utf8(&self, input: &[u8], output: &mut [u8]) -> Progress {
        self.index.convert(input, output, |_| false, |input, output| self.some(input, output))
    }

    fn reads_utf8(&self) -> bool {
        true
    }

    fn encode_from_utf8(&self, input: &[u8], output: &mut [u8]) -> Progress {
        self.multi.encoding().convert(input, output, |_| None)
    }

    fn has_sequences(&self) -> bool {
        !self.sequences().is_empty()
    }

    fn sequences(&self) -> Vec<([CodePoint; 2], Encoded)> {
        let sets = std::iter::once((0, self.multi.set)).chain(self.prefixed.iter().copied());
        let code = |prefix: u16, code: u16| encoded(u32::from(prefix) << 16 | u32::from(code));
        sets.flat_map(|(prefix, set)| {
            set.sequences().map(move |(one, cps)| (cps, code(prefix, one)))
        })
        .collect()
    }

    fn best_fit(&self, cp: CodePoint) -> Option<CodePoint> {
        self.multi.set.best_fit(cp)
    }
}
