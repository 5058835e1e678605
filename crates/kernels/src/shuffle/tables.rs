//! Shuffles indexed by masks, computed at compile time.
//!
//! ```text
//! COMPRESS   mask 0b0000_1101   the bytes 0, 2, 3, each with the one after it as a 16-bit element
//! PAIRS      one bit for each 16-bit element: both bytes if it is set, otherwise only the first
//! FORMS      two bits for each 32-bit element: its length from one to four bytes, the lowest byte last
//! ELEMENTS   mask 0b1101        the 32-bit elements 0, 2, 3
//! HALVES     one bit for each 32-bit element: both halves if it is set, otherwise only the first
//! ```

/// An index that makes a shuffle write 0.
const ZERO: u8 = 0x80;

type Shuffle = [u8; 16];

/// A shuffle under construction: its indices so far.
struct ShuffleBuilder {
    places: Shuffle,
    len: usize,
}

impl ShuffleBuilder {
    const fn push(&mut self, place: usize) {
        self.places[self.len] = if place < 16 { place as u8 } else { ZERO };
        self.len += 1;
    }

    const fn new() -> Self {
        Self { places: [ZERO; 16], len: 0 }
    }
}

/// The bytes below 8 whose bit is set, each as the lower byte of a 16-bit element; the upper byte is the one after it.
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
        table[mask] = shuffle.places;
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
        table[mask] = shuffle.places;
        mask += 1;
    }
    table
};

/// Of four 32-bit elements, as many bytes as two bits say: 00 one, 01 two, 11 three, 10 four. The last byte of a
/// sequence is lowest in its element.
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
        table[mask] = shuffle.places;
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
        table[mask] = shuffle.places;
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
        table[mask] = shuffle.places;
        mask += 1;
    }
    table
};
