//! How much a script may do while it is fuzzed: enough to get somewhere, too little to take long.

use hierarch_ruby::ScriptLimits;

/// Limits that end a script after some milliseconds.
pub fn small() -> ScriptLimits {
    ScriptLimits {
        steps: 20_000,
        depth: 200,
        memory: 1 << 22,
        size: 50_000,
        symbols: 500,
        ..ScriptLimits::default()
    }
}
