//! `glob`: the files that a pattern names.

use crate::prelude::*;
use crate::ruby::implicit_text;
use issues::stdlib::{count, requires};

/// The function `glob`.
pub(super) static GLOB: Function = Function {
    name: "glob",
    doc: "Returns the paths of the files and folders that a pattern, or any of several, names.",
    dispatches: &[legacy(-1, glob)],
    examples: &[
        Gives("glob('/nope/*')", "[]"),
        Fails("glob(1)", "glob(): Requires either array or string to work"),
    ],
};

fn glob(call: &mut Call) -> Result<Value> {
    if call.count() != 1 {
        return Err(count("glob", call.count(), "1").into());
    }
    let patterns = match call.value(0) {
        Value::Array(patterns) => patterns.as_slice(),
        Value::String(_) => call.arguments(),
        _ => return Err(requires("glob", "either array or string to work").into()),
    };
    let files = call.files();
    let mut found = Vec::new();
    for pattern in patterns {
        let most = hierarch_hiera::LookupLimits::default().steps;
        let paths = hierarch_hiera::read::paths(&*files, implicit_text(pattern)?, most)?;
        found.extend(paths.into_iter().map(Value::from));
    }
    Ok(Value::array(found))
}
