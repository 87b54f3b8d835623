//! A compilation: its catalog or its error, what was logged, and the data as the catalog's variables show them.

use std::sync::Arc;

use hierarch_eval::{Catalog, Evaluator, Log};
use hierarch_pcore::Value;
use hierarch_source::{Result, Source};

use crate::lookup::NodeLookups;
use crate::node::Node;

/// What came of compiling a node's catalog.
pub struct Compilation<'n> {
    /// The catalog.
    pub catalog: Result<Catalog>,
    /// What was logged.
    pub logs: Vec<Log>,
    node: &'n Node,
    evaluator: Evaluator<'n>,
}

impl<'n> Compilation<'n> {
    pub(crate) fn run(node: &'n Node, manifests: &[Arc<Source>]) -> Self {
        let mut evaluator = node.evaluator();
        evaluator.set_node_classes(node.classes().to_vec());
        let catalog = evaluator.compile(manifests).map_err(|error| evaluator.naming_stubs(error));
        let catalog = catalog.map_err(|error| node.shown_failure(manifests, error));
        Self { catalog, logs: evaluator.take_logs(), node, evaluator }
    }

    /// Returns the names that manifests have asked data for, in order.
    pub fn names_asked_for(&self) -> Vec<&str> {
        self.evaluator.names_asked_for()
    }

    /// Returns the variables that lookups see now: those of the top scope, and those of classes by their whole names.
    pub(crate) fn variables(&self) -> Vec<(String, Value)> {
        self.evaluator.variables_of_catalog()
    }

    /// Asks questions about data that see what manifests have set. Returns what was logged meanwhile, too.
    pub fn asking<T>(&mut self, questions: impl FnOnce(&NodeLookups) -> T) -> (T, Vec<Log>) {
        let environment = self.node.environment();
        let answers = questions(&NodeLookups::new(environment, &self.evaluator.host_of_lookups()));
        (answers, self.evaluator.take_logs())
    }
}
