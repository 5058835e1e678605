//! If `SIMDUTF_DIR` names a checkout of simdutf, builds that for the benches instead of the release in the crate.

fn main() {
    println!("cargo::rerun-if-env-changed=SIMDUTF_DIR");
    #[cfg(feature = "simdutf")]
    if let Some(checkout) = std::env::var_os("SIMDUTF_DIR") {
        let checkout = std::path::PathBuf::from(checkout);
        println!("cargo::rerun-if-changed=checkout.cpp");
        println!("cargo::rerun-if-changed={}", checkout.join("src").display());
        println!("cargo::rustc-cfg=simdutf_dir");
        cc::Build::new()
            .cpp(true)
            .std("c++17")
            .include(checkout.join("src"))
            .include(checkout.join("include"))
            // The crate is linked too and defines the same symbols, so the namespace is renamed.
            .define("simdutf", "simdutf_of_checkout")
            .warnings(false)
            .file("checkout.cpp")
            .compile("simdutf_of_checkout");
    }
}
