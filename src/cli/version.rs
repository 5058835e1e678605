//! What `--version` prints. Its first line, which is all that `-V` prints, is read by scripts. The others are for
//! reports of bugs.

/// The cargo features that add something to the program. `cli` is the program itself, and `default` and `library` only
/// name others.
const FEATURES: [(&str, bool); 8] = [
    ("archive", cfg!(feature = "archive")),
    ("character-names", cfg!(feature = "character-names")),
    ("compression", cfg!(feature = "compression")),
    ("detection", cfg!(feature = "detection")),
    ("formats", cfg!(feature = "formats")),
    ("legacy", cfg!(feature = "legacy")),
    ("normalization", cfg!(feature = "normalization")),
    ("transliteration", cfg!(feature = "transliteration")),
];

/// Returns the version, the features of the build, and the instruction set that is in use on this processor.
pub(crate) fn version() -> String {
    let features: Vec<_> =
        FEATURES.into_iter().filter(|(_, is_in)| *is_in).map(|(name, _)| name).collect();
    format!(
        "oxiconv {}\nfeatures: {}\ninstruction set: {}\n",
        env!("CARGO_PKG_VERSION"),
        features.join(", "),
        oxiconv_kernels::active().name
    )
}

#[cfg(test)]
mod tests {
    use toml::de::DeTable;

    use super::*;

    #[test]
    fn no_feature_is_missing() {
        let manifest = include_str!("../../Cargo.toml");
        let manifest = DeTable::parse(manifest).unwrap();
        let features = manifest.get_ref()["features"].get_ref().as_table().unwrap();
        let bundles = ["cli", "default", "library"];
        let mut names: Vec<_> = features.keys().map(|name| name.get_ref().as_ref()).collect();
        names.retain(|name| !bundles.contains(name));
        names.sort();
        assert_eq!(FEATURES.map(|(name, _)| name).to_vec(), names);
    }
}
