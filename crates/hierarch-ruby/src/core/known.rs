//! Which methods Ruby has, so that one we do not know is told from one that does not exist.

use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::run::Vm;
use crate::value::{ClassRef, Sym};

/// `Class# names…` and `Class. names…`, as Ruby 3.3 lists them.
const LIST: &str = include_str!("known.txt");

static KNOWN: LazyLock<FxHashMap<&'static str, FxHashSet<&'static str>>> = LazyLock::new(|| {
    let lines = LIST.lines().filter_map(|line| line.split_once(' '));
    lines.map(|(class, names)| (class, names.split(' ').collect())).collect()
});

/// Hooks that Ruby defines and nobody calls on purpose.
const HOOKS: &[&str] =
    &["initialize", "initialize_copy", "initialize_clone", "initialize_dup", "method_missing"];

/// Returns `Class#` of a method that Ruby has for this class and we do not.
pub fn owner(vm: &mut Vm<'_>, class: &ClassRef, name: Sym) -> Option<String> {
    let text = name.text();
    if HOOKS.contains(&text) || text.starts_with("to_") {
        return None;
    }
    vm.ancestors(class).iter().find_map(|one| {
        let spec = one.spec?;
        let mark = if one.is_singleton { '.' } else { '#' };
        let class = format!("{}{mark}", spec.name);
        // What a script took away on purpose does not exist.
        let is_undefined = one.methods.borrow().get(&name).is_some_and(Option::is_none);
        (!is_undefined && KNOWN.get(class.as_str())?.contains(text)).then_some(class)
    })
}

/// Tells whether Ruby has a public method that we do not, so that `respond_to?` stays right.
pub fn has(vm: &mut Vm<'_>, class: &ClassRef, name: Sym) -> bool {
    owner(vm, class, name).is_some_and(|owner| owner != "Kernel#")
}

/// Returns `Class#name` of an instance method that Ruby has somewhere, whether or not we do.
pub fn anywhere(name: &str) -> Option<String> {
    let mut owners: Vec<&str> = KNOWN
        .iter()
        .filter(|(class, names)| class.ends_with('#') && names.contains(name))
        .map(|(class, _)| *class)
        .collect();
    owners.sort_unstable();
    owners.first().map(|class| format!("{class}{name}"))
}

/// Tells whether Ruby's class itself has a method.
pub fn of_class(class: &str, name: &str) -> bool {
    KNOWN.get(format!("{class}.").as_str()).is_some_and(|names| names.contains(name))
}
