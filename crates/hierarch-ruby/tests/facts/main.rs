//! Tables of facts about Ruby 3.3, each program with the answer that a real Ruby gave.
//!
//! A table has programs of one or more lines, and below each `#=> ` with what `inspect` shows of its value, or `#!! ` with the class
//! and message of its error. `scripts/record-ruby-facts` asks Ruby and writes the answers; nobody writes them by hand.

// Tables are read by a script, which looks for this many hashes; what Ruby prints may be invisible.
#![allow(clippy::needless_raw_string_hashes, clippy::invisible_characters)]

mod arguments;
mod arrays;
mod blocks;
mod classes;
mod control;
mod exceptions;
mod formats;
mod hashes;
mod library;
mod ranges;
mod regexps;
mod strings;
mod yielded;

use hierarch_ruby::ScriptLimits;
use hierarch_ruby::run::outcome;

/// Returns the programs of a table with the answers that were recorded.
fn facts(table: &str) -> Vec<(String, &str)> {
    let mut code = Vec::new();
    let mut found = Vec::new();
    for line in table.lines() {
        if line.starts_with("#=> ") || line.starts_with("#!! ") {
            found.push((code.join("\n"), line));
            code.clear();
        } else if !line.is_empty() || !code.is_empty() {
            code.push(line);
        }
    }
    assert!(code.is_empty(), "without an answer: {code:?}");
    found
}

/// Runs a program and shows its end as a table does.
fn shown(code: &str) -> String {
    let limits = ScriptLimits { stack: 40 << 20, ..ScriptLimits::default() };
    let answer = match outcome(code, limits) {
        Ok(value) => format!("#=> {value}"),
        Err(failure) => format!("#!! {failure}"),
    };
    answer.replace('\n', "\\n")
}

/// Syntax errors agree in their class; the words are those of another parser.
fn agree(got: &str, recorded: &str) -> bool {
    const SYNTAX: &str = "#!! SyntaxError: ";
    got == recorded || (got.starts_with(SYNTAX) && recorded.starts_with(SYNTAX))
}

fn holds(table: &'static str) {
    let check = move || {
        let programs = facts(table);
        assert!(programs.len() >= 20, "{} programs", programs.len());
        let wrong: Vec<String> = programs
            .iter()
            .map(|(code, recorded)| (code, shown(code), recorded))
            .filter(|(_, got, recorded)| !agree(got, recorded))
            .map(|(code, got, recorded)| format!("{code}\n  ours {got}\n  Ruby {recorded}"))
            .collect();
        assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), programs.len(), wrong.join("\n"));
    };
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(check).expect("a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

macro_rules! tables {
    ($($name:ident),+ $(,)?) => { $(#[test] fn $name() { holds($name::FACTS); })+ };
}

tables!(
    arguments, arrays, blocks, classes, control, exceptions, formats, hashes, library, ranges, regexps,
    strings, yielded
);
