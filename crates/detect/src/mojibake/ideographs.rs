//! Ideographs: which characters are wide, and which are hardly ever used.

use std::sync::OnceLock;

use crate::language::Script;
use oxiconv_encodings::unicode::CodePoint;

use super::double_byte::DoubleByteCharset;

pub(super) fn is_ideograph(cp: CodePoint) -> bool {
    matches!(cp, 0x3400..=0x9FFF)
}

/// Whether a character takes two bytes in all charsets of East Asia.
pub(super) fn is_wide(cp: CodePoint) -> bool {
    matches!(cp, 0x2E80..0xFF00)
}

/// Whether a character is hardly ever used, and its bytes are text in other charsets: a letter of windows-1252 and one
/// of ASCII, as in `f黵`, or kana of CP932, as in `偙傟偼`. The first are in GBK/4 and the second in GBK/3, which hold what
/// GB 2312 lacks.
pub(super) fn is_rare(cp: CodePoint) -> bool {
    static RARE: OnceLock<Vec<u64>> = OnceLock::new();
    let rare = || {
        let mut rare = vec![0; 0x1_0000 / 64];
        for cp in 0x3400..0xA000 {
            let [lead, trail] = DoubleByteCharset::GB18030.code(cp).to_be_bytes();
            let is_letters = lead >= 0xC0 && trail.is_ascii_alphabetic();
            if is_letters || matches!(lead, 0x82 | 0x83) {
                rare[cp as usize / 64] |= 1 << (cp % 64);
            }
        }
        rare
    };
    is_ideograph(cp) && RARE.get_or_init(rare)[cp as usize / 64] >> (cp % 64) & 1 == 1
}

pub(super) fn is_east_asian(cp: CodePoint) -> bool {
    matches!(Script::of(cp), Some(Script::Han | Script::Kana | Script::Hangul))
}
