//! Any text as Ruby: parsed, lowered and run, its value shown, without a panic, an overflow or a hang.

#![no_main]

use hierarch_ruby::run::NoHost;
use hierarch_ruby::{Ruby, ScriptLimits, Vm};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let limits = ScriptLimits {
        steps: 20_000,
        depth: 200,
        memory: 1 << 22,
        size: 50_000,
        symbols: 500,
        ..ScriptLimits::default()
    };
    let mut host = NoHost;
    let mut vm = Vm::new(Box::new(Ruby::new(limits)), &mut host);
    let Ok(program) = vm.program(text, "fuzz.rb") else { return };
    if let Ok(value) = vm.run(&program) {
        let _ = vm.inspect(&value);
    }
});
