//! Refuses to replace a file whose text contradicts the requested conversion: `-f latin1 -i` on a file that is UTF-8
//! would turn `é` into `Ã©`, and the readable text would be gone.
//!
//! ```text
//!                                          ┌─► a file would be replaced: refused, unless `--force`
//! readable as it is (`readability`), or    ┤
//! with --fallback not UTF-8 (`fallback`)   └─► its text goes elsewhere: a note says the same
//! ```
//!
//! A file of up to 8 KiB is judged by all of its bytes, a longer one by samples. It may be of any length, so every pass
//! over it takes constant memory.

use std::path::Path;

use oxiconv_encodings::encoding::{Encoding, supersets};
use oxiconv_report::guess::{Cause, TextJudge};
use oxiconv_report::{DECOMPRESS, command, shell_word};
use oxiconv_report::{Repair, counted};
use oxiconv_transcode::{Conversion, InputEncoding, OnIllFormed, WithoutDescriptors};

use super::config::{Config, EachTarget, RunAction};
use super::fallback::{LostLetters, WholeTextEncoding, instead, lost};
use super::file_sample::{FileSample, SAMPLE_BYTES, TellingLines, sample};
use super::files::FileArg;
use super::readability::{Excerpt, LinesInUtf8, Readability, Readable};
use super::whole_file::{any_chunk, damage, is_regular, last_bytes, read_through};

/// How much of a file is used to detect its encoding, from its first byte beyond ASCII on.
const DETECTION_BYTES: usize = 128 * 1024;

/// Judges the files of a run.
pub(crate) struct Refusals<'a> {
    config: &'a Config,
    conversion: &'a Conversion,
    place: Option<&'a EachTarget>,
    readability: Readability,
}

impl<'a> Refusals<'a> {
    pub(crate) fn new(config: &'a Config) -> Self {
        let place = match &config.action {
            RunAction::Each(place) if !config.writing.force => Some(place),
            _ => None,
        };
        Self { place, ..Self::of(config, &config.conversion) }
    }

    /// Creates the judge for another conversion than that of the command line: a check of a file whose encoding its
    /// repository declares, or the conversion by which a file would be fixed.
    pub(crate) fn of(config: &'a Config, conversion: &'a Conversion) -> Self {
        Self { config, conversion, place: None, readability: Readability::new(conversion) }
    }

    /// Returns why the text of a file contradicts the conversion, if it does.
    pub(crate) fn contradiction(
        &self,
        file: &FileArg,
        path: &Path,
    ) -> anyhow::Result<Option<String>> {
        let readable = self.readable(file, &sample(file, |_| true)?)?;
        Ok(readable.map(|readable| self.note(&readable, Some(path))))
    }

    /// Whether a file is UTF-8, but would be read as another text in the encoding of the conversion.
    pub(crate) fn is_utf8(&self, file: &FileArg) -> anyhow::Result<bool> {
        let read = read_through(self.conversion, file, Encoding::UTF_8)?;
        let is_ascii = read.characters == read.bytes_read;
        // This decides most files, which are then not opened again.
        if read.stopped || is_ascii && !self.readability.is_about_ascii() {
            return Ok(false);
        }
        if !is_ascii && self.readability.misreads_all_utf8() {
            return Ok(true);
        }
        let readable = self.readable(file, &sample(file, |_| true)?)?;
        Ok(matches!(readable, Some(Readable::Utf8 { .. })))
    }

    /// Returns the objection to converting the file at `path` to `target`, if there is one.
    pub(crate) fn objection(
        &self,
        file: &FileArg,
        path: &Path,
        target: &Path,
    ) -> anyhow::Result<Option<Objection>> {
        // A pipe or a device can be read only once. A wrong path is reported when it is opened.
        if self.place.is_none() || !is_regular(path) {
            return Ok(None);
        }
        let Some(readable) = self.readable(file, &sample(file, |_| true)?)? else {
            return Ok(None);
        };
        // A new file below another directory leaves the readable one where it is, so a note is enough, unless a byte
        // order mark leaves no doubt that the new file would be wrong.
        let is_kept = !is_regular(target) && !matches!(readable, Readable::Marked(_));
        Ok(Some(match is_kept {
            // The conversion itself warns of this.
            true if matches!(readable, Readable::Damaged(_)) => return Ok(None),
            true => Objection::Noted(self.note(&readable, Some(path))),
            false => Objection::Refused(self.refused(&readable, path)),
        }))
    }

    /// Returns what a file is, if the conversion would make it unreadable. `start` is its first 8 KiB.
    ///
    /// Each question is asked only if those before it have found nothing, and any of them may read all of the file. The
    /// last five do so for what samples cannot show: lines in UTF-8 among others, parts in UTF-8 between wide units,
    /// letters that `-e replace` would lose, fields of records that are no text, and a `--fallback` for a text that is
    /// not UTF-8 at all.
    fn readable(&self, file: &FileArg, start: &FileSample) -> anyhow::Result<Option<Readable>> {
        if let Some(readable) = self.nearly_utf8(file, start)? {
            return Ok(Some(readable));
        }
        if let Some(readable) = self.judged(file, start)? {
            return Ok(Some(readable));
        }
        if let Some(readable) = self.lines_in_utf8(file, start)? {
            return Ok(Some(readable));
        }
        if let Some(mut parts) = self.readability.parts_in_utf8(&start.bytes)
            && any_chunk(file, &mut |chunk| parts.look(chunk))?
        {
            return Ok(Some(Readable::Parts { of: parts.wide, other: Encoding::UTF_8 }));
        }
        if let Some(lost) = lost(self.conversion, file)? {
            return Ok(Some(Readable::Lost(lost)));
        }
        if let Some(words) = damage(self.conversion, file)? {
            return Ok(Some(Readable::Damaged(words)));
        }
        let Some(fallback) = self.conversion.options().substitution.fallback else {
            return Ok(None);
        };
        Ok(instead(self.conversion, fallback.named(), file)?.map(Readable::NotStray))
    }

    /// Returns the same for a file that is UTF-8 except for some bytes, wherever they are.
    ///
    /// A sample from the first byte beyond ASCII on tells whether UTF-8 is likelier than what `-f` names. Only then is
    /// the whole file read, for the number of ill-formed bytes and for the repair.
    fn nearly_utf8(&self, file: &FileArg, start: &FileSample) -> anyhow::Result<Option<Readable>> {
        if !self.readability.asks_for_utf8() {
            return Ok(None);
        }
        let later;
        let start = match start.is_end || !start.bytes.is_ascii() {
            true => start,
            false => {
                later = sample(file, |byte| !byte.is_ascii())?;
                &later
            }
        };
        let mut look = Excerpt::at_start(&start.bytes, start.is_end);
        // A sample that is well-formed does not show that the rest of the file is.
        look.is_utf8 &= start.is_end || look.is_ascii;
        let is_nearly_utf8 = self.readability.misreads_nearly_utf8(&look);
        if !is_nearly_utf8 && !self.readability.misreads_ascii(&look) {
            return Ok(None);
        }
        let mut judge = TextJudge::default();
        any_chunk(file, &mut |chunk| {
            judge.look(chunk, Encoding::UTF_8);
            false
        })?;
        Ok(of_nearly_utf8(judge, !is_nearly_utf8))
    }

    /// Returns the same for a file in a legacy encoding that has lines in UTF-8, wherever they are: a log, for example,
    /// whose writer was switched to UTF-8 at some point. One pass collects both the lines in UTF-8 and the bytes by
    /// which the encoding of the others is detected.
    fn lines_in_utf8(
        &self,
        file: &FileArg,
        start: &FileSample,
    ) -> anyhow::Result<Option<Readable>> {
        if !self.readability.misreads_lines() || start.is_end && start.bytes.is_ascii() {
            return Ok(None);
        }
        let (mut lines, mut beyond_ascii) = (LinesInUtf8::default(), Vec::new());
        any_chunk(file, &mut |chunk| {
            lines.add(chunk);
            let first = match beyond_ascii.is_empty() {
                true => chunk.iter().position(|byte| !byte.is_ascii()).unwrap_or(chunk.len()),
                false => 0,
            };
            let most = (chunk.len() - first).min(DETECTION_BYTES - beyond_ascii.len());
            beyond_ascii.extend_from_slice(&chunk[first..first + most]);
            lines.is_full() && beyond_ascii.len() == DETECTION_BYTES
        })?;
        lines.end();
        let of = self.readability.encoding_of_lines(&beyond_ascii);
        Ok(of.filter(|of| lines.are_in(of)).map(|of| Readable::Lines { of }))
    }

    /// Returns the same by comparing readings of the bytes that matter: those beyond ASCII, and the ASCII that the
    /// encodings of input and output read or write as something else.
    ///
    /// Which bytes these are, and where they may be, decides what is compared:
    ///
    /// ```text
    /// a short file                                    all of it
    /// a long file that is plain in both encodings     its start and its end: only other units may be found there
    /// lines can be judged by themselves               the lines that tell, wherever they are (TellingLines)
    /// they cannot, and the start has such bytes       the start; if that shows nothing, and none of them matters as
    ///                                                 input, then everything from the first byte that does
    /// they cannot, and the start has none             everything from the first one on
    /// ```
    ///
    /// A single line of a long log can show what the rest leaves open. In wide units, and in encodings with a state
    /// that outlasts a line, lines mean nothing by themselves.
    fn judged(&self, file: &FileArg, start: &FileSample) -> anyhow::Result<Option<Readable>> {
        let mut look = Excerpt::at_start(&start.bytes, start.is_end);
        if start.is_end {
            return Ok(self.readability.judge(&look));
        }
        if look.is_utf8 && self.readability.asks_for_utf8() {
            let read = read_through(self.conversion, file, Encoding::UTF_8)?;
            look.is_utf8 = !read.stopped;
            look.is_ascii = look.is_utf8 && read.characters == read.bytes_read;
        }
        let end = if self.readability.asks_for_end() {
            last_bytes(file, SAMPLE_BYTES)?
        } else {
            Vec::new()
        };
        look.end = &end;
        let has_lines = self.readability.has_lines();
        let matters = |byte: &u8| self.readability.matters(*byte);
        // If UTF-8 was in question, `is_ascii` is about the whole file. If the input is strict UTF-8, it is only about
        // the start, but what follows is either UTF-8 or ill-formed, and needs no judge.
        let is_known = self.readability.asks_for_utf8() || !self.readability.asks_for_end();
        let is_plain = look.is_ascii && is_known && !self.readability.is_about_ascii();
        let as_input = |byte: u8| self.readability.matters_as_input(byte);
        let begins = look.bytes.iter().any(matters);
        if is_plain || !has_lines && begins {
            let judged = self.readability.judge(&look);
            // If the output is in wide units, every byte matters, so the start of any file has some. They prove little
            // unless one of them matters as input too, so the search continues to the first that does.
            if is_plain || judged.is_some() || look.bytes.iter().any(|byte| as_input(*byte)) {
                return Ok(judged);
            }
        }
        let later = match has_lines {
            true => TellingLines::new(&self.readability).of(file)?,
            false if begins => sample(file, as_input)?,
            false => sample(file, |byte| matters(&byte))?,
        };
        look.is_ascii &= later.bytes.is_ascii();
        (look.bytes, look.is_end) = (&later.bytes, later.is_end);
        Ok(self.readability.judge(&look))
    }

    /// Returns why an input must not be converted to an output that would replace it, if that is so.
    pub(crate) fn of_own_output(
        &self,
        file: &FileArg,
        path: &Path,
    ) -> anyhow::Result<Option<String>> {
        if self.config.writing.force {
            return Ok(None);
        }
        let readable = self.readable(file, &sample(file, |_| true)?)?;
        let place = EachTarget::InPlace(None);
        let in_place = Refusals { place: Some(&place), ..Refusals::new(self.config) };
        Ok(readable.map(|readable| in_place.refused(&readable, path)))
    }

    /// Returns a note on an input whose text goes elsewhere, so that it is not refused: why its conversion would be
    /// refused in place, as far as its first bytes tell.
    pub(crate) fn note_on_start(
        &self,
        file: &FileArg,
        start: &[u8],
        is_end: bool,
    ) -> Option<String> {
        if self.config.writing.force || self.config.messages.quiet {
            return None;
        }
        let is_end = is_end && start.len() <= SAMPLE_BYTES;
        let mut start = &start[..start.len().min(SAMPLE_BYTES)];
        let text;
        if file.opening.has_descriptors {
            text = WithoutDescriptors::default().text(start);
            start = &text;
        }
        let look = Excerpt::at_start(start, is_end);
        let of_utf8 = || {
            let mut judge = TextJudge::default();
            judge.look(start, Encoding::UTF_8);
            let is_nearly_utf8 = self.readability.misreads_nearly_utf8(&look);
            let is_misread = is_nearly_utf8 || self.readability.misreads_ascii(&look);
            is_misread.then(|| of_nearly_utf8(judge, !is_nearly_utf8)).flatten()
        };
        let readable = of_utf8().or_else(|| self.readability.judge(&look))?;
        // Where UTF-8 is expected, other text has findings, and a hint after them that says the same as this note.
        let is_hinted = matches!(readable, Readable::Other(_) | Readable::Marked(_));
        if is_hinted && self.readability.expects_utf8() {
            return None;
        }
        Some(self.note(&readable, file.path.as_deref()))
    }

    fn note(&self, readable: &Readable, path: Option<&Path>) -> String {
        let Account { what, advice } = self.account(readable, path);
        match advice.is_empty() {
            true => format!("the input {what}"),
            false => format!("the input {what} ({})", advice.join("; ")),
        }
    }

    /// Returns the message for a file that is not converted.
    fn refused(&self, readable: &Readable, path: &Path) -> String {
        let Account { what, mut advice } = self.account(readable, Some(path));
        if !self.stops_at(readable) {
            advice.push("--force converts it anyway".to_owned());
        }
        let what = what.strip_prefix("is ").map_or_else(|| format!("it {what}"), str::to_owned);
        format!("not converted: {what} ({})", advice.join("; "))
    }

    /// Whether the conversion would stop at its first byte, because a byte order mark of UTF-16 or UTF-32 is ill-formed
    /// in UTF-8. Then `--force` would not help, and is not offered.
    fn stops_at(&self, readable: &Readable) -> bool {
        let substitution = &self.conversion.options().substitution;
        matches!(readable, Readable::Marked(_))
            && self.readability.expects_utf8()
            && substitution.on_ill_formed == OnIllFormed::Stop
            && substitution.fallback.is_none()
    }

    /// Describes what a text is, and what to do with it.
    fn account(&self, readable: &Readable, path: Option<&Path>) -> Account {
        let (from, to) = (self.from(), self.conversion.to());
        let mut advice = Vec::new();
        let what = match readable {
            Readable::Utf8 { is_ascii } => {
                if let Some(twin) = is_ascii.then(|| self.twin()).flatten() {
                    advice.push(format!("-f {} reads ASCII as it is", twin.name().to_lowercase()));
                }
                if to.is_some_and(|to| to != Encoding::UTF_8) {
                    let command = self.command(&Repair::from(Encoding::UTF_8), path);
                    advice.push(format!("to convert it: {command}"));
                }
                let ascii = if *is_ascii { " (all ASCII)" } else { "" };
                format!("is already valid UTF-8{ascii}, but -f says {from}")
            }
            Readable::NearlyUtf8 { ill_formed, repair } => {
                if let Some(repair) = repair {
                    advice.push(format!("to convert it: {}", self.command(repair, path)));
                }
                let others = counted(*ill_formed, "ill-formed byte");
                format!("is UTF-8 with {others}, but -f says {from}")
            }
            Readable::Target => {
                let to = to.unwrap_or(Encoding::UTF_8).name();
                format!("is already {to} and would be encoded twice")
            }
            Readable::Other(repair) => {
                advice.push(format!("to convert it: {}", self.command(repair, path)));
                let name = match repair.from {
                    Some(other) => other.name(),
                    None if repair.reads_lines => "lines in several encodings",
                    None => "another encoding",
                };
                format!("looks like {name}, not {from}")
            }
            Readable::Marked(scheme) => {
                // If the encoding is named with its byte order (`utf-16le`), the mark is a character of the text.
                let command = self.command(&Repair::from(scheme.unmarked()), path);
                advice.push(format!("to convert it: {command}"));
                format!("looks like {} with a byte order mark", scheme.name())
            }
            Readable::NotStray(WholeTextEncoding { what, repair }) => {
                advice.push(format!("to convert it: {}", self.command(repair, path)));
                format!("looks like {what}, not UTF-8 with stray bytes")
            }
            Readable::Lost(LostLetters { ill_formed, repair }) => {
                advice.push(format!("to convert it: {}", self.command(repair, path)));
                let others = counted(*ill_formed, "byte");
                format!("has {others} of another encoding, which would be lost")
            }
            Readable::Lines { of } => {
                advice.push(format!("to convert it: {}", self.command(&Repair::of_lines(), path)));
                format!("looks like {} with lines in UTF-8", of.name())
            }
            Readable::Parts { of, other } => {
                advice.push("convert the parts separately".to_owned());
                format!("looks like {} with parts in {}", of.name(), other.name())
            }
            Readable::Damaged(words) => format!("has fields that are no text: {words}"),
        };
        Account { what, advice }
    }

    /// Returns a vendor's superset of the encoding of the input in which ASCII is ASCII: CP932 for Shift_JIS.
    fn twin(&self) -> Option<&'static Encoding> {
        let InputEncoding::Named(from) = self.conversion.from() else { return None };
        supersets(from).next()
    }

    /// Returns the name of the encoding in which the input would be read.
    fn from(&self) -> &'static str {
        match self.conversion.from() {
            InputEncoding::Named(from) => from.name(),
            _ => Encoding::UTF_8.name(),
        }
    }

    /// Returns the command that does what was requested, but reads the input as `repair` says.
    fn command(&self, repair: &Repair, path: Option<&Path>) -> String {
        let to = self.conversion.to().filter(|to| *to != Encoding::UTF_8);
        let mut repair = repair.clone();
        repair.to = to.or(repair.to);
        let mut options = repair.options();
        if self.config.files.opening.decompress {
            options.insert(0, DECOMPRESS.to_owned());
        }
        match self.place {
            // A command that first cuts off bytes is a pipeline, and cannot replace the file.
            _ if repair.skip > 0 => {}
            Some(EachTarget::InPlace(None)) => options.push("-i".to_owned()),
            Some(EachTarget::InPlace(Some(backup))) => options.extend(backup.options()),
            Some(EachTarget::Under(dir)) => options.extend(["-O".to_owned(), shell_word(dir)]),
            None => {}
        }
        command(&options, repair.skip, path)
    }
}

/// Returns what a text is that `judge` has read as UTF-8, unless all of it is well-formed. `by_ascii` says that only
/// its ASCII shows that `-f` misreads it.
///
/// The judge may find that the text is in a legacy encoding as a whole. If its UTF-8 made `-f` doubtful, that was
/// chance then, and the later questions decide. If its ASCII did, `-f` is wrong all the same, and the legacy encoding
/// is the answer.
fn of_nearly_utf8(mut judge: TextJudge, by_ascii: bool) -> Option<Readable> {
    let verdict = judge.verdict(true);
    if !verdict.is_ill_formed() {
        return None;
    }
    let is_other = verdict.whole.as_ref().is_some_and(|whole| whole.cause == Cause::Legacy);
    let ill_formed = verdict.ill_formed();
    let repair = verdict.repair;
    match repair {
        Some(repair) if is_other => by_ascii.then_some(Readable::Other(repair)),
        None if is_other && !by_ascii => None,
        repair => Some(Readable::NearlyUtf8 { ill_formed, repair }),
    }
}

/// The objection to a conversion that would make readable text unreadable.
pub(crate) enum Objection {
    /// Why the file is not converted.
    Refused(String),
    /// A note on a file that is converted all the same, because the original stays.
    Noted(String),
}

/// What a text is, and what to do with it.
struct Account {
    /// A predicate: `looks like …`.
    what: String,
    advice: Vec<String>,
}
