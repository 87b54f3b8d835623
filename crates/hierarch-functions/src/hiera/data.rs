//! `yaml_data`, `json_data`, `hocon_data`: the data functions that read files, called by other data functions.

use hierarch_eval::function::Dispatch;
use hierarch_eval::hiera::raised;

use crate::prelude::*;

/// The function `yaml_data`.
pub(super) static YAML_DATA: Function = Function {
    name: "yaml_data",
    doc: "Reads a YAML file that has a hash at its top. A data function of Hiera: its options name the path.",
    dispatches: &DISPATCHES,
    examples: &[Fails("yaml_data({})", "'yaml_data' expects 2 arguments, got 1")],
};

/// The function `json_data`.
pub(super) static JSON_DATA: Function = Function {
    name: "json_data",
    doc: "Reads a JSON file that has an object at its top. A data function of Hiera: its options name the path.",
    dispatches: &DISPATCHES,
    examples: &[Fails("json_data({})", "'json_data' expects 2 arguments, got 1")],
};

/// The function `hocon_data`.
pub(super) static HOCON_DATA: Function = Function {
    name: "hocon_data",
    doc: "Reads a HOCON file. A data function of Hiera: its options name the path.",
    dispatches: &DISPATCHES,
    examples: &[Fails("hocon_data({})", "'hocon_data' expects 2 arguments, got 1")],
};

static DISPATCHES: [Dispatch; 2] = [
    on(&["Struct[{path => String[1]}] options", "Puppet::LookupContext context"], read),
    mismatch(&["Hash options", "Puppet::LookupContext context"], path_missing),
];

fn read(call: &mut Call) -> Result<Value> {
    let path = call.hash(0).get_str("path").map(ToString::to_string).unwrap_or_default();
    let data = call.hiera().read_data(call.name(), &path).map_err(raised)?;
    Ok(data.into())
}

fn path_missing(_: &mut Call) -> Result<Value> {
    Ok(issues::DATA_PATH_MISSING.into())
}
