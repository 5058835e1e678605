//! Faults of the kinds described in public bug reports, against this and other programs. The inputs and the expected
//! results are written by hand; each test names its report.

mod detection;
mod files;
mod hostile;
mod in_place;
mod judge;
mod names;
mod repair;
mod units;
mod wide;
