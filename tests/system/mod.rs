//! What differs between systems for the tests: where there is no configuration, how a program ended, what a file has
//! beside its bytes, and how messages name paths and errors. Both kinds of system have the same functions; a test that
//! needs what only one has is marked with `#[cfg(unix)]`.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub use unix::*;
#[cfg(windows)]
pub use windows::*;
