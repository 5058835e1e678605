//! The command-line program `oxiconv`. All it does is in `cli`.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
