//! Functions that read files of modules and of the machine.

mod find;
mod generate;
mod read;

use hierarch_eval::function::Function;

/// The functions of this family.
pub static FILES: &[&Function] = &[
    &find::FIND_FILE,
    &find::FIND_TEMPLATE,
    &find::MODULE_DIRECTORY,
    &generate::GENERATE,
    &read::BINARY_FILE,
    &read::FILE,
];
