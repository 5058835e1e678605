//! Damaged text is repaired or left alone, but never made worse.

use crate::common::{Dir, run_text};

fn repaired(argument: &str, text: &str) -> String {
    let (status, result, _) = run_text(&[argument, "-q"], text);
    assert_eq!(status, 0, "{text}");
    result
}

/// MusicFreeDesktop #428: text in GBK, Big5, EUC-KR, Shift_JIS and KOI8-R that was misread as Latin-1, once and twice.
#[test]
fn a_short_name_is_repaired_or_left_never_half() {
    for (damaged, meant) in [
        ("ÁõµÂ»ª\n", "刘德华\n"),
        ("µËÀö¾ý\n", "邓丽君\n"),
        ("³ÂÞÈÑ¸\n", "陈奕迅\n"),
        ("ºì¶¹\n", "红豆\n"),
        ("Ê®Äê\n", "十年\n"),
    ] {
        let result = repaired("--repair", damaged);
        assert!([damaged, meant].contains(&result.as_str()), "{damaged} became {result}");
        let twice: String = damaged.bytes().map(char::from).collect();
        let result = repaired("--repair", &twice);
        assert!(
            [twice.as_str(), damaged, meant].contains(&result.as_str()),
            "{twice} became {result}"
        );
    }
}

#[test]
fn one_pair_is_no_evidence_for_a_script() {
    for text in ["e\u{CC}\u{FF}\n", "a\u{CC}\u{FF}\n", "x Ð¸ y\n"] {
        assert_eq!(repaired("--repair", text), text);
    }
}

/// DOS and Macintosh text that was misread as Latin-1. A charset is ruled out if the result has signs or capitals
/// inside words, or none of the charset's own letters.
#[test]
fn signs_inside_words_are_no_evidence() {
    for text in [
        "sincronizaci\u{97}n: act\u{92}valo\n",
        "co jin\u{8E}ho n\u{87}m jeät\u{9E}\n",
        // In Macintosh Cyrillic, DF is the small ya. In windows-1251, it is the capital.
        "íàëàøòóâàííß\n",
        "ïîñòàâßíå\n",
    ] {
        assert_eq!(repaired("--repair", text), text);
    }
    for (damaged, meant) in [
        ("Ïðèâåò, êàê äåëà?\n", "Привет, как дела?\n"),
        ("ðÒÉ×ÅÔ, ËÁË ÄÅÌÁ?\n", "Привет, как дела?\n"),
        // IBM857, IBM850 and Mac Roman, whose letters are control codes in ISO-8859-1.
        (
            "1;\"\u{98}stem yard\u{8D}m\u{8D}: 1\";s\u{81}tun;1080,94\n",
            "1;\"İstem yardımı: 1\";sütun;1080,94\n",
        ),
        ("utilis\u{82} comme candidat r\u{82}\u{82}crit\n", "utilisé comme candidat réécrit\n"),
        ("symbole r\u{82}f\u{82}renc\u{82} est\n", "symbole référencé est\n"),
        ("Egy \u{82}p\u{81}let\n", "Egy épület\n"),
        ("versi\u{97}n de la configuraci\u{97}n\n", "versión de la configuración\n"),
    ] {
        assert_eq!(repaired("--repair", damaged), meant);
    }
}

/// UTF-8 that was misread as Latin-1 and then lost its control codes. The lead bytes are not letters of another
/// charset.
#[test]
fn utf8_without_its_controls_is_no_other_charset() {
    for text in [
        "à¤à¤¸à¥à¤µà¥à¤à¤¾à¤° à¤à¥ à¤à¤.\n",
        "à®à®à¯à®à¯à®\n",
        "á¨áááá¢áááá¡\n",
        "ááááá¢áá ááááªáá.\n",
    ] {
        assert!(!repaired("--repair", text).contains(['р', 'с', '░']), "{text}");
    }
}

/// A space after a lead byte is what is left of a letter, not of a digit or an accent.
#[test]
fn a_space_is_no_digit() {
    for text in ["Ú©ÙØ¯ Ù Ø§Ø²\n", "ØªÙ Ø¥Ø°Ø§\n"] {
        assert!(!repaired("--repair", text).contains('٠'), "{text}");
    }
}

#[test]
fn an_accent_needs_a_letter_of_its_script() {
    assert_eq!(repaired("--repair", "ìÞ êÖ£ìá\n"), "ìÞ êÖ£ìá\n");
}

/// A letter before a quotation mark or sign may look like damage, but both may be right where they are.
#[test]
fn a_letter_before_a_mark_is_no_evidence() {
    for text in [
        // The mark closes a quotation that an undamaged mark opened.
        "préposition «\u{A0}à\u{A0}» et\n",
        "«\u{A0}Í\u{A0}»\n",
        "«\u{A0}SÅ\u{A0}»\n",
        "»ZAJISTÍŠ«\n",
        "»JEKUAAUKARÃ«\n",
        "JŪS TIKSIET AUTOMĀTISKI «TUVUMĀ» ROKU\n",
        "»NEGÂ«\n",
        "Teplota «Â» klesla\n",
        "Aplikacije će koristiti «\u{A0}POMOĆ\u{A0}» nije\n",
        "„REHECHARÃ“\n",
        "‚NÅ‘ CHROMEOS\n",
        "PŘIPOJENÍ „Γ“ HRADEM\n",
        "“SKESLAΓ” ad rnuḍ\n",
        // The sign makes sense after a word in capitals, a unit or a symbol.
        "SLÅ²\n",
        "for SÅ² filer: SLÅ²\n",
        "ECRÃ\u{A0}x\n",
        "BIIBLÃ’s\n",
        "MEDIDA QUE ECRÃ’S\n",
        "la Γ²T de\n",
        "Γ’s Γ’S\n",
        "Δ\u{A0}X\n",
        "VELIKOST Γ–5\n",
        "12,5Å·s\n",
    ] {
        assert_eq!(repaired("--repair", text), text);
    }
}

/// The same pairs are damage inside a word, or next to more damage of the same kind.
#[test]
fn a_letter_before_a_mark_is_repaired_where_it_is_not_right() {
    for (damaged, meant) in [
        ("Â«\u{A0}CitroÃ«n\u{A0}Â»\n", "«\u{A0}Citroën\u{A0}»\n"),
        ("«CitroÃ«n»\n", "«Citroën»\n"),
        ("CITTÃ€ APERTA\n", "CITTÀ APERTA\n"),
        ("PROGLAÅ\u{A0}AVA\n", "PROGLAŠAVA\n"),
        ("dÃ©jÃ\u{A0} vu\n", "déjà vu\n"),
        ("HÃ¶he: 5Â°, 20 mÂ²\n", "Höhe: 5°, 20 m²\n"),
        ("perÃ² perchÃ©\n", "però perché\n"),
    ] {
        assert_eq!(repaired("--repair", damaged), meant);
    }
}

/// Windows charsets have signs at 80 to 9F, where ISO-8859 has control codes. A control code in the damaged text rules
/// out every charset that has a sign at that byte, because the text would have the sign instead.
#[test]
fn a_control_code_rules_out_a_charset_that_has_a_sign() {
    for (damaged, meant) in [
        // ISO-8859-2.
        ("đ\u{9F}\u{87}Šđ\u{9F}\u{87}Ş\n", "🇩🇪\n"),
        ("đ\u{9F}\u{92}Ą\n", "💡\n"),
        ("ĐżĐ°ĐşĐľŃ\u{82}Ń\u{8B} Đ´ĐťŃ\u{8F}\n", "пакеты для\n"),
        ("Ř¨ŘąŘ§Ű\u{8C}\n", "برای\n"),
        // ISO-8859-15.
        (
            "á\u{83}\u{92}á\u{83}\u{90}á\u{83}\u{9B}á\u{83}šá\u{83}\u{95}á\u{83}\u{94}á\u{83}\u{91}\n",
            "გამშვებ\n",
        ),
        ("ð\u{9F}\u{91}š\n", "👨\n"),
        // Windows charsets without a sign at that byte.
        ("Ä\u{8D}aj PĹ™Ă\u{AD}liĹˇ\n", "čaj Příliš\n"),
        ("ðŸ‘¨ Ã\u{81}rbol\n", "👨 Árbol\n"),
    ] {
        let result = repaired("--repair", damaged);
        assert_eq!(result, meant, "{damaged:?}");
    }
}

/// ftfy #91 and #119, libzip #212.
#[test]
fn a_known_misreading_is_undone() {
    for (pair, damaged, meant) in [
        ("cp932..ibm437", "ÉVé╡éóâtâHâïâ_\n", "新しいフォルダ\n"),
        ("windows-1252..windows-1253", "Thιβtre\n", "Théâtre\n"),
        ("utf-8..cp932", "縺薙ｓ縺ｫ縺｡縺ｯ\n", "こんにちは\n"),
        ("gbk..latin1", "ÁõµÂ»ª - ºì¶¹\n", "刘德华 - 红豆\n"),
        ("windows-1251..latin1", "Ïðèâåò, world\n", "Привет, world\n"),
        ("utf-8..windows-1252", "plain\n", "plain\n"),
    ] {
        let option = format!("--repair={pair}");
        assert_eq!(repaired(&option, damaged), meant, "{pair}");
        // The repaired text could not come from the same misreading, so it is left alone.
        assert_eq!(repaired(&option, meant), meant, "{pair}, again");
    }
}

#[test]
fn words_that_were_not_misread_are_left_and_counted() {
    let option = "--repair=windows-1252..windows-1253";
    let (status, result, words) = run_text(&[option], "Thιβtre жж é\n");
    assert_eq!((status, result.as_str()), (0, "Théâtre жж é\n"));
    let expected = "oxiconv: (standard input): 1 damaged part was repaired, \
                    2 words that are not windows-1252 read as windows-1253 were left unchanged\n";
    assert_eq!(words, expected);
}

/// A long line without blanks is split, but only between two characters of the encoding.
#[test]
fn a_long_line_is_read_back_whole() {
    let text = "刘德华".repeat(3_000);
    let damaged = "ÁõµÂ»ª".repeat(3_000);
    assert_eq!(repaired("--repair=gbk..latin1", &damaged), text);
}

#[test]
fn a_pair_that_cannot_be_undone_is_refused() {
    for (option, message) in [
        ("--repair=some", "write all, ask or FROM..TO"),
        ("--repair=cp932..imb437", "unknown encoding 'imb437'; did you mean IBM437"),
        ("--repair=ibm037..latin1", "IBM037 does not preserve ASCII"),
        ("--repair=utf8..utf-8", "text in UTF-8 that was read as UTF-8 is not damaged"),
    ] {
        let (status, _, words) = run_text(&[option], "");
        assert_eq!(status, 2, "{option}");
        assert!(words.contains(message), "{option}: {words}");
    }
}

/// Repaired text is sound, so a second run finds nothing to do.
#[test]
fn a_second_repair_in_place_changes_nothing() {
    let directory = Dir::new();
    for text in [
        "CafÃ© crÃ¨me, dÃ©jÃ\u{A0} vu\n",
        "Ð¿Ñ€Ð¸Ð²ÐµÑ‚, Ð¼Ð¸Ñ€\n",
        "ÁõµÂ»ª\nºì¶¹\nÊ®Äê\n",
        "Â« CittÃ\u{A0} Â», 12 â‚¬\n",
        "ã“ã‚“ã«ã¡ã¯\n",
    ] {
        directory.write("names.txt", text.as_bytes());
        let repair = || {
            let (status, _, messages) = directory.run(&["--repair", "-i", "-q", "names.txt"]);
            assert_eq!(status, 0, "{text}: {messages}");
            String::from_utf8(directory.read("names.txt")).unwrap()
        };
        let once = repair();
        assert_eq!(repair(), once, "{text}");
    }
}

#[test]
fn a_known_misreading_is_undone_on_any_number_of_threads() {
    let damaged = "ÁõµÂ»ª - ºì¶¹, plain\n".repeat(40_000);
    let meant = "刘德华 - 红豆, plain\n".repeat(40_000);
    for jobs in ["1", "2", "5"] {
        let (status, result, _) = run_text(&["--repair=gbk..latin1", "-q", "-j", jobs], &damaged);
        assert_eq!(status, 0, "{jobs}");
        assert!(result == meant, "{jobs} threads");
    }
}

/// The repair of a known misreading does not depend on the pieces in which the input arrives.
#[test]
fn a_stream_is_read_back_as_a_file_is() {
    let directory = Dir::new();
    let damaged = "ÉVé╡éóâtâHâïâ_ ".repeat(9_000);
    directory.write("damaged.txt", damaged.as_bytes());
    let (_, read, _) = directory.run(&["--repair=cp932..ibm437", "-q", "damaged.txt"]);
    let (_, streamed, _) = run_text(&["--repair=cp932..ibm437", "-q"], &damaged);
    assert!(read == streamed);
    assert!(streamed == "新しいフォルダ ".repeat(9_000));
}
