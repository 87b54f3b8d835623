//! Operators that the engine lacks for texts, or would let make more than there is room for: `+`, `*` and `%`.

use std::sync::Arc;

use minijinja::value::{DynObject, Kwargs, ObjectRepr, Tuple, Value as JinjaValue, ValueKind};
use minijinja::{Error as JinjaError, State};

use super::failure::to_jinja_error;
use super::held::joined;
use super::issues;
use crate::expr::budget::{Budget, NODE};
use crate::expr::issues as expressions;

type Made = Result<JinjaValue, JinjaError>;

/// Multiplies; a text or a list that would get too large is not made.
pub(super) fn times(budget: &Budget, a: &JinjaValue, b: &JinjaValue) -> Made {
    let fits = |bytes: Option<usize>| budget.fits(bytes.unwrap_or(usize::MAX)).map_err(to_jinja_error);
    for (repeated, count) in [(a, b), (b, a)] {
        // As in Python, less than nothing is nothing.
        let count = || count.as_i64().filter(|_| count.is_integer()).map(|count| count.max(0) as usize);
        if let Some(text) = repeated.as_str() {
            let count = count().ok_or_else(issues::not_repeated)?;
            fits(text.len().checked_mul(count))?;
            return Ok(text.repeat(count).into());
        }
        if repeated.as_object().is_some_and(is_list) {
            let count = count().ok_or_else(issues::not_repeated)?;
            let items = repeated.try_iter()?.checked().collect::<Result<Vec<_>, _>>()?;
            fits(items.len().checked_mul(count).and_then(|length| length.checked_mul(NODE)))?;
            let count = if items.is_empty() { 0 } else { count };
            let all = std::iter::repeat_n(items, count).flatten().collect::<Vec<_>>();
            return Ok(if repeated.is_tuple() { JinjaValue::from(Tuple::from(all)) } else { all.into() });
        }
    }
    calculated("*", a, b, i128::checked_mul, |a, b| a * b)
}

fn is_list(object: &DynObject) -> bool {
    matches!(object.repr(), ObjectRepr::Seq | ObjectRepr::Iterable)
}

/// Adds numbers, and puts texts or lists together.
pub(super) fn plus(budget: &Arc<Budget>, a: &JinjaValue, b: &JinjaValue) -> Made {
    if let (Some(a), Some(b)) = (a.as_str(), b.as_str()) {
        budget.fits(a.len().saturating_add(b.len())).map_err(to_jinja_error)?;
        return Ok([a, b].concat().into());
    }
    let list = |value: &JinjaValue| value.as_object().is_some_and(is_list);
    match (list(a) && list(b), a.is_tuple(), b.is_tuple()) {
        (true, false, false) => joined(budget, a, b),
        (true, true, true) => {
            let items = a.try_iter()?.chain(b.try_iter()?);
            Ok(Tuple::from(items.collect::<Vec<_>>()).into())
        }
        (true, ..) => Err(issues::not_calculated("+", a, b)),
        _ => calculated("+", a, b, i128::checked_add, |a, b| a + b),
    }
}

/// Calculates with numbers; truth counts as one, as in Python.
fn calculated(
    operator: &str,
    a: &JinjaValue,
    b: &JinjaValue,
    whole: fn(i128, i128) -> Option<i128>,
    float: fn(f64, f64) -> f64,
) -> Made {
    if let (Some(a), Some(b)) = (integer(a), integer(b)) {
        let found = whole(a, b).ok_or_else(|| to_jinja_error(expressions::number_too_large()))?;
        return Ok(i64::try_from(found).map_or_else(|_| found.into(), JinjaValue::from));
    }
    match (f64::try_from(a.clone()), f64::try_from(b.clone())) {
        (Ok(a), Ok(b)) => Ok(float(a, b).into()),
        _ => Err(issues::not_calculated(operator, a, b)),
    }
}

fn integer(value: &JinjaValue) -> Option<i128> {
    let is_whole = value.is_integer() || value.kind() == ValueKind::Bool;
    is_whole.then(|| i128::try_from(value.clone()).ok()).flatten()
}

/// Formats a text with values, or gives the rest of a division.
pub(super) fn percent(state: &mut State, a: &JinjaValue, b: &JinjaValue) -> Made {
    if a.as_str().is_none() {
        return remainder(a, b);
    }
    let mut arguments = vec![a.clone()];
    match b.kind() {
        _ if b.is_tuple() => arguments.extend(b.try_iter()?),
        ValueKind::Map => arguments.push(named(b)?.into()),
        _ => arguments.push(b.clone()),
    }
    state.apply_filter("format", &arguments)
}

/// Makes named arguments of a map.
fn named(map: &JinjaValue) -> Result<Kwargs, JinjaError> {
    let pair = |key: JinjaValue| Ok((key.to_string(), map.get_item(&key)?));
    let pairs = map.try_iter()?.map(pair).collect::<Result<Vec<_>, JinjaError>>()?;
    Ok(pairs.into_iter().collect())
}

/// Has the sign of what is divided by, as in Python.
fn remainder(a: &JinjaValue, b: &JinjaValue) -> Made {
    if let (Some(a), Some(b)) = (integer(a), integer(b)) {
        let rest = a.checked_rem(b).ok_or_else(issues::division_by_zero)?;
        let rest = if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest };
        return Ok(i64::try_from(rest).map_or_else(|_| rest.into(), JinjaValue::from));
    }
    match (f64::try_from(a.clone()), f64::try_from(b.clone())) {
        (Ok(_), Ok(0.0)) => Err(issues::division_by_zero()),
        (Ok(a), Ok(b)) => {
            let rest = a % b;
            Ok(if rest != 0.0 && (rest < 0.0) != (b < 0.0) { rest + b } else { rest }.into())
        }
        _ => Err(issues::not_calculated("%", a, b)),
    }
}
