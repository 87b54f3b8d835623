//! `loadjson` and `loadyaml`: data from files.

use std::path::Path;

use super::parse::or_default;
use crate::prelude::*;
use crate::ruby::implicit_text;
use hierarch_hiera::read::{self, Yaml};
use issues::stdlib::{cannot_load, no_method, no_network};

/// The function `loadjson`.
pub(super) static LOADJSON: Function = Function {
    name: "loadjson",
    doc: "Returns the data in a JSON file. A second argument is returned if there is none, or it cannot be read.",
    dispatches: &[legacy(-2, loadjson)],
    examples: &[
        Gives("loadjson('/nope', {})", "{}"),
        Fails("loadjson(1)", "undefined method `start_with?' for an instance of Integer"),
    ],
};

/// The function `loadyaml`.
pub(super) static LOADYAML: Function = Function {
    name: "loadyaml",
    doc: "Returns the data in a YAML file. A second argument is returned if there is none, or it cannot be read.",
    dispatches: &[legacy(-2, loadyaml)],
    examples: &[
        Gives("loadyaml('/nope', {})", "{}"),
        Fails("loadyaml(1)", "undefined method `start_with?' for an instance of Integer"),
    ],
};

fn loadjson(call: &mut Call) -> Result<Value> {
    load(call, read::json)
}

fn loadyaml(call: &mut Call) -> Result<Value> {
    load(call, |text| read::yaml(text, Yaml { aliases: true, symbols: false }))
}

fn load(call: &mut Call, read: fn(&str) -> std::result::Result<Value, String>) -> Result<Value> {
    let default = call.value(1).clone();
    let Ok(path) = implicit_text(call.value(0)).map(str::to_owned) else {
        return or_default(Err(no_method("start_with?", call.value(0))), &default);
    };
    if path.starts_with("http://") || path.starts_with("https://") {
        return or_default(Err(no_network(call.name(), &path)), &default);
    }
    let files = call.files();
    if !files.is_file(Path::new(&path)) {
        call.log(Level::Warning, cannot_load(&path));
        return Ok(default);
    }
    let bytes =
        files.read(Path::new(&path)).map_err(|problem| issues::unreadable(Path::new(&path), &problem));
    let parsed = bytes.and_then(|bytes| read(&String::from_utf8_lossy(&bytes)).map_err(issues::argument));
    or_default(parsed, &default)
}
