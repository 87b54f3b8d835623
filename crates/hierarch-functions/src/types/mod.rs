//! Functions about types and conversions.

mod annotate;
mod assert_type;
mod new;
mod type_of;
mod unwrap;

use hierarch_eval::function::Function;

/// The functions of this family.
pub static TYPES: &[&Function] = &[
    &annotate::ANNOTATE,
    &assert_type::ASSERT_TYPE,
    &new::CONVERT_TO,
    &new::NEW,
    &type_of::TYPE,
    &unwrap::UNWRAP,
];
