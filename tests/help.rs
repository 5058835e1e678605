mod scene;
fn main() -> std::process::ExitCode {
    scene::run_all(vec![])
}
