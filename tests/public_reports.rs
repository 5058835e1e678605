//! Inputs like those of public bug reports, against this and other programs, with the right result. The inputs are made
//! by hand, as are the results; each names the report whose kind it is.

mod common;

#[path = "public_reports/detection.rs"]
mod detection;
#[path = "public_reports/files.rs"]
mod files;
#[path = "public_reports/hostile.rs"]
mod hostile;
#[path = "public_reports/in_place.rs"]
mod in_place;
#[path = "public_reports/judge.rs"]
mod judge;
#[path = "public_reports/names.rs"]
mod names;
#[path = "public_reports/repair.rs"]
mod repair;
#[path = "public_reports/units.rs"]
mod units;
#[path = "public_reports/wide.rs"]
mod wide;
