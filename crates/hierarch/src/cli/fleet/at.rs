//! `--at REV`: the state of the repository at a git revision, read without a checkout.

use std::path::{Path, PathBuf};

use hierarch_git::{GitFiles, Repository, Revision};
use hierarch_hiera::environment::control_repository;
use hierarch_source::DiskFiles;

use super::super::arguments::SiteArguments;
use super::super::failure::Failure;

/// The git repository around the control repository.
pub(crate) struct OpenRepository {
    pub(crate) repository: Repository,
    pub(crate) root: PathBuf,
    folder: PathBuf,
}

impl OpenRepository {
    /// Finds the repository that a site lies in.
    pub(crate) fn around(site: &SiteArguments) -> Result<Self, Failure> {
        let here = match (&site.environmentpath, &site.from) {
            (Some(folder), _) | (None, Some(folder)) => folder.clone(),
            (None, None) => PathBuf::from("."),
        };
        let here = std::fs::canonicalize(&here).map_err(|error| Failure::io("find", &here, &error))?;
        let folder = control_repository(&DiskFiles, &here.display().to_string()).map_or(here, PathBuf::from);
        let repository = Repository::discover(&folder).map_err(Failure::from)?;
        let root = repository.workdir().map_err(Failure::from)?;
        Ok(Self { repository, root, folder })
    }

    /// Finds a revision by its name.
    pub(crate) fn revision(&self, name: &str) -> Result<Revision, Failure> {
        self.repository.revision(name).map_err(Failure::from)
    }

    /// Opens the files of a revision by its name.
    pub(crate) fn files_at(&self, name: &str) -> Result<GitFiles, Failure> {
        self.files(&self.revision(name)?)
    }

    /// Opens the files of a revision. Folders of modules that git does not track are read from the disk.
    pub(crate) fn files(&self, revision: &Revision) -> Result<GitFiles, Failure> {
        let files = self.repository.files(revision, &self.root);
        let files = files.map_err(Failure::from)?;
        let own = self.untracked(&files);
        Ok(own.into_iter().fold(files, GitFiles::with_untracked))
    }

    /// Opens the files of the index.
    pub(crate) fn index(&self) -> Result<GitFiles, Failure> {
        let files = self.repository.index(&self.root).map_err(Failure::from)?;
        let own = self.untracked(&files);
        Ok(own.into_iter().fold(files, GitFiles::with_untracked))
    }

    /// Lists the folders of modules that stand on the disk and that git does not track: r10k and its like put them there.
    pub(crate) fn untracked(&self, files: &GitFiles) -> Vec<PathBuf> {
        let base: &[String] = &[];
        let folder = self.folder.display().to_string();
        let environment = hierarch_hiera::EnvironmentFolder::load(&DiskFiles, "production", &folder, base);
        let is_untracked = |folder: &PathBuf| {
            folder.starts_with(&self.root)
                && folder.is_dir()
                && !files.tracks(folder)
                && !self.is_in_index(folder)
        };
        environment.modulepath.iter().map(PathBuf::from).filter(is_untracked).collect()
    }

    fn is_in_index(&self, folder: &Path) -> bool {
        self.repository.index(&self.root).is_ok_and(|index| index.tracks(folder))
    }
}
