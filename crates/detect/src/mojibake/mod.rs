//! Text that was damaged by a wrong conversion (`Ã©` for `é`): where it may be, what it was, and what damaged it.

mod damage;
mod evidence;
mod foreign;
mod gb;
mod judge;
mod misreading;
mod mistake;
mod part;
mod restorer;
mod sequences;
mod suspect;
mod swapped;
mod tables;
mod weigh;

pub use damage::Damage;
pub use misreading::{Misreading, MisreadingError};
pub use restorer::{REGION, Restorer, SURE, Words};
pub use suspect::{Suspect, suspect};
pub use swapped::{first_western, western_end};
#[cfg(debug_assertions)]
pub use weigh::WEIGHED;
