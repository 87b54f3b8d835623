//! Collectors: `Type <| query |>` and `realize` make virtual resources real, and may change what they find.
//!
//! A collector runs again and again while resources are evaluated. It looks only at resources that are new or changed
//! since it last ran, and, where many collectors ask for the same attribute, only at those that an index names.

mod exported;
mod index;
mod query;

use std::any::Any;
use std::sync::Arc;

use hierarch_pcore::types::{RuntimeType, capitalized};
use hierarch_pcore::value::Foreign;
use hierarch_pcore::{Str, Type, Value};
use hierarch_source::Place;
use rustc_hash::FxHashSet;

use crate::catalog::reference;
use crate::code::{CollectSite, Id};
use crate::compile::{Compilation, line_of};
use crate::evaluator::{Evaluated, Evaluator};
use crate::relate::Operand;
use crate::resource::{KindId, Override, ResourceId};
use crate::scope::{Frame, ScopeId};
use crate::{Result, issues};

pub use exported::ExportedResource;
pub(crate) use exported::TakenResources;
pub(crate) use index::Index;
use query::Test;

/// Something that makes resources real.
pub(crate) struct Collector {
    what: CollectorAim,
    /// What it does to the resources it finds, and the scope it does so from.
    change: Option<(Override, ScopeId)>,
    /// What it found, in order.
    pub(crate) collected: Vec<ResourceId>,
    known: FxHashSet<ResourceId>,
    /// What it has taken from a store and not looked at yet.
    waiting: Vec<ResourceId>,
    /// What stands in its place in a chain of arrows if it finds nothing.
    pub(crate) otherwise: Option<Vec<Operand>>,
}

enum CollectorAim {
    /// Resources of a type that pass a test.
    Matching { kind: KindId, test: Option<Test>, seen: usize, container_tags: u64 },
    /// Nothing: exported resources, where there is no store of them.
    Nothing,
    /// Exported resources of a type that pass a test, of this node and of others; those of others are asked for once.
    Exported { kind: KindId, test: Option<Test>, scope: ScopeId, has_asked: bool },
    /// These resources.
    Named(Vec<Str>),
}

/// A collector as a value, for arrows and texts.
pub(crate) struct CollectorValue {
    pub(crate) number: usize,
    /// The type that it collects, as references write it.
    type_name: Str,
    is_exported: bool,
}

impl Foreign for CollectorValue {
    fn inferred(&self) -> Type {
        let class = if self.is_exported { "ExportedCollector" } else { "CatalogCollector" };
        RuntimeType::ruby(format!("Puppet::Pops::Evaluator::Collectors::{class}")).into()
    }

    fn text(&self) -> String {
        let kind = if self.is_exported { "Exported" } else { "Catalog" };
        format!("{kind}-Collector[{}]", self.type_name)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Collector {
    fn new(what: CollectorAim, change: Option<(Override, ScopeId)>) -> Self {
        Self {
            what,
            change,
            collected: Vec::new(),
            known: FxHashSet::default(),
            waiting: Vec::new(),
            otherwise: None,
        }
    }

    /// Returns the resources that are still to be found.
    pub(crate) fn missing(&self) -> Vec<String> {
        match &self.what {
            CollectorAim::Named(references) => references.iter().map(|text| text.to_string()).collect(),
            _ => Vec::new(),
        }
    }
}

impl Evaluator<'_> {
    pub(crate) fn collector(&mut self, frame: &Frame, id: Id, site: &CollectSite) -> Evaluated {
        if site.is_exported && !self.has_store() {
            self.warn_at(frame, id, issues::collection_ignored());
        }
        if site.type_name == "class" {
            return Err(issues::classes_collected().into());
        }
        let Some(kind) = self.find_kind(&site.type_name)? else {
            return Err(issues::unknown_collected_type(&site.type_name).into());
        };
        let change = if site.operations.is_empty() {
            None
        } else {
            let parameters = self.attributes(frame, &site.operations)?;
            let source = self.compilation.scope(frame.scope).source;
            let place = Some(line_of(&Place::new(frame.code.source(), frame.code.span(id))));
            Some((Override { parameters, source, place }, frame.scope))
        };
        let test = site.query.as_ref().map(|query| self.test(frame, query)).transpose()?;
        let what = match site.is_exported {
            true if !self.has_store() => CollectorAim::Nothing,
            true => CollectorAim::Exported { kind, test, scope: frame.scope, has_asked: false },
            false => CollectorAim::Matching { kind, test, seen: 0, container_tags: 0 },
        };
        self.compilation.collectors.push(Collector::new(what, change));
        let number = self.compilation.collectors.len() - 1;
        let type_name = capitalized(&site.type_name);
        Ok(Value::Foreign(Arc::new(CollectorValue { number, type_name, is_exported: site.is_exported })))
    }

    /// Runs all collectors and tells whether one of them found something.
    pub(crate) fn collect(&mut self) -> Result<bool> {
        let mut found = false;
        for number in 0..self.compilation.collectors.len() {
            found |= self.run_collector(number)?;
        }
        Ok(found)
    }

    fn run_collector(&mut self, number: usize) -> Result<bool> {
        self.ask_store(number)?;
        let mut matching = self.compilation.matching(number)?;
        for id in &matching {
            self.compilation.realize(*id);
        }
        let known = &self.compilation.collectors[number].known;
        matching.retain(|id| !known.contains(id));
        if matching.is_empty() {
            return Ok(false);
        }
        if let Some((change, scope)) = self.compilation.collectors[number].change.clone() {
            self.compilation.overriding.insert(change.source);
            for id in &matching {
                self.change_collected(*id, &change, scope)?;
            }
        }
        let collector = &mut self.compilation.collectors[number];
        collector.known.extend(matching.iter().copied());
        collector.collected.extend(matching);
        Ok(true)
    }

    /// Lets a collector of exported resources take those of other nodes, the first time it runs.
    fn ask_store(&mut self, number: usize) -> Result<()> {
        let what = &mut self.compilation.collectors[number].what;
        if !matches!(what, CollectorAim::Exported { has_asked: false, .. }) {
            return Ok(());
        }
        let CollectorAim::Exported { kind, test, scope, .. } = std::mem::replace(what, CollectorAim::Nothing)
        else {
            return Ok(());
        };
        let taken = self.take_exported(kind, test.as_ref(), scope)?;
        let collector = &mut self.compilation.collectors[number];
        collector.what = CollectorAim::Exported { kind, test, scope, has_asked: true };
        collector.waiting = taken;
        Ok(())
    }

    /// Applies the override of a collector. Defaults that its scope has for the type come along.
    fn change_collected(&mut self, id: ResourceId, change: &Override, scope: ScopeId) -> Result<()> {
        let mut change = change.clone();
        let kind = self.compilation.resource(id).kind;
        for default in self.compilation.defaults(scope, kind) {
            if change.parameters.iter().all(|parameter| parameter.name != default.name) {
                change.parameters.push(default);
            }
        }
        self.merge(id, change)
    }
}

impl Compilation {
    /// Makes a resource real; a defined type is then to be evaluated.
    fn realize(&mut self, id: ResourceId) {
        let resource = self.resource_mut(id);
        if std::mem::replace(&mut resource.is_virtual, false) && resource.definition.is_some() {
            self.pending.push(id);
        }
    }

    /// Asks for resources to be made real.
    pub(crate) fn realize_all(&mut self, values: &[Value]) {
        let mut references = Vec::new();
        flatten(values, &mut references);
        self.collectors.push(Collector::new(CollectorAim::Named(references), None));
    }

    /// Returns the resources that a collector finds among those that changed since it last looked.
    fn matching(&mut self, number: usize) -> Result<Vec<ResourceId>> {
        let mut what = std::mem::replace(&mut self.collectors[number].what, CollectorAim::Nothing);
        let found = match &mut what {
            CollectorAim::Nothing => Vec::new(),
            CollectorAim::Exported { kind, test, .. } => {
                let mut found = self.own_exported(*kind, test.as_ref());
                found.append(&mut self.collectors[number].waiting);
                found
            }
            CollectorAim::Named(references) => self.found_references(references)?,
            CollectorAim::Matching { kind, test, seen, container_tags } => {
                let changed = &self.kind(*kind).changed;
                // Content has the tags of what contains it, so a new tag there concerns everything.
                let start = if *container_tags == self.container_tags { *seen } else { 0 };
                *seen = changed.len();
                *container_tags = self.container_tags;
                let mut candidates = self.candidates(*kind, test.as_ref(), start);
                candidates.sort_unstable();
                candidates.dedup();
                candidates.retain(|id| test.as_ref().is_none_or(|test| self.passes(*id, test)));
                candidates
            }
        };
        self.collectors[number].what = what;
        Ok(found)
    }

    fn found_references(&self, references: &mut Vec<Str>) -> Result<Vec<ResourceId>> {
        let (mut found, mut left) = (Vec::new(), Vec::new());
        for text in references.drain(..) {
            match self.find_reference(&text) {
                Ok(Some(id)) => found.push(id),
                Ok(None) => left.push(text),
                Err(()) => return Err(issues::unreadable_reference(&text).into()),
            }
        }
        *references = left;
        Ok(found)
    }
}

fn flatten(values: &[Value], into: &mut Vec<Str>) {
    for value in values {
        match value {
            Value::Array(elements) => flatten(elements, into),
            other => into.push(reference(other)),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_programs;

    #[test]
    fn collectors_and_their_overrides() {
        check_programs(&[
            ("@notify { 'a': message => 'x' } Notify<| title == 'a' |> Notify['a']['message']", "'x'"),
            ("@notify { 'a': } Notify<| title == 'a' |> { message => 'y' } Notify['a']['message']", "undef"),
            ("notify { 'a': message => 'x' } Notify<| |> { message => 'y' } Notify['a']['message']", "'x'"),
            (
                "Nope<| |>",
                "Evaluation Error: Error while evaluating a Virtual Query, Resource type nope doesn't exist (line: 1, column: 1)",
            ),
            (
                "Class<| |>",
                "Evaluation Error: Error while evaluating a Virtual Query, Classes cannot be collected (line: 1, column: 1)",
            ),
            ("Notify<| title == 'a' and |>", "Syntax error at '|>' (line: 1, column: 27)"),
            (
                "Notify<| title > 'a' |>",
                "Illegal query expression. A '>' expression cannot be used in a query (line: 1, column: 16)",
            ),
        ]);
    }
}
