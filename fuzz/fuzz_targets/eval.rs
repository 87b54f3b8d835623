//! Any bytes as a manifest: evaluated, and its value printed in every form, without a panic or a hang.

#![no_main]

use hierarch_eval::{Evaluator, ProgramLimits};
use hierarch_source::Source;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(source) = Source::from_bytes("fuzz.pp", bytes.to_vec()) else { return };
    let environment = hierarch_functions::environment();
    let limits = ProgramLimits { steps: 20_000, depth: 200, size: 50_000, ..ProgramLimits::default() };
    let mut evaluator = Evaluator::new(&environment).with_limits(limits);
    if let Ok(value) = evaluator.evaluate(&source) {
        value.program_text();
        value.to_json();
        value.to_yaml();
        hierarch_pcore::infer::detailed(&value).to_string();
    }
});
