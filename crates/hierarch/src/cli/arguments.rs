//! The flags that say which site is asked, and about which node.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use clap::Args;
use hierarch_hiera::Strict;
use hierarch_hiera::environment::{control_repository, module_around};
use hierarch_site::{
    Builder, FactsFile, FactsFolder, FirstOf, Limits, LookupFacts, NoFacts, Node, NodeList, Permissions,
    PuppetConf, Root, Settings, Site,
};
use hierarch_source::{DiskFiles, Error, Files, LookedAtFiles};

use super::failure::Failure;
use super::language::now;
use super::limits::{DataLimits, WorkLimits};
use super::report::warning_line;
use crate::cli::issues;

/// What the main thread has for nested calls.
pub(crate) const STACK: usize = 8 << 20;

/// Where data and code are: flags that say it, a control repository found upwards, or an installed Puppet.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct SiteArguments {
    /// The environment; `production` unless said otherwise
    #[arg(long, value_name = "ENV")]
    pub(crate) environment: Option<String>,
    /// The folder that environments are in
    #[arg(long, value_name = "DIR", alias = "environment-path")]
    pub(crate) environmentpath: Option<PathBuf>,
    /// The folders that modules are in, instead of those of the environment
    #[arg(long, value_name = "DIR:…", alias = "module-path")]
    pub(crate) modulepath: Option<String>,
    /// Folders with further modules
    #[arg(long, value_name = "DIR:…", hide = true)]
    pub(crate) basemodulepath: Option<String>,
    /// The hiera.yaml of the global layer
    #[arg(long = "hiera_config", value_name = "FILE", alias = "hiera-config")]
    pub(crate) hiera_config: Option<PathBuf>,
    /// The folder of Puppet's code
    #[arg(long, value_name = "DIR", hide = true)]
    pub(crate) codedir: Option<PathBuf>,
    /// The folder of Puppet's settings
    #[arg(long, value_name = "DIR", hide = true)]
    pub(crate) confdir: Option<PathBuf>,
    /// Puppet's settings: this file instead of the puppet.conf that is found
    #[arg(long, value_name = "FILE", hide = true)]
    pub(crate) config: Option<PathBuf>,
    /// How undefined variables are treated: off, warning or error
    #[arg(long, value_name = "LEVEL")]
    pub(crate) strict: Option<String>,
    /// Whether reading an unknown variable is an error
    #[arg(long = "strict_variables", value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", hide = true)]
    pub(crate) strict_variables: Option<bool>,
    #[command(flatten)]
    pub(crate) data_limits: DataLimits,
    #[command(flatten)]
    pub(crate) work_limits: WorkLimits,
    /// Refuse resource types that neither Puppet nor a module describes, instead of a warning
    #[arg(long)]
    pub(crate) strict_types: bool,
    /// Ask the state at a git revision, which is not checked out
    #[cfg(feature = "git")]
    #[arg(long, value_name = "REV")]
    pub(crate) at: Option<String>,
    /// The folder that the control repository is searched upwards from, instead of the current one
    #[arg(skip)]
    pub(crate) from: Option<PathBuf>,
}

/// Whose view is wanted.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct NodeArguments {
    /// The node
    #[arg(long, value_name = "NAME")]
    pub(crate) node: Option<String>,
    /// Its facts: a YAML or JSON file, or a folder with a file per node
    #[arg(long, value_name = "FILE")]
    pub(crate) facts: Option<PathBuf>,
}

impl SiteArguments {
    /// Asks for the control repository that a folder lies in.
    pub(crate) fn around(folder: PathBuf) -> Self {
        Self { from: Some(folder), ..Self::default() }
    }

    /// Says the same about another control repository.
    pub(crate) fn in_repository(&self, repository: &Path) -> Self {
        Self { from: Some(repository.to_owned()), ..self.clone() }
    }

    /// Starts putting the site together. It is asked by threads that have as much stack as the main one.
    pub(crate) fn builder(&self) -> Result<Builder, Failure> {
        #[cfg(feature = "git")]
        if let Some(name) = &self.at {
            return self.builder_on(super::fleet::at::OpenRepository::around(self)?.files_at(name)?);
        }
        self.builder_on(LookedAtFiles::default())
    }

    /// Refuses `--at` where a command has to do with the files that stand there now.
    pub(crate) fn refuse_at(&self, command: &str) -> Result<(), Failure> {
        #[cfg(feature = "git")]
        if self.at.is_some() {
            return Err(issues::not_at_a_revision(command));
        }
        let _ = command;
        Ok(())
    }

    /// Does so on other files than those of the disk: of a revision, or of an overlay.
    pub(crate) fn builder_on(&self, files: impl Files + 'static) -> Result<Builder, Failure> {
        let conf = match (&self.config, &self.confdir) {
            (Some(file), _) => PuppetConf::read_file(&DiskFiles, &absolute(file)),
            (None, Some(folder)) => PuppetConf::read(&DiskFiles, &text(folder)),
            (None, None) => PuppetConf::find(&DiskFiles, std::env::var("HOME").ok().as_deref()),
        };
        let mut settings = self.settings(&conf);
        let root = self.root(&conf, &settings)?;
        if let (Root::Repository(folder), None) = (&root, &self.environment)
            && let Some((_, name)) = among_environments(Path::new(folder))
        {
            settings.environment = name;
        }
        self.check_environment(&root)?;
        let site = Site::on(files).with_root(root).with_settings(settings).with_clock(now);
        Ok(site.with_limits(self.limits().with_stack_of(STACK)))
    }

    /// Opens the site.
    pub(crate) fn open(&self) -> Result<Site, Failure> {
        Ok(self.builder()?.build())
    }

    /// Returns how much work a question may be.
    pub(crate) fn limits(&self) -> Limits {
        self.data_limits.with(&self.work_limits)
    }

    /// Tells whether anything says where data are: a flag, or a control repository around the current folder.
    pub(crate) fn is_anywhere(&self) -> bool {
        let here = || control_repository(&DiskFiles, &text(&std::env::current_dir().ok()?));
        self.environmentpath.is_some() || self.hiera_config.is_some() || here().is_some()
    }

    /// Refuses to look at nothing: a report that finds nothing in a wrong folder would be taken for a good one.
    pub(crate) fn demand_repository(&self) -> Result<(), Failure> {
        if self.from.is_some() || self.is_anywhere() {
            Ok(())
        } else {
            Err(issues::no_repository_to_examine())
        }
    }

    fn settings(&self, conf: &PuppetConf) -> Settings {
        let mut settings = conf.settings(self.codedir.as_deref().map(text));
        if let Some(strict) = &self.strict {
            settings.strict = Strict::parse(strict).unwrap_or_default();
        }
        if let Some(strict) = self.strict_variables {
            settings.strict_variables = strict;
        }
        if let Some(list) = &self.basemodulepath {
            settings.basemodulepath = split(list).map(str::to_owned).collect();
        }
        if let Some(name) = &self.environment {
            settings.environment.clone_from(name);
        }
        if let Some(path) = &self.hiera_config {
            settings.hiera_config = text(&absolute(path));
        }
        let modulepath = |list: &String| split(list).map(|part| text(&absolute(Path::new(part)))).collect();
        let variable = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        Settings {
            modulepath: self.modulepath.as_ref().map(modulepath),
            strict_types: self.strict_types,
            variables: std::env::vars_os().filter_map(variable).collect(),
            server_facts: Settings::server_facts(&HOST_NAME, "127.0.0.1"),
            ..settings
        }
    }

    /// An environment that is asked for by name must be there.
    fn check_environment(&self, root: &Root) -> Result<(), Failure> {
        match (root, &self.environment) {
            (Root::Environments(folder), Some(name)) if !Path::new(folder).join(name).is_dir() => {
                Err(issues::no_environment(name, folder))
            }
            _ => Ok(()),
        }
    }

    /// Chooses among environments that stand side by side: the one that is asked for by name, or else the one at hand.
    fn chosen(&self, folder: String) -> Result<Root, Failure> {
        let asked = among_environments(Path::new(&folder)).zip(self.environment.as_deref());
        match asked {
            Some(((above, here), name)) if here != name => {
                let other = above.join(name);
                if !other.is_dir() {
                    return Err(issues::no_environment(name, &text(above)));
                }
                Ok(Root::Repository(text(&other)))
            }
            _ => Ok(Root::Repository(folder)),
        }
    }

    fn root(&self, conf: &PuppetConf, settings: &Settings) -> Result<Root, Failure> {
        if let Some(path) = &self.environmentpath {
            return Ok(Root::Environments(text(&absolute(path))));
        }
        let here = match &self.from {
            Some(folder) => {
                std::fs::canonicalize(folder).map_err(|error| Failure::io("find", folder, &error))?
            }
            None => std::env::current_dir().map_err(|error| Failure::io("find", Path::new("."), &error))?,
        };
        if let Some(folder) = control_repository(&DiskFiles, &text(&here)) {
            if let Some(module) = module_around(&DiskFiles, &text(&here)).filter(|_| self.from.is_none()) {
                warning_line(&issues::inside_module(&module, &folder));
            }
            return self.chosen(folder);
        }
        match &self.from {
            Some(folder) => Err(issues::in_no_repository(folder)),
            None => Ok(Root::Environments(conf.environmentpath(&settings.codedir))),
        }
    }
}

/// Returns the folder of environments around one of them, and its name: Puppet calls that folder so.
fn among_environments(folder: &Path) -> Option<(&Path, String)> {
    let above = folder.parent().filter(|above| above.ends_with("environments"))?;
    Some((above, folder.file_name()?.to_str()?.to_owned()))
}

impl NodeArguments {
    /// Returns the name of the node: without a flag, of this machine.
    pub(crate) fn name(&self) -> String {
        self.node.clone().unwrap_or_else(|| HOST_NAME.clone())
    }

    /// Says where the facts of the node come from, as `puppet lookup` reads them. A node that is named must have some.
    pub(crate) fn add_to(&self, site: Builder) -> Result<Builder, Failure> {
        match &self.facts {
            Some(path) if path.is_dir() => Ok(site.with_nodes(FactsFolder(path.clone()))),
            Some(path) => Ok(site.with_nodes(LookupFacts(path.clone()))),
            None if self.node.is_some() => Ok(found_facts(&site)?.of(site)),
            None => Ok(found_facts(&site)?.then(NoFacts).of(site)),
        }
    }

    /// Says where the facts of the node come from. There may be none, and a file of them may say anything.
    pub(crate) fn add_freely_to(&self, site: Builder) -> Result<Builder, Failure> {
        match &self.facts {
            Some(path) if path.is_dir() => Ok(site.with_nodes(FactsFolder(path.clone()))),
            Some(path) => Ok(site.with_nodes(FactsFile(path.clone()))),
            None => Ok(found_facts(&site)?.then(NoFacts).of(site)),
        }
    }

    /// Opens a site for questions about the node.
    pub(crate) fn open(&self, site: &SiteArguments) -> Result<Site, Failure> {
        Ok(self.add_to(site.builder()?)?.build())
    }

    /// Finds the node.
    pub(crate) fn find(&self, site: &Site) -> Result<Node, Failure> {
        site.environment().check().map_err(Failure::from)?;
        site.node(&self.name()).map_err(|error| node_failure_in(site, &error))
    }

    /// Tells whether this machine is meant because nothing names a node or facts.
    fn is_this_machine(&self) -> bool {
        self.node.is_none() && self.facts.is_none()
    }

    /// Tells whether this machine is meant and nothing is known of it.
    pub(crate) fn is_unknown_machine(&self, site: &Site) -> bool {
        let known = || site.node_source().find(&**site.files(), &self.name()).ok().flatten();
        self.is_this_machine() && known().is_none_or(|known| known.facts.is_empty())
    }

    /// Finds the node; its name is trusted where facts do not say who it is.
    pub(crate) fn find_trusted(&self, site: &Site) -> Result<Node, Failure> {
        site.environment().check().map_err(Failure::from)?;
        site.trusted_node(&self.name()).map_err(|error| node_failure_in(site, &error))
    }
}

/// Sources of facts that no flag names: `HIERARCH_NODES`, the store and the folder `facts` of the control repository.
struct FoundFacts(FirstOf);

impl FoundFacts {
    fn then(self, source: impl hierarch_site::NodeSource + 'static) -> Self {
        Self(self.0.then(source))
    }

    fn of(self, site: Builder) -> Builder {
        site.with_nodes(self.0)
    }
}

fn found_facts(site: &Builder) -> Result<FoundFacts, Failure> {
    let mut found = FoundFacts(FirstOf::default());
    if let Some(path) = std::env::var_os("HIERARCH_NODES").filter(|path| !path.is_empty()).map(PathBuf::from)
    {
        let store = path.to_str().and_then(store_of);
        found = if let Some(store) = store {
            found.then(store?)
        } else if path.is_dir() {
            found.then(FactsFolder(path))
        } else {
            found.then(NodeList::read(&DiskFiles, &path).map_err(|error| puppets(&error))?)
        };
    }
    if let Root::Repository(folder) = site.root() {
        let shown = Path::new(folder).join(".hierarch/nodes.db");
        if shown.is_file()
            && let Some(store) = store_of(&format!("sqlite:{}", shown.display()))
        {
            found = found.then(store?);
            #[cfg(feature = "store")]
            super::fleet::store::tell_if_stale(Path::new(folder), &[format!("sqlite:{}", shown.display())]);
        }
        let facts = Path::new(folder).join("facts");
        if facts.is_dir() {
            found = found.then(FactsFolder(facts));
        }
    }
    Ok(found)
}

/// Opens a store of nodes, if an address names one.
#[cfg(feature = "store")]
fn store_of(address: &str) -> Option<Result<hierarch_store::Store, Failure>> {
    let address = hierarch_store::Address::parse(address)?;
    let store = hierarch_store::Store::open_existing(&address);
    Some(store.map_err(Failure::from))
}

/// This build knows no stores.
#[cfg(not(feature = "store"))]
fn store_of(_: &str) -> Option<Result<NoFacts, Failure>> {
    None
}

/// Says why there is no node; where there is no control repository, that is why.
fn node_failure_in(site: &Site, error: &Error) -> Failure {
    let has_repository = site.environment().folder().is_some_and(Path::is_dir);
    if error.code == hierarch_site::issues::UNKNOWN_NODE && !has_repository {
        return issues::no_facts_without_repository(error);
    }
    node_failure(error)
}

/// Says why there is no node: what Puppet has words for is said as Puppet does.
pub(crate) fn node_failure(error: &Error) -> Failure {
    if error.code == hierarch_site::issues::UNKNOWN_NODE {
        Failure::from(error.clone())
    } else {
        puppets(error)
    }
}

/// Says it as Puppet does.
pub(crate) fn puppets(error: &Error) -> Failure {
    Failure::of(issues::could_not_run(error).to_string(), error)
}

/// Returns permissions for commands that have the flag `--show-secrets`.
pub(crate) fn showing_secrets(may_show_secrets: bool) -> Permissions {
    Permissions { may_show_secrets, ..Permissions::default() }
}

/// What this machine calls itself, found out once.
static HOST_NAME: LazyLock<String> = LazyLock::new(|| {
    let name = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
    let name = name.trim();
    if name.is_empty() { "localhost".to_owned() } else { name.to_lowercase() }
});

/// Returns what this machine calls itself.
#[cfg(feature = "serve")]
pub(crate) fn host_name() -> &'static str {
    &HOST_NAME
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

fn split(list: &str) -> impl Iterator<Item = &str> {
    list.split(':').filter(|part| !part.is_empty())
}
