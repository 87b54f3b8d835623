//! `Hash[K, V, min, max]`.

use std::sync::{Arc, OnceLock};

use hierarch_source::Result;

use super::array::elements;
use super::build::{Arity, KeyError, Keyed, flattened, size_of_keys};
use super::guide::Guide;
use super::{Guard, IntegerType, Kind, Rules, TupleType, Type};
use crate::convert::{Constructor, ConversionHost, type_cannot};
use crate::value::extent::DEEPEST;
use crate::{Hash, Value, issues, ruby_class};

/// Hashes by the types of their keys and values and by size.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct HashType {
    key: Type,
    value: Type,
    size: Option<IntegerType>,
}

impl HashType {
    /// Makes a hash type; what a hash without entries holds does not matter.
    pub fn new(key: Type, value: Type, size: Option<IntegerType>) -> Self {
        let (key, value) =
            if size.is_some_and(IntegerType::is_zero) { (Type::unit(), Type::unit()) } else { (key, value) };
        Self { key, value, size: size.map(IntegerType::as_size) }
    }

    /// Returns the type of the keys.
    pub fn key(&self) -> &Type {
        &self.key
    }

    /// Returns the type of the values.
    pub fn value(&self) -> &Type {
        &self.value
    }

    /// Returns the sizes, where they are limited.
    pub fn size(&self) -> Option<IntegerType> {
        self.size
    }

    fn holds_anything(&self) -> bool {
        matches!((self.key.kind(), self.value.kind()), (Kind::Any(_), Kind::Any(_)))
    }

    fn is_bare(&self) -> bool {
        self.size.is_none() && self.holds_anything()
    }

    fn is_empty(&self) -> bool {
        self.size.is_some_and(IntegerType::is_zero)
    }
}

impl Rules for HashType {
    fn name(&self) -> &'static str {
        "Hash"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide { name: "Hash", parameters: "K, V[, min[, max]]", what: "Keys and values in order" })
    }

    fn arity(&self) -> Option<Arity> {
        Some(Arity { least: 2, most: 4, words: "2 to 4" })
    }

    fn constructor(&self) -> Option<&'static Constructor> {
        Some(&CONSTRUCTOR)
    }

    fn params(&self) -> Vec<Value> {
        if self.is_empty() {
            return vec![Value::from(0), Value::from(0)];
        }
        if self.is_bare() {
            return Vec::new();
        }
        let bounds = self.size.map_or_else(Vec::new, IntegerType::bounds);
        [self.key.clone().into(), self.value.clone().into()].into_iter().chain(bounds).collect()
    }

    fn has(&self, value: &Value, guard: &mut Guard) -> bool {
        let Value::Hash(hash) = value else { return false };
        self.size.is_none_or(|size| size.contains_size(hash.len()))
            && (self.holds_anything()
                || (hash.keys().all(|key| self.key.has_guarded(key, guard))
                    && hash.values().all(|value| self.value.has_guarded(value, guard))))
    }

    fn accepts(&self, other: &Type, guard: &mut Guard) -> bool {
        let size = self.size.unwrap_or(IntegerType::ANY_SIZE);
        match other.kind() {
            Kind::Hash(other) => {
                (size.min == Some(0) && other.is_empty())
                    || (self.key.accepts_guarded(&other.key, guard)
                        && self.value.accepts_guarded(&other.value, guard)
                        && size.covers(other.size.unwrap_or(IntegerType::ANY_SIZE)))
            }
            Kind::Struct(other) => {
                size.contains_size(other.elements().len())
                    && other.elements().iter().all(|element| {
                        self.key.has_guarded(&Value::from(element.name().clone()), guard)
                            && self.value.accepts_guarded(element.value(), guard)
                    })
            }
            _ => false,
        }
    }

    fn generalized(&self) -> Option<Type> {
        if self.is_bare() || self.is_empty() {
            return None;
        }
        Some(Self::new(self.key.generalized(), self.value.generalized(), None).into())
    }

    fn normalized(&self) -> Option<Type> {
        if self.is_bare() || self.is_empty() {
            return None;
        }
        Some(Self::new(self.key.normalized(), self.value.normalized(), self.size).into())
    }

    fn element(&self) -> Option<Type> {
        let pair = if self.is_bare() || self.is_empty() {
            vec![Type::unit(), Type::unit()]
        } else {
            vec![self.key.clone(), self.value.clone()]
        };
        Some(TupleType::new(pair, Some(IntegerType::exactly(2))).into())
    }

    fn visit(&self, visit: &mut dyn FnMut(&Type)) {
        visit(&self.key);
        visit(&self.value);
    }

    fn parametrize(&self, keys: &[Value]) -> Keyed {
        let keys = flattened(keys);
        if let [Value::Integer(_), Value::Integer(_)] = &keys[..] {
            let size = IntegerType::of_bounds(&keys[0], keys.get(1))?;
            return Ok(Type::from(Self::new(Type::any(), Type::any(), Some(size))).into());
        }
        for (index, key) in keys.iter().take(2).enumerate() {
            if !matches!(key, Value::Type(_)) {
                return Err(KeyError::key(index, issues::type_slice_type("Hash-Type", ruby_class(key))));
            }
        }
        let (Some(Value::Type(key)), Some(Value::Type(value)), 2..=4) =
            (keys.first(), keys.get(1), keys.len())
        else {
            return Err(KeyError::whole(issues::type_slice_arity("Hash-Type", 2, Some(4), keys.len())));
        };
        let size = if keys.len() > 2 { Some(size_of_keys(2, &keys[2..])?) } else { None };
        Ok(Type::from(Self::new(key.clone(), value.clone(), size)).into())
    }
}

/// `Hash.new`: from pairs, from a flat list, or from the paths and values of a tree.
pub(super) static CONSTRUCTOR: Constructor = Constructor {
    name: "new_hash",
    locals: &[
        ("KeyValueArray", "Array[Tuple[Any,Any],1]"),
        ("TreeArray", "Array[Tuple[Array,Any],1]"),
        ("NewHashOption", "Enum[tree, hash_tree]"),
    ],
    dispatches: &[
        (&["TreeArray from", "?NewHashOption build_option"], from_tree),
        (&["KeyValueArray from"], from_pairs),
        (&["Any from"], from_any),
    ],
    complaints: &[],
    read: OnceLock::new(),
};

fn from_pairs(arguments: &[Value], _: &dyn ConversionHost) -> Result<Value> {
    let pair = |entry: &Value| match entry.as_array() {
        Some([key, value]) => Some((key.clone(), value.clone())),
        _ => None,
    };
    let pairs = arguments[0].as_array().unwrap_or_default();
    let mut hash = Hash::with_capacity(pairs.len());
    hash.extend(pairs.iter().filter_map(pair));
    Ok(hash.into())
}

fn from_any(arguments: &[Value], host: &dyn ConversionHost) -> Result<Value> {
    match &arguments[0] {
        Value::Hash(_) => Ok(arguments[0].clone()),
        value @ Value::Array(_) => from_list(&elements(value, host.largest())?),
        value if Type::iterable().has(value) => from_list(&elements(value, host.largest())?),
        other => Err(issues::converted_mismatch(&type_cannot(other, "Hash"))),
    }
}

fn from_list(list: &[Value]) -> Result<Value> {
    if !list.len().is_multiple_of(2) {
        return Err(issues::odd_hash());
    }
    Ok(list.chunks(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect::<Hash>().into())
}

fn from_tree(arguments: &[Value], host: &dyn ConversionHost) -> Result<Value> {
    let Some(option) = arguments.get(1).and_then(Value::as_str) else { return from_pairs(arguments, host) };
    let mut root = Value::from(Hash::new());
    for entry in arguments[0].as_array().unwrap_or_default() {
        let Some([Value::Array(path), value]) = entry.as_array() else { continue };
        let value = if option == "hash_tree" { as_hashes(value) } else { value.clone() };
        root = match &path[..] {
            [] => merged(root, value),
            path => put(root, path, value)?,
        };
    }
    Ok(root)
}

/// Turns arrays into hashes by index, at any depth of arrays.
fn as_hashes(value: &Value) -> Value {
    let Value::Array(elements) = value else { return value.clone() };
    elements
        .iter()
        .enumerate()
        .map(|(index, element)| (Value::from(index), as_hashes(element)))
        .collect::<Hash>()
        .into()
}

/// Puts the entries of a value into the root, an array's by index.
fn merged(root: Value, value: Value) -> Value {
    let Value::Hash(root) = root else { return root };
    let mut root = Arc::unwrap_or_clone(root);
    match value {
        Value::Array(elements) => {
            root.extend(
                elements.iter().enumerate().map(|(index, element)| (Value::from(index), element.clone())),
            );
        }
        Value::Hash(hash) => root.extend(hash.iter().map(|(key, value)| (key.clone(), value.clone()))),
        _ => {}
    }
    root.into()
}

/// Returns the tree with a value at the end of a path; hashes are made on the way where nothing is.
fn put(place: Value, path: &[Value], value: Value) -> Result<Value> {
    let Some((step, rest)) = path.split_first() else { return Ok(value) };
    if path.len() > DEEPEST as usize {
        return Err(issues::nested_too_deep(DEEPEST));
    }
    match place {
        Value::Hash(hash) => {
            let mut hash = Arc::unwrap_or_clone(hash);
            let old = hash.take(step).unwrap_or_else(|| Hash::new().into());
            hash.insert(step.clone(), put(old, rest, value)?);
            Ok(hash.into())
        }
        Value::Array(elements) => {
            let mut elements = Arc::unwrap_or_clone(elements).into_vec();
            let index = step.as_integer().and_then(|index| usize::try_from(index).ok());
            let index = index.ok_or_else(|| issues::bad_tree_path(step))?;
            // Setting beyond the end fills the gap; the path of a tree never goes far beyond.
            let end = if rest.is_empty() { elements.len() + 1001 } else { elements.len() };
            if index >= end {
                return Err(issues::bad_tree_path(step));
            }
            if index >= elements.len() {
                elements.resize(index + 1, Value::Undef);
            }
            elements[index] = put(std::mem::take(&mut elements[index]), rest, value)?;
            Ok(elements.into())
        }
        _ => Err(issues::bad_tree_path(step)),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;
    use crate::testing::{check_accepts, check_has, check_prints};

    #[test]
    fn keys_values_and_sizes_are_checked() {
        check_has("Hash[String, Integer, 1]", &["{a => 1}"], &["{}", "{1 => 1}", "{a => b}", "[]"]);
        check_accepts(
            "Hash[String, Integer]",
            &["Struct[{a => Integer}]", "Hash[0, 0]", "Hash[Enum['a'], Integer[1]]"],
            &["Struct[{a => String}]", "Hash"],
        );
    }

    #[test]
    fn one_type_is_not_enough() {
        check_prints("Hash[String]", "Hash-Type[] accepts 2 to 4 arguments. Got 1");
        check_prints("Hash[1, 2]", "Hash[Any, Any, 1, 2]");
        check_prints("Hash[Any, Any]", "Hash");
    }

    #[test]
    fn pairs_lists_and_trees_become_hashes() {
        for (code, expected) in [
            ("Hash({a=>1})", "{'a' => 1}"),
            ("Hash([[a,1],[b,2]])", "{'a' => 1, 'b' => 2}"),
            ("Hash([a,1,b,2])", "{'a' => 1, 'b' => 2}"),
            ("Hash([a,1,b])", "odd number of arguments for Hash"),
            ("Hash([])", "{}"),
            ("Hash([[a]])", "odd number of arguments for Hash"),
            ("Hash('a')", "odd number of arguments for Hash"),
            ("Hash(1)", "odd number of arguments for Hash"),
            ("Hash(undef)", "Value of type Undef cannot be converted to Hash"),
        ] {
            check_prints(code, expected);
        }
    }

    #[test]
    fn hashes_are_made_of_pairs_lists_and_trees() {
        check_facts(&[
            ("Hash([])", "{}"),
            ("Hash({})", "{}"),
            ("Hash({a => 1})", "{'a' => 1}"),
            ("Hash([[a, 1], [b, 2]])", "{'a' => 1, 'b' => 2}"),
            ("Hash([a, 1, b, 2])", "{'a' => 1, 'b' => 2}"),
            ("Hash([a, 1, b])", "odd number of arguments for Hash"),
            ("Hash([[a, 1], [b]])", "{['a', 1] => ['b']}"),
            ("Hash([[a, 1, 2], [b, 3]])", "{['a', 1, 2] => ['b', 3]}"),
            ("Hash([[[0], a], [[1], b]], 'tree')", "{0 => 'a', 1 => 'b'}"),
            ("Hash([[[a, b], 1], [[a, c], 2]], 'tree')", "{'a' => {'b' => 1, 'c' => 2}}"),
            ("Hash([[[a], {}], [[a, b], 1]], 'tree')", "{'a' => {'b' => 1}}"),
            ("Hash([[[], {a => 1}], [[b], 2]], 'tree')", "{'a' => 1, 'b' => 2}"),
            ("Hash([[[0, 0], a], [[0, 1], b]], 'hash_tree')", "{0 => {0 => 'a', 1 => 'b'}}"),
            ("Hash([[[a, 1], b]], 'hash_tree')", "{'a' => {1 => 'b'}}"),
            (
                "Hash([[[1], b]], 'odd')",
                "The function 'new_hash' was called with arguments it does not accept. It expects one of:\n  (TreeArray = Array[Tuple[Array, Any], 1] from, NewHashOption = Enum['hash_tree', 'tree'] build_option?)\n    rejected: parameter 'build_option' expects a match for NewHashOption = Enum['hash_tree', 'tree'], got 'odd'\n  (KeyValueArray = Array[Tuple[Any, Any], 1] from)\n    rejected: expects 1 argument, got 2\n  (Any from)\n    rejected: expects 1 argument, got 2",
            ),
            (
                "Hash([[1, b]], 'tree')",
                "The function 'new_hash' was called with arguments it does not accept. It expects one of:\n  (TreeArray = Array[Tuple[Array, Any], 1] from, NewHashOption = Enum['hash_tree', 'tree'] build_option?)\n    rejected: parameter 'from' index 0 index 0 expects an Array value, got Integer\n  (KeyValueArray = Array[Tuple[Any, Any], 1] from)\n    rejected: expects 1 argument, got 2\n  (Any from)\n    rejected: expects 1 argument, got 2",
            ),
            ("Hash(undef)", "Value of type Undef cannot be converted to Hash"),
            ("Hash('a')", "odd number of arguments for Hash"),
            ("Hash(1)", "odd number of arguments for Hash"),
            (
                "Hash[String, Integer].new([[a, b]])",
                "Converted value from Hash[String, Integer].new() has wrong type, entry 'a' expects an Integer value, got String",
            ),
            (
                "Hash[String, Integer].new({1 => 1})",
                "Converted value from Hash[String, Integer].new() has wrong type, expects a Hash[String, Integer] value, got Hash[Integer[1, 1], Integer[1, 1]]",
            ),
        ]);
    }

    #[test]
    fn keys_values_and_sizes_are_named_in_their_place() {
        check_facts(&[
            ("Hash[String, Integer]", "Hash[String, Integer]"),
            ("Hash[String, Integer, 1]", "Hash[String, Integer, 1]"),
            ("Hash[String, Integer, 1, 2]", "Hash[String, Integer, 1, 2]"),
            ("Hash[String, Integer, 2, 1]", "'from' must be less or equal to 'to'. Got (2, 1"),
            ("Hash[0, 0]", "Hash[0, 0]"),
            ("Hash[String, Integer, 0, 0]", "Hash[0, 0]"),
            ("Hash[String]", "Hash-Type[] accepts 2 to 4 arguments. Got 1"),
            ("Hash[1]", "Hash-Type[] arguments must be types. Got Integer"),
            ("Hash[1, 2]", "Hash[Any, Any, 1, 2]"),
            ("Hash[String, 1]", "Hash-Type[] arguments must be types. Got Integer"),
            ("Hash['a', Integer]", "Hash-Type[] arguments must be types. Got String"),
            ("Hash[String, Integer, 1, 2, 3]", "Hash-Type[] accepts 2 to 4 arguments. Got 5"),
        ]);
    }
}
