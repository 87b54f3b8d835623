//! An environment: a named tree of code and data below a site.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hierarch_eval::resource_types::{ModuleTypes, ResourceTypes};
use hierarch_eval::{Catalog, Codebase, Evaluator};
use hierarch_hiera::environment::EnvironmentConf;
use hierarch_hiera::origin::TracedValue;
use hierarch_hiera::{EnvironmentFolder, Found, Hiera, Query, Session};
use hierarch_pcore::Value;
use hierarch_source::{Error, Files, Result, Source};

use crate::failure::TELLS_NO_SECRET;
use crate::issues;
use crate::settings::{Limits, Permissions};
use crate::site::{Parts, Root};

/// An environment, with everything that was read of it.
pub struct Environment {
    language: Codebase,
    settings: hierarch_eval::ProgramSettings,
    limits: Limits,
    permissions: Permissions,
}

impl Environment {
    pub(crate) fn open(parts: &Parts, name: &str) -> Self {
        let layers = layers(parts, name);
        let modulepath: Vec<PathBuf> = layers.modulepath.iter().map(PathBuf::from).collect();
        let types = resource_types(parts, &layers, &modulepath);
        let hiera = open_hiera(parts, layers);
        let language = parts
            .assumed_modules
            .iter()
            .fold(hierarch_functions::environment(), |language, module| language.assuming_module(module));
        Self {
            language: language
                .with_files(Arc::clone(&parts.files))
                .with_modulepath(modulepath)
                .with_resource_types(types)
                .with_clock(parts.clock)
                .with_memory(parts.memory)
                .with_substitutes(Arc::clone(&parts.substitutes))
                .with_hiera(Arc::new(hiera)),
            settings: parts.settings.of_programs(parts.permissions),
            limits: parts.limits,
            permissions: parts.permissions,
        }
    }

    /// Returns its name.
    pub fn name(&self) -> &str {
        &self.hiera().environment().name
    }

    /// Returns its folder; none where there are only modules.
    pub fn folder(&self) -> Option<&Path> {
        self.hiera().environment().path.as_deref().map(Path::new)
    }

    /// Fails if its environment.conf is there and cannot be read: nothing may go on as if it were not there.
    pub fn check(&self) -> Result<()> {
        self.hiera().environment().problem.clone().map_or(Ok(()), Err)
    }

    /// Returns the folders that modules are in; the first that has a module counts.
    pub fn modulepath(&self) -> &[PathBuf] {
        self.language.modulepath()
    }

    /// Lists its modules: names and folders.
    pub fn modules(&self) -> Vec<(String, String)> {
        self.hiera().environment().modules(self.hiera().files())
    }

    /// Returns its data.
    pub fn hiera(&self) -> &Hiera {
        self.language.hiera()
    }

    /// Returns its functions and types.
    pub fn language(&self) -> &Codebase {
        &self.language
    }

    /// Reads its manifests: the file or folder that its environment.conf names, or `manifests`.
    pub fn manifests(&self) -> Result<Vec<Arc<Source>>> {
        self.check()?;
        let Some(folder) = self.folder() else { return Ok(Vec::new()) };
        let files = self.hiera().files();
        let name = &self.hiera().environment().name;
        let conf = EnvironmentConf::load(files, name, &folder.display().to_string());
        read_manifests(files, Path::new(&conf.manifest()))
    }

    /// Reads other manifests than its own: a file, or all of a folder.
    pub fn manifests_at(&self, path: &Path) -> Result<Vec<Arc<Source>>> {
        read_manifests(self.hiera().files(), path)
    }

    /// Starts a run of programs that belong to no node.
    pub fn evaluator(&self) -> Evaluator<'_> {
        self.evaluator_for(String::new())
    }

    /// Starts a run for a node, of which only the name is known to functions.
    pub fn evaluator_for(&self, node: String) -> Evaluator<'_> {
        let settings = hierarch_eval::ProgramSettings { node, ..self.settings.clone() };
        let mut evaluator = Evaluator::new(&self.language)
            .with_settings(settings)
            .with_limits(self.limits.evaluation)
            .with_substitutes(Arc::clone(self.language.substitutes()));
        evaluator.set_variable("environment", self.name().into());
        evaluator
    }

    /// Returns the settings and limits of programs.
    pub(crate) fn program_settings(&self) -> (&hierarch_eval::ProgramSettings, hierarch_eval::ProgramLimits) {
        (&self.settings, self.limits.evaluation)
    }

    /// Returns what lookups warned of since the last time, each warning once, secrets hidden.
    pub fn take_warnings(&self) -> Vec<String> {
        let log = self.hiera().log();
        let warnings = log.take().into_iter().chain(log.take_our_own());
        warnings.map(|warning| self.shown_text(&warning)).collect()
    }

    /// Returns a value as it may be shown.
    pub fn shown(&self, traced: &TracedValue) -> Value {
        if self.permissions.may_show_secrets { traced.plain().clone() } else { traced.without_secrets() }
    }

    /// Looks up again what a query found, as its value may be shown.
    pub fn shown_answer(&self, session: &Session, query: &Query, value: &Value) -> Value {
        if self.permissions.may_show_secrets || !self.hiera().has_secrets() {
            return value.clone();
        }
        match session.search_shown(query) {
            Ok(Found::Value(shown)) => shown,
            // A default stands in no data.
            Ok(Found::Missing) => value.clone(),
            Err(_) => Value::from(hierarch_hiera::eyaml::HIDDEN),
        }
    }

    /// Returns a catalog as it may be shown: attributes that are `Sensitive` and all that was decrypted are hidden.
    pub fn shown_catalog(&self, mut catalog: Catalog) -> Catalog {
        if !self.permissions.may_show_secrets {
            let hiera = self.hiera();
            catalog.hide(&|text| hiera.without_secrets(text), &|value| hiera.value_without_secrets(value));
        }
        catalog
    }

    /// Tells whether secrets may be shown.
    pub fn may_show_secrets(&self) -> bool {
        self.permissions.may_show_secrets
    }

    /// Hides what was decrypted in a text, unless it may be shown.
    pub fn shown_text(&self, text: &str) -> String {
        if self.permissions.may_show_secrets { text.to_owned() } else { self.hiera().without_secrets(text) }
    }

    /// Returns the words of an error in which nothing is told that was decrypted, unless it may be shown.
    pub fn told(&self, error: &Error) -> String {
        let words = error.to_string();
        if error.has_detail(TELLS_NO_SECRET) { words } else { self.shown_text(&words) }
    }

    /// Hides what was decrypted in an error, unless it may be shown.
    pub fn shown_error(&self, error: Error) -> Error {
        let message = self.shown_text(&error.message);
        if message == error.message { error } else { error.with_message(message) }
    }
}

/// Finds where the data and modules of an environment are.
fn layers(parts: &Parts, name: &str) -> EnvironmentFolder {
    let settings = &parts.settings;
    let load = |folder: &str| EnvironmentFolder::load(&*parts.files, name, folder, &settings.basemodulepath);
    let mut layers = match &parts.root {
        Root::Repository(folder) => load(folder),
        Root::Environments(folder) => load(&Path::new(folder).join(name).display().to_string()),
        Root::Modules => EnvironmentFolder {
            name: name.to_owned(),
            modulepath: settings.basemodulepath.clone(),
            ..EnvironmentFolder::default()
        },
    };
    if let Some(modulepath) = &settings.modulepath {
        layers.modulepath.clone_from(modulepath);
    }
    layers
}

fn resource_types(
    parts: &Parts,
    layers: &EnvironmentFolder,
    modulepath: &[PathBuf],
) -> Arc<dyn ResourceTypes> {
    if let Some(types) = &parts.resource_types {
        return Arc::clone(types);
    }
    let types = ModuleTypes::new(Arc::clone(&parts.files), modulepath.to_vec());
    let types = types.strict(parts.settings.strict_types);
    match &layers.path {
        Some(folder) => Arc::new(types.in_environment(folder.into())),
        None => Arc::new(types),
    }
}

fn open_hiera(parts: &Parts, layers: EnvironmentFolder) -> Hiera {
    let global = parts.settings.hiera_config.clone();
    // The environment's own hiera.yaml is never that of the global layer as well.
    let own = layers.path.as_deref().map(|folder| Path::new(folder).join("hiera.yaml"));
    let global = if own.as_deref() == Some(Path::new(&global)) { String::new() } else { global };
    let settings = parts.settings.of_lookups(&parts.limits);
    let hiera = Hiera::new(Arc::clone(&parts.files), settings, layers, global);
    parts.backends.iter().fold(hiera, |hiera, backend| hiera.with_backend(Arc::clone(backend)))
}

/// Reads a manifest, or all manifests below a folder, in the order of their paths.
fn read_manifests(files: &dyn Files, path: &Path) -> Result<Vec<Arc<Source>>> {
    let mut paths = Vec::new();
    collect(files, path, &mut paths)?;
    paths.sort();
    paths.iter().map(|path| read_source(files, path)).collect()
}

/// Reads a text.
pub(crate) fn read_source(files: &dyn Files, path: &Path) -> Result<Arc<Source>> {
    let bytes = files.read(path).map_err(|error| issues::unreadable(path, &error))?;
    Source::from_bytes(path.display().to_string(), bytes)
}

fn collect(files: &dyn Files, path: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    if !files.is_folder(path) {
        found.extend(files.is_file(path).then(|| path.to_owned()));
        return Ok(());
    }
    for name in files.list(path).map_err(|error| issues::unreadable(path, &error))? {
        let entry = path.join(&name);
        if name.ends_with(".pp") || files.is_folder(&entry) {
            collect(files, &entry, found)?;
        }
    }
    Ok(())
}
