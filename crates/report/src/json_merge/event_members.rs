//! The members of `end` and `summary` events, whose counts can be added and subtracted.
//!
//! A document may come from a newer release. So members that this release does not know are kept as they are, and all
//! members keep their order.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use super::document::EventFault;
use crate::visible::visible_json;

/// Members that are counts. Only these are added up. A member that is not in the list keeps the value of the first
/// event, even if it is a number, because nobody knows here what its sum would mean.
const NUMBERS: [&str; 18] = [
    "bytes",
    "bytes_written",
    "characters",
    "line_ends",
    "findings",
    "withheld",
    "known",
    "files",
    "files_with_findings",
    "passed_over",
    "refused",
    "left_alone",
    "errors",
    "unknown",
    "gone",
    "written",
    "unchanged",
    "failed",
];

/// Members that are counts by name.
const BY_NAME: [&str; 2] = ["by_kind", "lines_read_as"];

#[derive(Clone, Debug)]
enum MemberValue {
    Number(u64),
    ByName(BTreeMap<String, u64>),
    /// Raw JSON.
    Other(Box<RawValue>),
}

/// The members of an event, in their order.
#[derive(Clone, Debug, Default)]
pub(super) struct EventMembers(Vec<(String, MemberValue)>);

impl EventMembers {
    /// Creates an event with a single count.
    pub(super) fn of_number(name: &str, number: u64) -> Self {
        Self(vec![(name.to_owned(), MemberValue::Number(number))])
    }

    fn get(&self, name: &str) -> Option<&MemberValue> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// Returns a count; 0 if there is none of this name.
    pub(super) fn number(&self, name: &str) -> u64 {
        match self.get(name) {
            Some(MemberValue::Number(number)) => *number,
            _ => 0,
        }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    pub(super) fn remove(&mut self, name: &str) {
        self.0.retain(|(known, _)| known != name);
    }

    /// Sets a member that is not a count, or appends it.
    pub(super) fn set(&mut self, name: &str, value: &impl Serialize) -> Result<(), EventFault> {
        let value =
            serde_json::value::to_raw_value(value).map_err(|it| EventFault(it.to_string()))?;
        let value = MemberValue::Other(value);
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name.to_owned(), value)),
        }
        Ok(())
    }

    /// Adds the counts of another event. Other members keep the value of the first event that has them.
    ///
    /// # Errors
    ///
    /// If a sum needs more than 64 bits.
    pub(super) fn add(&mut self, other: &Self) -> Result<(), EventFault> {
        for (name, value) in &other.0 {
            let sum = |number: &mut u64, more: u64| -> Result<(), EventFault> {
                let sum = number.checked_add(more);
                *number =
                    sum.ok_or_else(|| EventFault(format!("the sum of {name} is too large")))?;
                Ok(())
            };
            match (self.0.iter_mut().find(|(known, _)| known == name), value) {
                (Some((_, MemberValue::Number(number))), MemberValue::Number(more)) => {
                    sum(number, *more)?
                }
                (Some((_, MemberValue::ByName(numbers))), MemberValue::ByName(others)) => {
                    for (key, more) in others {
                        sum(numbers.entry(key.clone()).or_default(), *more)?;
                    }
                }
                (Some(_), _) => {}
                (None, _) => self.0.push((name.clone(), value.clone())),
            }
        }
        Ok(())
    }

    /// Subtracts the counts of another event from those that both have.
    ///
    /// # Errors
    ///
    /// If a count would be negative.
    pub(super) fn subtract(&mut self, other: &Self) -> Result<(), EventFault> {
        for (name, value) in &other.0 {
            let fewer = || EventFault(format!("its summary has fewer {name} than its files have"));
            let mut known = self.0.iter_mut().find(|(known, _)| known == name);
            match (known.as_mut().map(|(_, value)| value), value) {
                (Some(MemberValue::Number(number)), MemberValue::Number(less)) => {
                    *number = number.checked_sub(*less).ok_or_else(fewer)?;
                }
                (Some(MemberValue::ByName(numbers)), MemberValue::ByName(others)) => {
                    for (key, less) in others {
                        let number = numbers.get_mut(key).ok_or_else(fewer)?;
                        *number = number.checked_sub(*less).ok_or_else(fewer)?;
                    }
                    numbers.retain(|_, number| *number > 0);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Subtracts from one count.
    ///
    /// # Errors
    ///
    /// If it would be negative.
    pub(super) fn reduce(&mut self, name: &str, less: u64) -> Result<(), EventFault> {
        self.subtract(&Self::of_number(name, less))
    }

    /// Returns the event with its line end.
    pub(super) fn line(&self) -> Vec<u8> {
        // Serialization cannot fail: keys are strings, and values are JSON already.
        let mut line = serde_json::to_vec(self).unwrap_or_default();
        line.push(b'\n');
        visible_json(line)
    }
}

impl Serialize for EventMembers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            match value {
                MemberValue::Number(number) => map.serialize_entry(name, number)?,
                MemberValue::ByName(numbers) => map.serialize_entry(name, numbers)?,
                MemberValue::Other(raw) => map.serialize_entry(name, raw)?,
            }
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for EventMembers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = EventMembers;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<EventMembers, A::Error> {
                let mut members = Vec::new();
                while let Some(name) = map.next_key::<String>()? {
                    let value = if NUMBERS.contains(&&*name) {
                        MemberValue::Number(map.next_value()?)
                    } else if BY_NAME.contains(&&*name) {
                        MemberValue::ByName(map.next_value()?)
                    } else {
                        MemberValue::Other(map.next_value()?)
                    };
                    members.push((name, value));
                }
                Ok(EventMembers(members))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}
