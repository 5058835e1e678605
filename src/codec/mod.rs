//! Decoders and encoders: bytes to code points and back, and what stops them.
//!
//! ```text
//! bytes ──► Decoder ──► [CodePoint] ──► Encoder ──► bytes
//!              └─ IllFormed { len, kind }     └─ Unmappable
//! ```
//!
//! Neither skips, replaces or reports anything: each stops in front of what it cannot do and says why. What happens then
//! is the policy of `transcode`. A decoder keeps no bytes back between calls: a sequence that the input cuts is left
//! unread, and the caller shows it again with what follows. So the result cannot depend on where the input was cut.
//!
//! Most encodings keep no state at all. Each of those is a [`StatelessCodec`]: how one character is read and written, and, where
//! there is one, the kernel that does long well-formed runs. [`Stateless`] makes the decoder and the encoder of it.

mod ascii;
mod c_escapes;
mod cesu8;
mod codes;
#[cfg(feature = "legacy")]
mod composing;
#[cfg(feature = "legacy")]
mod decode_table;
mod escapes;
#[cfg(feature = "legacy")]
mod euc_jp;
mod extended;
#[cfg(feature = "legacy")]
mod gb18030;
mod html;
#[cfg(feature = "legacy")]
mod iso2022jp;
mod lossy;
mod plain;
mod references;
#[cfg(feature = "legacy")]
pub mod sets;
mod single_byte;
mod stateless;
mod subpart;
pub(crate) mod tables;
mod ucs;
mod utf1;
mod utf16;
mod utf32;
mod utf8;
mod utf_ebcdic;
#[cfg(feature = "legacy")]
mod web_table;
#[cfg(feature = "legacy")]
mod whatwg;
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
pub use composing::{Composing, ComposingDecoder, WINDOWS_1255, WINDOWS_1258};
pub use escapes::{C99, Java, Watching};
#[cfg(feature = "legacy")]
pub use euc_jp::EucJp;
pub use extended::Extended;
#[cfg(feature = "legacy")]
pub use gb18030::Gb18030;
pub use html::Html;
#[cfg(feature = "legacy")]
pub use iso2022jp::{Iso2022Jp, Iso2022JpEncoder};
pub use lossy::Lossy;
pub use references::Xml;
pub use single_byte::{SingleByte, SingleByteSet};
pub use stateless::{Decoded, Encoded, Stateless, StatelessCodec};
pub use ucs::{Ucs2, Ucs4};
pub use utf_ebcdic::UtfEbcdic;
pub use utf1::Utf1;
pub use utf8::Utf8;
pub use utf16::Utf16;
pub use utf32::Utf32;
#[cfg(feature = "legacy")]
pub use whatwg::{BIG5, CP932, CP949, DoubleByte, GBK};
pub use wtf8::{GeneralizedUtf8, Wtf8, Wtf8Encoder};
pub use wtf16::Wtf16;

pub use bocu1::Bocu1;
pub use scsu::Scsu;
pub use scsu_encoder::ScsuEncoder;
pub use stateful::Stateful;
pub use utf7::{Utf7, Utf7Encoder, Utf7Variant};

use crate::kernels::{EncodingForm, Pair, Progress};
use crate::unicode::{CodePoint, IllFormed};

/// The order of the bytes in a 16- or 32-bit code unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ByteOrder {
    /// Most significant byte first.
    #[default]
    Big,
    /// Least significant byte first.
    Little,
}

/// Any value that an encoding here can hold: up to 65 bits. What a [`CodePoint`] has room for goes as one.
pub type Value = u128;

/// Room, in bytes, with which an encoder's call is sure to make progress.
pub const MIN_OUTPUT: usize = 64;
/// Room, in code points, with which a decoder's call is sure to make progress.
pub const MIN_PIVOT: usize = 8;

/// How far one call of [`Decoder::decode`] came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeProgress {
    /// Bytes read.
    pub read: usize,
    /// Code points written.
    pub written: usize,
    /// Why it stopped there.
    pub stop: DecodeStop,
}

/// What stopped a decoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecodeStop {
    /// The input is used up, but for a sequence cut by its end. After `last` nothing is left.
    InputEmpty,
    /// The output has no room for what comes next.
    OutputFull,
    /// An ill-formed subsequence stands next. It is not read: the caller goes on `len` bytes later.
    IllFormed(IllFormed),
    /// A character whose value has more bits than a [`CodePoint`] stands next. It is not read: the caller goes on `len`
    /// bytes later.
    Large {
        /// Its value, at most 65 bits.
        value: Value,
        /// Its length in bytes.
        len: usize,
    },
}

/// From bytes to code points.
pub trait Decoder: Send {
    /// Decodes from the start of `input` as far as it is well-formed, complete and fits `output`.
    ///
    /// `last` says that no byte follows `input`: only then is a sequence that its end cuts ill-formed.
    /// Otherwise the caller presents the unread bytes again, with more after them.
    /// With [`MIN_PIVOT`] code points of room a call makes progress, unless the input is cut.
    fn decode(&mut self, input: &[u8], output: &mut [CodePoint], last: bool) -> DecodeProgress;

    /// Converts by the kernels of `pair`, which read its form, past ill-formed subsequences: each is counted in `lossy`, and
    /// its substitute in the other form stands for it. What is well-formed is counted there too.
    ///
    /// Stops in front of anything else, as kernels do, and in front of what the end of the input cuts.
    fn convert_lossy(
        &mut self,
        pair: &Pair,
        input: &[u8],
        output: &mut [u8],
        lossy: &mut Lossy,
    ) -> Progress {
        let _ = (pair, input, output, lossy);
        Progress::default()
    }

    /// Appends to `row` the ill-formed subsequences that stand side by side at the start of `input`, at most `most`, and
    /// says whether a character is known to follow them. It may find none, and changes nothing.
    fn ill_formed_row(&self, input: &[u8], most: usize, row: &mut Vec<IllFormed>) -> bool {
        let _ = (input, most, row);
        false
    }

    /// The form that it reads, and nothing else, as its kernels do: see [`crate::kernels`].
    fn form(&self) -> Option<EncodingForm> {
        None
    }

    /// A decoder in the same state, to walk the same bytes a second time.
    fn fork(&self) -> Box<dyn Decoder>;
}

/// How far one call of [`Encoder::encode`] came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EncodeProgress {
    /// Code points read.
    pub read: usize,
    /// Bytes written.
    pub written: usize,
    /// Why it stopped there.
    pub stop: EncodeStop,
}

/// What stopped an encoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncodeStop {
    /// Every code point is encoded.
    InputEmpty,
    /// The output has no room for the next code point.
    OutputFull,
    /// The encoding has no form for the next code point. It is not read.
    Unmappable,
}

/// From code points to bytes.
pub trait Encoder: Send {
    /// Encodes from the start of `input` as far as each code point has a form and fits `output`.
    ///
    /// With [`MIN_OUTPUT`] bytes of room a call makes progress.
    fn encode(&mut self, input: &[CodePoint], output: &mut [u8]) -> EncodeProgress;

    /// Encodes one value that a [`CodePoint`] has no room for, and returns the bytes written; `None` where the encoding
    /// has no form for it, as most have not.
    ///
    /// `output` must hold at least [`MIN_OUTPUT`] bytes.
    fn encode_large(&mut self, value: Value, output: &mut [u8]) -> Option<usize> {
        let _ = (value, output);
        None
    }

    /// The form that it writes, and nothing else, as its kernels do: see [`crate::kernels`].
    fn form(&self) -> Option<EncodingForm> {
        None
    }

    /// How many bytes [`Encoder::finish`] would write now, exactly.
    fn pending(&self) -> usize {
        0
    }

    /// Writes what is held back and what brings the output back to its initial state, at the very end, and returns the
    /// bytes written.
    ///
    /// `output` must hold at least [`MIN_OUTPUT`] bytes.
    fn finish(&mut self, output: &mut [u8]) -> usize {
        let _ = output;
        0
    }
}

#[cfg(test)]
mod tests;
