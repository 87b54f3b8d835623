//! The test `version`: versions compared part by part.

use std::cmp::Ordering;

use minijinja::Error as JinjaError;
use minijinja::value::{Kwargs, Value as JinjaValue};

use super::issues;
use super::texts::text_of;

/// Compares two versions with an operator.
pub(super) fn compare(
    value: JinjaValue,
    other: JinjaValue,
    operator: Option<String>,
    strict: Option<bool>,
    named: Kwargs,
) -> Result<bool, JinjaError> {
    let operator: Option<String> = operator.or(named.get("operator")?);
    let strict = strict.or(named.get("strict")?);
    let kind: Option<String> = named.get("version_type")?;
    named.assert_all_used()?;
    let (a, b) = (text_of(&value)?, text_of(&other)?);
    if a.is_empty() || b.is_empty() {
        return Err(issues::empty_version());
    }
    let order = match kind.as_deref() {
        Some("semver" | "semantic") => semantic(&a)?.cmp(&semantic(&b)?),
        Some("strict") => strict_parts(&a)?.cmp(&strict_parts(&b)?),
        None if strict == Some(true) => strict_parts(&a)?.cmp(&strict_parts(&b)?),
        None | Some("loose") => loose(&a).cmp(&loose(&b)),
        Some(other) => return Err(issues::unknown_version_type(other)),
    };
    holds(operator.as_deref().unwrap_or("eq"), order)
}

fn holds(operator: &str, order: Ordering) -> Result<bool, JinjaError> {
    Ok(match operator {
        "==" | "=" | "eq" => order.is_eq(),
        "!=" | "<>" | "ne" => order.is_ne(),
        "<" | "lt" => order.is_lt(),
        "<=" | "le" => order.is_le(),
        ">" | "gt" => order.is_gt(),
        ">=" | "ge" => order.is_ge(),
        other => return Err(issues::unknown_version_operator(other)),
    })
}

/// A part of a version. Python cannot compare the two kinds; here numbers come first.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Part {
    Number(u64),
    Word(String),
}

impl Part {
    fn new(text: &str) -> Self {
        text.parse().map_or_else(|_| Self::Word(text.to_owned()), Self::Number)
    }
}

/// Splits into runs of digits and runs of letters.
fn loose(version: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    for piece in version.split('.') {
        let mut rest = piece;
        while let Some(first) = rest.chars().next() {
            let digits = first.is_ascii_digit();
            let end = rest.find(|c: char| c.is_ascii_digit() != digits).unwrap_or(rest.len());
            parts.push(Part::new(&rest[..end]));
            rest = &rest[end..];
        }
    }
    parts
}

/// `1.2`, `1.2.3`, `1.2a1`: two or three numbers, and a pre-release that comes before.
fn strict_parts(version: &str) -> Result<(Vec<u64>, bool, Vec<Part>), JinjaError> {
    let failed = || issues::no_version(version);
    let end = version.find(['a', 'b']).unwrap_or(version.len());
    let mut numbers = Vec::new();
    for part in version[..end].split('.') {
        numbers.push(part.parse().map_err(|_| failed())?);
    }
    if !(2..=3).contains(&numbers.len()) {
        return Err(failed());
    }
    numbers.resize(3, 0);
    Ok((numbers, end == version.len(), loose(&version[end..])))
}

type Semantic = ([u64; 3], bool, Vec<Part>);

/// `1.2.3-rc.1+build`: what follows `-` comes before the release, what follows `+` does not count.
fn semantic(version: &str) -> Result<Semantic, JinjaError> {
    let failed = || issues::no_semantic_version(version);
    let (rest, _) = version.split_once('+').unwrap_or((version, ""));
    let (core, pre) = rest.split_once('-').map_or((rest, None), |(core, pre)| (core, Some(pre)));
    let numbers: Vec<u64> =
        core.split('.').map(|part| part.parse().map_err(|_| failed())).collect::<Result<_, _>>()?;
    let core = <[u64; 3]>::try_from(numbers).map_err(|_| failed())?;
    Ok((core, pre.is_none(), pre.into_iter().flat_map(|pre| pre.split('.')).map(Part::new).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_by_number_and_not_by_text() {
        assert!(loose("1.10") > loose("1.9"));
        assert!(loose("1.9") < loose("1.9.1"));
        for (low, high) in [("1.0.0-rc1", "1.0.0"), ("1.0.0-1", "1.0.0-a"), ("1.0.0-a", "1.0.0-a.1")] {
            assert!(semantic(low).expect(low) < semantic(high).expect(high), "{low} {high}");
        }
        assert!(strict_parts("1.2a1").expect("good") < strict_parts("1.2").expect("good"));
        assert!(strict_parts("1.x").is_err() && semantic("1.2").is_err());
    }
}
