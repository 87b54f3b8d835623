//! Programs that were parsed already, by their content, for all compilations of an environment.

use std::sync::{Arc, Mutex, PoisonError};

use hierarch_ruby::erb;
use hierarch_ruby::syntax::{Syntax, parse, tree::Program};
use hierarch_ruby::value::Sym;
use rustc_hash::{FxHashMap, FxHashSet};

/// So many are kept; a site that makes texts for `inline_template` is not to keep them all.
const KEPT: usize = 4096;

/// Parsed programs.
#[derive(Default)]
pub(crate) struct Programs {
    templates: Mutex<FxHashMap<(String, String), Arc<ScriptProgram>>>,
    files: Mutex<FxHashMap<(String, String), Arc<Program>>>,
    /// Those in files, by the names they are asked for by: like manifests, a file is read once in an environment.
    named: Mutex<FxHashMap<String, Arc<FileTemplate>>>,
}

/// A template in a file.
pub(crate) struct FileTemplate {
    /// The file.
    pub(crate) path: String,
    /// What is in it.
    pub(crate) program: Arc<ScriptProgram>,
}

/// A program, and which variables it can see.
pub(crate) struct ScriptProgram {
    pub(crate) code: Arc<Program>,
    /// The names behind `@` in it, and as they stand in the program; none if it may ask for any.
    pub(crate) mentioned: Option<Vec<(String, Sym)>>,
}

impl Programs {
    /// Returns the program of a template.
    pub(crate) fn template(&self, text: &str, file: &str) -> Result<Arc<ScriptProgram>, Syntax> {
        let key = (file.to_owned(), text.to_owned());
        if let Some(known) = self.lock().get(&key) {
            return Ok(Arc::clone(known));
        }
        let source = erb::compile(text);
        let code = Arc::new(parse(&source, file)?);
        let parsed = Arc::new(ScriptProgram { code, mentioned: mentioned(&source) });
        let mut templates = self.lock();
        if templates.len() >= KEPT {
            templates.clear();
        }
        templates.insert(key, Arc::clone(&parsed));
        Ok(parsed)
    }

    /// Returns the program in a file.
    pub(crate) fn file(&self, text: &str, file: &str) -> Result<Arc<Program>, Syntax> {
        let key = (file.to_owned(), text.to_owned());
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = files.get(&key) {
            return Ok(Arc::clone(known));
        }
        let program = Arc::new(parse(text, file)?);
        if files.len() >= KEPT {
            files.clear();
        }
        files.insert(key, Arc::clone(&program));
        Ok(program)
    }

    /// Returns the template in a file, which is read the first time.
    pub(crate) fn named<E>(
        &self,
        name: &str,
        read: impl FnOnce(&Self) -> Result<FileTemplate, E>,
    ) -> Result<Arc<FileTemplate>, E> {
        if let Some(known) = self.named_files().get(name) {
            return Ok(Arc::clone(known));
        }
        let template = Arc::new(read(self)?);
        self.named_files().insert(name.to_owned(), Arc::clone(&template));
        Ok(template)
    }

    fn named_files(&self) -> std::sync::MutexGuard<'_, FxHashMap<String, Arc<FileTemplate>>> {
        self.named.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, FxHashMap<(String, String), Arc<ScriptProgram>>> {
        // Nothing can panic while the lock is held, so what it guards is whole.
        self.templates.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the words behind `@`, unless the program may look at its variables by other means.
fn mentioned(source: &str) -> Option<Vec<(String, Sym)>> {
    const OTHER_MEANS: [&str; 6] = ["instance_variable", "eval", "inspect", "method", "send", "self"];
    if OTHER_MEANS.iter().any(|word| source.contains(word)) {
        return None;
    }
    let word = |rest: &str| {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        rest[..end].to_owned()
    };
    let words: FxHashSet<String> = source.split('@').skip(1).map(word).collect();
    let as_variable = |word: String| {
        let name = Sym::of(&format!("@{word}"));
        (word, name)
    };
    let is_name = |word: &String| !word.is_empty() && !word.starts_with(|c: char| c.is_ascii_digit());
    Some(words.into_iter().filter(is_name).map(as_variable).collect())
}
