//! Text in UTF-8 that was damaged before: bytes read in the wrong charset and encoded again.
//!
//! ```text
//! é ─► C3 A9 ─► read as windows-1252: Ã© ─► encoded again as UTF-8
//!
//! text ─► suspect.rs   the first character that may begin such a sequence (nearly all text has none)
//!      ─► a region: to the end of its line
//!      ─► sequences.rs what its characters are as bytes in each charset (tables.rs), and which of these bytes are UTF-8
//!      ─► weigh.rs     what each reading costs by the letter pairs of languages ─► the cheapest, if it is clearly cheaper
//! ```
//!
//! Each run of damage is judged by itself, in the words around it. A reading may be damaged again: layers are removed as
//! long as that makes the text likelier. What was found in a text makes the same damage likelier in the rest of it.

mod restorer;
mod sequences;
mod tables;
mod weigh;

pub use restorer::{Damage, REGION, Restorer};
pub use sequences::{Suspect, suspect};
