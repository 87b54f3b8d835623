//! The pages that are made of tables in the code and of lists; a test tells when one is not current.

use std::{fs, io};

use crate::cases::pending;
use crate::tidy::repository;

/// The name of each page below the repository, and what stands in it.
pub fn pages() -> [(&'static str, String); 2] {
    [("docs/functions.md", hierarch_functions::reference::page()), ("COMPATIBILITY.md", compatibility())]
}

/// Writes all pages.
pub fn write() -> io::Result<()> {
    for (name, text) in pages() {
        fs::write(repository().join(name), text)?;
    }
    Ok(())
}

const BEGIN: &str = "<!-- differs -->\n";
const END: &str = "<!-- /differs -->";

/// Returns COMPATIBILITY.md with its list of recorded cases made anew.
fn compatibility() -> String {
    let read = |name: &str| fs::read_to_string(repository().join(name)).unwrap_or_default();
    let page = read("COMPATIBILITY.md");
    let list = pending::parse(&read("tests/differs")).map(|entries| table(&entries)).unwrap_or_default();
    let (Some(start), Some(end)) = (page.find(BEGIN), page.find(END)) else { return page };
    format!("{}{list}{}", &page[..start + BEGIN.len()], &page[end..])
}

/// Returns a table of reasons with the cases that they hold for, in the order of the list.
fn table(entries: &[pending::Entry]) -> String {
    let mut rows: Vec<(&str, Vec<String>)> = Vec::new();
    for entry in entries {
        let name = format!("`{}`", entry.names.text());
        match rows.iter_mut().find(|(reason, _)| *reason == entry.reason) {
            Some((_, names)) => names.push(name),
            None => rows.push((&entry.reason, vec![name])),
        }
    }
    let mut out = String::from("| why | cases |\n| --- | --- |\n");
    for (reason, names) in rows {
        out.extend(["| ", &reason.replace('|', "\\|"), " | ", &names.join(", "), " |\n"]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_of_one_reason_share_a_row() {
        let entries = pending::parse("case a:1 # x\nfile b # y\ncase a:2 # x\n").expect("good");
        assert_eq!(table(&entries), "| why | cases |\n| --- | --- |\n| x | `a:1`, `a:2` |\n| y | `b` |\n");
    }

    /// The places of a page that say how much faster something is: `470 ×`, `40 to 250 ×`.
    fn ratios(page: &str) -> Vec<&str> {
        let is_part = |part: char| part.is_ascii_digit() || ",to ".contains(part);
        let before = page.match_indices(" × faster").map(|(at, _)| &page[..at]);
        before.map(|text| text[text.trim_end_matches(is_part).len()..].trim_matches([',', ' '])).collect()
    }

    #[test]
    fn the_readme_says_what_was_measured() {
        let read = |name: &str| fs::read_to_string(repository().join(name)).expect("part of the repository");
        let (readme, speed) = (read("README.md"), read("docs/speed.md"));
        assert_eq!(ratios("is 470 × faster, with ERB, 40 to 250 × faster"), ["470", "40 to 250"]);
        assert_eq!(ratios(&readme), ratios(&speed), "`scripts/bench-all --write` writes both");
    }

    #[test]
    fn nothing_stands_twice() {
        let page = fs::read_to_string(repository().join("COMPATIBILITY.md")).expect("part of the repository");
        let is_frame = |line: &str| line.starts_with("| what |") || line.starts_with("| --- |");
        let is_entry =
            |line: &&str| ["## ", "| ", "- "].iter().any(|start| line.starts_with(start)) && !is_frame(line);
        let mut entries: Vec<&str> = page.lines().filter(is_entry).collect();
        entries.sort_unstable();
        let twice: Vec<&str> =
            entries.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        assert!(twice.is_empty(), "{twice:#?}");
    }

    #[test]
    fn what_is_listed_by_hand_names_recorded_cases() {
        let page = fs::read_to_string(repository().join("COMPATIBILITY.md")).expect("part of the repository");
        let names = page.split('`').filter(|word| word.ends_with(".jsonl") || word.ends_with(".yaml"));
        let is_case_file =
            |name: &&str| name.contains("_differ.") || (name.contains('/') && !name.contains(' '));
        for name in names.filter(is_case_file).filter(|name| !name.starts_with("tests/")) {
            let folders = ["", "lang/", "hiera/", "ruby/", "templates/", "expressions/", "directives/"];
            let is_there = |folder: &&str| repository().join("tests/cases").join(folder).join(name).is_file();
            assert!(folders.iter().any(is_there), "{name}");
        }
    }
}
