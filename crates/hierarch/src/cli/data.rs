//! Data files as values: YAML by Ruby's rules, JSON as a part of it.

use std::path::Path;

use hierarch_pcore::data::{Rules, from_data};
use hierarch_pcore::{Hash, Value};
use hierarch_yaml::{Dialect, DocumentLimits, read};

use super::failure::Failure;
use super::input;
use crate::cli::issues;

/// Reads a file that holds a map.
pub(crate) fn read_map(path: &Path) -> Result<Hash, Failure> {
    match read_value(path)? {
        Value::Hash(hash) => Ok(std::sync::Arc::unwrap_or_clone(hash)),
        Value::Undef => Ok(Hash::new()),
        _ => Err(issues::not_a_map(path)),
    }
}

/// Reads a file.
fn read_value(path: &Path) -> Result<Value, Failure> {
    let source = input::read(path).source.map_err(Failure::from)?;
    let limits = DocumentLimits::default();
    let tree = read(&source, Dialect::Psych, limits).map_err(Failure::from)?;
    match tree.root() {
        Some(root) => {
            let data = tree.data(root, limits).map_err(Failure::from)?;
            Ok(from_data(&data, Rules::Ruby))
        }
        None => Ok(Value::Undef),
    }
}
