//! Patterns of `case … in`.

use ruby_prism::{HashPatternNode, Node as Prism, NodeList};

use super::super::tree::{HashRest, Pattern, Slot};
use super::{Lowered, Lowering, sym, text_of};
use crate::value::Sym;

impl Lowering {
    /// Lowers a pattern.
    pub(super) fn pattern(&mut self, node: &Prism<'_>) -> Lowered<Pattern> {
        if let Some(node) = node.as_local_variable_target_node() {
            return Ok(Pattern::Bind(self.slot(sym(&node.name()), node.depth())));
        }
        if let Some(node) = node.as_capture_pattern_node() {
            let target = node.target();
            let slot = self.slot(sym(&target.name()), target.depth());
            return Ok(Pattern::Capture(Box::new(self.pattern(&node.value())?), slot));
        }
        if let Some(node) = node.as_alternation_pattern_node() {
            let (left, right) = (self.pattern(&node.left())?, self.pattern(&node.right())?);
            return Ok(Pattern::Either(Box::new(left), Box::new(right)));
        }
        if let Some(node) = node.as_pinned_variable_node() {
            return Ok(Pattern::Value(self.node(&node.variable())?));
        }
        if let Some(node) = node.as_pinned_expression_node() {
            return Ok(Pattern::Value(self.node(&node.expression())?));
        }
        if let Some(node) = node.as_parentheses_node() {
            return match node.body() {
                Some(body) => self.pattern(&body),
                None => Ok(Pattern::Ignore),
            };
        }
        if let Some(node) = node.as_statements_node() {
            return match node.body().first() {
                Some(body) => self.pattern(&body),
                None => Ok(Pattern::Ignore),
            };
        }
        self.structured(node)
    }

    fn structured(&mut self, node: &Prism<'_>) -> Lowered<Pattern> {
        if let Some(node) = node.as_array_pattern_node() {
            let of = node.constant().map(|of| self.node(&of)).transpose()?;
            let before = self.patterns(&node.requireds())?;
            let rest = node.rest().map(|rest| self.splat_slot(&rest));
            return Ok(Pattern::Array { of, before, rest, after: self.patterns(&node.posts())? });
        }
        if let Some(node) = node.as_find_pattern_node() {
            let of = node.constant().map(|of| self.node(&of)).transpose()?;
            let left = self.splat_slot(&node.left().as_node());
            let middle = self.patterns(&node.requireds())?;
            let right = self.splat_slot(&node.right().as_node());
            return Ok(Pattern::Find { of, left, middle, right });
        }
        if let Some(node) = node.as_hash_pattern_node() {
            return self.hash_pattern(&node);
        }
        Ok(Pattern::Value(self.node(node)?))
    }

    fn patterns(&mut self, list: &NodeList<'_>) -> Lowered<Vec<Pattern>> {
        list.iter().map(|node| self.pattern(&node)).collect()
    }

    /// Returns where the rest goes; nothing for a bare `*`.
    fn splat_slot(&mut self, node: &Prism<'_>) -> Option<Slot> {
        let inner = node.as_splat_node()?.expression()?;
        let target = inner.as_local_variable_target_node()?;
        Some(self.slot(sym(&target.name()), target.depth()))
    }

    fn hash_pattern(&mut self, node: &HashPatternNode<'_>) -> Lowered<Pattern> {
        let of = node.constant().map(|of| self.node(&of)).transpose()?;
        let mut pairs = Vec::new();
        for element in &node.elements() {
            let Some(pair) = element.as_assoc_node() else { continue };
            let Some(key) = pair.key().as_symbol_node() else { continue };
            let name = Sym::of(&text_of(key.unescaped()));
            let value = pair.value();
            let pattern = match value.as_implicit_node() {
                Some(implicit) => self.pattern(&implicit.value())?,
                None => self.pattern(&value)?,
            };
            pairs.push((name, pattern));
        }
        Ok(Pattern::Hash { of, pairs, rest: self.hash_rest(node) })
    }

    fn hash_rest(&mut self, node: &HashPatternNode<'_>) -> HashRest {
        let Some(rest) = node.rest() else { return HashRest::Any };
        if rest.as_no_keywords_parameter_node().is_some() {
            return HashRest::None;
        }
        let target = rest.as_assoc_splat_node().and_then(|rest| rest.value());
        match target.and_then(|target| target.as_local_variable_target_node()) {
            Some(target) => HashRest::Bind(self.slot(sym(&target.name()), target.depth())),
            None => HashRest::Any,
        }
    }
}
