//! Encodings by name: the registry, the lookup, and the start of a text (byte order mark, byte order).
//!
//! An encoding is a row, and facts about it are fields: its family, its mark, where its text may be split. Code that
//! needs such a fact asks for the field instead of comparing names, so that a new row needs no change elsewhere.
//!
//! `registry.rs` has the rows with code of their own, `charsets/` those that are data, and `own/` makes rows from
//! tables that a user brings.

#[cfg(feature = "legacy")]
mod candidates;
mod charsets;
mod differing_codes;
#[cfg(feature = "legacy")]
mod encoding_groups;
mod family;
mod foreign_mark;
mod iconv_names;
mod lookup;
#[cfg(feature = "legacy")]
mod own;
mod registry;
mod row_text;
mod supersets;

#[cfg(feature = "legacy")]
pub use candidates::{CharsetCandidate, System, Usage, UsedFor, candidates};
pub use charsets::SPELLINGS;
pub use differing_codes::differing_codes;
#[cfg(feature = "legacy")]
pub use encoding_groups::groups;
pub use family::{Family, FirstUnit};
#[cfg(feature = "legacy")]
pub use foreign_mark::marked;
#[cfg(feature = "legacy")]
pub use foreign_mark::wide_mark;
pub use foreign_mark::{LONGEST_MARK, Marked, marked_otherwise, may_be_wide_mark};
pub use iconv_names::{IconvEncoding, NATIVE, SuffixedName, Suffixes};
pub use lookup::names;
pub use lookup::normalize;
pub use lookup::{Nearest, UnknownEncoding};
pub use lookup::{VENDORS, asks_for_mark};
#[cfg(feature = "legacy")]
pub use own::TableError;
#[cfg(feature = "legacy")]
pub use own::read_table;
pub use supersets::supersets;

use self::row_text::RowText;
use crate::codec::EbcdicNewline;
#[cfg(feature = "legacy")]
use crate::codec::MIN_PIVOT;
#[cfg(feature = "legacy")]
use crate::codec::Structure;
use crate::codec::{ByteOrder, BytesAlone, Decoder, EncodeStop, Encoder, MIN_OUTPUT, Mixed};
use crate::unicode::CodePoint;

/// What U+FEFF at the very start of a text means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Nothing special: the encoding is not one of Unicode's, or has no such convention.
    None,
    /// A signature: it is optional, and says nothing about byte order (UTF-8).
    Signature,
    /// The byte order mark, which is not part of the text (unmarked UTF-16, UTF-32: D98, D101; UAX 19, D36c).
    ByteOrder,
    /// The byte order mark if an input has one, which is then not part of the text. Output is big-endian without one
    /// (unmarked UCS-2 and UCS-4).
    OptionalByteOrder,
    /// A character of the text (the BE and LE schemes: D96, D97, D99, D100; UAX 19, D36a, D36b; WTF-8 and its
    /// relatives).
    Character,
}

/// Where a text can be split into shards that are converted separately, so that the joined results are the same as for
/// the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitRule {
    /// Nowhere: decoding depends on what comes before.
    Never,
    /// Between any two units of this many bytes.
    Units(usize),
    /// Before any byte that does not continue a UTF-8 sequence.
    Utf8,
    /// Between two 16-bit units that are not a surrogate pair. The most significant byte of a unit has this index.
    Utf16(usize),
    /// After a byte below 30, such as a line feed or a space. It is a character by itself, and never the second or a
    /// later byte of one. In GB18030, 30 to 39 are: the second and the fourth of four bytes.
    AfterLow,
    /// After a line feed: whatever comes before it, what follows is decoded, and encoded, from the initial state. It is
    /// for encodings that are too slow or too rare for several threads to search for line feeds.
    AfterLine,
}

impl SplitRule {
    /// Whether several threads may work on one text: split points can be found anywhere in it, at little cost.
    pub const fn is_for_threads(self) -> bool {
        !matches!(self, Self::Never | Self::AfterLine)
    }
}

impl Mark {
    /// Whether it gives the byte order of the text after it.
    pub const fn gives_order(self) -> bool {
        matches!(self, Self::ByteOrder | Self::OptionalByteOrder)
    }
}

/// An encoding: a row of the registry.
pub struct Encoding {
    /// Its names, and what `--list` says of it.
    line: RowText,
    /// The rule that makes a text well-formed.
    #[doc(hidden)]
    pub family: Family,
    /// Length of the code unit in bytes.
    #[doc(hidden)]
    pub unit: usize,
    /// The byte order of multi-byte code units, if the name gives it (UTF-16LE).
    #[doc(hidden)]
    pub order: Option<ByteOrder>,
    /// The schemes of an unmarked encoding: big-endian, little-endian.
    orders: Option<[&'static Self; 2]>,
    /// The unmarked encoding of a scheme.
    unmarked: Option<&'static Self>,
    /// What U+FEFF at the start of a text means.
    #[doc(hidden)]
    pub mark: Mark,
    /// Where its text can be split. For an unmarked encoding, its schemes say so.
    #[doc(hidden)]
    pub split: SplitRule,
    /// The width of its values in bits, if that is its limit (UCS and the extended UTF-8s).
    pub(crate) bits: Option<u32>,
    /// Whether each byte is a character, whatever its context.
    #[doc(hidden)]
    pub single_byte: bool,
    coding: Coding,
}

/// How an encoding is decoded and encoded.
enum Coding {
    /// Code of its own.
    Code(MakeDecoder, MakeEncoder),
    /// Tables, decoded by the code for their structure.
    #[cfg(feature = "legacy")]
    Charset(Structure),
}

type MakeDecoder = fn(ByteOrder) -> Box<dyn Decoder>;
type MakeEncoder = fn(ByteOrder) -> Box<dyn Encoder>;

impl Encoding {
    /// The defaults of a row: one-byte code units, no mark, and nowhere to split.
    const fn coded_by(decoder: MakeDecoder, encoder: MakeEncoder) -> Self {
        Self::new(RowText::new(0, 0), Coding::Code(decoder, encoder))
    }

    const fn new(line: RowText, coding: Coding) -> Self {
        Self {
            line,
            family: Family::Other,
            unit: 1,
            order: None,
            orders: None,
            unmarked: None,
            mark: Mark::None,
            split: SplitRule::Never,
            bits: None,
            single_byte: false,
            coding,
        }
    }

    /// Returns the canonical name, which [`Encoding::for_name`] accepts too.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.line.name()
    }

    /// Returns other names, as used by people and other programs.
    pub fn aliases(&self) -> impl Iterator<Item = &'static str> + Clone + use<> {
        self.line.aliases()
    }

    /// Returns a short description.
    #[must_use]
    pub fn summary(&self) -> &'static str {
        self.line.summary()
    }

    /// Returns the document that defines it, or the table that it follows.
    #[must_use]
    pub fn source(&self) -> &'static str {
        self.line.source()
    }

    /// Returns the year of that table, if it is known.
    #[must_use]
    pub fn year(&self) -> Option<&'static str> {
        self.line.year()
    }

    /// Returns how codes make up a text, if it is a charset that consists of tables: "one byte".
    #[must_use]
    pub fn structure(&self) -> Option<&'static str> {
        self.line.structure()
    }

    /// Returns the programs that have it, as the words that may follow a name: `glibc` as in `SHIFT_JIS@glibc`.
    pub fn vendors(&self) -> impl Iterator<Item = &'static str> + Clone + use<> {
        self.line.vendors()
    }

    /// Whether it is a table of ICU's archive that no plain name means.
    #[doc(hidden)]
    pub const fn is_in_archive(&self) -> bool {
        self.line.is_in_archive()
    }

    /// Returns the length of the code unit in bytes.
    #[must_use]
    pub const fn unit(&self) -> usize {
        self.unit
    }

    /// Returns the width of its values in bits, if that is its limit (UCS and the extended UTF-8s).
    #[must_use]
    pub const fn bits(&self) -> Option<u32> {
        self.bits
    }

    /// Whether each byte is a character, whatever its context.
    #[must_use]
    pub const fn is_single_byte(&self) -> bool {
        self.single_byte
    }

    /// Returns its two sets, if it switches between one byte and two by shift codes, as EBCDIC hosts do.
    #[cfg(all(test, feature = "legacy"))]
    pub(crate) fn host(&self) -> Option<crate::codec::Host> {
        match self.coding {
            Coding::Charset(Structure::Host(host)) => Some(host),
            _ => None,
        }
    }

    /// Returns its codec, if letters and marks compose.
    #[cfg(all(test, feature = "legacy"))]
    pub(crate) fn composing(&self) -> Option<crate::codec::Composing> {
        match self.coding {
            Coding::Charset(Structure::Composing(set, compositions)) => {
                Some(crate::codec::Composing::new(set, compositions))
            }
            _ => None,
        }
    }

    /// Returns its codec, if it is an alphabet with an extension table.
    #[cfg(all(test, feature = "legacy"))]
    pub(crate) fn extension(&self) -> Option<crate::codec::ExtensionTable> {
        match self.coding {
            Coding::Charset(Structure::Extension(alphabet, extension)) => {
                Some(crate::codec::ExtensionTable::new(alphabet, extension))
            }
            _ => None,
        }
    }

    /// Creates a decoder. `order` matters only to encodings whose mark gives it.
    #[doc(hidden)]
    pub fn new_decoder(&self, order: ByteOrder) -> Box<dyn Decoder> {
        match self.coding {
            Coding::Code(decoder, _) => decoder(order),
            #[cfg(feature = "legacy")]
            Coding::Charset(structure) => structure.decoder(),
        }
    }

    /// Creates an encoder. `order` matters only to encodings whose mark gives it.
    #[doc(hidden)]
    pub fn new_encoder(&self, order: ByteOrder) -> Box<dyn Encoder> {
        match self.coding {
            Coding::Code(_, encoder) => encoder(order),
            #[cfg(feature = "legacy")]
            Coding::Charset(structure) => structure.encoder(),
        }
    }

    /// Whether it can represent all these characters.
    #[doc(hidden)]
    pub fn encodes(&self, text: &[CodePoint]) -> bool {
        let mut room = vec![0; MIN_OUTPUT + 16 * text.len()];
        self.new_encoder(ByteOrder::Little).encode(text, &mut room).stop == EncodeStop::InputEmpty
    }

    /// Returns the character that its table gives as the best fit for one that it lacks.
    #[doc(hidden)]
    pub fn best_fit(&self, cp: CodePoint) -> Option<CodePoint> {
        self.new_encoder(ByteOrder::Little).best_fit(cp)
    }

    /// Whether its bytes 15 and 25 are the line ends of EBCDIC, line feed and next line.
    #[doc(hidden)]
    pub fn has_ebcdic_newlines(&self) -> bool {
        [EbcdicNewline::LineFeed, EbcdicNewline::NextLine]
            .into_iter()
            .any(|newline| newline.differs(self.new_decoder(ByteOrder::Big)))
    }

    /// Returns the scheme for a byte order: UTF-16LE for little-endian UTF-16. Other encodings return themselves.
    #[must_use]
    pub fn in_order(&'static self, order: ByteOrder) -> &'static Self {
        match (self.orders, order) {
            (None, _) => self,
            (Some([big, _]), ByteOrder::Big) => big,
            (Some([_, little]), ByteOrder::Little) => little,
        }
    }

    /// Returns the encoding that takes the byte order from a mark: UTF-16 for UTF-16LE. Other encodings return
    /// themselves.
    #[must_use]
    pub fn unmarked(&'static self) -> &'static Self {
        self.unmarked.unwrap_or(self)
    }

    /// Whether it is one of Unicode's encodings, or a relative of one: it has a rule for U+FEFF, wide units, or first
    /// units that give the length of a sequence.
    ///
    /// UCS-2 is one, although it lacks the characters above U+FFFF. GB18030, UTF-7-IMAP and the escapes have all
    /// characters, and are none.
    #[doc(hidden)]
    pub fn is_unicode(&self) -> bool {
        self.mark != Mark::None || self.family.is_wide() || self.family.first_unit().is_some()
    }

    /// Whether parts of a UTF-8 text may be in it: each byte is a character, or it contains ASCII and has no state.
    #[doc(hidden)]
    pub fn may_be_fallback(&self) -> bool {
        #[cfg(feature = "legacy")]
        if let Coding::Charset(Structure::Composing(_, compositions)) = self.coding {
            return compositions.marks_are_characters();
        }
        self.single_byte || self.split == SplitRule::AfterLow && self.family == Family::Other
    }

    /// Whether ASCII letters, digits and spaces have their ASCII codes in it. If not, it is a form of EBCDIC, or its
    /// units are wider than a byte.
    #[cfg(feature = "legacy")]
    #[doc(hidden)]
    pub fn has_ascii(&self) -> bool {
        const SAMPLE: &[u8] = b"Aa 0\n";
        let mut text = [0; 2 * MIN_PIVOT];
        let done = self.new_decoder(ByteOrder::Big).decode(SAMPLE, &mut text, true);
        text[..done.written].iter().copied().eq(SAMPLE.iter().copied().map(CodePoint::from))
    }

    /// Creates a decoder of UTF-8 in which some parts are in this encoding.
    #[doc(hidden)]
    pub fn mixed_with_utf8(&self) -> Mixed {
        self.mixed_by(self.bytes_alone())
    }

    /// The same with what its bytes are, if that is known already.
    #[doc(hidden)]
    pub fn mixed_by(&self, bytes: BytesAlone) -> Mixed {
        Mixed::new(bytes, self.new_decoder(ByteOrder::Big), self.single_byte)
    }

    /// Returns what its bytes are by themselves.
    #[doc(hidden)]
    pub fn bytes_alone(&self) -> BytesAlone {
        BytesAlone::of(&mut *self.new_decoder(ByteOrder::Big), self.single_byte)
    }

    /// Returns the familiar name.
    #[must_use]
    pub fn common_name(&self) -> &'static str {
        self.line.common_name().unwrap_or(self.name())
    }
}

#[cfg(feature = "legacy")]
const fn charset(at: u32, len: u16, structure: Structure) -> Encoding {
    of_structure(RowText::new(at, len), structure)
}

#[cfg(feature = "legacy")]
const fn of_structure(line: RowText, structure: Structure) -> Encoding {
    Encoding {
        single_byte: match structure {
            Structure::Single(_) => true,
            Structure::Own(table) => table.is_single(),
            _ => false,
        },
        split: match structure {
            Structure::Single(_) => SplitRule::Units(1),
            Structure::Multi(multi) if multi.low => SplitRule::AfterLow,
            Structure::Own(table) if table.is_single() => SplitRule::Units(1),
            Structure::Own(table) if table.splits_after_low() => SplitRule::AfterLow,
            _ => SplitRule::Never,
        },
        ..Encoding::new(line, Coding::Charset(structure))
    }
}

impl std::fmt::Display for Encoding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

impl std::fmt::Debug for Encoding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Encoding").field(&self.name()).finish()
    }
}

/// Encodings are compared by address: each is one static row, and never copied.
impl PartialEq for Encoding {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Encoding {}

/// Names are unique, so equal encodings have equal hashes and no others do.
impl std::hash::Hash for Encoding {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

#[cfg(all(test, feature = "legacy"))]
mod tests;
