//! What Puppet's own Ruby classes offer to templates, functions and backends.

pub mod wrapper;

use crate::core::ClassSpec;

/// The modules that everything of Puppet's stands in.
static PUPPET: ClassSpec = ClassSpec::module("Puppet");
static PARSER: ClassSpec = ClassSpec::module("Puppet::Parser");

/// The classes.
pub static CLASSES: &[&ClassSpec] = &[&PUPPET, &PARSER, &wrapper::TEMPLATE_WRAPPER];
