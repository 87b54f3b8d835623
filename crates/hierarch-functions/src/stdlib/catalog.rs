//! `assert_private`, `defined_with_params`, `ensure_resource`, `ensure_resources`, `stdlib::ensure_packages`,
//! `getparam` and `stdlib::str2resource`: resources of the catalog.

use crate::prelude::*;

/// See the module.
pub(super) static ASSERT_PRIVATE: Function = Function {
    name: "assert_private",
    doc: "Fails if the class or defined type around it is used from another module.",
    dispatches: &[legacy(-1, needs_catalog)],
    examples: &[Fails("assert_private()", "needs a catalog")],
};

/// See the module.
pub(super) static DEFINED_WITH_PARAMS: Function = Function {
    name: "defined_with_params",
    doc: "Tells whether a resource is declared, with all parameters of a Hash.",
    dispatches: &[legacy(-1, needs_catalog)],
    examples: &[Fails("defined_with_params('File[a]')", "needs a catalog")],
};

/// See the module.
pub(super) static ENSURE_RESOURCE: Function = Function {
    name: "ensure_resource",
    doc: "Declares resources of a type, those left out that are declared with the same parameters.",
    dispatches: &[legacy(-1, needs_catalog)],
    examples: &[Fails("ensure_resource('file', 'a')", "needs a catalog")],
};

/// See the module.
pub(super) static ENSURE_RESOURCES: Function = Function {
    name: "ensure_resources",
    doc: "Declares the resources of a Hash, those left out that are declared with the same parameters.",
    dispatches: &[legacy(-1, needs_catalog)],
    examples: &[Fails("ensure_resources('file', {})", "needs a catalog")],
};

/// See the module.
pub(super) static ENSURE_PACKAGES: Function = Function {
    name: "stdlib::ensure_packages",
    doc: "Declares packages, those left out that are declared already.",
    dispatches: &[
        on(&["Variant[String[1], Array[String[1]]] packages", "?Hash default_attributes"], needs_catalog)
            .returns("Undef"),
        on(&["Hash[String[1], Any] packages", "?Hash default_attributes"], needs_catalog).returns("Undef"),
    ],
    examples: &[Fails("stdlib::ensure_packages('a')", "needs a catalog")],
};

/// See the module.
pub(super) static GETPARAM: Function = Function {
    name: "getparam",
    doc: "Returns the value of a parameter of a declared resource, or an empty text.",
    dispatches: &[legacy(-1, needs_catalog)],
    examples: &[Fails("getparam(File['a'], 'ensure')", "needs a catalog")],
};

/// See the module.
pub(super) static STR2RESOURCE: Function = Function {
    name: "stdlib::str2resource",
    doc: "Returns the declared resource that a text such as `File[a]` names.",
    dispatches: &[on(&["String res_string"], needs_catalog).returns("Any")],
    examples: &[Fails("stdlib::str2resource('File[a]')", "needs a catalog")],
};

fn needs_catalog(call: &mut Call) -> Result<Value> {
    Err(call.needs("a catalog").into())
}
