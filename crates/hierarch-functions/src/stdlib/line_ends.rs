//! `dos2unix` and `unix2dos`: line ends of the two worlds.

use crate::prelude::*;
use issues::stdlib::requires;

/// The function `dos2unix`.
pub(super) static DOS2UNIX: Function = Function {
    name: "dos2unix",
    doc: "Returns a text with the line ends of Unix in the place of those of DOS.",
    dispatches: &[legacy(1, dos2unix)],
    examples: &[
        Gives("dos2unix(\"a\\r\\nb\")", "\"a\\nb\""),
        Fails("dos2unix(1)", "dos2unix(): Requires string as argument"),
    ],
};

/// The function `unix2dos`.
pub(super) static UNIX2DOS: Function = Function {
    name: "unix2dos",
    doc: "Returns a text with the line ends of DOS.",
    dispatches: &[legacy(1, unix2dos)],
    examples: &[
        Gives("unix2dos(\"a\\nb\")", "\"a\\r\\nb\""),
        Fails("unix2dos(1)", "unix2dos(): Requires string as argument"),
    ],
};

fn dos2unix(call: &mut Call) -> Result<Value> {
    Ok(text(call)?.replace("\r\n", "\n").into())
}

fn unix2dos(call: &mut Call) -> Result<Value> {
    let lines: Vec<&str> = text(call)?.split('\n').collect();
    let last = lines.len() - 1;
    // Returns before a line break go, those elsewhere stay.
    let line = |(index, line): (usize, &&str)| {
        if index == last { (*line).to_owned() } else { format!("{}\r\n", line.trim_end_matches('\r')) }
    };
    Ok(lines.iter().enumerate().map(line).collect::<String>().into())
}

fn text<'c>(call: &'c Call) -> Result<&'c str> {
    Ok(call.value(0).as_str().ok_or_else(|| requires(call.name(), "string as argument"))?)
}
