//! Functions that look values up.

use hierarch_eval::function::Function;

/// The functions of this family.
pub static HIERA: &[&Function] = &[];
