//! `Unit`: a type that is whatever it meets. No program can write it; it is what an empty array holds.

use super::{Guard, Rules, Type};
use crate::Value;

/// The type that stands for whatever it meets.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct UnitType;

impl Rules for UnitType {
    fn name(&self) -> &'static str {
        "Unit"
    }

    fn has(&self, _: &Value, _: &mut Guard) -> bool {
        true
    }

    fn accepts(&self, _: &Type, _: &mut Guard) -> bool {
        true
    }
}
