//! Functions that look values up.

mod data;
mod eyaml_lookup_key;
#[allow(clippy::module_inception, reason = "named as the function")]
mod hiera;
mod lookup;

use hierarch_eval::function::Function;

/// The functions of this family.
pub static HIERA: &[&Function] = &[
    &data::HOCON_DATA,
    &data::JSON_DATA,
    &data::YAML_DATA,
    &eyaml_lookup_key::EYAML_LOOKUP_KEY,
    &hiera::HIERA,
    &hiera::HIERA_ARRAY,
    &hiera::HIERA_HASH,
    &hiera::HIERA_INCLUDE,
    &lookup::LOOKUP,
];
