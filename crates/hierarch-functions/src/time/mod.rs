//! Functions about time.

mod strftime;

use hierarch_eval::function::Function;

/// The functions of this family.
pub static TIME: &[&Function] = &[&strftime::STRFTIME];
