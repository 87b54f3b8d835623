//! Sorting as Ruby sorts: numbers among numbers, texts bytewise, and an error for what has no order.

use std::cmp::Ordering;

use hierarch_pcore::{Value, ruby_class};
use hierarch_source::Result;

use crate::issues;
use crate::piece::Piece;

/// Sorts items. The steps are those of a merge sort, so that the pair named in an error is the reference's.
pub(super) fn sorted<P: Piece>(items: Vec<P>) -> Result<Vec<P>> {
    if items.len() < 2 {
        return Ok(items);
    }
    let mut first = items;
    let second = first.split_off(first.len() / 2);
    let (first, second) = (sorted(first)?, sorted(second)?);
    let mut merged = Vec::with_capacity(first.len() + second.len());
    let (mut first, mut second) = (first.into_iter().peekable(), second.into_iter().peekable());
    while let (Some(a), Some(b)) = (first.peek(), second.peek()) {
        let next = if order(&a.value(), &b.value())? == Ordering::Greater { &mut second } else { &mut first };
        merged.extend(next.next());
    }
    merged.extend(first);
    merged.extend(second);
    Ok(merged)
}

fn order(a: &Value, b: &Value) -> Result<Ordering> {
    compare(a, b).ok_or_else(|| issues::incomparable(ruby_class(a), &shown(b)))
}

fn compare(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::String(a), Value::String(b)) => Some(a.as_bytes().cmp(b.as_bytes())),
        (Value::Integer(a), Value::Integer(b)) => Some(a.cmp(b)),
        (Value::Array(a), Value::Array(b)) => {
            for (a, b) in a.iter().zip(b.iter()) {
                match compare(a, b)? {
                    Ordering::Equal => {}
                    unequal => return Some(unequal),
                }
            }
            Some(a.len().cmp(&b.len()))
        }
        (Value::Integer(_) | Value::Float(_) | Value::Foreign(_), _) => {
            a.as_number()?.partial_cmp(&b.as_number()?)
        }
        _ => (a == b).then_some(Ordering::Equal),
    }
}

/// Small values are shown themselves, others by their class.
fn shown(value: &Value) -> String {
    match value {
        Value::Undef => "nil".into(),
        Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => value.to_string(),
        other => ruby_class(other).into(),
    }
}
