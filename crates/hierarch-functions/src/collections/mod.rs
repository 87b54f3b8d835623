//! Functions about arrays and hashes.

mod dig;
mod empty;
mod flatten;
mod keys;
mod max;
mod navigation;
mod order;
mod sort;
mod unique;

use hierarch_eval::function::Function;

pub(crate) use flatten::flattened;

/// The functions of this family.
pub static COLLECTIONS: &[&Function] = &[
    &dig::DIG,
    &dig::GET,
    &dig::GETVAR,
    &empty::EMPTY,
    &flatten::FLATTEN,
    &flatten::JOIN,
    &keys::KEYS,
    &keys::VALUES,
    &max::MAX,
    &max::MIN,
    &sort::SORT,
    &unique::UNIQUE,
];
