//! Expansion: directives are carried out until nothing is missing any more.
//!
//! A walk goes through the document as written and looks targets up in the document as written. If some
//! were not found, the *original* is walked again, this time looking targets up in the result of the walk
//! before, and so on while that helps. So a path may lead through what other directives bring, in any order.

use std::sync::Arc;

use hierarch_source::{Files, Result};
use hierarch_yaml::{Kind, NodeId, Tree};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::directive::{Directive, NAME, STRATEGY, parse_pointer};
use crate::forest::{Forest, Val};
use crate::include::{Access, Location, Unloaded};
use crate::issues;

/// Directives inside targets inside directives …: more than this is an error.
const DEEPEST: usize = 600;

/// What a directive of the main document did, remembered for saving.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
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
pub(crate) enum Walked {
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
}

/// What a directive refers to.
pub(crate) enum Target {
    /// A value, and whether it is to be expanded.
    Found(Val, Option<Entered>),
    /// Nothing, and that is in order.
    Nothing,
    Missing,
}

/// What must be left again after a target was expanded.
pub(crate) struct Entered {
    file: bool,
}

pub(crate) struct Expander<'a> {
    pub(crate) forest: Forest,
    files: &'a dyn Files,
    access: &'a Access<'a>,
    /// The number of a document by where it came from, and the other way round.
    loaded: FxHashMap<Location, u32>,
    locations: FxHashMap<u32, Location>,
    pub(crate) anchors: FxHashMap<String, Val>,
    pub(crate) names: FxHashMap<String, (Val, Vec<Step>)>,
    pub(crate) main: Val,
    /// Where targets are looked up: the document itself, or the result of the walk before.
    pub(crate) ground: Val,
    pub(crate) path: Vec<Step>,
    missing: Vec<Missing>,
    drop_missing: bool,
    own_files: bool,
    /// Targets being expanded, to notice those that contain themselves.
    active: Vec<Val>,
    including: Vec<u32>,
    depth: usize,
    pub(crate) held: FxHashMap<NodeId, Held>,
    /// What the items of the main document's lists turned into, remembered for saving.
    pub(crate) items: FxHashMap<NodeId, Walked>,
    /// Both of the above as the document was opened.
    pub(crate) held_before: FxHashMap<NodeId, Held>,
    pub(crate) items_before: FxHashMap<NodeId, Walked>,
    /// Documents whose anchors are known in this run.
    noted: FxHashSet<u32>,
}

impl<'a> Expander<'a> {
    pub(crate) fn new(
        files: &'a dyn Files,
        access: &'a Access<'a>,
        location: Location,
        tree: &Arc<Tree>,
        traces: bool,
    ) -> Result<Self> {
        let mut forest = Forest::new(access.limits.expanded, traces);
        let doc = forest.plant(tree)?;
        let main = match forest.root(doc) {
            Some(root) if forest.is_map(root) => root,
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
            depth: 0,
            held: FxHashMap::default(),
            items: FxHashMap::default(),
            held_before: FxHashMap::default(),
            items_before: FxHashMap::default(),
            noted: FxHashSet::default(),
        };
        expander.note_anchors(doc);
        Ok(expander)
    }

    /// Starts over with another text of the main document; included documents stay loaded.
    pub(crate) fn restart(&mut self, tree: &Arc<Tree>) -> Result<()> {
        self.forest.refill();
        let location = self.locations.get(&self.main.doc).cloned();
        let doc = self.forest.plant(tree)?;
        let root = self.forest.root(doc).filter(|&root| self.forest.is_map(root));
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

    /// Expands the document.
    pub(crate) fn run(&mut self) -> Result<Val> {
        if !self.forest.is_active(self.main) {
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
        self.finish(result)
    }

    fn without_missing(&mut self, result: Val) -> Result<Val> {
        let required: Vec<&Missing> = self.missing.iter().filter(|missing| !missing.optional).collect();
        if let [first, ..] = required[..] {
            let uses: Vec<String> = required.iter().map(|m| format!("{}:{}", m.key, m.value)).collect();
            return Err(self.forest.place_error(issues::missing(&uses), first.at));
        }
        self.drop_missing = true;
        self.ground = result;
        let result = self.walk_top()?;
        self.finish(result)
    }

    fn walk_top(&mut self) -> Result<Val> {
        self.missing.clear();
        self.held.clear();
        self.items.clear();
        match self.walk_map(self.main, true)? {
            Walked::Value(result) if self.forest.is_map(result) => Ok(result),
            Walked::Absent => self.forest.map(Vec::new(), Some(self.main)),
            _ => Err(self.forest.place_error(issues::top_is_no_map(), self.main)),
        }
    }

    fn finish(&mut self, result: Val) -> Result<Val> {
        self.forest.clean_map(result)
    }

    /// Expands one value at the current path.
    pub(crate) fn walk(&mut self, val: Val) -> Result<Walked> {
        if !self.forest.is_active(val) {
            return Ok(Walked::Value(val));
        }
        if self.depth >= DEEPEST {
            return Err(self.forest.place_error(issues::too_deep(DEEPEST), val));
        }
        self.depth += 1;
        let walked = match self.forest.kind(val) {
            Kind::Map => self.walk_map(val, false),
            Kind::List => self.walk_list(val).map(Walked::Value),
            _ => Ok(Walked::Value(val)),
        };
        self.depth -= 1;
        walked
    }

    fn walk_list(&mut self, list: Val) -> Result<Val> {
        let mut items = Vec::with_capacity(self.forest.len(list));
        for index in 0..self.forest.len(list) {
            let item = self.forest.item(list, index);
            self.path.push(Step::Index(index));
            let walked = self.walk(item);
            self.path.pop();
            let walked = walked?;
            self.note_item(list, index, walked);
            match walked {
                Walked::Value(value) => items.push(value),
                Walked::Splice(spliced) => items.extend(self.forest.items(spliced)),
                Walked::Absent => {}
            }
        }
        self.forest.list(items, Some(list))
    }

    fn note_item(&mut self, list: Val, index: usize, walked: Walked) {
        if self.active.is_empty()
            && let Some((doc, node)) = list.node()
            && doc == self.main.doc
        {
            let item = self.forest.tree(doc).children(node)[index];
            self.items.insert(item, walked);
        }
    }

    fn walk_map(&mut self, map: Val, top: bool) -> Result<Walked> {
        let mut holder = Holder::default();
        let count = self.forest.len(map);
        for index in 0..count {
            let (key, value) = self.forest.entry(map, index);
            let text = self.forest.plus_key(key).map(|text| text.into_owned());
            let directive = match &text {
                Some(text) if text == NAME => {
                    holder.name = Some(self.forest.text(value).into_owned());
                    continue;
                }
                Some(text) if text == STRATEGY => {
                    self.forest.strategy(map)?;
                    holder.own.push((key, value));
                    continue;
                }
                Some(text) => Directive::parse(text).map_err(|error| self.forest.place_error(error, key))?,
                None => None,
            };
            match directive {
                None => self.walk_entry(key, value, &mut holder)?,
                Some(directive) => {
                    if let Some(replaced) = self.carry_out(&directive, key, value, count, &mut holder)? {
                        self.hold(map, Some(replaced));
                        return Ok(match self.forest.kind(replaced) {
                            Kind::List => Walked::Splice(replaced),
                            _ => Walked::Value(replaced),
                        });
                    }
                }
            }
        }
        self.join(map, holder, top)
    }

    fn walk_entry(&mut self, key: Val, value: Val, holder: &mut Holder) -> Result<()> {
        self.path.push(Step::Key(key));
        let walked = self.walk(value);
        self.path.pop();
        match walked? {
            Walked::Value(value) | Walked::Splice(value) => holder.own.push((key, value)),
            Walked::Absent => {}
        }
        Ok(())
    }

    /// Merges what the directives brought, then the own keys over it.
    fn join(&mut self, map: Val, holder: Holder, top: bool) -> Result<Walked> {
        let mut inherited = None;
        for target in holder.targets {
            inherited = Some(match inherited {
                None => target,
                Some(below) => self.forest.merge(below, target)?,
            });
        }
        let waits = holder.waits && !holder.found && holder.own.is_empty() && !top;
        let own = self.forest.map(holder.own, Some(map))?;
        let result = match inherited {
            Some(below) => self.forest.merge(below, own)?,
            None => own,
        };
        if inherited.is_some() || holder.waits || holder.found {
            self.hold(map, inherited);
        }
        if let Some(name) = holder.name {
            self.names.insert(name, (result, self.path.clone()));
        }
        Ok(if waits { Walked::Absent } else { Walked::Value(result) })
    }

    /// Remembers what a holder of the main document inherits at its own place.
    fn hold(&mut self, map: Val, inherited: Option<Val>) {
        if !self.active.is_empty() {
            return;
        }
        if let Some((doc, node)) = map.node()
            && doc == self.main.doc
        {
            self.held.insert(node, Held { inherited });
        }
    }

    /// Carries out one directive; returns the value that replaces its holder, if it is no map.
    fn carry_out(
        &mut self,
        directive: &Directive,
        key: Val,
        value: Val,
        keys: usize,
        holder: &mut Holder,
    ) -> Result<Option<Val>> {
        let located = |forest: &Forest, error| forest.place_error(error, key);
        let target = self.target(directive, key, value).map_err(|error| located(&self.forest, error))?;
        let (target, entered) = match target {
            Target::Found(target, entered) => (target, entered),
            Target::Nothing => {
                holder.found = true;
                return Ok(None);
            }
            Target::Missing => {
                self.note_missing(directive, key, value, holder);
                return Ok(None);
            }
        };
        let target = match entered {
            Some(entered) => self.expand_target(directive, key, target, &entered)?,
            None => Some(target),
        };
        // What refers to something that is not there waits with it.
        let Some(target) = target else {
            holder.waits = true;
            return Ok(None);
        };
        holder.found = true;
        let target = self.forest.through(target, key);
        if self.forest.is_map(target) {
            holder.targets.push(target);
            Ok(None)
        } else if directive.include && self.forest.is_null(target) {
            Ok(None)
        } else if keys > 1 {
            let found = type_name(self.forest.kind(target));
            Err(located(&self.forest, issues::not_a_map(&self.forest.text(key), found)))
        } else {
            Ok(Some(target))
        }
    }

    fn note_missing(&mut self, directive: &Directive, key: Val, value: Val, holder: &mut Holder) {
        holder.waits = true;
        if self.drop_missing && directive.optional {
            return;
        }
        let text = |val| match self.forest.kind(val) {
            Kind::Scalar if !self.forest.is_null(val) => self.forest.text(val).into_owned(),
            _ => String::new(),
        };
        let missing = Missing { key: text(key), value: text(value), optional: directive.optional, at: key };
        self.missing.push(missing);
        holder.own.push((key, value));
    }

    pub(crate) fn expand_target(
        &mut self,
        directive: &Directive,
        key: Val,
        target: Val,
        entered: &Entered,
    ) -> Result<Option<Val>> {
        if self.active.iter().any(|&busy| (busy.doc, busy.id) == (target.doc, target.id)) {
            let key_text = self.forest.text(key).into_owned();
            let path = self.path_text();
            let error = if directive.include {
                self.include_loop(target.doc)
            } else {
                issues::cycle(&key_text, &path, &key_text)
            };
            return Err(self.forest.place_error(error, key));
        }
        self.active.push(target);
        let walked = self.walk(target);
        self.active.pop();
        if entered.file {
            self.including.pop();
        }
        match walked? {
            Walked::Value(value) | Walked::Splice(value) => Ok(Some(value)),
            Walked::Absent => Ok(None),
        }
    }

    // ---- targets

    pub(crate) fn target(&mut self, directive: &Directive, key: Val, value: Val) -> Result<Target> {
        if directive.include {
            return self.included(directive, key, value);
        }
        let raw =
            self.forest.kind(value) == Kind::Scalar && self.forest.scalar(value).as_str() == Some("raw");
        let found = match &directive.anchor {
            Some(name) => self.anchored(name)?.and_then(|start| self.follow(start, &directive.pointer)),
            None => self.pointed(directive, key, raw)?,
        };
        Ok(match found {
            None => Target::Missing,
            Some(target) if raw => Target::Found(target, None),
            Some(target) => Target::Found(target, Some(Entered { file: false })),
        })
    }

    fn anchored(&mut self, name: &str) -> Result<Option<Val>> {
        if let Some((val, path)) = self.names.get(name) {
            if self.starts_with(path) {
                return Err(issues::cycle(name, &self.path_text(), &format!("+*{name}")));
            }
            return Ok(Some(*val));
        }
        Ok(self.anchors.get(name).copied())
    }

    fn starts_with(&self, prefix: &[Step]) -> bool {
        prefix.len() <= self.path.len()
            && prefix.iter().zip(&self.path).all(|(&a, &b)| self.step_text(a) == self.step_text(b))
    }

    fn pointed(&mut self, directive: &Directive, key: Val, raw: bool) -> Result<Option<Val>> {
        let kept = match directive.dots {
            0 => 0,
            dots => self.path.len().saturating_sub(dots - 1),
        };
        let Some(start) = self.lookup_path(&self.path[..kept]) else { return Ok(None) };
        let mut found = self.follow(start, &directive.pointer);
        if found.is_none() && self.own_files && directive.dots == 0 {
            found = self.own_part(key, &directive.pointer);
            if found.is_some() {
                return Ok(found);
            }
        }
        if let Some(target) = found
            && !raw
            && self.forest.kind(target) != Kind::Scalar
        {
            self.check_loop(kept, directive, key)?;
        }
        Ok(found)
    }

    /// The path of the target must not lead to something that contains the holder.
    fn check_loop(&self, kept: usize, directive: &Directive, key: Val) -> Result<()> {
        let length = kept + directive.pointer.len();
        let inside = length <= self.path.len()
            && directive
                .pointer
                .iter()
                .zip(&self.path[kept..])
                .all(|(segment, &step)| self.step_text(step) == *segment);
        if !inside {
            return Ok(());
        }
        let target: String = self.steps_text(&self.path[..length]);
        Err(issues::cycle(&target, &self.path_text(), &self.forest.text(key)))
    }

    /// A file that is valid alone stays valid when included: its absolute paths may mean itself.
    fn own_part(&self, key: Val, pointer: &[String]) -> Option<Val> {
        let (doc, _) = key.node().filter(|&(doc, _)| doc != self.main.doc)?;
        self.follow(self.forest.root(doc)?, pointer)
    }

    fn lookup_path(&self, path: &[Step]) -> Option<Val> {
        let mut val = self.ground;
        for &step in path {
            val = match (step, self.forest.kind(val)) {
                (Step::Key(key), Kind::Map) => self.forest.find(val, key)?,
                (Step::Index(index), Kind::List) if index < self.forest.len(val) => {
                    self.forest.item(val, index)
                }
                _ => return None,
            };
        }
        Some(val)
    }

    /// Follows a JSON pointer.
    pub(crate) fn follow(&self, start: Val, pointer: &[String]) -> Option<Val> {
        pointer.iter().try_fold(start, |val, segment| self.forest.child(val, segment))
    }

    pub(crate) fn step_text(&self, step: Step) -> String {
        match step {
            Step::Key(key) => self.forest.text(key).into_owned(),
            Step::Index(index) => index.to_string(),
        }
    }

    pub(crate) fn path_text(&self) -> String {
        self.steps_text(&self.path)
    }

    fn steps_text(&self, steps: &[Step]) -> String {
        steps.iter().fold(String::new(), |text, &step| text + "/" + &self.step_text(step))
    }

    // ---- includes

    fn included(&mut self, directive: &Directive, key: Val, value: Val) -> Result<Target> {
        let Some(request) = self.request(value)? else { return Ok(Target::Nothing) };
        let from = self.location_of(key);
        let (name, fragment) = request.file.split_once('#').unwrap_or((&request.file, ""));
        let doc = match self.document(name, &from) {
            Ok(doc) => doc,
            Err(Unloaded::Absent(_)) if directive.optional => return Ok(Target::Nothing),
            Err(Unloaded::Absent(error) | Unloaded::Failed(error)) => return Err(error),
        };
        let Some(root) = self.forest.root(doc) else { return Ok(Target::Nothing) };
        let mut part = match &directive.anchor {
            Some(name) => self.anchor_in(doc, name),
            None => Some(root),
        };
        if let Some(pointer) = fragment.strip_prefix('/') {
            let pointer = parse_pointer(pointer)?;
            part = part.and_then(|val| self.follow(val, &pointer));
        }
        part = part.and_then(|val| self.follow(val, &directive.pointer));
        let Some(part) = part else {
            if directive.optional {
                return Ok(Target::Nothing);
            }
            let reason = format!("Unresolvable JSON pointer: '{fragment}{}'", directive.pointer.join("/"));
            return Err(issues::unloadable(&request.file, &from.name(), &reason));
        };
        if request.raw {
            return Ok(Target::Found(part, None));
        }
        if self.including.contains(&doc) {
            return Err(self.include_loop(doc));
        }
        self.including.push(doc);
        Ok(Target::Found(part, Some(Entered { file: true })))
    }

    fn include_loop(&self, doc: u32) -> hierarch_source::Error {
        let name = |doc: &u32| self.locations.get(doc).map_or_else(String::new, Location::name);
        let chain: Vec<String> = self.including.iter().chain([&doc]).map(name).collect();
        issues::include_cycle(&chain)
    }

    /// Reads the value of an include key; `None` if its condition does not hold.
    fn request(&self, value: Val) -> Result<Option<Request>> {
        let forest = &self.forest;
        let text = |val: Val| match forest.kind(val) {
            Kind::Scalar => forest.scalar(val).as_str().map(str::to_owned),
            _ => None,
        };
        if let Some(file) = text(value) {
            return Ok(Some(Request { file, raw: false }));
        }
        if !forest.is_map(value) {
            return Err(issues::invalid_include(&hierarch_yaml::brief(&forest.data(value))));
        }
        if forest.find_text(value, "repository").is_some() {
            return Err(issues::include_from_repository());
        }
        let Some(file) = forest.find_text(value, "file").and_then(text) else {
            return Err(issues::include_without_file());
        };
        let raw = forest.find_text(value, "merge").and_then(text).as_deref() == Some("raw");
        let when = forest.find_text(value, "when").and_then(text);
        let wanted = when.is_none_or(|variable| self.access.is_set(&variable));
        Ok(wanted.then_some(Request { file, raw }))
    }

    fn document(&mut self, name: &str, from: &Location) -> std::result::Result<u32, Unloaded> {
        let location = self.access.locate(self.files, name, from)?;
        if let Some(&doc) = self.loaded.get(&location) {
            self.note_anchors(doc);
            return Ok(doc);
        }
        let tree = self.access.load(self.files, &location, name, from)?;
        let doc = self.forest.plant(&tree).map_err(Unloaded::Failed)?;
        self.loaded.insert(location.clone(), doc);
        self.locations.insert(doc, location);
        self.note_anchors(doc);
        Ok(doc)
    }

    /// Returns where a document came from.
    pub(crate) fn location(&self, doc: u32) -> Option<Location> {
        self.locations.get(&doc).cloned()
    }

    /// The file in which a directive stands.
    fn location_of(&self, key: Val) -> Location {
        let doc = key.node().map_or(self.main.doc, |(doc, _)| doc);
        self.locations
            .get(&doc)
            .or_else(|| self.locations.get(&self.main.doc))
            .cloned()
            .unwrap_or_else(|| unreachable!("the main document has a location"))
    }

    fn note_anchors(&mut self, doc: u32) {
        if !self.noted.insert(doc) {
            return;
        }
        let tree = Arc::clone(self.forest.tree(doc));
        for (name, node) in tree.anchors() {
            self.anchors.insert(name.to_owned(), self.forest.val(doc, node));
        }
    }

    fn anchor_in(&self, doc: u32, wanted: &str) -> Option<Val> {
        let tree = self.forest.tree(doc);
        let found = tree.anchors().filter(|&(name, _)| name == wanted).last();
        found.map(|(_, node)| self.forest.val(doc, node))
    }
}

impl Forest {
    /// Follows one segment of a JSON pointer.
    pub fn child(&self, val: Val, segment: &str) -> Option<Val> {
        match self.kind(val) {
            Kind::Map => self.find_text(val, segment),
            Kind::List => {
                let index = list_index(segment)?;
                (index < self.len(val)).then(|| self.item(val, index))
            }
            _ => None,
        }
    }
}

/// A position as RFC 6901 allows it: digits without a leading zero.
fn list_index(segment: &str) -> Option<usize> {
    let digits = !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit());
    let strict = digits && (segment == "0" || !segment.starts_with('0'));
    strict.then(|| segment.parse().ok()).flatten()
}

fn type_name(kind: Kind) -> &'static str {
    match kind {
        Kind::List => "list",
        Kind::Map => "map",
        Kind::Scalar | Kind::Alias => "scalar",
    }
}

#[derive(Default)]
struct Holder {
    own: Vec<(Val, Val)>,
    targets: Vec<Val>,
    /// A directive found its target, or is an include that may find nothing.
    found: bool,
    /// A directive did not find its target.
    waits: bool,
    name: Option<String>,
}

struct Request {
    file: String,
    raw: bool,
}
