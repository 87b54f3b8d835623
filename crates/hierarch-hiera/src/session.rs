//! The lookups of one node, which share what is found out about its hierarchy.

use std::cell::RefCell;
use std::rc::Rc;

use hierarch_pcore::{Hash, Value};
use hierarch_source::{Error, Result};

use crate::hiera::Hiera;
use crate::host::{LookupHost, NotingHost};
use crate::issues;
use crate::key::Key;
use crate::lookup::{Budget, Context, Found, Memory, Opening, Placement, Recorder, Start, Validity, Walk};
use crate::merge::Strategy;
use crate::origin::{TracedValue, UsedOptions};
use crate::piece::Piece;
use crate::query::Query;
use crate::trace::Listener;

/// Something of a hierarchy whose keys cannot be listed.
#[derive(Clone, Debug)]
pub enum UnlistedKeys {
    /// It cannot be read.
    Broken(Error),
    /// A function makes its keys up.
    Function {
        /// The name of the level.
        level: String,
        /// The function.
        function: String,
    },
}

/// A data file of a hierarchy.
#[derive(Clone, Debug)]
pub struct DataPlace {
    /// The name of its level.
    pub level: String,
    /// The file.
    pub path: String,
    /// It is there.
    pub exists: bool,
    /// It has the key.
    pub has_key: bool,
    /// The function that reads it: `yaml_data`, `eyaml_lookup_key`, …
    pub function: String,
    /// The options of its level, such as where keys are.
    pub options: Hash,
    /// The path as declared, if a variable in it has no value for this node: no file of that level is this node's.
    pub incomplete: Option<String>,
}

/// What was found out about a node's hierarchy, shared by all sessions that are given it.
#[derive(Clone, Default)]
pub struct SessionMemory(Rc<RefCell<Memory>>);

/// The lookups of one node.
pub struct Session<'h> {
    hiera: &'h Hiera,
    host: &'h dyn LookupHost,
    memory: Rc<RefCell<Memory>>,
    context: Option<&'h Context>,
}

impl<'h> Session<'h> {
    /// Starts looking up on behalf of a host, which may remember earlier sessions.
    pub(crate) fn new(hiera: &'h Hiera, host: &'h dyn LookupHost) -> Self {
        let SessionMemory(memory) = host.remembered().unwrap_or_default();
        Self { hiera, host, memory, context: None }
    }

    /// Starts looking up for a node of which something is known already.
    pub(crate) fn at(hiera: &'h Hiera, host: &'h dyn LookupHost, placement: &Placement) -> Self {
        Self { hiera, host, memory: Rc::new(RefCell::new(Memory::at(placement))), context: None }
    }

    /// Returns what is known about the node so far.
    pub fn placement(&self) -> Placement {
        self.memory.borrow().placement()
    }

    /// Looks up on behalf of a data function: what is under way already must not be asked for again, and whoever
    /// listens to the lookup that the function was called for hears of this one.
    #[must_use]
    pub fn within(self, context: &'h Context) -> Self {
        Self { context: Some(context), ..self }
    }

    /// Fills in the tokens of a value for a data function.
    pub fn interpolate(&self, value: Value, context: &Context) -> Result<Value> {
        self.resume(context, |walk| walk.interpolate(value))
    }

    /// Goes on with the lookup that a data function was called in.
    fn resume<T>(&self, context: &Context, body: impl FnOnce(&mut Walk) -> Result<T>) -> Result<T> {
        let none = Query::default();
        let mut recorder = Recorder(context);
        let listener = context.explains().then_some(&mut recorder as &mut dyn Listener);
        let budget = Budget::new(self.hiera.settings().limits);
        let start = Start { within: Some(context), ..self.start(&none, listener, &budget) };
        body(&mut Walk::new(start).resumed(context))
    }

    /// Decrypts a value and fills in its tokens, as `eyaml_lookup_key` does for a data function.
    pub fn decrypt(&self, value: Value, options: &Hash, key: &str, context: &Context) -> Result<Value> {
        let opening = Opening { options, key };
        self.resume(context, |walk| walk.decrypted(value, &opening))
    }

    /// Returns the value that a query asks for, or its default. Nothing found is an error with the code
    /// [`NOT_FOUND`](crate::issues::NOT_FOUND).
    pub fn lookup<'a>(
        &'a self,
        query: &'a Query,
        listener: Option<&'a mut (dyn Listener + 'a)>,
    ) -> Result<Value> {
        match (self.search(query, listener)?, &query.default) {
            (Found::Value(value), _) => Ok(value),
            (Found::Missing, Some(default)) => query.checked("Default value", default.clone()),
            (Found::Missing, None) => Err(issues::not_found(&query.names)),
        }
    }

    /// Looks for the names of a query in overrides, data and default values. The default is left to the caller.
    pub fn search<'a>(
        &'a self,
        query: &'a Query,
        listener: Option<&'a mut (dyn Listener + 'a)>,
    ) -> Result<Found> {
        if let (None, Some(context)) = (&listener, self.context.filter(|context| context.explains())) {
            return self.find_shown(query, Some(&mut Recorder(context)));
        }
        match query.names.as_slice() {
            [name] if listener.is_none() && query.is_plain() && !self.is_recorded() => {
                self.find_plain(name, query)
            }
            _ if listener.is_some() => self.find_shown(query, listener),
            _ => self.find(query, None),
        }
    }

    /// Looks a query up for a listener, who is told which parts of values are secret.
    fn find_shown<'a>(
        &'a self,
        query: &'a Query,
        listener: Option<&'a mut (dyn Listener + 'a)>,
    ) -> Result<Found> {
        Ok(self.find::<TracedValue>(query, listener)?.map(|traced| traced.value()))
    }

    /// Looks a query up as those may see the value who must not see secrets.
    pub fn search_shown(&self, query: &Query) -> Result<Found> {
        let found = self.search(query, None)?;
        if !self.hiera.has_secrets() {
            return Ok(found);
        }
        let traced =
            self.walk(query, None, |walk| find_in::<TracedValue>(&mut walk.without_hidden(), query))?;
        Ok(traced.map(|traced| traced.without_secrets()))
    }

    /// Returns why a lookup failed in words that tell of no secret: those of a lookup that knows which values are secret.
    pub fn shown_failure(&self, query: &Query, failure: Error) -> Error {
        if !self.hiera.has_secrets() {
            return failure;
        }
        let traced = self.walk(query, None, |walk| find_in::<TracedValue>(&mut walk.without_hidden(), query));
        let failure = traced.err().unwrap_or(failure);
        let message = self.hiera.without_secrets(&failure.message);
        failure.with_message(message)
    }

    /// Returns the value that a query asks for, each part with its origin.
    pub fn trace(&self, query: &Query) -> Result<TracedValue> {
        self.trace_first(query).map(|(_, traced)| traced)
    }

    /// Returns the first name of a query that has a value, and its value with all origins.
    pub fn trace_first<'q>(&self, query: &'q Query) -> Result<(&'q str, TracedValue)> {
        for name in &query.names {
            let single = Query { names: vec![name.clone()], ..query.clone() };
            if let Found::Value(traced) = self.find(&single, None)? {
                return Ok((name, traced));
            }
        }
        match (query.names.first(), &query.default) {
            (Some(name), Some(default)) => Ok((name, TracedValue::of(default.clone()))),
            _ => Err(issues::not_found(&query.names)),
        }
    }

    /// Returns the entry of the lookup options that says how a key is merged and converted, if there is one.
    pub fn used_options(&self, name: &str) -> Result<Option<UsedOptions>> {
        let none = Query::default();
        let key = Key::new(name)?;
        self.walk(&none, None, |walk| walk.used_options(&key))
    }

    /// Returns the strategy that the values of a key are merged with, as the lookup options say.
    pub fn strategy(&self, name: &str) -> Result<Strategy> {
        let none = Query::default();
        let key = Key::new(name)?;
        self.walk(&none, None, |walk| walk.strategy_of(&key))
    }

    /// Reads the files of all hierarchies that this node has, those of the given modules included. Returns what has keys
    /// that are not known by it.
    pub fn read_all(&self, modules: &[String]) -> Vec<UnlistedKeys> {
        let (none, mut unlisted, mut levels) = (Query::default(), Vec::new(), 0);
        self.walk(&none, None, |walk| {
            for module in modules.iter().map(Some).chain([None]) {
                levels += walk.read_all(module.map(String::as_str), &mut unlisted);
            }
        });
        if levels == 0 && unlisted.is_empty() {
            unlisted.push(UnlistedKeys::Broken(issues::no_levels()));
        }
        unlisted
    }

    /// Returns the names of the levels that a key is looked for in, high priority first: for hints.
    pub fn level_names(&self, key: &str) -> Vec<String> {
        let none = Query::default();
        let Ok(key) = Key::new(key) else { return Vec::new() };
        self.walk(&none, None, |walk| walk.level_names(&key))
    }

    /// Lists the data files of the environment's hierarchy in which a key may stand, high priority first.
    pub fn places(&self, key: &Key) -> Result<Vec<DataPlace>> {
        let none = Query::default();
        self.walk(&none, None, |walk| walk.data_places(key))
    }

    fn is_recorded(&self) -> bool {
        !self.memory.borrow().recordings.is_empty()
    }

    pub(crate) fn hiera(&self) -> &Hiera {
        self.hiera
    }

    pub(crate) fn memory(&self) -> &RefCell<Memory> {
        &self.memory
    }

    /// Walks on behalf of a query, with a budget of its own.
    pub(crate) fn walk<'a, T>(
        &'a self,
        query: &'a Query,
        listener: Option<&'a mut (dyn Listener + 'a)>,
        body: impl FnOnce(&mut Walk) -> T,
    ) -> T {
        let budget = Budget::new(self.hiera.settings().limits);
        // Borrowed anew, for no longer than the budget is there.
        let listener: Option<&mut dyn Listener> = match listener {
            Some(listener) => Some(&mut *listener),
            None => None,
        };
        body(&mut Walk::new(self.start(query, listener, &budget)))
    }

    fn start<'a>(
        &'a self,
        query: &'a Query,
        listener: Option<&'a mut (dyn Listener + 'a)>,
        budget: &'a Budget,
    ) -> Start<'a> {
        Start {
            hiera: self.hiera,
            host: self.host,
            memory: &self.memory,
            budget,
            listener,
            overrides: &query.overrides,
            defaults: &query.default_values,
            global_only: query.global_only,
            old_call: query.old_call.as_ref(),
            within: self.context,
        }
    }

    /// Looks a name up that nothing but data and variables have a say in: the answer is kept.
    fn find_plain(&self, name: &str, query: &Query) -> Result<Found> {
        let merge = query.merge.as_ref();
        if let Some(found) = self.memory.borrow().known(name, merge, self.host) {
            return match found {
                Found::Value(value) => query.checked("Found value", value).map(Found::Value),
                Found::Missing => Ok(found),
            };
        }
        let calls = self.memory.borrow().calls();
        let (found, holds) = if self.host.is_local() {
            let noting = NotingHost::new(self.host);
            let budget = Budget::new(self.hiera.settings().limits);
            let start = Start { host: &noting, ..self.start(query, None, &budget) };
            let found = find_in(&mut Walk::new(start), query)?;
            (found, Validity::While(noting.into_reads()))
        } else {
            (self.find(query, None)?, Validity::During(self.host.version()))
        };
        let mut memory = self.memory.borrow_mut();
        if memory.calls() == calls {
            memory.remember(name, merge, holds, &found);
        }
        Ok(found)
    }

    pub(crate) fn find<'a, P: Piece>(
        &'a self,
        query: &'a Query,
        listener: Option<&'a mut (dyn Listener + 'a)>,
    ) -> Result<Found<P>> {
        self.walk(query, listener, |walk| find_in(walk, query))
    }
}

/// Looks for the names of a query in overrides, data and default values.
fn find_in<P: Piece>(walk: &mut Walk, query: &Query) -> Result<Found<P>> {
    for name in &query.names {
        if let Some(value) = query.overrides.get_str(name) {
            let subject = format!("Value found for key '{name}' in override hash");
            return query.checked(&subject, value.clone()).map(|value| Found::Value(P::of(value)));
        }
        if let Found::Value(value) = walk.search::<P>(name, query.merge.as_ref())? {
            query.checked("Found value", value.value())?;
            return Ok(Found::Value(value));
        }
    }
    for name in &query.names {
        if let Some(value) = query.default_values.get_str(name) {
            let subject = format!("Value found for key '{name}' in default values hash");
            return query.checked(&subject, value.clone()).map(|value| Found::Value(P::of(value)));
        }
    }
    Ok(Found::Missing)
}

#[cfg(test)]
mod tests {
    use hierarch_source::MemoryFiles;

    use super::*;
    use crate::host::Scope;

    const CONFIG: &str = "version: 5\nhierarchy:\n- {name: Node, path: \"%{node}.yaml\"}\n- {name: Common, path: common.yaml}\n";

    fn hiera() -> Hiera {
        Hiera::open(
            MemoryFiles::from([
                ("hiera.yaml", CONFIG),
                ("data/web.yaml", "a: web\nlist: [1]\nundefined: ~\n"),
                (
                    "data/common.yaml",
                    "a: common\nc: data\nlist: [2]\nb: '%{lookup(\"a\")}'\nloop: '%{lookup(\"loop\")}'\n",
                ),
            ]),
            "hiera.yaml",
        )
    }

    fn asked(query: &Query) -> Result<Value> {
        let mut scope = Scope::new();
        scope.set("node", "web");
        hiera().session(&scope).lookup(query, None)
    }

    fn hash(pairs: &[(&str, &str)]) -> Hash {
        pairs.iter().copied().collect()
    }

    #[test]
    fn overrides_win_over_data_and_data_over_default_values_and_these_over_the_default() {
        let all = Query {
            overrides: hash(&[("a", "override")]),
            default_values: hash(&[("a", "values"), ("x", "values")]),
            default: Some("default".into()),
            ..Query::default()
        };
        let answers = [("a", "override"), ("c", "data"), ("x", "values"), ("y", "default")];
        for (name, expected) in answers {
            let query = Query { names: vec![name.to_owned()], ..all.clone() };
            assert_eq!(asked(&query).expect(name).as_str(), Some(expected), "{name}");
        }
    }

    #[test]
    fn the_first_name_that_is_found_counts() {
        assert_eq!(asked(&Query::new(["x", "b", "a"])).expect("found").as_str(), Some("web"));
        let error = asked(&Query::new(["x", "y"])).expect_err("nothing");
        assert_eq!(error.code, issues::NOT_FOUND);
    }

    #[test]
    fn a_key_that_is_there_without_a_value_is_found() {
        assert!(
            asked(&Query { default: Some(1.into()), ..Query::new(["undefined"]) }).expect("found").is_undef()
        );
    }

    #[test]
    fn a_value_that_asks_for_itself_is_an_error() {
        let error = asked(&Query::new(["loop"])).expect_err("endless");
        assert!(error.message.contains("loop"), "{}", error.message);
    }

    #[test]
    fn a_default_must_have_the_type_that_is_wanted_as_well() {
        let query = Query {
            value_type: Some(hierarch_pcore::Type::integer()),
            default: Some("x".into()),
            ..Query::new(["x"])
        };
        let error = asked(&query).expect_err("a text");
        assert!(error.message.starts_with("Default value has wrong type"), "{}", error.message);
    }

    #[test]
    fn levels_and_locations_are_told_as_the_node_has_them() {
        let (hiera, mut scope) = (hiera(), Scope::new());
        scope.set("node", "web");
        let session = hiera.session(&scope);
        assert_eq!(session.level_names("a"), ["Node", "Common"]);
        let places = session.places(&Key::new("list").expect("a key")).expect("places");
        let told: Vec<(&str, bool, bool)> =
            places.iter().map(|place| (place.path.as_str(), place.exists, place.has_key)).collect();
        assert_eq!(told, [("data/web.yaml", true, true), ("data/common.yaml", true, true)]);
    }

    #[test]
    fn merges_are_those_of_the_question() {
        let merged = |merge: &str| {
            let query = Query { merge: Some(merge.into()), ..Query::new(["list"]) };
            asked(&query).expect(merge).to_string()
        };
        assert_eq!((merged("first").as_str(), merged("unique").as_str()), ("[1]", "[1, 2]"));
    }
}
