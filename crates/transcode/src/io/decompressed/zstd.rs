//! A zstd file: frames (RFC 8878, 3.1), one after the other.
//!
//! ```text
//! header ─► blocks ─► checksum ─┬─► next header, or a skippable frame
//!                               └─► end
//! ```
//!
//! ruzstd decodes the blocks, but headers are read here. Its own reader ends after the first frame, reports a skippable
//! frame as an error, accepts a wrong checksum, and reserves whatever window a header asks for.

use std::io::{self, Read};

use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::compressed_input::CompressedInput;
use super::decompression_error::{Compression, DecompressionError};

/// The largest window to accept in bytes, which RFC 8878 (3.1.1.1.2) recommends to support. All levels of the zstd tool
/// need this much or less, except for its "ultra" levels.
const MAX_WINDOW: u64 = 8 << 20;

/// Magic_Number (3.1.1), stored in little-endian order.
const MAGIC: [u8; 4] = 0xFD2F_B528_u32.to_le_bytes();
/// The last three bytes of the Magic_Number of a skippable frame (3.1.2). The first is 50 to 5F.
const SKIPPABLE: [u8; 3] = [0x2A, 0x4D, 0x18];
/// The most bytes of a header with its magic number: 4 + 1 + 1 + 4 + 8.
const MAX_HEADER: usize = 18;

/// Whether `start` begins a frame.
pub(super) fn is_magic(start: &[u8]) -> bool {
    start.starts_with(&MAGIC) || is_skippable(start)
}

/// Whether `start` is a prefix of a magic number.
#[cfg(feature = "program")]
pub(super) fn may_begin(start: &[u8]) -> bool {
    let skippable = match start {
        [first, rest @ ..] => matches!(first, 0x50..=0x5F) && SKIPPABLE.starts_with(rest),
        [] => true,
    };
    skippable || MAGIC.starts_with(start)
}

fn is_skippable(start: &[u8]) -> bool {
    matches!(start, [0x50..=0x5F, rest @ ..] if rest.starts_with(&SKIPPABLE))
}

/// Reads the content of all frames, concatenated.
pub(super) struct Zstd<R> {
    data: CompressedInput<R>,
    decoder: FrameDecoder,
    /// Whether the decoder has been initialized before.
    is_used: bool,
    frame: Option<ZstdFrame>,
}

struct ZstdFrame {
    /// The number of decompressed bytes so far.
    read: u64,
    /// The number of all decompressed bytes, if the header says it.
    len: Option<u64>,
    has_checksum: bool,
}

impl<R: Read> Zstd<R> {
    pub(super) fn new(data: CompressedInput<R>) -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(MAX_WINDOW);
        Self { data, decoder, is_used: false, frame: None }
    }

    /// Reads decompressed bytes. Later blocks may refer to the last window of output, so the decoder gives out only
    /// what is before that, and the rest once the frame has ended. Collecting therefore comes first. The frame is
    /// checked when nothing is left to collect, and another block is decoded only if neither applies.
    pub(super) fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        loop {
            let Some(frame) = &mut self.frame else {
                if !self.begin()? {
                    return Ok(0);
                }
                continue;
            };
            if self.decoder.can_collect() > 0 {
                let read = self.decoder.read(to)?;
                frame.read += read as u64;
                return Ok(read);
            }
            if self.decoder.is_finished() {
                frame.check(&self.decoder)?;
                self.frame = None;
                continue;
            }
            // One block at a time, so that no more than a block and the window are in memory.
            let blocks = BlockDecodingStrategy::UptoBlocks(1);
            if self.decoder.decode_blocks(&mut self.data, blocks).is_err() {
                return Err(self.data.rejected(Compression::Zstd));
            }
        }
    }

    /// Begins the next frame, or skips it if it is skippable. Returns `false` at the end of the input.
    fn begin(&mut self) -> io::Result<bool> {
        let start = self.data.peek(MAGIC.len())?;
        if start.is_empty() {
            return Ok(false);
        }
        if is_skippable(start) {
            self.data.array::<{ MAGIC.len() }>(Compression::Zstd)?;
            let len = u32::from_le_bytes(self.data.array(Compression::Zstd)?);
            self.data.skip(len.into(), Compression::Zstd)?;
            return Ok(!self.data.is_at_end()?);
        }
        if !start.starts_with(&MAGIC) {
            let offset = self.data.consumed();
            return Err(
                DecompressionError::Trailing { compression: Compression::Zstd, offset }.into()
            );
        }
        let header = ZstdFrameHeader::read(&mut self.data)?;
        if header.window > MAX_WINDOW {
            return Err(
                DecompressionError::Window { bytes: header.window, most: MAX_WINDOW }.into()
            );
        }
        if header.dictionary != 0 {
            return Err(DecompressionError::Dictionary { id: header.dictionary }.into());
        }
        // ruzstd reserves the window only when a used decoder is reset. A new one starts with an empty buffer, which
        // would grow to the window by doubling and take twice the memory. So a new decoder is initialized twice.
        let times = if self.is_used { 1 } else { 2 };
        for _ in 0..times {
            if self.decoder.init(&header.bytes[..header.len]).is_err() {
                return Err(DecompressionError::Corrupt(Compression::Zstd).into());
            }
        }
        self.is_used = true;
        let ZstdFrameHeader { content, has_checksum, .. } = header;
        self.frame = Some(ZstdFrame { read: 0, len: content, has_checksum });
        Ok(true)
    }
}

impl ZstdFrame {
    /// Checks the length and the checksum, once the whole frame is decompressed.
    fn check(&self, decoder: &FrameDecoder) -> io::Result<()> {
        if self.len.is_some_and(|len| len != self.read) {
            return Err(DecompressionError::Length(Compression::Zstd).into());
        }
        let expected = decoder.get_checksum_from_data();
        if self.has_checksum && expected != decoder.get_calculated_checksum() {
            return Err(DecompressionError::Checksum(Compression::Zstd).into());
        }
        Ok(())
    }
}

/// A frame header (3.1.1.1), including the magic number, and its raw bytes for the decoder.
///
/// ```text
/// descriptor    7 6  size of the content field: 0, 2, 4 or 8 bytes, but 1 instead of 0 in a single segment
///               5    single segment: no window descriptor
///               3    reserved
///               2    a checksum follows the blocks
///               1 0  size of the dictionary field: 0, 1, 2 or 4 bytes
/// window        7-3  exponent e     2-0  mantissa m     2^(10+e) × (1 + m/8) bytes
/// ```
///
/// A content field of two bytes counts from 256.
struct ZstdFrameHeader {
    bytes: [u8; MAX_HEADER],
    len: usize,
    window: u64,
    /// Dictionary_ID; 0 if there is none.
    dictionary: u32,
    content: Option<u64>,
    has_checksum: bool,
}

impl ZstdFrameHeader {
    fn read<R: Read>(data: &mut CompressedInput<R>) -> io::Result<Self> {
        let mut fields = Fields { data, bytes: [0; MAX_HEADER], len: 0 };
        fields.number(MAGIC.len())?;
        let descriptor = fields.number(1)?;
        let is_single_segment = descriptor & 0x20 != 0;
        if descriptor & 0x08 != 0 {
            // Reserved_bit.
            return Err(DecompressionError::Corrupt(Compression::Zstd).into());
        }
        let window = if is_single_segment { None } else { Some(fields.number(1)?) };
        let dictionary = fields.number([0, 1, 2, 4][(descriptor & 3) as usize])?;
        let content = match descriptor >> 6 {
            0 if !is_single_segment => None,
            0 => Some(fields.number(1)?),
            1 => Some(fields.number(2)? + 256),
            2 => Some(fields.number(4)?),
            _ => Some(fields.number(8)?),
        };
        let window = match window {
            // In a single segment, the window is the whole content.
            None => content.unwrap_or(0),
            Some(descriptor) => {
                let base = 1_u64 << (10 + (descriptor >> 3));
                base + base / 8 * (descriptor & 7)
            }
        };
        let Fields { bytes, len, .. } = fields;
        // Dictionary_ID has at most four bytes.
        let dictionary = dictionary as u32;
        Ok(Self { bytes, len, window, dictionary, content, has_checksum: descriptor & 4 != 0 })
    }
}

/// Reads the fields of a header, and keeps their bytes.
struct Fields<'a, R> {
    data: &'a mut CompressedInput<R>,
    bytes: [u8; MAX_HEADER],
    len: usize,
}

impl<R: Read> Fields<'_, R> {
    /// Reads a little-endian number of `bytes` bytes.
    fn number(&mut self, bytes: usize) -> io::Result<u64> {
        let mut number = 0;
        for at in 0..bytes {
            let [byte] = self.data.array(Compression::Zstd)?;
            self.bytes[self.len] = byte;
            self.len += 1;
            number |= u64::from(byte) << (8 * at);
        }
        Ok(number)
    }
}
