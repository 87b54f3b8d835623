//! Goes through all expressions of a program, wherever they stand.

use super::tree::{
    Arguments, BlockArgument, Expression, Kind, Multiple, Pair, Parameter, Parameters, Pattern, Target,
};

/// Calls `look` with a node and everything below it, in no particular order.
pub fn each<'t>(root: &'t Expression, mut look: impl FnMut(&'t Expression)) {
    let mut waiting = vec![root];
    while let Some(node) = waiting.pop() {
        look(node);
        Children(&mut waiting).of(node);
    }
}

/// Gathers what stands directly below a node.
struct Children<'w, 't>(&'w mut Vec<&'t Expression>);

impl<'t> Children<'_, 't> {
    fn of(&mut self, node: &'t Expression) {
        match &node.kind {
            Kind::Interpolated(parts)
            | Kind::InterpolatedSymbol(parts)
            | Kind::InterpolatedRegexp { parts, .. }
            | Kind::Array(parts)
            | Kind::Sequence(parts)
            | Kind::Undefine(parts) => self.all(parts),
            Kind::Hash(pairs) => self.pairs(pairs),
            Kind::Range { from, to, .. } => self.maybe([from, to]),
            Kind::ConstantIn(scope, _) => self.maybe([scope]),
            Kind::Assign(target, value) => {
                self.target(target);
                self.0.push(value);
            }
            Kind::MultipleAssign(targets, value) => {
                self.multiple(targets);
                self.0.push(value);
            }
            Kind::Update(update) => {
                self.target(&update.target);
                self.0.push(&update.value);
            }
            Kind::And(left, right) | Kind::Or(left, right) | Kind::Alias(left, right) => {
                self.0.extend([&**left, &**right]);
            }
            Kind::Not(inner) | Kind::Splat(inner) | Kind::Defined(inner) => self.0.push(inner),
            Kind::If { condition, then, otherwise } => self.0.extend([&**condition, &**then, &**otherwise]),
            Kind::Loop(inner) => self.0.extend([&inner.condition, &inner.body]),
            Kind::Return(value) | Kind::Break { value, .. } | Kind::Next { value, .. } => self.maybe([value]),
            Kind::MatchWrite { call, .. } => self.0.push(call),
            Kind::Yield(arguments) => self.arguments(arguments),
            _ => self.of_construct(node),
        }
    }

    /// Those of constructs that have a shape of their own.
    fn of_construct(&mut self, node: &'t Expression) {
        match &node.kind {
            Kind::For { target, over, block } => {
                self.target(target);
                self.0.extend([&**over, &block.body]);
            }
            Kind::Case(case) => {
                self.0.extend(&case.subject);
                for (values, body) in &case.branches {
                    self.all(values);
                    self.0.push(body);
                }
                self.0.push(&case.otherwise);
            }
            Kind::CaseIn(case) => {
                self.0.push(&case.subject);
                for branch in &case.branches {
                    self.pattern(&branch.pattern);
                    self.0.extend(branch.guard.as_ref().map(|(guard, _)| guard));
                    self.0.push(&branch.body);
                }
                self.0.extend(&case.otherwise);
            }
            Kind::MatchPattern { value, pattern, .. } => {
                self.0.push(value);
                self.pattern(pattern);
            }
            Kind::Begin(begin) => {
                self.0.push(&begin.body);
                for rescue in &begin.rescues {
                    self.all(&rescue.classes);
                    self.0.push(&rescue.body);
                }
                self.0.extend(begin.otherwise.iter().chain(&begin.ensure));
            }
            Kind::Call(call) => {
                self.0.extend(&call.receiver);
                self.arguments(&call.arguments);
                self.block(&call.block);
            }
            Kind::Super { arguments, block } => {
                arguments.iter().for_each(|arguments| self.arguments(arguments));
                self.block(block);
            }
            Kind::Lambda(block) => {
                self.parameters(&block.parameters);
                self.0.push(&block.body);
            }
            Kind::Define(define) => {
                self.0.extend(&define.on);
                self.parameters(&define.parameters);
                self.0.push(&define.body);
            }
            Kind::Class { path, superclass, body } => {
                self.0.push(path);
                self.maybe([superclass]);
                self.0.push(&body.body);
            }
            Kind::Module { path, body } => self.0.extend([&**path, &body.body]),
            Kind::Singleton { of, body } => self.0.extend([&**of, &body.body]),
            _ => {}
        }
    }

    fn all(&mut self, nodes: &'t [Expression]) {
        self.0.extend(nodes);
    }

    fn maybe<const N: usize>(&mut self, nodes: [&'t Option<Box<Expression>>; N]) {
        self.0.extend(nodes.into_iter().flatten().map(|node| &**node));
    }

    fn pairs(&mut self, pairs: &'t [Pair]) {
        self.0.extend(pairs.iter().flat_map(|(key, value)| key.iter().chain([value])));
    }

    fn arguments(&mut self, arguments: &'t Arguments) {
        self.all(&arguments.items);
        self.pairs(&arguments.keywords);
    }

    fn block(&mut self, block: &'t BlockArgument) {
        match block {
            BlockArgument::None => {}
            BlockArgument::Pass(node) => self.0.push(node),
            BlockArgument::Literal(block) => {
                self.parameters(&block.parameters);
                self.0.push(&block.body);
            }
        }
    }

    fn parameters(&mut self, parameters: &'t Parameters) {
        self.0.extend(parameters.optional.iter().map(|(_, _, value)| value));
        self.0.extend(parameters.keywords.iter().filter_map(|keyword| keyword.default.as_ref()));
        for parameter in parameters.required.iter().chain(&parameters.post) {
            if let Parameter::Destructured(targets) = parameter {
                self.multiple(targets);
            }
        }
    }

    fn multiple(&mut self, multiple: &'t Multiple) {
        let rest = multiple.rest.iter().flatten().map(|target| &**target);
        multiple.lefts.iter().chain(rest).chain(&multiple.rights).for_each(|target| self.target(target));
    }

    fn target(&mut self, target: &'t Target) {
        match target {
            Target::ConstantIn(scope, _) => self.0.extend(scope),
            Target::Index { receiver, arguments } => {
                self.0.push(receiver);
                self.arguments(arguments);
            }
            Target::Attribute { receiver, .. } => self.0.push(receiver),
            Target::Multiple(targets) => self.multiple(targets),
            Target::Splat(Some(inner)) => self.target(inner),
            _ => {}
        }
    }

    fn pattern(&mut self, pattern: &'t Pattern) {
        match pattern {
            Pattern::Value(node) => self.0.push(node),
            Pattern::Bind(_) | Pattern::Ignore => {}
            Pattern::Capture(inner, _) => self.pattern(inner),
            Pattern::Either(left, right) => [left, right].into_iter().for_each(|side| self.pattern(side)),
            Pattern::Array { of, before, after, .. } => {
                self.0.extend(of);
                before.iter().chain(after).for_each(|part| self.pattern(part));
            }
            Pattern::Find { of, middle, .. } => {
                self.0.extend(of);
                middle.iter().for_each(|part| self.pattern(part));
            }
            Pattern::Hash { of, pairs, .. } => {
                self.0.extend(of);
                pairs.iter().for_each(|(_, part)| self.pattern(part));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    /// Lists the bare and called names of a text.
    fn names(text: &str) -> Vec<String> {
        let program = parse(text, "x.rb").expect("it is Ruby");
        let mut names = Vec::new();
        each(&program.body, |node| {
            if let Kind::Call(call) = &node.kind {
                names.push(call.name.text().to_owned());
            }
        });
        names.sort();
        names
    }

    #[test]
    fn calls_are_found_wherever_they_stand() {
        let text = "def m(x = c01, k: c02)\n  begin\n c03\n rescue c04 => e\n c05\n ensure\n c06\n end\nend\n\
                    c07.each { |y = c08| c09 while c10 }\n[c11, *c12, \"#{c13}\", /#{c14}/, { c15 => c16 }]\n\
                    case c17 when c18 then c19 else c20 end\ncase c21\nin [X] if c23 then c24\nin {a: ^(c25)} then 1\nend\n\
                    class X < c26\n c27\nend\n(c28..c29)\nself[c30] ||= c31\na, b.c32, *d = c33\n-> { c34 }\n\
                    c35 ? c36 : c37\nfor z in c38 do c39 end\nc40(&c41) rescue c42\nreturn c43 if !c44\n";
        let found = names(text);
        for number in 1..=44 {
            let name = format!("c{number:02}");
            // A pattern holds no call, and an attribute that is assigned to is not called.
            if name == "c22" || name == "c32" {
                continue;
            }
            assert!(found.contains(&name), "{name} is not in {found:?}");
        }
    }
}
