//! `SemVerRange`: ranges of versions as values.

use std::sync::{Arc, OnceLock};

use hierarch_source::Result;

use super::guide::Guide;
use super::{Guard, Kind, Rules, Type};
use crate::Value;
use crate::convert::{Constructor, ConversionHost};
use crate::value::{SemVer, SemVerRange};

/// The type of ranges of versions.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SemVerRangeType;

impl Rules for SemVerRangeType {
    fn name(&self) -> &'static str {
        "SemVerRange"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide { name: "SemVerRange", parameters: "", what: "Sets of semantic versions" })
    }

    fn constructor(&self) -> Option<&'static Constructor> {
        Some(&CONSTRUCTOR)
    }

    fn has(&self, value: &Value, _: &mut Guard) -> bool {
        matches!(value, Value::SemVerRange(_))
    }

    fn accepts(&self, other: &Type, _: &mut Guard) -> bool {
        matches!(other.kind(), Kind::SemVerRange(_))
    }
}

/// `SemVerRange.new`: from text, or from two versions.
pub(super) static CONSTRUCTOR: Constructor = Constructor {
    name: "new_VersionRange",
    locals: &[
        ("SemVerRangeString", "String[1]"),
        (
            "SemVerRangeHash",
            "Struct[{min=>Variant[Default,SemVer],Optional[max]=>Variant[Default,SemVer],Optional[exclude_max]=>Boolean}]",
        ),
    ],
    dispatches: &[
        (&["SemVerRangeString str"], from_text),
        (
            &["Variant[Default,SemVer] min", "Variant[Default,SemVer] max", "?Boolean exclude_max"],
            from_versions,
        ),
        (&["SemVerRangeHash hash_args"], from_hash),
    ],
    complaints: &[],
    read: OnceLock::new(),
};

fn from_text(arguments: &[Value], _: &dyn ConversionHost) -> Result<Value> {
    SemVerRange::parse(arguments[0].as_str().unwrap_or_default())
        .map(|range| Value::SemVerRange(Arc::new(range)))
}

fn from_versions(arguments: &[Value], _: &dyn ConversionHost) -> Result<Value> {
    let version = |value: &Value, default: SemVer| match value {
        Value::SemVer(version) => (**version).clone(),
        _ => default,
    };
    let excludes_end = arguments.get(2).and_then(Value::as_boolean) == Some(true);
    let (from, to) = (version(&arguments[0], SemVer::lowest()), version(&arguments[1], SemVer::highest()));
    Ok(Value::SemVerRange(Arc::new(SemVerRange::between(from, to, excludes_end))))
}

fn from_hash(arguments: &[Value], host: &dyn ConversionHost) -> Result<Value> {
    let part = |name: &str| {
        arguments[0].as_hash().and_then(|hash| hash.get_str(name)).cloned().unwrap_or(Value::Default)
    };
    from_versions(&["min", "max", "exclude_max"].map(part), host)
}
