//! Texts to begin fuzzing with: what the recorded cases and the example repository hold.

use std::fs;
use std::io;
use std::path::Path;

use serde_json::Value as Json;

use crate::cases::{self, Case};
use crate::parser::files;
use crate::tidy::repository;

/// Which fuzz target the texts are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Language {
    /// Manifests.
    Parse,
    /// Manifests, to be evaluated.
    Eval,
    /// Templates.
    Epp,
    /// YAML of any kind.
    Yaml,
    /// Documents with merge directives.
    Directives,
    /// Documents with expressions.
    Expr,
    /// Jinja2 templates.
    Template,
    /// ERB templates.
    Erb,
    /// Ruby, to be lowered.
    Lower,
    /// Ruby.
    Ruby,
}

impl Language {
    /// Returns the ending of its files.
    fn extension(self) -> &'static str {
        match self {
            Self::Parse | Self::Eval => "pp",
            Self::Epp => "epp",
            Self::Yaml | Self::Directives | Self::Expr => "yaml",
            Self::Template => "j2",
            Self::Erb => "erb",
            Self::Lower | Self::Ruby => "rb",
        }
    }

    /// Returns the texts that a case has.
    fn texts(self, case: &Case) -> Vec<String> {
        let text = |field: &str| case.text(field).map(str::to_owned).into_iter().collect();
        match self {
            Self::Parse | Self::Eval | Self::Lower | Self::Ruby => text("code"),
            Self::Epp | Self::Template | Self::Erb => text("template"),
            Self::Expr => asked(case).into_iter().collect(),
            Self::Yaml | Self::Directives => {
                let files = [&case.fields, &*case.setting].into_iter().filter_map(|map| map.get("files"));
                let files = files.filter_map(Json::as_object).flatten();
                files
                    .filter(|(name, _)| name.ends_with("yaml"))
                    .filter_map(|(_, text)| text.as_str().map(str::to_owned))
                    .collect()
            }
        }
    }

    /// Returns the folders of cases to look in.
    fn folders(self) -> &'static [&'static str] {
        match self {
            Self::Parse | Self::Eval | Self::Epp => &["lang"],
            Self::Yaml => &["hiera", "directives"],
            Self::Directives => &["directives"],
            Self::Expr => &["expressions"],
            Self::Template => &["templates"],
            Self::Erb | Self::Lower | Self::Ruby => &["ruby"],
        }
    }
}

/// Returns the document of an expression's case, with the question in it.
fn asked(case: &Case) -> Option<String> {
    let mut document = case.fields.get("data")?.as_object()?.clone();
    document.insert("ask".to_owned(), case.fields.get("expr")?.clone());
    Some(Json::Object(document).to_string())
}

/// Returns all texts of a language.
pub fn seeds(language: Language) -> io::Result<Vec<String>> {
    let root = repository();
    let mut texts: Vec<String> = Vec::new();
    for folder in language.folders() {
        let cases = cases::load(&root.join("tests/cases").join(folder));
        texts.extend(cases.iter().flat_map(|case| language.texts(case)));
    }
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
    fn every_language_has_seeds() {
        let count = |language| seeds(language).expect("readable").len();
        assert!(count(Language::Parse) > 1_000);
        assert!(count(Language::Epp) > 50);
        assert!(count(Language::Yaml) > 500);
        assert!(count(Language::Directives) > 300);
        assert!(count(Language::Expr) > 200);
        assert!(count(Language::Template) > 500);
        assert!(count(Language::Erb) > 200);
        assert!(count(Language::Ruby) > 800);
    }
}
