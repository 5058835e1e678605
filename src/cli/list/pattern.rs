//! Matches names of encodings with an argument of `--list`: a glob, or a part of a name.

use globset::{Glob, GlobBuilder, GlobMatcher};

use oxiconv_encodings::encoding::{Encoding, normalize};

pub(super) enum Pattern {
    Glob(GlobMatcher),
    /// A part of a name, normalized as names are for comparison: `cp125` also finds `CP-1252`.
    Part(String),
}

impl Pattern {
    /// Parses an argument. It is a glob if it contains one of `*`, `?`, `[` and `{`.
    pub(super) fn new(word: &str) -> Result<Self, globset::Error> {
        if !word.contains(['*', '?', '[', '{']) {
            return Ok(Self::Part(normalize(word)));
        }
        let glob: Glob = GlobBuilder::new(word).case_insensitive(true).build()?;
        Ok(Self::Glob(glob.compile_matcher()))
    }

    pub(super) fn is_glob(&self) -> bool {
        matches!(self, Self::Glob(_))
    }

    fn matches(&self, name: &str) -> bool {
        match self {
            Self::Glob(glob) => glob.is_match(name),
            Self::Part(part) => !part.is_empty() && normalize(name).contains(part),
        }
    }

    /// Iterates over the encodings that have a matching name, each with the aliases that match.
    pub(super) fn encodings(&self) -> impl Iterator<Item = (&'static Encoding, Vec<&'static str>)> {
        Encoding::all().filter_map(|encoding| {
            let aliases: Vec<_> = encoding.aliases().filter(|name| self.matches(name)).collect();
            let is_match = !aliases.is_empty() || self.matches(encoding.name());
            is_match.then_some((encoding, aliases))
        })
    }
}
