//! What the server is handed: flags, disk, clock, log.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use hierarch_fleet::NodeSet;
use hierarch_serve::{Opening, Program, Revisions};
use hierarch_site::{NodeFacts, Root, Site};
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
    sources: Sources,
    begin: Instant,
    drafts: Drafts,
    #[cfg(feature = "git")]
    revisions: Option<super::revisions::GitRevisions>,
}

impl ServedRepository {
    /// Understands all flags once.
    pub(super) fn new(site: SiteArguments, nodes: NodesArguments) -> Result<Self, Failure> {
        nodes.stand_ins.refuse_command("serve")?;
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
        let sources = Sources::of(&nodes.sources(&opened).unwrap_or_default());
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

    /// Tells whether there is a folder to serve: a server over nothing would be taken for a good one.
    pub(super) fn is_there(&self) -> bool {
        self.roots.iter().any(|root| root.is_dir())
    }

    /// Leaves no unfinished file behind.
    pub(super) fn close(&self) {
        self.drafts.close();
    }
}

/// How long nodes of a server are taken for true.
const AGE: Duration = Duration::from_mins(1);

/// Where nodes and facts come from.
#[derive(Default)]
struct Sources {
    files: Vec<PathBuf>,
    bystanders: Vec<PathBuf>,
    has_server: bool,
    /// The last store, which is the one that counts.
    #[cfg(feature = "store")]
    store: Option<hierarch_store::Address>,
}

impl Sources {
    fn of(sources: &[String]) -> Self {
        let mut found = Self::default();
        for source in sources {
            found.add(source);
        }
        found
    }

    fn add(&mut self, source: &str) {
        if let Some(file) = source.strip_prefix("sqlite:") {
            let beside = |end: &str| absolute(Path::new(&format!("{file}{end}")));
            // What was written last stands beside the file for a while.
            self.files.extend([beside(""), beside("-wal")]);
            self.bystanders.push(beside("-shm"));
        } else if source.starts_with("puppetdb:") || source.contains("://") {
            self.has_server = true;
        } else {
            self.files.push(absolute(Path::new(source)));
        }
        #[cfg(feature = "store")]
        if let Some(store) = hierarch_store::Address::parse(source) {
            self.store = Some(store);
        }
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

impl Program for ServedRepository {
    fn open(&self, files: Arc<dyn Files>, opening: Opening) -> Result<Site, String> {
        let builder = self.site.builder_on(files).map_err(|failure| failure.to_string())?;
        let builder = self.nodes.stand_ins.add_to(builder).map_err(|failure| failure.to_string())?;
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
        self.sources.files.clone()
    }

    fn bystanders(&self) -> Vec<PathBuf> {
        self.sources.bystanders.clone()
    }

    fn nodes_age(&self) -> Option<Duration> {
        self.sources.has_server.then_some(AGE)
    }

    #[cfg(feature = "store")]
    fn has_store(&self) -> bool {
        self.sources.store.is_some()
    }

    #[cfg(not(feature = "store"))]
    fn has_store(&self) -> bool {
        false
    }

    #[cfg(feature = "store")]
    fn keep_facts(&self, name: &str, facts: &NodeFacts) -> Result<(), String> {
        let Some(address) = &self.sources.store else { return Ok(()) };
        super::super::fleet::store::keep(address, name, facts).map_err(|error| error.to_string())
    }

    #[cfg(not(feature = "store"))]
    fn keep_facts(&self, _: &str, _: &NodeFacts) -> Result<(), String> {
        Ok(())
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
