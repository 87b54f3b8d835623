//! Functions that run templates.

mod epp;

use hierarch_eval::function::Function;

/// The functions of this family.
pub static TEMPLATES: &[&Function] = &[&epp::EPP, &epp::INLINE_EPP];
