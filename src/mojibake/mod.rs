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
#[cfg(test)]
pub use weigh::WEIGHED;
