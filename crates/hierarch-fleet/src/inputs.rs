//! Catalog inputs: the keys that catalogs asked for, found out by compiling, or as PuppetDB keeps them.

use std::collections::{BTreeMap, BTreeSet};

use hierarch_pcore::{Hash, Value};

use crate::ask::{Fleet, UnansweredNode, open};
use crate::impact::root_of;
use crate::issues;
use crate::nodes::NodeSet;
use crate::reason::Reason;

/// The keys that the catalogs of nodes asked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CatalogInputs {
    /// The keys of each node.
    pub nodes: BTreeMap<String, BTreeSet<String>>,
    /// The nodes whose catalogs could not be compiled.
    pub unanswered: Vec<UnansweredNode>,
    /// The catalogs were compiled here, without what a classifier says and what other nodes export.
    pub is_compiled_here: bool,
}

/// What PuppetDB calls an input that is a key.
const HIERA: &str = "hiera";

/// Compiles the catalogs of all nodes, and returns which keys they asked for.
pub fn catalog_inputs(fleet: &Fleet) -> CatalogInputs {
    let (parts, unread) = fleet.in_parts(|ready| {
        let mut found = CatalogInputs::default();
        for node in open(fleet.site, &ready) {
            let name = node.name().to_owned();
            let manifests = match node.environment().manifests() {
                Ok(manifests) => manifests,
                Err(error) => {
                    found
                        .unanswered
                        .push(UnansweredNode { node: name, reason: Reason::of(node.environment(), &error) });
                    continue;
                }
            };
            let compilation = node.compile_from(&manifests);
            if let Err(error) = &compilation.catalog {
                let reason = Reason::of(node.environment(), error);
                found.unanswered.push(UnansweredNode { node: name, reason });
                continue;
            }
            let keys = compilation.names_asked_for().into_iter().map(str::to_owned).collect();
            found.nodes.insert(name, keys);
        }
        found
    });
    let mut all = CatalogInputs { is_compiled_here: true, ..CatalogInputs::default() };
    all.unanswered.extend(unread.into_iter().map(|(_, one)| one));
    for part in parts {
        all.nodes.extend(part.nodes);
        all.unanswered.extend(part.unanswered);
    }
    all.unanswered.sort();
    all
}

impl CatalogInputs {
    /// Reads what PuppetDB answers to `/pdb/query/v4/catalog-inputs`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let list = hierarch_hiera::read::json(text)?;
        let list = list.as_array().ok_or_else(issues::not_catalog_inputs)?;
        let mut found = Self::default();
        for (index, entry) in list.iter().enumerate() {
            let (name, keys) = inputs(entry).ok_or_else(|| issues::bad_catalog_inputs(index + 1))?;
            found.nodes.entry(name).or_default().extend(keys);
        }
        Ok(found)
    }

    /// Returns them as PuppetDB has them.
    pub fn to_value(&self) -> Value {
        let one = |(name, keys): (&String, &BTreeSet<String>)| {
            let input = |key: &String| Value::array(vec![Value::from(HIERA), Value::from(key.as_str())]);
            let mut fields: Hash = [("certname", name.as_str())].into_iter().collect();
            fields.insert("inputs", Value::array(keys.iter().map(input).collect()));
            Value::hash(fields)
        };
        Value::array(self.nodes.iter().map(one).collect())
    }

    /// Returns the nodes whose catalogs are not known: they could not be compiled, or nothing is said of them.
    pub(crate) fn unknown(&self, nodes: &NodeSet) -> Vec<UnansweredNode> {
        let failed: BTreeSet<&str> = self.unanswered.iter().map(|one| one.node.as_str()).collect();
        let is_known = |name: &&str| self.nodes.contains_key(*name) || failed.contains(*name);
        let missing = nodes.names().filter(|name| !is_known(name));
        let missing =
            missing.map(|name| UnansweredNode { node: name.to_owned(), reason: issues::no_inputs().into() });
        self.unanswered.iter().cloned().chain(missing).collect()
    }

    /// Returns the top-level names of all keys that some catalog asked for.
    pub(crate) fn roots(&self) -> BTreeSet<String> {
        self.nodes.values().flatten().map(|key| root_of(key).to_owned()).collect()
    }
}

fn inputs(entry: &Value) -> Option<(String, Vec<String>)> {
    let entry = entry.as_hash()?;
    let name = entry.get_str("certname")?.as_str()?.to_owned();
    let mut keys = Vec::new();
    for input in entry.get_str("inputs")?.as_array()? {
        let input = input.as_array()?;
        if input.first()?.as_str()? == HIERA {
            keys.push(input.get(1)?.as_str()?.to_owned());
        }
    }
    Some((name, keys))
}

#[cfg(test)]
mod tests {
    use hierarch_site::Site;
    use hierarch_source::MemoryFiles;

    use super::*;

    const ANSWER: &str = r#"[{"certname": "a", "producer_timestamp": "2026-01-01T00:00:00Z", "catalog_uuid": "u",
        "inputs": [["hiera", "m::x"], ["other", "y"], ["hiera", "z.w"]]}]"#;

    #[test]
    fn what_puppetdb_answers_is_understood() {
        let found = CatalogInputs::parse(ANSWER).expect("inputs");
        assert_eq!(found.roots().into_iter().collect::<Vec<_>>(), ["m::x", "z"]);
        assert_eq!(CatalogInputs::parse(&found.to_value().to_json()).expect("again"), found);
        for malformed in ["{}", "[1]", r#"[{"certname": "a", "inputs": [["hiera"]]}]"#, "["] {
            assert!(CatalogInputs::parse(malformed).is_err(), "{malformed}");
        }
    }

    #[test]
    fn catalogs_tell_what_they_asked_for() {
        let files = MemoryFiles::from([
            ("hiera.yaml", "version: 5\nhierarchy: [{name: C, path: c.yaml}]\n"),
            ("data/c.yaml", "m::port: 80\nport: \"%{lookup('base')}\"\nbase: 1\nm::other: 2\n"),
            ("manifests/site.pp", "include m\n$x = lookup('port')\n"),
            ("modules/m/manifests/init.pp", "class m(Integer $port) { }\n"),
        ]);
        let site = Site::on(files).build();
        let nodes = NodeSet::of([("a".to_owned(), hierarch_site::NodeFacts::default())]);
        let found = catalog_inputs(&Fleet::new(&site, &nodes));
        assert!(found.unanswered.is_empty(), "{:?}", found.unanswered);
        let keys = &found.nodes["a"];
        assert!(keys.contains("m::port") && keys.contains("port") && !keys.contains("m::other"), "{keys:?}");
    }
}
