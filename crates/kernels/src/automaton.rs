//! Validation of UTF-8 without vectors: a finite automaton, each step of which is one lookup and one shift. ASCII takes
//! no steps: it is checked a word at a time.
//!
//! The usual automaton looks up `TABLE[state][byte]`, so each lookup waits for the one before it. Here, the row of a
//! byte is a `u64` with the next state for each state, six bits each, and a state is the number of bits by which a row
//! is shifted. The lookups depend only on the bytes, and overlap; a step waits only for the shift of the step before.
//!
//! ```text
//! bytes   E0 A0                     state after E0: AFTER_E0, which is 30
//! row     ROWS[A0], at bit          42 TWO   30 ONE   24 TWO   18 ONE   12 START   elsewhere BAD
//! step    state = ROWS[A0] >> 30    ONE: one more continuation byte
//! ```
//!
//! A shift leaves the rest of the row above the new state. Only the lowest six bits of a state count, which is all that
//! a shift of 64 bits takes, so masking them costs no instruction. Nine states fit: their fields are the bits 0 to 53
//! of a row. The method is Per Vognsen's, "Shift-based DFAs".
//!
//! It validates 1.4 to 2.6 times as fast as `std::str::from_utf8` (docs/performance.md).

// The states are multiples of six.
/// Ill-formed. It is 0, so that every row leads from it to itself, and from states that a row does not mention to it.
/// A fault is therefore still seen many steps later, and one test per word is enough.
const BAD: u64 = 0;
/// Between characters.
const START: u64 = 6;
/// One continuation byte is missing.
const ONE: u64 = 12;
const TWO: u64 = 18;
const THREE: u64 = 24;
// The next byte has a narrower range in Table 3-7.
const AFTER_E0: u64 = 30;
const AFTER_ED: u64 = 36;
const AFTER_F0: u64 = 42;
const AFTER_F4: u64 = 48;

const ROWS: [u64; 256] = {
    let mut rows = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        rows[byte] = row(byte as u8);
        byte += 1;
    }
    rows
};

/// Returns the row of a byte, by Table 3-7. A continuation byte from A0 on is allowed after E0, and one below A0 after
/// ED. Likewise, 90 separates those after F0 from those after F4.
const fn row(byte: u8) -> u64 {
    let begun = match byte {
        0x00..=0x7F => START,
        0x80..=0xBF => {
            let after_three = if byte < 0xA0 { AFTER_ED } else { AFTER_E0 };
            let after_four = if byte < 0x90 { AFTER_F4 } else { AFTER_F0 };
            return START << ONE
                | ONE << TWO
                | TWO << THREE
                | ONE << after_three
                | TWO << after_four;
        }
        0xC2..=0xDF => ONE,
        0xE0 => AFTER_E0,
        0xED => AFTER_ED,
        0xE1..=0xEF => TWO,
        0xF0 => AFTER_F0,
        0xF1..=0xF3 => THREE,
        0xF4 => AFTER_F4,
        _ => BAD,
    };
    begun << START
}

const fn state(value: u64) -> u64 {
    value & 0x3F
}

/// Returns the length of well-formed UTF-8 at the start of `input`, in whole characters. It stops up to seven bytes and
/// a character before the end or the first fault, as it only looks at whole words.
pub(super) fn validate(input: &[u8]) -> usize {
    let (mut value, mut read) = (START, 0);
    while let Some(word) = input[read..].first_chunk::<8>() {
        // Only between characters may ASCII be skipped. After E2 it is a fault, which a lookup finds.
        if state(value) == START && is_ascii(word) {
            read += word.len();
            while let Some(words) = input[read..].first_chunk::<32>()
                && is_ascii(words)
            {
                read += words.len();
            }
            continue;
        }
        let next = word.iter().fold(value, |value, byte| ROWS[usize::from(*byte)] >> state(value));
        if state(next) == BAD {
            break;
        }
        value = next;
        read += word.len();
    }
    if state(value) == START {
        return read;
    }
    // Back to the start of the character that the end of the last good word truncates.
    input[..read].iter().rposition(|byte| byte & 0xC0 != 0x80).unwrap_or(0)
}

#[inline(always)]
fn is_ascii(words: &[u8]) -> bool {
    let words = words.as_chunks().0.iter();
    words.fold(0, |all, word| all | u64::from_ne_bytes(*word)) & 0x8080_8080_8080_8080 == 0
}
