//! Which file each event of a document belongs to. Both passes use this, so that they agree.

use std::borrow::Cow;

use serde::Deserialize;

use super::document::{EventFault, parse};

/// The only member that every event is parsed for.
#[derive(Deserialize)]
struct EventHead<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
}

/// The role of an event in its document. Files are those opened, skipped or refused, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EventRole {
    Start,
    /// A file was opened.
    Begin(u64),
    /// A finding in the open file.
    Finding(u64),
    /// A message about the open file.
    Note(u64),
    /// Another event of the open file.
    Inside(u64),
    /// The end of the open file.
    End(u64),
    /// A file was skipped or refused without being opened.
    Left(u64),
    /// An error, which ends the open file.
    Error,
    /// A message between files.
    Between,
    Other,
    Summary,
}

/// Follows the events of a document.
#[derive(Debug, Default)]
pub(super) struct DocumentWalk {
    started: bool,
    ended: bool,
    /// How many files have begun.
    items: u64,
    open: bool,
}

impl DocumentWalk {
    pub(super) fn items(&self) -> u64 {
        self.items
    }

    pub(super) fn is_complete(&self) -> bool {
        self.ended
    }

    /// Classifies the next event.
    ///
    /// # Errors
    ///
    /// If it is not an event, or cannot follow the one before it.
    pub(super) fn step(&mut self, line: &str) -> Result<EventRole, EventFault> {
        let kind = &*parse::<EventHead<'_>>(line)?.kind;
        if self.ended {
            return Err("after the summary, which is the last event".into());
        }
        if !self.started {
            self.started = kind == "start";
            return if self.started {
                Ok(EventRole::Start)
            } else {
                Err("not a start event".into())
            };
        }
        let last = self.items.saturating_sub(1);
        Ok(match kind {
            "start" => return Err("a second start event".into()),
            "begin" => {
                self.items += 1;
                self.open = true;
                EventRole::Begin(self.items - 1)
            }
            "finding" if self.open => EventRole::Finding(last),
            "finding" => return Err("a finding outside of a file".into()),
            "note" if self.open => EventRole::Note(last),
            "note" => EventRole::Between,
            "end" if self.open => {
                self.open = false;
                EventRole::End(last)
            }
            "end" => return Err("the end of a file that did not begin".into()),
            "error" => {
                self.open = false;
                EventRole::Error
            }
            "refused" if self.open => {
                self.open = false;
                EventRole::Inside(last)
            }
            "passed-over" | "refused" if !self.open => {
                self.items += 1;
                EventRole::Left(self.items - 1)
            }
            "summary" => {
                self.open = false;
                self.ended = true;
                EventRole::Summary
            }
            _ if self.open => EventRole::Inside(last),
            _ => EventRole::Other,
        })
    }
}
