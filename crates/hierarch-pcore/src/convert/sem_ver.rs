//! `SemVer.new`: from text, from numbers, or from named parts.

use std::sync::{Arc, OnceLock};

use hierarch_source::Result;

use super::Host;
use super::constructor::Constructor;
use crate::Value;
use crate::value::SemVer;
use crate::value::semver::Identifier;

pub(super) static CONSTRUCTOR: Constructor = Constructor {
    name: "new_Version",
    locals: &[
        ("PositiveInteger", "Integer[0,default]"),
        ("SemVerQualifier", r"Pattern[/\A(?<part>[0-9A-Za-z-]+)(?:\.\g<part>)*\Z/]"),
        (
            "SemVerPattern",
            r"Pattern[/\A(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?\Z/]",
        ),
        (
            "SemVerHash",
            "Struct[{major=>PositiveInteger,minor=>PositiveInteger,patch=>PositiveInteger,Optional[prerelease]=>SemVerQualifier,Optional[build]=>SemVerQualifier}]",
        ),
    ],
    dispatches: &[
        (&["SemVerPattern str"], from_text),
        (
            &[
                "PositiveInteger major",
                "PositiveInteger minor",
                "PositiveInteger patch",
                "?SemVerQualifier prerelease",
                "?SemVerQualifier build",
            ],
            from_numbers,
        ),
        (&["SemVerHash hash_args"], from_hash),
    ],
    complaints: &[(&["String str"], complain)],
    read: OnceLock::new(),
};

fn from_text(arguments: &[Value], _: &dyn Host) -> Result<Value> {
    SemVer::parse(arguments[0].as_str().unwrap_or_default()).map(|version| Value::SemVer(Arc::new(version)))
}

fn from_numbers(arguments: &[Value], _: &dyn Host) -> Result<Value> {
    let number =
        |index: usize| arguments[index].as_integer().and_then(|n| u64::try_from(n).ok()).unwrap_or(0);
    let text = |index: usize| arguments.get(index).and_then(Value::as_str).map(str::to_owned);
    // A qualifier given apart is one identifier, dots and all: it differs from the same text parsed.
    let version = SemVer {
        prerelease: text(3).map(|text| vec![Identifier::Text(text)]),
        build: text(4).map(|text| vec![text]),
        ..SemVer::new(number(0), number(1), number(2))
    };
    Ok(Value::SemVer(Arc::new(version)))
}

fn from_hash(arguments: &[Value], host: &dyn Host) -> Result<Value> {
    let part =
        |name: &str| arguments[0].as_hash().and_then(|hash| hash.get_str(name)).cloned().unwrap_or_default();
    from_numbers(&["major", "minor", "patch", "prerelease", "build"].map(part), host)
}

fn complain(arguments: &[Value]) -> Result<String> {
    Ok(format!("The string '{}' cannot be converted to a SemVer", arguments[0]))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_prints;

    #[test]
    fn versions_are_read_or_put_together() {
        for (code, expected) in [
            ("SemVer('1.2.3')", "1.2.3"),
            ("SemVer('1.2.3-rc1+b2')", "1.2.3-rc1+b2"),
            ("SemVer(1,2,3)", "1.2.3"),
            ("SemVer(1,2,3,'rc1','b2')", "1.2.3-rc1+b2"),
            ("SemVer({major=>1,minor=>2,patch=>3})", "1.2.3"),
            ("SemVer('1.2')", "'new_Version' The string '1.2' cannot be converted to a SemVer"),
        ] {
            check_prints(code, expected);
        }
    }
}
