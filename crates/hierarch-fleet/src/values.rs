//! `values`: which nodes get which value of a key, and why.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use hierarch_eval::has_secret;
use hierarch_hiera::eyaml::HIDDEN;
use hierarch_hiera::origin::{Origin, TracedValue};
use hierarch_hiera::{Panel, Query, Session};
use hierarch_pcore::{Hash, Value};
use hierarch_site::{Environment, Node, NodeLookups};
use hierarch_source::Result;

use crate::ask::{Fleet, Ready, Surveys, UnansweredNode, mark_incomplete, open, with_sessions};
use crate::because::{Because, Variables, in_order};
use crate::equality::DistinctValues;
use crate::reason::Reason;

/// The values of a key on all nodes.
#[derive(Clone, Debug)]
pub struct Values {
    /// The key.
    pub key: String,
    /// How many nodes there are.
    pub asked: usize,
    /// The values, that of most nodes first.
    pub groups: Vec<ValueGroup>,
    /// The nodes that have no value.
    pub missing: Vec<String>,
    /// The nodes that could not be asked.
    pub unanswered: Vec<UnansweredNode>,
}

/// Nodes with the same value.
#[derive(Clone, Debug)]
pub struct ValueGroup {
    /// The value, secrets hidden.
    pub value: Value,
    /// What these nodes have in common and no other node has.
    pub because: Option<Because>,
    /// The different lists of places that the value comes from.
    pub origins: Vec<Vec<Origin>>,
    /// Their names, in order.
    pub nodes: Vec<String>,
}

/// What a lookup gave.
enum LookupAnswer {
    Missing,
    Failed(Reason),
    Value { value: Value, shown: Value, origins: Vec<Origin> },
}

/// An answer, and the variables that it was found by.
struct Answer {
    told: LookupAnswer,
    reads: Vec<String>,
}

/// What one node said about each key.
struct Row {
    index: usize,
    answers: Vec<Arc<Answer>>,
    variables: HashMap<String, Option<Value>>,
}

/// What a part of the nodes said.
type PartAnswers = (Vec<Row>, Vec<(usize, UnansweredNode)>);

/// Asks all nodes for one key, which digs if it has dots.
pub fn values(fleet: &Fleet, key: &str) -> Values {
    let none = || Values {
        key: key.to_owned(),
        asked: 0,
        groups: Vec::new(),
        missing: Vec::new(),
        unanswered: Vec::new(),
    };
    values_of(fleet, &[key.to_owned()]).pop().unwrap_or_else(none)
}

/// Asks all nodes for several keys; facts are read once.
pub fn values_of(fleet: &Fleet, keys: &[String]) -> Vec<Values> {
    if keys.is_empty() {
        return Vec::new();
    }
    let asking = ValuesRun {
        fleet,
        queries: keys.iter().map(|key| Query::new([key.clone()])).collect(),
        surveys: Surveys::new(keys.len()),
        names: Mutex::default(),
    };
    let (parts, unread) = fleet.in_parts(|ready| asking.ask(&ready));
    let (mut rows, mut failed) = (Vec::new(), Vec::new());
    for (some, unanswered) in parts {
        rows.extend(some);
        failed.extend(unanswered);
    }
    rows.sort_by_key(|row| row.index);
    let mut unanswered: Vec<(usize, UnansweredNode)> = unread.into_iter().chain(failed).collect();
    unanswered.sort();
    let names: Vec<&str> = fleet.nodes.names().collect();
    let group = |(number, key): (usize, &String)| asking.grouped(key, number, &rows, &unanswered, &names);
    keys.iter().enumerate().map(group).collect()
}

/// A run over all nodes.
struct ValuesRun<'f> {
    fleet: &'f Fleet<'f>,
    queries: Vec<Query>,
    surveys: Surveys<Arc<Answer>>,
    /// The variables that lookups have read so far.
    names: Mutex<Vec<String>>,
}

impl ValuesRun<'_> {
    fn ask(&self, ready: &[Ready]) -> PartAnswers {
        let nodes = open(self.fleet.site, ready);
        let (mut rows, failed) = if self.fleet.compiles {
            self.ask_compiled(ready, &nodes)
        } else {
            (self.ask_together(ready, &nodes), Vec::new())
        };
        let names = self.learn(in_order(
            rows.iter().flat_map(|row| row.answers.iter()).map(|answer| answer.reads.clone()),
        ));
        Self::read_variables(&mut rows, ready, &nodes, &names);
        (rows, failed)
    }

    fn ask_together(&self, ready: &[Ready], nodes: &[Node]) -> Vec<Row> {
        let Some(environment) = nodes.first().map(Node::environment) else { return Vec::new() };
        let surveys = self.surveys.of(environment);
        let mut answers: Vec<Vec<Arc<Answer>>> = vec![Vec::new(); nodes.len()];
        with_sessions(nodes, |sessions| {
            let panel = Panel::new(sessions);
            for (query, survey) in self.queries.iter().zip(surveys.iter()) {
                let find = |session: &Session| Arc::new(self.answer(environment, session, query));
                survey.ask_all(&panel, find, |number, answer| answers[number].push(Arc::clone(answer)));
            }
        });
        let row =
            |(ready, answers): (&Ready, _)| Row { index: ready.index, answers, variables: HashMap::new() };
        ready.iter().zip(answers).map(row).collect()
    }

    /// Asks each node after its catalog was compiled.
    fn ask_compiled(&self, ready: &[Ready], nodes: &[Node]) -> PartAnswers {
        let (mut rows, mut failed) = (Vec::new(), Vec::new());
        for (ready, node) in ready.iter().zip(nodes) {
            match self.compiled(node) {
                Ok(answers) => rows.push(Row { index: ready.index, answers, variables: HashMap::new() }),
                Err(error) => {
                    let reason = Reason::of_compilation(node, &error);
                    failed.push((ready.index, UnansweredNode { node: ready.name.clone(), reason }));
                }
            }
        }
        (rows, failed)
    }

    fn compiled(&self, node: &Node) -> Result<Vec<Arc<Answer>>> {
        let environment = node.environment();
        let manifests = environment.manifests()?;
        let mut compilation = node.compile_from(&manifests);
        if let Err(error) = &compilation.catalog {
            return Err(error.clone());
        }
        let ask = |lookups: &NodeLookups| {
            let one = |query: &Query| Arc::new(self.answer(environment, lookups.session(), query));
            self.queries.iter().map(one).collect()
        };
        Ok(compilation.asking(ask).0)
    }

    fn answer(&self, environment: &Environment, session: &Session, query: &Query) -> Answer {
        let told = match session.trace(query) {
            Ok(traced) if self.hides_all(environment, session, query, &traced) => {
                let (value, shown) = (traced.plain().clone(), Value::from(HIDDEN));
                LookupAnswer::Value { value, shown, origins: Vec::new() }
            }
            Ok(traced) => LookupAnswer::Value {
                value: traced.plain().clone(),
                shown: environment.shown(&traced),
                origins: traced.origins().into_iter().cloned().collect(),
            },
            Err(error) if error.code == hierarch_hiera::issues::NOT_FOUND => LookupAnswer::Missing,
            Err(error) => LookupAnswer::Failed(Reason::of(environment, &error)),
        };
        Answer { told, reads: session.variables_read(query) }
    }

    /// Where it must not be told whether secrets are equal, nothing is told of lists that a merge compared with one, nor from where its
    /// items come.
    fn hides_all(
        &self,
        environment: &Environment,
        session: &Session,
        query: &Query,
        traced: &TracedValue,
    ) -> bool {
        let is_merged = || {
            let name = query.names.first().map_or("", String::as_str);
            session.strategy(name).is_ok_and(|strategy| strategy.shown_name() != "first")
        };
        !self.fleet.tells_equal_secrets
            && !environment.may_show_secrets()
            && traced.compares_secrets()
            && is_merged()
    }

    /// Adds to the variables that are known to be read, and returns all of them.
    fn learn(&self, new: Vec<String>) -> Vec<String> {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        for name in new {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.clone()
    }

    fn read_variables(rows: &mut [Row], ready: &[Ready], nodes: &[Node], names: &[String]) {
        with_sessions(nodes, |sessions| {
            for row in rows {
                let Some(number) = ready.iter().position(|ready| ready.index == row.index) else { continue };
                let read = |name: &String| (name.clone(), sessions[number].variable_value(name));
                row.variables = names.iter().map(read).collect();
            }
        });
    }

    /// Makes the table of what variables the lookups of a key read. A variable that another part of the nodes learnt of
    /// later is read now.
    fn variables(&self, number: usize, rows: &[Row]) -> Variables {
        let names = in_order(rows.iter().filter_map(|row| Some(row.answers.get(number)?.reads.clone())));
        let mut table = Variables::new(names.clone(), self.fleet.nodes.len());
        for row in rows {
            let is_known = names.iter().all(|name| row.variables.contains_key(name));
            let values = if is_known {
                names.iter().map(|name| row.variables.get(name).cloned().flatten()).collect()
            } else {
                self.read_again(row.index, &names)
            };
            table.put(row.index, values);
        }
        table
    }

    fn read_again(&self, index: usize, names: &[String]) -> Vec<Option<Value>> {
        let found = self.fleet.nodes.at(index).and_then(|(name, known)| {
            let facts = self.fleet.nodes.facts(name, known).ok()?;
            Some(self.fleet.site.node_with(name, facts))
        });
        let Some(node) = found else { return vec![None; names.len()] };
        with_sessions(&[node], |sessions| Variables::read(names, &sessions[0]))
    }

    /// Returns what two nodes of one group have in common. A secret and a text in clear are never the same, so that what is shown of
    /// one node tells nothing about another.
    fn sameness(&self, value: &Value, shown: &Value, origins: &[Origin]) -> Value {
        if self.fleet.tells_equal_secrets || !has_secret(value, shown) {
            return Value::array(vec![value.clone(), shown.clone()]);
        }
        let place = |origin: &Origin| Value::from(origin.to_string());
        Value::array([shown.clone()].into_iter().chain(origins.iter().map(place)).collect())
    }

    fn grouped(
        &self,
        key: &str,
        number: usize,
        rows: &[Row],
        unanswered: &[(usize, UnansweredNode)],
        names: &[&str],
    ) -> Values {
        let name = |index: usize| names.get(index).copied().unwrap_or_default().to_owned();
        let mut distinct: DistinctValues<GroupNodes> = DistinctValues::new();
        let (mut missing, mut failed) = (Vec::new(), unanswered.to_vec());
        for row in rows {
            match row.answers.get(number).map(|answer| &answer.told) {
                None | Some(LookupAnswer::Missing) => missing.push(name(row.index)),
                Some(LookupAnswer::Failed(reason)) => {
                    let (node, reason) = (name(row.index), reason.clone());
                    failed.push((row.index, UnansweredNode { node, reason }));
                }
                Some(LookupAnswer::Value { value, shown, origins }) => {
                    let same = self.sameness(value, shown, origins);
                    distinct.of(&same).add(row.index, shown, origins);
                }
            }
        }
        failed.sort();
        let variables = if distinct.list.len() > 1 || !missing.is_empty() {
            self.variables(number, rows)
        } else {
            Variables::default()
        };
        let group = |(_, gathered): (Value, GroupNodes)| ValueGroup {
            because: variables.because(&gathered.nodes),
            value: gathered.shown,
            origins: gathered.origins,
            nodes: gathered.nodes.iter().map(|index| name(*index)).collect(),
        };
        let mut groups: Vec<ValueGroup> = distinct.list.into_iter().map(group).collect();
        groups.sort_by_cached_key(|group| (std::cmp::Reverse(group.nodes.len()), group.value.to_json()));
        let unanswered = failed.into_iter().map(|(_, unanswered)| unanswered).collect();
        Values { key: key.to_owned(), asked: self.fleet.nodes.len(), groups, missing, unanswered }
    }
}

/// What belongs to one value.
#[derive(Default)]
struct GroupNodes {
    shown: Value,
    origins: Vec<Vec<Origin>>,
    nodes: Vec<usize>,
}

impl GroupNodes {
    fn add(&mut self, node: usize, shown: &Value, origins: &[Origin]) {
        if self.nodes.is_empty() {
            self.shown = shown.clone();
        }
        if !self.origins.iter().any(|known| known == origins) {
            self.origins.push(origins.to_vec());
        }
        self.nodes.push(node);
    }
}

impl Values {
    /// Tells whether some node has a value.
    pub fn has_some(&self) -> bool {
        !self.groups.is_empty()
    }

    /// Returns the answer for tools. Files are named relative to a folder.
    pub fn to_value(&self, folder: &str) -> Value {
        let groups = self.groups.iter().map(|group| group.to_value(folder)).collect();
        let unanswered = self.unanswered.iter().map(UnansweredNode::to_value).collect();
        let missing = [("count", Value::from(self.missing.len())), ("nodes", names_value(&self.missing))];
        let fields = [
            ("format", Value::from("hierarch.values/1")),
            ("key", Value::from(self.key.as_str())),
            ("asked", Value::from(self.asked)),
            ("groups", Value::array(groups)),
            ("missing", Value::hash(missing.into_iter().collect())),
            ("unanswered", Value::array(unanswered)),
        ];
        mark_incomplete(fields.into_iter().collect(), &self.unanswered)
    }
}

impl ValueGroup {
    fn to_value(&self, folder: &str) -> Value {
        let list = |origins: &Vec<Origin>| {
            Value::array(origins.iter().map(|origin| place_value(origin, folder)).collect())
        };
        let fields = [
            ("value", self.value.clone()),
            ("count", Value::from(self.nodes.len())),
            ("because", because_value(self.because.as_ref())),
            ("origins", Value::array(self.origins.iter().map(list).collect())),
            ("nodes", names_value(&self.nodes)),
        ];
        Value::hash(fields.into_iter().collect())
    }
}

/// Returns reasons for tools: null where there is nothing exact to say.
pub(crate) fn because_value(because: Option<&Because>) -> Value {
    let hash = |because: &Because| {
        let pairs = because.iter().map(|(name, value)| (Value::from(name.as_str()), value.clone()));
        Value::hash(pairs.collect::<Hash>())
    };
    because.map_or(Value::Undef, hash)
}

/// Returns names for tools.
pub(crate) fn names_value(names: &[String]) -> Value {
    Value::array(names.iter().map(|name| Value::from(name.as_str())).collect())
}

/// Returns a place for tools, its file relative to a folder.
pub(crate) fn place_value(origin: &Origin, folder: &str) -> Value {
    let number = |number: Option<u32>| number.map_or(Value::Undef, |number| Value::from(i64::from(number)));
    let fields = [
        ("file", Value::from(relative(&origin.file, folder))),
        ("line", number(origin.line)),
        ("column", number(origin.column)),
    ];
    Value::hash(fields.into_iter().collect())
}

/// Names a file relative to a folder, if it lies in it.
pub(crate) fn relative<'p>(path: &'p str, folder: &str) -> &'p str {
    let below = path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/'));
    below.filter(|_| !folder.is_empty()).unwrap_or(path)
}

impl UnansweredNode {
    /// Returns it for tools.
    pub fn to_value(&self) -> Value {
        let fields = [("node", self.node.as_str()), ("message", self.reason.words.as_str())];
        Value::hash(fields.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use hierarch_site::{NodeFacts, Site};
    use hierarch_source::MemoryFiles;

    use super::*;
    use crate::NodeSet;

    #[test]
    fn a_stopped_answer_names_the_nodes_that_were_not_asked() {
        let files = MemoryFiles::from([("hiera.yaml", "version: 5\n"), ("data/common.yaml", "a: 1\n")]);
        let site = Site::on(files).build();
        let mut nodes = NodeSet::of((0..6400).map(|number: i64| {
            let facts = [("n", number)].into_iter().collect::<Hash>();
            (format!("n{number:04}"), NodeFacts::from(facts))
        }));
        let stop = Arc::new(AtomicBool::new(false));
        nodes.until(Arc::clone(&stop));
        let set = |_: usize, _: usize| stop.store(true, Ordering::Relaxed);
        let fleet = Fleet { progress: Some(&set), ..Fleet::new(&site, &nodes) };
        let answer = values(&fleet, "a");
        let asked = answer.groups.first().map_or(0, |group| group.nodes.len());
        assert!(asked > 0 && asked + answer.unanswered.len() == 6400, "{asked}");
        assert!(crate::is_incomplete(&answer.unanswered));
        let value = answer.to_value("");
        let marked = value.as_hash().and_then(|fields| fields.get_str("incomplete").cloned());
        assert_eq!(marked, Some(Value::from(true)));
        nodes.until(Arc::default());
        let whole = values(&Fleet::new(&site, &nodes), "a");
        assert_eq!((whole.groups[0].nodes.len(), whole.unanswered.len()), (6400, 0));
    }
}
