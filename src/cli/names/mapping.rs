//! Maps one name to its new bytes, or to the reason why it cannot be converted.

use std::ffi::OsString;
use std::io;

use oxiconv_os::{fault_of_name, name_of_bytes};
use oxiconv_transcode::diagnostic::{Finding, Kind, Reporter, Summary};
use oxiconv_transcode::{Conversion, Error, Transcoder};

use super::super::console::chain;
use super::super::exit_status::ListedKinds;

#[derive(Clone, Copy)]
pub(super) enum NameMapping<'a> {
    /// Converts its bytes. The second field selects the findings to print.
    Convert(&'a Conversion, ListedKinds),
}

pub(super) struct Mapped {
    pub(super) name: OsString,
    /// The counts of the conversion.
    pub(super) summary: Summary,
    /// The findings to print, as sentences.
    pub(super) findings: Vec<String>,
}

impl NameMapping<'_> {
    /// Returns the new name.
    ///
    /// # Errors
    ///
    /// The reason why the name is not converted.
    pub(super) fn map(self, name: &[u8]) -> Result<Mapped, NameRefusal> {
        match self {
            Self::Convert(conversion, listed) => converted(name, conversion, listed),
        }
    }
}

fn converted(
    name: &[u8],
    conversion: &Conversion,
    listed: ListedKinds,
) -> Result<Mapped, NameRefusal> {
    let mut new = Vec::with_capacity(name.len() * 2);
    let mut reporter = PrintedFindings { listed, findings: Vec::new() };
    let mut transcoder = Transcoder::new(conversion, &mut new);
    let summary = transcoder.input(&mut &*name, &mut reporter).map_err(reason)?;
    transcoder.finish().map_err(reason)?;
    let findings = reporter.findings.iter().map(sentence).collect();
    let Some(name) = name_of_bytes(new) else {
        return Err(NameRefusal::Impossible("names are Unicode on this system".to_owned()));
    };
    Ok(Mapped { name, summary, findings })
}

fn sentence(finding: &Finding<'_>) -> String {
    // The name is the whole input.
    let sentence = finding.sentence().replacen("the input ends", "the name ends", 1);
    format!("{sentence}, at byte {} of the name", finding.offset)
}

/// Why a name is not converted.
pub(super) enum NameRefusal {
    /// It has a character that `--deny` refuses. The sentence is the message: nobody asked to rename the file.
    Denied(String),
    /// It cannot be converted, for this reason.
    Impossible(String),
}

fn reason(error: Error) -> NameRefusal {
    match error {
        Error::Stopped(stopped) if matches!(stopped.finding.kind, Kind::Denied(_)) => {
            NameRefusal::Denied(sentence(&stopped.finding))
        }
        Error::Stopped(stopped) => NameRefusal::Impossible(sentence(&stopped.finding)),
        error => NameRefusal::Impossible(chain(&error.into())),
    }
}

/// Returns the reason if no file can have this name.
pub(super) fn impossible(name: &[u8]) -> Option<String> {
    fault_of_name(name).map(|fault| format!("the new name would {fault}"))
}

struct PrintedFindings {
    listed: ListedKinds,
    findings: Vec<Finding<'static>>,
}

impl Reporter for PrintedFindings {
    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        if self.listed.has(finding.kind) && !finding.stops {
            self.findings.push(finding.detached());
        }
        Ok(())
    }

    fn wants_places(&self) -> bool {
        self.listed.any()
    }
}
