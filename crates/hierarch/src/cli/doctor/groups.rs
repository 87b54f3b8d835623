//! Findings for people: each function, template and backend once, with the places where it is in the way.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::super::issues;
use super::{Finding, Obstacle};

/// More places of one subject than these are only counted.
const MOST_PLACES: usize = 5;

/// Writes all findings, then what the whole comes to, and how many there are of each kind.
pub(super) fn text(looked_at: usize, findings: &[Finding], whole: &str) -> String {
    let mut groups: BTreeMap<(Obstacle, &str), Vec<&Finding>> = BTreeMap::new();
    for finding in findings {
        groups.entry((finding.obstacle, &finding.subject)).or_default().push(finding);
    }
    let mut text = String::new();
    for findings in groups.values() {
        write_group(&mut text, findings);
    }
    text.push_str(whole);
    text.push_str(&summary(looked_at, findings));
    if findings.iter().any(|finding| finding.obstacle.has_way_out()) {
        text.push_str(issues::WAYS_OUT);
    }
    text
}

fn write_group(text: &mut String, findings: &[&Finding]) {
    let Some(first) = findings.first() else { return };
    let _ = writeln!(text, "{}", first.diagnostic.message);
    for finding in findings.iter().take(MOST_PLACES) {
        let _ = writeln!(text, "  {}", place(finding));
    }
    if findings.len() > MOST_PLACES {
        let _ = writeln!(text, "  and {} more", findings.len() - MOST_PLACES);
    }
    for note in &first.diagnostic.notes {
        let _ = writeln!(text, "  {}", note.text);
    }
    text.push('\n');
}

fn place(finding: &Finding) -> String {
    let file = finding.diagnostic.file().unwrap_or(&finding.file);
    match finding.diagnostic.position() {
        Some((line, Some(column))) => format!("{file}:{line}:{column}"),
        Some((line, None)) => format!("{file}:{line}"),
        None => file.to_owned(),
    }
}

fn summary(looked_at: usize, findings: &[Finding]) -> String {
    let files = if looked_at == 1 { "1 file".to_owned() } else { format!("{looked_at} files") };
    if findings.is_empty() {
        return format!("{files}: all can be evaluated natively");
    }
    let mut counts: BTreeMap<Obstacle, usize> = BTreeMap::new();
    for finding in findings {
        *counts.entry(finding.obstacle).or_default() += 1;
    }
    let counts: Vec<String> =
        counts.into_iter().map(|(obstacle, count)| format!("{}: {count}", obstacle.plural())).collect();
    format!("{files}; {}", counts.join(", "))
}

#[cfg(test)]
mod tests {
    use hierarch_source::{Diagnostic, Severity, Source, Span};

    use super::*;

    fn finding(subject: &str, line: u32) -> Finding {
        let source = Source::new("a.pp", "x\n".repeat(20));
        let diagnostic = Diagnostic::new(Severity::Error, "RUBY_FUNCTION", format!("{subject} is Ruby"));
        let start = (line - 1) * 2;
        let diagnostic = diagnostic.at(&source, Span::new(start, start + 1));
        Finding {
            obstacle: Obstacle::RubyFunction,
            subject: subject.to_owned(),
            diagnostic,
            file: "a.pp".to_owned(),
        }
    }

    #[test]
    fn each_function_stands_once() {
        let mut findings: Vec<Finding> = (1..=7).map(|line| finding("m::f", line)).collect();
        findings.push(finding("m::a", 9));
        let expected = "m::a is Ruby\n  a.pp:9:1\n\nm::f is Ruby\n  a.pp:1:1\n  a.pp:2:1\n  a.pp:3:1\n  a.pp:4:1\n  a.pp:5:1\n  \
                        and 2 more\n\n3 files; calls of Ruby functions that cannot be read: 8";
        assert_eq!(text(3, &findings, ""), format!("{expected}{}", issues::WAYS_OUT));
        assert_eq!(text(1, &[], "b\n"), "b\n1 file: all can be evaluated natively");
    }
}
