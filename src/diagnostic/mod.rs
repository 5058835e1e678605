//! What is found in a text: findings, the summary of them, and the trait that takes them.
//!
//! A finding is a value. It is made where the text is read (`transcode`) and pushed to a [`Reporter`], which may print,
//! count or drop it. It never decides what happens to the text.

mod context;
mod counted;
mod denied;
mod detail;
mod finding;
pub mod guess;
mod kind;
mod outcome;
mod owned;
mod reporter;
mod row;
mod rule;
mod sentence;
mod sequence;
mod stateful;
mod summary;

pub use context::Context;
pub use counted::counted;
pub use denied::DeniedKind;
pub use detail::Detail;
pub use finding::Finding;
pub use kind::Kind;
pub use outcome::{Outcome, Outcomes};
pub use owned::OwnedFinding;
pub use reporter::{Character, Reporter, Silent};
pub use row::Row;
pub use summary::Summary;
