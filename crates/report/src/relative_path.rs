//! Paths as services that show findings compare them: relative to the root of the repository, without `./` at the
//! start.

use std::path::{Component, Path};

/// Returns the path without `./` at its start, unless nothing else would be left.
pub(super) fn without_dot(path: &Path) -> &Path {
    let mut components = path.components();
    match components.next() {
        Some(Component::CurDir) if components.next().is_some() => {
            path.strip_prefix(".").unwrap_or(path)
        }
        _ => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_dot_at_the_start_is_removed() {
        for (path, expected) in
            [("./a/b", "a/b"), ("a", "a"), (".", "."), ("../a", "../a"), ("/a", "/a"), (".a", ".a")]
        {
            assert_eq!(without_dot(Path::new(path)), Path::new(expected));
        }
    }
}
