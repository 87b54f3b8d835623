//! Texts to begin fuzzing with: what the recorded cases and the example repository hold.

use std::fs;
use std::io;
use std::path::Path;

use crate::cases;
use crate::parser::files;
use crate::tidy::repository;

/// Which of the two languages a text is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Language {
    /// Manifests.
    Parse,
    /// Templates.
    Epp,
}

impl Language {
    /// Returns the ending of its files.
    fn extension(self) -> &'static str {
        match self {
            Self::Parse => "pp",
            Self::Epp => "epp",
        }
    }
}

/// Returns all texts of a language.
pub fn seeds(language: Language) -> io::Result<Vec<String>> {
    let root = repository();
    let field = match language {
        Language::Parse => "code",
        Language::Epp => "template",
    };
    let cases = cases::load(&root.join("tests/cases/lang"));
    let mut texts: Vec<String> =
        cases.iter().filter_map(|case| case.text(field)).map(str::to_owned).collect();
    for path in files::files(&root.join("examples"))? {
        if path.extension().is_some_and(|extension| extension == language.extension()) {
            texts.push(fs::read_to_string(path)?);
        }
    }
    texts.sort();
    texts.dedup();
    Ok(texts)
}

/// Writes all texts of a language into a folder, a file each.
pub fn write(language: Language, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for (number, text) in seeds(language)?.iter().enumerate() {
        fs::write(folder.join(format!("{number:05}")), text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_have_seeds() {
        assert!(seeds(Language::Parse).expect("readable").len() > 1_000);
        assert!(seeds(Language::Epp).expect("readable").len() > 50);
    }
}
