//! What functions may ask about resources that were declared, and about the code around a call.

use hierarch_pcore::{Hash, Str, Value};

use super::Call;
use crate::Result;
use crate::code::ClassKind;
use crate::define::DefinitionId;
use crate::resource::{KindId, ResourceId};

impl Call<'_, '_> {
    /// Returns the attributes, as set so far, of the declared resource of a type and a title, or of all of a type; what
    /// the call itself stands in is left out.
    pub fn declared_resources(&mut self, type_name: &str, title: Option<&str>) -> Result<Vec<Hash>> {
        let Some(kind) = self.kind_named(type_name)? else { return Ok(Vec::new()) };
        let compilation = &self.evaluator.compilation;
        let container = compilation.scope(self.frame.scope).resource;
        let all = compilation.resources.iter().enumerate();
        let of_kind = all.filter(|(_, resource)| resource.kind == kind);
        let ids: Vec<ResourceId> = match title {
            Some(title) => compilation.find(kind, title).into_iter().collect(),
            None => of_kind.map(|(index, _)| ResourceId(index as u32)).collect(),
        };
        let attributes = |id| {
            let resource = compilation.resource(id);
            let entry = |parameter: &crate::resource::Parameter| {
                (Value::from(parameter.name.clone()), parameter.value.clone())
            };
            let mut attributes: Hash = resource.parameters.iter().map(entry).collect();
            attributes.insert("title", resource.title.clone());
            attributes
        };
        Ok(ids.into_iter().filter(|id| *id != container).map(attributes).collect())
    }

    /// Returns the attributes of a declared resource, whatever the call stands in.
    pub fn declared_attributes(&mut self, type_name: &str, title: &str) -> Result<Option<Hash>> {
        let Some(kind) = self.kind_named(type_name)? else { return Ok(None) };
        let compilation = &self.evaluator.compilation;
        Ok(compilation.find(kind, title).map(|id| {
            let parameters = compilation.resource(id).parameters.iter();
            parameters.map(|known| (Value::from(known.name.clone()), known.value.clone())).collect()
        }))
    }

    /// Returns all resources of the catalog so far, as references, with their attributes.
    pub fn all_resources(&self) -> Vec<(String, Hash)> {
        let compilation = &self.evaluator.compilation;
        let all = compilation.resources.iter().enumerate();
        let described = all.map(|(index, resource)| {
            let parameters = resource.parameters.iter();
            let attributes = parameters.map(|known| (Value::from(known.name.clone()), known.value.clone()));
            (compilation.reference(ResourceId(index as u32)), attributes.collect())
        });
        described.collect()
    }

    fn kind_named(&mut self, type_name: &str) -> Result<Option<KindId>> {
        let lower = type_name.to_lowercase();
        if lower == "class" { Ok(Some(KindId::CLASS)) } else { self.evaluator.find_kind(&lower) }
    }

    /// Returns the class or defined type around the call: whether it is a class, and its name, which is empty for the
    /// main program.
    pub fn definition_around(&self) -> (bool, Str) {
        let source = self.evaluator.compilation.scope(self.frame.scope).source;
        match self.evaluator.loading.definition(source).filter(|_| source != DefinitionId::MAIN) {
            Some(definition) => (definition.kind() == ClassKind::Class, definition.name.clone()),
            None => (true, Str::new()),
        }
    }
}
