//! The command-line program `oxiconv`: an entry point for `oxiconv::cli`.
//!
//! Scripts run the program once per file, so the time that it takes to start counts. With GNU libc, the program defines
//! C's `main` itself instead of leaving that to Rust's runtime. The runtime would first read /proc/self/maps, for its
//! message on stack overflow, which takes as long as a whole short conversion. What else the runtime does is done
//! elsewhere:
//!
//! * Streams that are closed are opened, and SIGPIPE is ignored: `cli::main` does that first.
//! * A panic must not unwind into C. `main` below catches it.
//! * Arguments need no help: GNU libc passes them to the standard library before `main`. Not every C library does, so
//!   elsewhere the runtime keeps its `main`.
//!
//! For the same reason, the C library is the only library that the program loads, which `ci/packages` checks.
//! `build.rs` keeps it from loading `libgcc_s`, and `pow` below from loading `libm`.

#![cfg_attr(all(target_os = "linux", target_env = "gnu", not(test)), no_main)]

/// C's `pow`, which the progress bar calls. Without this definition, the program would load `libm` at each start, which
/// takes 5 % of a short conversion.
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
    // Rust's runtime ends a process that panics with this status.
    let status = std::panic::catch_unwind(oxiconv::cli::main).map_or(101, i32::from);
    std::process::exit(status)
}

#[cfg(not(all(target_os = "linux", target_env = "gnu", not(test))))]
fn main() -> std::process::ExitCode {
    oxiconv::cli::main().into()
}
