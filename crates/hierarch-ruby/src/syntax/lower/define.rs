//! Definitions of methods, classes and modules, and their parameters.

use std::sync::Arc;

use ruby_prism::{DefNode, Node as Prism, ParametersNode};

use super::super::tree::{Body, Define, Expression, Keyword, Kind, Parameter, Parameters};
use super::{Lowered, Lowering, sym};
use crate::value::{Sym, names};

impl Lowering {
    /// Lowers a definition.
    pub(super) fn definition(&mut self, node: &Prism<'_>) -> Lowered<Option<Kind>> {
        if let Some(node) = node.as_def_node() {
            return self.def(&node).map(Some);
        }
        if let Some(node) = node.as_class_node() {
            let path = self.boxed(&node.constant_path())?;
            let superclass = self.optional(node.superclass().as_ref())?;
            self.enter(&node.locals());
            let body = self.class_body(node.body())?;
            return Ok(Some(Kind::Class { path, superclass, body }));
        }
        if let Some(node) = node.as_module_node() {
            let path = self.boxed(&node.constant_path())?;
            self.enter(&node.locals());
            let body = self.class_body(node.body())?;
            return Ok(Some(Kind::Module { path, body }));
        }
        if let Some(node) = node.as_singleton_class_node() {
            let of = self.boxed(&node.expression())?;
            self.enter(&node.locals());
            let body = self.class_body(node.body())?;
            return Ok(Some(Kind::Singleton { of, body }));
        }
        self.renaming(node)
    }

    fn renaming(&mut self, node: &Prism<'_>) -> Lowered<Option<Kind>> {
        if let Some(node) = node.as_alias_method_node() {
            return Ok(Some(Kind::Alias(self.boxed(&node.new_name())?, self.boxed(&node.old_name())?)));
        }
        if let Some(node) = node.as_alias_global_variable_node() {
            let names = (
                node.new_name().as_global_variable_read_node(),
                node.old_name().as_global_variable_read_node(),
            );
            return Ok(match names {
                (Some(new), Some(old)) => Some(Kind::AliasGlobal(sym(&new.name()), sym(&old.name()))),
                _ => None,
            });
        }
        if let Some(node) = node.as_undef_node() {
            return Ok(Some(Kind::Undefine(self.list(&node.names())?)));
        }
        Ok(None)
    }

    fn class_body(&mut self, body: Option<Prism<'_>>) -> Lowered<Arc<Body>> {
        let body = self.or_nil(body)?;
        let locals = self.leave();
        Ok(Arc::new(Body { body, locals }))
    }

    fn def(&mut self, node: &DefNode<'_>) -> Lowered<Kind> {
        let on = node.receiver().map(|receiver| self.node(&receiver)).transpose()?;
        self.enter(&node.locals());
        let parameters = match node.parameters() {
            Some(parameters) => self.parameters(&parameters)?,
            None => Parameters { is_simple: true, ..Parameters::default() },
        };
        let body = self.or_nil(node.body())?;
        let locals = self.leave();
        let line = u32::try_from(node.location().start_line()).unwrap_or(1);
        self.defined.push((sym(&node.name()), node.name_loc().start_column()));
        Ok(Kind::Define(Arc::new(Define { name: sym(&node.name()), on, parameters, body, locals, line })))
    }

    /// Lowers parameters whose scope was entered.
    pub(super) fn parameters(&mut self, node: &ParametersNode<'_>) -> Lowered<Parameters> {
        let mut parameters = Parameters::default();
        for required in &node.requireds() {
            parameters.required.push(self.parameter(&required)?);
        }
        for optional in &node.optionals() {
            if let Some(optional) = optional.as_optional_parameter_node() {
                let name = sym(&optional.name());
                let slot = self.own_slot(name);
                parameters.optional.push((name, slot, self.node(&optional.value())?));
            }
        }
        self.rest(node, &mut parameters);
        for post in &node.posts() {
            parameters.post.push(self.parameter(&post)?);
        }
        self.keywords(node, &mut parameters)?;
        if let Some(block) = node.block().and_then(|block| block.as_block_parameter_node()) {
            let name = block.name().map(|name| sym(&name));
            parameters.block = Some((name, self.own_slot(name.unwrap_or(names::AMP))));
        }
        parameters.is_simple = is_simple(&parameters);
        Ok(parameters)
    }

    fn parameter(&mut self, node: &Prism<'_>) -> Lowered<Parameter> {
        if let Some(node) = node.as_required_parameter_node() {
            let name = sym(&node.name());
            return Ok(Parameter::Plain(name, self.own_slot(name)));
        }
        match node.as_multi_target_node() {
            Some(node) => Ok(Parameter::Destructured(self.multiple_target(&node)?)),
            None => Ok(Parameter::Plain(names::STAR, self.own_slot(names::STAR))),
        }
    }

    fn rest(&mut self, node: &ParametersNode<'_>, parameters: &mut Parameters) {
        let Some(rest) = node.rest() else { return };
        if rest.as_implicit_rest_node().is_some() {
            parameters.has_excess_comma = true;
            return;
        }
        if let Some(rest) = rest.as_rest_parameter_node() {
            let name = rest.name().map(|name| sym(&name));
            parameters.rest = Some((name, self.own_slot(name.unwrap_or(names::STAR))));
        }
    }

    fn keywords(&mut self, node: &ParametersNode<'_>, parameters: &mut Parameters) -> Lowered<()> {
        for keyword in &node.keywords() {
            if let Some(keyword) = keyword.as_required_keyword_parameter_node() {
                let name = sym(&keyword.name());
                parameters.keywords.push(Keyword { name, slot: self.own_slot(name), default: None });
            } else if let Some(keyword) = keyword.as_optional_keyword_parameter_node() {
                let name = sym(&keyword.name());
                let slot = self.own_slot(name);
                let default: Option<Expression> = Some(self.node(&keyword.value())?);
                parameters.keywords.push(Keyword { name, slot, default });
            }
        }
        let Some(rest) = node.keyword_rest() else { return Ok(()) };
        if rest.as_forwarding_parameter_node().is_some() {
            parameters.rest = Some((None, self.own_slot(names::STAR)));
            parameters.keyword_rest = Some((None, self.own_slot(names::STARSTAR)));
            parameters.block = Some((None, self.own_slot(names::AMP)));
        } else if rest.as_no_keywords_parameter_node().is_some() {
            parameters.no_keywords = true;
        } else if let Some(rest) = rest.as_keyword_rest_parameter_node() {
            let name: Option<Sym> = rest.name().map(|name| sym(&name));
            parameters.keyword_rest = Some((name, self.own_slot(name.unwrap_or(names::STARSTAR))));
        }
        Ok(())
    }
}

fn is_simple(parameters: &Parameters) -> bool {
    parameters.optional.is_empty()
        && parameters.rest.is_none()
        && parameters.post.is_empty()
        && !parameters.has_keywords()
        && !parameters.no_keywords
        && parameters.block.is_none()
        && !parameters.has_excess_comma
        && parameters.required.iter().all(|parameter| matches!(parameter, Parameter::Plain(..)))
}
