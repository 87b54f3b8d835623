//! Which keys may be shown as they stand in files: some node gets their value, and none gets it as a secret.

use std::collections::BTreeSet;

use hierarch_hiera::{Query, Session};
use hierarch_pcore::Value;
use hierarch_site::Node;

use crate::ask::{Fleet, open, whole, with_sessions};

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
        match session.lookup(query, None) {
            Ok(value) => Self { is_found: true, is_secret: Value::has_sensitive(&value) },
            Err(error) => {
                Self { is_found: false, is_secret: error.code != hierarch_hiera::issues::NOT_FOUND }
            }
        }
    }
}

/// Returns those of some keys which some node gets, and no node as `Sensitive`. Of the others what stands in a file may be secret.
pub fn open_keys(fleet: &Fleet, keys: &[String]) -> BTreeSet<String> {
    let queries: Vec<Query> = keys.iter().map(|key| whole(key)).collect();
    let (parts, _) = fleet.in_parts(|ready| {
        let nodes = open(fleet.site, &ready);
        let all = |sessions: &[Session], query: &Query| {
            let each = sessions.iter().map(|session| Openness::of(session, query));
            each.fold(Openness::default(), Openness::and)
        };
        with_sessions(&nodes, |sessions| queries.iter().map(|query| all(sessions, query)).collect::<Vec<_>>())
    });
    let mut known = vec![Openness::default(); keys.len()];
    for part in parts {
        known.iter_mut().zip(part).for_each(|(known, more)| *known = known.and(more));
    }
    let is_open =
        |(key, known): (&String, Openness)| (known.is_found && !known.is_secret).then(|| key.clone());
    keys.iter().zip(known).filter_map(is_open).collect()
}

/// Returns those of some keys which a node gets as `Sensitive`, or fails to get.
pub fn secret_keys(node: &Node, keys: &BTreeSet<String>) -> BTreeSet<String> {
    with_sessions(std::slice::from_ref(node), |sessions| {
        let is_secret = |key: &&String| Openness::of(&sessions[0], &whole(key)).is_secret;
        // What says how keys are looked up cannot be looked up itself.
        keys.iter().filter(|key| *key != "lookup_options").filter(is_secret).cloned().collect()
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
