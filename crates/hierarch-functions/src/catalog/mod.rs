//! Functions that declare and find resources and classes.

mod contain;
mod create_resources;
mod defined;
mod include;
mod realize;
mod require;
mod tag;
mod tagged;

use hierarch_eval::function::Function;

/// The functions of this family.
pub static CATALOG: &[&Function] = &[
    &contain::CONTAIN,
    &create_resources::CREATE_RESOURCES,
    &defined::DEFINED,
    &include::INCLUDE,
    &realize::REALIZE,
    &require::REQUIRE,
    &tag::TAG,
    &tagged::TAGGED,
];
