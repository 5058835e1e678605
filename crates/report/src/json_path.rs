//! Paths in JSON: `{"text": …}`, or `{"bytes": …}` in base64 if the path is not UTF-8. JSON strings cannot hold other
//! bytes, and with a replacement character it would be the path of a different file.

use std::path::Path;
use std::path::PathBuf;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use oxiconv_os::name_of_bytes;
use serde::Deserialize;
use serde::{Serialize, Serializer};

use super::output_format::Subject;

/// A path. `None` is written as null: standard input or the whole run.
#[derive(Clone, Copy, Debug)]
pub struct JsonPath<'a>(pub Option<&'a Path>);

impl<'a> From<Subject<'a>> for JsonPath<'a> {
    fn from(subject: Subject<'a>) -> Self {
        Self(subject.path())
    }
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum JsonPathValue<'a> {
    Text(&'a str),
    Bytes(String),
}

impl Serialize for JsonPath<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0
            .map(|path| match path.to_str() {
                Some(text) => JsonPathValue::Text(text),
                None => JsonPathValue::Bytes(base64(path)),
            })
            .serialize(serializer)
    }
}

/// What [`JsonPath`] writes, to be read back.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OwnedPath {
    /// A path that is UTF-8.
    Text(String),
    /// The bytes of a path that is not UTF-8, in base64.
    Bytes(String),
}

impl OwnedPath {
    /// Returns the form in which a path is written.
    pub fn of(path: &Path) -> Self {
        match path.to_str() {
            Some(text) => Self::Text(text.to_owned()),
            None => Self::Bytes(base64(path)),
        }
    }

    /// Returns the path; `None` if its base64 is invalid, or if it is not a path on this system.
    pub fn path(self) -> Option<PathBuf> {
        match self {
            Self::Text(text) => Some(text.into()),
            Self::Bytes(base64) => {
                name_of_bytes(BASE64_STANDARD.decode(base64).ok()?).map(PathBuf::from)
            }
        }
    }
}

/// Encodes the bytes of a path in base64 (RFC 4648, section 4, with padding).
pub(super) fn base64(path: &Path) -> String {
    BASE64_STANDARD.encode(path.as_os_str().as_encoded_bytes())
}
