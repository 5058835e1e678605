//! All integration tests in one binary. Cargo runs test binaries one after the other, so with several, processors would
//! be idle at the end of each.
//!
//! A test that cannot run on this machine, or only in part, passes and prints the reason on standard error
//! ([`support::skipped`]).

#![cfg_attr(
    windows,
    allow(
        dead_code,
        unused_imports,
        reason = "helpers of tests that only Unix has, by `cfg(unix)`"
    )
)]

mod sample;
mod support;

// Codecs and conformance: `ci/cross` also runs these tests for other processors, under emulation.
mod legacy;
mod properties;
mod splits;
mod unicode;

// Tests that run the program or do not depend on the processor.
#[cfg(feature = "cli")]
mod api;
#[cfg(feature = "cli")]
mod auto_lines;
#[cfg(all(target_os = "linux", feature = "cli"))]
mod backup_dir;
#[cfg(feature = "cli")]
mod baseline;
#[cfg(all(target_os = "linux", feature = "cli"))]
mod benches;
#[cfg(feature = "cli")]
mod bom;
#[cfg(all(unix, feature = "cli"))]
mod browser;
#[cfg(feature = "cli")]
mod cases;
#[cfg(feature = "cli")]
mod cesu;
#[cfg(feature = "cli")]
mod changes;
#[cfg(feature = "cli")]
mod changing;
#[cfg(feature = "cli")]
mod charsets;
#[cfg(all(unix, feature = "cli"))]
mod ci;
#[cfg(all(unix, feature = "cli"))]
mod ci_fix;
#[cfg(all(target_os = "linux", feature = "cli"))]
mod ci_run;
#[cfg(feature = "cli")]
mod cli;
#[cfg(feature = "cli")]
mod combined;
#[cfg(feature = "cli")]
mod common;
#[cfg(all(unix, feature = "cli"))]
mod completions;
#[cfg(feature = "cli")]
mod compressed;
#[cfg(all(target_os = "linux", feature = "cli"))]
mod cost;
#[cfg(feature = "cli")]
mod counts;
#[cfg(feature = "cli")]
mod declarations;
#[cfg(feature = "cli")]
mod defaults;
#[cfg(feature = "cli")]
mod deny;
#[cfg(feature = "cli")]
mod detect;
#[cfg(feature = "cli")]
mod detect_lines;
#[cfg(feature = "cli")]
mod detection;
#[cfg(feature = "cli")]
mod detection_languages;
#[cfg(feature = "cli")]
mod diff;
#[cfg(feature = "cli")]
mod editorconfig;
#[cfg(feature = "cli")]
mod editors;
#[cfg(feature = "cli")]
mod escaped_bytes;
#[cfg(feature = "cli")]
mod escapes;
#[cfg(feature = "cli")]
mod explain;
#[cfg(feature = "cli")]
mod extended;
#[cfg(all(unix, feature = "cli"))]
mod faults;
#[cfg(all(unix, feature = "cli"))]
mod file_names;
#[cfg(feature = "cli")]
mod files;
#[cfg(feature = "cli")]
mod findings;
#[cfg(feature = "cli")]
mod fix;
#[cfg(feature = "cli")]
mod formats;
#[cfg(feature = "cli")]
mod help;
#[cfg(feature = "cli")]
mod hints;
#[cfg(all(unix, feature = "cli"))]
mod html;
#[cfg(all(unix, feature = "cli"))]
mod iconv;
#[cfg(feature = "cli")]
mod iconv_messages;
#[cfg(all(unix, feature = "cli"))]
mod interrupts;
#[cfg(feature = "cli")]
mod library;
#[cfg(feature = "cli")]
mod line_cuts;
#[cfg(feature = "cli")]
mod list;
#[cfg(feature = "cli")]
mod many_files;
#[cfg(feature = "cli")]
mod merge_findings;
#[cfg(all(target_os = "linux", feature = "cli"))]
mod messages;
#[cfg(feature = "cli")]
mod names;
#[cfg(feature = "cli")]
mod normalize;
#[cfg(feature = "cli")]
mod oracle;
#[cfg(feature = "cli")]
mod packed_decimals;
#[cfg(feature = "cli")]
mod public_reports;
#[cfg(feature = "cli")]
mod readings;
#[cfg(feature = "cli")]
mod readme;
#[cfg(feature = "cli")]
mod records;
#[cfg(feature = "cli")]
mod repair;
#[cfg(feature = "cli")]
mod repairs;
#[cfg(feature = "cli")]
mod reports;
#[cfg(feature = "cli")]
mod repository;
#[cfg(feature = "cli")]
mod resume;
#[cfg(all(unix, feature = "cli"))]
mod safety;
#[cfg(feature = "cli")]
mod scene;
#[cfg(feature = "cli")]
mod shards;
#[cfg(feature = "cli")]
mod sizes;
#[cfg(feature = "cli")]
mod stateful;
#[cfg(feature = "cli")]
mod stateful_oracle;
#[cfg(feature = "cli")]
mod stateful_streams;
#[cfg(feature = "cli")]
mod streams;
#[cfg(feature = "cli")]
mod substitutions;
#[cfg(feature = "cli")]
mod system;
#[cfg(feature = "cli")]
mod tables;
#[cfg(all(target_os = "linux", feature = "cli"))]
mod tasks;
#[cfg(feature = "cli")]
mod terminal;
#[cfg(feature = "cli")]
mod threads;
#[cfg(feature = "cli")]
mod translit;
#[cfg(feature = "cli")]
mod units;
#[cfg(feature = "cli")]
mod utf1_ebcdic;
#[cfg(feature = "cli")]
mod variable_records;
#[cfg(feature = "cli")]
mod verify;
#[cfg(feature = "cli")]
mod which_files;
#[cfg(all(windows, feature = "cli"))]
mod windows;
#[cfg(feature = "cli")]
mod wtf;

/// The tests of a file without a line above would not run.
#[cfg(feature = "cli")]
#[test]
fn every_file_is_one_of_the_modules() {
    let tests = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let list = std::fs::read_to_string(tests.join("main.rs")).unwrap();
    for entry in std::fs::read_dir(tests).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if let Some(module) = name.strip_suffix(".rs").filter(|module| *module != "main") {
            assert!(list.contains(&format!("\nmod {module};\n")), "{name} is not in main.rs");
        }
    }
}
