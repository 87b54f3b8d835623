//! Functions that read files of modules and of the machine.

use hierarch_eval::function::Function;

/// The functions of this family.
pub static FILES: &[&Function] = &[];
