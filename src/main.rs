//! The command-line program `oxiconv`. All it does is in `oxiconv::cli`.

fn main() -> std::process::ExitCode {
    oxiconv::cli::main()
}
