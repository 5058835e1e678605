use super::*;

fn read(text: &str, set: u8) -> String {
    let cps: Vec<CodePoint> = text.chars().map(CodePoint::from).collect();
    let found = sequences(&cps, MisreadCharset(set));
    found.iter().filter_map(|it| char::from_u32(it.reading.text.characters()[0])).collect()
}

#[test]
fn characters_are_bytes_of_a_charset() {
    assert_eq!(read("Ã©tÃ© â‚¬ ðŸ˜€", 0), "éé€😀");
    assert_eq!(read("g√¢teau", 1), "â");
    assert_eq!(read("РїСЂРёРІРµС‚", 2), "привет");
    assert_eq!(read("├⌐", 10 - 1), "é");
    // MySQL's windows-1252 has control codes where Microsoft's has gaps.
    assert_eq!(read("Ã\u{81}", 0), "Á");
    // ED A0 BD ED B8 8D is U+1F60D in CESU-8. Neither surrogate alone is a character.
    assert_eq!(read("í\u{A0}½í¸\u{8D}", 0), "😍");
    assert_eq!(read("í\u{A0}½ í¸\u{8D}", 0), "");
    assert_eq!(read("í\u{A0}½í\u{A0}½", 0), "");
    assert_eq!(read("été", 0), "");
}
