//! What a command on documents may reach: folders, URLs, repositories, and how documents are read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use clap::{Args, ValueEnum};
use hierarch_compose::{Access, Reading};
use hierarch_source::Files;
use hierarch_yaml::{Dialect, DocumentLimits};

use super::super::failure::{Failure, Stop};
use super::super::fetch::Web;
use super::super::foreign::{Foreign, Notation};
use super::super::repositories::{OpenRepositories, Origin, RepositoryArguments};
use super::input::Input;

/// What includes may reach.
#[derive(Args, Clone)]
pub(super) struct Reach {
    /// Files may be included from this folder and below
    /// [default: the current folder, or the document's if that lies elsewhere]
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Files may be included from this folder, too
    #[arg(long, value_name = "DIR")]
    allow: Vec<PathBuf>,
    /// URLs may be included, and repositories fetched
    #[arg(long)]
    allow_remote: bool,
    /// How long fetching one URL may take, redirects included
    #[arg(long, value_name = "SECONDS", default_value = "10")]
    max_time: f64,
    /// How large a document may be [default: 1 GiB, from a server 16 MiB]
    #[arg(long, value_name = "BYTES")]
    max_bytes: Option<usize>,
    /// How many values an expansion may have, aliases followed
    #[arg(long, value_name = "NUMBER", default_value = "10000000")]
    max_values: usize,
    /// How many includes an expansion may follow
    #[arg(long, value_name = "NUMBER", default_value_t = hierarch_compose::MOST_INCLUDES)]
    max_includes: usize,
    #[command(flatten)]
    repositories: RepositoryArguments,
    /// What plain scalars mean: in 1.1, yes is true and 0644 is 420
    #[arg(long, value_enum, default_value = "1.2", value_name = "VERSION")]
    schema: Schema,
    /// Keep tags that are not YAML's own: {"!Ref": "x"} in JSON, and values that only a key could open as they are
    #[arg(long)]
    pub(super) tags: bool,
    /// What the documents are written in [default: what their ending says: .toml, .hocon and .conf, else yaml]
    #[arg(long, value_enum, value_name = "NOTATION")]
    input: Option<Notation>,
    #[arg(skip)]
    opened: Arc<OnceLock<OpenRepositories>>,
    #[arg(skip)]
    foreign: OnceLock<Foreign>,
    #[arg(skip)]
    here: OnceLock<PathBuf>,
}

/// A version of YAML.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Schema {
    #[value(name = "1.1")]
    Older,
    #[value(name = "1.2")]
    Newer,
}

fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

impl Reach {
    /// Returns what fetches URLs and reads other notations.
    pub(super) fn web(&self) -> Around {
        Around { web: self.fetcher(), foreign: self.foreign().clone() }
    }

    fn fetcher(&self) -> Web {
        // An invalid length of time, such as a negative one, gives the server none.
        let time = Duration::try_from_secs_f64(self.max_time).unwrap_or_default();
        Web { time, size: self.max_bytes.map_or(16 << 20, |bytes| bytes as u64) }
    }

    /// Returns which texts are in another notation.
    pub(super) fn foreign(&self) -> &Foreign {
        self.foreign.get_or_init(|| Foreign::new(self.input))
    }

    fn reading(&self) -> Reading {
        Reading { older: self.schema == Schema::Older, tags: self.tags }
    }

    /// Returns what plain scalars mean.
    pub(super) fn dialect(&self) -> Dialect {
        self.reading().dialect()
    }

    pub(super) fn limits(&self) -> DocumentLimits {
        let usual = DocumentLimits::default();
        DocumentLimits { bytes: self.max_bytes.unwrap_or(usual.bytes), expanded: self.max_values, ..usual }
    }

    /// Returns the files of the disk and of the repositories that are read at a revision.
    pub(super) fn files(&self) -> Result<Arc<dyn Files>, Stop> {
        Ok(Arc::clone(&self.opened()?.files))
    }

    /// Returns the current folder, links followed.
    pub(super) fn here(&self) -> Result<&Path, Failure> {
        if let Some(here) = self.here.get() {
            return Ok(here);
        }
        let here = std::env::current_dir().and_then(std::fs::canonicalize);
        let here = here.map_err(|error| Failure::io("find", Path::new("."), &error))?;
        Ok(self.here.get_or_init(|| here))
    }

    /// Opens the repositories, once.
    fn opened(&self) -> Result<&OpenRepositories, Stop> {
        if let Some(opened) = self.opened.get() {
            return Ok(opened);
        }
        let opened = self.repositories.open(self.allow_remote)?;
        Ok(self.opened.get_or_init(|| opened))
    }

    fn repositories(&self) -> Result<BTreeMap<String, PathBuf>, Stop> {
        let opened = self.opened()?;
        let folder = |(name, origin): (&String, &Origin)| match origin {
            Origin::Folder(folder) => Ok((name.clone(), resolved(folder)?)),
            Origin::Revision(root) => Ok((name.clone(), root.clone())),
        };
        opened.origins.iter().map(folder).collect()
    }
}

/// What stands around the reading of a document.
pub(super) struct Around {
    web: Web,
    foreign: Foreign,
}

fn resolved(path: &Path) -> Result<PathBuf, Failure> {
    std::fs::canonicalize(path).map_err(|error| Failure::io("find", path, &error))
}

/// Makes the rules for includes of one document.
pub(super) fn access<'w>(input: &Input, reach: &Reach, around: &'w Around) -> Result<Access<'w>, Stop> {
    let mut roots = vec![match &reach.root {
        Some(root) => resolved(root)?,
        None => default_root(input, reach)?,
    }];
    for folder in &reach.allow {
        roots.push(resolved(folder)?);
    }
    let remote = reach.allow_remote.then_some(&around.web as &dyn hierarch_compose::Fetch);
    Ok(Access {
        roots,
        remote,
        environment: Some(&environment),
        limits: reach.limits(),
        reading: reach.reading(),
        repositories: reach.repositories()?,
        most_includes: Some(reach.max_includes),
        most_tried: None,
        notations: Some(&around.foreign),
    })
}

/// The current folder if the document is in it, else the document's own.
fn default_root(input: &Input, reach: &Reach) -> Result<PathBuf, Failure> {
    let here = reach.here()?;
    if !input.has_file {
        return Ok(here.to_owned());
    }
    let file = input.resolved().map_err(|error| Failure::io("read", &input.path, &error))?;
    let own = file.parent().unwrap_or(Path::new("/"));
    Ok(if file.starts_with(here) { here.to_owned() } else { own.to_owned() })
}
