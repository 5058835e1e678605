//! The names, the description and the source of each encoding, as lines of one text that rows refer to.
//!
//! A row of the program holds the offset and the length of its line. Pointers to strings would all have to be relocated
//! at each start of the program, for 1,500 rows (see [`super::charsets`]). Fields are searched for in the line when
//! they are used, which is seldom.

static TEXT: &str = include_str!("charsets/text.txt");
#[cfg(feature = "archive")]
static ARCHIVE_TEXT: &str = include_str!("charsets/text_archive.txt");

/// A line of the text. Its fields are separated by tabs: name, summary, source, year, structure, vendors, common name,
/// other names. Vendors and names are separated by blanks.
#[derive(Clone, Copy, Debug)]
pub enum RowText {
    /// In the text of the program.
    Program {
        /// Byte offset in the text, or in that of the archive, which comes after it.
        at: u32,
        /// Its length in bytes.
        len: u16,
    },
    /// The first fields of an encoding that was made at run time. Further ones are empty.
    #[cfg(feature = "legacy")]
    Own(&'static [String]),
}

impl RowText {
    pub const fn new(at: u32, len: u16) -> Self {
        Self::Program { at, len }
    }

    /// Whether it is a line of the archive.
    pub const fn is_in_archive(self) -> bool {
        matches!(self, Self::Program { at, .. } if at as usize >= TEXT.len())
    }

    fn field(self, number: usize) -> &'static str {
        let (at, len) = match self {
            Self::Program { at, len } => (at as usize, usize::from(len)),
            #[cfg(feature = "legacy")]
            Self::Own(fields) => return fields.get(number).map_or("", |field| field),
        };
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

    /// The rows of the archive have no summary and no source of their own: each is a table, whose name says whose.
    pub fn summary(self) -> &'static str {
        if self.is_in_archive() { "a vendor's table" } else { self.field(1) }
    }

    pub fn source(self) -> &'static str {
        if self.is_in_archive() { "ICU's archive of tables" } else { self.field(2) }
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
