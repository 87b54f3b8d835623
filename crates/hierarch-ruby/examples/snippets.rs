//! Answers snippets of Ruby: one JSON object with `code` a line in, the same with `inspect` and `class` or `error` out.
//!
//! With `--examples` it prints the examples in the tables of methods as such lines instead, with what they say they give.
//! `scripts/compare-ruby` holds both against a real Ruby.

use std::io::{BufRead, Write};
use std::sync::Arc;

use hierarch_ruby::run::{Flow, NoHost};
use hierarch_ruby::{Ruby, ScriptLimits, Vm};
use serde_json::{Value as Json, json};

fn main() -> std::io::Result<()> {
    if std::env::args().any(|argument| argument == "--examples") {
        return print_examples();
    }
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(answer_all)?;
    thread.join().unwrap_or_else(|_| Err(std::io::Error::other("the interpreter panicked")))
}

fn print_examples() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for spec in hierarch_ruby::core::specs() {
        let methods = spec.methods.iter().chain(spec.singleton).flat_map(|table| table.iter());
        for example in methods.flat_map(|method| method.examples) {
            let line = match (example.rsplit_once(" !! "), example.rsplit_once(" => ")) {
                (Some((code, error)), _) => json!({ "code": code, "got": { "error": error } }),
                (None, Some((code, shown))) => json!({ "code": code, "got": { "inspect": shown } }),
                (None, None) => continue,
            };
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

fn answer_all() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let mut case: Json = serde_json::from_str(&line?)?;
        let code = case["code"].as_str().unwrap_or_default().to_owned();
        case["got"] = answer(&code);
        writeln!(out, "{case}")?;
    }
    Ok(())
}

fn answer(code: &str) -> Json {
    let mut host = NoHost;
    let limits = ScriptLimits { stack: 40 << 20, steps: 5_000_000, ..ScriptLimits::default() };
    let mut vm = Vm::new(Box::new(Ruby::new(limits)), &mut host);
    match run(&mut vm, code) {
        Ok((inspect, class)) => json!({ "inspect": inspect, "class": class }),
        Err(flow) => json!({ "error": error_of(&mut vm, *flow) }),
    }
}

fn run(vm: &mut Vm<'_>, code: &str) -> Result<(String, String), Box<Flow>> {
    let program = vm.program(code, "(erb)")?;
    let wrapper = vm.template_wrapper(None, [])?;
    let value = vm.run_in_wrapper(&Arc::clone(&program), wrapper)?;
    let class = vm.class_name(&value).to_string();
    Ok((vm.inspect(&value)?.to_string(), class))
}

fn error_of(vm: &mut Vm<'_>, flow: Flow) -> Json {
    let failure = vm.failure(flow);
    match failure.message {
        Some(message) => json!({ "class": failure.class, "message": message }),
        None => json!({ "class": failure.class }),
    }
}
