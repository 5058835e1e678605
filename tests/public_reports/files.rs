//! Files that are replaced, and what is refused.
