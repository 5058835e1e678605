//! The part of a text that is looked at: its first bytes, and those from the first one that tells something.

/// Bytes at the start of a text in which its declaration is looked for.
pub(crate) const HEAD: usize = 4 * 1024;
/// Bytes examined from the first signal on. A longer text is judged by them, however it is split into chunks.
pub(crate) const SAMPLE: usize = 128 * 1024;

/// What is known of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample<'t> {
    /// The first bytes of the text: [`HEAD`], or all of a shorter one.
    pub(crate) head: &'t [u8],
    /// The offset of `bytes` in the text.
    pub(crate) offset: u64,
    /// The bytes from the first signal on: [`SAMPLE`], or all of a shorter rest.
    pub(crate) bytes: &'t [u8],
    /// Whether the text ends with `bytes`.
    pub(crate) whole: bool,
}

impl<'t> Sample<'t> {
    /// Takes the sample of a text that begins with `text`, which is all of it if it is the `last` part.
    pub(crate) fn of(text: &'t [u8], last: bool) -> Self {
        let offset = match first_signal(text, last) {
            Signal::At(at) => at,
            Signal::None { passed } => passed,
        };
        let rest = &text[offset..];
        let bytes = &rest[..rest.len().min(SAMPLE)];
        Self {
            head: &text[..text.len().min(HEAD)],
            offset: offset as u64,
            bytes,
            whole: last && bytes.len() == rest.len(),
        }
    }
}

/// Where a text stops being ASCII that tells nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signal {
    /// At this byte.
    At(usize),
    /// Not before this byte; whether there, depends on what follows.
    None { passed: usize },
}

/// Finds the first byte that tells something of the encoding: one beyond ASCII, NUL, ESC, or the `~` of `~{`. `last`
/// says that nothing follows.
pub(crate) fn first_signal(bytes: &[u8], last: bool) -> Signal {
    let tells = |at: usize| match bytes[at] {
        0 | 0x1B | 0x80.. => true,
        b'~' => bytes.get(at + 1) == Some(&b'{'),
        _ => false,
    };
    match (0..bytes.len()).find(|at| tells(*at)) {
        Some(at) => Signal::At(at),
        None if !last && bytes.ends_with(b"~") => Signal::None { passed: bytes.len() - 1 },
        None => Signal::None { passed: bytes.len() },
    }
}
