//! Detects the encoding of a text. One piece of code answers `-f auto`, `--detect`, the hints and `--fallback auto`, so
//! that their answers agree.
//!
//! ```text
//! text ─► Deferral, first_signal: past ASCII without evidence ─► DetectionSample ─► Detector
//!               │ mark ─► marks of the registry
//!               │ wide.rs              UTF-32 and UTF-16 without a byte order mark
//!               │ escape_sequences.rs  ISO-2022, HZ, UTF-7
//!               │ restored_answer.rs   UTF-8 with bytes that Python has escaped: judged with them restored
//!               │ utf8_census.rs       UTF-8 with or without other bytes, CESU-8, lines
//!               │ binary_data.rs       data that is not text
//!               │ declaration/         what the text declares
//!               │ letters.rs           the charsets of the registry, by letters
//!               │ few_letters.rs       corrections for a byte or two, and for signs
//!               ▼
//!            Detection: encoding, confidence, language, evidence, runners-up
//!
//! text that is ill-formed in UTF-8 ─► recovery.rs: the Detector's charset for all of it, or, for stray bytes among
//!                                     UTF-8, that of strays/, which compares the letters of the rest
//! one line after another ─► line_verdict.rs: UTF-8, UTF-8 with strays, or another encoding ─► line_detector.rs: which
//!                           one, by its letters and by earlier lines: their words (known_words.rs), and what it costs
//!                           in the encodings of many lines (line_costs.rs)
//! all lines that are not UTF-8 ─► other_lines.rs: in which encodings, by their letters taken together
//! a text that is to be replaced by its reading ─► odd_words.rs: whether a word of it cannot be right
//! UTF-16 or UTF-32 with other bytes in it ─► unit_interruptions.rs: where, and whether it is certain (ordinary.rs)
//! ```
//!
//! The first kind of evidence that has an answer decides. `detector.rs` gives the order and its reasons. No other
//! detector gets a vote: on 3,331 samples of 200 bytes to 10 KB, chardetng was right in one where this model was wrong,
//! at a cost of 200 ns per byte.
//!
//! Who asks what:
//!
//! | question | entry | asked by |
//! |---|---|---|
//! | in what is a whole text? | [`Detector`] | `--detect`, `-f auto`, the library |
//! | the same, while the text still arrives | [`Deferral`] | `-f auto` on a stream |
//! | in what is each line? | [`LineDetector`] | `-f auto-lines`, `--detect --lines` |
//! | in what are bytes that are not UTF-8? | [`TextStart`], [`StrayText`] | `--fallback auto`; hints and `--explain` |
//! | what interrupts text in UTF-16 or UTF-32? | [`WideUnits`], [`InterruptionSearch`] | the engine; hints |
//! | what does the text declare? | [`declarations_in`] | what a conversion notes of a declaration, or rewrites |

mod answer;
mod ascii_costs;
mod ascii_deferral;
mod base64;
mod binary_data;
mod box_drawing;
mod character_group;
mod charsets;
mod confidence;
mod declaration;
mod detection_sample;
mod detector;
#[cfg(test)]
mod encoded;
mod escape_sequences;
mod expected;
mod few_letters;
mod known_words;
mod language_answer;
mod letter_lists;
mod letters;
mod line_costs;
mod line_detector;
mod line_end_evidence;
mod line_form;
mod line_verdict;
mod odd_words;
mod ordinary;
mod other_lines;
mod priors;
mod recovery;
mod restored_answer;
mod sample_words;
mod stray_certainty;
mod strays;
mod trial_reading;
mod typographic_signs;
mod unit_interruptions;
mod usual_characters;
mod utf8_census;
mod web_names;
mod wide;

pub use answer::{Detection, Evidence, Others, RunnerUp};
pub use ascii_deferral::Deferral;
pub use declaration::{EncodingDeclaration, all_in as declarations_in};
pub use detection_sample::HEAD;
pub use detection_sample::SAMPLE;
pub use detector::Detector;
pub use few_letters::is_vowel;
pub use line_detector::{LONGEST_LINE, LineDetector};
pub use line_form::LineForm;
pub use line_verdict::{LINE_CONTEXT, LineVerdict};
pub use odd_words::has_odd_word;
pub use ordinary::OrdinaryText;
pub use other_lines::OtherLines;
pub use recovery::{RecoveringEncoding, Recovery, TextStart};
pub use stray_certainty::{are_strays_sure, stray_confidence};
pub use strays::StrayText;
pub use strays::{LOOK, judge as judge_strays};
pub use unit_interruptions::InterruptionSearch;
pub use unit_interruptions::{
    Interruption, Meant, NextInterruption, NextNarrow, ShiftedStart, WideUnits,
};
pub use utf8_census::is_mostly_utf8;
pub use wide::by_units;
