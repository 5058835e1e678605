//! Names of encodings, and what vendors mean by them.
