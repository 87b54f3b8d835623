//! The library's entrance: an environment's data, the variables of a node, and questions.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hierarch_pcore::{Hash, Str, Type, Value};
use hierarch_source::{Files, Result};

use crate::backend::{self, Backend};
use crate::classes::Classes;
use crate::document::Document;
use crate::eyaml::{HIDDEN, Vault};
use crate::host::{Host, Scope};
use crate::issues;
use crate::key::Key;
use crate::layers::{Environment, Layers, Surroundings};
use crate::locate::{Place, PlacedLevel};
use crate::log::Log;
use crate::lookup::{Found, Memory, Start, Walk, around};
use crate::merge::{Strategy, type_mismatch};
use crate::origin::{Traced, UsedOptions};
use crate::piece::Piece;
use crate::settings::Settings;
use crate::survey::Fleet;
use crate::trace::Listener;

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
    fleet: Fleet,
    classes: Arc<Classes>,
}

/// The data of files, by path and backend; also of those that cannot be read.
type Documents = HashMap<(Str, &'static str), Result<Arc<Document>>>;

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
            data_provider: None,
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
            fleet: Fleet::default(),
        }
    }

    /// Asks for a key, with variables added to the question.
    pub fn lookup(&self, key: &str) -> Question<'_> {
        Question { hiera: self, key: key.to_owned(), scope: Scope::new() }
    }

    /// Starts looking up for a node. What is found out about its hierarchy is kept until the session ends.
    pub fn session<'h>(&'h self, host: &'h dyn Host) -> Session<'h> {
        Session { hiera: self, host, memory: RefCell::default() }
    }

    /// Returns the files that data are read from.
    pub fn files(&self) -> &dyn Files {
        &*self.files
    }

    /// Returns the settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns the environment.
    pub fn environment(&self) -> &Environment {
        &self.layers.environment
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

    pub(crate) fn vault(&self) -> &Vault {
        &self.vault
    }

    /// Hides what was decrypted in a text.
    pub fn without_secrets(&self, text: &str) -> String {
        self.vault
            .secrets()
            .iter()
            .fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), HIDDEN))
    }

    /// Hides what was decrypted in a value: texts that contain a secret are hidden whole.
    pub fn value_without_secrets(&self, value: &Value) -> Value {
        let secrets = self.vault.secrets();
        if secrets.is_empty() { value.clone() } else { hide(value, &secrets) }
    }

    /// Returns how many files were read, and the keys in them: for hints.
    pub fn known_keys(&self) -> (usize, Vec<String>) {
        let documents = self.documents();
        let readable = documents.values().flatten();
        let mut keys: Vec<String> =
            readable.flat_map(|document| document.keys().map(ToString::to_string)).collect();
        keys.sort();
        keys.dedup();
        (documents.len(), keys)
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
        if let Some(known) = self.documents().get(&id) {
            return known.clone();
        }
        let document = backend::open(backend, &location.text, &around(self)).map(Arc::new);
        // Threads that read the same file at the same time go on with the same document.
        self.documents().entry(id).or_insert(document).clone()
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
}

impl Query {
    /// Asks for the first of some names.
    pub fn new(names: impl IntoIterator<Item = String>) -> Self {
        Self { names: names.into_iter().collect(), ..Self::default() }
    }

    fn is_plain(&self) -> bool {
        self.overrides.is_empty()
            && self.default_values.is_empty()
            && self.value_type.is_none()
            && !self.global_only
    }
}

/// A YAML file of a hierarchy.
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
}

/// The lookups of one node.
pub struct Session<'h> {
    hiera: &'h Hiera,
    host: &'h dyn Host,
    memory: RefCell<Memory>,
}

impl Session<'_> {
    /// Returns the value that a query asks for, or its default. Nothing found is an error with the code
    /// [`NOT_FOUND`](crate::issues::NOT_FOUND).
    pub fn lookup<'a>(
        &'a self,
        query: &'a Query,
        listener: Option<&'a mut (dyn Listener + 'a)>,
    ) -> Result<Value> {
        match (self.search(query, listener)?, &query.default) {
            (Found::Value(value), _) => Ok(value),
            (Found::Missing, Some(default)) => checked("Default value", query, default.clone()),
            (Found::Missing, None) => Err(issues::not_found(&query.names)),
        }
    }

    /// Looks for the names of a query in overrides, data and default values. The default is left to the caller.
    pub fn search<'a>(
        &'a self,
        query: &'a Query,
        listener: Option<&'a mut (dyn Listener + 'a)>,
    ) -> Result<Found> {
        match query.names.as_slice() {
            [name] if listener.is_none() && query.is_plain() && !self.is_recorded() => {
                self.find_plain(name, query)
            }
            _ => self.find(query, listener),
        }
    }

    /// Returns the value that a query asks for, each part with its origin.
    pub fn trace(&self, query: &Query) -> Result<Traced> {
        self.trace_first(query).map(|(_, traced)| traced)
    }

    /// Returns the first name of a query that has a value, and its value with all origins.
    pub(crate) fn trace_first<'q>(&self, query: &'q Query) -> Result<(&'q str, Traced)> {
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
        self.walk(&none, None).used_options(&Key::new(name)?)
    }

    /// Returns the strategy that the values of a key are merged with, as the lookup options say.
    pub fn strategy(&self, name: &str) -> Result<Strategy> {
        let none = Query::default();
        self.walk(&none, None).strategy_of(&Key::new(name)?)
    }

    /// Reads the files of all hierarchies that this node has, those of the given modules included.
    pub fn read_all(&self, modules: &[String]) {
        let none = Query::default();
        let mut walk = self.walk(&none, None);
        // What cannot be read is told when somebody asks for a key.
        modules.iter().map(Some).chain([None]).for_each(|module| walk.read_all(module.map(String::as_str)));
    }

    /// Lists the YAML files of the environment's hierarchy in which a key may stand, high priority first.
    pub fn places(&self, key: &Key) -> Result<Vec<DataPlace>> {
        let none = Query::default();
        self.walk(&none, None).yaml_places(key)
    }

    fn is_recorded(&self) -> bool {
        !self.memory.borrow().recordings.is_empty()
    }

    pub(crate) fn memory(&self) -> &RefCell<Memory> {
        &self.memory
    }

    pub(crate) fn walk<'a>(
        &'a self,
        query: &'a Query,
        listener: Option<&'a mut (dyn Listener + 'a)>,
    ) -> Walk<'a> {
        Walk::new(Start {
            hiera: self.hiera,
            host: self.host,
            memory: &self.memory,
            listener,
            overrides: Some(&query.overrides),
            defaults: Some(&query.default_values),
            global_only: query.global_only,
        })
    }

    /// Looks a name up that nothing but data and variables have a say in: the answer is kept.
    fn find_plain(&self, name: &str, query: &Query) -> Result<Found> {
        let (merge, version) = (query.merge.as_ref(), self.host.version());
        if let Some(found) = self.memory.borrow().known(name, merge, version) {
            return Ok(found);
        }
        let found = self.find(query, None)?;
        self.memory.borrow_mut().remember(name, merge, version, &found);
        Ok(found)
    }

    pub(crate) fn find<'a, P: Piece>(
        &'a self,
        query: &'a Query,
        listener: Option<&'a mut (dyn Listener + 'a)>,
    ) -> Result<Found<P>> {
        let mut walk = self.walk(query, listener);
        for name in &query.names {
            if let Some(value) = query.overrides.get_str(name) {
                let subject = format!("Value found for key '{name}' in override hash");
                return checked(&subject, query, value.clone()).map(|value| Found::Value(P::of(value)));
            }
            if let Found::Value(value) = walk.search::<P>(name, query.merge.as_ref())? {
                checked("Found value", query, value.value())?;
                return Ok(Found::Value(value));
            }
        }
        for name in &query.names {
            if let Some(value) = query.default_values.get_str(name) {
                let subject = format!("Value found for key '{name}' in default values hash");
                return checked(&subject, query, value.clone()).map(|value| Found::Value(P::of(value)));
            }
        }
        Ok(Found::Missing)
    }
}

fn hide(value: &Value, secrets: &[String]) -> Value {
    match value {
        Value::String(text) if secrets.iter().any(|secret| text.contains(secret.as_str())) => {
            Value::from(HIDDEN)
        }
        Value::Array(items) => Value::array(items.iter().map(|item| hide(item, secrets)).collect()),
        Value::Hash(hash) => {
            Value::hash(hash.iter().map(|(key, value)| (hide(key, secrets), hide(value, secrets))).collect())
        }
        other => other.clone(),
    }
}

fn checked(subject: &str, query: &Query, value: Value) -> Result<Value> {
    match &query.value_type {
        Some(wanted) if !wanted.has(&value) => Err(type_mismatch(subject, wanted, &value)),
        _ => Ok(value),
    }
}
