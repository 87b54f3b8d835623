//! `stdlib::batch_escape` and `stdlib::powershell_escape`: texts for the shells of Windows.

use crate::prelude::*;

/// The function `stdlib::batch_escape`.
pub(super) static BATCH_ESCAPE: Function = Function {
    name: "stdlib::batch_escape",
    doc: "Returns the text of a value in double quotes, so that a batch file reads it as one word.",
    dispatches: &[on(&["Any string"], batch_escape)],
    examples: &[
        Gives("stdlib::batch_escape('a \"b\"')", "'\"a \"\"b\"\"\"'"),
        Fails("stdlib::batch_escape()", "'stdlib::batch_escape' expects 1 argument, got none"),
    ],
};

/// The function `stdlib::powershell_escape`.
pub(super) static POWERSHELL_ESCAPE: Function = Function {
    name: "stdlib::powershell_escape",
    doc: "Returns the text of a value so that PowerShell reads it as one word.",
    dispatches: &[on(&["Any string"], powershell_escape)],
    examples: &[
        Gives("stdlib::powershell_escape('a $b')", "'a` `$b'"),
        Fails("stdlib::powershell_escape()", "'stdlib::powershell_escape' expects 1 argument, got none"),
    ],
};

fn batch_escape(call: &mut Call) -> Result<Value> {
    let mut out = String::from('"');
    for c in ruby_text(call.value(0)).chars() {
        match c {
            '"' => out.push_str("\"\""),
            '$' | '\\' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out.push('"');
    Ok(out.into())
}

fn powershell_escape(call: &mut Call) -> Result<Value> {
    let mut out = String::new();
    for c in ruby_text(call.value(0)).chars() {
        match c {
            ' ' | '\'' | '`' | '|' | '\n' | '$' => out.extend(['`', c]),
            '"' => out.push_str("\\`\""),
            c => out.push(c),
        }
    }
    Ok(out.into())
}
