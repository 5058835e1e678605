use super::*;

#[test]
fn a_text_is_split_where_each_part_can_be_decoded_by_itself() {
    let cuts = |cut, text: &[u8], places: std::ops::RangeInclusive<usize>| -> Vec<_> {
        places.map(|at| next_split(cut, text, at).unwrap()).collect()
    };
    let utf8 = "aé€😀".as_bytes();
    assert_eq!(cuts(SplitRule::Utf8, utf8, 0..=10), [0, 1, 3, 3, 6, 6, 6, 10, 10, 10, 10]);
    let never_further = next_split(SplitRule::Utf8, &[0x80; 9], 2);
    assert_eq!(never_further, Some(5), "never further than three bytes");
    let utf16 = [0x00, 0x41, 0xD8, 0x3D, 0xDE, 0x00, 0x00, 0x42];
    assert_eq!(cuts(SplitRule::Utf16(0), &utf16, 0..=8), [0, 2, 2, 6, 6, 6, 6, 8, 8]);
    let little = [0x41, 0x00, 0x3D, 0xD8, 0x00, 0xDE, 0x42, 0x00];
    assert_eq!(cuts(SplitRule::Utf16(1), &little, 0..=8), [0, 2, 2, 6, 6, 6, 6, 8, 8]);
    assert_eq!(cuts(SplitRule::Units(4), &[0; 9], 5..=9), [8, 8, 8, 8, 9]);
    assert_eq!(cuts(SplitRule::Units(1), &[0xFF; 3], 0..=3), [0, 1, 2, 3]);
    assert_eq!(cuts(SplitRule::AfterLow, b"ab\ncd !0", 0..=8), [3, 3, 3, 6, 6, 6, 7, 8, 8]);
    assert_eq!(next_split(SplitRule::Never, b"abc", 1), None);
    let long = [&[0x81; SEARCH][..], b" ", &[0x81; SEARCH + 1]].concat();
    assert_eq!(next_split(SplitRule::AfterLow, &long, 0), None);
    assert_eq!(next_split(SplitRule::AfterLow, &long, 1), Some(SEARCH + 1));
    assert_eq!(next_split(SplitRule::AfterLow, &long, SEARCH + 1), None);
    assert_eq!(next_split(SplitRule::AfterLow, &long, SEARCH + 2), Some(long.len()), "the end");
    for (before, len) in [(0, 64), (63, 64), (64, 65), (130, 200), (5, 6)] {
        let mut bytes = vec![0x30; len];
        bytes[before] = 0x2F;
        assert_eq!(first_low(&bytes), Some(before));
    }
    assert_eq!(first_low(&[0x30; 200]), None);
}

/// A window that is read again for each piece, and ends with the text if it is the last.
struct RereadWindow<'t>(&'t [u8], bool);

impl Window for RereadWindow<'_> {
    fn size(&self) -> usize {
        self.0.len()
    }

    fn is_last(&self) -> bool {
        self.1
    }

    fn read(&self, range: Range<usize>, mut buffer: Vec<u8>) -> std::io::Result<Cow<'_, [u8]>> {
        buffer.clear();
        buffer.extend_from_slice(&self.0[range]);
        Ok(Cow::Owned(buffer))
    }
}

/// Returns where the pieces begin and end in the window; `None` for one that could not be split.
fn pieces(rule: SplitRule, window: &dyn Window, start: usize) -> Vec<Option<Range<usize>>> {
    let place = |piece: SplitPiece<'_>| {
        let Range { start, end } = piece.range();
        let range = piece.place(start)..piece.place(end);
        assert_eq!(piece.chunk().bytes[start..end].len(), range.len());
        range
    };
    let pieces = SplitPieces::new(rule, window, start, 16);
    pieces.map(|unread| unread.read(vec![7; 5]).map(place)).collect()
}

#[test]
fn pieces_follow_each_other_whoever_reads_them() {
    // A three-byte character lies across each border.
    let text = "€".repeat(PIECE);
    let ends: Vec<_> =
        (0..=3).map(|number| number * PIECE).map(|at| at.next_multiple_of(3)).collect();
    let whole: Vec<_> = ends.windows(2).map(|ends| Some(ends[0]..ends[1])).collect();
    assert_eq!(pieces(SplitRule::Utf8, &RereadWindow(text.as_bytes(), true), 0), whole);
    // The end may belong to what follows.
    assert_eq!(pieces(SplitRule::Utf8, &RereadWindow(text.as_bytes(), false), 0), whole[..2]);
    // Units are counted from the start.
    let odd = pieces(SplitRule::Units(4), &RereadWindow(&vec![0; 2 * PIECE + 8], true), 3);
    let middle = 3 + PIECE;
    assert_eq!(odd[0], Some(3..middle));
    assert_eq!(odd[1], Some(middle..middle + PIECE));
    assert_eq!(odd[2], Some(middle + PIECE..2 * PIECE + 8));
}

#[test]
fn a_window_without_a_place_to_split_it_has_no_pieces() {
    let mut text = vec![0x81; 5 * PIECE];
    for last in [false, true] {
        let found = pieces(SplitRule::AfterLow, &RereadWindow(&text, last), 0);
        assert_eq!(found[0], None, "{last}");
        let short = pieces(SplitRule::AfterLow, &RereadWindow(&text[..PIECE + 5], last), 0);
        let all = Some(0..PIECE + 5);
        assert_eq!(short.first(), Some(&all).filter(|_| last).or(Some(&None)), "{last}");
    }
    assert!(pieces(SplitRule::Never, &RereadWindow(&text, true), 0).is_empty());
    // A split point beyond what is read at first.
    text[PIECE + SEARCH / 2] = b' ';
    let found = pieces(SplitRule::AfterLow, &RereadWindow(&text, true), 0);
    assert_eq!(found[0], Some(0..PIECE + SEARCH / 2 + 1));
}
