//! Exit statuses, and which findings lead to one other than 0.

use oxiconv_os::is_broken_pipe;
use oxiconv_transcode::diagnostic::{Kind, Summary};

/// The meaning of each exit status, as help, the man page and docs/guide.md print it.
pub(crate) const MEANINGS: [(&str, &str); 4] = [
    (
        "0",
        "nothing was found, or everything that was found was replaced, escaped, repaired, or removed by --denied skip",
    ),
    (
        "1",
        "--check or -e report found something; a fault stopped a conversion; something was left out (-c) or passed on (--denied pass); a file was refused, or left by --fix; or the encoding of a file could not be detected",
    ),
    ("2", "wrong usage, an encoding name that oxiconv does not know, or an input or output error"),
    ("128 + n", "ended by signal n, after a message that says which files are complete"),
];

/// How the program ends. Of several files, the greatest status counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ExitStatus {
    /// Nothing was found, or every fault is visible in the output: replaced, escaped or repaired.
    Clean,
    /// Something was found, or left out of the output.
    Found,
    /// Wrong usage, an encoding name that is not known, or an input or output error.
    Trouble,
}

impl ExitStatus {
    pub(crate) const fn status(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Found => 1,
            Self::Trouble => 2,
        }
    }

    /// Returns the status for a file with this summary.
    ///
    /// What counts is whether the user could miss something. A fault that was replaced, escaped or repaired can be seen
    /// in the output, so it does not count unless it is printed one by one. Three things leave no trace in the output,
    /// and always count: ill-formed or unmappable text that was dropped, a denied character that was written unchanged,
    /// and the text after a fault that stopped the conversion.
    pub(crate) fn of(summary: &Summary, listed: ListedKinds) -> Self {
        let others = summary.total() - summary.unmappable() - summary.denied();
        let printed = u64::from(listed.ill_formed) * others
            + u64::from(listed.unmappable) * summary.unmappable();
        let complaints = printed + summary.denied_unchanged() + summary.dropped();
        if summary.stopped || complaints > 0 { Self::Found } else { Self::Clean }
    }
}

/// Which faults are printed one by one although they do not stop the conversion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListedKinds {
    /// Ill-formed subsequences, and all kinds that have no field of their own.
    pub(crate) ill_formed: bool,
    pub(crate) unmappable: bool,
    pub(crate) denied: bool,
    pub(crate) mojibake: bool,
}

impl ListedKinds {
    pub(crate) fn any(self) -> bool {
        self.ill_formed || self.unmappable || self.denied || self.mojibake
    }

    pub(crate) fn has(self, kind: Kind) -> bool {
        match kind {
            Kind::Unmappable => self.unmappable,
            Kind::Denied(_) => self.denied,
            Kind::Mojibake => self.mojibake,
            _ => self.ill_formed,
        }
    }
}

/// Whether the cause of an error is that the reader of the output has closed the pipe.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| cause.downcast_ref().is_some_and(is_broken_pipe))
}
