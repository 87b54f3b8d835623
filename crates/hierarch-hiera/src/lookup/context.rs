//! What a data function written in Puppet can do while it is called: the `Puppet::LookupContext`.

use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hierarch_pcore::{Hash, Str, Value};

use super::Walk;
use crate::query::OldCall;
use crate::trace::{Event, Listener, LookupStep};

/// A lookup under way, as a data function sees it that is called in the middle of it.
///
/// It owns what it knows, so that a host can keep it for as long as the function runs and go on with the lookup from
/// there: see [`Session::within`](crate::Session::within).
pub struct Context {
    /// The name of the module whose data are looked up.
    module: Option<Str>,
    /// Functions of the deprecated kind get no arguments at all.
    is_argument: bool,
    /// A program made it; there is no lookup.
    is_alone: bool,
    cache: Cache,
    listener: Option<Transcript>,
    pub(super) invocation: Invocation,
}

/// What functions remember at one place.
pub(crate) type Cache = Arc<Mutex<Hash>>;

/// The part of a walk that outlives it.
#[derive(Default)]
pub(super) struct Invocation {
    pub(super) names: Vec<Str>,
    pub(super) overrides: Hash,
    pub(super) defaults: Hash,
    pub(super) top_key: Str,
    pub(super) module: Option<Str>,
    pub(super) global_only: bool,
    pub(super) old_call: Option<OldCall>,
    pub(super) hiera3_scope: bool,
}

/// What the listener of the lookup is told once the function has returned.
struct Transcript {
    only_options: bool,
    shows_secrets: bool,
    signals: Mutex<Vec<Signal>>,
}

enum Signal {
    Enter(LookupStep),
    Leave,
    Event(Event),
}

impl Context {
    pub(super) fn new(walk: &Walk, module: Option<Str>, cache: Cache, is_argument: bool) -> Self {
        let listener = walk.listener.as_ref();
        let heard = |listener: &&mut (dyn Listener + '_)| Transcript {
            only_options: listener.wants_only_options(),
            shows_secrets: listener.shows_secrets(),
            signals: Mutex::default(),
        };
        let (listener, invocation) = (listener.map(heard), walk.inquiry.invocation());
        Self { module, is_argument, is_alone: false, cache, listener, invocation }
    }

    /// Makes a context that no lookup is under way for.
    pub fn alone(module: Option<Str>) -> Self {
        let (cache, invocation) = (Cache::default(), Invocation::default());
        Self { module, is_argument: true, is_alone: true, cache, listener: None, invocation }
    }

    /// Returns the name of the module whose data are looked up.
    pub fn module_name(&self) -> Option<&Str> {
        self.module.as_ref()
    }

    /// Tells whether the function takes the context as its last argument.
    pub fn is_argument(&self) -> bool {
        self.is_argument
    }

    /// Tells whether there is no lookup that it belongs to.
    pub fn is_alone(&self) -> bool {
        self.is_alone
    }

    /// Tells whether the lookup is explained.
    pub fn explains(&self) -> bool {
        self.listener.is_some()
    }

    /// Adds a line to the explanation.
    pub fn explain(&self, text: String) {
        self.hear(Signal::Event(Event::Text(text)));
    }

    /// Returns a number that tells the places apart at which functions remember things.
    pub fn place(&self) -> usize {
        Arc::as_ptr(&self.cache).addr()
    }

    /// Remembers a value for further calls at the same place.
    pub fn remember(&self, key: Value, value: Value) {
        self.cache().insert(key, value);
    }

    /// Returns a value that is remembered.
    pub fn remembered(&self, key: &Value) -> Option<Value> {
        self.cache().get(key).cloned()
    }

    /// Returns all that is remembered.
    pub fn all_remembered(&self) -> Hash {
        self.cache().clone()
    }

    fn cache(&self) -> MutexGuard<'_, Hash> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hear(&self, signal: Signal) {
        if let Some(heard) = &self.listener {
            heard.signals.lock().unwrap_or_else(PoisonError::into_inner).push(signal);
        }
    }

    /// Tells a listener what happened while the function ran.
    pub(super) fn replay(&self, listener: &mut dyn Listener) {
        let Some(heard) = &self.listener else { return };
        let signals = mem::take(&mut *heard.signals.lock().unwrap_or_else(PoisonError::into_inner));
        for signal in signals {
            match signal {
                Signal::Enter(node) => listener.enter(node),
                Signal::Leave => listener.leave(),
                Signal::Event(event) => listener.event(event),
            }
        }
    }
}

/// Listens to lookups that a data function makes, on behalf of the one that it was called for.
pub(crate) struct Recorder<'c>(pub(crate) &'c Context);

impl Listener for Recorder<'_> {
    fn enter(&mut self, node: LookupStep) {
        self.0.hear(Signal::Enter(node));
    }

    fn leave(&mut self) {
        self.0.hear(Signal::Leave);
    }

    fn event(&mut self, event: Event) {
        self.0.hear(Signal::Event(event));
    }

    fn shows_secrets(&self) -> bool {
        self.0.listener.as_ref().is_some_and(|heard| heard.shows_secrets)
    }

    fn wants_only_options(&self) -> bool {
        self.0.listener.as_ref().is_some_and(|heard| heard.only_options)
    }
}
