//! Evaluation of a node: each kind has its function, and this is where they part.

use std::fmt::Write;
use std::sync::Arc;

use hierarch_pcore::value::Array;
use hierarch_pcore::value::number::push_integer;
use hierarch_pcore::{Hash, Str, Type, Value};

use crate::code::{Fragment, Id, Instruction, Item};
use crate::evaluator::{Evaluated, Evaluator};
use crate::iterate::Items;
use crate::scope::Frame;
use crate::{Result, Unwind, issues, syntax_check};

impl Evaluator<'_> {
    /// Evaluates a node. An error that has no place yet becomes this node's.
    #[inline]
    pub(crate) fn eval(&mut self, frame: &Frame, id: Id) -> Evaluated {
        match frame.code.node(id) {
            Instruction::Literal(value) => Ok(value.clone()),
            Instruction::Global(name) => match self.stack.global(*name) {
                Some(value) => Ok(value.clone()),
                None => self.eval_blamed(frame, id),
            },
            Instruction::Parameter { depth: 0, slot } => match self.stack.slot(frame, *slot as usize) {
                Some(value) => Ok(value.clone()),
                None => self.eval_blamed(frame, id),
            },
            _ => self.eval_blamed(frame, id),
        }
    }

    fn eval_blamed(&mut self, frame: &Frame, id: Id) -> Evaluated {
        match self.eval_node(frame, id) {
            Ok(value) => Ok(value),
            Err(unwind) => Err(self.hint_operands(frame, id, blame(frame, id, unwind))),
        }
    }

    fn eval_node(&mut self, frame: &Frame, id: Id) -> Evaluated {
        match frame.code.node(id) {
            Instruction::Nothing => Ok(Value::Undef),
            Instruction::Literal(value) => Ok(value.clone()),
            Instruction::Parameter { depth, slot } => self.stack.parameter(frame, *depth, *slot),
            Instruction::LastRead { slot } => self.stack.last_read(frame, *slot),
            Instruction::Variable(lookup) => self.lookup(frame, lookup, id),
            Instruction::Global(name) => self.global(frame, *name, id),
            Instruction::Outer(name) => self.outer(frame, *name, id),
            Instruction::Qualified(name) => self.qualified(frame, id, name),
            Instruction::Matched(group) => Ok(self.matches.group(*group)),
            Instruction::TypeName { name, found } => self.type_name(name, found),
            Instruction::Constant { inner, found } => self.constant(frame, *inner, found),
            Instruction::Concat(parts) => self.concat(frame, parts),
            Instruction::Heredoc { syntax, text } => self.heredoc(frame, syntax, *text),
            Instruction::Array(items) => self.array(frame, items),
            Instruction::Hash(entries) => self.hash(frame, entries),
            Instruction::Access { left, keys } => self.access(frame, id, *left, keys),
            Instruction::Not(operand) => Ok(Value::from(!self.eval(frame, *operand)?.is_truthy())),
            Instruction::Minus(operand) => self.minus(frame, id, *operand),
            Instruction::Unfold(operand) => self.unfold(frame, *operand),
            Instruction::Arithmetic { op, left, right } => self.arithmetic(frame, id, *op, (*left, *right)),
            Instruction::Compare { op, left, right } => self.comparison(frame, *op, (*left, *right)),
            Instruction::Match { negated, left, right } => {
                self.match_operator(frame, id, *negated, (*left, *right))
            }
            Instruction::In { left, right } => self.in_operator(frame, *left, *right),
            Instruction::And { left, right } => {
                Ok(Value::from(self.eval(frame, *left)?.is_truthy() && self.eval(frame, *right)?.is_truthy()))
            }
            Instruction::Or { left, right } => {
                Ok(Value::from(self.eval(frame, *left)?.is_truthy() || self.eval(frame, *right)?.is_truthy()))
            }
            Instruction::Assign { target, value } => self.assignment(frame, id, *target, *value),
            Instruction::Destructure { targets, value } => self.destructuring(frame, id, targets, *value),
            Instruction::Call(site) => self.call_site(frame, id, site),
            Instruction::New { type_, arguments, lambda } => {
                self.new_site(frame, id, *type_, arguments, *lambda)
            }
            Instruction::Method(site) => self.method_site(frame, id, site),
            Instruction::Block(statements) => self.block(frame, statements),
            Instruction::If { test, then, otherwise } => self.conditional(frame, *test, *then, *otherwise),
            Instruction::Case { test, options, otherwise } => self.case(frame, *test, options, *otherwise),
            Instruction::Select { test, options, otherwise } => {
                self.select(frame, id, *test, options, *otherwise)
            }
            Instruction::Epp(body) => self.epp(frame, *body),
            Instruction::RenderText(text) => {
                self.output.render_text(text);
                Ok(Value::Undef)
            }
            Instruction::Render(inner) => self.render(frame, *inner),
            Instruction::Resource(site) => self.resource(frame, id, site),
            Instruction::Defaults { type_ref, operations } => {
                self.resource_defaults(frame, *type_ref, operations)
            }
            Instruction::Override { resources, operations } => {
                self.resource_override(frame, id, *resources, operations)
            }
            Instruction::Collect(site) => self.collector(frame, id, site),
            Instruction::Relate { op, left, right } => self.relationship(frame, id, *op, (*left, *right)),
        }
    }

    fn type_name(&mut self, name: &Str, found: &std::sync::OnceLock<Type>) -> Evaluated {
        if let Some(type_) = found.get() {
            return Ok(Value::Type(type_.clone()));
        }
        let type_ = Type::find(name, self.definitions())?;
        if let hierarch_pcore::types::Kind::Reference(reference) = type_.kind() {
            return Err(issues::unknown_type(reference.text()).into());
        }
        Ok(Value::Type(found.get_or_init(|| type_).clone()))
    }

    fn constant(&mut self, frame: &Frame, inner: Id, found: &std::sync::OnceLock<Value>) -> Evaluated {
        if let Some(value) = found.get() {
            return Ok(value.clone());
        }
        let value = self.eval(frame, inner)?;
        Ok(found.get_or_init(|| value).clone())
    }

    /// Puts a text together in a buffer that all interpolations share, one above the other.
    fn concat(&mut self, frame: &Frame, parts: &[Fragment]) -> Evaluated {
        let start = self.output.buffer().len();
        let result = self.append_parts(frame, parts, start);
        let buffer = self.output.buffer();
        let text = Str::from(&buffer[start..]);
        buffer.truncate(start);
        result.map(|()| Value::String(text))
    }

    fn append_parts(&mut self, frame: &Frame, parts: &[Fragment], start: usize) -> Result<()> {
        for part in parts {
            match part {
                Fragment::Text(literal) => self.output.buffer().push_str(literal),
                Fragment::Expr(id) => {
                    let value = self.eval(frame, *id)?;
                    // Before it is written out: what is shared in it may be written again and again.
                    self.budget.check_extent(&value)?;
                    self.budget.work(value.extent().size)?;
                    append(self.output.buffer(), &value);
                }
            }
            self.budget.check_size(self.output.buffer().len() - start)?;
        }
        Ok(())
    }

    fn heredoc(&mut self, frame: &Frame, syntax: &str, text: Id) -> Evaluated {
        let value = self.eval(frame, text)?;
        if let Value::String(text_value) = &value
            && !syntax.is_empty()
        {
            syntax_check::check_produced(frame, text, syntax, text_value)?;
        }
        Ok(value)
    }

    /// Evaluates elements or arguments, splats spread out.
    pub(crate) fn values(&mut self, frame: &Frame, items: &[Item]) -> Result<Vec<Value>> {
        let mut values = Vec::with_capacity(items.len());
        for item in items {
            let value = self.eval(frame, item.id)?;
            match value {
                Value::Array(elements) if item.is_splat => values.extend(elements.iter().cloned()),
                value => values.push(value),
            }
        }
        Ok(values)
    }

    fn array(&mut self, frame: &Frame, items: &[Item]) -> Evaluated {
        let array = match items {
            [first, second] if !first.is_splat && !second.is_splat => {
                let first = self.eval(frame, first.id)?;
                Value::pair(first, self.eval(frame, second.id)?)
            }
            items => Value::array(self.values(frame, items)?),
        };
        self.budget.check_extent(&array)?;
        Ok(array)
    }

    fn hash(&mut self, frame: &Frame, entries: &[(Id, Id)]) -> Evaluated {
        let mut hash = Hash::with_capacity(entries.len());
        for (key, value) in entries {
            let key = self.eval(frame, *key)?;
            hash.insert(key, self.eval(frame, *value)?);
        }
        let hash = Value::hash(hash);
        self.budget.check_extent(&hash)?;
        Ok(hash)
    }

    fn unfold(&mut self, frame: &Frame, operand: Id) -> Evaluated {
        let value = self.eval(frame, operand)?;
        Ok(match value {
            Value::Undef => Value::array(Vec::new()),
            Value::Array(_) => value,
            Value::Hash(_) | Value::Foreign(_) => Value::array(Items::of(value).collect_all(&self.budget)?),
            other => Value::array(vec![other]),
        })
    }

    fn block(&mut self, frame: &Frame, statements: &[Id]) -> Evaluated {
        let mut last = Value::Undef;
        for statement in statements {
            last = self.eval(frame, *statement)?;
        }
        Ok(last)
    }
}

/// Appends a value as interpolation writes it.
pub(crate) fn append(text: &mut String, value: &Value) {
    match value {
        Value::Undef => {}
        Value::String(piece) => text.push_str(piece),
        Value::Integer(number) => push_integer(text, *number),
        other => write!(text, "{other}").expect("a string takes all text"),
    }
}

/// Returns the pairs of a hash as arrays.
pub(crate) fn pairs(hash: &Hash) -> Vec<Value> {
    hash.iter().map(|(key, value)| Value::pair(key.clone(), value.clone())).collect()
}

/// Takes the elements out of a shared array, without copying them if nobody else has it.
pub(crate) fn owned(elements: Arc<Array>) -> Array {
    Arc::unwrap_or_clone(elements)
}

/// Turns an error without a place into the failure of the node that was being evaluated.
#[cold]
fn blame(frame: &Frame, id: Id, unwind: Unwind) -> Unwind {
    match unwind {
        Unwind::Error(error) if !issues::is_complete(&error) => {
            issues::failed(error, &frame.code.ast, frame.code.origin(id)).into()
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_programs;

    #[test]
    fn values_stand_for_themselves() {
        check_programs(&[
            ("1", "1"),
            ("-1", "-1"),
            ("1.50", "1.5"),
            ("1e3", "1000.0"),
            ("0x1F", "31"),
            ("017", "15"),
            ("'a'", "'a'"),
            (r#""a""#, "'a'"),
            ("true", "true"),
            ("undef", "undef"),
            ("default", "default"),
            ("/a.b/", "/a.b/"),
            ("[1, 'a', [undef]]", "[1, 'a', [undef]]"),
            ("{a => 1, 2 => [3]}", "{'a' => 1, 2 => [3]}"),
            ("{a => 1, b => {c => 2}}", "{'a' => 1, 'b' => {'c' => 2}}"),
            ("Integer", "Integer"),
            ("Integer[1, 2]", "Integer[1, 2]"),
            ("Array[Variant[Integer, String]]", "Array[Variant[Integer, String]]"),
            ("Optional[String[1]]", "Optional[String[1]]"),
            (
                "Struct[{a => Integer, Optional[b] => String}]",
                "Struct[{'a' => Integer, Optional['b'] => String}]",
            ),
            ("File", "File"),
            ("File['a']", "File['a']"),
            ("Class['a::b']", "Class[a::b]"),
            ("Type[Integer]", "Type[Integer]"),
            ("Nope", "Evaluation Error: Resource type not found: Nope (line: 1, column: 1)"),
            ("Nope[1]", "Evaluation Error: Resource type not found: Nope (line: 1, column: 1)"),
            ("a", "'a'"),
            ("a::b", "'a::b'"),
            ("foo::bar::baz", "'foo::bar::baz'"),
            (
                "'a' 'b'",
                "This String has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form) (line: 1, column: 1)",
            ),
            ("[1, 2,]", "[1, 2]"),
            ("{a => 1,}", "{'a' => 1}"),
            ("[]", "[]"),
            ("{}", "{}"),
            ("''", "''"),
            ("[[]]", "[[]]"),
            ("[{}]", "[{}]"),
            ("{[1] => 2}", "{[1] => 2}"),
            ("{undef => 1}", "{undef => 1}"),
            ("{default => 1}", "{default => 1}"),
            ("{1.5 => a}", "{1.5 => 'a'}"),
        ]);
    }
}
