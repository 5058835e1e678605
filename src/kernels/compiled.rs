//! Bodies compiled with the instructions of a set, as its table has them. A body is `#[inline(always)]`: only so does it
//! get the instructions of the function that it stands in.

/// The body of a [`Convert`](super::Convert).
macro_rules! convert_with {
    ($features:literal, $body:expr) => {{
        #[target_feature(enable = $features)]
        fn inner(input: &[u8], output: &mut [u8]) -> $crate::kernels::Progress {
            $body(input, output)
        }
        |input: &[u8], output: &mut [u8]| {
            // SAFETY: a set is handed out only where the processor has its instructions.
            unsafe { inner(input, output) }
        }
    }};
}

/// The body of a [`Validate`](super::Validate) or a [`Measure`](super::Measure).
macro_rules! look_with {
    ($features:literal, $body:expr, $result:ty) => {{
        #[target_feature(enable = $features)]
        fn inner(text: &[u8]) -> $result {
            $body(text)
        }
        |text: &[u8]| {
            // SAFETY: a set is handed out only where the processor has its instructions.
            unsafe { inner(text) }
        }
    }};
}

/// The body of a [`Convert`](super::Convert) that brings over what is validated.
macro_rules! bring_with {
    ($features:literal, $body:path, $form:expr) => {
        convert_with!($features, |input, output| $body(input, output, validate($form)))
    };
}
