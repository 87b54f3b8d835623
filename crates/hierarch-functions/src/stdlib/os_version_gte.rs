//! `stdlib::os_version_gte`: the operating system, of a release or a later one.

use std::cmp::Ordering;

use crate::numbers::compared;
use crate::prelude::*;
use issues::stdlib::no_method;

/// The function `stdlib::os_version_gte`.
pub(super) static OS_VERSION_GTE: Function = Function {
    name: "stdlib::os_version_gte",
    doc: "Tells whether the fact `os.name` is a name and `os.release.major` at least a version.",
    dispatches: &[on(&["String[1] os", "String[1] version"], os_version_gte).returns("Boolean")],
    examples: &[Fails(
        "stdlib::os_version_gte('Debian', 9)",
        "'stdlib::os_version_gte' parameter 'version' expects a String value, got Integer",
    )],
};

fn os_version_gte(call: &mut Call) -> Result<Value> {
    let facts = call.variable("facts").unwrap_or_default();
    let os = within(&facts, "os")?;
    if within(&os, "name")?.as_str() != Some(call.str(0)) {
        return Ok(false.into());
    }
    let major = ruby_text(&within(&within(&os, "release")?, "major")?);
    Ok((compared(&major, call.str(1)) != Ordering::Less).into())
}

fn within(value: &Value, name: &str) -> Result<Value> {
    let hash = value.as_hash().ok_or_else(|| no_method("[]", value))?;
    Ok(hash.get_str(name).cloned().unwrap_or_default())
}
