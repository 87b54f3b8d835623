//! Which issues a text has and where: codes and places are what callers of the library match on, and `codes.tsv` has them
//! as Puppet's parser and validator give them (`scripts/record-issue-codes` asks again).

use hierarch_source::{Diagnostic, Severity, Source};
use hierarch_syntax::{MOST_REPORTED, ValidateOptions, check, check_epp};

/// What Puppet says of each text: `CODE line:column, …`, a tab, the text.
const RECORDED: &str = include_str!("codes.tsv");

fn told(diagnostic: &Diagnostic) -> String {
    let severity = if diagnostic.severity == Severity::Error { "" } else { "warning " };
    let place = diagnostic.position().map_or_else(String::new, |(line, column)| {
        format!(" {line}:{}", column.map_or_else(String::new, |column| column.to_string()))
    });
    format!("{severity}{}{place}", diagnostic.code)
}

fn codes(text: &str) -> String {
    let checked = check(&Source::unnamed(text), &ValidateOptions::default());
    checked.diagnostics.iter().map(told).collect::<Vec<_>>().join(", ")
}

fn codes_of_template(text: &str) -> String {
    let checked = check_epp(&Source::unnamed(text), &ValidateOptions::default());
    checked.diagnostics.iter().map(told).collect::<Vec<_>>().join(", ")
}

#[test]
fn every_text_has_the_issues_that_puppet_finds_at_their_places() {
    let mut wrong = Vec::new();
    for line in RECORDED.lines() {
        let (expected, text) = line.split_once('\t').expect("codes, a tab, a text");
        let got = codes(text);
        if got != expected {
            wrong.push(format!("{text}\n  expected {expected}\n  got      {got}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn places_are_counted_in_lines_and_characters() {
    // A column counts characters, not bytes, and a carriage return belongs to the line before it.
    for (text, expected) in [
        ("\n\n$1 = 2", "ILLEGAL_NUMERIC_ASSIGNMENT 3:1"),
        ("# grüße\n  $1 = 2", "ILLEGAL_NUMERIC_ASSIGNMENT 2:3"),
        ("$x = 'ü' $1 = 2", "ILLEGAL_NUMERIC_ASSIGNMENT 1:10"),
        ("$x = '😀' $1 = 2", "ILLEGAL_NUMERIC_ASSIGNMENT 1:10"),
        ("$x = 1\r\n$1 = 2", "ILLEGAL_NUMERIC_ASSIGNMENT 2:1"),
        ("\t$1 = 2", "ILLEGAL_NUMERIC_ASSIGNMENT 1:2"),
    ] {
        assert_eq!(codes(text), expected, "{text:?}");
    }
}

#[test]
fn a_span_covers_what_is_wrong_and_nothing_else() {
    for (text, quoted) in [
        ("$ok = 1\n$1 = 2\n", "$1"),
        ("class a { $x = 1 + 2\n $a::b = 3 }", "$a::b"),
        ("$x = {a => 1, 'a' => 2}", "=>"),
        ("case 1 { default: {} default: {} }", "default"),
        ("define d($title) {}", "$title"),
    ] {
        let checked = check(&Source::unnamed(text), &ValidateOptions::default());
        let place = checked.diagnostics[0].place.as_ref().expect(text);
        let (start, end) = (place.span.start as usize, place.span.end as usize);
        assert_eq!(&text[start..end], quoted, "{text}");
    }
}

#[test]
fn all_issues_are_reported_up_to_as_many_as_puppet_reports() {
    for count in [1, 2, MOST_REPORTED, MOST_REPORTED + 5] {
        let text = "$1 = 2\n".repeat(count);
        let checked = check(&Source::unnamed(text), &ValidateOptions::default());
        assert_eq!(checked.errors().count(), count);
        let failure = checked.failure().expect("there are errors");
        if count == 1 {
            assert_eq!(failure.code, "ILLEGAL_NUMERIC_ASSIGNMENT");
        } else {
            assert!(failure.message.contains(&format!("{count} errors")), "{}", failure.message);
        }
    }
}

#[test]
fn a_syntax_error_ends_the_reading() {
    // What stands before it is right by itself, so that only one thing is told.
    let checked = check(&Source::unnamed("$1 = 2\n$2 = 3\n)"), &ValidateOptions::default());
    assert!(checked.program.is_none());
    assert_eq!(checked.diagnostics.iter().map(told).collect::<Vec<_>>(), ["SYNTAX_ERROR 3:1"]);
}

#[test]
fn a_program_with_issues_can_still_be_looked_at() {
    let checked = check(&Source::unnamed("$1 = 2\n$x = 3"), &ValidateOptions::default());
    assert!(checked.program.is_some());
    assert_eq!(checked.errors().count(), 1);
    assert_eq!(checked.warnings().count(), 0);
}

#[test]
fn templates_have_issues_at_their_places_too() {
    // Recorded from Puppet's parser and validator of templates.
    for (text, expected) in [
        ("a <%= $x %> b", ""),
        ("a\n<% $1 = 2 %>", "ILLEGAL_NUMERIC_ASSIGNMENT 2:4"),
        ("<%- |$a| -%><%= $a %>", ""),
        ("a <%", "EPP_UNBALANCED_EXPRESSION 1:5"),
        ("a <%= 1", "EPP_UNBALANCED_TAG 1:8"),
        ("<%# a", "EPP_UNBALANCED_COMMENT 1:3"),
        ("a <%-", "EPP_UNBALANCED_TAG 1:6"),
        ("<% $x = 1", "EPP_UNBALANCED_TAG 1:10"),
        ("<%- |$1| -%>a", "ILLEGAL_NUMERIC_PARAMETER 1:6, ILLEGAL_PARAM_NAME 1:6"),
        ("x\n\n<%= class a { } %>", "NOT_RVALUE 3:5, NOT_TOP_LEVEL 3:5"),
        ("<%= 1 %><% } %>", "SYNTAX_ERROR 1:12"),
        ("<% if true { %>a", "SYNTAX_ERROR"),
    ] {
        assert_eq!(codes_of_template(text), expected, "{text}");
    }
}
