//! Texts that `--fallback` must not repair: not UTF-8 with stray bytes, but another encoding as a whole.
//!
//! This is the judge of `--explain`, applied to the file before it is converted.

use crate::codec::{ByteOrder, MIN_PIVOT};
use crate::diagnostic::Repair;
use crate::diagnostic::guess::{Cause, Judge, Mixture, Verdict};
use crate::encoding::Encoding;
use crate::transcode::InputEncoding;

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
    let (mut judge, mut mixture) = (Judge::default(), Mixture::default());
    any_chunk(file, |chunk| {
        judge.look(chunk, from);
        mixture.look(chunk);
        false
    })?;
    mixture.finish();
    Ok(of_verdict(&judge.verdict(true), &mixture, fallback))
}

fn of_verdict(
    verdict: &Verdict,
    mixture: &Mixture,
    fallback: Option<&'static Encoding>,
) -> Option<Instead> {
    let agrees = |other: &Encoding| {
        fallback.is_none_or(|fallback| {
            mixture.strays().all(|byte| character(other, byte) == character(fallback, byte))
        })
    };
    if let Some(whole) = &verdict.whole {
        let repair = whole.repair.clone()?;
        // A few bytes do not identify an encoding; and if nothing is UTF-8, both may give the same characters.
        let same = mixture.characters() == 0 && repair.from.is_some_and(agrees);
        return (whole.cause != Cause::Legacy || mixture.tells() && !same)
            .then(|| Instead { what: whole.what.clone(), repair });
    }
    match (&verdict.repair, verdict.strays_as()) {
        // CESU-8, MUTF-8 and other relatives of UTF-8.
        (Some(Repair { from: Some(from), .. }), _) => {
            let repair = verdict.repair.clone()?;
            Some(Instead { what: from.name().to_owned(), repair })
        }
        // If both encodings agree on the stray bytes, one isolated UTF-8 character is reason enough to keep the UTF-8
        // characters.
        (_, Some(encoding))
            if mixture.characters() > 0
                && mixture.is_by_chance()
                && !(mixture.any_alone() && agrees(encoding)) =>
        {
            let what = encoding.name().to_owned();
            Some(Instead { what, repair: Repair::from(encoding) })
        }
        _ => None,
    }
}

/// Returns the character of a single byte.
fn character(encoding: &Encoding, byte: u8) -> Option<u32> {
    let mut pivot = [0; MIN_PIVOT];
    let decoded = encoding.new_decoder(ByteOrder::Big).decode(&[byte], &mut pivot, true);
    (decoded.written == 1).then_some(pivot[0])
}
