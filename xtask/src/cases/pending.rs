//! The two lists of cases that do not hold: `tests/pending` has what is not built yet and may only shrink, `tests/differs`
//! what is different on purpose.
//!
//! One entry a line, with its reason after `#`. A line `most N` says how many entries a list may have:
//! ```text
//! kind eval                     # the evaluator is not built yet
//! file lang/epp.jsonl           # …
//! case lang/strings.jsonl:17    # …
//! ```
//! An entry for a kind is valid only while nobody can judge that kind; an entry for a file or a case only while all that
//! it names fail. An entry that names nothing is an error as well.

use std::path::Path;

use super::{Case, Verdict, judge_of};

/// One line of the list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Which cases it names.
    pub names: Names,
    /// The line as written, for messages.
    pub line: String,
    /// Why.
    pub reason: String,
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

impl Names {
    /// Returns the name alone.
    pub fn text(&self) -> &str {
        match self {
            Self::Kind(name) | Self::File(name) | Self::Case(name) => name,
        }
    }
}

/// Reads a list.
pub fn parse(text: &str) -> Result<Vec<Entry>, String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let (bounds, lines): (Vec<_>, Vec<_>) = lines.partition(|line| line.starts_with("most "));
    let entries = lines.into_iter().map(parse_line).collect::<Result<Vec<_>, _>>()?;
    for bound in bounds {
        let most: usize = bound[5..].trim().parse().map_err(|_| format!("pending: `{bound}`: no number"))?;
        if entries.len() > most {
            return Err(format!("pending: {} entries, though at most {most} are allowed", entries.len()));
        }
    }
    Ok(entries)
}

/// The two lists, and what the runner calls their entries.
pub const LISTS: [(&str, &str); 2] = [("pending", "pending"), ("differs", "differs on purpose")];

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
    Ok(Entry { names, line: line.to_owned(), reason: reason.trim().to_owned() })
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

/// Returns the list as it must be: without the entries that no longer hold, and with every further case that fails
/// though its kind is judged. The reason given for such a case is what came instead; a better one is for people to write.
pub fn renewed(list: &str, cases: &[Case], verdicts: &[Verdict], root: &Path) -> String {
    let judged: Vec<(&Case, &Verdict)> = cases.iter().zip(verdicts).collect();
    let holds = |entry: &Entry| {
        let passes = |(case, verdict): &(&Case, &Verdict)| verdict.passed() && entry.matches(case, root);
        entry.complaint(cases, root).is_none() && !judged.iter().any(passes)
    };
    let mut kept = Vec::new();
    let mut out = String::new();
    for line in list.lines() {
        match parse_line(line.trim()) {
            Ok(entry) if !holds(&entry) => continue,
            Ok(entry) => kept.push(entry),
            // A note or an empty line.
            Err(_) => {}
        }
        out.push_str(line);
        out.push('\n');
    }
    for (case, verdict) in judged {
        let listed = kept.iter().any(|entry| entry.matches(case, root));
        if let (Verdict::Failed(difference), false) = (verdict, listed) {
            out.extend(["case ", &case.name_below(root), "  # ", &reason(difference), "\n"]);
        }
    }
    out
}

/// The last line of a difference is what came instead, unless it is known what is missing.
fn reason(difference: &str) -> String {
    const LONGEST: usize = 120;
    if let Some((_, name)) = difference.split_once("Unknown function: '") {
        return format!("waits for the function {}", name.split('\'').next().unwrap_or_default());
    }
    if difference.contains("needs a catalog") {
        return "waits for catalogs".to_owned();
    }
    let line = difference.lines().last().unwrap_or_default();
    line.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Arc;

    use serde_json::Map;

    use super::*;

    fn case(kind: &str, at: &str) -> Case {
        Case {
            file: PathBuf::from("cases/a.jsonl"),
            at: at.to_owned(),
            kind: kind.to_owned(),
            about: String::new(),
            fields: Map::new(),
            setting: Arc::default(),
        }
    }

    #[test]
    fn a_renewed_list_has_what_fails_and_nothing_else() {
        let cases = [case("parse", "1"), case("parse", "2"), case("parse", "3"), case("odd", "4")];
        let failed = || Verdict::failed("pn\n  expected: 1\n  got:      2");
        let verdicts = [Verdict::Passed, failed(), failed(), failed()];
        let list = "# note\nkind odd # later\nkind gone # x\ncase a.jsonl:1 # old\ncase a.jsonl:2 # known\n";
        assert_eq!(
            renewed(list, &cases, &verdicts, Path::new("cases")),
            "# note\nkind odd # later\ncase a.jsonl:2 # known\ncase a.jsonl:3  # got: 2\n"
        );
    }

    #[test]
    fn a_list_has_no_more_entries_than_it_may() {
        assert!(parse("most 1\nkind eval # a\n").is_ok());
        assert!(parse("most 1\nkind eval # a\nkind epp # b\n").is_err());
        assert!(parse("most x\n").is_err());
    }

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
