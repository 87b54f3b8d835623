//! Calls, their arguments and blocks.

use std::sync::Arc;

use ruby_prism::{ArgumentsNode, CallNode, Node as Prism};

use super::super::tree::{Arguments, Block, BlockArgument, Call, Expression, Kind, Parameters, Shortcut};
use super::{Lowered, Lowering, sym, text_of};
use crate::value::{Sym, names};

impl Lowering {
    /// Lowers calls and what looks like one.
    pub(super) fn call_like(&mut self, node: &Prism<'_>) -> Lowered<Option<Kind>> {
        if let Some(node) = node.as_call_node() {
            return self.call(&node).map(Some);
        }
        if let Some(node) = node.as_super_node() {
            let (arguments, block) = self.arguments_and_block(node.arguments(), node.block())?;
            return Ok(Some(Kind::Super { arguments: Some(arguments), block }));
        }
        if let Some(node) = node.as_forwarding_super_node() {
            let block = match node.block() {
                Some(block) => self.block_argument(Some(block.as_node()))?,
                None => BlockArgument::None,
            };
            return Ok(Some(Kind::Super { arguments: None, block }));
        }
        if let Some(node) = node.as_yield_node() {
            return Ok(Some(Kind::Yield(self.arguments(node.arguments())?)));
        }
        if let Some(node) = node.as_lambda_node() {
            self.enter(&node.locals());
            let line = u32::try_from(node.location().start_line()).unwrap_or(1);
            let block = self.block_inside(node.parameters(), node.body(), line)?;
            return Ok(Some(Kind::Lambda(Arc::new(block))));
        }
        if let Some(node) = node.as_splat_node() {
            let inner = match node.expression() {
                Some(inner) => self.node(&inner)?,
                None => self.anonymous(names::STAR, &node.as_node()),
            };
            return Ok(Some(Kind::Splat(Box::new(inner))));
        }
        if let Some(node) = node.as_match_write_node() {
            return self.match_write(&node).map(Some);
        }
        Ok(None)
    }

    fn match_write(&mut self, node: &ruby_prism::MatchWriteNode<'_>) -> Lowered<Kind> {
        let call = Box::new(self.node(&node.call().as_node())?);
        let mut targets = Vec::new();
        for target in &node.targets() {
            if let Some(target) = target.as_local_variable_target_node() {
                let name = text_of(target.name().as_slice());
                targets.push((name.as_str().into(), self.slot(Sym::of(&name), target.depth())));
            }
        }
        Ok(Kind::MatchWrite { call, targets })
    }

    fn call(&mut self, node: &CallNode<'_>) -> Lowered<Kind> {
        let name = sym(&node.name());
        if name == names::NOT
            && node.arguments().is_none()
            && let Some(receiver) = node.receiver()
        {
            return Ok(Kind::Not(self.boxed(&receiver)?));
        }
        let receiver = node.receiver().map(|receiver| self.node(&receiver)).transpose()?;
        let (arguments, block) = self.arguments_and_block(node.arguments(), node.block())?;
        let is_alone = arguments.items.is_empty() && matches!(block, BlockArgument::None);
        let name = match &receiver {
            Some(list) if is_alone && is_made_anew(list) => extreme_of_literal(name),
            _ => name,
        };
        let shortcut = Shortcut::of(receiver.as_ref(), name, &arguments, &block);
        Ok(Kind::Call(Box::new(Call {
            shortcut,
            receiver,
            name,
            arguments,
            block,
            is_safe: node.is_safe_navigation(),
            is_bare: node.is_variable_call(),
            is_assignment: node.is_attribute_write(),
        })))
    }

    /// Lowers a receiver that may be left out.
    pub(super) fn receiver(&mut self, node: Option<Prism<'_>>) -> Lowered {
        match node {
            Some(node) => self.node(&node),
            None => Ok(Expression::new(0, Kind::Myself)),
        }
    }

    fn arguments_and_block(
        &mut self,
        arguments: Option<ArgumentsNode<'_>>,
        block: Option<Prism<'_>>,
    ) -> Lowered<(Arguments, BlockArgument)> {
        let forwards = arguments.as_ref().is_some_and(ruby_prism::ArgumentsNode::is_contains_forwarding);
        let arguments = self.arguments(arguments)?;
        let block = if forwards && block.is_none() {
            let slot = self.slot(names::AMP, 0);
            BlockArgument::Pass(Box::new(Expression::new(0, Kind::Local(slot))))
        } else {
            self.block_argument(block)?
        };
        Ok((arguments, block))
    }

    fn block_argument(&mut self, block: Option<Prism<'_>>) -> Lowered<BlockArgument> {
        let Some(block) = block else { return Ok(BlockArgument::None) };
        if let Some(literal) = block.as_block_node() {
            self.enter(&literal.locals());
            let line = u32::try_from(literal.location().start_line()).unwrap_or(1);
            return Ok(BlockArgument::Literal(Arc::new(self.block_inside(
                literal.parameters(),
                literal.body(),
                line,
            )?)));
        }
        let passed = match block.as_block_argument_node().and_then(|argument| argument.expression()) {
            Some(expression) => self.node(&expression)?,
            None => self.anonymous(names::AMP, &block),
        };
        Ok(BlockArgument::Pass(Box::new(passed)))
    }

    /// Lowers a block whose scope was entered.
    fn block_inside(
        &mut self,
        parameters: Option<Prism<'_>>,
        body: Option<Prism<'_>>,
        line: u32,
    ) -> Lowered<Block> {
        let has_parameters = parameters.is_some();
        let parameters = self.block_parameters(parameters)?;
        let body = self.or_nil(body)?;
        let locals = self.leave();
        Ok(Block { parameters, has_parameters, body, locals, line })
    }

    fn block_parameters(&mut self, node: Option<Prism<'_>>) -> Lowered<Parameters> {
        let Some(node) = node else { return Ok(Parameters { is_simple: true, ..Parameters::default() }) };
        if let Some(numbered) = node.as_numbered_parameters_node() {
            return Ok(self.numbered_parameters(numbered.maximum()));
        }
        let parameters = node.as_block_parameters_node().and_then(|node| node.parameters());
        match parameters {
            Some(parameters) => self.parameters(&parameters),
            None => Ok(Parameters { is_simple: true, ..Parameters::default() }),
        }
    }

    fn numbered_parameters(&mut self, maximum: u8) -> Parameters {
        let required = (1..=maximum).map(|number| {
            let name = Sym::of(&format!("_{number}"));
            super::super::tree::Parameter::Plain(name, self.own_slot(name))
        });
        Parameters {
            required: required.collect(),
            is_simple: true,
            numbered: maximum,
            ..Parameters::default()
        }
    }

    /// Lowers arguments.
    pub(super) fn arguments(&mut self, node: Option<ArgumentsNode<'_>>) -> Lowered<Arguments> {
        let mut arguments = Arguments::default();
        let Some(node) = node else { return Ok(arguments) };
        for argument in &node.arguments() {
            if let Some(keywords) = argument.as_keyword_hash_node() {
                arguments.keywords.extend(self.pairs(&keywords.elements())?);
            } else if argument.as_forwarding_arguments_node().is_some() {
                let rest = self.anonymous(names::STAR, &argument);
                arguments.items.push(Expression::new(rest.line, Kind::Splat(Box::new(rest))));
                let keywords = self.anonymous(names::STARSTAR, &argument);
                arguments.keywords.push((None, keywords));
            } else {
                arguments.items.push(self.node(&argument)?);
            }
        }
        arguments.has_splat = arguments.items.iter().any(|item| matches!(item.kind, Kind::Splat(_)));
        Ok(arguments)
    }
}

/// Ruby takes the extreme of a literal list without calling the list's own method, and compares the other way round.
fn extreme_of_literal(name: Sym) -> Sym {
    match name.text() {
        "max" => Sym::of("max of a literal"),
        "min" => Sym::of("min of a literal"),
        _ => name,
    }
}

/// Tells whether a literal list is put together each time: one of fixed values alone is copied.
fn is_made_anew(list: &Expression) -> bool {
    let Kind::Array(items) = &list.kind else { return false };
    let is_splat = |item: &Expression| matches!(item.kind, Kind::Splat(_));
    !items.iter().any(is_splat) && !items.iter().all(is_fixed)
}

fn is_fixed(node: &Expression) -> bool {
    match &node.kind {
        Kind::Nil | Kind::True | Kind::False | Kind::Integer(_) | Kind::Big(_) | Kind::Float(_) => true,
        Kind::Symbol(_) | Kind::Regexp { .. } | Kind::Rational(_) => true,
        Kind::Array(items) => items.iter().all(is_fixed),
        Kind::Range { from, to, .. } => [from, to].into_iter().flatten().all(|end| is_fixed(end)),
        _ => false,
    }
}
