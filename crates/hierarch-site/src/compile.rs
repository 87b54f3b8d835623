//! A compilation: its catalog or its error, what was logged, and the data as the catalog's variables show them.

use std::collections::HashMap;
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
    manifests: Vec<Arc<Source>>,
    evaluator: Evaluator<'n>,
}

impl<'n> Compilation<'n> {
    pub(crate) fn run(node: &'n Node, manifests: &[Arc<Source>]) -> Self {
        let mut evaluator = node.evaluator();
        evaluator.set_node_classes(node.classes().to_vec());
        let catalog = evaluator.compile(manifests).map_err(|error| evaluator.naming_stubs(error));
        let catalog = catalog.map_err(|error| node.shown_failure(manifests, error));
        Self { catalog, logs: evaluator.take_logs(), node, manifests: manifests.to_vec(), evaluator }
    }

    /// Returns the names that manifests have asked data for, in order.
    pub fn names_asked_for(&self) -> Vec<&str> {
        self.evaluator.names_asked_for()
    }

    /// Returns the variables that lookups see now: those of the top scope, and those of classes by their whole names.
    pub(crate) fn variables(&self) -> Vec<(String, Value)> {
        self.evaluator.variables_of_catalog()
    }

    /// Lets lookups know which variables manifests made of secrets: those that have another value where programs see what stands for
    /// secrets.
    pub(crate) fn note_secret_variables(&self) {
        let environment = self.node.environment();
        let hiera = environment.hiera();
        if self.node.hides_secrets() || environment.may_show_secrets() || !hiera.has_secrets() {
            return;
        }
        let open = self.node.without_secrets();
        let open: HashMap<String, Value> =
            open.compile_from(&self.manifests).variables().into_iter().collect();
        for (name, value) in self.variables() {
            if open.get(&name) != Some(&value) {
                hiera.note_secret_variable(&name);
            }
        }
    }

    /// Asks questions about data that see what manifests have set. Returns what was logged meanwhile, too.
    pub fn asking<T>(&mut self, questions: impl FnOnce(&NodeLookups) -> T) -> (T, Vec<Log>) {
        self.note_secret_variables();
        let environment = self.node.environment();
        let answers = questions(&NodeLookups::new(environment, &self.evaluator.host_of_lookups()));
        (answers, self.evaluator.take_logs())
    }
}

#[cfg(test)]
mod tests {
    use hierarch_hiera::Query;
    use hierarch_hiera::eyaml::HIDDEN;
    use hierarch_pcore::Value;

    use crate::testing::site_of;

    /// Compiles a class that makes variables of a secret, and returns what may be shown of a text that has one of them in it.
    fn shown(text: &str, may_show_secrets: bool) -> Value {
        let data = format!(
            "app::pw: CANARYAA\nlookup_options: {{app::pw: {{convert_to: Sensitive}}}}\ntext: \"{text}\"\n"
        );
        let class = "class app(Sensitive[String] $pw) { $up = $pw.unwrap.downcase $two = $up[0, 2] $port = 80 $in = {a => $up} }";
        let site = site_of(&data, class, may_show_secrets);
        let node = site.node("a").expect("it is known");
        let manifests = node.environment().manifests().expect("they are there");
        let mut compilation = node.compile_from(&manifests);
        let query = Query::new(["text"]);
        let ask = |lookups: &super::NodeLookups| lookups.session().trace(&query).expect("it is there");
        let traced = compilation.asking(ask).0;
        node.environment().shown(&traced)
    }

    #[test]
    fn what_manifests_made_of_secrets_is_not_shown_in_data() {
        for text in ["%{app::up}", "x %{app::up} y", "%{app::two}", "%{scope('app::up')}", "%{app::in.a}"] {
            assert_eq!(shown(text, false), Value::from(HIDDEN), "{text}");
        }
        assert_eq!(shown("%{app::port} %{facts.role}", false), Value::from("80 web"));
        assert_eq!(shown("%{app::up}", true), Value::from("canaryaa"));
    }
}
