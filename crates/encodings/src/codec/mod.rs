//! Decoders and encoders: bytes to code points and back, and the reasons why they stop.
//!
//! ```text
//! bytes ──► Decoder ──► [CodePoint] ──► Encoder ──► bytes
//!              └─ IllFormed { len, kind }     └─ Unmappable
//! ```
//!
//! Neither skips, replaces or reports anything: each stops in front of what it cannot convert, and says why. The policy
//! is in `transcode`. A decoder keeps no bytes between calls: it leaves an incomplete sequence at the end of the input
//! unread, and the caller passes it again with what follows. So the result cannot depend on where the input was cut.
//!
//! Most encodings have no state. Each of those is a [`StatelessCodec`]: how one character is read and written, and, if
//! there is one, the kernel for long well-formed runs. [`Stateless`] makes its decoder and encoder. `stateful.rs` is
//! the same for encodings with state.
//!
//! The pivot is a `u32` and not a `char`, because WTF-8 and its relatives carry surrogates, and UCS-4 and the extended
//! UTF-8s carry plain numbers. A few of these have more than 32 bits. They bypass the pivot: the decoder stops before
//! such a value and hands it over by itself (`DecodeStop::Large`), an encoder that has a form for it writes it
//! (`encode_large`), and to any other encoding it is unmappable.

mod ascii;
mod c_escapes;
mod canonical;
mod cesu8;
#[cfg(feature = "legacy")]
mod codes;
#[cfg(feature = "legacy")]
mod composing;
#[cfg(feature = "legacy")]
mod cut;
mod escapes;
mod extended;
#[cfg(feature = "legacy")]
mod from_utf8;
#[cfg(feature = "legacy")]
mod gb18030;
#[cfg(feature = "legacy")]
mod host;
mod html;
#[cfg(feature = "legacy")]
mod hz;
#[cfg(feature = "legacy")]
mod iscii;
#[cfg(feature = "legacy")]
pub mod iso2022;
#[cfg(feature = "legacy")]
mod joining;
#[cfg(feature = "legacy")]
mod lmbcs;
mod lossy;
#[cfg(feature = "legacy")]
mod marc8;
mod mixed;
#[cfg(feature = "legacy")]
mod multi_byte;
mod newlines;
#[cfg(feature = "legacy")]
mod pairs;
mod plain;
mod references;
#[cfg(feature = "legacy")]
pub(crate) mod set;
#[cfg(feature = "legacy")]
mod single_byte;
mod stateless;
#[cfg(feature = "legacy")]
mod structure;
mod subpart;
#[cfg(feature = "legacy")]
pub mod table;
#[cfg(feature = "legacy")]
mod to_utf8;
#[cfg(feature = "legacy")]
mod tscii;
mod ucs;
mod utf1;
mod utf16;
mod utf32;
mod utf8;
mod utf8_mac;
mod utf_ebcdic;
#[cfg(feature = "legacy")]
mod wide_sequence;
mod wtf16;
mod wtf8;

mod bocu1;
mod scsu;
mod scsu_encoder;
mod stateful;
mod utf7;

pub use ascii::{Ascii, Latin1};
pub use c_escapes::CEscapes;
pub use cesu8::{Cesu8, Mutf8};
#[cfg(feature = "legacy")]
pub use composing::{Composing, ComposingDecoder, compositions};
#[cfg(feature = "legacy")]
pub use cut::{Before, Cut, UsualBytes, not_letters};
pub use escapes::{C99, Java, Watching};
pub use extended::Extended;
#[cfg(feature = "legacy")]
pub use gb18030::{Edition, Gb18030};
#[cfg(feature = "legacy")]
pub use host::{Host, HostDecoder, HostEncoder};
pub use html::Html;
#[cfg(feature = "legacy")]
pub use hz::{Hz, HzEncoder};
#[cfg(feature = "legacy")]
pub use iscii::{Iscii, IsciiEncoder};
#[cfg(feature = "legacy")]
pub use iso2022::{Iso2022, Iso2022Encoder};
#[cfg(feature = "legacy")]
pub use joining::{Joining, WritesSequences};
#[cfg(feature = "legacy")]
pub use lmbcs::{Lmbcs, LmbcsEncoder};
pub use lossy::Lossy;
#[cfg(feature = "legacy")]
pub use marc8::{Marc8, Marc8Encoder, Variant as Marc8Variant};
pub use mixed::{Known, Mixed, NextRegion, REGION, next_region};
#[cfg(feature = "legacy")]
pub use multi_byte::{Multi, MultiByte};
pub use newlines::{EbcdicNewline, ExchangedNewlines};
pub use references::Xml;
#[cfg(feature = "legacy")]
pub use set::Set;
#[cfg(feature = "legacy")]
pub use single_byte::SingleByte;
pub use stateless::{Decoded, Encoded, Stateless, StatelessCodec};
#[cfg(feature = "legacy")]
pub use structure::Structure;
#[cfg(feature = "legacy")]
pub use tscii::{Tscii, TsciiEncoder};
pub use ucs::{Ucs2, Ucs4};
pub use utf_ebcdic::UtfEbcdic;
pub use utf1::Utf1;
pub use utf8::Utf8;
pub use utf8_mac::Utf8Mac;
pub use utf16::Utf16;
pub use utf32::Utf32;
#[cfg(feature = "legacy")]
pub use wide_sequence::{LONGEST_FORM, WideSequence};
pub use wtf8::{GeneralizedUtf8, Wtf8, Wtf8Encoder};
pub use wtf16::Wtf16;

pub use bocu1::Bocu1;
pub use scsu::Scsu;
pub use scsu_encoder::ScsuEncoder;
pub use stateful::Stateful;
pub use utf7::{Utf7, Utf7Encoder, Utf7Variant};

use crate::unicode::{CodePoint, IllFormed};
use oxiconv_kernels::{EncodingForm, FormPair, Progress};

/// The order of the bytes in a 16- or 32-bit code unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ByteOrder {
    /// Most significant byte first.
    #[default]
    Big,
    /// Least significant byte first.
    Little,
}

/// Any value that an encoding here can hold: up to 65 bits. A value that fits a [`CodePoint`] is passed as one.
pub type Value = u128;

/// Free output, in bytes, with which a call of an encoder always makes progress.
pub const MIN_OUTPUT: usize = 64;
/// Free output, in code points, with which a call of a decoder always makes progress.
pub const MIN_PIVOT: usize = 8;

/// What one call of [`Decoder::decode`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeProgress {
    /// Bytes read.
    pub read: usize,
    /// Code points written.
    pub written: usize,
    /// Why it stopped.
    pub stop: DecodeStop,
}

/// Why a decoder stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecodeStop {
    /// The input is used up, except for a sequence that its end cuts. With `last` nothing is left.
    InputEmpty,
    /// The output has no room for the next character.
    OutputFull,
    /// An ill-formed subsequence is next. It is not read: the caller continues after its `len` bytes.
    IllFormed(IllFormed),
    /// The next character has a value with more bits than a [`CodePoint`]. It is not read: the caller continues after
    /// its `len` bytes.
    Large {
        /// Its value, at most 65 bits.
        value: Value,
        /// Its length in bytes.
        len: usize,
    },
}

/// Decodes bytes to code points.
pub trait Decoder: Send {
    /// Decodes from the start of `input`, as far as it is well-formed and complete and fits into `output`.
    ///
    /// `last` says that no byte follows `input`: only then is a sequence that its end cuts ill-formed. Otherwise the
    /// caller passes the unread bytes again, with more after them. With [`MIN_PIVOT`] code points of free output, a
    /// call makes progress unless the input is cut.
    fn decode(&mut self, input: &[u8], output: &mut [CodePoint], last: bool) -> DecodeProgress;

    /// Converts with the kernels of `pair`, which read its form, and continues after ill-formed subsequences: each is
    /// counted in `lossy` and replaced by the substitute. Well-formed text is counted there too.
    ///
    /// Stops in front of anything else, as kernels do, and in front of a sequence that the end of the input cuts.
    fn convert_lossy(
        &mut self,
        pair: &FormPair,
        input: &[u8],
        output: &mut [u8],
        lossy: &mut Lossy,
    ) -> Progress {
        let _ = (pair, input, output, lossy);
        Progress::default()
    }

    /// Appends to `row` the adjacent ill-formed subsequences at the start of `input`, at most `most`, and returns
    /// whether a character is known to follow them. It may find none, and changes nothing else.
    fn ill_formed_row(&self, input: &[u8], most: usize, row: &mut Vec<IllFormed>) -> bool {
        let _ = (input, most, row);
        false
    }

    /// Returns the encoding form, if it decodes exactly what the kernels for that form read: see [`oxiconv_kernels`].
    fn form(&self) -> Option<EncodingForm> {
        None
    }

    /// Whether [`Decoder::decode_to_utf8`] converts.
    fn writes_utf8(&self) -> bool {
        false
    }

    /// Converts a well-formed run to UTF-8, under the contract of [`oxiconv_kernels`], except that it may stop before the
    /// run ends.
    fn decode_to_utf8(&self, input: &[u8], output: &mut [u8]) -> Progress {
        let _ = (input, output);
        Progress::default()
    }

    /// Whether a sequence of bytes may stand for several code points. A decoder whose answer is no never has one.
    fn has_sequences(&self) -> bool {
        true
    }

    /// Whether the bytes that it just stopped at, an ill-formed subsequence, could have become a character if another byte
    /// followed them.
    fn judges_by_next(&self, bytes: &[u8]) -> bool {
        let decoded = self.fork().decode(bytes, &mut [0; MIN_PIVOT], false);
        !matches!(decoded.stop, DecodeStop::IllFormed(_))
    }

    /// Returns a decoder in the same state, to decode the same bytes a second time.
    fn fork(&self) -> Box<dyn Decoder>;
}

/// What one call of [`Encoder::encode`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EncodeProgress {
    /// Code points read.
    pub read: usize,
    /// Bytes written.
    pub written: usize,
    /// Why it stopped.
    pub stop: EncodeStop,
}

/// Why an encoder stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncodeStop {
    /// Every code point is encoded.
    InputEmpty,
    /// The output has no room for the next code point.
    OutputFull,
    /// The encoding cannot represent the next code point. It is not read.
    Unmappable,
}

/// Encodes code points to bytes.
pub trait Encoder: Send {
    /// Encodes from the start of `input`, as far as each code point can be represented and fits into `output`.
    ///
    /// With [`MIN_OUTPUT`] bytes of free output, a call makes progress.
    fn encode(&mut self, input: &[CodePoint], output: &mut [u8]) -> EncodeProgress;

    /// Encodes one value that is too large for a [`CodePoint`], and returns the number of bytes written; `None` if the
    /// encoding cannot represent it, as most cannot.
    ///
    /// `output` must hold at least [`MIN_OUTPUT`] bytes.
    fn encode_large(&mut self, value: Value, output: &mut [u8]) -> Option<usize> {
        let _ = (value, output);
        None
    }

    /// Returns the code point that the table of the encoding gives as the best fit for one that it lacks: it is written
    /// instead only where a transliteration is asked for.
    fn best_fit(&self, cp: CodePoint) -> Option<CodePoint> {
        let _ = cp;
        None
    }

    /// Returns the encoding form, if it encodes exactly as the kernels for that form: see [`oxiconv_kernels`].
    fn form(&self) -> Option<EncodingForm> {
        None
    }

    /// Whether [`Encoder::encode_from_utf8`] converts.
    fn reads_utf8(&self) -> bool {
        false
    }

    /// Converts a well-formed run of UTF-8 that the encoding has, under the contract of [`oxiconv_kernels`], except that
    /// it may stop before the run ends.
    fn encode_from_utf8(&self, input: &[u8], output: &mut [u8]) -> Progress {
        let _ = (input, output);
        Progress::default()
    }

    /// Whether what it writes for a character may depend on the one before it, so that two texts are not written as
    /// their concatenation.
    fn joins(&self) -> bool {
        false
    }

    /// Returns how many bytes [`Encoder::finish`] would write now, exactly.
    fn pending(&self) -> usize {
        0
    }

    /// Writes, at the very end, what is held back and what returns the output to its initial state. Returns the number
    /// of bytes written.
    ///
    /// `output` must hold at least [`MIN_OUTPUT`] bytes.
    fn finish(&mut self, output: &mut [u8]) -> usize {
        let _ = output;
        0
    }

    /// Returns an encoder in the same state, to encode the same code points a second time.
    fn fork(&self) -> Box<dyn Encoder>;
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod walk;
