//! The instance tree of a document: named nodes with attributes.
//!
//! `{a: 1, instances: {web: {port: 80}}}` has the instances `root`, with the attribute `a`, and `web` below it.

use std::any::Any;
use std::sync::Arc;

use hierarch_pcore::types::RuntimeType;
use hierarch_pcore::value::Foreign;
use hierarch_pcore::{Hash, Str, Type, Value};
use hierarch_source::{Result, pointer};
use rustc_hash::FxHashMap;

use super::active::is_expression;
use super::issues;
use super::world::{Place, address};

/// The key that holds the children of an instance.
pub(crate) const CHILDREN: &str = "instances";

/// All instances, the root first, depth first in document order.
pub(crate) struct Tree {
    pub(crate) nodes: Vec<InstanceEntry>,
    by_name: FxHashMap<Str, u32>,
    /// The children of the root are maps that are its attributes, too.
    adopts: bool,
    /// The map of all instances by name.
    pub(crate) all: Value,
}

/// One instance.
pub(crate) struct InstanceEntry {
    pub(crate) name: Str,
    pub(crate) parent: Option<u32>,
    pub(crate) children: Vec<u32>,
    pub(crate) attributes: Arc<Hash>,
    pub(crate) value: Value,
    /// Where it stands in the document: a JSON pointer.
    pointer: String,
    /// How many attributes stand before the children.
    pub(crate) before: Option<usize>,
}

/// An instance as a value.
#[derive(Debug)]
pub struct Instance {
    pub(crate) id: u32,
    name: Str,
}

impl Instance {
    /// Returns the name, without `::`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the instance that a value is.
    pub fn of(value: &Value) -> Option<&Self> {
        match value {
            Value::Foreign(foreign) => foreign.as_any().downcast_ref(),
            _ => None,
        }
    }
}

impl Foreign for Instance {
    fn inferred(&self) -> Type {
        RuntimeType::ruby("Instance").into()
    }

    fn text(&self) -> String {
        format!("::{}", self.name)
    }

    fn json(&self) -> Option<String> {
        Some(format!("{{\"ref\":{}}}", serde_json::Value::from(self.text())))
    }

    fn yaml(&self) -> Option<String> {
        self.json()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Tree {
    /// Builds the tree of a document.
    pub(crate) fn new(root: &str, document: &Hash) -> Result<Self> {
        let mut tree =
            Self { nodes: Vec::new(), by_name: FxHashMap::default(), adopts: false, all: Value::Undef };
        tree.add(root, None, document, String::new())?;
        if !document.contains_str(CHILDREN) {
            tree.adopts = true;
            tree.adopt_maps(document)?;
        }
        let all: Hash = tree.nodes.iter().map(|node| (node.name.clone(), node.value.clone())).collect();
        tree.all = all.into();
        Ok(tree)
    }

    fn add(&mut self, name: &str, parent: Option<u32>, map: &Hash, pointer: String) -> Result<u32> {
        let id = self.nodes.len() as u32;
        if self.by_name.insert(name.into(), id).is_some() {
            return Err(issues::name_in_use(name));
        }
        let before = map.keys().position(|key| key.as_str() == Some(CHILDREN));
        let mut attributes = map.clone();
        attributes.retain(|key, _| key.as_str() != Some(CHILDREN));
        let value = Value::Foreign(Arc::new(Instance { id, name: name.into() }));
        let attributes = Arc::new(attributes);
        let below = format!("{pointer}/{CHILDREN}");
        self.nodes.push(InstanceEntry {
            name: name.into(),
            parent,
            children: Vec::new(),
            attributes,
            value,
            pointer,
            before,
        });
        if let Some(children) = map.get_str(CHILDREN).and_then(Value::as_hash) {
            for (key, child) in children {
                let name = key.to_string();
                let child = self.add_child(&name, id, child, pointer::below(&below, &name))?;
                self.nodes[id as usize].children.push(child);
            }
        }
        Ok(id)
    }

    fn add_child(&mut self, name: &str, parent: u32, child: &Value, pointer: String) -> Result<u32> {
        match child {
            Value::Hash(map) => self.add(name, Some(parent), map, pointer),
            Value::Undef => self.add(name, Some(parent), &Hash::new(), pointer),
            _ => Err(issues::instance_is_no_map(name)),
        }
    }

    /// In a document without instances every map at the top is one, so that `::map::key` works.
    fn adopt_maps(&mut self, document: &Hash) -> Result<()> {
        for (key, value) in document {
            let Value::Hash(map) = value else { continue };
            let name = key.to_string();
            if !is_expression(map) && !self.by_name.contains_key(name.as_str()) {
                let child = self.add(&name, Some(0), map, pointer::below("", &name))?;
                self.nodes[0].children.push(child);
            }
        }
        Ok(())
    }

    pub(crate) fn node(&self, id: u32) -> &InstanceEntry {
        &self.nodes[id as usize]
    }

    pub(crate) fn find(&self, name: &str) -> Option<&InstanceEntry> {
        self.by_name.get(name).map(|&id| self.node(id))
    }

    /// Returns the instance that an attribute of the root is, too.
    pub(crate) fn adopted(&self, name: &str) -> Option<u32> {
        self.by_name.get(name).copied().filter(|&id| self.adopts && id != 0)
    }

    /// Returns the JSON pointer to a place, or to the attribute it lies in.
    pub(crate) fn pointer(&self, place: Place) -> Option<String> {
        self.exact_pointer(place).or_else(|| Some(self.attribute(place)?.0))
    }

    /// Returns the JSON pointer to a place.
    pub(crate) fn exact_pointer(&self, place: Place) -> Option<String> {
        let (mut pointer, value) = self.attribute(place)?;
        find(value, place.value, &mut pointer).then_some(pointer)
    }

    /// Returns the attribute that a place lies in, and the pointer to it.
    fn attribute(&self, place: Place) -> Option<(String, &Value)> {
        let node = self.node(place.instance);
        let mut attributes = node.attributes.iter();
        let (key, value) = attributes.find(|(_, value)| address(value) == place.attribute)?;
        Some((pointer::below(&node.pointer, &key.to_string()), value))
    }

    /// Returns an instance and what it lies in, innermost first.
    pub(crate) fn ancestors(&self, id: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(id), |&id| self.node(id).parent)
    }

    /// Returns an instance and all below it, depth first.
    pub(crate) fn descendants(&self, id: u32) -> Vec<u32> {
        let mut found = vec![id];
        for &child in &self.node(id).children {
            found.extend(self.descendants(child));
        }
        found
    }

    /// Returns instances as a list.
    pub(crate) fn list(&self, ids: impl IntoIterator<Item = u32>) -> Value {
        Value::array(ids.into_iter().map(|id| self.node(id).value.clone()).collect())
    }
}

/// Extends a pointer to the value at an address, if it lies in another.
fn find(value: &Value, wanted: usize, pointer: &mut String) -> bool {
    if address(value) == wanted {
        return true;
    }
    let length = pointer.len();
    let mut look = |key: String, value: &Value| {
        *pointer = pointer::below(pointer, &key);
        let found = find(value, wanted, pointer);
        if !found {
            pointer.truncate(length);
        }
        found
    };
    match value {
        Value::Hash(map) => map.iter().any(|(key, value)| look(key.to_string(), value)),
        Value::Array(items) => items.iter().enumerate().any(|(index, value)| look(index.to_string(), value)),
        _ => false,
    }
}
