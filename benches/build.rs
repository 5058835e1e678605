//! Builds simdutf from the checkout that `SIMDUTF_DIR` names, if it names one, instead of the release that the crate has.

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
            // The crate has the same names, and is linked as well.
            .define("simdutf", "simdutf_of_checkout")
            .warnings(false)
            .file("checkout.cpp")
            .compile("simdutf_of_checkout");
    }
}
