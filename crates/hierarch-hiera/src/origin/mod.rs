//! Values that know where each part of them came from, what it hides, and what was removed.

mod layered;
mod piece;
mod read;
pub mod view;

use std::collections::HashSet;
use std::sync::Arc;

use foldhash::fast::RandomState;
use hierarch_pcore::{Str, Value};
use indexmap::IndexMap;

use crate::document::Document;
use crate::eyaml::HIDDEN;
use crate::locate::Location;
use crate::marks::{Mark, MarkedPlace};

/// A place in a data file. Lines and columns count from 1.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Origin {
    /// The file; empty for what a function made up of nothing.
    pub file: Str,
    /// The function that made the value up.
    pub function: Option<Str>,
    /// The line; none for what a function made up.
    pub line: Option<u32>,
    /// The column.
    pub column: Option<u32>,
    /// The bytes of the file that the value is written in: to put other text there changes the value.
    pub range: Option<(u32, u32)>,
}

/// A token that was filled in.
#[derive(Clone, Debug)]
pub struct FilledToken {
    /// What stands between the braces.
    pub expression: String,
    /// What it stands for.
    pub value: Value,
    /// The same for those who must not see what is secret in it.
    pub shown: Value,
    /// Something in it is secret.
    pub is_secret: bool,
    /// Where that comes from, if it is not a variable.
    pub origins: Vec<Arc<Origin>>,
}

impl FilledToken {
    /// Makes the value secret.
    #[must_use]
    pub(crate) fn hidden(self) -> Self {
        Self { shown: Value::from(HIDDEN), is_secret: true, ..self }
    }
}

/// The entry of `lookup_options` that says how a key is merged and converted.
#[derive(Clone, Debug)]
pub struct UsedOptions {
    /// The key or pattern of the entry.
    pub name: String,
    /// What it says.
    pub options: Value,
    /// Where it stands.
    pub origin: Option<Arc<Origin>>,
}

/// A value whose every part knows its origin. It clones for next to nothing, and so do its parts.
///
/// A part that has an origin has only parts that have one: what gives them out stops there.
#[derive(Clone, Debug)]
pub struct TracedValue {
    value: Value,
    parts: Parts,
    origin: Option<Arc<Origin>>,
    notes: Option<Box<Notes>>,
    /// Nobody but its owner may see it.
    is_secret: bool,
    /// Nobody but its owner may see something in it.
    has_secrets: bool,
}

/// What happened to a part on its way, which is nothing to most.
#[derive(Clone, Debug, Default)]
struct Notes {
    hides: Vec<Other>,
    removed: Vec<(Other, Option<Arc<Origin>>)>,
    filled: Vec<FilledToken>,
}

/// A value that did not make it.
#[derive(Clone, Debug)]
pub struct Other {
    /// The value.
    pub value: Value,
    /// The same for those who must not see what is secret in it.
    pub shown: Value,
    /// Where it stands.
    pub origin: Option<Arc<Origin>>,
}

impl Other {
    fn is_secret(&self) -> bool {
        self.shown != self.value
    }
}

impl Notes {
    /// Makes everything secret that is noted.
    fn hide(&mut self) {
        let removed = self.removed.iter_mut().map(|(other, _)| other);
        self.hides.iter_mut().chain(removed).for_each(|other| other.shown = Value::from(HIDDEN));
        for token in &mut self.filled {
            (token.shown, token.is_secret) = (Value::from(HIDDEN), true);
        }
    }
}

#[derive(Clone, Debug)]
enum Parts {
    None,
    List(Arc<Vec<TracedValue>>),
    Map(Arc<TracedMap>),
}

impl Parts {
    fn has_secrets(&self) -> bool {
        match self {
            Self::None => false,
            Self::List(items) => items.iter().any(|item| item.has_secrets),
            Self::Map(map) => map.0.values().any(|part| part.has_secrets),
        }
    }

    /// Changes each in place, with its key or position.
    fn change(&mut self, mut change: impl FnMut(&Value, &mut TracedValue)) {
        #[cfg(test)]
        tests::count_work(self);
        match self {
            Self::None => {}
            Self::List(items) => {
                let items = Arc::make_mut(items).iter_mut().enumerate();
                items.for_each(|(index, item)| change(&Value::from(index), item));
            }
            Self::Map(map) => {
                Arc::make_mut(map).0.iter_mut().for_each(|(key, part)| change(key, part));
            }
        }
    }
}

/// The entries of a hash.
#[derive(Clone, Debug, Default)]
pub(crate) struct TracedMap(IndexMap<Value, TracedValue, RandomState>);

/// One leaf of a value.
#[derive(Debug)]
pub struct Leaf<'t> {
    /// The keys and positions that lead to it.
    pub path: Vec<Value>,
    /// Its value.
    pub value: &'t Value,
    /// The same for those who must not see what is secret.
    pub shown: Value,
    /// Where it stands.
    pub origin: Option<&'t Origin>,
    /// What it hides.
    pub hides: &'t [Other],
    /// What its tokens were filled in with.
    pub filled: &'t [FilledToken],
}

/// A collection that hides something as a whole.
#[derive(Debug)]
pub struct HidingCollection<'t> {
    /// What leads to it.
    pub path: Vec<Value>,
    /// What it hides.
    pub hides: &'t [Other],
    /// The alias, if it stands for something else.
    pub filled: &'t [FilledToken],
}

/// Something that a knockout removed.
#[derive(Debug)]
pub struct Removal<'t> {
    /// What leads to where it was.
    pub path: Vec<Value>,
    /// What was removed.
    pub what: &'t Other,
    /// Where the knockout stands.
    pub by: Option<&'t Origin>,
}

impl TracedValue {
    /// Returns the value alone.
    pub fn plain(&self) -> &Value {
        &self.value
    }

    /// Returns the leaves in order; an empty collection is a leaf.
    pub fn leaves(&self) -> Vec<Leaf<'_>> {
        let mut leaves = Vec::new();
        self.walk(&mut Vec::new(), &mut |path, part| {
            if part.is_leaf() {
                leaves.push(Leaf {
                    path: path.to_vec(),
                    value: &part.value,
                    shown: part.without_secrets(),
                    origin: part.origin.as_deref(),
                    hides: part.hides(),
                    filled: part.filled(),
                });
            }
        });
        leaves
    }

    /// Returns the collections that hide something as a whole, or that an alias stands for.
    pub fn collections(&self) -> Vec<HidingCollection<'_>> {
        let mut found = Vec::new();
        self.walk(&mut Vec::new(), &mut |path, part| {
            if !part.is_leaf() && part.notes.is_some() {
                found.push(HidingCollection {
                    path: path.to_vec(),
                    hides: part.hides(),
                    filled: part.filled(),
                });
            }
        });
        found.retain(|hiding| !hiding.hides.is_empty() || !hiding.filled.is_empty());
        found
    }

    /// Returns the part at a key.
    pub(crate) fn part(&self, key: &Value) -> Option<&Self> {
        match &self.parts {
            Parts::Map(map) => map.0.get(key),
            _ => None,
        }
    }

    /// Returns where it stands.
    pub fn origin(&self) -> Option<&Arc<Origin>> {
        self.origin.as_ref()
    }

    fn hides(&self) -> &[Other] {
        self.notes.as_ref().map_or(&[], |notes| &notes.hides)
    }

    fn filled(&self) -> &[FilledToken] {
        self.notes.as_ref().map_or(&[], |notes| &notes.filled)
    }

    fn notes(&mut self) -> &mut Notes {
        self.notes.get_or_insert_default()
    }

    fn made(value: Value, parts: Parts) -> Self {
        #[cfg(test)]
        tests::count_work(&parts);
        let has_secrets = parts.has_secrets();
        Self { value, parts, origin: None, notes: None, is_secret: false, has_secrets }
    }

    /// Returns the value for those who must not see what is secret in it.
    pub fn without_secrets(&self) -> Value {
        match &self.parts {
            _ if self.is_secret => Value::from(HIDDEN),
            _ if !self.has_secrets => self.value.clone(),
            Parts::None => self.value.clone(),
            Parts::List(items) => Value::array(items.iter().map(Self::without_secrets).collect()),
            Parts::Map(map) => {
                Value::hash(map.0.iter().map(|(key, part)| (key.clone(), part.without_secrets())).collect())
            }
        }
    }

    /// Tells whether there is a list in it in which a merge may have compared a secret with something else: how many items are left, and
    /// which, tells whether a guess is the secret.
    pub fn compares_secrets(&self) -> bool {
        match &self.parts {
            _ if self.is_secret => false,
            Parts::None => false,
            Parts::List(items) => {
                let has_met_one = self.has_lost_a_secret() || items.iter().any(Self::has_met_a_secret);
                has_met_one && !items.iter().all(|item| item.is_secret)
                    || items.iter().any(Self::compares_secrets)
            }
            Parts::Map(map) => map.0.values().any(Self::compares_secrets),
        }
    }

    fn has_met_a_secret(&self) -> bool {
        self.has_secrets || self.hides().iter().any(Other::is_secret)
    }

    /// Tells whether a knockout took a secret out of it.
    fn has_lost_a_secret(&self) -> bool {
        self.notes.as_ref().is_some_and(|notes| notes.removed.iter().any(|(other, _)| other.is_secret()))
    }

    fn mark_secret(&mut self) {
        // What is secret as a whole is so in all its parts.
        if !self.is_secret {
            (self.is_secret, self.has_secrets) = (true, true);
            self.parts.change(|_, part| part.mark_secret());
        }
    }

    /// Gives what a conversion made the places of what it was made of, part by part as far as they are the same.
    fn placed_like(mut self, from: &Self) -> Self {
        self.place_like(from);
        self
    }

    fn place_like(&mut self, from: &Self) {
        let like = |part: &mut Self, other: Option<&Self>| part.place_like(other.unwrap_or(from));
        match (&mut self.parts, &from.parts) {
            (Parts::List(items), Parts::List(others)) => {
                let items = Arc::make_mut(items).iter_mut().enumerate();
                items.for_each(|(index, item)| like(item, others.get(index)));
            }
            (Parts::Map(map), Parts::Map(others)) => {
                let entries = Arc::make_mut(map).0.iter_mut();
                entries.for_each(|(key, part)| like(part, others.0.get(key)));
            }
            (parts, _) => parts.change(|_, part| like(part, None)),
        }
        self.origin = from.origin.clone().or_else(|| from.first_origin());
    }

    /// Returns the files, lines and columns of the leaves, each once.
    pub fn origins(&self) -> Vec<&Origin> {
        self.leaf_origins().into_iter().map(|origin| &**origin).collect()
    }

    fn shared_origins(&self) -> Vec<Arc<Origin>> {
        self.leaf_origins().into_iter().cloned().collect()
    }

    fn leaf_origins(&self) -> Vec<&Arc<Origin>> {
        let (mut origins, mut known) = (Vec::new(), HashSet::new());
        self.walk(&mut Vec::new(), &mut |_, part| {
            let own = part.origin.as_ref().filter(|_| part.is_leaf());
            origins.extend(own.filter(|origin| known.insert(*origin)));
        });
        origins
    }

    /// Returns what knockouts removed.
    pub fn removals(&self) -> Vec<Removal<'_>> {
        let mut removals = Vec::new();
        self.walk(&mut Vec::new(), &mut |path, part| {
            let removed = part.notes.iter().flat_map(|notes| &notes.removed);
            removals.extend(removed.map(|(what, by)| Removal {
                path: path.to_vec(),
                what,
                by: by.as_deref(),
            }));
        });
        removals
    }

    /// What is secret as a whole has no visible parts: its keys may be what is secret.
    fn is_leaf(&self) -> bool {
        match &self.parts {
            _ if self.is_secret => true,
            Parts::None => true,
            Parts::List(items) => items.is_empty(),
            Parts::Map(map) => map.0.is_empty(),
        }
    }

    fn walk<'t>(&'t self, path: &mut Vec<Value>, visit: &mut dyn FnMut(&[Value], &'t TracedValue)) {
        visit(path, self);
        let mut inner =
            |key: Value, part: &'t TracedValue, visit: &mut dyn FnMut(&[Value], &'t TracedValue)| {
                path.push(key);
                part.walk(path, visit);
                path.pop();
            };
        match &self.parts {
            _ if self.is_secret => {}
            Parts::None => {}
            Parts::List(items) => {
                items.iter().enumerate().for_each(|(index, item)| inner(Value::from(index), item, visit));
            }
            Parts::Map(map) => map.0.iter().for_each(|(key, part)| inner(key.clone(), part, visit)),
        }
    }

    fn other(&self) -> Other {
        let origin = self.origin.clone().or_else(|| self.first_origin());
        Other { value: self.value.clone(), shown: self.without_secrets(), origin }
    }

    fn first_origin(&self) -> Option<Arc<Origin>> {
        let part = match &self.parts {
            Parts::None => None,
            Parts::List(items) => items.first(),
            Parts::Map(map) => map.0.values().next(),
        }?;
        part.origin.clone().or_else(|| part.first_origin())
    }

    /// Gives the parts that have no origin theirs, by the marks of the text they were read from.
    fn mark(&mut self, document: &Document, place: MarkedPlace, file: &Arc<Origin>) {
        if self.origin.is_none() {
            let own = place.mark.map(|mark| Arc::new(origin_at(document, &file.file, mark)));
            self.origin = own.or_else(|| Some(Arc::clone(file)));
            self.parts.change(|key, part| part.mark(document, place.below(key), file));
        }
    }

    /// Says where it stands as a whole.
    #[cfg(test)]
    pub(crate) fn standing_at(self, origin: Origin) -> Self {
        Self { origin: Some(Arc::new(origin)), ..self }
    }

    /// Gives all parts that have no origin this one.
    fn standing(mut self, origin: &Arc<Origin>) -> Self {
        self.stand(origin);
        self
    }

    fn stand(&mut self, origin: &Arc<Origin>) {
        if self.origin.is_none() {
            self.origin = Some(Arc::clone(origin));
            self.parts.change(|_, part| part.stand(origin));
        }
    }
}

fn whole_file(at: Option<&Location>, function: Option<&Str>) -> Arc<Origin> {
    let file = at.map_or_else(Str::new, |at| at.text.clone());
    Arc::new(Origin { file, function: function.cloned(), line: None, column: None, range: None })
}

fn origin_at(document: &Document, file: &Str, mark: &Mark) -> Origin {
    let included = mark.source.as_ref();
    let position = included.or(document.source()).map(|source| source.position(mark.start));
    Origin {
        file: included.and_then(|source| source.name()).map_or_else(|| file.clone(), Str::from),
        function: None,
        line: position.as_ref().map(|position| position.line),
        column: position.as_ref().map(|position| position.column),
        range: Some((mark.start, mark.end)),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use hierarch_source::MemoryFiles;

    use super::{Parts, TracedValue};
    use crate::{Hiera, Query, Scope};

    thread_local! {
        static WORK: Cell<usize> = const { Cell::new(0) };
    }

    /// Counts the parts that something is done with.
    pub(super) fn count_work(parts: &Parts) {
        let count = match parts {
            Parts::None => 0,
            Parts::List(items) => items.len(),
            Parts::Map(map) => map.0.len(),
        };
        WORK.set(WORK.get() + 1 + count);
    }

    /// Looks `k` up in two files, merged deeply.
    fn traced(files: [&str; 2], texts: [&str; 2]) -> TracedValue {
        let levels = files.map(|file| {
            let function = if file.ends_with(".json") { "json_data" } else { "yaml_data" };
            format!("- {{name: {file}, path: {file}, data_hash: {function}}}\n")
        });
        let config = format!("version: 5\nhierarchy:\n{}", levels.concat());
        let paths = files.map(|file| format!("data/{file}"));
        let files = MemoryFiles::from([
            ("hiera.yaml", config.as_str()),
            (paths[0].as_str(), texts[0]),
            (paths[1].as_str(), texts[1]),
        ]);
        let merge =
            [("strategy", "deep"), ("knockout_prefix", "--")].into_iter().collect::<hierarch_pcore::Hash>();
        let query = Query { merge: Some(merge.into()), ..Query::new(["k".to_owned()]) };
        Hiera::open(files, "hiera.yaml").session(&Scope::new()).trace(&query).expect("found")
    }

    /// Tells where the leaves of `k` come from.
    fn check(high: &str, low: &str, expected: &str) {
        let traced = traced(["h.yaml", "l.yaml"], [high, low]);
        let view = super::view::View {
            key: "k",
            traced: &traced,
            options: None,
            shows_secrets: false,
            folder: "",
            is_coloured: false,
        };
        assert_eq!(view.text(), expected);
    }

    #[test]
    fn each_leaf_stands_where_it_was_written() {
        check(
            "k: {a: 1, b: [x]}",
            "k:\n  a: 2\n  b: [y]\n",
            "k.a = 1\n    data/h.yaml:1:8\n    hides 2 data/l.yaml:2:6\nk.b.0 = \"y\"\n    data/l.yaml:3:7\nk.b.1 = \"x\"\n    data/h.yaml:1:15\n",
        );
    }

    #[test]
    fn a_knockout_says_what_it_removed_and_where() {
        check(
            "k: [--y]",
            "k: [y, z]",
            "k.0 = \"z\"\n    data/l.yaml:1:8\nk lost \"y\"\n    data/l.yaml:1:5\n    removed by data/h.yaml:1:5\n",
        );
    }

    #[test]
    fn an_alias_leads_to_the_value_it_stands_for() {
        check(
            "k: \"%{alias('o')}\"",
            "o: [1]",
            "k.0 = 1\n    data/l.yaml:1:5\nk\n    %{alias('o')} = [1] data/l.yaml:1:5\n",
        );
    }

    /// Returns the work for a value of so many levels that a second file has as well.
    fn work(files: [&str; 2], levels: usize) -> usize {
        let nested =
            |inner: &str| format!("{{\"k\": {}{inner}{}}}", "{\"a\": ".repeat(levels), "}".repeat(levels));
        WORK.set(0);
        let traced = traced(files, [&nested("[1, \"%{literal('x')}\"]"), &nested("[3]")]);
        assert_eq!(traced.leaves().len(), 3);
        WORK.get()
    }

    #[test]
    fn the_work_grows_with_the_depth_and_no_faster() {
        for files in [["h.yaml", "l.yaml"], ["h.json", "l.json"]] {
            let [few, some, many] = [20, 40, 80].map(|levels| work(files, levels));
            assert_eq!(many - some, 2 * (some - few), "{files:?}: {few}, {some}, {many}");
        }
    }

    #[test]
    fn a_clone_shares_its_parts() {
        let traced = traced(["h.yaml", "l.yaml"], ["k: {a: {b: 1}}", "k: {c: 1}"]);
        let (Parts::Map(own), Parts::Map(other)) = (&traced.parts, &traced.clone().parts) else {
            panic!("a hash")
        };
        assert!(std::sync::Arc::ptr_eq(own, other));
    }
}
