//! `tree_each`: all values inside a value, however deep, with the path to each.

use std::collections::VecDeque;

use crate::prelude::*;

/// The function `tree_each`.
pub(super) static TREE_EACH: Function = Function {
    name: "tree_each",
    doc: "Calls a block for a value and everything inside it, with the value or with path and value, and returns the value itself; without a block, returns an Iterator over pairs of path and value. Options choose the order and what is left out.",
    dispatches: &[
        on(&[TREE, OPTIONS, "&Callable[2, 2] block"], with_paths),
        on(&[TREE, OPTIONS, "&Callable[1, 1] block"], with_values),
        on(&[TREE, OPTIONS], lazy),
    ],
    examples: &[
        Gives("tree_each([1, [2]]).map |$x| { $x }", "[[[], [1, [2]]], [[0], 1], [[1], [2]], [[1, 0], 2]]"),
        Gives("tree_each({a => [1]}, include_containers => false).map |$x| { $x }", "[[['a', 0], 1]]"),
        Gives("tree_each({a => 1}) |$path, $value| { notice($path) }", "{'a' => 1}"),
        Fails(
            "tree_each([1], include_containers => false, include_values => false)",
            "Options 'include_containers' and 'include_values' cannot both be false",
        ),
    ],
};

const TREE: &str = "Variant[Iterator, Array, Hash, Object] tree";
const OPTIONS: &str = "?OptionsType options";

fn with_values(call: &mut Call) -> Result<Value> {
    let receiver = call.value(0).clone();
    let mut walk = Walk::new(call)?;
    until_break(walk.try_for_each(|(_, value)| call.yield_values([value]).map(|_| ())))?;
    Ok(receiver)
}

fn with_paths(call: &mut Call) -> Result<Value> {
    let receiver = call.value(0).clone();
    let mut walk = Walk::new(call)?;
    until_break(walk.try_for_each(|(path, value)| call.yield_values([path, value]).map(|_| ())))?;
    Ok(receiver)
}

fn lazy(call: &mut Call) -> Result<Value> {
    let mut all = Vec::new();
    let walk = Walk::new(call)?;
    let is_breadth_first = walk.options.is_breadth_first;
    for (path, value) in walk {
        call.step()?;
        all.push(Value::array(vec![path, value]));
        call.check_size(all.len())?;
    }
    Ok(Lazy::tree(all, is_breadth_first))
}

/// What is walked over, and what of it is left out.
struct Options {
    containers: Type,
    has_root: bool,
    has_containers: bool,
    has_values: bool,
    is_breadth_first: bool,
}

impl Options {
    fn of(given: &Hash) -> Result<Self> {
        let flag = |name: &str| given.get_str(name).and_then(Value::as_boolean).unwrap_or(true);
        let containers = default_containers();
        let containers = match given.get_str("container_type").and_then(Value::as_type) {
            Some(type_) if !containers.accepts(type_) => return Err(issues::container_type(type_).into()),
            Some(type_) => type_.clone(),
            None => containers,
        };
        let (has_containers, has_values) = (flag("include_containers"), flag("include_values"));
        if !has_containers && !has_values {
            return Err(issues::nothing_to_include().into());
        }
        let is_breadth_first = given.get_str("order").and_then(Value::as_str) == Some("breadth_first");
        Ok(Self {
            containers,
            has_root: has_containers && flag("include_root"),
            has_containers,
            // The reference forgets this option when it goes level by level.
            has_values: has_values || is_breadth_first,
            is_breadth_first,
        })
    }

    fn entries(&self, value: &Value) -> Option<Vec<(Value, Value)>> {
        if !self.containers.has(value) {
            return None;
        }
        match value {
            Value::Array(elements) => Some(
                elements.iter().cloned().enumerate().map(|(index, value)| (index.into(), value)).collect(),
            ),
            Value::Hash(hash) => Some(pairs(hash)),
            Value::Object(object) => Some(pairs(object.values())),
            _ => None,
        }
    }
}

fn default_containers() -> Type {
    Type::variant_of(vec![Type::array(), Type::hash(), Type::object()])
}

fn pairs(hash: &Hash) -> Vec<(Value, Value)> {
    hash.iter().map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// A container that is being gone through: the path to it, and what is left of it.
struct OpenContainer {
    path: Vec<Value>,
    entries: std::vec::IntoIter<(Value, Value)>,
}

/// A walk: the containers that are still to be gone through.
struct Walk {
    options: Options,
    root: Option<Value>,
    open: VecDeque<OpenContainer>,
}

impl Walk {
    fn new(call: &mut Call) -> Result<Self> {
        let options = Options::of(call.hash(1))?;
        let root = call.take(0);
        let entries = options.entries(&root).unwrap_or_default();
        let open = VecDeque::from([OpenContainer { path: Vec::new(), entries: entries.into_iter() }]);
        Ok(Self { root: Some(root).filter(|_| options.has_root), options, open })
    }

    /// Returns the container at hand: the innermost, or the one that waits longest.
    fn current(&mut self) -> Option<&mut OpenContainer> {
        if self.options.is_breadth_first { self.open.front_mut() } else { self.open.back_mut() }
    }

    fn close(&mut self) {
        if self.options.is_breadth_first {
            self.open.pop_front()
        } else {
            self.open.pop_back()
        };
    }
}

impl Iterator for Walk {
    type Item = (Value, Value);

    fn next(&mut self) -> Option<(Value, Value)> {
        if let Some(root) = self.root.take() {
            return Some((Value::array(Vec::new()), root));
        }
        loop {
            let OpenContainer { path, entries } = self.current()?;
            let Some((key, value)) = entries.next() else {
                self.close();
                continue;
            };
            let mut path = path.clone();
            path.push(key);
            let inside = self.options.entries(&value);
            let is_wanted =
                if inside.is_some() { self.options.has_containers } else { self.options.has_values };
            if let Some(inside) = inside {
                self.open.push_back(OpenContainer { path: path.clone(), entries: inside.into_iter() });
            }
            if is_wanted {
                return Some((path.into(), value));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn every_value_of_a_tree() {
        check_calls(&[
            (
                "{a => [1, {b => 2}]}.tree_each.map |$x| { $x }",
                "[[[], {'a' => [1, {'b' => 2}]}], [['a'], [1, {'b' => 2}]], [['a', 0], 1], [['a', 1], {'b' => 2}], [['a', 1, 'b'], 2]]",
            ),
            (
                "{a => [1]}.tree_each({include_root => false}).map |$x| { $x }",
                "[[['a'], [1]], [['a', 0], 1]]",
            ),
            ("{a => [1]}.tree_each({include_containers => false}).map |$x| { $x }", "[[['a', 0], 1]]"),
            (
                "{a => [1]}.tree_each({include_values => false}).map |$x| { $x }",
                "[[[], {'a' => [1]}], [['a'], [1]]]",
            ),
            ("{a => [1]}.tree_each({order => breadth_first}).map |$x| { $x[0] }", "[[], ['a'], ['a', 0]]"),
            (
                "{a => [1]}.tree_each({include_containers => false, include_values => false}).map |$x| { $x }",
                "Evaluation Error: Error while evaluating a Method call, Options 'include_containers' and 'include_values' cannot both be false (line: 1, column: 21)",
            ),
            (
                "{a => [1]}.tree_each({containers => Hash}).map |$x| { $x[0] }",
                "Evaluation Error: Error while evaluating a Method call, The function 'tree_each' was called with arguments it does not accept. It expects one of:\n  (Variant[Iterator, Array, Hash, Object] tree, OptionsType = Struct[{'container_type' => Optional[Type], 'include_root' => Optional[Boolean], 'include_containers' => Optional[Boolean], 'include_values' => Optional[Boolean], 'order' => Optional[Enum['breadth_first', 'depth_first']], 'include_refs' => Optional[Boolean]}] options?, Callable[2, 2] block)\n    rejected: parameter 'options' unrecognized key 'containers'\n  (Variant[Iterator, Array, Hash, Object] tree, OptionsType = Struct[{'container_type' => Optional[Type], 'include_root' => Optional[Boolean], 'include_containers' => Optional[Boolean], 'include_values' => Optional[Boolean], 'order' => Optional[Enum['breadth_first', 'depth_first']], 'include_refs' => Optional[Boolean]}] options?, Callable[1, 1] block)\n    rejected: parameter 'options' unrecognized key 'containers'\n  (Variant[Iterator, Array, Hash, Object] tree, OptionsType = Struct[{'container_type' => Optional[Type], 'include_root' => Optional[Boolean], 'include_containers' => Optional[Boolean], 'include_values' => Optional[Boolean], 'order' => Optional[Enum['breadth_first', 'depth_first']], 'include_refs' => Optional[Boolean]}] options?)\n    rejected: parameter 'options' unrecognized key 'containers' (line: 1, column: 21)",
            ),
            (
                "{a => [1]}.tree_each({odd => 1}).map |$x| { $x }",
                "Evaluation Error: Error while evaluating a Method call, The function 'tree_each' was called with arguments it does not accept. It expects one of:\n  (Variant[Iterator, Array, Hash, Object] tree, OptionsType = Struct[{'container_type' => Optional[Type], 'include_root' => Optional[Boolean], 'include_containers' => Optional[Boolean], 'include_values' => Optional[Boolean], 'order' => Optional[Enum['breadth_first', 'depth_first']], 'include_refs' => Optional[Boolean]}] options?, Callable[2, 2] block)\n    rejected: parameter 'options' unrecognized key 'odd'\n  (Variant[Iterator, Array, Hash, Object] tree, OptionsType = Struct[{'container_type' => Optional[Type], 'include_root' => Optional[Boolean], 'include_containers' => Optional[Boolean], 'include_values' => Optional[Boolean], 'order' => Optional[Enum['breadth_first', 'depth_first']], 'include_refs' => Optional[Boolean]}] options?, Callable[1, 1] block)\n    rejected: parameter 'options' unrecognized key 'odd'\n  (Variant[Iterator, Array, Hash, Object] tree, OptionsType = Struct[{'container_type' => Optional[Type], 'include_root' => Optional[Boolean], 'include_containers' => Optional[Boolean], 'include_values' => Optional[Boolean], 'order' => Optional[Enum['breadth_first', 'depth_first']], 'include_refs' => Optional[Boolean]}] options?)\n    rejected: parameter 'options' unrecognized key 'odd' (line: 1, column: 21)",
            ),
            ("[].tree_each.map |$x| { $x }", "[[[], []]]"),
            (
                "1.tree_each",
                "Evaluation Error: Error while evaluating a Method call, 'tree_each' parameter 'tree' expects a value of type Iterator, Array, Hash, or Object, got Integer (line: 1, column: 2)",
            ),
            (
                "'a'.tree_each",
                "Evaluation Error: Error while evaluating a Method call, 'tree_each' parameter 'tree' expects a value of type Iterator, Array, Hash, or Object, got String (line: 1, column: 4)",
            ),
            (r#"[[1]].tree_each |$p, $v| { notice("${p} ${v}") }"#, "[[1]]"),
            (r#"[[1]].tree_each |$pv| { notice("${pv}") }"#, "[[1]]"),
        ]);
    }
}
