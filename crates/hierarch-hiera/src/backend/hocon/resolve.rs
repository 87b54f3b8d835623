//! The value of a tree of assignments: substitutions filled in, objects merged.

use std::collections::HashMap;
use std::sync::Arc;

use hierarch_pcore::value::symbol::BigInteger;
use hierarch_pcore::{Hash, Value};
use indexmap::IndexMap;

use super::index::{self, Index};
use super::parse::{Expression, NotHocon, Object, PlacedValue};
use crate::issues::hocon as words;
use crate::settings::LookupLimits;

/// Substitutions inside substitutions.
const DEPTH: usize = 300;

/// Resolves a file. What is not assigned is looked for among the variables of the process.
pub(super) fn resolve(
    root: &Object,
    variables: &HashMap<String, String>,
    limits: &LookupLimits,
) -> Result<Value, NotHocon> {
    let (active, trace, index) = (Vec::new(), Vec::new(), index::of(root));
    let left = limits.steps;
    let mut resolver = Resolver { root, index, variables, active, trace, is_ring: false, limits, left };
    Ok(Value::hash(resolver.object(root)?))
}

struct Resolver<'a> {
    root: &'a Object,
    index: Index<'a>,
    variables: &'a HashMap<String, String>,
    /// The assignments that are being resolved.
    active: Vec<&'a PlacedValue>,
    /// The substitutions that are being resolved, and whether the last one led back to where it stands.
    trace: Vec<String>,
    is_ring: bool,
    limits: &'a LookupLimits,
    /// How many values may still be made: substitutions of substitutions grow without end.
    left: u64,
}

/// Something assigned to a path.
enum Assignment<'a> {
    /// As it is written.
    Written(&'a PlacedValue),
    /// What a substitution around the path brought.
    Made(Value),
}

/// A value, or none for an optional substitution that leads nowhere.
type Resolution = Result<Option<Value>, NotHocon>;

impl<'a> Resolver<'a> {
    fn object(&mut self, object: &'a Object) -> Result<Hash, NotHocon> {
        let mut hash = Hash::new();
        for (key, values) in &object.0 {
            let values: Vec<_> = values.iter().map(Assignment::Written).collect();
            if let Some(value) = self.last_of(&values)? {
                hash.insert(key.as_str(), value);
            }
        }
        Ok(hash)
    }

    /// Resolves the last of some assignments; an object is merged with the objects before it, and an item that is
    /// added goes to the list before it.
    fn last_of(&mut self, values: &[Assignment<'a>]) -> Resolution {
        let mut hashes = Vec::new();
        let mut end = values.len();
        while let Some(last) = end.checked_sub(1).and_then(|last| values.get(last)) {
            let is_added =
                |value: &&Assignment<'a>| matches!(value, Assignment::Written(placed) if placed.is_added());
            let added = values[..end].iter().rev().take_while(is_added).count();
            end -= added.max(1);
            let found =
                if added == 0 { self.assigned(last)? } else { self.added(&values[end..end + added])? };
            match found {
                None => {}
                Some(Value::Hash(hash)) => hashes.push(hash),
                found if hashes.is_empty() => return Ok(found),
                Some(_) => break,
            }
        }
        Ok((!hashes.is_empty()).then(|| Value::hash(merged_all(&hashes))))
    }

    /// Adds items to what stands before the first of them.
    fn added(&mut self, values: &[Assignment<'a>]) -> Resolution {
        let mut items = Vec::new();
        for (index, value) in values.iter().enumerate() {
            let Assignment::Written(placed) = value else { continue };
            let Expression::Added { before, item } = &placed.node else { continue };
            self.within(placed, |resolver| {
                if index == 0 {
                    match resolver.node(before)? {
                        None => {}
                        Some(Value::Array(known)) => items.extend(known.iter().cloned()),
                        Some(_) => return Err(words::NOT_JOINED.to_owned().into()),
                    }
                }
                items.extend(resolver.node(&item.node)?);
                Ok(())
            })?;
        }
        Ok(Some(Value::array(items)))
    }

    fn assigned(&mut self, value: &Assignment<'a>) -> Resolution {
        match value {
            Assignment::Made(value) => Ok(Some(value.clone())),
            Assignment::Written(placed) => self.within(placed, |resolver| resolver.node(&placed.node)),
        }
    }

    /// Does something while an assignment is being resolved.
    fn within<T>(
        &mut self,
        placed: &'a PlacedValue,
        body: impl FnOnce(&mut Self) -> Result<T, NotHocon>,
    ) -> Result<T, NotHocon> {
        if self.active.len() >= DEPTH {
            return Err(words::too_many_substitutions(DEPTH).into());
        }
        self.active.push(placed);
        let result = body(self);
        self.active.pop();
        result
    }

    fn count(&mut self, values: usize) -> Result<(), NotHocon> {
        let left = self.left.checked_sub(values as u64);
        self.left = left.ok_or_else(|| words::too_many_values(self.limits.steps))?;
        Ok(())
    }

    fn node(&mut self, node: &'a Expression) -> Resolution {
        self.count(1)?;
        Ok(Some(match node {
            Expression::Null => Value::Undef,
            Expression::Bool(truth) => Value::from(*truth),
            Expression::Number(text) => number(text),
            Expression::Text(text) | Expression::Blank(text) => Value::from(text.as_str()),
            Expression::Object(object) => Value::hash(self.object(object)?),
            Expression::List(items) => {
                let mut list = Vec::new();
                for item in items {
                    list.extend(self.node(&item.node)?);
                }
                Value::array(list)
            }
            Expression::Substitution { path, optional, prefix, at } => {
                self.trace.push(path.join("."));
                self.is_ring = false;
                let found = self.substitute(path, *prefix)?;
                if found.is_none() && !optional {
                    let words = words::unresolved(&at.said, &self.trace, self.is_ring);
                    return Err(NotHocon { words, at: Some((at.byte, at.source.clone())) });
                }
                self.trace.pop();
                return Ok(found);
            }
            Expression::Joined(parts) => return self.joined(parts),
            // Only an assignment adds, and it is resolved with those beside it.
            Expression::Added { before, item } => {
                let mut items: Vec<Value> = match self.node(before)? {
                    Some(Value::Array(known)) => known.to_vec(),
                    Some(_) => return Err(words::NOT_JOINED.to_owned().into()),
                    None => Vec::new(),
                };
                items.extend(self.node(&item.node)?);
                Value::array(items)
            }
        }))
    }

    fn substitute(&mut self, path: &[String], prefix: usize) -> Resolution {
        let own = &path[prefix..];
        let mut found = self.find(path)?;
        if found.is_none() && prefix > 0 {
            found = self.find(own)?;
        }
        Ok(found.or_else(|| Some(Value::from(self.variables.get(&own.join("."))?.as_str()))))
    }

    /// Returns the value of a path. One that is being resolved means what was assigned to it before.
    fn find(&mut self, path: &[String]) -> Resolution {
        let mut values = match self.index.find(path) {
            Some(values) => values.iter().copied().map(Assignment::Written).collect(),
            None => self.assignments(self.root, path)?,
        };
        self.count(values.len())?;
        let is_active = |value: &Assignment| match value {
            Assignment::Written(placed) => self.active.iter().any(|active| std::ptr::eq(*active, *placed)),
            Assignment::Made(_) => false,
        };
        if let Some(before) = values.iter().position(is_active) {
            values.truncate(before);
            self.is_ring = before == 0;
        }
        self.last_of(&values)
    }

    /// Lists what is assigned to a path, directly or in the objects around it, in order.
    fn assignments(&mut self, object: &'a Object, path: &[String]) -> Result<Vec<Assignment<'a>>, NotHocon> {
        let Some((key, rest)) = path.split_first() else { return Ok(Vec::new()) };
        let Some(values) = object.0.get(key) else { return Ok(Vec::new()) };
        if rest.is_empty() {
            return Ok(values.iter().map(Assignment::Written).collect());
        }
        let mut found = Vec::new();
        self.count(values.len())?;
        for value in values {
            match &value.node {
                Expression::Object(inner) => found.extend(self.assignments(inner, rest)?),
                _ if self.active.iter().any(|active| std::ptr::eq(*active, value)) => {}
                Expression::Substitution { .. } | Expression::Joined(_) => {
                    match self.assigned(&Assignment::Written(value))? {
                        Some(Value::Hash(hash)) => found.extend(dug(hash, rest).map(Assignment::Made)),
                        Some(_) => found.clear(),
                        None => {}
                    }
                }
                // What is not an object hides those before it.
                _ => found.clear(),
            }
        }
        Ok(found)
    }

    fn joined(&mut self, parts: &'a [Expression]) -> Resolution {
        let mut values = Vec::new();
        for part in parts {
            if let Some(value) = self.node(part)? {
                values.push((part, value));
            }
        }
        let is_blank = |part: &Expression| matches!(part, Expression::Blank(_));
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
            let latest_first: Vec<&Hash> = hashes.rev().collect();
            return Ok(Some(Value::hash(merged_all(&latest_first))));
        }
        if solid.iter().any(|value| matches!(value, Value::Array(_) | Value::Hash(_))) {
            return Err(words::NOT_JOINED.to_owned().into());
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

fn text_of(part: &Expression, value: &Value) -> String {
    match (part, value) {
        (Expression::Number(text), _) => text.clone(),
        (_, Value::Undef) => "null".to_owned(),
        (_, value) => value.to_string(),
    }
}

/// Merges objects, the latest first. The keys of the later ones come first.
fn merged_all(hashes: &[impl std::borrow::Borrow<Hash>]) -> Hash {
    if let [only] = hashes {
        return only.borrow().clone();
    }
    let mut values: IndexMap<&Value, Vec<&Value>, foldhash::fast::RandomState> = IndexMap::default();
    for (key, value) in hashes.iter().flat_map(|hash| hash.borrow().iter()) {
        values.entry(key).or_default().push(value);
    }
    values.into_iter().map(|(key, values)| (key.clone(), merged_value(&values))).collect()
}

/// The latest value counts; objects are merged up to the first value that is none.
fn merged_value(values: &[&Value]) -> Value {
    let hashes: Vec<&Hash> = values.iter().map_while(|value| value.as_hash()).collect();
    match (values.first(), hashes.as_slice()) {
        (Some(&value), [] | [_]) => value.clone(),
        (_, hashes) => Value::hash(merged_all(hashes)),
    }
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
            BigInteger::value(text.to_owned())
        }
        (_, Ok(number)) => Value::from(number),
        _ => Value::from(text),
    }
}
