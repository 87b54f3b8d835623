//! `lookup_options`: how keys are merged and converted, by name or by pattern.

use std::sync::Arc;

use hierarch_pcore::regex::Regexp;
use hierarch_pcore::{Hash, Value, ruby_class};
use hierarch_source::Result;

use crate::issues;
use crate::patterns::Patterns;

/// The options of all keys, ready to be asked.
#[derive(Debug, Default)]
pub(crate) struct Options {
    literal: Hash,
    patterns: Vec<(Arc<Regexp>, Value, Value)>,
}

/// What is configured for one key.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeyOptions {
    /// The key or pattern of the entry, and all that it says.
    pub(crate) entry: Option<(Value, Value)>,
    pub(crate) merge: Option<Value>,
    pub(crate) convert_to: Option<Value>,
}

impl Options {
    /// Compiles options. One malformed pattern spoils all.
    pub(crate) fn new(options: &Value, patterns: &Patterns) -> Result<Self> {
        let mut compiled = Self::default();
        for (key, value) in options.as_hash().into_iter().flatten() {
            match key.as_str() {
                Some(pattern) if pattern.starts_with('^') => {
                    let regexp =
                        patterns.get(pattern).map_err(|error| issues::bad_pattern(&error.message))?;
                    compiled.patterns.push((regexp, key.clone(), value.clone()));
                }
                _ => {
                    compiled.literal.insert(key.clone(), value.clone());
                }
            }
        }
        Ok(compiled)
    }

    /// Returns the options of a root key: its own, or those of the first pattern that matches.
    pub(crate) fn of(&self, root: &str) -> Result<KeyOptions> {
        match self.literal.get_str(root) {
            Some(Value::Undef) | None => {}
            Some(entry) => return KeyOptions::new(&Value::from(root), entry),
        }
        for (pattern, name, entry) in &self.patterns {
            if pattern.is_match(root)? {
                return KeyOptions::new(name, entry);
            }
        }
        Ok(KeyOptions::default())
    }
}

impl KeyOptions {
    /// Reads an entry. A text says nothing; on everything else that is not a hash the reference breaks down.
    fn new(name: &Value, entry: &Value) -> Result<Self> {
        if !matches!(entry, Value::Hash(_) | Value::String(_)) {
            return Err(issues::options_entry(&name.to_string(), ruby_class(entry)));
        }
        let part = |name: &str| match entry.as_hash().and_then(|hash| hash.get_str(name)) {
            None | Some(Value::Undef) => None,
            Some(value) => Some(value.clone()),
        };
        let merge = part("merge");
        Ok(Self { entry: Some((name.clone(), entry.clone())), merge, convert_to: part("convert_to") })
    }
}

/// Refuses options that are not a hash, or that belong to another namespace than the module's.
pub(crate) fn validate(options: &Value, module: Option<&str>) -> Result<()> {
    // Nothing is as good as none.
    let hash = match options {
        Value::Undef => return Ok(()),
        Value::Hash(hash) => hash,
        _ => return Err(issues::options_no_hash()),
    };
    let Some(module) = module else { return Ok(()) };
    let prefix = format!("{module}::");
    for key in hash.keys() {
        let key = key.to_string();
        match key.strip_prefix('^') {
            Some(pattern) if !pattern.starts_with(&prefix) => {
                return Err(issues::foreign_options_pattern(module));
            }
            None if !key.starts_with(&prefix) => return Err(issues::foreign_options_key(module)),
            _ => {}
        }
    }
    Ok(())
}
