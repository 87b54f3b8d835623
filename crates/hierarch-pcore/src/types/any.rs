//! `Any`: everything.

use super::guide::Guide;
use super::{Guard, Rules, Type};
use crate::Value;

/// The type of everything.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct AnyType;

impl Rules for AnyType {
    fn name(&self) -> &'static str {
        "Any"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide { name: "Any", parameters: "", what: "Everything" })
    }

    fn has(&self, _: &Value, _: &mut Guard) -> bool {
        true
    }

    fn accepts(&self, _: &Type, _: &mut Guard) -> bool {
        true
    }
}
