//! `file` and `binary_file`: what is in a file.

use std::path::Path;

use hierarch_pcore::value::Binary;

use crate::prelude::*;

/// The function `file`.
pub(super) static FILE: Function = Function {
    name: "file",
    doc: "Returns the text of the first file that exists. Each is an absolute path, or `MODULE/FILE` for one in the folder `files` of a module.",
    dispatches: &[legacy(-2, file)],
    examples: &[Fails("file('/nope', 'nope/x')", "Could not find any files from /nope, nope/x")],
};

/// The function `binary_file`.
pub(super) static BINARY_FILE: Function = Function {
    name: "binary_file",
    doc: "Returns the bytes of a file as a Binary. The file is an absolute path, or `MODULE/FILE` for one in the folder `files` of a module.",
    dispatches: &[on(&["String path"], binary_file)],
    examples: &[Fails("binary_file('/nope')", "binary_file(): The given file '/nope' does not exist")],
};

fn file(call: &mut Call) -> Result<Value> {
    let paths: Vec<String> = call.arguments().iter().map(ruby_text).collect();
    let found = paths.iter().find_map(|path| call.find_in_module("files", path));
    let path = found.ok_or_else(|| issues::no_files(&paths))?;
    let bytes = read(call, &path)?;
    let text = String::from_utf8(bytes).map_err(|_| issues::not_utf8(&path))?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).into())
}

fn binary_file(call: &mut Call) -> Result<Value> {
    let path = call.find_in_module("files", call.str(0)).ok_or_else(|| issues::no_file(call.str(0)))?;
    let bytes = read(call, &path)?;
    Ok(Value::Binary(Arc::new(Binary::new(bytes))))
}

fn read(call: &Call, path: &Path) -> Result<Vec<u8>> {
    Ok(call.files().read(path).map_err(|problem| issues::unreadable(path, &problem))?)
}
