//! Names the shared library in itself, with the major version, so that a program linked with it finds it by that name. It is
//! never unloaded, because its tables stay in memory: a program that loads it again would make them again.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        let major = env!("CARGO_PKG_VERSION_MAJOR");
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,liboxiconv.so.{major}");
        println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
}
