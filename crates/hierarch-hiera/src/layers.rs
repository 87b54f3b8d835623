//! The three layers: global, environment, module; and where their configurations are.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use hierarch_pcore::{Str, Value};
use hierarch_source::{Error, Files, Result};

use crate::backend::json;
use crate::config::{Config, FILE_NAME, Level, Reader};
use crate::issues;
use crate::locate::is_file_there;
use crate::log::Log;
use crate::path;
use crate::presence::Presence;
use crate::settings::{LookupSettings, Strict};

/// Which layer a configuration belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum LayerKind {
    /// The one above all environments.
    Global,
    /// That of an environment.
    Environment,
    /// That of a module.
    Module,
}

/// A layer that has data.
#[derive(Debug)]
pub(crate) struct Layer {
    /// Which of the three.
    pub kind: LayerKind,
    /// The module, for a module's layer.
    pub module: Option<Str>,
    /// Its configuration.
    pub config: Config,
}

impl Layer {
    /// Returns what explanations call it.
    pub(crate) fn name(&self) -> String {
        let config = self.config.name();
        match (self.kind, &self.module) {
            (LayerKind::Global, _) => format!("Global Data Provider ({config})"),
            (LayerKind::Environment, _) => format!("Environment Data Provider ({config})"),
            (LayerKind::Module, module) => {
                format!("Module \"{}\" Data Provider ({config})", module.as_deref().unwrap_or(""))
            }
        }
    }
}

/// Where a module keeps functions that are written in Ruby: those of the new interface and of the old one.
pub const RUBY_FUNCTIONS: [&str; 2] = ["lib/puppet/functions", "lib/puppet/parser/functions"];

/// Tells whether a folder of this name can be a module.   Puppet: `is_module_directory_name?`
pub fn is_module_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// An environment: a folder with data and modules.
#[derive(Clone, Debug, Default)]
pub struct EnvironmentFolder {
    /// Its name.
    pub name: String,
    /// Its folder; none: there are no data.
    pub path: Option<String>,
    /// The folders that modules are in, the first ones first.
    pub modulepath: Vec<String>,
    /// The setting `environment_data_provider`, which is deprecated.
    pub data_provider: Option<String>,
    /// Why its environment.conf cannot be read, if it is there: no lookup may go on as if it were not.
    pub problem: Option<Error>,
}

impl EnvironmentFolder {
    /// Finds the folder of a module.
    pub fn module(&self, files: &dyn Files, name: &str) -> Option<String> {
        if !is_module_name(name) {
            return None;
        }
        let paths = self.modulepath.iter().map(|folder| path::join(folder, name));
        paths.into_iter().find(|path| files.is_folder(path.as_ref()))
    }

    /// Finds the file of a function that is written in Ruby.
    pub(crate) fn ruby_function(&self, files: &dyn Files, name: &str) -> Option<String> {
        let below = format!("{}/{}.rb", RUBY_FUNCTIONS[0], name.replace("::", "/"));
        let modules = self.modules(files).into_iter().map(|(_, folder)| folder);
        let places = self.path.iter().cloned().chain(modules).map(|folder| path::join(&folder, &below));
        places.into_iter().find(|file| files.is_file(file.as_ref()))
    }

    /// Lists the modules and their folders.
    pub fn modules(&self, files: &dyn Files) -> Vec<(String, String)> {
        let mut modules: Vec<(String, String)> = Vec::new();
        for folder in &self.modulepath {
            for name in files.list(folder.as_ref()).unwrap_or_default() {
                let path = path::join(folder, &name);
                let is_module = is_module_name(&name) && files.is_folder(path.as_ref());
                if is_module && !modules.iter().any(|(known, _)| *known == name) {
                    modules.push((name, path));
                }
            }
        }
        modules
    }
}

/// Where layers are, and those that were read already.
pub(crate) struct Layers {
    pub(crate) global_config: String,
    pub(crate) environment: EnvironmentFolder,
    known: Mutex<HashMap<LayerId, KnownLayer>>,
    /// The configurations that were read or looked for, and what they were like.
    watched: Mutex<HashMap<String, Option<u64>>>,
    /// Layers whose configuration has changed. Surveys may still know them by their address.
    retired: Mutex<Vec<Arc<Layer>>>,
    /// Modules that keys name, and whether they have a folder.
    modules: Presence,
}

/// What is known about a layer: there may be none.
type KnownLayer = Option<Arc<Layer>>;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum LayerId {
    Global,
    Environment,
    Module(Str),
}

/// Why a module has no layer.
pub(crate) enum ModuleLayer {
    Found(Arc<Layer>),
    NoModule,
    NoData,
}

impl ModuleLayer {
    /// Returns the layer, if there is one.
    pub(crate) fn found(self) -> Option<Arc<Layer>> {
        match self {
            Self::Found(layer) => Some(layer),
            Self::NoModule | Self::NoData => None,
        }
    }
}

/// What reading a layer needs.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings<'a> {
    pub(crate) files: &'a dyn Files,
    pub(crate) settings: &'a LookupSettings,
    pub(crate) log: &'a Log,
}

impl Surroundings<'_> {
    fn load(&self, layer: LayerKind, path: &str) -> Result<Config> {
        let reader = Reader { files: self.files, settings: self.settings, log: self.log, layer };
        Config::load(&reader, path)
    }

    fn is_strict(&self) -> bool {
        self.settings.strict == Strict::Error
    }
}

impl Layers {
    pub(crate) fn new(global_config: String, environment: EnvironmentFolder) -> Self {
        let (known, watched, retired) = (Mutex::default(), Mutex::default(), Mutex::default());
        Self { global_config, environment, known, watched, retired, modules: Presence::default() }
    }

    fn watch(&self, files: &dyn Files, path: &str) {
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        watched.entry(path.to_owned()).or_insert_with(|| files.stamp(path.as_ref()));
    }

    /// Forgets all layers if a configuration has changed.
    pub(crate) fn refresh(&self, files: &dyn Files) {
        self.modules.forget();
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        if watched.iter().all(|(path, stamp)| files.stamp(path.as_ref()) == *stamp) {
            return;
        }
        watched.clear();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut retired = self.retired.lock().unwrap_or_else(PoisonError::into_inner);
        retired.extend(known.drain().filter_map(|(_, layer)| layer));
    }

    fn known(&self, id: &LayerId) -> Option<KnownLayer> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }

    fn remember(&self, id: LayerId, layer: Option<Layer>) -> Option<Arc<Layer>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        // Threads that read the same configuration at the same time go on with the same layer: sessions know layers by
        // their address, which must not be given to another one.
        known.entry(id).or_insert_with(|| layer.map(Arc::new)).clone()
    }

    /// Tells whether some level of the layers that were read is as asked; global and environment come first.
    pub(crate) fn any_level(&self, mut is_meant: impl FnMut(&Level) -> bool) -> bool {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut layers: Vec<(&LayerId, &Arc<Layer>)> =
            known.iter().filter_map(|(id, layer)| Some((id, layer.as_ref()?))).collect();
        layers.sort_by_key(|(id, _)| match id {
            LayerId::Global => (0, Str::new()),
            LayerId::Environment => (1, Str::new()),
            LayerId::Module(name) => (2, name.clone()),
        });
        let mut levels = layers.into_iter().flat_map(|(_, layer)| {
            let defaults = layer.config.default_hierarchy.iter().flatten();
            layer.config.hierarchy.iter().chain(defaults)
        });
        levels.any(|level| is_meant(level))
    }

    /// Returns the layer at an address.
    pub(crate) fn at(&self, address: usize) -> Option<Arc<Layer>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.values().flatten().find(|layer| Arc::as_ptr(layer) as usize == address).cloned()
    }

    /// Returns the global layer. There is always one, if only the built-in.
    pub(crate) fn global(&self, around: Surroundings) -> Result<Arc<Layer>> {
        if let Some(Some(layer)) = self.known(&LayerId::Global) {
            return Ok(layer);
        }
        self.watch(around.files, &self.global_config);
        let config = around.load(LayerKind::Global, &self.global_config)?;
        if config.version == 4 {
            return Err(config.fail(issues::config::version_4_in_global(), None));
        }
        let new = || Arc::new(Layer { kind: LayerKind::Global, module: None, config });
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::clone(known.entry(LayerId::Global).or_default().get_or_insert_with(new)))
    }

    /// Returns the layer of the environment, if it has one.
    pub(crate) fn environment(&self, around: Surroundings) -> Result<Option<Arc<Layer>>> {
        if let Some(layer) = self.known(&LayerId::Environment) {
            return Ok(layer);
        }
        if let Some(problem) = &self.environment.problem {
            return Err(problem.clone());
        }
        let Some(folder) = &self.environment.path else { return Ok(None) };
        self.watch(around.files, &path::join(folder, FILE_NAME));
        let owner = Owner {
            kind: LayerKind::Environment,
            module: None,
            folder,
            provider: self.environment.data_provider.clone(),
            function: "environment::data".to_owned(),
        };
        let layer = owner.layer(around, || self.unknown_provider("environment_data_provider", &owner))?;
        Ok(self.remember(LayerId::Environment, layer))
    }

    fn unknown_provider(&self, what: &str, owner: &Owner) -> Error {
        issues::unknown_provider(&self.environment.name, what, owner.provider.as_deref().unwrap_or(""))
    }

    /// Returns the layer of a module, if it has one.
    pub(crate) fn module(&self, around: Surroundings, name: &str) -> Result<ModuleLayer> {
        let id = LayerId::Module(name.into());
        let known = if let Some(known) = self.known(&id) {
            known
        } else {
            let find = || self.environment.module(around.files, name);
            let folder = if self.modules.of(name, || find().is_some()) { find() } else { None };
            let Some(folder) = folder else { return Ok(ModuleLayer::NoModule) };
            self.watch(around.files, &path::join(&folder, FILE_NAME));
            let owner = Owner {
                kind: LayerKind::Module,
                module: Some(name.into()),
                folder: &folder,
                provider: data_provider_of(around.files, &folder)?,
                function: format!("{name}::data"),
            };
            let layer = owner.layer(around, || self.unknown_provider("module_data_provider", &owner))?;
            self.remember(id, layer)
        };
        Ok(known.map_or(ModuleLayer::NoData, ModuleLayer::Found))
    }
}

/// Reads the deprecated setting in a module's metadata.json.
fn data_provider_of(files: &dyn Files, folder: &str) -> Result<Option<String>> {
    let bytes = path::read_if_there(files, &path::join(folder, "metadata.json"))?;
    let Ok(Value::Hash(metadata)) = json::parse(&String::from_utf8_lossy(&bytes)) else { return Ok(None) };
    let provider = metadata.get_str("data_provider").filter(|provider| !provider.is_undef());
    Ok(provider.map(Value::to_plain))
}

/// An environment or a module on the way to its layer.
struct Owner<'a> {
    kind: LayerKind,
    module: Option<Str>,
    folder: &'a str,
    provider: Option<String>,
    function: String,
}

impl Owner<'_> {
    fn with(&self, config: Config) -> Layer {
        Layer { kind: self.kind, module: self.module.clone(), config }
    }

    fn layer(&self, around: Surroundings, unknown: impl Fn() -> Error) -> Result<Option<Layer>> {
        let path = path::join(self.folder, FILE_NAME);
        let mut layer = None;
        let mut provider = self.provider.as_deref();
        if is_file_there(around.files, &path) {
            layer = self.checked(around, around.load(self.kind, &path)?)?.map(|config| self.with(config));
            if layer.as_ref().is_some_and(|layer| layer.config.version >= 5) {
                self.warn_of_ignored_provider(around);
                provider = None;
            }
        }
        let Some(provider) = provider else { return Ok(layer) };
        self.warn_of_provider(around, provider, layer.is_none());
        match provider {
            "none" => Ok(None),
            "hiera" if layer.is_some() => Ok(layer),
            "hiera" => Ok(Some(self.with(around.load(self.kind, &path)?))),
            "function" => {
                if around.settings.strict != Strict::Off {
                    around.log.warn_about_nothing(&issues::legacy_function_text(&self.function));
                }
                Ok(Some(self.with(Config::of_legacy_function(&self.function))))
            }
            _ => Err(unknown()),
        }
    }

    /// Version 3 is for the global layer only.
    fn checked(&self, around: Surroundings, config: Config) -> Result<Option<Config>> {
        if config.version > 3 {
            return Ok(Some(config));
        }
        let (place, ignored) = match self.kind {
            LayerKind::Module => ("a module", "hiera.yaml version 3 found at module root was ignored"),
            _ => ("an environment", "hiera.yaml version 3 found at the environment root was ignored"),
        };
        if around.is_strict() {
            return Err(config.fail(issues::config::version_3_not_global(place), None));
        }
        around.log.warn_about_file(ignored, config.path.as_deref().unwrap_or(""));
        Ok(None)
    }

    fn warn_of_ignored_provider(&self, around: Surroundings) {
        let Some(provider) = &self.provider else { return };
        if around.settings.strict == Strict::Off {
            return;
        }
        if self.kind == LayerKind::Module {
            around.log.warn_about_file(&format!("Defining \"data_provider\": \"{provider}\" in metadata.json is deprecated. It is ignored since a 'hiera.yaml' with version >= 5 is present"),
            &path::join(self.folder, "metadata.json"),
        );
        } else {
            let file = path::join(self.folder, "environment.conf");
            around.log.warn_about_file(
                &format!("Defining environment_data_provider='{provider}' in environment.conf is deprecated"),
                &file,
            );
            if provider != "hiera" {
                let config = path::join(self.folder, FILE_NAME);
                around.log.warn_about_file(&format!("The environment_data_provider='{provider}' setting is ignored since '{config}' version >= 5"),
                    &file,
                );
            }
        }
    }

    fn warn_of_provider(&self, around: Surroundings, provider: &str, is_alone: bool) {
        if around.settings.strict == Strict::Off {
            return;
        }
        let hint = if is_alone { " A 'hiera.yaml' file should be used instead" } else { "" };
        let (words, file) = match self.kind {
            LayerKind::Module => (
                format!("Defining \"data_provider\": \"{provider}\" in metadata.json is deprecated.{hint}"),
                "metadata.json",
            ),
            _ => (
                format!(
                    "Defining environment_data_provider='{provider}' in environment.conf is deprecated.{hint}"
                ),
                "environment.conf",
            ),
        };
        around.log.warn_about_file(&words, &path::join(self.folder, file));
    }
}

#[cfg(test)]
mod tests {
    use hierarch_source::MemoryFiles;

    use super::*;

    #[test]
    fn names_of_modules_are_those_that_puppet_takes() {
        for name in ["a", "ntp", "my_module", "a1", "a_"] {
            assert!(is_module_name(name), "{name}");
        }
        for name in ["", "A", "Ntp", "my-module", "1a", "_a", "a.b", "a b", "..", "é", "a::b"] {
            assert!(!is_module_name(name), "{name}");
        }
    }

    #[test]
    fn of_modules_with_one_name_the_first_counts() {
        let files = MemoryFiles::from([
            ("one/ntp/hiera.yaml", ""),
            ("two/ntp/hiera.yaml", ""),
            ("two/web/hiera.yaml", ""),
            ("two/my-module/hiera.yaml", ""),
            ("two/file", ""),
        ]);
        let modulepath = vec!["one".to_owned(), "two".to_owned(), "nowhere".to_owned()];
        let environment = EnvironmentFolder { modulepath, ..EnvironmentFolder::default() };
        let pair = |name: &str, path: &str| (name.to_owned(), path.to_owned());
        assert_eq!(environment.modules(&files), [pair("ntp", "one/ntp"), pair("web", "two/web")]);
        assert_eq!(environment.module(&files, "ntp").as_deref(), Some("one/ntp"));
        assert_eq!(environment.module(&files, "my-module"), None);
        assert_eq!(environment.module(&files, "missing"), None);
    }

    #[test]
    fn functions_in_ruby_are_found_in_the_environment_and_then_in_modules() {
        let files = MemoryFiles::from([
            ("env/lib/puppet/functions/here.rb", ""),
            ("m/a/lib/puppet/functions/a/there.rb", ""),
            ("m/a/lib/puppet/parser/functions/old.rb", ""),
        ]);
        let (path, modulepath) = (Some("env".to_owned()), vec!["m".to_owned()]);
        let environment = EnvironmentFolder { path, modulepath, ..EnvironmentFolder::default() };
        let found = |name: &str| environment.ruby_function(&files, name);
        assert_eq!(found("here").as_deref(), Some("env/lib/puppet/functions/here.rb"));
        assert_eq!(found("a::there").as_deref(), Some("m/a/lib/puppet/functions/a/there.rb"));
        assert_eq!((found("old"), found("a::missing")), (None, None));
    }
}
