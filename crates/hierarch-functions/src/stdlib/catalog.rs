//! `assert_private`, `defined_with_params`, `ensure_resource`, `ensure_resources`, `stdlib::ensure_packages`,
//! `getparam` and `stdlib::str2resource`: resources of the catalog.

use hierarch_eval::catalog::reference;

use crate::prelude::*;

/// See the module.
pub(super) static ASSERT_PRIVATE: Function = Function {
    name: "assert_private",
    doc: "Fails if the class or defined type around it is used from another module.",
    dispatches: &[legacy(-1, assert_private)],
    examples: &[
        Gives("class a { assert_private() } include a", "[Class[a]]"),
        Fails("assert_private(1, 2)", "assert_private(): Wrong number of arguments given (2}) for 0 or 1)"),
    ],
};

fn assert_private(call: &mut Call) -> Result<Value> {
    if call.count() > 1 {
        return Err(issues::private_count(call.count()).into());
    }
    if call.variable("module_name") == call.variable("caller_module_name") {
        return Ok(Value::Undef);
    }
    if let Value::String(message) = call.value(0) {
        return Err(issues::argument(message.as_str()).into());
    }
    match call.container() {
        Some((word, name)) => Err(issues::private(word, &name).into()),
        // The main program is in no module and was called by none.
        None => Ok(Value::Undef),
    }
}

/// See the module.
pub(super) static DEFINED_WITH_PARAMS: Function = Function {
    name: "defined_with_params",
    doc: "Tells whether a resource is declared, with all parameters of a Hash.",
    dispatches: &[legacy(-1, defined_with_params)],
    examples: &[
        Gives("notify { 'a': message => 'm' } defined_with_params(Notify['a'], {'message' => 'm'})", "true"),
        Gives("notify { 'a': } defined_with_params('Notify[a]', {'message' => 'm'})", "false"),
        Fails("defined_with_params()", "Must specify a reference"),
    ],
};

fn defined_with_params(call: &mut Call) -> Result<Value> {
    let arguments = call.take_all();
    let Some(wanted) = arguments.first() else {
        return Err(issues::argument("Must specify a reference").into());
    };
    let text = match wanted {
        Value::String(text) => text.clone(),
        Value::Type(_) => reference(wanted),
        other => return Err(issues::no_reference(other).into()),
    };
    let empty = Hash::new();
    let attributes = arguments.get(1).and_then(Value::as_hash).unwrap_or(&empty);
    Ok(is_declared(call, &text, attributes)?.into())
}

fn is_declared(call: &mut Call, text: &str, attributes: &Hash) -> Result<bool> {
    let (type_name, title) =
        text.strip_suffix(']').and_then(|text| text.split_once('[')).unwrap_or((text, ""));
    call.is_declared_with(&type_name.to_lowercase(), title, attributes)
}

/// See the module.
pub(super) static ENSURE_RESOURCE: Function = Function {
    name: "ensure_resource",
    doc: "Declares resources of a type, those left out that are declared with the same parameters.",
    dispatches: &[legacy(-1, ensure_resource)],
    examples: &[
        Gives("ensure_resource('notify', ['a', 'b'], {'message' => 'm'}) Notify['b'][message]", "'m'"),
        Gives("notify { 'a': } ensure_resource('notify', 'a')", "undef"),
        Fails("ensure_resource('notify')", "Must specify a title"),
        Fails(
            "notify { 'a': } ensure_resource('notify', 'a', {'message' => 'm'})",
            "Duplicate declaration: Notify[a]",
        ),
    ],
};

fn ensure_resource(call: &mut Call) -> Result<Value> {
    let arguments = call.take_all();
    let (type_name, title) = type_and_title(&arguments)?;
    let attributes = match arguments.get(2) {
        Some(Value::Hash(attributes)) => attributes.as_ref().clone(),
        _ => Hash::new(),
    };
    let mut titles = Vec::new();
    flatten(title, &mut titles);
    for title in titles {
        ensure(call, type_name, &title, &attributes)?;
    }
    Ok(Value::Undef)
}

fn type_and_title(arguments: &[Value]) -> Result<(&str, &Value)> {
    let Some(type_name) = arguments.first().and_then(Value::as_str) else {
        return Err(issues::argument("Must specify a type").into());
    };
    let Some(title) = arguments.get(1) else { return Err(issues::argument("Must specify a title").into()) };
    Ok((type_name, title))
}

/// Declares a resource, unless it is declared like that.
fn ensure(call: &mut Call, type_name: &str, title: &str, attributes: &Hash) -> Result<()> {
    if call.is_declared_with(&type_name.to_lowercase(), title, attributes)? {
        return Ok(());
    }
    let resources: Hash = [(Value::from(title), Value::from(attributes.clone()))].into_iter().collect();
    call.create_resources(type_name, &resources, &Hash::new())
}

fn flatten(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::Array(elements) => elements.iter().for_each(|element| flatten(element, into)),
        other => into.push(other.to_string()),
    }
}

/// See the module.
pub(super) static ENSURE_RESOURCES: Function = Function {
    name: "ensure_resources",
    doc: "Declares the resources of a Hash, those left out that are declared with the same parameters.",
    dispatches: &[legacy(-1, ensure_resources)],
    examples: &[
        Gives("ensure_resources('notify', {'a' => {}}, {'message' => 'm'}) Notify['a'][message]", "'m'"),
        Fails("ensure_resources('notify', 'a')", "ensure_resources(): Requires second argument to be a Hash"),
    ],
};

fn ensure_resources(call: &mut Call) -> Result<Value> {
    let arguments = call.take_all();
    let (type_name, title) = type_and_title(&arguments)?;
    let Value::Hash(resources) = title else { return Err(issues::resources_no_hash().into()) };
    let defaults = arguments.get(2).and_then(Value::as_hash).cloned().unwrap_or_default();
    for (title, own) in resources.iter() {
        let attributes = own.as_hash().map_or_else(|| defaults.clone(), |own| merged(&defaults, own));
        ensure(call, type_name, &title.to_string(), &attributes)?;
    }
    Ok(Value::Undef)
}

fn merged(defaults: &Hash, own: &Hash) -> Hash {
    let mut all = defaults.clone();
    for (name, value) in own {
        all.insert(name.clone(), value.clone());
    }
    all
}

/// See the module.
pub(super) static ENSURE_PACKAGES: Function = Function {
    name: "stdlib::ensure_packages",
    doc: "Declares packages, those left out that are declared already.",
    dispatches: &[
        on(&["Variant[String[1], Array[String[1]]] packages", "?Hash default_attributes"], ensure_packages)
            .returns("Undef"),
        on(&["Hash[String[1], Any] packages", "?Hash default_attributes"], ensure_packages_of_hash)
            .returns("Undef"),
    ],
    examples: &[
        Gives("stdlib::ensure_packages(['a', 'b']) Package['b'][ensure]", "'installed'"),
        Gives("package { 'a': ensure => 'present' } stdlib::ensure_packages('a')", "undef"),
        Gives("stdlib::ensure_packages({'a' => {'ensure' => 'absent'}}) Package['a'][ensure]", "'absent'"),
        Fails("stdlib::ensure_packages(1)", "expects one of"),
    ],
};

fn ensure_packages(call: &mut Call) -> Result<Value> {
    let arguments = call.take_all();
    let defaults = arguments.get(1).and_then(Value::as_hash).cloned().unwrap_or_default();
    let mut names = Vec::new();
    flatten(&arguments[0], &mut names);
    for name in names {
        ensure_package(call, &name, &defaults)?;
    }
    Ok(Value::Undef)
}

fn ensure_packages_of_hash(call: &mut Call) -> Result<Value> {
    let arguments = call.take_all();
    let defaults = arguments.get(1).and_then(Value::as_hash).cloned().unwrap_or_default();
    for (name, own) in arguments[0].as_hash().into_iter().flatten() {
        let attributes = own.as_hash().map_or_else(|| defaults.clone(), |own| merged(&defaults, own));
        ensure_package(call, &name.to_string(), &attributes)?;
    }
    Ok(Value::Undef)
}

/// `present` and `installed` mean the same: a package declared with either is left alone.
fn ensure_package(call: &mut Call, name: &str, given: &Hash) -> Result<()> {
    let installed: Hash = [("ensure", "installed")].into_iter().collect();
    let mut attributes = merged(&installed, given);
    let wanted = attributes.get_str("ensure").and_then(Value::as_str).unwrap_or_default().to_owned();
    if matches!(wanted.as_str(), "present" | "installed") {
        let present: Hash = [("ensure", "present")].into_iter().collect();
        let is_present = call.is_declared_with("package", name, &present)?;
        attributes.insert("ensure", if is_present { "present" } else { "installed" });
    }
    ensure(call, "package", name, &attributes)
}

/// See the module.
pub(super) static GETPARAM: Function = Function {
    name: "getparam",
    doc: "Returns the value of a parameter of a declared resource, or an empty text.",
    dispatches: &[legacy(-1, getparam)],
    examples: &[
        Gives("notify { 'a': message => 'm' } getparam(Notify['a'], 'message')", "'m'"),
        Gives("getparam(Notify['a'], 'message')", "''"),
        Fails("getparam(Notify['a'])", "Must specify name of a parameter"),
    ],
};

fn getparam(call: &mut Call) -> Result<Value> {
    let arguments = call.take_all();
    let Some(wanted) = arguments.first() else {
        return Err(issues::argument("Must specify a reference").into());
    };
    let Some(name) = arguments.get(1).and_then(Value::as_str) else {
        return Err(issues::argument("Must specify name of a parameter").into());
    };
    let value = call.declared_value(&reference(wanted), name)?;
    Ok(value.filter(|value| !value.is_undef()).unwrap_or_else(|| "".into()))
}

/// See the module.
pub(super) static STR2RESOURCE: Function = Function {
    name: "stdlib::str2resource",
    doc: "Returns the declared resource that a text such as `File[a]` names.",
    dispatches: &[on(&["String res_string"], str2resource).returns("Any")],
    examples: &[
        Gives("notify { 'a': } stdlib::str2resource('Notify[a]')", "Notify['a']"),
        Fails("stdlib::str2resource('Notify[a]')", "could not find Notify[a], this is parse order dependent"),
    ],
};

fn str2resource(call: &mut Call) -> Result<Value> {
    let text = call.str(0).to_owned();
    if call.declared_value(&text, "name")?.is_none() {
        return Err(issues::resource_not_found(&text).into());
    }
    match text.strip_suffix(']').and_then(|text| text.split_once('[')) {
        Some((type_name, title)) => {
            let type_ = call.type_from_text("Resource")?;
            let found = type_.parametrize(&[type_name.into(), title.into()]);
            Ok(found.map_err(|failure| failure.error)?)
        }
        None => Err(issues::resource_not_found(&text).into()),
    }
}
