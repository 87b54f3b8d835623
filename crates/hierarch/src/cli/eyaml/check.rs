//! `hierarch eyaml check`: whether what is staged holds a secret in clear. Nothing of a secret is ever printed.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use hierarch_git::{FileChangeKind, GitFiles, Repository};
use hierarch_hiera::eyaml::exposed::{self, Exposure, LostSecrets};
use hierarch_source::{Files, Source};
use hierarch_yaml::{Dialect, DocumentLimits, Tree, read};

use super::print;
use crate::cli::failure::Failure;
use crate::cli::issues;
use crate::cli::report::NO_MATCH;

/// Of how many paths both states of a renamed file must have at least.
const ALIKE: f64 = 0.5;

#[derive(Args)]
pub(super) struct CheckArguments {
    /// The revision to compare with what is staged
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    since: String,
    /// Only these files; all that changed and end in .eyaml, .yaml or .yml if none is named
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

pub(super) fn run(arguments: &CheckArguments) -> Result<ExitCode, Failure> {
    let change = StagedChange::open(&arguments.since)?;
    let named = arguments.files.iter().map(|file| change.name(file)).collect::<Result<Vec<String>, _>>()?;
    if let Some(missing) = named.iter().find(|name| !change.knows(name)) {
        return Err(issues::no_such_staged_file(missing));
    }
    let lost = change.lost()?;
    let mut lines = String::new();
    for name in &change.written {
        if named.is_empty() && !is_data(name) {
            change.check_key(name, &mut lines)?;
        } else if named.is_empty() || named.contains(name) {
            change.check(name, &lost, &mut lines)?;
        }
    }
    print(&lines)?;
    Ok(if lines.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(NO_MATCH) })
}

fn is_data(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|end| matches!(end.to_str(), Some("eyaml" | "yaml" | "yml")))
}

/// What is staged, beside a revision.
struct StagedChange {
    root: PathBuf,
    /// None before the first commit.
    old: Option<GitFiles>,
    new: GitFiles,
    /// The files that the change writes, by their names below the top.
    written: Vec<String>,
    /// The files that it takes away.
    removed: Vec<String>,
}

impl StagedChange {
    fn open(revision: &str) -> Result<Self, Failure> {
        let repository = Repository::discover(Path::new(".")).map_err(Failure::from)?;
        let root = repository.workdir().map_err(Failure::from)?;
        let new = repository.index(&root).map_err(Failure::from)?;
        let Some(old) = at(&repository, revision, &root)? else {
            let written = new.names().map(str::to_owned).collect();
            return Ok(Self { root, old: None, new, written, removed: Vec::new() });
        };
        let (mut written, mut removed) = (Vec::new(), Vec::new());
        for change in hierarch_git::changes(&old, &new) {
            match change.kind {
                FileChangeKind::Added | FileChangeKind::Modified => written.push(change.path),
                FileChangeKind::Removed => removed.push(change.path),
            }
        }
        Ok(Self { root, old: Some(old), new, written, removed })
    }

    /// A file's name below the top of the repository. It need not be there any more.
    fn name(&self, file: &Path) -> Result<String, Failure> {
        let here = std::env::current_dir().map_err(|error| Failure::io("find", file, &error))?;
        let path = std::path::absolute(here.join(file)).map_err(|error| Failure::io("find", file, &error))?;
        let root =
            std::fs::canonicalize(&self.root).map_err(|error| Failure::io("find", &self.root, &error))?;
        let inside = path.strip_prefix(&root).map_err(|_| issues::outside_of_repository(file, &root))?;
        Ok(inside.to_string_lossy().into_owned())
    }

    /// Whether a file is there in one of both states.
    fn knows(&self, name: &str) -> bool {
        let path = self.root.join(name);
        self.new.is_file(&path) || self.old.as_ref().is_some_and(|old| old.is_file(&path))
    }

    /// What was encrypted in the files that changed and is in none of them any more.
    fn lost(&self) -> Result<LostSecrets, Failure> {
        let mut lost = LostSecrets::default();
        let Some(old) = &self.old else { return Ok(lost) };
        for name in self.written.iter().chain(&self.removed).filter(|name| is_data(name)) {
            let (old, new) = (self.tree(old, name)?, self.tree(&self.new, name)?);
            lost.add(name, old.as_ref(), new.as_ref());
        }
        Ok(lost)
    }

    /// A file of one state, if it is there and can be read.
    fn tree(&self, files: &GitFiles, name: &str) -> Result<Option<Tree>, Failure> {
        Ok(self.text(files, name)?.and_then(|text| tree(&Source::new(name, text)).ok()))
    }

    /// Adds a line for a private key.
    fn check_key(&self, name: &str, lines: &mut String) -> Result<(), Failure> {
        let Some(text) = self.text(&self.new, name)? else { return Ok(()) };
        if let Some(found) = exposed::key(&text) {
            lines.push_str(&line(&Source::new(name, text), &found));
        }
        Ok(())
    }

    /// Adds a line for every secret that a file holds in clear.
    fn check(&self, name: &str, lost: &LostSecrets, lines: &mut String) -> Result<(), Failure> {
        let Some(text) = self.text(&self.new, name)? else { return Ok(()) };
        let source = Source::new(name, text);
        let mut found = exposed::marked(source.text());
        found.extend(exposed::key(source.text()));
        let new = tree(&source);
        if let (Some(files), Ok(new)) = (&self.old, &new) {
            found.extend(lost.exposed(name, self.tree(files, name)?.as_ref(), new));
        }
        if let Some((old, olds)) = self.before(name, new.as_ref().ok())? {
            match (&old, &new) {
                (Ok(old), Ok(new)) => found.extend(exposed::exposed(old, new)),
                (_, Err(error)) | (Err(error), Ok(_)) => {
                    if exposed::lacks_secrets(olds.text(), source.text()) {
                        lines.push_str(&issues::cannot_be_compared(name, error));
                    }
                }
            }
        }
        found.sort_by_key(|exposure| exposure.offset);
        found.dedup_by_key(|exposure| exposure.offset);
        lines.extend(found.iter().map(|exposure| line(&source, exposure)));
        Ok(())
    }

    /// The state of a file before the change: its own, or that of the file that was renamed to it.
    fn before(&self, name: &str, new: Option<&Tree>) -> Result<Option<(Read, Arc<Source>)>, Failure> {
        let Some(old) = &self.old else { return Ok(None) };
        if let Some(text) = self.text(old, name)? {
            let source = Source::new(name, text);
            return Ok(Some((tree(&source), source)));
        }
        let Some(new) = new else { return Ok(None) };
        let mut best: Option<(f64, Tree, Arc<Source>)> = None;
        for other in self.removed.iter().filter(|other| is_data(other)) {
            let Some(text) = self.text(old, other)? else { continue };
            let source = Source::new(other.as_str(), text);
            let Ok(tree) = tree(&source) else { continue };
            let likeness = exposed::likeness(&tree, new);
            if likeness >= ALIKE && best.as_ref().is_none_or(|(most, ..)| likeness > *most) {
                best = Some((likeness, tree, source));
            }
        }
        Ok(best.map(|(_, tree, source)| (Ok(tree), source)))
    }

    /// The text of a file in one state; none for what is not there, a link, or no text.
    fn text(&self, files: &GitFiles, name: &str) -> Result<Option<String>, Failure> {
        let path = self.root.join(name);
        if !files.is_file(&path) {
            return Ok(None);
        }
        let bytes = files.read(&path).map_err(|error| Failure::io("read", Path::new(name), &error))?;
        Ok(String::from_utf8(bytes).ok())
    }
}

/// The files of a revision; none where HEAD has no commit yet.
fn at(repository: &Repository, revision: &str, root: &Path) -> Result<Option<GitFiles>, Failure> {
    match repository.revision(revision) {
        Ok(found) => repository.files(&found, root).map(Some).map_err(Failure::from),
        Err(_) if revision == "HEAD" => Ok(None),
        Err(error) => Err(Failure::from(error)),
    }
}

type Read = hierarch_source::Result<Tree>;

fn tree(source: &Arc<Source>) -> Read {
    read(source, Dialect::Psych, DocumentLimits::default())
}

fn line(source: &Source, exposure: &Exposure) -> String {
    let place = source.position(exposure.offset);
    format!(
        "{}:{}:{}: {}\n",
        source.name().unwrap_or_default(),
        place.line,
        place.column,
        issues::exposed(&exposure.kind)
    )
}
