//! Small Ruby functions of popular modules, native where the module is on the modulepath.
//!
//! What is here depends on nothing but its arguments, and has been the same in all releases of the module that
//! have it.

mod apache;
mod mysql;
mod openstacklib;

use hierarch_eval::function::Function;

/// The functions by the module that they stand in for.
pub static MODULES: &[(&str, &[&Function])] = &[
    ("apache", &[&apache::BOOL2HTTPD]),
    ("mysql", &[&mysql::PASSWORD]),
    ("openstacklib", openstacklib::OPENSTACKLIB),
];
