//! The line ends of EBCDIC: for some charsets and users bytes 15 and 25 are U+0085 and U+000A, for others U+000A and
//! U+0085. These adaptors exchange the two characters.
//!
//! ```text
//! decode:  bytes ─► decoder ─► U+000A ↔ U+0085          encode:  U+000A ↔ U+0085 ─► encoder ─► bytes
//! ```

use super::{CodeValue, DecodeProgress, Decoder, EncodeProgress, EncodeStop, Encoder};
use crate::unicode::{CodePoint, LINE_FEED, NEXT_LINE};

/// Which line end byte 15 of EBCDIC is; byte 25 is the other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EbcdicNewline {
    /// U+000A LINE FEED, as in Unix System Services of z/OS.
    LineFeed,
    /// U+0085 NEXT LINE, as in IBM's tables.
    NextLine,
}

impl EbcdicNewline {
    /// Whether an encoding is EBCDIC with the other line end at byte 15. `decoder` decodes a text in it.
    ///
    /// The two bytes are simply decoded. So no list of EBCDIC charsets is needed, and a user's own table works too.
    #[doc(hidden)]
    pub fn differs(self, mut decoder: Box<dyn Decoder>) -> bool {
        let mut read = [0; 8];
        let done = decoder.decode(b"\x15\x25", &mut read, true);
        let wanted = match self {
            Self::LineFeed => [NEXT_LINE, LINE_FEED],
            Self::NextLine => [LINE_FEED, NEXT_LINE],
        };
        read[..done.written] == wanted
    }
}

/// A decoder or an encoder for which the two line ends are exchanged.
pub struct ExchangedNewlines<C: ?Sized>(pub Box<C>);

fn exchanged(cp: CodePoint) -> CodePoint {
    match cp {
        LINE_FEED => NEXT_LINE,
        NEXT_LINE => LINE_FEED,
        other => other,
    }
}

impl Decoder for ExchangedNewlines<dyn Decoder> {
    fn decode(&mut self, input: &[u8], output: &mut [CodePoint], last: bool) -> DecodeProgress {
        let done = self.0.decode(input, output, last);
        for cp in &mut output[..done.written] {
            *cp = exchanged(*cp);
        }
        done
    }

    fn has_sequences(&self) -> bool {
        self.0.has_sequences()
    }

    fn judges_by_next(&self, bytes: &[u8]) -> bool {
        self.0.judges_by_next(bytes)
    }

    fn fork(&self) -> Box<dyn Decoder> {
        Box::new(Self(self.0.fork()))
    }
}

impl Encoder for ExchangedNewlines<dyn Encoder> {
    fn encode(&mut self, input: &[CodePoint], output: &mut [u8]) -> EncodeProgress {
        let mut done = EncodeProgress { read: 0, written: 0, stop: EncodeStop::InputEmpty };
        // The input is the caller's, so the exchanged code points are copied, some at a time.
        let mut part = [0; 512];
        for input in input.chunks(part.len()) {
            let part = &mut part[..input.len()];
            for (to, cp) in part.iter_mut().zip(input) {
                *to = exchanged(*cp);
            }
            let one = self.0.encode(part, &mut output[done.written..]);
            done.read += one.read;
            done.written += one.written;
            done.stop = one.stop;
            if done.stop != EncodeStop::InputEmpty {
                break;
            }
        }
        done
    }

    fn encode_large(&mut self, value: CodeValue, output: &mut [u8]) -> Option<usize> {
        self.0.encode_large(value, output)
    }

    fn best_fit(&self, cp: CodePoint) -> Option<CodePoint> {
        self.0.best_fit(exchanged(cp)).map(exchanged)
    }

    fn joins(&self) -> bool {
        self.0.joins()
    }

    fn pending(&self) -> usize {
        self.0.pending()
    }

    fn finish(&mut self, output: &mut [u8]) -> usize {
        self.0.finish(output)
    }

    fn fork(&self) -> Box<dyn Encoder> {
        Box::new(Self(self.0.fork()))
    }
}

#[cfg(all(test, feature = "legacy"))]
mod tests {
    use super::*;
    use crate::codec::test_support::{WalkStep::Is, walk_in_parts};
    use crate::codec::{ByteOrder, MIN_OUTPUT};
    use crate::encoding::Encoding;

    #[test]
    fn both_line_ends_are_exchanged_in_ebcdic_only() {
        let decoder = |name: &str| Encoding::for_name(name).unwrap().new_decoder(ByteOrder::Big);
        for (name, [line_feed, next_line]) in [
            ("IBM1047", [true, false]),
            ("IBM930", [true, false]),
            ("UTF-EBCDIC", [false, true]),
            ("windows-1252", [false, false]),
            ("UTF-8", [false, false]),
            ("UTF-16LE", [false, false]),
        ] {
            assert_eq!(EbcdicNewline::LineFeed.differs(decoder(name)), line_feed, "{name}");
            assert_eq!(EbcdicNewline::NextLine.differs(decoder(name)), next_line, "{name}");
        }
        let exchanged = ExchangedNewlines(decoder("IBM1047"));
        assert_eq!(walk_in_parts(&exchanged, b"\xC1\x15\x25"), [Is(0x41), Is(0x0A), Is(0x85)]);
        let encoder = Encoding::for_name("IBM1047").unwrap().new_encoder(ByteOrder::Big);
        let mut room = [0; MIN_OUTPUT];
        let mut encoder = ExchangedNewlines(encoder);
        let done = encoder.encode(&[0x41, 0x0A, 0x85, 0x20AC, 0x0A], &mut room);
        assert_eq!(
            (done.read, done.stop, &room[..3]),
            (3, EncodeStop::Unmappable, &b"\xC1\x15\x25"[..])
        );
    }
}
