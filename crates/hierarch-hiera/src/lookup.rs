//! The one path that every lookup takes: layers, levels, locations, and what is found there.

mod context;
mod dig;
mod fetch;
mod fill;
mod search;
mod stage;

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use foldhash::fast::RandomState;
use hierarch_pcore::{Hash, Str, Value};
use hierarch_source::{Files, Result};

use context::{Cache, Invocation};

use crate::document::Document;
use crate::eyaml::HIDDEN;
use crate::hiera::{Hiera, OldCall};
use crate::host::Host;
use crate::issues;
use crate::layers::{Layer, Surroundings};
use crate::locate::{Levels, levels_of};
use crate::options::Options;
use crate::piece::Piece;
use crate::survey::{Chain, Recording, SharedOptions};
use crate::trace::{Event, Listener, Node};

pub use context::Context;
pub(crate) use context::Recorder;
pub(crate) use fetch::{Opening, around};

/// Whether something was found. A found undef is something.
#[derive(Clone, Debug, PartialEq)]
pub enum Found<P = Value> {
    /// This was found.
    Value(P),
    /// Nothing was found.
    Missing,
}

impl<P> Found<P> {
    /// Changes what was found.
    pub fn map<Q>(self, change: impl FnOnce(P) -> Q) -> Found<Q> {
        match self {
            Self::Value(value) => Found::Value(change(value)),
            Self::Missing => Found::Missing,
        }
    }

    /// Returns what was found, if anything.
    pub fn into_option(self) -> Option<P> {
        match self {
            Self::Value(value) => Some(value),
            Self::Missing => None,
        }
    }
}

impl<P> From<Option<P>> for Found<P> {
    fn from(option: Option<P>) -> Self {
        option.map_or(Self::Missing, Self::Value)
    }
}

/// What a variable expression gave when it was read.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    pub(crate) variable: crate::template::Variable,
    pub(crate) value: Value,
}

/// What is being filled in: it decides what an undefined variable means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// Data: an error, if settings are strict.
    Data,
    /// A folder or options in hiera.yaml: an error as well, and no methods.
    Config,
    /// A location in hiera.yaml: empty text, with a warning; no methods.
    Location,
}

/// How many names may be under way at once.
const MOST_NAMES: usize = 100;

/// What is remembered as long as a node's variables are at hand.
#[derive(Default)]
pub(crate) struct Memory {
    levels: HashMap<usize, Placed>,
    options: HashMap<Option<Str>, Arc<Options>>,
    module_defaults: HashMap<Str, Arc<Options>>,
    global_options: Option<Found>,
    environment_options: Option<Found>,
    /// What data functions answered, by place and key.
    answers: HashMap<(u64, Str), Value>,
    /// The answers for which something was decrypted.
    secret_answers: HashSet<(u64, Str)>,
    /// The hashes that data functions returned, by place.
    hashes: HashMap<u64, Arc<Document>>,
    caches: HashMap<u64, Cache>,
    /// How often a data function was called. What it has to do with is never the same for sure.
    calls: u64,
    known: HashMap<Str, Vec<Known>, RandomState>,
    /// What surveys record, the innermost last, and what they know about this node.
    pub(crate) recordings: Vec<Recording>,
    pub(crate) chains: HashMap<(usize, bool), Option<Chain>, RandomState>,
    /// By module; the options of keys without a module stand under the empty name.
    pub(crate) shared_options: HashMap<Str, SharedOptions, RandomState>,
}

/// An answer that holds as long as no variable changes.
struct Known {
    merge: Option<Value>,
    version: u64,
    found: Found,
}

impl Memory {
    /// Returns what was found for a key before, while the variables were the same.
    pub(crate) fn known(&self, name: &str, merge: Option<&Value>, version: u64) -> Option<Found> {
        let known = self.known.get(name)?;
        known
            .iter()
            .find(|known| known.version == version && known.merge.as_ref() == merge)
            .map(|known| known.found.clone())
    }

    /// Returns how often a data function was called.
    pub(crate) fn calls(&self) -> u64 {
        self.calls
    }

    /// Forgets what functions had to say at places that nobody will ask any more.
    fn forget(&mut self, levels: &Levels) {
        let levels = levels.normal.iter().chain(&levels.defaults);
        let gone: Vec<u64> = levels.flat_map(|level| &level.places).map(|place| place.id).collect();
        self.answers.retain(|(place, _), _| !gone.contains(place));
        self.hashes.retain(|place, _| !gone.contains(place));
        self.caches.retain(|place, _| !gone.contains(place));
    }

    /// Remembers what was found for a key.
    pub(crate) fn remember(&mut self, name: &str, merge: Option<&Value>, version: u64, found: &Found) {
        let known = self.known.entry(name.into()).or_default();
        known.retain(|known| known.version == version);
        known.push(Known { merge: merge.cloned(), version, found: found.clone() });
    }
}

struct Placed {
    levels: Arc<Levels>,
    version: u64,
}

/// A lookup under way.
pub(crate) struct Walk<'w> {
    pub(crate) hiera: &'w Hiera,
    pub(crate) host: &'w dyn Host,
    pub(crate) memory: &'w RefCell<Memory>,
    listener: Option<&'w mut (dyn Listener + 'w)>,
    names: Vec<Str>,
    overrides: &'w Hash,
    defaults: &'w Hash,
    locals: Vec<(Str, Value)>,
    mode: Mode,
    reads: Vec<Read>,
    /// The key that a failure of the global layer names.
    top_key: Str,
    module: Option<Str>,
    global_only: bool,
    old_call: Option<&'w OldCall>,
    /// Version 3 takes an empty text for an undefined variable.
    hiera3_scope: bool,
    /// A survey wants to know what the answer depends on.
    pub(crate) is_recorded: bool,
    /// Whoever listens may see secrets.
    shows_secrets: bool,
    /// What a value hides is looked for as well.
    looks_on: bool,
    /// How many steps are left, and how much text may still be made.
    pub(crate) steps_left: u64,
    text_left: usize,
}

static NO_VALUES: std::sync::LazyLock<Hash> = std::sync::LazyLock::new(Hash::new);

/// What a walk starts from.
pub(crate) struct Start<'w> {
    pub(crate) hiera: &'w Hiera,
    pub(crate) host: &'w dyn Host,
    pub(crate) memory: &'w RefCell<Memory>,
    pub(crate) listener: Option<&'w mut (dyn Listener + 'w)>,
    pub(crate) overrides: Option<&'w Hash>,
    pub(crate) defaults: Option<&'w Hash>,
    pub(crate) global_only: bool,
    pub(crate) old_call: Option<&'w OldCall>,
    /// The lookup in the middle of which this one starts.
    pub(crate) within: Option<&'w Context>,
}

impl<'w> Walk<'w> {
    pub(crate) fn new(start: Start<'w>) -> Self {
        let within = start.within.map(|context| &context.invocation);
        let listener = start.listener.as_ref();
        Self {
            shows_secrets: listener.is_some_and(|listener| listener.shows_secrets()),
            looks_on: listener.is_none(),
            hiera: start.hiera,
            host: start.host,
            memory: start.memory,
            listener: start.listener,
            names: within.map_or_else(Vec::new, |outer| outer.names.clone()),
            overrides: start.overrides.unwrap_or(&NO_VALUES),
            defaults: start.defaults.unwrap_or(&NO_VALUES),
            locals: Vec::new(),
            mode: Mode::Data,
            reads: Vec::new(),
            top_key: Str::new(),
            module: None,
            global_only: start.global_only || within.is_some_and(|outer| outer.global_only),
            old_call: start.old_call.or(within.and_then(|outer| outer.old_call.as_ref())),
            hiera3_scope: false,
            is_recorded: !start.memory.borrow().recordings.is_empty(),
            steps_left: start.hiera.settings().limits.steps,
            text_left: start.hiera.settings().limits.size,
        }
    }

    /// Goes on with the lookup that a data function was called in.
    pub(crate) fn resumed(mut self, context: &'w Context) -> Self {
        let outer = &context.invocation;
        (self.overrides, self.defaults) = (&outer.overrides, &outer.defaults);
        (self.top_key, self.module) = (outer.top_key.clone(), outer.module.clone());
        self.hiera3_scope = outer.hiera3_scope;
        self
    }

    fn invocation(&self) -> Invocation {
        Invocation {
            names: self.names.clone(),
            overrides: self.overrides.clone(),
            defaults: self.defaults.clone(),
            top_key: self.top_key.clone(),
            module: self.module.clone(),
            global_only: self.global_only,
            old_call: self.old_call.cloned(),
            hiera3_scope: self.hiera3_scope,
        }
    }

    /// Returns a number for a place that no other place has.
    pub(crate) fn new_place(&self) -> u64 {
        self.hiera.new_place()
    }

    pub(crate) fn files(&self) -> &'w dyn Files {
        self.hiera.files()
    }

    fn around(&self) -> Surroundings<'w> {
        self.hiera.around()
    }

    /// Does not look for what values hide.
    pub(crate) fn without_hidden(self) -> Self {
        Self { looks_on: false, ..self }
    }

    /// Returns a value as whoever listens may see it.
    fn shown<P: Piece>(&self, piece: &P) -> Value {
        if self.shows_secrets { piece.value() } else { piece.shown(self.hiera.secrets()) }
    }

    /// Returns a text as whoever listens may see it.
    fn shown_text(&self, text: &Str) -> Str {
        if !self.shows_secrets && self.hiera.secrets().is_in(text) { HIDDEN.into() } else { text.clone() }
    }

    /// Counts a token.
    fn count_step(&mut self) -> Result<()> {
        let most = self.hiera.settings().limits.steps;
        self.steps_left = self.steps_left.checked_sub(1).ok_or_else(|| issues::too_many_steps(most))?;
        Ok(())
    }

    /// Counts text that tokens made.
    fn count_text(&mut self, bytes: usize) -> Result<()> {
        let most = self.hiera.settings().limits.size;
        self.text_left = self.text_left.checked_sub(bytes).ok_or_else(|| issues::too_much_text(most))?;
        Ok(())
    }

    /// Does something inside a step that a listener hears of.
    fn within<T>(&mut self, node: impl FnOnce() -> Node, body: impl FnOnce(&mut Self) -> T) -> T {
        if let Some(listener) = &mut self.listener {
            listener.enter(node());
        }
        let result = body(self);
        if let Some(listener) = &mut self.listener {
            listener.leave();
        }
        result
    }

    fn tell(&mut self, event: impl FnOnce() -> Event) {
        if let Some(listener) = &mut self.listener {
            listener.event(event());
        }
    }

    /// Does something under a name that must not lead back to itself.
    fn check<T>(&mut self, name: Str, body: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.names.contains(&name) {
            return Err(issues::recursive(&self.names));
        }
        if self.names.len() >= MOST_NAMES {
            return Err(issues::too_deep(MOST_NAMES));
        }
        self.names.push(name);
        let result = body(self);
        self.names.pop();
        result.map_err(issues::into_lookup_error)
    }

    /// Returns the levels of a layer for this node, placed again if a variable that they depend on has changed.
    pub(crate) fn levels(&mut self, layer: &Arc<Layer>) -> Result<Arc<Levels>> {
        let id = Arc::as_ptr(layer) as usize;
        let version = self.host.version();
        let known =
            self.memory.borrow().levels.get(&id).map(|placed| (Arc::clone(&placed.levels), placed.version));
        if let Some((levels, placed_at)) = known {
            if placed_at == version || self.is_stable(&levels) {
                return Ok(levels);
            }
            self.tell(|| Event::Text(RECREATED.to_owned()));
            self.memory.borrow_mut().forget(&levels);
        }
        let levels = Arc::new(self.place_levels(layer)?);
        let placed = Placed { levels: Arc::clone(&levels), version };
        self.memory.borrow_mut().levels.insert(id, placed);
        Ok(levels)
    }

    fn place_levels(&mut self, layer: &Layer) -> Result<Levels> {
        if let Some(complaint) = &layer.config.complaint {
            return Err(complaint.clone());
        }
        // Nobody hears of this, and no name is under way.
        let (listener, names) = (self.listener.take(), std::mem::take(&mut self.names));
        let reads = std::mem::take(&mut self.reads);
        let (overrides, defaults) = (self.overrides, self.defaults);
        (self.overrides, self.defaults) = (&NO_VALUES, &NO_VALUES);
        let levels = self.unrecorded(|walk| levels_of(walk, &layer.config));
        (self.overrides, self.defaults) = (overrides, defaults);
        (self.listener, self.names, self.reads) = (listener, names, reads);
        self.mode = Mode::Data;
        levels.map_err(|error| match undefined_name(&error.message) {
            Some(name) => layer.config.undefined_variable(name),
            None => layer.config.named(error),
        })
    }

    /// Tells whether all variables still have the values that levels were placed with.
    fn is_stable(&mut self, levels: &Levels) -> bool {
        let listener = self.listener.take();
        let reads = std::mem::take(&mut self.reads);
        self.mode = Mode::Location;
        let stable = levels
            .reads
            .iter()
            .all(|read| self.read_variable(&read.variable, "").is_ok_and(|value| value == read.value));
        self.mode = Mode::Data;
        self.reads = reads;
        self.listener = listener;
        stable
    }

    /// Returns the variables read since this was asked last, those left out that cannot change.
    pub(crate) fn take_reads(&mut self) -> Vec<Read> {
        let mut reads = std::mem::take(&mut self.reads);
        reads.retain(|read| read.value.is_undef() || !read.variable.text.starts_with("::"));
        let mut seen = std::collections::HashSet::new();
        reads.retain(|read| seen.insert(read.variable.text.clone()));
        reads
    }
}

/// What is told when levels are placed anew.
const RECREATED: &str =
    "Hiera configuration recreated due to change of scope variables used in interpolation expressions";

fn undefined_name(message: &str) -> Option<&str> {
    let start = message.lines().find_map(|line| line.strip_prefix("Undefined variable '"))?;
    start.split_once('\'').map(|(name, _)| name).filter(|name| !name.is_empty())
}
