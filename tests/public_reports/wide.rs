//! UTF-16 and UTF-32 with other bytes in them.
