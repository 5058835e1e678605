//! Recognizes encodings by their escape sequences and shifts: ISO 2022, HZ, UTF-7, UTF-7-IMAP. All of them are 7-bit
//! encodings, except for DICOM's ISO 2022.
//!
//! ```text
//! 1B 24 42 33 73 1B 28 42   ESC $ B selects JIS X 0208, "3s" is 鞄 there, ESC ( B returns to ASCII: ISO-2022-JP
//! 7E 7B 56 50 7E 7D         ~{ selects GB 2312, "VP" is 中 there, ~} returns to ASCII: HZ
//! ```
//!
//! From the first signal on, the text is decoded in each encoding that has such escapes. The decoding is strict,
//! because in these encodings strictness is the evidence: only escape sequences of terminals and a truncated end are
//! forgiven. The order is from small repertoires to large ones, since every text in ISO-2022-JP is also one in
//! ISO-2022-JP-2. The first encoding that decodes it all, to characters that are usual in text, is the answer.
//!
//! Decoding begins at the signal and not at the start of the text. What is before it is ASCII in all of these
//! encodings, so their decoders are still in their initial state there.

use super::answer::{Detection, Evidence};
use super::character_group::{Classification, class};
use super::detection_sample::{DetectionSample, FirstSignal, first_signal};
use super::expected::Expected;
use oxiconv_encodings::codec::{ByteOrder, DecodeStop};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::{CodePoint, IllFormedKind};

const ESCAPE: u8 = 0x1B;

/// The encodings whose signal is ESC: the common ones first, and each edition after those that it extends.
const ESCAPED_7_BIT: [&str; 12] = [
    "ISO-2022-JP",
    "ISO-2022-KR",
    "ISO-2022-CN",
    "ISO-2022-JP-1",
    "ISO-2022-JP-MS",
    "ISO-2022-JP-2",
    "ISO-2022-JP-3",
    "ISO-2022-JP-EXT",
    "ISO-2022-CN-EXT",
    "ISO-2022-CN-CNS",
    "JIS7",
    "CP50222",
];

/// The encodings with non-ASCII bytes after their escape sequences.
const ESCAPED_8_BIT: [&str; 1] = ["ISO-2022-DICOM"];

/// The number of signals that are tried in turn, because some are chance.
const MAX_SIGNALS: usize = 16;

/// Returns the answer for a text with escape sequences or shifts.
pub fn judge(sample: &DetectionSample<'_>, expected: Expected) -> Option<Detection> {
    let mut bytes = sample.bytes;
    if !bytes.is_ascii() {
        return (bytes[0] == ESCAPE)
            .then(|| first_of(&ESCAPED_8_BIT, bytes, sample.whole, expected))
            .flatten();
    }
    for _ in 0..MAX_SIGNALS {
        let FirstSignal::At(at) = first_signal(bytes, sample.whole) else { break };
        bytes = &bytes[at..];
        let detection = of_signal(bytes, sample.whole, expected);
        if detection.is_some() {
            return detection;
        }
        bytes = &bytes[1..];
    }
    None
}

fn of_signal(bytes: &[u8], whole: bool, expected: Expected) -> Option<Detection> {
    let candidates: &[&str] = match bytes.first()? {
        &ESCAPE => &ESCAPED_7_BIT,
        b'~' => &["HZ"],
        b'+' => &["UTF-7"],
        b'&' => &["UTF-7-IMAP"],
        _ => return None,
    };
    first_of(candidates, bytes, whole, expected)
}

/// Returns the answer of the first candidate that can read the text from a signal on.
fn first_of(
    candidates: &[&str],
    bytes: &[u8],
    whole: bool,
    expected: Expected,
) -> Option<Detection> {
    let (encoding, reading) = candidates.iter().find_map(|name| {
        let encoding = Encoding::for_name(name).ok().filter(|it| expected.allows(it))?;
        let reading = EscapeReading::of(encoding, bytes, whole)?;
        // An escape sequence is hardly chance, while `+` and `~{` occur in any source code.
        let is_text = reading.is_of_text(bytes[0] == ESCAPE);
        is_text.then_some((encoding, reading))
    })?;
    Some(Detection::new(encoding, reading.confidence(), Evidence::Escapes))
}

/// What a text decodes to: the number of non-ASCII characters, of those that are usual in text, and of `foreign` escape
/// sequences, which control a terminal.
#[derive(Clone, Copy, Debug, Default)]
struct EscapeReading {
    characters: usize,
    usual: usize,
    foreign: usize,
}

/// The most bits of a character that is usual in its script.
const MAX_USUAL_BITS: f32 = 12.0;

impl EscapeReading {
    /// Decodes `bytes`; `None` if they are ill-formed. A truncated end is allowed, and so are the escape sequences of
    /// terminals.
    fn of(encoding: &'static Encoding, mut bytes: &[u8], whole: bool) -> Option<Self> {
        let mut reading = Self::default();
        let mut decoder = encoding.new_decoder(ByteOrder::Big);
        let mut pivot = [0; 1024];
        loop {
            let decoded = decoder.decode(bytes, &mut pivot, whole);
            pivot[..decoded.written].iter().for_each(|cp| reading.add(*cp));
            bytes = &bytes[decoded.read..];
            match decoded.stop {
                DecodeStop::OutputFull => {}
                DecodeStop::InputEmpty => return Some(reading),
                DecodeStop::IllFormed(fault) => match fault.kind {
                    IllFormedKind::TruncatedAtEnd => return Some(reading),
                    IllFormedKind::InvalidEscape if bytes.starts_with(b"\x1B[") => {
                        reading.foreign += 1;
                        bytes = &bytes[fault.len..];
                    }
                    _ => return None,
                },
                DecodeStop::Large { .. } => return None,
            }
        }
    }

    fn add(&mut self, cp: CodePoint) {
        if cp >= 0x80 {
            self.characters += 1;
            self.usual += usize::from(
                matches!(class(cp), Classification::Of(_, bits) if bits <= MAX_USUAL_BITS),
            );
        }
    }

    /// Whether there are non-ASCII characters, and three in four of them are usual, unless the signal is `certain`
    /// already. More escape sequences of a terminal than characters are the log of a terminal.
    const fn is_of_text(self, certain: bool) -> bool {
        let usual = certain || self.usual * 4 >= self.characters * 3;
        self.characters > 0 && usual && self.foreign <= self.characters
    }

    /// Returns the confidence in percent. A few characters may be chance.
    fn confidence(self) -> u8 {
        if self.characters > 3 { 99 } else { 90 }
    }
}

#[cfg(test)]
mod tests;
