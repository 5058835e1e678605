//! The command-line program `oxiconv`. All it does is in `oxiconv::cli`.

/// What the progress bar calls of the system's mathematical library, `pow` of C: with its own, the program need not load
/// that library at each start.
// SAFETY: the name, the arguments and the result are those of C's function.
#[unsafe(no_mangle)]
extern "C" fn pow(base: f64, exponent: f64) -> f64 {
    libm::pow(base, exponent)
}

fn main() -> std::process::ExitCode {
    oxiconv::cli::main()
}
