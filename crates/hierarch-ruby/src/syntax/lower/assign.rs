//! Assignments of all kinds.

use ruby_prism::{MultiTargetNode, Node as Prism, NodeList};

use super::super::tree::{Kind, Multiple, Operator, Target, Update};
use super::{Lowered, Lowering, sym};

/// Lowers `x = v`, `x ||= v`, `x &&= v` and `x += v` of one kind of variable that is known by its name alone.
macro_rules! writes {
    ($self:ident, $node:ident, $write:ident, $or:ident, $and:ident, $operator:ident, $target:ident) => {
        if let Some(node) = $node.$write() {
            let target = Target::$target(sym(&node.name()));
            return Ok(Some(Kind::Assign(Box::new(target), $self.boxed(&node.value())?)));
        }
        if let Some(node) = $node.$or() {
            return $self.update(Target::$target(sym(&node.name())), Operator::Or, &node.value());
        }
        if let Some(node) = $node.$and() {
            return $self.update(Target::$target(sym(&node.name())), Operator::And, &node.value());
        }
        if let Some(node) = $node.$operator() {
            let operator = Operator::Method(sym(&node.binary_operator()));
            return $self.update(Target::$target(sym(&node.name())), operator, &node.value());
        }
    };
}

impl Lowering {
    fn update(&mut self, target: Target, operator: Operator, value: &Prism<'_>) -> Lowered<Option<Kind>> {
        let value = self.node(value)?;
        Ok(Some(Kind::Update(Box::new(Update { target, operator, value }))))
    }

    /// Lowers an assignment.
    pub(super) fn assignment(&mut self, node: &Prism<'_>) -> Lowered<Option<Kind>> {
        match self.local_assignment(node)? {
            None => self.named_assignment(node),
            kind => Ok(kind),
        }
    }

    fn local_assignment(&mut self, node: &Prism<'_>) -> Lowered<Option<Kind>> {
        if let Some(node) = node.as_local_variable_write_node() {
            let target = Target::Local(self.slot(sym(&node.name()), node.depth()));
            return Ok(Some(Kind::Assign(Box::new(target), self.boxed(&node.value())?)));
        }
        if let Some(node) = node.as_local_variable_or_write_node() {
            let target = Target::Local(self.slot(sym(&node.name()), node.depth()));
            return self.update(target, Operator::Or, &node.value());
        }
        if let Some(node) = node.as_local_variable_and_write_node() {
            let target = Target::Local(self.slot(sym(&node.name()), node.depth()));
            return self.update(target, Operator::And, &node.value());
        }
        if let Some(node) = node.as_local_variable_operator_write_node() {
            let target = Target::Local(self.slot(sym(&node.name()), node.depth()));
            return self.update(target, Operator::Method(sym(&node.binary_operator())), &node.value());
        }
        Ok(None)
    }

    fn named_assignment(&mut self, node: &Prism<'_>) -> Lowered<Option<Kind>> {
        writes!(
            self,
            node,
            as_instance_variable_write_node,
            as_instance_variable_or_write_node,
            as_instance_variable_and_write_node,
            as_instance_variable_operator_write_node,
            Instance
        );
        writes!(
            self,
            node,
            as_global_variable_write_node,
            as_global_variable_or_write_node,
            as_global_variable_and_write_node,
            as_global_variable_operator_write_node,
            Global
        );
        self.class_assignment(node)
    }

    fn class_assignment(&mut self, node: &Prism<'_>) -> Lowered<Option<Kind>> {
        writes!(
            self,
            node,
            as_class_variable_write_node,
            as_class_variable_or_write_node,
            as_class_variable_and_write_node,
            as_class_variable_operator_write_node,
            ClassVariable
        );
        writes!(
            self,
            node,
            as_constant_write_node,
            as_constant_or_write_node,
            as_constant_and_write_node,
            as_constant_operator_write_node,
            Constant
        );
        self.other_assignment(node)
    }

    fn other_assignment(&mut self, node: &Prism<'_>) -> Lowered<Option<Kind>> {
        if let Some(node) = node.as_multi_write_node() {
            let multiple = self.multiple(&node.lefts(), node.rest().as_ref(), &node.rights())?;
            return Ok(Some(Kind::MultipleAssign(Box::new(multiple), self.boxed(&node.value())?)));
        }
        if let Some(node) = node.as_constant_path_write_node() {
            let target = self.target(&node.target().as_node())?;
            return Ok(Some(Kind::Assign(Box::new(target), self.boxed(&node.value())?)));
        }
        if let Some(node) = node.as_constant_path_or_write_node() {
            let target = self.target(&node.target().as_node())?;
            return self.update(target, Operator::Or, &node.value());
        }
        self.call_update(node)
    }

    fn call_update(&mut self, node: &Prism<'_>) -> Lowered<Option<Kind>> {
        macro_rules! attribute {
            ($as:ident, $operator:expr) => {
                if let Some(node) = node.$as() {
                    let receiver = self.receiver(node.receiver())?;
                    let (name, safe) = (sym(&node.read_name()), node.is_safe_navigation());
                    let operator = $operator(&node);
                    return self.update(Target::Attribute { receiver, name, safe }, operator, &node.value());
                }
            };
        }
        macro_rules! index {
            ($as:ident, $operator:expr) => {
                if let Some(node) = node.$as() {
                    let receiver = self.receiver(node.receiver())?;
                    let arguments = self.arguments(node.arguments())?;
                    let operator = $operator(&node);
                    return self.update(Target::Index { receiver, arguments }, operator, &node.value());
                }
            };
        }
        attribute!(as_call_or_write_node, |_: &_| Operator::Or);
        attribute!(as_call_and_write_node, |_: &_| Operator::And);
        attribute!(as_call_operator_write_node, |node: &ruby_prism::CallOperatorWriteNode<'_>| {
            Operator::Method(sym(&node.binary_operator()))
        });
        index!(as_index_or_write_node, |_: &_| Operator::Or);
        index!(as_index_and_write_node, |_: &_| Operator::And);
        index!(as_index_operator_write_node, |node: &ruby_prism::IndexOperatorWriteNode<'_>| {
            Operator::Method(sym(&node.binary_operator()))
        });
        Ok(None)
    }

    /// Lowers the left side of `a, (b, *c) = …`.
    pub(super) fn multiple(
        &mut self,
        lefts: &NodeList<'_>,
        rest: Option<&Prism<'_>>,
        rights: &NodeList<'_>,
    ) -> Lowered<Multiple> {
        let lefts = lefts.iter().map(|node| self.target(&node)).collect::<Lowered<Vec<_>>>()?;
        let rest = match rest {
            None => None,
            Some(node) => match node.as_splat_node().and_then(|splat| splat.expression()) {
                Some(inner) => Some(Some(Box::new(self.target(&inner)?))),
                None => Some(None),
            },
        };
        let rights = rights.iter().map(|node| self.target(&node)).collect::<Lowered<Vec<_>>>()?;
        Ok(Multiple { lefts, rest, rights })
    }

    /// Lowers a target that is a list.
    pub(super) fn multiple_target(&mut self, node: &MultiTargetNode<'_>) -> Lowered<Multiple> {
        self.multiple(&node.lefts(), node.rest().as_ref(), &node.rights())
    }

    /// Lowers what is assigned to without a value beside it.
    pub(super) fn target(&mut self, node: &Prism<'_>) -> Lowered<Target> {
        if let Some(node) = node.as_local_variable_target_node() {
            return Ok(Target::Local(self.slot(sym(&node.name()), node.depth())));
        }
        if let Some(node) = node.as_instance_variable_target_node() {
            return Ok(Target::Instance(sym(&node.name())));
        }
        if let Some(node) = node.as_global_variable_target_node() {
            return Ok(Target::Global(sym(&node.name())));
        }
        if let Some(node) = node.as_class_variable_target_node() {
            return Ok(Target::ClassVariable(sym(&node.name())));
        }
        if let Some(node) = node.as_constant_target_node() {
            return Ok(Target::Constant(sym(&node.name())));
        }
        if let Some(node) = node.as_required_parameter_node() {
            let slot = self.slot(sym(&node.name()), 0);
            return Ok(Target::Local(slot));
        }
        if let Some(node) = node.as_multi_target_node() {
            return Ok(Target::Multiple(self.multiple_target(&node)?));
        }
        self.call_target(node)
    }

    fn call_target(&mut self, node: &Prism<'_>) -> Lowered<Target> {
        if let Some(node) = node.as_call_target_node() {
            let receiver = self.node(&node.receiver())?;
            let name = text_without_equals(sym(&node.name()));
            return Ok(Target::Attribute { receiver, name, safe: node.is_safe_navigation() });
        }
        if let Some(node) = node.as_index_target_node() {
            let receiver = self.node(&node.receiver())?;
            return Ok(Target::Index { receiver, arguments: self.arguments(node.arguments())? });
        }
        if let Some(node) = node.as_splat_node() {
            let inner = node.expression().map(|inner| self.target(&inner)).transpose()?;
            return Ok(Target::Splat(inner.map(Box::new)));
        }
        if let Some(node) = node.as_constant_path_target_node() {
            let scope = node.parent().map(|scope| self.node(&scope)).transpose()?;
            return Ok(node
                .name()
                .map_or(Target::Unsupported("constant"), |name| Target::ConstantIn(scope, sym(&name))));
        }
        if let Some(node) = node.as_constant_path_node() {
            let scope = node.parent().map(|scope| self.node(&scope)).transpose()?;
            return Ok(node
                .name()
                .map_or(Target::Unsupported("constant"), |name| Target::ConstantIn(scope, sym(&name))));
        }
        Ok(Target::Unsupported("assignment"))
    }
}

/// A target of a call is named by its writer; we keep the reader's name.
fn text_without_equals(name: crate::value::Sym) -> crate::value::Sym {
    let text = name.text();
    crate::value::Sym::of(text.strip_suffix('=').unwrap_or(text))
}
