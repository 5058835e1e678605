//! A piece of a file, or of a text that comes through standard input: where it is cut, and its bytes.
//!
//! ```text
//! file    │head│ … │border ▒ margin│ … piece … │border ▒ margin│ …       read: the head, both margins, the piece
//! stream             │border ▒ margin … piece … border ▒ margin│         read: to the end of the second margin
//! ```
//!
//! A border is an offset that follows from the size of the text alone, so it may lie inside a character. The cut is the
//! first safe place in the margin after it (`Cuts` in the library). A piece runs from the cut after its first border to
//! the cut after its second one, so every run has to read one margin that belongs to its neighbour.
//!
//! Of a file, both cuts are found before the piece is read, by reading at offsets. A stream cannot seek: it must begin
//! at the first border and reach the end of the second margin, and where the piece ends is known only then.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use anyhow::{Context, anyhow, bail};

use oxiconv_os::stdin_file;
use oxiconv_report::grouped;
use oxiconv_transcode::io::{Access, Input, ReadSource};
use oxiconv_transcode::{Conversion, Cuts, HEAD, MARGIN, TextPiece};

use super::file_input::open;
use super::files::{FileArg, FilePart};

pub(crate) struct PartInput {
    pub(crate) input: Input,
    pub(crate) piece: Option<TextPiece>,
}

impl From<Input> for PartInput {
    fn from(input: Input) -> Self {
        Self { input, piece: None }
    }
}

pub(crate) fn open_part(file: &FileArg, conversion: &Conversion) -> anyhow::Result<PartInput> {
    let Some(part) = &file.part else { return open(file).map(PartInput::from) };
    let (input, piece) = match &file.path {
        Some(path) => of_file(path, part, conversion, file.opening.access),
        None => of_stream(stdin_file().context("(standard input)")?, part, conversion),
    }
    .with_context(|| file.label())?;
    Ok(PartInput { input, piece: Some(piece) })
}

/// Reads at an offset. A trait, so that a test can count what is read.
trait ReadAt {
    /// Reads from byte `offset` on. May return fewer bytes than `to` has room for.
    fn read_at(&self, to: &mut [u8], offset: u64) -> io::Result<usize>;
}

impl ReadAt for File {
    fn read_at(&self, to: &mut [u8], offset: u64) -> io::Result<usize> {
        oxiconv_os::read_at(self, to, offset)
    }
}

fn of_file(
    path: &Path,
    part: &FilePart,
    conversion: &Conversion,
    access: Access,
) -> anyhow::Result<(Input, TextPiece)> {
    let file = File::open(path)?;
    if file.metadata()?.len() != part.size {
        bail!("its size has changed, so the shards would not fit together");
    }
    let (cuts, start, end) = places(&file, part, conversion)?;
    let piece = TextPiece { encoding: cuts.encoding(), start, end: known(end), size: part.size };
    Ok((Input::of_range(file, start..end, access)?, piece))
}

/// Returns where a piece of a file begins and ends. Reads the head, which tells the byte order, and the margins.
fn places(
    file: &dyn ReadAt,
    part: &FilePart,
    conversion: &Conversion,
) -> anyhow::Result<(Cuts, u64, u64)> {
    let head = read(file, 0, HEAD.min(len(part.size)))?;
    let cuts = cuts(conversion, Some(&head))?;
    let cut = |border| {
        if border == 0 || border == part.size {
            return Ok(border);
        }
        let margin = read(file, border, MARGIN.min(len(part.size - border)))?;
        cuts.cut(border, &margin, part.size).ok_or_else(|| uncut(border))
    };
    let (start, end) = (cut(part.borders.start)?, cut(part.borders.end)?);
    Ok((cuts, start, end))
}

/// Saturating conversion of a length that a buffer bounds anyway.
fn len(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

fn known(end: u64) -> Arc<OnceLock<u64>> {
    Arc::new(OnceLock::from(end))
}

fn cuts(conversion: &Conversion, head: Option<&[u8]>) -> anyhow::Result<Cuts> {
    Cuts::new(conversion, head).map_err(|uncut| anyhow!("cannot be split into shards: {uncut}"))
}

/// The error for a margin without a safe place.
fn uncut(border: u64) -> anyhow::Error {
    anyhow!(
        "no line ends within {} bytes after byte {border} (0x{border:x}), where a shard would begin (use another number of \
         shards)",
        grouped(MARGIN as u64)
    )
}

fn read(file: &dyn ReadAt, offset: u64, len: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; len];
    let mut filled = 0;
    while filled < len {
        match file.read_at(&mut bytes[filled..], offset + filled as u64) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(bytes)
}

fn of_stream(
    mut stream: impl Read + 'static,
    part: &FilePart,
    conversion: &Conversion,
) -> anyhow::Result<(Input, TextPiece)> {
    let cuts = cuts(conversion, None)?;
    let mut start = part.borders.start;
    let mut first = Vec::new();
    if start > 0 {
        let wanted = MARGIN.min(len(part.size - start));
        Read::by_ref(&mut stream).take(wanted as u64).read_to_end(&mut first)?;
        if first.len() < wanted {
            return Err(short(start + first.len() as u64, part).into());
        }
        start = cuts.cut(start, &first, part.size).ok_or_else(|| uncut(start))?;
    }
    let end = Arc::new(OnceLock::new());
    let piece =
        TextPiece { encoding: cuts.encoding(), start, end: Arc::clone(&end), size: part.size };
    let at = part.borders.start;
    let stream = io::Cursor::new(first).chain(stream);
    let ending = PieceReader { stream, cuts, part: part.clone(), start, at, margin: None, end };
    Ok((Input { source: Box::new(ReadSource::new(ending)), is_regular: false }, piece))
}

/// The error for a stream that ends at byte `at` of the whole text, before the end of the second margin.
fn short(at: u64, part: &FilePart) -> io::Error {
    let end = (part.borders.end + MARGIN as u64).min(part.size);
    let words = format!(
        "standard input ends at byte {at} of the whole text, but must reach byte {end}: the end of the shard, and \
         {} bytes after it",
        grouped(MARGIN as u64)
    );
    io::Error::new(io::ErrorKind::UnexpectedEof, words)
}

/// Reads a piece from a stream that begins at its first border. All offsets are those of the whole text.
///
/// ```text
/// border      start                     border             end    the margin of the second border ends
///   │ skipped   │ passed through          │ buffered         │ read, but belongs to the next piece │
/// ```
struct PieceReader<R> {
    stream: R,
    cuts: Cuts,
    part: FilePart,
    start: u64,
    at: u64,
    /// The bytes between the second border and the end of the piece, once they have been read.
    margin: Option<io::Cursor<Vec<u8>>>,
    /// The offset at which the piece ends. The `TextPiece` shares it, and is given out before it is known.
    end: Arc<OnceLock<u64>>,
}

impl<R: Read> PieceReader<R> {
    /// Skips to the start of the piece, or to the second border if the start lies beyond it.
    fn skip(&mut self) -> io::Result<()> {
        let to = self.start.min(self.part.borders.end);
        if let Some(before) = to.checked_sub(self.at).filter(|before| *before > 0) {
            io::copy(&mut Read::by_ref(&mut self.stream).take(before), &mut io::sink())?;
            self.at = to;
        }
        Ok(())
    }

    /// Reads the second margin, finds the end of the piece in it, and returns the bytes before that.
    fn margin(&mut self) -> io::Result<io::Cursor<Vec<u8>>> {
        let FilePart { borders, size } = &self.part;
        let (border, size) = (borders.end, *size);
        let mut margin = Vec::new();
        let end = if border == 0 || border == size {
            border
        } else {
            let wanted = MARGIN.min(len(size - border));
            Read::by_ref(&mut self.stream).take(wanted as u64).read_to_end(&mut margin)?;
            if margin.len() < wanted {
                return Err(short(border + margin.len() as u64, &self.part));
            }
            self.cuts.cut(border, &margin, size).ok_or_else(|| io::Error::other(uncut(border)))?
        };
        margin.truncate(len(end - border));
        // The borders of a short part can be closer together than a line is long. Then the first cut lies in the second
        // margin too, and the bytes before it belong to an earlier piece. If both cuts are the same, this piece is
        // empty.
        margin.drain(..len(self.start.saturating_sub(border)).min(margin.len()));
        let _ = self.end.set(end);
        Ok(io::Cursor::new(margin))
    }
}

impl<R: Read> Read for PieceReader<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        self.skip()?;
        let left = self.part.borders.end - self.at;
        if left > 0 && !to.is_empty() {
            let most = to.len().min(len(left));
            let read = self.stream.read(&mut to[..most])?;
            if read == 0 {
                return Err(short(self.at, &self.part));
            }
            self.at += read as u64;
            return Ok(read);
        }
        if self.margin.is_none() {
            self.margin = Some(self.margin()?);
        }
        self.margin.as_mut().map_or(Ok(0), |margin| margin.read(to))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use oxiconv_encodings::encoding::Encoding;
    use oxiconv_transcode::Options;

    /// A file of lines, which counts the bytes that are read.
    struct CountingFile<'t>(&'t [u8], Cell<usize>);

    impl ReadAt for CountingFile<'_> {
        fn read_at(&self, to: &mut [u8], offset: u64) -> io::Result<usize> {
            let read = ChunkedReads(self.0).read_at(to, offset)?;
            self.1.set(self.1.get() + read);
            Ok(read)
        }
    }

    struct ChunkedReads<'t>(&'t [u8]);

    impl ChunkedReads<'_> {
        /// At most 7,000 bytes at a time, as a network file system may.
        fn read_at(&self, to: &mut [u8], offset: u64) -> io::Result<usize> {
            let rest = &self.0[self.0.len().min(offset as usize)..];
            let len = to.len().min(rest.len()).min(7000);
            to[..len].copy_from_slice(&rest[..len]);
            Ok(len)
        }
    }

    #[test]
    fn the_head_and_two_margins_are_all_that_is_read_to_find_a_piece() {
        let text = b"line\n".repeat(1 << 20);
        let size = text.len() as u64;
        let utf8 = Encoding::for_name("utf-8").unwrap();
        let conversion = Options::new().build(utf8, utf8).unwrap();
        for (borders, expected) in [
            (0..size / 2, (0, 2_621_445, HEAD + MARGIN)),
            (1_000_001..2_000_001, (1_000_005, 2_000_005, HEAD + 2 * MARGIN)),
            (size - 9..size, (size - 5, size, HEAD + 9)),
        ] {
            let file = CountingFile(&text, Cell::new(0));
            let (_, start, end) = places(&file, &FilePart { borders, size }, &conversion).unwrap();
            assert_eq!((start, end, file.1.get()), expected);
        }
    }
}
