//! The list of cases that do not hold yet: it may only shrink.
//!
//! One entry a line, with its reason after `#`:
//! ```text
//! kind eval                     # the evaluator is not built yet
//! file lang/epp.jsonl           # …
//! case lang/strings.jsonl:17    # …
//! ```
//! An entry for a kind is valid only while nobody can judge that kind; an entry for a file or a case only while all that
//! it names fail. An entry that names nothing is an error as well.

use std::path::Path;

use super::{Case, judge_of};

/// One line of the list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Which cases it names.
    pub names: Names,
    /// The line as written, for messages.
    pub line: String,
}

/// What an entry names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Names {
    /// All cases of a kind.
    Kind(String),
    /// All cases of a file.
    File(String),
    /// One case.
    Case(String),
}

/// Reads a list.
pub fn parse(text: &str) -> Result<Vec<Entry>, String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(parse_line).collect()
}

fn parse_line(line: &str) -> Result<Entry, String> {
    let complain = |why: &str| format!("pending: `{line}`: {why}");
    let (what, reason) = line.split_once(" #").ok_or_else(|| complain("no reason given (after ` #`)"))?;
    if reason.trim().is_empty() {
        return Err(complain("the reason is empty"));
    }
    let (word, name) =
        what.trim().split_once(' ').ok_or_else(|| complain("expected `kind|file|case NAME`"))?;
    let name = name.trim().to_owned();
    let names = match word {
        "kind" => Names::Kind(name),
        "file" => Names::File(name),
        "case" => Names::Case(name),
        _ => return Err(complain("expected `kind`, `file` or `case`")),
    };
    Ok(Entry { names, line: line.to_owned() })
}

impl Entry {
    /// Tells whether it names a case; file names are relative to `root`.
    pub fn matches(&self, case: &Case, root: &Path) -> bool {
        match &self.names {
            Names::Kind(kind) => case.kind == *kind,
            Names::File(file) => case.file.strip_prefix(root).is_ok_and(|path| path == Path::new(file)),
            Names::Case(name) => case.name_below(root) == *name,
        }
    }

    /// Says what is wrong with the entry itself, whatever its cases do.
    pub fn complaint(&self, cases: &[Case], root: &Path) -> Option<String> {
        if !cases.iter().any(|case| self.matches(case, root)) {
            return Some(format!("`{}` names no case; delete it", self.line));
        }
        match &self.names {
            Names::Kind(kind) if judge_of(kind).is_some() => Some(format!(
                "`{}`: this kind is judged now; list the cases that still fail one by one instead",
                self.line
            )),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_names_a_kind_a_file_or_a_case() {
        let entries = parse("# note\n\nkind eval # a\nfile lang/a.jsonl # b\ncase lang/a.jsonl:3 # c\n");
        let names: Vec<Names> = entries.expect("good").into_iter().map(|entry| entry.names).collect();
        assert_eq!(
            names,
            [
                Names::Kind("eval".into()),
                Names::File("lang/a.jsonl".into()),
                Names::Case("lang/a.jsonl:3".into())
            ]
        );
    }

    #[test]
    fn an_entry_without_reason_or_of_unknown_form_is_refused() {
        for line in ["kind eval", "kind eval #", "kind # x", "folder lang # x"] {
            assert!(parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn an_entry_that_names_nothing_is_an_error() {
        let entry = parse("kind eval # soon").expect("good").remove(0);
        assert!(entry.complaint(&[], Path::new("")).is_some());
    }
}
