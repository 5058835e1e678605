//! Macros that compile the bodies of kernels with the instructions of a set.
//!
//! A kernel is written once, without any instruction set. Each macro puts it into a function with `#[target_feature]`,
//! and returns a closure that calls this function, as a plain function pointer. The body must be `#[inline(always)]`:
//! what is not inlined into the function is compiled for the baseline, where each vector instruction is a call.

/// A [`Convert`](super::contract::Convert) whose body takes a first vector, `convert(simd, input, output)`.
macro_rules! convert_with {
    ($features:literal, $vector:ty, $body:expr) => {{
        #[target_feature(enable = $features)]
        fn inner(input: &[u8], output: &mut [u8]) -> $crate::Progress {
            $body(<$vector>::zeroed(), input, output)
        }
        |input: &[u8], output: &mut [u8]| {
            // SAFETY: a set is returned only if the processor has its instructions.
            unsafe { inner(input, output) }
        }
    }};
}

/// A [`Validate`](super::contract::Validate) whose body takes a first vector, `validate(simd, text)`.
macro_rules! validate_with {
    ($features:literal, $vector:ty, $body:expr) => {{
        #[target_feature(enable = $features)]
        fn inner(text: &[u8]) -> usize {
            $body(<$vector>::zeroed(), text)
        }
        |text: &[u8]| {
            // SAFETY: a set is returned only if the processor has its instructions.
            unsafe { inner(text) }
        }
    }};
}

/// A kernel that scans a text with a plain loop, which the compiler vectorizes.
macro_rules! scan_with {
    ($features:literal, $body:expr, $result:ty) => {{
        #[target_feature(enable = $features)]
        fn inner(text: &[u8]) -> $result {
            $body(text)
        }
        |text: &[u8]| {
            // SAFETY: a set is returned only if the processor has its instructions.
            unsafe { inner(text) }
        }
    }};
}

/// A [`Convert`](super::contract::Convert) that copies with `$copy` what is well-formed in `$form`.
macro_rules! copy_with {
    ($features:literal, $copy:expr, $form:expr) => {{
        #[target_feature(enable = $features)]
        fn copy(from: &[u8], to: &mut [u8]) {
            $copy(from, to)
        }
        |input: &[u8], output: &mut [u8]| {
            // SAFETY: a set is returned only if the processor has its instructions.
            let copy = |from: &[u8], to: &mut [u8]| unsafe { copy(from, to) };
            $crate::copy::copy_valid(input, output, validate($form), copy)
        }
    }};
}

/// One or a few instructions, in a method of a [`Vector`](super::shuffle::Vector). The block is `unsafe` once here, and
/// not in each method of the backends.
macro_rules! instructions {
    ($expression:expr) => {{
        // SAFETY: `self` proves that the processor has the instructions; only whole arrays are read and written.
        unsafe { $expression }
    }};
}

/// The same for each lane of a `Registers`, or of two of them.
macro_rules! both {
    ($a:expr, |$x:ident| $expression:expr) => {{
        let Registers(lower, upper) = $a;
        Registers(
            {
                let $x = lower;
                instructions!($expression)
            },
            {
                let $x = upper;
                instructions!($expression)
            },
        )
    }};
    ($a:expr, $b:expr, |$x:ident, $y:ident| $expression:expr) => {{
        let (a, b) = ($a, $b);
        Registers(
            {
                let ($x, $y) = (a.0, b.0);
                instructions!($expression)
            },
            {
                let ($x, $y) = (a.1, b.1);
                instructions!($expression)
            },
        )
    }};
}
