//! Our parser beside Puppet's: the same answers, and how fast they come.

pub mod compare;
pub mod files;
pub mod measure;
