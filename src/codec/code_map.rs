//! From code points to the codes of a legacy set, in two steps: the high byte of the code point names a page, the low
//! byte a place on it. Most pages of the Basic Multilingual Plane are empty, and all empty ones are the same.

use crate::unicode::CodePoint;

const PAGE: usize = 256;

/// A map from code points past 7F to codes of up to 16 bits. Code 0 stands for none.
#[derive(Debug)]
pub(super) struct CodeMap {
    /// The page of each high byte; page 0 is the empty one.
    page_of: [u8; PAGE],
    pages: Vec<[u16; PAGE]>,
}

impl CodeMap {
    pub(super) fn new() -> Self {
        Self { page_of: [0; PAGE], pages: vec![[0; PAGE]] }
    }

    /// Gives `cp` a code, unless it has one already.
    pub(super) fn insert(&mut self, cp: u16, code: u16) {
        let [high, low] = cp.to_be_bytes().map(usize::from);
        if self.page_of[high] == 0 {
            // At most 248 pages and the empty one: surrogates have none.
            self.page_of[high] = self.pages.len() as u8;
            self.pages.push([0; PAGE]);
        }
        let place = &mut self.pages[usize::from(self.page_of[high])][low];
        if *place == 0 {
            *place = code;
        }
    }

    /// The code of `cp`, or `None`.
    pub(super) fn get(&self, cp: CodePoint) -> Option<u16> {
        let cp = u16::try_from(cp).ok()?;
        let [high, low] = cp.to_be_bytes().map(usize::from);
        let code = self.pages[usize::from(self.page_of[high])][low];
        (code != 0).then_some(code)
    }
}
