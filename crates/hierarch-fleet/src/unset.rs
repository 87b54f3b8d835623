//! Variables in the paths of hierarchies that no node has: a manifest may set them, and without its catalog nobody knows.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use hierarch_pcore::Value;
use hierarch_site::{Environment, NodeSource};

use crate::ask::{Fleet, with_sessions};
use crate::check::token_at;
use crate::ground::Ground;
use crate::issues;
use crate::values::relative;

/// Returns a warning for each variable in a path that no node has, with its place. To be asked after a question: only
/// hierarchies that were read are looked at.
pub fn undefined_in_paths(fleet: &Fleet) -> Vec<String> {
    if fleet.compiles {
        return Vec::new();
    }
    let mut environments: BTreeMap<Option<String>, Vec<&str>> = BTreeMap::new();
    for name in fleet.nodes.names() {
        environments.entry(fleet.nodes.environment(name)).or_default().push(name);
    }
    let count = fleet.nodes.len();
    let mut warnings = BTreeSet::new();
    for (name, nodes) in environments {
        let site = fleet.site;
        let environment = name.map_or_else(|| site.environment(), |name| site.environment_named(&name));
        for variable in undefined(fleet, &environment, &nodes) {
            warnings.extend(warning(&environment, &variable, count));
        }
    }
    warnings.into_iter().collect()
}

/// Returns the variables that none of some nodes has. Mostly the first node has them all.
fn undefined(fleet: &Fleet, environment: &Environment, nodes: &[&str]) -> Vec<String> {
    let mut missing = environment.hiera().hierarchy_variables();
    for name in nodes {
        if missing.is_empty() || fleet.nodes.is_stopped() {
            return Vec::new();
        }
        if let Some(Ok(facts)) = fleet.nodes.find(name) {
            let node = fleet.site.node_with(name, facts);
            with_sessions(&[node], |sessions| {
                missing.retain(|variable| sessions[0].variable_value(variable).is_none());
            });
        }
    }
    missing
}

/// Variables of which only a compilation knows what they are: classes and defined types have a title and a name.
const OF_COMPILATIONS: [&str; 6] =
    ["module_name", "calling_module", "calling_class", "calling_class_path", "title", "name"];
/// What is trusted of every node whose name is known.
const ALWAYS_TRUSTED: [&str; 4] = ["certname", "hostname", "domain", "authenticated"];

/// Where facts and settings of a node stand, which no code can set.
pub(crate) const OF_NODES: [&str; 3] = ["facts", "trusted", "server_facts"];

/// Returns a variable in a path of the site's own hierarchies of which nodes do not tell what it is in their catalogs: code sets one of
/// its name; some node has none, so that code or a classifier may set it; or it is a trusted one and some source has none.
pub(crate) fn unknown_variable(fleet: &Fleet, ground: &Ground) -> Option<String> {
    let own = ground.layouts.iter().filter(|layout| layout.module.is_none());
    let mut names: BTreeSet<&String> = own.flat_map(|layout| &layout.variables).collect();
    names.retain(|name| *name != "environment");
    let is_open = |name: &str| !OF_NODES.contains(&name.split('.').next().unwrap_or(name));
    // What a pattern matched last has a number for a name.
    let is_match = |name: &str| name.bytes().all(|digit| digit.is_ascii_digit());
    let is_of_code = |name: &&&String| {
        OF_COMPILATIONS.contains(&name.as_str()) || is_match(name) || is_open(name) && ground.code.sets(name)
    };
    if let Some(name) = names.iter().find(is_of_code) {
        return Some((*name).clone());
    }
    let mut missing = names.clone();
    for (name, known) in &fleet.nodes.nodes {
        if names.is_empty() || fleet.nodes.is_stopped() {
            return None;
        }
        let Ok(facts) = fleet.nodes.facts(name, known) else { continue };
        let is_given =
            fleet.nodes.find(name).and_then(Result::ok).is_some_and(|known| known.trusted.is_some());
        let node = fleet.site.node_with(name, facts);
        if node.environment().name() != ground.environment.name() {
            continue;
        }
        let lacks = with_sessions(&[node], |sessions| {
            let is_unset = |name: &str| {
                let value = sessions[0].variable_value(name);
                value.is_none_or(|value| value == Value::Undef || value.as_str() == Some(""))
            };
            missing.retain(|name| is_unset(name));
            let is_told = |name: &str| match name.strip_prefix("trusted.") {
                Some(part) => is_given || ALWAYS_TRUSTED.contains(&part),
                None => !is_open(name),
            };
            names.iter().find(|name| !is_told(name) && is_unset(name)).copied()
        });
        if let Some(name) = lacks {
            return Some(name.clone());
        }
    }
    missing.into_iter().next().cloned()
}

fn warning(environment: &Environment, variable: &str, nodes: usize) -> Option<String> {
    let hiera = environment.hiera();
    let modules: Vec<String> = environment.modules().into_iter().map(|(name, _)| name).collect();
    let (layouts, _) = hiera.layouts(&modules);
    let configs: BTreeSet<&str> = layouts.iter().filter_map(|layout| layout.config.as_deref()).collect();
    let folder = environment.folder().map(|folder| folder.display().to_string()).unwrap_or_default();
    configs.into_iter().find_map(|file| {
        let text = String::from_utf8(hiera.files().read(Path::new(file)).ok()?).ok()?;
        let (line, column) = token_at(&text, variable)?;
        let place = format!("{}:{}:{}", relative(file, &folder), line?, column?);
        Some(issues::unset_in_path(&place, variable, nodes))
    })
}

#[cfg(test)]
mod tests {
    use hierarch_pcore::Hash;
    use hierarch_site::{NodeFacts, Site};
    use hierarch_source::MemoryFiles;

    use super::*;
    use crate::{NodeSet, values};

    #[test]
    fn a_variable_that_no_node_has_is_told_with_its_place() {
        let hiera =
            "version: 5\nhierarchy:\n  - name: A\n    paths: ['%{facts.site}.yaml', '%{::role}.yaml']\n";
        let site = Site::on(MemoryFiles::from([("hiera.yaml", hiera), ("data/n.yaml", "a: 1\n")])).build();
        let node = |name: &str, facts: &[(&str, &str)]| {
            (name.to_owned(), NodeFacts::from(facts.iter().copied().collect::<Hash>()))
        };
        let nodes = NodeSet::of([node("a", &[]), node("b", &[("site", "n")])]);
        let fleet = Fleet::new(&site, &nodes);
        values(&fleet, "a");
        assert_eq!(
            undefined_in_paths(&fleet),
            ["hiera.yaml:4:36: '%{role}' is no fact of any of 2 nodes; if a manifest sets it, use --compile"]
        );
        let nodes = NodeSet::of([node("b", &[("site", "n"), ("role", "web")])]);
        assert!(undefined_in_paths(&Fleet::new(&site, &nodes)).is_empty());
        assert!(undefined_in_paths(&Fleet { compiles: true, ..Fleet::new(&site, &nodes) }).is_empty());
    }
}
