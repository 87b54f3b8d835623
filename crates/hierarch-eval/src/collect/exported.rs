//! `Type <<| query |>>`: resources that other nodes exported, taken into the catalog.

use hierarch_pcore::{Hash, Str, Value};
use hierarch_source::{Place, Source, Span};
use rustc_hash::FxHashMap;

use super::query::Test;
use crate::catalog::Kind;
use crate::compile::Compilation;
use crate::define::DefinitionId;
use crate::evaluator::Evaluator;
use crate::resource::{Declaration, KindId, Parameter, ResourceId};
use crate::scope::ScopeId;
use crate::{Result, issues};

/// A resource that a node exported.
#[derive(Clone, Debug)]
pub struct ExportedResource {
    /// The node whose catalog it is from; a node does not collect its own from a store.
    pub node: String,
    /// Its type, such as `File`.
    pub type_name: Str,
    /// Its title.
    pub title: Str,
    /// Its attributes.
    pub parameters: Hash,
    /// Its tags there.
    pub tags: Vec<Str>,
    /// Where it is declared.
    pub place: Option<(String, u32)>,
}

/// What was taken from a store: which resource is which of the store's.
pub(crate) type TakenResources = FxHashMap<ResourceId, usize>;

/// A line beyond this is taken for this one: the place of a resource is a text with as many lines.
const LAST_LINE: u32 = 1_000_000;

impl ExportedResource {
    fn passes(&self, test: &Test) -> bool {
        match test {
            Test::And(left, right) => self.passes(left) && self.passes(right),
            Test::Or(left, right) => self.passes(left) || self.passes(right),
            Test::Tagged(words) => words.iter().any(|word| self.tags.iter().any(|tag| tag == word.as_str())),
            Test::Equal(name, value) => match self.asked(name) {
                Value::Array(elements) => elements.iter().any(|element| element.equals(value)),
                other => other.equals(value),
            },
            Test::NotEqual(name, value) => !self.asked(name).equals(value),
        }
    }

    fn asked(&self, name: &str) -> Value {
        if name == "title" {
            return self.title.clone().into();
        }
        self.parameters.get_str(name).cloned().unwrap_or_default()
    }

    fn declared_at(&self) -> Option<Place> {
        let (file, line) = self.place.as_ref()?;
        let before = (*line).clamp(1, LAST_LINE) - 1;
        let source = Source::new(file.as_str(), "\n".repeat(before as usize));
        Some(Place::new(&source, Span::new(before, before)))
    }
}

impl Evaluator<'_> {
    /// Tells whether there is a store of exported resources.
    pub(crate) fn has_store(&self) -> bool {
        self.substitution.given.exported.is_some()
    }

    /// Declares what other nodes exported and a collector asks for, and returns it.
    pub(super) fn take_exported(
        &mut self,
        kind: KindId,
        test: Option<&Test>,
        scope: ScopeId,
    ) -> Result<Vec<ResourceId>> {
        let given = std::sync::Arc::clone(&self.substitution.given);
        let Some(store) = &given.exported else { return Ok(Vec::new()) };
        let own = self.settings.node.clone();
        let type_name = self.compilation.kind(kind).name.clone();
        let mut taken = Vec::new();
        for (number, resource) in store.iter().enumerate() {
            let is_wanted = resource.type_name.eq_ignore_ascii_case(&type_name)
                && resource.node != own
                && test.is_none_or(|test| resource.passes(test));
            if !is_wanted {
                continue;
            }
            self.budget.step()?;
            match self.compilation.kind(kind).titles.get(&resource.title) {
                Some(existing) if self.compilation.taken.get(existing) == Some(&number) => {}
                Some(_) => return Err(issues::exported_twice(&type_name, &resource.title).into()),
                None => {
                    let id = self.declare_exported(kind, resource, scope)?;
                    self.compilation.taken.insert(id, number);
                    taken.push(id);
                }
            }
        }
        Ok(taken)
    }

    fn declare_exported(
        &mut self,
        kind: KindId,
        resource: &ExportedResource,
        scope: ScopeId,
    ) -> Result<ResourceId> {
        let definition = self.compilation.kind(kind).definition;
        let place = resource.declared_at();
        let parameter = |(name, value): (&Value, &Value)| Parameter {
            name: name.to_string().into(),
            value: value.clone(),
            appends: false,
            source: DefinitionId::MAIN,
            place: place.clone(),
        };
        let id = self.declare(Declaration {
            kind,
            title: resource.title.clone(),
            parameters: resource.parameters.iter().map(parameter).collect(),
            word: if definition.is_some() { Kind::Define } else { Kind::Native },
            definition,
            place: place.clone(),
            ..Declaration::new(scope)
        })?;
        self.compilation.add_tags(id, &resource.tags);
        Ok(id)
    }
}

impl Compilation {
    fn add_tags(&mut self, id: ResourceId, words: &[Str]) {
        for word in words {
            let tag = self.tag_names.number(word);
            self.resource_mut(id).tags.add(tag);
        }
    }

    /// Returns the exported resources of this node that a collector asks for.
    pub(super) fn own_exported(&self, kind: KindId, test: Option<&Test>) -> Vec<ResourceId> {
        let all = self.kind(kind).changed.iter().copied();
        let mut found: Vec<ResourceId> = all
            .filter(|id| self.resource(*id).is_exported)
            .filter(|id| test.is_none_or(|test| self.passes(*id, test)))
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}
