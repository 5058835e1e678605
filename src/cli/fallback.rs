//! Whether the stray bytes of a text suit `--fallback`. Two questions about a file, before it is replaced:
//!
//! * [`instead`]: with `--fallback`, is it really UTF-8 with stray bytes, or another encoding as a whole? A text in
//!   windows-1251 read as UTF-8 is all stray bytes, and `--fallback windows-1252` would make `Ïðèâåò` of `Привет`.
//! * [`lost`]: without `--fallback` and with `-e replace`, are the stray bytes letters that the conversion would lose?
//!
//! Both ask the judge that chooses the hints of `--explain` and `--check`. It reads all of the file.

use oxiconv_encodings::codec::{ByteOrder, MIN_PIVOT};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_report::Repair;
use oxiconv_report::guess::{Cause, TextJudge, Verdict};
use oxiconv_transcode::{Conversion, InputEncoding, OnIllFormed};

use super::files::FileArg;
use super::whole_file::{any_chunk, read_through};

/// What a text is as a whole, and the repair for it.
#[derive(Debug)]
pub(crate) struct WholeTextEncoding {
    pub(crate) what: String,
    pub(crate) repair: Repair,
}

/// Returns what a file is as a whole, if its stray bytes do not come from `fallback`. `None` as the fallback means that
/// it is to be detected.
pub(crate) fn instead(
    conversion: &Conversion,
    fallback: Option<&'static Encoding>,
    file: &FileArg,
) -> anyhow::Result<Option<WholeTextEncoding>> {
    let InputEncoding::Named(from) = conversion.from() else { return Ok(None) };
    // Fast path for most files: well-formed, and without the zero bytes of UTF-16.
    if from == Encoding::UTF_8
        && !read_through(conversion, file, from)?.stopped
        && !any_chunk(file, &mut |chunk| memchr::memchr(0, chunk).is_some())?
    {
        return Ok(None);
    }
    Ok(of_verdict(&verdict(file, from)?, fallback))
}

/// Letters that a conversion would lose, and the options that would read them.
#[derive(Debug)]
pub(crate) struct LostLetters {
    pub(crate) ill_formed: u64,
    pub(crate) repair: Repair,
}

/// Returns the letters that the conversion of a file would lose, if the file is read as UTF-8, or may be because its
/// encoding is detected. A file that is in another encoding as a whole has been found out by the earlier checks.
pub(crate) fn lost(conversion: &Conversion, file: &FileArg) -> anyhow::Result<Option<LostLetters>> {
    let options = conversion.options();
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
    // A file that is detected as another encoding is read in that one, and loses nothing.
    if is_detected && verdict.of_letters.is_some() {
        return Ok(None);
    }
    let ill_formed = verdict.ill_formed();
    let reads_them = |repair: &Repair| {
        repair.reads_lines || repair.detects_fallback || repair.fallback.is_some()
    };
    let repair =
        verdict.repair.filter(|repair| ill_formed >= MIN_LETTERS as u64 && reads_them(repair));
    Ok(repair.map(|repair| LostLetters { ill_formed, repair }))
}

fn verdict(file: &FileArg, from: &'static Encoding) -> anyhow::Result<Verdict> {
    let mut judge = TextJudge::default();
    any_chunk(file, &mut |chunk| {
        judge.look(chunk, from);
        false
    })?;
    Ok(judge.verdict(true))
}

/// A loss of fewer letters is accepted, even if it is certain what they are.
pub(crate) const MIN_LETTERS: usize = 3;

/// Fewer ill-formed bytes, or fewer distinct ones, do not identify an encoding: a few quotation marks in windows-1252
/// are letters in many others.
const MIN_ILL_FORMED: u64 = 6;
const MIN_DISTINCT: usize = 4;

/// The confidence, in percent, from which on a detected encoding outweighs the fallback that was named.
const SURE: u8 = 90;

/// Returns what the text is as a whole, if the verdict on it contradicts the fallback. It does in three cases:
///
/// * The text has no character in UTF-8 at all, and its letters are surely those of an encoding that reads some stray
///   byte differently than the fallback that was named. That one would read all of it wrong, even if the bytes are few.
/// * It is a relative of UTF-8, such as CESU-8 or MUTF-8. What looks stray there is part of a sequence.
/// * It is something else as a whole. If that is a legacy encoding, the bytes must be many and different enough to
///   tell, and the fallback must not read them as the same characters anyway. If its lines are in several encodings, the
///   fallback that was named must read all of them alike; then it does what `-f auto-lines` would. Other causes, such as
///   UTF-16, need no such care.
fn of_verdict(verdict: &Verdict, fallback: Option<&'static Encoding>) -> Option<WholeTextEncoding> {
    let agrees = |other: &Encoding| {
        fallback.is_none_or(|fallback| {
            verdict
                .ill_formed_bytes()
                .all(|byte| character(other, byte) == character(fallback, byte))
        })
    };
    if fallback.is_some()
        && verdict.characters() == 0
        && let Some((encoding, SURE..)) = verdict.of_letters
        && !agrees(encoding)
    {
        let (what, repair) = (encoding.name().to_owned(), Repair::from(encoding));
        return Some(WholeTextEncoding { what, repair });
    }
    let Some(whole) = &verdict.whole else {
        let repair = verdict.repair.clone()?;
        let what = repair.from?.name().to_owned();
        return Some(WholeTextEncoding { what, repair });
    };
    let repair = whole.repair.clone()?;
    let tells = verdict.ill_formed() >= MIN_ILL_FORMED
        && verdict.ill_formed_bytes().count() >= MIN_DISTINCT;
    // The repair and the fallback may read the bytes as the same characters. Then the fallback is as good, unless it is
    // to be detected and the text also has characters in UTF-8. A fallback that is named leaves those as they are.
    let keeps = verdict.characters() == 0 || fallback.is_some();
    let same = keeps && repair.from.is_some_and(agrees);
    let contradicts = match whole.cause {
        Cause::Legacy => tells && !same,
        Cause::Lines => {
            let lines = &verdict.lines;
            fallback.is_none() || lines.is_empty() || !lines.iter().all(|other| agrees(other))
        }
        _ => true,
    };
    contradicts.then(|| WholeTextEncoding { what: whole.what.clone(), repair })
}

/// Decodes a single byte; `None` if it is not a character by itself.
fn character(encoding: &Encoding, byte: u8) -> Option<u32> {
    let mut pivot = [0; MIN_PIVOT];
    let decoded = encoding.new_decoder(ByteOrder::Big).decode(&[byte], &mut pivot, true);
    (decoded.written == 1).then_some(pivot[0])
}
