//! Nothing that a conversion finds or writes depends on the path that the text takes.

use std::io::{self, Read};

use proptest::prelude::*;

#[cfg(feature = "detection")]
use super::policy::OnMojibake;
#[cfg(feature = "detection")]
use super::segments::SEARCHED;
use super::stages::LOOKED_AT;
use super::{Conversion, Error, OnIllFormed, OnUnmappable, Options, Transcoder};
#[cfg(feature = "detection")]
use crate::diagnostic::Detail;
use crate::diagnostic::{DeniedKind, Finding, Kind, Reporter, Summary};
use crate::io::ReadSource;
#[cfg(feature = "detection")]
use oxiconv_detect::mojibake::WEIGHED;
use oxiconv_encodings::encoding::Encoding;

/// A finding as recorded: kind, bytes, the byte after, offset, line and column, and whether it stops.
type Told = (Kind, Vec<u8>, Option<u8>, [u64; 3], bool);

/// Records everything that a conversion reports. It asks for the places of the first `wants` findings.
struct ReportRecorder {
    told: Vec<Told>,
    unplaced: Vec<(Kind, u64)>,
    wants: usize,
}

impl Reporter for ReportRecorder {
    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        let place = [finding.offset, finding.line, finding.column];
        self.told.push((finding.kind, finding.bytes.to_vec(), finding.next, place, finding.stops));
        Ok(())
    }

    fn wants_places(&self) -> bool {
        self.told.len() < self.wants
    }

    fn unplaced(&mut self, kind: Kind, count: u64) {
        match self.unplaced.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, so_far)) => *so_far += count,
            None => self.unplaced.push((kind, count)),
        }
        self.unplaced.sort();
    }
}

/// A reader that yields this many bytes at a time.
struct TrickleReader<'a>(&'a [u8], usize);

impl Read for TrickleReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.1.min(buffer.len()).min(self.0.len());
        buffer[..len].copy_from_slice(&self.0[..len]);
        self.0 = &self.0[len..];
        Ok(len)
    }
}

fn convert(
    conversion: &Conversion,
    direct_path: bool,
    input: &[u8],
    drop: usize,
    wants: usize,
) -> (Vec<u8>, Summary, ReportRecorder) {
    let mut output = Vec::new();
    let mut recorder = ReportRecorder { told: Vec::new(), unplaced: Vec::new(), wants };
    let mut transcoder = Transcoder::new(conversion, &mut output);
    transcoder.converter.direct_path = direct_path;
    let mut source = ReadSource::of_file(TrickleReader(input, drop));
    let summary =
        transcoder.input(&mut source, &mut recorder).or_else(Error::into_summary).unwrap();
    transcoder.finish().unwrap();
    (output, summary, recorder)
}

const FORMS: [&str; 9] = [
    "UTF-8",
    "UTF-16LE",
    "UTF-16BE",
    "UTF-32LE",
    "UTF-32BE",
    "ISO-8859-1",
    "US-ASCII",
    "UTF-16",
    "UTF-32",
];

/// Generates pieces of well-formed and ill-formed text in an encoding.
fn input(from: &'static str) -> impl Strategy<Value = Vec<u8>> {
    let encode = move |text: String| {
        let options = Options::new().on_unmappable(OnUnmappable::Skip);
        let conversion = options
            .build(Encoding::for_name("UTF-8").unwrap(), Encoding::for_name(from).unwrap())
            .unwrap();
        convert(&conversion, false, text.as_bytes(), 1 << 20, 0).0
    };
    let text = prop_oneof![
        "[a-z \n]{0,200}",
        "[à-ÿa-z\n]{0,90}",
        "[а-я \n]{0,90}",
        "[一-十\n]{0,90}",
        "[😀-😿é\n]{0,60}",
        // Four bytes each in GB18030; two code points for one code in BIG5-HKSCS; NUL.
        "[ßạ-ỹa-z ]{0,90}",
        "[a-z]{0,40}[Êê][\u{304}\u{30C}][\0-~]{0,40}",
        Just("\u{FEFF}".to_owned()),
    ];
    let piece = prop_oneof![
        5 => text.prop_map(encode),
        2 => prop::collection::vec(any::<u8>(), 0..6),
        1 => prop::collection::vec(prop::sample::select(&b"\x80\xC3\xE2\xED\xF0\xD8\xDC\x00"[..]), 0..12),
        1 => (1_usize..300).prop_map(|len| vec![0xFF; len]),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn case() -> impl Strategy<Value = (&'static str, Option<&'static str>, Vec<u8>)> {
    prop::sample::select(&FORMS[..]).prop_flat_map(|from| {
        (Just(from), prop::option::weighted(0.8, prop::sample::select(&FORMS[..])), input(from))
    })
}

/// Charsets that convert to or from UTF-8 themselves: of each structure, with and without US-ASCII, prefixes, codes of
/// four bytes, and codes for two characters.
#[cfg(feature = "legacy")]
const CHARSETS: [&str; 12] = [
    "windows-1252",
    "KOI8-R",
    "TIS-620",
    "IBM1047",
    "CP932",
    "EUC-JP",
    "EUC-TW",
    "BIG5-HKSCS",
    "GBK",
    "GB18030",
    "CP949",
    "JOHAB",
];

/// The same for a charset and UTF-8, in both directions.
#[cfg(feature = "legacy")]
fn charset_case() -> impl Strategy<Value = (&'static str, Option<&'static str>, Vec<u8>)> {
    (prop::sample::select(&CHARSETS[..]), any::<bool>()).prop_flat_map(|(charset, reads)| {
        let (from, to) = if reads { (charset, "UTF-8") } else { ("UTF-8", charset) };
        (Just(from), Just(Some(to)), input(from))
    })
}

#[cfg(not(feature = "legacy"))]
use case as charset_case;

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    /// The direct path yields the same text, findings, places and counts as the path through code points.
    #[test]
    fn both_paths_lead_to_the_same(
        (from, to, input) in prop_oneof![case(), charset_case()],
        on_ill_formed in prop::sample::select(&[
            OnIllFormed::Stop, OnIllFormed::Replace, OnIllFormed::Skip, OnIllFormed::Escape,
        ][..]),
        on_unmappable in prop::sample::select(&[
            OnUnmappable::Stop, OnUnmappable::Replace, OnUnmappable::Skip, OnUnmappable::Xml,
        ][..]),
        replacement in prop::sample::select(&[None, Some("?"), Some("[?]"), Some("")][..]),
        drop in prop::sample::select(&[1_usize, 2, 3, 7, 63, 64, 65, 100, 1 << 20][..]),
        wants in prop::sample::select(&[0_usize, 1, 3, usize::MAX][..]),
    ) {
        let mut options = Options::new().on_ill_formed(on_ill_formed).on_unmappable(on_unmappable);
        if let Some(replacement) = replacement {
            options = options.replacement(replacement);
        }
        let to = to.map(|to| Encoding::for_name(to).unwrap());
        let conversion = options.build(Encoding::for_name(from).unwrap(), to).unwrap();
        let (direct, pivot) = (
            convert(&conversion, true, &input, drop, wants),
            convert(&conversion, false, &input, 1 << 20, wants),
        );
        prop_assert_eq!(direct.0, pivot.0);
        prop_assert_eq!(direct.1, pivot.1);
        prop_assert_eq!(direct.2.told, pivot.2.told);
        prop_assert_eq!(direct.2.unplaced, pivot.2.unplaced);
    }
}

/// A run that is interrupted at each of its characters is examined once, and not from each of them to its end.
#[test]
fn what_is_denied_is_looked_for_once() {
    const LETTERS: usize = 20_000;
    let denied = [DeniedKind::Control, DeniedKind::Invisible, DeniedKind::Unassigned];
    let options = Options::new().on_unmappable(OnUnmappable::Skip).deny(denied);
    let conversion = options.build(Encoding::UTF_8, Encoding::ISO_8859_1).unwrap();
    LOOKED_AT.set(0);
    let text = "ж".repeat(LETTERS);
    let (output, summary, _) = convert(&conversion, true, text.as_bytes(), usize::MAX, 0);
    assert_eq!((output.len(), summary.unmappable()), (0, LETTERS as u64));
    assert!(LOOKED_AT.get() <= 2 * LETTERS, "{} for {LETTERS} letters", LOOKED_AT.get());
}

/// Returns how many bytes of a text a check searches for damage, and how many characters it weighs in a language.
#[cfg(feature = "detection")]
fn searched_and_weighed(options: Options, text: &[u8]) -> (usize, usize) {
    let conversion = options.build(Encoding::UTF_8, None).unwrap();
    SEARCHED.set(0);
    WEIGHED.set(0);
    convert(&conversion, true, text, usize::MAX, usize::MAX);
    (SEARCHED.get(), WEIGHED.get())
}

/// Random bytes are searched for damage once, and hardly any are weighed: what is ill-formed is no word.
#[cfg(feature = "detection")]
#[test]
fn what_is_explained_is_searched_once() {
    const BYTES: usize = 1 << 16;
    let mut state = 1_u32;
    let bytes: Vec<u8> = (0..BYTES)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            0x80 | (state >> 24) as u8
        })
        .collect();
    let options = Options::new().on_ill_formed(OnIllFormed::Skip);
    assert_eq!(searched_and_weighed(options.clone(), &bytes), (0, 0));
    let (searched, weighed) = searched_and_weighed(options.detail(Detail::Context), &bytes);
    assert!(searched <= 2 * BYTES, "{searched} for {BYTES} bytes");
    assert!(weighed <= BYTES, "{weighed} for {BYTES} bytes");
}

/// A damaged text is searched once, and a word that was weighed is not weighed again.
#[cfg(feature = "detection")]
#[test]
fn what_is_repaired_is_weighed_once() {
    // Words of two to four syllables, read as windows-1252.
    let syllables = ["ко", "ра", "ми", "ле", "ту", "но", "ве", "ши"];
    let word = |number: usize| {
        let len = 2 + number % 3;
        (0..len).map(|at| syllables[number >> (3 * at) & 7]).collect::<String>()
    };
    let words: Vec<String> = (0..512).map(word).collect();
    let lines: String = words.chunks(8).map(|words| words.join(" ") + "\n").collect();
    let read = Options::new().build(Encoding::WINDOWS_1252, Encoding::UTF_8).unwrap();
    let (text, ..) = convert(&read, true, lines.as_bytes(), usize::MAX, 0);
    let options = Options::new();
    assert_eq!(searched_and_weighed(options.clone(), &text), (0, 0));
    let repairing = options.on_mojibake(OnMojibake::Repair);
    let (searched, once) = searched_and_weighed(repairing.clone(), &text);
    assert!(searched <= 2 * text.len(), "{searched} for {} bytes", text.len());
    let (_, twice) = searched_and_weighed(repairing, &text.repeat(2));
    // Each word is weighed as it is and as it was meant, in all languages of its script at once.
    assert!(once > 0 && once <= 4 * text.len(), "{once} for {} bytes", text.len());
    assert!(twice <= once + once / 4, "{once}, and {twice} for twice the text");
}
