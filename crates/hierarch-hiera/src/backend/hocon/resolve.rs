//! The value of a tree of assignments: substitutions filled in, objects merged.

use std::collections::HashMap;
use std::sync::Arc;

use hierarch_pcore::{Hash, Value};

use super::parse::{Node, Object, Placed};
use crate::issues::hocon as words;

/// Values that a file may become: substitutions of substitutions grow without end.
const MOST: usize = 1_000_000;

/// Resolves a file. What is not assigned is looked for among the variables of the process.
pub(super) fn resolve(root: &Object, variables: &HashMap<String, String>) -> Result<Value, String> {
    let mut resolver =
        Resolver { root, variables, active: Vec::new(), trace: Vec::new(), is_ring: false, left: MOST };
    Ok(Value::hash(resolver.object(root)?))
}

struct Resolver<'a> {
    root: &'a Object,
    variables: &'a HashMap<String, String>,
    /// The assignments that are being resolved.
    active: Vec<&'a Placed>,
    /// The substitutions that are being resolved, and whether the last one led back to where it stands.
    trace: Vec<String>,
    is_ring: bool,
    /// How many values may still be made.
    left: usize,
}

/// Something assigned to a path.
enum Assigned<'a> {
    /// As it is written.
    Written(&'a Placed),
    /// What a substitution around the path brought.
    Made(Value),
}

/// A value, or none for an optional substitution that leads nowhere.
type Resolved = Result<Option<Value>, String>;

impl<'a> Resolver<'a> {
    fn object(&mut self, object: &'a Object) -> Result<Hash, String> {
        let mut hash = Hash::new();
        for (key, values) in &object.0 {
            let values: Vec<_> = values.iter().map(Assigned::Written).collect();
            if let Some(value) = self.last_of(&values)? {
                hash.insert(key.as_str(), value);
            }
        }
        Ok(hash)
    }

    /// Resolves the last of some assignments; an object is merged with the objects before it.
    fn last_of(&mut self, values: &[Assigned<'a>]) -> Resolved {
        let Some((last, before)) = values.split_last() else { return Ok(None) };
        match self.assigned(last)? {
            None => self.last_of(before),
            Some(Value::Hash(later)) => match self.last_of(before)? {
                Some(Value::Hash(earlier)) => Ok(Some(Value::hash(merged(&later, &earlier)))),
                _ => Ok(Some(Value::Hash(later))),
            },
            found => Ok(found),
        }
    }

    fn assigned(&mut self, value: &Assigned<'a>) -> Resolved {
        match value {
            Assigned::Made(value) => Ok(Some(value.clone())),
            Assigned::Written(placed) => {
                self.active.push(placed);
                let value = self.node(&placed.node);
                self.active.pop();
                value
            }
        }
    }

    fn node(&mut self, node: &'a Node) -> Resolved {
        self.left = self.left.checked_sub(1).ok_or_else(|| words::too_many_values(MOST))?;
        Ok(Some(match node {
            Node::Null => Value::Undef,
            Node::Bool(truth) => Value::from(*truth),
            Node::Number(text) => number(text),
            Node::Text(text) | Node::Blank(text) => Value::from(text.as_str()),
            Node::Object(object) => Value::hash(self.object(object)?),
            Node::List(items) => {
                let mut list = Vec::new();
                for item in items {
                    list.extend(self.node(&item.node)?);
                }
                Value::array(list)
            }
            Node::Substitution { path, optional, prefix, at } => {
                self.trace.push(path.join("."));
                self.is_ring = false;
                let found = self.substitute(path, *prefix)?;
                if found.is_none() && !optional {
                    return Err(words::unresolved(at, &self.trace, self.is_ring));
                }
                self.trace.pop();
                return Ok(found);
            }
            Node::Joined(parts) => return self.joined(parts),
        }))
    }

    fn substitute(&mut self, path: &[String], prefix: usize) -> Resolved {
        let own = &path[prefix..];
        let mut found = self.find(path)?;
        if found.is_none() && prefix > 0 {
            found = self.find(own)?;
        }
        Ok(found.or_else(|| Some(Value::from(self.variables.get(&own.join("."))?.as_str()))))
    }

    /// Returns the value of a path. One that is being resolved means what was assigned to it before.
    fn find(&mut self, path: &[String]) -> Resolved {
        let mut values = self.assignments(self.root, path)?;
        let is_active = |value: &Assigned| match value {
            Assigned::Written(placed) => self.active.iter().any(|active| std::ptr::eq(*active, *placed)),
            Assigned::Made(_) => false,
        };
        if let Some(before) = values.iter().position(is_active) {
            values.truncate(before);
            self.is_ring = before == 0;
        }
        self.last_of(&values)
    }

    /// Lists what is assigned to a path, directly or in the objects around it, in order.
    fn assignments(&mut self, object: &'a Object, path: &[String]) -> Result<Vec<Assigned<'a>>, String> {
        let Some((key, rest)) = path.split_first() else { return Ok(Vec::new()) };
        let Some((_, values)) = object.0.iter().find(|(known, _)| known == key) else {
            return Ok(Vec::new());
        };
        if rest.is_empty() {
            return Ok(values.iter().map(Assigned::Written).collect());
        }
        let mut found = Vec::new();
        for value in values {
            match &value.node {
                Node::Object(inner) => found.extend(self.assignments(inner, rest)?),
                _ if self.active.iter().any(|active| std::ptr::eq(*active, value)) => {}
                Node::Substitution { .. } | Node::Joined(_) => {
                    match self.assigned(&Assigned::Written(value))? {
                        Some(Value::Hash(hash)) => found.extend(dug(hash, rest).map(Assigned::Made)),
                        Some(_) => found.clear(),
                        None => {}
                    }
                }
                // What is no object hides those before it.
                _ => found.clear(),
            }
        }
        Ok(found)
    }

    fn joined(&mut self, parts: &'a [Node]) -> Resolved {
        let mut values = Vec::new();
        for part in parts {
            if let Some(value) = self.node(part)? {
                values.push((part, value));
            }
        }
        let is_blank = |part: &Node| matches!(part, Node::Blank(_));
        let solid: Vec<&Value> =
            values.iter().filter(|(part, _)| !is_blank(part)).map(|(_, value)| value).collect();
        if solid.is_empty() {
            return Ok(None);
        }
        if solid.iter().all(|value| matches!(value, Value::Array(_))) {
            let items = solid.iter().filter_map(|value| value.as_array()).flatten();
            return Ok(Some(Value::array(items.cloned().collect())));
        }
        if solid.iter().all(|value| matches!(value, Value::Hash(_))) {
            let hashes = solid.iter().filter_map(|value| value.as_hash());
            return Ok(hashes.cloned().reduce(|earlier, later| merged(&later, &earlier)).map(Value::hash));
        }
        if solid.iter().any(|value| matches!(value, Value::Array(_) | Value::Hash(_))) {
            return Err("String: 1: Cannot concatenate object or list with a non-object-or-list".to_owned());
        }
        Ok(Some(Value::from(values.iter().map(|(part, value)| text_of(part, value)).collect::<String>())))
    }
}

fn dug(hash: Arc<Hash>, path: &[String]) -> Option<Value> {
    path.iter().try_fold(Value::Hash(hash), |value, key| match value {
        Value::Hash(hash) => hash.get_str(key).cloned(),
        _ => None,
    })
}

fn text_of(part: &Node, value: &Value) -> String {
    match (part, value) {
        (Node::Number(text), _) => text.clone(),
        (_, Value::Undef) => "null".to_owned(),
        (_, value) => value.to_string(),
    }
}

/// The keys of the later object come first.
fn merged(later: &Hash, earlier: &Hash) -> Hash {
    let mut hash = Hash::new();
    for (key, value) in later {
        let value = match (value, earlier.get(key)) {
            (Value::Hash(later), Some(Value::Hash(earlier))) => Value::hash(merged(later, earlier)),
            _ => value.clone(),
        };
        hash.insert(key.clone(), value);
    }
    for (key, value) in earlier {
        if !later.contains_key(key) {
            hash.insert(key.clone(), value.clone());
        }
    }
    hash
}

/// A leading zero means octal, and a float without a fraction is an integer, as Ruby has it.
fn number(text: &str) -> Value {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let sign = if digits.len() < text.len() { -1 } else { 1 };
    if digits.len() > 1 && digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return i64::from_str_radix(digits, 8)
            .map_or_else(|_| Value::from(text), |number| Value::from(sign * number));
    }
    match (text.parse::<i64>(), text.parse::<f64>()) {
        (Ok(number), _) => Value::from(number),
        (_, Ok(number)) if number.fract() == 0.0 && number.abs() < 9e15 => Value::from(number as i64),
        (_, Ok(number)) if !digits.contains(['.', 'e', 'E']) => {
            let _ = number;
            Value::Foreign(Arc::new(crate::symbol::BigInteger::new(text.to_owned())))
        }
        (_, Ok(number)) => Value::from(number),
        _ => Value::from(text),
    }
}
