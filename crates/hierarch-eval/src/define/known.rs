//! The definitions that a run has met, by kind and name.

use std::path::PathBuf;
use std::sync::Arc;

use hierarch_pcore::Str;
use hierarch_source::{Error, Result};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Definition, DefinitionId};
use crate::code::{ClassDefinition, ClassKind, Code, NodeMatcher};
use crate::issues;
use crate::resource_types::METAPARAMETERS;

/// All definitions of a run. The first place belongs to the main program.
pub(crate) struct KnownDefinitions {
    all: Vec<Option<Arc<Definition>>>,
    classes: FxHashMap<Str, DefinitionId>,
    defines: FxHashMap<Str, DefinitionId>,
    nodes: FxHashMap<Str, DefinitionId>,
    /// Nodes in the order of the text, for patterns are tried in this order.
    node_order: Vec<DefinitionId>,
    /// Files whose definitions are known.
    pub(super) files: FxHashSet<PathBuf>,
    /// Names that no file defines.
    pub(super) missing: FxHashSet<(bool, Str)>,
    /// What is to be warned of.
    pub(super) warnings: Vec<String>,
}

impl Default for KnownDefinitions {
    fn default() -> Self {
        Self {
            all: vec![None],
            classes: FxHashMap::default(),
            defines: FxHashMap::default(),
            nodes: FxHashMap::default(),
            node_order: Vec::new(),
            files: FxHashSet::default(),
            missing: FxHashSet::default(),
            warnings: Vec::new(),
        }
    }
}

impl KnownDefinitions {
    /// Returns a definition; none for the main program.
    pub(crate) fn get(&self, id: DefinitionId) -> Option<&Arc<Definition>> {
        self.all.get(id.0 as usize).and_then(Option::as_ref)
    }

    pub(super) fn class(&self, name: &str) -> Option<DefinitionId> {
        self.classes.get(name).copied()
    }

    pub(crate) fn define_names(&self) -> Vec<String> {
        self.defines.keys().map(ToString::to_string).collect()
    }

    pub(crate) fn define(&self, name: &str) -> Option<DefinitionId> {
        self.defines.get(name).copied()
    }

    pub(super) fn has_nodes(&self) -> bool {
        !self.nodes.is_empty()
    }

    /// Finds the definition for a node: by its name, by a pattern, and else the default.
    pub(super) fn node(&self, name: &str) -> Option<DefinitionId> {
        let by_pattern = || {
            self.node_order.iter().copied().find(|id| match self.get(*id).and_then(|node| node.host()) {
                Some(NodeMatcher::Pattern(pattern)) => pattern.is_match(name).unwrap_or(false),
                _ => false,
            })
        };
        self.nodes.get(name).copied().or_else(by_pattern).or_else(|| self.nodes.get("default").copied())
    }

    /// Adds all definitions of a program.
    pub(super) fn add_all(&mut self, code: &Arc<Code>, module: &str) -> Result<()> {
        for (index, lowered) in code.classes.iter().enumerate() {
            self.check_parameters(lowered, code)?;
            let names: Vec<Str> = match lowered.kind {
                ClassKind::Node => lowered.hosts.iter().map(node_name).collect(),
                _ => vec![lowered.name.clone()],
            };
            for (host, name) in names.into_iter().enumerate() {
                let definition =
                    Definition { name, module: module.into(), code: Arc::clone(code), index, host };
                self.add(definition)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, definition: Definition) -> Result<()> {
        let id = DefinitionId(self.all.len() as u32);
        if let Some(clash) = self.clash(&definition) {
            let place = definition.place();
            let has_place =
                definition.kind() == ClassKind::Define && self.defines.contains_key(&definition.name);
            return Err(if has_place { clash } else { clash.on_line_of(&place.source, place.span) });
        }
        let name = definition.name.clone();
        match definition.kind() {
            ClassKind::Class => self.classes.insert(name.clone(), id),
            ClassKind::Define => self.defines.insert(name.clone(), id),
            ClassKind::Node => {
                self.node_order.push(id);
                self.nodes.insert(name.clone(), id)
            }
        };
        self.missing.remove(&(definition.kind() == ClassKind::Class, name));
        self.all.push(Some(Arc::new(definition)));
        Ok(())
    }

    fn clash(&self, new: &Definition) -> Option<Error> {
        let known = |names: &FxHashMap<Str, DefinitionId>| {
            names.get(&new.name).and_then(|id| self.get(*id)).map(|first| first.place())
        };
        let (class, define, node) = (known(&self.classes), known(&self.defines), known(&self.nodes));
        let name = new.name.as_str();
        match new.kind() {
            ClassKind::Class => class
                .map(|first| issues::class_redefined(name, &first))
                .or_else(|| node.map(|first| issues::node_as_class(name, &first)))
                .or_else(|| define.map(|first| issues::define_as_class(name, &first))),
            ClassKind::Define => {
                class.map(|first| issues::class_as_define(name, &first)).or_else(|| self.defined_twice(name))
            }
            ClassKind::Node => node
                .map(|first| issues::node_redefined(name, &first))
                .or_else(|| class.map(|first| issues::class_as_node(name, &first))),
        }
    }

    fn defined_twice(&self, name: &str) -> Option<Error> {
        let first = self.defines.get(name).and_then(|id| self.get(*id))?;
        Some(issues::redefined("type", name, &first.whole_place()))
    }

    /// A parameter may not be called as a metaparameter, unless it has a default.
    fn check_parameters(&mut self, lowered: &ClassDefinition, code: &Code) -> Result<()> {
        for parameter in &code.unit(lowered.unit).parameters {
            if !METAPARAMETERS.contains(&parameter.name.as_str()) {
                continue;
            }
            if parameter.default.is_none() {
                return Err(issues::metaparameter_name(&parameter.name, &lowered.name));
            }
            self.warnings.push(issues::metaparameter_default(&parameter.name, &lowered.name));
        }
        Ok(())
    }
}

/// Returns the name of a node definition; a pattern has its source without what no name may have.
///
/// ```text
/// /^web(\d+)\.a/   __node_regexp__webd.a
/// ```
fn node_name(host: &NodeMatcher) -> Str {
    let pattern = match host {
        NodeMatcher::Name(name) => return name.clone(),
        NodeMatcher::Pattern(pattern) => pattern.source().to_lowercase(),
    };
    let is_allowed = |c: &char| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '.');
    let bare: String = without_groups(&pattern).chars().filter(is_allowed).collect();
    format!("__node_regexp__{}", bare.trim_start_matches('.')).into()
}

/// Writes the signs of groups such as `(?<a>` or `(?!b)` in letters, so that patterns stay told apart.
fn without_groups(pattern: &str) -> String {
    let mut result = String::new();
    let mut rest = pattern;
    while let Some(start) = rest.find("(?") {
        let Some(length) = rest[start..].find(')') else { break };
        result.push_str(&rest[..start]);
        for c in rest[start..=start + length].chars() {
            match c {
                '(' => result.push_str("LP"),
                '?' => result.push_str("QU"),
                '<' => result.push_str("LT"),
                '>' => result.push_str("GT"),
                '!' => result.push_str("EX"),
                '=' => result.push_str("EQ"),
                ')' => result.push_str("RP"),
                other => result.push(other),
            }
        }
        rest = &rest[start + length + 1..];
    }
    result + rest
}

#[cfg(test)]
mod tests {
    use hierarch_pcore::regex::Regexp;

    use super::*;

    #[test]
    fn a_pattern_gives_a_node_its_name() {
        for (pattern, name) in [
            (r"^web(\d+)\.a", "__node_regexp__webd.a"),
            ("..X", "__node_regexp__x"),
            ("a(?!b)c", "__node_regexp__aLPQUEXbRPc"),
        ] {
            let host = NodeMatcher::Pattern(Arc::new(Regexp::new(pattern).expect("it is well-formed")));
            assert_eq!(node_name(&host), name, "{pattern}");
        }
    }
}
