//! Parses the value of `--repair`: `all`, `ask`, or a misreading such as `cp932..ibm437`.
//!
//! This is a `TypedValueParser` of its own, because the misreadings are an open set, and help and completion still have
//! to list the three forms as possible values.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};

use oxiconv_detect::mojibake::{Misreading, MisreadingError};
use oxiconv_transcode::OnMojibake;

use crate::cli::user_tables::{LookupError, for_name_or_path};

#[derive(Debug, thiserror::Error)]
pub(super) enum RepairError {
    #[error(
        "write all, ask or FROM..TO: --repair=cp932..ibm437 repairs CP932 that was read as IBM437"
    )]
    Form,
    #[error(transparent)]
    Name(#[from] LookupError),
    #[error(transparent)]
    Pair(#[from] MisreadingError),
}

#[derive(Clone)]
pub(super) struct RepairParser;

impl TypedValueParser for RepairParser {
    type Value = OnMojibake;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Self::Value, clap::Error> {
        StringValueParser::new()
            .try_map(|value| match value.as_str() {
                "all" => Ok(OnMojibake::Repair),
                "ask" => Ok(OnMojibake::Ask),
                pair => {
                    let (from, to) = pair.split_once("..").ok_or(RepairError::Form)?;
                    let (from, to) = (for_name_or_path(from)?, for_name_or_path(to)?);
                    Ok::<_, RepairError>(OnMojibake::Undo(Misreading::new(from, to)?))
                }
            })
            .parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let values = [
            PossibleValue::new("all").help("Repair all that is surely damaged"),
            PossibleValue::new("ask").help("Show each change and ask, on the terminal"),
            PossibleValue::new("FROM..TO").help("Repair text in FROM that was misread as TO"),
        ];
        Some(Box::new(values.into_iter()))
    }
}
