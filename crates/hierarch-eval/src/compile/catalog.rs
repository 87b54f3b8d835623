//! From the state of a compilation to the catalog that comes of it.

use std::sync::Arc;

use hierarch_pcore::{Str, Value};

use super::Compilation;
use crate::catalog::{Catalog, Resource, Tags};
use crate::evaluator::Evaluator;
use crate::resource::{DeclaredResource, ResourceId};
use crate::resource_types::{RELATIONSHIPS, ResourceType, Titles};

impl Evaluator<'_> {
    /// Returns the catalog of what was declared so far.
    pub(crate) fn finished_catalog(&self) -> Catalog {
        const NANOSECONDS: i128 = 1_000_000_000;
        let seconds = self.environment.now().0 / NANOSECONDS;
        let mut catalog = Catalog::default();
        catalog.name.clone_from(&self.settings.node);
        catalog.version = i64::try_from(seconds).unwrap_or_default();
        catalog.environment = self.environment_name();
        self.compilation.fill(&mut catalog);
        catalog.stubs.clone_from(&self.substitution.stubs);
        catalog.help.clone_from(&self.substitution.help);
        catalog
    }
}

impl Compilation {
    fn fill(&self, catalog: &mut Catalog) {
        let mut place = vec![None; self.resources.len()];
        let kept = self.resources.iter().enumerate().filter(|(_, resource)| is_kept(resource));
        for (new, (old, _)) in kept.enumerate() {
            place[old] = Some(new);
        }
        catalog.tags = self.final_tags();
        catalog.classes.clone_from(&self.classes);
        catalog.edges = self.ordered_edges(&place);
        catalog.resources = self.final_resources();
    }

    /// Returns the tags of the catalog, the names of its classes first.
    fn final_tags(&self) -> Vec<Str> {
        let mut tags = Tags::default();
        for class in &self.classes {
            let words = std::iter::once(class.as_str()).chain(class.split("::"));
            for tag in words.filter_map(|word| self.tag_names.find(word)) {
                tags.add(tag);
            }
        }
        tags.add_all(&self.tags);
        self.tag_names.words(&tags)
    }

    /// Returns the edges in the order of what is contained.
    fn ordered_edges(&self, place: &[Option<usize>]) -> Vec<(usize, usize)> {
        let position = |id: ResourceId| place[id.0 as usize];
        let mut edges: Vec<(usize, usize)> =
            self.edges.iter().filter_map(|(from, to)| Some((position(*from)?, position(*to)?))).collect();
        // A stable sort: what contains the same resource stays in the order of its declaration.
        edges.sort_by_key(|(_, to)| *to);
        edges
    }

    fn final_resources(&self) -> Vec<Resource> {
        let kept = self.resources.iter().enumerate().filter(|(_, resource)| is_kept(resource));
        kept.map(|(index, own)| self.final_resource(ResourceId(index as u32), own)).collect()
    }

    fn final_resource(&self, id: ResourceId, resource: &DeclaredResource) -> Resource {
        Resource {
            type_name: self.kind(resource.kind).name.clone(),
            title: resource.title.clone(),
            parameters: self.final_parameters(id, resource),
            sensitive: resource.sensitive.clone(),
            tags: self.tag_names.words(&resource.tags),
            is_virtual: resource.is_virtual,
            is_exported: resource.is_exported,
            place: resource.place.clone(),
            kind: resource.word,
        }
    }

    /// Returns the attributes that have a value: those that the title gives first, but not a name that only repeats it.
    fn final_parameters(&self, id: ResourceId, resource: &DeclaredResource) -> Vec<(Str, Value)> {
        let native = self.kind(resource.kind).native.as_ref();
        let namevar = native.map_or("name", |native| native.namevar());
        // Most titles are the name, which then is not repeated.
        let is_name = |native: &&Arc<ResourceType>| {
            matches!(native.titles, Titles::Namevar)
                && native.namevars.len() == 1
                && !resource.parameters.iter().any(|own| own.name == "name" || own.name == namevar)
        };
        let of_title = native.filter(|native| !is_name(native));
        let of_title = of_title.map(|native| native.attributes_of_title(&resource.title)).unwrap_or_default();
        let mut all: Vec<(Str, Value)> =
            of_title.into_iter().map(|(name, value)| (name, Value::from(value))).collect();
        // The title `main` of these is not a text in the reference, so that the name does not repeat it. Nor are other odd titles.
        let is_main = matches!(id, ResourceId::STAGE | ResourceId::MAIN);
        let is_odd = is_main || resource.odd_title.is_some();
        if is_main && all.is_empty() {
            all.push(("name".into(), resource.title.clone().into()));
        }
        for parameter in &resource.parameters {
            if parameter.value.is_undef() {
                continue;
            }
            let name: Str = if parameter.name == "name" { namevar.into() } else { parameter.name.clone() };
            let value = final_value(&name, &parameter.value);
            match all.iter_mut().find(|(known, _)| *known == name) {
                Some((_, known)) => *known = value,
                None => all.push((name, value)),
            }
        }
        let repeats = |name: &Str, value: &Value| name == namevar && value.as_str() == Some(&resource.title);
        all.retain(|(name, value)| is_odd || !repeats(name, value));
        all
    }
}

/// A virtual resource is left out, unless it is for other nodes.
fn is_kept(resource: &DeclaredResource) -> bool {
    !resource.is_virtual || resource.is_exported
}

/// Lists of references are flat in a catalog.
fn final_value(name: &str, value: &Value) -> Value {
    let Value::Array(elements) = value else { return value.clone() };
    let is_relationship = RELATIONSHIPS.contains(&name);
    if !is_relationship && !has_reference(value) {
        return value.clone();
    }
    let mut flat = Vec::with_capacity(elements.len());
    flatten(value, &mut flat);
    if is_relationship {
        flat.retain(|element| !element.is_undef());
    }
    Value::array(flat)
}

fn has_reference(value: &Value) -> bool {
    match value {
        Value::Array(elements) => elements.iter().any(has_reference),
        Value::Type(type_) => crate::catalog::is_reference(type_),
        _ => false,
    }
}

fn flatten(value: &Value, into: &mut Vec<Value>) {
    match value {
        Value::Array(elements) => elements.iter().for_each(|element| flatten(element, into)),
        other => into.push(other.clone()),
    }
}
