//! Shuffles indexed by masks, computed at compile time.
//!
//! ```text
//! table      index         shuffle                used for
//! COMPRESS   0b0000_1101   0 1  2 3  3 4          from UTF-8: bytes 0, 2 and 3, each with the byte after it
//! PAIRS      0b0000_0010   0  2 3  4  6 …         to UTF-8: one byte of element 0, both of element 1, one of 2 …
//! FORMS      0b01_11_00_01 1 0  4  10 9 8  13 12  to UTF-8: sequences of 2, 1, 3 and 2 bytes, the lowest byte last
//! ELEMENTS   0b1101        0…3  8…11  12…15       UTF-16 to UTF-32: elements 0, 2 and 3
//! HALVES     0b0010        0 1  4…7  8 9  12 13   UTF-32 to UTF-16: both halves of element 1, one of each other
//! ```
//!
//! The tables of 256 entries have 4 KiB each. A conversion uses one or two of them, which leaves most of the L1 cache
//! to the text.

/// An index for which every set writes 0.
const ZERO: u8 = 0x80;

type Shuffle = [u8; 16];

struct ShuffleBuilder {
    indices: Shuffle,
    len: usize,
}

impl ShuffleBuilder {
    const fn push(&mut self, place: usize) {
        self.indices[self.len] = if place < 16 { place as u8 } else { ZERO };
        self.len += 1;
    }

    const fn new() -> Self {
        Self { indices: [ZERO; 16], len: 0 }
    }
}

/// Bytes 0 to 7 whose bit is set, each as the lower byte of a 16-bit element. The upper byte is the one after it.
pub(super) static COMPRESS: [Shuffle; 256] = {
    let mut table = [[ZERO; 16]; 256];
    let mut mask = 0;
    while mask < 256 {
        let mut shuffle = ShuffleBuilder::new();
        let mut place = 0;
        while place < 8 {
            if mask >> place & 1 == 1 {
                shuffle.push(place);
                shuffle.push(place + 1);
            }
            place += 1;
        }
        table[mask] = shuffle.indices;
        mask += 1;
    }
    table
};

/// Of eight 16-bit elements, both bytes if the bit is set, otherwise only the first.
pub(super) static PAIRS: [Shuffle; 256] = {
    let mut table = [[ZERO; 16]; 256];
    let mut mask = 0;
    while mask < 256 {
        let mut shuffle = ShuffleBuilder::new();
        let mut element = 0;
        while element < 8 {
            shuffle.push(2 * element);
            if mask >> element & 1 == 1 {
                shuffle.push(2 * element + 1);
            }
            element += 1;
        }
        table[mask] = shuffle.indices;
        mask += 1;
    }
    table
};

/// Of four 32-bit elements, as many bytes as two bits say: 00 one, 01 two, 11 three, 10 four. The last byte of a
/// sequence is lowest in its element.
///
/// The codes are not in the order of the lengths, because this is what comparisons leave (`lengths` and `spread_four`
/// of `to_utf8.rs`). For up to three bytes, counting the bits of the index also gives the number of bytes beyond one
/// per element.
pub(super) static FORMS: [Shuffle; 256] = {
    let mut table = [[ZERO; 16]; 256];
    let mut mask = 0;
    while mask < 256 {
        let mut shuffle = ShuffleBuilder::new();
        let mut element = 0;
        while element < 4 {
            let mut left = match mask >> (2 * element) & 0b11 {
                0b00 => 1,
                0b01 => 2,
                0b11 => 3,
                _ => 4,
            };
            while left > 0 {
                left -= 1;
                shuffle.push(4 * element + left);
            }
            element += 1;
        }
        table[mask] = shuffle.indices;
        mask += 1;
    }
    table
};

/// The 32-bit elements whose bit is set.
pub(super) static ELEMENTS: [Shuffle; 16] = {
    let mut table = [[ZERO; 16]; 16];
    let mut mask = 0;
    while mask < 16 {
        let mut shuffle = ShuffleBuilder::new();
        let mut place = 0;
        while place < 16 {
            if mask >> (place / 4) & 1 == 1 {
                shuffle.push(place);
            }
            place += 1;
        }
        table[mask] = shuffle.indices;
        mask += 1;
    }
    table
};

/// Of four 32-bit elements, both 16-bit halves if the bit is set, otherwise only the first.
pub(super) static HALVES: [Shuffle; 16] = {
    let mut table = [[ZERO; 16]; 16];
    let mut mask = 0;
    while mask < 16 {
        let mut shuffle = ShuffleBuilder::new();
        let mut place = 0;
        while place < 16 {
            if place % 4 < 2 || mask >> (place / 4) & 1 == 1 {
                shuffle.push(place);
            }
            place += 1;
        }
        table[mask] = shuffle.indices;
        mask += 1;
    }
    table
};
