//! Which functions a repository has, and which of those in Ruby cannot be read.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use hierarch_eval::function::Registry;
use hierarch_functions::{UnreadableRuby, unreadable_ruby};

use super::super::input;

/// Where a function comes from.
pub(super) enum Origin<'a> {
    /// Built in, written in the language, or in Ruby that can be run.
    Native,
    /// Written in Ruby, in a file that cannot be read: the line and what is wrong.
    Broken(&'a Path, &'a UnreadableRuby),
    Nowhere,
}

/// The functions that calls in a repository may mean.
pub(super) struct Functions {
    native: Registry,
    modules: HashSet<String>,
    /// The files of Ruby functions by name, and what is wrong with them.
    ruby: HashMap<String, (PathBuf, Option<UnreadableRuby>)>,
    /// The names of functions written in the language, as their files say.
    puppet: HashMap<String, PathBuf>,
}

impl Functions {
    /// Lists what an environment and its modules define.
    pub(super) fn of_repository(environment: Option<&Path>, modules: &[(String, String)]) -> Self {
        let mut functions = Self {
            native: hierarch_functions::registry(),
            modules: modules.iter().map(|(name, _)| name.clone()).collect(),
            ruby: HashMap::new(),
            puppet: HashMap::new(),
        };
        let own = environment.map(|folder| ("environment", folder));
        let others = modules.iter().map(|(name, folder)| (name.as_str(), Path::new(folder)));
        for (owner, folder) in own.into_iter().chain(others) {
            functions.learn_puppet(owner, &folder.join("functions"));
            for below in hierarch_hiera::RUBY_FUNCTIONS {
                functions.learn_ruby(&folder.join(below));
            }
        }
        functions
    }

    fn learn_puppet(&mut self, owner: &str, folder: &Path) {
        for (name, path) in named_files(folder, "pp") {
            self.puppet.insert(format!("{owner}::{name}"), path);
        }
    }

    fn learn_ruby(&mut self, folder: &Path) {
        for (name, path) in named_files(folder, "rb") {
            let text = std::fs::read(&path).unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            let wrong = unreadable_ruby(&text, &path.display().to_string());
            self.ruby.insert(name, (path, wrong));
        }
    }

    /// Tells whether a function is built in: its file in a module is never run.
    pub(super) fn is_built_in(&self, name: &str) -> bool {
        // What stands in for a function of a module is there only where the module is.
        let is_there = || self.native.module_of(name).is_none_or(|module| self.modules.contains(module));
        self.native.find(name).is_some() && is_there()
    }

    /// Finds what a call by name means.
    pub(super) fn origin(&self, name: &str) -> Origin<'_> {
        let name = name.strip_prefix("::").unwrap_or(name);
        if self.puppet.contains_key(name) || self.is_built_in(name) {
            return Origin::Native;
        }
        match self.ruby.get(name) {
            Some((path, Some(wrong))) => Origin::Broken(path, wrong),
            Some((_, None)) => Origin::Native,
            None => Origin::Nowhere,
        }
    }
}

/// Lists the files of a folder with the names of what they define: `a/b.pp` defines `a::b`.
fn named_files(folder: &Path, extension: &str) -> Vec<(String, PathBuf)> {
    let files = input::find(&[folder.to_owned()], extension).unwrap_or_default().files;
    let named = files.into_iter().filter_map(|path| {
        let below = path.strip_prefix(folder).ok()?.with_extension("");
        let parts: Option<Vec<&str>> = below.iter().map(|part| part.to_str()).collect();
        Some((parts?.join("::"), path))
    });
    named.collect()
}
