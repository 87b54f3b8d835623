//! Any text as Ruby: parsed, lowered and run, its value shown, without a panic, an overflow or a hang.

#![no_main]

mod limits;

use hierarch_ruby::run::NoHost;
use hierarch_ruby::{Ruby, Vm};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut host = NoHost;
    let mut vm = Vm::new(Box::new(Ruby::new(limits::small())), &mut host);
    let Ok(program) = vm.program(text, "fuzz.rb") else { return };
    if let Ok(value) = vm.run(&program) {
        let _ = vm.inspect(&value);
    }
});
