//! Functions about arrays and hashes.

mod keys;

use hierarch_eval::function::Function;

/// The functions of this family.
pub static COLLECTIONS: &[&Function] = &[&keys::KEYS, &keys::VALUES];
