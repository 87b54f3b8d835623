//! Expansion: directives are carried out until nothing is missing any more.
//!
//! A walk goes through the document as written and looks targets up in the document as written. If some
//! were not found, the *original* is walked again, this time looking targets up in the result of the walk
//! before, and so on while that helps. So a path may lead through what other directives bring, in any order.

mod keys;
mod load;
mod target;
mod walk;

use std::sync::Arc;

use hierarch_source::{Files, Result, nearest};
use hierarch_yaml::{NodeId, Tree};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::directive::Directive;
use crate::forest::{Forest, Val};
use crate::include::{Access, Location};
use crate::issues;
use crate::keyed::KeyTable;

/// What a directive of the main document did, remembered for saving.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DirectiveEffect {
    /// What its directives brought, merged; `None` if they brought nothing.
    pub(crate) inherited: Option<Val>,
}

/// One step of a path.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    Key(Val),
    Index(usize),
}

/// What a value in the document turned into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expansion {
    /// A value in its place.
    Value(Val),
    /// A list that takes the place of the list item that asked for it.
    Splice(Val),
    /// Nothing: an optional reference that stayed missing and had no company.
    Absent,
}

struct Missing {
    key: String,
    value: String,
    optional: bool,
    at: Val,
    /// The directives whose targets it stands in, the innermost first.
    through: Vec<Val>,
}

/// What a directive refers to.
pub(crate) enum Target {
    /// A value, and whether it is to be expanded.
    Found(Val, Option<OpenTarget>),
    /// Nothing, and that is in order.
    Nothing,
    Missing,
}

/// What must be left again after a target was expanded.
pub(crate) struct OpenTarget {
    file: bool,
}

/// The document that is expanded.
pub(crate) struct Main {
    pub(crate) tree: Arc<Tree>,
    /// Its top may be something else than a map.
    pub(crate) any_top: bool,
    /// Values remember the directives they came through.
    pub(crate) traces: bool,
}

pub(crate) struct Expander<'a> {
    pub(crate) forest: Forest,
    files: &'a dyn Files,
    access: &'a Access<'a>,
    /// The number of a document by where it came from, and the other way round.
    loaded: FxHashMap<Location, u32>,
    locations: FxHashMap<u32, Location>,
    /// Where names of files lead to from the files that they stand in.
    located: FxHashMap<(String, Location), Location>,
    /// How many includes were followed.
    includes: usize,
    /// Files of which one document was chosen: the numbers of all their documents.
    streams: FxHashMap<Location, Vec<u32>>,
    pub(crate) anchors: FxHashMap<String, Val>,
    pub(crate) names: FxHashMap<String, (Val, Vec<Step>)>,
    pub(crate) main: Val,
    /// Where targets are looked up: the document itself, or the result of the walk before.
    pub(crate) ground: Val,
    pub(crate) path: Vec<Step>,
    missing: Vec<Missing>,
    drop_missing: bool,
    own_files: bool,
    /// Targets being expanded, to notice those that contain themselves, and the directives that ask for them.
    active: Vec<(Val, Val)>,
    including: Vec<u32>,
    /// The top may be something else than a map.
    pub(crate) any_top: bool,
    depth: usize,
    pub(crate) held: FxHashMap<NodeId, DirectiveEffect>,
    /// What the items of the main document's lists turned into, remembered for saving.
    pub(crate) items: FxHashMap<NodeId, Expansion>,
    /// Both of the above as the document was opened.
    pub(crate) held_before: FxHashMap<NodeId, DirectiveEffect>,
    pub(crate) items_before: FxHashMap<NodeId, Expansion>,
    /// Tables of keys that hold where the walk is, the innermost last, and all that were read.
    pub(crate) tables: Vec<Arc<KeyTable>>,
    /// Tables that hold for the whole document, though it does not say so.
    pub(crate) tables_around: Vec<Arc<KeyTable>>,
    known_tables: FxHashMap<(String, Location), Arc<KeyTable>>,
    /// Documents whose anchors are known in this run.
    noted: FxHashSet<u32>,
}

impl<'a> Expander<'a> {
    pub(crate) fn new(
        files: &'a dyn Files,
        access: &'a Access<'a>,
        location: Location,
        main: Main,
    ) -> Result<Self> {
        let mut forest = Forest::new(access.limits.expanded, main.traces);
        let doc = forest.plant(&main.tree)?;
        let any_top = main.any_top;
        let main = match forest.root(doc) {
            Some(root) if forest.is_map(root) || any_top => root,
            Some(root) => {
                let error = issues::not_a_document(&hierarch_yaml::brief(&forest.data(root)));
                return Err(forest.place_error(error, root));
            }
            None => return Err(issues::not_a_document("None")),
        };
        let mut expander = Self {
            forest,
            files,
            access,
            loaded: FxHashMap::from_iter([(location.clone(), doc)]),
            locations: FxHashMap::from_iter([(doc, location)]),
            streams: FxHashMap::default(),
            anchors: FxHashMap::default(),
            names: FxHashMap::default(),
            main,
            ground: main,
            path: Vec::new(),
            missing: Vec::new(),
            drop_missing: false,
            own_files: false,
            active: Vec::new(),
            including: vec![doc],
            any_top,
            depth: 0,
            held: FxHashMap::default(),
            items: FxHashMap::default(),
            held_before: FxHashMap::default(),
            items_before: FxHashMap::default(),
            tables: Vec::new(),
            tables_around: Vec::new(),
            known_tables: FxHashMap::default(),
            located: FxHashMap::default(),
            includes: 0,
            noted: FxHashSet::default(),
        };
        expander.note_anchors(doc);
        Ok(expander)
    }

    /// Returns how the main document is read.
    pub(crate) fn access(&self) -> &'a Access<'a> {
        self.access
    }

    /// Starts over with another text of the main document; included documents stay loaded.
    pub(crate) fn restart(&mut self, tree: &Arc<Tree>) -> Result<()> {
        self.forest.refill();
        self.includes = 0;
        let location = self.locations.get(&self.main.doc).cloned();
        let doc = self.forest.plant(tree)?;
        let root = self.forest.root(doc).filter(|&root| self.any_top || self.forest.is_map(root));
        let Some(main) = root else { return Err(issues::not_a_document("None")) };
        if let Some(location) = location {
            self.loaded.insert(location.clone(), doc);
            self.locations.insert(doc, location);
        }
        self.including = vec![doc];
        (self.main, self.ground) = (main, main);
        self.anchors.clear();
        self.names.clear();
        self.noted.clear();
        self.note_anchors(doc);
        self.rewind();
        Ok(())
    }

    /// Remembers what the directives did, for saving.
    pub(crate) fn remember(&mut self) {
        self.held_before = std::mem::take(&mut self.held);
        self.items_before = std::mem::take(&mut self.items);
    }

    /// Makes a document that was expanded before the main one again.
    pub(crate) fn return_to(&mut self, main: Val) {
        self.forest.refill();
        self.includes = 0;
        (self.main, self.ground) = (main, main);
        self.including = vec![main.doc];
        if let Some(location) = self.locations.get(&main.doc).cloned() {
            self.loaded.insert(location, main.doc);
        }
        self.anchors.clear();
        self.names.clear();
        self.noted.clear();
        let docs: Vec<u32> = self.loaded.values().copied().collect();
        self.note_anchors(main.doc);
        for doc in docs {
            self.note_anchors(doc);
        }
        self.rewind();
    }

    /// Forgets where a walk that failed was.
    pub(crate) fn rewind(&mut self) {
        self.path.clear();
        self.active.clear();
        self.including.truncate(1);
        self.missing.clear();
        self.depth = 0;
        (self.drop_missing, self.own_files) = (false, false);
    }

    /// Looks targets up in a finished expansion from now on; what is missing there stays missing.
    pub(crate) fn stand_on(&mut self, ground: Val) {
        self.rewind();
        self.ground = ground;
        (self.drop_missing, self.own_files) = (true, true);
    }

    /// Goes on with another document, of another file perhaps.
    pub(crate) fn begin(&mut self, location: Location, tree: &Arc<Tree>) -> Result<()> {
        self.locations.insert(self.main.doc, location);
        let main = self.main.doc;
        self.restart(tree)?;
        self.locations.remove(&main);
        Ok(())
    }

    /// Expands the document.
    pub(crate) fn run(&mut self) -> Result<Val> {
        let marked = self.run_marked()?;
        self.finish(marked)
    }

    /// Expands the document, but leaves the marks that say how it wants to be merged.
    pub(crate) fn run_marked(&mut self) -> Result<Val> {
        if !self.forest.is_active(self.main) && self.tables_around.is_empty() {
            return Ok(self.main);
        }
        let mut result = self.walk_top()?;
        let mut before = 0;
        while !self.missing.is_empty() {
            if self.missing.len() == before {
                if self.own_files {
                    return self.without_missing(result);
                }
                // Nothing more comes from the document: let included files find their own parts.
                self.own_files = true;
            }
            before = self.missing.len();
            self.ground = result;
            result = self.walk_top()?;
        }
        Ok(result)
    }

    fn without_missing(&mut self, result: Val) -> Result<Val> {
        let required: Vec<&Missing> = self.missing.iter().filter(|missing| !missing.optional).collect();
        if let [first, ..] = required[..] {
            let uses: Vec<String> = required.iter().map(|m| format!("{}:{}", m.key, m.value)).collect();
            let missing = issues::missing(&uses);
            let missing = match self.suggestion(result, &first.key) {
                Some(hint) => missing.note(hint),
                None => missing,
            };
            let error = self.forest.place_error(missing, first.at);
            return Err(first.through.iter().fold(error, |error, &key| self.came_through(error, key)));
        }
        self.drop_missing = true;
        self.ground = result;
        self.walk_top()
    }

    /// Says which path may be meant by one that leads nowhere.
    fn suggestion(&self, top: Val, key: &str) -> Option<String> {
        let directive = Directive::parse(key).ok()??;
        if directive.include || directive.anchor.is_some() || directive.dots > 0 {
            return None;
        }
        let (mut at, mut depth) = (top, 0);
        while let Some(next) = self.forest.child(at, directive.pointer.get(depth)?) {
            (at, depth) = (next, depth + 1);
        }
        let keys = self.forest.is_map(at).then(|| self.forest.entries(at))?;
        let keys: Vec<String> = keys.map(|(key, _)| self.forest.text(key).into_owned()).collect();
        let near = nearest(directive.pointer.get(depth)?, keys.iter().map(String::as_str));
        Some(issues::did_you_mean(&directive.pointer[..depth], near.first()?))
    }

    fn walk_top(&mut self) -> Result<Val> {
        self.missing.clear();
        self.held.clear();
        self.items.clear();
        self.tables.clone_from(&self.tables_around);
        let walked = if self.forest.is_map(self.main) {
            self.walk_scope(self.main, true)?
        } else {
            self.walk(self.main)?
        };
        match walked {
            Expansion::Value(result) | Expansion::Splice(result) if self.any_top => Ok(result),
            Expansion::Value(result) if self.forest.is_map(result) => Ok(result),
            Expansion::Absent => self.forest.map(Vec::new(), Some(self.main)),
            _ => Err(self.forest.place_error(issues::top_is_no_map(), self.main)),
        }
    }

    fn finish(&mut self, result: Val) -> Result<Val> {
        if self.forest.is_map(result) {
            return self.forest.clean_map(result);
        }
        match self.forest.clean(result)? {
            Some(result) => Ok(result),
            None => self.forest.map(Vec::new(), Some(self.main)),
        }
    }
}
