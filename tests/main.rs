//! All integration tests in one binary. Cargo runs test binaries one after the other, so with several, processors would
//! be idle at the end of each.
//!
//! A test that cannot run on this machine, or only in part, passes and prints the reason on standard error
//! ([`support::skipped`]).

mod sample;
mod support;

// Codecs and conformance: `ci/cross` also runs these tests for other processors, under emulation.
mod legacy;
mod properties;
mod splits;
mod unicode;

// Tests that run the program or do not depend on the processor.
#[cfg(all(unix, feature = "cli"))]
mod api;
#[cfg(all(unix, feature = "cli"))]
mod auto_lines;
#[cfg(all(target_os = "linux", feature = "cli"))]
mod backup_dir;
#[cfg(all(unix, feature = "cli"))]
mod baseline;
#[cfg(all(target_os = "linux", feature = "cli"))]
mod benches;
#[cfg(all(unix, feature = "cli"))]
mod bom;
#[cfg(all(unix, feature = "cli"))]
mod browser;
#[cfg(all(unix, feature = "cli"))]
mod cases;
#[cfg(all(unix, feature = "cli"))]
mod cesu;
#[cfg(all(unix, feature = "cli"))]
mod changes;
#[cfg(all(unix, feature = "cli"))]
mod changing;
#[cfg(all(unix, feature = "cli"))]
mod charsets;
#[cfg(all(unix, feature = "cli"))]
mod ci;
#[cfg(all(unix, feature = "cli"))]
mod ci_fix;
#[cfg(all(target_os = "linux", feature = "cli"))]
mod ci_run;
#[cfg(all(unix, feature = "cli"))]
mod cli;
#[cfg(all(unix, feature = "cli"))]
mod combined;
#[cfg(all(unix, feature = "cli"))]
mod common;
#[cfg(all(unix, feature = "cli"))]
mod completions;
#[cfg(all(unix, feature = "cli"))]
mod compressed;
#[cfg(all(target_os = "linux", feature = "cli"))]
mod cost;
#[cfg(all(unix, feature = "cli"))]
mod counts;
#[cfg(all(unix, feature = "cli"))]
mod declarations;
#[cfg(all(unix, feature = "cli"))]
mod defaults;
#[cfg(all(unix, feature = "cli"))]
mod deny;
#[cfg(all(unix, feature = "cli"))]
mod detect;
#[cfg(all(unix, feature = "cli"))]
mod detection;
#[cfg(all(unix, feature = "cli"))]
mod detection_languages;
#[cfg(all(unix, feature = "cli"))]
mod diff;
#[cfg(all(unix, feature = "cli"))]
mod editorconfig;
#[cfg(all(unix, feature = "cli"))]
mod editors;
#[cfg(all(unix, feature = "cli"))]
mod escaped_bytes;
#[cfg(all(unix, feature = "cli"))]
mod escapes;
#[cfg(all(unix, feature = "cli"))]
mod explain;
#[cfg(all(unix, feature = "cli"))]
mod extended;
#[cfg(all(unix, feature = "cli"))]
mod faults;
#[cfg(all(unix, feature = "cli"))]
mod file_names;
#[cfg(all(unix, feature = "cli"))]
mod files;
#[cfg(all(unix, feature = "cli"))]
mod findings;
#[cfg(all(unix, feature = "cli"))]
mod fix;
#[cfg(all(unix, feature = "cli"))]
mod formats;
#[cfg(all(unix, feature = "cli"))]
mod help;
#[cfg(all(unix, feature = "cli"))]
mod hints;
#[cfg(all(unix, feature = "cli"))]
mod html;
#[cfg(all(unix, feature = "cli"))]
mod iconv;
#[cfg(all(unix, feature = "cli"))]
mod iconv_messages;
#[cfg(all(unix, feature = "cli"))]
mod interrupts;
#[cfg(all(unix, feature = "cli"))]
mod library;
#[cfg(all(unix, feature = "cli"))]
mod line_cuts;
#[cfg(all(unix, feature = "cli"))]
mod list;
#[cfg(all(unix, feature = "cli"))]
mod many_files;
#[cfg(all(unix, feature = "cli"))]
mod merge_findings;
#[cfg(all(target_os = "linux", feature = "cli"))]
mod messages;
#[cfg(all(unix, feature = "cli"))]
mod names;
#[cfg(all(unix, feature = "cli"))]
mod normalize;
#[cfg(all(unix, feature = "cli"))]
mod oracle;
#[cfg(all(unix, feature = "cli"))]
mod packed_decimals;
#[cfg(all(unix, feature = "cli"))]
mod public_reports;
#[cfg(all(unix, feature = "cli"))]
mod readings;
#[cfg(all(unix, feature = "cli"))]
mod readme;
#[cfg(all(unix, feature = "cli"))]
mod records;
#[cfg(all(unix, feature = "cli"))]
mod repair;
#[cfg(all(unix, feature = "cli"))]
mod repairs;
#[cfg(all(unix, feature = "cli"))]
mod reports;
#[cfg(all(unix, feature = "cli"))]
mod repository;
#[cfg(all(unix, feature = "cli"))]
mod resume;
#[cfg(all(unix, feature = "cli"))]
mod safety;
#[cfg(all(unix, feature = "cli"))]
mod scene;
#[cfg(all(unix, feature = "cli"))]
mod shards;
#[cfg(all(unix, feature = "cli"))]
mod sizes;
#[cfg(all(unix, feature = "cli"))]
mod stateful;
#[cfg(all(unix, feature = "cli"))]
mod stateful_oracle;
#[cfg(all(unix, feature = "cli"))]
mod stateful_streams;
#[cfg(all(unix, feature = "cli"))]
mod streams;
#[cfg(all(unix, feature = "cli"))]
mod substitutions;
#[cfg(all(unix, feature = "cli"))]
mod tables;
#[cfg(all(target_os = "linux", feature = "cli"))]
mod tasks;
#[cfg(all(unix, feature = "cli"))]
mod terminal;
#[cfg(all(unix, feature = "cli"))]
mod threads;
#[cfg(all(unix, feature = "cli"))]
mod translit;
#[cfg(all(unix, feature = "cli"))]
mod units;
#[cfg(all(unix, feature = "cli"))]
mod utf1_ebcdic;
#[cfg(all(unix, feature = "cli"))]
mod variable_records;
#[cfg(all(unix, feature = "cli"))]
mod verify;
#[cfg(all(unix, feature = "cli"))]
mod which_files;
#[cfg(all(unix, feature = "cli"))]
mod wtf;

/// The tests of a file without a line above would not run.
#[cfg(all(unix, feature = "cli"))]
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
