use super::*;

fn undone(pair: [&str; 2], text: &str) -> (String, usize) {
    let [written_in, read_as] = pair.map(|name| Encoding::for_name(name).unwrap());
    let found = Misreading::new(written_in, read_as).unwrap().look(text);
    let (mut result, mut at, mut left) = (String::new(), 0, 0);
    for Damage { range, meant, confidence, .. } in found {
        if confidence == 0 {
            left += 1;
            continue;
        }
        result += &text[at..range.start];
        result += &meant;
        at = range.end;
    }
    (result + &text[at..], left)
}

/// What a program shows that reads the bytes of the text in the other encoding, worked out by hand from the tables.
#[test]
fn words_are_read_back() {
    for (pair, damaged, meant, left) in [
        (["cp932", "ibm437"], "ÉVé╡éó", "新しい", 0),
        (["windows-1252", "windows-1253"], "Thιβtre", "Théâtre", 0),
        (["utf-8", "cp932"], "縺薙ｓ縺ｫ縺｡縺ｯ", "こんにちは", 0),
        (["utf-8", "windows-1252"], "“cafÃ©” ASCII", "“café” ASCII", 0),
        (["gbk", "latin1"], "ÁõµÂ»ª.mp3", "刘德华.mp3", 0),
        // Words that are not such bytes.
        (["gbk", "latin1"], "ÁõµÂ»ª 刘德华 é", "刘德华 刘德华 é", 2),
        (["utf-8", "windows-1252"], "é Ã©", "é é", 1),
        (["utf-8", "windows-1252"], "plain", "plain", 0),
    ] {
        assert_eq!(undone(pair, damaged), (meant.to_owned(), left), "{pair:?} {damaged}");
    }
}

#[test]
fn a_long_text_is_cut_between_characters() {
    let gbk = Encoding::for_name("gbk").unwrap();
    let misreading = Misreading::new(gbk, Encoding::ISO_8859_1).unwrap();
    assert_eq!(misreading.boundary("ÁõµÂ»ª"), 12);
    assert_eq!(misreading.boundary("ÁõµÂ»"), 8);
}

#[test]
fn what_has_no_words_of_ascii_is_refused() {
    let of = |one, other| {
        let [one, other] = [one, other].map(|name| Encoding::for_name(name).unwrap());
        Misreading::new(one, other).map(|_| ())
    };
    assert_eq!(of("ibm037", "latin1"), Err(MisreadingError::NotAscii("IBM037")));
    assert_eq!(of("utf-16le", "latin1"), Err(MisreadingError::NotAscii("UTF-16LE")));
    assert_eq!(of("iso-2022-jp", "latin1"), Err(MisreadingError::NotAscii("ISO-2022-JP")));
    assert_eq!(of("utf8", "utf-8"), Err(MisreadingError::Same("UTF-8")));
}
