//! Where the catalogs of one side of a comparison come from.

use std::path::{Path, PathBuf};
use std::process::Command;

use hierarch_hiera::environment::control_repository;
use hierarch_source::DiskFiles;
use serde_json::{Value as Json, json};
use tempfile::TempDir;

use super::super::arguments::{NodeArguments, SiteArguments};
use super::super::failure::Failure;
use super::super::input;
use super::super::language::on_large_stack;
use super::compile::{Manifest, compile};

/// One side of a comparison.
pub(super) enum Side {
    /// A catalog.
    File(PathBuf),
    /// A folder with `NODE.json` for each node.
    Folder(PathBuf),
    /// A control repository.
    Repository(PathBuf),
    /// A revision of the control repository around the current folder, checked out for a while.
    Revision(String, TempDir),
}

impl Side {
    /// Finds out what an argument names.
    pub(super) fn find(argument: &str) -> Result<Self, Failure> {
        let path = Path::new(argument);
        if path.is_file() {
            return Ok(Self::File(path.to_owned()));
        }
        if path.is_dir() {
            let is_repository =
                ["hiera.yaml", "environment.conf"].iter().any(|name| path.join(name).exists());
            let folder = path.to_owned();
            return Ok(if is_repository { Self::Repository(folder) } else { Self::Folder(folder) });
        }
        Ok(Self::Revision(argument.to_owned(), check_out(argument)?))
    }

    /// Tells whether there is a catalog only once somebody compiles it.
    pub(super) fn must_be_compiled(&self) -> bool {
        matches!(self, Self::Repository(_) | Self::Revision(..))
    }

    /// Lists the nodes whose catalogs are there.
    pub(super) fn nodes(&self) -> Result<Vec<String>, Failure> {
        let Self::Folder(folder) = self else { return Ok(Vec::new()) };
        input::nodes_of(folder, &["json"])
    }

    /// Reads or compiles a catalog.
    pub(super) fn catalog(
        &self,
        node: Option<&str>,
        facts: Option<&Path>,
        site: &SiteArguments,
    ) -> Result<Json, Failure> {
        match self {
            Self::File(file) => read(file),
            Self::Folder(folder) => {
                let file = folder.join(format!("{}.json", node.unwrap_or_default()));
                // A node that only one side knows has nothing on the other.
                if file.exists() { read(&file) } else { Ok(json!({"resources": []})) }
            }
            Self::Repository(folder) => compiled(folder, node, facts, site, &str::to_owned),
            Self::Revision(revision, folder) => {
                let checked_out = format!("{}/", folder.path().display());
                // As git names a file of a revision.
                let named = |text: &str| text.replace(&checked_out, &format!("{revision}:"));
                let catalog = compiled(folder.path(), node, facts, site, &named)?;
                Ok(without_folder(catalog, folder.path()))
            }
        }
    }
}

fn read(file: &Path) -> Result<Json, Failure> {
    let bytes = std::fs::read(file).map_err(|error| Failure::io("read", file, &error))?;
    serde_json::from_slice(&bytes)
        .map_err(|error| Failure::new(format!("{} is no JSON: {error}", file.display())))
}

fn compiled(
    repository: &Path,
    node: Option<&str>,
    facts: Option<&Path>,
    site: &SiteArguments,
    written: &(dyn Fn(&str) -> String + Sync),
) -> Result<Json, Failure> {
    let site = site.in_repository(repository);
    // Facts are found as the user sees them, and otherwise in the repository itself.
    let node = NodeArguments { node: node.map(str::to_owned), facts: facts.map(Path::to_owned) };
    let catalog = on_large_stack(|| compile(&site, &node, &Manifest::OfEnvironment, written))??;
    let catalog =
        catalog.map_err(|error| Failure::new(format!("{}: {}", node.name(), written(&error.to_string()))))?;
    serde_json::from_str(&catalog.to_json(""))
        .map_err(|error| Failure::new(format!("the catalog is no JSON: {error}; please report it")))
}

/// Checks a revision of the control repository out into a folder that goes away with the value.
fn check_out(revision: &str) -> Result<TempDir, Failure> {
    let here = std::env::current_dir().map_err(|error| Failure::io("find", Path::new("."), &error))?;
    let repository = control_repository(&DiskFiles, &here.display().to_string()).unwrap_or_default();
    let neither = |why: &str| {
        Failure::new(format!(
            "{revision} is no file, no folder, and no revision of a git repository here: {why}"
        ))
    };
    if repository.is_empty() {
        return Err(neither("there is no control repository around the current folder"));
    }
    let folder = tempfile::tempdir().map_err(|error| Failure::io("make", &std::env::temp_dir(), &error))?;
    let archive = folder.path().join("revision.tar");
    // The name is given after `--end-of-options`, so that it is never taken for a flag.
    let run = |program: &mut Command| -> Result<(), Failure> {
        let output = program.output().map_err(|error| neither(&error.to_string()))?;
        let why = String::from_utf8_lossy(&output.stderr);
        if output.status.success() { Ok(()) } else { Err(neither(why.trim())) }
    };
    let mut git = Command::new("git");
    git.args(["archive", "--format=tar", "--output"]).arg(&archive).args(["--end-of-options", revision]);
    run(git.current_dir(&repository))?;
    run(Command::new("tar").arg("-xf").arg(&archive).current_dir(folder.path()))?;
    std::fs::remove_file(&archive).map_err(|error| Failure::io("remove", &archive, &error))?;
    Ok(folder)
}

/// Names files as the repository does, not by the folder they were checked out to.
fn without_folder(mut catalog: Json, folder: &Path) -> Json {
    let resources = catalog.get_mut("resources").and_then(Json::as_array_mut);
    for resource in resources.into_iter().flatten() {
        if let Some(file) = resource.get_mut("file") {
            let relative = file.as_str().and_then(|path| Path::new(path).strip_prefix(folder).ok());
            if let Some(relative) = relative.map(|path| path.display().to_string()) {
                *file = relative.into();
            }
        }
    }
    catalog
}
