//! A walk through the document: every map with directives becomes what they make of it.

use hierarch_source::{Error, Result};
use hierarch_yaml::Kind;

use super::{DirectiveEffect, Expander, Expansion, Missing, OpenTarget, Step, Target};
use crate::directive::{Directive, NAME, STRATEGY};
use crate::forest::{Forest, Val};
use crate::issues;

/// Directives inside targets inside directives …: more than this is an error.
const DEEPEST: usize = 600;

/// An error names at most this many directives on the way to it.
const LONGEST_CHAIN: usize = 20;

impl Expander<'_> {
    /// Expands one value at the current path.
    pub(crate) fn walk(&mut self, val: Val) -> Result<Expansion> {
        if !self.forest.is_active(val) && self.tables.is_empty() {
            return Ok(Expansion::Value(val));
        }
        if self.depth >= DEEPEST {
            return Err(self.forest.place_error(issues::too_deep(DEEPEST), val));
        }
        self.depth += 1;
        let walked = match self.forest.kind(val) {
            Kind::Map => self.walk_scope(val, false),
            Kind::List => self.walk_list(val).map(Expansion::Value),
            _ => Ok(Expansion::Value(val)),
        };
        self.depth -= 1;
        walked
    }

    fn walk_list(&mut self, list: Val) -> Result<Val> {
        let written = self.forest.written_header(list)?;
        let skip = usize::from(written.is_some());
        let header = self.list_header(list, written)?;
        // Positions are those of the document as written, as long as targets are looked up there.
        let shift = if self.ground == self.main { 0 } else { skip };
        let mut items = Vec::with_capacity(self.forest.len(list));
        for index in skip..self.forest.len(list) {
            let item = self.forest.item(list, index);
            self.path.push(Step::Index(index - shift));
            let walked = self.walk(item);
            self.path.pop();
            let walked = walked?;
            self.note_item(list, index, walked);
            match walked {
                Expansion::Value(value) => items.push(value),
                Expansion::Splice(spliced) => items.extend(self.forest.items(spliced)),
                Expansion::Absent => {}
            }
        }
        match header {
            Some(header) => self.forest.list_under(items, list, header),
            None => self.forest.list(items, Some(list)),
        }
    }

    fn note_item(&mut self, list: Val, index: usize, walked: Expansion) {
        if self.active.is_empty()
            && let Some((doc, node)) = list.node()
            && doc == self.main.doc
        {
            let item = self.forest.tree(doc).children(node)[index];
            self.items.insert(item, walked);
        }
    }

    /// Walks a map; if it declares a table of keys, that holds for everything in it.
    pub(super) fn walk_scope(&mut self, map: Val, top: bool) -> Result<Expansion> {
        let Some(table) = self.declared_table(map)? else { return self.walk_map(map, top) };
        self.tables.push(table);
        let walked = self.walk_map(map, top);
        self.tables.pop();
        walked
    }

    fn walk_map(&mut self, map: Val, top: bool) -> Result<Expansion> {
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
                            Kind::List => Expansion::Splice(replaced),
                            _ => Expansion::Value(replaced),
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
            Expansion::Value(value) | Expansion::Splice(value) => holder.own.push((key, value)),
            Expansion::Absent => {}
        }
        Ok(())
    }

    /// Merges what the directives brought, then the own keys over it.
    fn join(&mut self, map: Val, holder: Holder, top: bool) -> Result<Expansion> {
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
        Ok(if waits { Expansion::Absent } else { Expansion::Value(result) })
    }

    /// Remembers what a holder of the main document inherits at its own place.
    fn hold(&mut self, map: Val, inherited: Option<Val>) {
        if !self.active.is_empty() {
            return;
        }
        if let Some((doc, node)) = map.node()
            && doc == self.main.doc
        {
            self.held.insert(node, DirectiveEffect { inherited });
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
        let through = self.active.iter().rev().map(|&(_, key)| key).collect();
        let missing =
            Missing { key: text(key), value: text(value), optional: directive.optional, at: key, through };
        self.missing.push(missing);
        holder.own.push((key, value));
    }

    pub(crate) fn expand_target(
        &mut self,
        directive: &Directive,
        key: Val,
        target: Val,
        entered: &OpenTarget,
    ) -> Result<Option<Val>> {
        if self.active.iter().any(|(busy, _)| (busy.doc, busy.id) == (target.doc, target.id)) {
            let key_text = self.forest.text(key).into_owned();
            let path = self.path_text();
            let error = if directive.include {
                self.include_loop(target.doc)
            } else {
                issues::cycle(&key_text, &path, &key_text)
            };
            return Err(self.forest.place_error(error, key));
        }
        self.active.push((target, key));
        let walked = self.walk(target);
        self.active.pop();
        if entered.file {
            self.including.pop();
        }
        match walked.map_err(|error| self.came_through(error, key))? {
            Expansion::Value(value) | Expansion::Splice(value) => Ok(Some(value)),
            Expansion::Absent => Ok(None),
        }
    }

    /// Adds to an error a directive on the way to it.
    pub(super) fn came_through(&self, error: Error, key: Val) -> Error {
        if error.notes.len() >= LONGEST_CHAIN {
            return error;
        }
        error.note(issues::through(&self.forest.text(key), self.forest.place(key).as_ref()))
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

fn type_name(kind: Kind) -> &'static str {
    match kind {
        Kind::List => "list",
        Kind::Map => "map",
        Kind::Scalar | Kind::Alias => "scalar",
    }
}
