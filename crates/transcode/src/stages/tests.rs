//! Each stage by itself: no engine, no encoder, no other stage.

use std::io;

#[cfg(feature = "transliteration")]
use super::super::OnUnmappable;
use super::super::conversion::Conversion;
use super::super::error::Error;
use super::super::followed_by::FollowedBy;
use super::super::input_findings::InputFindings;
use super::super::origin::{HeldCharacter, Origin};
use super::super::pipeline_exit::{CodePointSink, Halt, Passed, PipelineExit};
use super::super::remedy::Remedies;
use super::super::stage::{LaterStages, Stage};
use super::super::{Newline, OnDenied, Options};
use super::*;
use crate::diagnostic::{DeniedKind, Finding, Reporter};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::CodePoint;

/// Collects what leaves the pipeline, as a target that lacks some characters.
struct CollectedText {
    text: String,
    lacks: fn(CodePoint) -> bool,
}

impl CodePointSink for CollectedText {
    fn put(&mut self, run: &[CodePoint]) -> Result<Option<usize>, Error> {
        for (at, cp) in run.iter().enumerate() {
            if (self.lacks)(*cp) {
                return Ok(Some(at));
            }
            self.text.extend(char::from_u32(*cp));
        }
        Ok(None)
    }
}

/// Records the kinds of findings that are reported without places.
#[derive(Default)]
struct KindRecorder(Vec<&'static str>);

impl Reporter for KindRecorder {
    fn finding(&mut self, _: &Finding<'_>) -> io::Result<()> {
        Ok(())
    }

    fn wants_places(&self) -> bool {
        false
    }

    fn unplaced(&mut self, kind: crate::diagnostic::Kind, _: u64) {
        self.0.push(kind.id());
    }
}

/// A stage with nothing after it.
struct LoneStage {
    stage: Box<dyn Stage>,
    remedies: Remedies,
    findings: InputFindings,
    kinds: KindRecorder,
    gathered: CollectedText,
}

impl LoneStage {
    fn new(stage: Option<Box<dyn Stage>>, conversion: Conversion) -> Self {
        Self {
            stage: stage.expect("the conversion needs the stage"),
            remedies: Remedies::new(conversion),
            findings: InputFindings::new(Encoding::UTF_8),
            kinds: KindRecorder::default(),
            gathered: CollectedText { text: String::new(), lacks: |_| false },
        }
    }

    fn with(&mut self, visit: impl FnOnce(&mut dyn Stage, &mut LaterStages<'_>) -> Passed) {
        let Self { remedies, findings, kinds, gathered, .. } = self;
        let exit = PipelineExit::new(remedies, findings, kinds, gathered);
        match visit(&mut *self.stage, &mut LaterStages { stages: &mut [], exit }) {
            Ok(()) => {}
            Err(Halt::Stop(_) | Halt::Error(_)) => panic!("nothing stops"),
        }
    }

    /// Passes the characters one by one, with or without the next one known.
    fn pass(&mut self, text: &str, knows_next: bool) {
        let cps: Vec<_> = text.chars().map(CodePoint::from).collect();
        for (at, cp) in cps.iter().enumerate() {
            let next = cps.get(at + 1).copied().filter(|_| knows_next);
            let held = [HeldCharacter { cp: *cp, place: None }];
            self.with(|stage, rest| stage.character(*cp, next, &mut Origin::Held(&held), rest));
        }
    }

    fn settle(&mut self, followed_by: FollowedBy) {
        self.with(|stage, rest| stage.settle(followed_by, rest));
    }

    /// Returns what has left the stage, and the kinds of findings.
    fn take(&mut self) -> (String, Vec<&'static str>) {
        (std::mem::take(&mut self.gathered.text), std::mem::take(&mut self.kinds.0))
    }
}

fn utf8(options: Options) -> Conversion {
    options.build(Encoding::UTF_8, Encoding::UTF_8).unwrap()
}

#[test]
fn a_carriage_return_waits_for_what_follows() {
    for knows_next in [false, true] {
        let conversion = utf8(Options::new().deny([DeniedKind::MixedNewlines]));
        let stage = LineEndCheck::stage(&conversion, Encoding::UTF_8);
        let mut alone = LoneStage::new(stage, conversion);
        alone.pass("a\r", false);
        assert_eq!(alone.take(), ("a".to_owned(), vec![]), "{knows_next}");
        assert!(alone.stage.holds());
        alone.pass("\nb\r\nc\rd\n", knows_next);
        assert_eq!(alone.take(), ("\r\nb\r\nc\rd\n".to_owned(), vec!["mixed-newlines"]));
    }
}

#[test]
fn a_line_end_that_differs_from_the_declared_one_is_found_once() {
    let conversion = utf8(Options::new().newline(Newline::LineFeed));
    let stage = LineEndCheck::stage(&conversion, Encoding::UTF_8);
    let mut alone = LoneStage::new(stage, conversion);
    alone.pass("a\nb\r\nc\r\nd\r", true);
    alone.settle(FollowedBy::End);
    assert_eq!(alone.take(), ("a\nb\r\nc\r\nd\r".to_owned(), vec!["wrong-newline"]));
    assert_eq!(alone.stage.first_in(&[0x61, 0x0A], None), None, "a line feed is no news");
}

#[test]
fn what_is_denied_is_left_out_and_what_works_is_not() {
    let options = Options::new().deny([DeniedKind::Invisible, DeniedKind::Bidi]);
    let conversion = utf8(options.on_denied(OnDenied::Skip));
    let stage = Inspect::stage(&conversion);
    let mut alone = LoneStage::new(stage, conversion);
    // U+200D joins two emoji, and does nothing between two letters.
    for knows_next in [false, true] {
        alone.pass("a\u{200D}b\u{202E}👩\u{200D}👧", knows_next);
        alone.settle(FollowedBy::End);
        let (text, kinds) = alone.take();
        assert_eq!(text, "ab👩\u{200D}👧", "{knows_next}");
        assert_eq!(kinds, ["invisible", "bidi"], "{knows_next}");
    }
    assert!(!alone.stage.keeps(0x202E), "what follows it may follow what is before it");
}

#[cfg(feature = "normalization")]
#[test]
fn a_letter_waits_for_its_marks() {
    let conversion = utf8(Options::new().normalize(crate::normalization::NormalizationForm::Nfc));
    let stage = Normalize::stage(&conversion);
    let mut alone = LoneStage::new(stage, conversion);
    alone.pass("x", false);
    assert_eq!(alone.take().0, "", "a mark may follow");
    alone.pass("e", false);
    assert_eq!(alone.take().0, "x");
    alone.settle(FollowedBy::Gap);
    alone.pass("\u{301}", false);
    assert!(alone.stage.holds());
    alone.settle(FollowedBy::Break);
    assert_eq!(alone.take().0, "é");
    assert_eq!(alone.stage.first_in(&[0x78, 0x65, 0x301], Some(0x20)), Some(1));
    assert_eq!(alone.stage.first_in(&[0x78, 0x65], Some(0x20)), None);
}

#[cfg(feature = "transliteration")]
#[test]
fn a_letter_and_its_mark_become_what_the_target_has() {
    let options = Options::new().on_unmappable(OnUnmappable::Skip).transliterate(true);
    let conversion = options.build(Encoding::UTF_8, Encoding::US_ASCII).unwrap();
    let stage = Transliterate::stage(&conversion);
    let mut alone = LoneStage::new(stage, conversion);
    alone.gathered.lacks = |cp| cp > 0x7F;
    alone.pass("au\u{308}", false);
    alone.settle(FollowedBy::Gap);
    assert_eq!(alone.take(), ("a".to_owned(), vec!["unmappable"]));
    alone.settle(FollowedBy::End);
    assert_eq!(alone.take().0, "u", "the form of u and U+0308 without a locale");
}

#[cfg(feature = "transliteration")]
#[test]
fn marks_without_a_letter_stay_in_their_order() {
    for knows_next in [false, true] {
        let options = Options::new().on_unmappable(OnUnmappable::Xml).transliterate(true);
        let conversion = options.build(Encoding::UTF_8, Encoding::US_ASCII).unwrap();
        let stage = Transliterate::stage(&conversion);
        let mut alone = LoneStage::new(stage, conversion);
        alone.gathered.lacks = |cp| cp > 0x7F;
        // Canonical order would put U+0316 first; it applies only to what composes.
        alone.pass("\u{300}\u{316}", knows_next);
        alone.settle(FollowedBy::End);
        assert_eq!(alone.take().0, "&#x300;&#x316;", "{knows_next}");
    }
}

#[cfg(feature = "transliteration")]
#[test]
fn marks_are_dropped_after_a_letter_that_is_written() {
    let options = Options::new().on_unmappable(OnUnmappable::Replace).transliterate(true);
    let conversion = options.build(Encoding::UTF_8, Encoding::US_ASCII).unwrap();
    let mut alone = LoneStage::new(Some(Box::new(DropMarks::default())), conversion);
    alone.gathered.lacks = |cp| cp > 0x7F;
    // U+0338 negates, and 日 is replaced: its mark is not the only thing that is lost.
    alone.pass("e\u{301}\u{302}\u{338} \u{301} 日\u{301}", false);
    assert_eq!(alone.take().0, "e? ? ??");
    assert!(!alone.stage.holds());
    alone.stage.passed(&[0x61, 0x62]);
    alone.pass("\u{301}", false);
    alone.settle(FollowedBy::Break);
    alone.pass("\u{301}", false);
    assert_eq!(alone.take().0, "?", "what is left out before a mark is no letter");
    // The characters of one place go together: if not all of them fit, the last letter is still the one before them.
    let held = [HeldCharacter { cp: 0x61, place: None }];
    let group = [0x61, 0x301];
    alone.with(|stage, rest| stage.group(&group, Vec::new(), &mut Origin::Held(&held), rest));
    assert_eq!(alone.take().0, "a");
}

#[test]
fn blanks_at_the_end_of_a_record_are_dropped_however_they_are_cut() {
    let options = Options::new().record_length(20.try_into().unwrap()).trim_records(true);
    let conversion = utf8(options);
    let stage = TrimRecords::stage(&conversion);
    let mut alone = LoneStage::new(stage, conversion);
    alone.pass("a  b  ", false);
    assert_eq!(alone.take().0, "a  b");
    alone.settle(FollowedBy::End);
    alone.pass("c ", false);
    alone.settle(FollowedBy::Gap);
    assert_eq!(alone.take().0, "c ", "something follows, if only what is left out");
    assert_eq!(alone.stage.first_in(&[0x61, 0x20, 0x20], None), Some(1));
    assert_eq!(alone.stage.first_in(&[0x61, 0x20], Some(0x62)), None);
}
