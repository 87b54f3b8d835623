//! What a merge leaves in a text when it is committed half done.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::Complaint;

/// Folders whose files are made, or hold broken texts on purpose.
const LEFT_OUT: &[&str] = &["target", ".git", "cases", "corpus", "artifacts", "node_modules"];

/// Returns every file that people write.
pub fn texts(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    collect(folder, &mut found)?;
    found.sort();
    Ok(found)
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (kind, path) = (entry.file_type()?, entry.path());
        if kind.is_file() {
            found.push(path);
        } else if kind.is_dir() && !LEFT_OUT.iter().any(|name| path.ends_with(name)) {
            collect(&path, found)?;
        }
    }
    Ok(())
}

/// Complains of each line that marks where two versions of a text meet.
pub fn markers(path: &str, text: &str) -> Vec<Complaint> {
    let is_marker = |line: &str| {
        ['<', '>'].into_iter().any(|sign| {
            line.strip_prefix(&String::from(sign).repeat(7)).is_some_and(|rest| rest.starts_with(' '))
        })
    };
    let found = text.lines().enumerate().filter(|(_, line)| is_marker(line));
    found
        .map(|(number, _)| Complaint {
            file: path.to_owned(),
            line: number + 1,
            what: "a merge was committed half done: keep one of the two texts".to_owned(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_of_a_conflict_are_found() {
        let text = format!("a\n{0} HEAD\nb\n=======\nc\n{1} 04d04e7d (x)\n", "<".repeat(7), ">".repeat(7));
        let lines: Vec<usize> = markers("a.md", &text).iter().map(|found| found.line).collect();
        assert_eq!(lines, [2, 6]);
    }

    #[test]
    fn headings_and_quotes_are_none() {
        assert_eq!(markers("a.md", "A\n=======\n> a\n>>>>>>>>\n<<<<<<<<<\n"), []);
    }
}
