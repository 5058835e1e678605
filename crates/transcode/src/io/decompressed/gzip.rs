//! A gzip file: members (RFC 1952), one after the other.
//!
//! ```text
//! header ─► deflated data (RFC 1951) ─► CRC-32, length ─┬─► next header
//!                                                       └─► zeros, end
//! ```
//!
//! flate2 inflates the data, but headers and trailers are read here. Its own multi-member reader reports zeros after
//! the last member as an error, and other bytes there as a missing end.

use std::io::{self, Read};

use flate2::{Crc, Decompress, FlushDecompress, Status};

use super::compressed_input::CompressedInput;
use super::decompression_error::{Compression, DecompressionError};

/// ID1, ID2 and CM (2.3.1). "Deflate" is the only compression method.
const MAGIC: [u8; 3] = [0x1F, 0x8B, 8];
/// The length of MTIME, XFL and OS, which follow the flags.
const FIXED_FIELDS: usize = 6;

/// Flags (2.3.1): the optional fields of the header.
const FHCRC: u8 = 1 << 1;
const FEXTRA: u8 = 1 << 2;
const FNAME: u8 = 1 << 3;
const FCOMMENT: u8 = 1 << 4;
const RESERVED: u8 = 0b1110_0000;

/// Whether `start` begins a member.
pub(super) fn is_magic(start: &[u8]) -> bool {
    start.starts_with(&MAGIC)
}

/// Whether `start` is a prefix of the magic number.
#[cfg(feature = "program")]
pub(super) fn may_begin(start: &[u8]) -> bool {
    MAGIC.starts_with(start)
}

/// Reads the content of all members, concatenated.
pub(super) struct Gzip<R> {
    data: CompressedInput<R>,
    inflate: Decompress,
    /// The checksum and the length of the content of this member so far.
    crc: Crc,
    next: MemberPart,
}

/// The part of a member that is read next.
#[derive(Clone, Copy, Debug)]
enum MemberPart {
    /// The header, or the end of the input.
    Header,
    Data,
    Trailer,
}

impl<R: Read> Gzip<R> {
    pub(super) fn new(data: CompressedInput<R>) -> Self {
        Self { data, inflate: Decompress::new(false), crc: Crc::new(), next: MemberPart::Header }
    }

    pub(super) fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.next {
                MemberPart::Header => {
                    if !self.has_next()? {
                        return Ok(0);
                    }
                    self.read_header()?;
                }
                MemberPart::Data => {
                    let written = self.inflate(to)?;
                    if written > 0 {
                        return Ok(written);
                    }
                }
                MemberPart::Trailer => self.read_trailer()?,
            }
        }
    }

    /// Whether another member follows. gzip takes zeros after the last one for padding, because tapes are written in
    /// blocks.
    fn has_next(&mut self) -> io::Result<bool> {
        let offset = self.data.consumed();
        let start = self.data.peek(MAGIC.len())?;
        if is_magic(start) {
            return Ok(true);
        }
        while let bytes = self.data.peek(1)?
            && !bytes.is_empty()
        {
            if bytes.iter().any(|byte| *byte != 0) {
                return Err(DecompressionError::Trailing {
                    compression: Compression::Gzip,
                    offset,
                }
                .into());
            }
            let len = bytes.len();
            self.data.consume(len);
        }
        Ok(false)
    }

    /// Reads a header (2.3): ten fixed bytes, and then the optional fields in this order, each if its flag is set:
    ///
    /// ```text
    /// 1F 8B 08 │ FLG │ MTIME, XFL, OS │ FEXTRA: length, bytes │ FNAME … 00 │ FCOMMENT … 00 │ FHCRC: CRC16
    /// ```
    ///
    /// Nothing in it matters for the text. But it may be of any length, and it has a checksum of its own, so it is read
    /// byte by byte and never kept.
    fn read_header(&mut self) -> io::Result<()> {
        let mut header = GzipHeader { data: &mut self.data, crc: Crc::new() };
        header.array::<{ MAGIC.len() }>()?;
        let [flags] = header.array()?;
        if flags & RESERVED != 0 {
            return Err(DecompressionError::Corrupt(Compression::Gzip).into());
        }
        header.array::<FIXED_FIELDS>()?;
        if flags & FEXTRA != 0 {
            let len = u16::from_le_bytes(header.array()?);
            for _ in 0..len {
                header.array::<1>()?;
            }
        }
        for _ in 0..(flags & (FNAME | FCOMMENT)).count_ones() {
            while header.array()? != [0] {}
        }
        let crc = header.crc.sum();
        // CRC16 is the low half of the CRC-32 of the header.
        if flags & FHCRC != 0 && u32::from(u16::from_le_bytes(header.array()?)) != crc & 0xFFFF {
            return Err(DecompressionError::Checksum(Compression::Gzip).into());
        }
        self.inflate.reset(false);
        self.crc.reset();
        self.next = MemberPart::Data;
        Ok(())
    }

    /// Inflates data into `to`, and returns the number of bytes written; 0 means that the caller should call again, or
    /// that the member has ended.
    ///
    /// An empty input is passed to the decoder as well, because it may still hold output that did not fit before. Only
    /// if that yields nothing either, the data is truncated.
    fn inflate(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let data = self.data.peek(1)?;
        let at_end = data.is_empty();
        let (read, written) = (self.inflate.total_in(), self.inflate.total_out());
        let status = self.inflate.decompress(data, to, FlushDecompress::None);
        // Neither exceeds the length of its slice, so it fits into `usize`.
        let read = (self.inflate.total_in() - read) as usize;
        let written = (self.inflate.total_out() - written) as usize;
        self.data.consume(read);
        self.crc.update(&to[..written]);
        match status {
            Ok(Status::StreamEnd) => self.next = MemberPart::Trailer,
            Ok(Status::Ok | Status::BufError) if written == 0 && at_end => {
                return Err(DecompressionError::CutOff(Compression::Gzip).into());
            }
            Ok(Status::Ok | Status::BufError) if written == 0 && read == 0 => {
                return Err(DecompressionError::Corrupt(Compression::Gzip).into());
            }
            Ok(Status::Ok | Status::BufError) => {}
            // What was decoded before the error is returned first. The decoder fails again on the next call.
            Err(_) if written > 0 => {}
            Err(_) => return Err(DecompressionError::Corrupt(Compression::Gzip).into()),
        }
        Ok(written)
    }

    fn read_trailer(&mut self) -> io::Result<()> {
        self.next = MemberPart::Header;
        let crc = u32::from_le_bytes(self.data.array(Compression::Gzip)?);
        let len = u32::from_le_bytes(self.data.array(Compression::Gzip)?);
        if crc != self.crc.sum() {
            return Err(DecompressionError::Checksum(Compression::Gzip).into());
        }
        // ISIZE is the length modulo 2^32, and so is `amount`.
        if len != self.crc.amount() {
            return Err(DecompressionError::Length(Compression::Gzip).into());
        }
        Ok(())
    }
}

/// Reads a header, and computes its checksum.
struct GzipHeader<'a, R> {
    data: &'a mut CompressedInput<R>,
    crc: Crc,
}

impl<R: Read> GzipHeader<'_, R> {
    fn array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let bytes = self.data.array(Compression::Gzip)?;
        self.crc.update(&bytes);
        Ok(bytes)
    }
}
