//! What is said when a lookup finds nothing: where was looked, and which keys are nearly the same.

use hierarch_hiera::issues;
use hierarch_site::Node;
use hierarch_source::{Error, nearest};

/// Puppet ends without a word; a person wants to know why.
pub(super) fn hint(node: &Node, keys: &[String], failure: &Error) -> String {
    if failure.code != issues::NOT_FOUND {
        return failure.to_string();
    }
    let hiera = node.environment().hiera();
    let (files, known) = hiera.known_keys();
    if keys.iter().any(|key| key == "lookup_options") {
        return super::issues::lookup_options_are_reserved();
    }
    if let Some(key) = keys.iter().find(|key| key.contains('.') && known.iter().any(|known| known == *key)) {
        return super::issues::dotted_key(key);
    }
    let near = |key: &String| nearest(key, known.iter().map(String::as_str));
    let names: Vec<&str> = keys.iter().flat_map(near).take(3).collect();
    let levels = keys.first().map_or_else(Vec::new, |key| hiera.session(node.scope()).level_names(key));
    super::issues::nothing_found_for(&keys.join(", "), &levels, files, &names)
}
