//! The codes of a charset of two bytes a character, and what a mark in place of a code may stand for.

use std::ops::RangeInclusive;

use oxiconv_encodings::codec::{ByteOrder, DecodeStop, MIN_PIVOT};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::CodePoint;

use super::stretch::is_continuation;

/// The bytes with which a character may begin whose first byte was lost: kana, kanji and punctuation. Others are rare in
/// text that was read in such a charset.
pub(super) const LOST_LEADS: [u8; 9] = [0xE3, 0xE2, 0xE4, 0xE5, 0xE6, 0xE7, 0xE8, 0xE9, 0xEF];

/// A charset, and the lead bytes of which its codes are read.
pub(super) type TablePart = (&'static str, RangeInclusive<u8>);

/// The codes of a charset.
pub(super) struct DoubleByteCodes {
    /// The code of each character, below 100 hexadecimal if it is one byte; 0 if there is none.
    of: Vec<u16>,
    /// Other codes of characters that have several.
    more: Vec<(CodePoint, u16)>,
    /// The continuation bytes that are no character by themselves, and those of them that do not even begin one.
    pub(super) alone: Vec<u8>,
    pub(super) invalid: Vec<u8>,
    /// The last bytes of a character in codes that the charset does not define, if the next one begins in the same code.
    pub(super) ends: Vec<u8>,
    /// The second bytes of the forms of full width (`！`, EF BC 81) in codes that are not defined.
    pub(super) forms: Vec<u8>,
    /// The kana whose second and third byte are a code that is not defined.
    pub(super) kana: Vec<CodePoint>,
}

impl DoubleByteCodes {
    /// Reads the codes of a charset, and of others in these ranges of lead bytes.
    pub(super) fn new(encoding: &Encoding, others: &[TablePart]) -> Self {
        let (mut of, mut more) = (vec![0; 0x1_0000], Vec::new());
        let (mut undefined, mut single, mut invalid) = (Vec::new(), Vec::new(), Vec::new());
        let others = others
            .iter()
            .filter_map(|(name, leads)| Some((Encoding::for_name(name).ok()?, leads.clone())));
        for (encoding, leads) in [(encoding, 0x80..=0xFF)].into_iter().chain(others) {
            let mut add = |cp: CodePoint, code: u16| match of.get_mut(cp as usize) {
                Some(known @ 0) => *known = code,
                Some(known) if *known != code => more.push((cp, code)),
                _ => {}
            };
            for lead in leads {
                if let Ok(cp) = decode(encoding, &[lead]) {
                    add(cp, lead.into());
                    single.push(lead);
                    continue;
                }
                let mut is_lead = false;
                for trail in 0x40..=0xFE {
                    let is_undefined = match decode(encoding, &[lead, trail]) {
                        Ok(cp) => {
                            add(cp, u16::from_be_bytes([lead, trail]));
                            // Programs that have none for private use write a mark.
                            matches!(cp, 0xE000..=0xF8FF)
                        }
                        Err(2) => true,
                        Err(_) => continue,
                    };
                    is_lead = true;
                    undefined.extend((is_undefined && trail >= 0x80).then_some([lead, trail]));
                }
                if !is_lead {
                    // Windows reads it as a control code or a no-break space, and Python A0 as U+F8F0.
                    add(lead.into(), lead.into());
                    if lead == 0xA0 {
                        add(0xF8F0, lead.into());
                    }
                    invalid.extend(is_continuation(lead).then_some(lead));
                }
            }
        }
        let kana = |code: &[u8; 2]| match *code {
            [second @ 0x81..=0x83, third @ 0x80..=0xBF] => {
                Some(0x3000 | CodePoint::from(second & 0x3F) << 6 | CodePoint::from(third & 0x3F))
            }
            _ => None,
        };
        let is_end = |code: &&[u8; 2]| is_continuation(code[0]) && LOST_LEADS.contains(&code[1]);
        let ends: Vec<u8> = undefined.iter().filter(is_end).map(|code| code[0]).collect();
        let is_alone = |byte: &u8| !single.contains(byte) || invalid.contains(byte);
        // Only what may be UTF-8 is asked for.
        more.retain(|(_, code)| matches!(code.to_be_bytes(), [0..0xF5, 0x80..=0xF4]));
        Self {
            alone: (0x80..=0xBF).filter(is_alone).collect(),
            invalid,
            ends: (0x80..=0xBF).filter(|byte| ends.contains(byte)).collect(),
            forms: [0xBC, 0xBD]
                .into_iter()
                .filter(|byte| undefined.contains(&[0xEF, *byte]))
                .collect(),
            kana: undefined.iter().filter_map(kana).collect(),
            of,
            more,
        }
    }

    /// Returns the other codes of a character.
    pub(super) fn others(&self, cp: CodePoint) -> impl Iterator<Item = u16> {
        self.more.iter().filter(move |more| more.0 == cp).map(|more| more.1)
    }

    /// Returns the code of a character beyond ASCII; 0 if it has none.
    #[inline]
    pub(super) fn of(&self, cp: CodePoint) -> u16 {
        self.of.get(cp as usize).copied().unwrap_or(0)
    }
}

/// Decodes one character; the error is the length of what is ill-formed.
#[inline(never)]
pub(super) fn decode(encoding: &Encoding, bytes: &[u8]) -> Result<CodePoint, usize> {
    let mut pivot = [0; MIN_PIVOT];
    let done = encoding.new_decoder(ByteOrder::Big).decode(bytes, &mut pivot, true);
    match done.stop {
        DecodeStop::IllFormed(ill_formed) => Err(ill_formed.len),
        _ => Ok(pivot[0]),
    }
}
