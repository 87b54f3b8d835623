//! What functions may do with the catalog: declare classes and resources, tag, realize, and ask what is there.

use hierarch_pcore::types::{ClassType, Kind};
use hierarch_pcore::{Hash, Str, Type, Value};
use hierarch_source::Place;

use super::Call;
use crate::compile::line_of;
use crate::define::{DefinitionId, class_names};
use crate::resource::{Declaration, Group, KindId, Parameter};
use crate::{Result, issues};

impl Call<'_, '_> {
    /// Declares classes, given by name or reference, and returns references to them.
    pub fn include(&mut self, classes: &[Value]) -> Result<Value> {
        let names = class_names(classes)?;
        self.evaluator.include(&names, self.frame.scope)?;
        Ok(references(&names))
    }

    /// Declares classes and makes the class or defined type around contain them.
    pub fn contain(&mut self, classes: &[Value]) -> Result<Value> {
        let names = class_names(classes)?;
        self.evaluator.contain(&names, self.frame.scope)?;
        Ok(references(&names))
    }

    /// Declares classes and makes the class or defined type around require them.
    pub fn require(&mut self, classes: &[Value]) -> Result<Value> {
        let names = class_names(classes)?;
        self.evaluator.require(&names, self.frame.scope)?;
        Ok(references(&names))
    }

    /// Asks for virtual resources to be made real.
    pub fn realize(&mut self, references: &[Value]) {
        self.evaluator.compilation.realize_all(references);
    }

    /// Tags the class or defined type around.
    pub fn tag(&mut self, tags: &[Value]) -> Result<()> {
        let container = self.evaluator.compilation.scope(self.frame.scope).resource;
        Ok(tags.iter().try_for_each(|tag| self.evaluator.compilation.tag_resource(container, tag))?)
    }

    /// Tells whether the catalog, or the class or defined type around, has a tag.
    pub fn is_tagged(&self, tag: &str) -> bool {
        let compilation = &self.evaluator.compilation;
        let Some(tag) = compilation.tag_names.find(&tag.to_lowercase()) else { return false };
        let container = compilation.scope(self.frame.scope).resource;
        compilation.tags.has(tag) || compilation.is_tagged(container, &[tag])
    }

    /// Declares resources of a type: titles with their attributes, and attributes that all of them have.
    pub fn create_resources(&mut self, type_name: &str, resources: &Hash, defaults: &Hash) -> Result<()> {
        let bare = type_name.trim_start_matches('@');
        let is_virtual = bare.len() < type_name.len();
        if is_virtual && bare.eq_ignore_ascii_case("class") {
            return Err(match self.place() {
                Some(place) => issues::virtual_class().on_line_of(&place.source, place.span).into(),
                None => issues::virtual_class().into(),
            });
        }
        let template = Declaration {
            is_virtual,
            is_exported: type_name.starts_with("@@"),
            is_by_function: true,
            place: self.place().as_ref().map(line_of),
            ..Declaration::new(self.frame.scope)
        };
        let source = self.evaluator.compilation.scope(self.frame.scope).source;
        for (title, attributes) in resources {
            let mut parameters = parameters(defaults, attributes, source)?;
            let titles = titles(title);
            let type_name = &bare.to_lowercase();
            let mut template = template.clone();
            if is_odd(title) {
                self.name_oddly(type_name, title, &mut parameters, source)?;
                template.odd_title = Some(title.clone());
            }
            self.evaluator.declare_group(Group { type_name, titles, parameters, template: &template })?;
        }
        Ok(())
    }

    /// A resource whose title is not a text also has it as its name, which is one.
    fn name_oddly(
        &mut self,
        type_name: &str,
        title: &Value,
        parameters: &mut Vec<Parameter>,
        source: DefinitionId,
    ) -> Result<()> {
        if title.is_undef() {
            return Err(issues::no_title(type_name).into());
        }
        let kind = self.evaluator.find_kind(type_name)?;
        let native = kind.and_then(|kind| self.evaluator.compilation.kind(kind).native.clone());
        let name: Str = native.map_or_else(|| "name".into(), |native| native.namevar().into());
        if parameters.iter().all(|parameter| parameter.name != name) {
            let value = Value::from(title.to_string());
            parameters.push(Parameter { name, value, appends: false, source, place: None });
        }
        Ok(())
    }

    /// Tells whether a name is that of a resource type, a defined type or a class.
    pub fn is_type_or_class(&mut self, name: &str) -> Result<bool> {
        if name == "main" {
            return Ok(true);
        }
        let lower = name.to_lowercase();
        let is_type = !lower.is_empty() && self.evaluator.find_described_kind(&lower)?.is_some_and(is_type);
        Ok(is_type || (!lower.is_empty() && self.evaluator.loading.class(&lower)?.is_some()))
    }

    /// Tells whether what a reference names is there: a resource, a class, or for a type alone the type.
    pub fn is_declared(&mut self, type_: &Type) -> Result<bool> {
        match type_.kind() {
            Kind::Resource(resource) => {
                let Some(name) = resource.type_name() else { return Err(issues::all_resources().into()) };
                let Some(kind) = self.evaluator.find_described_kind(name)? else { return Ok(false) };
                Ok(match resource.title() {
                    Some(title) => self.evaluator.compilation.find(kind, title).is_some(),
                    None => true,
                })
            }
            Kind::Class(class) => {
                let Some(name) = class.class() else { return Err(issues::all_classes().into()) };
                Ok(self.evaluator.compilation.find(KindId::CLASS, name).is_some())
            }
            Kind::Type(inner) => match inner.contained() {
                Some(inner) => self.is_defined(inner),
                None => Ok(false),
            },
            _ => Ok(false),
        }
    }

    /// Tells whether the type or class that a reference names is defined.
    fn is_defined(&mut self, type_: &Type) -> Result<bool> {
        match type_.kind() {
            Kind::Class(class) => {
                let Some(name) = class.class() else { return Err(issues::all_classes().into()) };
                Ok(self.evaluator.loading.class(name)?.is_some())
            }
            _ => self.is_declared(type_),
        }
    }
}

/// `class` and `node` are not types that resources can be declared of by name.
fn is_type(kind: KindId) -> bool {
    !matches!(kind, KindId::CLASS | KindId::NODE)
}

fn references(names: &[Str]) -> Value {
    let reference = |name: &Str| {
        let bare = name.strip_prefix("::").unwrap_or(name);
        Value::from(Type::from(ClassType::named(bare)))
    };
    Value::array(names.iter().map(reference).collect())
}

/// Tells whether something is neither a text nor texts, but taken for a title all the same.
fn is_odd(title: &Value) -> bool {
    !matches!(title, Value::String(_) | Value::Array(_) | Value::Regexp(_))
}

fn titles(title: &Value) -> Vec<Str> {
    match title {
        Value::Array(titles) => titles.iter().map(|title| title.to_string().into()).collect(),
        other => vec![other.to_string().into()],
    }
}

fn parameters(defaults: &Hash, attributes: &Value, source: DefinitionId) -> Result<Vec<Parameter>> {
    let Value::Hash(attributes) = attributes else {
        return Err(issues::attributes_no_hash(attributes).into());
    };
    let mut all: Hash = defaults.clone();
    for (name, value) in attributes.iter() {
        all.insert(name.clone(), value.clone());
    }
    let no_place: Option<Place> = None;
    Ok(all
        .iter()
        .map(|(name, value)| Parameter {
            name: name.to_string().into(),
            value: value.clone(),
            appends: false,
            source,
            place: no_place.clone(),
        })
        .collect())
}
