//! `Type { attributes }`: what resources of a type have unless they say otherwise.

use hierarch_pcore::types::Kind;
use hierarch_pcore::{Value, infer};

use super::Parameter;
use crate::code::{Id, Operation};
use crate::evaluator::{Evaluated, Evaluator};
use crate::scope::Frame;
use crate::{Result, issues};

impl Evaluator<'_> {
    pub(crate) fn resource_defaults(
        &mut self,
        frame: &Frame,
        type_ref: Id,
        operations: &[Operation],
    ) -> Evaluated {
        let value = self.eval(frame, type_ref)?;
        let name = match value.as_type().map(hierarch_pcore::Type::kind) {
            Some(Kind::Resource(resource)) if resource.title().is_none() => resource.type_name().cloned(),
            _ => None,
        };
        let Some(name) = name else {
            let error = issues::illegal_resource_type(&infer::generic(&value).to_string());
            return Err(issues::at(error, &frame.code.ast, frame.code.origin(type_ref)).into());
        };
        let parameters = self.attributes(frame, operations)?;
        let kind = self.find_kind(&name)?.ok_or_else(|| issues::unknown_resource_type(&name))?;
        self.compilation.kinds[kind.0 as usize].has_defaults = true;
        for parameter in parameters {
            let known = self.compilation.scope_mut(frame.scope).defaults.entry(kind).or_default();
            add_default(known, parameter, &name)?;
        }
        Ok(value)
    }
}

fn add_default(known: &mut Vec<Parameter>, parameter: Parameter, type_name: &str) -> Result<()> {
    if known.iter().any(|known| known.name == parameter.name) {
        let error = issues::default_redefined(type_name, &parameter.name);
        return Err(match &parameter.place {
            Some(place) => error.on_line_of(&place.source, place.span).into(),
            None => error.into(),
        });
    }
    known.push(parameter);
    Ok(())
}

/// Returns a value that only a default gives, for whoever asks a resource for an attribute.
pub(super) fn value_of(defaults: &[Parameter], name: &str) -> Option<Value> {
    defaults.iter().find(|default| default.name == name).map(|default| default.value.clone())
}

#[cfg(test)]
mod tests {
    use crate::testing::check_catalogs;

    /// Manifests, and the resources of their catalogs in order.
    const DEFAULTS_REACH_FROM_WHERE_THEY_STAND: &[(&str, &str)] = &[
        (
            "Notify { message => 'd' } notify { 'a': } notify { 'b': message => 'x' }",
            r#"Notify[a] message="d"; Notify[b] message="x""#,
        ),
        ("notify { 'a': } Notify { message => 'd' }", "Notify[a]"),
        (
            "Notify { message => 'd' } class c { notify { 'a': } } class { 'c': }",
            r#"Class[C]; Notify[a] message="d""#,
        ),
        (
            "class c { Notify { message => 'c' } notify { 'a': } } class { 'c': } notify { 'b': }",
            r#"Class[C]; Notify[a] message="c"; Notify[b]"#,
        ),
        (
            "Notify { message => 'top' } class c { Notify { message => 'c' } notify { 'a': } } class { 'c': } notify { 'b': }",
            r#"Class[C]; Notify[a] message="c"; Notify[b] message="top""#,
        ),
        (
            r#"Notify { message => 'd' } define x() { notify { "${title}-n": } } x { 't': }"#,
            r#"X[t]; Notify[t-n] message="d""#,
        ),
        (
            r#"class c { Notify { message => 'c' } x { 't': } } define x() { notify { "${title}-n": } } class { 'c': }"#,
            r#"Class[C]; X[t]; Notify[t-n] message="c""#,
        ),
        (
            "Notify { message => 'd', withpath => true } notify { 'a': message => undef }",
            "Notify[a] withpath=true",
        ),
        (
            "Notify { message => 'd' } Notify { withpath => true } notify { 'a': }",
            r#"Notify[a] message="d" withpath=true"#,
        ),
        ("Notify { message => 'd' } @notify { 'a': } Notify<| |>", r#"Notify[a] message="d""#),
        (
            "class p { Notify { message => 'p' } } class c inherits p { notify { 'a': } } class { 'c': }",
            r#"Class[P]; Class[C]; Notify[a] message="p""#,
        ),
        ("Notify { tag => 't' } notify { 'a': tag => 'u' }", r#"Notify[a] tag="u""#),
        (
            r#"define x($m = 'own') { notify { "${title}": message => $m } } X { m => 'given' } x { 'a': } x { 'b': m => 'z' }"#,
            r#"X[a] m="given"; X[b] m="z"; Notify[a] message="given"; Notify[b] message="z""#,
        ),
        (
            "Notify { message => 'd' } notify { default: message => 'l'; 'a': ; 'b': message => 'x' }",
            r#"Notify[a] message="l"; Notify[b] message="x""#,
        ),
    ];

    #[test]
    fn defaults_reach_from_where_they_stand() {
        check_catalogs(DEFAULTS_REACH_FROM_WHERE_THEY_STAND);
    }
}
