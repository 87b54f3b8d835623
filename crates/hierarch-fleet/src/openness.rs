//! Which keys may be shown as they stand in files: some node gets their value, and none gets it as a secret.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hierarch_eval::has_secret;
use hierarch_hiera::{Content, Query, Session, references};
use hierarch_pcore::Value;
use hierarch_site::Node;

use crate::ask::{Fleet, open, whole, with_sessions};
use crate::edits::{Edit, edits};
use crate::ground::{reachable, turned_round};
use crate::impact::root_of;

/// The key whose value says how others are looked up.
const OPTIONS: &str = "lookup_options";

/// What is known of a key.
#[derive(Clone, Copy, Default)]
struct Openness {
    is_found: bool,
    is_secret: bool,
}

impl Openness {
    fn and(self, other: Self) -> Self {
        Self { is_found: self.is_found || other.is_found, is_secret: self.is_secret || other.is_secret }
    }

    /// Asks one node. A lookup that fails may have failed at making a value sensitive.
    fn of(session: &Session, query: &Query) -> Self {
        Self::told(session, query, Value::has_sensitive)
    }

    /// Asks one node; what was decrypted is a secret, too.
    fn with_decrypted(node: &Node, session: &Session, query: &Query) -> Self {
        let is_secret = |value: &Value| {
            Value::has_sensitive(value)
                || has_secret(value, &node.environment().shown_answer(session, query, value))
        };
        Self::told(session, query, is_secret)
    }

    fn told(session: &Session, query: &Query, is_secret: impl FnOnce(&Value) -> bool) -> Self {
        match session.lookup(query, None) {
            Ok(value) => Self { is_found: true, is_secret: is_secret(&value) },
            Err(error) => {
                Self { is_found: false, is_secret: error.code != hierarch_hiera::issues::NOT_FOUND }
            }
        }
    }
}

/// Returns those of some keys which some node gets, and no node as `Sensitive`. Of the others what stands in a file may be secret.
pub fn open_keys(fleet: &Fleet, keys: &[String]) -> BTreeSet<String> {
    keys_by(
        fleet,
        keys,
        |_, session, query| Openness::of(session, query),
        |known| known.is_found && !known.is_secret,
    )
}

/// Returns those of some keys which some node gets, and no node with a secret in them: neither `Sensitive` nor decrypted.
pub fn plain_keys(fleet: &Fleet, keys: &[String]) -> BTreeSet<String> {
    keys_by(fleet, keys, Openness::with_decrypted, |known| known.is_found && !known.is_secret)
}

/// Returns the keys that have to do with some others and with a secret, in any of some states: whether their answers are equal, how
/// long they are or in which order could tell something of it. Without `edited` any key may have another answer.
pub fn keys_beside_secrets(states: &[&Fleet], edited: Option<BTreeSet<String>>) -> BTreeSet<String> {
    let mut asks: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut secret: BTreeSet<String> = BTreeSet::new();
    for content in states.iter().flat_map(|fleet| contents_of(fleet)) {
        for (key, value) in content.entries.into_iter().flatten() {
            let found = references(&value).into_iter().map(|reference| root_of(&reference.key).to_owned());
            asks.entry(key.clone()).or_default().extend(found);
            if value.to_json().contains("ENC[") {
                secret.insert(key);
            }
        }
    }
    let edited = edited.unwrap_or_else(|| asks.keys().cloned().collect());
    let affected = reachable(&turned_round(&asks), edited);
    let needed: Vec<String> = reachable(&asks, affected.clone()).into_iter().collect();
    for fleet in states {
        secret.extend(keys_by(fleet, &needed, Openness::with_decrypted, |known| known.is_secret));
    }
    let is_beside = |key: &String| !reachable(&asks, [key.clone()].into()).is_disjoint(&secret);
    affected.into_iter().filter(is_beside).collect()
}

/// Returns those of some keys which some node gets with a secret in them, or fails to get.
pub fn keys_with_secrets(fleet: &Fleet, keys: &[String]) -> BTreeSet<String> {
    keys_by(fleet, keys, Openness::with_decrypted, |known| known.is_secret)
}

/// Returns the keys that the edits between two versions of a data file have to do with: those whose entries differ, and those that
/// are given other options.
pub fn edited_keys(file: &str, old: Option<&[u8]>, new: Option<&[u8]>) -> BTreeSet<String> {
    let all = edits(file, old, new);
    let options = all.iter().flat_map(given_options);
    options.chain(all.iter().filter_map(Edit::root).map(str::to_owned)).collect()
}

/// Returns the keys and patterns that an edit gives other options, which take the place of all that lower levels or patterns have for
/// them, and say in which order parts come and which are told apart.
pub fn given_options(edit: &Edit) -> Vec<String> {
    match (&edit.path[..], &edit.new) {
        ([root, ..], _) if root != OPTIONS => Vec::new(),
        ([_, name, ..], Some(_)) => vec![name.clone()],
        ([_], Some(Value::Hash(entries))) => entries.iter().map(|(name, _)| name.to_plain()).collect(),
        _ => Vec::new(),
    }
}

/// Reads all data files that nodes see, and returns what they hold.
fn contents_of(fleet: &Fleet) -> Vec<Content> {
    let (environments, _) = fleet.in_parts(|ready| {
        let nodes = open(fleet.site, &ready);
        with_sessions(&nodes, |sessions| {
            for (node, session) in nodes.iter().zip(sessions) {
                let modules = node.environment().modules().into_iter().map(|(name, _)| name);
                session.read_all(&modules.collect::<Vec<_>>());
            }
        });
        nodes.first().map(|node| Arc::clone(node.environment()))
    });
    let mut seen = BTreeSet::new();
    let each = environments.into_iter().flatten().filter(|one| seen.insert(one.name().to_owned()));
    each.flat_map(|environment| environment.hiera().contents()).collect()
}

/// Asks all nodes for some keys, and returns those of which what is known fits.
fn keys_by(
    fleet: &Fleet,
    keys: &[String],
    ask: impl Fn(&Node, &Session, &Query) -> Openness + Sync,
    fits: impl Fn(Openness) -> bool,
) -> BTreeSet<String> {
    let queries: Vec<Query> = keys.iter().map(|key| whole(key)).collect();
    let (parts, _) = fleet.in_parts(|ready| {
        let nodes = open(fleet.site, &ready);
        let all = |sessions: &[Session], query: &Query| {
            let each = nodes.iter().zip(sessions).map(|(node, session)| ask(node, session, query));
            each.fold(Openness::default(), Openness::and)
        };
        with_sessions(&nodes, |sessions| queries.iter().map(|query| all(sessions, query)).collect::<Vec<_>>())
    });
    let mut known = vec![Openness::default(); keys.len()];
    for part in parts {
        known.iter_mut().zip(part).for_each(|(known, more)| *known = known.and(more));
    }
    keys.iter().zip(known).filter(|(_, known)| fits(*known)).map(|(key, _)| key.clone()).collect()
}

/// Returns those of some keys which a node gets as `Sensitive`, or fails to get.
pub fn secret_keys(node: &Node, keys: &BTreeSet<String>) -> BTreeSet<String> {
    with_sessions(std::slice::from_ref(node), |sessions| {
        let is_secret = |key: &&String| Openness::of(&sessions[0], &whole(key)).is_secret;
        // What says how keys are looked up cannot be looked up itself.
        keys.iter().filter(|key| *key != OPTIONS).filter(is_secret).cloned().collect()
    })
}

#[cfg(test)]
mod tests {
    use hierarch_site::{NodeFacts, Site};
    use hierarch_source::MemoryFiles;

    use super::*;
    use crate::NodeSet;

    #[test]
    fn a_key_is_open_if_some_node_gets_it_and_none_as_a_secret() {
        let files = MemoryFiles::from([
            (
                "hiera.yaml",
                "version: 5\nhierarchy: [{name: R, path: '%{facts.role}.yaml'}, {name: C, path: common.yaml}]",
            ),
            (
                "data/common.yaml",
                "a: 1\nb: 2\nc: x\nlookup_options: {b: {convert_to: Sensitive}, c: {convert_to: Integer}}",
            ),
            ("data/db.yaml", "d: 4\nlookup_options: {a: {convert_to: Sensitive}}"),
        ]);
        let site = Site::on(files).build();
        let node = |name: &str, role: &str| {
            let facts = [("role", role)].into_iter().collect::<hierarch_pcore::Hash>();
            (name.to_owned(), NodeFacts::from(facts))
        };
        let keys = ["a", "b", "c", "d", "e"].map(str::to_owned);
        let ask = |roles: &[&str]| {
            let nodes = NodeSet::of(roles.iter().map(|role| node(&format!("n-{role}"), role)));
            open_keys(&Fleet::new(&site, &nodes), &keys).into_iter().collect::<Vec<_>>()
        };
        assert_eq!(ask(&["web"]), ["a"]);
        assert_eq!(ask(&["web", "db"]), ["d"]);
        assert!(ask(&[]).is_empty());
    }
}
