//! Findings, their summary, and the trait that receives them.
//! ```text
//! engine, stages, segmenters ─► Finding: kind, bytes, details ─► its place and context ─► Reporter
//!                                └─► Summary: counts by kind and outcome
//! ```
//!
//! A finding is a value. The conversion creates it where it reads the text, and passes it to a [`Reporter`], which may
//! print, count or drop it. A reporter never decides how the text is converted, except for [`Reporter::accepts`].
//!
//! What a finding says in words is computed from it on request: [`Finding::sentence`] names the fault,
//! [`Finding::rule`] the rule that is broken. So all formats say the same, and a finding that is only counted costs no
//! text. What it probably means, and what repairs it, is left to the crate `report`, which is given the text as well.

mod context;
mod denied_kind;
mod detail;
mod details;
mod finding;
mod kind;
mod message;
mod mojibake;
mod outcome;
mod record_sentence;
mod reporter;
mod row;
mod rule;
pub mod sentence;
mod sequence_length;
mod severity;
mod stateful_sentence;
mod summary;

pub use context::Context;
pub use denied_kind::DeniedKind;
pub use detail::Detail;
pub use details::Details;
pub use finding::Finding;
pub use kind::Kind;
pub use message::Message;
pub use mojibake::Mojibake;
pub use outcome::{Outcome, Outcomes};
pub use reporter::{Character, Reporter, Silent};
pub use row::Row;
pub use sentence::{hex, skeleton};
pub use severity::Severity;
pub use summary::PieceExtent;
pub use summary::Summary;
