//! Numbers in sentences.

/// Formats a count with its unit: `1 byte`, `2 bytes`, `1,012 bytes`.
pub fn counted(count: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// Formats a count with a comma between groups of three digits: `1,012`.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_have_three_digits() {
        for (count, expected) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (12_345, "12,345"),
            (123_456, "123,456"),
            (18_446_744_073_709_551_615, "18,446,744,073,709,551,615"),
        ] {
            assert_eq!(grouped(count), expected);
        }
        assert_eq!(counted(1, "byte"), "1 byte");
        assert_eq!(counted(1_012, "byte"), "1,012 bytes");
    }
}
