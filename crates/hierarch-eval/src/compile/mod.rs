//! The state of a compilation: all that is declared so far, and the scopes in which it was declared.

mod catalog;
mod finish;
mod generate;
mod lookup;

use hierarch_pcore::{Str, Value};
use hierarch_source::Place;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::catalog::{Kind, TagNames, Tags};
use crate::collect::{Collector, TakenResources};
use crate::define::DefinitionId;
use crate::relate::Relationship;
use crate::resource::{DeclaredResource, KindId, Override, Parameter, ResourceId, ResourceKind};
use crate::scope::{Scope, ScopeId};

/// All that a compilation knows.
pub(crate) struct Compilation {
    /// The resource types met so far.
    pub(crate) kinds: Vec<ResourceKind>,
    /// The same by their names, in lower case and capitalized.
    pub(crate) kinds_by_name: FxHashMap<Str, KindId>,
    /// All resources in the order of their declaration, virtual ones included.
    pub(crate) resources: Vec<DeclaredResource>,
    /// What contains what, in the order of its declaration.
    pub(crate) edges: Vec<(ResourceId, ResourceId)>,
    pub(crate) known_edges: FxHashSet<(ResourceId, ResourceId)>,
    /// The classes that were evaluated.
    pub(crate) classes: Vec<Str>,
    pub(crate) tag_names: TagNames,
    /// The tags of the catalog itself.
    pub(crate) tags: Tags,
    /// Rises when something that contains others gets a tag, which its content then has too.
    pub(crate) container_tags: u64,
    pub(crate) scopes: Vec<Scope>,
    pub(crate) class_scopes: FxHashMap<Str, ScopeId>,
    /// Overrides of resources that are not declared yet, in the order in which they came.
    pub(crate) overrides: FxHashMap<(KindId, Str), Vec<Override>>,
    pub(crate) override_order: Vec<(KindId, Str)>,
    pub(crate) collectors: Vec<Collector>,
    pub(crate) relationships: Vec<Relationship>,
    /// Definitions whose collectors override what they find: from then on they may override anything.
    pub(crate) overriding: FxHashSet<DefinitionId>,
    /// Resources that are to be evaluated in the next round.
    pub(crate) pending: Vec<ResourceId>,
    /// What was taken from a store of exported resources.
    pub(crate) taken: TakenResources,
    /// How many resources were finished, in a run of several programs.
    pub(crate) finished: usize,
}

impl ResourceId {
    /// `Stage[main]`
    pub(crate) const STAGE: Self = Self(0);
    /// `Class[LookupSettings]`
    pub(crate) const SETTINGS: Self = Self(1);
    /// `Class[main]`
    pub(crate) const MAIN: Self = Self(2);
}

impl KindId {
    pub(crate) const CLASS: Self = Self(0);
    pub(crate) const NODE: Self = Self(1);
    pub(crate) const STAGE: Self = Self(2);
}

impl Compilation {
    /// Starts with what every catalog has.
    pub(crate) fn new() -> Self {
        let mut compilation = Self {
            kinds: Vec::new(),
            kinds_by_name: FxHashMap::default(),
            resources: Vec::new(),
            edges: Vec::new(),
            known_edges: FxHashSet::default(),
            classes: Vec::new(),
            tag_names: TagNames::default(),
            tags: Tags::default(),
            container_tags: 0,
            scopes: vec![Scope::top()],
            class_scopes: FxHashMap::default(),
            overrides: FxHashMap::default(),
            override_order: Vec::new(),
            collectors: Vec::new(),
            relationships: Vec::new(),
            overriding: FxHashSet::default(),
            pending: Vec::new(),
            taken: TakenResources::default(),
            finished: 0,
        };
        for name in ["Class", "Node", "Stage"] {
            compilation.add_kind(ResourceKind::named(name));
        }
        compilation.add_built_in(KindId::STAGE, "main");
        compilation.add_built_in(KindId::CLASS, "Settings");
        compilation.add_built_in(KindId::CLASS, "main");
        compilation.add_edge(ResourceId::STAGE, ResourceId::SETTINGS);
        compilation.add_edge(ResourceId::STAGE, ResourceId::MAIN);
        compilation.add_class("settings");
        compilation
    }

    fn add_built_in(&mut self, kind: KindId, title: &str) {
        let mut declared = DeclaredResource::new(kind, title.into(), ScopeId::TOP, DefinitionId::MAIN);
        declared.is_evaluated = true;
        if kind == KindId::STAGE {
            declared.word = Kind::Native;
            // Nothing declared it.
            declared.has_scope_tags = true;
        }
        declared.tags.add_all(&self.kind(kind).tags);
        // The title `main` of these is not a text in the reference and so is not a tag.
        if title != "main" {
            self.tag_names.add_to(&mut declared.tags, &title.to_lowercase());
        }
        let id = ResourceId(self.resources.len() as u32);
        self.kind_mut(kind).titles.insert(title.into(), id);
        self.resources.push(declared);
    }

    pub(crate) fn add_kind(&mut self, mut kind: ResourceKind) -> KindId {
        let id = KindId(self.kinds.len() as u32);
        let lower = kind.name.to_lowercase();
        self.tag_names.add_to(&mut kind.tags, &lower);
        self.kinds_by_name.insert(lower, id);
        // As references spell it.
        self.kinds_by_name.insert(kind.name.clone(), id);
        self.kinds.push(kind);
        id
    }

    pub(crate) fn kind(&self, id: KindId) -> &ResourceKind {
        &self.kinds[id.0 as usize]
    }

    pub(crate) fn kind_mut(&mut self, id: KindId) -> &mut ResourceKind {
        &mut self.kinds[id.0 as usize]
    }

    pub(crate) fn resource(&self, id: ResourceId) -> &DeclaredResource {
        &self.resources[id.0 as usize]
    }

    pub(crate) fn resource_mut(&mut self, id: ResourceId) -> &mut DeclaredResource {
        &mut self.resources[id.0 as usize]
    }

    pub(crate) fn scope(&self, id: ScopeId) -> &Scope {
        &self.scopes[id.0 as usize]
    }

    pub(crate) fn scope_mut(&mut self, id: ScopeId) -> &mut Scope {
        &mut self.scopes[id.0 as usize]
    }

    pub(crate) fn add_scope(&mut self, scope: Scope) -> ScopeId {
        self.scopes.push(scope);
        ScopeId(self.scopes.len() as u32 - 1)
    }

    /// Returns the reference of a resource: `File[/tmp/a]`.
    pub(crate) fn reference(&self, id: ResourceId) -> String {
        let resource = self.resource(id);
        format!("{}[{}]", self.kind(resource.kind).name, resource.title)
    }

    pub(crate) fn add_edge(&mut self, from: ResourceId, to: ResourceId) {
        if self.known_edges.insert((from, to)) {
            self.edges.push((from, to));
        }
    }

    /// Notes that a class or node was evaluated: the catalog has its name as a tag.
    pub(crate) fn add_class(&mut self, name: &str) {
        self.classes.push(name.into());
        self.tag_names.add_to(&mut self.tags, name);
    }

    /// Says that a resource changed, so that collectors look at it again.
    pub(crate) fn touch(&mut self, id: ResourceId) {
        let kind = self.resource(id).kind;
        self.kind_mut(kind).changed.push(id);
    }

    /// Returns the defaults that a scope has for a type, those of outer scopes included.
    pub(crate) fn defaults(&self, scope: ScopeId, kind: KindId) -> Vec<Parameter> {
        if !self.kind(kind).has_defaults {
            return Vec::new();
        }
        let mut scopes: Vec<&Vec<Parameter>> = Vec::new();
        let mut next = Some(scope);
        while let Some(id) = next {
            let scope = self.scope(id);
            scopes.extend(scope.defaults.get(&kind));
            next = scope.parent;
        }
        let mut all: Vec<Parameter> = Vec::new();
        for parameter in scopes.into_iter().rev().flatten() {
            match all.iter_mut().find(|known| known.name == parameter.name) {
                Some(known) => *known = parameter.clone(),
                None => all.push(parameter.clone()),
            }
        }
        all
    }

    /// Tells whether a value is a default that a scope or one around it sets.
    pub(crate) fn is_default(&self, scope: ScopeId, kind: KindId, name: &str, value: &Value) -> bool {
        if !self.kind(kind).has_defaults {
            return false;
        }
        let mut next = Some(scope);
        while let Some(id) = next {
            let scope = self.scope(id);
            let defaults = scope.defaults.get(&kind).into_iter().flatten();
            if defaults.into_iter().any(|default| default.name == name && default.value == *value) {
                return true;
            }
            next = scope.parent;
        }
        false
    }

    /// Tells whether a resource, or one that it was declared in, has one of the tags.
    pub(crate) fn is_tagged(&self, id: ResourceId, tags: &[u32]) -> bool {
        self.with_containers(id).any(|resource| tags.iter().any(|tag| resource.tags.has(*tag)))
    }

    /// Returns the tags of a resource and of those that it was declared in.
    pub(crate) fn tags_with_containers(&self, id: ResourceId) -> impl Iterator<Item = u32> {
        self.with_containers(id).flat_map(|resource| resource.tags.iter())
    }

    /// Returns a resource, the one that it was declared in, and so on outwards.
    fn with_containers(&self, id: ResourceId) -> impl Iterator<Item = &DeclaredResource> {
        let container = |id: &ResourceId| {
            let container = self.scope(self.resource(*id).scope).resource;
            (container != *id).then_some(container)
        };
        std::iter::successors(Some(id), container).map(|id| self.resource(id))
    }
}

/// Returns a place as messages name it: the file and the line.
pub(crate) fn line_of(place: &Place) -> Place {
    Place { has_column: false, ..place.clone() }
}
