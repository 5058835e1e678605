//! The colours of a picture, apart from what they are colours of.

/// What is put in front of each class of bytes and text, such as the escape sequences of a terminal's colours; all empty
/// is plain.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Palette {
    /// The bytes that a finding is of, and what stands for them.
    pub(super) found: &'static str,
    /// Printing characters of ASCII.
    pub(super) printing: &'static str,
    /// Blanks and line ends.
    pub(super) blank: &'static str,
    /// Zero bytes.
    pub(super) zero: &'static str,
    /// Other control codes of ASCII.
    pub(super) control: &'static str,
    /// Bytes from 80 on.
    pub(super) high: &'static str,
    /// Names of rows, offsets, marks.
    pub(super) frame: &'static str,
    /// Commands.
    pub(super) command: &'static str,
    /// After each of them.
    pub(super) reset: &'static str,
}

impl Palette {
    /// The colours of a terminal.
    const COLOURS: Self = Self {
        found: "\x1b[1;31m",
        printing: "\x1b[36m",
        blank: "\x1b[32m",
        zero: "\x1b[90m",
        control: "\x1b[35m",
        high: "\x1b[33m",
        frame: "\x1b[2m",
        command: "\x1b[1m",
        reset: "\x1b[0m",
    };

    /// The colours, if `coloured`.
    pub(super) fn new(coloured: bool) -> Self {
        if coloured { Self::COLOURS } else { Self::default() }
    }

    /// `text` in a colour, which is one of these.
    pub(super) fn paint(&self, colour: &str, text: &str) -> String {
        if colour.is_empty() || text.is_empty() {
            return text.to_owned();
        }
        format!("{colour}{text}{}", self.reset)
    }

    /// The colour of a byte.
    pub(super) const fn of_byte(&self, byte: u8) -> &'static str {
        match byte {
            0 => self.zero,
            b'\t' | b'\n' | b'\r' | b' ' => self.blank,
            b'!'..=b'~' => self.printing,
            0x80.. => self.high,
            _ => self.control,
        }
    }
}
