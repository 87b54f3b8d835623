//! An explanation as data, for `--render-as json` and `yaml`.

use hierarch_pcore::{Hash, Value};

use super::{Explainer, Kind, Outcome, Place, Step};
use crate::trace::LookupStep;
use hierarch_pcore::value::symbol::Symbol;

impl Explainer {
    /// Returns the explanation as nested hashes. A tree with one root is that root. What is a symbol in the
    /// reference is one here; JSON writes symbols as texts, YAML with a colon.
    pub fn data(&self) -> Value {
        match self.roots.as_slice() {
            [only] => self.step_data(*only),
            roots => {
                let mut hash = Fields::default();
                self.put_branches(&mut hash, roots);
                hash.into_value()
            }
        }
    }

    fn put_branches(&self, hash: &mut Fields, branches: &[usize]) {
        if !branches.is_empty() {
            let branches = branches.iter().map(|&branch| self.step_data(branch)).collect();
            hash.insert("branches", Value::array(branches));
        }
    }

    fn step_data(&self, index: usize) -> Value {
        let step = &self.steps[index];
        let mut hash = Fields::default();
        match &step.kind {
            Kind::Lookup(LookupStep::Merge { .. }) if step.branches.len() == 1 => {
                return self.step_data(step.branches[0]);
            }
            Kind::Lookup(node) => {
                self.put_branches(&mut hash, &step.branches);
                put_outcome(&mut hash, step, node);
                put_node(&mut hash, node);
            }
            Kind::MergeSource(source) => {
                hash.mark("type", "merge_source");
                hash.insert("merge_source", *source);
            }
            Kind::ModuleNotFound(_) => {
                hash.mark("event", "module_not_found");
                hash.mark("type", "module");
            }
            Kind::ModuleWithoutData(_) => {
                hash.mark("event", "module_provider_not_found");
                hash.mark("type", "module");
            }
        }
        hash.into_value()
    }
}

/// The fields of a step, named by symbols.
#[derive(Default)]
struct Fields(Hash);

impl Fields {
    fn insert(&mut self, name: &str, value: impl Into<Value>) {
        // A field that is set again keeps its place, though symbols are never the same.
        let known = self.0.keys().find(|key| key.to_string() == name).cloned();
        self.0.insert(known.unwrap_or_else(|| Symbol::value(name)), value);
    }

    fn mark(&mut self, name: &str, symbol: &str) {
        self.insert(name, Symbol::value(symbol));
    }

    fn into_value(self) -> Value {
        Value::hash(self.0)
    }
}

fn put_outcome(hash: &mut Fields, step: &Step, node: &LookupStep) {
    if let LookupStep::Key(key) | LookupStep::InvalidKey(key) = node {
        hash.insert("key", key.clone());
    }
    let event = match &step.outcome {
        Some(Outcome::Found { key, value, place }) => {
            hash.insert("key", key.clone());
            hash.insert("value", value.clone());
            Some(match place {
                Place::Data => "found",
                Place::Overrides => "found_in_overrides",
                Place::Defaults => "found_in_defaults",
            })
        }
        Some(Outcome::NotFound(key)) => {
            hash.insert("key", key.clone());
            Some("not_found")
        }
        Some(Outcome::Result(value)) => {
            hash.insert("value", value.clone());
            Some("result")
        }
        Some(Outcome::LocationNotFound) => Some("location_not_found"),
        None => None,
    };
    if let Some(event) = event {
        hash.mark("event", event);
    }
    if !step.texts.is_empty() {
        hash.insert(
            "texts",
            Value::array(step.texts.iter().map(|text| Value::from(text.as_str())).collect()),
        );
    }
    hash.mark("type", type_of(node));
}

fn type_of(node: &LookupStep) -> &'static str {
    match node {
        LookupStep::Key(_) => "root",
        LookupStep::InvalidKey(_) => "invalid_key",
        LookupStep::Interpolation(_) => "interpolate",
        LookupStep::Layer { .. } | LookupStep::Level(_) => "data_provider",
        LookupStep::Location { is_path: true, .. } => "path",
        LookupStep::Location { .. } => "uri",
        LookupStep::Merge { .. } => "merge",
        LookupStep::Place(_) => "scope",
        LookupStep::SubKey(_) => "sub_key",
        LookupStep::Segment => "segment",
    }
}

fn put_node(hash: &mut Fields, node: &LookupStep) {
    match node {
        LookupStep::Interpolation(text) => {
            hash.insert("expression", text.clone());
        }
        LookupStep::Layer { name, config, module } => {
            hash.insert("name", name.as_str());
            if let Some(path) = config {
                hash.insert("configuration_path", path.as_str());
            }
            if let Some(module) = module {
                hash.insert("module", module.clone());
            }
        }
        LookupStep::Level(name) | LookupStep::Place(name) => {
            hash.insert("name", name.as_str());
        }
        LookupStep::Location { is_path, original, location } => {
            let (first, second) = if *is_path { ("original_path", "path") } else { ("original_uri", "uri") };
            hash.insert(first, original.clone());
            hash.insert(second, location.clone());
        }
        LookupStep::Merge { strategy, options } => {
            hash.mark("merge", strategy);
            if let Some(options) = options {
                hash.insert("options", Value::hash(options.clone()));
            }
        }
        LookupStep::Key(_) | LookupStep::InvalidKey(_) | LookupStep::SubKey(_) | LookupStep::Segment => {}
    }
}
