//! A piece of a file, or of a text that comes through standard input: where it is cut, and its bytes.
//!
//! ```text
//! file    │head│ … │border ▒ margin│ … piece … │border ▒ margin│ …       read: the head, both margins, the piece
//! stream             │border ▒ margin … piece … border ▒ margin│         read: to the end of the second margin
//! ```

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use anyhow::{Context, anyhow, bail};

use oxiconv_report::grouped;
use oxiconv_transcode::io::{Access, Input, ReadSource, stdin_file};
use oxiconv_transcode::{Conversion, Cuts, HEAD, MARGIN, TextPiece};

use super::files::{FileArg, Part};
use super::input::open;

/// An input, or the part of it that is to be read.
pub(crate) struct PartInput {
    pub(crate) input: Input,
    /// Where the part is, if it is one.
    pub(crate) piece: Option<TextPiece>,
}

impl From<Input> for PartInput {
    fn from(input: Input) -> Self {
        Self { input, piece: None }
    }
}

/// Opens an input, or the part of it that is to be read.
pub(crate) fn open_part(file: &FileArg, conversion: &Conversion) -> anyhow::Result<PartInput> {
    let Some(part) = &file.part else { return open(file).map(PartInput::from) };
    let (input, piece) = match &file.path {
        Some(path) => of_file(path, part, conversion, file.opening.access),
        None => of_stream(stdin_file().context("(standard input)")?, part, conversion),
    }
    .with_context(|| file.label())?;
    Ok(PartInput { input, piece: Some(piece) })
}

/// Bytes of a file that are read at their places.
trait ReadAt {
    /// Reads from byte `offset` on, as far as `to` has room and the file has bytes.
    fn read_at(&self, to: &mut [u8], offset: u64) -> io::Result<usize>;
}

impl ReadAt for File {
    fn read_at(&self, to: &mut [u8], offset: u64) -> io::Result<usize> {
        FileExt::read_at(self, to, offset)
    }
}

fn of_file(
    path: &Path,
    part: &Part,
    conversion: &Conversion,
    access: Access,
) -> anyhow::Result<(Input, TextPiece)> {
    let file = File::open(path)?;
    if file.metadata()?.len() != part.size {
        bail!("the size has changed, so the other parts of it would not fit");
    }
    let (cuts, start, end) = places(&file, part, conversion)?;
    let piece = TextPiece { encoding: cuts.encoding(), start, end: known(end), size: part.size };
    Ok((Input::of_range(file, start..end, access)?, piece))
}

/// Returns where a part of a file begins and ends.
fn places(
    file: &dyn ReadAt,
    part: &Part,
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

/// Returns a length of bytes that is bounded elsewhere, or the greatest.
fn len(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

fn known(end: u64) -> Arc<OnceLock<u64>> {
    Arc::new(OnceLock::from(end))
}

fn cuts(conversion: &Conversion, head: Option<&[u8]>) -> anyhow::Result<Cuts> {
    Cuts::new(conversion, head).map_err(|uncut| anyhow!("cannot be cut into pieces: {uncut}"))
}

/// Says that a margin has no safe place.
fn uncut(border: u64) -> anyhow::Error {
    anyhow!(
        "cannot be cut within {} bytes after byte {border} (0x{border:x}): no line ends there (use fewer or more pieces)",
        grouped(MARGIN as u64)
    )
}

/// Reads this many bytes of a file, which it must have.
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
    part: &Part,
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
    let ending = Ending { stream, cuts, part: part.clone(), start, at, margin: None, end };
    Ok((Input { source: Box::new(ReadSource::new(ending)), is_regular: false }, piece))
}

/// Says that a stream ends too early.
fn short(at: u64, part: &Part) -> io::Error {
    let end = (part.borders.end + MARGIN as u64).min(part.size);
    let words = format!(
        "standard input ends at byte {at} of the whole text, and must reach byte {end}: the end of the part, and \
         the margin of {} bytes after it",
        grouped(MARGIN as u64)
    );
    io::Error::new(io::ErrorKind::UnexpectedEof, words)
}

/// The bytes of a piece, from a stream that begins at the border of its part and ends after the margin of the next one.
struct Ending<R> {
    stream: R,
    cuts: Cuts,
    part: Part,
    /// Where the piece begins.
    start: u64,
    /// Where the stream is.
    at: u64,
    /// The margin after the part, as far as it belongs to the piece, when it has been read.
    margin: Option<io::Cursor<Vec<u8>>>,
    /// Where the piece ends.
    end: Arc<OnceLock<u64>>,
}

impl<R: Read> Ending<R> {
    /// Moves to the start of the piece, or to the next border if that comes first.
    fn skip(&mut self) -> io::Result<()> {
        let to = self.start.min(self.part.borders.end);
        if let Some(before) = to.checked_sub(self.at).filter(|before| *before > 0) {
            io::copy(&mut Read::by_ref(&mut self.stream).take(before), &mut io::sink())?;
            self.at = to;
        }
        Ok(())
    }

    /// Reads the margin after the part, and finds the end of the piece in it.
    fn margin(&mut self) -> io::Result<io::Cursor<Vec<u8>>> {
        let Part { borders, size } = &self.part;
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
        // In a short part, both cuts may be after its end.
        margin.drain(..len(self.start.saturating_sub(border)).min(margin.len()));
        let _ = self.end.set(end);
        Ok(io::Cursor::new(margin))
    }
}

impl<R: Read> Read for Ending<R> {
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
    struct Counting<'t>(&'t [u8], Cell<usize>);

    impl ReadAt for Counting<'_> {
        fn read_at(&self, to: &mut [u8], offset: u64) -> io::Result<usize> {
            let read = FileRange(self.0).read_at(to, offset)?;
            self.1.set(self.1.get() + read);
            Ok(read)
        }
    }

    struct FileRange<'t>(&'t [u8]);

    impl FileRange<'_> {
        /// Gives few bytes at a time, as a network may.
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
            let file = Counting(&text, Cell::new(0));
            let (_, start, end) = places(&file, &Part { borders, size }, &conversion).unwrap();
            assert_eq!((start, end, file.1.get()), expected);
        }
    }
}
