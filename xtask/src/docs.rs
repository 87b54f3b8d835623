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

    #[test]
    fn no_chapter_stands_twice() {
        let page = fs::read_to_string(repository().join("COMPATIBILITY.md")).expect("part of the repository");
        let mut chapters: Vec<&str> = page.lines().filter(|line| line.starts_with("## ")).collect();
        let all = chapters.len();
        chapters.sort_unstable();
        chapters.dedup();
        assert_eq!(chapters.len(), all);
    }
}
