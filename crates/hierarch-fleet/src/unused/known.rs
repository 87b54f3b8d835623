//! What code and hierarchies by themselves show to be dead.

use std::collections::BTreeSet;

use super::proof::{AffectedAnswers, Candidate};
use super::{DeadKind, Doubt, Evidence, dead};
use crate::ground::{DataFile, Ground, reachable};
use crate::inputs::CatalogInputs;
use crate::nodes::NodeSet;
use crate::option_name::OptionName;

/// How the names of data files end.
const ENDS: [&str; 5] = [".yaml", ".yml", ".eyaml", ".json", ".conf"];

/// Finds what is dead whatever the nodes are.
pub(super) fn candidates(ground: &Ground, nodes: usize) -> Vec<Candidate> {
    let mut found = unnamed_files(ground);
    found.extend(unloaded_files(ground, nodes));
    found.extend(dead_levels(ground, nodes));
    let keys = ground.keys();
    for file in ground.files.iter().filter(|file| file.module.is_none()) {
        found.extend(options(ground, file, &keys));
        found.extend(file.entries().filter_map(|(key, _)| unused_key(ground, file, key)));
    }
    found
}

fn is_data(file: &str) -> bool {
    ENDS.iter().any(|end| file.ends_with(end))
}

fn file(ground: &Ground, file: &str, evidence: Evidence, nodes: usize) -> Candidate {
    let dead = dead(ground, file, &[], DeadKind::UnloadedFile, evidence, nodes);
    Candidate { dead, affected: AffectedAnswers::Nothing }
}

/// Finds files that no level can name. What a function reads, nobody knows.
fn unnamed_files(ground: &Ground) -> Vec<Candidate> {
    let modules: Vec<String> =
        ground.environment.modules().into_iter().map(|(_, folder)| format!("{folder}/")).collect();
    let is_own = |path: &&String| !modules.iter().any(|folder| path.starts_with(folder.as_str()));
    let unnamed = ground.unnamed.iter().filter(|path| is_data(path)).filter(is_own);
    unnamed
        .map(|path| {
            let mut found = file(ground, path, Evidence::Static, 0);
            found.dead.doubt =
                ground.has_functions().then_some(Doubt::OpenCode).or(read_by_code(ground, path));
            found
        })
        .collect()
}

fn read_by_code(ground: &Ground, file: &str) -> Option<Doubt> {
    ground.code.may_read(file).then_some(Doubt::ReadByCode)
}

/// Finds files that none of the nodes loads.
fn unloaded_files(ground: &Ground, nodes: usize) -> Vec<Candidate> {
    let unloaded = ground.files.iter().filter(|file| nodes > 0 && file.module.is_none() && !file.is_loaded);
    let one = |data: &DataFile| {
        let mut found = file(ground, data.path(), Evidence::Fleet, nodes);
        // The nodes that are known are all in some environments; others may come.
        let naming = ground.layouts.iter().filter(|layout| layout.can_name(data.path()));
        let reads = naming.flat_map(|layout| &layout.variables).find(|name| *name == "environment");
        found.dead.doubt = reads.cloned().map(Doubt::UnknownVariable).or(read_by_code(ground, data.path()));
        found
    };
    unloaded.map(one).collect()
}

/// Finds levels for which there is no file, or none that a node loads.
fn dead_levels(ground: &Ground, nodes: usize) -> Vec<Candidate> {
    let mut found = Vec::new();
    for layout in ground.layouts.iter().filter(|layout| layout.module.is_none() && layout.folder.is_some()) {
        let named: Vec<&DataFile> = ground.files.iter().filter(|file| layout.can_name(file.path())).collect();
        let evidence = match (named.is_empty(), named.iter().any(|file| file.is_loaded)) {
            (true, _) => Evidence::Static,
            (false, false) if nodes > 0 => Evidence::Fleet,
            _ => continue,
        };
        let Some(config) = &layout.config else { continue };
        let mut level = dead(ground, config, &[], DeadKind::DeadLevel, evidence, nodes);
        level.path = vec![layout.level.clone()];
        level.line = line_of_level(ground, config, &layout.level);
        found.push(Candidate { dead: level, affected: AffectedAnswers::Reported });
    }
    found
}

fn line_of_level(ground: &Ground, config: &str, level: &str) -> Option<u32> {
    let text = ground.text(config)?;
    let is_it = |line: &str| {
        let after = line.split_once("name:").map(|(_, after)| after.trim());
        after.is_some_and(|after| after.trim_matches(['"', '\'', ' ']).starts_with(level))
    };
    text.lines().position(is_it).map(|number| number as u32 + 1)
}

/// Finds entries of `lookup_options` that match no key.
fn options(ground: &Ground, file: &DataFile, keys: &BTreeSet<&str>) -> Vec<Candidate> {
    let entries = file.entries().filter(|(key, _)| *key == "lookup_options");
    let names = entries.filter_map(|(_, value)| value.as_hash()).flat_map(|hash| hash.keys());
    let unmatched = names
        .filter_map(|name| name.as_str())
        .filter(|name| OptionName::new(name).keys_in(keys).next().is_none());
    unmatched
        .map(|name| {
            let path = ["lookup_options", name];
            let mut found = dead(ground, file.path(), &path, DeadKind::DeadOption, Evidence::Static, 0);
            found.doubt = ground.has_functions().then_some(Doubt::OpenCode);
            Candidate { dead: found, affected: AffectedAnswers::Everything }
        })
        .collect()
}

/// Finds keys that no catalog asked for, nor a token in what it asked for.
pub(super) fn not_compiled(ground: &Ground, inputs: &CatalogInputs, nodes: &NodeSet) -> Vec<Candidate> {
    // A catalog that is not known may ask for anything; without nodes nobody knows whose catalogs there are.
    let is_open = nodes.is_empty() || !inputs.unknown(nodes).is_empty();
    let asked = reachable(&ground.asks, inputs.roots());
    let own = ground.files.iter().filter(|file| file.module.is_none());
    let entries = own.flat_map(|file| file.entries().map(move |(key, _)| (file, key)));
    let unasked = entries.filter(|(_, key)| *key != "lookup_options" && !asked.contains(*key));
    unasked
        .map(|(file, key)| {
            let count = inputs.nodes.len();
            let mut dead = dead(ground, file.path(), &[key], DeadKind::UnusedKey, Evidence::Compiled, count);
            // Code that no catalog has here may be in one that a classifier or collected resources complete.
            let is_named = ground.code.parameter(key).is_some() || ground.is_asked_for(key);
            let open = (inputs.is_compiled_here && is_named).then_some(Doubt::OpenCatalogs);
            dead.doubt = is_open.then_some(Doubt::UnknownCatalogs).or(open);
            Candidate { dead, affected: AffectedAnswers::OthersThan(key.to_owned()) }
        })
        .collect()
}

/// Returns the module that a key is of by its name, where that is not in the modulepath: it may have the class.
fn missing_module(ground: &Ground, key: &str) -> Option<String> {
    let (module, _) = key.split_once("::")?;
    (!ground.modules.contains(module)).then(|| module.to_owned())
}

/// Finds a key that nothing asks for.
fn unused_key(ground: &Ground, file: &DataFile, key: &str) -> Option<Candidate> {
    if key == "lookup_options" || ground.is_asked_for(key) || ground.code.parameter(key).is_some() {
        return None;
    }
    let class = key.rsplit_once("::").map(|(class, _)| class);
    let has_class = class.is_some_and(|class| ground.code.classes.contains_key(class));
    let kind = if has_class { DeadKind::UnknownParameter } else { DeadKind::UnusedKey };
    let mut found = dead(ground, file.path(), &[key], kind, Evidence::Static, 0);
    let open = (!ground.code.open.is_empty()).then_some(Doubt::OpenCode);
    found.doubt = open.or_else(|| missing_module(ground, key).map(Doubt::MissingModule));
    Some(Candidate { dead: found, affected: AffectedAnswers::OthersThan(key.to_owned()) })
}
