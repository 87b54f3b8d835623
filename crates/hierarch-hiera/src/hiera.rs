//! The library's entrance: an environment's data, the variables of a node, and questions.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hierarch_pcore::{Hash, Str, Type, Value};
use hierarch_source::{Error, Files, Result};

use crate::backend::{self, Around, Backend, DataHash, ExternalBackend};
use crate::classes::Classes;
use crate::document::Document;
use crate::eyaml::Vault;
use crate::host::{Host, NotingHost, Scope};
use crate::issues;
use crate::key::Key;
use crate::layers::{Environment, Layers, Surroundings};
use crate::locate::{Place, PlacedLevel};
use crate::log::Log;
use crate::lookup::{Budget, Context, Found, Holds, Memory, Opening, Recorder, Start, Walk, around};
use crate::merge::{Strategy, type_mismatch};
use crate::origin::{Traced, UsedOptions};
use crate::piece::Piece;
use crate::secrets::Secrets;
use crate::settings::Settings;
use crate::survey::Fleet;
use crate::trace::Listener;
use crate::watch::{Stamp, Watch, is_fresh};

/// The data of an environment. Files are read once and shared by all who ask; it may be used by many threads.
///
/// ```
/// use hierarch_hiera::Hiera;
/// use hierarch_source::MemoryFiles;
///
/// let files = MemoryFiles::from([("hiera.yaml", "version: 5"), ("data/common.yaml", "greeting: Hello %{name}")]);
/// let hiera = Hiera::open(files, "hiera.yaml");
/// let greeting = hiera.lookup("greeting").variable("name", "World").value()?;
/// assert_eq!(greeting.as_str(), Some("Hello World"));
/// # Ok::<(), hierarch_source::Error>(())
/// ```
pub struct Hiera {
    files: Arc<dyn Files>,
    settings: Settings,
    layers: Layers,
    documents: Mutex<Documents>,
    log: Log,
    vault: Vault,
    secrets: Secrets,
    fleet: Fleet,
    classes: Arc<Classes>,
    places: AtomicU64,
    backends: Vec<ExternalBackend>,
}

/// The data of files, by path and backend; also of those that cannot be read. With each, what its files were like.
type Documents = HashMap<(Str, &'static str), (Result<Arc<Document>>, Vec<Stamp>)>;

/// A document that was read: file, function, document, and all files that were read for it.
pub(crate) type ReadDocument = (String, &'static str, Result<Arc<Document>>, Vec<String>);

impl Hiera {
    /// Opens the data that one hiera.yaml describes, as the environment layer.
    pub fn open(files: impl Files + 'static, config: &str) -> Self {
        let folder = match config.rsplit_once('/') {
            Some((folder, _)) => folder,
            None => "",
        };
        let environment = Environment {
            name: "production".to_owned(),
            path: Some(folder.to_owned()),
            modulepath: vec![crate::path::join(folder, "modules")],
            ..Environment::default()
        };
        Self::new(files, Settings::default(), environment, String::new())
    }

    /// Opens an environment, below the global layer that a file describes.
    pub fn new(
        files: impl Files + 'static,
        settings: Settings,
        environment: Environment,
        global_config: String,
    ) -> Self {
        let files: Arc<dyn Files> = Arc::new(files);
        let layers = Layers::new(global_config, environment);
        Self {
            classes: Arc::new(Classes::new(Arc::clone(&files), layers.environment.clone())),
            files,
            settings,
            layers,
            documents: Mutex::default(),
            log: Log::default(),
            vault: Vault::default(),
            secrets: Secrets::default(),
            fleet: Fleet::default(),
            places: AtomicU64::new(0),
            backends: Vec::new(),
        }
    }

    /// Adds a way to keep data: levels use it by its name as a `data_hash` function.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use hierarch_hiera::{DataHash, Hiera};
    /// use hierarch_pcore::Hash;
    /// use hierarch_source::{Files, MemoryFiles, Result};
    ///
    /// struct Names;
    ///
    /// impl DataHash for Names {
    ///     fn name(&self) -> &'static str {
    ///         "name_data"
    ///     }
    ///     fn read(&self, _: &dyn Files, path: &str) -> Result<Hash> {
    ///         Ok([("path", format!("{path} for %{{who}}"))].into_iter().collect())
    ///     }
    /// }
    ///
    /// let files = MemoryFiles::from([
    ///     ("hiera.yaml", "version: 5\nhierarchy: [{name: n, data_hash: name_data, path: a.txt}]"),
    ///     ("data/a.txt", ""),
    /// ]);
    /// let hiera = Hiera::open(files, "hiera.yaml").with_backend(Arc::new(Names));
    /// let value = hiera.lookup("path").variable("who", "you").value()?;
    /// assert_eq!(value.as_str(), Some("data/a.txt for you"));
    /// # Ok::<(), hierarch_source::Error>(())
    /// ```
    #[must_use]
    pub fn with_backend(mut self, backend: Arc<dyn DataHash>) -> Self {
        self.backends.push(ExternalBackend(backend));
        self
    }

    /// Finds a backend by the name of its function.
    pub(crate) fn backend(&self, name: &str) -> Option<&dyn Backend> {
        let brought = || self.backends.iter().find(|backend| backend.name() == name);
        backend::find(name).or_else(|| brought().map(|backend| backend as &dyn Backend))
    }

    /// Asks for a key, with variables added to the question.
    pub fn lookup(&self, key: &str) -> Question<'_> {
        Question { hiera: self, key: key.to_owned(), scope: Scope::new() }
    }

    /// Starts looking up for a node. What is found out about its hierarchy is kept until the session ends.
    pub fn session<'h>(&'h self, host: &'h dyn Host) -> Session<'h> {
        let Remembered(memory) = host.remembered().unwrap_or_default();
        Session { hiera: self, host, memory, context: None }
    }

    /// Returns the files that data are read from.
    pub fn files(&self) -> &dyn Files {
        &*self.files
    }

    /// Forgets the files that have changed since they were read. Sessions that start from now on read them anew.
    ///
    /// A command never needs this; a program that lives longer calls it when it hears of changes, or now and then.
    pub fn refresh(&self) {
        self.documents().retain(|_, (_, stamps)| is_fresh(stamps, self.files()));
        self.layers.refresh(self.files());
    }

    /// Returns the settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns the environment.
    pub fn environment(&self) -> &Environment {
        &self.layers.environment
    }

    /// Tells whether the environment has data of its own that the `hiera` functions see: those of version 5.
    pub fn has_environment_data(&self) -> Result<bool> {
        let layer = self.layers.environment(self.around())?;
        Ok(layer.is_some_and(|layer| layer.config.version >= 5))
    }

    /// Reads a file as a built-in data function does that is called by its name.
    pub fn read_data(&self, function: &str, path: &str) -> Result<Hash> {
        match self.backend(function) {
            Some(backend) => backend::read(backend, path, &around(self))?.to_hash(),
            None => Ok(Hash::new()),
        }
    }

    /// Returns the warnings given so far.
    pub fn log(&self) -> &Log {
        &self.log
    }

    pub(crate) fn classes(&self) -> &Arc<Classes> {
        &self.classes
    }

    pub(crate) fn fleet(&self) -> &Fleet {
        &self.fleet
    }

    pub(crate) fn new_place(&self) -> u64 {
        self.places.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn vault(&self) -> &Vault {
        &self.vault
    }

    /// Hides what was decrypted, and what became sensitive, in a text.
    pub fn without_secrets(&self, text: &str) -> String {
        self.secrets.hidden_in(text)
    }

    /// Tells whether anything secret was met so far.
    pub fn has_secrets(&self) -> bool {
        !self.secrets.is_empty()
    }

    pub(crate) fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// Returns how many files were read, and the keys in them: for hints.
    pub fn known_keys(&self) -> (usize, Vec<String>) {
        let documents = self.documents();
        let readable = documents.values().filter_map(|(document, _)| document.as_ref().ok());
        let mut keys: Vec<String> =
            readable.flat_map(|document| document.keys().map(ToString::to_string)).collect();
        keys.sort();
        keys.dedup();
        (documents.len(), keys)
    }

    /// Returns the documents that were read so far: file, function, document, and all files that were read for it.
    pub(crate) fn documents_read(&self) -> Vec<ReadDocument> {
        let documents = self.documents();
        let files = |stamps: &[Stamp]| stamps.iter().map(|(path, _)| path.display().to_string()).collect();
        let read = documents.iter().map(|((path, backend), (document, stamps))| {
            (path.to_string(), *backend, document.clone(), files(stamps))
        });
        read.collect()
    }

    pub(crate) fn layers(&self) -> &Layers {
        &self.layers
    }

    pub(crate) fn around(&self) -> Surroundings<'_> {
        Surroundings { files: self.files(), settings: &self.settings, log: &self.log }
    }

    /// Returns the data of a file, read at most once.
    pub(crate) fn document(
        &self,
        backend: &dyn Backend,
        level: &PlacedLevel,
        place: &Place,
    ) -> Result<Arc<Document>> {
        backend::check_call(backend, level, place)?;
        let Some(location) = &place.location else { return Ok(Arc::new(Document::empty())) };
        let id = (location.text.clone(), backend.name());
        if let Some((known, _)) = self.documents().get(&id) {
            return known.clone();
        }
        let watch = Watch::new(self.files());
        let around = Around { files: &watch, ..around(self) };
        let document = backend::read(backend, &location.text, &around).map(Arc::new);
        let mut stamps = watch.into_stamps();
        if stamps.is_empty() {
            // A folder stands there, which nobody reads.
            stamps.push((location.text.as_str().into(), None));
        }
        // Threads that read the same file at the same time go on with the same document.
        self.documents().entry(id).or_insert((document, stamps)).0.clone()
    }

    fn documents(&self) -> MutexGuard<'_, Documents> {
        self.documents.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One question, with its variables.
pub struct Question<'h> {
    hiera: &'h Hiera,
    key: String,
    scope: Scope,
}

impl Question<'_> {
    /// Sets a variable.
    #[must_use]
    pub fn variable(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.scope.set(name, value);
        self
    }

    /// Returns the value, or an error if there is none.
    pub fn value(self) -> Result<Value> {
        let session = self.hiera.session(&self.scope);
        session.lookup(&Query::new([self.key]), None)
    }
}

/// What is asked for: everything that the function `lookup` accepts.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// The names; the first that is found counts.
    pub names: Vec<String>,
    /// The type that a value must have.
    pub value_type: Option<Type>,
    /// How values are merged; none: as the options say.
    pub merge: Option<Value>,
    /// What is returned when nothing is found.
    pub default: Option<Value>,
    /// Values that win over all data.
    pub overrides: Hash,
    /// Values that are used when data have none.
    pub default_values: Hash,
    /// Only the global layer is asked.
    pub global_only: bool,
    /// The question comes from one of the functions that were there before `lookup`.
    pub old_call: Option<OldCall>,
}

/// What the functions that were there before `lookup` say besides. It matters to a hiera.yaml of version 3.
#[derive(Clone, Debug, Default)]
pub struct OldCall {
    /// Paths that are looked into before all others.
    pub extra_paths: Vec<String>,
}

impl Query {
    /// Asks for the first of some names.
    pub fn new(names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { names: names.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// Returns a value if it is of the type that is wanted.
    pub fn checked(&self, subject: &str, value: Value) -> Result<Value> {
        let Some(wanted) = &self.value_type else { return Ok(value) };
        let fits = match &value {
            // Nobody but data has integers beyond 64 bits.
            Value::Foreign(foreign) if foreign.digits().is_some() => wanted.accepts(&foreign.inferred()),
            value => wanted.has(value),
        };
        if fits { Ok(value) } else { Err(type_mismatch(subject, wanted, &value)) }
    }

    fn is_plain(&self) -> bool {
        self.overrides.is_empty()
            && self.default_values.is_empty()
            && !self.global_only
            && self.old_call.is_none()
    }
}

/// Something of a hierarchy whose keys cannot be listed.
#[derive(Clone, Debug)]
pub enum Unlisted {
    /// It cannot be read.
    Broken(Error),
    /// A function makes its keys up.
    Function {
        /// The name of the level.
        level: String,
        /// The function.
        function: String,
    },
}

/// A data file of a hierarchy.
#[derive(Clone, Debug)]
pub struct DataPlace {
    /// The name of its level.
    pub level: String,
    /// The file.
    pub path: String,
    /// It is there.
    pub exists: bool,
    /// It has the key.
    pub has_key: bool,
    /// The function that reads it: `yaml_data`, `eyaml_lookup_key`, …
    pub function: String,
    /// The options of its level, such as where keys are.
    pub options: Hash,
    /// The path as declared, if a variable in it has no value for this node: no file of that level is this node's.
    pub incomplete: Option<String>,
}

/// What was found out about a node's hierarchy, shared by all sessions that are given it.
#[derive(Clone, Default)]
pub struct Remembered(Rc<RefCell<Memory>>);

/// The lookups of one node.
pub struct Session<'h> {
    hiera: &'h Hiera,
    host: &'h dyn Host,
    memory: Rc<RefCell<Memory>>,
    context: Option<&'h Context>,
}

impl<'h> Session<'h> {
    /// Looks up on behalf of a data function: what is under way already must not be asked for again, and whoever
    /// listens to the lookup that the function was called for hears of this one.
    #[must_use]
    pub fn within(self, context: &'h Context) -> Self {
        Self { context: Some(context), ..self }
    }

    /// Fills in the tokens of a value for a data function.
    pub fn interpolate(&self, value: Value, context: &Context) -> Result<Value> {
        self.resume(context, |walk| walk.interpolate(value))
    }

    /// Goes on with the lookup that a data function was called in.
    fn resume<T>(&self, context: &Context, body: impl FnOnce(&mut Walk) -> Result<T>) -> Result<T> {
        let none = Query::default();
        let mut recorder = Recorder(context);
        let listener = context.explains().then_some(&mut recorder as &mut dyn Listener);
        let budget = Budget::new(self.hiera.settings().limits);
        let start = Start { within: Some(context), ..self.start(&none, listener, &budget) };
        body(&mut Walk::new(start).resumed(context))
    }

    /// Decrypts a value and fills in its tokens, as `eyaml_lookup_key` does for a data function.
    pub fn decrypt(&self, value: Value, options: &Hash, key: &str, context: &Context) -> Result<Value> {
        let opening = Opening { options, key };
        self.resume(context, |walk| walk.decrypted(value, &opening))
    }

    /// Returns the value that a query asks for, or its default. Nothing found is an error with the code
    /// [`NOT_FOUND`](crate::issues::NOT_FOUND).
    pub fn lookup<'a>(
        &'a self,
        query: &'a Query,
        listener: Option<&'a mut (dyn Listener + 'a)>,
    ) -> Result<Value> {
        match (self.search(query, listener)?, &query.default) {
            (Found::Value(value), _) => Ok(value),
            (Found::Missing, Some(default)) => query.checked("Default value", default.clone()),
            (Found::Missing, None) => Err(issues::not_found(&query.names)),
        }
    }

    /// Looks for the names of a query in overrides, data and default values. The default is left to the caller.
    pub fn search<'a>(
        &'a self,
        query: &'a Query,
        listener: Option<&'a mut (dyn Listener + 'a)>,
    ) -> Result<Found> {
        if let (None, Some(context)) = (&listener, self.context.filter(|context| context.explains())) {
            return self.find_shown(query, Some(&mut Recorder(context)));
        }
        match query.names.as_slice() {
            [name] if listener.is_none() && query.is_plain() && !self.is_recorded() => {
                self.find_plain(name, query)
            }
            _ if listener.is_some() => self.find_shown(query, listener),
            _ => self.find(query, None),
        }
    }

    /// Looks a query up for a listener, who is told which parts of values are secret.
    fn find_shown<'a>(
        &'a self,
        query: &'a Query,
        listener: Option<&'a mut (dyn Listener + 'a)>,
    ) -> Result<Found> {
        Ok(self.find::<Traced>(query, listener)?.map(|traced| traced.value()))
    }

    /// Looks a query up as those may see the value who must not see secrets.
    pub fn search_shown(&self, query: &Query) -> Result<Found> {
        let found = self.search(query, None)?;
        if !self.hiera.has_secrets() {
            return Ok(found);
        }
        let traced = self.walk(query, None, |walk| find_in::<Traced>(&mut walk.without_hidden(), query))?;
        Ok(traced.map(|traced| traced.without_secrets()))
    }

    /// Returns the value that a query asks for, each part with its origin.
    pub fn trace(&self, query: &Query) -> Result<Traced> {
        self.trace_first(query).map(|(_, traced)| traced)
    }

    /// Returns the first name of a query that has a value, and its value with all origins.
    pub fn trace_first<'q>(&self, query: &'q Query) -> Result<(&'q str, Traced)> {
        for name in &query.names {
            let single = Query { names: vec![name.clone()], ..query.clone() };
            if let Found::Value(traced) = self.find(&single, None)? {
                return Ok((name, traced));
            }
        }
        match (query.names.first(), &query.default) {
            (Some(name), Some(default)) => Ok((name, Traced::of(default.clone()))),
            _ => Err(issues::not_found(&query.names)),
        }
    }

    /// Returns the entry of the lookup options that says how a key is merged and converted, if there is one.
    pub fn used_options(&self, name: &str) -> Result<Option<UsedOptions>> {
        let none = Query::default();
        let key = Key::new(name)?;
        self.walk(&none, None, |walk| walk.used_options(&key))
    }

    /// Returns the strategy that the values of a key are merged with, as the lookup options say.
    pub fn strategy(&self, name: &str) -> Result<Strategy> {
        let none = Query::default();
        let key = Key::new(name)?;
        self.walk(&none, None, |walk| walk.strategy_of(&key))
    }

    /// Reads the files of all hierarchies that this node has, those of the given modules included. Returns what has keys
    /// that are not known by it.
    pub fn read_all(&self, modules: &[String]) -> Vec<Unlisted> {
        let (none, mut unlisted, mut levels) = (Query::default(), Vec::new(), 0);
        self.walk(&none, None, |walk| {
            for module in modules.iter().map(Some).chain([None]) {
                levels += walk.read_all(module.map(String::as_str), &mut unlisted);
            }
        });
        if levels == 0 && unlisted.is_empty() {
            unlisted.push(Unlisted::Broken(issues::no_levels()));
        }
        unlisted
    }

    /// Returns the names of the levels that a key is looked for in, high priority first: for hints.
    pub fn level_names(&self, key: &str) -> Vec<String> {
        let none = Query::default();
        let Ok(key) = Key::new(key) else { return Vec::new() };
        self.walk(&none, None, |walk| walk.level_names(&key))
    }

    /// Lists the data files of the environment's hierarchy in which a key may stand, high priority first.
    pub fn places(&self, key: &Key) -> Result<Vec<DataPlace>> {
        let none = Query::default();
        self.walk(&none, None, |walk| walk.data_places(key))
    }

    fn is_recorded(&self) -> bool {
        !self.memory.borrow().recordings.is_empty()
    }

    pub(crate) fn hiera(&self) -> &Hiera {
        self.hiera
    }

    pub(crate) fn memory(&self) -> &RefCell<Memory> {
        &self.memory
    }

    /// Walks on behalf of a query, with a budget of its own.
    pub(crate) fn walk<'a, T>(
        &'a self,
        query: &'a Query,
        listener: Option<&'a mut (dyn Listener + 'a)>,
        body: impl FnOnce(&mut Walk) -> T,
    ) -> T {
        let budget = Budget::new(self.hiera.settings().limits);
        // Borrowed anew, for no longer than the budget is there.
        let listener: Option<&mut dyn Listener> = match listener {
            Some(listener) => Some(&mut *listener),
            None => None,
        };
        body(&mut Walk::new(self.start(query, listener, &budget)))
    }

    fn start<'a>(
        &'a self,
        query: &'a Query,
        listener: Option<&'a mut (dyn Listener + 'a)>,
        budget: &'a Budget,
    ) -> Start<'a> {
        Start {
            hiera: self.hiera,
            host: self.host,
            memory: &self.memory,
            budget,
            listener,
            overrides: &query.overrides,
            defaults: &query.default_values,
            global_only: query.global_only,
            old_call: query.old_call.as_ref(),
            within: self.context,
        }
    }

    /// Looks a name up that nothing but data and variables have a say in: the answer is kept.
    fn find_plain(&self, name: &str, query: &Query) -> Result<Found> {
        let merge = query.merge.as_ref();
        if let Some(found) = self.memory.borrow().known(name, merge, self.host) {
            return match found {
                Found::Value(value) => query.checked("Found value", value).map(Found::Value),
                Found::Missing => Ok(found),
            };
        }
        let calls = self.memory.borrow().calls();
        let (found, holds) = if self.host.is_local() {
            let noting = NotingHost::new(self.host);
            let budget = Budget::new(self.hiera.settings().limits);
            let start = Start { host: &noting, ..self.start(query, None, &budget) };
            let found = find_in(&mut Walk::new(start), query)?;
            (found, Holds::While(noting.into_reads()))
        } else {
            (self.find(query, None)?, Holds::During(self.host.version()))
        };
        let mut memory = self.memory.borrow_mut();
        if memory.calls() == calls {
            memory.remember(name, merge, holds, &found);
        }
        Ok(found)
    }

    pub(crate) fn find<'a, P: Piece>(
        &'a self,
        query: &'a Query,
        listener: Option<&'a mut (dyn Listener + 'a)>,
    ) -> Result<Found<P>> {
        self.walk(query, listener, |walk| find_in(walk, query))
    }
}

/// Looks for the names of a query in overrides, data and default values.
fn find_in<P: Piece>(walk: &mut Walk, query: &Query) -> Result<Found<P>> {
    for name in &query.names {
        if let Some(value) = query.overrides.get_str(name) {
            let subject = format!("Value found for key '{name}' in override hash");
            return query.checked(&subject, value.clone()).map(|value| Found::Value(P::of(value)));
        }
        if let Found::Value(value) = walk.search::<P>(name, query.merge.as_ref())? {
            query.checked("Found value", value.value())?;
            return Ok(Found::Value(value));
        }
    }
    for name in &query.names {
        if let Some(value) = query.default_values.get_str(name) {
            let subject = format!("Value found for key '{name}' in default values hash");
            return query.checked(&subject, value.clone()).map(|value| Found::Value(P::of(value)));
        }
    }
    Ok(Found::Missing)
}
