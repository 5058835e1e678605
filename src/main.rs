//! The command-line program `oxiconv`. All it does is in `oxiconv::cli`.
//!
//! With GNU libc, the C library alone starts it: a start that loads anything else fails `ci/packages`. Rust's runtime
//! would first read /proc/self/maps, for its message on stack overflow, which takes as long as a whole short
//! conversion. What else the runtime does, `cli::main` does. `build.rs` keeps the program from loading `libgcc_s`.

#![cfg_attr(all(target_os = "linux", target_env = "gnu", not(test)), no_main)]

/// What the progress bar calls of the system's mathematical library, `pow` of C: with its own, the program need not
/// load that library at each start, which takes 5 % of a short conversion.
// SAFETY: the name, the arguments and the result are those of C's function.
#[unsafe(no_mangle)]
extern "C" fn pow(base: f64, exponent: f64) -> f64 {
    libm::pow(base, exponent)
}

// SAFETY: the name, the arguments and the result are those of C's `main`.
#[cfg(all(target_os = "linux", target_env = "gnu", not(test)))]
#[unsafe(no_mangle)]
extern "C" fn main(
    _count: std::ffi::c_int,
    _words: *const *const std::ffi::c_char,
) -> std::ffi::c_int {
    // The status of a panic is that of Rust's runtime.
    let status = std::panic::catch_unwind(oxiconv::cli::main).map_or(101, i32::from);
    std::process::exit(status)
}

#[cfg(not(all(target_os = "linux", target_env = "gnu", not(test))))]
fn main() -> std::process::ExitCode {
    oxiconv::cli::main().into()
}
