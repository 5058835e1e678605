//! Conversions of text in memory, one call each.

use std::borrow::Cow;

use crate::diagnostic::{Silent, Summary};
use crate::{
    Conversion, Error, InputEncoding, MarkMode, OnIllFormed, OnUnmappable, Options, Transcoder,
};
use oxiconv_encodings::encoding::{Encoding, Mark};
use oxiconv_kernels::{as_str, into_string};

/// Decodes a text strictly. If it is well-formed UTF-8, it is borrowed, not copied.
///
/// If the encoding uses U+FEFF as a mark or signature (UTF-8, UTF-16, UTF-32, UCS-2, UCS-4, UTF-7, SCSU and similar
/// ones), a mark at the start of the text is not part of the result. In an encoding whose name gives a byte order
/// (UTF-16LE) it is a character, U+FEFF, as the standard says. Unmarked encodings are big-endian without a mark.
///
/// # Errors
///
/// [`Error::Stopped`] at the first ill-formed subsequence, with its offset in bytes, or at the first surrogate or value
/// above U+10FFFF, which some encodings have but a string cannot hold.
///
/// ```
/// # use oxiconv_transcode as oxiconv;
/// use oxiconv::{Encoding, decode};
///
/// assert_eq!(decode(b"caf\xE9", Encoding::ISO_8859_1)?, "café");
/// assert_eq!(decode(b"\xFF\xFEa\0", Encoding::UTF_16)?, "a");
/// let error = decode(b"caf\xE9!", Encoding::UTF_8).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "E9 begins a 3-byte character, but 21 ('!') follows, at byte 3, line 1, column 4"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn decode<'t>(bytes: &'t [u8], encoding: &'static Encoding) -> Result<Cow<'t, str>, Error> {
    match borrowed(bytes, encoding) {
        Some(text) => Ok(Cow::Borrowed(text)),
        None => decoded(bytes, encoding, Options::new()).map(Cow::Owned),
    }
}

/// Decodes a text, with U+FFFD for each ill-formed subsequence: one for each maximal subpart, like
/// [`String::from_utf8_lossy`]. Characters that a string cannot hold are replaced too. If the text is well-formed
/// UTF-8, it is borrowed.
///
/// Marks are treated as in [`decode`].
///
/// ```
/// # use oxiconv_transcode as oxiconv;
/// use oxiconv::{Encoding, decode_lossy};
///
/// assert_eq!(decode_lossy(b"caf\xE9!", Encoding::UTF_8), "caf\u{FFFD}!");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn decode_lossy<'t>(bytes: &'t [u8], encoding: &'static Encoding) -> Cow<'t, str> {
    let replacing =
        Options::new().on_ill_formed(OnIllFormed::Replace).on_unmappable(OnUnmappable::Replace);
    match borrowed(bytes, encoding) {
        Some(text) => Cow::Borrowed(text),
        None => Cow::Owned(decoded(bytes, encoding, replacing).expect("nothing stops it")),
    }
}

/// Encodes a text strictly. In UTF-8 it is borrowed, not copied.
///
/// Output in unmarked UTF-16 or UTF-32 begins with exactly one mark and is little-endian; U+FEFF at the start of `text`
/// is then that mark. In other encodings it is a character and stays one, and none gets a mark.
///
/// # Errors
///
/// [`Error::Stopped`] at the first character that the encoding cannot represent, with its offset in bytes of `text`.
///
/// ```
/// # use oxiconv_transcode as oxiconv;
/// use oxiconv::{Encoding, encode};
///
/// assert_eq!(&*encode("né", Encoding::UTF_16BE)?, b"\0n\0\xE9");
/// assert_eq!(&*encode("n", Encoding::UTF_16)?, b"\xFF\xFEn\0");
/// let error = encode("5 €", Encoding::ISO_8859_1).unwrap_err();
/// assert!(error.to_string().ends_with("at byte 2, line 1, column 3"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn encode<'t>(text: &'t str, encoding: &'static Encoding) -> Result<Cow<'t, [u8]>, Error> {
    if encoding == Encoding::UTF_8 {
        return Ok(Cow::Borrowed(text.as_bytes()));
    }
    let options = Options::new().marks(MarkMode::Keep);
    let conversion = options.build(Encoding::UTF_8, encoding)?;
    run(text.as_bytes(), &conversion).map(|(bytes, _)| Cow::Owned(bytes))
}

/// Converts a text from one encoding to another with options, and returns a summary with the result.
///
/// # Errors
///
/// [`Error::Options`] if the options do not go together with the encodings; [`Error::Stopped`] at a fault that stops
/// the conversion. To keep what was converted before the fault, use a [`Transcoder`] that writes to memory.
///
/// ```
/// # use oxiconv_transcode as oxiconv;
/// use oxiconv::{Encoding, OnIllFormed, Options, convert};
///
/// let options = Options::new().on_ill_formed(OnIllFormed::Skip);
/// let (text, summary) = convert(b"a\xFFb", Encoding::UTF_8, Encoding::UTF_16LE, &options)?;
/// assert_eq!((&text[..], summary.dropped()), (&b"a\0b\0"[..], 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn convert(
    bytes: &[u8],
    from: impl Into<InputEncoding>,
    to: &'static Encoding,
    options: &Options,
) -> Result<(Vec<u8>, Summary), Error> {
    run(bytes, &options.clone().build(from, to)?)
}

/// Returns a text as a string without copying it: well-formed UTF-8, without its mark.
fn borrowed<'t>(bytes: &'t [u8], encoding: &'static Encoding) -> Option<&'t str> {
    if encoding != Encoding::UTF_8 {
        return None;
    }
    as_str(bytes).map(|text| text.strip_prefix(MARK).unwrap_or(text))
}

/// Decodes a text to a new string, without its mark.
fn decoded(bytes: &[u8], encoding: &'static Encoding, options: Options) -> Result<String, Error> {
    let (text, _) = run(bytes, &options.build(encoding, Encoding::UTF_8)?)?;
    let mut text = into_string(text).expect("what is written in UTF-8 is well-formed");
    // A mark that says nothing about byte order is passed through to UTF-8, and removed here.
    if encoding.mark == Mark::Signature && text.starts_with(MARK) {
        text.drain(..MARK.len_utf8());
    }
    Ok(text)
}

const MARK: char = '\u{FEFF}';

fn run(mut bytes: &[u8], conversion: &Conversion) -> Result<(Vec<u8>, Summary), Error> {
    let mut output = Vec::new();
    let mut transcoder = Transcoder::new(conversion, &mut output);
    let summary = transcoder.input(&mut bytes, &mut Silent)?;
    transcoder.finish()?;
    Ok((output, summary))
}
