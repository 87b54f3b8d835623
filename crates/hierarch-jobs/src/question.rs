//! What is asked of each node, and its answer as bytes.

use std::sync::Arc;

use hierarch_hiera::{Found, Query, UnlistedKeys};
use hierarch_pcore::{Hash, Value};
use hierarch_site::{Node, NodeFacts, Site};
use hierarch_source::{Files, star};

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The values of all keys that a node's files hold: the lines of `dump --render-as jsonl`.
    Answers,
    /// The catalog: one line `{node, catalog}`.
    Catalogs,
}

impl Kind {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Answers => "answers",
            Self::Catalogs => "catalogs",
        }
    }
}

/// A question that is asked of each node.
#[derive(Clone, Debug)]
pub struct Question {
    /// What is asked.
    pub kind: Kind,
    /// Keys or globs; none: all. Catalogs have no keys.
    pub keys: Vec<String>,
}

/// What a node answers: lines, and what could not be answered.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) failures: Vec<String>,
}

impl Question {
    pub(crate) fn to_value(&self) -> Value {
        let keys = self.keys.iter().map(|key| Value::from(key.as_str())).collect();
        let fields = [("kind", Value::from(self.kind.name())), ("keys", Value::array(keys))];
        Value::hash(fields.into_iter().collect())
    }

    pub(crate) fn of(value: &Hash) -> Option<Self> {
        let kind = match value.get_str("kind")?.as_str()? {
            "answers" => Kind::Answers,
            "catalogs" => Kind::Catalogs,
            _ => return None,
        };
        let keys = value.get_str("keys")?.as_array()?;
        Some(Self { kind, keys: keys.iter().filter_map(|key| Some(key.as_str()?.to_owned())).collect() })
    }

    /// Asks one node in a site that nobody else uses, so that all it reads is read for this node.
    pub(crate) fn ask(&self, site: &Site, name: &str, facts: NodeFacts) -> Answer {
        let node = site.node_with(name, facts.trusting(name));
        match self.kind {
            Kind::Answers => self.values(&node),
            Kind::Catalogs => catalog(&node),
        }
    }

    fn values(&self, node: &Node) -> Answer {
        let environment = node.environment();
        let mut answer = Answer::default();
        // A file that cannot be read has keys that nobody knows.
        for gap in environment.read_data_of(node) {
            if let UnlistedKeys::Broken(error) = gap {
                let why = environment.shown_text(&error.to_string());
                answer.failures.push(format!("{}: {why}", node.name()));
            }
        }
        let host = node.host();
        let session = environment.hiera().session(&host);
        for key in environment.known_keys().iter().filter(|key| self.wants(key)) {
            let quoted = if key.contains('.') { format!("'{key}'") } else { key.clone() };
            match session.search_shown(&Query::new([quoted])) {
                Ok(Found::Value(value)) => {
                    let line: Hash = [
                        ("node", Value::from(node.name())),
                        ("key", Value::from(key.as_str())),
                        ("value", value),
                    ]
                    .into_iter()
                    .collect();
                    answer.text.push_str(&Value::hash(line).to_json());
                    answer.text.push('\n');
                }
                Ok(Found::Missing) => {}
                Err(error) => {
                    let why = environment.shown_text(&error.to_string());
                    answer.failures.push(format!("{}: {key}: {why}", node.name()));
                }
            }
        }
        answer
    }

    fn wants(&self, key: &str) -> bool {
        self.keys.is_empty() || self.keys.iter().any(|glob| star::matches(glob, key))
    }
}

/// What would tell one compilation from another: results that are made of the same are the same.
const UUID: &str = "00000000-0000-4000-8000-000000000000";

fn catalog(node: &Node) -> Answer {
    match node.compile() {
        Ok(catalog) => {
            let name = Value::from(node.name()).to_json();
            let text = format!("{{\"node\":{name},\"catalog\":{}}}\n", catalog.to_json(UUID));
            Answer { text, failures: Vec::new() }
        }
        Err(error) => {
            let why = node.environment().shown_text(&error.to_string());
            Answer { text: String::new(), failures: vec![format!("{}: {why}", node.name())] }
        }
    }
}

/// Opens a site on files.
pub type Open<'o> = dyn Fn(Arc<dyn Files>) -> Site + Sync + 'o;
