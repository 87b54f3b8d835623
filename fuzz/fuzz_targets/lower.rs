//! Any text as Ruby, parsed and lowered only: no panic, no overflow, whatever is nested in what.

#![no_main]

use hierarch_ruby::syntax;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = syntax::parse(text, "fuzz.rb");
});
