//! Functions about time.

use hierarch_eval::function::Function;

/// The functions of this family.
pub static TIME: &[&Function] = &[];
