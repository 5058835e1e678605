mod foreign;
mod gb;
mod judge;
mod restorer;
mod sequences;
mod suspect;
mod swapped;
mod tables;
mod weigh;

pub use restorer::{Damage, REGION, Restorer, Words};
pub use sequences::between;
pub use suspect::{Suspect, suspect};
pub use swapped::{first_western, western_end};
