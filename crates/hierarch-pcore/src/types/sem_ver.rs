//! `SemVer['>=1.0.0', …]`: versions by range.

use std::cmp::Ordering;
use std::sync::{Arc, OnceLock};

use hierarch_source::Result;

use super::build::{KeyKind, Keyed, check_keys, flattened};
use super::guide::Guide;
use super::{Guard, Kind, Rules, Type};
use crate::Value;
use crate::convert::{Constructor, ConversionHost};
use crate::value::semver::Identifier;
use crate::value::{SemVer, SemVerRange};

/// Versions in any of several ranges; without ranges all.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct SemVerType(Vec<Arc<SemVerRange>>);

impl SemVerType {
    /// Makes the type of ranges, joining those that overlap or touch.
    pub fn new(ranges: Vec<Arc<SemVerRange>>) -> Self {
        if ranges.len() < 2 { Self(ranges) } else { Self(joined(ranges)) }
    }

    /// Returns the ranges.
    pub fn ranges(&self) -> &[Arc<SemVerRange>] {
        &self.0
    }
}

/// Joins what can be joined, from the back.
fn joined(mut ranges: Vec<Arc<SemVerRange>>) -> Vec<Arc<SemVerRange>> {
    let mut result = Vec::new();
    while let Some(mut range) = ranges.pop() {
        let mut apart = Vec::new();
        for other in ranges {
            match merge(&range, &other) {
                Some(merged) => range = Arc::new(merged),
                None => apart.push(other),
            }
        }
        result.push(range);
        ranges = apart;
    }
    result.reverse();
    result
}

fn merge(a: &SemVerRange, b: &SemVerRange) -> Option<SemVerRange> {
    let (from_a, to_a, from_b, to_b) = (a.begin()?, a.end()?, b.begin()?, b.end()?);
    if a.includes(&from_b) || b.includes(&from_a) {
        let order = to_a.precedence(&to_b);
        let exclude_end = match order {
            Ordering::Greater => a.excludes_end(),
            Ordering::Less => b.excludes_end(),
            Ordering::Equal => a.excludes_end() && b.excludes_end(),
        };
        let to = if order == Ordering::Less { to_b } else { to_a };
        let from = if from_a.precedence(&from_b) == Ordering::Greater { from_b } else { from_a };
        return Some(SemVerRange::between(from, to, exclude_end));
    }
    if a.excludes_end() && to_a == from_b {
        return Some(SemVerRange::between(from_a, to_b, b.excludes_end()));
    }
    (b.excludes_end() && to_b == from_a).then(|| SemVerRange::between(from_b, to_a, a.excludes_end()))
}

/// Tells whether a range lies within another. Ranges of several pieces never do.
fn is_covered(inner: &SemVerRange, outer: &SemVerRange) -> bool {
    let ends = || Some((inner.begin()?, inner.end()?, outer.begin()?, outer.end()?));
    let Some((inner_begin, inner_end, outer_begin, outer_end)) = ends() else { return false };
    outer_begin.precedence(&inner_begin).is_le()
        && match outer_end.precedence(&inner_end) {
            Ordering::Greater => true,
            Ordering::Equal => outer_end == inner_end && (!outer.excludes_end() || inner.excludes_end()),
            Ordering::Less => false,
        }
}

impl Rules for SemVerType {
    fn name(&self) -> &'static str {
        "SemVer"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide { name: "SemVer", parameters: "'range', …", what: "Semantic versions" })
    }

    fn constructor(&self) -> Option<&'static Constructor> {
        Some(&CONSTRUCTOR)
    }

    fn params(&self) -> Vec<Value> {
        self.0.iter().cloned().map(Value::SemVerRange).collect()
    }

    fn has(&self, value: &Value, _: &mut Guard) -> bool {
        let Value::SemVer(version) = value else { return false };
        self.0.is_empty() || self.0.iter().any(|range| range.includes(version))
    }

    fn accepts(&self, other: &Type, _: &mut Guard) -> bool {
        let Kind::SemVer(other) = other.kind() else { return false };
        let covered = |inner: &Arc<SemVerRange>| self.0.iter().any(|outer| is_covered(inner, outer));
        self.0.is_empty() || (!other.0.is_empty() && other.0.iter().all(covered))
    }

    fn parametrize(&self, keys: &[Value]) -> Keyed {
        let keys = flattened(keys);
        check_keys(self, &keys, 1, None, &[KeyKind::String, KeyKind::SemVerRange])?;
        let mut ranges = Vec::new();
        for key in &keys {
            ranges.push(match key {
                Value::SemVerRange(range) => Arc::clone(range),
                other => Arc::new(SemVerRange::parse(other.as_str().unwrap_or_default())?),
            });
        }
        Ok(Type::from(Self::new(ranges)).into())
    }
}

/// `SemVer.new`: from text, from numbers, or from named parts.
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

fn from_text(arguments: &[Value], _: &dyn ConversionHost) -> Result<Value> {
    SemVer::parse(arguments[0].as_str().unwrap_or_default()).map(|version| Value::SemVer(Arc::new(version)))
}

fn from_numbers(arguments: &[Value], _: &dyn ConversionHost) -> Result<Value> {
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

fn from_hash(arguments: &[Value], host: &dyn ConversionHost) -> Result<Value> {
    let part =
        |name: &str| arguments[0].as_hash().and_then(|hash| hash.get_str(name)).cloned().unwrap_or_default();
    from_numbers(&["major", "minor", "patch", "prerelease", "build"].map(part), host)
}

fn complain(arguments: &[Value]) -> Result<String> {
    Ok(format!("The string '{}' cannot be converted to a SemVer", arguments[0]))
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_accepts, check_has, check_prints};

    #[test]
    fn versions_are_in_any_of_the_ranges() {
        check_has(
            "SemVer['1.x', '3.x']",
            &["SemVer('1.2.3')", "SemVer('3.0.0')"],
            &["SemVer('2.0.0')", "'1.2.3'"],
        );
        check_accepts(
            "SemVer['>=1.0.0 <3.0.0']",
            &["SemVer['1.x']", "SemVer['2.0.0']"],
            &["SemVer", "SemVer['3.x']"],
        );
        check_prints("type(SemVer('1.2.3'))", "SemVer['1.2.3 - 1.2.3']");
    }

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
