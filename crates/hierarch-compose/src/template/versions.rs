//! The test `version`: versions compared part by part.

use std::cmp::Ordering;

use super::call::BoundArguments;
use super::fault::Checked;
use super::issues;
use super::renderer::Renderer;
use super::value::Val;

/// Compares two versions with an operator.
pub(super) fn compare(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let (a, b) = (given.text(renderer, 0)?, given.text(renderer, 1)?);
    let operator = given.text_or(renderer, 2, "eq")?;
    let option = |at: usize| given.get(at).filter(|value| !matches!(value, Val::None));
    if option(3).is_some() && option(4).is_some() {
        return Err(issues::version_strict_and_type());
    }
    if !renderer.truth(given.value(0))? || !renderer.truth(given.value(1))? || a.is_empty() || b.is_empty() {
        return Err(issues::empty_version());
    }
    let strict = given.truth(renderer, 3, false)?;
    let kind = option(4).map(|kind| renderer.printed(kind)).transpose()?;
    let order = match kind.as_deref() {
        Some("semver" | "semantic") => semantic(&a)?.cmp(&semantic(&b)?),
        Some("strict") => strict_parts(&a)?.cmp(&strict_parts(&b)?),
        None if strict => strict_parts(&a)?.cmp(&strict_parts(&b)?),
        None | Some("loose") => loose_order(&a, &b)?,
        Some(other) => return Err(issues::unknown_version_type(other)),
    };
    Ok(Val::Bool(holds(&operator, order)?))
}

/// Python cannot say whether a word or a number comes first.
fn loose_order(a: &str, b: &str) -> Checked<Ordering> {
    let (first, second) = (loose(a), loose(b));
    for (a, b) in first.iter().zip(&second) {
        match (a, b) {
            (VersionPart::Number(_), VersionPart::Word(_)) => {
                return Err(issues::not_ordered("<", "int", "str"));
            }
            (VersionPart::Word(_), VersionPart::Number(_)) => {
                return Err(issues::not_ordered("<", "str", "int"));
            }
            (a, b) if a != b => break,
            _ => {}
        }
    }
    Ok(first.cmp(&second))
}

fn holds(operator: &str, order: Ordering) -> Checked<bool> {
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
enum VersionPart {
    Number(u64),
    Word(String),
}

impl VersionPart {
    fn new(text: &str) -> Self {
        text.parse().map_or_else(|_| Self::Word(text.to_owned()), Self::Number)
    }
}

/// Splits into runs of digits and runs of letters.
fn loose(version: &str) -> Vec<VersionPart> {
    let mut parts = Vec::new();
    for piece in version.split('.') {
        let mut rest = piece;
        while let Some(first) = rest.chars().next() {
            let digits = first.is_ascii_digit();
            let end = rest.find(|c: char| c.is_ascii_digit() != digits).unwrap_or(rest.len());
            parts.push(VersionPart::new(&rest[..end]));
            rest = &rest[end..];
        }
    }
    parts
}

/// `1.2`, `1.2.3`, `1.2a1`: two or three numbers, and a pre-release that comes before.
fn strict_parts(version: &str) -> Checked<(Vec<u64>, bool, Vec<VersionPart>)> {
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

type Semantic = ([u64; 3], bool, Vec<VersionPart>);

/// `1.2.3-rc.1+build`: what follows `-` comes before the release, what follows `+` does not count.
fn semantic(version: &str) -> Checked<Semantic> {
    let failed = || issues::no_semantic_version(version);
    let (rest, _) = version.split_once('+').unwrap_or((version, ""));
    let (core, pre) = rest.split_once('-').map_or((rest, None), |(core, pre)| (core, Some(pre)));
    let numbers: Vec<u64> =
        core.split('.').map(|part| part.parse().map_err(|_| failed())).collect::<Result<_, _>>()?;
    let core = <[u64; 3]>::try_from(numbers).map_err(|_| failed())?;
    Ok((core, pre.is_none(), pre.into_iter().flat_map(|pre| pre.split('.')).map(VersionPart::new).collect()))
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
