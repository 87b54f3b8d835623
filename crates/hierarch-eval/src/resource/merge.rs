//! Overrides: who may change which attribute of a resource, and what comes of it.

use hierarch_pcore::{Str, Value};
use hierarch_source::Error;

use super::{KindId, Override, Parameter, ResourceId};
use crate::Level;
use crate::Strict;
use crate::compile::Compilation;
use crate::define::DefinitionId;
use crate::evaluator::Evaluator;
use crate::load::Loading;
use crate::log::Log;
use crate::{Result, issues};

impl Evaluator<'_> {
    /// Changes a resource, now or once it is declared.
    pub(crate) fn add_override(&mut self, kind: KindId, title: Str, change: Override) -> Result<()> {
        if let Some(id) = self.compilation.find(kind, &title) {
            return self.merge(id, change);
        }
        check_repeated(&change, || format!("{}[{title}]", self.compilation.kind(kind).name))?;
        let key = (kind, title);
        let waiting = self.compilation.overrides.entry(key.clone()).or_default();
        if waiting.is_empty() {
            self.compilation.override_order.push(key);
        }
        waiting.push(change);
        Ok(())
    }

    /// Changes attributes of a resource, if whoever wants it may.
    pub(crate) fn merge(&mut self, id: ResourceId, change: Override) -> Result<()> {
        let resource = self.compilation.resource(id);
        check_repeated(&change, || self.compilation.reference(id))?;
        // Nothing declared the stage `main`, so nothing inherits the right to change it.
        let is_own = resource.source == change.source && id != ResourceId::STAGE;
        if !is_own && !self.is_child(change.source, resource.source)? {
            return Err(on_line(issues::only_subclasses(), change.place.as_ref()).into());
        }
        if resource.is_evaluated {
            self.late_override(id, &change)?;
        }
        for parameter in change.parameters {
            self.override_parameter(id, parameter)?;
        }
        let resource = self.compilation.resource_mut(id);
        resource.is_checked = false;
        self.compilation.touch(id);
        Ok(())
    }

    fn late_override(&mut self, id: ResourceId, change: &Override) -> Result<()> {
        let mut message = issues::late_override(self.compilation.resource(id).place.as_ref());
        match self.settings.strict {
            Strict::Off => Ok(()),
            Strict::Error => Err(on_line(issues::refused_override(message), change.place.as_ref()).into()),
            Strict::Warning => {
                let place = change.place.clone();
                // A warning has the place in its words, an error beside them.
                if let Some(place) = &place {
                    message = format!("{message} {}", issues::location(place));
                }
                self.output.log(Log { level: Level::Warning, message, place, scope: None, excerpt: None });
                Ok(())
            }
        }
    }

    fn override_parameter(&mut self, id: ResourceId, mut parameter: Parameter) -> Result<()> {
        let resource = self.compilation.resource(id);
        let (kind, scope) = (resource.kind, resource.scope);
        let Some(current) = resource.parameter(&parameter.name).cloned() else {
            return self.compilation.replace_parameter(id, parameter);
        };
        if self.compilation.is_default(scope, kind, &parameter.name, &parameter.value) {
            return Ok(());
        }
        let may = self.is_child(parameter.source, current.source)?
            || (parameter.source == current.source
                && self.compilation.is_default(scope, kind, &parameter.name, &current.value));
        if !may {
            let reference = self.compilation.reference(id);
            let by = self.loading.source_name(current.source);
            let error = issues::parameter_taken(&parameter.name, &reference, &by, current.place.as_ref());
            return Err(on_line(error, parameter.place.as_ref()).into());
        }
        if parameter.appends {
            let mut all = Vec::new();
            flatten(&current.value, &mut all);
            flatten(&parameter.value, &mut all);
            parameter.value = Value::array(all);
        }
        self.compilation.replace_parameter(id, parameter)
    }

    /// Tells whether a definition inherits from another, or may override anything.
    fn is_child(&self, child: DefinitionId, of: DefinitionId) -> Result<bool> {
        let mut next = child;
        // A chain of classes is never longer than there are classes; one that inherits from itself does not run.
        for _ in 0..1_000 {
            if self.compilation.overriding.contains(&next) {
                return Ok(true);
            }
            let Some(definition) = self.loading.definition(next) else { return Ok(false) };
            match self.parent_of(&definition)? {
                Some(parent) if parent == of => return Ok(true),
                Some(parent) => next = parent,
                None => return Ok(false),
            }
        }
        Ok(false)
    }
}

/// Checks that a change sets no attribute twice.
fn check_repeated(change: &Override, reference: impl Fn() -> String) -> Result<()> {
    for (index, parameter) in change.parameters.iter().enumerate() {
        if change.parameters[..index].iter().any(|known| known.name == parameter.name) {
            let error = issues::duplicate_parameter(&parameter.name, &reference());
            return Err(on_line(error, parameter.place.as_ref()).into());
        }
    }
    Ok(())
}

impl Loading<'_> {
    /// Returns what messages call a definition.
    fn source_name(&self, id: DefinitionId) -> String {
        match self.definition(id) {
            Some(definition) if self.is_define(id) => definition.name.to_string(),
            Some(definition) => format!("Class[{}]", crate::catalog::class_title(&definition.name)),
            None => "Class[main]".to_owned(),
        }
    }
}

impl Compilation {
    /// Tags a resource that was declared.
    pub(crate) fn tag_resource(&mut self, id: ResourceId, value: &Value) -> std::result::Result<(), Error> {
        let mut tagged = super::DeclaredResource::new(
            KindId::CLASS,
            Str::new(),
            crate::scope::ScopeId::TOP,
            DefinitionId::MAIN,
        );
        let resource = self.resource_mut(id);
        std::mem::swap(&mut tagged.tags, &mut resource.tags);
        let result = self.tag(&mut tagged, value);
        std::mem::swap(&mut tagged.tags, &mut self.resource_mut(id).tags);
        result?;
        self.touch(id);
        self.container_tags += u64::from(self.resource(id).definition.is_some());
        Ok(())
    }

    fn replace_parameter(&mut self, id: ResourceId, parameter: Parameter) -> Result<()> {
        if parameter.name == "tag" {
            let tagged = self.tag_resource(id, &super::declare::listed(&parameter.value));
            tagged.map_err(|error| on_line(error, parameter.place.as_ref()))?;
        }
        self.resource_mut(id).set(parameter);
        Ok(())
    }
}

fn flatten(value: &Value, into: &mut Vec<Value>) {
    match value {
        Value::Array(elements) => elements.iter().for_each(|element| flatten(element, into)),
        other => into.push(other.clone()),
    }
}

fn on_line(error: Error, place: Option<&hierarch_source::Place>) -> Error {
    match place {
        Some(place) => error.on_line_of(&place.source, place.span),
        None => error,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_catalogs;

    /// Manifests, and the resources of their catalogs in order.
    const OVERRIDES_CHANGE_WHAT_IS_DECLARED: &[(&str, &str)] = &[
        ("notify { 'a': } Notify['a'] { message => 'x' }", r#"Notify[a] message="x""#),
        (
            "class p { notify { 'a': message => 'p' } } class c inherits p { Notify['a'] { message => 'c' } } class { 'c': }",
            r#"Class[P]; Class[C]; Notify[a] message="c""#,
        ),
        (
            "class p { notify { 'a': message => 'p' } } class c inherits p { Notify['a'] { message => undef } } class { 'c': }",
            "Class[P]; Class[C]; Notify[a]",
        ),
        (
            "class p { notify { 'a': tag => 'p' } } class c inherits p { Notify['a'] { tag +> 'c' } } class { 'c': }",
            r#"Class[P]; Class[C]; Notify[a] tag=["p","c"]"#,
        ),
        (
            "class p { file { '/a': mode => '1' } } class c inherits p { File['/a'] { owner => 'o' } } class { 'c': }",
            r#"Class[P]; Class[C]; File[/a] mode="1" owner="o""#,
        ),
        (
            "class p { notify { 'a': message => 'p' } } class c { Notify['a'] { message => 'c' } } class { 'p': } class { 'c': }",
            "fails: Only subclasses can override parameters (line: 1)",
        ),
        (
            "class p { notify { 'a': message => 'p' } } class c inherits p { Notify['a'] { message => 'c' } } class d inherits c { Notify['a'] { message => 'd' } } class { 'd': }",
            r#"Class[P]; Class[C]; Class[D]; Notify[a] message="d""#,
        ),
        (
            "class p { notify { ['a', 'b']: } } class c inherits p { Notify['a', 'b'] { message => 'c' } } class { 'c': }",
            r#"Class[P]; Class[C]; Notify[a] message="c"; Notify[b] message="c""#,
        ),
        (
            "notify { 'a': } Notify['a'] { nope => 1 }",
            "fails: no parameter named 'nope' (line: 1) on Notify[a] (line: 1)",
        ),
        ("Notify['x'] { message => 'y' }", "fails: Could not find resource(s) Notify[x] for overriding"),
    ];

    #[test]
    fn overrides_change_what_is_declared() {
        check_catalogs(OVERRIDES_CHANGE_WHAT_IS_DECLARED);
    }
}
