//! `get_module_path` and `load_module_metadata`: where a module is, and what it says of itself.

use crate::prelude::*;
use hierarch_hiera::read;
use issues::stdlib::{no_metadata, no_module, says};

/// The function `get_module_path`.
pub(super) static GET_MODULE_PATH: Function = Function {
    name: "get_module_path",
    doc: "Returns the folder of a module, and fails if there is none.",
    dispatches: &[legacy(-1, get_module_path)],
    examples: &[
        Fails("get_module_path('nope')", "Could not find module nope in environment production"),
        Fails("get_module_path()", "get_module_path(): Wrong number of arguments, expects one"),
    ],
};

/// The function `load_module_metadata`.
pub(super) static LOAD_MODULE_METADATA: Function = Function {
    name: "load_module_metadata",
    doc: "Returns what the file metadata.json of a module says. With a second argument that is true, an empty Hash if there is no such file.",
    dispatches: &[legacy(-1, load_module_metadata)],
    examples: &[
        Fails("load_module_metadata('nope')", "Could not find module nope in environment production"),
        Fails(
            "load_module_metadata()",
            "load_module_metadata(): Wrong number of arguments, expects one or two",
        ),
    ],
};

fn get_module_path(call: &mut Call) -> Result<Value> {
    if call.count() != 1 {
        return Err(says("get_module_path", "Wrong number of arguments, expects one").into());
    }
    Ok(folder(call)?.to_string_lossy().into_owned().into())
}

fn folder(call: &mut Call) -> Result<std::path::PathBuf> {
    let name = ruby_text(call.value(0));
    let environment = call.variable("environment").map_or("production".to_owned(), |name| ruby_text(&name));
    Ok(call.module_folder(&name).ok_or_else(|| no_module(&name, &environment))?)
}

fn load_module_metadata(call: &mut Call) -> Result<Value> {
    if !matches!(call.count(), 1 | 2) {
        return Err(says("load_module_metadata", "Wrong number of arguments, expects one or two").into());
    }
    let path = folder(call)?.join("metadata.json");
    let files = call.files();
    if files.is_file(&path) {
        let bytes = files.read(&path).map_err(|problem| issues::unreadable(&path, &problem))?;
        let metadata = read::json_of(&path.display().to_string(), &String::from_utf8_lossy(&bytes));
        return Ok(metadata.map_err(|(words, place)| issues::argument(words).showing(Some(place)))?);
    }
    if call.count() > 1 && call.value(1).is_truthy() {
        return Ok(Hash::new().into());
    }
    Err(no_metadata(&ruby_text(call.value(0))).into())
}
