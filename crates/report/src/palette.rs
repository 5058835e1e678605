//! The colours of pictures and messages on a terminal.

use anstyle::{AnsiColor, Style};

use super::cell_class::CellClass;
use oxiconv_transcode::diagnostic::Severity;

/// The style of each part; plain by default.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Palette {
    /// `error` and the kind of a finding.
    pub(super) error: Style,
    /// `warning` and the kind of a finding.
    pub(super) warning: Style,
    /// `note` and the kind of a finding.
    pub(super) note: Style,
    /// The path, the line and the column.
    pub(super) place: Style,
    /// The bytes of a finding, and what is shown for them.
    pub(super) found: Style,
    pub(super) printing: Style,
    pub(super) blank: Style,
    pub(super) zero: Style,
    pub(super) control: Style,
    pub(super) high: Style,
    /// Row labels, offsets, marks.
    pub(super) frame: Style,
    pub(super) command: Style,
}

impl Palette {
    const COLOURS: Self = Self {
        error: AnsiColor::Red.on_default().bold(),
        warning: AnsiColor::Yellow.on_default().bold(),
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

    pub(super) fn new(coloured: bool) -> Self {
        if coloured { Self::COLOURS } else { Self::default() }
    }

    pub(super) const fn of_severity(&self, severity: Severity) -> Style {
        match severity {
            Severity::Error => self.error,
            Severity::Warning => self.warning,
            _ => self.note,
        }
    }

    pub(super) const fn of(&self, class: CellClass) -> Style {
        match class {
            CellClass::Printing => self.printing,
            CellClass::Blank => self.blank,
            CellClass::Zero => self.zero,
            CellClass::Control => self.control,
            CellClass::High => self.high,
            CellClass::Found => self.found,
            CellClass::Omitted => self.frame,
        }
    }
}

pub(super) fn paint(style: Style, text: &str) -> String {
    if style.is_plain() || text.is_empty() {
        return text.to_owned();
    }
    format!("{style}{text}{style:#}")
}
