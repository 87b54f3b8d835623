//! All answers of many nodes to many keys, as a table: what SQL and Parquet are made of.
//!
//! An answer is made text once, whoever gives it: nodes for which a lookup depends on the same things share it.

use std::collections::BTreeSet;
use std::sync::Arc;

use hierarch_hiera::origin::{Origin, TracedValue};
use hierarch_hiera::{Panel, Query, Session, UnlistedKeys};
use hierarch_pcore::{Hash, Value, infer};
use hierarch_site::{Environment, Node, NodeLookups};
use hierarch_source::Result;

use crate::ask::{Fleet, Ready, Surveys, UnansweredNode, open, whole, with_sessions};
use crate::reason::Reason;

/// What nodes answer to keys.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The keys, in order.
    pub keys: Vec<String>,
    /// The nodes that were asked, in order.
    pub nodes: Vec<TableNode>,
    /// The nodes and keys that could not be asked.
    pub unanswered: Vec<UnansweredNode>,
    /// By node, then by key; nothing where a node has no value.
    entries: Vec<Vec<Option<Arc<Entry>>>>,
}

/// A node of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableNode {
    /// Its name.
    pub name: String,
    /// The environment that it was asked in.
    pub environment: String,
}

/// A value with all that a row says of it. Secrets are hidden unless the site may show them.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// The value, as JSON.
    pub json: String,
    /// The name of its type.
    pub kind: String,
    /// How the levels were merged.
    pub strategy: String,
    /// Where its first leaf stands.
    pub place: Place,
    /// Its leaves, in order.
    pub leaves: Vec<EntryLeaf>,
}

/// A leaf of a value.
#[derive(Clone, PartialEq, Debug)]
pub struct EntryLeaf {
    /// What leads to it, joined by dots.
    pub path: String,
    /// Its value, as JSON.
    pub json: String,
    /// Where it stands.
    pub place: Place,
}

/// A place in a data file; nothing for what no file says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// The file, relative to the environment's folder where it lies in it.
    pub file: Option<String>,
    /// The line.
    pub line: Option<u32>,
    /// The column.
    pub column: Option<u32>,
}

/// What a lookup gave; nothing where there is no value.
type TableAnswer = std::result::Result<Option<Arc<Entry>>, Reason>;

impl Table {
    /// Returns what a node answers to a key, both by their numbers.
    pub fn entry(&self, node: usize, key: usize) -> Option<&Arc<Entry>> {
        self.entries.get(node)?.get(key)?.as_ref()
    }

    /// Returns what a node answers to a key, by their names.
    pub fn find(&self, node: &str, key: &str) -> Option<&Arc<Entry>> {
        let node = self.nodes.binary_search_by(|one| one.name.as_str().cmp(node)).ok()?;
        let key = self.keys.binary_search_by(|one| one.as_str().cmp(key)).ok()?;
        self.entry(node, key)
    }

    /// Counts the values, and their leaves.
    pub fn sizes(&self) -> (usize, usize) {
        let all = self.entries.iter().flatten().flatten();
        all.fold((0, 0), |(values, leaves), entry| (values + 1, leaves + entry.leaves.len()))
    }

    /// Goes through all values by key, then by node.
    pub fn by_key(&self) -> impl Iterator<Item = (&TableNode, &str, &Arc<Entry>)> {
        self.keys.iter().enumerate().flat_map(move |(key, name)| {
            let entry = move |(number, node)| Some((node, name.as_str(), self.entry(number, key)?));
            self.nodes.iter().enumerate().filter_map(entry)
        })
    }
}

/// All keys that the data files hold which nodes see, and for whom they are not all.
#[derive(Clone, Debug, Default)]
pub struct KnownKeys {
    /// The keys.
    pub keys: BTreeSet<String>,
    /// The nodes that see a file which cannot be read.
    pub unanswered: Vec<UnansweredNode>,
}

/// Finds all keys that the data files hold which the nodes see.
pub fn known_keys(fleet: &Fleet) -> KnownKeys {
    let (parts, _) = fleet.in_parts(|ready| {
        let nodes = open(fleet.site, &ready);
        let environment = Arc::clone(nodes.first()?.environment());
        let modules: Vec<String> = environment.modules().into_iter().map(|(name, _)| name).collect();
        let broken = with_sessions(&nodes, |sessions| {
            let of = |(node, session): (&Node, &Session)| -> Vec<UnansweredNode> {
                let told = |gap: UnlistedKeys| match gap {
                    UnlistedKeys::Broken(error) => Some(Reason::of(&environment, &error)),
                    UnlistedKeys::Function { .. } => None,
                };
                let reasons = session.read_all(&modules).into_iter().filter_map(told);
                reasons.map(|reason| UnansweredNode { node: node.name().to_owned(), reason }).collect()
            };
            nodes.iter().zip(sessions).flat_map(of).collect::<Vec<_>>()
        });
        Some((environment, broken))
    });
    let mut known = KnownKeys::default();
    for (environment, broken) in parts.into_iter().flatten() {
        known.keys.extend(environment.known_keys());
        known.unanswered.extend(broken);
    }
    known.unanswered.sort();
    known.unanswered.dedup();
    known
}

/// Asks all nodes for some keys, which are top-level names, dots and all.
pub fn table(fleet: &Fleet, mut keys: Vec<String>) -> Table {
    keys.sort();
    keys.dedup();
    let queries: Vec<Query> = keys.iter().map(|key| whole(key)).collect();
    let asking = TableRun { fleet, keys: &keys, queries, surveys: Surveys::new(keys.len()) };
    let (parts, mut unanswered) = fleet.in_parts(|ready| asking.ask(&ready));
    let mut rows = Vec::new();
    for part in parts {
        rows.extend(part.rows);
        unanswered.extend(part.unanswered);
    }
    rows.sort_by_key(|(index, _, _)| *index);
    unanswered.sort();
    let (nodes, entries) = rows.into_iter().map(|(_, node, entries)| (node, entries)).unzip();
    Table { nodes, entries, unanswered: unanswered.into_iter().map(|(_, one)| one).collect(), keys }
}

/// Returns what each fact of a node says: its path, joined by dots, and its value as JSON.
pub fn fact_leaves(facts: &Hash) -> Vec<(String, String)> {
    let mut leaves = Vec::new();
    for (name, value) in facts {
        add_leaves(name.to_string(), value, &mut leaves);
    }
    leaves
}

fn add_leaves(path: String, value: &Value, leaves: &mut Vec<(String, String)>) {
    match value {
        Value::Hash(hash) if !hash.is_empty() => {
            hash.iter().for_each(|(key, value)| add_leaves(format!("{path}.{key}"), value, leaves));
        }
        Value::Array(items) if !items.is_empty() => {
            let items = items.iter().enumerate();
            items.for_each(|(index, value)| add_leaves(format!("{path}.{index}"), value, leaves));
        }
        leaf => leaves.push((path, leaf.to_json())),
    }
}

/// A run over all nodes.
struct TableRun<'f> {
    fleet: &'f Fleet<'f>,
    keys: &'f [String],
    queries: Vec<Query>,
    surveys: Surveys<TableAnswer>,
}

/// What one node said: its number, who it is, and its values by key.
type NodeRow = (usize, TableNode, Vec<Option<Arc<Entry>>>);

/// What some nodes said.
#[derive(Default)]
struct PartRows {
    rows: Vec<NodeRow>,
    unanswered: Vec<(usize, UnansweredNode)>,
}

impl TableRun<'_> {
    fn ask(&self, ready: &[Ready]) -> PartRows {
        let nodes = open(self.fleet.site, ready);
        let mut part = PartRows::default();
        let answers =
            if self.fleet.compiles { self.compiled(ready, &nodes, &mut part) } else { self.together(&nodes) };
        for ((ready, node), told) in ready.iter().zip(&nodes).zip(answers) {
            let Some(told) = told else { continue };
            let (name, environment) = (ready.name.clone(), node.environment().name().to_owned());
            let entries = told.into_iter().zip(self.keys).map(|(told, key)| {
                told.unwrap_or_else(|why| {
                    let reason = why.told(|words| format!("{key}: {words}"));
                    part.unanswered.push((ready.index, UnansweredNode { node: name.clone(), reason }));
                    None
                })
            });
            let entries = entries.collect();
            part.rows.push((ready.index, TableNode { name, environment }, entries));
        }
        part
    }

    fn together(&self, nodes: &[Node]) -> Vec<Option<Vec<TableAnswer>>> {
        let Some(environment) = nodes.first().map(Node::environment) else { return Vec::new() };
        let surveys = self.surveys.of(environment);
        let mut answers = vec![Vec::with_capacity(self.keys.len()); nodes.len()];
        with_sessions(nodes, |sessions| {
            let panel = Panel::new(sessions);
            for (query, survey) in self.queries.iter().zip(surveys.iter()) {
                let find = |session: &Session| told(environment, session, query);
                survey.ask_all(&panel, find, |number, told| answers[number].push(told.clone()));
            }
        });
        answers.into_iter().map(Some).collect()
    }

    /// Asks each node after its catalog was compiled.
    fn compiled(
        &self,
        ready: &[Ready],
        nodes: &[Node],
        part: &mut PartRows,
    ) -> Vec<Option<Vec<TableAnswer>>> {
        let mut answers = Vec::with_capacity(nodes.len());
        for (ready, node) in ready.iter().zip(nodes) {
            answers.push(self.compiled_one(node).map_or_else(
                |error| {
                    let reason = Reason::of(node.environment(), &error);
                    part.unanswered.push((ready.index, UnansweredNode { node: ready.name.clone(), reason }));
                    None
                },
                Some,
            ));
        }
        answers
    }

    fn compiled_one(&self, node: &Node) -> Result<Vec<TableAnswer>> {
        let environment = node.environment();
        let mut compilation = node.compile_from(&environment.manifests()?);
        if let Err(error) = &compilation.catalog {
            return Err(error.clone());
        }
        let ask = |lookups: &NodeLookups| {
            self.queries.iter().map(|query| told(environment, lookups.session(), query)).collect()
        };
        Ok(compilation.asking(ask).0)
    }
}

fn told(environment: &Environment, session: &Session, query: &Query) -> TableAnswer {
    let failed = |error: hierarch_source::Error| Reason::of(environment, &error);
    let traced = match session.trace(query) {
        Ok(traced) => traced,
        Err(error) if error.code == hierarch_hiera::issues::NOT_FOUND => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    let name = query.names.first().map_or("", String::as_str);
    let strategy = session.strategy(name).map_err(failed)?.shown_name().to_owned();
    Ok(Some(Arc::new(entry(environment, &traced, strategy))))
}

fn entry(environment: &Environment, traced: &TracedValue, strategy: String) -> Entry {
    let folder = environment.folder().map(|folder| format!("{}/", folder.display())).unwrap_or_default();
    let shown = environment.shown(traced);
    let leaf = |leaf: &hierarch_hiera::origin::Leaf| {
        let value = if environment.may_show_secrets() { leaf.value } else { &leaf.shown };
        let path: Vec<String> = leaf.path.iter().map(ToString::to_string).collect();
        EntryLeaf {
            path: path.join("."),
            json: value.to_json(),
            place: leaf.origin.map_or_else(Place::default, |origin| place(origin, &folder)),
        }
    };
    let leaves: Vec<EntryLeaf> = traced.leaves().iter().map(leaf).collect();
    Entry {
        json: shown.to_json(),
        kind: kind(&shown),
        strategy,
        place: leaves.first().map(|leaf| leaf.place.clone()).unwrap_or_default(),
        leaves,
    }
}

/// Returns the name of a value's type, without what it holds: `Hash`, `Integer`.
fn kind(value: &Value) -> String {
    let text = infer::generic(value).to_string();
    text.split('[').next().unwrap_or_default().to_owned()
}

fn place(origin: &Origin, folder: &str) -> Place {
    let file = origin.file.strip_prefix(folder).unwrap_or(&origin.file);
    Place {
        file: Some(file.to_owned()).filter(|file| !file.is_empty()),
        line: origin.line,
        column: origin.column,
    }
}

#[cfg(test)]
mod tests {
    use hierarch_site::{NodeFacts, Site};
    use hierarch_source::MemoryFiles;

    use super::*;
    use crate::nodes::NodeSet;

    fn site() -> Site {
        Site::on(MemoryFiles::from([
            ("hiera.yaml", "version: 5\nhierarchy: [{name: A, paths: ['%{facts.site}.yaml', common.yaml]}]"),
            ("data/north.yaml", "a: {x: [1, two]}\nbroken: \"%{lookup('broken')}\"\n"),
            ("data/common.yaml", "a: 1\nb.c: []\nlookup_options: {b.c: {merge: unique}}\n"),
        ]))
        .build()
    }

    fn nodes() -> NodeSet {
        let node = |name: &str, site: &str| {
            (name.to_owned(), NodeFacts::from([("site", site)].into_iter().collect::<Hash>()))
        };
        NodeSet::of([node("n2", "south"), node("n1", "north")])
    }

    #[test]
    fn every_value_is_a_row_with_its_leaves_and_places() {
        let (site, nodes) = (site(), nodes());
        let fleet = Fleet::new(&site, &nodes);
        let keys = known_keys(&fleet).keys;
        assert_eq!(keys.iter().collect::<Vec<_>>(), ["a", "b.c", "broken"]);
        let table = table(&fleet, keys.into_iter().collect());
        let rows: Vec<String> = table
            .by_key()
            .map(|(node, key, entry)| {
                let place = &entry.place;
                format!(
                    "{key} {} {} {} {} {:?}",
                    node.name, entry.json, entry.kind, entry.strategy, place.line
                )
            })
            .collect();
        assert_eq!(
            rows,
            [
                "a n1 {\"x\":[1,\"two\"]} Hash first Some(1)",
                "a n2 1 Integer first Some(1)",
                "b.c n1 [] Array unique None",
                "b.c n2 [] Array unique None",
            ]
        );
        let leaves = &table.entry(0, 0).expect("there").leaves;
        let shown: Vec<(&str, &str)> =
            leaves.iter().map(|leaf| (leaf.path.as_str(), leaf.json.as_str())).collect();
        assert_eq!(shown, [("x.0", "1"), ("x.1", "\"two\"")]);
        assert_eq!(leaves[0].place.file.as_deref(), Some("data/north.yaml"));
        assert_eq!(table.sizes(), (4, 5));
        assert_eq!(table.unanswered.len(), 1);
        assert!(table.unanswered[0].reason.words.starts_with("broken: "), "{:?}", table.unanswered);
    }

    #[test]
    fn facts_are_leaves_with_paths() {
        let facts = nodes().find("n1").expect("known").expect("readable").facts;
        assert_eq!(fact_leaves(&facts), [("site".to_owned(), "\"north\"".to_owned())]);
    }
}
