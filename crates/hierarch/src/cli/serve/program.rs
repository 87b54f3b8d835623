//! What the server is handed: flags, disk, clock, log.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use hierarch_fleet::NodeSet;
use hierarch_serve::{Opening, Program, Revisions};
use hierarch_site::{Root, Site};
use hierarch_source::{DiskFiles, Drafts, FileChange, Files, Loss, NotSaved, Saver};
use rand_core::{OsRng, RngCore};

use super::super::arguments::{SiteArguments, showing_secrets};
use super::super::failure::Failure;
use super::super::fleet::nodes::NodesArguments;
use super::super::language::{STACK, memory_in_use};

/// The program around the server.
pub(super) struct ServedRepository {
    site: SiteArguments,
    nodes: NodesArguments,
    roots: Vec<PathBuf>,
    sources: Vec<PathBuf>,
    begin: Instant,
    drafts: Drafts,
    #[cfg(feature = "git")]
    revisions: Option<super::revisions::GitRevisions>,
}

impl ServedRepository {
    /// Understands all flags once.
    pub(super) fn new(site: SiteArguments, nodes: NodesArguments) -> Result<Self, Failure> {
        let builder = site.builder_on(DiskFiles)?;
        let mut roots: Vec<PathBuf> = match builder.root() {
            Root::Repository(folder) | Root::Environments(folder) => vec![PathBuf::from(folder)],
            Root::Modules => Vec::new(),
        };
        let opened = builder.build();
        for folder in opened.environment().modulepath() {
            if folder.is_dir() && !roots.iter().any(|root| folder.starts_with(root)) {
                roots.push(folder.clone());
            }
        }
        let sources = nodes.sources(&opened).unwrap_or_default();
        let sources = sources.iter().map(|source| absolute(Path::new(source))).collect();
        Ok(Self {
            #[cfg(feature = "git")]
            revisions: super::revisions::GitRevisions::find(&site),
            site,
            nodes,
            roots,
            sources,
            begin: Instant::now(),
            drafts: Drafts::default(),
        })
    }

    /// Leaves no unfinished file behind.
    pub(super) fn close(&self) {
        self.drafts.close();
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

impl Program for ServedRepository {
    fn open(&self, files: Arc<dyn Files>, opening: Opening) -> Result<Site, String> {
        let builder = self.site.builder_on(files).map_err(|failure| failure.to_string())?;
        let builder = builder.with_permissions(showing_secrets(opening.shows_secrets));
        let builder = if opening.compiles {
            builder.with_limits(self.site.limits().with_stack_of(STACK)).with_memory(memory_in_use)
        } else {
            builder
        };
        Ok(builder.build())
    }

    fn nodes(&self, site: &Site) -> Result<NodeSet, String> {
        // Without nodes, facts come with the questions.
        if self.nodes.sources(site).is_err() {
            return Ok(NodeSet::default());
        }
        self.nodes.read(&self.site, site).map_err(|failure| failure.to_string())
    }

    fn nodes_follow_data(&self) -> bool {
        self.nodes.condition.is_some()
    }

    fn roots(&self) -> Vec<PathBuf> {
        self.roots.clone()
    }

    fn node_sources(&self) -> Vec<PathBuf> {
        self.sources.clone()
    }

    fn revisions(&self) -> Option<&dyn Revisions> {
        #[cfg(feature = "git")]
        return self.revisions.as_ref().map(|revisions| revisions as &dyn Revisions);
        #[cfg(not(feature = "git"))]
        None
    }

    fn save(&self, changes: &[FileChange]) -> Result<Vec<Loss>, NotSaved> {
        Saver::new(self.drafts.clone()).save(changes)
    }

    fn clock(&self) -> Duration {
        self.begin.elapsed()
    }

    fn now(&self) -> SystemTime {
        SystemTime::now()
    }

    fn log(&self, line: &str) {
        // A log that cannot be written must not stop the answers.
        let _ = writeln!(std::io::stderr(), "{line}");
    }

    fn memory(&self) -> Option<u64> {
        memory_in_use()
    }

    fn random(&self, bytes: &mut [u8]) {
        OsRng.fill_bytes(bytes);
    }

    fn stack_of_programs(&self) -> usize {
        STACK
    }
}
