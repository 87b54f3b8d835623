//! `cargo xtask check`: everything that must hold before a change is shown, in one command.

use std::env;
use std::io::{self, Write};
use std::process::{Command, Stdio};
use std::time::Instant;

struct Step {
    name: &'static str,
    arguments: &'static [&'static str],
    environment: Option<(&'static str, &'static str)>,
}

const STEPS: &[Step] = &[
    Step { name: "format", arguments: &["fmt", "--all", "--check"], environment: None },
    Step {
        name: "lints",
        arguments: &["clippy", "--workspace", "--all-targets", "--quiet", "--", "--deny", "warnings"],
        environment: None,
    },
    Step {
        name: "documentation",
        arguments: &["doc", "--workspace", "--no-deps", "--quiet"],
        environment: Some(("RUSTDOCFLAGS", "--deny warnings")),
    },
    Step {
        name: "tests, cases and tidy",
        arguments: &["test", "--workspace", "--", "--quiet"],
        environment: None,
    },
];

/// Runs all steps, also after one has failed, and tells whether all passed.
pub fn check(out: &mut dyn Write) -> io::Result<bool> {
    let mut failed = Vec::new();
    for step in STEPS {
        if !run(step, out)? {
            failed.push(step.name);
        }
    }
    if has_cargo_deny() {
        let deny = Step { name: "licences and advisories", arguments: &["deny", "check"], environment: None };
        if !run(&deny, out)? {
            failed.push(deny.name);
        }
    } else {
        writeln!(out, "== licences and advisories: skipped, cargo-deny is not installed")?;
    }
    if !browse(out)? {
        failed.push(BROWSER);
    }
    if failed.is_empty() {
        writeln!(out, "check: everything passed")?;
    } else {
        writeln!(out, "check: failed: {}", failed.join("; "))?;
    }
    Ok(failed.is_empty())
}

fn run(step: &Step, out: &mut dyn Write) -> io::Result<bool> {
    writeln!(out, "== {}", step.name)?;
    out.flush()?;
    let start = Instant::now();
    let passed = cargo().args(step.arguments).envs(step.environment).status()?.success();
    let word = if passed { "passed" } else { "failed" };
    writeln!(out, "== {}: {word} after {} s", step.name, start.elapsed().as_secs())?;
    Ok(passed)
}

const BROWSER: &str = "explorer in a browser";

/// Tries the explorer in Chromium, if it is there; the script says so if it is not.
fn browse(out: &mut dyn Write) -> io::Result<bool> {
    writeln!(out, "== {BROWSER}")?;
    out.flush()?;
    let start = Instant::now();
    let script = crate::tidy::repository().join("scripts/test-browser");
    let passed = Command::new(script).env("HIERARCH_BROWSER", "present").status()?.success();
    let word = if passed { "passed" } else { "failed" };
    writeln!(out, "== {BROWSER}: {word} after {} s", start.elapsed().as_secs())?;
    Ok(passed)
}

fn has_cargo_deny() -> bool {
    let asked = cargo().args(["deny", "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    asked.is_ok_and(|status| status.success())
}

fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}
