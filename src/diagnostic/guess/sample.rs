//! The part of a text whose byte frequencies are judged.
//!
//! The frequency detector takes some 200 ns per byte. So it gets only what can identify an encoding, and a sample of a
//! long text. The sample depends only on the bytes, not on how they arrived:
//!
//! ```text
//! non-ASCII bytes, with 32 bytes of ASCII around them    all of the first 256 KiB of those
//! then 4 KiB, from space to space, of every block of 64 KiB, of every second, fourth … as the text gets longer
//! and the context of each byte value not seen before: one that an encoding lacks rules it out
//! ```

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::Encoding;

use super::stray::ByteSet;

/// Bytes that are all taken.
const BASE: usize = 256 * 1024;
/// The same if there is no space near the end; then no more are taken.
const MOST: usize = BASE + 32 * 1024;
/// Bytes taken from a block of a longer text.
const PIECE: usize = 4 * 1024;
/// ASCII bytes next to others that are taken: pairs of ASCII say nothing.
pub(super) const CONTEXT: usize = 32;
/// The most bytes to a space on either side of a new byte value.
const NEAR: usize = 512;

/// A sample of a text, and the encoding that it suggests.
#[derive(Default)]
pub(super) struct Sample {
    bytes: Vec<u8>,
    /// The last ASCII bytes, which are the context of whatever follows.
    context: Vec<u8>,
    /// How many ASCII bytes still belong to the context of what came before.
    after: usize,
    /// Blocks since `BASE` was full; `None` before that.
    blocks: Option<u64>,
    /// Whether no more is taken: the text has no spaces where the sample could continue.
    closed: bool,
    known: ByteSet,
    detector: Option<Box<EncodingDetector>>,
    fed: usize,
}

impl Sample {
    /// Returns a second sample that continues from here.
    pub(super) fn fork(&self) -> Self {
        Self {
            bytes: self.bytes.clone(),
            context: self.context.clone(),
            detector: None,
            fed: 0,
            ..*self
        }
    }

    /// Examines the next block of a text; `values` are the non-ASCII bytes that the text had so far.
    pub(super) fn look(&mut self, block: &[u8], values: ByteSet) {
        if self.closed {
            return;
        }
        let rest = match self.blocks {
            None => self.gather(block),
            Some(index) => {
                // Eight blocks each time the text doubles in length.
                if index.is_multiple_of((index / 16 + 1).next_power_of_two()) {
                    self.add_start(block);
                }
                self.blocks = Some(index + 1);
                block
            }
        };
        if self.blocks.is_some() {
            self.add_new_values(rest, values);
        }
    }

    /// Takes a part from the start of a block.
    fn add_start(&mut self, block: &[u8]) {
        let start = block.iter().take(PIECE).position(|byte| is_blank(*byte));
        let start = start.unwrap_or(block.len());
        let piece = &block[start..block.len().min(start + PIECE)];
        let end = piece.iter().rposition(|byte| is_blank(*byte));
        self.add(&piece[..end.map_or(0, |end| end + 1)]);
    }

    fn add_new_values(&mut self, block: &[u8], values: ByteSet) {
        for value in values.without(self.known).iter() {
            self.known.insert(&[value]);
            for at in memchr::memchr_iter(value, block).take(1) {
                let from = at.saturating_sub(NEAR);
                let start = block[from..at].iter().rposition(|byte| is_blank(*byte));
                let end = block[at..].iter().take(NEAR).position(|byte| is_blank(*byte));
                if let (Some(start), Some(end)) = (start, end) {
                    self.add(&block[from + start..=at + end]);
                }
            }
        }
    }

    /// Takes a piece of text, from space to space, that does not follow the last one.
    fn add(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.known.insert(text);
    }

    /// Takes non-ASCII bytes and their context until the base is full; returns the rest.
    fn gather<'t>(&mut self, mut text: &'t [u8]) -> &'t [u8] {
        while !text.is_empty() && self.blocks.is_none() && !self.closed {
            let (ascii, rest) = text.split_at(Encoding::ascii_valid_up_to(text));
            self.pass_ascii(ascii);
            if self.bytes.len() >= BASE && ascii.iter().any(|byte| is_blank(*byte)) {
                self.blocks = Some(0);
                return rest;
            }
            let len = rest.iter().position(u8::is_ascii).unwrap_or(rest.len());
            let (beyond, rest) = rest.split_at(len);
            if !beyond.is_empty() {
                self.bytes.append(&mut self.context);
                self.bytes.extend_from_slice(beyond);
                self.known.insert(beyond);
                self.after = CONTEXT;
            }
            self.closed = self.bytes.len() >= MOST;
            text = rest;
        }
        text
    }

    fn pass_ascii(&mut self, ascii: &[u8]) {
        let (now, later) = ascii.split_at(ascii.len().min(self.after));
        self.bytes.extend_from_slice(now);
        self.after -= now.len();
        let before = &later[later.len().saturating_sub(CONTEXT)..];
        self.context.extend_from_slice(before);
        let too_many = self.context.len().saturating_sub(CONTEXT);
        if later.len() > before.len() || too_many > 0 {
            // A space stands for what is left out.
            self.context.drain(..too_many);
            self.context[0] = b'\n';
        }
    }

    /// Returns the encoding that the byte frequencies suggest, by its web name.
    pub(super) fn guess(&mut self) -> &'static Encoding {
        let new = || Box::new(EncodingDetector::new(Iso2022JpDetection::Deny));
        let detector = self.detector.get_or_insert_with(new);
        detector.feed(&self.bytes[self.fed..], false);
        self.fed = self.bytes.len();
        detector.guess(None, Utf8Detection::Deny)
    }
}

/// Whether a byte is a character by itself in every superset of ASCII: a space, a control, punctuation.
const fn is_blank(byte: u8) -> bool {
    byte < 0x30
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCK: usize = 64 * 1024;

    fn sampled(text: &[u8]) -> Sample {
        let (mut sample, mut values) = (Sample::default(), ByteSet::default());
        for block in text.chunks(BLOCK) {
            let beyond: Vec<u8> = block.iter().copied().filter(|byte| !byte.is_ascii()).collect();
            values.insert(&beyond);
            sample.look(block, values);
        }
        sample
    }

    fn of_all(text: &[u8]) -> &'static Encoding {
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
        detector.feed(text, false);
        detector.guess(None, Utf8Detection::Deny)
    }

    /// Sentences, and the encodings of the web that can represent them.
    const TEXTS: [(&str, &[&str]); 12] = [
        ("Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich. ", &["windows-1252"]),
        ("Où l’été ? Voilà : « ça coûte 5 € à Noël » — n° 3. ", &["windows-1252"]),
        ("El nº 1 y la 2ª: ¿Qué pasó, señor? ¡MAÑANA! ", &["windows-1252"]),
        ("Zażółć gęślą jaźń, ŻÓŁW i ŁÓDŹ. ", &["windows-1250", "iso-8859-2"]),
        (
            "Съешь же ещё этих мягких булок, ДА выпей чаю. ",
            &["windows-1251", "koi8-u", "ibm866", "iso-8859-5"],
        ),
        ("Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. ", &["windows-1253", "iso-8859-7"]),
        ("Pijamalı hasta yağız şoföre çabucak güvendi. ", &["windows-1254"]),
        ("עטלף אבק נס דרך מזגן שהתפוצץ. ", &["windows-1255"]),
        ("これは日本語のテキストです。半角ｶﾅ、漢字とABC。 ", &["shift_jis", "euc-jp"]),
        ("这是一个中文文本文件。今天天气很好。 ", &["gbk", "gb18030"]),
        ("這是一個中文文字檔案。今天天氣很好。 ", &["big5"]),
        ("이것은 한국어로 된 텍스트 파일입니다. ", &["euc-kr"]),
    ];

    fn texts() -> impl Iterator<Item = Vec<u8>> {
        TEXTS.into_iter().flat_map(|(text, names)| {
            names.iter().map(move |name| {
                let encoding = Encoding::for_label(name.as_bytes()).unwrap();
                let (bytes, _, lacks) = encoding.encode(text);
                assert!(!lacks, "{name}");
                bytes.into_owned()
            })
        })
    }

    /// For a text no longer than the base, the sample suggests the same encoding as the whole text.
    #[test]
    fn what_is_left_out_says_nothing() {
        let ascii = b"The quick brown FOX jumps over 12 lazy dogs; \"etc.\" (n. 5) MCMXCIX.\r\n";
        for text in texts() {
            for plain in [0, 1, 20, 31, 32, 33, 63, 64, 65, 66, 200, 5000] {
                let plain: Vec<u8> = ascii.iter().copied().cycle().take(plain).collect();
                for pieces in [1, 2, 5, 40] {
                    let size = text.len().div_ceil(pieces);
                    let mixed: Vec<u8> = text
                        .chunks(size)
                        .flat_map(|piece| [&plain[..], piece, &plain[..]].concat())
                        .collect();
                    let all = of_all(&mixed).name();
                    assert_eq!(sampled(&mixed).guess().name(), all, "{mixed:X?}");
                }
            }
        }
    }

    /// A long text is judged as the whole of it would be.
    #[test]
    fn a_sample_speaks_for_the_same_encoding() {
        for text in texts() {
            let long: Vec<u8> = text.iter().copied().cycle().take(2 << 20).collect();
            let mut sample = sampled(&long);
            assert_eq!(sample.guess().name(), of_all(&long[..300 << 10]).name(), "{text:X?}");
            assert!(sample.bytes.len() < 2 * BASE, "{}", sample.bytes.len());
        }
    }

    /// A byte that an encoding lacks rules it out, however late it comes.
    #[test]
    fn a_byte_that_comes_once_is_in_the_sample() {
        // 98 is undefined in windows-1251.
        let text = Encoding::for_label(b"windows-1251").unwrap().encode("Съешь же ещё булок. ").0;
        let mut long: Vec<u8> = text.iter().copied().cycle().take(1 << 20).collect();
        assert_eq!(sampled(&long).guess().name(), "windows-1251");
        long.splice(900_000..900_000, *b" \x98 ");
        assert_ne!(sampled(&long).guess().name(), "windows-1251");
    }

    #[test]
    fn a_text_without_blanks_is_judged_by_its_start() {
        let long = b"\xD5\xE2\xCA\xC7".repeat(1 << 19);
        let mut sample = sampled(&long);
        assert!(sample.bytes.len() <= MOST + BLOCK, "{}", sample.bytes.len());
        assert_eq!(sample.guess().name(), of_all(&long[..MOST]).name());
    }

    #[test]
    fn memory_is_bounded_for_any_length() {
        let (mut sample, mut values) = (Sample::default(), ByteSet::default());
        let block: Vec<u8> = b"\xE9\xE8 ".iter().copied().cycle().take(BLOCK).collect();
        values.insert(b"\xE9\xE8");
        for _ in 0..100_000 {
            sample.look(&block, values);
        }
        assert!(sample.bytes.len() < 4 * BASE, "{}", sample.bytes.len());
    }
}
