//! Functions about texts.

mod case;
mod length;

use hierarch_eval::function::Function;

/// The functions of this family.
pub static STRINGS: &[&Function] = &[&case::DOWNCASE, &case::UPCASE, &length::LENGTH, &length::SIZE];
