//! Functions about numbers and order.

mod abs;

use hierarch_eval::function::Function;

/// The functions of this family.
pub static NUMBERS: &[&Function] = &[&abs::ABS];
