//! Text that was damaged by a wrong conversion (`Ã©` for `é`): where it may be, what it meant, and what damaged it.
//!
//! ```text
//! text ─► sound_words.rs, suspect.rs, unusual_word.rs: may it be damaged? ─► a region: from there to the end of the line
//! region ─► sequences.rs, double_byte.rs, controls.rs, swapped.rs: what it may have meant, in every charset of tables.rs
//!        ─► suspect_part.rs: one part per word at most
//!        ─► damage_judge.rs: the reading that costs least (weigh.rs), given the words around it and what was found
//!           before (mistake_evidence.rs) ─► Damage; what was repaired is read again
//!             lost_bytes.rs: what fits if a byte of it is gone
//!        ─► foreign.rs: a charset that all words of a line are in
//!        ─► restorer.rs: what is left or unclear, by the rest of the line
//! ```
//!
//! Nearly all text stops at the first arrow. A part is repaired if a reading of it costs clearly less, by the model of
//! letter pairs, than the part as it stands. Penalties say how rare a mistake is, and fall with every repair of the
//! same mistake.
//!
//! That the bytes are well-formed UTF-8 is no proof here. The two letters of `ГЋ`, like many other pairs, are a
//! character of UTF-8 in some charset, and there are a dozen charsets and several layers. So most rules of this module
//! protect sound text, and the sum of bits decides what they leave open.
//!
//! Regions, and what is learned from them, depend only on the text, so the result does not depend on how the input is
//! split into chunks. A single thread reads it. The constants that decide, in all files, are numbers of bits, and their
//! docs say so.

mod controls;
mod damage;
mod damage_judge;
mod double_byte;
mod foreign;
mod ideographs;
mod layer_conflict;
mod lost_bytes;
mod misreading;
mod mistake;
mod mistake_evidence;
mod region;
mod restorer;
mod sequences;
mod sound_words;
mod suspect;
mod suspect_part;
mod swapped;
mod tables;
mod unusual_word;
mod weigh;

pub use damage::Damage;
pub use misreading::{Misreading, MisreadingError};
pub use restorer::{REGION, Restorer, SURE, SuspectWords};
pub use suspect::Suspect;
pub use swapped::{first_misread, misread_end};
#[cfg(debug_assertions)]
pub use weigh::WEIGHED;
