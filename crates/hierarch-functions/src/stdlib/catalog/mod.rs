//! Functions that declare and find resources.

mod assert_private;
mod defined_with_params;
mod ensure_packages;
mod ensure_resource;
mod getparam;
mod reference;

use hierarch_eval::function::Function;

/// The functions of this part.
pub(super) static CATALOG: &[&Function] = &[
    &assert_private::ASSERT_PRIVATE,
    &defined_with_params::DEFINED_WITH_PARAMS,
    &ensure_packages::ENSURE_PACKAGES,
    &ensure_resource::ENSURE_RESOURCE,
    &ensure_resource::ENSURE_RESOURCES,
    &getparam::GETPARAM,
    &getparam::STR2RESOURCE,
];
