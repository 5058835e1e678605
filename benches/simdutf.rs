//! simdutf, to compare with: the release bundled in the `simdutf` crate, or the checkout that `SIMDUTF_DIR` named at
//! build time.

#![allow(dead_code, reason = "each program calls some of these")]

#[cfg(not(simdutf_dir))]
pub use ::simdutf::*;
#[cfg(simdutf_dir)]
pub use checkout::*;

#[cfg(simdutf_dir)]
mod checkout {
    macro_rules! functions {
        ($(fn $convert:ident(&$from:ty, &mut $to:ty);)* $(is $validate:ident(&$form:ty);)*) => {
            $(pub unsafe fn $convert(from: *const $from, len: usize, to: *mut $to) -> usize {
                unsafe extern "C" {
                    #[link_name = concat!("checkout_", stringify!($convert))]
                    fn convert(from: *const $from, len: usize, to: *mut $to) -> usize;
                }
                // SAFETY: the caller upholds simdutf's contract: `from` has `len` units, `to` has room for the output.
                unsafe { convert(from, len, to) }
            })*
            $(pub fn $validate(text: &[$form]) -> bool {
                unsafe extern "C" {
                    #[link_name = concat!("checkout_", stringify!($validate))]
                    fn validate(from: *const $form, len: usize) -> bool;
                }
                // SAFETY: `validate` only reads, and only within the slice.
                unsafe { validate(text.as_ptr(), text.len()) }
            })*
        };
    }

    functions! {
        fn convert_utf8_to_utf16le(&u8, &mut u16);
        fn convert_utf8_to_utf16be(&u8, &mut u16);
        fn convert_utf8_to_utf32(&u8, &mut u32);
        fn convert_utf8_to_latin1(&u8, &mut u8);
        fn convert_utf16le_to_utf8(&u16, &mut u8);
        fn convert_utf16be_to_utf8(&u16, &mut u8);
        fn convert_utf16le_to_utf32(&u16, &mut u32);
        fn convert_utf32_to_utf8(&u32, &mut u8);
        fn convert_utf32_to_utf16le(&u32, &mut u16);
        fn convert_latin1_to_utf8(&u8, &mut u8);
        fn convert_latin1_to_utf16le(&u8, &mut u16);
        fn change_endianness_utf16(&u16, &mut u16);
        is validate_utf8(&u8);
        is validate_utf16le(&u16);
        is validate_utf32(&u32);
    }
}
