//! Recording what a lookup asks of its node, and asking another node the same.

use std::sync::{Arc, LazyLock};

use hierarch_pcore::{Str, Value};
use hierarch_source::Result;

use super::chain::{Element, HeldKeys, Source};
use super::{About, Link, Note, Observation, Survey};
use crate::host;
use crate::layers::Layer;
use crate::locate::{Place, PlacedLevel};
use crate::lookup::Walk;
use crate::options::Options;
use crate::query::Query;
use crate::session::Session;
use crate::template::Variable;

/// What a lookup has asked of its node so far.
#[derive(Debug, Default)]
pub(crate) struct Recording {
    notes: Vec<Note>,
    /// Questions that each node answers for itself: where there are some, there is no saying what the answer depends on.
    unsettled: Vec<About>,
}

impl Recording {
    fn is_spoiled(&self) -> bool {
        !self.unsettled.is_empty()
    }
}

/// Lookup options that several nodes share, with their number.
#[derive(Clone, Debug)]
pub(crate) struct SharedOptions {
    pub(crate) number: u32,
    pub(crate) options: Result<Arc<Options>>,
}

/// Asked for where only the node itself is asked. To make an empty query takes longer than most of these questions.
static NOTHING: LazyLock<Query> = LazyLock::new(Query::default);

/// The files of a node in one hierarchy; there may be none.
pub(crate) type Chain = Option<Arc<Link>>;

impl Session<'_> {
    pub(super) fn begin_recording(&self) {
        self.memory().borrow_mut().recordings.push(Recording::default());
    }

    pub(super) fn end_recording(&self) -> Option<Vec<Note>> {
        let recording = self.memory().borrow_mut().recordings.pop()?;
        (!recording.is_spoiled()).then_some(recording.notes)
    }

    /// Ends a recording and returns what was asked.
    pub(super) fn take_questions(&self) -> Vec<About> {
        let recording = self.memory().borrow_mut().recordings.pop().unwrap_or_default();
        recording.notes.into_iter().map(|(about, _)| about).chain(recording.unsettled).collect()
    }

    /// Asks the node what nobody records.
    pub(super) fn observing<T>(&self, body: impl FnOnce(&mut Walk) -> T) -> T {
        self.walk(&NOTHING, None, |walk| walk.unrecorded(body))
    }

    /// Returns the files that the node has in a layer; nothing where what it has there is its own in any case.
    pub(super) fn chain(&self, layer: usize, is_default: bool) -> Option<Chain> {
        self.observing(|walk| walk.find_chain(layer, is_default));
        self.memory().borrow().chains.get(&(layer, is_default))?.clone()
    }
}

impl Walk<'_> {
    /// Notes what is asked of the node, if it is recorded.
    pub(crate) fn note(&mut self, about: impl FnOnce(&Self) -> About) {
        if !self.inquiry.is_recorded {
            return;
        }
        let about = about(self);
        let is_known = |recording: &Recording| recording.notes.iter().any(|(known, _)| known.is(&about));
        if self.memory.borrow().recordings.last().is_none_or(is_known) {
            return;
        }
        let seen = self.observe(&about);
        if let Some(recording) = self.memory.borrow_mut().recordings.last_mut() {
            match seen {
                Some(seen) => recording.notes.push((about, seen)),
                None => recording.unsettled.push(about),
            }
        }
    }

    /// Notes that a key is looked for in a layer.
    pub(crate) fn note_files(&mut self, layer: &Arc<Layer>, is_default: bool, root: &Str) {
        self.note(|walk| About::Files {
            layer: Arc::as_ptr(layer) as usize,
            is_default,
            root: walk.hiera.fleet().root(root),
        });
    }

    /// Notes that a variable is read.
    pub(crate) fn note_variable(&mut self, variable: &Variable) {
        self.note(|_| About::Variable(Arc::new(variable.clone())));
    }

    /// Does something that nobody needs to record.
    pub(crate) fn unrecorded<T>(&mut self, body: impl FnOnce(&mut Walk) -> T) -> T {
        let inquiry = self.inquiry.clone().recorded(false);
        body(&mut self.asking(inquiry))
    }

    /// Asks the node; nothing is told when the answer is its own in any case.
    pub(crate) fn observe(&mut self, about: &About) -> Option<Observation> {
        match about {
            About::Files { layer, is_default, root } => {
                self.unrecorded(|walk| walk.find_chain(*layer, *is_default));
                // Nothing is cloned here: all threads count the owners of a chain at the same place.
                let memory = self.memory.borrow();
                let chain = memory.chains.get(&(*layer, *is_default))?.as_ref()?;
                Some(Observation::Files(root.files(chain.as_ref())))
            }
            About::Options(module) => Some(Observation::Options(self.options_number(module.as_ref()))),
            About::Variable(variable) => Some(self.observe_variable(variable)),
        }
    }

    fn observe_variable(&self, variable: &Variable) -> Observation {
        let Some(root) = &variable.root else { return Observation::Undefined };
        let mut value = match self.host.variable(root) {
            host::Variable::Undefined(_) => return Observation::Undefined,
            host::Variable::Value(value) => value,
        };
        for segment in &variable.segments {
            let inner = match (&value, segment) {
                (Value::Undef, _) => None,
                (Value::Hash(hash), segment) => hash.get(&segment.as_value()).cloned(),
                (Value::Array(items), crate::key::Segment::Index(index)) => {
                    usize::try_from(*index).ok().and_then(|index| items.get(index)).cloned()
                }
                _ => return Observation::Undiggable(value),
            };
            value = inner.unwrap_or_default();
        }
        Observation::Value(value)
    }

    /// Finds out which files of a layer this node has, once.
    fn find_chain(&mut self, layer: usize, is_default: bool) {
        if !self.memory.borrow().chains.contains_key(&(layer, is_default)) {
            let chain = self.build_chain(layer, is_default);
            self.memory.borrow_mut().chains.insert((layer, is_default), chain);
        }
    }

    fn build_chain(&mut self, id: usize, is_default: bool) -> Option<Chain> {
        let layer = self.hiera.layers().at(id)?;
        let levels = self.levels(&layer).ok()?;
        let levels = if is_default { &levels.defaults } else { &levels.normal };
        let mut chain = None;
        for (index, level) in levels.iter().enumerate().rev() {
            for place in level.places.iter().rev().filter(|place| place.exists()) {
                let (source, held) = self.held_at(level, place)?;
                let options = if level.options.is_empty() {
                    String::new()
                } else {
                    Value::hash(level.options.clone()).to_json()
                };
                let element = Element { level: index, is_alone: level.places.len() == 1, options, source };
                chain = Some(self.hiera.fleet().extend(chain, element, &held));
            }
        }
        Some(chain)
    }

    /// Returns what stands at a place, unless a function makes it up.
    fn held_at(&self, level: &PlacedLevel, place: &Place) -> Option<(Source, HeldKeys)> {
        let backend = self.hiera.backend(&level.level.function)?;
        if let Ok(document) = self.hiera.document(backend, level, place) {
            return Some((Source::Document(Arc::as_ptr(&document) as usize), HeldKeys::Keys(document)));
        }
        let path = place.location.as_ref().map(|location| location.text.clone());
        Some((Source::Broken(path.unwrap_or_default()), HeldKeys::Anything))
    }

    /// Returns the lookup options for the keys of a module, shared by the nodes that have the same.
    pub(crate) fn shared_options(&mut self, module: Option<&Str>) -> SharedOptions {
        let name = module.map_or("", Str::as_str);
        if let Some(known) = self.memory.borrow().shared_options.get(name) {
            return known.clone();
        }
        let survey = self.hiera.fleet().options(module);
        let shared = match survey.known(|about| self.unrecorded(|walk| walk.observe(about))) {
            Some(shared) => (*shared).clone(),
            None => self.find_options(module, &survey),
        };
        self.memory.borrow_mut().shared_options.insert(name.into(), shared.clone());
        shared
    }

    fn options_number(&mut self, module: Option<&Str>) -> u32 {
        let known =
            self.memory.borrow().shared_options.get(module.map_or("", Str::as_str)).map(|known| known.number);
        known.unwrap_or_else(|| self.shared_options(module).number)
    }

    fn find_options(&mut self, module: Option<&Str>, survey: &Survey<SharedOptions>) -> SharedOptions {
        self.memory.borrow_mut().recordings.push(Recording::default());
        let inquiry = self.inquiry.clone().recorded(true);
        let options = self.asking(inquiry).assemble_options(module).map(Arc::new);
        let recording = self.memory.borrow_mut().recordings.pop();
        let shared = SharedOptions { number: self.hiera.fleet().new_number(), options };
        if let Some(recording) = recording.filter(|recording| !recording.is_spoiled()) {
            survey.learn(recording.notes, Arc::new(shared.clone()));
        }
        shared
    }
}
