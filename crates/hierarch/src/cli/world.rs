//! Where data are: the flags that say it, a control repository found upwards, or an installed Puppet.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use clap::Args;
use hierarch_eval::hiera::NodeHost;
use hierarch_eval::resource_types::ModuleTypes;
use hierarch_eval::{Environment as Language, Evaluator, Limits};
use hierarch_hiera::environment::{control_repository, setting};
use hierarch_hiera::node::Node;
use hierarch_hiera::{Environment, Hiera, LARGEST_FILE, Scope, Settings, Strict, facts};
use hierarch_pcore::{Hash, Value};
use hierarch_source::DiskFiles;

use super::directives::Directives;
use super::failure::Failure;
use super::language::now;

/// Which data, and whose.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct WorldArguments {
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
    /// How undefined variables are treated: off, warning or error
    #[arg(long, value_name = "LEVEL")]
    pub(crate) strict: Option<String>,
    /// How many bytes a data file may have
    #[arg(long, value_name = "BYTES")]
    pub(crate) max_file_size: Option<u64>,
    /// Refuse resource types that neither Puppet nor a module describes, instead of a warning
    #[arg(long)]
    pub(crate) strict_types: bool,
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

impl WorldArguments {
    /// Asks for the control repository that a folder lies in.
    pub(crate) fn around(folder: PathBuf) -> Self {
        Self { from: Some(folder), ..Self::default() }
    }

    /// Opens the data.
    pub(crate) fn open(&self) -> Result<Hiera, Failure> {
        self.open_environment(None)
    }

    /// Opens the data of an environment; without a name, of the one that the flags say.
    pub(crate) fn open_environment(&self, name: Option<&str>) -> Result<Hiera, Failure> {
        let installed = Installed::read(self.confdir.as_deref());
        let codedir =
            self.codedir.as_deref().map_or_else(|| installed.get("codedir"), |path| Some(text(path)));
        let codedir = codedir.unwrap_or_else(|| installed.codedir().to_owned());
        let strict = self.strict.clone().or_else(|| installed.get("strict"));
        let settings = Settings {
            strict: strict.as_deref().and_then(Strict::parse).unwrap_or_default(),
            codedir: codedir.clone(),
            variables: std::env::vars_os()
                .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
                .collect(),
            largest_file: self.max_file_size.unwrap_or(LARGEST_FILE),
        };
        let base = self.basemodulepath.clone().or_else(|| installed.get("basemodulepath"));
        let base: Vec<String> = base.map_or_else(|| vec![format!("{codedir}/modules")], |list| split(&list));
        let name = name.map(str::to_owned).or_else(|| self.environment.clone());
        let name = name.or_else(|| installed.get("environment"));
        let name = name.unwrap_or_else(|| "production".to_owned());
        let folder = self.environment_folder(&name, &codedir, &installed)?;
        let mut environment = Environment::load(&DiskFiles, &name, &folder, &base);
        if let Some(list) = &self.modulepath {
            environment.modulepath =
                split(list).iter().map(|part| text(&absolute(Path::new(part)))).collect();
        }
        let global = match &self.hiera_config {
            Some(path) => text(&absolute(path)),
            None => {
                installed.get("hiera_config").unwrap_or_else(|| format!("{}/hiera.yaml", installed.folder))
            }
        };
        // The repository's own hiera.yaml is that of the environment, never the global one as well.
        let global = if global == format!("{folder}/hiera.yaml") { String::new() } else { global };
        Ok(Hiera::new(DiskFiles, settings, environment, global).with_backend(Arc::new(Directives)))
    }

    /// Opens the data together with the functions and types of the environment and its modules.
    pub(crate) fn open_language(&self) -> Result<Language, Failure> {
        self.open_language_of(None)
    }

    /// Does so for an environment; without a name, for the one that the flags say.
    pub(crate) fn open_language_of(&self, environment: Option<&str>) -> Result<Language, Failure> {
        Ok(language_of(self.open_environment(environment)?, self.strict_types))
    }

    /// Says the same about another control repository.
    pub(crate) fn in_repository(&self, repository: &Path) -> Self {
        Self { from: Some(repository.to_owned()), ..self.clone() }
    }

    /// Tells whether anything says where data are: a flag, or a control repository around the current folder.
    pub(crate) fn is_anywhere(&self) -> bool {
        let here = || control_repository(&DiskFiles, &text(&std::env::current_dir().ok()?));
        self.environmentpath.is_some() || self.hiera_config.is_some() || here().is_some()
    }

    fn environment_folder(
        &self,
        name: &str,
        codedir: &str,
        installed: &Installed,
    ) -> Result<String, Failure> {
        if let Some(path) = &self.environmentpath {
            return Ok(text(&absolute(path).join(name)));
        }
        let here = match &self.from {
            Some(folder) => {
                std::fs::canonicalize(folder).map_err(|error| Failure::io("find", folder, &error))?
            }
            None => std::env::current_dir().map_err(|error| Failure::io("find", Path::new("."), &error))?,
        };
        if let Some(folder) = control_repository(&DiskFiles, &text(&here)) {
            return Ok(folder);
        }
        if let Some(folder) = &self.from {
            return Err(Failure::new(format!("{} is in no control repository", folder.display())));
        }
        let environmentpath =
            installed.get("environmentpath").unwrap_or_else(|| format!("{codedir}/environments"));
        Ok(format!("{environmentpath}/{name}"))
    }
}

/// Makes the environment that functions written in the language run in.
fn language_of(hiera: Hiera, strict_types: bool) -> Language {
    let environment = hiera.environment();
    let modulepath: Vec<PathBuf> = environment.modulepath.iter().map(PathBuf::from).collect();
    let mut types = ModuleTypes::new(Arc::new(DiskFiles), modulepath.clone()).strict(strict_types);
    if let Some(folder) = &environment.path {
        types = types.in_environment(folder.into());
    }
    hierarch_functions::environment()
        .with_modulepath(modulepath)
        .with_resource_types(Arc::new(types))
        .with_clock(now)
        .with_hiera(Arc::new(hiera))
}

/// Makes the host of a node's lookups.
pub(crate) fn host_of<'n>(language: &'n Language, scope: &'n Scope) -> NodeHost<'n> {
    let limits = Limits::default().with_stack_of(STACK);
    NodeHost::new(language, scope).with_settings(language_settings(language)).with_limits(limits)
}

/// Starts an evaluation that sees the variables of a node.
pub(crate) fn evaluator_of<'n>(language: &'n Language, scope: &Scope, node: String) -> Evaluator<'n> {
    let settings = hierarch_eval::Settings { node, ..language_settings(language) };
    let limits = Limits::default().with_stack_of(super::language::STACK);
    let mut evaluator = Evaluator::new(language).with_settings(settings).with_limits(limits);
    for (name, value) in scope.variables() {
        evaluator.set_variable(name.as_str().unwrap_or_default(), value.clone());
    }
    evaluator
}

/// The language is as strict as lookups are.
fn language_settings(language: &Language) -> hierarch_eval::Settings {
    let strict = match language.hiera().settings().strict {
        Strict::Off => hierarch_eval::Strict::Off,
        Strict::Warning => hierarch_eval::Strict::Warning,
        Strict::Error => hierarch_eval::Strict::Error,
    };
    hierarch_eval::Settings { strict, ..hierarch_eval::Settings::default() }
}

/// What the main thread has for nested calls.
const STACK: usize = 8 << 20;

impl NodeArguments {
    /// Returns the name of the node: without a flag, of this machine.
    pub(crate) fn name(&self) -> String {
        self.node.clone().unwrap_or_else(host_name)
    }

    /// Makes the scope of the node.
    pub(crate) fn scope(&self, hiera: &Hiera) -> Result<Scope, Failure> {
        let name = self.name();
        let (facts, trusted) = match &self.facts {
            Some(path) => {
                let facts = facts::read(&DiskFiles, &text(&fact_file(path, &name)?))
                    .map_err(|error| puppets(&error))?;
                facts::check_known(&facts, &name).map_err(|error| puppets(&error))?;
                (facts, None)
            }
            // Where nothing is known about a node but its name, the name is trusted.
            None => (Hash::new(), Some(trusted(&name))),
        };
        Ok(scope_of(hiera, name, facts, trusted))
    }
}

/// What this machine calls itself, found out once.
static SERVER_NAME: LazyLock<String> = LazyLock::new(host_name);

/// Makes the scope of a node whose facts are known.
pub(crate) fn scope_of(hiera: &Hiera, name: String, facts: Hash, trusted: Option<Hash>) -> Scope {
    let server = [
        ("serverversion", "8.10.0".to_owned()),
        ("servername", SERVER_NAME.clone()),
        ("serverip", "127.0.0.1".to_owned()),
    ];
    let environment = hiera.environment().name.clone();
    let server_facts = server.into_iter().collect();
    let mut scope = Node { name, facts, environment, server_facts, trusted }.scope(hiera.log());
    scope.learn_classes(hiera);
    scope
}

fn trusted(name: &str) -> Hash {
    let (host, domain) =
        name.split_once('.').map_or((name, Value::Undef), |(host, domain)| (host, domain.into()));
    let mut trusted: Hash = [("authenticated", "local"), ("certname", name)].into_iter().collect();
    trusted.insert("extensions", Hash::new());
    trusted.insert("hostname", host);
    trusted.insert("domain", domain);
    trusted.insert("external", Hash::new());
    trusted
}

/// Says it as Puppet does.
pub(crate) fn puppets(error: &hierarch_source::Error) -> Failure {
    Failure::new(format!("Could not run: {error}"))
}

fn fact_file(path: &Path, node: &str) -> Result<PathBuf, Failure> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let names = ["yaml", "yml", "json"].map(|extension| path.join(format!("{node}.{extension}")));
    names.into_iter().find(|path| path.is_file()).ok_or_else(|| {
        let folder = path.display();
        Failure::new(format!("there are no facts of {node} in {folder}: neither {node}.yaml nor {node}.json"))
    })
}

fn host_name() -> String {
    let name = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
    let name = name.trim();
    if name.is_empty() { "localhost".to_owned() } else { name.to_lowercase() }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

fn split(list: &str) -> Vec<String> {
    list.split(':').filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// Where the packages of Puppet's makers keep its settings, and where Debian's do.
const PUPPETLABS: &str = "/etc/puppetlabs/puppet";
const DEBIANS: &str = "/etc/puppet";

/// The settings of an installed Puppet, if there is one.
struct Installed {
    folder: String,
    text: String,
}

impl Installed {
    fn read(confdir: Option<&Path>) -> Self {
        let home = std::env::var("HOME").unwrap_or_default();
        let folders = match confdir {
            Some(folder) => vec![text(folder)],
            None => vec![format!("{home}/.puppetlabs/etc/puppet"), DEBIANS.to_owned(), PUPPETLABS.to_owned()],
        };
        let found = folders.iter().find(|folder| Path::new(&format!("{folder}/puppet.conf")).is_file());
        let folder = found.or(folders.last()).cloned().unwrap_or_default();
        let text = std::fs::read_to_string(format!("{folder}/puppet.conf")).unwrap_or_default();
        Self { folder, text }
    }

    fn get(&self, name: &str) -> Option<String> {
        setting(&self.text, name)
    }

    fn codedir(&self) -> &'static str {
        if self.folder == DEBIANS { "/etc/puppet/code" } else { "/etc/puppetlabs/code" }
    }
}
