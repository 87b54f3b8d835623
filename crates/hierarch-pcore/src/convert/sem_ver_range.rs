//! `SemVerRange.new`: from text, or from two versions.

use std::sync::{Arc, OnceLock};

use hierarch_source::Result;

use super::Host;
use super::constructor::Constructor;
use crate::Value;
use crate::value::{SemVer, SemVerRange};

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

fn from_text(arguments: &[Value], _: &dyn Host) -> Result<Value> {
    SemVerRange::parse(arguments[0].as_str().unwrap_or_default())
        .map(|range| Value::SemVerRange(Arc::new(range)))
}

fn from_versions(arguments: &[Value], _: &dyn Host) -> Result<Value> {
    let version = |value: &Value, default: SemVer| match value {
        Value::SemVer(version) => (**version).clone(),
        _ => default,
    };
    let excludes_end = arguments.get(2).and_then(Value::as_boolean) == Some(true);
    let (from, to) = (version(&arguments[0], SemVer::lowest()), version(&arguments[1], SemVer::highest()));
    Ok(Value::SemVerRange(Arc::new(SemVerRange::between(from, to, excludes_end))))
}

fn from_hash(arguments: &[Value], host: &dyn Host) -> Result<Value> {
    let part = |name: &str| {
        arguments[0].as_hash().and_then(|hash| hash.get_str(name)).cloned().unwrap_or(Value::Default)
    };
    from_versions(&["min", "max", "exclude_max"].map(part), host)
}
