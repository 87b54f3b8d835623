//! The tree in the notation that `puppet parser dump` had before PN, which it still prints with `--format old`.
//!
//! Its indentation is what it is: an `if` or `unless` without an `else` leaves everything behind it one level deeper.

use crate::ast::{Ast, BinaryOp, Definition, Expr, ExprId, Form, List, UnaryOp};
use crate::number::{float_text, in_radix};
use crate::parser::Program;

/// Dumps a whole program.
pub(crate) fn dump(program: &Program) -> String {
    let mut writer = Writer { ast: &program.ast, out: String::new(), level: 0 };
    writer.node(program.root);
    writer.out
}

struct Writer<'a> {
    ast: &'a Ast,
    out: String,
    /// How deep the next line is.
    level: usize,
}

impl Writer<'_> {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn line(&mut self) {
        self.out.push('\n');
        self.out.push_str(&"  ".repeat(self.level));
    }

    fn node(&mut self, id: ExprId) {
        let ast = self.ast;
        match ast.expr(id) {
            Expr::Nop => self.put(":nop"),
            Expr::Undef => self.put(":undef"),
            Expr::Default => self.put(":default"),
            Expr::Boolean(truth) => self.put(if truth { "true" } else { "false" }),
            Expr::Integer { value, radix } => self.put(&integer(&value.to_string(), radix)),
            Expr::BigInteger { digits, radix } => self.put(&integer(&in_radix(ast.text(digits), 10), radix)),
            Expr::Float(value) => self.put(&float_text(value)),
            Expr::String(text) => self.put(&format!("'{}'", ast.text(text))),
            Expr::Regex(text) => self.put(&hierarch_regex::with_slashes(ast.text(text))),
            Expr::Name(text) | Expr::Reference(text) => self.put(ast.text(text)),
            Expr::Reserved(text) => self.put(&format!("(reserved {})", ast.text(text))),
            Expr::Variable(text) => self.put(&format!("${}", ast.text(text))),
            Expr::Concat(list) => self.call("cat", list),
            Expr::Array(list) => self.call("[]", list),
            Expr::Hash(list) => self.call("{}", list),
            Expr::Interpolation(expr) => self.wrapped("str", &[expr]),
            Expr::Entry { key, value } => self.pair(key, value),
            Expr::Binary { op, left, right } => self.wrapped(symbol(op), &[left, right]),
            Expr::Unary { op, operand } => self.unary(op, operand),
            Expr::Dot { left, name } => self.wrapped(".", &[left, name]),
            Expr::Access { left, keys } => self.access(left, keys),
            Expr::Block(list) => self.block(ast.list(list)),
            Expr::Heredoc { syntax, text } => self.heredoc(ast.text(syntax), text),
            _ => self.compound(id),
        }
    }

    fn compound(&mut self, id: ExprId) {
        let ast = self.ast;
        match ast.expr(id) {
            Expr::Call { functor, arguments, lambda, statement } => {
                self.function_call(if statement { "invoke" } else { "call" }, functor, arguments, lambda);
            }
            Expr::MethodCall { functor, arguments, lambda } => {
                self.function_call("call-method", functor, arguments, lambda);
            }
            Expr::Lambda { parameters, body, returns } => {
                self.put("(lambda");
                self.parameters(parameters);
                self.returns(returns);
                self.body(body);
                self.put(")");
            }
            Expr::If { test, then, otherwise } => self.conditional("if", test, then, otherwise),
            Expr::Unless { test, then, otherwise } => self.conditional("unless", test, then, otherwise),
            Expr::Case { test, options } => self.case(test, options),
            Expr::CaseOption { values, then } => self.case_option(values, then),
            Expr::Selector { left, entries } => {
                self.put("(? ");
                self.node(left);
                self.spaced(entries);
                self.put(")");
            }
            Expr::SelectorEntry { matching, value } => {
                self.put("(");
                self.node(matching);
                self.put(" => ");
                self.node(value);
                self.put(")");
            }
            Expr::Class(definition) => self.definition("class", ast.definition(definition)),
            Expr::Define(definition) => self.definition("define", ast.definition(definition)),
            Expr::Function(definition) => self.definition("function", ast.definition(definition)),
            Expr::TypeDefinition(definition) => self.type_definition(ast.definition(definition)),
            Expr::NodeDefinition { hosts, parent, body } => self.node_definition(hosts, parent, body),
            Expr::TypeAlias { name, type_expr } => {
                self.put(&format!("(type-alias {} ", ast.text(name)));
                self.node(type_expr);
                self.put(")");
            }
            Expr::TypeMapping { left, right } => self.wrapped("type-mapping", &[left, right]),
            Expr::Epp { body, .. } => self.epp(body),
            Expr::RenderString(text) => self.put(&format!("(render-s '{}')", ast.text(text))),
            Expr::Render(expr) => self.wrapped("render", &[expr]),
            _ => self.resource(id),
        }
    }

    fn resource(&mut self, id: ExprId) {
        match self.ast.expr(id) {
            Expr::Resource { type_name, bodies, form } => {
                self.put(&format!("({}resource ", form_prefix(form)));
                self.node(type_name);
                self.lines(bodies);
                self.put(")");
            }
            Expr::ResourceBody { title, operations } => {
                self.put("(");
                self.node(title);
                self.lines(operations);
                self.put(")");
            }
            Expr::ResourceDefaults { type_ref, operations, form } => {
                self.put(&format!("({}resource-defaults ", form_prefix(form)));
                self.node(type_ref);
                self.lines(operations);
                self.put(")");
            }
            Expr::ResourceOverride { resources, operations, form } => {
                self.put(&format!("({}override ", form_prefix(form)));
                self.node(resources);
                self.lines(operations);
                self.put(")");
            }
            Expr::Attribute { name, append, value } => {
                let sign = if append { "+>" } else { "=>" };
                self.put(&format!("({} {sign} ", self.ast.text(name)));
                self.node(value);
                self.put(")");
            }
            Expr::AttributeHash(value) => {
                self.put("(* => ");
                self.node(value);
                self.put(")");
            }
            // What a collector changes is not shown.
            Expr::Collector { type_expr, query, .. } => {
                self.put("(collect ");
                self.node(type_expr);
                self.level += 1;
                self.line();
                self.node(query);
                self.level -= 1;
                self.put(")");
            }
            Expr::Query { exported, expr } => {
                self.put(if exported { "(<<| |>>" } else { "(<| |>" });
                if let Some(expr) = expr {
                    self.put(" ");
                    self.node(expr);
                }
                self.put(")");
            }
            // Parameters are written by what has them.
            _ => {}
        }
    }

    /// `(name part part)`.
    fn wrapped(&mut self, name: &str, parts: &[ExprId]) {
        self.put(&format!("({name}"));
        for &part in parts {
            self.put(" ");
            self.node(part);
        }
        self.put(")");
    }

    fn call(&mut self, name: &str, list: List) {
        self.wrapped(name, self.ast.list(list));
    }

    /// Parts on the same line, each behind a blank.
    fn spaced(&mut self, list: List) {
        for &part in self.ast.list(list) {
            self.put(" ");
            self.node(part);
        }
    }

    /// Parts on lines of their own.
    fn lines(&mut self, list: List) {
        self.level += 1;
        for &part in self.ast.list(list) {
            self.line();
            self.node(part);
        }
        self.level -= 1;
    }

    fn pair(&mut self, key: ExprId, value: ExprId) {
        self.put("(");
        self.node(key);
        self.put(" ");
        self.node(value);
        self.put(")");
    }

    fn unary(&mut self, op: UnaryOp, operand: ExprId) {
        match op {
            UnaryOp::Paren => self.node(operand),
            UnaryOp::Not => self.wrapped("!", &[operand]),
            UnaryOp::Minus => self.wrapped("-", &[operand]),
            UnaryOp::Unfold => self.wrapped("unfold", &[operand]),
        }
    }

    /// Several keys have brackets of their own.
    fn access(&mut self, left: ExprId, keys: List) {
        self.put("(slice ");
        self.node(left);
        match self.ast.list(keys) {
            [key] => {
                self.put(" ");
                self.node(*key);
            }
            [first, rest @ ..] => {
                self.put(" (");
                self.node(*first);
                for &key in rest {
                    self.put(" ");
                    self.node(key);
                }
                self.put(")");
            }
            [] => {}
        }
        self.put(")");
    }

    fn block(&mut self, statements: &[ExprId]) {
        self.put("(block");
        self.level += 1;
        for &statement in statements {
            self.line();
            self.node(statement);
        }
        self.level -= 1;
        self.line();
        self.put(")");
    }

    /// A body is a block, even of one statement.
    fn body(&mut self, body: Option<ExprId>) {
        let ast = self.ast;
        match body.map(|body| (body, ast.expr(body))) {
            None | Some((_, Expr::Nop)) => self.put(" ()"),
            Some((_, Expr::Block(list))) => {
                self.put(" ");
                self.block(ast.list(list));
            }
            Some((body, _)) => {
                self.put(" ");
                self.block(&[body]);
            }
        }
    }

    fn heredoc(&mut self, syntax: &str, text: ExprId) {
        self.put(&format!("(@({syntax})"));
        self.level += 1;
        self.line();
        self.node(text);
        self.level -= 1;
        self.line();
        self.put(")");
    }

    fn function_call(&mut self, name: &str, functor: ExprId, arguments: List, lambda: Option<ExprId>) {
        self.put(&format!("({name} "));
        self.node(functor);
        self.spaced(arguments);
        if let Some(lambda) = lambda {
            self.put(" ");
            self.node(lambda);
        }
        self.put(")");
    }

    fn parameters(&mut self, parameters: List) {
        if parameters.is_empty() {
            return;
        }
        self.put(" (parameters");
        for &parameter in self.ast.list(parameters) {
            self.put(" ");
            self.parameter(parameter);
        }
        self.put(")");
    }

    /// `x`, `(= x 1)`, `(t Integer x)`, `(=t Integer x 1)`.
    fn parameter(&mut self, id: ExprId) {
        let (star, name, default, type_expr) = match self.ast.expr(id) {
            Expr::Parameter { name, default, type_expr } => ("", name, default, type_expr),
            Expr::RestParameter { name, default, type_expr } => ("*", name, default, type_expr),
            _ => return,
        };
        let name = format!("{star}{}", self.ast.text(name));
        if default.is_none() && type_expr.is_none() {
            return self.put(&name);
        }
        self.put("(");
        self.put(if default.is_some() { "=" } else { "" });
        if let Some(type_expr) = type_expr {
            self.put("t ");
            self.node(type_expr);
        }
        self.put(&format!(" {name}"));
        if let Some(default) = default {
            self.put(" ");
            self.node(default);
        }
        self.put(")");
    }

    fn returns(&mut self, returns: Option<ExprId>) {
        if let Some(returns) = returns {
            self.put(" ");
            self.wrapped("return_type", &[returns]);
        }
    }

    fn conditional(&mut self, name: &str, test: ExprId, then: Option<ExprId>, otherwise: Option<ExprId>) {
        self.put(&format!("({name} "));
        self.node(test);
        self.level += 1;
        self.branch("then", then);
        let otherwise = otherwise.filter(|&id| !matches!(self.ast.expr(id), Expr::Nop));
        if otherwise.is_some() {
            self.branch("else", otherwise);
            self.level -= 1;
        }
        self.put(")");
    }

    fn branch(&mut self, name: &str, branch: Option<ExprId>) {
        self.line();
        self.put(&format!("({name} "));
        self.level += 1;
        match branch.filter(|&id| !matches!(self.ast.expr(id), Expr::Nop)) {
            Some(branch) => self.node(branch),
            None => self.put("()"),
        }
        self.level -= 1;
        self.put(")");
    }

    fn case(&mut self, test: ExprId, options: List) {
        self.put("(case ");
        self.node(test);
        self.lines(options);
        self.put(")");
    }

    fn case_option(&mut self, values: List, then: Option<ExprId>) {
        self.put("(when (");
        for (index, &value) in self.ast.list(values).iter().enumerate() {
            self.put(if index > 0 { " " } else { "" });
            self.node(value);
        }
        self.put(") (then");
        self.body(then);
        self.put("))");
    }

    fn definition(&mut self, kind: &str, definition: &Definition) {
        self.put(&format!("({kind} {}", self.ast.text(definition.name)));
        if let Some(parent) = definition.parent {
            self.put(&format!(" (inherits {})", self.ast.text(parent)));
        }
        self.parameters(definition.parameters);
        self.returns(definition.returns);
        self.body(definition.body);
        self.put(")");
    }

    fn type_definition(&mut self, definition: &Definition) {
        let parent = definition.parent.map_or("", |parent| self.ast.text(parent));
        self.put(&format!("(type-definition {} {parent}", self.ast.text(definition.name)));
        self.body(definition.body);
        self.put(")");
    }

    fn node_definition(&mut self, hosts: List, parent: Option<ExprId>, body: Option<ExprId>) {
        self.put("(node (matches");
        self.spaced(hosts);
        self.put(")");
        if let Some(parent) = parent {
            self.put(" ");
            self.wrapped("parent", &[parent]);
        }
        self.body(body);
        self.put(")");
    }

    fn epp(&mut self, body: Option<ExprId>) {
        self.put("(epp");
        self.body(body);
        self.put(")");
    }
}

fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
        other => other.symbol(),
    }
}

fn form_prefix(form: Form) -> &'static str {
    match form {
        Form::Regular => "",
        Form::Virtual => "virtual-",
        Form::Exported => "exported-",
    }
}

fn integer(decimal: &str, radix: u8) -> String {
    match radix {
        8 => format!("0{}", in_radix(decimal, 8)),
        16 => format!("0x{}", in_radix(decimal, 16).to_uppercase()),
        _ => decimal.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use hierarch_source::Source;

    /// What Puppet 8 prints, recorded.
    const RECORDED: &str = include_str!("../tests/old_dumps.jsonl");

    #[test]
    fn trees_are_written_as_puppet_writes_them() {
        let mut wrong = Vec::new();
        for line in RECORDED.lines() {
            let case: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
            let code = case["code"].as_str().expect("a program");
            let program = crate::parse(&Source::unnamed(code)).program.expect(code);
            let found = super::dump(&program);
            if found != case["old"] {
                wrong.push(format!(
                    "{code}\n expected {}\n found    {found}",
                    case["old"].as_str().unwrap_or_default()
                ));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
