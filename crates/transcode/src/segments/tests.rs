//! Each segmenter by itself: no engine, no other segmenter.

use super::super::Options;
use super::super::segment::{SegmentLookahead, Segmenter, View};
use super::*;
use crate::OnForeignMark;
use oxiconv_encodings::codec::ByteOrder;

/// Returns the first segment of `text`, wherever the chunk before the whole text ends.
#[track_caller]
fn first_segment<S: Segmenter>(
    make: impl Fn() -> S,
    encoding: &'static Encoding,
    text: &[u8],
) -> Option<Range<usize>> {
    let whole = first_segment_cut(make(), encoding, text, text.len());
    for cut in 0..text.len() {
        assert_eq!(first_segment_cut(make(), encoding, text, cut), whole, "cut at {cut}");
    }
    whole
}

fn first_segment_cut(
    mut segmenter: impl Segmenter,
    encoding: &'static Encoding,
    text: &[u8],
    cut: usize,
) -> Option<Range<usize>> {
    let decoder = encoding.new_decoder(ByteOrder::Little);
    let mut at = 0;
    for end in [cut, text.len()] {
        let chunk = Chunk::new(&text[..end], end == text.len());
        let view = View {
            chunk: &chunk,
            base: 0,
            goes_on: false,
            is_deferred: false,
            encoding,
            decoder: &*decoder,
            shows_context: false,
            measures: false,
        };
        loop {
            match segmenter.look(&view, at, end) {
                SegmentLookahead::Clear(to) | SegmentLookahead::Likely(to, _) if to > at => at = to,
                SegmentLookahead::Clear(_)
                | SegmentLookahead::Likely(..)
                | SegmentLookahead::Wait => break,
                SegmentLookahead::Again => {}
                SegmentLookahead::Segment(range) => return Some(range),
            }
        }
    }
    assert_eq!(at, text.len(), "all of the text is clear, or has a segment");
    None
}

fn conversion(from: &str, options: Options) -> Conversion {
    let from = Encoding::for_name(from).unwrap();
    options.build(from, Encoding::UTF_8).unwrap()
}

#[test]
fn units_of_utf_16_begin_where_the_first_of_four_does() {
    let conversion = conversion("UTF-8", Options::new().on_foreign_mark(OnForeignMark::Report));
    let seek = || ForeignUnits::of(&conversion, Encoding::UTF_8).unwrap();
    assert_eq!(first_segment(seek, Encoding::UTF_8, b"ok\nh\0i\0 \0y\0"), Some(3..11));
    assert_eq!(first_segment(seek, Encoding::UTF_8, b"a field\0and another\0"), None);
}

#[test]
fn a_part_in_the_fallback_is_what_is_ill_formed() {
    let fallback = Encoding::for_name("ISO-8859-1").unwrap();
    let conversion = conversion("UTF-8", Options::new().fallback(fallback));
    let seek = || Mixture::of(&conversion).unwrap();
    assert_eq!(first_segment(seek, Encoding::UTF_8, b"d\xC3\xA9j\xC3\xA0 d\xE9j\xE0"), Some(8..9));
    assert_eq!(first_segment(seek, Encoding::UTF_8, "déjà".as_bytes()), None);
}

#[test]
fn an_identifier_is_a_segment_from_its_first_letter_on_that_is_not_latin() {
    use crate::diagnostic::DeniedKind;
    let conversion = conversion("UTF-8", Options::new().deny([DeniedKind::MixedScript]));
    let seek = || Identifiers::of(&conversion).unwrap();
    assert_eq!(first_segment(seek, Encoding::UTF_8, "to p\u{430}ypal".as_bytes()), Some(4..6));
    assert_eq!(
        first_segment(seek, Encoding::UTF_8, "to \u{444}\u{430}\u{439}\u{43B}".as_bytes()),
        None
    );
}

#[cfg(feature = "detection")]
#[test]
fn a_damaged_part_is_a_segment_and_its_neighbours_are_not() {
    use crate::OnMojibake;
    let conversion = conversion("UTF-8", Options::new().on_mojibake(OnMojibake::Repair));
    let seek = || Damages::of(&conversion).unwrap();
    let text = "Das war sch\u{C3}\u{B6}n und wird gr\u{C3}\u{BC}n.\n";
    assert_eq!(first_segment(seek, Encoding::UTF_8, text.as_bytes()), Some(11..15));
    assert_eq!(first_segment(seek, Encoding::UTF_8, "Das war schön.\n".as_bytes()), None);
}

#[cfg(feature = "detection")]
#[test]
fn a_label_is_a_segment_where_another_one_replaces_it() {
    use crate::OnDeclaration;
    use crate::diagnostic::Silent;
    let latin1 = Encoding::for_name("ISO-8859-1").unwrap();
    let update = Options::new().on_declaration(OnDeclaration::Update);
    let conversion = conversion("ISO-8859-1", update);
    let text = b"<?xml version='1.0' encoding='latin1'?><a>\xE9</a>";
    let seek = || {
        let mut labels = Declarations::of(&conversion);
        labels.look_for_labels(&conversion, latin1, &Chunk::new(text, true), &mut Silent);
        labels
    };
    assert_eq!(first_segment(seek, latin1, text), Some(30..36));
}

#[cfg(feature = "detection")]
#[test]
fn a_line_in_units_of_one_byte_is_a_segment() {
    let conversion = conversion("UTF-16LE", Options::new());
    let seek = || Interruptions::of(&conversion, Encoding::UTF_16LE).unwrap();
    let units = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    let lines = units("The quick brown fox jumps over the lazy dog.\n");
    let text = [&lines[..], b"An error in ASCII\n", &lines].concat();
    assert_eq!(first_segment(seek, Encoding::UTF_16LE, &text), Some(90..108));
    assert_eq!(first_segment(seek, Encoding::UTF_16LE, &lines), None);
}
