//! Links the program on Linux without `libgcc_s`, a library that each start would load, and find 12 symbols in, although
//! only the message of a panic needs it: the compiler's archive of the same functions is linked instead.
//!
//! On macOS, the same goes for libiconv, for which the libc crate asks in case a program calls it.
//!
//! rustc asks for `-lgcc_s`. The linker takes the first `libgcc_s.so` on its path, and one that is a text file is a script.
//! Nothing changes for a library user, whose programs do not get this path.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=RUSTC_LINKER");
    if env::var("CARGO_CFG_TARGET_VENDOR").is_ok_and(|vendor| vendor == "apple") {
        println!("cargo:rustc-link-arg-bins=-Wl,-dead_strip_dylibs");
    }
    let Some(archive) = archive() else { return };
    let dir = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it")).join("link");
    let script = format!("INPUT({})\n", archive.display());
    let written =
        fs::create_dir_all(&dir).and_then(|()| fs::write(dir.join("libgcc_s.so"), script));
    if written.is_ok() {
        println!("cargo:rustc-link-arg-bins=-L{}", dir.display());
    }
}

/// Returns the path of the archive, if the program is linked for GNU/Linux by a compiler that has it.
fn archive() -> Option<PathBuf> {
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    let has = |name: &str, value: &str| {
        env::var(name).is_ok_and(|found| found.split(',').any(|one| one == value))
    };
    if !is("CARGO_CFG_TARGET_OS", "linux")
        || !is("CARGO_CFG_TARGET_ENV", "gnu")
        || has("CARGO_CFG_TARGET_FEATURE", "crt-static")
    {
        return None;
    }
    let linker = match env::var_os("RUSTC_LINKER") {
        Some(linker) => linker,
        None if env::var_os("TARGET") == env::var_os("HOST") => "cc".into(),
        None => return None,
    };
    let asked = Command::new(linker).arg("-print-file-name=libgcc_eh.a").output().ok()?;
    let path = String::from_utf8(asked.stdout).ok()?;
    // A compiler without it prints the name alone. A space would end the name in the script.
    let path = Path::new(path.trim_end());
    let is_usable = path.is_absolute() && path.is_file();
    let is_plain = !path.to_str()?.contains(|c: char| c.is_whitespace() || "()\",;".contains(c));
    (is_usable && is_plain).then(|| path.to_owned())
}
