//! A store of nodes: import, list, forget, and facts for whoever asks.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hierarch_pcore::{Hash, Value};
use hierarch_site::{NodeFacts, NodeSource};
use hierarch_source::{Files, Result};

use crate::address::Address;
use crate::database::{Cell, Database, Row};
use crate::factset::hash_of;
use crate::{issues, tables};

/// A store of nodes. Threads may share it.
pub struct Store {
    database: Mutex<Box<dyn Database>>,
    pub(crate) name: String,
    environments: BTreeMap<String, Option<String>>,
}

/// What is imported, and how.
pub struct NodeImport<'i> {
    /// Where the nodes come from.
    pub source: &'i str,
    /// Now, as RFC 3339 has it.
    pub seen: &'i str,
    /// Patterns of facts that are left out of the hash.
    pub volatile: &'i [String],
    /// The source is all that there is: nodes of it that are not named any more are gone.
    pub is_whole: bool,
    /// The names that the source lists, where some may be left out.
    pub listed: BTreeSet<String>,
}

/// What came of an import.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ImportReport {
    /// Nodes that were not known before.
    pub new: usize,
    /// Nodes whose facts are others now.
    pub changed: usize,
    /// Nodes that are as they were.
    pub same: usize,
    /// Nodes that the source names no more.
    pub gone: usize,
}

/// A node without its facts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedNode {
    /// Its name.
    pub name: String,
    /// Its environment.
    pub environment: Option<String>,
    /// Where it was imported from.
    pub source: String,
    /// When it was last seen.
    pub seen: String,
    /// Since when its source names it no more.
    pub gone: Option<String>,
}

/// The number of a store's form, which a newer program may have written.
fn format_of(rows: Vec<Row>, name: &str) -> Result<Option<i64>> {
    let number =
        rows.into_iter().flatten().next().and_then(Cell::into_text).and_then(|text| text.parse().ok());
    match number {
        Some(theirs) if theirs > tables::FORMAT => Err(issues::newer_format(name, theirs, tables::FORMAT)),
        number => Ok(number),
    }
}

/// As many nodes are written together, whole or not at all.
const TOGETHER: usize = 1_000;

impl Store {
    /// Opens a store to write into; the tables are made where they are not.
    pub fn open(address: &Address) -> Result<Self> {
        let mut database = address.open(true)?;
        match database.query(tables::READ_FORMAT, &[]) {
            // A store of a newer program is left as it is.
            Ok(rows) => drop(format_of(rows, &address.shown())?),
            // Another program may make them at the same moment.
            Err(_) => database.batch(tables::MAKE)?,
        }
        database.batch(tables::MAKE_UNFINISHED)?;
        database.execute(tables::WRITE_FORMAT, &[Cell::text(tables::FORMAT.to_string())])?;
        Self::checked(database, address)
    }

    /// Opens a store to read from.
    pub fn open_existing(address: &Address) -> Result<Self> {
        Self::checked(address.open(false)?, address)
    }

    fn checked(mut database: Box<dyn Database>, address: &Address) -> Result<Self> {
        let name = address.shown();
        let rows = database.query(tables::READ_FORMAT, &[]);
        let rows = rows.map_err(|error| match error.code {
            issues::BROKEN => error,
            _ => issues::no_tables(&name),
        })?;
        if format_of(rows, &name)?.is_none() {
            return Err(issues::no_tables(&name));
        }
        let mut store = Self { database: Mutex::new(database), name, environments: BTreeMap::new() };
        let named = |row: Row| {
            let mut cells = row.into_iter().map(Cell::into_text);
            Some((cells.next()??, cells.next()?))
        };
        let rows = store.lock().query(tables::NAMES, &[])?;
        store.environments = rows.into_iter().filter_map(named).collect();
        Ok(store)
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Box<dyn Database>> {
        self.database.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lists all nodes, those that are gone as well.
    pub fn nodes(&self) -> Result<Vec<ListedNode>> {
        let rows = self.lock().query(tables::NODES, &[])?;
        Ok(rows.into_iter().filter_map(listed).collect())
    }

    /// Takes nodes in, a thousand at a time: a broken-off import leaves the last whole thousand.
    pub fn import(
        &mut self,
        incoming: &NodeImport,
        nodes: impl Iterator<Item = Result<(String, NodeFacts)>>,
    ) -> Result<ImportReport> {
        let mut known = self.hashes()?;
        // Where all nodes of a source are known already, one that breaks off leaves none out.
        let is_first = incoming.is_whole && !self.nodes()?.iter().any(|node| node.source == incoming.source);
        let source = [Cell::text(incoming.source)];
        let (mut imported, mut named) = (ImportReport::default(), incoming.listed.clone());
        let mut part = Vec::with_capacity(TOGETHER);
        for node in nodes {
            let node = node?;
            named.insert(node.0.clone());
            part.push(node);
            if part.len() == TOGETHER {
                if is_first {
                    self.lock().execute(tables::BEGIN_IMPORT, &source)?;
                }
                self.put(incoming, std::mem::take(&mut part), &mut known, &mut imported)?;
            }
        }
        self.put(incoming, part, &mut known, &mut imported)?;
        if incoming.is_whole {
            imported.gone = self.mark_gone(incoming, &named)?;
            self.lock().execute(tables::END_IMPORT, &source)?;
        }
        Ok(imported)
    }

    /// Returns the sources of which the store has only a part, because an import broke off.
    pub fn unfinished(&self) -> Vec<String> {
        // A store of before has no such table.
        let rows = self.lock().query(tables::UNFINISHED, &[]).unwrap_or_default();
        rows.into_iter().filter_map(|row| row.into_iter().next()?.into_text()).collect()
    }

    /// Returns the name of the store.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn hashes(&self) -> Result<HashMap<String, Vec<u8>>> {
        let rows = self.lock().query(tables::HASHES, &[])?;
        let pair = |row: Row| {
            let mut cells = row.into_iter();
            let name = cells.next()?.into_text()?;
            match cells.next()? {
                Cell::Bytes(hash) => Some((name, hash)),
                _ => Some((name, Vec::new())),
            }
        };
        Ok(rows.into_iter().filter_map(pair).collect())
    }

    fn put(
        &self,
        incoming: &NodeImport,
        nodes: Vec<(String, NodeFacts)>,
        known: &mut HashMap<String, Vec<u8>>,
        imported: &mut ImportReport,
    ) -> Result<()> {
        self.whole(|database| {
            for (name, facts) in &nodes {
                let hash = hash_of(&facts.facts, incoming.volatile);
                let before = known.insert(name.clone(), hash.clone());
                let is_same = before.as_ref() == Some(&hash);
                put_one(database, incoming, name, facts, hash, is_same)?;
                match before {
                    None => imported.new += 1,
                    Some(_) if is_same => imported.same += 1,
                    Some(_) => imported.changed += 1,
                }
            }
            Ok(())
        })
    }

    /// Runs statements whole or not at all.
    pub(crate) fn whole<T>(&self, body: impl FnOnce(&mut dyn Database) -> Result<T>) -> Result<T> {
        let mut database = self.lock();
        database.batch("begin")?;
        match body(&mut **database) {
            Ok(answer) => {
                database.batch("commit")?;
                Ok(answer)
            }
            Err(error) => {
                // The connection may be lost, and with it the transaction.
                let _ = database.batch("rollback");
                Err(error)
            }
        }
    }

    fn mark_gone(&self, incoming: &NodeImport, named: &BTreeSet<String>) -> Result<usize> {
        let is_gone = |node: &ListedNode| {
            node.source == incoming.source && node.gone.is_none() && !named.contains(&node.name)
        };
        let gone: Vec<ListedNode> = self.nodes()?.into_iter().filter(is_gone).collect();
        self.whole(|database| {
            for node in &gone {
                database.execute(tables::MARK_GONE, &[Cell::text(&node.name), Cell::text(incoming.seen)])?;
            }
            Ok(gone.len())
        })
    }

    /// Forgets nodes, what they exported, and the facts that no other node has. Returns those that were not known.
    pub fn forget(&mut self, names: &[String]) -> Result<Vec<String>> {
        let unknown = self.whole(|database| {
            database.batch(tables::MAKE_EXPORTS)?;
            let mut unknown = Vec::new();
            for name in names {
                let cell = [Cell::text(name)];
                database.execute(tables::FORGET_SIGHTINGS, &cell)?;
                database.execute(tables::FORGET_EXPORTS, &cell)?;
                if database.execute(tables::FORGET_NODE, &cell)? == 0 {
                    unknown.push(name.clone());
                }
            }
            database.execute(tables::FORGET_FACTS, &[])?;
            Ok(unknown)
        })?;
        names.iter().for_each(|name| drop(self.environments.remove(name)));
        Ok(unknown)
    }

    /// Returns what is known of a node.
    pub fn facts(&self, name: &str) -> Result<Option<NodeFacts>> {
        let row = self.lock().query(tables::FACTS, &[Cell::text(name)])?.into_iter().next();
        let Some(row) = row else { return Ok(None) };
        let mut cells = row.into_iter().map(Cell::into_text);
        let mut next = || cells.next().flatten();
        let (facts, trusted, environment) = (next(), next(), next());
        let facts = facts.and_then(|text| object(&text)).ok_or_else(|| issues::damaged(&self.name, name))?;
        Ok(Some(NodeFacts { facts, trusted: trusted.and_then(|text| object(&text)), environment }))
    }
}

/// Lists and hashes deeper than this are not read back.
const DEEPEST: usize = 120;

/// Tells why facts cannot be kept as JSON, if they cannot.
pub fn unstorable(value: &Value) -> Option<&'static str> {
    unstorable_below(value, 0)
}

fn unstorable_below(value: &Value, depth: usize) -> Option<&'static str> {
    if depth > DEEPEST {
        return Some(issues::TOO_DEEP);
    }
    match value {
        Value::Float(number) if !number.is_finite() => Some(issues::NOT_FINITE),
        Value::Array(items) => items.iter().find_map(|item| unstorable_below(item, depth + 1)),
        Value::Hash(hash) => hash.values().find_map(|item| unstorable_below(item, depth + 1)),
        _ => None,
    }
}

fn object(json: &str) -> Option<Hash> {
    match hierarch_hiera::read::json(json) {
        Ok(Value::Hash(hash)) => Some((*hash).clone()),
        _ => None,
    }
}

fn put_one(
    database: &mut dyn Database,
    incoming: &NodeImport,
    name: &str,
    node: &NodeFacts,
    hash: Vec<u8>,
    is_same: bool,
) -> Result<()> {
    let hash = Cell::Bytes(hash);
    if !is_same {
        let json = Value::hash(node.facts.clone()).to_json();
        database.execute(tables::PUT_FACTS, &[hash.clone(), Cell::Text(json)])?;
        let sighting = [Cell::text(name), Cell::text(incoming.seen), hash.clone()];
        database.execute(tables::PUT_SIGHTING, &sighting)?;
    }
    let trusted = node.trusted.clone().map(|trusted| Value::hash(trusted).to_json());
    let cells = [
        Cell::text(name),
        Cell::optional(node.environment.clone()),
        hash,
        Cell::optional(trusted),
        Cell::text(incoming.source),
        Cell::text(incoming.seen),
    ];
    database.execute(tables::PUT_NODE, &cells).map(drop)
}

fn listed(row: Row) -> Option<ListedNode> {
    let mut cells = row.into_iter().map(Cell::into_text);
    let name = cells.next()??;
    let environment = cells.next()?;
    let _trusted = cells.next()?;
    Some(ListedNode { name, environment, source: cells.next()??, seen: cells.next()??, gone: cells.next()? })
}

impl NodeSource for Store {
    fn names(&self, _: &dyn Files) -> Result<Vec<String>> {
        Ok(self.environments.keys().cloned().collect())
    }

    fn find(&self, _: &dyn Files, name: &str) -> Result<Option<NodeFacts>> {
        self.facts(name)
    }

    fn environment(&self, name: &str) -> Option<String> {
        self.environments.get(name).cloned().flatten()
    }
}
