//! Skips text that is no evidence of its encoding, up to the first byte that may be. Detection looks for such bytes in
//! texts of any length, most of which are ASCII.
//!
//! The loop is plain, so that the compiler can vectorize it. It is compiled once per set, with its instructions.

const BLOCK: usize = 128;

/// Whether a byte is beyond ASCII, NUL (UTF-16 and UTF-32), or one that begins a shift of an encoding of seven bits:
/// ESC (ISO 2022), `&` (UTF-7-IMAP), `+` (UTF-7), `~` (HZ). DEL is no evidence, but to exclude it would take one more
/// comparison. It stops the kernel, and the caller continues after its block.
#[inline(always)]
const fn may_be_evidence(byte: u8) -> bool {
    // One signed comparison instead of four. With 2 added, `~` and DEL are 80 and 81, and the bytes beyond ASCII 82 to
    // 101: as signed bytes all negative, or 0 or 1. NUL is 2.
    (byte.wrapping_add(2) as i8 <= 2) | (byte == 0x1B) | (byte == b'+') | (byte == b'&')
}

/// Returns the length of the whole blocks at the start of `text` without such a byte. The test of a block has no branch
/// per byte.
#[inline(always)]
pub(super) fn skip_neutral(text: &[u8]) -> usize {
    let blocks = text.as_chunks::<BLOCK>().0;
    let is_neutral = |block: &&[u8; BLOCK]| {
        block.iter().fold(0, |any, byte| any | u8::from(may_be_evidence(*byte))) == 0
    };
    BLOCK * blocks.iter().take_while(is_neutral).count()
}
