//! Putting a resource into the catalog: tags, defaults, what else it is known as, and what contains it.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use hierarch_pcore::types::capitalized;
use hierarch_pcore::value::double_quoted;
use hierarch_pcore::{Str, Value};
use hierarch_source::{Error, Place};
use rustc_hash::FxHashMap;

use super::{DeclaredResource, KindId, Parameter, ResourceId, ResourceKind};
use crate::Level;
use crate::catalog::{self, Kind, class_title, is_reference, is_valid_tag};
use crate::code::ClassKind;
use crate::compile::Compilation;
use crate::define::DefinitionId;
use crate::evaluator::Evaluator;
use crate::load::Loading;
use crate::log::Log;
use crate::resource::expression::reference;
use crate::resource_types::ResourceType;
use crate::scope::ScopeId;
use crate::{Result, issues};

/// A resource that is about to be declared.
#[derive(Clone)]
pub(crate) struct Declaration {
    pub(crate) kind: KindId,
    pub(crate) title: Str,
    /// What is given as the title, if that is not a text: an integer, for instance.
    pub(crate) odd_title: Option<Value>,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) is_virtual: bool,
    pub(crate) is_exported: bool,
    /// Whether a function declares it, which stands elsewhere than the resource.
    pub(crate) is_by_function: bool,
    pub(crate) place: Option<Place>,
    pub(crate) word: Kind,
    pub(crate) definition: Option<DefinitionId>,
    pub(crate) source: DefinitionId,
    pub(crate) scope: ScopeId,
}

/// Resources that share a type and attributes.
pub(crate) struct Group<'g> {
    pub(crate) type_name: &'g str,
    pub(crate) titles: Vec<Str>,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) template: &'g Declaration,
}

impl Declaration {
    /// Starts a declaration in a scope.
    pub(crate) fn new(scope: ScopeId) -> Self {
        Self {
            kind: KindId::CLASS,
            title: Str::new(),
            odd_title: None,
            parameters: Vec::new(),
            is_virtual: false,
            is_exported: false,
            is_by_function: false,
            place: None,
            word: Kind::Other,
            definition: None,
            source: DefinitionId::MAIN,
            scope,
        }
    }
}

/// What a name of a resource type that nothing describes stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unknown {
    /// A type of a module that is not here: whoever declares one says that there is such a type.
    IsAssumed,
    /// Nothing: whether it is there is the question.
    IsAbsent,
}

impl Evaluator<'_> {
    /// Declares resources of one type and returns references to them.
    pub(crate) fn declare_group(&mut self, group: Group) -> Result<Vec<Value>> {
        if group.type_name.eq_ignore_ascii_case("class") {
            return self.declare_classes(group);
        }
        let Some(kind) = self.find_kind(group.type_name)? else {
            return Err(self.loading.unknown_resource_type(group.type_name).into());
        };
        let known = self.compilation.kind(kind);
        let (definition, type_name) = (known.definition, known.name.clone());
        let word = if definition.is_some() { Kind::Define } else { Kind::Native };
        let source = self.compilation.scope(group.template.scope).source;
        let mut references = Vec::with_capacity(group.titles.len());
        let mut parameters = group.parameters;
        let last = group.titles.len().saturating_sub(1);
        for (index, title) in group.titles.into_iter().enumerate() {
            references.push(reference(&type_name, &title));
            let parameters = if index == last { std::mem::take(&mut parameters) } else { parameters.clone() };
            self.declare(Declaration {
                kind,
                title,
                parameters,
                word,
                definition,
                source,
                ..group.template.clone()
            })?;
        }
        Ok(references)
    }

    fn declare_classes(&mut self, group: Group) -> Result<Vec<Value>> {
        let source = self.compilation.scope(group.template.scope).source;
        let mut references = Vec::with_capacity(group.titles.len());
        for title in group.titles {
            let name = title.strip_prefix("::").unwrap_or(&title).to_lowercase();
            let Some(definition) = self.loading.class(&name)? else {
                return Err(issues::undeclared_class(&title).into());
            };
            self.log_load_warnings();
            references.push(reference("Class", &class_title(&name)));
            self.declare_class(Declaration {
                kind: KindId::CLASS,
                title: name.as_str().into(),
                parameters: group.parameters.clone(),
                word: Kind::Class,
                definition: Some(definition),
                source,
                ..group.template.clone()
            })?;
            self.include(&[name.as_str().into()], group.template.scope)?;
        }
        Ok(references)
    }

    /// Learns of a resource type by its name in lower case; `unknown` says what becomes of a name that nothing describes.
    pub(super) fn new_kind(&mut self, lower: &str, unknown: Unknown) -> Result<Option<KindId>> {
        let native = if lower.contains(':') { None } else { self.environment.resource_types().find(lower) };
        if native.is_some() {
            self.check_redefinition(lower)?;
        }
        let definition = if native.is_some() { None } else { self.loading.define(lower)? };
        let native = match &definition {
            None if unknown == Unknown::IsAssumed => native.or_else(|| self.assumed_type(lower)),
            None => native,
            Some(_) => None,
        };
        if native.is_none() && definition.is_none() {
            return Ok(None);
        }
        self.log_load_warnings();
        if let Some(known) = self.compilation.kinds_by_name.get(lower).copied() {
            self.compilation.kind_mut(known).native = native;
            return Ok(Some(known));
        }
        let kind = ResourceKind { native, definition, ..ResourceKind::named(&capitalized(lower)) };
        Ok(Some(self.compilation.add_kind(kind)))
    }

    /// A defined type may have the name of a resource type of the agent's, but neither can be used then.
    fn check_redefinition(&mut self, name: &str) -> Result<()> {
        let id = self.loading.known.borrow().define(name);
        // The one that is always loaded.
        let Some(definition) = id.and_then(|id| self.loading.definition(id)).filter(|_| name != "stage")
        else {
            return Ok(());
        };
        let error = issues::redefined_type(name, &definition.whole_place());
        self.output.log(Log {
            level: Level::Err,
            message: error.message.clone(),
            place: None,
            scope: None,
            excerpt: None,
        });
        Err(error.into())
    }

    /// What a type is taken for that nobody describes.
    fn assumed_type(&mut self, lower: &str) -> Option<Arc<ResourceType>> {
        let assumed =
            if lower.contains(':') { None } else { self.environment.resource_types().assume(lower) };
        if assumed.is_some() {
            let near = self.loading.near_resource_types(lower);
            self.output.warn_once(issues::assumed_type(lower, &near));
        }
        assumed
    }

    /// Puts a resource into the catalog.
    pub(crate) fn declare(&mut self, declaration: Declaration) -> Result<ResourceId> {
        self.budget.step()?;
        let is_define = declaration.definition.is_some() && !is_class_or_node(declaration.kind);
        let is_virtual = declaration.is_virtual;
        let id = self.compilation.declare(declaration)?;
        self.budget.check_resources(self.compilation.resources.len())?;
        if is_define && !is_virtual {
            self.compilation.pending.push(id);
        }
        Ok(id)
    }
}

impl Loading<'_> {
    /// Tells whether a definition is that of a defined type.
    pub(crate) fn is_define(&self, id: DefinitionId) -> bool {
        self.definition(id).is_some_and(|definition| definition.kind() == ClassKind::Define)
    }
}

impl Compilation {
    fn declare(&mut self, declaration: Declaration) -> std::result::Result<ResourceId, Error> {
        let scope = declaration.scope;
        let resource = self.declared(declaration)?;
        if is_class_or_node(resource.kind) {
            self.tags.add_all(&resource.tags);
        }
        let id = ResourceId(self.resources.len() as u32);
        match self.kind_mut(resource.kind).titles.entry(resource.title.clone()) {
            Entry::Occupied(first) => {
                let first = *first.get();
                return Err(self.duplicate(&resource, first));
            }
            Entry::Vacant(place) => place.insert(id),
        };
        self.add_aliases(&resource, id)?;
        let stage = resource.value("stage").is_some_and(|stage| !stage.is_undef());
        let kind = resource.kind;
        self.resources.push(resource);
        self.kind_mut(kind).changed.push(id);
        if kind != KindId::CLASS && stage {
            return Err(issues::stage_of_resource(&self.reference(id)));
        }
        if !matches!(kind, KindId::CLASS | KindId::STAGE) {
            self.add_edge(self.scope(scope).resource, id);
        }
        Ok(id)
    }

    fn declared(&mut self, declaration: Declaration) -> std::result::Result<DeclaredResource, Error> {
        let Declaration { kind, title, scope, source, .. } = declaration;
        let title = if kind == KindId::CLASS { class_title(&title) } else { title };
        let mut resource = DeclaredResource::new(kind, title, scope, source);
        resource.is_virtual = declaration.is_virtual;
        resource.is_exported = declaration.is_exported;
        resource.is_by_function = declaration.is_by_function;
        resource.place = declaration.place;
        resource.word = declaration.word;
        resource.definition = declaration.definition;
        for parameter in declaration.parameters {
            self.set_with_tags(&mut resource, parameter)?;
        }
        resource.tags.add_all(&self.kinds[kind.0 as usize].tags);
        resource.odd_title = declaration.odd_title;
        if resource.odd_title.is_none() && is_valid_tag(&resource.title) {
            self.tag_names.add_to(&mut resource.tags, &resource.title.to_lowercase());
        }
        for default in self.defaults(scope, kind) {
            if resource.parameter(&default.name).is_none() {
                self.set_with_tags(&mut resource, default)?;
            }
        }
        Ok(resource)
    }

    /// Sets an attribute; `tag` also tags.
    pub(super) fn set_with_tags(
        &mut self,
        resource: &mut DeclaredResource,
        parameter: Parameter,
    ) -> std::result::Result<(), Error> {
        if parameter.name == "tag" {
            self.tag(resource, &listed(&parameter.value)).map_err(|error| match &resource.place {
                Some(place) => error.on_line_of(&place.source, place.span),
                None => error,
            })?;
        }
        resource.set(parameter);
        Ok(())
    }

    /// Tags a resource with a text, or with all texts in an array.
    pub(crate) fn tag(
        &mut self,
        resource: &mut DeclaredResource,
        value: &Value,
    ) -> std::result::Result<(), Error> {
        match value {
            Value::Undef => Ok(()),
            Value::Array(elements) => elements.iter().try_for_each(|element| self.tag(resource, element)),
            other => {
                let word = match other {
                    Value::Type(type_) if is_reference(type_) => {
                        catalog::reference(other).as_str().to_lowercase()
                    }
                    other => other.to_plain().to_lowercase(),
                };
                if !is_valid_tag(&word) {
                    return Err(issues::invalid_tag(&word));
                }
                self.tag_names.add_to(&mut resource.tags, &word);
                Ok(())
            }
        }
    }

    /// Makes a resource be found by its aliases and by its name.
    fn add_aliases(&mut self, resource: &DeclaredResource, id: ResourceId) -> std::result::Result<(), Error> {
        let mut aliases = Vec::new();
        if let Some(value) = resource.value("alias") {
            flat_texts(value, &mut aliases);
        }
        for alias in aliases {
            self.add_alias(resource, id, alias.clone(), &[Value::from(alias)], true)?;
        }
        match self.unique_key(resource) {
            Some((values, key)) if !matches!(&values[..], [Value::String(only)] if *only == resource.title) => {
                self.add_alias(resource, id, key, &values, false)
            }
            _ => Ok(()),
        }
    }

    /// Checks aliases that came after the declaration of their resources, from collectors and overrides.
    pub(crate) fn check_late_aliases(&self) -> crate::Result<()> {
        let mut known: FxHashMap<(KindId, Str), ResourceId> = FxHashMap::default();
        for index in 0..self.resources.len() {
            let (id, mut aliases) = (ResourceId(index as u32), Vec::new());
            let resource = self.resource(id);
            if let Some(value) = resource.value("alias").filter(|_| !resource.is_virtual) {
                flat_texts(value, &mut aliases);
            }
            for alias in aliases {
                let taken = *known.entry((resource.kind, alias.clone())).or_insert(id);
                if taken != id {
                    return Err(self.late_alias_clash(id, &alias).into());
                }
            }
        }
        Ok(())
    }

    fn late_alias_clash(&self, id: ResourceId, alias: &str) -> Error {
        let resource = self.resource(id);
        let place = resource.place.as_ref().map(issues::location);
        issues::late_alias_taken(&self.reference(id), &self.kind(resource.kind).name, alias, place)
    }

    fn add_alias(
        &mut self,
        resource: &DeclaredResource,
        id: ResourceId,
        key: Str,
        values: &[Value],
        is_text: bool,
    ) -> std::result::Result<(), Error> {
        // What is false for Ruby cannot be a name.   case: lang/campaign
        if values.iter().all(|value| matches!(value, Value::Undef | Value::Boolean(false))) {
            return Ok(());
        }
        let known = *self.kind_mut(resource.kind).titles.entry(key).or_insert(id);
        if known == id { Ok(()) } else { Err(self.alias_clash(resource, known, values, is_text)) }
    }

    fn alias_clash(
        &self,
        resource: &DeclaredResource,
        first: ResourceId,
        values: &[Value],
        is_text: bool,
    ) -> Error {
        let type_name = &self.kind(resource.kind).name;
        let inner = values.iter().map(inspected).collect::<Vec<_>>().join(", ");
        let key = if is_text { inner } else { format!("[{inner}]") };
        let mut parts = vec![double_quoted(type_name)];
        values.iter().for_each(|value| flat_inspected(value, &mut parts));
        let taken = format!("[{}]", parts.join(", "));
        let own = format!("{type_name}[{}]", resource.title);
        let location = |declared: &DeclaredResource| {
            let quote = if declared.is_by_function { issues::call_location } else { issues::location };
            declared.place.as_ref().map(quote)
        };
        issues::alias_taken(&own, &key, &taken, (location(resource), location(self.resource(first))))
    }

    fn duplicate(&self, resource: &DeclaredResource, first: ResourceId) -> Error {
        let name = format!("{}[{}]", self.kind(resource.kind).name, resource.title);
        let location = |declared: &DeclaredResource| {
            let quote = if declared.is_by_function { issues::call_location } else { issues::location };
            declared.place.as_ref().map(quote)
        };
        issues::duplicate_declaration(&name, location(self.resource(first)), location(resource))
    }

    /// Gives a resource the tags of what it was declared in, once.
    pub(crate) fn add_scope_tags(&mut self, id: ResourceId) {
        let resource = self.resource(id);
        if resource.has_scope_tags {
            return;
        }
        let container = self.scope(resource.scope).resource;
        if container != id {
            let tags = self.resource(container).tags.clone();
            self.resource_mut(id).tags.add_all(&tags);
        }
        self.resource_mut(id).has_scope_tags = true;
    }
}

fn is_class_or_node(kind: KindId) -> bool {
    matches!(kind, KindId::CLASS | KindId::NODE)
}

/// Returns the tags that an attribute holds: of a hash its keys and values, which the reference takes for a list.
pub(super) fn listed(value: &Value) -> Value {
    match value {
        Value::Hash(hash) => listed(&Value::array(crate::expr::pairs(hash))),
        Value::Array(elements) => Value::array(elements.iter().map(with_ruby_pattern).collect()),
        // Ruby takes a reference for the list of its attributes, and it has none.
        Value::Type(type_) if is_reference(type_) => Value::array(Vec::new()),
        other => with_ruby_pattern(other),
    }
}

/// A pattern that an attribute holds is a tag by the text that Ruby has for it.
fn with_ruby_pattern(value: &Value) -> Value {
    match value {
        Value::Regexp(regexp) => regexp.as_group().into(),
        Value::Array(_) => listed(value),
        other => other.clone(),
    }
}

/// Returns a value as Ruby shows it.
pub(crate) fn inspected(value: &Value) -> String {
    match value {
        Value::Undef => "nil".to_owned(),
        Value::String(text) => double_quoted(text),
        Value::Default => ":default".to_owned(),
        Value::Sensitive(_) => format!("#<{value}>"),
        Value::Array(elements) => {
            format!("[{}]", elements.iter().map(inspected).collect::<Vec<_>>().join(", "))
        }
        Value::Hash(hash) => {
            let entries = hash.iter().map(|(key, value)| format!("{}=>{}", inspected(key), inspected(value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        Value::Uri(_) | Value::SemVerRange(_) => {
            let list = Value::array(vec![value.clone()]).to_plain();
            list.trim_start_matches('[').trim_end_matches(']').to_owned()
        }
        other => other.to_string(),
    }
}

/// Adds a value as the reference shows it in its table of resources, where lists are taken apart.
fn flat_inspected(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::Array(elements) => elements.iter().for_each(|element| flat_inspected(element, into)),
        other => into.push(inspected(other)),
    }
}

fn flat_texts(value: &Value, into: &mut Vec<Str>) {
    match value {
        Value::Array(elements) => elements.iter().for_each(|element| flat_texts(element, into)),
        Value::Undef => {}
        Value::String(text) => into.push(text.clone()),
        other => into.push(other.to_string().into()),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_programs;

    /// Programs, and what Puppet makes of them.
    const RESOURCES_ARE_DECLARED_ONCE_AND_WHOLE: &[(&str, &str)] = &[
        (
            "notify { 'a': } notify { 'a': }",
            "Evaluation Error: Error while evaluating a Resource Statement, Duplicate declaration: Notify[a] is already declared at (line: 1); cannot redeclare (line: 1) (line: 1, column: 17)",
        ),
        (
            "notify { ['a', 'b']: } notify { 'b': }",
            "Evaluation Error: Error while evaluating a Resource Statement, Duplicate declaration: Notify[b] is already declared at (line: 1); cannot redeclare (line: 1) (line: 1, column: 24)",
        ),
        (
            "notify { '': }",
            "Evaluation Error: Empty string title at 0. Title strings must have a length greater than zero. (line: 1, column: 10)",
        ),
        (
            "notify { undef: }",
            "Evaluation Error: Missing title. The title expression resulted in undef (line: 1, column: 10)",
        ),
        (
            "notify { 1: }",
            "Evaluation Error: Illegal title type at index 0. Expected String, got Integer (line: 1, column: 10)",
        ),
        ("notify { [['a'], 'b']: }", "[Notify['a'], Notify['b']]"),
        (
            "notify { {a => 1}: }",
            "Evaluation Error: Illegal title type at index 0. Expected String, got Hash[String, Integer] (line: 1, column: 10)",
        ),
        ("notify { []: }", "[]"),
        (
            "notify { 'a': message => 'x', message => 'y' }",
            "Evaluation Error: The attribute 'message' has already been set (line: 1, column: 1)",
        ),
        ("notify { 'a': nope => 1 }", "no parameter named 'nope' (line: 1) on Notify[a] (line: 1)"),
        ("notify { 'a': * => {message => 'x'} }", "[Notify['a']]"),
        (
            "notify { 'a': * => {message => 'x'}, message => 'y' }",
            "Evaluation Error: The attribute 'message' has already been set (line: 1, column: 1)",
        ),
        (
            "notify { 'a': * => 5 }",
            "Evaluation Error: Expected value of type Hash, got Integer (line: 1, column: 20)",
        ),
        ("notify { 'a': * => {nope => 1} }", "no parameter named 'nope' (line: 1) on Notify[a] (line: 1)"),
        ("notify { default: message => 'd'; 'a': ; 'b': message => 'x' }", "[Notify['a'], Notify['b']]"),
        (
            "notify { default: message => 'd'; default: message => 'e' }",
            "Evaluation Error: The title 'default' has already been used in this resource expression (line: 1, column: 1)",
        ),
        ("file { 'a': }", "[File['a']]"),
        ("file { '/a': ensure => 'nope' }", "[File['/a']]"),
        ("file { '/a': ensure => undef }", "[File['/a']]"),
        ("exec { 'a': }", "[Exec['a']]"),
        ("Notify['a']['message']", "Evaluation Error: Resource not found: Notify['a'] (line: 1, column: 1)"),
        ("notify { 'a': message => 'x' } Notify['a']['message']", "'x'"),
        (
            "notify { 'a': message => 'x' } Notify['a']['nope']",
            "Evaluation Error: The resource Notify['a'] does not have a parameter called 'nope' (line: 1, column: 32)",
        ),
        ("Notify { message => 'd' } notify { 'a': } Notify['a']['message']", "'d'"),
        ("Notify['a'] { message => 'y' }", "Could not find resource(s) Notify[a] for overriding"),
        ("notify { 'a': } Notify['a'] { withpath => true } Notify['a']['withpath']", "true"),
        ("@notify { 'a': message => 'v' } Notify['a']['message']", "'v'"),
        ("class a { } @class { 'a': }", "Classes are not virtualizable (line: 1, column: 13)"),
        (
            "notify { 'a': before => Notify['b'] }",
            "Could not find resource 'Notify[b]' in parameter 'before' (line: 1)",
        ),
        (
            "notify { 'a': require => 'x' }",
            r#"No title provided and "x" is not a valid resource reference (line: 1)"#,
        ),
        (
            "notify { 'a': } -> notify { 'a': }",
            "Evaluation Error: Error while evaluating a Resource Statement, Duplicate declaration: Notify[a] is already declared at (line: 1); cannot redeclare (line: 1) (line: 1, column: 20)",
        ),
        ("Nope['a']", "Evaluation Error: Resource type not found: Nope (line: 1, column: 1)"),
        ("notify { 'a': tag => 'x' } Notify['a']['tag']", "'x'"),
        ("notify { 'a': noop => true, loglevel => 'odd' }", "[Notify['a']]"),
        (
            "'notify' { 'a': }",
            "Evaluation Error: Illegal Resource Type expression, expected result to be a type name, or untitled Resource, got String (line: 1, column: 1)",
        ),
        ("$t = 'notify' Resource[$t] { 'a': message => 'm' } Notify['a']['message']", "'m'"),
        (
            "Resource['nope'] { 'a': }",
            "Evaluation Error: Error while evaluating a Resource Statement, Unknown resource type: 'Nope' (line: 1, column: 1)",
        ),
    ];

    #[test]
    fn resources_are_declared_once_and_whole() {
        check_programs(RESOURCES_ARE_DECLARED_ONCE_AND_WHOLE);
    }
}
