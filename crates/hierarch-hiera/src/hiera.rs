//! The library's entrance: an environment's data, the variables of a node, and questions.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hierarch_pcore::{Hash, Str, Value};
use hierarch_source::{Files, Result};

use crate::backend::{self, Around, Backend, DataHash, ExternalBackend};
use crate::classes::Classes;
use crate::document::Document;
use crate::eyaml::Vault;
use crate::host::{LookupHost, Scope};
use crate::layers::{EnvironmentFolder, Layers, Surroundings};
use crate::locate::{Place, PlacedLevel, is_there};
use crate::log::Log;
use crate::lookup::{Placement, around};
use crate::patterns::Patterns;
use crate::presence::Presence;
use crate::query::Query;
use crate::secrets::Secrets;
use crate::session::Session;
use crate::settings::LookupSettings;
use crate::survey::Fleet;
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
    settings: LookupSettings,
    layers: Arc<Layers>,
    documents: Mutex<Documents>,
    /// Which of the files that levels name are there.
    locations: Arc<Presence>,
    patterns: Arc<Patterns>,
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
        let environment = EnvironmentFolder {
            name: "production".to_owned(),
            path: Some(folder.to_owned()),
            modulepath: vec![crate::path::join(folder, "modules")],
            ..EnvironmentFolder::default()
        };
        Self::new(files, LookupSettings::default(), environment, String::new())
    }

    /// Opens an environment, below the global layer that a file describes.
    pub fn new(
        files: impl Files + 'static,
        settings: LookupSettings,
        environment: EnvironmentFolder,
        global_config: String,
    ) -> Self {
        let files: Arc<dyn Files> = Arc::new(files);
        let layers = Arc::new(Layers::new(global_config, environment));
        Self {
            classes: Arc::new(Classes::new(Arc::clone(&files), layers.environment.clone())),
            files,
            settings,
            layers,
            documents: Mutex::default(),
            locations: Arc::default(),
            patterns: Arc::default(),
            log: Log::default(),
            vault: Vault::default(),
            secrets: Secrets::default(),
            fleet: Fleet::default(),
            places: AtomicU64::new(0),
            backends: Vec::new(),
        }
    }

    /// Returns the same data with other contents of some files. The same files must be there, and the same configurations.
    /// What was read of the other files is shared, but for what was decrypted.
    #[must_use]
    pub fn edited(&self, files: Arc<dyn Files>, is_edited: impl Fn(&Path) -> bool) -> Self {
        let is_kept = |document: &Result<Arc<Document>>, stamps: &[Stamp]| {
            let is_secret = document.as_ref().is_ok_and(|document| document.is_secret());
            !is_secret && !stamps.iter().any(|(path, _)| is_edited(path))
        };
        let documents = self.documents();
        let kept = documents.iter().filter(|(_, (document, stamps))| is_kept(document, stamps));
        Self {
            files,
            settings: self.settings.clone(),
            layers: Arc::clone(&self.layers),
            documents: Mutex::new(kept.map(|(id, known)| (id.clone(), known.clone())).collect()),
            locations: Arc::clone(&self.locations),
            patterns: Arc::clone(&self.patterns),
            log: Log::default(),
            vault: Vault::default(),
            secrets: Secrets::default(),
            fleet: Fleet::default(),
            classes: Arc::clone(&self.classes),
            places: AtomicU64::new(self.places.load(Ordering::Relaxed)),
            backends: self.backends.iter().map(|known| ExternalBackend(Arc::clone(&known.0))).collect(),
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
    pub fn session<'h>(&'h self, host: &'h dyn LookupHost) -> Session<'h> {
        Session::new(self, host)
    }

    /// Starts looking up for a node of which something is known already.
    pub fn session_at<'h>(&'h self, host: &'h dyn LookupHost, placement: &Placement) -> Session<'h> {
        Session::at(self, host, placement)
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
        self.locations.forget();
        self.layers.refresh(self.files());
    }

    /// Returns the settings.
    pub fn settings(&self) -> &LookupSettings {
        &self.settings
    }

    /// Returns the environment.
    pub fn environment(&self) -> &EnvironmentFolder {
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

    /// Tells whether anything stands where a level looks for data.
    pub(crate) fn has_location(&self, path: &str) -> bool {
        self.locations.of(path, || is_there(self.files(), path))
    }

    pub(crate) fn vault(&self) -> &Vault {
        &self.vault
    }

    /// Hides what was decrypted, and what became sensitive, in a text.
    pub fn without_secrets(&self, text: &str) -> String {
        self.secrets.hidden_in(text)
    }

    /// Returns a value in which every text that has a secret in it is hidden.
    pub fn value_without_secrets(&self, value: &Value) -> Value {
        self.secrets.hidden_in_value(value)
    }

    /// Tells whether anything secret was met so far.
    pub fn has_secrets(&self) -> bool {
        !self.secrets.is_empty()
    }

    /// Notes that a manifest made a variable of a secret: what it is filled in for is not shown.
    pub fn note_secret_variable(&self, name: &str) {
        self.secrets.note_variable(name);
    }

    pub(crate) fn patterns(&self) -> &Patterns {
        &self.patterns
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::io;
    use std::path::Path;
    use std::sync::{Arc, Mutex};

    use hierarch_source::{Files, MemoryFiles};

    use crate::{Hiera, Query, Scope};

    /// Files that count how often each is read.
    struct Counted {
        files: MemoryFiles,
        reads: Mutex<BTreeMap<String, u32>>,
    }

    impl Files for Counted {
        fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
            *self.reads.lock().expect("no test panics").entry(path.display().to_string()).or_default() += 1;
            self.files.read(path)
        }

        fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
            self.files.list(folder)
        }

        fn is_file(&self, path: &Path) -> bool {
            self.files.is_file(path)
        }

        fn is_folder(&self, path: &Path) -> bool {
            self.files.is_folder(path)
        }

        fn stamp(&self, _: &Path) -> Option<u64> {
            Some(0)
        }
    }

    /// Nodes, keys and sessions share what was read; what no lookup comes to is not read at all.
    #[test]
    fn each_file_is_read_once_and_only_when_a_lookup_comes_to_it() {
        let files = MemoryFiles::from([
            (
                "hiera.yaml",
                "version: 5\nhierarchy:\n- {name: R, path: '%{role}.yaml'}\n- {name: C, path: common.yaml}\n- {name: L, path: last.json, data_hash: json_data}\n",
            ),
            ("data/web.yaml", "a: web\n"),
            ("data/db.yaml", "a: db\n"),
            ("data/mail.yaml", "a: mail\n"),
            ("data/common.yaml", "a: common\nb: common\n"),
            ("data/last.json", "{\"c\": \"last\"}"),
        ]);
        let counted = Arc::new(Counted { files, reads: Mutex::default() });
        let hiera = Hiera::open(Arc::clone(&counted), "hiera.yaml");
        let ask = |role: &str, key: &str| {
            let mut scope = Scope::new();
            scope.set("role", role);
            hiera.session(&scope).lookup(&Query::new([key]), None).map(|value| value.to_string())
        };
        for _ in 0..3 {
            for (role, key, value) in [
                ("web", "a", Ok("web")),
                ("db", "a", Ok("db")),
                ("web", "b", Ok("common")),
                ("nope", "a", Ok("common")),
                ("db", "c", Ok("last")),
                ("web", "d", Err(())),
            ] {
                assert_eq!(ask(role, key).map_err(|_| ()), value.map(str::to_owned), "{role} {key}");
            }
        }
        let reads = counted.reads.lock().expect("no test panics");
        let expected = ["data/common.yaml", "data/db.yaml", "data/last.json", "data/web.yaml", "hiera.yaml"];
        assert_eq!(reads.keys().collect::<Vec<_>>(), expected);
        assert!(reads.values().all(|&count| count == 1), "{reads:?}");
    }
}
