//! `impact --facts-at-revisions`: where the facts lie that git tracks, and how they are read in a state of the repository.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hierarch_fleet::NodeSet;
use hierarch_site::Site;
use hierarch_source::Files;

use super::super::arguments::SiteArguments;
use super::super::failure::Failure;
use super::super::issues;
use super::nodes::{NodesArguments, stoppable};

/// Sources of facts that git tracks, and what flags say about their nodes.
pub(super) struct TrackedSources<'a> {
    nodes: &'a NodesArguments,
    site: &'a SiteArguments,
    paths: Vec<PathBuf>,
}

impl<'a> TrackedSources<'a> {
    /// Finds the sources, and refuses those of which git has no past.
    pub(super) fn find(
        (nodes, site): (&'a NodesArguments, &'a SiteArguments),
        opened: &Site,
        is_tracked: impl Fn(&Path) -> bool,
    ) -> Result<Self, Failure> {
        let one = |source: String| {
            let path = std::fs::canonicalize(&source).ok().filter(|path| is_tracked(path));
            path.ok_or_else(|| issues::facts_not_tracked(&source))
        };
        let paths = nodes.sources(opened)?.into_iter().map(one).collect::<Result<_, _>>()?;
        Ok(Self { nodes, site, paths })
    }

    /// Reads the nodes in a state of the repository.
    pub(super) fn read(&self, files: &Arc<dyn Files>) -> Result<NodeSet, Failure> {
        let mut set = stoppable();
        for path in &self.paths {
            set.add_path(files, path).map_err(Failure::from)?;
        }
        self.nodes.choose(&mut set, self.site)?;
        Ok(set)
    }

    /// Tells whether a file holds facts.
    pub(super) fn has(&self, file: &str) -> bool {
        self.paths.iter().any(|path| Path::new(file).starts_with(path))
    }
}
