//! Functions that run templates.

mod epp;
mod erb;

use hierarch_eval::function::Function;

/// The functions of this family.
pub static TEMPLATES: &[&Function] = &[&epp::EPP, &epp::INLINE_EPP, &erb::INLINE_TEMPLATE, &erb::TEMPLATE];
