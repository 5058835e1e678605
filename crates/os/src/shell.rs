//! The shell into which people copy the commands that the program prints.

/// A kind of shell, by how it quotes words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shell {
    /// sh and its relatives; fish reads the same words.
    Posix,
    /// PowerShell, of any version.
    PowerShell,
}

impl Shell {
    /// The usual shell of this system.
    pub const USUAL: Self = if cfg!(windows) { Self::PowerShell } else { Self::Posix };

    /// Returns what ends a line that goes on in the next one.
    pub const fn continuation(self) -> char {
        match self {
            Self::Posix => '\\',
            Self::PowerShell => '`',
        }
    }
}
