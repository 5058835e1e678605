//! Which colour each part of a finding has.

use anstyle::{AnsiColor, Style};

/// The style of each class of bytes and text; the default is plain.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Palette {
    /// `error` and the kind of a finding.
    pub(super) error: Style,
    /// `note` and the kind of a finding.
    pub(super) note: Style,
    /// The path, the line and the column.
    pub(super) place: Style,
    /// The bytes of a finding, and what stands for them.
    pub(super) found: Style,
    /// Printing characters of ASCII.
    pub(super) printing: Style,
    /// Blanks and line ends.
    pub(super) blank: Style,
    /// Zero bytes.
    pub(super) zero: Style,
    /// Other control codes of ASCII.
    pub(super) control: Style,
    /// Bytes from 80 on.
    pub(super) high: Style,
    /// Names of rows, offsets, marks.
    pub(super) frame: Style,
    /// Commands.
    pub(super) command: Style,
}

impl Palette {
    /// The colours of a terminal.
    const COLOURS: Self = Self {
        error: AnsiColor::Red.on_default().bold(),
        note: AnsiColor::Cyan.on_default().bold(),
        place: Style::new().bold(),
        found: AnsiColor::Red.on_default().bold(),
        printing: AnsiColor::Cyan.on_default(),
        blank: AnsiColor::Green.on_default(),
        zero: AnsiColor::BrightBlack.on_default(),
        control: AnsiColor::Magenta.on_default(),
        high: AnsiColor::Yellow.on_default(),
        frame: Style::new().dimmed(),
        command: Style::new().bold(),
    };

    /// The colours, if `coloured`.
    pub(super) fn new(coloured: bool) -> Self {
        if coloured { Self::COLOURS } else { Self::default() }
    }

    /// The style of a byte.
    pub(super) const fn of_byte(&self, byte: u8) -> Style {
        match byte {
            0 => self.zero,
            b'\t' | b'\n' | b'\r' | b' ' => self.blank,
            b'!'..=b'~' => self.printing,
            0x80.. => self.high,
            _ => self.control,
        }
    }
}

/// Text in a style.
pub(super) fn paint(style: Style, text: &str) -> String {
    if style.is_plain() || text.is_empty() {
        return text.to_owned();
    }
    format!("{style}{text}{style:#}")
}
