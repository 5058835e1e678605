//! Exit statuses.

use std::io::{self, ErrorKind};

use oxiconv_transcode::diagnostic::{Kind, Summary};

/// The meaning of each exit status. Help, the man page and docs/guide.md use these words.
pub(crate) const MEANINGS: [(&str, &str); 4] = [
    (
        "0",
        "nothing was found, or each finding was replaced, escaped or repaired in the output, or left out by --denied skip",
    ),
    (
        "1",
        "something ill-formed, unmappable or denied was found or left out, a file was refused, or the encoding of one is unknown",
    ),
    ("2", "wrong usage, an unknown encoding, or an input or output error"),
    ("128 + n", "ended by signal n, after a message that says which files are complete"),
];

/// How the program ends. If files differ, the greatest value wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ExitStatus {
    /// No faults, or every fault is visible in the output.
    Clean,
    /// Something ill-formed or unmappable was found, or left out.
    Found,
    /// Wrong usage, an unknown encoding, or an error of input or output.
    Trouble,
}

impl ExitStatus {
    /// Returns the exit status.
    pub(crate) const fn status(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Found => 1,
            Self::Trouble => 2,
        }
    }

    /// Returns the exit for a summary; `listed` says which faults are printed.
    pub(crate) fn of(summary: &Summary, listed: ListedKinds) -> Self {
        let others = summary.total() - summary.unmappable() - summary.denied();
        let printed = u64::from(listed.ill_formed) * others
            + u64::from(listed.unmappable) * summary.unmappable();
        // A denied character that is in the output unchanged is not visible as a fault.
        let complaints = printed + summary.denied_unchanged() + summary.dropped();
        if summary.stopped || complaints > 0 { Self::Found } else { Self::Clean }
    }
}

/// Which faults are printed one by one although they do not stop the conversion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListedKinds {
    /// Ill-formed subsequences.
    pub(crate) ill_formed: bool,
    /// Unmappable characters.
    pub(crate) unmappable: bool,
    /// Denied characters.
    pub(crate) denied: bool,
    /// Damaged text.
    pub(crate) mojibake: bool,
}

impl ListedKinds {
    /// Whether any faults are listed.
    pub(crate) fn any(self) -> bool {
        self.ill_formed || self.unmappable || self.denied || self.mojibake
    }

    /// Whether faults of this kind are listed.
    pub(crate) fn has(self, kind: Kind) -> bool {
        match kind {
            Kind::Unmappable => self.unmappable,
            Kind::Denied(_) => self.denied,
            Kind::Mojibake => self.mojibake,
            _ => self.ill_formed,
        }
    }
}

/// Whether the error is that nobody reads the output any more.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| cause.downcast_ref().is_some_and(is_broken_pipe))
}

/// Whether the error of a system call is that nobody reads the output any more.
pub(crate) fn is_broken_pipe(error: &io::Error) -> bool {
    error.kind() == ErrorKind::BrokenPipe
}
