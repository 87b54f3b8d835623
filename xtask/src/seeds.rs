//! Texts to begin fuzzing with: what the recorded cases and the example repository hold.

use std::fs;
use std::io;
use std::path::Path;

use crate::cases;
use crate::parser::files;
use crate::tidy::repository;

/// Which language a text is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Language {
    /// Manifests.
    Parse,
    /// Templates.
    Epp,
    /// Documents with expressions.
    Expr,
    /// Jinja2 templates.
    Template,
}

impl Language {
    /// Returns the ending of its files.
    fn extension(self) -> &'static str {
        match self {
            Self::Parse => "pp",
            Self::Epp => "epp",
            Self::Expr => "yaml",
            Self::Template => "j2",
        }
    }

    /// Returns the text that a case begins with: of an expression, the document with the question in it.
    fn text_of(self, case: &cases::Case) -> Option<String> {
        match self {
            Self::Parse => case.text("code").map(str::to_owned),
            Self::Epp | Self::Template => case.text("template").map(str::to_owned),
            Self::Expr => {
                let mut document = case.fields.get("data")?.as_object()?.clone();
                document.insert("ask".to_owned(), case.fields.get("expr")?.clone());
                Some(serde_json::Value::Object(document).to_string())
            }
        }
    }
}

/// Returns all texts of a language.
pub fn seeds(language: Language) -> io::Result<Vec<String>> {
    let root = repository();
    let folder = match language {
        Language::Parse | Language::Epp => "tests/cases/lang",
        Language::Expr => "tests/cases/expressions",
        Language::Template => "tests/cases/templates",
    };
    let cases = cases::load(&root.join(folder));
    let mut texts: Vec<String> = cases.iter().filter_map(|case| language.text_of(case)).collect();
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
    fn all_languages_have_seeds() {
        assert!(seeds(Language::Parse).expect("readable").len() > 1_000);
        assert!(seeds(Language::Epp).expect("readable").len() > 50);
        assert!(seeds(Language::Expr).expect("readable").len() > 200);
        assert!(seeds(Language::Template).expect("readable").len() > 500);
    }
}
