//! The first few items of a short list, without sorting all of it.

/// Takes up to `count` items with the least keys out of `items`, the least one first; of items with equal keys, the one
/// that comes first. It compares each item `count` times, and a sort would be 4 KB of code for each type.
pub fn take_least<T, K: PartialOrd>(
    items: &mut Vec<T>,
    count: usize,
    key: impl Fn(&T) -> K,
) -> Vec<T> {
    let mut taken = Vec::new();
    while taken.len() < count && !items.is_empty() {
        let mut least = 0;
        for at in 1..items.len() {
            if key(&items[at]) < key(&items[least]) {
                least = at;
            }
        }
        taken.push(items.remove(least));
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::take_least;

    #[test]
    fn the_least_come_first_and_of_equal_ones_the_first() {
        for (items, count, expected) in [
            (&[(2, 'a'), (1, 'b'), (2, 'c'), (1, 'd')][..], 3, &[(1, 'b'), (1, 'd'), (2, 'a')][..]),
            (&[(2, 'a')], 3, &[(2, 'a')]),
            (&[(2, 'a')], 0, &[]),
            (&[], 1, &[]),
        ] {
            assert_eq!(take_least(&mut items.to_vec(), count, |item| item.0), expected);
        }
    }
}
