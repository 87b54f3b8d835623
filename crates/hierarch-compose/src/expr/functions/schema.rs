//! JSON schema, as far as configuration needs it: whether data is as it should be.

use hierarch_pcore::{Hash, Value};
use hierarch_source::Result;

use crate::expr::world::bounded_regexp;
use crate::expr::{issues, python};

/// Tells whether data fits a schema.
pub(super) fn is_valid(data: &Value, schema: &Value) -> Result<bool> {
    Checker { root: schema, depth: 100 }.fits(data, schema)
}

#[derive(Clone, Copy)]
struct Checker<'s> {
    root: &'s Value,
    depth: usize,
}

impl Checker<'_> {
    fn fits(self, data: &Value, schema: &Value) -> Result<bool> {
        if self.depth == 0 {
            return Err(issues::bad_schema("it refers to itself without end"));
        }
        let deeper = Self { depth: self.depth - 1, ..self };
        match schema {
            Value::Boolean(truth) => Ok(*truth),
            Value::Hash(rules) => {
                for (rule, argument) in rules.iter() {
                    if !deeper.holds(rule.as_str().unwrap_or_default(), argument, data, rules)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            other => Err(issues::bad_schema(&format!("{} is no schema", python::repr(other)))),
        }
    }

    fn holds(self, rule: &str, argument: &Value, data: &Value, rules: &Hash) -> Result<bool> {
        match rule {
            "type" => Ok(any(argument, |name| is_a(data, name))),
            "enum" => {
                Ok(argument.as_array().is_some_and(|known| known.iter().any(|one| python::equal(one, data))))
            }
            "const" => Ok(python::equal(argument, data)),
            "$ref" => self.fits(data, self.referred(argument)?),
            "allOf" => self.count(data, argument).map(|(fits, all)| fits == all),
            "anyOf" => self.count(data, argument).map(|(fits, _)| fits > 0),
            "oneOf" => self.count(data, argument).map(|(fits, _)| fits == 1),
            "not" => self.fits(data, argument).map(|fits| !fits),
            _ => match data {
                Value::Hash(map) => self.map_holds(rule, argument, map, rules),
                Value::Array(items) => self.list_holds(rule, argument, items),
                Value::String(text) => text_holds(rule, argument, text),
                Value::Integer(_) | Value::Float(_) => Ok(number_holds(rule, argument, data)),
                _ => Ok(true),
            },
        }
    }

    fn count(self, data: &Value, schemas: &Value) -> Result<(usize, usize)> {
        let schemas = schemas.as_array().unwrap_or_default();
        let mut fits = 0;
        for schema in schemas {
            fits += usize::from(self.fits(data, schema)?);
        }
        Ok((fits, schemas.len()))
    }

    fn referred(&self, pointer: &Value) -> Result<&Value> {
        let text = pointer.as_str().unwrap_or_default();
        let mut here = self.root;
        let unknown = || issues::bad_schema(&format!("there is nothing at {text}"));
        let path = text.strip_prefix('#').ok_or_else(unknown)?;
        for key in hierarch_source::pointer::keys(path) {
            here = here.as_hash().and_then(|map| map.get_str(&key)).ok_or_else(unknown)?;
        }
        Ok(here)
    }

    fn map_holds(self, rule: &str, argument: &Value, map: &Hash, rules: &Hash) -> Result<bool> {
        match rule {
            "required" => Ok(argument
                .as_array()
                .unwrap_or_default()
                .iter()
                .all(|name| name.as_str().is_some_and(|name| map.contains_str(name)))),
            "minProperties" => Ok(at_least(map.len(), argument)),
            "maxProperties" => Ok(at_most(map.len(), argument)),
            "properties" => {
                let Some(properties) = argument.as_hash() else { return Ok(true) };
                for (name, schema) in properties {
                    if let Some(value) = map.get(name)
                        && !self.fits(value, schema)?
                    {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            "patternProperties" => self.patterns_hold(argument, map),
            "additionalProperties" => self.others_hold(argument, map, rules),
            _ => Ok(true),
        }
    }

    fn patterns_hold(self, patterns: &Value, map: &Hash) -> Result<bool> {
        for (pattern, schema) in patterns.as_hash().into_iter().flat_map(Hash::iter) {
            let regexp = bounded_regexp(&pattern.to_string())?;
            for (name, value) in map {
                if regexp.is_match(&name.to_string())? && !self.fits(value, schema)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Properties that neither `properties` nor `patternProperties` names.
    fn others_hold(self, schema: &Value, map: &Hash, rules: &Hash) -> Result<bool> {
        let named = rules.get_str("properties").and_then(Value::as_hash);
        let patterns = rules.get_str("patternProperties").and_then(Value::as_hash);
        'names: for (name, value) in map {
            if named.is_some_and(|named| named.contains_key(name)) {
                continue;
            }
            for pattern in patterns.into_iter().flat_map(Hash::keys) {
                if bounded_regexp(&pattern.to_string())?.is_match(&name.to_string())? {
                    continue 'names;
                }
            }
            if !self.fits(value, schema)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn list_holds(self, rule: &str, argument: &Value, items: &[Value]) -> Result<bool> {
        match rule {
            "minItems" => Ok(at_least(items.len(), argument)),
            "maxItems" => Ok(at_most(items.len(), argument)),
            "uniqueItems" => {
                let repeats = |(index, item): (usize, &Value)| {
                    items[..index].iter().any(|known| python::equal(known, item))
                };
                Ok(!python::is_true(argument) || !items.iter().enumerate().any(repeats))
            }
            "items" => {
                for (index, item) in items.iter().enumerate() {
                    let schema = match argument.as_array() {
                        Some(schemas) => schemas.get(index),
                        None => Some(argument),
                    };
                    if let Some(schema) = schema
                        && !self.fits(item, schema)?
                    {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            "contains" => {
                for item in items {
                    if self.fits(item, argument)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            _ => Ok(true),
        }
    }
}

fn any(argument: &Value, holds: impl Fn(&str) -> bool) -> bool {
    match argument {
        Value::Array(names) => names.iter().any(|name| name.as_str().is_some_and(&holds)),
        name => name.as_str().is_some_and(holds),
    }
}

fn is_a(data: &Value, name: &str) -> bool {
    match name {
        "object" => matches!(data, Value::Hash(_)),
        "array" => matches!(data, Value::Array(_)),
        "string" => matches!(data, Value::String(_)),
        "boolean" => matches!(data, Value::Boolean(_)),
        "null" => data.is_undef(),
        "number" => data.as_number().is_some(),
        "integer" => data.as_number().is_some_and(|number| number.fract() == 0.0),
        _ => false,
    }
}

fn text_holds(rule: &str, argument: &Value, text: &str) -> Result<bool> {
    match rule {
        "minLength" => Ok(at_least(text.chars().count(), argument)),
        "maxLength" => Ok(at_most(text.chars().count(), argument)),
        "pattern" => bounded_regexp(&argument.to_string())?.is_match(text),
        _ => Ok(true),
    }
}

fn number_holds(rule: &str, argument: &Value, data: &Value) -> bool {
    let (Some(number), Some(bound)) = (data.as_number(), argument.as_number()) else { return true };
    match rule {
        "minimum" => number >= bound,
        "maximum" => number <= bound,
        "exclusiveMinimum" => number > bound,
        "exclusiveMaximum" => number < bound,
        "multipleOf" => bound != 0.0 && (number / bound).fract() == 0.0,
        _ => true,
    }
}

fn at_least(count: usize, bound: &Value) -> bool {
    bound.as_number().is_none_or(|bound| count as f64 >= bound)
}

fn at_most(count: usize, bound: &Value) -> bool {
    bound.as_number().is_none_or(|bound| count as f64 <= bound)
}
