//! Functions of older releases that modules still call. They are gone from the current one.

mod hashes;
mod kinds;
mod names;
mod validate;
mod validate_integer;

use hierarch_eval::function::Function;

/// The functions of this part.
pub(super) static OLD: &[&Function] = &[
    &hashes::DIG44,
    &hashes::HASH,
    &hashes::HAS_KEY,
    &kinds::IS_ABSOLUTE_PATH,
    &kinds::IS_ARRAY,
    &kinds::IS_BOOL,
    &kinds::IS_FLOAT,
    &kinds::IS_HASH,
    &kinds::IS_INTEGER,
    &kinds::IS_NUMERIC,
    &kinds::IS_STRING,
    &names::IS_DOMAIN_NAME,
    &names::IS_IP_ADDRESS,
    &validate::VALIDATE_ABSOLUTE_PATH,
    &validate::VALIDATE_ARRAY,
    &validate::VALIDATE_BOOL,
    &validate::VALIDATE_HASH,
    &validate::VALIDATE_RE,
    &validate::VALIDATE_STRING,
    &validate_integer::VALIDATE_INTEGER,
];
