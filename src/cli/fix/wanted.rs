//! What a file should be: its encoding, byte order mark and line ends, as the command line and its repository say.

use oxiconv_encodings::encoding::Encoding;
use oxiconv_report::{FixChange, LineEnds};
use oxiconv_transcode::diagnostic::{DeniedKind, Kind, Outcome, Summary};
use oxiconv_transcode::{
    Conversion, InputEncoding, MarkMode, Newline, NewlineMode, OnDeclaration, OnMojibake, Options,
};

use super::super::file_policy::FilePolicy;

/// What a file should be. What is `None` stays as it is.
pub(super) struct WantedText {
    pub(super) encoding: &'static Encoding,
    marks: MarkMode,
    newline: Option<Newline>,
    final_newline: bool,
    denied: Vec<DeniedKind>,
}

/// Returns the encoding that a file should be in. Where any encoding is declared to be right, that is UTF-8.
pub(super) fn encoding(policy: &FilePolicy<'_>) -> &'static Encoding {
    match (
        policy.settings.charset.as_ref().map(|charset| charset.value.encoding),
        policy.conversion.from(),
    ) {
        (Some(InputEncoding::Named(encoding)), _) | (None, InputEncoding::Named(encoding)) => {
            encoding
        }
        _ => Encoding::UTF_8,
    }
}

impl WantedText {
    pub(super) fn new(policy: &FilePolicy<'_>) -> Self {
        let settings = &policy.settings;
        let is_wanted = |kind| policy.severity(kind).is_some();
        let newline = settings.newline.as_ref().and_then(|newline| newline.value);
        let final_newline = settings.final_newline.as_ref().is_some_and(|it| it.value);
        Self {
            encoding: encoding(policy),
            marks: policy.conversion.options().byte_order_marks.marks,
            newline: newline.filter(|_| is_wanted(Kind::WrongNewline)),
            final_newline: final_newline && is_wanted(Kind::MissingFinalNewline),
            denied: settings.denied.iter().flat_map(|denied| denied.value.clone()).collect(),
        }
    }

    /// Whether a conversion reads a text that is in the encoding that it should be in.
    pub(super) fn is_in(&self, conversion: &Conversion) -> bool {
        matches!(conversion.from(), InputEncoding::Named(from) if from == self.encoding)
    }

    /// Returns the conversion that writes a text as it should be. `options` say what is special about reading it in
    /// `from`, and `line_ends` how its lines end.
    ///
    /// # Errors
    ///
    /// If these options cannot be combined.
    pub(super) fn conversion(
        &self,
        options: Options,
        from: InputEncoding,
        line_ends: &LineEnds,
    ) -> anyhow::Result<Conversion> {
        let is_in_it = matches!(from, InputEncoding::Named(from) if from == self.encoding);
        let reads_lines = matches!(from, InputEncoding::Lines(_));
        let newline = self.newline(from, line_ends).map_or(NewlineMode::Keep, mode);
        let options = options
            .marks(match self.marks {
                MarkMode::Require => MarkMode::Add,
                MarkMode::Forbid => MarkMode::Strip,
                marks => marks,
            })
            .on_declaration(match is_in_it || reads_lines {
                true => OnDeclaration::Keep,
                false => OnDeclaration::Update,
            })
            .write_newlines(newline)
            .write_final_newline(self.final_newline)
            .deny(self.denied.iter().copied())
            .on_mojibake(match from {
                InputEncoding::Named(from) if !OnMojibake::is_found_in(from) => OnMojibake::Ignore,
                _ => OnMojibake::Repair,
            });
        Ok(options.build(from, self.encoding)?)
    }

    /// Returns the line end to write; `None` if they stay. In EBCDIC most lines end with NEL, which hardly any program
    /// takes for a line end in another encoding, so they do not stay.
    fn newline(&self, from: InputEncoding, line_ends: &LineEnds) -> Option<Newline> {
        let is_ebcdic = matches!(from, InputEncoding::Named(from) if !from.has_ascii())
            && self.encoding.has_ascii()
            && line_ends.nel > 0;
        self.newline.or(is_ebcdic.then_some(Newline::LineFeed))
    }

    /// Lists what a conversion has changed. `before` are the counts of the text as it was, read as it should be, and
    /// `done` are those of the conversion.
    pub(super) fn changes(
        &self,
        conversion: &Conversion,
        before: &Summary,
        done: &Summary,
        line_ends: &LineEnds,
    ) -> Vec<FixChange> {
        let mut changes = Vec::new();
        let is_in_it = self.is_in(conversion);
        let read = done.of_ill_formed.iter().filter(|(it, _)| *it == Outcome::ReadByFallback);
        let read: u64 = read.map(|(_, count)| count).sum();
        match (done.fallback, conversion.from()) {
            (Some(fallback), _) if read > 0 => changes.push(FixChange::StraysRead(read, fallback)),
            (_, InputEncoding::Lines(_)) => changes.extend(
                done.lines_read_as.iter().map(|(read, count)| FixChange::LinesRead(*count, read)),
            ),
            _ => {}
        }
        if !is_in_it
            && (!matches!(conversion.from(), InputEncoding::Lines(_))
                || self.encoding != Encoding::UTF_8)
        {
            changes.push(FixChange::Converted(self.encoding));
        }
        if done.repaired > 0 {
            changes.push(FixChange::Repaired(done.repaired));
        }
        let found = |kind| is_in_it && before.found.contains_key(&kind);
        if found(Kind::MarkMissing) {
            changes.push(FixChange::MarkAdded);
        }
        if found(Kind::MarkForbidden) {
            changes.push(FixChange::MarkRemoved);
        }
        if let Some(newline) = self.newline(conversion.from(), line_ends)
            && others(line_ends, newline) > 0
        {
            changes.push(FixChange::NewlinesWritten(name(newline)));
        }
        if found(Kind::MissingFinalNewline) {
            changes.push(FixChange::FinalNewlineAdded);
        }
        changes
    }
}

fn mode(newline: Newline) -> NewlineMode {
    match newline {
        Newline::CarriageReturn => NewlineMode::CarriageReturn,
        Newline::Both => NewlineMode::Both,
        _ => NewlineMode::LineFeed,
    }
}

fn name(newline: Newline) -> &'static str {
    match newline {
        Newline::CarriageReturn => "CR",
        Newline::Both => "CRLF",
        _ => "LF",
    }
}

/// Returns how many lines do not end with this line end.
fn others(line_ends: &LineEnds, newline: Newline) -> u64 {
    let LineEnds { lf, crlf, cr, nel, .. } = line_ends;
    let same = match newline {
        Newline::CarriageReturn => cr,
        Newline::Both => crlf,
        _ => lf,
    };
    lf + crlf + cr + nel - same
}
