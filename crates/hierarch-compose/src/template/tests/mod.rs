//! The tests of templates: `is defined`, `is match('…')`.

mod ansible;
mod jinja;

use super::call::Function;

pub(super) static FAMILIES: &[&[Function]] = &[jinja::TESTS, ansible::TESTS];
