//! `generate`: what a program of the machine prints.

use std::path::Path;
use std::process::Command;

use crate::prelude::*;
use crate::ruby::implicit_text;

/// The function `generate`.
pub(super) static GENERATE: Function = Function {
    name: "generate",
    doc: "Runs a program, given by its full path, with arguments and returns what it prints. This is refused unless programs may be run.",
    dispatches: &[legacy(-2, generate)],
    examples: &[
        Fails("generate('echo')", "Generators must be fully qualified"),
        Fails("generate('/bin/../bin/echo')", "Can not use generators with '..' in them."),
        Fails(
            "generate('/bin/a;b')",
            "Generators can only contain alphanumerics, file separators, and dashes",
        ),
    ],
};

fn generate(call: &mut Call) -> Result<Value> {
    let program = implicit_text(call.value(0))?;
    if !program.starts_with('/') {
        return Err(issues::generator_not_absolute().into());
    }
    if !program.lines().any(is_plain) {
        return Err(issues::generator_characters().into());
    }
    if program.contains("..") {
        return Err(issues::generator_dots().into());
    }
    if !call.settings().may_run_programs {
        return Err(issues::generator_refused(program).into());
    }
    run(program, &call.arguments()[1..])
}

fn is_plain(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "-/_.+".contains(c))
}

fn run(program: &str, arguments: &[Value]) -> Result<Value> {
    let arguments: Vec<String> = arguments.iter().map(ruby_text).collect();
    let folder = Path::new(program).parent().unwrap_or(Path::new("/"));
    let output = Command::new(program)
        .args(&arguments)
        .current_dir(folder)
        .output()
        .map_err(|problem| issues::generator_failed(program, &problem))?;
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    if output.status.success() {
        return Ok(text.into());
    }
    let line =
        std::iter::once(program).chain(arguments.iter().map(String::as_str)).collect::<Vec<_>>().join(" ");
    let status = output.status.code().unwrap_or(1);
    Err(issues::generator_failed(program, issues::program_status(&line, status, &text)).into())
}
