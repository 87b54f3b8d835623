//! Files and folders: `file`, `tempfile`, `abspath`, `get_dir`.

use std::path::Path;
use std::sync::Arc;

use hierarch_pcore::Value;
use hierarch_source::Result;

use super::Example::{Fails, Gives};
use super::{Call, Function, Matches, function};
use crate::expr::file::File;
use crate::expr::{folders, issues, python};

pub(super) static FUNCTIONS: &[Function] = &[
    function(
        "file",
        "A file, with the keys `path`, `contents` and `encoding`; with `contents` beside it, it is written. `dir` is the folder.",
        file,
    )
    .reaching_out()
    .examples(&[
        Gives("{eval: {file: motd}, select: path}", "'/srv/demo/motd'"),
        Fails("{eval: {file: gone}, select: contents}", "No such file"),
    ]),
    function("tempfile", "Writes a temporary file and gives its path; `suffix` is the end of its name.", tempfile)
        .reaching_out()
        .examples(&[Gives("{tempfile: text, suffix: .txt}", "'/tmp/demo/0000000000000000.txt'")]),
    function(
        "abspath",
        "Makes a path absolute: from the document's folder, or from a location (`project`, `artifacts`, `local`, …).",
        |call| {
            let (path, location, make) = arguments(call, 1)?;
            Ok(shown(&folders::absolute(call.scope, &path, location.as_deref(), make)?))
        },
    )
    .reaching_out()
    .examples(&[
        Gives("{abspath: a/../b}", "'/srv/demo/b'"),
        Gives("{abspath: [b, local]}", "'/srv/demo/local/root/b'"),
        Fails("{abspath: [b, nowhere]}", "not found"),
    ]),
    function("get_dir", "Gives the folder of a location.", |call| {
        let (location, _, make) = arguments(call, 0)?;
        Ok(shown(&folders::named(call.scope, &location, make)?))
    })
    .reaching_out()
    .examples(&[Gives("{get_dir: .}", "'/srv/demo'")]),
];

fn shown(path: &Path) -> Matches {
    Value::from(path.display().to_string()).into()
}

/// Returns the path, the location if there may be one, and whether to make the folder.
fn arguments(call: &Call, locations: usize) -> Result<(String, Option<String>, bool)> {
    let list = call.one_or_list()?;
    let text = |index: usize| list.get(index).filter(|value| !value.is_undef()).map(python::text);
    let location = if locations == 1 { text(1) } else { None };
    let make = list.get(1 + locations).is_some_and(python::is_true);
    Ok((text(0).unwrap_or_default(), location, make))
}

fn file(call: &Call) -> Result<Matches> {
    let given = python::text(&call.value()?);
    let folder = call.named("dir")?.map(|folder| python::text(&folder));
    let path = match folder {
        Some(folder) => folders::absolute(call.scope, &format!("{folder}/{given}"), None, false)?,
        None => folders::absolute(call.scope, &given, None, false)?,
    };
    if let Some(contents) = call.named("contents")? {
        write(call, &path, &contents)?;
    }
    let encoding =
        call.named("encoding")?.map_or_else(|| "utf-8".into(), |value| python::text(&value).into());
    Ok(Value::Foreign(Arc::new(File { given: given.into(), path, encoding })).into())
}

fn tempfile(call: &Call) -> Result<Matches> {
    let contents = call.value()?;
    let suffix = call.named("suffix")?.map(|value| python::text(&value)).unwrap_or_default();
    let folder = folders::named(call.scope, "tmp", false)?;
    let mut name = [0; 8];
    call.scope.world.host.random(&mut name)?;
    // A suffix is the end of a name, not a way to another folder.
    let path = folder.join(format!("{:016x}{}", u64::from_le_bytes(name), suffix.replace('/', "_")));
    write(call, &path, &contents)?;
    Ok(shown(&path))
}

/// Writes a text as it is, and other values as JSON.
fn write(call: &Call, path: &Path, contents: &Value) -> Result<()> {
    let text = match contents {
        Value::Array(_) | Value::Hash(_) => crate::template::pretty_json(contents),
        other => python::text(other),
    };
    let written = call.scope.world.host.write(path, text.as_bytes());
    written.map_err(|error| issues::file_error(path, &error))
}
