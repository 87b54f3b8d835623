//! Expressions of templates are read here, with Jinja2's precedence.

use hierarch_pcore::Str;

use super::fault::{Checked, Fault};
use super::issues;
use super::lexer::Kind;
use super::library;
use super::parser::{DEEPEST, Parser, described};
use super::tree::{Arguments, Binary, Comparison, Const, Expr, ExprKind, Range, Target, Unary};

/// Names that mark what a macro's body asks for.
const OF_MACROS: [&str; 3] = ["varargs", "kwargs", "caller"];

impl Parser<'_> {
    /// Reads an expression, or several with commas between them, which are a tuple.
    pub(super) fn tuple(&mut self, with_choice: bool) -> Checked<Expr> {
        self.tuple_until(with_choice, &[], false)
    }

    /// Does so up to a word, too; in parentheses, there may be nothing.
    pub(super) fn tuple_until(
        &mut self,
        with_choice: bool,
        ends: &[&str],
        in_parentheses: bool,
    ) -> Checked<Expr> {
        let start = self.range();
        let mut items = Vec::new();
        let mut is_tuple = false;
        loop {
            if is_tuple || items.is_empty() {
                let ended = match self.kind() {
                    Kind::VariableEnd | Kind::BlockEnd => true,
                    Kind::Sign(sign) => *sign == ")",
                    Kind::Name(name) => ends.contains(&name.as_str()),
                    _ => false,
                };
                if ended {
                    break;
                }
            }
            items.push(if with_choice { self.expression()? } else { self.or()? });
            if !self.skip_sign(",") {
                break;
            }
            is_tuple = true;
        }
        if !is_tuple {
            if let Some(only) = items.pop() {
                return Ok(only);
            }
            if !in_parentheses {
                return Err(self.fail(issues::expression_expected(&described(self.kind()))));
            }
        }
        let range = start.to(self.last());
        made(ExprKind::Tuple(items), range)
    }

    /// Reads an expression.
    pub(super) fn expression(&mut self) -> Checked<Expr> {
        self.deeper(Self::choice)
    }

    fn choice(&mut self) -> Checked<Expr> {
        let mut value = self.or()?;
        while self.skip_name("if") {
            let test = self.or()?;
            let otherwise = if self.skip_name("else") { Some(Box::new(self.expression()?)) } else { None };
            let range = value.range.to(self.last());
            value = made(ExprKind::Choice(Box::new((test, value)), otherwise), range)?;
        }
        Ok(value)
    }

    pub(super) fn or(&mut self) -> Checked<Expr> {
        let mut left = self.and()?;
        while self.skip_name("or") {
            let right = self.and()?;
            let range = left.range.to(right.range);
            left = made(ExprKind::Or(Box::new((left, right))), range)?;
        }
        Ok(left)
    }

    fn and(&mut self) -> Checked<Expr> {
        let mut left = self.not()?;
        while self.skip_name("and") {
            let right = self.not()?;
            let range = left.range.to(right.range);
            left = made(ExprKind::And(Box::new((left, right))), range)?;
        }
        Ok(left)
    }

    fn not(&mut self) -> Checked<Expr> {
        let start = self.range();
        if !self.skip_name("not") {
            return self.comparison();
        }
        let inner = self.deeper(Self::not)?;
        let range = start.to(inner.range);
        made(ExprKind::Unary(Unary::Not, Box::new(inner)), range)
    }

    fn comparison(&mut self) -> Checked<Expr> {
        let first = self.sum()?;
        let mut others = Vec::new();
        while let Some(operator) = self.comparison_operator() {
            others.push((operator, self.sum()?));
        }
        if others.is_empty() {
            return Ok(first);
        }
        let range = first.range.to(self.last());
        made(ExprKind::Compare(Box::new(first), others), range)
    }

    fn comparison_operator(&mut self) -> Option<Comparison> {
        let operator = match self.kind() {
            Kind::Sign("==") => Comparison::Equal,
            Kind::Sign("!=") => Comparison::Unequal,
            Kind::Sign("<") => Comparison::Less,
            Kind::Sign("<=") => Comparison::LessOrEqual,
            Kind::Sign(">") => Comparison::Greater,
            Kind::Sign(">=") => Comparison::GreaterOrEqual,
            Kind::Name(name) if name == "in" => Comparison::In,
            Kind::Name(name)
                if name == "not" && matches!(self.next_kind(), Kind::Name(next) if next == "in") =>
            {
                self.advance();
                Comparison::NotIn
            }
            _ => return None,
        };
        self.advance();
        Some(operator)
    }

    fn sum(&mut self) -> Checked<Expr> {
        self.binary(&[("+", Binary::Add), ("-", Binary::Subtract)], Self::concat)
    }

    fn concat(&mut self) -> Checked<Expr> {
        let first = self.product()?;
        if !self.is_sign("~") {
            return Ok(first);
        }
        let start = first.range;
        let mut parts = vec![first];
        while self.skip_sign("~") {
            parts.push(self.product()?);
        }
        let range = start.to(self.last());
        made(ExprKind::Concat(parts), range)
    }

    fn product(&mut self) -> Checked<Expr> {
        let signs = [
            ("*", Binary::Multiply),
            ("/", Binary::Divide),
            ("//", Binary::FloorDivide),
            ("%", Binary::Modulo),
        ];
        self.binary(&signs, Self::power)
    }

    fn power(&mut self) -> Checked<Expr> {
        self.binary(&[("**", Binary::Power)], |parser| parser.unary(true))
    }

    fn binary(
        &mut self,
        signs: &[(&str, Binary)],
        operand: impl Fn(&mut Self) -> Checked<Expr>,
    ) -> Checked<Expr> {
        let mut left = operand(self)?;
        while let Some((_, operator)) = signs.iter().find(|(sign, _)| self.is_sign(sign)) {
            self.advance();
            let right = operand(self)?;
            let range = left.range.to(right.range);
            left = made(ExprKind::Binary(*operator, Box::new((left, right))), range)?;
        }
        Ok(left)
    }

    fn unary(&mut self, with_filter: bool) -> Checked<Expr> {
        let start = self.range();
        let sign = match self.kind() {
            Kind::Sign("-") => Some(Unary::Minus),
            Kind::Sign("+") => Some(Unary::Plus),
            _ => None,
        };
        let value = match sign {
            None => self.primary()?,
            Some(sign) => {
                self.advance();
                let inner = self.deeper(|parser| parser.unary(false))?;
                let range = start.to(inner.range);
                made(ExprKind::Unary(sign, Box::new(inner)), range)?
            }
        };
        let value = self.postfix(value)?;
        if with_filter { self.filters(value) } else { Ok(value) }
    }

    fn primary(&mut self) -> Checked<Expr> {
        let range = self.range();
        let kind = match self.kind().clone() {
            Kind::Name(name) => {
                self.advance();
                self.named(name)
            }
            Kind::Text(text) => {
                self.advance();
                ExprKind::Const(Const::Text(self.joined_texts(text)))
            }
            Kind::Integer(number) => {
                self.advance();
                ExprKind::Const(Const::Int(number))
            }
            Kind::Float(number) => {
                self.advance();
                ExprKind::Const(Const::Float(number))
            }
            Kind::Sign("(") => {
                self.advance();
                let inner = self.deeper(|parser| parser.tuple_until(true, &[], true))?;
                self.sign(")")?;
                return Ok(inner);
            }
            Kind::Sign("[") => self.list()?,
            Kind::Sign("{") => self.dict()?,
            other => return Err(self.fail(issues::unexpected_token(&described(&other)))),
        };
        let range = range.to(self.last());
        made(kind, range)
    }

    fn named(&mut self, name: Str) -> ExprKind {
        if let Some(which) = OF_MACROS.iter().position(|known| name == *known) {
            self.macros.iter_mut().for_each(|uses| uses[which] = true);
        }
        match name.as_str() {
            "true" | "True" => ExprKind::Const(Const::Bool(true)),
            "false" | "False" => ExprKind::Const(Const::Bool(false)),
            "none" | "None" => ExprKind::Const(Const::None),
            _ => ExprKind::Name(name),
        }
    }

    fn joined_texts(&mut self, first: Str) -> Str {
        let mut text = first;
        while let Kind::Text(more) = self.kind() {
            text.push_str(&more.clone());
            self.advance();
        }
        text
    }

    fn list(&mut self) -> Checked<ExprKind> {
        self.advance();
        let mut items = Vec::new();
        while !self.is_sign("]") {
            if !items.is_empty() {
                self.sign(",")?;
                if self.is_sign("]") {
                    break;
                }
            }
            items.push(self.expression()?);
        }
        self.sign("]")?;
        Ok(ExprKind::List(items))
    }

    fn dict(&mut self) -> Checked<ExprKind> {
        self.advance();
        let mut pairs = Vec::new();
        while !self.is_sign("}") {
            if !pairs.is_empty() {
                self.sign(",")?;
                if self.is_sign("}") {
                    break;
                }
            }
            let key = self.expression()?;
            self.sign(":")?;
            pairs.push((key, self.expression()?));
        }
        self.sign("}")?;
        Ok(ExprKind::Dict(pairs))
    }

    fn postfix(&mut self, mut value: Expr) -> Checked<Expr> {
        loop {
            value = match self.kind() {
                Kind::Sign(".") => self.attribute(value)?,
                Kind::Sign("[") => self.subscript(value)?,
                Kind::Sign("(") => self.call(value)?,
                _ => return Ok(value),
            };
        }
    }

    fn filters(&mut self, mut value: Expr) -> Checked<Expr> {
        loop {
            value = match self.kind() {
                Kind::Sign("|") => {
                    self.advance();
                    self.filter(Some(value))?
                }
                Kind::Name(name) if name == "is" => self.test(value)?,
                Kind::Sign("(") => self.call(value)?,
                _ => return Ok(value),
            };
        }
    }

    fn attribute(&mut self, value: Expr) -> Checked<Expr> {
        self.advance();
        let at = self.range();
        let start = value.range;
        let kind = match self.kind().clone() {
            Kind::Name(name) => {
                self.advance();
                ExprKind::Attribute(Box::new(value), name)
            }
            Kind::Integer(number) => {
                self.advance();
                let key = made(ExprKind::Const(Const::Int(number)), at)?;
                ExprKind::Item(Box::new((value, key)))
            }
            _ => return Err(self.fail(issues::name_or_number_expected())),
        };
        made(kind, start.to(at))
    }

    fn subscript(&mut self, value: Expr) -> Checked<Expr> {
        self.advance();
        let start = value.range;
        let mut keys = Vec::new();
        while !self.is_sign("]") {
            if !keys.is_empty() {
                self.sign(",")?;
            }
            if let Some(slice) = self.slice_or_key(&mut keys)? {
                self.sign("]")?;
                let range = start.to(self.last());
                return made(ExprKind::Slice(Box::new(value), Box::new(slice)), range);
            }
        }
        self.sign("]")?;
        let range = start.to(self.last());
        let key = match (keys.len(), keys.pop()) {
            (1, Some(key)) => key,
            (0, _) | (_, None) => return Err(self.fail(issues::expression_expected("]"))),
            (_, Some(last)) => {
                keys.push(last);
                made(ExprKind::Tuple(keys), range)?
            }
        };
        made(ExprKind::Item(Box::new((value, key))), range)
    }

    /// Reads a key, or the parts of a slice if it is one.
    fn slice_or_key(&mut self, keys: &mut Vec<Expr>) -> Checked<Option<[Option<Expr>; 3]>> {
        let mut parts = [None, None, None];
        if !self.is_sign(":") {
            let key = self.expression()?;
            if !self.is_sign(":") {
                keys.push(key);
                return Ok(None);
            }
            parts[0] = Some(key);
        }
        for part in &mut parts[1..] {
            if !self.skip_sign(":") {
                break;
            }
            if !self.is_sign(":") && !self.is_sign("]") && !self.is_sign(",") {
                *part = Some(self.expression()?);
            }
        }
        Ok(Some(parts))
    }

    pub(super) fn call(&mut self, callee: Expr) -> Checked<Expr> {
        let arguments = self.arguments()?;
        let range = callee.range.to(self.last());
        made(ExprKind::Call(Box::new(callee), arguments), range)
    }

    fn arguments(&mut self) -> Checked<Arguments> {
        self.sign("(")?;
        let mut given = Arguments::default();
        let mut first = true;
        while !self.is_sign(")") {
            if !first {
                self.sign(",")?;
                if self.is_sign(")") {
                    break;
                }
            }
            first = false;
            self.argument(&mut given)?;
        }
        self.sign(")")?;
        Ok(given)
    }

    fn argument(&mut self, given: &mut Arguments) -> Checked<()> {
        let bad = || issues::bad_arguments();
        if self.skip_sign("*") {
            if given.star.is_some() || given.double_star.is_some() {
                return Err(self.fail(bad()));
            }
            given.star = Some(Box::new(self.expression()?));
        } else if self.skip_sign("**") {
            if given.double_star.is_some() {
                return Err(self.fail(bad()));
            }
            given.double_star = Some(Box::new(self.expression()?));
        } else if matches!(self.kind(), Kind::Name(_)) && matches!(self.next_kind(), Kind::Sign("=")) {
            if given.double_star.is_some() {
                return Err(self.fail(bad()));
            }
            let name = self.name()?;
            self.advance();
            given.named.push((name, self.expression()?));
        } else {
            if given.star.is_some() || given.double_star.is_some() || !given.named.is_empty() {
                return Err(self.fail(bad()));
            }
            given.positional.push(self.expression()?);
        }
        Ok(())
    }

    fn dotted_name(&mut self) -> Checked<(Str, Range)> {
        let start = self.range();
        let mut name = self.name()?;
        while self.skip_sign(".") {
            name.push('.');
            name.push_str(&self.name()?);
        }
        Ok((name, start.to(self.last())))
    }

    /// Reads a filter with its arguments; without a value, that of a block, and those behind it.
    pub(super) fn filter(&mut self, value: Option<Expr>) -> Checked<Expr> {
        let (name, range) = self.dotted_name()?;
        if library::filter(&name).is_none() {
            return Err(Fault::unknown_filter(&name, range));
        }
        let arguments = if self.is_sign("(") { self.arguments()? } else { Arguments::default() };
        let start = value.as_ref().map_or(range, |value| value.range);
        let whole = start.to(self.last());
        made(ExprKind::Filter(value.map(Box::new), name, arguments), whole)
    }

    /// Reads the filters of a block: `upper | trim`.
    pub(super) fn block_filters(&mut self) -> Checked<Expr> {
        let mut filter = self.filter(None)?;
        while self.skip_sign("|") {
            filter = self.filter(Some(filter))?;
        }
        Ok(filter)
    }

    fn test(&mut self, value: Expr) -> Checked<Expr> {
        self.advance();
        let negated = self.skip_name("not");
        let (name, range) = self.dotted_name()?;
        if library::test(&name).is_none() {
            return Err(Fault::unknown_test(&name, range));
        }
        let arguments = self.test_arguments()?;
        let whole = value.range.to(self.last());
        let test = made(ExprKind::Test(Box::new(value), name, arguments), whole)?;
        if negated { made(ExprKind::Unary(Unary::Not, Box::new(test)), whole) } else { Ok(test) }
    }

    fn test_arguments(&mut self) -> Checked<Arguments> {
        if self.is_sign("(") {
            return self.arguments();
        }
        let begins = match self.kind() {
            Kind::Name(name) => match name.as_str() {
                "is" => return Err(self.fail(issues::chained_tests())),
                name => !matches!(name, "else" | "or" | "and"),
            },
            Kind::Text(_) | Kind::Integer(_) | Kind::Float(_) | Kind::Sign("[" | "{") => true,
            _ => false,
        };
        let mut given = Arguments::default();
        if begins {
            let argument = self.deeper(Self::primary)?;
            given.positional.push(self.postfix(argument)?);
        }
        Ok(given)
    }

    /// Reads what is assigned to; up to a word, if there is one.
    pub(super) fn target(&mut self, ends: &[&str], with_namespace: bool) -> Checked<Target> {
        let start = self.range();
        if with_namespace && matches!(self.next_kind(), Kind::Sign(".")) {
            let space = self.name()?;
            self.advance();
            let name = self.name()?;
            return Ok(Target::Attribute(space, name, start.to(self.last())));
        }
        let mut targets = Vec::new();
        let mut is_tuple = false;
        loop {
            let ended = match self.kind() {
                Kind::Name(name) => ends.contains(&name.as_str()),
                Kind::BlockEnd | Kind::Sign("=" | ")") => true,
                _ => false,
            };
            if ended {
                break;
            }
            targets.push(self.single_target()?);
            if !self.skip_sign(",") {
                break;
            }
            is_tuple = true;
        }
        let range = start.to(self.last());
        match targets.pop() {
            None => Err(self.expected("name")),
            Some(only) if !is_tuple => Ok(only),
            Some(last) => {
                targets.push(last);
                Ok(Target::Tuple(targets, range))
            }
        }
    }

    fn single_target(&mut self) -> Checked<Target> {
        if self.skip_sign("(") {
            let inner = self.deeper(|parser| parser.target(&[], false))?;
            self.sign(")")?;
            return Ok(inner);
        }
        match self.kind() {
            Kind::Name(name)
                if matches!(name.as_str(), "true" | "false" | "none" | "True" | "False" | "None") =>
            {
                Err(self.fail(issues::not_assigned_to(&name.clone())))
            }
            Kind::Name(_) => Ok(Target::Name(self.name()?)),
            other => Err(self.fail(issues::not_assigned_to(&described(other)))),
        }
    }
}

/// Makes an expression, unless it is too deep.
fn made(kind: ExprKind, range: Range) -> Checked<Expr> {
    let depth = 1 + deepest(&kind);
    if depth > DEEPEST {
        return Err(Fault::syntax(issues::nested_too_deep(DEEPEST.into()), range));
    }
    Ok(Expr { kind, range, depth })
}

/// Returns how deep the deepest part of an expression is.
fn deepest(kind: &ExprKind) -> u16 {
    let all = |parts: &[Expr]| parts.iter().map(|part| part.depth).max().unwrap_or(0);
    let pair = |pair: &(Expr, Expr)| pair.0.depth.max(pair.1.depth);
    let arguments = |given: &Arguments| {
        let stars = [&given.star, &given.double_star];
        let stars = stars.into_iter().flatten().map(|part| part.depth).max().unwrap_or(0);
        let named = given.named.iter().map(|(_, part)| part.depth).max().unwrap_or(0);
        all(&given.positional).max(named).max(stars)
    };
    match kind {
        ExprKind::Const(_) | ExprKind::Name(_) => 0,
        ExprKind::List(parts) | ExprKind::Tuple(parts) | ExprKind::Concat(parts) => all(parts),
        ExprKind::Dict(pairs) => pairs.iter().map(pair).max().unwrap_or(0),
        ExprKind::Unary(_, inner) | ExprKind::Attribute(inner, _) => inner.depth,
        ExprKind::Binary(_, both) | ExprKind::And(both) | ExprKind::Or(both) | ExprKind::Item(both) => {
            pair(both)
        }
        ExprKind::Compare(first, others) => {
            others.iter().map(|(_, part)| part.depth).max().unwrap_or(0).max(first.depth)
        }
        ExprKind::Choice(both, otherwise) => pair(both).max(otherwise.as_ref().map_or(0, |part| part.depth)),
        ExprKind::Slice(value, parts) => {
            parts.iter().flatten().map(|part| part.depth).max().unwrap_or(0).max(value.depth)
        }
        ExprKind::Call(callee, given) => arguments(given).max(callee.depth),
        ExprKind::Filter(value, _, given) => {
            arguments(given).max(value.as_ref().map_or(0, |part| part.depth))
        }
        ExprKind::Test(value, _, given) => arguments(given).max(value.depth),
    }
}
