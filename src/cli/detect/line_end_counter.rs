//! Counts how the lines of a text end. This works on bytes, because decoding would take longer than everything else.
//!
//! ```text
//! a CR LF b CR c LF     LF: 2, CR: 2, pairs CR LF: 1
//!                       so 1 CRLF, 2 - 1 = 1 single LF, 2 - 1 = 1 single CR
//! ```
//!
//! The bytes to search for are found by encoding U+000A, U+000D and U+0085 in the encoding of the text. In single-byte
//! units, each count is one vectorized pass. Wider units are compared one by one.

use memchr::memchr_iter;

use oxiconv_encodings::codec::{ByteOrder, MIN_OUTPUT};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::{CARRIAGE_RETURN, CodePoint, LINE_FEED};
use oxiconv_report::LineEnds;

/// NEL, the line end of EBCDIC.
const NEXT_LINE: CodePoint = 0x85;
const LANES: usize = 64;
/// The blocks after which a lane of 8 bits could overflow.
const MAX_BLOCKS: usize = 255;

/// Counts the line ends of a text, chunk by chunk.
pub(super) struct LineEndCounter {
    unit: usize,
    lf: Vec<u8>,
    cr: Vec<u8>,
    nel: Vec<u8>,
    /// The numbers of LF, of CR, and of CR LF. The pairs are included in the first two.
    counts: (u64, u64, u64),
    nels: u64,
    /// Single-byte units: the last byte of the previous chunk.
    last: Option<u8>,
    /// Wider units: whether the last one was CR.
    after_return: bool,
    /// Wider units: the bytes of one that the end of the chunk truncated.
    partial: Vec<u8>,
}

impl LineEndCounter {
    pub(super) fn new(encoding: &'static Encoding, order: ByteOrder) -> Self {
        let mut counter = Self {
            unit: 1,
            lf: Vec::new(),
            cr: Vec::new(),
            nel: Vec::new(),
            counts: (0, 0, 0),
            nels: 0,
            last: None,
            after_return: false,
            partial: Vec::new(),
        };
        counter.switch_to(encoding, order);
        counter
    }

    /// Continues in another encoding. Text before the sample is counted as ASCII, until the encoding is known.
    pub(super) fn switch_to(&mut self, encoding: &'static Encoding, order: ByteOrder) {
        let bytes = |cp| bytes_of(encoding, order, cp);
        self.unit = encoding.unit();
        (self.lf, self.cr, self.nel) = (bytes(LINE_FEED), bytes(CARRIAGE_RETURN), bytes(NEXT_LINE));
    }

    pub(super) fn count(&mut self, bytes: &[u8]) {
        match self.unit {
            1 => self.count_bytes(bytes),
            2 => self.count_units::<2>(bytes),
            4 => self.count_units::<4>(bytes),
            // No encoding with other units is ever detected.
            _ => {}
        }
    }

    /// Returns how many lines end in each way.
    pub(super) fn line_ends(&self) -> LineEnds {
        let (lf, cr, pairs) = self.counts;
        let mut ends = LineEnds::default();
        (ends.lf, ends.crlf, ends.cr, ends.nel) = (lf - pairs, pairs, cr - pairs, self.nels);
        ends
    }

    pub(super) fn line_feeds(&self) -> u64 {
        self.counts.0
    }

    /// Counts in single-byte units: a vectorized pass for LF, one for CR, and one for the pairs of both. Most texts
    /// have no CR at all, and then the third pass is left out.
    fn count_bytes(&mut self, bytes: &[u8]) {
        let (&[lf], &[cr], Some(last)) = (&self.lf[..], &self.cr[..], bytes.last()) else { return };
        // A pair may be split between two chunks, and is in neither of them.
        let seam = self.last.map(|before| [before, bytes[0]]);
        let pairs = |pair: [u8; 2]| pairs(bytes, pair) + u64::from(seam == Some(pair));
        let returns = memchr_iter(cr, bytes).count() as u64;
        self.counts.0 += memchr_iter(lf, bytes).count() as u64;
        self.counts.1 += returns;
        if returns > 0 || seam == Some([cr, lf]) {
            self.counts.2 += pairs([cr, lf]);
        }
        self.nels += match self.nel[..] {
            [nel] => memchr_iter(nel, bytes).count() as u64,
            [first, second] => pairs([first, second]),
            _ => 0,
        };
        self.last = Some(*last);
    }

    fn count_units<const N: usize>(&mut self, mut bytes: &[u8]) {
        let unit = |bytes: &[u8]| <[u8; N]>::try_from(bytes).ok();
        let (Some(lf), Some(cr)) = (unit(&self.lf), unit(&self.cr)) else { return };
        let nel = unit(&self.nel);
        let mut partial = None;
        if !self.partial.is_empty() {
            let (head, rest) = bytes.split_at(bytes.len().min(N - self.partial.len()));
            self.partial.extend_from_slice(head);
            bytes = rest;
            partial = unit(&self.partial);
            if partial.is_none() {
                return;
            }
        }
        let (units, tail) = bytes.as_chunks::<N>();
        for unit in partial.iter().chain(units) {
            let is_line_feed = *unit == lf;
            self.counts.0 += u64::from(is_line_feed);
            self.counts.2 += u64::from(is_line_feed && self.after_return);
            self.after_return = *unit == cr;
            self.counts.1 += u64::from(self.after_return);
            self.nels += u64::from(Some(*unit) == nel);
        }
        self.partial = tail.to_vec();
    }
}

/// Encodes a character. Returns nothing if the encoding lacks it.
fn bytes_of(encoding: &'static Encoding, order: ByteOrder, cp: CodePoint) -> Vec<u8> {
    let mut buffer = [0; 2 * MIN_OUTPUT];
    let mut encoder = encoding.in_order(order).new_encoder(order);
    let len = encoder.encode(&[cp], &mut buffer).written;
    buffer[..len].to_vec()
}

/// Counts the positions at which `first` is followed by `second`.
///
/// The bytes are compared with themselves, shifted by one. Each lane counts its matches in 8 bits; the lanes are added
/// up before they can overflow.
fn pairs(bytes: &[u8], [first, second]: [u8; 2]) -> u64 {
    let Some((_, after)) = bytes.split_first() else { return 0 };
    let before = &bytes[..after.len()];
    let (before, before_rest) = before.as_chunks::<LANES>();
    let (after, after_rest) = after.as_chunks::<LANES>();
    let mut sum = 0;
    for (before, after) in before.chunks(MAX_BLOCKS).zip(after.chunks(MAX_BLOCKS)) {
        let mut counts = [0_u8; LANES];
        for (before, after) in before.iter().zip(after) {
            for lane in 0..LANES {
                counts[lane] += u8::from((before[lane] == first) & (after[lane] == second));
            }
        }
        sum += counts.into_iter().map(u64::from).sum::<u64>();
    }
    let rest = before_rest.iter().zip(after_rest);
    sum + rest.filter(|(before, after)| **before == first && **after == second).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(name: &str, order: ByteOrder, parts: &[&[u8]]) -> [u64; 4] {
        let mut counter = LineEndCounter::new(Encoding::for_name(name).unwrap(), order);
        parts.iter().for_each(|part| counter.count(part));
        let LineEnds { lf, crlf, cr, nel, .. } = counter.line_ends();
        [lf, crlf, cr, nel]
    }

    /// EBCDIC has its line feed at 25 and its next line at 15; in CP437, 85 is a letter.
    #[test]
    fn each_encoding_has_its_own_line_ends() {
        use ByteOrder::{Big, Little};
        for (name, order, bytes, expected) in [
            ("utf-8", Big, &b"a\nb\r\nc\rd\xC2\x85e\r\r\n\n\r"[..], [2, 2, 3, 1]),
            ("windows-1251", Big, b"\x85\n\xC2\x85\r\n", [1, 1, 0, 0]),
            ("cp437", Big, b"\x85\n", [1, 0, 0, 0]),
            ("ibm037", Big, b"\x81\x25\x81\x15\x81\x0D\x25\x0A", [1, 1, 0, 1]),
            ("utf-16", Little, b"\xFF\xFE\r\0\n\0\n\0\x0A\x0A\x85\0", [1, 1, 0, 1]),
            ("utf-16be", Big, b"\0\r\0\n\0\r\x0D\0\x0A\0", [0, 1, 1, 0]),
            ("utf-32le", Big, b"\n\0\0\0\r\0\0\0\n\0\0\0", [1, 1, 0, 0]),
            ("us-ascii", Big, b"", [0; 4]),
        ] {
            assert_eq!(counted(name, order, &[bytes]), expected, "{name}");
            for at in 0..=bytes.len() {
                let (before, after) = bytes.split_at(at);
                assert_eq!(counted(name, order, &[before, after]), expected, "{name} at {at}");
                let at = after.len() / 2;
                let parts = [before, &after[..at], &[], &after[at..]];
                assert_eq!(counted(name, order, &parts), expected, "{name} in four");
            }
            let single: Vec<_> = bytes.chunks(1).collect();
            assert_eq!(counted(name, order, &single), expected, "{name} byte by byte");
        }
    }

    #[test]
    fn pairs_are_counted_in_long_texts() {
        for len in [0, 1, 2, 63, 64, 65, 129, LANES * MAX_BLOCKS, 3 * LANES * MAX_BLOCKS + 7] {
            let text: Vec<u8> = b"ab\r\n".iter().copied().cycle().take(len).collect();
            assert_eq!(pairs(&text, *b"\r\n"), len as u64 / 4, "{len}");
        }
    }
}
