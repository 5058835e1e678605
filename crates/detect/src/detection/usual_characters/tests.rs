use super::*;

/// The standards have 3,755 ideographs in level 1 of GB 2312, 2,965 in that of JIS X 0208, 5,401 in Big5, and 2,350
/// syllables in KS X 1001.
#[test]
fn each_character_of_the_standards_is_usual() {
    let count = |bits: &Bits| bits.iter().map(|word| word.count_ones()).sum::<u32>();
    let of_one = |set| count(&of(FIRST_IDEOGRAPH, &[set]));
    assert_eq!(of_one((Encoding::GB18030, 0xB0..=0xD7, 0xA1..=0xFE)), 3755);
    assert_eq!(of_one((Encoding::EUC_JP, 0xB0..=0xCF, 0xA1..=0xFE)), 2965);
    assert_eq!(of_one((Encoding::BIG5, 0xA4..=0xC6, 0x40..=0xFE)), 5401);
    let syllables = of(FIRST_SYLLABLE, &[(Encoding::CP949, 0xB0..=0xC8, 0xA1..=0xFE)]);
    assert_eq!(count(&syllables), 2350);
    assert!("的中日國한글".chars().all(|c| match c as u32 {
        cp @ FIRST_SYLLABLE.. => is_usual_syllable(cp),
        cp => is_usual_ideograph(cp),
    }));
    assert!(!is_usual_ideograph('龘' as u32) && !is_usual_syllable('뷁' as u32));
}
