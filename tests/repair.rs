//! `--repair` restores damaged text byte for byte, leaves sound text alone, and reports each change as a finding.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use crate::common::{Dir, oxiconv, run_text, type_on_terminal};
use crate::sample;
use crate::support::{With, convert, encoding, every_cut, replacing, skipped, strict};
use oxiconv::{Detail, Detector, Encoding};
use oxiconv_transcode::{Conversion, Fallback, InputEncoding, OnMojibake, Options};
use proptest::prelude::*;

/// Returns `text` as UTF-8 that was decoded as windows-1252.
fn damaged(text: &str) -> String {
    shown(text.as_bytes())
}

/// Decodes bytes as windows-1252 of the Encoding Standard, where the five unassigned bytes are control characters. The
/// table is written out here, so that the tests do not rely on the code under test.
fn shown(bytes: &[u8]) -> String {
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž',
        '\u{8F}', '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}',
        'ž', 'Ÿ',
    ];
    let shown = |byte: u8| match byte {
        0x80..=0x9F => HIGH[usize::from(byte - 0x80)],
        _ => char::from(byte),
    };
    bytes.iter().copied().map(shown).collect()
}

fn repairing() -> Conversion {
    strict("utf-8", "utf-8").with(|it| it.on_mojibake(OnMojibake::Repair))
}

const CSV: &str = "Name;Ville;Prix\nÉlodie Lefèvre;Besançon;12 €\nJosé Núñez;Málaga;“7,50”\n\
                   Ångström;Örebro;½\nПётр Иванов;Москва;100 ₽\n";
const DUMP: &str = "INSERT INTO `posts` VALUES (1,'L’été à la plage','Où est passé l’élève ?'),\
                    (2,'Über uns','Größe, Maß und Ähnliches'),(3,'Á É Í Ó Ú','mañana está aquí');\n";
const HTML: [&str; 2] = [
    "<html><head><title>Café crème</title></head>\n<body>\n<p>Déjà vu : l’été à Besançon.</p>\n",
    "<p>Où est passé l’élève ? Il a été à l’école très tôt.</p>\n</body></html>\n",
];

#[test]
fn a_csv_that_was_encoded_twice_comes_back() {
    for times in 1..=3 {
        let input = (0..times).fold(CSV.to_owned(), |text, _| damaged(&text));
        let (status, output, messages) = run_text(&["--repair"], &input);
        assert_eq!((status, &*output), (0, CSV), "{times}");
        assert!(messages.ends_with(" damaged parts were repaired\n"), "{messages}");
    }
}

#[test]
fn a_dump_of_mysql_comes_back() {
    assert!(damaged(DUMP).contains('\u{81}'));
    assert_eq!(run_text(&["--repair", "-q"], &damaged(DUMP)), (0, DUMP.to_owned(), String::new()));
}

#[test]
fn html_of_which_half_was_encoded_twice_comes_back() {
    let [one, two] = HTML;
    for input in [one.to_owned() + &damaged(two), damaged(one) + two] {
        assert_eq!(run_text(&["--repair", "-q"], &input), (0, HTML.concat(), String::new()));
    }
}

#[test]
fn no_cut_of_the_input_changes_what_is_repaired() {
    // Sound words that look like damage, next to words that are damaged.
    let doubtful = "l’école, сё ещё В Gnumeric ή η 12 × 18 “ВСЁ» Ã l’Ã©tat voilÃ  » 目](/ — ÂВ Ж";
    let japanese =
        "テスト・縺励※縺・ｋ縲・ don窶冲 ﾅｼ ・・・ 謖・ｮ壹・ cafﾃｩ 涓枃銆€浣犲ソ锛\u{FFFD} 锛?";
    let lost = "StraÃ?e donâ??t to â€œbb+â€? VOCÊ? it\u{92}s parlé\u{85} Tu\u{85}\u{9B}3 Å veices baÅ†Ä·i Г Î± âœ” qu'Ã nos";
    let cases = [
        (damaged(CSV), Some(CSV)),
        (damaged(DUMP), Some(DUMP)),
        (doubtful.into(), None),
        (lost.into(), None),
        (japanese.into(), None),
    ];
    for (input, text) in cases {
        let output = every_cut(&repairing(), input.as_bytes()).output;
        assert!(text.is_none_or(|text| output == text.as_bytes()));
    }
}

/// Encoding, bytes by Python's codec, text.
const LEGACY: [(&str, &[u8], &str); 6] = [
    (
        "windows-1251",
        b"\xC8 \xE2\xEE\xF2 \xEE\xED\n\xC2\xF1\xE5 \xEB\xFE\xE4\xE8 \xF0\xEE\xE6\xE4\xE0\xFE\
          \xF2\xF1\xFF \xF1\xE2\xEE\xE1\xEE\xE4\xED\xFB\xEC\xE8 \xE8 \xF0\xE0\xE2\xED\xFB\xEC\
          \xE8 \xE2 \xF1\xE2\xEE\xE5\xEC \xE4\xEE\xF1\xF2\xEE\xE8\xED\xF1\xF2\xE2\xE5 \xE8 \
          \xEF\xF0\xE0\xE2\xE0\xF5.\n\xCE\xED\xE8 \xED\xE0\xE4\xE5\xEB\xE5\xED\xFB \xF0\xE0\
          \xE7\xF3\xEC\xEE\xEC \xE8 \xF1\xEE\xE2\xE5\xF1\xF2\xFC\xFE.\n\xC4\xE0, \xE8 \xFF\n\
          \xAB\xCD\xE5\xF2\xBB \x97 \xB9 5\n",
        "И вот он\n\
         Все люди рождаются свободными и равными в своем достоинстве и правах.\n\
         Они наделены разумом и совестью.\n\
         Да, и я\n\
         «Нет» — № 5\n",
    ),
    (
        "KOI8-R",
        b"\xF7\xD3\xC5 \xCC\xC0\xC4\xC9 \xD2\xCF\xD6\xC4\xC1\xC0\xD4\xD3\xD1 \xD3\xD7\xCF\xC2\
          \xCF\xC4\xCE\xD9\xCD\xC9 \xC9 \xD2\xC1\xD7\xCE\xD9\xCD\xC9 \xD7 \xD3\xD7\xCF\xC5\xCD\
          \x20\xC4\xCF\xD3\xD4\xCF\xC9\xCE\xD3\xD4\xD7\xC5 \xC9 \xD0\xD2\xC1\xD7\xC1\xC8.\n\
          \xEF\xCE\xC9 \xCE\xC1\xC4\xC5\xCC\xC5\xCE\xD9 \xD2\xC1\xDA\xD5\xCD\xCF\xCD \xC9 \xD3\
          \xCF\xD7\xC5\xD3\xD4\xD8\xC0.\n\xE4\xC1, \xC9 \xD1\n",
        "Все люди рождаются свободными и равными в своем достоинстве и правах.\n\
         Они наделены разумом и совестью.\n\
         Да, и я\n",
    ),
    (
        "IBM866",
        b"\x82\xE1\xA5 \xAB\xEE\xA4\xA8 \xE0\xAE\xA6\xA4\xA0\xEE\xE2\xE1\xEF \xE1\xA2\xAE\xA1\
          \xAE\xA4\xAD\xEB\xAC\xA8 \xA8 \xE0\xA0\xA2\xAD\xEB\xAC\xA8 \xA2 \xE1\xA2\xAE\xA5\xAC\
          \x20\xA4\xAE\xE1\xE2\xAE\xA8\xAD\xE1\xE2\xA2\xA5 \xA8 \xAF\xE0\xA0\xA2\xA0\xE5.\n\
          \x8E\xAD\xA8 \xAD\xA0\xA4\xA5\xAB\xA5\xAD\xEB \xE0\xA0\xA7\xE3\xAC\xAE\xAC \xA8 \xE1\
          \xAE\xA2\xA5\xE1\xE2\xEC\xEE.\n\x84\xA0, \xA8 \xEF\n",
        "Все люди рождаются свободными и равными в своем достоинстве и правах.\n\
         Они наделены разумом и совестью.\n\
         Да, и я\n",
    ),
    (
        "windows-1253",
        b"\xBC\xEB\xEF\xE9 \xEF\xE9 \xDC\xED\xE8\xF1\xF9\xF0\xEF\xE9 \xE3\xE5\xED\xED\xE9\xEF\
          \xFD\xED\xF4\xE1\xE9 \xE5\xEB\xE5\xFD\xE8\xE5\xF1\xEF\xE9 \xEA\xE1\xE9 \xDF\xF3\xEF\
          \xE9 \xF3\xF4\xE7\xED \xE1\xEE\xE9\xEF\xF0\xF1\xDD\xF0\xE5\xE9\xE1 \xEA\xE1\xE9 \xF4\
          \xE1 \xE4\xE9\xEA\xE1\xE9\xFE\xEC\xE1\xF4\xE1.\n\xCD\xE1\xE9, \xEA\xE9 \xE5\xE3\xFE\
          \n",
        "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.\n\
         Ναι, κι εγώ\n",
    ),
    (
        "Shift_JIS",
        b"\x82\xB7\x82\xD7\x82\xC4\x82\xCC\x90l\x8A\xD4\x82\xCD\x81A\x90\xB6\x82\xDC\x82\xEA\
          \x82\xC8\x82\xAA\x82\xE7\x82\xC9\x82\xB5\x82\xC4\x8E\xA9\x97R\x82\xC5\x82\xA0\x82\
          \xE8\x81A\x82\xA9\x82\xC2\x81A\x91\xB8\x8C\xB5\x82\xC6\x8C\xA0\x97\x98\x82\xC6\x82\
          \xC9\x82\xC2\x82\xA2\x82\xC4\x95\xBD\x93\x99\x82\xC5\x82\xA0\x82\xE9\x81B\n\x90l\x8A\
          \xD4\x82\xCD\x81A\x97\x9D\x90\xAB\x82\xC6\x97\xC7\x90S\x82\xC6\x82\xF0\x8E\xF6\x82\
          \xAF\x82\xE7\x82\xEA\x82\xC4\x82\xA2\x82\xE9\x81B\n",
        "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。\n\
         人間は、理性と良心とを授けられている。\n",
    ),
    (
        "EUC-KR",
        b"\xB8\xF0\xB5\xE7 \xC0\xCE\xB0\xA3\xC0\xBA \xC5\xC2\xBE\xEE\xB3\xAF \xB6\xA7\xBA\xCE\
          \xC5\xCD \xC0\xDA\xC0\xAF\xB7\xCE\xBF\xEC\xB8\xE7 \xB1\xD7 \xC1\xB8\xBE\xF6\xB0\xFA \
          \xB1\xC7\xB8\xAE\xBF\xA1 \xC0\xD6\xBE\xEE \xB5\xBF\xB5\xEE\xC7\xCF\xB4\xD9.\n\xC0\
          \xCE\xB0\xA3\xC0\xBA \xC0\xCC\xBC\xBA\xB0\xFA \xBE\xE7\xBD\xC9\xC0\xBB \xBA\xCE\xBF\
          \xA9\xB9\xDE\xBE\xD2\xB4\xD9.\n",
        "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.\n\
         인간은 이성과 양심을 부여받았다.\n",
    ),
];

#[test]
fn text_in_one_encoding_that_was_read_as_windows_1252_comes_back() {
    for (name, bytes, text) in LEGACY {
        let lines = text.lines().count();
        // A first line that is too short to be sure of stays as it is. Once the other lines are known, it is restored,
        // which the second half of the repeated text below shows.
        let first = usize::from(name == "windows-1251");
        let whole = convert(&repairing(), shown(bytes).as_bytes());
        let output = String::from_utf8(whole.output).unwrap();
        assert_eq!(output.lines().count(), lines, "{name}");
        for (got, wanted) in output.lines().zip(text.lines()).skip(first) {
            assert_eq!(got, wanted, "{name}");
        }
        let input = shown(bytes).repeat(2);
        let output = convert(&repairing(), input.as_bytes()).output;
        assert!(String::from_utf8(output).unwrap().ends_with(text), "{name}");
    }
}

/// The text ends with characters that are held back until the line is complete. How much is held back must not depend
/// on the chunks.
#[test]
fn no_cut_changes_what_another_encoding_is_taken_for() {
    for (_, bytes, _) in sample::every(8, LEGACY) {
        let input = format!("l’été à Paris\n{}ж и \u{a0}", shown(bytes));
        every_cut(&repairing(), input.as_bytes());
    }
}

/// Words that are damaged, sound or ambiguous, and separators.
const WORDS: [&str; 39] = [
    "été",
    "Ã©tÃ©",
    "Ã",
    "voilÃ ",
    "’éco",
    "â€",
    "\u{FFFD}",
    "ё",
    "всё",
    "В ",
    "РїСЂРё",
    "╨┐╤А╨╕",
    "ή ",
    "Âşñ",
    "ÐÒÉ×ÅÔ",
    "Ïðèâåò",
    "èò",
    "×",
    "茅",
    "浣犲ソ",
    "縺ゅ＞",
    "縺・",
    "・",
    "ﾃｩ",
    "锛?",
    "Ã?b",
    "â??t",
    "â€?",
    "é?",
    "\u{92}",
    "\u{85}",
    "\u{9B}",
    "Г ",
    "Å ",
    "Î±",
    "\n",
    " ",
    "a",
    "🦀",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if sample::is_thorough() { 96 } else { 24 }))]

    #[test]
    fn no_cut_changes_any_text(words in proptest::collection::vec(proptest::sample::select(&WORDS[..]), 1..14)) {
        let mut input = words.concat().into_bytes();
        every_cut(&repairing(), &input);
        let middle = input.len() / 2;
        input.insert(middle, 0xFF);
        every_cut(&repairing(), &input);
    }
}

/// Sound words next to text that is restored from another encoding stay, as do lists of letters and signs.
#[test]
fn sound_words_stay_next_to_another_encoding() {
    let (_, bytes, text) = LEGACY[1];
    let input = format!("{}Le café d’à côté, déjà\n", shown(bytes));
    let expected = format!("{text}Le café d’à côté, déjà\n");
    assert_eq!(run_text(&["--repair", "-q"], &input), (0, expected, String::new()));
    for line in ["À Á Â Ã Ä Å", "ÙÚÛÜ", "ÌÍÎÏ", "Á É Í Ó Ö Ú Ü", "£ ¥ § © ® ° ± ² ³", "COSÌ² GÜÇº"]
    {
        assert_eq!(run_text(&["--repair"], line), (0, line.to_owned(), String::new()));
    }
}

#[test]
fn sound_text_of_many_languages_stays() {
    let languages = [
        "af", "ca", "cs", "da", "de", "el", "es", "et", "fi", "fo", "fr", "ga", "hr", "hu", "is",
        "it", "lt", "lv", "mt", "nb", "pl", "pt", "ro", "ru", "se", "sq", "sv", "tr", "vi",
    ];
    for language in languages {
        let path = format!("{}/tests/data/detection/{language}.txt", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read(path).unwrap();
        assert!(!text.is_ascii(), "{language}");
        assert!(convert(&repairing(), &text).output == text, "{language}");
    }
}

/// A line longer than a region (4 KiB) is divided at a space. Without spaces it is divided between two characters, but
/// never within the sequence that one damaged character has become.
#[test]
fn long_lines_without_spaces_come_back() {
    for text in ["取消隐藏显示格式行", "{\"k\":\"chaînes\",\"ключ\":[\"été\"]},", "ภาษาไทย"]
    {
        let text = text.repeat(900);
        let output = convert(&repairing(), damaged(&text).as_bytes()).output;
        assert!(output == text.as_bytes(), "{}", &text[..30]);
    }
}

/// The damaged lines are from public source code and, where they have a euro sign, from web pages. Windows reads what
/// CP932 does not define as `・`, browsers as U+FFFD, and CP936 has the euro sign at 80.
#[test]
fn utf8_that_was_read_in_charsets_of_two_bytes_comes_back() {
    for (damaged, text) in [
        ("縺励※縺・ｋ繝ｪ繧ｯ繧ｨ繧ｹ繝・", "しているリクエスト"),
        // The last bytes of 理 (86, and 83 to 87 may have been) and of 。 are lost.
        ("逶ｮ繧堤ｮ｡逅・☆繧九・", "目を管\u{FFFD}する\u{FFFD}"),
        ("髻ｳ驥上い", "音量ア"),
        ("縺薙�繧ｯ繝ｩ繧ｹ縺ｮ邱丈ｽｿ逕ｨ逕ｻ蜒乗焚", "このクラスの総使用画像数"),
        ("don窶冲 manage working directory", "don’t manage working directory"),
        ("鏄熺郴绉绘皯銆€Robin", "星系移民\u{3000}Robin"),
    ] {
        let input = format!("{damaged}\n");
        assert_eq!(run_text(&["--repair", "-q"], &input).1, format!("{text}\n"), "{damaged}");
    }
    // Dots, half width and ideographs in sound text.
    for sound in [
        "・・・テスト・漢字・・・",
        "ﾃｽﾄ ﾅｼ ｶﾀｶﾅ ﾃﾞｰﾀ ﾘｱﾙｹ",
        "1.ﾅｼ 2.ｱﾘ",
        "綺麗・蝶々",
        "锛",
        "・新OS",
        "これはテストです。\n\n・各OS・各DB",
        "Book・本",
        "これは GNOME・和 です",
        "X・テ",
        "tab\u{FFFD}和 x",
        "\u{FFFD}ッ",
        "caf蟄・",
        "ジャンル：・猫cat",
    ] {
        let input = format!("{sound}\n");
        assert_eq!(run_text(&["--repair", "-q"], &input).1, input);
    }
}

/// What comes before the first unusual character of a line is held back, also signs: `或` is `┪`, which is in no other
/// charset that is looked for. Big5 read as GB18030, by Python's codecs.
#[test]
fn a_line_in_another_charset_comes_back_from_its_start() {
    let damaged = "臂锣紇钩┪\u{E772}キ / \u{E068}\u{E01C}陆锣 \u{E785}家舱箇砞秨币\u{E4C7}\u{E7CB}ㄌ沮戈\u{E19D}\u{E78F}笆砞﹚\n";
    let meant = "旋轉影像或水平 / 垂直翻轉 此模組預設開啟，並依據資料自動設定\n";
    assert_eq!(run_text(&["--repair", "-q"], damaged).1, meant);
}

#[test]
fn long_lines_and_ill_formed_bytes_do_not_hide_damage() {
    let mut input = Vec::new();
    let mut expected = Vec::new();
    for _ in 0..2000 {
        input.extend_from_slice(damaged("L’été à ").as_bytes());
        expected.extend_from_slice("L’été à ".as_bytes());
    }
    input.extend_from_slice(b"\xFF");
    expected.extend_from_slice("\u{FFFD}".as_bytes());
    input.extend_from_slice(damaged("très tôt").as_bytes());
    expected.extend_from_slice("très tôt".as_bytes());
    let output = oxiconv().args(["--repair", "-q", "-e", "replace"]).write_stdin(input).output();
    assert!(output.unwrap().stdout == expected);
}

#[test]
fn sound_text_stays_and_nothing_is_said() {
    let text = "NESTLÉ® 4288×… l’été à « Paris » Различие 贵州茅台 ─┤ 5 €\n";
    assert_eq!(run_text(&["--repair"], text), (0, text.to_owned(), String::new()));
    assert_eq!(
        run_text(&["--check", "--deny", "mojibake"], text),
        (0, String::new(), String::new())
    );
}

/// The offset, line and column refer to the input, not to the repaired text.
#[test]
fn each_change_is_a_finding() {
    let input = "naïf\nun cafÃ© noir\n";
    let place = "C3 83 C2 A9 at byte 12 (0xc): \"Ã©\" was \"é\": UTF-8 read as windows-1252, ";
    let (status, output, _) = run_text(&["--check", "--deny", "mojibake"], input);
    assert_eq!(status, 1);
    assert!(
        output.starts_with(&format!("(standard input):2:7: error[mojibake]: {place}")),
        "{output}"
    );
    let (status, output, messages) = run_text(&["--repair", "-v"], input);
    assert_eq!((status, &*output), (0, "naïf\nun café noir\n"));
    let note = format!("(standard input):2:7: note[mojibake]: {place}");
    assert!(messages.starts_with(&note), "{messages}");
    assert!(messages.contains("oxiconv: (standard input): 1 damaged part was repaired\n"));
    let (_, output, _) = run_text(&["--check", "--deny", "mojibake", "--format", "json"], input);
    for member in [
        r#""kind":"mojibake""#,
        r#""meant":"é","written_in":"UTF-8","read_as":"windows-1252","times":1,"confidence":0."#,
    ] {
        assert!(output.contains(member), "{output}");
    }
}

#[test]
fn a_denied_part_stops_a_conversion_unless_it_is_repaired() {
    let input = "un cafÃ© noir\n";
    let (status, output, messages) = run_text(&["--deny", "mojibake"], input);
    assert_eq!((status, &*output), (1, "un caf"));
    assert!(messages.contains("error[mojibake]"), "{messages}");
    let (status, output, _) = run_text(&["--deny", "mojibake", "--repair"], input);
    assert_eq!((status, &*output), (0, "un café noir\n"));
}

#[test]
fn explain_shows_what_was_damaged() {
    let (status, output, _) = run_text(&["--explain"], "un cafÃ© noir\n");
    assert_eq!(status, 0);
    assert!(output.contains("\"Ã©\" was \"é\": UTF-8 read as windows-1252"), "{output}");
    assert!(output.contains("oxiconv --repair"), "{output}");
}

#[test]
fn only_files_with_damage_are_replaced() {
    let dir = Dir::new();
    dir.write("bad.txt", damaged("l’été à la plage\n").as_bytes());
    dir.write("good.txt", "l’été à la plage\n".as_bytes());
    let before = std::fs::metadata(dir.path("good.txt")).unwrap().modified().unwrap();
    let (status, output, messages) =
        dir.run(&["--repair", "-i", "--dry-run", "bad.txt", "good.txt"]);
    assert_eq!((status, &*output), (0, ""));
    assert!(messages.contains("bad.txt:1:2: note[mojibake]"), "{messages}");
    assert!(dir.read("bad.txt") == damaged("l’été à la plage\n").as_bytes());
    let (status, _, messages) = dir.run(&["--repair", "-i", "bad.txt", "good.txt"]);
    assert_eq!(status, 0, "{messages}");
    assert!(messages.contains("1 written, 1 unchanged"), "{messages}");
    assert_eq!(dir.read("bad.txt"), "l’été à la plage\n".as_bytes());
    assert_eq!(std::fs::metadata(dir.path("good.txt")).unwrap().modified().unwrap(), before);
}

#[test]
fn what_the_target_lacks_is_unmappable() {
    let (status, output, messages) =
        run_text(&["--repair", "-t", "us-ascii", "--unmappable", "xml"], "cafÃ© noir\n");
    assert_eq!((status, &*output), (0, "caf&#xE9; noir\n"), "{messages}");
}

#[test]
fn other_encodings_are_refused() {
    let (status, _, messages) = run_text(&["--repair", "-f", "latin1"], "");
    assert_eq!(status, 2);
    assert!(messages.contains("only in UTF-8, UTF-16 and UTF-32"), "{messages}");
    for option in ["--check", "--explain", "--detect"] {
        assert_eq!(run_text(&["--repair", option], "").0, 2);
    }
}

/// Each line is written before the next one arrives: an interactive program may wait for it.
#[test]
fn a_stream_is_repaired_line_by_line() {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"))
        .args(["--repair", "-q"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for line in ["plain", "l’été", "un café noir", "très tôt"] {
        for text in [line.to_owned(), damaged(line)] {
            writeln!(input, "{text}").unwrap();
            let mut got = String::new();
            output.read_line(&mut got).unwrap();
            assert_eq!(got.trim_end(), line);
        }
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn questions_are_asked_on_the_terminal() {
    for (answers, expected) in [
        ("y\nn\n", "café, thÃ© et pâté\n"),
        ("?\nn\na\n", "cafÃ©, thé et pâté\n"),
        ("q\n", "cafÃ©, thÃ© et pâté\n"),
    ] {
        let dir = Dir::new();
        dir.write("in.txt", "cafÃ©, thÃ© et pâté\n".as_bytes());
        let shown = type_on_terminal(&dir, "--repair=ask -o out.txt in.txt", answers);
        let Some(shown) = shown else {
            skipped("script is not here");
            return;
        };
        assert_eq!(String::from_utf8(dir.read("out.txt")).unwrap(), expected, "{shown}");
        assert!(shown.contains("in.txt:1:4: \"Ã©\" was \"é\""), "{shown}");
        assert!(shown.contains("Repair it? [y/n/a/q/?]"), "{shown}");
    }
}

/// A log of three programs: one line is damaged UTF-8, one is windows-1251, one is sound.
#[test]
fn lines_in_other_encodings_are_read_before_the_damage_is_repaired() {
    let mut log = damaged("Привет, мир, это журнал\n").into_bytes();
    log.extend_from_slice(
        b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0, \xFD\xF2\xEE \xE6\xF3\xF0\xED\xE0\xEB\n",
    );
    log.extend_from_slice("Привет, мир, это журнал\n".as_bytes());
    let output =
        oxiconv().args(["--repair", "-q", "-f", "auto"]).write_stdin(log).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "Привет, мир, это журнал\n".repeat(3));
}

/// A log as above with another line, in UTF-8 with one byte of windows-1252. Only the damaged lines have findings of
/// the kind `mojibake`.
#[test]
fn no_cut_changes_what_is_found_in_lines_of_several_encodings() {
    let mut log = damaged("Où est l’été ?\n").into_bytes();
    log.extend_from_slice(
        b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0, \xFD\xF2\xEE \xE6\xF3\xF0\xED\xE0\xEB\n",
    );
    log.extend_from_slice(b"na\xEFve caf\xC3\xA9 d\xC3\xA9j\xC3\xA0 \xC3\xA9t\xC3\xA9\n");
    log.extend_from_slice(damaged("très tôt\n").as_bytes());
    let lines = InputEncoding::Lines(Detector::new());
    let options = Options::new().on_mojibake(OnMojibake::Repair);
    let conversion = options.build(lines, Encoding::UTF_8).unwrap();
    let whole = every_cut(&conversion, &log);
    let text = "Où est l’été ?\nПривет, мир, это журнал\nnaïve café déjà été\ntrès tôt\n";
    assert_eq!(String::from_utf8(whole.output.clone()).unwrap(), text);
    let found: Vec<_> = whole.found.iter().map(|it| (it.id == "mojibake", it.line)).collect();
    for line in [1, 4] {
        assert!(found.contains(&(true, line)), "{found:?}");
    }
    for line in [2, 3] {
        assert!(found.contains(&(false, line)) && !found.contains(&(true, line)), "{found:?}");
    }
}

/// The damaged texts are by Python: `text.encode().decode("cp437")`, and the same with `gb18030`.
#[test]
fn files_that_were_read_in_other_tables_come_back() {
    let dir = Dir::new();
    let french = "L’été dernier, où étiez-vous ? À la plage, près de l’île d’Oléron.\n";
    let russian = "Привет, мир! Это обычный текст на русском языке.\n";
    for (name, text, damaged) in [
        (
            "french.cp437",
            french,
            "LΓÇÖ├⌐t├⌐ dernier, o├╣ ├⌐tiez-vous ? ├Ç la plage, pr├¿s de lΓÇÖ├«le dΓÇÖOl├⌐ron.\n",
        ),
        (
            "russian.cp437",
            russian,
            "╨ƒ╤Ç╨╕╨▓╨╡╤é, ╨╝╨╕╤Ç! ╨¡╤é╨╛ ╨╛╨▒╤ï╤ç╨╜╤ï╨╣ ╤é╨╡╨║╤ü╤é ╨╜╨░ ╤Ç╤â╤ü╤ü╨║╨╛╨╝ ╤Å╨╖╤ï╨║╨╡.\n",
        ),
        (
            "french.gb",
            french,
            "L鈥櫭﹖茅 dernier, o霉 茅tiez-vous ? 脌 la plage, pr猫s de l鈥櫭甽e d鈥橭l茅ron.\n",
        ),
    ] {
        dir.write(name, damaged.as_bytes());
        let (status, out, messages) = dir.run(&["--repair", name]);
        assert_eq!((status, &*out), (0, text), "{messages}");
        let (status, _, messages) = dir.run(&["--repair", "-i.bak", name]);
        assert_eq!((status, dir.read(name)), (0, text.as_bytes().to_vec()), "{messages}");
        assert_eq!(dir.read(&format!("{name}.bak")), damaged.as_bytes());
        // A second repair changes nothing.
        assert_eq!(dir.run(&["--repair", name]), (0, text.to_owned(), String::new()));
    }
}

/// `ulimit -d` limits the data of the process to 16 MiB. One file is a line of 64 MiB; the other has more findings than
/// fit if they were kept.
#[cfg(unix)]
#[test]
fn any_length_takes_little_memory() {
    let dir = Dir::new();
    let sound = "as plain as it is ".repeat((64 << 20) / 18);
    let line = format!("café {sound}");
    dir.write("line", format!("cafÃ© {sound}").as_bytes());
    let text = "L’été à la plage\n".repeat(20_000);
    dir.write("damaged", damaged(&text).as_bytes());
    let program = assert_cmd::cargo::cargo_bin!("oxiconv");
    for (name, expected) in [("line", &line), ("damaged", &text)] {
        let command = r#"ulimit -d 16384; "$0" --repair -q <"$1""#;
        let mut sh = Command::new("bash");
        let ended = sh.args(["-c", command]).arg(program).arg(dir.path(name)).output().unwrap();
        let messages = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(ended.status.success() && ended.stdout == expected.as_bytes(), "{messages}");
    }
}

/// `setsid` runs a program without a terminal.
#[test]
fn questions_require_a_terminal() {
    if Command::new("setsid").arg("--version").output().is_err() {
        skipped("setsid is not here");
        return;
    }
    let dir = Dir::new();
    dir.write("in.txt", "cafÃ©\n".as_bytes());
    for to in [&[][..], &["-i"], &["-o", "out.txt"], &["-O", "out"]] {
        let mut command = Command::new("setsid");
        command.arg("--wait").arg(assert_cmd::cargo::cargo_bin!("oxiconv"));
        command.arg("--repair=ask").args(to).arg("in.txt").current_dir(dir.0.path());
        let ended = command.stdin(Stdio::null()).output().unwrap();
        let messages = String::from_utf8(ended.stderr).unwrap();
        assert_eq!((ended.status.code(), &ended.stdout[..]), (Some(2), &b""[..]), "{messages}");
        assert!(messages.starts_with("oxiconv: --repair=ask requires a terminal: "), "{messages}");
        assert_eq!(
            (dir.read("in.txt"), dir.names()),
            ("cafÃ©\n".into(), vec!["in.txt".to_owned()])
        );
    }
}

#[test]
fn names_are_repaired_too() {
    let dir = Dir::new();
    dir.write("rÃ©sumÃ©.txt", b"");
    dir.write("naïve.txt", b"");
    let (status, output, _) = dir.run(&["--names", "--repair", "-r", "."]);
    assert_eq!(status, 0);
    assert!(output.contains("rÃ©sumÃ©.txt -> résumé.txt"), "{output}");
    assert_eq!(dir.run(&["--names", "--repair", "--rename", "-r", "."]).0, 0);
    assert_eq!(dir.names(), ["naïve.txt", "résumé.txt"]);
}

/// Normalization makes sense for names, because macOS decomposes them. Options about lines do not.
#[test]
fn names_are_normalized_and_have_no_lines() {
    let dir = Dir::new();
    dir.write("cafe\u{301}.txt", b"");
    for option in [&["--newline", "lf"][..], &["--final-newline"], &["--record-length", "8"]] {
        let args = [&["--names", "-r", "."], option].concat();
        let (status, _, messages) = dir.run(&args);
        assert_eq!(status, 2, "{messages}");
        let expected = format!("oxiconv: --names cannot be combined with {}\n", option[0]);
        assert_eq!(messages, expected);
    }
    assert_eq!(dir.run(&["--names", "--normalize", "nfc", "--rename", "-r", "."]).0, 0);
    assert_eq!(dir.names(), ["café.txt"]);
}

/// Bytes that are decoded in the fallback are not damaged UTF-8, and damage that reaches into them is not repaired.
/// Damage that was found ahead in such bytes once caused a panic.
#[test]
fn what_the_fallback_reads_is_not_repaired() {
    let lines: [&[u8]; 3] = [
        b"\x90\xC2\xC3\x90\xC2\xB8 \xC3\x8F\xC3\xB0\xC3\xA8\xC3\xA2\xC3\xA5\xC3\xB2 \xC3\xAC\xC3\xD8\xC3\xB0\n",
        b"d\xC3\x83\xC2\xA9j\xC3\x83\xC2\xA0\xE9\xE8 caf\xC3\x83\xC2\xA9\xE9\n",
        b"\xE9\xC3\x83\xC2\xA9\xE9 caf\xC3\x83\xC2\xA9\n",
    ];
    for fallback in [Fallback::Detected, Fallback::Named(encoding("windows-1252"))] {
        for mode in [OnMojibake::Ignore, OnMojibake::Repair] {
            let conversion = replacing("utf-8", "utf-8")
                .with(|it| it.on_mojibake(mode).fallback(fallback).detail(Detail::Context));
            for line in lines {
                every_cut(&conversion, line);
            }
            let text = [lines[0], "dÃ©jÃ\u{A0} vu, CafÃ© crÃ¨me\n".as_bytes()].concat();
            let output = every_cut(&conversion, &text).output;
            let expected =
                if mode == OnMojibake::Repair { "déjà vu, Café crème\n" } else { "dÃ©jÃ" };
            let output = String::from_utf8(output).unwrap();
            assert!(output.contains(expected), "{output}");
        }
    }
}

/// 猫 and 枚 are common characters, and also what UTF-8 becomes if it is decoded as GB18030. After a Latin word or a sign
/// they are taken for sound. Within a Latin word they are damage.
#[test]
fn an_ideograph_after_a_latin_word_is_left_and_counted() {
    let dir = Dir::new();
    for line in [
        "Nyan猫\n",
        "msgstr \"%d枚\"\n",
        "カードN枚\n",
        "每月 Mt煤\n",
        "Tom猫 和 Jerry鼠\n",
        "Debian录\n",
    ] {
        dir.write("text", line.as_bytes());
        let (status, out, messages) = dir.run(&["--repair", "text"]);
        assert_eq!((status, &*out), (0, line), "{messages}");
        assert!(messages.contains("1 doubtful part was left unchanged"), "{messages}");
    }
    dir.write("text", "Herr M眉ller\n".as_bytes());
    assert_eq!(dir.run(&["--repair", "text"]).1, "Herr Müller\n");
}
