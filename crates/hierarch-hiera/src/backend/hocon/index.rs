//! What is assigned to a path, found without a walk over all that is assigned to the objects around it.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use indexmap::IndexMap;

use super::parse::{Expression, Object, PlacedValue};

/// The assignments of all paths around which there are objects only.
pub(super) struct Index<'a>(HashMap<String, Vec<&'a PlacedValue>, RandomState>);

impl<'a> Index<'a> {
    /// Returns what is assigned to a path, in order; none where only resolving can tell.
    pub(super) fn find(&self, path: &[String]) -> Option<&[&'a PlacedValue]> {
        let mut name = String::new();
        let mut around: Option<&Vec<&'a PlacedValue>> = None;
        for key in path {
            if around.is_some_and(|values| !values.iter().all(|value| is_object(value))) {
                return None;
            }
            push(&mut name, key);
            match self.0.get(&name) {
                Some(values) => around = Some(values),
                None => return Some(&[]),
            }
        }
        around.map(Vec::as_slice)
    }
}

/// Makes the index of a file.
pub(super) fn of(root: &Object) -> Index<'_> {
    let mut index = Index(HashMap::default());
    add(&mut index, "", &[root]);
    index
}

fn add<'a>(index: &mut Index<'a>, prefix: &str, objects: &[&'a Object]) {
    let mut keys: IndexMap<&String, Vec<&'a PlacedValue>, RandomState> = IndexMap::default();
    for (key, values) in objects.iter().flat_map(|object| &object.0) {
        keys.entry(key).or_default().extend(values);
    }
    for (key, values) in keys {
        let mut name = prefix.to_owned();
        push(&mut name, key);
        let inner: Vec<&Object> = values.iter().filter_map(|value| object_of(value)).collect();
        if inner.len() == values.len() {
            add(index, &name, &inner);
        }
        index.0.insert(name, values);
    }
}

/// Keys may hold dots, but no zero byte.
fn push(name: &mut String, key: &str) {
    name.push_str(key);
    name.push('\0');
}

fn object_of(value: &PlacedValue) -> Option<&Object> {
    match &value.node {
        Expression::Object(object) => Some(object),
        _ => None,
    }
}

fn is_object(value: &PlacedValue) -> bool {
    object_of(value).is_some()
}
