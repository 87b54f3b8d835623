//! `CatalogEntry`: references to classes and resources. References are types; no value is an instance.

use super::guide::Guide;
use super::{Guard, Kind, Rules, Type};
use crate::Value;

/// What a catalog can hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CatalogEntryType;

impl Rules for CatalogEntryType {
    fn name(&self) -> &'static str {
        "CatalogEntry"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide { name: "CatalogEntry", parameters: "", what: "References to classes and resources" })
    }

    fn has(&self, _: &Value, _: &mut Guard) -> bool {
        false
    }

    fn accepts(&self, other: &Type, _: &mut Guard) -> bool {
        matches!(other.kind(), Kind::CatalogEntry(_) | Kind::Class(_) | Kind::Resource(_))
    }
}
