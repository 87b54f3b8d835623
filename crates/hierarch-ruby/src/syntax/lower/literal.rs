//! Literals of all kinds.

use std::sync::Arc;

use ecow::EcoString;
use num_bigint::{BigInt, Sign};
use ruby_prism::{Integer, Node as Prism, NodeList};

use super::super::tree::{Expression, Kind, Pair};
use super::{Lowered, Lowering, sym, text_of};
use crate::value::Sym;

/// Ruby's numbers of the options `i`, `x` and `m`.
const OPTIONS: [u8; 3] = [1, 2, 4];

impl Lowering {
    /// Lowers a literal.
    pub(super) fn literal(&mut self, node: &Prism<'_>) -> Lowered<Option<Kind>> {
        Ok(Some(match node {
            Prism::NilNode { .. } => Kind::Nil,
            Prism::TrueNode { .. } => Kind::True,
            Prism::FalseNode { .. } => Kind::False,
            Prism::SelfNode { .. } => Kind::Myself,
            Prism::SourceFileNode { .. } => Kind::File,
            Prism::SourceLineNode { .. } => Kind::Integer(node.location().start_line().into()),
            _ => return self.longer_literal(node),
        }))
    }

    fn longer_literal(&mut self, node: &Prism<'_>) -> Lowered<Option<Kind>> {
        if let Some(node) = node.as_integer_node() {
            return Ok(Some(integer(&node.value())));
        }
        if let Some(node) = node.as_float_node() {
            return Ok(Some(Kind::Float(node.value())));
        }
        if let Some(node) = node.as_rational_node() {
            let parts = (big(&node.numerator()), big(&node.denominator()));
            return Ok(Some(Kind::Rational(Arc::new(parts))));
        }
        if let Some(node) = node.as_string_node() {
            return Ok(Some(text(node.unescaped(), node.is_frozen() || self.is_frozen)));
        }
        if let Some(node) = node.as_symbol_node() {
            return Ok(Some(Kind::Symbol(Sym::of(&text_of(node.unescaped())))));
        }
        if let Some(node) = node.as_array_node() {
            return Ok(Some(Kind::Array(self.list(&node.elements())?)));
        }
        if let Some(node) = node.as_hash_node() {
            return Ok(Some(Kind::Hash(self.pairs(&node.elements())?)));
        }
        if let Some(node) = node.as_keyword_hash_node() {
            return Ok(Some(Kind::Hash(self.pairs(&node.elements())?)));
        }
        if let Some(node) = node.as_range_node() {
            let (from, to) = (self.optional(node.left().as_ref())?, self.optional(node.right().as_ref())?);
            return Ok(Some(Kind::Range { from, to, exclusive: node.is_exclude_end() }));
        }
        self.interpolated(node)
    }

    fn interpolated(&mut self, node: &Prism<'_>) -> Lowered<Option<Kind>> {
        if let Some(node) = node.as_interpolated_string_node() {
            return Ok(Some(Kind::Interpolated(self.parts(&node.parts())?)));
        }
        if let Some(node) = node.as_interpolated_symbol_node() {
            return Ok(Some(Kind::InterpolatedSymbol(self.parts(&node.parts())?)));
        }
        if let Some(node) = node.as_regular_expression_node() {
            let chosen = [node.is_ignore_case(), node.is_extended(), node.is_multi_line()];
            let source = EcoString::from(text_of(node.unescaped()));
            return Ok(Some(Kind::Regexp { source, options: options(chosen) }));
        }
        if let Some(node) = node.as_interpolated_regular_expression_node() {
            let chosen = [node.is_ignore_case(), node.is_extended(), node.is_multi_line()];
            let parts = self.parts(&node.parts())?;
            return Ok(Some(Kind::InterpolatedRegexp { parts, options: options(chosen) }));
        }
        if let Some(node) = node.as_embedded_statements_node() {
            return Ok(Some(self.statements(node.statements())?.kind));
        }
        if let Some(node) = node.as_embedded_variable_node() {
            return Ok(Some(self.node(&node.variable())?.kind));
        }
        if let Some(node) = node.as_implicit_node() {
            return Ok(Some(self.node(&node.value())?.kind));
        }
        Ok(None)
    }

    fn parts(&mut self, parts: &NodeList<'_>) -> Lowered<Vec<Expression>> {
        let mut nodes = Vec::new();
        for part in parts {
            // `"a" "b#{c}"`: a text in a text is taken apart.
            match part.as_interpolated_string_node() {
                Some(inner) => nodes.extend(self.parts(&inner.parts())?),
                None => nodes.push(self.node(&part)?),
            }
        }
        Ok(nodes)
    }

    /// Lowers keys and values.
    pub(super) fn pairs(&mut self, list: &NodeList<'_>) -> Lowered<Vec<Pair>> {
        let mut pairs = Vec::new();
        for node in list {
            if let Some(pair) = node.as_assoc_node() {
                pairs.push((Some(self.node(&pair.key())?), self.node(&pair.value())?));
            } else if let Some(spread) = node.as_assoc_splat_node() {
                // Behind a key the entries of a literal are as if they stood there themselves.
                let is_behind_key = pairs.first().is_some_and(|(key, _): &Pair| key.is_some());
                if let Some(literal) = spread.value().and_then(|value| value.as_hash_node())
                    && is_behind_key
                {
                    pairs.extend(self.pairs(&literal.elements())?);
                    continue;
                }
                let value = match spread.value() {
                    Some(value) => self.node(&value)?,
                    None => self.anonymous(crate::value::names::STARSTAR, &node),
                };
                pairs.push((None, value));
            }
        }
        Ok(without_repeated(pairs))
    }

    /// Returns what a bare `*`, `**` or `&` hands on.
    pub(super) fn anonymous(&mut self, name: Sym, node: &Prism<'_>) -> Expression {
        let line = u32::try_from(node.location().start_line()).unwrap_or(1);
        let slot = self.slot(name, 0);
        Expression::new(line, Kind::Local(slot))
    }

    /// Lowers the reading of a variable.
    pub(super) fn variable(&mut self, node: &Prism<'_>) -> Lowered<Option<Kind>> {
        if let Some(node) = node.as_local_variable_read_node() {
            return Ok(Some(Kind::Local(self.slot(sym(&node.name()), node.depth()))));
        }
        if let Some(node) = node.as_instance_variable_read_node() {
            return Ok(Some(Kind::Instance(sym(&node.name()))));
        }
        if let Some(node) = node.as_global_variable_read_node() {
            return Ok(Some(Kind::Global(sym(&node.name()))));
        }
        if let Some(node) = node.as_class_variable_read_node() {
            return Ok(Some(Kind::ClassVariable(sym(&node.name()))));
        }
        if let Some(node) = node.as_constant_read_node() {
            return Ok(Some(Kind::Constant(sym(&node.name()))));
        }
        if let Some(node) = node.as_constant_path_node() {
            let scope = self.optional(node.parent().as_ref())?;
            return Ok(node.name().map(|name| Kind::ConstantIn(scope, sym(&name))));
        }
        if let Some(node) = node.as_numbered_reference_read_node() {
            return Ok(Some(Kind::GroupReference(node.number())));
        }
        if let Some(node) = node.as_back_reference_read_node() {
            let name = text_of(node.name().as_slice());
            return Ok(Some(Kind::MatchReference(name.chars().nth(1).unwrap_or('&'))));
        }
        self.assignment(node)
    }
}

fn options(chosen: [bool; 3]) -> u8 {
    OPTIONS.iter().zip(chosen).filter(|(_, chosen)| *chosen).map(|(option, _)| option).sum()
}

fn text(bytes: &[u8], frozen: bool) -> Kind {
    match std::str::from_utf8(bytes) {
        Ok(text) => Kind::Text { text: text.into(), frozen },
        Err(_) => Kind::Bytes(bytes.into()),
    }
}

/// Leaves out keys that are written again later, as Ruby's parser does: the later one counts, at its own place. What
/// stood at the earlier one is still evaluated, before what follows.
fn without_repeated(pairs: Vec<Pair>) -> Vec<Pair> {
    let keys: Vec<Option<String>> = pairs.iter().map(|(key, _)| key.as_ref().and_then(literal_key)).collect();
    let mut last = rustc_hash::FxHashMap::default();
    for (place, key) in keys.iter().enumerate() {
        if let Some(key) = key {
            last.insert(key.as_str(), place);
        }
    }
    let is_repeated = |place: usize| keys[place].as_ref().is_some_and(|key| last[key.as_str()] != place);
    let mut kept = Vec::with_capacity(pairs.len());
    let mut before: Vec<Expression> = Vec::new();
    for (place, (key, value)) in pairs.into_iter().enumerate() {
        if is_repeated(place) {
            before.push(value);
            continue;
        }
        let first = |expression: Expression, before: &mut Vec<Expression>| {
            if before.is_empty() {
                return expression;
            }
            let line = expression.line;
            let mut all = std::mem::take(before);
            all.push(expression);
            Expression::new(line, Kind::Sequence(all))
        };
        kept.push(match key {
            Some(key) => (Some(first(key, &mut before)), value),
            None => (None, first(value, &mut before)),
        });
    }
    kept
}

/// Returns what tells a key that is written out from others.
fn literal_key(key: &Expression) -> Option<String> {
    Some(match &key.kind {
        Kind::Symbol(name) => format!(":{}", name.text()),
        Kind::Text { text, .. } => format!("\"{text}"),
        Kind::Integer(number) => format!("i{number}"),
        Kind::Big(number) => format!("b{:x}", **number),
        // The two zeros are equal keys, but not the same literal: Ruby leaves them to the hash.
        Kind::Float(number) => format!("f{:x}", number.to_bits()),
        Kind::Rational(number) => format!("r{:x}/{:x}", number.0, number.1),
        Kind::Regexp { source, options } => format!("/{options}/{source}"),
        _ => return None,
    })
}

fn big(value: &Integer<'_>) -> BigInt {
    let (negative, digits) = value.to_u32_digits();
    BigInt::from_slice(if negative { Sign::Minus } else { Sign::Plus }, digits)
}

fn integer(value: &Integer<'_>) -> Kind {
    let value = big(value);
    match i64::try_from(&value) {
        Ok(small) => Kind::Integer(small),
        Err(_) => Kind::Big(Arc::new(value)),
    }
}
