use super::super::swapped::{SwappedPair, pairs};
use super::*;
use oxiconv_encodings::encoding::Encoding;

/// Repairs a text, and returns how each part was damaged.
pub(in super::super) fn repaired(text: &str) -> (String, Vec<String>) {
    let mut restorer = Restorer::default();
    let (mut result, mut how, mut at) = (String::new(), Vec::new(), 0);
    for damage in restorer.look(text) {
        result.push_str(&text[at..damage.range.start]);
        result.push_str(&damage.meant);
        at = damage.range.end;
        let Damage { written_in, read_as, times, .. } = damage;
        how.push(format!("{written_in} as {read_as}, {times}"));
    }
    (result + &text[at..], how)
}

/// Each row is what a program shows that reads the bytes of the text in a charset, worked out by hand from the
/// tables.
#[test]
fn what_was_meant_comes_back() {
    for (damaged, meant, how) in [
        ("Ã©tÃ©", "été", "UTF-8 as windows-1252, 1"),
        ("PolÃ\u{AD}tica", "Política", "UTF-8 as windows-1252, 1"),
        ("Itâ€™s", "It’s", "UTF-8 as windows-1252, 1"),
        ("â€œquotedâ€\u{9D}", "“quoted”", "UTF-8 as windows-1252, 1"),
        ("cafÃƒÂ©", "café", "UTF-8 as windows-1252, 2"),
        ("doesnÃƒÂ¢Ã¢â€šÂ¬Ã¢â€žÂ¢t", "doesn’t", "UTF-8 as windows-1252, 3"),
        ("Ð¿Ñ€Ð¸Ð²ÐµÑ‚", "привет", "UTF-8 as windows-1252, 1"),
        ("РїСЂРёРІРµС‚", "привет", "UTF-8 as windows-1251, 1"),
        ("g√¢teaux", "gâteaux", "UTF-8 as macintosh, 1"),
        ("∆∞·ªõc", "ước", "UTF-8 as macintosh, 1"),
        ("├⌐t├⌐", "été", "UTF-8 as IBM437, 1"),
        ("├®t├®", "été", "UTF-8 as IBM850, 1"),
        ("╨┐╤А╨╕╨▓╨╡╤В", "привет", "UTF-8 as IBM866, 1"),
        ("ItтАЩs", "It’s", "UTF-8 as IBM866, 1"),
        ("׳©׳\u{9C}׳•׳\u{9D}", "שלום", "UTF-8 as windows-1255, 1"),
        ("ط§ظ„ط³ظ„ط§ظ…", "السلام", "UTF-8 as windows-1256, 1"),
        ("khĂ´ng", "không", "UTF-8 as windows-1250, 1"),
        ("xĂ³a", "xóa", "UTF-8 as windows-1258, 1"),
        ("เธชเธงเธฑเธชเธ”เธต", "สวัสดี", "UTF-8 as windows-874, 1"),
        ("Hi guys í\u{A0}½í¸\u{8D}", "Hi guys 😍", "UTF-8 as windows-1252, 1"),
        ("Ă®nceĹŁoĹźat", "înceţoşat", "UTF-8 as windows-1250, 1"),
        ("caf茅", "café", "UTF-8 as GB18030, 1"),
        ("浣犲ソ", "你好", "UTF-8 as GB18030, 1"),
        ("Gr枚脽e", "Größe", "UTF-8 as GB18030, 1"),
        ("袩褉懈胁械褌", "Привет", "UTF-8 as GB18030, 1"),
        ("âœ”", "✔", "UTF-8 as windows-1252, 1"),
        ("TNF-Î±", "TNF-α", "UTF-8 as windows-1252, 1"),
        ("IL2RÎ³cKO", "IL2RγcKO", "UTF-8 as windows-1252, 1"),
        ("10 kÎ©", "10 kΩ", "UTF-8 as windows-1252, 1"),
        ("6Ì¶3Ì¶", "6\u{336}3\u{336}", "UTF-8 as windows-1252, 1"),
        ("(Ã\u{A0}Â¸â€¡'ÃŒâ‚¬)", "(ง'\u{300})", "UTF-8 as windows-1252, 2"),
        ("signiп¬Ѓcant", "signiﬁcant", "UTF-8 as windows-1251, 1"),
        ("┬┐que", "¿que", "UTF-8 as IBM437, 1"),
        ("it\u{92}s", "it’s", "windows-1252 as ISO-8859-1, 1"),
        ("20 \u{80}", "20 €", "windows-1252 as ISO-8859-1, 1"),
        ("parlé\u{85} Tu", "parlé… Tu", "windows-1252 as ISO-8859-1, 1"),
        ("c\u{9C}ur", "cœur", "windows-1252 as ISO-8859-1, 1"),
        ("Ïðèâåò", "Привет", "windows-1251 as windows-1252, 1"),
        ("ÐÒÉ×ÅÔ", "привет", "KOI8-R as windows-1252, 1"),
        ("Åëëçíéêüò", "Ελληνικός", "windows-1253 as windows-1252, 1"),
    ] {
        assert_eq!(repaired(damaged), (meant.to_owned(), vec![how.to_owned()]), "{damaged}");
    }
}

/// Each row is text in the first charset that was read in the second, by Python's codecs. These are pairs that people
/// report, and rivals of each other.
#[test]
fn text_in_one_charset_that_was_read_in_another_comes_back() {
    for (damaged, meant, how) in [
        ("╧ЁшьхЁ ЄхъёЄр", "Пример текста", "windows-1251 as IBM866, 1"),
        ("бНОПНЯ Х НРБЕР", "Вопрос и ответ", "windows-1251 as KOI8-R, 1"),
        ("пФЧЕФ ОБ ЧПРТПУ", "Ответ на вопрос", "KOI8-R as windows-1251, 1"),
        ("нв\u{A0} Їа®Ја\u{A0}¬¬\u{A0}", "эта программа", "IBM866 as windows-1251, 1"),
        ("Åα¿óÑΓ, ¼¿α", "Привет, мир", "IBM866 as IBM437, 1"),
        ("ÅÓ¿óÑÔ, ¼¿Ó", "Привет, мир", "IBM866 as IBM850, 1"),
        ("vous avez dйjа compilй", "vous avez déjà compilé", "windows-1252 as windows-1251, 1"),
        ("Gewõhr f³r die Gr÷▀e", "Gewähr für die Größe", "windows-1252 as IBM850, 1"),
        ("fⁿr die Gr÷▀e ⁿber", "für die Größe über", "windows-1252 as IBM437, 1"),
        ("f¸r die Grˆﬂe ge‰ndert", "für die Größe geändert", "windows-1252 as macintosh, 1"),
        ("crιer le rιpertoire", "créer le répertoire", "windows-1252 as windows-1253, 1"),
        (
            "nicht m”glich, h”chstens Fl„chen",
            "nicht möglich, höchstens Flächen",
            "IBM850 as windows-1252, 1",
        ),
        ("fŸr die Grš§e geŠndert", "für die Größe geändert", "macintosh as windows-1252, 1"),
        ("ÉVé╡éóâtâHâïâ_", "新しいフォルダ", "CP932 as IBM437, 1"),
        ("æ▒ìséÁé▄éÀ", "続行します", "CP932 as IBM850, 1"),
        ("ÂÈ▓╗ã\u{AD}ú¼╬─╝■├╗ËðıÊÁ¢", "对不起，文件没有找到", "GB18030 as IBM850, 1"),
        (
            "Methode f黵 die Unterst黷zung",
            "Methode für die Unterstützung",
            "windows-1252 as GB18030, 1",
        ),
        ("偙偺偨傔昁梫偵墳偠偰", "このため必要に応じて", "CP932 as GB18030, 1"),
        // A pair of bytes without a character in GB 18030 is one for private use.
        ("块\u{E5F0}いゅ\u{E019}计\u{E6D8}", "輸入中文的數字", "BIG5-HKSCS as GB18030, 1"),
    ] {
        let (text, all) = repaired(damaged);
        assert_eq!(text, meant);
        assert!(all.iter().all(|one| one == how), "{damaged}: {all:?}");
    }
}

/// Damage in a line is no reason to read a sign and a space as a letter of another script.
#[test]
fn signs_next_to_damage_stay() {
    for (damaged, meant) in [
        (
            "ConfiguraciÃ³ del cafÃ©, a × (b) Ø±5 mm Ò (o)",
            "Configuració del café, a × (b) Ø±5 mm Ò (o)",
        ),
        ("PrzykÅ‚ad zaÅ¼Ã³Å‚Ä‡: Î (i), Ø (mm), × -1", "Przykład zażółć: Î (i), Ø (mm), × -1"),
    ] {
        assert_eq!(repaired(damaged).0, meant);
    }
}

/// What is around a word costs the same as it stands and as it was meant, however unusual it is.
#[test]
fn a_word_beside_an_address_comes_back() {
    let damaged = "┬юЄ ёё√ыър: <a href=\"/w/%D0%97%D0%B5%D0%BC%D0%BB%D1%8F\">╟хьы\u{A0}</a>";
    let meant = "Вот ссылка: <a href=\"/w/%D0%97%D0%B5%D0%BC%D0%BB%D1%8F\">Земля</a>";
    assert_eq!(repaired(damaged).0, meant);
}

/// Charsets that nobody reports are listed, too, if another one would be taken for them.
#[test]
fn text_is_not_taken_for_a_relative_of_its_charset() {
    for (damaged, wrong) in [
        // EUC-JP read as IBM437: 新しい is 糠しい in GB18030.
        ("┐╖ñ╖ññÑ╒Ñ⌐ÑδÑ└", "糠しい"),
        // windows-1254 read as windows-1251: bakımından is bakýmýndan in windows-1252.
        ("Bьtьn insanlar hьr, haysiyet ve haklar bakэmэndan eюit doрarlar", "bakýmýndan"),
    ] {
        let (text, _) = repaired(damaged);
        assert!(!text.contains(wrong), "{text}");
    }
}

/// Signs, units and abbreviations are no Latin letters, and neither are the letters of Kabyle or sound words that the
/// rules about unusual words find.
#[test]
fn unusual_words_that_are_sound_stay() {
    for text in [
        "cosθ sinθ tanθ, 5 μm, 10 μs, 2πr, λx.x, Δt",
        "P(T≤t) one-tailed, P(T≤t) two-tailed",
        "tesεu, yesεa, atsefεej",
        "дд dч 02dм",
        "allowing some μoptimizations, ι symbol, \"ὨΙ\"",
        "iФирма и eБанк, СССР и США",
        "“foo“bar” baz”qux",
        "10µs–20µs, x³y, ½kg",
        "cаmelCase с кириллицей",
        "Α型とΒ型、Τ細胞、β波",
        "個們備價優係傳 債優 備債",
        "ЯндексДиск МойОфис",
        // Abbreviations and units, as if all letters had the other case; alphabets; brands with Russian endings.
        "рРНК и мРНК, мРНК и тРНК связываются с рРНК, дцРНК",
        "дБ дБ 2,5мм², нФ мкФ дБ кВА, рН 7,4 и рКа",
        "// фФ ыЫ вВ аА пП рР оОёЁ лЛ дД",
        "áÁ éÉ íÍ ñÑ óÓ úÚ üÜ",
        "åÅ, äÄ, öÖ",
        "šŠ žŽ õÕ äÄ öÖ üÜ",
        "АА ББ ВВ ГГ",
        "sinθcosφ, tanα, Δx→0, ΔxΔp≥ħ/2, μF, kΩ, MΩ, Ωm, µs, µm",
        "µs, cosφ, ∞, β, εr",
        "Лfe1 Лfe1 пешкаe4, Фd1",
        "и VIPы VIPы Windowsа Excelе, xбокс GPSка CDюк",
    ] {
        assert_eq!(repaired(text), (text.to_owned(), vec![]), "{text}");
    }
}

/// Words with a capital in the wrong place are sequences of IBM866 too: E2 80 8A is a space, and E3 86 85 a letter of
/// Korean. They stay, also next to words that were read in IBM866.
#[test]
fn letters_of_ibm866_alone_are_no_sequence() {
    let damaged = "╨Я╤А╨╕╨▓╨╡╤В, ╨║╨░╨║ ╤В╨▓╨╛╨╕ ╨┤╨╡╨╗╨░ тАФ ╨╕ ЁЯША";
    let meant = "Привет, как твои дела — и 😀";
    for sound in ["тАК", "уЖЕ", "чТО эТО", "тОМ теориИ", "Это тСД и всё."]
    {
        assert_eq!(repaired(sound).0, sound);
        let both = repaired(&format!("{damaged} {damaged} {sound} {damaged}")).0;
        assert_eq!(both, format!("{meant} {meant} {sound} {meant}"));
    }
}

/// `┬⌐` may be `©`, but only beside other damage of the same kind.
#[test]
fn a_thread_keeps_nothing_of_one_text_for_the_next() {
    let damaged = "├⌐cole ├⌐tait d├⌐j├á tr├¿s ├⌐loign├⌐e, et l'├⌐t├⌐ arriv├⌐";
    for _ in 0..2 {
        let mut restorer = Restorer::default();
        for _ in 0..4 {
            assert!(!restorer.look(damaged).is_empty());
            restorer.pass("\n");
        }
        assert_eq!(restorer.look("┬⌐ 2019")[0].meant, "©");
        drop(restorer);
        assert!(Restorer::default().look("┬⌐ 2019").is_empty());
    }
}

/// Each row is text in a charset of DOS or the Macintosh, encoded by Python's codecs and read as windows-1252. Most
/// of it is also text in a charset of Windows: MacCyrillic's `блокируются` is `блокируютсЯ` in windows-1251.
#[test]
fn text_of_dos_and_the_macintosh_is_not_taken_for_its_relatives() {
    for (damaged, meant, written_in) in [
        ("‘òîðîííèå ôàéëû áëîêèðóþòñß", "Сторонние файлы блокируются", "MAC-UK"),
        ("»è Ûçëùòï Þîïíá áòøåÝïù", "Μη έγκυρο όνομα αρχείου", "MacGreek"),
        ("\u{81}ˆŒ €š ‘‰Ž\u{8F} ‘…“ „™…˜„", "בטל את סימן סוף השורה", "IBM862"),
        ("Õ¨Ö¢µÖ¦·ÒÖ ØÖÐçû·åí ¦ÖãåçØ", "Необходимо получить доступ", "IBM855"),
    ] {
        let (text, how) = repaired(damaged);
        assert_eq!(text, meant);
        let expected = format!("{written_in} as windows-1252, 1");
        assert!(how.iter().all(|how| *how == expected), "{damaged}: {how:?}");
    }
}

/// `В море` in MacCyrillic: windows-1251 reads the rest, and leaves a quotation mark alone. Quotation marks that
/// are control codes in windows-1252 are not letters.
#[test]
fn a_sign_alone_counts_for_a_charset() {
    assert_eq!(repaired("‚ ìîðå").0, "‚ ìîðå");
    let text = repaired("íå å ñèìåòðè÷åí äèàïàçîí: \u{84} \u{93}").0;
    assert_eq!(text, "не е симетричен диапазон: „ “");
}

/// Lowercase letters except я are the same bytes in windows-1251 and MacCyrillic, and others in KOI8-R.
#[test]
fn what_reads_the_same_is_a_relative() {
    let mut restorer = Restorer::default();
    let penalty = |restorer: &Restorer, name: &str| {
        let is_named = |pair: &SwappedPair| pair.written_in == Encoding::for_name(name).unwrap();
        let index = pairs().iter().position(is_named).unwrap();
        restorer.evidence.of(Mistake::Swapped(index)).penalty
    };
    let before = ["MAC-UK", "KOI8-R"].map(|name| penalty(&restorer, name));
    // сторонние файлы
    assert_eq!(restorer.look("ñòîðîííèå ôàéëû\n").len(), 2);
    let after = ["MAC-UK", "KOI8-R"].map(|name| penalty(&restorer, name));
    // A mistake other than the one that was found costs more, but a relative hardly does.
    let more = [0, 1].map(|place| after[place] - before[place]);
    assert!(more[0] < more[1] / 2.0, "{more:?}");
}

/// No language of the model has ҥ, U+04A5: D2 A5 in UTF-8, which Mac Roman reads as `“•`.
#[test]
fn a_letter_that_is_two_marks_is_part_of_its_word() {
    for word in ["–π–æ“•—ã–ª—ã—à", "–±—ç–ª–∏—ç–ª—ç—Ä–∏“•"]
    {
        assert_eq!(repaired(word).0, word);
    }
    // Marks that are typed next to a word.
    assert_eq!(repaired("“g√¢teau”").0, "“gâteau”");
}

#[test]
fn a_lost_byte_comes_back_where_one_character_fits() {
    assert_eq!(repaired("â€œquotedâ€\u{FFFD}").0, "“quoted”");
    assert_eq!(repaired("voilÃ le travail").0, "voilà le travail");
    assert_eq!(repaired("dÃ©jÃ  vu").0, "déjà vu");
    assert_eq!(repaired("HÃ¶he: 5Â mm").0, "Höhe: 5\u{A0}mm");
    // A capital after a small letter, and the same damage in the rest.
    assert_eq!(repaired("notreÂ chien est fatiguÃ©").0, "notre\u{A0}chien est fatigué");
    assert_eq!(repaired("khÃ´ng sÃ ng").0, "không sàng");
}

/// Relatives read most words alike, and a few differently.
#[test]
fn the_line_decides_what_a_word_leaves_open() {
    for (damaged, meant) in [
        // UTF-8 read as IBM437 or IBM850, in which `¥` is 9D or BE.
        ("Borg e├░a ├¥orp sem heimilisfangi├░ ├í vi├░", "Borg eða þorp sem heimilisfangið á við"),
        (
            "Se oni ┼¥an─¥as ideon dum ─ëi tiu proceso, restos netu┼¥ita",
            "Se oni ŝanĝas ideon dum ĉi tiu proceso, restos netuŝita",
        ),
    ] {
        assert_eq!(repaired(damaged).0, meant);
    }
}

#[test]
fn sound_text_is_not_changed() {
    for text in [
        "4288×…",
        "NESTLÉ®",
        "AHÅ™, the new sofa",
        "SELKÄ EDELLÄ",
        "l’été à « Paris »",
        "Різдво",
        "жёлтый",
        "├─────┤",
        "HOTĂRÎ” COBORÎ² NAÏ† ROÎ¡ “MAÎ”",
        "Î’",
        "// Ã© -> é, or é by Ã©",
        "Let Γ be a lattice in G. α and Γ are",
        "La fonction Γ est définie sur le groupe Г les",
        "the sign \u{5B3} is",
        "ÀÁÂÃÄÅ",
        "贵州茅台什么没有",
        "«СССР»",
        ">В Impress и Draw",
        "Greek letters “α” “β” “γ” “δ” stand for",
        "Видео 3Δ Matroska",
        "Объявите её RECURSIVE",
        "  csН           установить",
        "Ц Ч Ш Щ Ъ Ы І Ь",
        "abcdefghijklmnopqrsšzžtuvwõäöüxy",
        "yes áááááááááááááááááááá",
        "–ö– –ä– –ü–",
        "well (`¬´)",
        "PODRÓŻ",
        "เธอ",
        "عکس",
        "כיתה ג׳ ",
        "5 €",
        "",
    ] {
        assert_eq!(repaired(text), (text.to_owned(), vec![]), "{text}");
    }
}

/// Returns the least confidence with which a line is repaired; `None` if nothing in it is damaged.
fn confidence(restorer: &mut Restorer, line: &str) -> Option<u8> {
    restorer.look(line).iter().map(|damage| damage.confidence).min()
}

/// `ôaſaſaſaſa` saves many bits, but is in no language.
#[test]
fn signs_that_would_be_no_word_are_left() {
    let confidence = confidence(&mut Restorer::default(), "├┤a┼┐a┼┐a┼┐a┼┐a");
    assert!(confidence.unwrap_or(0) < SURE, "{confidence:?}");
}

/// The bytes of 猫, 枚, 么, 酶, 煤, 帽, 毛 and 录 in GB18030 are è, ö, ô, ø, ú, ñ, ë and ¼ in UTF-8.
#[test]
fn one_ideograph_beside_a_latin_word_is_sound() {
    for line in [
        "Nyan猫\n",
        "msgstr \"%d枚\"\n",
        "n枚\n",
        "カードN枚\n",
        "写真(n枚)\n",
        "LOL猫\n",
        "Linux么\n",
        "caspase酶\n",
        "Nike帽\n",
        "Excel毛\n",
        "每月 Mt煤\n",
        "Tom猫 和 Jerry鼠\n",
        "Tom猫Jerry\n",
        "Tom猫 is a cat and so is Nyan猫\n",
        "black猫 white猫\n",
        "Debian录\n",
        // Inside a word, but beside other ideographs, kana and Hangul.
        "我认识M眉ller先生\n",
        "こんにちは、M眉llerさん\n",
        "뮐러는 M眉ller\n",
    ] {
        // However often it occurs.
        let mut restorer = Restorer::default();
        for _ in 0..20 {
            let confidence = confidence(&mut restorer, line).unwrap_or(0);
            assert!(confidence < SURE, "{line}: {confidence} %");
        }
    }
}

#[test]
fn ideographs_in_latin_words_are_damage_as_are_those_beside_them() {
    for line in [
        "M眉ller\n",
        "Gr枚脽e\n",
        "浣犲ソ\n",
        "L鈥櫭﹖茅 dernier, o霉 茅tiez-vous ? 脌 la plage, pr猫s de l鈥櫭甽e d鈥橭l茅ron.\n",
        "une soir茅e au caf茅 avec le pr茅sident\n",
        "r锚 dan barbar ku wijdana mirovhiy锚\n",
    ] {
        let confidence = confidence(&mut Restorer::default(), line).unwrap_or(0);
        assert!(confidence >= SURE, "{line}: {confidence} %");
    }
}

/// Most text has places like UTF-8 in a charset of its own letters; it must not be judged line by line.
#[test]
fn sound_words_need_no_region() {
    for text in [
        "Всё, что ещё жёлтое, — «моё»; в доме ещё двое учёных и «ВСЁ» своё.",
        "Η γη ή η θάλασσα ήταν μεγάλη ή μικρή, ή και «ΟΛΑ».",
        "L’école, l’état et l’âge d’être à Paris – 12 × 18 ≈ 216.",
        "Příliš žluťoučký kůň úpěl ďábelské ódy…",
        "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。",
        "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。",
        "모든 인간은 태어날 때부터 자유로우며 – 그 존엄과 권리에 있어 동등하다.",
        "เธอและเนยแข็ง เธอ “เน้น” การใช้ภาษาไทยในเอกสาร",
        "محيط، خط؟ عکس پاک اکتبر گربه «باغ» ظرف؛ غم",
        "כיתה ג׳ “צ׳ק” ג׳ירפה – צה״ל",
    ] {
        let mut restorer = Restorer::default();
        let (mut at, mut sound) = (0, 0);
        while let place @ (Suspect::Sequence(next) | Suspect::Swapped(next)) =
            restorer.suspect(text, at, sound, true)
        {
            at = next;
            match (place, restorer.words(text, at, true)) {
                (Suspect::Sequence(_), SuspectWords::Sound(end)) => sound = end,
                other => panic!("{other:?}: {}", &text[at..]),
            }
        }
    }
}

/// Layers must not be tried in every combination.
#[test]
fn hostile_text_takes_no_long_time() {
    repaired(&"ÃƒÂ√Γ├ƒГВ".repeat(200));
}
