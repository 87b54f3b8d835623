//! `fqdn_rand`: a random number that stays the same for a node.

use md5::{Digest, Md5};

use super::twister::seeded;
use crate::prelude::*;

/// The function `fqdn_rand`.
pub(super) static FQDN_RAND: Function = Function {
    name: "fqdn_rand",
    doc: "Returns an Integer from zero up to, but not including, a maximum, which looks random but depends only on the fact `networking.fqdn`, the maximum and a seed. With a third argument that is true, the case of the name does not matter.",
    dispatches: &[legacy(-2, fqdn_rand)],
    examples: &[
        Gives("fqdn_rand(100, 'seed')", "49"),
        Gives("fqdn_rand(4294967297)", "269594261"),
        Fails("fqdn_rand(0)", "invalid argument - 0"),
    ],
};

fn fqdn_rand(call: &mut Call) -> Result<Value> {
    let max = whole(call.value(0));
    let mut name = fqdn(call);
    if call.count() > 2 && call.value(2).is_truthy() {
        name = name.chars().flat_map(char::to_lowercase).collect();
    }
    let limit = u64::try_from(max).ok().and_then(|max| max.checked_sub(1));
    let limit = limit.ok_or_else(|| issues::not_positive(max))?;
    let seed = Md5::digest(format!("{name}:{max}:{}", seed_text(call.value(1))));
    let number = seeded(&seed).up_to(limit);
    Ok(i64::try_from(number).unwrap_or(i64::MAX).into())
}

fn fqdn(call: &mut Call) -> String {
    let facts = call.variable("facts").unwrap_or_default();
    let networking = facts.as_hash().and_then(|facts| facts.get_str("networking"));
    let name = networking.and_then(Value::as_hash).and_then(|networking| networking.get_str("fqdn"));
    name.map(ruby_text).unwrap_or_default()
}

/// Arrays are joined as the rest is.
fn seed_text(value: &Value) -> String {
    match value {
        Value::Array(elements) => elements.iter().map(seed_text).collect::<Vec<_>>().join(":"),
        other => ruby_text(other),
    }
}

/// Reads as much of a value as is an integer.
fn whole(value: &Value) -> i64 {
    match value {
        Value::Integer(number) => *number,
        Value::Float(number) => *number as i64,
        Value::String(text) => crate::ruby::leading_integer(text),
        _ => 0,
    }
}
