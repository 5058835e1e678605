//! Skipping text that says nothing of its encoding, up to the first byte that might. The compiler vectorizes these
//! loops; each is compiled once per set, with its instructions.

/// Bytes looked at together.
const BLOCK: usize = 128;

/// Whether a byte is beyond ASCII, NUL, or one that begins a shift of an encoding of seven bits: ESC, `&`, `+`, `~`;
/// also DEL, which costs nothing more.
#[inline(always)]
const fn may_be_evidence(byte: u8) -> bool {
    // Two further on, `~`, DEL and the bytes beyond ASCII are not positive or 1, and NUL is 2.
    (byte.wrapping_add(2) as i8 <= 2) | (byte == 0x1B) | (byte == b'+') | (byte == b'&')
}

/// Returns the length of the whole blocks at the start of `text` without such a byte.
#[inline(always)]
pub(super) fn skip_neutral(text: &[u8]) -> usize {
    let blocks = text.as_chunks::<BLOCK>().0;
    let is_neutral = |block: &&[u8; BLOCK]| {
        block.iter().fold(0, |any, byte| any | u8::from(may_be_evidence(*byte))) == 0
    };
    BLOCK * blocks.iter().take_while(is_neutral).count()
}
