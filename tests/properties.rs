//! Properties that hold for any bytes, any pair of encodings and any mode: no panic, well-formed output, findings in
//! order that point at the bytes they show, and consistent counts. New encodings in the registry are included
//! automatically.

use crate::support::{
    Found, Outcome, With, convert, convert_cut, convert_without_places, strictly,
};
use oxiconv_encodings::codec::ByteOrder;
use oxiconv_encodings::encoding::{Encoding, Mark};
use oxiconv_transcode::{Conversion, MarkMode, OnIllFormed, OnUnmappable, Options};
use proptest::prelude::*;

fn encodings() -> impl Strategy<Value = &'static Encoding> {
    // One half of the cases uses the Unicode encodings with marks, the other half any encoding.
    let unicode =
        Encoding::all().filter(|encoding| encoding.mark != Mark::None).collect::<Vec<_>>();
    prop_oneof![
        proptest::sample::select(unicode),
        proptest::sample::select(Encoding::all().collect::<Vec<_>>())
    ]
}

/// Generates random bytes, sequences with a special meaning in some encoding, and text.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let special = proptest::sample::select(vec![
        &b"\xEF\xBB\xBF"[..],
        b"\xFE\xFF",
        b"\xFF\xFE",
        b"\0\0\xFE\xFF",
        b"\xFF\xFE\0\0",
        b"\n",
        b"\r\n",
        b"\0A",
        b"A\0",
        b"\0\0\0A",
        b"A\0\0\0",
        b"\xD8\0",
        b"\xDC\0",
        b"\0\xD8",
        b"\0\xDC",
        b"\xD8\x3D\xDE\0",
        b"\xE2\x82\xAC",
        b"\xE2\x82",
        b"\xF0\x9F\x98\x80",
        b"\xF0\x9F",
        b"\xED\xA0\x80",
        b"\xED\xB0\x80",
        b"\xC0\x80",
        b"\xF4\x90",
        b"\xFF",
        b"\x80",
        b"\x1B$B",
        b"\x1B(B",
        b"\x1B(J",
        b"\x1B(I",
        b"\x0E",
        b"\x0F",
        b"\x81\x30\x81\x30",
        b"\x84\x31\xA4\x37",
        b"\x8E\xB1",
        b"\x8F\xA2\xAF",
        b"\x88\x62",
        b"\xA4\xA2",
        b"\x82\xA0",
        b"\x80\x8A",
        b"\xF8\x88\x80\x80\x80",
        b"\xFE\x82\x80\x80\x80\x80\x80",
        b"\xFF\x81\x80\x80\x80\x80\x80\x80",
        b"\xC8\x85\x8C",
        b"\x01\xC0\x01\x41\x01\x2C",
        b"\x1D\x10\x11",
        b"\\",
        b"\\u004",
        b"\\uD83D",
        b"&#x",
        b"41;",
        b"~",
        b"+",
        b"&",
        b"-",
        b"+/v8-",
        b"+2D3eAA-",
        b"&2D3eAA-",
        b"+2AA",
        b"+AGF-",
        b"3AA",
        b"\x0B\xBF\xFF",
        b"\x0E\xD8\x3D\x0E\xDE\0",
        b"\x1B\x60",
        b"\xE2",
        b"\xF0\xE0\0",
        b"\xFB\xEE\x28",
        b"\xD0\x01",
        b"0123456789abcdef",
    ]);
    let piece = prop_oneof![
        4 => special.prop_map(<[u8]>::to_vec),
        2 => proptest::collection::vec(any::<u8>(), 0..6),
        1 => any::<char>().prop_map(|c| c.to_string().into_bytes()),
        1 => any::<char>().prop_map(|c| c.to_string().encode_utf16().flat_map(u16::to_le_bytes).collect()),
        1 => any::<char>().prop_map(|c| u32::from(c).to_be_bytes().to_vec()),
    ];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn marks() -> impl Strategy<Value = MarkMode> {
    use MarkMode::{Add, Auto, Forbid, Keep, Require, Strip};
    proptest::sample::select(vec![Auto, Auto, Keep, Strip, Add, Forbid, Require])
}

/// A random conversion, with the parameters that the checks need.
#[derive(Clone, Debug)]
struct Drawn {
    conversion: Conversion,
    to: &'static Encoding,
    mark: MarkMode,
    fallback: Option<&'static Encoding>,
}

fn conversions() -> impl Strategy<Value = Drawn> {
    use OnIllFormed as I;
    use OnUnmappable as U;
    let ill_formed =
        proptest::sample::select(vec![I::Stop, I::Replace, I::Skip, I::Escape, I::XmlDecimal]);
    let unmappable = proptest::sample::select(vec![
        U::Stop,
        U::Replace,
        U::Skip,
        U::Escape,
        U::Xml,
        U::Java,
        U::C,
    ]);
    let single: Vec<_> = Encoding::all().filter(|encoding| encoding.is_single_byte()).collect();
    let fallback =
        prop_oneof![3 => Just(None), 1 => proptest::sample::select(single).prop_map(Some)];
    let order = proptest::sample::select(vec![ByteOrder::Big, ByteOrder::Little]);
    let pair = (encodings(), encodings());
    let unmappable = (unmappable, any::<bool>());
    (pair, ill_formed, unmappable, fallback, marks(), order).prop_map(
        |(
            (from, to),
            on_ill_formed,
            (on_unmappable, transliterate),
            fallback,
            mark,
            byte_order,
        )| {
            let mark =
                if to.mark == Mark::None && mark == MarkMode::Add { MarkMode::Auto } else { mark };
            let options = Options::new()
                .on_ill_formed(on_ill_formed)
                .on_unmappable(on_unmappable)
                .transliterate(transliterate)
                .marks(mark)
                .byte_order(byte_order);
            let options = match fallback {
                Some(fallback) => options.fallback(fallback),
                None => options,
            };
            let conversion = options.build(from, to).unwrap();
            Drawn { conversion, to, mark, fallback }
        },
    )
}

/// Returns the encoding that reads the output back. UTF-16 and UTF-32 are big-endian if the mark was stripped.
fn as_read(drawn: &Drawn) -> &'static Encoding {
    let to = drawn.to;
    if drawn.mark == MarkMode::Strip { to.in_order(ByteOrder::Big) } else { unmarked(to) }
}

/// Returns the encoding that reads output of `to` if the encoding itself does not write a mark.
fn unmarked(to: &'static Encoding) -> &'static Encoding {
    if to.mark == Mark::OptionalByteOrder { to.in_order(ByteOrder::Big) } else { to }
}

fn well_formed_output(drawn: &Drawn, outcome: &Outcome) -> Result<(), TestCaseError> {
    // Extended encodings write values above U+10FFFF. UTF-8-65BIT, the widest of them, can hold them all.
    let back = strictly(as_read(drawn), Encoding::for_name("UTF-8-65BIT").unwrap());
    // Random characters may look like text interrupted by bytes that are not part of it.
    let back = back.with(|it| it.keep_units(true));
    let read = convert(&back, &outcome.output);
    prop_assert_eq!(read.summary.ill_formed(), 0, "output {:X?}", &outcome.output);
    Ok(())
}

fn findings_in_order(drawn: &Drawn, input: &[u8], found: &[Found]) -> Result<(), TestCaseError> {
    for one in found {
        let (start, end) = (one.offset as usize, one.end() as usize);
        prop_assert!(end <= input.len());
        prop_assert_eq!(&one.bytes, &input[start..end]);
        prop_assert!(one.line >= 1 && one.column >= 1);
    }
    for pair in found.windows(2) {
        // Findings may share their bytes: two characters of one sequence in a composing charset, two characters that a
        // fallback read there, or a forbidden mark that the target lacks as well.
        let shared = pair[1].id == "unmappable"
            && (pair[0].id == "unmappable"
                || pair[0].id == "bom-forbidden"
                || drawn.fallback.is_some())
            && (pair[0].offset, pair[0].end()) == (pair[1].offset, pair[1].end());
        prop_assert!(shared || pair[0].end() <= pair[1].offset, "{:?}", pair);
        prop_assert!(
            (pair[0].line, pair[0].column) <= (pair[1].line, pair[1].column),
            "{:?}",
            pair
        );
    }
    Ok(())
}

fn counts_agree(drawn: &Drawn, input: &[u8], outcome: &Outcome) -> Result<(), TestCaseError> {
    let Outcome { output, found, summary, .. } = outcome;
    prop_assert_eq!(summary.total(), found.len() as u64);
    for (kind, count) in &summary.found {
        prop_assert_eq!(found.iter().filter(|one| one.id == kind.id()).count() as u64, *count);
    }
    prop_assert_eq!(summary.total(), summary.ill_formed() + summary.unmappable() + of_marks(found));
    // A stop at a character that a fallback read from an ill-formed subsequence is a stop at the subsequence too.
    let stops_inside = match found[..] {
        [.., ref subsequence, ref stop] if summary.stopped => {
            stop.id == "unmappable"
                && !["unmappable", "bom-forbidden", "bom-missing"].contains(&subsequence.id)
                && (subsequence.offset, subsequence.end()) == (stop.offset, stop.end())
        }
        _ => false,
    };
    prop_assert_eq!(
        summary.substituted()
            + summary.dropped()
            + u64::from(summary.stopped)
            + u64::from(stops_inside)
            + of_marks(found),
        summary.total()
    );
    if summary.stopped {
        // The last finding is the one that stopped the conversion, because nothing is read after it.
        prop_assert_eq!(summary.bytes_read, found.last().unwrap().offset);
    } else {
        prop_assert_eq!(summary.bytes_read, input.len() as u64);
    }
    let own_mark = drawn.to.mark == Mark::ByteOrder || drawn.mark == MarkMode::Add;
    // If the input has no characters, the mark is written only at the end, and is not counted.
    if !own_mark || summary.bytes_written > 0 {
        prop_assert_eq!(summary.bytes_written, output.len() as u64);
    }
    Ok(())
}

fn of_marks(found: &[Found]) -> u64 {
    found.iter().filter(|one| one.id.starts_with("bom")).count() as u64
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_any_pair_any_mode(drawn in conversions(), input in bytes()) {
        let outcome = convert(&drawn.conversion, &input);
        well_formed_output(&drawn, &outcome)?;
        findings_in_order(&drawn, &input, &outcome.found)?;
        counts_agree(&drawn, &input, &outcome)?;
    }

    #[test]
    fn nothing_depends_on_whether_places_are_asked_for(drawn in conversions(), input in bytes()) {
        let Outcome { output, summary, .. } = convert(&drawn.conversion, &input);
        prop_assert_eq!(convert_without_places(&drawn.conversion, &input), (output, summary));
    }

    #[test]
    fn any_cuts_give_the_same(
        drawn in conversions(),
        input in bytes(),
        cuts in proptest::collection::btree_set(0_usize..100, 0..12),
        late_end in any::<bool>(),
    ) {
        let cuts: Vec<usize> = cuts.into_iter().filter(|cut| *cut < input.len()).collect();
        let whole = convert(&drawn.conversion, &input);
        prop_assert_eq!(convert_cut(&drawn.conversion, &input, &cuts, late_end), whole);
    }

    #[test]
    fn strict_writes_the_conversion_of_what_stands_before_the_first_bad_place(
        (from, to) in (encodings(), encodings()),
        mark in proptest::sample::select(vec![MarkMode::Auto, MarkMode::Keep, MarkMode::Strip]),
        input in bytes(),
    ) {
        let conversion = strictly(from, to).with(|it| it.marks(mark));
        let outcome = convert(&conversion, &input);
        if outcome.summary.stopped {
            prop_assert_eq!(outcome.found.len(), 1);
            // Single-byte text at the end of UTF-16 or UTF-32 may have been appended, so it is a finding only there.
            // The text ends earlier now, hence `keep_units`.
            let before = conversion.with(|it| it.keep_units(true));
            let good = convert(&before, &input[..outcome.found[0].offset as usize]);
            prop_assert_eq!(good.places(), vec![]);
            // If only a mark comes before the fault, nothing is written. tests/bom.rs covers that case too.
            if good.summary.characters > 1 || good.output == outcome.output {
                prop_assert_eq!(&outcome.output, &good.output);
            } else {
                prop_assert_eq!(&outcome.output, b"");
            }
            // The other modes begin with the same output, unless the end of a text adds bytes that restore the initial
            // state. In that case, the output for the text twice does not begin with the output either. In UTF-7 and
            // MARC-8, these bytes depend on what follows.
            let twice = input[..outcome.found[0].offset as usize].repeat(2);
            let continues = convert(&conversion, &twice).output.starts_with(&outcome.output);
            let looks_ahead = to.name().starts_with("UTF-7") || to.name() == "MARC-8";
            if continues && !looks_ahead {
                let on = conversion.with(|it| it.on_ill_formed(OnIllFormed::Replace).on_unmappable(OnUnmappable::Replace));
                prop_assert!(convert(&on, &input).output.starts_with(&outcome.output));
            }
        } else {
            prop_assert_eq!(outcome.places(), vec![]);
        }
    }

    #[test]
    fn lines_columns_and_replacement_characters_of_utf_8(input in bytes()) {
        let conversion = strictly(Encoding::for_name("UTF-8").unwrap(), Encoding::for_name("UTF-8").unwrap()).with(|it| it.on_ill_formed(OnIllFormed::Replace));
        let outcome = convert(&conversion, &input);
        prop_assert_eq!(String::from_utf8_lossy(&outcome.output), String::from_utf8_lossy(&input));
        for found in &outcome.found {
            let before = String::from_utf8_lossy(&input[..found.offset as usize]);
            let before = before.strip_prefix('\u{FEFF}').unwrap_or(&before);
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap().chars().count() + 1;
            prop_assert_eq!((found.line, found.column), (line as u64, column as u64));
        }
    }

    /// Bytes that are added at the end of the text are counted too, in every encoding, wherever the text ends. Each
    /// text is written in every eighth encoding.
    #[test]
    fn bytes_written_are_the_length_of_the_output(text in "[a\\-é二😀]{1,12}", first in 0..8_usize) {
        let input: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
        let from = Encoding::for_name("UTF-32BE").unwrap();
        for to in Encoding::all().skip(first).step_by(8) {
            let conversion = strictly(from, to).with(|it| it.on_unmappable(OnUnmappable::Replace));
            let outcome = convert(&conversion, &input);
            prop_assert_eq!(outcome.summary.bytes_written, outcome.output.len() as u64, "{:?}", to);
        }
    }

    #[test]
    fn what_an_encoding_can_write_it_reads_back(to in encodings(), text in any::<String>()) {
        let there = strictly(Encoding::for_name("UTF-32BE").unwrap(), to).with(|it| it.on_unmappable(OnUnmappable::Skip));
        let input: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
        let written = convert(&there, &input).output;
        let back = strictly(unmarked(to), Encoding::for_name("UTF-32BE").unwrap()).with(|it| it.keep_units(true));
        let again = strictly(Encoding::for_name("UTF-32BE").unwrap(), to);
        let read = convert(&back, &written);
        prop_assert_eq!(read.places(), vec![]);
        let rewritten = convert(&again, &read.output);
        prop_assert_eq!(rewritten.places(), vec![]);
        prop_assert_eq!(rewritten.output, written);
    }
}
