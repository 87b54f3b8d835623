//! Walking over the tree.

use std::rc::Rc;

use ecow::EcoString;

use super::{Flow, Res, Vm};
use crate::syntax::tree::{Expression, Kind, Pair};
use crate::value::{Env, Range, Regex, Str, Text, Value};

/// So many patterns are kept.
const MOST_PATTERNS: usize = 500;

impl Vm<'_> {
    /// Evaluates an expression.
    pub(crate) fn eval(&mut self, env: &Rc<Env>, node: &Expression) -> Res {
        match &node.kind {
            Kind::Nil => Ok(Value::Nil),
            Kind::True => Ok(Value::Bool(true)),
            Kind::False => Ok(Value::Bool(false)),
            Kind::Myself => Ok(env.context.me.clone()),
            Kind::Integer(number) => Ok(Value::Int(*number)),
            Kind::Float(number) => Ok(Value::Float(*number)),
            Kind::Symbol(name) => Ok(Value::Sym(*name)),
            Kind::Local(slot) => Ok(env.get(*slot)),
            Kind::Text { text, frozen } => Ok(self.literal(text, *frozen)),
            Kind::Interpolated(parts) => self.eval_interpolated(env, parts),
            Kind::Instance(name) => self.ivar(&env.context.me, *name),
            Kind::Call(call) => self.eval_call(env, call, node.line),
            Kind::Sequence(nodes) => self.eval_sequence(env, nodes),
            Kind::Assign(target, value) => {
                let value = self.eval(env, value)?;
                self.assign(env, target, value.clone(), node.line)?;
                Ok(value)
            }
            Kind::If { condition, then, otherwise } => {
                let branch = if self.eval(env, condition)?.truthy() { then } else { otherwise };
                self.eval(env, branch)
            }
            Kind::And(left, right) => {
                let left = self.eval(env, left)?;
                if left.truthy() { self.eval(env, right) } else { Ok(left) }
            }
            Kind::Or(left, right) => {
                let left = self.eval(env, left)?;
                if left.truthy() { Ok(left) } else { self.eval(env, right) }
            }
            Kind::Not(value) => self.eval_not(env, value),
            _ => self.eval_rarer(env, node),
        }
    }

    /// `!x`, which objects may define themselves.
    fn eval_not(&mut self, env: &Rc<Env>, value: &Expression) -> Res {
        let value = self.eval(env, value)?;
        match value {
            Value::Object(_) => self.send(&value, crate::value::names::NOT, &[]),
            value => Ok(Value::Bool(!value.truthy())),
        }
    }

    fn eval_rarer(&mut self, env: &Rc<Env>, node: &Expression) -> Res {
        match &node.kind {
            Kind::Array(items) => self.eval_array(env, items),
            Kind::Hash(pairs) => self.eval_hash(env, pairs),
            Kind::Update(update) => self.eval_update(env, update, node.line),
            Kind::MultipleAssign(multiple, value) => self.eval_multiple(env, multiple, value),
            Kind::Constant(name) => self.constant(&env.context.lexical, *name, node.line),
            Kind::ConstantIn(scope, name) => self.eval_constant_in(env, scope.as_deref(), *name, node.line),
            Kind::Global(name) => self.global(*name),
            Kind::ClassVariable(name) => self.class_variable(env, *name),
            Kind::GroupReference(number) => Ok(self.group(*number as usize)),
            Kind::MatchReference(letter) => Ok(self.match_reference(*letter)),
            Kind::Case(case) => self.eval_case(env, case),
            Kind::CaseIn(case) => self.eval_case_in(env, case, node.line),
            Kind::MatchPattern { value, pattern, required } => {
                self.eval_match_pattern(env, value, pattern, *required, node.line)
            }
            Kind::Loop(looping) => self.eval_loop(env, looping),
            Kind::For { target, over, block } => self.eval_for(env, target, over, block),
            Kind::Begin(begin) => self.eval_begin(env, begin),
            Kind::Yield(arguments) => self.eval_yield(env, arguments, node),
            Kind::Super { arguments, block } => self.eval_super(env, arguments.as_ref(), block, node.line),
            Kind::Return(value) => {
                Err(Box::new(Flow::Return(env.home, self.eval_optional(env, value.as_deref())?)))
            }
            Kind::Break { value, of_loop } => {
                let value = self.eval_optional(env, value.as_deref())?;
                Err(Box::new(if *of_loop { Flow::LoopBreak(value) } else { Flow::Break(env.breaks, value) }))
            }
            Kind::Next { value, of_loop } => {
                let value = self.eval_optional(env, value.as_deref())?;
                Err(Box::new(if *of_loop { Flow::LoopNext } else { Flow::Next(value) }))
            }
            Kind::Redo { of_loop } => Err(Box::new(if *of_loop { Flow::LoopRedo } else { Flow::Redo })),
            Kind::Retry => Err(Box::new(Flow::Retry)),
            _ => self.eval_rarest(env, node),
        }
    }

    fn eval_rarest(&mut self, env: &Rc<Env>, node: &Expression) -> Res {
        match &node.kind {
            Kind::Big(number) => Ok(Value::Big(Rc::new((**number).clone()))),
            Kind::Rational(parts) => self.rational(parts.0.clone(), parts.1.clone()),
            Kind::Bytes(bytes) => Ok(self.text(Text::of_bytes(bytes.to_vec(), crate::value::Encoding::Utf8))),
            Kind::InterpolatedSymbol(parts) => {
                let text = self.interpolate(env, parts)?;
                Ok(Value::Sym(self.intern(&text.lossy())?))
            }
            Kind::Regexp { source, options } => self.regexp(source, *options),
            Kind::InterpolatedRegexp { parts, options } => self.eval_regexp(env, parts, *options),
            Kind::Range { from, to, exclusive } => {
                let is_literal = [from, to].iter().all(|end| {
                    end.as_ref().is_none_or(|end| matches!(end.kind, Kind::Text { .. } | Kind::Nil))
                });
                let from = self.eval_optional(env, from.as_deref())?;
                let to = self.eval_optional(env, to.as_deref())?;
                self.at_line(node.line);
                // Of two literals the whole range is one, and what it holds is frozen.
                for end in [&from, &to].into_iter().filter(|_| is_literal) {
                    if let Value::Str(text) = end {
                        text.frozen.set(true);
                    }
                }
                self.new_range(from, to, *exclusive)
            }
            Kind::File => Ok(self.str(&*env.context.file)),
            Kind::Splat(value) => {
                let value = self.eval(env, value)?;
                let items = self.splat(&value)?;
                Ok(self.array(items))
            }
            Kind::Lambda(block) => Ok(Value::Proc(Rc::new(self.close(env, block, true, 0)))),
            Kind::Define(define) => self.eval_define(env, define),
            Kind::Class { path, superclass, body } => self.eval_class(env, path, superclass.as_deref(), body),
            Kind::Module { path, body } => self.eval_module(env, path, body),
            Kind::Singleton { of, body } => self.eval_singleton(env, of, body),
            Kind::Alias(new, old) => self.eval_alias(env, new, old),
            Kind::AliasGlobal(new, old) => {
                let value = self.global(*old)?;
                self.globals.insert(*new, value);
                Ok(Value::Nil)
            }
            Kind::Undefine(names) => self.eval_undefine(env, names),
            Kind::Defined(value) => self.eval_defined(env, value),
            Kind::MatchWrite { call, targets } => self.eval_match_write(env, call, targets),
            Kind::Unsupported("`command`") => {
                self.at_line(node.line);
                Err(self.refused("`command`"))
            }
            Kind::Unsupported(what) => {
                self.at_line(node.line);
                Err(self.unsupported(what))
            }
            _ => Ok(Value::Nil),
        }
    }

    fn eval_optional(&mut self, env: &Rc<Env>, node: Option<&Expression>) -> Res {
        node.map_or(Ok(Value::Nil), |node| self.eval(env, node))
    }

    fn eval_sequence(&mut self, env: &Rc<Env>, nodes: &[Expression]) -> Res {
        let mut last = Value::Nil;
        for node in nodes {
            last = self.eval(env, node)?;
        }
        Ok(last)
    }

    #[inline]
    fn literal(&mut self, text: &EcoString, frozen: bool) -> Value {
        let string = Str::new(&self.meter, Text::Utf8(text.clone()));
        string.frozen.set(frozen);
        Value::Str(Rc::new(string))
    }

    fn eval_interpolated(&mut self, env: &Rc<Env>, parts: &[Expression]) -> Res {
        let text = self.interpolate(env, parts)?;
        Ok(self.text(text))
    }

    fn interpolate(&mut self, env: &Rc<Env>, parts: &[Expression]) -> Res<Text> {
        let mut text = EcoString::new();
        for (place, part) in parts.iter().enumerate() {
            if let Kind::Text { text: literal, .. } = &part.kind {
                text.push_str(literal);
                continue;
            }
            let value = self.eval(env, part)?;
            let more = self.to_s_text(&value)?;
            match more {
                Text::Utf8(more) => text.push_str(&more),
                other @ Text::Bytes(..) => {
                    return self.interpolate_bytes(env, (text, other), &parts[place + 1..]);
                }
            }
            self.check_size(text.len())?;
        }
        Ok(Text::Utf8(text))
    }

    /// One of the parts is not UTF-8, so the whole is not.
    fn interpolate_bytes(
        &mut self,
        env: &Rc<Env>,
        so_far: (EcoString, Text),
        rest: &[Expression],
    ) -> Res<Text> {
        let whole = Str::new(&self.meter, Text::Utf8(so_far.0));
        whole.push(&so_far.1);
        for part in rest {
            let value = self.eval(env, part)?;
            whole.push(&self.to_s_text(&value)?);
            self.check_size(whole.len())?;
        }
        Ok(whole.get())
    }

    fn eval_array(&mut self, env: &Rc<Env>, nodes: &[Expression]) -> Res {
        let mut items = Vec::with_capacity(nodes.len());
        for node in nodes {
            match &node.kind {
                Kind::Splat(inner) => {
                    let value = self.eval(env, inner)?;
                    items.extend(self.splat(&value)?);
                }
                _ => items.push(self.eval(env, node)?),
            }
        }
        Ok(self.array(items))
    }

    /// Evaluates keys and values.
    pub(super) fn eval_hash(&mut self, env: &Rc<Env>, pairs: &[Pair]) -> Res {
        let mut entries = crate::value::hash::Entries::default();
        for (key, value) in pairs {
            match key {
                Some(key) => {
                    let key = self.eval(env, key)?;
                    let value = self.eval(env, value)?;
                    let key = self.key(&key)?;
                    entries.insert(key, value);
                }
                None => {
                    let line = value.line;
                    let value = self.eval(env, value)?;
                    self.at_line(line);
                    let spread = self.to_hash(&value)?;
                    for (key, value) in &*spread.entries() {
                        entries.insert(key.clone(), value.clone());
                    }
                }
            }
        }
        Ok(self.hash_of(entries))
    }

    /// Makes a regular expression.
    pub fn regexp(&mut self, source: &str, options: u8) -> Res {
        let key = (EcoString::from(source), options);
        if let Some(known) = self.patterns.get(&key) {
            return Ok(Value::Regexp(Rc::clone(known)));
        }
        // A pattern takes time to compile and far more room than its text.
        self.work(400 + source.len() as u64)?;
        match Regex::new(source, options) {
            Ok(regexp) => {
                let regexp = Rc::new(regexp);
                if self.patterns.len() >= MOST_PATTERNS {
                    self.patterns.clear();
                }
                self.patterns.insert(key, Rc::clone(&regexp));
                Ok(Value::Regexp(regexp))
            }
            Err(message) => Err(self.raise("RegexpError", message)),
        }
    }

    fn eval_regexp(&mut self, env: &Rc<Env>, parts: &[Expression], options: u8) -> Res {
        let mut source = String::new();
        for part in parts {
            match &part.kind {
                Kind::Text { text, .. } => source.push_str(text),
                _ => match self.eval(env, part)? {
                    Value::Regexp(inner) => source.push_str(&inner.as_group()),
                    other => source.push_str(&self.to_s(&other)?),
                },
            }
        }
        self.regexp(&source, options)
    }

    /// Makes a range, whose ends must be comparable.
    pub fn new_range(&mut self, from: Value, to: Value, exclusive: bool) -> Res {
        let is_plain = |value: &Value| matches!(value, Value::Int(_) | Value::Nil | Value::Float(_));
        let is_checked = !(from.is_nil() || to.is_nil() || is_plain(&from) && is_plain(&to));
        if is_checked {
            let class = self.class_of(&from);
            let is_comparable = self.find_method(&class, crate::value::names::CMP).is_some();
            let order = if is_comparable {
                self.send(&from, crate::value::names::CMP, &[to.clone()])
            } else {
                Ok(Value::Nil)
            };
            if order.is_ok_and(|order| order.is_nil()) {
                return Err(self.raise("ArgumentError", "bad value for range"));
            }
        }
        Ok(Value::Range(Rc::new(Range { from, to, exclusive })))
    }
}
