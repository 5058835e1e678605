//! Samples of the cases of slow tests.
//!
//! A test with too many cases to try on each run takes every Nth of them, counted from the seed, and always the first
//! and the last of each kind. N consecutive seeds cover all cases.
//!
//! `OXICONV_SAMPLE` chooses the sample:
//!
//! * Not set: seed 0.
//! * `5`: seed 5.
//! * `5/4`: seed 5 with four times as many cases. A test that takes every 16th case takes every 4th, and one that takes
//!   every 3rd or 4th takes all.
//! * `all`: all cases.
//!
//! `.ci/run` takes the seed from the commit and prints the command that repeats the run. On the native target it tries
//! four times as many cases as a plain `cargo test`.

use std::collections::BTreeMap;

use oxiconv::Encoding;

/// The value of `OXICONV_SAMPLE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    All,
    /// The seed, and the factor by which the sample is larger than usual.
    Seed(u64, usize),
}

impl Choice {
    fn of(value: Option<&str>) -> Result<Self, String> {
        let Some(value) = value else { return Ok(Self::Seed(0, 1)) };
        if value == "all" {
            return Ok(Self::All);
        }
        let (seed, times) = value.split_once('/').unwrap_or((value, "1"));
        match (seed.parse(), times.parse()) {
            (Ok(seed), Ok(times)) if times > 0 => Ok(Self::Seed(seed, times)),
            _ => Err(format!(
                "OXICONV_SAMPLE is {value:?}; it must be a number, as 5 or 5/4, or \"all\""
            )),
        }
    }

    fn from_environment() -> Self {
        let value = std::env::var_os("OXICONV_SAMPLE");
        let value = value.as_ref().map(|value| value.to_string_lossy());
        Self::of(value.as_deref()).unwrap_or_else(|error| panic!("{error}"))
    }

    fn of_each<T, K: Ord>(
        self,
        nth: usize,
        cases: impl IntoIterator<Item = T>,
        kind: impl Fn(&T) -> K,
    ) -> Vec<T> {
        let cases: Vec<(K, T)> = cases.into_iter().map(|case| (kind(&case), case)).collect();
        let mut of_kind = BTreeMap::new();
        let mut numbers = Vec::new();
        for (number, (kind, _)) in cases.iter().enumerate() {
            let (count, last) = of_kind.entry(kind).or_insert((0, number));
            numbers.push(*count);
            *count += 1;
            *last = number;
        }
        let chosen = |number: usize, kind: &K| match self {
            Self::All => true,
            Self::Seed(seed, times) => {
                let nth = nth.div_ceil(times);
                let among = numbers[number];
                let is_next = among as u64 % nth as u64 == seed % nth as u64;
                is_next || among == 0 || of_kind[kind].1 == number
            }
        };
        let chosen: Vec<bool> =
            cases.iter().enumerate().map(|(number, (kind, _))| chosen(number, kind)).collect();
        let cases = cases.into_iter().zip(chosen).filter(|(_, is_chosen)| *is_chosen);
        cases.map(|((_, case), _)| case).collect()
    }
}

/// Returns the sample of `cases`: every `nth`, the first and the last, in order.
///
/// # Panics
///
/// If there are no cases, because the test would then pass without testing anything.
pub fn every<T>(nth: usize, cases: impl IntoIterator<Item = T>) -> Vec<T> {
    every_of_each(nth, cases, |_| ())
}

/// Returns the sample of the cases of each kind, in the order of `cases`. The cases of a kind need not be adjacent.
pub fn every_of_each<T, K: Ord>(
    nth: usize,
    cases: impl IntoIterator<Item = T>,
    kind: impl Fn(&T) -> K,
) -> Vec<T> {
    let choice = Choice::from_environment();
    let chosen = choice.of_each(nth, cases, kind);
    // The harness shows this only if the test fails.
    println!("{} cases, every {nth}th: {choice:?} by OXICONV_SAMPLE", chosen.len());
    assert!(!chosen.is_empty(), "there is no case");
    chosen
}

/// Returns a sample of encodings. Those with the same table structure and size of code unit are of one kind; an
/// encoding with code of its own is a kind by itself.
pub fn encodings(
    nth: usize,
    of: impl IntoIterator<Item = &'static Encoding>,
) -> Vec<&'static Encoding> {
    every_of_each(nth, of, |encoding| kind(encoding))
}

fn kind(encoding: &Encoding) -> (&'static str, usize) {
    (encoding.structure().unwrap_or_else(|| encoding.name()), encoding.unit())
}

/// Whether all cases are requested, including single ones that take long.
#[cfg(feature = "cli")]
pub fn is_whole() -> bool {
    Choice::from_environment() == Choice::All
}

/// Whether more cases than usual are requested, as by `.ci/run`. Slow tests that rarely fail alone run only then.
#[cfg(feature = "cli")]
pub fn is_thorough() -> bool {
    !matches!(Choice::from_environment(), Choice::Seed(_, 1))
}

#[test]
fn the_samples_of_seeds_that_follow_each_other_have_every_case() {
    for (nth, len) in [(1, 1), (3, 1), (3, 2), (3, 100), (7, 100), (10, 9), (16, 3000)] {
        let mut tried = vec![0; len];
        for seed in 1000..1000 + nth as u64 {
            let sample = Choice::Seed(seed, 1).of_each(nth, 0..len, |_| ());
            assert!(sample.is_sorted(), "{sample:?}");
            assert!(sample.len() <= len.div_ceil(nth) + 2, "{} of {len}", sample.len());
            assert_eq!((sample[0], sample[sample.len() - 1]), (0, len - 1));
            sample.into_iter().for_each(|case| tried[case] += 1);
        }
        assert!(tried.iter().all(|times| *times > 0), "{nth} of {len}");
    }
    assert_eq!(Choice::All.of_each(10, 0..1000, |_| ()), (0..1000).collect::<Vec<_>>());
}

#[test]
fn a_sample_may_have_several_times_as_many_cases() {
    let tried = |choice: Choice, nth| choice.of_each(nth, 0..160, |_| ());
    assert_eq!(tried(Choice::Seed(3, 4), 16), tried(Choice::Seed(3, 1), 4));
    for nth in [1, 3, 4] {
        assert_eq!(tried(Choice::Seed(3, 4), nth), tried(Choice::All, nth));
    }
}

#[test]
fn every_kind_is_in_every_sample() {
    let kind = |case: &u32| case.trailing_zeros();
    let mut tried = std::collections::BTreeSet::new();
    for seed in 0..8 {
        let sample = Choice::Seed(seed, 1).of_each(8, 1..=100_u32, kind);
        for zeros in 0..=6 {
            let of_kind: Vec<_> = (1..=100).filter(|case| kind(case) == zeros).collect();
            let chosen: Vec<_> = sample.iter().filter(|case| kind(case) == zeros).collect();
            assert_eq!(chosen.first(), Some(&&of_kind[0]), "{seed}");
            assert_eq!(chosen.last(), of_kind.last().as_ref(), "{seed}");
        }
        tried.extend(sample);
    }
    assert_eq!(tried.len(), 100);
}

#[test]
fn a_sample_of_encodings_has_each_structure_and_each_code() {
    let kinds = |of: &mut dyn Iterator<Item = &'static Encoding>| -> BTreeMap<_, usize> {
        of.fold(BTreeMap::new(), |mut kinds, encoding| {
            *kinds.entry(kind(encoding)).or_default() += 1;
            kinds
        })
    };
    let all = kinds(&mut Encoding::all());
    let sample = kinds(&mut encodings(16, Encoding::all()).into_iter());
    assert!(all.keys().eq(sample.keys()));
    assert!(all.len() > 30, "{all:?}");
}

#[test]
fn what_the_variable_may_be() {
    assert_eq!(Choice::of(None), Ok(Choice::Seed(0, 1)));
    assert_eq!(Choice::of(Some("all")), Ok(Choice::All));
    assert_eq!(Choice::of(Some("5")), Ok(Choice::Seed(5, 1)));
    assert_eq!(Choice::of(Some("5/4")), Ok(Choice::Seed(5, 4)));
    assert_eq!(Choice::of(Some("4294967295")), Ok(Choice::Seed(0xFFFF_FFFF, 1)));
    for value in
        ["", "ALL", "-1", "1.5", "5 ", "0x1F", "everything", "5/", "/4", "5/0", "5/4/2", "all/4"]
    {
        let error = Choice::of(Some(value)).unwrap_err();
        assert!(error.ends_with("it must be a number, as 5 or 5/4, or \"all\""), "{error}");
    }
}

#[test]
#[should_panic(expected = "there is no case")]
fn a_sample_of_nothing_is_an_error() {
    every::<u8>(3, []);
}
