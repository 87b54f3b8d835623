//! What stands in for functions that ask the world or do not run here: the flags of all commands that look up or compile.

use std::path::{Path, PathBuf};

use clap::Args;
use hierarch_eval::substitute::Substitutes;
use hierarch_site::{Builder, read_answers};
use hierarch_source::DiskFiles;

use super::super::arguments::puppets;
use super::super::failure::Failure;
use super::super::issues;
use super::{RubyArguments, folders};

/// What functions are given.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct StandInArguments {
    /// Results of functions that ask the world: a list of `{function, arguments?, result}`
    #[arg(long, value_name = "FILE")]
    answers: Vec<PathBuf>,
    /// A folder with functions written in Puppet that go before all others of their names
    #[arg(long, value_name = "DIR")]
    overlay: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) ruby: RubyArguments,
}

impl StandInArguments {
    /// Hands what functions are given to a site.
    pub(crate) fn add_to(&self, site: Builder) -> Result<Builder, Failure> {
        Ok(site.with_substitutes(self.substitutes()?))
    }

    /// Returns what functions are given.
    pub(crate) fn substitutes(&self) -> Result<Substitutes, Failure> {
        let mut answers = Vec::new();
        for path in &self.answers {
            std::fs::metadata(path).map_err(|error| Failure::io("read", path, &error))?;
            answers.extend(read_answers(&DiskFiles, path).map_err(|error| puppets(&error))?);
        }
        Ok(Substitutes { answers, overlays: overlays(&self.overlay)?, ..self.ruby.substitutes()? })
    }

    /// Refuses a real Ruby where states are asked that are not checked out: it would read the files that stand there now.
    pub(crate) fn refuse_command(&self, command: &str) -> Result<(), Failure> {
        match self.ruby.ruby_command {
            Some(_) => Err(issues::no_ruby_command(command)),
            None => Ok(()),
        }
    }
}

/// Finds folders of functions, each of which has some.
fn overlays(given: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let found = folders(given)?;
    match found.iter().find(|folder| !has_functions(folder)) {
        Some(empty) => Err(issues::empty_overlay(empty)),
        None => Ok(found),
    }
}

/// Tells whether a folder has functions, or modules that have some.
fn has_functions(folder: &Path) -> bool {
    let modules = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    std::iter::once(folder.to_owned()).chain(modules).any(|folder| folder.join("functions").is_dir())
}
