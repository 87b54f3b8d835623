//! Functions that declare and find resources and classes.

use hierarch_eval::function::Function;

/// The functions of this family.
pub static CATALOG: &[&Function] = &[];
