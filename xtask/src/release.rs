//! `cargo xtask release`: everything is checked and made, and how conformant it is stands in README and release notes, from the
//! run itself.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use crate::cases::{self, Case, Verdict, pending};
use crate::tidy::repository;
use crate::{check, dist, figures};

/// How the cases of one part ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Score {
    /// Answered as the original did.
    pub passed: usize,
    /// Answered otherwise on purpose.
    pub differs: usize,
    /// Not built yet.
    pub pending: usize,
    /// Failed, and on no list.
    pub failed: usize,
}

/// The parts that cases are recorded for, and who answered them first.
const PARTS: &[(&str, &str)] = &[
    ("hiera", "Hiera 5 (Puppet 8.10)"),
    ("lang", "the Puppet language and catalogs (Puppet 8.10)"),
    ("ruby", "Ruby of modules and templates (Ruby 3.3, Puppet 8.10)"),
    ("directives", "merge directives (Unfurl 1.2)"),
    ("expressions", "expressions (Unfurl 1.2)"),
    ("templates", "Jinja2 templates (Ansible 2.15)"),
];

/// Where the score stands in README.
const BEGIN: &str = "<!-- conformance: written by `cargo xtask release --score` -->";
const END: &str = "<!-- /conformance -->";

/// How much is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// Only the score.
    Score,
    /// Everything but the check, which has passed before.
    Checked,
    /// Everything.
    Whole,
}

/// Checks everything, makes the release and writes the score. Tells whether all holds.
pub fn release(target: Option<&str>, folder: &Path, extent: Extent, out: &mut dyn Write) -> io::Result<bool> {
    let scores = scores()?;
    let table = table(&scores);
    write!(out, "{table}")?;
    let holds = scores.values().all(|score| score.failed == 0);
    write_readme(&table)?;
    if extent == Extent::Score || !holds {
        return Ok(holds);
    }
    if extent == Extent::Whole && !check::check(out)? {
        return Ok(false);
    }
    let release = dist::Release::new(target, folder, "dist")?;
    dist::dist(&release, out)?;
    if !compare_figures(&release.program(), out)? {
        return Ok(false);
    }
    figures::keep(&release.program())?;
    let sums = repository().join(SUMS);
    let known = fs::read_to_string(&sums)?;
    fs::write(&sums, with_sums(&known, &fs::read_to_string(folder.join("SHA256SUMS"))?))?;
    writeln!(out, "renewed {}", sums.display())?;
    let notes = folder.join("RELEASE-NOTES.md");
    fs::write(&notes, notes_text(&table, &release.program())?)?;
    writeln!(out, "made {}", notes.display())?;
    Ok(true)
}

/// Runs all recorded cases and counts how they end, by part.
fn scores() -> io::Result<BTreeMap<String, Score>> {
    let tests = repository().join("tests");
    let root = tests.join("cases");
    let found = cases::load(&root);
    let verdicts = cases::run_all(&found);
    let list = |name: &str| {
        let text = fs::read_to_string(tests.join(name))?;
        pending::parse(&text).map_err(io::Error::other)
    };
    Ok(counted(&found, &verdicts, (&list("pending")?, &list("differs")?), &root))
}

fn counted(
    found: &[Case],
    verdicts: &[Verdict],
    (pending, differs): (&[pending::Entry], &[pending::Entry]),
    root: &Path,
) -> BTreeMap<String, Score> {
    let mut scores: BTreeMap<String, Score> = BTreeMap::new();
    for (case, verdict) in found.iter().zip(verdicts) {
        let name = case.name_below(root);
        let part = name.split('/').next().unwrap_or_default().to_owned();
        let score = scores.entry(part).or_default();
        let is_in = |list: &[pending::Entry]| list.iter().any(|entry| entry.matches(case, root));
        let count = if verdict.passed() && !case.wants_our_own() {
            &mut score.passed
        } else if verdict.passed() || is_in(differs) {
            &mut score.differs
        } else if is_in(pending) {
            &mut score.pending
        } else {
            &mut score.failed
        };
        *count += 1;
    }
    scores
}

/// The archives that the GitHub Action may run.
const SUMS: &str = "packaging/action/sums";

/// Puts the sums of new archives into the list of the Action; those of older releases stay.
fn with_sums(known: &str, new: &str) -> String {
    let name = |line: &str| line.split_whitespace().nth(1).unwrap_or_default().to_owned();
    let new: Vec<&str> = new.lines().filter(|line| name(line).ends_with(".tar.gz")).collect();
    let stays = |line: &&str| line.starts_with('#') || !new.iter().any(|other| name(other) == name(line));
    let lines: Vec<&str> = known.lines().filter(stays).chain(new.iter().copied()).collect();
    lines.join("\n") + "\n"
}

/// Writes the score as a table of Markdown.
fn table(scores: &BTreeMap<String, Score>) -> String {
    let mut text = String::from(
        "| part | asked | the same | different on purpose | pending |\n| --- | ---: | ---: | ---: | ---: |\n",
    );
    let mut all = Score::default();
    for (part, score) in scores {
        let name = PARTS.iter().find(|(known, _)| known == part).map_or(part.as_str(), |(_, name)| name);
        row(&mut text, name, *score);
        all.passed += score.passed;
        all.differs += score.differs;
        all.pending += score.pending;
        all.failed += score.failed;
    }
    row(&mut text, "all", all);
    text
}

fn row(text: &mut String, name: &str, score: Score) {
    let Score { passed, differs, pending, failed } = score;
    let asked = passed + differs + pending + failed;
    let failed = if failed == 0 { String::new() } else { format!(" **{failed} failed**") };
    let _ = writeln!(text, "| {name} | {asked} | {passed} | {differs} | {pending}{failed} |");
}

fn write_readme(table: &str) -> io::Result<()> {
    let path = repository().join("README.md");
    let text = fs::read_to_string(&path)?;
    let new =
        with_table(&text, table).ok_or_else(|| io::Error::other("README.md has no place for the score"))?;
    if new == text { Ok(()) } else { fs::write(path, new) }
}

/// Puts a table between the two marks.
fn with_table(text: &str, table: &str) -> Option<String> {
    let begin = text.find(BEGIN)? + BEGIN.len();
    let end = begin + text[begin..].find(END)?;
    Some(format!("{}\n{table}{}", &text[..begin], &text[end..]))
}

/// What the notes of a release say: what is new, the score, size and start.
fn notes_text(table: &str, program: &Path) -> io::Result<String> {
    let (version, figures) = (dist::version(), figures::Figures::measure(program)?.text());
    Ok(format!(
        "# Hierarch {version}\n\n{}\n## Conformance\n\n{table}\n## The program\n\n{figures}\n",
        newest(&changes()?)
    ))
}

/// Compares a program with the last release; the newest section of the changelog explains what grew.
pub fn compare_figures(program: &Path, out: &mut dyn Write) -> io::Result<bool> {
    figures::compare(program, newest(&changes()?), out)
}

fn changes() -> io::Result<String> {
    fs::read_to_string(repository().join("CHANGELOG.md"))
}

/// Returns the first section of the changelog.
fn newest(changes: &str) -> &str {
    let Some(start) = changes.find("\n## ") else { return changes };
    let rest = &changes[start + 1..];
    rest.find("\n## ").map_or(rest, |end| &rest[..=end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_score_replaces_the_one_before() {
        let text = format!("a\n{BEGIN}\nold\n{END}\nb\n");
        let new = with_table(&text, "new\n").expect("marks");
        assert_eq!(new, format!("a\n{BEGIN}\nnew\n{END}\nb\n"));
        assert_eq!(with_table(&new, "new\n").as_deref(), Some(new.as_str()));
        assert_eq!(with_table("no marks", "x"), None);
    }

    #[test]
    fn sums_of_archives_are_renewed_and_those_of_older_releases_stay() {
        let known = "# sums\n1  hierarch-0.1.0-a.tar.gz\n2  hierarch-0.2.0-a.tar.gz\n";
        let new = "3  hierarch-0.2.0-a.tar.gz\n4  hierarch_0.2.0.deb\n5  hierarch-0.2.0-b.tar.gz\n";
        let all =
            "# sums\n1  hierarch-0.1.0-a.tar.gz\n3  hierarch-0.2.0-a.tar.gz\n5  hierarch-0.2.0-b.tar.gz\n";
        assert_eq!(with_sums(known, new), all);
        assert_eq!(with_sums(all, new), all);
    }

    #[test]
    fn failures_show() {
        let score = Score { passed: 3, differs: 1, pending: 2, failed: 1 };
        let table = table(&BTreeMap::from([("hiera".to_owned(), score)]));
        assert!(table.contains("| Hiera 5 (Puppet 8.10) | 7 | 3 | 1 | 2 **1 failed** |"), "{table}");
    }

    #[test]
    fn the_newest_changes_are_the_first_section() {
        assert_eq!(newest("# C\n\n## 2\n- x\n\n## 1\n- y\n"), "## 2\n- x\n\n");
    }

    #[test]
    fn readme_has_a_place_for_the_score() {
        let text = fs::read_to_string(repository().join("README.md")).expect("README.md");
        assert!(with_table(&text, "").is_some());
    }
}
