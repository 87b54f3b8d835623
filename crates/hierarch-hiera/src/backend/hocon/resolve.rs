//! The value of a tree of assignments: substitutions filled in, objects merged.

use std::collections::HashMap;
use std::sync::Arc;

use hierarch_pcore::{Hash, Value};

use super::parse::{Node, Object, Placed};

/// Resolves a file. What is not assigned is looked for among the variables of the process.
pub(super) fn resolve(root: &Object, variables: &HashMap<String, String>) -> Result<Value, String> {
    let mut resolver = Resolver { root, variables, active: Vec::new() };
    Ok(Value::hash(resolver.object(root, &[])?))
}

struct Resolver<'a> {
    root: &'a Object,
    variables: &'a HashMap<String, String>,
    /// The paths that are being resolved, each with how many of its assignments count.
    active: Vec<(Vec<String>, usize)>,
}

/// A value, or none for an optional substitution that leads nowhere.
type Resolved = Result<Option<Value>, String>;

impl Resolver<'_> {
    fn object(&mut self, object: &Object, at: &[String]) -> Result<Hash, String> {
        let mut hash = Hash::new();
        for (key, values) in &object.0 {
            let mut path = at.to_vec();
            path.push(key.clone());
            if let Some(value) = self.assigned(values, &path)? {
                hash.insert(key.as_str(), value);
            }
        }
        Ok(hash)
    }

    /// Resolves the last of some assignments; an object is merged with the objects before it.
    fn assigned(&mut self, values: &[Placed], path: &[String]) -> Resolved {
        let Some((last, before)) = values.split_last() else { return Ok(None) };
        let here = (path.to_vec(), before.len());
        if self.active.contains(&here) {
            return Err(format!("a substitution leads back to itself: {}", path.join(".")));
        }
        self.active.push(here);
        let value = self.node(&last.node, path);
        self.active.pop();
        match value? {
            None => self.assigned(before, path),
            Some(Value::Hash(later)) => match self.assigned(before, path)? {
                Some(Value::Hash(earlier)) => Ok(Some(Value::hash(merged(&later, &earlier)))),
                _ => Ok(Some(Value::Hash(later))),
            },
            found => Ok(found),
        }
    }

    fn node(&mut self, node: &Node, path: &[String]) -> Resolved {
        Ok(Some(match node {
            Node::Null => Value::Undef,
            Node::Bool(truth) => Value::from(*truth),
            Node::Number(text) => number(text),
            Node::Text(text) | Node::Blank(text) => Value::from(text.as_str()),
            Node::Object(object) => Value::hash(self.object(object, path)?),
            Node::List(items) => {
                let mut list = Vec::new();
                for item in items {
                    list.extend(self.node(&item.node, &[])?);
                }
                Value::array(list)
            }
            Node::Substitution { path, optional } => return self.substitute(path, *optional),
            Node::Joined(parts) => return self.joined(parts, path),
        }))
    }

    fn substitute(&mut self, path: &[String], optional: bool) -> Resolved {
        let found = self.find(path)?;
        if found.is_some() || optional {
            return Ok(found);
        }
        let name = path.join(".");
        self.variables
            .get(&name)
            .map(|text| Some(Value::from(text.as_str())))
            .ok_or_else(|| format!("String: 1: Could not resolve substitution to a value: ${{{name}}}"))
    }

    fn find(&mut self, path: &[String]) -> Resolved {
        let Some((first, rest)) = path.split_first() else { return Ok(None) };
        let Some((_, values)) = self.root.0.iter().find(|(key, _)| key == first) else { return Ok(None) };
        // A path that is being resolved means what was assigned to it before.
        let own = std::slice::from_ref(first);
        let before = self
            .active
            .iter()
            .rev()
            .find(|(active, _)| active == own)
            .map_or(values.len(), |(_, count)| *count);
        let mut value = self.assigned(&values[..before], own)?;
        for key in rest {
            value = match value {
                Some(Value::Hash(hash)) => hash.get_str(key).cloned(),
                _ => None,
            };
        }
        Ok(value)
    }

    fn joined(&mut self, parts: &[Node], path: &[String]) -> Resolved {
        let mut values = Vec::new();
        for part in parts {
            if let Some(value) = self.node(part, path)? {
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
