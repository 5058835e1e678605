//! Compares every kernel of every set that this processor supports with the portable one. It must read and write the
//! same, and touch nothing outside the two slices.
#![no_main]

use std::cell::RefCell;

use arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use oxiconv_fuzz::fences::Fenced;
use oxiconv_kernels::{Codes, EncodingForm, Kernels, available};

/// The size of the longest input and output, in bytes.
const MOST: usize = 17 * 1024;

thread_local! {
    static FENCES: RefCell<[Fenced; 2]> = RefCell::new([Fenced::new(MOST), Fenced::new(MOST)]);
}

fuzz_target!(|data: &[u8]| {
    let _ = compare(&mut Unstructured::new(data));
});

fn compare(u: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let from = *u.choose(&EncodingForm::ALL)?;
    let (room, at_end) = (u.arbitrary::<u16>()?, *u.choose(&[true, false])?);
    let undefined: u8 = u.arbitrary()?;
    let text = u.peek_bytes(u.len()).unwrap_or_default();
    let text = &text[..text.len().min(4096)];
    let sets = available();
    let (portable, others) = sets.split_last().expect("the portable set");
    assert_eq!(portable.name, "portable");
    for set in others {
        for to in EncodingForm::ALL {
            // Room for the whole output, or for less of it.
            let most = from.at_most(text.len(), to) + 64;
            let room = if room == 0 { most } else { usize::from(room) % (most + 1) };
            convert(portable, set, (from, to), text, room, at_end);
        }
        validate(portable, set, from, text, at_end);
        table(portable, set, text, undefined, at_end);
    }
    Ok(())
}

/// Calls `act` with a copy of `text` and an output of `room` bytes, all EE, both between fences.
fn fenced<R>(text: &[u8], room: usize, at_end: bool, act: impl FnOnce(&[u8], &mut [u8]) -> R) -> R {
    FENCES.with_borrow_mut(|[input, output]| {
        let input = input.bytes(text.len(), at_end);
        input.copy_from_slice(text);
        let output = output.bytes(room, at_end);
        output.fill(0xEE);
        act(input, output)
    })
}

fn convert(
    portable: &Kernels,
    set: &Kernels,
    (from, to): (EncodingForm, EncodingForm),
    text: &[u8],
    room: usize,
    at_end: bool,
) {
    let mut expected = vec![0; room];
    let done = (portable.convert)(from, to)(text, &mut expected);
    // Separate allocations of exactly this size, so that AddressSanitizer catches any access past their ends.
    let (input, mut output) = (Box::<[u8]>::from(text), vec![0; room].into_boxed_slice());
    for got in [
        (set.convert)(from, to)(&input, &mut output),
        fenced(text, room, at_end, |input, fenced| {
            let got = (set.convert)(from, to)(input, fenced);
            assert_eq!(input, text, "the input was changed");
            assert!(got.written <= room, "{} {from:?} {to:?}", set.name);
            assert_eq!(
                fenced[..got.written],
                output[..got.written],
                "{} {from:?} {to:?}",
                set.name
            );
            got
        }),
    ] {
        assert_eq!(got, done, "{} {from:?} {to:?} {} to {room}", set.name, text.escape_ascii());
        assert!(
            output[..got.written] == expected[..done.written],
            "{} {from:?} {to:?} {} to {room}",
            set.name,
            text.escape_ascii()
        );
    }
}

fn validate(portable: &Kernels, set: &Kernels, form: EncodingForm, text: &[u8], at_end: bool) {
    let what = || format!("{} {form:?} {}", set.name, text.escape_ascii());
    let len = (portable.validate)(form)(text);
    let input = Box::<[u8]>::from(text);
    assert_eq!((set.validate)(form)(&input), len, "{}", what());
    fenced(text, 0, at_end, |input, _| assert_eq!((set.validate)(form)(input), len, "{}", what()));
    let counts = (portable.measure)(form)(&text[..len]);
    assert_eq!((set.measure)(form)(&input[..len]), counts, "{}", what());
    // The counts of ill-formed text are unspecified, but counting must stay in bounds.
    fenced(text, 0, at_end, |input, _| (set.measure)(form)(input));
    // It skips whole blocks only, so it may stop before the end of the neutral prefix, but never past it.
    let skipped = (set.skip_neutral)(&input);
    assert!(skipped <= text.len(), "{}", what());
    let is_evidence = |byte: &u8| !byte.is_ascii() || b"\0\x1B&+~\x7F".contains(byte);
    assert!(!text[..skipped].iter().any(is_evidence), "{}", what());
    fenced(text, 0, at_end, |input, _| {
        assert_eq!((set.skip_neutral)(input), skipped, "{}", what())
    });
}

/// Decodes bytes by a table of 256 codes. At most one of them, `undefined`, has no code.
fn table(portable: &Kernels, set: &Kernels, text: &[u8], undefined: u8, at_end: bool) {
    let ascii = undefined & 1 == 1;
    let characters = std::array::from_fn(|byte| match byte as u8 {
        byte if byte == undefined && (!ascii || !byte.is_ascii()) => Codes::NONE,
        byte if ascii && byte.is_ascii() => byte.into(),
        byte => u16::from(byte).wrapping_mul(0x0101) ^ 0x0400,
    });
    let codes = Codes::new(characters);
    let mut expected = vec![0; text.len()];
    let len = (portable.table)(&codes, text, &mut expected);
    let mut output = vec![0; text.len()].into_boxed_slice();
    let got = fenced(text, 0, at_end, |input, _| (set.table)(&codes, input, &mut output));
    assert_eq!(got, len, "{} {undefined} {}", set.name, text.escape_ascii());
    assert_eq!(output[..len], expected[..len], "{} {undefined}", set.name);
}
