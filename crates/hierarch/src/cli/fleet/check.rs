//! `hierarch check`: whether data fit the code, and what in them is likely not meant.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use hierarch_fleet::{CODES, CheckReport, Finding, Severity, check};
use hierarch_source::nearest;

use super::super::arguments::SiteArguments;
use super::super::failure::Failure;
use super::super::issues;
use super::super::report::{print_text, warning_line};
use super::findings::{self, Form, Report};
use super::form::counted;
use super::nodes::{NodesArguments, ask, folder, is_nobody_asked, show_places, unanswered_text};

#[derive(Args)]
pub(crate) struct CheckArguments {
    /// Report only what concerns these files or folders; all are read
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    nodes: NodesArguments,
    #[command(flatten)]
    site: SiteArguments,
    /// Do not look for these codes; `--only HC101` looks for no others
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    skip: Vec<String>,
    /// Exit with 2 from this severity on
    #[arg(long, value_enum, default_value_t = FailOn::Error)]
    fail_on: FailOn,
    /// Report only files that differ from a revision (HEAD)
    #[cfg(feature = "git")]
    #[arg(long, value_name = "REV", num_args = 0..=1, require_equals = true, default_missing_value = "HEAD")]
    changed: Option<String>,
    /// How to print
    #[arg(long, alias = "format", value_enum, default_value_t = Form::Text)]
    render_as: Form,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    Error,
    Warning,
    Note,
}

/// The exit code for findings.
pub(super) const FOUND: u8 = 2;

pub(crate) fn run(arguments: &CheckArguments) -> Result<ExitCode, Failure> {
    super::start_asking()?;
    arguments.site.demand_repository()?;
    let (only, nodes) = arguments.split_only();
    known(only.iter().chain(&arguments.skip))?;
    let is_wanted = |code: &str| {
        let is_in = |list: &[String]| list.iter().any(|known| known.eq_ignore_ascii_case(code));
        (only.is_empty() || is_in(&only)) && !is_in(&arguments.skip)
    };
    let site = nodes.open(&arguments.site)?;
    let set = nodes.read_if_any(&arguments.site, &site)?;
    let mut checked = ask(&site, &set, nodes.compile, |fleet| check(fleet, &is_wanted));
    let is_reported = arguments.reported()?;
    checked.findings.retain(is_reported);
    let folder = folder(&site);
    let listed = listed(&checked.findings, &top(&arguments.site, &folder));
    let report = Report {
        suite: "check",
        text: &|| text(&checked, &folder),
        json: &|| checked.to_value(&folder),
        findings: &listed,
    };
    print_text(&report.rendered(arguments.render_as))?;
    show_places(&checked.unanswered);
    for warning in site.environment().take_warnings() {
        warning_line(&warning);
    }
    Ok(arguments.exit(&checked))
}

impl CheckArguments {
    /// Tells the codes of `--only` from its names of nodes.
    fn split_only(&self) -> (Vec<String>, NodesArguments) {
        let words = self.nodes.only.iter().flat_map(|word| word.split(','));
        let (codes, names): (Vec<&str>, Vec<&str>) = words.partition(|word| is_code(word));
        let owned = |list: Vec<&str>| list.into_iter().map(str::to_owned).collect();
        (owned(codes), NodesArguments { only: owned(names), ..self.nodes.clone() })
    }

    /// Returns what tells whether a finding is reported: one of the files that it may come of is chosen.
    fn reported(&self) -> Result<impl Fn(&Finding) -> bool, Failure> {
        let mut paths = Vec::new();
        for path in &self.paths {
            paths.push(std::fs::canonicalize(path).map_err(|error| Failure::io("find", path, &error))?);
        }
        let changed = self.changed_files()?;
        Ok(move |finding: &Finding| {
            // A note is told where it stands; what is wrong, wherever it may come from.
            let is_concerned = |file: &PathBuf| match finding.severity {
                Severity::Note => Path::new(&finding.file) == file,
                Severity::Warning | Severity::Error => finding.concerns(file),
            };
            let is_changed = changed.as_ref().is_none_or(|files| files.iter().any(is_concerned));
            (paths.is_empty() || paths.iter().any(|path| finding.concerns_part_of(path))) && is_changed
        })
    }

    #[cfg(feature = "git")]
    fn changed_files(&self) -> Result<Option<Vec<PathBuf>>, Failure> {
        let Some(revision) = &self.changed else { return Ok(None) };
        let opened = super::at::OpenRepository::around(&self.site)?;
        let old = opened.files_at(revision)?;
        let changes = hierarch_git::changes_to_disk(&old);
        Ok(Some(changes.iter().map(|change| opened.root.join(&change.path)).collect()))
    }

    #[cfg(not(feature = "git"))]
    fn changed_files(&self) -> Result<Option<Vec<PathBuf>>, Failure> {
        Ok(None)
    }

    fn exit(&self, checked: &CheckReport) -> ExitCode {
        let counts = |finding: &Finding| match self.fail_on {
            FailOn::Error => finding.severity == Severity::Error,
            FailOn::Warning => finding.severity != Severity::Note,
            FailOn::Note => true,
        };
        if !checked.unanswered.is_empty() && self.nodes.fail_on_unanswered {
            ExitCode::FAILURE
        } else if checked.findings.iter().any(counts) {
            ExitCode::from(FOUND)
        } else if is_nobody_asked(&checked.unanswered, checked.asked) {
            ExitCode::FAILURE
        } else {
            ExitCode::SUCCESS
        }
    }
}

fn is_code(word: &str) -> bool {
    let digits = word.strip_prefix("HC").or_else(|| word.strip_prefix("hc"));
    digits.is_some_and(|digits| digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

fn known<'c>(codes: impl Iterator<Item = &'c String>) -> Result<(), Failure> {
    for code in codes {
        if !CODES.iter().any(|known| known.name.eq_ignore_ascii_case(code)) {
            return Err(issues::no_such_code(code, &nearest(code, CODES.iter().map(|code| code.name))));
        }
    }
    Ok(())
}

/// Returns the folder that code hosts name files from: the top of the git repository, or the site's.
pub(super) fn top(site: &SiteArguments, folder: &str) -> String {
    #[cfg(feature = "git")]
    if let Ok(opened) = super::at::OpenRepository::around(site) {
        return opened.root.display().to_string();
    }
    let _ = site;
    folder.to_owned()
}

/// Returns findings as all forms take them.
fn listed(found: &[Finding], root: &str) -> Vec<findings::Finding> {
    let severity = |severity: Severity| match severity {
        Severity::Error => findings::Severity::Error,
        Severity::Warning => findings::Severity::Warning,
        Severity::Note => findings::Severity::Note,
    };
    let one = |finding: &Finding| findings::Finding {
        code: finding.code.to_owned(),
        severity: severity(finding.severity),
        message: finding.message.clone(),
        file: below(&finding.file, root).to_owned(),
        line: finding.line,
        column: finding.column,
    };
    found.iter().map(one).collect()
}

/// Names a file relative to a folder, if it lies in it.
pub(super) fn below<'p>(path: &'p str, folder: &str) -> &'p str {
    path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path)
}

fn text(checked: &CheckReport, folder: &str) -> String {
    let mut text = String::new();
    for finding in &checked.findings {
        let place = [finding.line, finding.column].into_iter().flatten().map(|number| format!(":{number}"));
        let place: String = place.collect();
        let (file, kind) = (below(&finding.file, folder), finding.severity.name());
        let _ = writeln!(text, "{file}{place}: {kind} {}: {}", finding.code, finding.message);
    }
    if checked.findings.is_empty() {
        text.push_str(&issues::nothing_found(checked.asked));
    } else {
        text.push_str(&summary(&checked.findings));
    }
    if !checked.left_out.is_empty() {
        text.push_str(&issues::needs_nodes(&checked.left_out.join(" ")));
    }
    text + &unanswered_text(&checked.unanswered, checked.asked)
}

fn summary(findings: &[Finding]) -> String {
    let count = |severity: Severity| findings.iter().filter(|finding| finding.severity == severity).count();
    let kinds = [Severity::Error, Severity::Warning, Severity::Note];
    let parts = kinds.into_iter().map(|kind| (count(kind), kind)).filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts.map(|(count, kind)| counted(count, kind.name())).collect();
    format!("{}\n", parts.join(", "))
}
