//! Finds out from its first 8 KiB whether a file looks binary, so that a recursive run skips it.
//!
//! In an encoding of bytes, a NUL is enough: text has none. In wide units, nearly every NUL is half of a character, and
//! most pairs of bytes are well-formed by chance. There, the start is decoded, and control characters or more than one
//! ill-formed sequence in 50 units tell.

use std::borrow::Cow;
use std::io;

use oxiconv_detect::detection::{Evidence, SAMPLE};
use oxiconv_encodings::encoding::{Encoding, Marked, marked_otherwise};
use oxiconv_transcode::diagnostic::Silent;
use oxiconv_transcode::io::{Chunk, ReadSource, Source};
use oxiconv_transcode::{
    Conversion, Error, InputEncoding, OnIllFormed, OnUnmappable, Options, RecordFormat, Transcoder,
    WithoutDescriptors,
};

const EXAMINED_BYTES: usize = 8 * 1024;

/// Whether the start of a file is not text in the encoding of `asked`. Nothing is consumed.
///
/// Only the encoding of `asked` matters. What the user denies or replaces says nothing about binary files.
pub(crate) fn looks_binary(asked: &Conversion, source: &mut dyn Source) -> io::Result<bool> {
    let encoding = match asked.from() {
        InputEncoding::Named(encoding) => encoding,
        InputEncoding::Detected(detector) => {
            // The same sample as the conversion will take, as far as it begins within the bytes that are examined.
            let chunk = source.fill(EXAMINED_BYTES + SAMPLE)?;
            let seen = start(&chunk, EXAMINED_BYTES + SAMPLE);
            let detection = detector.detect_start(seen, seen.len() < EXAMINED_BYTES + SAMPLE);
            let Some(detection) = detection else { return Ok(false) };
            if detection.evidence == Evidence::Binary {
                return Ok(true);
            }
            detection.read_as()
        }
        _ => Encoding::UTF_8,
    };
    let chunk = source.fill(EXAMINED_BYTES)?;
    let mut start = Cow::Borrowed(start(&chunk, EXAMINED_BYTES));
    if asked.options().reading.records == Some(RecordFormat::Variable) {
        start = WithoutDescriptors::default().text(&start).into();
    }
    starts_binary(asked, encoding, &start)
}

fn start<'c>(chunk: &Chunk<'c>, len: usize) -> &'c [u8] {
    &chunk.bytes[..chunk.bytes.len().min(len)]
}

fn starts_binary(
    asked: &Conversion,
    encoding: &'static Encoding,
    start: &[u8],
) -> io::Result<bool> {
    // A file with the byte order mark of another encoding is not binary, although it may be full of NUL: it is the most
    // common kind of file for which the wrong encoding is named, and must be reported rather than skipped.
    if matches!(
        marked_otherwise(encoding, start, start.len() < EXAMINED_BYTES),
        Marked::Otherwise { .. }
    ) {
        return Ok(false);
    }
    if encoding.unit == 1 {
        return Ok(start.contains(&0));
    }
    let whole = start.len() - start.len() % encoding.unit;
    let conversion = Options::new()
        .byte_order(asked.options().reading.byte_order)
        .on_ill_formed(OnIllFormed::Skip)
        .on_unmappable(OnUnmappable::Skip)
        .build(encoding, Encoding::UTF_8)
        .map_err(io::Error::other)?;
    looks_binary_in(&conversion, encoding, &start[..whole])
}

fn looks_binary_in(conversion: &Conversion, encoding: &Encoding, start: &[u8]) -> io::Result<bool> {
    let mut text = Vec::new();
    let mut transcoder = Transcoder::new(conversion, &mut text);
    let summary = transcoder
        .input(&mut ReadSource::of_file(start), &mut Silent)
        .or_else(Error::into_summary)
        .map_err(io::Error::other)?;
    transcoder.finish().map_err(io::Error::other)?;
    let controls = text.iter().any(|byte| matches!(byte, 0..=8 | 0x0E..=0x1A | 0x1C..=0x1F));
    Ok(controls || summary.total() * 50 > (start.len() / encoding.unit) as u64)
}
