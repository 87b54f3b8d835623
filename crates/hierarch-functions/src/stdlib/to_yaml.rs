//! `stdlib::to_yaml`: data in YAML.

use crate::prelude::*;

/// The function `stdlib::to_yaml`.
pub(super) static TO_YAML: Function = Function {
    name: "stdlib::to_yaml",
    doc: "Returns data as a YAML document. Of the options, `indentation` and `line_width` (-1 for no limit) are known.",
    dispatches: &[on(&["Any data", "?Hash options"], to_yaml)],
    examples: &[
        Gives("stdlib::to_yaml({a => [1, 'yes']})", "\"---\\na:\\n- 1\\n- 'yes'\\n\""),
        Gives("stdlib::to_yaml({a => {b => 1}}, {indentation => 4})", "\"---\\na:\\n    b: 1\\n\""),
        Fails("stdlib::to_yaml()", "'stdlib::to_yaml' expects between 1 and 2 arguments, got none"),
    ],
};

fn to_yaml(call: &mut Call) -> Result<Value> {
    let option = |name: &str| call.hash(1).get_str(name).and_then(Value::as_integer);
    let indentation = option("indentation").and_then(|columns| usize::try_from(columns).ok());
    let width = match option("line_width") {
        Some(width) if width < 0 => Some(usize::MAX),
        other => other.and_then(|width| usize::try_from(width).ok()),
    };
    Ok(call.value(0).to_yaml_with(indentation, width).into())
}
