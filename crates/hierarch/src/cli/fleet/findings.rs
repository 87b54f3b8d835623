//! Findings in the forms that code hosts read: GitHub's annotations, SARIF, Code Climate, JUnit, and Markdown.

use std::fmt::Write as _;

use clap::ValueEnum;
use hierarch_pcore::Value;
use serde_json::{Value as Json, json};

use super::form::csv_field;

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Severity {
    Error,
    Warning,
    Note,
}

impl Severity {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// Something that is said about a place.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    /// The rule: `impact`, `HC101`, `unused-key`.
    pub(crate) code: String,
    pub(crate) severity: Severity,
    pub(crate) message: String,
    /// The file, relative to the repository's folder; empty where there is none.
    pub(crate) file: String,
    pub(crate) line: Option<u32>,
    pub(crate) column: Option<u32>,
}

/// How findings are printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// For people
    Text,
    /// One object
    Json,
    /// An object a line
    Jsonl,
    /// Columns: code, severity, file, line, column, message
    Csv,
    /// For a comment in a merge request
    Markdown,
    /// Annotations for GitHub's checks
    Github,
    /// A SARIF log
    Sarif,
    /// A report of Code Climate, for GitLab
    Codeclimate,
    /// A JUnit report
    Junit,
}

/// What a command found, in each form that differs from command to command.
pub(crate) struct Report<'r> {
    /// The command.
    pub(crate) suite: &'static str,
    pub(crate) text: &'r dyn Fn() -> String,
    pub(crate) json: &'r dyn Fn() -> Value,
    /// The findings, files named from the top of the repository.
    pub(crate) findings: &'r [Finding],
}

impl Report<'_> {
    /// Returns the report in a form.
    pub(crate) fn rendered(&self, form: Form) -> String {
        match form {
            Form::Text => (self.text)(),
            Form::Json => format!("{}\n", (self.json)().to_json()),
            Form::Jsonl => self.findings.iter().map(|finding| format!("{}\n", object(finding))).collect(),
            Form::Csv => csv(self.findings),
            Form::Markdown => markdown(self.findings),
            Form::Github => github(self.findings),
            Form::Sarif => format!("{:#}\n", sarif(self.findings)),
            Form::Codeclimate => format!("{:#}\n", codeclimate(self.findings)),
            Form::Junit => junit(self.suite, self.findings),
        }
    }
}

fn object(finding: &Finding) -> Json {
    json!({
        "code": finding.code, "severity": finding.severity.name(), "message": finding.message,
        "file": finding.file, "line": finding.line, "column": finding.column,
    })
}

fn csv(findings: &[Finding]) -> String {
    let number = |number: Option<u32>| number.map_or_else(String::new, |number| number.to_string());
    let row = |finding: &Finding| {
        let fields = [
            csv_field(&finding.code),
            finding.severity.name().to_owned(),
            csv_field(&finding.file),
            number(finding.line),
            number(finding.column),
            csv_field(&finding.message),
        ];
        fields.join(",") + "\n"
    };
    let head = "code,severity,file,line,column,message\n".to_owned();
    std::iter::once(head).chain(findings.iter().map(row)).collect()
}

fn markdown(findings: &[Finding]) -> String {
    if findings.is_empty() {
        return "Nothing was found.\n".to_owned();
    }
    let mut text = String::from("| where | what | |\n|---|---|---|\n");
    for finding in findings {
        let line = finding.line.map_or_else(String::new, |line| format!(":{line}"));
        let place = code_span(&format!("{}{line}", finding.file));
        let message = finding.message.replace('\n', " ").replace('|', "\\|").replace('<', "&lt;");
        let _ = writeln!(text, "| {place} | {} {} | {message} |", finding.severity.name(), finding.code);
    }
    text
}

/// Returns workflow commands of GitHub.
pub(crate) fn github(findings: &[Finding]) -> String {
    let mut text = String::new();
    for finding in findings {
        let word = if finding.severity == Severity::Note { "notice" } else { finding.severity.name() };
        let mut place = String::new();
        if !finding.file.is_empty() {
            let _ = write!(place, "file={},", escaped_property(&finding.file));
        }
        for (name, number) in [("line", finding.line), ("col", finding.column)] {
            if let Some(number) = number {
                let _ = write!(place, "{name}={number},");
            }
        }
        let title = escaped_property(&finding.code);
        let _ = writeln!(text, "::{word} {place}title={title}::{}", escaped_data(&finding.message));
    }
    text
}

fn escaped_data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn escaped_property(text: &str) -> String {
    escaped_data(text).replace(':', "%3A").replace(',', "%2C")
}

/// Returns a SARIF log.
pub(crate) fn sarif(findings: &[Finding]) -> Json {
    let mut rules: Vec<&str> = findings.iter().map(|finding| finding.code.as_str()).collect();
    rules.sort_unstable();
    rules.dedup();
    let rules: Vec<Json> = rules.into_iter().map(|id| json!({"id": id})).collect();
    let results: Vec<Json> = findings.iter().map(sarif_result).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "hierarch", "version": env!("CARGO_PKG_VERSION"), "rules": rules}},
            "results": results,
        }],
    })
}

fn sarif_result(finding: &Finding) -> Json {
    let mut result = json!({
        "ruleId": finding.code,
        "level": finding.severity.name(),
        "message": {"text": finding.message},
    });
    if !finding.file.is_empty() {
        let mut place = json!({"artifactLocation": {"uri": finding.file}});
        if let Some(line) = finding.line {
            place["region"] = json!({"startLine": line, "startColumn": finding.column.unwrap_or(1)});
        }
        result["locations"] = json!([{"physicalLocation": place}]);
    }
    result
}

/// Returns a report of Code Climate, which GitLab shows in merge requests.
pub(crate) fn codeclimate(findings: &[Finding]) -> Json {
    let issue = |finding: &Finding| {
        let severity = match finding.severity {
            Severity::Error => "major",
            Severity::Warning => "minor",
            Severity::Note => "info",
        };
        let identity =
            format!("{}\n{}\n{}\n{}", finding.code, finding.file, finding.line.unwrap_or(0), finding.message);
        json!({
            "type": "issue",
            "check_name": finding.code,
            "description": finding.message,
            "categories": ["Bug Risk"],
            "severity": severity,
            "fingerprint": format!("{:016x}", fingerprint(&identity)),
            "location": {"path": finding.file, "lines": {"begin": finding.line.unwrap_or(1)}},
        })
    };
    Json::Array(findings.iter().map(issue).collect())
}

/// Returns a number that stays the same from run to run: FNV-1a.
fn fingerprint(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Returns a JUnit report: each finding is a failed test, nothing found is one that passed.
pub(crate) fn junit(suite: &str, findings: &[Finding]) -> String {
    let count = findings.len();
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        text,
        "<testsuites>\n  <testsuite name=\"{suite}\" tests=\"{}\" failures=\"{count}\">",
        count.max(1)
    );
    if findings.is_empty() {
        let _ = writeln!(text, "    <testcase classname=\"{suite}\" name=\"nothing found\"/>");
    }
    for finding in findings {
        let line = finding.line.map_or_else(String::new, |line| format!(":{line}"));
        let name = xml(&format!("{} {}{line}", finding.code, finding.file));
        let (kind, message) = (finding.severity.name(), xml(&finding.message));
        let _ = writeln!(
            text,
            "    <testcase classname=\"{suite}\" name=\"{name}\"><failure type=\"{kind}\" message=\"{message}\"/></testcase>"
        );
    }
    text + "  </testsuite>\n</testsuites>\n"
}

fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            // XML has no way to write other control characters.
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Returns text that Markdown shows as it is, on one line of a table or list.
pub(crate) fn code_span(text: &str) -> String {
    let text = text.replace('\n', " ").replace('|', "\\|");
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding() -> Finding {
        Finding {
            code: "impact".to_owned(),
            severity: Severity::Warning,
            message: "a: 1 -> \"2\"\n100% <b>".to_owned(),
            file: "data/a,b.yaml".to_owned(),
            line: Some(3),
            column: None,
        }
    }

    #[test]
    fn each_form_escapes_what_it_must() {
        let some = [finding()];
        assert_eq!(
            github(&some),
            "::warning file=data/a%2Cb.yaml,line=3,title=impact::a: 1 -> \"2\"%0A100%25 <b>\n"
        );
        let junit = junit("impact", &some);
        assert!(junit.contains("message=\"a: 1 -&gt; &quot;2&quot;&#10;100% &lt;b&gt;\""), "{junit}");
        let sarif = sarif(&some);
        assert_eq!(
            sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"],
            3
        );
        let climate = codeclimate(&some);
        assert_eq!(climate[0]["location"]["lines"]["begin"], 3);
        assert_eq!(climate[0]["fingerprint"], codeclimate(&some)[0]["fingerprint"]);
        assert_eq!(code_span("a`b|"), "``a`b\\|``");
    }

    #[test]
    fn nothing_found_is_a_test_that_passed() {
        assert!(junit("check", &[]).contains("tests=\"1\" failures=\"0\""));
        assert_eq!(github(&[]), "");
    }
}
