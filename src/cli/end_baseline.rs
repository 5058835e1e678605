//! The end of a run with a baseline: findings of files that no longer exist are reported, or the new baseline is
//! written.

use oxiconv_report::counted;
use oxiconv_report::visible_path;
use oxiconv_transcode::io::LastWords;

use super::baseline::{Baseline, ListedBaseline, RecordedBaseline};
use super::commit::complete_alone;
use super::config::Config;
use super::console::chain;
use super::files::FileArg;
use super::ordered_output::OrderedOutput;
use super::result_totals::Totals;
use super::run_report::RunReport;

pub(crate) fn end_baseline(
    baseline: &Baseline<'_>,
    config: &Config,
    report: RunReport<'_>,
    order: &OrderedOutput<'_>,
    totals: &mut Totals,
) {
    match baseline {
        Baseline::Compare(listed) => gone_with_files(listed, report, order, totals),
        Baseline::Write(recorded) => write(recorded, config, report, order, totals),
    }
}

fn gone_with_files(
    listed: &ListedBaseline,
    report: RunReport<'_>,
    order: &OrderedOutput<'_>,
    totals: &mut Totals,
) {
    for (path, gone) in listed.gone_with_files() {
        let mut out = order.next_output();
        report.gone_with_file(&mut out, &FileArg::output(&path), &gone);
        out.close();
        totals.counts.gone += gone.iter().map(|gone| gone.count).sum::<u64>();
    }
}

/// Writes the baseline, unless an error kept files from being read: their findings would be missing from it, and fail
/// the next run.
fn write(
    recorded: &RecordedBaseline<'_>,
    config: &Config,
    report: RunReport<'_>,
    order: &OrderedOutput<'_>,
    totals: &mut Totals,
) {
    let file = FileArg::output(recorded.path);
    let written = if totals.counts.errors > 0 {
        Err(anyhow::anyhow!("not written, because not every file could be read"))
    } else {
        recorded.file().and_then(|file| complete_alone(file, recorded.path, config, report, order))
    };
    let mut out = order.next_output();
    match written {
        Ok(()) => {
            LastWords::count();
            let (findings, files) = recorded.counts();
            let words = format!(
                "written with {} in {}",
                counted(findings, "finding"),
                counted(files, "file")
            );
            if !config.messages.quiet {
                report.note(&mut out, &file, &words);
            }
        }
        Err(error) => {
            let error = error.context(visible_path(recorded.path));
            report.error(&mut out, Some(&file), &chain(&error));
            totals.add_error();
        }
    }
    out.close();
}
