//! Decoders and encoders: bytes to code points and back, and the reasons why they stop.
//!
//! ```text
//! bytes ──► Decoder ──► [CodePoint] ──► Encoder ──► bytes
//!              └─ IllFormed { len, kind }     └─ Unmappable
//! ```
//!
//! Neither skips, replaces or reports anything: each stops before what it cannot convert, and says why. The policy is
//! in `transcode`. A decoder keeps no bytes between calls: it leaves an incomplete sequence at the end of the input
//! unread, and the caller passes it again with what follows. So the result cannot depend on where the input was split.
//!
//! `decode` and `encode` can convert everything, and are the last of three ways. `direct.rs` of `transcode` takes the
//! first that both ends offer:
//!
//! ```text
//! both have a `form`      bytes ─► kernel ─► bytes                  UTF-8 to UTF-16LE
//! one is UTF-8            bytes ─► loop of the charset ─► bytes     Shift_JIS to UTF-8 (`decode_to_utf8`), UTF-8 to
//!                                                                   IBM037 (`encode_from_utf8`)
//! any                     bytes ─► code points ─► bytes             Shift_JIS to UTF-16LE
//! ```
//!
//! The first two stop before anything that is not clean, and the last takes it from there.
//!
//! Most encodings are stateless. Each of those is a [`StatelessCodec`]: how to decode and encode one character, and, if
//! there is one, the kernel for long well-formed runs. [`Stateless`] is its decoder and encoder. `stateful_codec.rs` is
//! the same for stateful encodings.
//!
//! The pivot is a `u32` and not a `char`, because WTF-8 and its relatives carry surrogates, and UCS-4 and the extended
//! UTF-8s carry plain numbers. A few of these have more than 32 bits, and bypass the pivot: the decoder stops before
//! such a value and returns it separately (`DecodeStop::Large`), an encoder that has a form for it writes it
//! (`encode_large`), and in any other encoding it is unmappable.

mod ascii_latin1;
mod c_escapes;
mod canonical_compositions;
mod cesu8;
#[cfg(feature = "legacy")]
mod charset_to_utf8;
#[cfg(feature = "legacy")]
mod composing;
#[cfg(feature = "legacy")]
mod dbcs_host;
#[cfg(feature = "legacy")]
mod encode_table;
mod extended;
#[cfg(feature = "legacy")]
mod extension_table;
#[cfg(feature = "legacy")]
mod gb18030;
mod html_references;
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
mod one_to_one;
#[cfg(feature = "legacy")]
mod pair_runs;
#[cfg(feature = "legacy")]
pub(crate) mod set;
#[cfg(feature = "legacy")]
mod single_byte;
mod stateless_codec;
#[cfg(feature = "legacy")]
mod structure;
mod subpart;
#[cfg(feature = "legacy")]
mod surrogate_escape;
#[cfg(feature = "legacy")]
pub mod table;
mod text_repertoire;
#[cfg(feature = "legacy")]
mod truncation;
#[cfg(feature = "legacy")]
mod tscii;
mod ucs;
mod unicode_escapes;
mod utf1;
mod utf16;
mod utf32;
mod utf8;
mod utf8_mac;
#[cfg(feature = "legacy")]
mod utf8_to_charset;
mod utf_ebcdic;
#[cfg(feature = "legacy")]
mod wide_sequence;
mod wtf16;
mod wtf8;
mod xml_references;

mod bocu1;
mod scsu;
mod scsu_encoder;
mod stateful_codec;
mod utf7;

pub use ascii_latin1::{AsciiCodec, Latin1Codec};
pub use c_escapes::CEscapes;
pub use cesu8::{Cesu8, Mutf8};
#[cfg(feature = "legacy")]
pub use composing::{Composing, ComposingDecoder, compositions};
#[cfg(feature = "legacy")]
pub use dbcs_host::{Host, HostDecoder, HostEncoder, Shifts};
pub use extended::Extended;
#[cfg(feature = "legacy")]
pub use extension_table::ExtensionTable;
#[cfg(feature = "legacy")]
pub use gb18030::{Edition, Gb18030};
pub use html_references::Html;
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
pub use mixed::{BytesAlone, Mixed, NextRegion, REGION, next_region};
#[cfg(feature = "legacy")]
pub use multi_byte::{Multi, MultiByte};
pub use newlines::{EbcdicNewline, ExchangedNewlines};
#[cfg(feature = "legacy")]
pub use set::CodedSet;
#[cfg(feature = "legacy")]
pub use single_byte::SingleByte;
pub use stateless_codec::{Decoded, Encoded, Stateless, StatelessCodec};
#[cfg(feature = "legacy")]
pub use structure::Structure;
#[cfg(feature = "legacy")]
pub use surrogate_escape::{RestoredText, escaped_byte, has_escaped_bytes};
pub use text_repertoire::TextRepertoire;
#[cfg(feature = "legacy")]
pub use truncation::{Preceding, Truncation, UsualBytes, not_letters};
#[cfg(feature = "legacy")]
pub use tscii::{Tscii, TsciiEncoder};
pub use ucs::{Ucs2, Ucs4};
pub use unicode_escapes::{C99, EscapingEncoder, Java};
pub use utf_ebcdic::UtfEbcdic;
pub use utf1::Utf1;
pub use utf8::Utf8Codec;
pub use utf8_mac::Utf8Mac;
pub use utf16::Utf16Codec;
pub use utf32::Utf32Codec;
#[cfg(feature = "legacy")]
pub use wide_sequence::{LONGEST_FORM, WideSequence};
pub use wtf8::{GeneralizedUtf8, Wtf8, Wtf8Encoder};
pub use wtf16::Wtf16;
pub use xml_references::Xml;

pub use bocu1::Bocu1;
pub use scsu::Scsu;
pub use scsu_encoder::ScsuEncoder;
pub use stateful_codec::Stateful;
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
pub type CodeValue = u128;

/// Bytes of free output with which a call of an encoder always makes progress.
///
/// A character has at most 18 bytes (nine units of nine bits), but one call may write more at once: MARC-8 writes a
/// letter that it held back, its marks and the escape sequences before them together, or not at all.
pub const MIN_OUTPUT: usize = 64;
/// Code points of free output with which a call of a decoder always makes progress: the code points of one character
/// are written together, and a letter of MARC-8 with four marks is five of them.
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
    /// The input is used up, except for an incomplete sequence at its end. With `last` nothing is left.
    InputEmpty,
    /// The output has no room for the next character.
    OutputFull,
    /// An ill-formed subsequence is next. It is not read: the caller continues after its `len` bytes.
    IllFormed(IllFormed),
    /// The next character has a value with more bits than a [`CodePoint`]. It is not read: the caller continues after
    /// its `len` bytes.
    Large {
        /// Its value, at most 65 bits.
        value: CodeValue,
        /// Its length in bytes.
        len: usize,
    },
}

/// Decodes bytes to code points.
///
/// The caller consumes what a call has read and written, acts on the reason why it stopped, and calls again. In UTF-8:
///
/// ```text
/// 61 62 C3, not the last     reads 61 62, InputEmpty: the caller passes C3 again, with more bytes
/// 61 62 C3, the last         reads 61 62, IllFormed { len: 1, TruncatedAtEnd }
/// 61 FF 62                   reads 61, IllFormed { len: 1, InvalidByte }: the caller continues at 62
/// ```
pub trait Decoder: Send {
    /// Decodes from the start of `input`, as far as it is well-formed and complete and fits into `output`.
    ///
    /// `last` says that no byte follows `input`: only then is an incomplete sequence at its end ill-formed. Otherwise
    /// the caller passes the unread bytes again, with more after them. With [`MIN_PIVOT`] code points of free output, a
    /// call makes progress unless all of the input is an incomplete sequence.
    fn decode(&mut self, input: &[u8], output: &mut [CodePoint], last: bool) -> DecodeProgress;

    /// Converts with the kernels of `pair`, whose source form this decoder reads, and continues after ill-formed
    /// subsequences: each is counted in `lossy` and replaced by the substitute. Well-formed text is counted there too.
    ///
    /// Stops before anything else, as kernels do, and before an incomplete sequence at the end of the input.
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
    /// whether a character is known to follow them. It may find none. The state of the decoder stays the same.
    fn ill_formed_row(&self, input: &[u8], most: usize, row: &mut Vec<IllFormed>) -> bool {
        let _ = (input, most, row);
        false
    }

    /// Returns the encoding form whose kernels read exactly what this decoder does, if any; see [`oxiconv_kernels`].
    fn form(&self) -> Option<EncodingForm> {
        None
    }

    /// Whether [`Decoder::decode_to_utf8`] converts.
    fn writes_utf8(&self) -> bool {
        false
    }

    /// Converts a well-formed run to UTF-8, under the contract of [`oxiconv_kernels`], except that it may stop before
    /// the run ends.
    fn decode_to_utf8(&self, input: &[u8], output: &mut [u8]) -> Progress {
        let _ = (input, output);
        Progress::default()
    }

    /// Whether a sequence of bytes may stand for several code points. If not, the caller need not look for such
    /// sequences. That matters: text in ISO-2022-JP took 1.25 times as long to CP932 when all stateful decoders
    /// answered yes.
    fn has_sequences(&self) -> bool {
        true
    }

    /// Whether `bytes`, the ill-formed subsequence that the decoder just stopped at, could have become a character if
    /// another byte followed. Then it is the next byte that makes them ill-formed, and a report shows it.
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
///
/// An encoder reads every code point that it can represent, but may hold back its bytes until the next one is known: か
/// in JIS X 0213 may become か゚. After the last call of [`Encoder::encode`], [`Encoder::finish`] writes what is held
/// back.
pub trait Encoder: Send {
    /// Encodes from the start of `input`, as far as each code point can be represented and fits into `output`.
    ///
    /// With [`MIN_OUTPUT`] bytes of free output, a call makes progress.
    fn encode(&mut self, input: &[CodePoint], output: &mut [u8]) -> EncodeProgress;

    /// Encodes one value that is too large for a [`CodePoint`], and returns the number of bytes written; `None` if the
    /// encoding cannot represent it, as most cannot.
    ///
    /// `output` must hold at least [`MIN_OUTPUT`] bytes.
    fn encode_large(&mut self, value: CodeValue, output: &mut [u8]) -> Option<usize> {
        let _ = (value, output);
        None
    }

    /// Returns the best fit that the table of the encoding has for a code point that it lacks. It is written instead
    /// only if transliteration is requested.
    fn best_fit(&self, cp: CodePoint) -> Option<CodePoint> {
        let _ = cp;
        None
    }

    /// Returns the encoding form whose kernels write exactly what this encoder does, if any; see [`oxiconv_kernels`].
    fn form(&self) -> Option<EncodingForm> {
        None
    }

    /// Whether [`Encoder::encode_from_utf8`] converts.
    fn reads_utf8(&self) -> bool {
        false
    }

    /// Converts a well-formed run of UTF-8 that the encoding can represent, under the contract of [`oxiconv_kernels`],
    /// except that it may stop before the run ends.
    fn encode_from_utf8(&self, input: &[u8], output: &mut [u8]) -> Progress {
        let _ = (input, output);
        Progress::default()
    }

    /// Whether what it writes for a character may depend on the one before, so that the encoding of two texts is not
    /// that of their concatenation.
    fn joins(&self) -> bool {
        false
    }

    /// Returns the exact number of bytes that [`Encoder::finish`] would write now.
    fn pending(&self) -> usize {
        0
    }

    /// Writes, at the end of the text, what is held back and what returns the output to its initial state. Returns the
    /// number of bytes written.
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
mod test_support;
#[cfg(test)]
mod tests;
