//! The one path that every lookup takes: layers, levels, locations, and what is found there.

mod context;
mod dig;
mod fetch;
mod fill;
mod inquiry;
mod key_options;
mod levels;
mod listing;
mod placement;
mod search;
mod stage;

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use foldhash::fast::RandomState;
use hierarch_pcore::{Str, Value};
use hierarch_source::{Files, Result};

use context::Cache;

use crate::document::Document;
use crate::eyaml::HIDDEN;
use crate::hiera::Hiera;
use crate::host::{LookupHost, Variable};
use crate::issues;
use crate::layers::{Layer, Surroundings};
use crate::locate::{Levels, levels_of};
use crate::options::Options;
use crate::piece::Piece;
use crate::survey::{Chain, Recording, SharedOptions};
use crate::trace::{Event, Listener, LookupStep};

pub use context::Context;
pub(crate) use context::Recorder;
pub(crate) use fetch::{Opening, around};
pub(crate) use inquiry::{Budget, Inquiry, Start};
pub use levels::{Hierarchy, LevelAnswer, LevelLocation};
pub use placement::Placement;

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
pub(crate) struct VariableRead {
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

/// What is remembered as long as a node's variables are at hand.
#[derive(Default)]
pub(crate) struct Memory {
    levels: HashMap<usize, LevelsInPlace>,
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
    known: HashMap<Str, Vec<KnownAnswer>, RandomState>,
    /// What surveys record, the innermost last, and what they know about this node.
    pub(crate) recordings: Vec<Recording>,
    pub(crate) chains: HashMap<(usize, bool), Option<Chain>, RandomState>,
    /// By module; the options of keys without a module stand under the empty name.
    pub(crate) shared_options: HashMap<Str, SharedOptions, RandomState>,
}

/// An answer that holds as long as no variable changes.
struct KnownAnswer {
    merge: Option<Value>,
    holds: Validity,
    found: Found,
}

/// When an answer holds.
pub(crate) enum Validity {
    /// While the host has this version.
    During(u64),
    /// Wherever these variables are what they were.
    While(Vec<(Str, Variable)>),
}

impl Validity {
    fn is_true(&self, host: &dyn LookupHost) -> bool {
        match self {
            Self::During(version) => host.version() == *version,
            Self::While(reads) => reads.iter().all(|(name, read)| host.variable(name) == *read),
        }
    }
}

/// As many answers are kept for a key.
const MOST_KNOWN: usize = 16;

impl Memory {
    /// Returns what was found for a key before, while the variables were the same.
    pub(crate) fn known(&self, name: &str, merge: Option<&Value>, host: &dyn LookupHost) -> Option<Found> {
        let mut known = self.known.get(name)?.iter();
        let known = known.find(|known| known.merge.as_ref() == merge && known.holds.is_true(host))?;
        Some(known.found.clone())
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
    pub(crate) fn remember(&mut self, name: &str, merge: Option<&Value>, holds: Validity, found: &Found) {
        let known = self.known.entry(name.into()).or_default();
        if let Validity::During(version) = holds {
            known.retain(|known| !matches!(known.holds, Validity::During(other) if other != version));
        }
        if known.len() >= MOST_KNOWN {
            known.clear();
        }
        known.push(KnownAnswer { merge: merge.cloned(), holds, found: found.clone() });
    }
}

struct LevelsInPlace {
    levels: Arc<Levels>,
    version: u64,
}

/// A lookup under way.
pub(crate) struct Walk<'w> {
    pub(crate) hiera: &'w Hiera,
    pub(crate) host: &'w dyn LookupHost,
    pub(crate) memory: &'w RefCell<Memory>,
    pub(crate) budget: &'w Budget,
    listener: Option<&'w mut (dyn Listener + 'w)>,
    /// Whoever listens may see secrets.
    shows_secrets: bool,
    /// What a value hides is looked for as well.
    looks_on: bool,
    pub(crate) inquiry: Inquiry<'w>,
}

impl<'w> Walk<'w> {
    pub(crate) fn new(start: Start<'w>) -> Self {
        let listener = start.listener.as_ref();
        Self {
            shows_secrets: listener.is_some_and(|listener| listener.shows_secrets()),
            looks_on: listener.is_none(),
            hiera: start.hiera,
            host: start.host,
            memory: start.memory,
            budget: start.budget,
            inquiry: Inquiry::new(&start),
            listener: start.listener,
        }
    }

    /// Goes on with the lookup that a data function was called in.
    pub(crate) fn resumed(self, context: &'w Context) -> Self {
        Self { inquiry: self.inquiry.resumed(context), ..self }
    }

    /// Returns the part of the walk that goes on with an inquiry of its own.
    pub(crate) fn asking<'n>(&'n mut self, inquiry: Inquiry<'n>) -> Walk<'n> {
        let listener: Option<&'n mut (dyn Listener + 'n)> = match &mut self.listener {
            Some(listener) => Some(&mut **listener),
            None => None,
        };
        let (hiera, host, memory, budget) = (self.hiera, self.host, self.memory, self.budget);
        let (shows_secrets, looks_on) = (self.shows_secrets, self.looks_on);
        Walk { hiera, host, memory, budget, listener, shows_secrets, looks_on, inquiry }
    }

    /// Returns the part of the walk that nobody hears of.
    fn unheard<'n>(&'n mut self, inquiry: Inquiry<'n>) -> Walk<'n> {
        Walk { listener: None, ..self.asking(inquiry) }
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
    pub(crate) fn without_hidden(&mut self) -> Walk<'_> {
        let inquiry = self.inquiry.clone();
        Walk { looks_on: false, ..self.asking(inquiry) }
    }

    /// Returns a value as whoever listens may see it.
    fn shown<P: Piece>(&self, piece: &P) -> Value {
        if self.shows_secrets { piece.value() } else { piece.shown(self.hiera.secrets()) }
    }

    /// Returns a text as whoever listens may see it.
    fn shown_text(&self, text: &Str) -> Str {
        if !self.shows_secrets && self.hiera.secrets().is_in(text) { HIDDEN.into() } else { text.clone() }
    }

    /// Does something inside a step that a listener hears of.
    fn within<T>(&mut self, node: impl FnOnce() -> LookupStep, body: impl FnOnce(&mut Self) -> T) -> T {
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
    fn check<T>(&mut self, name: Str, body: impl FnOnce(&mut Walk) -> Result<T>) -> Result<T> {
        let name = self.inquiry.name_under_way(name)?;
        let inquiry = self.inquiry.under(&name);
        body(&mut self.asking(inquiry)).map_err(issues::into_lookup_error)
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
        let placed = LevelsInPlace { levels: Arc::clone(&levels), version };
        self.memory.borrow_mut().levels.insert(id, placed);
        Ok(levels)
    }

    fn place_levels(&mut self, layer: &Layer) -> Result<Levels> {
        if let Some(complaint) = &layer.config.complaint {
            return Err(complaint.clone());
        }
        let reads = RefCell::default();
        let inquiry = self.inquiry.clone().for_levels(&reads);
        let levels = levels_of(&mut self.unheard(inquiry), &layer.config);
        levels.map_err(|error| match issues::undefined_name(&error) {
            Some(name) => layer.config.undefined_variable(name),
            None => layer.config.named(error),
        })
    }

    /// Tells whether all variables still have the values that levels were placed with.
    fn is_stable(&mut self, levels: &Levels) -> bool {
        let inquiry = Inquiry { mode: Mode::Location, reads: None, ..self.inquiry.clone() };
        let mut walk = self.unheard(inquiry);
        let mut reads = levels.reads.iter();
        reads.all(|read| walk.read_variable(&read.variable, "").is_ok_and(|value| value == read.value))
    }

    /// Returns the variables that were read for levels, those left out that cannot change.
    pub(crate) fn take_reads(&mut self) -> Vec<VariableRead> {
        let mut reads = self.inquiry.reads.map(RefCell::take).unwrap_or_default();
        reads.retain(|read| read.value.is_undef() || !read.variable.text.starts_with("::"));
        let mut seen = std::collections::HashSet::new();
        reads.retain(|read| seen.insert(read.variable.text.clone()));
        reads
    }
}

/// What is told when levels are placed anew.
const RECREATED: &str =
    "Hiera configuration recreated due to change of scope variables used in interpolation expressions";
