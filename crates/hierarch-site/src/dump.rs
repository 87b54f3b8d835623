//! Many keys asked of many nodes of one environment: nodes for which an answer depends on the same things share it.

use std::sync::Arc;

use hierarch_eval::hiera::NodeHost;
use hierarch_hiera::{Panel, Session, Survey, UnlistedKeys};

use crate::environment::Environment;
use crate::lookup::Answer;
use crate::node::Node;

/// Keys of an environment, with the answers that are known already. Threads may share it.
pub struct Dump<T> {
    environment: Arc<Environment>,
    keys: Vec<(String, Survey<T>)>,
}

impl<T> Dump<T> {
    /// Asks for some keys, which are top-level names, dots and all.
    pub fn new(environment: Arc<Environment>, keys: Vec<String>) -> Self {
        Self { environment, keys: keys.into_iter().map(|key| (key, Survey::new())).collect() }
    }

    /// Returns the environment.
    pub fn environment(&self) -> &Arc<Environment> {
        &self.environment
    }

    /// Returns the keys.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.keys.iter().map(|(key, _)| key.as_str())
    }

    /// Asks nodes of the environment, key by key. `find` looks a key up; `tell` is told the number of the node, the key
    /// and the answer.
    ///
    /// A key is asked of all nodes before the next one: what is known about it is in the processor's cache by then.
    pub fn ask(
        &self,
        nodes: &[Node],
        find: impl Fn(&Session, &str) -> T,
        mut tell: impl FnMut(usize, &str, &T),
    ) {
        let hosts: Vec<NodeHost> = nodes.iter().map(Node::host).collect();
        let sessions: Vec<Session> =
            hosts.iter().map(|host| self.environment.hiera().session(host)).collect();
        let panel = Panel::new(&sessions);
        for (key, survey) in &self.keys {
            survey.ask_all(&panel, |session| find(session, key), |number, answer| tell(number, key, answer));
        }
    }
}

impl Environment {
    /// Lists the keys that the data files hold which have been read, in order. `lookup_options` are not data.
    pub fn known_keys(&self) -> Vec<String> {
        let (_, mut keys) = self.hiera().known_keys();
        keys.retain(|key| key != "lookup_options");
        keys
    }

    /// Reads the data files that a node of this environment sees. Returns what has keys that are not known by it.
    pub fn read_data_of(&self, node: &Node) -> Vec<UnlistedKeys> {
        let modules: Vec<String> = self.modules().into_iter().map(|(name, _)| name).collect();
        node.read_data(&modules)
    }
}

impl Node {
    /// Looks up all keys that data files of this node hold; those that it does not see are left out.
    pub fn dump(&self) -> Vec<(String, hierarch_source::Result<Answer>)> {
        self.environment().read_data_of(self);
        let (answers, _) = self.asking(|lookups| {
            let keys = self.environment().known_keys().into_iter();
            let answers = keys.map(|key| (lookups.lookup(&name_of(&key).into()), key));
            let is_there = |answer: &hierarch_source::Result<Answer>| {
                answer.as_ref().err().is_none_or(|error| error.code != hierarch_hiera::issues::NOT_FOUND)
            };
            answers.filter(|(answer, _)| is_there(answer)).map(|(answer, key)| (key, answer)).collect()
        });
        answers
    }
}

/// Returns a top-level name as it is asked for: quoted if it has dots.
fn name_of(key: &str) -> String {
    if key.contains('.') { format!("'{key}'") } else { key.to_owned() }
}
