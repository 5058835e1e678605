//! Damaged text: repaired or left alone, never made worse.
