//! `find_file`, `find_template` and `module_directory`: where something is.

use std::path::PathBuf;

use crate::prelude::*;

/// The function `find_file`.
pub(super) static FIND_FILE: Function = Function {
    name: "find_file",
    doc: "Returns the path of the first file that exists, or `undef`. Each is an absolute path, or `MODULE/FILE` for one in the folder `files` of a module.",
    dispatches: &[on(&["*String paths"], find_file), on(&["*Array[String] paths_array"], find_file)],
    examples: &[
        Gives("find_file('nope/x', '/nope')", "undef"),
        Fails("find_file(1)", "The function 'find_file' was called with arguments it does not accept."),
    ],
};

/// The function `find_template`.
pub(super) static FIND_TEMPLATE: Function = Function {
    name: "find_template",
    doc: "Returns the path of the first template that exists, or `undef`. Each is an absolute path, or `MODULE/FILE` for one in the folder `templates` of a module.",
    dispatches: &[on(&["*String paths"], find_template), on(&["*Array[String] paths_array"], find_template)],
    examples: &[
        Gives("find_template('nope/x')", "undef"),
        Fails(
            "find_template(1)",
            "The function 'find_template' was called with arguments it does not accept.",
        ),
    ],
};

/// The function `module_directory`.
pub(super) static MODULE_DIRECTORY: Function = Function {
    name: "module_directory",
    doc: "Returns the folder of the first module that exists, or `undef`.",
    dispatches: &[on(&["*String names"], module_directory), on(&["*Array[String] names"], module_directory)],
    examples: &[
        Gives("module_directory('nope')", "undef"),
        Fails(
            "module_directory(1)",
            "'module_directory' parameter 'names' expects a value of type String or Array, got Integer",
        ),
    ],
};

fn find_file(call: &mut Call) -> Result<Value> {
    first(call, |call, path| call.find_in_module("files", path))
}

fn find_template(call: &mut Call) -> Result<Value> {
    first(call, |call, path| call.find_in_module("templates", path))
}

fn module_directory(call: &mut Call) -> Result<Value> {
    first(call, |call, module| call.module_folder(module))
}

fn first(call: &mut Call, find: fn(&Call, &str) -> Option<PathBuf>) -> Result<Value> {
    let names = match call.arguments() {
        // More than one list is an accident in the reference too.
        [Value::Array(names)] => names,
        [Value::Array(_), ..] => return Err(issues::too_many_lists(call.name()).into()),
        names => names,
    };
    let found = names.iter().filter_map(Value::as_str).find_map(|name| find(call, name));
    Ok(found.map(|path| path.to_string_lossy().into_owned()).into())
}
