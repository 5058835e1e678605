//! Inputs like those of public bug reports, against this and other programs, with the right result. The inputs are made
//! by hand, as are the results; each names the report whose kind it is.

mod detection;
mod files;
mod hostile;
mod in_place;
mod judge;
mod names;
mod repair;
mod units;
mod wide;
