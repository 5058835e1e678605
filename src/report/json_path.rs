//! Paths in JSON: `{"text": …}`, or `{"bytes": …}` in base64 if the path is not UTF-8.

#[cfg(feature = "cli")]
use std::ffi::OsString;
#[cfg(feature = "cli")]
use std::os::unix::ffi::OsStringExt;
use std::path::Path;
#[cfg(feature = "cli")]
use std::path::PathBuf;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
#[cfg(feature = "cli")]
use serde::Deserialize;
use serde::{Serialize, Serializer};

use super::output_format::Subject;

/// A path; null is standard input or the whole run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JsonPath<'a>(pub(crate) Option<&'a Path>);

impl<'a> From<Subject<'a>> for JsonPath<'a> {
    fn from(subject: Subject<'a>) -> Self {
        Self(subject.path())
    }
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Text<'a> {
    Text(&'a str),
    Bytes(String),
}

impl Serialize for JsonPath<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0
            .map(|path| match path.to_str() {
                Some(text) => Text::Text(text),
                None => Text::Bytes(base64(path)),
            })
            .serialize(serializer)
    }
}

/// What [`JsonPath`] writes, as it is read.
#[cfg(feature = "cli")]
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum OwnedPath {
    Text(String),
    Bytes(String),
}

#[cfg(feature = "cli")]
impl OwnedPath {
    /// Returns a path as it is written.
    pub(crate) fn of(path: &Path) -> Self {
        match path.to_str() {
            Some(text) => Self::Text(text.to_owned()),
            None => Self::Bytes(base64(path)),
        }
    }

    /// Returns the path; `None` if it is not in base64.
    pub(crate) fn path(self) -> Option<PathBuf> {
        match self {
            Self::Text(text) => Some(text.into()),
            Self::Bytes(base64) => {
                let bytes = BASE64_STANDARD.decode(base64).ok()?;
                Some(OsString::from_vec(bytes).into())
            }
        }
    }
}

/// Encodes the bytes of a path in base64 (RFC 4648, section 4, with padding).
pub(super) fn base64(path: &Path) -> String {
    BASE64_STANDARD.encode(path.as_os_str().as_encoded_bytes())
}
