//! Diagnostics on standard error and, for machines, on standard output.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use clap::ValueEnum;
use hierarch_source::{Diagnostic, Place, Severity, Style};
use serde_json::{Map, Value as Json, json};

use super::failure::{Failure, Stop};
use crate::cli::issues;

/// The exit code for no match, differences and findings, of all commands that have no original.
pub(crate) const NO_MATCH: u8 = 2;

/// How problems are reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ReportFormat {
    /// Puppet's lines on standard error; on a terminal, each with its source line
    Text,
    /// With the source line even where there is no terminal
    Full,
    /// A JSON list on standard output
    Json,
    /// Annotations for GitHub's checks, on standard output
    Github,
    /// A SARIF log on standard output
    Sarif,
}

impl ReportFormat {
    /// Tells whether it is text for people, in Puppet's words and order.
    pub(crate) fn is_for_people(self) -> bool {
        matches!(self, Self::Text | Self::Full)
    }
}

/// One problem, and how Puppet would introduce it.
pub(crate) struct Problem {
    pub(crate) diagnostic: Diagnostic,
    /// Puppet's words in front: an error that ends a file is introduced, one of several is not.
    pub(crate) prefix: &'static str,
    /// The file, for problems that have no place in it.
    pub(crate) file: Option<String>,
}

impl Problem {
    fn line(&self) -> String {
        let text = format!("{}{}", self.prefix, self.diagnostic);
        match (&self.diagnostic.place, &self.file) {
            (None, Some(file)) => format!("{text} (file: {file})"),
            _ => text,
        }
    }

    fn file(&self) -> Option<&str> {
        self.diagnostic.file().or(self.file.as_deref())
    }
}

/// Reports problems in the order given.
pub(crate) fn report(problems: &[Problem], format: ReportFormat) -> Result<(), Failure> {
    match format {
        ReportFormat::Text | ReportFormat::Full => {
            let excerpts = format == ReportFormat::Full || io::stderr().is_terminal();
            for problem in problems {
                to_standard_error(problem, excerpts);
            }
            Ok(())
        }
        ReportFormat::Json => print(&json_list(problems)),
        ReportFormat::Github => problems.iter().try_for_each(|problem| print(&github(problem))),
        ReportFormat::Sarif => print(&sarif(problems)),
    }
}

/// Ends a command: reports what is wrong in a document, and hands on what failed otherwise.
pub(crate) fn finish(outcome: Result<ExitCode, Stop>, format: ReportFormat) -> Result<ExitCode, Failure> {
    let (error, code) = match outcome {
        Ok(code) => return Ok(code),
        Err(Stop::Failure(failure)) if format.is_for_people() => return Err(failure),
        Err(Stop::Failure(failure)) => (issues::failure(&failure), ExitCode::FAILURE),
        Err(Stop::Problem(error)) => (error, ExitCode::FAILURE),
        Err(Stop::Absent(error)) => (error, ExitCode::from(NO_MATCH)),
    };
    report(&[Problem { diagnostic: error.into_diagnostic(), prefix: "", file: None }], format)?;
    Ok(code)
}

/// Makes sure that there is somewhere to print to, before anything is done.
#[cfg(unix)]
pub(crate) fn check_output() -> Result<(), Failure> {
    use rustix::fs::{OFlags, fcntl_getfl};
    match fcntl_getfl(io::stdout()) {
        Ok(flags) if flags & OFlags::ACCMODE == OFlags::RDONLY => Err(super::issues::closed_output()),
        _ => Ok(()),
    }
}

/// Makes sure that there is somewhere to print to; here the system itself does.
#[cfg(not(unix))]
pub(crate) fn check_output() -> Result<(), Failure> {
    Ok(())
}

/// Prints a text that ends its own lines.
pub(crate) fn print_text(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    Ok(out.write_all(text.as_bytes()).and_then(|()| out.flush())?)
}

/// Prints one line of output.
pub(crate) fn print(text: &impl std::fmt::Display) -> Result<(), Failure> {
    Ok(writeln!(io::stdout().lock(), "{text}")?)
}

/// Prints an error to standard error, as Puppet logs one.
pub(crate) fn error_line(text: &str) {
    log_line(Severity::Error, text);
}

/// Prints a warning to standard error, as Puppet logs one.
pub(crate) fn warning_line(text: &str) {
    log_line(Severity::Warning, text);
}

/// Prints a line to standard error that is not a complaint.
pub(crate) fn message(text: &str) {
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// Prints a hint to standard error.
pub(crate) fn note(text: &str) {
    let _ = writeln!(anstream::stderr(), "Note: {text}");
}

/// Prints a remark to standard error.
pub(crate) fn note_line(text: &str) {
    let _ = writeln!(anstream::stderr(), "Trace: {text}");
}

fn log_line(severity: Severity, text: &str) {
    let (word, colour) = match severity {
        Severity::Error => ("Error", "\u{1b}[1;31m"),
        Severity::Warning => ("Warning", "\u{1b}[1;33m"),
    };
    let _ = writeln!(anstream::stderr(), "{colour}{word}: {text}\u{1b}[0m");
}

fn to_standard_error(problem: &Problem, excerpts: bool) {
    log_line(problem.diagnostic.severity, &problem.line());
    below(&problem.diagnostic, excerpts);
}

/// Prints what belongs below the words of a diagnostic: its hints and, on a terminal, its source line.
pub(crate) fn show_below(diagnostic: &Diagnostic) {
    below(diagnostic, io::stderr().is_terminal());
}

/// Shows a place that the words above do not name: with its line on a terminal, else by its name.
pub(crate) fn show_unnamed(place: &Place) {
    if io::stderr().is_terminal() { show_lines([place]) } else { note(&place.to_string()) }
}

/// Shows lines of files on a terminal, each once.
pub(crate) fn show_lines<'p>(places: impl IntoIterator<Item = &'p Place>) {
    if !io::stderr().is_terminal() {
        return;
    }
    let mut shown = BTreeSet::new();
    for place in places {
        if shown.insert((place.source.name(), place.span.start)) {
            let excerpt = Some(place.clone());
            below(&Diagnostic { excerpt, ..Diagnostic::new(Severity::Error, "", "") }, true);
        }
    }
}

fn below(diagnostic: &Diagnostic, excerpts: bool) {
    if excerpts && (diagnostic.shown_place().is_some() || !diagnostic.notes.is_empty()) {
        // The line above has said the words already, which may be several lines.
        let report = Diagnostic { message: String::new(), ..diagnostic.clone() }.render(Style::Colour);
        let rest = report.split_once('\n').map_or("", |(_, rest)| rest);
        let _ = writeln!(anstream::stderr(), "{rest}");
    } else {
        diagnostic.notes.iter().for_each(|hint| note(&hint.text));
    }
}

fn json_list(problems: &[Problem]) -> Json {
    let objects = problems.iter().map(|problem| {
        let mut object = problem.diagnostic.to_json();
        if let (Json::Object(object), None, Some(file)) =
            (&mut object, &problem.diagnostic.place, problem.file())
        {
            object.insert("file".into(), file.into());
        }
        object
    });
    Json::Array(objects.collect())
}

/// One workflow command; its own separators are escaped in data and properties.
fn github(problem: &Problem) -> String {
    let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    let mut properties = Vec::new();
    properties.extend(problem.file().map(|file| format!("file={}", property(file))));
    if let Some((line, column)) = problem.diagnostic.position() {
        properties.push(format!("line={line}"));
        properties.extend(column.map(|column| format!("col={column}")));
    }
    if !problem.diagnostic.code.is_empty() {
        properties.push(format!("title={}", problem.diagnostic.code));
    }
    let space = if properties.is_empty() { "" } else { " " };
    let (kind, message) = (problem.diagnostic.severity.word(), data(&problem.diagnostic.message));
    format!("::{kind}{space}{}::{message}", properties.join(","))
}

fn sarif(problems: &[Problem]) -> Json {
    let results: Vec<Json> = problems.iter().map(sarif_result).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "hierarch", "version": env!("CARGO_PKG_VERSION")}},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn sarif_result(problem: &Problem) -> Json {
    let diagnostic = &problem.diagnostic;
    let mut result = Map::new();
    if !diagnostic.code.is_empty() {
        result.insert("ruleId".into(), diagnostic.code.into());
    }
    result.insert("level".into(), diagnostic.severity.word().into());
    result.insert("message".into(), json!({"text": diagnostic.message}));
    if let Some(file) = problem.file() {
        let mut location = json!({"artifactLocation": {"uri": file}});
        if let Some((line, column)) = diagnostic.position() {
            location["region"] = json!({"startLine": line});
            if let Some(column) = column {
                location["region"]["startColumn"] = column.into();
            }
        }
        result.insert("locations".into(), json!([{"physicalLocation": location}]));
    }
    Json::Object(result)
}

/// Returns a place as messages name it.
pub(crate) fn place_text(place: &Place) -> String {
    let (line, column) = place.position();
    format!("{}:{line}:{}", place.source.name().unwrap_or("-"), column.unwrap_or(1))
}

#[cfg(test)]
mod tests {
    use hierarch_source::{Source, Span};

    use super::*;

    fn problem() -> Problem {
        let source = Source::new("a,b.pp", "x\ny z");
        let diagnostic =
            Diagnostic::new(Severity::Error, "CODE", "50% bad\nreally").at(&source, Span::new(4, 5));
        Problem { diagnostic, prefix: "Could not parse: ", file: None }
    }

    #[test]
    fn a_line_is_puppets() {
        assert_eq!(problem().line(), "Could not parse: 50% bad\nreally (file: a,b.pp, line: 2, column: 3)");
        let placeless = Diagnostic::new(Severity::Error, "", "bad");
        let placeless = Problem { diagnostic: placeless, prefix: "", file: Some("a.pp".into()) };
        assert_eq!(placeless.line(), "bad (file: a.pp)");
    }

    #[test]
    fn github_separators_are_escaped() {
        assert_eq!(github(&problem()), "::error file=a%2Cb.pp,line=2,col=3,title=CODE::50%25 bad%0Areally");
    }

    #[test]
    fn sarif_names_rule_and_region() {
        let result = &sarif(&[problem()])["runs"][0]["results"][0];
        assert_eq!(result["ruleId"], "CODE");
        let region = &result["locations"][0]["physicalLocation"]["region"];
        assert_eq!(region, &json!({"startLine": 2, "startColumn": 3}));
    }
}
