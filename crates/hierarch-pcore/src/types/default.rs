//! `Default`: the value `default`.

use super::guide::Guide;
use super::{Guard, Kind, Rules, Type};
use crate::Value;

/// The type of the value `default`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct DefaultType;

impl Rules for DefaultType {
    fn name(&self) -> &'static str {
        "Default"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide { name: "Default", parameters: "", what: "The value default" })
    }

    fn has(&self, value: &Value, _: &mut Guard) -> bool {
        matches!(value, Value::Default)
    }

    fn accepts(&self, other: &Type, _: &mut Guard) -> bool {
        matches!(other.kind(), Kind::Default(_))
    }
}
