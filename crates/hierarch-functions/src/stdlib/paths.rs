//! `basename`, `dirname` and `stdlib::extname`: the parts of a path.

use crate::prelude::*;
use issues::stdlib::{requires, says};

/// The function `basename`.
pub(super) static BASENAME: Function = Function {
    name: "basename",
    doc: "Returns the last part of a path, without an ending if one is given; `.*` stands for any ending.",
    dispatches: &[legacy(-1, basename)],
    examples: &[
        Gives("basename('/etc/motd.txt')", "'motd.txt'"),
        Gives("basename('/etc/motd.txt', '.txt')", "'motd'"),
        Fails("basename()", "basename(): No arguments given"),
    ],
};

/// The function `dirname`.
pub(super) static DIRNAME: Function = Function {
    name: "dirname",
    doc: "Returns a path without its last part.",
    dispatches: &[legacy(-1, dirname)],
    examples: &[
        Gives("dirname('/etc/motd')", "'/etc'"),
        Gives("dirname('motd')", "'.'"),
        Fails("dirname('')", "dirname(): Requires a non-empty string as argument"),
    ],
};

/// The function `stdlib::extname`.
pub(super) static EXTNAME: Function = Function {
    name: "stdlib::extname",
    doc: "Returns the ending of a file name from its last point on, or an empty text.",
    dispatches: &[on(&["String filename"], extname).returns("String")],
    examples: &[
        Gives("stdlib::extname('test.tar.gz')", "'.gz'"),
        Gives("stdlib::extname('.profile')", "''"),
        Fails(
            "stdlib::extname(1)",
            "'stdlib::extname' parameter 'filename' expects a String value, got Integer",
        ),
    ],
};

fn basename(call: &mut Call) -> Result<Value> {
    match call.arguments() {
        [] => Err(says("basename", "No arguments given").into()),
        [_, _, _, ..] => Err(says("basename", format!("Too many arguments given ({})", call.count())).into()),
        [Value::String(path)] => Ok(last_part(path).into()),
        [Value::String(path), Value::String(ending)] => Ok(without(last_part(path), ending).into()),
        [Value::String(_), _] => Err(requires("basename", "string as second argument").into()),
        _ => Err(requires("basename", "string as first argument").into()),
    }
}

fn dirname(call: &mut Call) -> Result<Value> {
    match call.arguments() {
        [] => Err(says("dirname", "No arguments given").into()),
        [Value::String(path)] if path.is_empty() => {
            Err(requires("dirname", "a non-empty string as argument").into())
        }
        [Value::String(path)] => Ok(folder(path).into()),
        [_] => Err(requires("dirname", "string as argument").into()),
        _ => Err(says("dirname", format!("Too many arguments given ({})", call.count())).into()),
    }
}

fn extname(call: &mut Call) -> Result<Value> {
    let name = last_part(call.str(0));
    let stem = name.trim_start_matches('.');
    Ok(match stem.rfind('.') {
        Some(point) if point > 0 => stem[point..].into(),
        _ => "".into(),
    })
}

/// Returns what stands behind the last slash; slashes at the end do not count.
fn last_part(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    if trimmed.is_empty() {
        return if path.is_empty() { "" } else { "/" };
    }
    &trimmed[trimmed.rfind('/').map_or(0, |slash| slash + 1)..]
}

/// Takes an ending off a name that is more than the ending.
fn without<'n>(name: &'n str, ending: &str) -> &'n str {
    if ending == ".*" {
        return match name.rfind('.') {
            Some(point) if point > 0 => &name[..point],
            _ => name,
        };
    }
    name.strip_suffix(ending).filter(|rest| !rest.is_empty()).unwrap_or(name)
}

/// Slashes at the beginning are one to it.
fn folder(path: &str) -> String {
    let rest = path.trim_start_matches('/');
    let root = if rest.len() < path.len() { "/" } else { "" };
    let trimmed = rest.trim_end_matches('/');
    match trimmed.rfind('/') {
        Some(slash) => format!("{root}{}", trimmed[..slash].trim_end_matches('/')),
        None if root.is_empty() => ".".to_owned(),
        None => root.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn parts_of_paths() {
        check_calls(&[
            ("dirname('/a/b/c')", "'/a/b'"),
            ("dirname('a')", "'.'"),
            ("dirname('/')", "'/'"),
            (
                "dirname('')",
                "Evaluation Error: Error while evaluating a Function Call, dirname(): Requires a non-empty string as argument (line: 1, column: 1)",
            ),
            ("dirname('a/')", "'.'"),
            ("basename('/a/b.c')", "'b.c'"),
            ("basename('/a/b.c', '.c')", "'b'"),
            ("basename('/')", "'/'"),
            ("basename('')", "''"),
            (
                "basename(1)",
                "Evaluation Error: Error while evaluating a Function Call, basename(): Requires string as first argument (line: 1, column: 1)",
            ),
            ("extname('a.b.c')", "Evaluation Error: Unknown function: 'extname'. (line: 1, column: 1)"),
            ("extname('.a')", "Evaluation Error: Unknown function: 'extname'. (line: 1, column: 1)"),
            ("extname('a.')", "Evaluation Error: Unknown function: 'extname'. (line: 1, column: 1)"),
            ("extname('a')", "Evaluation Error: Unknown function: 'extname'. (line: 1, column: 1)"),
            ("stdlib::extname('a.b')", "'.b'"),
        ]);
    }
}
