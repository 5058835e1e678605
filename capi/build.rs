//! Names the shared library in itself (`soname`), with the major version, so that a program linked with it finds it by
//! that name and never loads a version with another interface. The library is never unloaded (`nodelete`), because its
//! tables stay in memory: a program that loads it again, as a plugin may, would make them again each time.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        let major = env!("CARGO_PKG_VERSION_MAJOR");
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,liboxiconv.so.{major}");
        println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
}
