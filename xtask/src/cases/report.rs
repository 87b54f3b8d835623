//! What a run of cases prints: each difference and the count, or every case as JSON.

use std::io::{self, Write};

use serde_json::json;

use super::{Case, Verdict};

/// How many cases passed and failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Report {
    /// How many passed.
    pub passed: usize,
    /// How many failed.
    pub failed: usize,
}

impl Report {
    fn of(verdicts: &[Verdict]) -> Self {
        let passed = verdicts.iter().filter(|verdict| verdict.passed()).count();
        Self { passed, failed: verdicts.len() - passed }
    }
}

/// Prints each difference, then `N passed, N failed` on a line of its own.
pub fn write_text(out: &mut dyn Write, cases: &[Case], verdicts: &[Verdict]) -> io::Result<Report> {
    for (case, verdict) in cases.iter().zip(verdicts) {
        if let Verdict::Failed(difference) = verdict {
            writeln!(out, "{}:{}: {} ({})", case.file.display(), case.at, case.about, case.kind)?;
            for line in difference.lines() {
                writeln!(out, "    {line}")?;
            }
        }
    }
    let report = Report::of(verdicts);
    writeln!(out, "{} passed, {} failed", report.passed, report.failed)?;
    Ok(report)
}

/// Prints one JSON object: the counts, and every case with file, place, kind, name, verdict and difference.
pub fn write_json(out: &mut dyn Write, cases: &[Case], verdicts: &[Verdict]) -> io::Result<Report> {
    let report = Report::of(verdicts);
    let all: Vec<_> = cases
        .iter()
        .zip(verdicts)
        .map(|(case, verdict)| {
            let (word, difference) = match verdict {
                Verdict::Passed => ("passed", None),
                Verdict::Failed(difference) => ("failed", Some(difference)),
            };
            json!({"file": case.file.display().to_string(), "at": case.at, "kind": case.kind, "name": case.about,
                "verdict": word, "difference": difference})
        })
        .collect();
    writeln!(out, "{:#}", json!({"passed": report.passed, "failed": report.failed, "cases": all}))?;
    Ok(report)
}
