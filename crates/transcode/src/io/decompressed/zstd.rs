//! Frames of zstd (RFC 8878, 3.1), one after the other.
//!
//! ```text
//! header ─► blocks ─► checksum ─┬─► next header, or that of a skippable frame
//!                               └─► end
//! ```
//!
//! ruzstd decodes the blocks. Its own reader ends after the first frame, reports skippable ones as a fault, accepts a
//! wrong checksum, and reserves whatever window a header asks for.

use std::io::{self, Read};

use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::compressed_input::CompressedInput;
use super::decompression_error::{Compression, DecompressionError};

/// The longest window that RFC 8878 (3.1.1.1.2) recommends to support, in bytes. All levels of zstd but its "ultra"
/// ones have a shorter one, or this.
const MAX_WINDOW: u64 = 8 << 20;

/// Magic_Number, with the least significant byte first (3.1.1).
const MAGIC: [u8; 4] = 0xFD2F_B528_u32.to_le_bytes();
/// The last three bytes of the Magic_Number of a skippable frame; the first is 50 to 5F (3.1.2).
const SKIPPABLE: [u8; 3] = [0x2A, 0x4D, 0x18];
/// The bytes of the longest header.
const MAX_HEADER: usize = 18;

/// Whether data with these first bytes is a frame.
pub(super) fn is_magic(start: &[u8]) -> bool {
    start.starts_with(&MAGIC) || is_skippable(start)
}

/// Whether more bytes may make a frame of these.
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

/// The texts of all frames.
pub(super) struct Zstd<R> {
    data: CompressedInput<R>,
    decoder: FrameDecoder,
    /// Whether the decoder has begun a frame.
    is_used: bool,
    frame: Option<ZstdFrame>,
}

/// The frame that is read.
struct ZstdFrame {
    /// Bytes of the text that were read.
    read: u64,
    /// Bytes that it has, if the header says so.
    len: Option<u64>,
    has_checksum: bool,
}

impl<R: Read> Zstd<R> {
    /// Creates a reader of data that begins with a frame.
    pub(super) fn new(data: CompressedInput<R>) -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(MAX_WINDOW);
        Self { data, decoder, is_used: false, frame: None }
    }

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
            let blocks = BlockDecodingStrategy::UptoBlocks(1);
            if self.decoder.decode_blocks(&mut self.data, blocks).is_err() {
                return Err(self.data.rejected(Compression::Zstd));
            }
        }
    }

    /// Reads the header of the next frame, unless it is a skippable one; `false` at the end.
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
        // A decoder reserves the window only if it was used before. If it grew to it, it would take twice the memory.
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
    /// Checks its length and checksum, after all its text was read.
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

/// The header of a frame (3.1.1.1), with the Magic_Number.
struct ZstdFrameHeader {
    bytes: [u8; MAX_HEADER],
    len: usize,
    /// Window_Size.
    window: u64,
    /// Dictionary_ID; 0 means that there is no dictionary.
    dictionary: u32,
    /// Frame_Content_Size.
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
            // The Reserved_bit.
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
            // The whole text is in memory.
            None => content.unwrap_or(0),
            Some(descriptor) => {
                let base = 1_u64 << (10 + (descriptor >> 3));
                base + base / 8 * (descriptor & 7)
            }
        };
        let Fields { bytes, len, .. } = fields;
        // It has at most four bytes.
        let dictionary = dictionary as u32;
        Ok(Self { bytes, len, window, dictionary, content, has_checksum: descriptor & 4 != 0 })
    }
}

/// The fields of a header, and their bytes.
struct Fields<'a, R> {
    data: &'a mut CompressedInput<R>,
    bytes: [u8; MAX_HEADER],
    len: usize,
}

impl<R: Read> Fields<'_, R> {
    /// Reads a number of this many bytes, with the least significant one first.
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
