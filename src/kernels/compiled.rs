//! Macros that compile kernel bodies with the instructions of a set. A body must be `#[inline(always)]`: otherwise it
//! would not be compiled with the instructions of the enclosing function.

/// The body of a [`Convert`](super::contract::Convert) over vectors. The first vector proves that the processor has the
/// instructions.
macro_rules! convert_with {
    ($features:literal, $vector:ty, $body:expr) => {{
        #[target_feature(enable = $features)]
        fn inner(input: &[u8], output: &mut [u8]) -> $crate::kernels::Progress {
            $body(<$vector>::here(), input, output)
        }
        |input: &[u8], output: &mut [u8]| {
            // SAFETY: a set is returned only if the processor has its instructions.
            unsafe { inner(input, output) }
        }
    }};
}

/// The body of a [`Validate`](super::contract::Validate), in the same way.
macro_rules! validate_with {
    ($features:literal, $vector:ty, $body:expr) => {{
        #[target_feature(enable = $features)]
        fn inner(text: &[u8]) -> usize {
            $body(<$vector>::here(), text)
        }
        |text: &[u8]| {
            // SAFETY: a set is returned only if the processor has its instructions.
            unsafe { inner(text) }
        }
    }};
}

/// The body of a [`Measure`](super::contract::Measure).
macro_rules! look_with {
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

/// A [`Convert`](super::contract::Convert) that copies with `$copy` and then validates the copy in the output.
macro_rules! copied_with {
    ($features:literal, $copy:expr, $form:expr) => {{
        #[target_feature(enable = $features)]
        fn copy(from: &[u8], to: &mut [u8]) {
            $copy(from, to)
        }
        |input: &[u8], output: &mut [u8]| {
            // SAFETY: a set is returned only if the processor has its instructions.
            let copy = |from: &[u8], to: &mut [u8]| unsafe { copy(from, to) };
            $crate::kernels::once::copied(input, output, copy, validate($form))
        }
    }};
}
