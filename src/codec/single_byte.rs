//! Single-byte character sets: tables of 256 codes.
//!
//! ```text
//! SingleByteSet ──► once, if it is used: Codes, the character of each byte ──► EncodeTable ──► SingleByte, a StatelessCodec
//! ```
//!
//! A set is the table of its characters (`tables.rs`), or US-ASCII with the upper half of a table of encoding_rs
//! (`sets.rs`).

use std::sync::OnceLock;

use super::codes::EncodeTable;
#[cfg(feature = "legacy")]
use super::web_table::WebTable;
use super::{Decoded, Encoded, StatelessCodec};
use crate::kernels::{Codes, Progress, active};
use crate::unicode::{CodePoint, IllFormed, IllFormedKind};

/// A character set, and its tables once they are used.
#[derive(Debug)]
pub struct SingleByteSet {
    source: Source,
    decode: OnceLock<Codes>,
    encode: OnceLock<EncodeTable>,
}

#[derive(Debug)]
enum Source {
    /// The character of each byte.
    Table(&'static [u16; 256]),
    /// US-ASCII, with the upper half of a table of encoding_rs.
    #[cfg(feature = "legacy")]
    Web(WebTable),
}

impl SingleByteSet {
    const fn new(source: Source) -> Self {
        Self { source, decode: OnceLock::new(), encode: OnceLock::new() }
    }

    /// Creates the set of these characters; FFFF means undefined.
    pub const fn table(characters: &'static [u16; 256]) -> Self {
        Self::new(Source::Table(characters))
    }

    /// Creates the set of US-ASCII with the upper half of a table of encoding_rs.
    #[cfg(feature = "legacy")]
    pub(super) const fn web(table: WebTable) -> Self {
        Self::new(Source::Web(table))
    }

    /// Returns the character of each byte.
    pub(super) fn codes(&self) -> &Codes {
        self.decode.get_or_init(|| {
            Codes::new(match &self.source {
                Source::Table(characters) => **characters,
                #[cfg(feature = "legacy")]
                Source::Web(table) => table.characters(),
            })
        })
    }

    /// Returns the byte of each character.
    pub(super) fn bytes(&self) -> &EncodeTable {
        self.encode.get_or_init(|| EncodeTable::of(self.codes()))
    }
}

/// The codec of a single-byte character set.
#[derive(Clone, Copy, Debug)]
pub struct SingleByte(&'static SingleByteSet);

impl SingleByte {
    /// Creates the codec of `set`. The first use of each direction builds its table, in some microseconds.
    pub const fn new(set: &'static SingleByteSet) -> Self {
        Self(set)
    }

    /// Returns the character of a byte, or `None`.
    pub(super) fn character(self, byte: u8) -> Option<u16> {
        self.0.codes().character(byte)
    }

    /// Returns the byte of a character, or `None`.
    #[cfg(feature = "legacy")]
    pub(super) fn byte(self, cp: CodePoint) -> Option<u8> {
        self.0.bytes().get(cp).map(|code| code as u8)
    }
}

impl StatelessCodec for SingleByte {
    fn decode_run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        let done = (active().table)(self.0.codes(), input, output);
        Progress { read: done, written: done }
    }

    fn decode_one(&self, input: &[u8]) -> Decoded {
        match self.character(input[0]) {
            Some(cp) => Decoded::Character { cp: cp.into(), len: 1 },
            None => Decoded::IllFormed(IllFormed::new(1, IllFormedKind::InvalidByte)),
        }
    }

    fn encode_run(&self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        self.0.bytes().encode(input, output, |_| None)
    }

    fn encode_one(&self, cp: CodePoint) -> Option<Encoded> {
        self.0.bytes().bytes(cp)
    }
}

#[cfg(test)]
#[cfg(feature = "legacy")]
mod tests {
    use super::super::sets;
    use super::*;
    use crate::codec::{
        DecodeStop, Decoder, EncodeStop, Encoder, MIN_OUTPUT, MIN_PIVOT, Stateless,
    };

    #[test]
    fn a_byte_that_the_code_page_leaves_undefined_is_ill_formed() {
        let scheme = SingleByte::new(&sets::WINDOWS_1252);
        assert_eq!(scheme.decode_one(b"\x80"), Decoded::Character { cp: 0x20AC, len: 1 });
        for byte in [0x81, 0x8D, 0x8F, 0x90, 0x9D] {
            let expected = Decoded::IllFormed(IllFormed::new(1, IllFormedKind::InvalidByte));
            assert_eq!(scheme.decode_one(&[byte]), expected, "{byte:X}");
            assert_eq!(scheme.encode_one(byte.into()), None, "{byte:X}");
        }
    }

    #[test]
    fn a_run_stops_in_front_of_what_it_cannot_convert() {
        let scheme = SingleByte::new(&sets::WINDOWS_1252);
        let input = b"0123456789 0123456789\x80 \x93x\x94 \x9D rest";
        let hole = input.iter().position(|byte| *byte == 0x9D).unwrap();
        let mut output = [0; 64];
        let run = scheme.decode_run(input, &mut output);
        assert_eq!(run, Progress { read: hole, written: hole });
        assert_eq!(output[21..26], [0x20AC, 0x20, 0x201C, 0x78, 0x201D]);
        let mut bytes = [0; 64];
        let back = scheme.encode_run(&[&output[..hole], &[0x9D]].concat(), &mut bytes);
        assert_eq!(back, Progress { read: hole, written: hole });
        assert_eq!(bytes[..hole], input[..hole]);
    }

    /// A set like EBCDIC: ASCII capital letters from C1 on, 41 is not A, U+0000 is not at 00, and FF is undefined.
    static TOY: SingleByteSet = SingleByteSet::table(&TOY_CHARACTERS);
    static TOY_CHARACTERS: [u16; 256] = {
        let mut characters = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            characters[byte] = ((byte + 0x80) % 0x100) as u16;
            byte += 1;
        }
        characters[0x41] = 0x20AC;
        characters[0x00] = 0x3A9;
        characters[0xFF] = Codes::NONE;
        characters
    };

    #[test]
    fn a_set_need_not_begin_with_ascii() {
        let codec = SingleByte::new(&TOY);
        assert_eq!(codec.decode_one(b"\x41"), Decoded::Character { cp: 0x20AC, len: 1 });
        assert_eq!(codec.decode_one(b"\xC1"), Decoded::Character { cp: 0x41, len: 1 });
        assert_eq!(codec.decode_one(b"\x00"), Decoded::Character { cp: 0x3A9, len: 1 });
        assert_eq!(codec.decode_one(b"\x80"), Decoded::Character { cp: 0, len: 1 });
        let nothing = Decoded::IllFormed(IllFormed::new(1, IllFormedKind::InvalidByte));
        assert_eq!(codec.decode_one(b"\xFF"), nothing);
        for (cp, byte) in [(0x20AC, 0x41), (0x41, 0xC1), (0x3A9, 0x00), (0, 0x80), (0xC2, 0x42)] {
            assert_eq!(codec.encode_one(cp), Some(Encoded::new(&[byte])), "{cp:X}");
        }
        // Characters that are not in the table: U+007F, and those whose places others have.
        for cp in [0x7F, 0xC1, 0xFFFF, 0x1_0041] {
            assert_eq!(codec.encode_one(cp), None, "{cp:X}");
        }
    }

    /// Runs of every length, with and without bytes below 80, in both directions.
    #[test]
    fn a_run_of_a_set_that_is_not_ascii_is_converted_by_its_table() {
        let codec = SingleByte::new(&TOY);
        let character = |byte: u8| match byte {
            0x41 => 0x20AC,
            0 => 0x3A9,
            byte => CodePoint::from(byte.wrapping_add(0x80)),
        };
        for (first, count) in [(0x00_u8, 0x80), (0x40, 1), (0x30, 0xC0), (0x80, 0x7F)] {
            for len in 0..200 {
                let input: Vec<u8> = (0..len).map(|at| first + (at % count) as u8).collect();
                let expected: Vec<CodePoint> = input.iter().map(|byte| character(*byte)).collect();
                let mut output = vec![0; len];
                let run = codec.decode_run(&input, &mut output);
                assert_eq!((run.read, &output), (len, &expected));
                let mut bytes = vec![0; len];
                let run = codec.encode_run(&expected, &mut bytes);
                assert_eq!((run.read, &bytes), (len, &input));
            }
        }
        let mut output = [0; 8];
        let run = codec.decode_run(b"\xC1\x41\xFF\xC2", &mut output);
        assert_eq!((run.read, &output[..2]), (2, &[0x41, 0x20AC][..]));
    }

    /// Decoder and encoder handle what the table lacks according to the policy; the byte is reported.
    #[test]
    fn a_set_that_is_not_ascii_goes_through_the_frame() {
        let text = b"\xC8\x00\xE5\xFF\x41";
        let mut decoder = Stateless(SingleByte::new(&TOY));
        let mut output = [0; MIN_PIVOT];
        let done = decoder.decode(text, &mut output, true);
        assert_eq!((done.read, &output[..3]), (3, &[0x48, 0x3A9, 0x65][..]));
        let invalid = IllFormed::new(1, IllFormedKind::InvalidByte);
        assert_eq!(done.stop, DecodeStop::IllFormed(invalid));
        let mut row = Vec::new();
        assert!(decoder.ill_formed_row(&text[3..], 4, &mut row));
        assert_eq!(row, [invalid]);
        let mut bytes = [0; MIN_OUTPUT];
        let done =
            Stateless(SingleByte::new(&TOY)).encode(&[0x48, 0x3A9, 0x20AC, 0x7F], &mut bytes);
        assert_eq!((done.read, done.stop), (3, EncodeStop::Unmappable));
        assert_eq!(bytes[..done.written], *b"\xC8\x00\x41");
    }
}
