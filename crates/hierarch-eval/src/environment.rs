//! What programs are run in: built-in functions, modules, and all that was loaded from them, shared by all runs.

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use hierarch_hiera::{Hiera, RUBY_FUNCTIONS, is_module_name};
use hierarch_pcore::Type;
use hierarch_pcore::value::Timestamp;
use hierarch_source::{DiskFiles, Files};
use rustc_hash::FxHashMap;

use crate::call::UserFunction;
use crate::code::Code;
use crate::function::{CompiledFunction, ForeignSource, Registry};
use crate::metadata::{self, Refusal};
use crate::names::{NameId, Names};
use crate::resource_types::{BuiltIn, ResourceTypes};
use crate::substitute::Substitutes;

/// Where functions, types and templates come from.
pub struct Codebase {
    registry: Registry,
    names: Names,
    new: NameId,
    files: Arc<dyn Files>,
    modulepath: Vec<PathBuf>,
    substitutes: Arc<Substitutes>,
    assumed: Vec<&'static str>,
    clock: fn() -> Timestamp,
    memory: fn() -> Option<u64>,
    hiera: OnceLock<Arc<Hiera>>,
    resource_types: Arc<dyn ResourceTypes>,
    pub(crate) loaded: Mutex<KnownCode>,
    shared: OnceLock<Arc<dyn Any + Send + Sync>>,
    blank: OnceLock<Arc<Code>>,
}

/// What was found in modules so far; `None` for what is known not to be there.
#[derive(Default)]
pub(crate) struct KnownCode {
    /// Whether functions of ours stand in for those of modules, by name.
    stand_ins: FxHashMap<String, bool>,
    pub(crate) functions: FxHashMap<String, Option<Arc<UserFunction>>>,
    pub(crate) types: FxHashMap<String, Option<Type>>,
    pub(crate) templates: FxHashMap<String, Arc<Code>>,
    pub(crate) manifests: FxHashMap<PathBuf, Option<Arc<Code>>>,
    /// The files of functions in another language.
    foreign: FxHashMap<String, Option<ForeignSource>>,
    /// The folders of modules.
    folders: FxHashMap<String, Option<PathBuf>>,
    all_folders: Option<Arc<[PathBuf]>>,
    /// Why modules were refused, in the order in which they were asked for.
    refusals: Vec<Refusal>,
}

impl Default for Codebase {
    /// An environment without any built-in functions.
    fn default() -> Self {
        Self::new(Registry::default())
    }
}

impl Codebase {
    /// Makes an environment with built-in functions and no modules.
    pub fn new(registry: Registry) -> Self {
        let names = Names::default();
        Self {
            registry,
            new: names.id("new"),
            names,
            files: Arc::new(DiskFiles),
            modulepath: Vec::new(),
            substitutes: Arc::default(),
            assumed: Vec::new(),
            clock: || Timestamp(0),
            memory: || None,
            hiera: OnceLock::new(),
            resource_types: Arc::new(BuiltIn),
            loaded: Mutex::default(),
            shared: OnceLock::new(),
            blank: OnceLock::new(),
        }
    }

    /// Sets where files come from.
    #[must_use]
    pub fn with_files(mut self, files: Arc<dyn Files>) -> Self {
        self.files = files;
        self
    }

    /// Sets the folders that modules are in; the first that has a module counts.
    #[must_use]
    pub fn with_modulepath(mut self, modulepath: Vec<PathBuf>) -> Self {
        self.modulepath = modulepath;
        self
    }

    /// Sets the clock; without one, time stands still.
    #[must_use]
    pub fn with_clock(mut self, clock: fn() -> Timestamp) -> Self {
        self.clock = clock;
        self
    }

    /// Sets how to find out how many bytes of memory the process uses; without it no program is stopped for that.
    #[must_use]
    pub fn with_memory(mut self, memory: fn() -> Option<u64>) -> Self {
        self.memory = memory;
        self
    }

    /// Returns how many bytes of memory the process uses, if that can be told.
    pub(crate) fn memory(&self) -> Option<u64> {
        (self.memory)()
    }

    /// Sets where data are looked up. The folder of its environment may have functions and types, too.
    #[must_use]
    pub fn with_hiera(mut self, hiera: Arc<Hiera>) -> Self {
        self.hiera = OnceLock::from(hiera);
        self
    }

    /// Returns where data are looked up; unless set, in the modules alone.
    pub fn hiera(&self) -> &Arc<Hiera> {
        self.hiera.get_or_init(|| {
            let modulepath = self.modulepath.iter().map(|folder| folder.display().to_string()).collect();
            let environment = hierarch_hiera::EnvironmentFolder {
                name: "production".to_owned(),
                modulepath,
                ..hierarch_hiera::EnvironmentFolder::default()
            };
            let files = Arc::clone(&self.files);
            Arc::new(Hiera::new(files, hierarch_hiera::LookupSettings::default(), environment, String::new()))
        })
    }

    /// Returns the folder of the environment, if it has one.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.hiera.get()?.environment().path.as_deref().map(Path::new)
    }

    /// Sets where resource types come from that are not written in the language.
    #[must_use]
    pub fn with_resource_types(mut self, types: Arc<dyn ResourceTypes>) -> Self {
        self.resource_types = types;
        self
    }

    /// Returns where resource types come from that are not written in the language.
    pub fn resource_types(&self) -> &dyn ResourceTypes {
        &*self.resource_types
    }

    /// Says what stands in for functions: folders that go before all others, and what Ruby may see.
    #[must_use]
    pub fn with_substitutes(mut self, given: Arc<Substitutes>) -> Self {
        self.substitutes = given;
        self
    }

    /// Returns what stands in for functions.
    pub fn substitutes(&self) -> &Arc<Substitutes> {
        &self.substitutes
    }

    pub(crate) fn overlays(&self) -> &[PathBuf] {
        &self.substitutes.overlays
    }

    /// Returns the folders that modules are in.
    pub fn modulepath(&self) -> &[PathBuf] {
        &self.modulepath
    }

    /// Returns the current time.
    pub fn now(&self) -> Timestamp {
        (self.clock)()
    }

    /// Returns the built-in functions.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Finds a built-in function, or one that stands in for a function of a module that is there.
    pub(crate) fn built_in(&self, name: &str) -> Option<&Arc<CompiledFunction>> {
        let compiled = self.registry.compiled(name)?;
        let is_there = |module: &&str| self.assumed.contains(module) || self.stands_in(module, name);
        self.registry.module_of(name).as_ref().is_none_or(is_there).then_some(compiled)
    }

    /// Tells whether a function of ours stands in for that of a module: the module is there, and its release has the function, maybe still
    /// under the name that it had outside of the module's name space.
    fn stands_in(&self, module: &str, name: &str) -> bool {
        let Some(folder) = self.module_folder(module) else { return false };
        if let Some(known) = self.loaded().stand_ins.get(name) {
            return *known;
        }
        let own = name.split_once("::").map_or(name, |(_, own)| own).replace("::", "/");
        let files = ["lib/puppet/functions", "lib/puppet/parser/functions"];
        let ruby = files.iter().flat_map(|below| {
            [name.replace("::", "/"), own.clone()].map(|file| format!("{below}/{file}.rb"))
        });
        let mut all = ruby.chain([format!("functions/{own}.pp")]);
        // A folder without code only says that the module is wanted.
        let stands_in = !self.files.is_folder(&folder.join("lib/puppet"))
            || all.any(|file| self.files.is_file(&folder.join(file)));
        self.loaded().stand_ins.insert(name.to_owned(), stands_in);
        stands_in
    }

    /// Returns the first number of the release of a module.
    pub fn module_release(&self, module: &str) -> Option<u64> {
        metadata::major(&*self.files, &self.module_folder(module)?)
    }

    /// Treats a module as if it were on the modulepath, as far as the functions go that stand in for its own.
    #[must_use]
    pub fn assuming_module(mut self, module: &'static str) -> Self {
        self.assumed.push(module);
        self
    }

    /// Returns what another language keeps for all runs; each environment has one such thing.
    pub fn shared<T: Any + Send + Sync + Default>(&self) -> Arc<T> {
        let shared = self.shared.get_or_init(|| Arc::new(T::default()));
        Arc::clone(shared).downcast().unwrap_or_default()
    }

    /// Returns where files come from.
    pub fn files(&self) -> Arc<dyn Files> {
        Arc::clone(&self.files)
    }

    /// Finds the folder of a module.
    pub fn module_folder(&self, module: &str) -> Option<PathBuf> {
        if !is_module_name(module) {
            return None;
        }
        if let Some(known) = self.loaded().folders.get(module) {
            return known.clone();
        }
        let mut folders = self.modulepath.iter().map(|folder| folder.join(module));
        let found = folders.find(|folder| self.files.is_folder(folder));
        let refusal = found.as_deref().and_then(|folder| metadata::refusal(&*self.files, module, folder));
        let found = found.filter(|_| refusal.is_none());
        if let Some(refusal) = refusal {
            self.loaded().refusals.push(refusal);
        }
        self.loaded().folders.insert(module.to_owned(), found.clone());
        found
    }

    /// Returns why modules were refused, from the one with a number on.
    pub(crate) fn refusals(&self, from: usize) -> Vec<Refusal> {
        self.loaded().refusals.get(from..).unwrap_or_default().to_vec()
    }

    /// Finds the file of a function that is written in Ruby: that of its module, or for a name without one that of any.
    /// Within a module the new interface goes before the old one.
    pub fn foreign_function(&self, name: &str) -> Option<ForeignSource> {
        if let Some(known) = self.loaded().foreign.get(name) {
            return known.clone();
        }
        let found = self.find_foreign(name);
        self.loaded().foreign.insert(name.to_owned(), found.clone());
        found
    }

    fn find_foreign(&self, name: &str) -> Option<ForeignSource> {
        let own = name.split_once("::").map(|(module, _)| module);
        match own {
            Some(module) => self.foreign_in(&self.module_folder(module)?, name),
            None => self.module_folders().iter().find_map(|folder| self.foreign_in(folder, name)),
        }
    }

    fn foreign_in(&self, module: &Path, name: &str) -> Option<ForeignSource> {
        RUBY_FUNCTIONS.into_iter().zip([false, true]).find_map(|(folder, is_old)| {
            let file = module.join(folder).join(format!("{}.rb", name.replace("::", "/")));
            self.files.is_file(&file).then(|| ForeignSource { name: name.into(), file, is_old })
        })
    }

    /// Finds the file of a function with the old interface, whatever else has its name.
    pub(crate) fn old_function(&self, name: &str) -> Option<PathBuf> {
        let below = format!("{}/{name}.rb", RUBY_FUNCTIONS[1]);
        let folders = self.module_folders();
        folders.iter().map(|folder| folder.join(&below)).find(|file| self.files.is_file(file))
    }

    /// Returns the folders of all modules; of several with one name the first.
    pub fn module_folders(&self) -> Arc<[PathBuf]> {
        if let Some(known) = &self.loaded().all_folders {
            return Arc::clone(known);
        }
        let mut seen = rustc_hash::FxHashSet::default();
        let mut folders = Vec::new();
        for path in &self.modulepath {
            for module in self.files.list(path).unwrap_or_default() {
                if is_module_name(&module) && seen.insert(module.clone()) {
                    folders.push(path.join(module));
                }
            }
        }
        let folders: Arc<[PathBuf]> = folders.into();
        self.loaded().all_folders = Some(Arc::clone(&folders));
        folders
    }

    /// Returns a program without anything in it, for calls that no program makes.
    pub(crate) fn blank(&self) -> hierarch_source::Result<Arc<Code>> {
        if let Some(code) = self.blank.get() {
            return Ok(Arc::clone(code));
        }
        let source = hierarch_source::Source::unnamed("");
        let checked = hierarch_syntax::check(&source, &hierarch_syntax::ValidateOptions::default());
        let program = checked.program.ok_or_else(crate::issues::foreign_jump)?;
        let code = Arc::new(crate::lower::manifest(program, &self.names)?);
        Ok(Arc::clone(self.blank.get_or_init(|| code)))
    }

    /// Finds `module/path` below a folder of the module; an absolute path as it is.
    pub fn find_in_module(&self, folder: &str, path: &str) -> Option<PathBuf> {
        if path.starts_with('/') {
            return Some(PathBuf::from(path)).filter(|path| self.exists(path));
        }
        let (module, rest) = path.split_once('/')?;
        let found = self.module_folder(module)?.join(folder).join(rest);
        self.exists(&found).then_some(found)
    }

    fn exists(&self, path: &Path) -> bool {
        self.files.is_file(path) || self.files.is_folder(path)
    }

    /// Returns the name of the function that `Type(…)` calls.
    pub(crate) fn new_function(&self) -> NameId {
        self.new
    }

    pub(crate) fn names(&self) -> &Names {
        &self.names
    }

    pub(crate) fn loaded(&self) -> MutexGuard<'_, KnownCode> {
        // Nothing can panic while the lock is held, so what it guards is whole.
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        self.files.read(path)
    }
}
