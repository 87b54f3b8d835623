//! Functions about types and conversions.

mod type_of;

use hierarch_eval::function::Function;

/// The functions of this family.
pub static TYPES: &[&Function] = &[&type_of::TYPE];
