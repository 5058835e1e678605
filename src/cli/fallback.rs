//! Texts that `--fallback` must not repair: not UTF-8 with stray bytes, but another encoding as a whole. And texts that
//! it should repair, because their stray bytes would be lost.
//!
//! This is the judge of `--explain`, which reads all of a file, applied before the file is converted.

use oxiconv_encodings::codec::{ByteOrder, MIN_PIVOT};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_report::Repair;
use oxiconv_report::guess::{Cause, TextJudge, Verdict};
use oxiconv_transcode::{InputEncoding, OnIllFormed};

use super::config::Config;
use super::files::FileArg;
use super::inspect::{any_chunk, read_through};

/// What the text is instead, and the repair for it.
#[derive(Debug)]
pub(crate) struct Instead {
    pub(crate) what: String,
    pub(crate) repair: Repair,
}

/// Returns what the text of a file is, if its stray bytes do not come from `fallback`, or from any encoding if that is
/// to be detected.
pub(crate) fn instead(
    config: &Config,
    fallback: Option<&'static Encoding>,
    file: &FileArg,
) -> anyhow::Result<Option<Instead>> {
    let InputEncoding::Named(from) = config.conversion.from() else { return Ok(None) };
    // Fast path for most files: well-formed, and without the zero bytes of UTF-16.
    if from == Encoding::UTF_8
        && !read_through(&config.conversion, file, from)?.stopped
        && !any_chunk(file, |chunk| memchr::memchr(0, chunk).is_some())?
    {
        return Ok(None);
    }
    Ok(of_verdict(&verdict(file, from)?, fallback))
}

/// Letters of a text that would be lost, and what reads them.
#[derive(Debug)]
pub(crate) struct Lost {
    pub(crate) ill_formed: u64,
    pub(crate) repair: Repair,
}

/// Returns the letters that would be lost of a file that is read as UTF-8, or may be if its encoding is detected. Where all of
/// it is in another encoding, that is known already.
pub(crate) fn lost(config: &Config, file: &FileArg) -> anyhow::Result<Option<Lost>> {
    let (conversion, options) = (&config.conversion, config.conversion.options());
    let (is_utf8, is_detected) = match conversion.from() {
        InputEncoding::Named(from) => (from == Encoding::UTF_8, false),
        InputEncoding::Lines(_) => (false, true),
        _ => (true, true),
    };
    let is_lost = options.substitution.on_ill_formed != OnIllFormed::Stop
        && options.substitution.fallback.is_none();
    if !is_utf8 || !is_lost || !read_through(conversion, file, Encoding::UTF_8)?.stopped {
        return Ok(None);
    }
    let verdict = verdict(file, Encoding::UTF_8)?;
    // What is detected as another encoding is read in it, and loses nothing.
    if is_detected && verdict.of_letters.is_some() {
        return Ok(None);
    }
    let ill_formed = verdict.ill_formed();
    let reads_them = |repair: &Repair| {
        repair.reads_lines || repair.detects_fallback || repair.fallback.is_some()
    };
    let repair = verdict.repair.filter(|repair| ill_formed >= LETTERS as u64 && reads_them(repair));
    Ok(repair.map(|repair| Lost { ill_formed, repair }))
}

/// Judges all of a file that is read in `from`.
fn verdict(file: &FileArg, from: &'static Encoding) -> anyhow::Result<Verdict> {
    let mut judge = TextJudge::default();
    any_chunk(file, |chunk| {
        judge.look(chunk, from);
        false
    })?;
    Ok(judge.verdict(true))
}

/// Fewer letters may be lost, even if it is certain what they are.
pub(crate) const LETTERS: usize = 3;

/// Fewer ill-formed bytes, or fewer different ones, do not identify an encoding: quotation marks alone could be letters
/// in many.
const ENOUGH: u64 = 6;
const ENOUGH_DIFFERENT: usize = 4;

/// The confidence in percent that contradicts a fallback that was named.
const SURE: u8 = 90;

fn of_verdict(verdict: &Verdict, fallback: Option<&'static Encoding>) -> Option<Instead> {
    let agrees = |other: &Encoding| {
        fallback.is_none_or(|fallback| {
            verdict
                .ill_formed_bytes()
                .all(|byte| character(other, byte) == character(fallback, byte))
        })
    };
    // No word is UTF-8, so a fallback that reads other letters reads none of them right.
    if fallback.is_some()
        && verdict.characters() == 0
        && let Some((encoding, SURE..)) = verdict.of_letters
        && !agrees(encoding)
    {
        let (what, repair) = (encoding.name().to_owned(), Repair::from(encoding));
        return Some(Instead { what, repair });
    }
    let Some(whole) = &verdict.whole else {
        // CESU-8, MUTF-8 and other relatives of UTF-8.
        let repair = verdict.repair.clone()?;
        let what = repair.from?.name().to_owned();
        return Some(Instead { what, repair });
    };
    let repair = whole.repair.clone()?;
    let tells =
        verdict.ill_formed() >= ENOUGH && verdict.ill_formed_bytes().count() >= ENOUGH_DIFFERENT;
    // Both may give the same characters. A fallback that is named keeps a word in UTF-8 as well.
    let keeps = verdict.characters() == 0 || fallback.is_some();
    let same = keeps && repair.from.is_some_and(agrees);
    (whole.cause != Cause::Legacy || tells && !same)
        .then(|| Instead { what: whole.what.clone(), repair })
}

/// Returns the character of a single byte.
fn character(encoding: &Encoding, byte: u8) -> Option<u32> {
    let mut pivot = [0; MIN_PIVOT];
    let decoded = encoding.new_decoder(ByteOrder::Big).decode(&[byte], &mut pivot, true);
    (decoded.written == 1).then_some(pivot[0])
}
