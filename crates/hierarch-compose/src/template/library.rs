//! The tables of filters, tests and functions.

use std::rc::Rc;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::call::Function;
use super::filters;
use super::namespace::{GLOBALS, Global};
use super::tests;
use super::value::Val;

type Table = FxHashMap<&'static str, &'static Function>;

fn table(families: &[&'static [Function]]) -> Table {
    families.iter().flat_map(|family| family.iter()).map(|function| (function.name, function)).collect()
}

fn filter_table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| table(filters::FAMILIES))
}

fn test_table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| table(tests::FAMILIES))
}

/// Collections that hold what is built in: `ansible.builtin.to_json` is `to_json`.
const BUILT_IN: &[&str] = &["ansible.builtin.", "ansible.legacy."];

fn short(name: &str) -> &str {
    BUILT_IN.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name)
}

pub(super) fn filter(name: &str) -> Option<&'static Function> {
    filter_table().get(short(name)).copied()
}

pub(super) fn test(name: &str) -> Option<&'static Function> {
    test_table().get(short(name)).copied()
}

/// Returns a function that templates call by name.
pub(super) fn global(name: &str) -> Option<Val> {
    let function = GLOBALS.iter().find(|function| function.name == name)?;
    Some(Val::Object(Rc::new(Global(function))))
}

/// Returns the names of all filters, in order.
pub(crate) fn filter_names() -> Vec<String> {
    names(filter_table())
}

/// Returns the parameters of a filter, the value before the bar first.
pub fn filter_parameters(name: &str) -> Option<&'static [&'static str]> {
    filter_table().get(name).map(|filter| filter.parameters)
}

/// Returns the names of all tests, in order.
pub(crate) fn test_names() -> Vec<String> {
    names(test_table())
}

fn names(table: &Table) -> Vec<String> {
    let mut names: Vec<String> = table.keys().map(ToString::to_string).collect();
    names.sort_unstable();
    names
}
