//! The start of a text: ASCII without evidence, and the sample by which the encoding is detected.
//!
//! ```text
//! GET /index.html 200\n … GET /caf\xE9 404\n …
//! └─ skipped ────────────────────┘└─ signal, where the sample begins
//! ```
//!
//! A log may be ASCII for gigabytes before its first byte that is evidence, the signal. ASCII before it is skipped
//! without being kept. If the sample turns out to be ASCII despite its signals (an ESC is one), the search continues
//! after it.

use std::io;

use oxiconv_detect::detection::{Deferral, Detection, Detector, Evidence, HEAD, SAMPLE};
use oxiconv_encodings::codec::{ByteOrder, DecodeStop, MIN_PIVOT};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_transcode::io::{Chunk, Source};

use super::line_end_counter::LineEndCounter;

/// The first bytes of the little-endian marks of both UTF-16 and UTF-32.
const LITTLE_ENDIAN_MARK: [u8; 2] = [0xFF, 0xFE];
/// The size of the longest code unit, in bytes. Only multiples of it are skipped, so that units stay aligned.
const MAX_UNIT_LEN: usize = 4;

/// The detection by the start of a text. The skipped ASCII is consumed from the source, the sample is not.
pub(super) struct SampledStart {
    /// `None` if the text is empty.
    pub(super) detection: Option<Detection>,
    /// The byte order by the mark of the text; big-endian if there is none.
    pub(super) order: ByteOrder,
    /// The length of the skipped ASCII, in bytes.
    pub(super) skipped: u64,
    pub(super) line_ends: LineEndCounter,
    /// The ill-formed sequences in the first word, if there are some only because the text begins within a character.
    pub(super) cut: u64,
    deferral: Deferral,
}

impl SampledStart {
    /// Skips ASCII without evidence, and detects the encoding by what follows.
    ///
    /// # Errors
    ///
    /// If the source cannot be read.
    pub(super) fn of(source: &mut dyn Source, detector: Detector) -> io::Result<Self> {
        let mut start = Self {
            detection: None,
            order: ByteOrder::Big,
            skipped: 0,
            line_ends: LineEndCounter::new(Encoding::US_ASCII, ByteOrder::Big),
            cut: 0,
            deferral: Deferral::new(detector),
        };
        let first = source.fill(LITTLE_ENDIAN_MARK.len())?;
        if first.bytes.starts_with(&LITTLE_ENDIAN_MARK) {
            start.order = ByteOrder::Little;
        }
        if first.bytes.is_empty() {
            return Ok(start);
        }
        loop {
            let signal = start.find_signal(source)?;
            let chunk = source.fill(signal + SAMPLE + 1)?;
            let detection = start.deferral.judge_all(chunk.bytes, signal, chunk.last);
            let goes_on =
                |it: &Detection| start.deferral.goes_on(it, chunk.bytes, signal, chunk.last);
            if !detection.as_ref().is_some_and(goes_on) {
                let by_letters = detection.as_ref().filter(|it| it.evidence == Evidence::Letters);
                if let Some(detection) = by_letters.filter(|_| start.skipped == 0) {
                    start.cut = ill_formed_by_cut(detection.encoding, chunk.bytes);
                }
                start.detection = detection;
                return Ok(start);
            }
        }
    }

    /// Skips to the first byte that is a signal, or to the end, and returns how many bytes ahead it is.
    ///
    /// The distance is not always 0. A signal within the first [`HEAD`] bytes leaves them all in place, since they may
    /// be units of UTF-16, whose bytes look like ASCII at first. After that, up to three bytes stay so that what is
    /// skipped is a multiple of [`MAX_UNIT_LEN`].
    ///
    /// What stays may also end with a possible signal, such as `+AB`, that depends on the bytes that follow. So each
    /// turn asks for one byte more than the turn before has left. If it asked for less, the source would return the
    /// same bytes forever.
    fn find_signal(&mut self, source: &mut dyn Source) -> io::Result<usize> {
        let mut at_least = HEAD;
        loop {
            let Chunk { bytes, last, .. } = source.fill(at_least)?;
            let (ahead, tells) = self.deferral.ascii(bytes, last);
            let found = tells || last;
            let near = self.skipped + (ahead as u64) < HEAD as u64;
            let skipped = if found && near { 0 } else { ahead - ahead % MAX_UNIT_LEN };
            at_least = bytes.len() - skipped + 1;
            self.skip(source, skipped)?;
            if found {
                return Ok(ahead - skipped);
            }
        }
    }

    /// Consumes ASCII, counting its line ends.
    fn skip(&mut self, source: &mut dyn Source, bytes: usize) -> io::Result<()> {
        // `find_signal` has filled these bytes, so this does not read.
        let chunk = source.fill(1)?;
        let skipped = &chunk.bytes[..bytes];
        self.line_ends.count(skipped);
        self.deferral.pass(skipped);
        source.consume(bytes);
        self.skipped += bytes as u64;
        Ok(())
    }
}

/// Returns how many ill-formed sequences in the first word of a text are there only because of its first byte.
///
/// `tail -c` may leave the second half of a double-byte character at the start. Then all pairs up to the next blank are
/// read out of step:
///
/// ```text
/// BA FC B8 A5 20    CP949: two characters and a space
///    FC B8 A5 20    an ideograph, and A5 without a valid second byte
/// ```
///
/// If the word is well-formed without its first byte, that byte was such a half, and its errors say nothing about the
/// encoding.
fn ill_formed_by_cut(encoding: &Encoding, text: &[u8]) -> u64 {
    // In charsets without shifts, no byte below 30 is part of a longer character. So the word ends at the first.
    let is_blank = |byte: &u8| *byte < 0x30;
    let blank = text.iter().take(HEAD).position(is_blank);
    let word = &text[..blank.map_or(text.len().min(HEAD), |at| at + 1)];
    match word {
        [0x80..=0xFF, rest @ ..] if !encoding.is_single_byte() => {
            match ill_formed(encoding, rest) {
                0 => ill_formed(encoding, word),
                _ => 0,
            }
        }
        _ => 0,
    }
}

/// Returns the number of ill-formed sequences in a text. One that is truncated by its end does not count.
fn ill_formed(encoding: &Encoding, text: &[u8]) -> u64 {
    let mut decoder = encoding.new_decoder(ByteOrder::Big);
    let mut pivot = [0; MIN_PIVOT];
    let (mut at, mut count) = (0, 0);
    loop {
        let decoded = decoder.decode(&text[at..], &mut pivot, false);
        at += decoded.read;
        match decoded.stop {
            DecodeStop::OutputFull => {}
            DecodeStop::InputEmpty => return count,
            DecodeStop::IllFormed(ill_formed) => {
                at += ill_formed.len;
                count += 1;
            }
            DecodeStop::Large { len, .. } => at += len,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Chain, Read};

    use oxiconv_transcode::io::ReadSource;

    use super::*;

    /// A text that arrives in two pieces, and that ends in an error if it is asked for far too often.
    struct TwoPieces<'t> {
        source: ReadSource<Chain<&'t [u8], &'t [u8]>>,
        fills: usize,
    }

    impl<'t> TwoPieces<'t> {
        fn new(text: &'t [u8], split: usize) -> Self {
            let (first, second) = text.split_at(split);
            Self { source: ReadSource::new(first.chain(second)), fills: 0 }
        }
    }

    impl Source for TwoPieces<'_> {
        fn fill(&mut self, at_least: usize) -> io::Result<Chunk<'_>> {
            const MOST: usize = 20;
            self.fills += 1;
            if self.fills > MOST {
                return Err(io::Error::other("the search does not get ahead"));
            }
            self.source.fill(at_least)
        }

        fn consume(&mut self, bytes: usize) {
            self.source.consume(bytes);
        }

        fn may_block(&self) -> bool {
            self.source.may_block()
        }
    }

    /// Some signs are signals only together with the bytes that follow them, and a piece may end anywhere in between.
    #[test]
    fn a_sign_that_the_next_piece_decides_is_waited_for() {
        let ascii = b"hello ".repeat(1000);
        let base64 = [b"+", &b"AB".repeat(60)[..], b" x"].concat();
        for (sign, encoding) in [
            (&b"+AB x"[..], "US-ASCII"),
            (b"&AB x", "US-ASCII"),
            (b"x~{ x", "US-ASCII"),
            (b"\x1B(B x", "US-ASCII"),
            (&base64, "US-ASCII"),
            (b"+BB8EQAQ4BDIENQRC- x", "UTF-7"),
            (b"&BB8EQAQ+BDUEOgRC- x", "UTF-7-IMAP"),
            (b"~{VPND~} x", "HZ"),
        ] {
            let text = [&ascii, sign].concat();
            for split in ascii.len()..=text.len() {
                let mut source = TwoPieces::new(&text, split);
                let start = SampledStart::of(&mut source, Detector::new());
                let start = start.unwrap_or_else(|error| {
                    panic!("{} {split}: {error}", sign.escape_ascii());
                });
                assert_eq!(start.detection.unwrap().encoding.name(), encoding, "{split}");
            }
        }
    }

    /// "빠른 갈색" in CP949, without its first byte.
    #[test]
    fn a_first_byte_that_is_half_a_character_makes_its_word_ill_formed() {
        let cp949 = Encoding::for_name("CP949").unwrap();
        assert_eq!(ill_formed_by_cut(cp949, b"\xFC\xB8\xA5 \xB0\xA5\xBB\xF6"), 1);
        assert_eq!(ill_formed_by_cut(cp949, b"\xBA\xFC\xB8\xA5 \xB0\xA5\xBB"), 0);
        // The next word is ill-formed too, or the first one whatever its first byte is.
        assert_eq!(ill_formed_by_cut(cp949, b"\xFC\xB8\xA5 \xB0\xA5\xBB "), 1);
        assert_eq!(ill_formed_by_cut(cp949, b"\xFC\xFF\xB8\xA5 \xB0\xA5"), 0);
        assert_eq!(ill_formed_by_cut(Encoding::WINDOWS_1252, b"\x81\xE9"), 0);
    }
}
