//! Input that is made to do harm.
