//! Any text as an ERB template: compiled to Ruby, parsed, lowered and run, without a panic, an overflow or a hang.

#![no_main]

mod limits;

use hierarch_ruby::run::NoHost;
use hierarch_ruby::{Ruby, Vm, erb};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let source = erb::compile(text);
    let mut host = NoHost;
    let mut vm = Vm::new(Box::new(Ruby::new(limits::small())), &mut host);
    let Ok(program) = vm.program(&source, "(erb)") else { return };
    let Ok(wrapper) = vm.template_wrapper(None, []) else { return };
    if let Ok(value) = vm.run_in_wrapper(&program, wrapper) {
        let _ = vm.to_s(&value);
    }
});
