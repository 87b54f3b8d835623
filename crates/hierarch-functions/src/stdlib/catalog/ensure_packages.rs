//! `stdlib::ensure_packages`: packages, declared unless they are already.

use super::defined_with_params::is_defined;
use super::ensure_resource::ensure;
use super::reference::Reference;
use crate::prelude::*;

/// The function `stdlib::ensure_packages`.
pub(super) static ENSURE_PACKAGES: Function = Function {
    name: "stdlib::ensure_packages",
    doc: "Declares packages as installed, or with other attributes, unless they are declared so already; one that is declared as `present` will do.",
    dispatches: &[
        on(&["Variant[String[1], Array[String[1]]] packages", "?Hash default_attributes"], of_names)
            .returns("Undef"),
        on(&["Hash[String[1], Any] packages", "?Hash default_attributes"], of_hash).returns("Undef"),
    ],
    examples: &[
        Gives("stdlib::ensure_packages(['a', 'b']) Package['b']['ensure']", "'installed'"),
        Gives(
            "package { 'a': ensure => present } stdlib::ensure_packages('a') Package['a']['ensure']",
            "'present'",
        ),
        Fails(
            "stdlib::ensure_packages(1)",
            "parameter 'packages' expects a value of type String, Array, or Hash, got Integer",
        ),
    ],
};

fn of_names(call: &mut Call) -> Result<Value> {
    let attributes = call.hash(1).clone();
    let names = match call.take(0) {
        Value::Array(names) => names.to_vec(),
        name => vec![name],
    };
    for name in names {
        ensure_package(call, &name, &attributes)?;
    }
    Ok(Value::Undef)
}

fn of_hash(call: &mut Call) -> Result<Value> {
    let defaults = call.hash(1).clone();
    let packages = call.hash(0).clone();
    for (name, own) in &packages {
        let mut attributes = defaults.clone();
        for (key, value) in own.as_hash().ok_or_else(|| issues::no_implicit_hash(own))? {
            attributes.insert(key.clone(), value.clone());
        }
        ensure_package(call, name, &attributes)?;
    }
    Ok(Value::Undef)
}

fn ensure_package(call: &mut Call, name: &Value, attributes: &Hash) -> Result<()> {
    let mut all = Hash::new();
    all.insert("ensure", "installed");
    for (key, value) in attributes {
        all.insert(key.clone(), value.clone());
    }
    if matches!(all.get_str("ensure").and_then(Value::as_str), Some("present" | "installed")) {
        all.insert("ensure", if is_present(call, name)? { "present" } else { "installed" });
    }
    ensure(call, "package", name, &all.into())
}

fn is_present(call: &mut Call, name: &Value) -> Result<bool> {
    let package = Reference { type_name: "package".to_owned(), title: Some(ruby_text(name)) };
    let wanted = Hash::from_iter([("ensure", "present")]);
    is_defined(call, &package, &wanted)
}
