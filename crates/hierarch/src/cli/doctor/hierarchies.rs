//! The backends in a hiera.yaml that cannot run.

use std::path::Path;

use hierarch_source::{Diagnostic, Place, Severity};
use hierarch_yaml::{Dialect, DocumentLimits, Kind, NodeId, Tree, read};

use super::super::input;
use super::functions::{Functions, Origin};
use super::{Finding, Obstacle};

/// The keys that name the function of a level.
const FUNCTION_KEYS: [&str; 4] = ["data_hash", "lookup_key", "data_dig", "hiera3_backend"];

/// The functions of Hiera itself; lookups know them, programs cannot call all of them.
const BUILT_IN: [&str; 5] = ["yaml_data", "json_data", "hocon_data", "eyaml_lookup_key", "directives_data"];

/// Looks at all levels of a configuration.
pub(super) fn look(path: &Path, functions: &Functions) -> Vec<Finding> {
    let file = path.display().to_string();
    let finding =
        |obstacle, subject, diagnostic| Finding { obstacle, subject, diagnostic, file: file.clone() };
    let source = input::read(path).source;
    let tree = match source.and_then(|source| read(&source, Dialect::Psych, DocumentLimits::default())) {
        Ok(tree) => tree,
        Err(error) => return vec![finding(Obstacle::Unparsable, file.clone(), error.into_diagnostic())],
    };
    let named = named_functions(&tree);
    let foreign = named.into_iter().filter_map(|(key, value)| backend(&tree, key, value, functions));
    foreign.map(|(name, diagnostic)| finding(Obstacle::RubyBackend, name, diagnostic)).collect()
}

/// Lists the names of the functions that a configuration asks.
pub(super) fn backends(path: &Path) -> Vec<String> {
    let tree =
        input::read(path).source.and_then(|source| read(&source, Dialect::Psych, DocumentLimits::default()));
    let Ok(tree) = tree else { return Vec::new() };
    let named = named_functions(&tree);
    named.into_iter().map(|(_, value)| tree.text(tree.target(value)).to_owned()).collect()
}

/// Lists the functions that levels and defaults name.
fn named_functions(tree: &Tree) -> Vec<(&'static str, NodeId)> {
    let Some(root) = tree.root().filter(|&root| tree.kind(root) == Kind::Map) else { return Vec::new() };
    let mut levels: Vec<NodeId> = tree.get(root, "defaults").into_iter().collect();
    for key in ["hierarchy", "default_hierarchy"] {
        let list = tree.get(root, key).map(|list| tree.target(list));
        levels.extend(list.into_iter().flat_map(|list| tree.children(list)).copied());
    }
    let maps =
        levels.into_iter().map(|level| tree.target(level)).filter(|&level| tree.kind(level) == Kind::Map);
    let named = maps.flat_map(|level| {
        FUNCTION_KEYS.into_iter().filter_map(move |key| Some((key, tree.get(level, key)?)))
    });
    named.collect()
}

fn backend(tree: &Tree, key: &str, value: NodeId, functions: &Functions) -> Option<(String, Diagnostic)> {
    let name = tree.text(tree.target(value));
    let why = match functions.origin(name) {
        _ if key == "hiera3_backend" => "is a backend of Hiera 3, which is Ruby".to_owned(),
        _ if BUILT_IN.contains(&name) => return None,
        Origin::Native => return None,
        Origin::Broken(path, _) => format!("is Ruby that cannot be read: {}", path.display()),
        Origin::Nowhere => "is neither built in nor a function of any module here".to_owned(),
    };
    let message = format!("the backend {name} ({key}) {why}");
    let mut diagnostic = Diagnostic::new(Severity::Error, "RUBY_BACKEND", message);
    diagnostic.place = Some(Place::new(tree.source(), tree.span(value)));
    Some((name.to_owned(), diagnostic))
}
