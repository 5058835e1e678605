use crate::mojibake::restorer::tests::repaired;

/// The bytes that ISO-8859-1 has no sign for became question marks, or those that windows-1252 does not define.
#[test]
fn a_question_mark_may_be_a_lost_byte() {
    for (damaged, meant) in [
        ("StraÃ?e, GrÃ¶Ã?e", "Straße, Größe"),
        ("donâ??t stop", "don’t stop"),
        ("to â€œbb+â€? from â€œbbâ€?", "to “bb+” from “bb”"),
        ("datoteÄ?ni sustav â€œvrsteâ€? je iskljuÄ?en", "datotečni sustav “vrste” je isključen"),
    ] {
        assert_eq!(repaired(damaged).0, meant);
    }
    // Other scripts lost too many bytes, and `â€?` is a closing quotation mark.
    for sound in ["á€?á€°á€?á€ºá€œ", "donâ€?t"] {
        assert!(!repaired(sound).0.contains('\u{2010}'), "{sound}");
    }
    for sound in ["VOCÊ? MANHÃ? MAÇÃ?", "blâ?? café?? ÇA VÀ?", "É? È?? L’ÉTÉ?", "â?", "PaÃ?s"]
    {
        assert_eq!(repaired(sound), (sound.to_owned(), vec![]));
    }
}

/// `à` is a word, except in Portuguese. Other letters are none.
#[test]
fn a_space_that_was_a_byte_may_be_a_space_besides() {
    for (damaged, meant) in [
        ("rÃ©flexion jusqu'Ã nos jours", "réflexion jusqu'à nos jours"),
        ("com especial atenÃ§Ã£o Ã s crianÃ§as", "com especial atenção às crianças"),
        ("condiÃ§Ãµes, semelhante Ã quele", "condições, semelhante àquele"),
        ("Å veices baÅ†Ä·ieri gaida konkrÄ“tus", "Šveices baņķieri gaida konkrētus"),
        (
            "trouve Г lвЂ™ouest de lвЂ™Ukraine, la rГ©gion",
            "trouve à l’ouest de l’Ukraine, la région",
        ),
        ("Группа Г и группа Б", "Группа Г и группа Б"),
        ("faidhle na h-Ã rainneachd", "faidhle na h-àrainneachd"),
        ("dane â€œ $â€\u{A0} re", "dane “ $† re"),
    ] {
        assert_eq!(repaired(damaged).0, meant);
    }
}
