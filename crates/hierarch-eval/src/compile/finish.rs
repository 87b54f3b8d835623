//! The end of a compilation: arrows, late overrides, attributes that are passed on, and what must hold in the end.

use std::collections::VecDeque;

use hierarch_pcore::{Str, Value};

use super::Compilation;
use crate::catalog::reference;
use crate::evaluator::Evaluator;
use crate::resource::{Parameter, ResourceId};
use crate::resource_types::{METAPARAMETERS, RELATIONSHIPS};
use crate::suggest::hint_attributes;
use crate::{Result, issues};

impl Evaluator<'_> {
    /// Makes the catalog whole and checks it.
    pub(crate) fn finish(&mut self) -> Result<()> {
        let result = self.finish_resources();
        // What is left over concerns this program, not the next one in the same run.
        let order = std::mem::take(&mut self.compilation.override_order);
        let mut overrides = std::mem::take(&mut self.compilation.overrides);
        let collectors = std::mem::take(&mut self.compilation.collectors);
        result?;
        let missing: Vec<String> = order
            .iter()
            .flat_map(|key| {
                let waiting = overrides.remove(key).unwrap_or_default();
                let name = format!("{}[{}]", self.compilation.kind(key.0).name, key.1);
                vec![name; waiting.len()]
            })
            .collect();
        if !missing.is_empty() {
            return Err(issues::overrides_left(&missing.join(", ")).into());
        }
        let missing: Vec<String> = collectors.iter().flat_map(crate::collect::Collector::missing).collect();
        if !missing.is_empty() {
            return Err(issues::not_realized(&missing.join(", ")).into());
        }
        self.compilation.check_relationships()?;
        self.compilation.check_late_aliases()
    }

    fn finish_resources(&mut self) -> Result<()> {
        self.compilation.apply_relationships()?;
        for index in 0..self.compilation.resources.len() {
            let id = ResourceId(index as u32);
            self.apply_waiting_overrides(id)?;
            if index >= self.compilation.finished {
                self.finish_resource(id)?;
            }
        }
        self.compilation.finished = self.compilation.resources.len();
        self.compilation.pass_on();
        Ok(())
    }

    fn apply_waiting_overrides(&mut self, id: ResourceId) -> Result<()> {
        if self.compilation.overrides.is_empty() {
            return Ok(());
        }
        let resource = self.compilation.resource(id);
        let key = (resource.kind, resource.title.clone());
        for change in self.compilation.overrides.remove(&key).unwrap_or_default() {
            self.merge(id, change)?;
        }
        Ok(())
    }

    fn finish_resource(&mut self, id: ResourceId) -> Result<()> {
        self.compilation.add_scope_tags(id);
        if self.compilation.kind(self.compilation.resource(id).kind).native.is_some() {
            self.compilation.check_attributes(id)?;
        } else {
            self.check_finished(id)?;
        }
        self.compilation.reveal(id);
        Ok(())
    }
}

impl Compilation {
    /// Checks that the type of a resource has all its attributes.
    fn check_attributes(&mut self, id: ResourceId) -> Result<()> {
        let resource = self.resource(id);
        let Some(native) = &self.kind(resource.kind).native else { return Ok(()) };
        if !native.accepts_title(&resource.title) {
            return Err(issues::unmatched_title(&resource.title).into());
        }
        let Some(unknown) = resource.parameters.iter().find(|own| !native.has_parameter(&own.name)) else {
            return Ok(());
        };
        let place = resource.place.as_ref();
        let quote = if resource.is_by_function { issues::call_location } else { issues::location };
        let error = issues::unknown_parameter(&unknown.name, &self.reference(id), place.map(quote));
        let error = hint_attributes(error, native, &unknown.name);
        Err(match place {
            Some(place) => error.on_line_of(&place.source, place.span).into(),
            None => error.into(),
        })
    }

    /// Checks that the resources exist that others name as their relations.
    fn check_relationships(&mut self) -> Result<()> {
        for resource in &self.resources {
            if resource.is_virtual {
                continue;
            }
            for parameter in &resource.parameters {
                if RELATIONSHIPS.contains(&parameter.name.as_str()) {
                    self.check_relationship(parameter, &parameter.value)?;
                }
            }
        }
        Ok(())
    }

    fn check_relationship(&self, parameter: &Parameter, value: &Value) -> Result<()> {
        let error = match value {
            Value::Undef => return Ok(()),
            Value::Array(elements) => {
                return elements.iter().try_for_each(|element| self.check_relationship(parameter, element));
            }
            other => {
                let text = reference(other);
                match self.find_reference(&text) {
                    Ok(Some(_)) => return Ok(()),
                    Ok(None) => issues::dangling(&text, &parameter.name),
                    Err(()) => issues::no_reference(&text),
                }
            }
        };
        Err(match &parameter.place {
            Some(place) => error.on_line_of(&place.source, place.span).into(),
            None => error.into(),
        })
    }

    /// Takes secret attributes out of their wrapping and remembers that they are secret.
    fn reveal(&mut self, id: ResourceId) {
        let resource = self.resource_mut(id);
        for parameter in &mut resource.parameters {
            if let Value::Sensitive(secret) = &parameter.value {
                parameter.value = secret.as_ref().clone();
                resource.sensitive.push(parameter.name.clone());
            }
        }
    }

    /// Passes metaparameters and tags on to what is contained, from `Class[main]` downwards.
    fn pass_on(&mut self) {
        let mut content: Vec<Vec<ResourceId>> = vec![Vec::new(); self.resources.len()];
        for (from, to) in &self.edges {
            content[from.0 as usize].push(*to);
        }
        let mut known: Vec<Option<Vec<(Str, Value)>>> = vec![None; self.resources.len()];
        let mut is_done = vec![false; self.resources.len()];
        let mut queue = VecDeque::from([ResourceId::MAIN]);
        while let Some(from) = queue.pop_front() {
            if std::mem::replace(&mut is_done[from.0 as usize], true) {
                continue;
            }
            let content = std::mem::take(&mut content[from.0 as usize]);
            if content.is_empty() {
                continue;
            }
            let tags = self.resource(from).tags.clone();
            let data = known[from.0 as usize].take().or_else(|| self.passed_on(from));
            for to in &content {
                if let Some(data) = &data {
                    known[to.0 as usize] = Some(self.pass_on_to(*to, data));
                }
                self.resource_mut(*to).tags.add_all(&tags);
                queue.push_back(*to);
            }
        }
    }

    /// Returns the attributes that a resource passes on; nothing if it has none.
    fn passed_on(&self, id: ResourceId) -> Option<Vec<(Str, Value)>> {
        let resource = self.resource(id);
        let names = METAPARAMETERS.into_iter().filter(|name| !RELATIONSHIPS.contains(name));
        let own: Vec<(Str, Value)> = names
            .filter_map(|name| {
                let value = resource.value(name).filter(|value| !value.is_undef())?;
                Some((Str::from(name), value.clone()))
            })
            .collect();
        (!own.is_empty()).then_some(own)
    }

    fn pass_on_to(&mut self, id: ResourceId, data: &[(Str, Value)]) -> Vec<(Str, Value)> {
        let resource = self.resource_mut(id);
        let source = resource.source;
        for (name, value) in data {
            if resource.value(name).is_none_or(Value::is_undef) {
                let (name, value) = (name.clone(), value.clone());
                resource.set(Parameter { name, value, appends: false, source, place: None });
            }
        }
        self.passed_on(id).unwrap_or_default()
    }
}
