//! `validate_cmd` and `validate_augeas`: content that a program has to accept.

use std::process::Command;

use crate::prelude::*;
use issues::stdlib::{command_failed, failed_command, lower_count, program_refused, says};

/// The function `validate_cmd`.
pub(super) static VALIDATE_CMD: Function = Function {
    name: "validate_cmd",
    doc: "Writes a text to a file and fails if a command, run with that file in the place of `%` or as its last word, does. This is refused unless programs may be run.",
    dispatches: &[legacy(-1, validate_cmd)],
    examples: &[
        Fails("validate_cmd('x')", "validate_cmd(): wrong number of arguments (1; must be 2 or 3)"),
        Fails(
            "validate_cmd('x', '/bin/true')",
            "validate_cmd(): running /bin/true is refused, because running programs was not allowed",
        ),
    ],
};

/// The function `validate_augeas`.
pub(super) static VALIDATE_AUGEAS: Function = Function {
    name: "validate_augeas",
    doc: "Fails: it needs a library, Augeas, that is not here.",
    dispatches: &[legacy(-1, validate_augeas)],
    examples: &[Fails(
        "validate_augeas('x', 'Passwd.lns')",
        "validate_augeas(): this function requires the augeas feature.",
    )],
};

fn validate_cmd(call: &mut Call) -> Result<Value> {
    if !matches!(call.count(), 2 | 3) {
        return Err(lower_count("validate_cmd", call.count(), "2 or 3").into());
    }
    let (content, command) = (ruby_text(call.value(0)), ruby_text(call.value(1)));
    if !call.settings().may_run_programs {
        return Err(program_refused("validate_cmd", &command).into());
    }
    let message = match call.value(2) {
        Value::Undef => failed_command(call.value(1)),
        message => ruby_text(message),
    };
    run(&content, &command).map_err(|detail| command_failed(&message, detail))?;
    Ok(Value::Undef)
}

/// Runs a command line on a file with a content, and says what went wrong.
fn run(content: &str, command: &str) -> std::result::Result<(), String> {
    let words = |problem: std::io::Error| problem.to_string();
    let file = tempfile::NamedTempFile::with_prefix("validate_cmd").map_err(words)?;
    std::fs::write(file.path(), content).map_err(words)?;
    let path = file.path().to_string_lossy();
    let names_file = command.split_whitespace().skip(1).any(|word| word == "%");
    let line = if names_file { command.replace('%', &path) } else { format!("{command} {path}") };
    let output = Command::new("/bin/sh").args(["-c", &line]).output().map_err(words)?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    Err(issues::program_status(&line, output.status.code().unwrap_or(1), &text))
}

fn validate_augeas(_: &mut Call) -> Result<Value> {
    let words = "this function requires the augeas feature. See http://docs.puppetlabs.com/guides/augeas.html#pre-requisites for how to activate it.";
    Err(says("validate_augeas", words).into())
}
