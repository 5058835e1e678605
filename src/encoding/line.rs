//! What people should know of each encoding, as text that rows refer to.

static TEXT: &str = include_str!("charsets/text.txt");
#[cfg(feature = "archive")]
static ARCHIVE_TEXT: &str = include_str!("charsets/text_archive.txt");

/// A line of the text: name, summary, source, year, structure, vendors, common name, other names, with tabs between.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    at: u32,
    len: u16,
}

impl Line {
    pub const fn new(at: u32, len: u16) -> Self {
        Self { at, len }
    }

    /// Whether it is a line of the archive, whose text comes after all other.
    #[cfg(feature = "cli")]
    pub const fn is_in_archive(self) -> bool {
        self.at as usize >= TEXT.len()
    }

    fn field(self, number: usize) -> &'static str {
        let (at, len) = (self.at as usize, usize::from(self.len));
        let line = match TEXT.get(at..at + len) {
            Some(line) => line,
            #[cfg(feature = "archive")]
            None => &ARCHIVE_TEXT[at - TEXT.len()..][..len],
            #[cfg(not(feature = "archive"))]
            None => "",
        };
        line.split('\t').nth(number).unwrap_or_default()
    }

    fn optional(self, number: usize) -> Option<&'static str> {
        Some(self.field(number)).filter(|field| !field.is_empty())
    }

    fn words(self, number: usize) -> impl Iterator<Item = &'static str> + Clone + use<> {
        self.field(number).split(' ').filter(|word| !word.is_empty())
    }

    pub fn name(self) -> &'static str {
        self.field(0)
    }

    pub fn summary(self) -> &'static str {
        self.field(1)
    }

    pub fn source(self) -> &'static str {
        self.field(2)
    }

    pub fn year(self) -> Option<&'static str> {
        self.optional(3)
    }

    pub fn structure(self) -> Option<&'static str> {
        self.optional(4)
    }

    pub fn vendors(self) -> impl Iterator<Item = &'static str> + Clone + use<> {
        self.words(5)
    }

    pub fn common_name(self) -> Option<&'static str> {
        self.optional(6)
    }

    pub fn aliases(self) -> impl Iterator<Item = &'static str> + Clone + use<> {
        self.words(7)
    }
}
