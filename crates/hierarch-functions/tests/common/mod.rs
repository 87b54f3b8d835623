//! What tests over all functions share: the functions, and limits that end a call at once.

use hierarch_eval::ProgramLimits;
use hierarch_eval::function::Function;
use hierarch_functions::{FAMILIES, STDLIB_FAMILIES};

/// All functions, those of puppetlabs-stdlib included.
pub(crate) fn functions() -> impl Iterator<Item = &'static Function> {
    FAMILIES.iter().chain(STDLIB_FAMILIES).flat_map(|family| family.iter().copied())
}

/// Small enough for a call to end at once.
pub(crate) const LIMITS: ProgramLimits = ProgramLimits {
    steps: 5_000,
    depth: 50,
    size: 100_000,
    resources: 100,
    memory: 1 << 30,
    stack: 1_200_000,
};
