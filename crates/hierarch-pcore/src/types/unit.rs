//! `Unit`: a type that is whatever it meets. No program can write it; it is what an empty array holds.

use std::sync::OnceLock;

use hierarch_source::Result;

use super::{Guard, Rules, Type};
use crate::Value;
use crate::convert::{Constructor, ConversionHost};

/// The type that stands for whatever it meets.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct UnitType;

impl Rules for UnitType {
    fn name(&self) -> &'static str {
        "Unit"
    }

    fn constructor(&self) -> Option<&'static Constructor> {
        Some(&CONSTRUCTOR)
    }

    fn has(&self, _: &Value, _: &mut Guard) -> bool {
        true
    }

    fn accepts(&self, _: &Type, _: &mut Guard) -> bool {
        true
    }
}

/// The constructor that gives back what it is given.
pub(crate) static CONSTRUCTOR: Constructor = Constructor {
    name: "new_unit",
    locals: &[],
    dispatches: &[(&["Any from"], convert)],
    complaints: &[],
    read: OnceLock::new(),
};

fn convert(arguments: &[Value], _: &dyn ConversionHost) -> Result<Value> {
    Ok(arguments[0].clone())
}
