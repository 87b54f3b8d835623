//! The tree as text: Puppet's extended S-expressions ("PN"), plain, indented, or as JSON.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::ast::{Ast, BinaryOp, Definition, Expr, ExprId, Form, List, Text, UnaryOp};
use crate::number::{float_text, in_radix};
use crate::old_dump;
use crate::parser::Program;

/// How a dump is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DumpFormat {
    /// `(+ 1 2)`
    Pn,
    /// The same with every element on a line of its own.
    PnPretty,
    /// `{"^":["+",1,2]}`
    Json,
    /// The same with every element on a line of its own.
    JsonPretty,
    /// The notation before all of these, with an indentation of its own.
    Old,
}

/// Dumps a whole program.
///
/// ```
/// use hierarch_source::Source;
/// use hierarch_syntax::{DumpFormat, dump, parse};
/// let program = parse(&Source::unnamed("1 + 2 * 3")).program.unwrap();
/// assert_eq!(dump(&program, DumpFormat::Pn), "(+ 1 (* 2 3))");
/// ```
pub fn dump(program: &Program, format: DumpFormat) -> String {
    let pn = Transform { ast: &program.ast }.node(program.root);
    let mut out = String::new();
    match format {
        DumpFormat::Old => return old_dump::dump(program),
        DumpFormat::Pn => pn.write(&mut out, None),
        DumpFormat::PnPretty => pn.write(&mut out, Some(0)),
        DumpFormat::Json => pn.write_json(&mut out, None),
        DumpFormat::JsonPretty => pn.write_json(&mut out, Some(0)),
    }
    out
}

/// A piece of notation.
enum Pn<'a> {
    Call(&'a str, Vec<Pn<'a>>),
    List(Vec<Pn<'a>>),
    Map(Vec<(&'a str, Pn<'a>)>),
    Text(Cow<'a, str>),
    /// A number, `true`, `false`.
    Bare(String),
    Nil,
}

struct Transform<'a> {
    ast: &'a Ast,
}

impl<'a> Transform<'a> {
    fn node(&self, id: ExprId) -> Pn<'a> {
        let ast = self.ast;
        match ast.expr(id) {
            Expr::Nop => Pn::Call("nop", Vec::new()),
            Expr::Undef => Pn::Nil,
            Expr::Default => Pn::Call("default", Vec::new()),
            Expr::Boolean(value) => Pn::Bare(value.to_string()),
            Expr::Integer { value, radix } => integer(value.to_string(), radix),
            Expr::BigInteger { digits, radix } => integer(in_radix(ast.text(digits), 10), radix),
            Expr::Float(value) => Pn::Bare(float_text(value)),
            Expr::String(text) => self.text(text),
            Expr::Regex(text) => self.regex(text),
            Expr::Name(text) => self.call_text("qn", text),
            Expr::Reference(text) => self.call_text("qr", text),
            Expr::Reserved(text) => self.call_text("reserved", text),
            Expr::Variable(text) => Pn::Call("var", vec![self.variable_name(id, text)]),
            Expr::RenderString(text) => self.call_text("render-s", text),
            Expr::Concat(list) => Pn::Call("concat", self.nodes(list)),
            Expr::Interpolation(expr) => self.call("str", &[expr]),
            Expr::Render(expr) => self.call("render", &[expr]),
            Expr::Heredoc { syntax, text } => self.heredoc(syntax, text),
            Expr::Array(list) => Pn::Call("array", self.nodes(list)),
            Expr::Hash(list) => Pn::Call("hash", self.nodes(list)),
            Expr::Block(list) => Pn::Call("block", self.nodes(list)),
            Expr::Entry { key: left, value: right }
            | Expr::SelectorEntry { matching: left, value: right } => self.call("=>", &[left, right]),
            Expr::Access { left, keys } => Pn::Call("access", self.first_and(left, keys)),
            Expr::Binary { op, left, right } => self.call(op.symbol(), &[left, right]),
            Expr::Unary { op, operand } => self.unary(op, operand),
            Expr::Dot { left, name } => self.call(".", &[left, name]),
            _ => self.compound(id),
        }
    }

    fn compound(&self, id: ExprId) -> Pn<'a> {
        match self.ast.expr(id) {
            Expr::Call { functor, arguments, lambda, statement } => {
                self.function_call(if statement { "invoke" } else { "call" }, functor, arguments, lambda)
            }
            Expr::MethodCall { functor, arguments, lambda } => {
                self.function_call("call-method", functor, arguments, lambda)
            }
            Expr::Lambda { parameters, body, returns } => self.lambda(parameters, body, returns),
            Expr::If { test, then, otherwise } => self.conditional("if", test, then, otherwise),
            Expr::Unless { test, then, otherwise } => self.conditional("unless", test, then, otherwise),
            Expr::Case { test, options } => {
                Pn::Call("case", vec![self.node(test), Pn::List(self.nodes(options))])
            }
            Expr::CaseOption { values, then } => {
                Pn::Map(vec![("when", Pn::List(self.nodes(values))), ("then", self.block(then))])
            }
            Expr::Selector { left, entries } => {
                Pn::Call("?", vec![self.node(left), Pn::List(self.nodes(entries))])
            }
            Expr::Class(id) => self.definition("class", self.ast.definition(id)),
            Expr::Define(id) => self.definition("define", self.ast.definition(id)),
            Expr::Function(id) => self.definition("function", self.ast.definition(id)),
            Expr::TypeDefinition(id) => self.type_definition(self.ast.definition(id)),
            Expr::NodeDefinition { hosts, parent, body } => self.node_definition(hosts, parent, body),
            Expr::TypeAlias { name, type_expr } => {
                Pn::Call("type-alias", vec![self.text(name), self.node(type_expr)])
            }
            Expr::TypeMapping { left, right } => self.call("type-mapping", &[left, right]),
            Expr::Epp { body, .. } => {
                Pn::Call("epp", body.map_or_else(Vec::new, |body| self.statements(body)))
            }
            _ => self.resource(id),
        }
    }

    fn resource(&self, id: ExprId) -> Pn<'a> {
        match self.ast.expr(id) {
            Expr::Resource { type_name, bodies, form } => {
                let bodies = ("bodies", Pn::List(self.nodes(bodies)));
                with_form("resource", vec![("type", self.node(type_name)), bodies], form)
            }
            Expr::ResourceBody { title, operations } => {
                Pn::Map(vec![("title", self.node(title)), ("ops", Pn::List(self.nodes(operations)))])
            }
            Expr::ResourceDefaults { type_ref, operations, form } => {
                let operations = ("ops", Pn::List(self.nodes(operations)));
                with_form("resource-defaults", vec![("type", self.node(type_ref)), operations], form)
            }
            Expr::ResourceOverride { resources, operations, form } => {
                let operations = ("ops", Pn::List(self.nodes(operations)));
                with_form("resource-override", vec![("resources", self.node(resources)), operations], form)
            }
            Expr::Attribute { name, append, value } => {
                Pn::Call(if append { "+>" } else { "=>" }, vec![self.text(name), self.node(value)])
            }
            Expr::AttributeHash(value) => self.call("splat-hash", &[value]),
            Expr::Collector { type_expr, query, operations } => self.collector(type_expr, query, operations),
            Expr::Query { exported, expr } => {
                let name = if exported { "exported-query" } else { "virtual-query" };
                Pn::Call(name, expr.map(|expr| self.node(expr)).into_iter().collect())
            }
            // Parameters appear in the map of what has them, never on their own.
            _ => Pn::Nil,
        }
    }

    fn nodes(&self, list: List) -> Vec<Pn<'a>> {
        self.ast.list(list).iter().map(|&id| self.node(id)).collect()
    }

    fn first_and(&self, first: ExprId, rest: List) -> Vec<Pn<'a>> {
        std::iter::once(self.node(first)).chain(self.nodes(rest)).collect()
    }

    fn text(&self, text: Text) -> Pn<'a> {
        Pn::Text(self.ast.text(text).into())
    }

    fn call_text(&self, name: &'a str, text: Text) -> Pn<'a> {
        Pn::Call(name, vec![self.text(text)])
    }

    /// Ruby binds a pattern to an encoding if only that can match it, and shows such a pattern with its flags.
    fn regex(&self, pattern: Text) -> Pn<'a> {
        let text = self.ast.text(pattern);
        let shown =
            if needs_unicode(text) { Pn::Text(format!("(?-imx:{text})").into()) } else { self.text(pattern) };
        Pn::Call("regexp", vec![shown])
    }

    /// `"${true}"` means the variable of that name; the reference keeps the boolean there.   case: lang/strings.jsonl:121
    fn variable_name(&self, id: ExprId, name: Text) -> Pn<'a> {
        let text = self.ast.text(name);
        let in_braces = !self.ast.source().slice(self.ast.span(id)).starts_with('$');
        if in_braces && matches!(text, "true" | "false") {
            Pn::Bare(text.to_owned())
        } else {
            self.text(name)
        }
    }

    fn call(&self, name: &'a str, parts: &[ExprId]) -> Pn<'a> {
        Pn::Call(name, parts.iter().map(|&part| self.node(part)).collect())
    }

    fn unary(&self, op: UnaryOp, operand: ExprId) -> Pn<'a> {
        let name = match op {
            UnaryOp::Not => "!",
            UnaryOp::Unfold => "unfold",
            UnaryOp::Paren => "paren",
            UnaryOp::Minus => return self.minus(operand),
        };
        self.call(name, &[operand])
    }

    /// A negative number is shown as one, whatever the radix it was written in.
    fn minus(&self, operand: ExprId) -> Pn<'a> {
        match self.ast.expr(operand) {
            Expr::Integer { value, .. } => Pn::Bare((-i128::from(value)).to_string()),
            Expr::BigInteger { digits, .. } => Pn::Bare(format!("-{}", in_radix(self.ast.text(digits), 10))),
            Expr::Float(value) => Pn::Bare(float_text(-value)),
            _ => self.call(BinaryOp::Subtract.symbol(), &[operand]),
        }
    }

    fn heredoc(&self, syntax: Text, text: ExprId) -> Pn<'a> {
        let mut entries = Vec::new();
        if !syntax.is_empty() {
            entries.push(("syntax", self.text(syntax)));
        }
        entries.push(("text", self.node(text)));
        Pn::Call("heredoc", vec![Pn::Map(entries)])
    }

    fn function_call(
        &self,
        name: &'a str,
        functor: ExprId,
        arguments: List,
        lambda: Option<ExprId>,
    ) -> Pn<'a> {
        let mut entries = vec![("functor", self.node(functor)), ("args", Pn::List(self.nodes(arguments)))];
        entries.extend(lambda.map(|lambda| ("block", self.node(lambda))));
        Pn::Call(name, vec![Pn::Map(entries)])
    }

    fn lambda(&self, parameters: List, body: Option<ExprId>, returns: Option<ExprId>) -> Pn<'a> {
        let mut entries = Vec::new();
        entries.extend(self.parameters(parameters));
        entries.extend(returns.map(|returns| ("returns", self.node(returns))));
        entries.extend(body.map(|body| ("body", self.block(Some(body)))));
        Pn::Call("lambda", vec![Pn::Map(entries)])
    }

    fn parameters(&self, parameters: List) -> Option<(&'a str, Pn<'a>)> {
        if parameters.is_empty() {
            return None;
        }
        let entries = self.ast.list(parameters).iter().map(|&id| self.parameter(id)).collect();
        Some(("params", Pn::Map(entries)))
    }

    fn parameter(&self, id: ExprId) -> (&'a str, Pn<'a>) {
        let (name, default, type_expr, is_rest) = match self.ast.expr(id) {
            Expr::Parameter { name, default, type_expr } => (name, default, type_expr, false),
            Expr::RestParameter { name, default, type_expr } => (name, default, type_expr, true),
            _ => return ("", Pn::Nil),
        };
        let mut entries = Vec::new();
        entries.extend(type_expr.map(|type_expr| ("type", self.node(type_expr))));
        entries.extend(is_rest.then(|| ("splat", Pn::Bare("true".to_owned()))));
        entries.extend(default.map(|default| ("value", self.node(default))));
        (self.ast.text(name), Pn::Map(entries))
    }

    fn statements(&self, body: ExprId) -> Vec<Pn<'a>> {
        match self.ast.expr(body) {
            Expr::Block(list) => self.nodes(list),
            _ => vec![self.node(body)],
        }
    }

    fn block(&self, body: Option<ExprId>) -> Pn<'a> {
        Pn::List(body.map_or_else(|| vec![Pn::Call("nop", Vec::new())], |body| self.statements(body)))
    }

    fn conditional(
        &self,
        name: &'a str,
        test: ExprId,
        then: Option<ExprId>,
        otherwise: Option<ExprId>,
    ) -> Pn<'a> {
        let mut entries = vec![("test", self.node(test))];
        entries.extend(then.map(|then| ("then", self.block(Some(then)))));
        entries.extend(otherwise.map(|otherwise| ("else", self.block(Some(otherwise)))));
        Pn::Call(name, vec![Pn::Map(entries)])
    }

    fn definition(&self, kind: &'a str, definition: &Definition) -> Pn<'a> {
        let mut entries = vec![("name", self.text(definition.name))];
        entries.extend(definition.parent.map(|parent| ("parent", self.text(parent))));
        entries.extend(self.parameters(definition.parameters));
        entries.extend(definition.body.map(|body| ("body", self.block(Some(body)))));
        entries.extend(definition.returns.map(|returns| ("returns", self.node(returns))));
        Pn::Call(kind, vec![Pn::Map(entries)])
    }

    fn type_definition(&self, definition: &Definition) -> Pn<'a> {
        let parent = definition.parent.map_or(Pn::Nil, |parent| self.text(parent));
        let body = definition.body.map_or(Pn::Call("nop", Vec::new()), |body| self.node(body));
        Pn::Call("type-definition", vec![self.text(definition.name), parent, body])
    }

    fn node_definition(&self, hosts: List, parent: Option<ExprId>, body: Option<ExprId>) -> Pn<'a> {
        let mut entries = vec![("matches", Pn::List(self.nodes(hosts)))];
        entries.extend(parent.map(|parent| ("parent", self.node(parent))));
        entries.extend(body.map(|body| ("body", self.block(Some(body)))));
        Pn::Call("node", vec![Pn::Map(entries)])
    }

    fn collector(&self, type_expr: ExprId, query: ExprId, operations: List) -> Pn<'a> {
        let mut entries = vec![("type", self.node(type_expr)), ("query", self.node(query))];
        if !operations.is_empty() {
            entries.push(("ops", Pn::List(self.nodes(operations))));
        }
        Pn::Call("collect", vec![Pn::Map(entries)])
    }
}

fn with_form<'a>(name: &'a str, mut entries: Vec<(&'a str, Pn<'a>)>, form: Form) -> Pn<'a> {
    entries.extend(form.word().map(|word| ("form", Pn::Text(word.into()))));
    Pn::Call(name, vec![Pn::Map(entries)])
}

/// Tells whether a pattern names a character beyond ASCII, as itself or by an escape, or a Unicode property.
fn needs_unicode(pattern: &str) -> bool {
    // What is left after a backslash begins with what is escaped; of two backslashes the second is that.
    let mut escapes = pattern.split('\\').skip(1);
    while let Some(escape) = escapes.next() {
        if escape.is_empty() {
            escapes.next();
        } else if names_more_than_ascii(escape) {
            return true;
        }
    }
    !pattern.is_ascii()
}

fn names_more_than_ascii(escape: &str) -> bool {
    let hexadecimal = |digits: &str| u32::from_str_radix(digits, 16).is_ok_and(|code| code > 0x7f);
    let mut chars = escape.chars();
    let kind = chars.next();
    let rest = chars.as_str();
    match kind {
        Some('p' | 'P') => rest.starts_with('{'),
        Some('u') => match rest.strip_prefix('{') {
            Some(codes) => codes.split('}').next().is_some_and(|codes| codes.split(' ').any(hexadecimal)),
            None => rest.get(..4).is_some_and(hexadecimal),
        },
        Some('x') => rest.get(..2).is_some_and(hexadecimal),
        Some('2' | '3') => rest.len() >= 2 && rest.bytes().take(2).all(|digit| matches!(digit, b'0'..=b'7')),
        _ => false,
    }
}

fn integer<'a>(value: String, radix: u8) -> Pn<'a> {
    if radix == 10 {
        return Pn::Bare(value);
    }
    Pn::Call("int", vec![Pn::Map(vec![("radix", Pn::Bare(radix.to_string())), ("value", Pn::Bare(value))])])
}

impl Pn<'_> {
    /// Writes PN text; with `indent`, each element on its own line, two blanks deeper.
    fn write(&self, out: &mut String, indent: Option<usize>) {
        let inner = indent.map(|depth| depth + 1);
        match self {
            Self::Nil => out.push_str("nil"),
            Self::Bare(text) => out.push_str(text),
            Self::Text(text) => write_quoted(text, out),
            Self::Call(name, elements) => {
                out.push('(');
                out.push_str(name);
                if !elements.is_empty() && indent.is_none() {
                    out.push(' ');
                }
                write_elements(elements, out, inner);
                out.push(')');
            }
            Self::List(elements) => {
                out.push('[');
                write_elements(elements, out, inner);
                out.push(']');
            }
            Self::Map(entries) => {
                out.push('{');
                for (index, (key, value)) in entries.iter().enumerate() {
                    separate(index, out, inner);
                    out.push(':');
                    out.push_str(key);
                    out.push(' ');
                    value.write(out, inner);
                }
                out.push('}');
            }
        }
    }

    fn write_json(&self, out: &mut String, indent: Option<usize>) {
        match self {
            Self::Nil => out.push_str("null"),
            Self::Bare(text) => out.push_str(text),
            Self::Text(text) => write_json_string(text, out),
            Self::List(elements) => {
                write_json_array(elements.len(), out, indent, |index, out, indent| {
                    elements[index].write_json(out, indent);
                });
            }
            Self::Call(name, elements) => {
                write_json_object("^", elements.len() + 1, out, indent, |index, out, indent| match index {
                    0 => write_json_string(name, out),
                    _ => elements[index - 1].write_json(out, indent),
                });
            }
            Self::Map(entries) => {
                write_json_object("#", entries.len() * 2, out, indent, |index, out, indent| {
                    let (key, value) = &entries[index / 2];
                    if index % 2 == 0 { write_json_string(key, out) } else { value.write_json(out, indent) }
                });
            }
        }
    }
}

fn write_elements(elements: &[Pn], out: &mut String, indent: Option<usize>) {
    for (index, element) in elements.iter().enumerate() {
        separate(index, out, indent);
        element.write(out, indent);
    }
}

fn separate(index: usize, out: &mut String, indent: Option<usize>) {
    match indent {
        Some(_) => new_line(out, indent),
        None if index > 0 => out.push(' '),
        None => {}
    }
}

fn new_line(out: &mut String, indent: Option<usize>) {
    if let Some(depth) = indent {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", depth));
    }
}

fn write_quoted(text: &str, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        match character {
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            control if control < ' ' => {
                let _ = write!(out, "\\o{:03o}", u32::from(control));
            }
            other => out.push(other),
        }
    }
    out.push('"');
}

fn write_json_string(text: &str, out: &mut String) {
    out.push_str(&serde_json::Value::from(text).to_string());
}

type WriteElement<'w> = &'w mut dyn FnMut(usize, &mut String, Option<usize>);

fn write_json_array(
    count: usize,
    out: &mut String,
    indent: Option<usize>,
    mut element: impl FnMut(usize, &mut String, Option<usize>),
) {
    write_json_elements(count, out, indent, &mut element);
}

fn write_json_elements(count: usize, out: &mut String, indent: Option<usize>, element: WriteElement) {
    out.push('[');
    let inner = indent.map(|depth| depth + 1);
    for index in 0..count {
        if index > 0 {
            out.push(',');
        }
        new_line(out, inner);
        element(index, out, inner);
    }
    if count > 0 {
        new_line(out, indent);
    }
    out.push(']');
}

/// Writes an object with one key whose value is an array.
fn write_json_object(
    key: &str,
    count: usize,
    out: &mut String,
    indent: Option<usize>,
    mut element: impl FnMut(usize, &mut String, Option<usize>),
) {
    let inner = indent.map(|depth| depth + 1);
    out.push('{');
    new_line(out, inner);
    write_json_string(key, out);
    out.push(':');
    if indent.is_some() {
        out.push(' ');
    }
    write_json_elements(count, out, inner, &mut element);
    new_line(out, indent);
    out.push('}');
}

#[cfg(test)]
mod tests {
    use hierarch_source::Source;

    use super::*;
    use crate::parse;

    fn check(code: &str, format: DumpFormat, expected: &str) {
        let program = parse(&Source::unnamed(code)).program.expect(code);
        assert_eq!(dump(&program, format), expected, "{code}");
    }

    #[test]
    fn a_pattern_beyond_ascii_is_shown_with_its_flags() {
        for (pattern, shown) in [
            ("a", "a"),
            ("é", "(?-imx:é)"),
            (r"\é", r"(?-imx:\\é)"),
            (r"\u00e9", r"(?-imx:\\u00e9)"),
            (r"\u{e9}", r"(?-imx:\\u{e9})"),
            (r"\xc3\xa9", r"(?-imx:\\xc3\\xa9)"),
            (r"\p{Alpha}", r"(?-imx:\\p{Alpha})"),
            (r"\u{41 e9}", r"(?-imx:\\u{41 e9})"),
            (r"\303\251", r"(?-imx:\\303\\251)"),
            (r"\u0041", r"\\u0041"),
            (r"\\u00e9", r"\\\\u00e9"),
            ("[[:alpha:]]", "[[:alpha:]]"),
        ] {
            check(&format!("/{pattern}/"), DumpFormat::Pn, &format!("(regexp \"{shown}\")"));
        }
    }

    #[test]
    fn json_holds_calls_and_maps_as_objects() {
        check(
            "f(1)",
            DumpFormat::Json,
            r##"{"^":["invoke",{"#":["functor",{"^":["qn","f"]},"args",[1]]}]}"##,
        );
        check("1 + 2", DumpFormat::JsonPretty, "{\n  \"^\": [\n    \"+\",\n    1,\n    2\n  ]\n}");
        check("[]", DumpFormat::JsonPretty, "{\n  \"^\": [\n    \"array\"\n  ]\n}");
    }

    #[test]
    fn rest_parameters_are_shown_though_the_reference_breaks_on_them() {
        check("function f(*$x) { }", DumpFormat::Pn, r#"(function {:name "f" :params {:x {:splat true}}})"#);
    }

    #[test]
    fn control_characters_are_octal() {
        check("'a\u{1}b'", DumpFormat::Pn, r#""a\o001b""#);
    }
}
