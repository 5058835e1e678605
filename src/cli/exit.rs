//! Exit statuses.

use std::io::ErrorKind;
use std::process::ExitCode;

use crate::diagnostic::{Kind, Summary};

/// What each exit status means. The help, the man page and the README have these words.
pub(crate) const MEANINGS: [(&str, &str); 4] = [
    ("0", "nothing was found, or each finding was replaced, escaped or repaired in the output"),
    (
        "1",
        "something ill-formed, unmappable or denied was found or left out, or a file was refused",
    ),
    ("2", "wrong usage, an unknown encoding, or an input or output error"),
    ("128 + n", "ended by signal n, after a message that says which files are complete"),
];

/// How the program ends. The greater one wins if several files say different things.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Nothing to complain of, or every bad place has left its mark in the output.
    Clean,
    /// Something ill-formed or unmappable was found, or left out.
    Found,
    /// Wrong usage, an unknown encoding, or trouble with input or output.
    Trouble,
}

impl Exit {
    /// The number that the system is given.
    pub(crate) const fn status(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Found => 1,
            Self::Trouble => 2,
        }
    }

    /// What a summary means; `listed` says which faults are printed each.
    pub(crate) fn of(summary: &Summary, listed: Listed) -> Self {
        let printed = u64::from(listed.ill_formed) * (summary.total() - summary.unmappable())
            + u64::from(listed.unmappable) * summary.unmappable();
        // What is denied leaves no mark in the output: it is there as it was.
        let complaints = printed + summary.denied() + summary.dropped();
        if summary.stopped || complaints > 0 { Self::Found } else { Self::Clean }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.status())
    }
}

/// Which faults are printed, each by itself, although the conversion goes on past them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Listed {
    /// Ill-formed subsequences.
    pub(crate) ill_formed: bool,
    /// Unmappable characters.
    pub(crate) unmappable: bool,
}

impl Listed {
    /// Whether any are.
    pub(crate) fn any(self) -> bool {
        self.ill_formed || self.unmappable
    }

    /// Whether those of this kind are.
    pub(crate) fn has(self, kind: Kind) -> bool {
        if kind == Kind::Unmappable { self.unmappable } else { self.ill_formed }
    }
}

/// Whether the trouble is that nobody reads the output any more.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<std::io::Error>()
            .is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
    })
}
