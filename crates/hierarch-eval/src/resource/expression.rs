//! `type { title: attributes }`: the expression that declares resources, and the one that overrides them.

use hierarch_pcore::types::{Kind, ResourceType};
use hierarch_pcore::{Str, Type, Value, infer};
use hierarch_source::Place;
use hierarch_syntax::ast::{Expr, ExprId, Form};
use rustc_hash::FxHashSet;

use super::{KindId, Override, Parameter};
use crate::Level;
use crate::code::{Body, Id, Operation, ResourceSite, TypeName};
use crate::compile::line_of;
use crate::evaluator::{Evaluated, Evaluator};
use crate::log::Log;
use crate::resource::declare::{Declaration, Group, Unknown};
use crate::scope::Frame;
use crate::{Result, issues};

/// The titles and attributes of a body, once evaluated.
struct Evaluation {
    titles: Vec<Str>,
    parameters: Vec<Parameter>,
}

impl Evaluator<'_> {
    pub(crate) fn resource(&mut self, frame: &Frame, id: Id, site: &ResourceSite) -> Evaluated {
        let type_name = self.resource_type_name(frame, id, &site.kind)?;
        if site.form == Form::Exported && !self.has_store() {
            self.warn_at(frame, id, issues::export_ignored());
        }
        let (bodies, defaults) = self.bodies(frame, id, &site.bodies)?;
        let place = line_of(&Place::new(frame.code.source(), frame.code.span(id)));
        let template = Declaration {
            is_virtual: site.form != Form::Regular,
            is_exported: site.form == Form::Exported,
            place: Some(place),
            ..Declaration::new(frame.scope)
        };
        let mut references = Vec::new();
        for Evaluation { titles, parameters } in bodies {
            let parameters = match &defaults {
                Some(defaults) => merged(defaults, parameters),
                None => parameters,
            };
            let group = Group { type_name: &type_name, titles, parameters, template: &template };
            references.extend(self.declare_group(group)?);
        }
        Ok(Value::array(references))
    }

    /// Evaluates all bodies before anything is declared. The attributes of the one titled `default` come apart.
    fn bodies(
        &mut self,
        frame: &Frame,
        id: Id,
        bodies: &[Body],
    ) -> Result<(Vec<Evaluation>, Option<Vec<Parameter>>)> {
        let mut used = FxHashSet::default();
        let mut evaluated = Vec::with_capacity(bodies.len());
        let (mut defaults, mut default_used) = (None, false);
        for body in bodies {
            let (titles, defaults_among) = self.titles(frame, body.title)?;
            let is_default = defaults_among > 0;
            if defaults_among > 1 || (is_default && std::mem::replace(&mut default_used, true)) {
                return Err(at_origin(frame, id, issues::duplicate_title("default")).into());
            }
            for title in &titles {
                let is_only = bodies.len() == 1 && titles.len() == 1;
                if !is_only && !used.insert(title.clone()) {
                    return Err(at_origin(frame, id, issues::duplicate_title(title)).into());
                }
            }
            let parameters = self.attributes(frame, &body.operations)?;
            if let Some(name) = repeated(&parameters) {
                return Err(at_origin(frame, id, issues::duplicate_attribute(name)).into());
            }
            if is_default {
                defaults = Some(parameters.clone());
            }
            evaluated.push(Evaluation { titles, parameters });
        }
        Ok((evaluated, defaults))
    }

    /// Evaluates the titles of a body, and tells how often `default` is among them.
    fn titles(&mut self, frame: &Frame, id: Id) -> Result<(Vec<Str>, usize)> {
        let value = self.eval(frame, id)?;
        let fail = |error| Err(issues::at(error, &frame.code.ast, frame.code.origin(id)).into());
        if value.is_undef() {
            return fail(issues::missing_title());
        }
        let mut all = Vec::new();
        flatten(value, &mut all);
        let mut titles = Vec::with_capacity(all.len());
        let mut defaults = 0;
        for (index, title) in all.into_iter().enumerate() {
            match title {
                Value::String(title) if title.is_empty() => return fail(issues::empty_title(index)),
                Value::String(title) => titles.push(title),
                Value::Default => defaults += 1,
                Value::Undef => return fail(issues::missing_title_at(index)),
                other => return fail(issues::illegal_title(index, &infer::generic(&other).to_string())),
            }
        }
        Ok((titles, defaults))
    }

    fn resource_type_name(&mut self, frame: &Frame, id: Id, name: &TypeName) -> Result<Str> {
        let (expr, may_be_type) = match name {
            TypeName::Name(name) => return Ok(name.clone()),
            TypeName::Expr { id, may_be_type } => (*id, *may_be_type),
        };
        let value = self.eval(frame, expr)?;
        let actual = match &value {
            Value::Type(type_) if may_be_type => match type_.kind() {
                Kind::Class(class) if class.class().is_none() => return Ok("class".into()),
                Kind::Class(_) => type_.to_string(),
                Kind::Resource(resource) => match (resource.type_name(), resource.title()) {
                    (Some(name), None) => return Ok(name.clone()),
                    _ => type_.to_string(),
                },
                _ => infer::generic(&value).to_string(),
            },
            other => infer::generic(other).to_string(),
        };
        let place = match frame.code.ast.expr(frame.code.origin(id)) {
            Expr::Resource { type_name, .. } => type_name,
            _ => frame.code.origin(id),
        };
        Err(issues::at(issues::illegal_resource_type(&actual), &frame.code.ast, place).into())
    }

    pub(crate) fn resource_override(
        &mut self,
        frame: &Frame,
        id: Id,
        resources: Id,
        operations: &[Operation],
    ) -> Evaluated {
        let value = self.eval(frame, resources)?;
        let parameters = self.attributes(frame, operations)?;
        let mut references = Vec::new();
        flatten(value.clone(), &mut references);
        let source = self.compilation.scope(frame.scope).source;
        let place = Some(line_of(&Place::new(frame.code.source(), frame.code.span(id))));
        for reference in references {
            let Some((type_name, title)) = titled(&reference) else {
                return Err(at_origin(frame, id, issues::illegal_override(&reference)).into());
            };
            let kind =
                self.find_kind(&type_name)?.ok_or_else(|| issues::unknown_resource_type(&type_name))?;
            let change = Override { parameters: parameters.clone(), source, place: place.clone() };
            self.add_override(kind, title, change)?;
        }
        Ok(value)
    }

    /// Logs a warning about an expression.
    pub(crate) fn warn_at(&mut self, frame: &Frame, id: Id, message: String) {
        let place = Some(Place::new(frame.code.source(), frame.code.span(id)));
        self.output.log(Log { level: Level::Warning, message, place, scope: None, excerpt: None });
    }

    /// Finds a resource type that may be declared, by any spelling of its name: one of the agent's, or one defined in
    /// the language.
    pub(crate) fn find_kind(&mut self, name: &str) -> Result<Option<KindId>> {
        self.kind_named(name, Unknown::IsAssumed)
    }

    /// Finds a resource type that something describes, or that a resource was declared of.
    pub(crate) fn find_described_kind(&mut self, name: &str) -> Result<Option<KindId>> {
        self.kind_named(name, Unknown::IsAbsent)
    }

    fn kind_named(&mut self, name: &str, unknown: Unknown) -> Result<Option<KindId>> {
        let lower = name.strip_prefix("::").unwrap_or(name).to_lowercase();
        if let Some(kind) = self.compilation.kinds_by_name.get(lower.as_str()).copied()
            && kind != KindId::STAGE
        {
            return Ok(Some(kind));
        }
        self.new_kind(&lower, unknown)
    }
}

/// Returns the reference to a resource.
pub(super) fn reference(type_name: &str, title: &str) -> Value {
    Type::from(ResourceType::titled(type_name, title)).into()
}

fn titled(reference: &Value) -> Option<(Str, Str)> {
    let Kind::Resource(resource) = reference.as_type()?.kind() else { return None };
    Some((resource.type_name()?.clone(), resource.title()?.clone()))
}

fn flatten(value: Value, into: &mut Vec<Value>) {
    match value {
        Value::Array(elements) => elements.iter().for_each(|element| flatten(element.clone(), into)),
        other => into.push(other),
    }
}

fn repeated(parameters: &[Parameter]) -> Option<&Str> {
    let is_known = |index: usize, name: &Str| parameters[..index].iter().any(|known| known.name == *name);
    parameters.iter().enumerate().find(|(index, own)| is_known(*index, &own.name)).map(|(_, own)| &own.name)
}

/// Puts the attributes of the `default` body below those of another.
fn merged(defaults: &[Parameter], own: Vec<Parameter>) -> Vec<Parameter> {
    let mut all = defaults.to_vec();
    for parameter in own {
        match all.iter_mut().find(|known| known.name == parameter.name) {
            Some(known) => *known = parameter,
            None => all.push(parameter),
        }
    }
    all
}

pub(super) fn at_origin(frame: &Frame, id: Id, error: hierarch_source::Error) -> hierarch_source::Error {
    let origin: ExprId = frame.code.origin(id);
    issues::at(error, &frame.code.ast, origin)
}

#[cfg(test)]
mod tests {
    use crate::testing::check_catalogs;

    /// Manifests, and the resources of their catalogs in order.
    const TITLES_BODIES_AND_ATTRIBUTES: &[(&str, &str)] = &[
        ("notify { ['a', 'b']: message => 'x' }", r#"Notify[a] message="x"; Notify[b] message="x""#),
        ("notify { 'a': ; 'b': message => 'y' }", r#"Notify[a]; Notify[b] message="y""#),
        ("notify { 'a': * => {message => 'x', withpath => true} }", r#"Notify[a] message="x" withpath=true"#),
        (
            "notify { default: withpath => true; 'a': message => 'm'; ['b', 'c']: }",
            r#"Notify[a] message="m" withpath=true; Notify[b] withpath=true; Notify[c] withpath=true"#,
        ),
        ("$h = {a => {message => '1'}, b => {}} notify { 'x': * => $h['a'] }", r#"Notify[x] message="1""#),
        ("notify { ['a', ['b', ['c']]]: }", "Notify[a]; Notify[b]; Notify[c]"),
        (r#"notify { "a${1 + 1}": }"#, "Notify[a2]"),
        ("notify { 'a': message => [1, [2]] }", "Notify[a] message=[1,[2]]"),
        ("notify { 'a': message => {x => 1} }", r#"Notify[a] message={"x":1}"#),
        ("notify { 'a': message => undef }", "Notify[a]"),
        ("notify { 'a': message => default }", r#"Notify[a] message="default""#),
        ("notify { 'a': message => 1.5 }", "Notify[a] message=1.5"),
        ("notify { 'a': message => Integer[1, 2] }", r#"Notify[a] message="Integer[1, 2]""#),
        ("notify { 'a': tag => ['x', 'y'] }", r#"Notify[a] tag=["x","y"]"#),
        ("@notify { 'a': }", ""),
        ("class c { } class { 'c': }", "Class[C]"),
        (r#"class c($x = 1) { notify { "n${x}": } } class { 'c': x => 2 }"#, "Class[C] x=2; Notify[n2]"),
        ("define x($p) { notify { $p: } } x { 't': p => 'q' }", r#"X[t] p="q"; Notify[q]"#),
        (
            r#"define x() { notify { $title: } notify { "${name}2": } } x { ['a', 'b']: }"#,
            "X[a]; X[b]; Notify[a]; Notify[a2]; Notify[b]; Notify[b2]",
        ),
        (
            r#"define x() { y { "${title}y": } } define y() { notify { "${title}n": } } x { 'a': }"#,
            "X[a]; Y[ay]; Notify[ayn]",
        ),
        ("Resource['notify'] { 'a': message => 'r' }", r#"Notify[a] message="r""#),
        ("Resource[Notify] { 'a': message => 'r' }", r#"Notify[a] message="r""#),
        (
            "class c { notify { 'in': } } class { 'c': stage => 'main' }",
            r#"Class[C] stage="main"; Notify[in]"#,
        ),
    ];

    #[test]
    fn titles_bodies_and_attributes() {
        check_catalogs(TITLES_BODIES_AND_ATTRIBUTES);
    }
}
