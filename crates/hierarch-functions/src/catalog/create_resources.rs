//! `create_resources`: declares resources that a hash describes.

use crate::prelude::*;

pub(super) static CREATE_RESOURCES: Function = Function {
    name: "create_resources",
    doc: "Declares resources of a type: a hash of titles with hashes of attributes. A third argument has attributes \
          for all of them. A type with `@` in front makes virtual resources, one with `@@` exported ones.",
    dispatches: &[legacy(-3, create_resources)],
    examples: &[
        Gives("create_resources('notify', {'a' => {'message' => 'm'}}) Notify['a'][message]", "'m'"),
        Gives("create_resources('notify', {'a' => {}}, {'message' => 'd'}) Notify['a'][message]", "'d'"),
        Fails("create_resources('nope', {'a' => {}})", "Unknown resource type: 'nope'"),
        Fails("create_resources('notify', 'x')", "create_resources(): second argument must be a hash"),
    ],
};

fn create_resources(call: &mut Call) -> Result<Value> {
    let count = call.count();
    if count > 3 {
        return Err(issues::create_resources_count(count).into());
    }
    let arguments = call.take_all();
    let Value::Hash(resources) = &arguments[1] else {
        return Err(issues::create_resources_hash("second argument").into());
    };
    let defaults = match arguments.get(2) {
        None => Arc::new(Hash::new()),
        Some(Value::Hash(defaults)) => Arc::clone(defaults),
        Some(_) => return Err(issues::create_resources_hash("third argument, if provided,").into()),
    };
    let Value::String(type_name) = &arguments[0] else {
        return Err(issues::create_resources_type(&arguments[0]).into());
    };
    call.create_resources(type_name, resources, &defaults)?;
    Ok(Value::Undef)
}
