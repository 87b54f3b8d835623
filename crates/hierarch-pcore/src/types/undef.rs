//! `Undef`: the absence of a value.

use super::guide::Guide;
use super::{Guard, Kind, Rules, Type};
use crate::Value;

/// The type of `undef`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct UndefType;

impl Rules for UndefType {
    fn name(&self) -> &'static str {
        "Undef"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide { name: "Undef", parameters: "", what: "The value undef" })
    }

    fn has(&self, value: &Value, _: &mut Guard) -> bool {
        value.is_undef()
    }

    fn accepts(&self, other: &Type, _: &mut Guard) -> bool {
        matches!(other.kind(), Kind::Undef(_))
    }
}
