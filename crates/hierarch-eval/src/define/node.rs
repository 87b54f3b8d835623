//! Node definitions: which one is for the node at hand, and its captures.

use super::Definition;
use crate::code::{ClassKind, NodeMatcher};
use crate::evaluator::Evaluator;
use crate::resource::{Declaration, KindId};
use crate::scope::ScopeId;
use crate::{Result, issues};

impl Evaluator<'_> {
    /// Evaluates the definition for the node, if there are definitions for nodes.
    pub(crate) fn evaluate_node(&mut self) -> Result<()> {
        let name = self.settings.node.to_lowercase();
        let known = self.loading.known.borrow();
        if !known.has_nodes() {
            return Ok(());
        }
        let Some(definition) = known.node(&name) else {
            return Err(issues::no_node(&self.settings.node).into());
        };
        drop(known);
        let Some(node) = self.loading.definition(definition) else { return Ok(()) };
        if self.compilation.find(KindId::NODE, &node.name).is_some() {
            return Ok(());
        }
        let declaration = Declaration {
            kind: KindId::NODE,
            title: node.name.clone(),
            definition: Some(definition),
            source: definition,
            ..Declaration::new(ScopeId::TOP)
        };
        let id = self.declare(declaration)?;
        self.evaluate_resource(id)
    }

    /// Sets `$0`, `$1` and so on to what the pattern of a node definition found.
    pub(super) fn match_node(&mut self, definition: &Definition) -> Result<()> {
        if definition.kind() != ClassKind::Node {
            return Ok(());
        }
        if let Some(NodeMatcher::Pattern(pattern)) = definition.host() {
            let subject = self.settings.node.to_lowercase();
            if let Some(captures) = pattern.captures(&subject)? {
                self.matches.push(subject.into(), captures);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_catalogs;

    /// Manifests, and the resources of their catalogs in order.
    const NODES_ARE_CHOSEN_BY_NAME: &[(&str, &str)] = &[
        ("node default { notify { 'd': } }", "Node[default]; Notify[d]"),
        (
            "node 'case.example.com' { notify { 'n': } } node default { notify { 'd': } }",
            "Node[case.example.com]; Notify[n]",
        ),
        (
            "node /example/ { notify { 'r': } } node default { notify { 'd': } }",
            "Node[__node_regexp__example]; Notify[r]",
        ),
        ("node 'case' { notify { 'short': } } node default { notify { 'd': } }", "Node[default]; Notify[d]"),
        ("node 'CASE.example.com' { notify { 'n': } }", "Node[case.example.com]; Notify[n]"),
        (
            "node 'other' { notify { 'o': } }",
            "fails: Could not find node statement with name 'default' or 'case.example.com'",
        ),
        ("node 'a', 'case.example.com' { notify { 'n': } }", "Node[case.example.com]; Notify[n]"),
        (
            "node /nope/ { notify { 'r': } } node /case/ { notify { 's': } }",
            "Node[__node_regexp__case]; Notify[s]",
        ),
        (
            "node /^c/ { notify { 'r': } } node 'case.example.com' { notify { 'n': } }",
            "Node[case.example.com]; Notify[n]",
        ),
        ("node default { $x = 1 } notify { 'top': }", "Notify[top]; Node[default]"),
        ("node case.example.com { notify { 'n': } }", "fails: Syntax error at 'case' (line: 1, column: 6)"),
        (
            "node default { class { 'c': } } class c { notify { 'in': } }",
            "Node[default]; Class[C]; Notify[in]",
        ),
    ];

    #[test]
    fn nodes_are_chosen_by_name() {
        check_catalogs(NODES_ARE_CHOSEN_BY_NAME);
    }
}
