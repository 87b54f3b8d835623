//! One place of one level: is the key there, and what is its value?

use std::sync::Arc;

use hierarch_pcore::types::Kind;
use hierarch_pcore::{Hash, Str, Type, Value, infer};
use hierarch_source::Result;

use super::{Context, Found, Walk};
use crate::backend::{Around, Backend};
use crate::config::FunctionKind;
use crate::data::Data;
use crate::document::{Document, Entry};
use crate::eyaml::{KeySource, Obstacle};
use crate::hiera::Hiera;
use crate::host::{Answer, DataFunction, LookupHost};
use crate::issues;
use crate::key::{Key, LOOKUP_OPTIONS};
use crate::layers::Layer;
use crate::locate::{Place, PlacedLevel};
use crate::merge::type_mismatch;
use crate::piece::Piece;
use crate::trace::{Event, LookupStep};

/// What is needed to open what is encrypted in the value of a key.
pub(crate) struct Opening<'a> {
    pub(crate) options: &'a Hash,
    pub(crate) key: &'a str,
}

/// Where a fetch looks.
#[derive(Clone, Copy)]
struct At<'a> {
    layer: &'a Layer,
    level: &'a PlacedLevel,
    place: &'a Place,
}

impl Walk<'_> {
    /// Asks one place for a key.
    pub(super) fn fetch<P: Piece>(
        &mut self,
        layer: &Arc<Layer>,
        level: &PlacedLevel,
        place: &Place,
        key: &Key,
    ) -> Result<Found<P>> {
        let at = At { layer, level, place };
        let Some(location) = &place.location else { return self.fetch_here(at, key) };
        let node = || LookupStep::Location {
            is_path: location.is_path,
            original: location.original.clone(),
            location: location.text.clone(),
        };
        self.within(node, |walk| {
            if location.exists {
                return walk.fetch_here(at, key);
            }
            walk.tell(|| Event::LocationNotFound);
            Ok(Found::Missing)
        })
    }

    fn fetch_here<P: Piece>(&mut self, at: At, key: &Key) -> Result<Found<P>> {
        let found: Found<P> = match at.level.level.kind {
            FunctionKind::DataHash | FunctionKind::Legacy => {
                // A function that has no hash at all leaves no word behind.
                let Found::Value(document) = self.document(at)? else { return Ok(Found::Missing) };
                self.ask_hash(&document, at, key)?
            }
            FunctionKind::LookupKey => self.ask_key_function(at, key)?,
            FunctionKind::DataDig | FunctionKind::Hiera3 => return self.ask_dig_function(at, key),
        };
        self.tell_found(key.root_text(), &found);
        Ok(found)
    }

    fn tell_found<P: Piece>(&mut self, key: &Str, found: &Found<P>) {
        match found {
            Found::Value(value) if self.listener.is_some() => {
                let shown = self.shown(value);
                self.tell(|| Event::Found(key.clone(), shown));
            }
            Found::Value(_) => {}
            Found::Missing => self.tell(|| Event::NotFound(key.clone())),
        }
    }

    fn ask_hash<P: Piece>(&mut self, document: &Document, at: At, key: &Key) -> Result<Found<P>> {
        let Some(entry) = document.entry(key.root()) else { return Ok(Found::Missing) };
        let data = document.data(entry)?;
        if let Data::Plain(value) = data {
            let subject = || subject(at, &format!("Value for key '{}', in hash returned from", key.root()));
            check_rich(value, subject)?;
        }
        P::from_entry(self, document, entry, at.place.location.as_ref()).map(Found::Value)
    }

    /// Returns the data of a place, read at the first use.
    fn document(&mut self, at: At) -> Result<Found<Arc<Document>>> {
        if let Some(document) = at.place.document.get() {
            return Ok(Found::Value(Arc::clone(document)));
        }
        let Some(backend) = self.hiera.backend(&at.level.level.function) else {
            return self.function_hash(at);
        };
        let document = self.hiera.document(backend, at.level, at.place)?;
        self.warn_of_foreign_keys(at, &document);
        Ok(Found::Value(Arc::clone(at.place.document.get_or_init(|| document))))
    }

    /// Returns the hash of a function. It may depend on anything, so it is kept for this node alone.
    fn function_hash(&mut self, at: At) -> Result<Found<Arc<Document>>> {
        if let Some(known) = self.memory.borrow().hashes.get(&at.place.id) {
            return Ok(Found::Value(Arc::clone(known)));
        }
        let Found::Value(document) = self.call_hash_function(at)? else { return Ok(Found::Missing) };
        let document = Arc::new(document);
        self.warn_of_foreign_keys(at, &document);
        self.memory.borrow_mut().hashes.insert(at.place.id, Arc::clone(&document));
        Ok(Found::Value(document))
    }

    fn call_hash_function(&mut self, at: At) -> Result<Found<Document>> {
        let function = Self::function(self.hiera, self.host, at)?;
        let arguments = match at.level.level.kind {
            FunctionKind::Legacy => Vec::new(),
            _ => vec![Value::hash(at.level.options_at(at.place))],
        };
        let before = self.hiera.secrets().count();
        match self.call(&*function, arguments, at)? {
            Found::Value(Value::Hash(hash)) => {
                let is_secret = self.hiera.secrets().count() > before;
                let document = Document::of_hash(&hash).made_by(&at.level.level.function);
                Ok(Found::Value(document.with_secrets(is_secret)))
            }
            Found::Value(other) => {
                Err(type_mismatch(&subject(at, "Value returned from"), &Type::hash(), &other))
            }
            Found::Missing => Ok(Found::Missing),
        }
    }

    /// Keys outside its own namespace in a module's data are dropped. They could not be found anyway.
    fn warn_of_foreign_keys(&self, at: At, document: &Document) {
        let Some(module) = &at.layer.module else { return };
        let is_own = |key: &Str| key.strip_prefix(module.as_str()).is_some_and(|rest| rest.starts_with("::"));
        for key in document.keys().filter(|key| key.as_str() != LOOKUP_OPTIONS && !is_own(key)) {
            let subject = subject(at, "Value returned from");
            self.hiera.log().warn(issues::foreign_key_text(module, &subject, key));
        }
    }

    fn ask_key_function<P: Piece>(&mut self, at: At, key: &Key) -> Result<Found<P>> {
        if let Some(backend) = self.hiera.backend(&at.level.level.function) {
            return self.ask_key_backend(backend, at, key);
        }
        let found = self.remembered(at, key.root_text(), |walk| {
            let function = Self::function(walk.hiera, walk.host, at)?;
            let arguments = vec![Value::from(key.root()), Value::hash(at.level.options_at(at.place))];
            walk.call(&*function, arguments, at)
        })?;
        let subject = || subject(at, &format!("Value for key '{}', returned from", key.root()));
        let found = checked(found, subject)?;
        let piece =
            found.map(|value| P::made_by(&at.level.level.function, value, at.place.location.as_ref()));
        Ok(self.with_secrecy(at, key.root_text(), piece))
    }

    /// What a function made while something was decrypted is secret.
    fn with_secrecy<P: Piece>(&self, at: At, key: &Str, found: Found<P>) -> Found<P> {
        let is_secret = self.memory.borrow().secret_answers.contains(&(at.place.id, key.clone()));
        if is_secret { found.map(P::secret) } else { found }
    }

    /// Asks a built-in function: the values of a file are decrypted, then filled in.
    fn ask_key_backend<P: Piece>(&mut self, backend: &dyn Backend, at: At, key: &Key) -> Result<Found<P>> {
        let document = self.hiera.document(backend, at.level, at.place)?;
        let Some(entry) = document.entry(key.root()) else { return Ok(Found::Missing) };
        let options = at.level.options_at(at.place);
        let opening = Opening { options: &options, key: key.root() };
        let mut piece = None;
        let found = self.remembered(at, key.root_text(), |walk| {
            let opened = P::opened(walk, &document, entry, &opening)?;
            let value = opened.value();
            piece = Some(opened);
            Ok(Found::Value(value))
        })?;
        let subject = || subject(at, &format!("Value for key '{}', returned from", key.root()));
        let Found::Value(value) = checked(found, subject)? else { return Ok(Found::Missing) };
        Ok(Found::Value(match piece {
            Some(piece) => piece,
            None => self.opened_before(value, &document, entry, (&opening, at)),
        }))
    }

    /// Makes a piece of what was decrypted before. Which parts of it are secret is found out again; if it is another
    /// value by now, all of it is.
    fn opened_before<P: Piece>(
        &mut self,
        value: Value,
        document: &Document,
        entry: &Entry,
        (opening, at): (&Opening, At),
    ) -> P {
        let location = at.place.location.as_ref();
        if !P::IS_TRACED {
            return P::at_entry(value, document, entry, location);
        }
        let inquiry = self.inquiry.clone();
        match P::opened(&mut self.unheard(inquiry), document, entry, opening) {
            Ok(piece) if piece.value() == value => piece,
            _ => P::at_entry(value, document, entry, location).secret(),
        }
    }

    pub(crate) fn decrypted(&mut self, value: Value, opening: &Opening) -> Result<Value> {
        match value {
            Value::String(text) => self.opened_text(&text, opening),
            Value::Array(items) => {
                let items = items.iter().map(|item| self.decrypted(item.clone(), opening));
                Ok(Value::array(items.collect::<Result<_>>()?))
            }
            Value::Hash(hash) => {
                let mut out = Hash::new();
                for (name, value) in hash.iter() {
                    let name = self.interpolate(name.clone())?;
                    let value = self.decrypted(value.clone(), opening)?;
                    out.insert(name, value);
                }
                Ok(Value::hash(out))
            }
            other => Ok(other),
        }
    }

    /// Decrypts a text.
    pub(super) fn opened(&self, text: &str, opening: &Opening) -> Result<String> {
        let (options, variables) = (opening.options, &self.hiera.settings().variables);
        let folder = self.hiera.environment().path.as_deref();
        let source = KeySource { options, files: self.files(), variables, folder };
        let secrets = self.hiera.secrets();
        self.hiera.vault().open(text, &source, |opened| secrets.note_opened(opened)).map_err(|obstacle| {
            match obstacle {
                Obstacle::NoScheme(scheme) => issues::eyaml_no_scheme(&scheme),
                Obstacle::Wrong(cause) => {
                    let path = options.get_str("path").map(ToString::to_string).unwrap_or_default();
                    issues::decryption_failed(text, opening.key, &path, &cause)
                }
            }
        })
    }

    fn ask_dig_function<P: Piece>(&mut self, at: At, key: &Key) -> Result<Found<P>> {
        let found = self.remembered(at, key.text(), |walk| {
            if let Some(backend) = walk.hiera.backend(&at.level.level.function) {
                walk.hiera.document(backend, at.level, at.place)?;
            }
            let function = Self::function(walk.hiera, walk.host, at)?;
            let mut path = vec![Value::from(key.root())];
            path.extend(key.segments().iter().map(crate::key::Segment::as_value));
            walk.call(&*function, vec![Value::array(path), Value::hash(at.level.options_at(at.place))], at)
        })?;
        let subject = || subject(at, &format!("Value for key '{}', returned from", key.text()));
        let found = checked(found, subject)?;
        let (function, location) = (&at.level.level.function, at.place.location.as_ref());
        let made = |value| P::made_by(function, value, location);
        let told = self.with_secrecy(at, key.text(), found.clone().map(made));
        self.tell_found(key.text(), &told);
        Ok(self.with_secrecy(at, key.text(), found.map(|value| made(key.undig(value)))))
    }

    /// Finds the function of a level.
    fn function<'h>(hiera: &Hiera, host: &'h dyn LookupHost, at: At) -> Result<Box<dyn DataFunction + 'h>> {
        let level = &at.level.level;
        let found = host.function(&level.function)?;
        let function = found.ok_or_else(|| {
            let issue = match hiera.environment().ruby_function(hiera.files(), &level.function) {
                Some(file) => issues::config::ruby_function(&level.name, &level.function, &file),
                None => issues::config::no_such_function(level.kind.tag(), &level.function),
            };
            at.layer.config.fail(issue, None)
        })?;
        // Whoever returns anything promises nothing.
        let declared = function.return_type().filter(|type_| !matches!(type_.kind(), Kind::Any(_)));
        if let Some(returned) = declared {
            let wanted = match level.kind {
                FunctionKind::DataHash | FunctionKind::Legacy => {
                    Type::hash_of(Type::rich_data_key(), Type::rich_data())
                }
                _ => Type::rich_data(),
            };
            if !wanted.accepts(&returned) {
                return Err(issues::wrong_return_type(level.kind.tag(), &level.function, &wanted, &returned));
            }
        }
        Ok(function)
    }

    /// Calls a function. While it runs the host has the lookup in its hands: it may fill in tokens and look further.
    fn call(&mut self, function: &dyn DataFunction, arguments: Vec<Value>, at: At) -> Result<Found> {
        let cache = {
            let mut memory = self.memory.borrow_mut();
            memory.calls += 1;
            Arc::clone(memory.caches.entry(at.place.id).or_default())
        };
        let takes_context = at.level.level.kind != FunctionKind::Legacy;
        let context = Arc::new(Context::new(self, at.layer.module.clone(), cache, takes_context));
        let answer = function.call(arguments, &context);
        if let Some(listener) = &mut self.listener {
            context.replay(&mut **listener);
        }
        match answer? {
            Answer::Value(value) => Ok(Found::Value(value)),
            Answer::NotFound => Ok(Found::Missing),
        }
    }

    /// A function is asked once per place and key; that it had nothing is not remembered.
    fn remembered(
        &mut self,
        at: At,
        key: &Str,
        ask: impl FnOnce(&mut Self) -> Result<Found>,
    ) -> Result<Found> {
        let id = (at.place.id, key.clone());
        if let Some(value) = self.memory.borrow().answers.get(&id).filter(|_| !self.inquiry.is_recorded) {
            return Ok(Found::Value(value.clone()));
        }
        let before = self.hiera.secrets().count();
        let found = ask(self)?;
        if let Found::Value(value) = &found {
            let mut memory = self.memory.borrow_mut();
            if self.hiera.secrets().count() > before {
                memory.secret_answers.insert(id.clone());
            }
            memory.answers.insert(id, value.clone());
        }
        Ok(found)
    }
}

fn subject(at: At, start: &str) -> String {
    let function = at.level.function_label();
    match &at.place.location {
        Some(location) => format!("{start} {function}, when using location '{}',", location.text),
        None => format!("{start} {function}"),
    }
}

fn checked(found: Found, subject: impl Fn() -> String) -> Result<Found> {
    if let Found::Value(value) = &found {
        check_rich(value, subject)?;
    }
    Ok(found)
}

/// Refuses what data must not hold: symbols, keys that are neither text nor number.
fn check_rich(value: &Value, subject: impl Fn() -> String) -> Result<()> {
    if is_rich(value) {
        Ok(())
    } else {
        Err(issues::not_rich_data(&subject(), &infer::reduced(value).to_string()))
    }
}

fn is_rich(value: &Value) -> bool {
    match value {
        Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_) => true,
        Value::Array(items) => items.iter().all(is_rich),
        Value::Hash(hash) => hash.iter().all(|(key, value)| is_rich_key(key) && is_rich(value)),
        Value::Foreign(foreign) => {
            foreign.digits().is_some() || matches!(foreign.inferred().kind(), Kind::Object(_))
        }
        other => Type::rich_data().has(other),
    }
}

fn is_rich_key(key: &Value) -> bool {
    match key {
        Value::Foreign(foreign) => foreign.digits().is_some(),
        key => matches!(key, Value::String(_) | Value::Integer(_) | Value::Float(_)),
    }
}

/// What reading a document needs.
pub(crate) fn around<'a>(hiera: &'a Hiera) -> Around<'a> {
    Around { files: hiera.files(), settings: hiera.settings(), log: hiera.log() }
}
