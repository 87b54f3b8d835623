//! What a data function written in Puppet can do while it is called: the `Puppet::LookupContext`.

use hierarch_pcore::{Hash, Str, Value};
use hierarch_source::Result;

use super::Walk;
use crate::trace::Event;

/// The context object that data functions get.
pub struct Context<'c> {
    walk: &'c mut dyn Services,
    place: usize,
    module: Option<Str>,
}

/// What a walk does for a data function.
trait Services {
    fn interpolate(&mut self, value: Value) -> Result<Value>;
    fn explain(&mut self, text: &mut dyn FnMut() -> Result<String>) -> Result<()>;
    fn read_file(&mut self, path: &str) -> Result<String>;
    fn cache(&mut self, place: usize, change: &mut dyn FnMut(&mut Hash));
    fn environment(&self) -> &str;
}

impl<'c> Context<'c> {
    pub(super) fn new(walk: &'c mut Walk<'_>, place: usize, module: Option<Str>) -> Self {
        Self { walk, place, module }
    }

    /// Fills in tokens, methods allowed.
    pub fn interpolate(&mut self, value: Value) -> Result<Value> {
        self.walk.interpolate(value)
    }

    /// Adds a line to the explanation; the text is made only if somebody listens.
    pub fn explain(&mut self, mut text: impl FnMut() -> Result<String>) -> Result<()> {
        self.walk.explain(&mut text)
    }

    /// Returns the text of a file.
    pub fn file_text(&mut self, path: &str) -> Result<String> {
        self.walk.read_file(path)
    }

    /// Remembers a value for further calls at the same place.
    pub fn cache(&mut self, key: Value, value: Value) {
        let mut entry = Some((key, value));
        self.walk.cache(self.place, &mut |cache| {
            if let Some((key, value)) = entry.take() {
                cache.insert(key, value);
            }
        });
    }

    /// Returns what is remembered.
    pub fn cached(&mut self) -> Hash {
        let mut entries = Hash::new();
        self.walk.cache(self.place, &mut |cache| entries.clone_from(cache));
        entries
    }

    /// Returns the name of the environment.
    pub fn environment_name(&self) -> &str {
        self.walk.environment()
    }

    /// Returns the name of the module whose data are looked up.
    pub fn module_name(&self) -> Option<&str> {
        self.module.as_deref()
    }
}

impl Services for Walk<'_> {
    fn interpolate(&mut self, value: Value) -> Result<Value> {
        Walk::interpolate(self, value)
    }

    fn explain(&mut self, text: &mut dyn FnMut() -> Result<String>) -> Result<()> {
        if let Some(listener) = &mut self.listener {
            let text = text()?;
            listener.event(Event::Text(text));
        }
        Ok(())
    }

    fn read_file(&mut self, path: &str) -> Result<String> {
        let bytes =
            self.files().read(path.as_ref()).map_err(|error| crate::issues::unreadable(path, &error))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn cache(&mut self, place: usize, change: &mut dyn FnMut(&mut Hash)) {
        change(self.memory.borrow_mut().caches.entry(place).or_default());
    }

    fn environment(&self) -> &str {
        &self.hiera.environment().name
    }
}
