//! Whether a text is as it should be: a check by the rules of its repository finds nothing, nothing in it is damaged, and
//! it is not in another encoding in disguise.

use std::borrow::Cow;
use std::io;

use oxiconv_report::counted;
use oxiconv_transcode::diagnostic::{Kind, Silent, Summary};
use oxiconv_transcode::io::Source;
use oxiconv_transcode::{Error, InputEncoding, OnIllFormed, Transcoder};

use super::super::file_policy::FilePolicy;
use super::super::tapped_source::TappedSource;
use super::disguise::DisguiseSearch;

/// Reads a text as it should be, up to the first ill-formed subsequence. Returns the counts, and whether it may be
/// something else although it is well-formed.
pub(super) fn check(
    source: &mut dyn Source,
    policy: &FilePolicy<'_>,
) -> Result<(Summary, bool), Error> {
    let mut search = DisguiseSearch::new();
    let mut source = TappedSource { source, look: |bytes: &[u8]| search.look(bytes) };
    let checked = Transcoder::new(&policy.conversion, &mut io::sink())
        .input(&mut source, &mut Silent)
        .or_else(Error::into_summary)?;
    // A zero is a part of nearly every character of a text in wide units, and escapes mean nothing in EBCDIC.
    let may_be_disguised = matches!(policy.conversion.from(),
        InputEncoding::Named(from) if from.unit() == 1 && from.has_ascii());
    Ok((checked, may_be_disguised && search.has_found()))
}

/// Reads all of a text as it should be, for complete counts.
pub(super) fn check_all(
    source: &mut dyn Source,
    policy: &FilePolicy<'_>,
) -> anyhow::Result<Summary> {
    let options = policy.conversion.options().clone().on_ill_formed(OnIllFormed::Replace);
    let conversion = options.build(policy.conversion.from(), policy.conversion.to())?;
    let policy =
        FilePolicy { conversion: Cow::Owned(conversion), settings: policy.settings.clone() };
    Ok(check(source, &policy)?.0)
}

/// Whether a text with these counts is right. What was repaired in it is damaged.
pub(super) fn is_right(policy: &FilePolicy<'_>, summary: &Summary) -> bool {
    !summary.stopped
        && summary.repaired == 0
        && policy.errors_of(&left_out(policy, summary)).total() == 0
}

/// Whether a result is right but for what a rule denies, which no conversion changes.
pub(super) fn is_fixed(policy: &FilePolicy<'_>, mut summary: Summary) -> bool {
    summary.found.retain(|kind, _| !matches!(kind, Kind::Denied(_)));
    is_right(policy, &summary)
}

/// Says what a rule of the repository denies in a text; `None` if there is nothing of it.
pub(super) fn denied_in(policy: &FilePolicy<'_>, summary: &Summary) -> Option<String> {
    let mut errors = policy.errors_of(&left_out(policy, summary)).into_owned();
    errors.found.retain(|kind, _| matches!(kind, Kind::Denied(_)));
    let kinds: Vec<_> =
        errors.found.iter().map(|(kind, count)| format!("{count} {}", kind.id())).collect();
    let total = errors.total();
    (total > 0).then(|| {
        format!("{} that a rule denies ({})", counted(total, "character"), kinds.join(", "))
    })
}

fn left_out(policy: &FilePolicy<'_>, summary: &Summary) -> Summary {
    let mut summary = summary.clone();
    policy.leave_out(&mut summary);
    summary
}
