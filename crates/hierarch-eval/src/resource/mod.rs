//! Resources while a catalog is compiled, and the expressions that declare them.

pub(crate) mod attributes;
pub(crate) mod declare;
mod defaults;
mod expression;
mod merge;
mod read;

use std::sync::Arc;

use hierarch_pcore::{Str, Value};
use hierarch_source::Place;
use rustc_hash::FxHashMap;

use crate::catalog::{Kind, Tags};
use crate::collect::Index;
use crate::define::DefinitionId;
use crate::resource_types::ResourceType;
use crate::scope::ScopeId;

pub(crate) use declare::{Declaration, Group};

/// The number of a resource.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct ResourceId(pub(crate) u32);

/// The number of a resource type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct KindId(pub(crate) u32);

/// A resource type as a compilation knows it.
pub(crate) struct ResourceKind {
    /// The name, its segments capitalized.
    pub(crate) name: Str,
    /// What is known of a type that is not written in the language.
    pub(crate) native: Option<Arc<ResourceType>>,
    /// The definition of one that is.
    pub(crate) definition: Option<DefinitionId>,
    /// Whether any scope has defaults for it.
    pub(crate) has_defaults: bool,
    /// Resources of this type that are new or changed, in the order of the changes.
    pub(crate) changed: Vec<ResourceId>,
    /// What collectors find these by.
    pub(crate) index: Index,
    /// Resources by title, and by what else they are known as.
    pub(crate) titles: FxHashMap<Str, ResourceId>,
    /// The tags that all of them have.
    pub(crate) tags: Tags,
}

/// A resource that was declared.
pub(crate) struct DeclaredResource {
    pub(crate) kind: KindId,
    pub(crate) title: Str,
    /// What was given as its title, if that is not a text.
    pub(crate) odd_title: Option<Value>,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) tags: Tags,
    pub(crate) sensitive: Vec<Str>,
    pub(crate) is_virtual: bool,
    pub(crate) is_exported: bool,
    pub(crate) is_by_function: bool,
    pub(crate) is_evaluated: bool,
    /// Whether it has the tags of what it was declared in.
    pub(crate) has_scope_tags: bool,
    pub(crate) is_checked: bool,
    pub(crate) place: Option<Place>,
    pub(crate) word: Kind,
    /// The scope in which it was declared.
    pub(crate) scope: ScopeId,
    /// Whose code declared it.
    pub(crate) source: DefinitionId,
    /// What is to be evaluated for it.
    pub(crate) definition: Option<DefinitionId>,
}

/// An attribute with its value.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: Str,
    pub(crate) value: Value,
    /// Whether the value is added to what is there (`+>`).
    pub(crate) appends: bool,
    /// Whose code set it.
    pub(crate) source: DefinitionId,
    pub(crate) place: Option<Place>,
}

/// Attributes that are to change a resource.
#[derive(Clone)]
pub(crate) struct Override {
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) source: DefinitionId,
    pub(crate) place: Option<Place>,
}

/// Defaults of a scope by type.
pub(crate) type Defaults = FxHashMap<KindId, Vec<Parameter>>;

impl ResourceKind {
    pub(crate) fn named(name: &str) -> Self {
        Self {
            name: name.into(),
            native: None,
            definition: None,
            has_defaults: false,
            changed: Vec::new(),
            index: Index::default(),
            titles: FxHashMap::default(),
            tags: Tags::default(),
        }
    }
}

impl DeclaredResource {
    pub(crate) fn new(kind: KindId, title: Str, scope: ScopeId, source: DefinitionId) -> Self {
        Self {
            kind,
            title,
            odd_title: None,
            parameters: Vec::new(),
            tags: Tags::default(),
            sensitive: Vec::new(),
            is_virtual: false,
            is_exported: false,
            is_by_function: false,
            is_evaluated: false,
            has_scope_tags: false,
            is_checked: false,
            place: None,
            word: Kind::Other,
            scope,
            source,
            definition: None,
        }
    }

    pub(crate) fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }

    pub(crate) fn value(&self, name: &str) -> Option<&Value> {
        self.parameter(name).map(|parameter| &parameter.value)
    }

    /// Sets an attribute, whatever it was.
    pub(crate) fn set(&mut self, parameter: Parameter) {
        match self.parameters.iter_mut().find(|known| known.name == parameter.name) {
            Some(known) => *known = parameter,
            None => self.parameters.push(parameter),
        }
    }
}
