//! Functions about numbers and order.

mod abs;
mod compare;
mod fqdn_rand;
mod round;
mod twister;
mod versioncmp;

use hierarch_eval::function::Function;

pub(crate) use twister::seeded;
pub(crate) use versioncmp::compared;

/// The functions of this family.
pub static NUMBERS: &[&Function] = &[
    &abs::ABS,
    &compare::COMPARE,
    &fqdn_rand::FQDN_RAND,
    &round::CEILING,
    &round::FLOOR,
    &round::ROUND,
    &versioncmp::VERSIONCMP,
];
