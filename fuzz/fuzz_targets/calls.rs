//! The C library: `iconv_open`, `iconv`, `iconvctl` and `iconv_close` with arbitrary bytes, buffer sizes and cuts.
#![no_main]

#[allow(dead_code, reason = "the target calls one of its functions")]
#[path = "../../capi/src/lib.rs"]
mod capi;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| capi::random_calls::random_calls(data));
