//! Numbers with units in sentences.

/// Formats a count: `1 byte`, `2 bytes`.
pub fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
