//! Templates: EPP text with the values of its expressions in between.

use std::sync::Arc;

use hierarch_pcore::mismatch::{describe_parameters, describe_types};
use hierarch_pcore::types::{Element, StructType};
use hierarch_pcore::{Hash, Str, Type, Value};
use hierarch_source::Source;
use hierarch_syntax::ast::Expr;
use hierarch_syntax::check_epp;

use crate::call::of_the_call;
use crate::code::{Callable, Code, Id, Unit};
use crate::define::is_deferred;
use crate::evaluator::{Evaluated, Evaluator};
use crate::function::is_any;
use crate::lower::{self, TEMPLATE};
use crate::scope::{Frame, ScopeId};
use crate::stack::Binding;
use crate::{Result, Unwind, issues};

impl Evaluator<'_> {
    pub(crate) fn epp(&mut self, frame: &Frame, body: Id) -> Evaluated {
        self.output.start_template();
        let result = self.eval(frame, body);
        let text = self.output.end_template();
        result.map(|_| text)
    }

    pub(crate) fn render(&mut self, frame: &Frame, inner: Id) -> Evaluated {
        let value = self.eval(frame, inner)?;
        let length = self.output.render(&value);
        self.budget.check_size(length)?;
        Ok(Value::Undef)
    }

    /// Runs a template that sees what the call sees.
    pub(crate) fn inline_epp(
        &mut self,
        template: &str,
        parameters: Option<&Hash>,
        frame: Option<&Frame>,
    ) -> Evaluated {
        let code =
            self.template_code("inline_epp", &Source::new("inlined-epp-text", template), parameters)?;
        let scope = frame.map_or(ScopeId::TOP, |frame| frame.scope);
        self.run_template(&code, parameters, frame, scope)
    }

    /// Runs the template in a file, which sees the top scope or that of the node.
    pub(crate) fn epp_file(&mut self, file: &str, parameters: Option<&Hash>, scope: ScopeId) -> Evaluated {
        let environment = self.environment;
        let find = |file: &str| environment.find_in_module("templates", file);
        let path = find(file).or_else(|| find(&format!("{file}.epp")));
        let Some(path) = path else {
            let shown = if file.ends_with(".epp") { file.to_owned() } else { format!("{file}.epp") };
            return Err(issues::template_not_found(&shown).into());
        };
        let name = path.display().to_string();
        let bytes = environment.read(&path).map_err(|error| issues::unreadable(&name, &error.to_string()))?;
        let code = self.template_code("epp", &Source::from_bytes(name, bytes)?, parameters)?;
        let scope = self.compilation.scope(scope).enclosing;
        self.run_template(&code, parameters, None, scope)
    }

    fn template_code(
        &mut self,
        function: &str,
        source: &Arc<Source>,
        parameters: Option<&Hash>,
    ) -> Result<Arc<Code>> {
        let given: Vec<Str> = parameters.into_iter().flat_map(Hash::keys).filter_map(as_name).collect();
        let key =
            format!("{function}\0{}\0{}\0{}", source.name().unwrap_or(""), given.join(","), source.text());
        if let Some(code) = self.environment.loaded().templates.get(&key) {
            return Ok(Arc::clone(code));
        }
        let checked = check_epp(source, &self.settings.validation());
        let program = self.accept(checked).map_err(|error| {
            let file = source.name().filter(|_| error.place.is_none());
            issues::invalid_epp(function, &error, file)
        })?;
        let code = Arc::new(lower::template(program, &given, self.environment.names())?);
        self.environment.loaded().templates.insert(key, Arc::clone(&code));
        Ok(code)
    }

    fn run_template(
        &mut self,
        code: &Code,
        parameters: Option<&Hash>,
        parent: Option<&Frame>,
        scope: ScopeId,
    ) -> Evaluated {
        self.budget.enter()?;
        let unit = code.unit(TEMPLATE);
        let frame = Frame { code, unit, base: self.stack.top(), parent, scope };
        let mark = self.matches.mark();
        self.stack.fill(&frame);
        let result = self.bind_and_render(&frame, parameters);
        self.matches.back_to(mark);
        self.stack.cut(frame.base);
        self.budget.leave();
        match result {
            // What was rendered so far is lost then.
            Err(Unwind::Next | Unwind::Return) => Ok(self.stack.landed()),
            result => result,
        }
    }

    fn bind_and_render(&mut self, frame: &Frame, parameters: Option<&Hash>) -> Evaluated {
        let empty = Hash::new();
        let given = parameters.unwrap_or(&empty);
        for (name, value) in given {
            let slot =
                as_name(name).and_then(|name| frame.unit.slots.iter().position(|known| *known == name));
            if let Some(slot) = slot {
                *self.stack.slot_mut(frame, slot) = Some(value.clone());
            }
        }
        // Without declared parameters, whatever is given is a variable.
        if declares_parameters(frame) || parameters.is_none() {
            let callable = self.callable(frame, frame.unit)?;
            self.bind_named(frame, given)?;
            self.check_named(frame, given, &callable)?;
        }
        match frame.unit.body {
            Some(body) => self.eval(frame, body),
            None => Ok(Value::from("")),
        }
    }

    /// Finds out the defaults of parameters that were not given, or given as `undef`.
    fn bind_named(&mut self, frame: &Frame, given: &Hash) -> Result<()> {
        for (index, parameter) in frame.unit.parameters.iter().enumerate() {
            let value = given.get_str(&parameter.name);
            if value.is_some_and(|value| !value.is_undef()) {
                continue;
            }
            let value = match parameter.default {
                Some(default) => {
                    *self.stack.slot_mut(frame, index) = None;
                    let binding = Binding { callee: "lambda".to_owned(), parameter: index };
                    let outer = self.stack.set_binding(Some(binding));
                    let mark = self.matches.mark();
                    let result = self.eval(frame, default);
                    self.matches.back_to(mark);
                    self.stack.set_binding(outer);
                    Some(result.map_err(of_the_call)?)
                }
                None => value.cloned(),
            };
            *self.stack.slot_mut(frame, index) = value;
        }
        Ok(())
    }

    fn check_named(&mut self, frame: &Frame, given: &Hash, callable: &Callable) -> Result<()> {
        let unit = frame.unit;
        // What is given as `undef` and not a parameter is passed over.
        let mut values = given.clone();
        values.retain(|_, value| !value.is_undef());
        for (index, parameter) in unit.parameters.iter().enumerate() {
            if let Some(value) = self.stack.slot(frame, index) {
                values.insert(parameter.name.clone(), value.clone());
            }
        }
        let types = self.expected_types(unit, callable, &values)?;
        match describe_parameters("lambda", &parameter_struct(unit, &types), &values, false) {
            Some(problem) => Err(issues::argument(&problem).into()),
            None => Ok(()),
        }
    }

    /// Returns the types of parameters; a deferred value is judged by what it will be.
    fn expected_types(&mut self, unit: &Unit, callable: &Callable, values: &Hash) -> Result<Vec<Type>> {
        let mut types = callable.types.clone();
        for (parameter, type_) in unit.parameters.iter().zip(&mut types) {
            let Some(value) = values.get_str(&parameter.name).filter(|value| is_deferred(value)) else {
                continue;
            };
            let promised = self.promised_type(value)?;
            if is_any(&promised) || type_.accepts(&promised) {
                *type_ = Type::any();
            } else if !is_any(type_) {
                let subject = format!("lambda: parameter '{}'", parameter.name);
                return Err(issues::argument(&describe_types(&subject, type_, &promised)).into());
            }
        }
        Ok(types)
    }
}

fn parameter_struct(unit: &Unit, types: &[Type]) -> StructType {
    let elements = unit.parameters.iter().zip(types).map(|(parameter, type_)| {
        if parameter.default.is_some() {
            Element::optional(parameter.name.clone(), type_.clone())
        } else {
            Element::required(parameter.name.clone(), type_.clone())
        }
    });
    StructType::new(elements.collect())
}

/// Tells whether a template says which parameters it has: `<%- | | -%>` says that it has none.
fn declares_parameters(frame: &Frame) -> bool {
    let origin = frame.unit.body.map(|body| frame.code.ast.expr(frame.code.origin(body)));
    matches!(origin, Some(Expr::Epp { parameters_given: true, .. }))
}

fn as_name(key: &Value) -> Option<Str> {
    match key {
        Value::String(name) => Some(name.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_templates;

    /// Templates, and what Puppet renders.
    const TEMPLATES: &[(&str, &str)] = &[
        ("", ""),
        ("a", "a"),
        ("a\n", "a\n"),
        ("<%= $x %>", "X"),
        ("<%=$x%>", "X"),
        ("a<%= $x %>b", "aXb"),
        ("<%= $x -%>\nb", "Xb"),
        ("  <%- $y = 1 -%>\nb", "b"),
        ("<% $y = 1 %>\nb", "\nb"),
        ("<% $y = 1 -%>\nb", "b"),
        ("  <%- $y = 1 %>\nb", "\nb"),
        ("a  <%- $y = 1 %>b", "ab"),
        ("<%# c %>a", "a"),
        ("<%# c -%>\na", "a"),
        ("<%% a %%>", "<% a %>"),
        ("<%%= $x %%>", "<%= $x %>"),
        ("%%>", "%>"),
        ("%>", "%>"),
        ("a %> b", "a %> b"),
        ("<% if true { %>a<% } %>", "a"),
        ("<% if false { %>a<% } else { %>b<% } %>", "b"),
        ("<% if $x == 'X' { -%>\na\n<% } -%>\nb", "a\nb"),
        ("<% case $x { 'X': { %>one<% } default: { %>two<% } } %>", "one"),
        ("<%= $l %>", "[1, two]"),
        ("<%= $l[1] %>", "two"),
        ("<%= [1, [2]] %>", "[1, [2]]"),
        ("<%= {a => 1} %>", "{a => 1}"),
        ("<%= undef %>", ""),
        ("<%= true %>", "true"),
        ("<%= 1.50 %>", "1.5"),
        ("<%= /a/ %>", "/a/"),
        ("<%= Integer %>", "Integer"),
        ("<%= default %>", "default"),
        (
            "<%= $nope %>",
            "fails: Evaluation Error: Unknown variable: 'nope'. (file: inlined-epp-text, line: 1, column: 5)",
        ),
        (
            "<%= 1 + 'a' %>",
            "fails: Evaluation Error: The value 'a' cannot be converted to Numeric. (file: inlined-epp-text, line: 1, column: 9)",
        ),
        (
            "a\n<%= $nope %>",
            "fails: Evaluation Error: Unknown variable: 'nope'. (file: inlined-epp-text, line: 2, column: 5)",
        ),
        ("<% %>", ""),
        ("<%- -%>", ""),
        ("<%= 1 %><%= 2 %>", "12"),
        ("<% 1 %>", ""),
        (r#"<%= "${x}!" %>"#, "X!"),
        (r#"<%= "<%= %>" %>"#, "<%= %>"),
        ("<%- |$a, $b| -%>\n<%= $a %><%= $b %>", "1B"),
        ("<%- |Integer $a, String $b| -%>\n<%= $a %>", "1"),
        (
            "<%- |String $a, $b| -%>\n<%= $a %>",
            "fails: lambda: parameter 'a' expects a String value, got Integer",
        ),
        ("<%- |$a| -%>\n<%= $a %>", "fails: lambda: has no parameter named 'b'"),
        ("<%- |$a, $b, $c| -%>\n<%= $c %>", "fails: lambda: expects a value for parameter 'c'"),
        ("<%- |$a, $b, $c = 'd'| -%>\n<%= $c %>", "d"),
        ("<% |$a, $b| %>a", "a"),
        ("<%- |$a, $b| %>\n<%= $x %>", "\nX"),
        ("<% $z = 5 %><%= $z %>", "5"),
        ("<% $x = 5 %><%= $x %>", "5"),
        ("<%= $x %>\r\n<% $y = 1 -%>\r\nb", "X\r\nb"),
        ("é<%= 'ü' %>😀", "éü😀"),
        ("<%= $facts %>", "{}"),
        ("<%= '%' %>>", "%>"),
        ("<%= 'a' %>%>", "a%>"),
        ("<%=\n$x\n%>", "X"),
        ("<%= @(E) %>\na\nE", "a\n\na\nE"),
    ];

    #[test]
    fn templates_render_as_in_puppet() {
        check_templates(TEMPLATES);
    }
}
