//! Text that is almost UTF-8: every command gives the same answer.
